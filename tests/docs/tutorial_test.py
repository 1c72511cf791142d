"""The tutorial, word for word: its files are written, its commands run, and what they print is what the tutorial shows.

Usage: tutorial_test.py PICUS TUTORIAL
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PICUS = os.path.abspath(sys.argv.pop(1))
TUTORIAL = os.path.abspath(sys.argv.pop(1))


def blocks(text):
    """(language, content) of each fenced block."""
    return re.findall(r"^```(\S*)\n(.*?)^```$", text, re.M | re.S)


def run(command, folder):
    environment = dict(os.environ, PATH=os.path.dirname(PICUS) + ":" + os.environ["PATH"])
    return subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=50)


def comparable(text):
    """Without the time a step took; numbers rounded, for round-off differs from machine to machine."""
    text = re.sub(r"^  speed .*$", "  speed", text, flags=re.M)
    text = re.sub(r"(residual|time step) \S+", r"\1 …", text)
    text = re.sub(r"\S+( (?:m|rad) \(\w+,) \S+( % of its range), at t = \S+ s\); at the end \S+", r"…\1 …\2 …", text)
    text = re.sub(r"(differ first at t =) \S+", r"\1 …", text)
    return re.sub(r"(change) \S+(e-1\d)\b", r"\1 …", text).strip()


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with open(TUTORIAL, encoding="utf-8") as file:
            self.text = file.read()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write_model(self):
        with open(self.path("rod.yaml"), "w", encoding="utf-8") as file:
            file.write("\n".join(content for language, content in blocks(self.text) if language == "yaml"))

    def test_word_for_word(self):
        printed = None
        commands = 0
        for language, content in blocks(self.text):
            if language == "yaml":
                with open(self.path("rod.yaml"), "a", encoding="utf-8") as file:
                    file.write(content + "\n")
            elif language == "sh":
                printed = ""
                for line in content.strip().splitlines():
                    result = run(line, self.folder.name)
                    self.assertEqual(result.returncode, 0, line + result.stderr)
                    self.assertEqual(result.stderr, "", line)
                    printed += result.stdout
                    commands += 1
            elif language == "text":
                self.assertEqual(comparable(printed), comparable(content))
        self.assertEqual(commands, 7)

    def test_picture_is_the_one_shown(self):
        self.write_model()
        run("picus draw rod.yaml --frames 12 --end 0.8 --out fall.svg", self.folder.name)
        with open(self.path("fall.svg")) as mine, open(
            os.path.join(os.path.dirname(TUTORIAL), "images", "tutorial-rod.svg")
        ) as shown:
            self.assertEqual(mine.read().count("<path"), shown.read().count("<path"))

    def test_mistakes_are_told_together(self):
        self.write_model()
        with open(self.path("rod.yaml")) as file:
            text = file.read()
        wrong = text.replace("y + side(i)*l*sin(phi)", "y + side(i)*l*sin(pih)").replace("mu: 0.3", "my: 0.3")
        self.assertEqual(sum(a != b for a, b in zip(text.split("\n"), wrong.split("\n"))), 2)
        with open(self.path("rod.yaml"), "w") as file:
            file.write(wrong)
        result = run("picus check rod.yaml", self.folder.name)
        self.assertEqual(result.returncode, 2)
        shown = [content for language, content in blocks(self.text) if language == "mistakes"][0]
        self.assertEqual(result.stderr, shown)

    def test_moving_floor_and_blow(self):
        self.write_model()
        with open(self.path("rod.yaml")) as file:
            text = file.read()
        changes = re.findall(r"^    (gap: .*|impulses: .*)$", self.text, re.M)
        moving = [c for c in changes if "sin(60*t)" in c][0]
        blow = [c for c in changes if c.startswith("impulses")][0]
        text = text.replace("gap: y_end(i)", moving) + "\n" + blow + "\n"
        with open(self.path("rod.yaml"), "w") as file:
            file.write(text)
        result = run("picus run rod.yaml", self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("drive", result.stdout)
        self.assertIn("work", result.stdout)
        self.assertIn("moving support", run("picus check rod.yaml", self.folder.name).stdout)


unittest.main(verbosity=2)
