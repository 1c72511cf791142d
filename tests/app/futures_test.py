"""All solutions, theory along a run and event-driven runs as a user meets them. Usage: futures_test.py PICUS"""

import json
import math
import os
import sys
import unittest

import h5py

sys.dont_write_bytecode = True
from picus_test import PicusTest, rows  # noqa: E402: it takes PICUS from the command line

# Stewart 2000, section 3.3.1: the end of the rod touches, slides, and its path bends upwards.
SEVERAL = ["painleve-rod", "--set", "omega=-6", "--set", "vx=-5", "--set", "vy=-2.683281572999748", "--end", "0.0005"]
CLUTCH = """
name: clutch
coordinates:
  x: {unit: m, velocity: v}
kinetic: v^2/2
potential: 0
elements:
  - {name: hold, law: one-way-clutch, velocity: v}
run: {dt: 1e-3, end: 1}
"""


BLOCK = """
name: block
coordinates:
  x: {unit: m, velocity: v_x}
  y: {unit: m, velocity: v_y}
kinetic: (v_x^2 + v_y^2)/2
potential: 9.81*y
forces: {x: 0.4*9.81}
contacts:
  - {gap: y, tangent: x, mu: 0.5, mu_inf: 0.3, v_s: 1e-5}
run: {dt: 1e-3, end: 0.003}
"""


class FuturesTest(PicusTest):
    def summary(self):
        with open(self.path("a", "summary.json")) as file:
            return json.load(file)


class Solutions(FuturesTest):
    def solutions(self, *arguments):
        result = self.picus("run", *SEVERAL, "--solutions", "all", "--out", "a", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("SEVERAL solutions", result.stdout)
        return [row for row in rows(self.path("a", "solutions.csv")) if float(row["t"]) < 1.5e-4]

    def test_the_rod_has_three(self):
        found = self.solutions()
        self.assertEqual([row["status"] for row in found], ["open", "stick", "slip"])
        self.assertEqual([row["contact"] for row in found], ["tip"] * 3)
        self.assertEqual([row["taken"] for row in found], ["yes", "no", "no"])
        # The jam is that of the impact of a sliding end that stops: Lambda = -G^-1 gamma.
        self.assertAlmostEqual(float(found[1]["Lambda_T"]) / float(found[1]["Lambda_N"]), 1.6 / 1.2, places=3)
        self.assertAlmostEqual(float(found[2]["Lambda_T"]) / float(found[2]["Lambda_N"]), 2, places=9)
        for row in found[1:]:
            self.assertAlmostEqual(float(row["gamma_N"]), 0, places=12)
        with h5py.File(self.path("a", "result.h5")) as file:
            self.assertEqual(list(file["solutions"]["taken"][:3]), [1, 0, 0])

    def test_friction_that_falls_with_the_speed(self):
        """A block may stick, or slide with one of two speeds, which have coefficients of their own."""
        with open(self.path("block.yaml"), "w") as file:
            file.write(BLOCK)
        for options in ([], ["--solutions", "all"]):
            result = self.picus("run", "block.yaml", "--out", "a", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("3 steps had SEVERAL solutions", result.stdout)
        found = [row for row in rows(self.path("a", "solutions.csv")) if float(row["t"]) < 1.5e-3]
        self.assertEqual([row["status"] for row in found], ["stick", "slip", "slip"])
        for row, speed in zip(found, (0, 7.0031153499919e-6, 9.81e-4)):
            self.assertAlmostEqual(float(row["gamma_T"]), speed, delta=1e-15)
        # Of two such contacts that is not decided, and the list may be incomplete.
        with open(self.path("two.yaml"), "w") as file:
            file.write(BLOCK.replace("run:", "  - {gap: y, tangent: x, mu: 0.5, mu_inf: 0.3, v_s: 1e-5}\nrun:"))
        result = self.picus("run", "two.yaml", "--out", "a", "--solutions", "all")
        self.assertIn("the only one possible in 0 of 3 contact steps; in the others that was not decided", result.stdout)
        self.assertIn("the list of solutions may be incomplete in 3 steps", result.stdout)

    def test_a_step_whose_friction_does_not_settle_takes_a_solution(self):
        """Painleve's rod with friction that falls with the speed: where sliding ends in a jam, the search for the
        coefficient leaps between both."""
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "models", "painleve-rod.yaml")) as file:
            model = file.read()
        falling = model.replace("mu: mu, eN: eN", "mu: mu, mu_inf: 1.2, v_s: 0.3, eN: eN")
        self.assertNotEqual(model, falling)
        with open(self.path("rod.yaml"), "w") as file:
            file.write(falling)
        result = self.picus("run", "rod.yaml", "--out", "a", "--end", "0.01")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(self.summary()["multiple_solution_steps"], 0)

    def test_the_rule_decides(self):
        taken = {}
        for rule in ["solver", "least-energy", "nearest"]:
            taken[rule] = [row["status"] for row in self.solutions("--choose", rule) if row["taken"] == "yes"][0]
        self.assertEqual(taken, {"solver": "open", "least-energy": "stick", "nearest": "open"})
        # The motion is that of the solution taken: the tip of the jammed rod is at rest.
        self.solutions("--choose", "least-energy")
        last = rows(self.path("a", "contacts.csv"))[0]
        self.assertEqual(last["status"], "stick")

    def test_a_unique_motion_is_the_same(self):
        for folder, more in (("a", []), ("b", ["--solutions", "all"])):
            result = self.picus("run", "woodpecker", "--end", "0.3", "--out", folder, *more)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(rows(self.path("b", "solutions.csv")), [])
        a, b = rows(self.path("a", "states.csv"))[-1], rows(self.path("b", "states.csv"))[-1]
        for name in a:
            self.assertAlmostEqual(float(a[name]), float(b[name]), places=9)

    def test_mistakes(self):
        self.refused("run", "woodpecker", "--solutions", "some", says=["--solutions is 'some'", "one, all"])
        self.refused("run", "woodpecker", "--choose", "nearest", says=["--choose is 'nearest'", "--solutions all"])
        self.refused("run", "woodpecker", "--solutions", "all", "--choose", "best", says=["best", "least-energy"])
        self.refused("run", "hopper", "--solutions", "all", says=["hopper", "up to 8 contacts"])
        self.refused("run", "woodpecker", "--solutions", "all", "--impact", "poisson", says=["poisson", "newton"])


class Theory(FuturesTest):
    def test_the_rod(self):
        result = self.picus("run", *SEVERAL, "--theory", "--method", "event-driven", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        first = rows(self.path("a", "theory.csv"))[0]
        self.assertEqual((first["contacts"], first["sliding"], first["solutions"]), ("1", "1", "2"))
        self.assertEqual((first["existence"], first["uniqueness"], first["erdmann"]), ("no", "no", "no"))
        self.assertAlmostEqual(float(first["mu_unique"]), 4 / 3, places=9)
        self.assertLess(float(first["mu_unique_simple"]), 0.3)
        summary = self.summary()
        self.assertGreater(summary["theory"]["several"], 0)
        self.assertEqual(summary["theory"]["first_several"], 0)

    def test_the_start_counts_with_every_method(self):
        for mu, solutions in (("2", "0"), ("1.2", "1")):
            result = self.picus("run", "painleve-rod", "--set", "mu=" + mu, "--end", "0.001", "--theory", "--out", "a")
            self.assertEqual(result.returncode, 0, result.stderr)
            first = rows(self.path("a", "theory.csv"))[0]
            self.assertEqual((float(first["t"]), first["solutions"]), (0, solutions))

    def test_the_woodpecker_is_sure(self):
        result = self.picus("run", "woodpecker", "--end", "0.3", "--every", "10", "--theory", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        theory = self.summary()["theory"]
        self.assertGreater(theory["states"], 100)
        self.assertEqual(theory["uniqueness"], theory["states"])
        self.assertIn("sure to exist", result.stdout)

    def test_mistakes(self):
        self.refused("run", "box-stack", "--theory", says=["box-stack", "contacts with formulas"])


class EventDriven(FuturesTest):
    def test_files(self):
        result = self.picus("run", "woodpecker", "--method", "event-driven", "--end", "0.2", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        events, states = rows(self.path("a", "events.csv")), rows(self.path("a", "event_states.csv"))
        self.assertEqual([(e["t"], e["contact"], e["kind"]) for e in events],
                         [(s["t"], s["contact"], s["kind"]) for s in states])
        self.assertEqual(list(states[0]), ["t", "contact", "kind", "y", "phi_M", "phi_S", "v", "omega_M", "omega_S"])
        self.assertEqual(len(rows(self.path("a", "states.csv"))), 2001)
        summary = self.summary()
        self.assertEqual(summary["smooth_tolerance"], 1e-12)
        self.assertIn("smooth pieces", summary["remarks"][0])
        self.assertLess(abs(summary["energy"]["remainder"]), 1e-11)
        # A later run with another method leaves no such file behind.
        self.picus("run", "woodpecker", "--end", "0.01", "--out", "a")
        self.assertFalse(os.path.exists(self.path("a", "event_states.csv")))

    def test_says_what_it_did(self):
        result = self.picus("run", "bouncing-ball", "--method", "event-driven", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("infinitely many bounces", result.stdout)
        self.assertIn("2.5586339", result.stdout)
        result = self.picus("run", "painleve-rod", "--method", "event-driven", "--end", "0.01", "--out", "a")
        self.assertIn("handed over to an impulse of 0.3 N s at contact tip", result.stdout)

    def test_a_short_force_acts_and_what_has_no_value_ends_the_run(self):
        model = "name: m\ncoordinates:\n  x: {velocity: {name: v, start: 1}}\nkinetic: v^2/2\n"
        pulse = "forces: {x: '1000*exp(-((t-0.5)/0.001)^2)'}\n"
        for name, rest in ("pulse", pulse), ("gap", "contacts:\n  - {gap: sqrt(0.3-x)}\n"):
            with open(self.path(name + ".yaml"), "w") as file:
                file.write(model + rest)
        run = ["--method", "event-driven", "--end", "1", "--dt", "0.1", "--out", "a"]
        result = self.picus("run", "pulse.yaml", *run)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertAlmostEqual(float(rows(self.path("a", "states.csv"))[-1]["v"]), 1 + math.sqrt(math.pi), delta=1e-10)
        self.assertIn("made again", result.stdout)
        result = self.picus("run", "gap.yaml", *run)
        self.assertEqual(result.returncode, 1)
        self.assertIn("at t = 0.3 s the gap of contact 1 is not a number", result.stderr)
        self.assertEqual(float(rows(self.path("a", "states.csv"))[-1]["t"]), 0.2)

    def test_mistakes(self):
        run = ["run", "woodpecker", "--method", "event-driven"]
        self.refused(*run, "--smooth-tolerance", "0", says=["--smooth-tolerance is '0'", "1e-14 to 1e-3"])
        self.refused("run", "woodpecker", "--smooth-tolerance", "1e-9", says=["moreau-midpoint", "with event-driven"])
        self.refused(*run, "--project-drift", says=["event-driven"])
        self.refused(*run, "--solutions", "all", says=["event-driven", "moreau-midpoint"])
        self.refused("run", "hopper", "--method", "event-driven", says=["hopper", "contacts with formulas"])
        with open(self.path("clutch.yaml"), "w") as file:
            file.write(CLUTCH)
        self.refused("run", "clutch.yaml", "--method", "event-driven", says=["hold", "dry-friction"])


if __name__ == "__main__":
    unittest.main()
