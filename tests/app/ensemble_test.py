"""picus ensemble as a user meets it: report, files, exit codes, mistakes. Usage: ensemble_test.py PICUS"""

import filecmp
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from picus_test import PICUS, PicusTest, rows  # noqa: E402: it takes PICUS from the command line

TABLES = ["disturbances.csv", "futures.csv", "runs.csv", "spread.csv"]
# A point over the ridge of a roof: it leaves to the side on which it touches.
RIDGE = """
name: ridge
parameters:
  m: {value: 2, unit: kg, range: positive}
  g: {value: 9.81, unit: m/s^2}
coordinates:
  x: {unit: m, velocity: vx}
  y: {unit: m, start: 1, velocity: vy}
kinetic: m/2*(vx^2 + vy^2)
potential: m*g*y
contacts:
  - {gap: y + abs(x), tangent: x, mu: 0, eN: 0.5}
run: {dt: 1e-3, end: 0.9}
"""
# To the right x grows without end in finite time.
CLIFF = """
name: cliff
coordinates:
  x: {unit: m, velocity: v}
kinetic: v^2/2
potential: -25/2*x^2 - x^3/3
run: {dt: 1e-3, end: 6}
"""


class EnsembleTest(PicusTest):
    def setUp(self):
        super().setUp()
        for name, text in (("ridge.yaml", RIDGE), ("cliff.yaml", CLIFF)):
            with open(self.path(name), "w") as file:
                file.write(text)

    def ensemble(self, *arguments):
        """A successful run; what ensemble.json says."""
        result = self.picus("ensemble", *arguments, "--json", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)


class Ensemble(EnsembleTest):
    def test_a_regular_motion(self):
        result = self.picus("ensemble", "woodpecker", "--end", "0.5", "--runs", "30")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ["30 runs with disturbances of 1e-09, seed 1", "one: all runs stay together", "all 30 runs follow it",
                     "to the end at this time step: no two disturbed runs are ever apart", "all 31 runs certified", "picus-ensemble-woodpecker/"]:
            self.assertIn(text, result.stdout)
        self.assertIn("starts with an overlap of 8.8e-07 m", result.stderr)
        self.assertNotIn("\r", result.stderr)  # no progress bar in a pipe
        self.assertEqual(sorted(os.listdir(self.path("picus-ensemble-woodpecker"))),
                         sorted(TABLES + ["ensemble.json", "future-1", "report.html"]))

    def test_the_slider_crank_leaves_its_symmetric_motion(self):
        result = self.picus("ensemble", "slider-crank", "--runs", "30", "--perturb", "1e-6", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"futures +\d+ distinct futures \(apart: 1 % of a coordinate's scale\)")
        self.assertRegex(result.stdout, r"the motion as given is one of several: none of 30 disturbed runs follows it "
                                        r"beyond t = 0\.0\d+ s")
        self.assertRegex(result.stdout, r"predictable +up to t = 0\.0\d+ s")

    def test_two_futures_of_a_point_on_a_ridge(self):
        result = self.picus("ensemble", "ridge.yaml", "--runs", "60", "--seed", "4", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 distinct futures", result.stdout)
        futures = rows(self.path("a", "futures.csv"))
        self.assertEqual(sum(int(f["runs"]) for f in futures), 60)
        self.assertAlmostEqual(sum(float(f["share"]) for f in futures), 1)
        for f in futures:
            self.assertGreater(float(f["share"]), 0.25)
            self.assertAlmostEqual(float(f["parts_from_undisturbed"]), (2 / 9.81)**0.5, delta=0.01)
        self.assertEqual(futures[0]["parts_from_first"], "")

    def test_options_of_a_run_decide_about_the_motion(self):
        seen = self.ensemble("ridge.yaml", "--runs", "3", "--set", "x=0.1", "--method", "moreau-jean", "--theta", "0.7", "--dt",
                             "2e-3", "--end", "0.6", "--apart", "0.05", "--tolerance", "1e-7", "--solver", "lemke", "--every", "10",
                             "--active-gap", "1e-10")
        self.assertEqual((seen["method"], seen["theta"], seen["dt"], seen["end"], seen["solver"]),
                         ("moreau-jean", 0.7, 0.002, 0.6, "lemke"))
        self.assertEqual((seen["apart"], seen["tolerance"], seen["active_gap"]), (0.05, 1e-7, 1e-10))
        self.assertEqual(seen["parameters"]["x"], 0.1)
        self.assertEqual(seen["distinct_futures"], 1)  # all touch on the right
        self.assertGreater(seen["undisturbed"]["end_state"]["x"], 0.1)
        self.assertEqual(len(rows(self.path("a", "future-1", "states.csv"))), 31)

    def test_runs_that_end_early(self):
        result = self.picus("ensemble", "cliff.yaml", "--runs", "20", "--apart", "0.4", "--out", "a")
        self.assertEqual(result.returncode, 1)
        failed = [run for run in rows(self.path("a", "runs.csv")) if run["status"] == "failed"]
        self.assertTrue(3 < len(failed) < 17)
        self.assertTrue(result.stderr.splitlines()[0].startswith(f"picus: {len(failed)} of 21 runs failed; run "))
        self.assertRegex(result.stdout, r"ends at t = [345]\.\d+ s: failed")
        with open(self.path("a", "ensemble.json")) as file:
            seen = json.load(file)
        self.assertEqual((seen["status"], seen["runs_ended_early"]), ("failed", len(failed)))
        self.assertTrue(any("diverged" in f.get("message", "") or "t = " in f.get("message", "") for f in seen["futures"]))

    def test_warnings_of_runs(self):
        with open(self.path("drag.yaml"), "w") as file:
            file.write("name: drag\ncoordinates:\n  x: {velocity: u}\nkinetic: u^2/2\n"
                       "forces: {x: 'if(abs(t - 0.5) < 0.02, -3000*u, 0)'}\nrun: {dt: 1e-3, end: 1}\n")
        arguments = ("ensemble", "drag.yaml", "--set", "u=1", "--runs", "4", "--no-report")
        result = self.picus(*arguments)
        self.assertEqual(result.returncode, 0)
        self.assertIn("picus: warning: in all runs: the force on u changes fast with u", result.stderr)
        self.assertEqual(self.picus(*arguments, "--strict").returncode, 1)

    def test_quiet(self):
        result = self.picus("ensemble", "ridge.yaml", "--runs", "2", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertTrue(os.path.exists(self.path("picus-ensemble-ridge", "ensemble.json")))

    def test_interrupted(self):
        process = subprocess.Popen([PICUS, "ensemble", "woodpecker", "--runs", "10000", "--out", "a"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(errors.splitlines()[0], r"picus: interrupted; \d+ of 10001 runs were made")
        with open(self.path("a", "ensemble.json")) as file:
            seen = json.load(file)
        self.assertEqual(seen["status"], "interrupted")
        self.assertEqual(seen["runs_made"] + 1, len(rows(self.path("a", "runs.csv"))))
        self.assertGreater(seen["runs_made"], 2)


class EnsembleFiles(EnsembleTest):
    def test_json_is_the_file_and_nothing_else(self):
        seen = self.ensemble("ridge.yaml", "--runs", "8")
        with open(self.path("a", "ensemble.json")) as file:
            self.assertEqual(json.load(file), seen)
        for key in ("model status message runs perturb seed apart parameters method impact solver dt end runs_made distinct_futures "
                    "nearly_all_differ predictable_until undisturbed futures futures_by_apart spread scales version").split():
            self.assertIn(key, seen)
        self.assertEqual(len(seen["futures"]), seen["distinct_futures"])
        self.assertEqual(seen["futures_by_apart"][0], {"apart": 0.01, "futures": seen["distinct_futures"]})

    def test_tables_agree_with_each_other(self):
        seen = self.ensemble("ridge.yaml", "--runs", "12", "--perturb", "1e-6")
        runs, futures = rows(self.path("a", "runs.csv")), rows(self.path("a", "futures.csv"))
        self.assertEqual([int(run["run"]) for run in runs], list(range(13)))
        self.assertEqual(list(runs[0])[:5], ["run", "future", "status", "parts_at", "t"])
        self.assertEqual(list(runs[0])[5:], ["x", "y", "vx", "vy"])
        self.assertEqual(runs[0]["future"], "0")
        for f in futures:
            members = [run["run"] for run in runs if run["future"] == f["future"]]
            self.assertEqual(len(members), int(f["runs"]))
            self.assertEqual(members[0], f["representative"])
        spread = rows(self.path("a", "spread.csv"))
        self.assertEqual(list(spread[0]), ["t", "largest_distance", "from_undisturbed", "futures", "running"])
        self.assertEqual(int(spread[-1]["futures"]), seen["distinct_futures"])
        self.assertEqual(float(spread[-1]["t"]), 0.9)
        started = rows(self.path("a", "disturbances.csv"))
        self.assertEqual(list(started[0]), ["run", "m", "g", "eN1", "x", "y", "vx", "vy"])
        self.assertEqual(float(started[0]["m"]), 2)
        for run in started[1:]:
            self.assertLessEqual(abs(float(run["m"]) - 2), 2e-6)
            self.assertNotEqual(float(run["m"]), 2)

    def test_a_representative_has_the_files_of_its_run(self):
        self.ensemble("ridge.yaml", "--runs", "6")
        runs, started = rows(self.path("a", "runs.csv")), rows(self.path("a", "disturbances.csv"))
        for f in rows(self.path("a", "futures.csv")):
            folder, run = self.path("a", "future-" + f["future"]), int(f["representative"])
            self.assertEqual(sorted(os.listdir(folder)),
                             ["contacts.csv", "energy.csv", "events.csv", "report.html", "result.h5", "states.csv", "summary.json"])
            last = rows(os.path.join(folder, "states.csv"))[-1]
            self.assertEqual([last[k] for k in ("x", "y", "vx", "vy")], [runs[run][k] for k in ("x", "y", "vx", "vy")])
            with open(os.path.join(folder, "summary.json")) as file:
                parameters = json.load(file)["parameters"]
            self.assertEqual({k: float(v) for k, v in started[run].items() if k != "run"},
                             {k: parameters[k] for k in started[run] if k != "run"})

    def test_the_number_of_threads_changes_no_byte(self):
        for threads in ("1", "2", "5"):
            result = self.picus("ensemble", "slider-crank", "--runs", "12", "--perturb", "1e-6", "--end", "0.03", "--threads", threads,
                                "--out", threads)
            self.assertEqual(result.returncode, 0, result.stderr)
        futures = len(rows(self.path("1", "futures.csv")))
        self.assertGreater(futures, 1)
        files = TABLES + ["ensemble.json"]
        for i in range(1, futures + 1):
            files += [f"future-{i}/{name}.csv" for name in ("states", "contacts", "events", "energy")]
        for threads in ("2", "5"):
            same, _, _ = filecmp.cmpfiles(self.path("1"), self.path(threads), files, shallow=False)
            self.assertEqual(sorted(same), sorted(files))

    def test_another_seed_gives_other_runs(self):
        first = self.ensemble("ridge.yaml", "--runs", "4", "--seed", "1")
        self.assertEqual(self.ensemble("ridge.yaml", "--runs", "4", "--seed", "1"), first)
        self.assertNotEqual(self.ensemble("ridge.yaml", "--runs", "4", "--seed", "18446744073709551615")["spread"], first["spread"])

    def test_files_of_an_earlier_ensemble_are_replaced(self):
        self.ensemble("ridge.yaml", "--runs", "12")
        self.assertTrue(os.path.isdir(self.path("a", "future-2")))
        with open(self.path("a", "future-1", "notes.txt"), "w") as file:
            file.write("mine")
        os.makedirs(self.path("a", "future-9"))
        self.ensemble("ridge.yaml", "--runs", "3", "--set", "x=0.1")
        self.assertEqual(sorted(os.listdir(self.path("a"))), sorted(TABLES + ["ensemble.json", "future-1", "report.html"]))
        self.assertIn("notes.txt", os.listdir(self.path("a", "future-1")))
        self.assertEqual(len(rows(self.path("a", "runs.csv"))), 4)

    def test_no_more_than_twelve_representatives(self):
        seen = self.ensemble("slider-crank", "--runs", "60", "--perturb", "1e-5", "--end", "0.04", "--apart", "1e-3", "--every", "100")
        self.assertGreater(seen["distinct_futures"], 12)
        folders = [name for name in os.listdir(self.path("a")) if name.startswith("future-")]
        self.assertEqual(len(folders), 12)


class EnsembleMistakes(EnsembleTest):
    def refused(self, *arguments, **expected):
        super().refused("ensemble", *arguments, **expected)

    def test_numbers(self):
        for runs in ("0", "-1", "1.5", "many", "10001", ""):
            self.refused("ridge.yaml", "--runs", runs, says=[f"--runs is '{runs}'", "a whole number from 1 to 10000"])
        for seed in ("x", "-1", "1.5", "18446744073709551616"):
            self.refused("ridge.yaml", "--seed", seed, says=[f"--seed is '{seed}'", "a whole number from 0"])
        for threads in ("0", "two", "2000"):
            self.refused("ridge.yaml", "--threads", threads, says=[f"--threads is '{threads}'", "from 1 to 1024"])
        self.refused("ridge.yaml", "--perturb", "-1e-9", says=["perturb is -1e-09", "accepted"])
        self.refused("ridge.yaml", "--perturb", "1", says=["perturb is 1", "below 1"])
        self.refused("ridge.yaml", "--perturb", "little", says=["--perturb is 'little'", "a number"])
        self.refused("ridge.yaml", "--apart", "0", says=["apart is 0", "greater than 0"])
        self.refused("ridge.yaml", "--apart", "1", says=["apart is 1", "less than 1"])
        self.refused("ridge.yaml", "--dt", "0", says=["dt", "accepted"])

    def test_names(self):
        self.refused("woodpeker", says=["'woodpeker'", "did you mean 'woodpecker'"])
        self.refused("ridge.yaml", "--set", "mm=1", says=["'mm'", "did you mean"])
        self.refused("ridge.yaml", "--impact", "newten", says=["'newten'", "did you mean 'newton'"])
        self.refused("ridge.yaml", "--run", "3", says=["'--run'", "did you mean '--runs'"])
        self.refused(says=["MODEL"])
        self.refused("woodpecker", "--impact", "poisson", "--set", "eT1=0.5", says=["eT of contact", "is 0.5"])

    def test_folders(self):
        with open(self.path("occupied"), "w") as file:
            file.write("kept")
        self.refused("ridge.yaml", "--out", "occupied", code=3, says=["'occupied'"])
        self.refused("ridge.yaml", "--out", "/proc/picus", code=3, says=["/proc/picus"])
        os.makedirs(self.path("b", "runs.csv"))
        self.refused("ridge.yaml", "--out", "b", code=3, says=["runs.csv", "not a file"])

    def test_bad_input_keeps_earlier_results(self):
        self.ensemble("ridge.yaml", "--runs", "2")
        with open(self.path("a", "runs.csv"), "rb") as file:
            before = file.read()
        self.refused("ridge.yaml", "--out", "a", "--runs", "0")
        with open(self.path("a", "runs.csv"), "rb") as file:
            self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
