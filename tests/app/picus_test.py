"""The picus command as a user meets it: output, files, exit codes, errors. Usage: picus_test.py PICUS"""

import csv
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

PICUS = os.path.abspath(sys.argv.pop(1))
FILES = ["contacts.csv", "energy.csv", "events.csv", "report.html", "result.h5", "states.csv", "summary.json"]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class PicusTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="picus-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def picus(self, *arguments, **options):
        return subprocess.run([PICUS, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=50, **options)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def refused(self, *arguments, code=2, says=()):
        """Bad input: the exit code, one line first that says all of `says`, nothing on stdout, no files."""
        before = sorted(os.listdir(self.folder))
        result = self.picus(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        line = result.stderr.splitlines()[0]
        for text in says:
            self.assertIn(text, line)
        self.assertEqual(sorted(os.listdir(self.folder)), before)


class Run(PicusTest):
    def test_default_run_writes_everything_and_says_so(self):
        result = self.picus("run", "woodpecker")
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in ["pecks", "period", "descent", "all 20000 steps certified", "energy", "ns a step", "picus-woodpecker"]:
            self.assertIn(text, result.stdout)
        self.assertIn("starts with an overlap of 8.8e-07 m", result.stderr)
        self.assertNotIn("\r", result.stderr)  # no progress bar in a pipe
        self.assertEqual(sorted(os.listdir(self.path("picus-woodpecker"))), FILES)

    def test_columns_and_rows(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.5")
        headers = {
            "states.csv": "t,y,phi_M,phi_S,v,omega_M,omega_S",
            "contacts.csv": "t,contact,gap,gamma_N,gamma_T,Lambda_N,Lambda_T,status",
            "events.csv": "t,contact,kind,Lambda_N",
            "energy.csv": "t,kinetic,potential,work,drive,impact,friction,projection,remainder",
        }
        for name, header in headers.items():
            with open(self.path("a", name)) as file:
                self.assertEqual(file.readline().strip(), header)
        states = rows(self.path("a", "states.csv"))
        self.assertEqual(len(states), 5001)
        self.assertEqual([float(states[0][k]) for k in ("t", "y", "phi_M", "phi_S", "v", "omega_M", "omega_S")],
                         [0, 0, -0.1036, -0.2788, -0.3411, 0, -7.4583])
        self.assertTrue(all(float(row["t"]) == k * 1e-4 for k, row in enumerate(states)))
        self.assertEqual({row["status"] for row in rows(self.path("a", "contacts.csv"))}, {"open", "stick", "slip"})
        self.assertTrue({row["kind"] for row in rows(self.path("a", "events.csv"))} <=
                        {"impact", "touch", "lift-off", "stick", "slip"})

    def test_contact_laws_hold_in_the_files(self):
        """The laws (12) once more, from what a user reads: 0.3 friction, restitution zero at the sleeve."""
        self.picus("run", "woodpecker", "--out", "a", "--end", "1")
        for row in rows(self.path("a", "contacts.csv")):
            normal, tangential = float(row["Lambda_N"]), float(row["Lambda_T"])
            slide = float(row["gamma_T"])
            self.assertGreaterEqual(normal, 0)
            self.assertLessEqual(abs(tangential), 0.3 * normal * (1 + 1e-12))
            if row["status"] == "open":
                self.assertEqual(normal, 0)
            elif row["status"] == "stick":
                self.assertLess(abs(slide), 1e-12)
            else:
                self.assertAlmostEqual(tangential, -0.3 * normal * np.sign(slide), delta=1e-12 * normal)
            if row["contact"] != "1":
                self.assertGreaterEqual(float(row["gamma_N"]), -1e-13)

    def test_energy_ledger_is_closed(self):
        self.picus("run", "woodpecker", "--out", "a")
        energy = rows(self.path("a", "energy.csv"))
        start = float(energy[0]["kinetic"]) + float(energy[0]["potential"])
        for row in energy[::500]:
            value = {k: float(v) for k, v in row.items()}
            booked = sum(value[k] for k in ("work", "drive", "impact", "friction", "projection", "remainder"))
            self.assertAlmostEqual(value["kinetic"] + value["potential"] - start, booked, delta=1e-15)
        self.assertLess(abs(float(energy[-1]["remainder"])), 1e-8)

    def test_json_is_the_summary_file_and_nothing_else(self):
        result = self.picus("run", "woodpecker", "--json", "--out", "a", "--end", "0.2")
        printed = json.loads(result.stdout)
        with open(self.path("a", "summary.json")) as file:
            self.assertEqual(json.load(file), printed)
        for key in ("model parameters method impact solver dt end steps wall_s ns_per_step worst_residual certified_steps "
                    "worst_penetration multiple_solution_steps energy end_state version").split():
            self.assertIn(key, printed)
        self.assertEqual(printed["steps"], 2000)
        self.assertEqual(printed["certified_steps"], 2000)
        self.assertLess(printed["worst_residual"], 1e-12)
        self.assertEqual(printed["multiple_solution_steps"], 0)
        self.assertEqual(printed["parameters"]["h_M"], 0.0058)

    def test_result_h5_holds_the_same_numbers(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.3", "--set", "mu=0.25")
        with h5py.File(self.path("a", "result.h5")) as file:
            for name in ("states", "contacts", "events", "energy"):
                table, text = file[name][:], rows(self.path("a", name + ".csv"))
                self.assertEqual(len(table), len(text))
                for column in table.dtype.names:
                    if column not in ("status", "kind"):
                        np.testing.assert_array_equal(table[column], [float(row[column]) for row in text])
            status = list(file["contacts"].attrs["status_names"])
            kinds = list(file["events"].attrs["kind_names"])
            self.assertEqual([status[i] for i in file["contacts"]["status"]],
                             [row["status"] for row in rows(self.path("a", "contacts.csv"))])
            self.assertEqual([kinds[i] for i in file["events"]["kind"]],
                             [row["kind"] for row in rows(self.path("a", "events.csv"))])
            self.assertEqual(file["parameters"].attrs["mu2"], 0.25)
            self.assertEqual(file["states"].attrs["unit:phi_M"], "rad")
            self.assertEqual(json.loads(file["summary"].attrs["json"])["steps"], 3000)
            self.assertLess(np.max(file["certificate"]["residual"]), 1e-12)

    def test_same_input_same_bits_in_any_folder(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.5")
        self.picus("run", "woodpecker", "--out", "deep/er", "--end", "0.5")
        for name in ("states.csv", "contacts.csv", "events.csv", "energy.csv"):
            with open(self.path("a", name), "rb") as first, open(self.path("deep/er", name), "rb") as second:
                self.assertEqual(first.read(), second.read())

    def test_every_thins_rows_but_not_events(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.5")
        self.picus("run", "woodpecker", "--out", "b", "--end", "0.5", "--every", "10")
        self.assertEqual(rows(self.path("a", "states.csv"))[::10], rows(self.path("b", "states.csv")))
        self.assertEqual(rows(self.path("a", "events.csv")), rows(self.path("b", "events.csv")))

    def test_set_reaches_initial_values_and_groups(self):
        result = self.picus("run", "woodpecker", "--json", "--end", "0.01", "--set", "y=1", "--set", "mu=0.1", "--set",
                            "mu3=0.2", "--set=omega_S=-7")
        parameters = json.loads(result.stdout)["parameters"]
        self.assertEqual([parameters[k] for k in ("y", "mu1", "mu2", "mu3", "omega_S")], [1, 0.1, 0.1, 0.2, -7])
        self.assertEqual(float(rows(self.path("picus-woodpecker", "states.csv"))[0]["y"]), 1)

    def test_solvers_agree(self):
        end = {}
        key_of = {"enumerate": "enumeration", "gauss-seidel": "gauss_seidel"}
        for solver in ("auto", "enumerate", "lemke", "gauss-seidel", "newton", "prox"):
            result = self.picus("run", "woodpecker", "--json", "--solver", solver, "--end", "1")
            self.assertEqual(result.returncode, 0)
            summary = json.loads(result.stdout)
            end[solver] = summary["end_state"]
            if solver != "auto":
                self.assertEqual(summary["solved_by"][key_of.get(solver, solver)], summary["contact_steps"])
        for state in end.values():
            for key, value in end["auto"].items():
                self.assertAlmostEqual(state[key], value, delta=1e-9)

    def test_moreau_jean(self):
        result = self.picus("run", "woodpecker", "--method", "moreau-jean", "--out", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("moreau-jean, theta 0.5", result.stdout)
        with open(self.path("a", "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual((summary["method"], summary["theta"]), ("moreau-jean", 0.5))
        self.assertLess(abs(summary["energy"]["remainder"]), 1e-14)
        with h5py.File(self.path("a", "result.h5")) as file:
            self.assertEqual(file.attrs["theta"], 0.5)
        damped = self.picus("run", "woodpecker", "--method", "moreau-jean", "--theta", "1", "--json", "--out", "b")
        self.assertLess(json.loads(damped.stdout)["energy"]["remainder"], -1e-6)

    def test_outputs_are_recorded_beside_the_states(self):
        self.picus("run", "slider-crank", "--out", "a", "--end", "0.02", "--set", "omega_3=1", "--every", "5")
        outputs, states = rows(self.path("a", "outputs.csv")), rows(self.path("a", "states.csv"))
        self.assertEqual(list(outputs[0]), ["t", "corner_1", "corner_2", "corner_3", "corner_4", "crank_turns", "rod_angle"])
        self.assertEqual([r["t"] for r in outputs], [r["t"] for r in states])
        l_1, l_2, a, b, c = 0.153, 0.306, 0.05, 0.025, 0.001
        heights = []
        for out, s in zip(outputs, states):
            angle = [float(s[f"theta_{i}"]) for i in (1, 2, 3)]
            y = l_1 * np.sin(angle[0]) + l_2 * np.sin(angle[1])
            for i, (along, across) in enumerate(((-1, 1), (1, 1), (-1, -1), (1, -1))):
                height = y + along * a * np.sin(angle[2]) + across * b * np.cos(angle[2])
                self.assertAlmostEqual(float(out[f"corner_{i + 1}"]), (height - across * b) / c, delta=1e-9)
                heights.append(float(out[f"corner_{i + 1}"]))
        self.assertGreater(max(heights), 0.99)  # the guide was reached
        self.assertLess(max(heights), 1.05)
        with h5py.File(self.path("a", "result.h5")) as file:
            self.assertEqual(file["outputs"].shape, (len(outputs),))
            self.assertEqual(file["outputs"]["corner_3"][-1], float(outputs[-1]["corner_3"]))
        # A model without outputs leaves none behind.
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.01")
        self.assertEqual(sorted(os.listdir(self.path("a"))), FILES)

    def test_projection_is_off_unless_asked_for_and_booked(self):
        def run(*options):
            result = self.picus("run", "slider-crank", "--json", "--set", "eN=0.1", "--end", "0.05", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)

        plain, projected = run(), run("--project-drift")
        self.assertEqual((plain["energy"]["projection"], plain["projected_steps"], plain["project_drift"]), (0, 0, False))
        self.assertGreater(projected["projected_steps"], 10)
        self.assertNotEqual(projected["energy"]["projection"], 0)
        self.assertLess(projected["worst_penetration"], plain["worst_penetration"])

    def test_impact_at_start(self):
        def start(*options):
            self.picus("run", "woodpecker", "--out", "a", "--end", "0.001", "--set", "omega_M=-10", *options)
            with open(self.path("a", "summary.json")) as file:
                energy = json.load(file)["energy"]
            return rows(self.path("a", "states.csv"))[0], rows(self.path("a", "events.csv"))[0], energy

        state, event, _ = start()
        self.assertEqual(float(state["omega_M"]), -10)
        self.assertGreater(float(event["t"]), 0)
        state, event, energy = start("--impact-at-start")  # the lower edge touches: it must not approach
        self.assertAlmostEqual(float(state["omega_M"]), 0, delta=1e-12)
        self.assertEqual((float(event["t"]), event["contact"], event["kind"]), (0, "2", "impact"))
        self.assertLess(abs(energy["remainder"]), 1e-9)
        # what the impact took stands in the ledger, so the start is before it
        ledger = sum(energy[key] for key in ("work", "drive", "impact", "friction", "projection", "remainder"))
        self.assertLess(energy["impact"], -1e-6)
        self.assertAlmostEqual(energy["end"] - energy["start"], ledger, delta=1e-12 * abs(energy["start"]))

    def test_a_time_step_that_takes_much_energy_is_said(self):
        result = self.picus("run", "slider-crank")
        self.assertRegex(result.stderr, r"warning: the time step changed the energy by -0.07\d* J, 17 % .*moreau-jean")
        self.assertEqual(self.picus("run", "slider-crank", "--method", "moreau-jean").stderr, "")

    def test_work_of_lasting_contacts_is_said(self):
        with open(self.path("hollow.yaml"), "w") as file:
            file.write("""name: hollow
dimension: 3
bodies:
  bowl: {fixed: true, shapes: [hollow_sphere: {radius: 1.1}]}
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {x: 1, vy: 1}}
collisions: [{between: [ball, bowl]}]
run: {dt: 1e-2, end: 100}
""")
        run = ("run", "hollow.yaml", "--no-report", "--check-dt", "never", "--method")
        self.assertRegex(self.picus(*run, "tzitzouris-pang").stderr,
                         r"warning: contacts that stayed closed took 0.33 J from the motion, 33 % of .*smaller dt")
        self.assertEqual(self.picus(*run, "moreau-midpoint").stderr, "")

    def test_slider_crank(self):
        result = self.picus("run", "slider-crank", "--set", "eN=0.6", "--set", "c=0.002")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("caution", result.stdout)
        with open(self.path("picus-slider-crank", "states.csv")) as file:
            self.assertEqual(file.readline().strip(), "t,theta_1,theta_2,theta_3,omega_1,omega_2,omega_3")
        with open(self.path("picus-slider-crank", "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual((summary["dt"], summary["steps"]), (1e-5, 16000))
        self.assertAlmostEqual(summary["parameters"]["d"], 0.054)

    def test_quiet_is_quiet(self):
        result = self.picus("run", "woodpecker", "--quiet", "--end", "0.1")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_a_rerun_replaces_the_files(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.5")
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.1")
        self.assertEqual(len(rows(self.path("a", "states.csv"))), 1001)
        self.assertEqual(sorted(os.listdir(self.path("a"))), FILES)

    def test_step_without_solution(self):
        result = self.picus("run", "woodpecker", "--out", "a", "--set", "r_M=0.0024", "--set", "eN2=1", "--set", "phi_M=0",
                            "--set", "omega_M=-1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"at t = 0 s no impulses satisfy the contact laws; contacts in the step: 2 .*, 3 ")
        self.assertEqual(len(rows(self.path("a", "states.csv"))), 1)
        with open(self.path("a", "summary.json")) as file:
            self.assertEqual(json.load(file)["status"], "no solution")

    def test_divergence_is_not_called_a_result(self):
        """A far too large time step: energies overflow, and the run must say so."""
        result = self.picus("run", "woodpecker", "--dt", "0.01", "--end", "20")
        self.assertEqual(result.returncode, 1)
        self.assertIn("diverges", result.stderr.splitlines()[0])
        with open(self.path("picus-woodpecker", "energy.csv")) as file:
            text = file.read()
        self.assertNotIn("nan", text)
        self.assertNotIn("inf", text)
        result = self.picus("run", "woodpecker", "--dt", "0.005", "--end", "0.5")
        self.assertIn("smaller dt", result.stderr)

    def test_closed_streams_do_not_spoil_files(self):
        for closed in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            subprocess.run(f"'{PICUS}' run woodpecker --json --end 0.1 --out a {closed}", shell=True, cwd=self.folder)
            for name, first in (("states.csv", "t,y"), ("contacts.csv", "t,contact"), ("events.csv", "t,contact")):
                with open(self.path("a", name)) as file:
                    self.assertTrue(file.readline().startswith(first))
                    self.assertNotIn("picus", file.read())

    def test_output_that_does_not_arrive_is_an_error(self):
        with open("/dev/full", "w") as full:
            for arguments in (["list"], ["--help"], ["run", "woodpecker", "--json", "--end", "0.1"]):
                result = subprocess.run([PICUS, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(result.returncode, 3, arguments)

    def test_a_file_size_limit_is_an_error_not_a_crash(self):
        result = subprocess.run(f"ulimit -f 100; '{PICUS}' run woodpecker --out a", shell=True, cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot write", result.stderr)

    def test_uncertified_steps_are_said_and_change_the_exit_code(self):
        result = self.picus("run", "woodpecker", "--tolerance", "1e-30", "--end", "0.2")
        self.assertEqual(result.returncode, 1)
        with open(self.path("picus-woodpecker", "summary.json")) as file:
            summary = json.load(file)
        first = summary["first_uncertified"]
        self.assertRegex(first["contact"], "[1-3]")
        self.assertTrue(0 < first["t"] < 0.2 and first["residual"] > 0)
        where = ", the first at t = %g s at contact %s" % (first["t"], first["contact"])
        self.assertIn("not certified" + where, result.stderr.splitlines()[0])
        self.assertIn("NOT certified" + where, result.stdout)
        self.assertEqual((summary["status"], summary["steps"], summary["tolerance"]), ("uncertified", 2000, 1e-30))

    def test_uncertified_impulses_are_not_the_impact_at_the_start(self):
        """What is not certified is named: given impulses, the impact at the start, steps; each with its number."""
        text = ("name: struck\ncoordinates: {x: {velocity: vx}, y: {velocity: vy}}\nkinetic: (vx^2 + vy^2)/2\n"
                "contacts: [{gap: y - x/3, tangent: x, mu: 0.1}, {gap: y + x/7, tangent: x, mu: 0.1}]\n"
                "impulses: [{at: [0, 0.1], on: {x: 0.7, y: -1}}]\n")
        with open(self.path("struck.yaml"), "w") as file:
            file.write(text)
        of_blows = "2 applied impulses are not certified at contact 1"
        start = ("--impact-at-start", "--set", "vy=-0.3", "--set", "vx=0.1")
        for flags, told in (((), of_blows), (start, "the impact at the start is not certified, " + of_blows)):
            result = self.picus("run", "struck.yaml", "--impact", "energetic", "--tolerance", "1e-30", "--end", "0.2",
                                "--dt", "0.01", *flags)
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stderr.splitlines()[0], "picus: " + told)
            self.assertRegex(result.stdout, "all 20 steps certified, but [23] impacts between them are NOT")

    def test_several_solutions_are_counted(self):
        """With much friction the rotating toy has steps with more than one future; the summary warns."""
        result = self.picus("run", "woodpecker", "--json", "--set", "mu=6", "--end", "0.5")
        summary = json.loads(result.stdout)
        self.assertGreater(summary["multiple_solution_steps"], 0)
        self.assertEqual(summary["uniqueness_examined_steps"], summary["contact_steps"])


class Checks(PicusTest):
    """What the certificate cannot see, and how it is told."""

    DISK = """name: disk
gravity: [0, 0]
bodies:
  wall: {fixed: true, shapes: [box: {width: 0.01, height: 1}]}
  disk: {mass: 1, shapes: [circle: {radius: 0.005}], start: {x: -0.2, y: 0.1, vx: 100}}
collisions:
  - {between: [wall, disk], mu: 0.3, eN: 0.5}
run: {dt: 1e-3, end: 0.03}
"""

    def write(self, text, name="disk.yaml"):
        with open(self.path(name), "w") as file:
            file.write(text)
        return name

    def summary(self, *arguments, code=0):
        result = self.picus("run", *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout), result.stderr

    def test_bodies_that_pass_end_the_run_and_keep_its_files(self):
        summary, said = self.summary(self.write(self.DISK), code=1)
        self.assertIn("wall passed through disk", said.splitlines()[0])
        self.assertIn("results up to there are kept", said.splitlines()[0])
        self.assertEqual(summary["status"], "failed")
        self.assertEqual([d["code"] for d in summary["diagnostics"] if d["severity"] == "error"], ["passed-through"])
        self.assertEqual(summary["half_step"]["state"], "not possible")
        self.assertEqual(sorted(os.listdir(self.path("picus-disk"))), FILES)
        self.assertEqual(len(rows(self.path("picus-disk", "states.csv"))), summary["steps"])

    def test_shapes_without_contacts_are_refused(self):
        text = self.DISK.replace("box: {width: 0.01, height: 1}", "segment: [[0, -1], [0, 1]]")
        text = text.replace("circle: {radius: 0.005}", "segment: [[0, 0], [0.01, 0]]")
        text = text.replace("{mass: 1,", "{mass: 1, inertia: 1,")
        result = self.picus("check", self.write(text))
        self.assertEqual(result.returncode, 2)
        self.assertIn("disk.yaml:5:", result.stderr)
        self.assertIn("the segment of body 'disk' may meet the segment of 'wall'", result.stderr)

    def test_a_start_deep_inside_is_refused_unless_asked_for(self):
        name = self.write(self.DISK.replace("x: -0.2", "x: -0.009").replace("vx: 100", "vx: 0"))
        self.refused("run", name, says=["contact wall:e4/disk starts with an overlap of 0.001 m", "10 %", "--allow-overlap"])
        self.refused("ensemble", name, "--perturb", "1e-6", says=["--allow-overlap"])
        summary, said = self.summary(name, "--allow-overlap")
        self.assertIn("deep-overlap", [d["code"] for d in summary["diagnostics"]])
        self.assertIn("--allow-overlap", summary["command"])
        self.assertIn("overlaps by 0.001 m", said)

    def test_half_the_step(self):
        summary, _ = self.summary("woodpecker", "--end", "0.5")
        half = summary["half_step"]
        self.assertEqual((half["state"], half["dt"]), ("compared", 5e-5))
        self.assertEqual(set(half["coordinates"]), {"y", "phi_M", "phi_S"})
        for change in half["coordinates"].values():
            self.assertLess(0, change["largest"])
            self.assertLess(change["largest"], change["range"])
            self.assertLessEqual(change["t"], 0.5)
        self.assertEqual(set(half["end"]), {"y", "phi_M", "phi_S", "v", "omega_M", "omega_S"})
        self.assertEqual((half["impacts"], "first_different_impact" in half), (half["impacts_of_half"], False))
        # What it says is what two runs show.
        coarse = rows(self.path("picus-woodpecker", "states.csv"))[-1]
        self.summary("woodpecker", "--end", "0.5", "--dt", "5e-5", "--out", "half")
        fine = rows(self.path("half", "states.csv"))[-1]
        for name, change in half["end"].items():
            self.assertAlmostEqual(abs(float(coarse[name]) - float(fine[name])), change, delta=1e-15 + 1e-9 * change)
        with open(self.path("picus-woodpecker", "report.html"), encoding="utf-8") as page:
            self.assertIn("Not proven, but tried: half the time step " + half["text"], page.read())

    def test_when_half_the_step_is_run(self):
        self.assertIn("half step", self.picus("run", "bouncing-ball").stdout)
        never, _ = self.summary("bouncing-ball", "--check-dt", "never")
        self.assertEqual(never["half_step"], {"state": "not wanted", "text": "--check-dt never"})
        # Counted, not timed: steps x (coordinates + closed contacts).
        long, _ = self.summary("bouncing-ball", "--dt", "1e-6", "--end", "3.1", "--every", "1000")
        self.assertEqual(long["half_step"]["state"], "too long")
        self.assertIn("--check-dt always", long["half_step"]["text"])
        always, _ = self.summary("bouncing-ball", "--dt", "1e-6", "--end", "3.1", "--every", "1000", "--check-dt", "always")
        self.assertEqual(always["half_step"]["state"], "compared")
        self.assertIn("--check-dt always", always["command"])
        events, _ = self.summary("bouncing-ball", "--method", "event-driven", "--end", "0.1")
        self.assertEqual(events["half_step"]["state"], "not wanted")
        self.refused("run", "bouncing-ball", "--check-dt", "often", says=["'often'", "always, auto, never"])
        self.refused("run", "bouncing-ball", "--check-dt", "always", "--method", "event-driven", says=["event-driven"])

    def test_a_step_that_is_too_large_is_a_warning(self):
        name = self.write("name: spring\ncoordinates: {x: {unit: m, velocity: v, start: 1}}\nkinetic: v^2/2\n"
                          "potential: 50*x^2\nrun: {dt: 0.06, end: 40}\n", "spring.yaml")
        summary, said = self.summary(name)
        self.assertIn("warning: half the time step", said)
        self.assertIn("time-step", [d["code"] for d in summary["diagnostics"]])
        with open(self.path("picus-spring", "report.html"), encoding="utf-8") as page:
            text = page.read()
        self.assertIn("half the time step gives another motion", text.lower())  # among what to worry about
        self.assertNotIn("Not proven, but tried", text)
        fine, said = self.summary(name, "--dt", "1e-4")
        self.assertEqual((fine["diagnostics"], said), ([], ""))

    def test_all_that_is_told_stands_among_the_diagnostics(self):
        summary = json.loads(self.picus("run", "woodpecker", "--end", "0.01", "--json").stdout)
        told = summary["diagnostics"]
        self.assertEqual([(d["severity"], d["code"]) for d in told], [("warning", "start"), ("warning", "deep-overlap")])
        self.assertEqual(summary["warnings"], [d["text"] for d in told])
        summary = json.loads(self.picus("run", "slider-crank", "--end", "0.001", "--method", "event-driven", "--json").stdout)
        told = {d["code"]: d for d in summary["diagnostics"]}
        self.assertEqual({d["severity"] for d in told.values()}, {"info"})
        self.assertEqual([told["method"]["text"]], summary["remarks"])
        self.assertEqual(told["caution"]["text"], summary["caution"])

    def test_strict(self):
        self.assertEqual(self.picus("run", "woodpecker", "--end", "0.1").returncode, 0)
        self.assertEqual(self.picus("run", "woodpecker", "--end", "0.1", "--strict").returncode, 1)
        self.assertEqual(self.picus("run", "bouncing-ball", "--strict").returncode, 0)


class Interrupted(PicusTest):
    def start(self):
        process = subprocess.Popen([PICUS, "run", "woodpecker", "--end", "1e6", "--every", "1000", "--out", "a"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2.5)
        return process

    def test_ctrl_c_leaves_readable_results(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted at t =", errors)
        self.assertEqual(sorted(os.listdir(self.path("a"))), FILES)
        states = rows(self.path("a", "states.csv"))
        self.assertGreater(len(states), 10)
        with h5py.File(self.path("a", "result.h5")) as file:
            self.assertEqual(len(file["states"]), len(states))
        with open(self.path("a", "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["status"], "interrupted")
        self.assertEqual(summary["steps"] // 1000 + 1, len(states))

    def test_a_killed_run_leaves_what_was_flushed(self):
        process = self.start()
        process.kill()
        process.communicate(timeout=30)
        with h5py.File(self.path("a", "result.h5")) as file:
            t = file["states"]["t"]
        self.assertGreater(len(t), 10)
        np.testing.assert_allclose(np.diff(t), 0.1, rtol=1e-6)


class ProgressBar(PicusTest):
    def test_shows_on_a_terminal(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([PICUS, "run", "woodpecker", "--end", "20"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(master)
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertIn(b"[####", shown)
        self.assertIn(b"100 %", shown)


class BadInput(PicusTest):
    def test_names(self):
        self.refused("run", "woodpeker", says=["'woodpeker'", "did you mean 'woodpecker'"])
        self.refused("show", "pendulum", says=["'pendulum'", "woodpecker"])
        self.refused("run", "woodpecker", "--set", "mM=1", says=["'mM'", "did you mean 'm_M'"])
        self.refused("run", "woodpecker", "--method", "moreau-midpont", says=["'moreau-midpont'", "did you mean"])
        self.refused("run", "woodpecker", "--solver", "lemkey", says=["'lemkey'", "did you mean 'lemke'", "enumerate"])
        self.refused("run", "woodpecker", "--method", "moreau-jeans", says=["did you mean 'moreau-jean'"])
        self.refused("run", "woodpecker", "--solver", "gauss", says=["'gauss'", "gauss-seidel", "prox"])
        self.refused("run", "woodpecker", "--theta", "0.7", says=["--theta", "'0.7'", "moreau-midpoint", "moreau-jean"])
        self.refused("run", "woodpecker", "--impact", "newten", says=["'newten'", "did you mean 'newton'"])
        self.refused("run", "woodpecker", "--impact", "poisson", "--set", "eT1=0.5", says=["eT of contact", "is 0.5", "accepted", "0"])
        self.refused("run", "cradle", "--impact", "compliant", "--one-by-one", says=["compliant", "one of both"])
        self.refused("run", "woodpecker", "--impact", "energetic", "--method", "moreau-jean", says=["energetic", "moreau-jean", "newton, poisson"])
        self.refused("run", "bowling-ball", "--impact", "poisson", says=["poisson", "accepted in space: newton"])
        self.refused("rum", "woodpecker", says=["'rum'", "did you mean 'run'"])
        self.refused("run", "woodpecker", "--slover", "lemke", says=["'--slover'", "did you mean '--solver'"])
        self.refused("run", "woodpecker", "extra", says=["'extra'"])
        self.refused("run", says=["MODEL"])
        self.refused("--json", "run", "woodpecker", says=["'--json'", "behind its command"])
        self.refused("-v", says=["'-v'", "--version"])
        self.refused("run", "woodpecker", "--dt", says=["--dt", "one value"])
        self.refused("run", "woodpecker", "--dt", "1e-4", "--dt", "1e-5", says=["--dt", "once"])
        self.refused("run", "woodpecker", "--out", "--json", says=["--out", "'--json'"])
        for option in ("--dt", "--method", "--out", "--solver", "--end"):
            self.refused("run", "woodpecker", option, "", says=["''"])

    def test_numbers(self):
        self.refused("run", "woodpecker", "--set", "m_M=-1", says=["m_M", "-1", "> 0"])
        self.refused("run", "woodpecker", "--set", "m_M=nan", says=["m_M", "nan", "finite"])
        self.refused("run", "woodpecker", "--set", "eN1=1.1", says=["eN1", "1.1", "0 to 1"])
        self.refused("run", "woodpecker", "--set", "eT=-0.1", says=["eT", "-0.1", "0 to 1"])
        self.refused("run", "woodpecker", "--set", "mu=-0.1", says=["mu", "-0.1", ">= 0"])
        self.refused("run", "woodpecker", "--set", "g=down", says=["g is 'down'", "a number"])
        self.refused("run", "woodpecker", "--set", "g", says=["'g'", "name=value"])
        self.refused("run", "woodpecker", "--set", "omega_S=1e300", says=["omega_S", "1e+300", "1e100"])
        for value in ("0", "-1e-4", "nan", "inf", "fast", "1e-4s"):
            self.refused("run", "woodpecker", "--dt", value, says=["dt", "accepted"])
        self.refused("run", "woodpecker", "--dt", "3", says=["dt is 3", "2 s"])
        self.refused("run", "woodpecker", "--end", "-2", says=["end", "-2", "> 0"])
        self.refused("run", "woodpecker", "--every", "0", says=["--every", "'0'", "whole number"])
        self.refused("run", "woodpecker", "--every", "1.5", says=["--every", "'1.5'"])
        self.refused("run", "woodpecker", "--dt", "1e-300", says=["steps", "1e15"])
        self.refused("run", "woodpecker", "--active-gap", "-1", says=["--active-gap", "-1"])
        for theta in ("0.4", "1.1", "half", "nan"):
            self.refused("run", "woodpecker", "--method", "moreau-jean", "--theta", theta, says=["theta", "accepted"])
        self.refused("run", "woodpecker", "--tolerance", "1", says=["--tolerance", "less than 1"])

    def test_folders(self):
        with open(self.path("occupied"), "w") as file:
            file.write("kept")
        self.refused("run", "woodpecker", "--out", "occupied", code=3, says=["'occupied'"])
        self.refused("run", "woodpecker", "--out", "occupied/deeper", code=3, says=["occupied/deeper"])
        with open(self.path("occupied")) as file:
            self.assertEqual(file.read(), "kept")
        os.makedirs(self.path("b", "summary.json"))
        self.refused("run", "woodpecker", "--out", "b", code=3, says=["summary.json", "not a file"])
        self.assertEqual(os.listdir(self.path("b")), ["summary.json"])
        self.refused("run", "woodpecker", "--out", "/proc/picus", code=3, says=["/proc/picus"])

    def test_bad_input_keeps_earlier_results(self):
        self.picus("run", "woodpecker", "--out", "a", "--end", "0.1")
        with open(self.path("a", "states.csv"), "rb") as file:
            before = file.read()
        self.refused("run", "woodpecker", "--out", "a", "--dt", "0")
        with open(self.path("a", "states.csv"), "rb") as file:
            self.assertEqual(file.read(), before)


class Solve(PicusTest):
    def solve(self, problem, *options):
        with open(self.path("p.json"), "w") as file:
            json.dump(problem, file)
        result = self.picus("solve", "p.json", "--json", *options)
        return result.returncode, json.loads(result.stdout)

    def test_one_and_all_solutions(self):
        problem = {"A": [[1, 2], [2, 1]], "b": [-1, -1]}
        code, answer = self.solve(problem)
        self.assertEqual((code, answer["status"], len(answer["solutions"])), (0, "solved", 1))
        code, answer = self.solve(problem, "--all")
        self.assertEqual((code, len(answer["solutions"]), answer["faces"]), (0, 3, []))
        for s in answer["solutions"]:
            x, y = np.array(s["x"]), np.array(s["y"])
            np.testing.assert_allclose(np.array(problem["A"]) @ x + problem["b"], y, atol=1e-14)
            self.assertLess(s["residual"], 1e-12)
            self.assertLess(abs(x @ y), 1e-14)

    def test_faces(self):
        code, answer = self.solve({"A": [[1, 1], [1, 1]], "b": [-1, -1]}, "--all")
        self.assertEqual((code, answer["solutions"]), (0, []))
        self.assertEqual(answer["faces"][0]["dimension"], 1)
        self.assertEqual(sorted(answer["faces"][0]["vertices"]), [[0, 1], [1, 0]])

    def test_none(self):
        code, answer = self.solve({"A": [[-1]], "b": [-1]})
        self.assertEqual((code, answer["status"], answer["solutions"]), (1, "none", []))

    def test_rows_of_very_different_size(self):
        """Each row is judged by its own size: no false solutions beside large numbers, and no contradictions."""
        code, answer = self.solve({"A": [[1, 0], [0, 1]], "b": [1e10, -1]}, "--all")
        self.assertEqual((code, [s["x"] for s in answer["solutions"]]), (0, [[0, 1]]))
        for problem in ({"A": [[1, 0], [0, -1]], "b": [1e12, -1]}, {"A": [[1, 0], [0, 0]], "b": [-1e12, -1]},
                        {"A": [[1, 0], [0, 0]], "b": [-1e9, -1e-3]}):
            for options in ([], ["--all"]):
                code, answer = self.solve(problem, *options)
                self.assertEqual((code, answer["status"], answer["solutions"]), (1, "none", []))
        code, answer = self.solve({"A": [[1, 0], [0, -1]], "b": [-1e9, 1]}, "--all")
        self.assertEqual([s["x"] for s in answer["solutions"]], [[1e9, 0], [1e9, 1]])

    def test_overflow_is_never_a_solution(self):
        for problem in ({"A": [[1e-308]], "b": [-1e308]}, {"A": [[1, 0], [0, 1e-308]], "b": [-1, -1e308]},
                        {"A": [[2]], "b": [-5e-324]}):
            for options in ([], ["--all"]):
                code, answer = self.solve(problem, *options)
                self.assertEqual((code, answer["solutions"]), (1, []))
                self.assertNotEqual(answer["status"], "solved")

    def test_degenerate_problems_end_in_time(self):
        n = 16
        code, answer = self.solve({"A": (-np.ones((n, n))).tolist(), "b": [1] * n}, "--all")
        self.assertFalse(answer["complete"])

    def test_unknown_where_nothing_decides(self):
        n = 24
        A = np.zeros((n, n))
        for i in range(0, n, 2):
            A[i:i + 2, i:i + 2] = [[2, -1], [1, -2]]
        code, answer = self.solve({"A": A.tolist(), "b": [-1] * n})
        self.assertEqual((code, answer["status"]), (1, "unknown"))

    def test_reads_standard_input_and_speaks_to_people(self):
        result = self.picus("solve", "-", input='{"A": [[2]], "b": [-1]}')
        self.assertEqual(result.returncode, 0)
        self.assertIn("x = (0.5)", result.stdout)

    def test_bad_problems(self):
        self.refused("solve", "absent.json", says=["'absent.json'"])
        for text, says in (("{", "not JSON"), ("[" * 200000 + "]" * 200000, "nested"), ('{"A": [[1e400]], "b": [1]}', "range"), ('{"A": [[1, 2]], "b": [1]}', "A[0]"), ('{"A": [[true]], "b": [1]}', "A[0][0]")):
            with open(self.path("bad.json"), "w") as file:
                file.write(text)
            self.refused("solve", "bad.json", says=[says])
        with open(self.path("large.json"), "w") as file:
            json.dump({"A": np.eye(21).tolist(), "b": [1] * 21}, file)
        self.refused("solve", "large.json", "--all", says=["21", "20"])


BALL = """\
name: ball
coordinates: {y: {unit: m, start: 1, velocity: v}}
parameters: {m: 2, g: 9.81, e_floor: 0.5}
kinetic: m/2*v^2
potential: m*g*y
contacts: [{meaning: floor, gap: y, eN: e_floor}]
outputs: {height: 100*y}
drawing: [{circle: {center: [0, y + 0.1], radius: 0.1}}]
run: {dt: 1e-3, end: 0.5, every: 10}
"""


class Models(PicusTest):
    """Model files of users."""

    def write(self, text, *parts):
        path = self.path(*parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_run_by_path_and_by_name(self):
        self.write(BALL, "models", "ball.yaml")
        self.write(BALL.replace("name: ball", "name: here"), "here.yaml")
        for arguments, environment in ((["models/ball.yaml"], {}), (["ball"], {"PICUS_MODELS": self.path("models")})):
            result = self.picus("run", *arguments, "--json", env=dict(os.environ, **environment))
            self.assertEqual(result.returncode, 0, result.stderr)
            summary = json.loads(result.stdout)
            self.assertEqual([summary[k] for k in ("model", "steps", "dt", "every")], ["ball", 500, 1e-3, 10])
            self.assertEqual(summary["parameters"]["eN1"], 0.5)
        states, outputs = rows(self.path("picus-ball", "states.csv")), rows(self.path("picus-ball", "outputs.csv"))
        self.assertEqual(len(states), 51)
        self.assertEqual(list(states[0]), ["t", "y", "v"])
        for state, output in zip(states, outputs):
            self.assertEqual(100 * float(state["y"]), float(output["height"]))
        self.assertEqual(self.picus("run", "here.yaml", "--quiet").returncode, 0)
        self.refused("run", "here", says=["unknown model 'here'"])
        self.assertIn("ball", self.picus("list", env=dict(os.environ, PICUS_MODELS=self.path("models"))).stdout)

    def test_a_motion_that_ends_at_rest_is_measured_by_what_moved_before(self):
        pendulum = ("name: pendulum\ncoordinates: {p: {velocity: w, start: 1}}\nkinetic: (0.1 + 0.05*cos(p))*w^2\n"
                    "potential: -9.81*cos(p)\n")
        turn = self.picus("run", self.write(pendulum, "pendulum.yaml"), "--dt", "1e-3", "--end", "0.562", "--json")
        energy = json.loads(turn.stdout)["energy"]
        self.assertGreater(abs(energy["remainder"]), 100 * energy["kinetic"])
        self.assertEqual(turn.stderr, "")

    def test_values_follow_until_they_are_set(self):
        path = self.write(BALL, "ball.yaml")
        for arguments, eN in (([], 0.5), (["--set", "e_floor=0.7"], 0.7), (["--set", "e_floor=0.7", "--set", "eN=0.1"], 0.1)):
            result = self.picus("run", path, *arguments, "--json")
            self.assertEqual(json.loads(result.stdout)["parameters"]["eN1"], eN)
        self.refused("run", path, "--set", "e_floor=1.2", says=["eN1", "1.2", "from 0 to 1"])
        self.refused("check", path, "--set", "e_floor=1.2", says=["eN1", "1.2", "from 0 to 1"])
        result = self.picus("run", path, "--set", "y=2*(1 - cos(pi/3))", "--set", "v=-1/4", "--json")
        parameters = json.loads(result.stdout)["parameters"]
        self.assertAlmostEqual(parameters["y"], 1, 15)
        self.assertEqual(parameters["v"], -0.25)
        self.refused("run", path, "--set", "y=2*m", says=["y", "'2*m'"])

    def test_check(self):
        path = self.write(BALL, "ball.yaml")
        result = self.picus("check", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for text in ("M(y, y) = m", "h(y) = -m*g", "gap   = y", "eN = e_floor", "nothing to warn of"):
            self.assertIn(text, result.stdout)
        self.assertIn("\\begin{align}", self.picus("check", path, "--latex").stdout)
        overlap = self.picus("check", path, "--set", "y=-1")
        self.assertEqual(overlap.returncode, 0)
        self.assertIn("overlap of 1 m", overlap.stderr)
        for model in ("woodpecker", "slider-crank", "bouncing-ball", "rocking-block"):
            self.assertEqual(self.picus("check", model).returncode, 0)

    def test_draw(self):
        path = self.write(BALL, "ball.yaml")
        self.assertEqual(self.picus("draw", path).stdout, "ball.svg\n")
        self.assertEqual(self.picus("draw", path, "--frames", "5", "--out", "five.svg").returncode, 0)
        with open(self.path("ball.svg")) as one, open(self.path("five.svg")) as five:
            self.assertEqual((one.read().count("<circle"), five.read().count("<circle")), (1, 5))
        self.refused("draw", path, "--frames", "0", says=["--frames", "'0'"])
        self.refused("draw", path, "--frames", "2", "--end", "1e15", says=["accepted: up to 1e15"])
        failing = self.write(BALL.replace("eN: e_floor", "eN: 0.5 + t").replace("end: 0.5", "end: 3"), "failing.yaml")
        self.assertEqual(self.picus("draw", failing, "--frames", "4").returncode, 1)
        bare = self.write(BALL.split("drawing")[0], "bare.yaml")
        self.refused("draw", bare, says=["no 'drawing'"])
        self.assertEqual(self.picus("draw", path, "--out", "/nowhere/a.svg").returncode, 3)

    def test_mistakes(self):
        path = self.write(BALL.replace("m*g*y", "m*gg*y").replace("eN: e_floor", "en: e_floor"), "ball.yaml")
        for command in ("run", "check", "show", "draw"):
            self.refused(command, path, says=["ball.yaml:5:14: unknown name 'gg'", "did you mean 'g'?"])
        self.refused("run", "nowhere.yaml", says=["nowhere.yaml", "No such file"])
        self.refused("run", self.folder + "/", says=["is a folder"])
        self.write("x" * 10000000, "huge.yaml")
        self.refused("run", "huge.yaml", says=["huge.yaml", "1000000 bytes"])

    def test_friction_coefficients_out_of_order(self):
        law = "tangent: 0*y, mu: 0.3, mu_static: 0.5, mu_inf: 0.1, v_s: 0.2"
        path = self.write(BALL.replace("eN: e_floor", law), "ball.yaml")
        self.assertEqual(self.picus("check", path).returncode, 0)
        for name in ("mu", "mu1"):
            self.refused("run", path, "--set", name + "=0.6",
                         says=["law of contact 1", "mu_static is 0.5", "mu, which is 0.6", "accepted: a number >= mu"])
            self.refused("run", path, "--set", name + "=0.05",
                         says=["law of contact 1", "mu_inf is 0.1", "mu, which is 0.05", "accepted: a number from 0 to mu"])
        wrong = self.write(BALL.replace("eN: e_floor", law.replace("0.5", "0.2")), "wrong.yaml")
        for command in ("run", "check", "show", "draw"):
            self.refused(command, wrong, says=["wrong.yaml:6:", "law of contact 1", "mu_static is 0.2", "mu, which is 0.3"])

    def test_a_broken_file_does_not_hide_the_others(self):
        self.write("name: [", "models", "broken.yaml")
        result = self.picus("list", env=dict(os.environ, PICUS_MODELS=self.path("models")))
        self.assertEqual(result.returncode, 2)
        self.assertIn("woodpecker", result.stdout)
        self.assertIn("broken.yaml:1:", result.stderr)

    def test_a_law_that_leaves_its_range_ends_the_run(self):
        path = self.write(BALL.replace("eN: e_floor", "eN: 0.5 + t"), "ball.yaml")
        result = self.picus("run", path, "--end", "3", "--json")
        self.assertEqual(result.returncode, 1)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["status"], "failed")
        self.assertIn("contact law has left its range", summary["message"])
        self.assertGreater(summary["end_state"]["t"], 0.44)  # the first impact has eN = 0.95


class Space(PicusTest):
    """Bodies in space, as a user meets them."""

    def test_files_and_columns(self):
        result = self.picus("run", "sphere-in-groove", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual((summary["method"], summary["certified_steps"]), ("tzitzouris-pang", 40))
        states = rows(self.path("picus-sphere-in-groove", "states.csv"))
        self.assertEqual(list(states[0]), "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz".split(","))
        contacts = rows(self.path("picus-sphere-in-groove", "contacts.csv"))
        columns = "t,contact,gap,gamma_N,gamma_Tt,gamma_To,gamma_Tr,Lambda_N,Lambda_Tt,Lambda_To,Lambda_Tr,status"
        self.assertEqual(list(contacts[0]), columns.split(","))
        self.assertEqual({row["contact"] for row in contacts}, {"large/ball", "small/ball"})
        for row in contacts:  # friction lies in the ellipsoid, on its edge where the ball slips
            friction = np.linalg.norm([float(row["Lambda_Tt"]), float(row["Lambda_To"]), float(row["Lambda_Tr"]) / 0.3])
            bound = 0.2 * float(row["Lambda_N"])
            self.assertLess(friction, bound + 1e-12)
            if row["status"] == "slip":
                self.assertLess(abs(friction - bound), 1e-12)
        kinds = [(row["contact"], row["kind"]) for row in rows(self.path("picus-sphere-in-groove", "events.csv"))]
        self.assertEqual(kinds[4:], [("small/ball", "slip"), ("large/ball", "lift-off"), ("small/ball", "lift-off")])
        # gaps in the law push contacts apart, and that is named
        self.assertGreater(summary["energy"]["impact"], 1.5)
        self.assertIn("the normal impulses of contacts gave 1.55 J to the motion", " ".join(summary["warnings"]))
        with h5py.File(self.path("picus-sphere-in-groove", "result.h5")) as file:
            self.assertEqual(file["contacts"].attrs["unit:Lambda_Tr"], "N m s")

    def test_a_million_steps_of_a_tumbling_body(self):
        result = self.picus("run", "tumbling-body", "--dt", "0.002", "--end", "2000", "--every", "20000", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        energy = rows(self.path("picus-tumbling-body", "energy.csv"))
        kinetic = [float(row["kinetic"]) for row in energy]
        self.assertEqual(len(kinetic), 51)
        self.assertLess(max(kinetic) - min(kinetic), 1e-4 * kinetic[0])

    def test_every_model_is_certified(self):
        for model in ("spinning-sphere", "spinning-sphere-coarse", "sliding-sphere", "sliding-sphere-coarse", "bowling-ball",
                      "marbles"):
            self.assertEqual(self.picus("run", model, "--end", "0.5").returncode, 0, model)
        for method in ("moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang"):
            self.assertEqual(self.picus("run", "bowling-ball", "--method", method, "--end", "1").returncode, 0, method)

    BALL = """
name: drop
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
  ball: {mass: 1, shapes: [sphere: {radius: 0.1}], start: {z: 1.1}}
collisions: [{between: [all, all], mu: 0.3}]
run: {dt: 1e-3, end: 0.5, method: stewart-trinkle}
"""

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_an_inelastic_ball_stays_down(self):
        self.write("drop.yaml", self.BALL)
        for dt in ("1e-2", "1e-3", "1e-4"):
            result = self.picus("run", "drop.yaml", "--dt", dt, "--no-report", "--json")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            summary = json.loads(result.stdout)
            self.assertLess(abs(summary["end_state"]["z"] - 0.1), 1e-12)
            self.assertLess(abs(summary["end_state"]["vz"]), 1e-12)
        # Contacts by their gap are the user's choice, and the command that makes the run again has it.
        result = self.picus("run", "drop.yaml", "--active-gap", "1e-12", "--no-report", "--json")
        self.assertEqual(result.returncode, 0)
        self.assertIn("--active-gap is 1e-12 m", result.stderr)
        self.assertIn("rebounds at random", result.stderr)
        summary = json.loads(result.stdout)
        self.assertIn("--active-gap 1e-12", summary["command"])
        self.assertGreater(summary["end_state"]["vz"], 1)

    def test_an_impulse_without_a_collision(self):
        self.write("rod.yaml", """
name: rod
dimension: 3
parameters: {r: 1e-3, th: "atan(2)"}
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shapes: [half_space: {normal: [0, 0, 1]}]}
  rod:
    mass: 1
    inertia: [1e-3, 1/3, 1/3]
    shapes: [sphere: {radius: r, center: [-1, 0, 0]}, sphere: {radius: r, center: [1, 0, 0]}]
    start: {z: r + sin(th), qw: cos(th/2), qy: -sin(th/2), vx: -1}
collisions: [{between: [all, all], mu: 2}]
run: {dt: 1e-4, end: 0.5}
""")
        result = self.picus("run", "rod.yaml", "--no-report")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"jam +at t = 0.0001 s at contact floor/rod:1 an impulse of 0.3007")
        with open(self.path("picus-rod", "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        self.assertEqual(summary["impulses_without_collision"], 1)
        self.assertEqual(rows(self.path("picus-rod", "events.csv"))[0]["kind"], "jam")

    def test_a_body_that_turns_too_far_is_named(self):
        self.write("spin.yaml", """
name: spin
dimension: 3
parameters: {w: 1e7}
bodies: {rod: {mass: 1, inertia: [1e-5, 1, 1], start: {wx: w, wy: 0.3*w}}}
run: {dt: 1e-3, end: 0.1}
""")
        result = self.picus("run", "spin.yaml", "--no-report")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"body rod turns by .* rad in a step.*accepted: about 0.5 rad, dt \S+ s")
        for w in ("1000", "3000"):  # a radian a step, and nearly half a turn
            self.assertEqual(self.picus("run", "spin.yaml", "--set", f"w={w}", "--no-report").returncode, 0)

    def test_shown_is_what_run_takes(self):
        self.write("drop.yaml", self.BALL)
        for model, methods in (("drop.yaml", ["moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang",
                                              "event-driven"]),
                               ("marbles", ["moreau-midpoint", "moreau-jean", "stewart-trinkle (with --velocity-form)",
                                            "event-driven"])):
            shown = self.picus("show", model).stdout.splitlines()[-1]
            self.assertEqual(shown, f"Methods: {', '.join(methods)}; impact laws: newton; "
                                    "solvers: auto, lemke, gauss-seidel, newton, prox")
        for method in ("moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang", "event-driven"):
            result = self.picus("run", "drop.yaml", "--method", method, "--end", "0.1", "--no-report")
            self.assertEqual(result.returncode, 0, result.stderr)
        for solver in ("auto", "lemke", "gauss-seidel", "newton", "prox"):
            result = self.picus("run", "drop.yaml", "--solver", solver, "--end", "0.1", "--no-report")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("moreau-jean", self.picus("show", "card-house").stdout.splitlines()[-1])

    def test_what_is_refused(self):
        self.refused("run", "woodpecker", "--method", "stewart-trinkle", says=["stewart-trinkle", "in the plane"])
        self.refused("run", "bowling-ball", "--set", "eN=0.5", says=["eN1 is 0.5", "accepted: 0"])
        self.refused("run", "bowling-ball", "--solver", "enumerate", says=["enumerate", "accepted in space"])
        self.refused("run", "bowling-ball", "--solver", "lemke", says=["lemke", "round"])
        self.refused("run", "bowling-ball", "--method", "moreau-midpoint", "--project-drift", says=["not available in space"])
        self.refused("run", "bowling-ball", "--velocity-form", says=["stewart-trinkle"])
        self.refused("run", "bowling-ball", "--set", "qw=0", says=["qw", "> 0"])


class Impacts(PicusTest):
    """Impact laws, impulses without a collision and energy from nothing, as a user meets them."""

    def test_an_impulse_without_a_collision_is_told(self):
        result = self.picus("run", "painleve-rod", "--end", "0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = [line for line in result.stdout.splitlines() if line.strip().startswith("jam")]
        self.assertEqual(len(told), 1, result.stdout)
        for words in ("contact tip", "without a collision", "-0.8"):
            self.assertIn(words, told[0])
        event = rows(self.path("picus-painleve-rod", "events.csv"))[0]
        self.assertEqual((event["contact"], event["kind"]), ("tip", "jam"))
        self.assertLess(abs(float(event["Lambda_N"]) - 0.3), 1e-3)
        with h5py.File(self.path("picus-painleve-rod", "result.h5")) as f:
            names = [n.decode() if isinstance(n, bytes) else n for n in f["events"].attrs["kind_names"]]
            self.assertEqual(names[f["events"]["kind"][0]], "jam")
        summary = json.loads(self.picus("run", "painleve-rod", "--end", "0.1", "--json").stdout)
        self.assertEqual(summary["impulses_without_collision"], 1)
        first = summary["first_impulse_without_collision"]
        self.assertEqual(first["contact"], "tip")
        self.assertLess(abs(first["coefficient"] + 0.8), 1e-3)
        # below the critical friction there is none
        summary = json.loads(self.picus("run", "painleve-rod", "--set", "mu=1.3", "--end", "0.01", "--json").stdout)
        self.assertEqual(summary["impulses_without_collision"], 0)
        self.assertNotIn("first_impulse_without_collision", summary)

    def test_energy_from_nothing_is_told_with_the_laws_that_do_not_make_it(self):
        text = self.picus("run", "oblique-rod").stdout
        for words in ("energy gain", "contact tip", "by the impact law newton", "--impact poisson (-0.07", "--impact energetic (-0.055"):
            self.assertIn(words, text)
        summary = json.loads(self.picus("run", "oblique-rod", "--json").stdout)
        gain = summary["energy"]["largest_gain"]
        self.assertEqual(summary["energy"]["gain_steps"], 1)
        self.assertEqual(gain["contact"], "tip")
        self.assertLess(abs(gain["t"] - 0.05), 2e-4)
        self.assertLess(abs(gain["energy"] - 0.1125), 2e-4)
        for law, energy in (("newton", 0.1125), ("poisson", -0.07), ("energetic", -0.0552640116769532)):
            self.assertLess(abs(gain["by_law"][law] - energy), 1e-3)
        for law in ("poisson", "energetic", "compliant"):
            summary = json.loads(self.picus("run", "oblique-rod", "--impact", law, "--json").stdout)
            self.assertEqual((summary["impact"], summary["energy"]["gain_steps"]), (law, 0))
            self.assertNotIn("largest_gain", summary["energy"])
            self.assertNotIn("energy gain", self.picus("run", "oblique-rod", "--impact", law).stdout)

    def test_one_by_one(self):
        end = {}
        for arguments in ((), ("--one-by-one",)):
            summary = json.loads(self.picus("run", "billiards", "--end", "0.001", "--json", *arguments).stdout)
            self.assertEqual(summary["one_by_one"], bool(arguments))
            end[summary["one_by_one"]] = summary["end_state"]
        self.assertLess(abs(end[False]["ball4.vx"] - 0.367), 2e-3)  # the row leaves as one
        self.assertLess(abs(end[True]["ball4.vx"] - 0.8145), 2e-3)  # the blow runs through it

    def test_laws_of_a_file_and_of_the_command(self):
        summary = json.loads(self.picus("run", "three-masses", "--end", "0.01", "--json").stdout)
        self.assertEqual(summary["impact"], "compliant")
        self.assertLess(abs(summary["end_state"]["v3"] - 0.980032125629751), 1e-9)
        summary = json.loads(self.picus("run", "three-masses", "--impact", "newton", "--end", "0.01", "--json").stdout)
        self.assertLess(abs(summary["end_state"]["v3"] - 2 / 3), 1e-9)

    def test_every_model_runs_by_every_law(self):
        for model in ("painleve-rod", "painleve-drop", "billiards", "two-balls", "chatterjee-rod-hinged", "angled-rod"):
            for law in ("newton", "poisson", "energetic", "compliant"):
                run = self.picus("run", model, "--impact", law, "--end", "0.6", "--every", "1000")
                self.assertEqual(run.returncode, 0, (model, law, run.stderr))
                if law in ("energetic", "compliant"):
                    self.assertNotIn("energy gain", run.stdout, (model, law))


class Bodies(PicusTest):
    """Mechanisms of bodies and joints, as a user meets them."""

    def test_a_stack_of_boxes_does_not_creep(self):
        result = self.picus("run", "box-stack", "--end", "200", "--every", "100000", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["certified_steps"], 200000)
        first, last = rows(self.path("picus-box-stack", "states.csv"))[0::2]
        for name in first:
            if name != "t":
                self.assertLess(abs(float(first[name]) - float(last[name])), 1e-12, name)

    def test_files_and_names(self):
        result = self.picus("run", "four-bar-clearance", "--end", "0.05", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertLess(summary["worst_drift"], 1e-12)
        reactions = rows(self.path("picus-four-bar-clearance", "reactions.csv"))
        self.assertEqual({row["constraint"] for row in reactions}, {"motor"})
        self.assertEqual(list(reactions[0]), ["t", "constraint", "g", "Lambda", "force"])
        self.assertEqual({row["contact"] for row in rows(self.path("picus-four-bar-clearance", "contacts.csv"))},
                         {"A", "B", "C", "D"})
        self.assertEqual(self.picus("run", "card-house", "--end", "0.01").returncode, 0)
        names = {row["contact"] for row in rows(self.path("picus-card-house", "contacts.csv"))}
        self.assertEqual(len(names), 26)
        self.assertIn("table/left_1:c1", names)
        with h5py.File(self.path("picus-card-house", "result.h5")) as file:
            self.assertEqual(set(file["contacts"].attrs["contact_names"]), names)
        self.assertNotIn("reactions.csv", os.listdir(self.path("picus-card-house")))

    def test_same_bits(self):
        for folder in ("a", "b"):
            self.assertEqual(self.picus("run", "hopper", "--end", "0.4", "--out", folder, "--quiet").returncode, 0)
        for name in ("states.csv", "contacts.csv", "events.csv", "energy.csv"):
            with open(self.path("a", name)) as a, open(self.path("b", name)) as b:
                self.assertEqual(a.read(), b.read(), name)

    def test_contradictions_stop_the_run_by_name_and_keep_what_is_there(self):
        path = self.path("far.yaml")
        with open(path, "w") as file:
            file.write("name: far\nbodies: {b: {mass: 1, inertia: 1, start: {x: 0.6, y: 0.8}}}\njoints:\n"
                       "  - {name: rope, distance: [ground, b], at: [[0, 0], [0, 0]], length: 1}\n"
                       "  - {name: pull, driven: b.x, to: 0.6 + t}\nrun: {dt: 1e-3}\n")
        result = self.picus("run", "far.yaml")
        self.assertEqual(result.returncode, 1)
        self.assertIn("constraints contradict each other: rope, pull", result.stderr)
        self.assertGreater(len(rows(self.path("picus-far", "states.csv"))), 300)

    def test_what_bodies_do_not_do_is_refused(self):
        self.refused("run", "four-bar", "--method", "moreau-jean", says=["moreau-jean", "accepted", "moreau-midpoint"])
        self.refused("run", "four-bar", "--project-drift", says=["project_drift"])
        self.refused("run", "box-stack", "--set", "width=0", says=["width"])


class Help(PicusTest):
    def test_version_help_list_show(self):
        self.assertRegex(self.picus("--version").stdout, r"^picus \d+\.\d+\.\d+\n$")
        for arguments in (["--help"], ["run", "--help"], ["solve", "--help"], ["list", "--help"], ["show", "--help"], ["check", "--help"],
                          ["draw", "--help"], ["ensemble", "--help"]):
            result = self.picus(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage:", result.stdout)
        self.assertIn("woodpecker", self.picus("list").stdout)
        shown = self.picus("show", "woodpecker").stdout
        for text in ("c_phi", "0.0056", "N m/rad", "eN1", "omega_S", "beak", "moreau-midpoint"):
            self.assertIn(text, shown)
        self.assertEqual(self.picus().returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
