"""The program computes what it computed when the recordings were made. README.md tells what to do if it does not.
Usage: recordings_test.py PICUS MODELS [PART OF]: the part-th of so many parts of the catalogue; or the names of models"""

import glob
import json
import os
import sys
import tempfile
import unittest

import recordings
from recordings import Picus, Recorded

HERE = os.path.dirname(os.path.abspath(__file__))
PICUS, MODELS, *CHOSEN = sys.argv[1:]
FILES = ("states.csv", "energy.csv", "contacts.csv", "events.csv", "reactions.csv")
MOST_LINES = 12  # of one variant


def chosen(names):
    if len(CHOSEN) == 2 and all(word.isdigit() for word in CHOSEN):
        part, parts = map(int, CHOSEN)
        return names[part - 1::parts]
    return CHOSEN or names


def contents(folder):
    found = {}
    for name in FILES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="picus-recordings-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.picus = Picus(PICUS, cls.folder.name)
        cls.known = recordings.catalogue(cls.picus, os.path.abspath(MODELS))

    def read(self, name):
        with open(os.path.join(HERE, name + ".json")) as file:
            return json.load(file)

    def test_the_whole_catalogue_is_recorded(self):
        recorded = {os.path.basename(path)[:-len(".json")] for path in glob.glob(os.path.join(HERE, "*.json"))}
        self.assertEqual(recorded, set(self.known), "tests/recordings/record.py --only MODEL records a new one")

    def test_motions_are_the_recorded_ones(self):
        for name in chosen(sorted(self.known)):
            recording = self.read(name)
            for entry in recording["recorded"]:
                for options, bounds in {entry["options"]: entry["bounds"], **entry["also"]}.items():
                    with self.subTest(model=name, variant=options or "as the model says"):
                        self.compare(name, recording["columns"], {**entry, "bounds": bounds}, options)

    def compare(self, name, columns, entry, options):
        seen = self.picus.run(self.known[name], options, *entry["run"].split())
        self.assertIsNotNone(seen, "was run, is refused")
        moved = list(recordings.differences(Recorded(entry, columns), seen, recordings.tolerance(options, entry)))
        lines = [f"  {what}{'' if t is None else f', t = {t:g}'}: was {was}, is {now}" + (f" (tolerance {tolerance:.1e})" if tolerance else "")
                 for what, t, was, now, tolerance in moved[:MOST_LINES]]
        if len(moved) > MOST_LINES:
            lines.append(f"  and {len(moved) - MOST_LINES} more")
        if moved:
            self.fail("\n".join([f"picus run {name} {options} {entry['run']}"] + lines))

    def test_what_was_refused_is_refused(self):
        for name in chosen(sorted(self.known)):
            for options in self.read(name)["refused"]:
                with self.subTest(model=name, variant=options):
                    self.assertIsNone(self.picus.run(self.known[name], options, *self.read(name)["short"].split()), "was refused, is run")

    def test_the_same_run_has_the_same_bits_in_any_folder(self):
        for name in chosen(sorted(self.known)):
            entry = self.read(name)["recorded"][0]
            found = []
            for folder in ("one", os.path.join("an", "other")):
                self.picus.run(self.known[name], entry["options"], *entry["run"].split()[:2], folder=folder)
                found.append(contents(os.path.join(self.folder.name, folder)))
            with self.subTest(model=name):
                self.assertTrue(found[0])
                self.assertEqual(found[0] == found[1], True)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
