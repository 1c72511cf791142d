"""picus run --plot: pictures that open and follow the data, and what is said about mistakes. Usage: plot_test.py PICUS"""

import csv
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import matplotlib.image
import numpy as np

PICUS = os.path.abspath(sys.argv.pop(1))
BLUE, BLACK = "rgb(0%,44.7%,69.8%)", "rgb(0%,0%,0%)"


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def numbers(path, *names):
    table = columns(path)
    return [np.array([float(v) for v in table[name]]) for name in names]


def strokes(path, colour):
    """All lines of that colour: for each path its pieces, as lists of points."""
    paths = []
    for element in xml.parse(path).iter("{http://www.w3.org/2000/svg}path"):
        style = element.get("style")
        if f"stroke:{colour}" not in style:
            continue
        width = float(re.search(r"stroke-width:([\d.]+)", style).group(1))
        pieces = []
        for piece in element.get("d").replace("Z", "").split("M")[1:]:
            pieces.append(np.array([[float(v) for v in point.split()] for point in piece.split("L")]))
        paths.append((width, pieces))
    return paths


def frames(path):
    """Frames of the panels: left, top, right, bottom; and the curve that lies most in each."""
    found = []
    for width, pieces in strokes(path, BLACK):
        first = pieces[0]
        if abs(width - 0.6) < 1e-9 and len(first) >= 5:
            found.append((first[:, 0].min(), first[:, 1].min(), first[:, 0].max(), first[:, 1].max()))
    return found


def range_of(values):
    """The range of an axis, as the program chooses it: a twentieth more on both sides."""
    low, high = min(values), max(values)
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def distances(points, line):
    """Of points from a line through other points."""
    a, b = line[:-1], line[1:]
    along = b - a
    length = np.maximum((along**2).sum(axis=1), 1e-30)
    share = [np.clip(((p - a) * along).sum(axis=1) / length, 0, 1) for p in points]
    return np.array([np.hypot(*(a + s[:, None] * along - p).T).min() for p, s in zip(points, share)])


class PlotTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="picus-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def picus(self, *arguments):
        return subprocess.run([PICUS, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=50)

    def run_with(self, model, *arguments):
        result = self.picus("run", model, "--out", "a", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def curve(self, file, frame, width=1.0):
        """Points of the blue line in a frame, samples of legends left out."""
        left, top, right, bottom = frame
        pieces = [p for w, pieces in strokes(file, BLUE) if abs(w - width) < 1e-9 for p in pieces]
        return [p for p in pieces if top - 1 <= p[:, 1].min() and p[:, 1].max() <= bottom + 1]

    def data_of(self, points, frame, x_range, y_range):
        left, top, right, bottom = frame
        x = x_range[0] + (points[:, 0] - left) / (right - left) * (x_range[1] - x_range[0])
        y = y_range[0] + (bottom - points[:, 1]) / (bottom - top) * (y_range[1] - y_range[0])
        return x, y


    def page_of(self, x, y, frame, x_range, y_range):
        left, top, right, bottom = frame
        return np.column_stack([left + (x - x_range[0]) / (x_range[1] - x_range[0]) * (right - left),
                                bottom - (y - y_range[0]) / (y_range[1] - y_range[0]) * (bottom - top)])


class Plot(PlotTest):
    def test_all_formats_open_and_have_ink(self):
        result = self.run_with("woodpecker", "--end", "0.3", "--plot", "p.svg", "--plot", "p.png", "--plot", "p.pdf")
        self.assertIn("figures      p.svg, p.png, p.pdf", result.stdout)
        self.assertEqual(xml.parse(self.path("p.svg")).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(len(frames(self.path("p.svg"))), 4)  # m, rad, m/s, rad/s
        picture = matplotlib.image.imread(self.path("p.png"))
        self.assertEqual(picture.shape[1], 2000)
        np.testing.assert_array_equal(picture[0, 0, :3], 1)
        ink = (picture[:, :, :3].min(axis=2) < 0.9).mean()
        self.assertGreater(ink, 0.005)
        self.assertLess(ink, 0.2)
        blue = np.abs(picture[:, :, :3] - [0, 0.447, 0.698]).max(axis=2) < 0.01
        self.assertGreater(blue.sum(), 2000)
        with open(self.path("p.png"), "rb") as file:
            self.assertIn(b"pHYs", file.read(100))
        with open(self.path("p.pdf"), "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")

    def test_curve_follows_the_data(self):
        self.run_with("woodpecker", "--end", "0.5", "--plot", "p.svg:y,phi_S")
        t, y, phi = numbers(self.path("a", "states.csv"), "t", "y", "phi_S")
        for frame, values in zip(frames(self.path("p.svg")), (y, phi)):
            curve, = self.curve(self.path("p.svg"), frame)
            self.assertGreater(len(curve), 30)
            page = self.page_of(t, values, frame, (t[0], t[-1]), range_of(values))
            # In points of the page, of which numbers of the file are multiples of 1/256. What the curve shows is data; what
            # it leaves out lies within a column, 0.24, but extremes stay.
            self.assertLess(distances(curve, page).max(), 0.01)
            self.assertLess(distances(page, curve).max(), 0.24)
            self.assertAlmostEqual(curve[:, 1].max(), page[:, 1].max(), delta=0.03)
            self.assertAlmostEqual(curve[:, 1].min(), page[:, 1].min(), delta=0.03)

    def test_phase_portrait_follows_the_data(self):
        self.run_with("woodpecker", "--end", "0.2", "--plot", "p.svg:omega_S@phi_S")
        phi, omega = numbers(self.path("a", "states.csv"), "phi_S", "omega_S")
        frame, = frames(self.path("p.svg"))
        curve, = self.curve(self.path("p.svg"), frame, 0.6)
        x, y = self.data_of(curve, frame, range_of(phi), range_of(omega))
        scaled = np.column_stack([phi / np.ptp(phi), omega / np.ptp(omega)])
        for point in np.column_stack([x / np.ptp(phi), y / np.ptp(omega)])[::5]:
            self.assertLess(np.abs(scaled - point).max(axis=1).min(), 1e-4)
        self.assertAlmostEqual(x[0], phi[0], delta=1e-4)
        self.assertAlmostEqual(y[-1], omega[-1], delta=1e-2)
        self.assertAlmostEqual(y.max(), omega.max(), delta=1e-2)

    def test_contacts_are_interrupted_and_impulses_stand_on_stems(self):
        self.run_with("woodpecker", "--plot", "p.svg:Lambda_N.1", "--plot", "q.svg:Lambda_N.2")
        table = columns(self.path("a", "contacts.csv"))
        impulses = sorted({float(t) for c, t, v in zip(table["contact"], table["t"], table["Lambda_N"])
                           if c == "1" and float(v) > 1e-4})
        frame, = frames(self.path("p.svg"))
        stems = [p for p in self.curve(self.path("p.svg"), frame, 0.6) if len(p) == 2 and abs(np.ptp(p[:, 1])) > 20]
        x, _ = self.data_of(np.array([p[0] for p in stems]), frame, (0, 2), (0, 1))
        self.assertEqual(len(stems), len(impulses))
        np.testing.assert_allclose(x, impulses, atol=1e-4)
        frame, = frames(self.path("q.svg"))
        pieces = self.curve(self.path("q.svg"), frame)
        self.assertGreater(len(pieces), 10)
        rows = sorted({round(float(t) / 1e-4) for c, t in zip(table["contact"], table["t"]) if c == "2"})
        for piece in pieces:
            x, _ = self.data_of(piece[[0, -1]], frame, (0, 2), (0, 1))
            first, last = round(x[0] / 1e-4), round(x[1] / 1e-4)
            inside = [r for r in rows if first <= r <= last]
            self.assertGreaterEqual(len(inside), last - first - 1)

    def test_files_of_the_run_are_the_same_and_pictures_repeat(self):
        self.picus("run", "slider-crank", "--out", "b", "--end", "0.02")
        arguments = ("--end", "0.02", "--plot", "{0}.svg", "--plot", "{0}.pdf:gap,Lambda_N", "--plot", "{0}.png:energy")
        self.run_with("slider-crank", *(x.format(1) for x in arguments))
        with open(self.path("a", "states.csv")) as one, open(self.path("b", "states.csv")) as other:
            self.assertEqual(one.read(), other.read())
        self.run_with("slider-crank", *(x.format(2) for x in arguments))
        # The order of figures makes no difference.
        self.run_with("slider-crank", "--end", "0.02", "--plot", "x.png", "--plot", "3.pdf:gap,Lambda_N", "--plot", "3.svg")
        for name in ("svg", "pdf", "png"):
            with open(self.path("1." + name), "rb") as one, open(self.path("2." + name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)
        for name in ("svg", "pdf"):
            with open(self.path("1." + name), "rb") as one, open(self.path("3." + name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)

    def test_in_the_folder_of_the_run_and_quietly(self):
        result = self.run_with("bowling-ball", "--quiet", "--plot", "a/p.svg", "--plot", "a/q.png:gamma_Tr,residual")
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertTrue(os.path.getsize(self.path("a", "p.svg")) > 1000)
        self.assertTrue(os.path.getsize(self.path("a", "q.png")) > 1000)
        result = self.run_with("bowling-ball", "--json", "--plot", "a/p.svg")
        self.assertNotIn("figures", result.stdout)

    def test_a_contact_that_never_came_up_is_an_empty_panel(self):
        result = self.run_with("box-stack", "--end", "0.1", "--plot", "p.svg:gap.floor/box_2:c1,Lambda_N.floor/box_1:c1")
        self.assertIn("gap.floor/box_2:c1, that contact was never active", result.stderr)
        self.assertEqual(len(frames(self.path("p.svg"))), 2)

    def test_event_driven_and_thinned_rows(self):
        self.run_with("bouncing-ball", "--method", "event-driven", "--every", "7", "--plot", "p.svg")
        self.assertGreaterEqual(len(frames(self.path("p.svg"))), 2)


class PlotMistakes(PlotTest):
    def refused(self, *arguments, code=2, says=""):
        before = sorted(os.listdir(self.folder))
        result = self.picus("run", "woodpecker", "--end", "0.1", *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr.splitlines()[0])
        self.assertEqual(sorted(os.listdir(self.folder)), before)  # nothing was run

    def test_mistakes_are_told_before_the_run(self):
        self.refused("--plot", "p.jpg", says="accepted: a file that ends in .svg, .png or .pdf")
        self.refused("--plot", "p.svg:omgea_S", says="unknown quantity 'omgea_S'; did you mean 'omega_S'?")
        self.refused("--plot", "p.svg:omega_S:phi_S", says="did you mean 'omega_S@phi_S'?")
        self.refused("--plot", "p.svg:gap.7", says="unknown contact '7'")
        self.refused("--plot", "p.svg", "--plot", "./p.svg", says="given twice")
        self.refused("--plot", "nowhere/p.svg", says="there is no folder 'nowhere'")
        self.refused("--plot", "good.svg", "--plot", "p.svg:nothing", says="unknown quantity 'nothing'")
        self.refused("--plot", says="option '--plot'")

    def test_what_cannot_be_written(self):
        os.mkdir(self.path("p.svg"))
        self.refused("--plot", "p.svg", says="that is a folder")
        os.symlink("/dev/full", self.path("full.png"))
        result = self.picus("run", "woodpecker", "--end", "0.1", "--out", "a", "--plot", "full.png", "--plot", "q.svg")
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot write 'full.png'", result.stderr)
        self.assertIn("certified", result.stdout)  # all else is there
        self.assertTrue(os.path.exists(self.path("a", "summary.json")))
        xml.parse(self.path("q.svg"))

    def test_folder_without_permission(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        os.mkdir(self.path("closed"))
        os.chmod(self.path("closed"), stat.S_IRUSR | stat.S_IXUSR)
        self.refused("--plot", "closed/p.svg", code=3, says="cannot write 'closed/p.svg'")

    def test_help_tells_it(self):
        result = self.picus("run", "--help")
        self.assertIn("--plot FILE[:Y,...[@X]]", result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
