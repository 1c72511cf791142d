"""The page of a run: what stands in it is what the files say. Usage: report_test.py PICUS SUITE"""

import base64
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

PICUS = os.path.abspath(sys.argv.pop(1))
MARK = 'id="picus-data">'


def page_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin = text.index(MARK) + len(MARK)
    return json.loads(text[begin:text.index("</script>", begin)]), text


def numbers(series):
    values = np.frombuffer(base64.b64decode(series["b64"]), {"f4": "<f4", "f8": "<f8", "i4": "<i4", "u1": "u1"}[series["type"]])
    assert len(values) == series["n"]
    return values


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="picus-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def picus(self, *arguments, code=0):
        result = subprocess.run([PICUS, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=50)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def run_of(self, *arguments, out="a", code=0):
        self.picus("run", *arguments, "--quiet", "--out", out, code=code)
        return page_of(self.path(out, "report.html"))[0]["runs"][0]

    def refused(self, *arguments, says):
        result = self.picus(*arguments, code=2)
        self.assertEqual(result.stdout, "")
        for text in says:
            self.assertIn(text, result.stderr.splitlines()[0])


class Page(ReportTest):
    def test_rows_are_those_of_the_files(self):
        run = self.run_of("slider-crank", "--end", "0.02", "--set", "eN=0.3")
        self.assertIsNone(run["thinned"])
        files = {"coordinate": "states", "velocity": "states", "output": "outputs", "energy": "energy"}
        t = numbers(run["t"])
        for column in run["columns"]:
            self.assertEqual(column["data"]["n"], len(t))
            if column["group"] in files:
                rows = table(self.path("a", files[column["group"]] + ".csv"))
                self.assertEqual(list(t), [float(r["t"]) for r in rows])
                expected = np.array([float(r[column["name"]]) for r in rows], np.float32)
                np.testing.assert_array_equal(numbers(column["data"]), expected, column["name"])
        self.assertEqual([c["name"] for c in run["columns"] if c["group"] == "coordinate"], ["theta_1", "theta_2", "theta_3"])
        self.assertEqual({c["name"]: c["unit"] for c in run["columns"]}["omega_1"], "rad/s")
        events = table(self.path("a", "events.csv"))
        self.assertEqual(list(numbers(run["events"]["t"])), [float(e["t"]) for e in events])
        self.assertEqual([run["eventKinds"][k] for k in numbers(run["events"]["kind"])], [e["kind"] for e in events])
        self.assertEqual([run["contacts"][c]["name"] for c in numbers(run["events"]["contact"])], [e["contact"] for e in events])
        contacts = table(self.path("a", "contacts.csv"))
        self.assertEqual([t[r] for r in numbers(run["contactRows"]["row"])], [float(c["t"]) for c in contacts])
        for key, name in (("gap", "gap"), ("gammaN", "gamma_N"), ("gammaT", "gamma_T"), ("lambdaN", "Lambda_N"), ("lambdaT", "Lambda_T")):
            expected = np.array([float(c[name]) for c in contacts], np.float32)
            np.testing.assert_array_equal(numbers(run["contactRows"][key]), expected, name)
        changed = {p["name"]: p["value"] for p in run["parameters"] if p["changed"]}
        self.assertEqual(changed, {f"eN{i}": 0.3 for i in (1, 2, 3, 4)})
        self.assertEqual(run["command"], "picus run slider-crank --set eN=0.3 --end 0.02")
        self.assertGreater(len(run["equations"]), 3)
        self.assertTrue(all(e.startswith("\\begin{aligned}") and e.endswith("\\end{aligned}") for e in run["equations"]))

    def test_bands_are_the_states_of_the_contacts(self):
        run = self.run_of("woodpecker", "--end", "0.3")
        contacts = table(self.path("a", "contacts.csv"))
        dt = run["dt"]
        self.assertEqual([b["contact"] for b in run["bands"]], [0, 1, 2])
        for band in run["bands"]:
            begin, end, state = numbers(band["from"]), numbers(band["to"]), numbers(band["state"])
            self.assertEqual((begin[0], end[-1]), (0, numbers(run["t"])[-1]))
            np.testing.assert_array_equal(begin[1:], end[:-1])
            self.assertTrue(all(state[1:] != state[:-1]))
            of = [c for c in contacts if c["contact"] == str(band["contact"] + 1) and float(c["t"]) > 0]
            for c in of:
                k = np.searchsorted(end, float(c["t"]) - 0.5 * dt)
                self.assertEqual(["open", "stick", "slip"][state[k]], c["status"], c)
            closed = sum(e - b for b, e, s in zip(begin, end, state) if s)
            self.assertAlmostEqual(closed, dt * sum(c["status"] != "open" for c in of), delta=1e-9)

    def test_contacts_are_seen_where_bodies_touch(self):
        run = self.run_of("billiards", "--end", "0.5")
        q = {c["name"]: numbers(c["data"]) for c in run["columns"]}
        rows, contact = numbers(run["contactRows"]["row"]), numbers(run["contactRows"]["contact"])
        place = numbers(run["contactRows"]["place"]).reshape(-1, 2)
        normal = numbers(run["contactRows"]["normal"]).reshape(-1, 2)
        self.assertGreater(len(rows), 100)
        self.assertFalse(np.isnan(place).any())
        with open(self.path("a", "summary.json")) as file:
            r = json.load(file)["parameters"]["r"]
        between = 0
        for k in range(len(rows)):
            a, b = run["contacts"][contact[k]]["name"].split("/")
            at = lambda body: np.array([q[body + ".x"][rows[k]], q[body + ".y"][rows[k]]])
            np.testing.assert_allclose(place[k], at(b) - r * normal[k], atol=1e-4 * r + 1e-6)
            if a.startswith("ball"):
                between += 1
                np.testing.assert_allclose(normal[k], (at(b) - at(a)) / np.linalg.norm(at(b) - at(a)), atol=1e-3)
            else:
                np.testing.assert_allclose(normal[k], [0, 1], atol=1e-6)
        self.assertGreater(between, 0)
        self.assertEqual(run["contacts"][0]["turn"], -1)
        scene = run["scene"]
        self.assertEqual([f["columns"] for f in scene["frames"] if "columns" in f][0], ["ball0.x", "ball0.y", "ball0.phi"])
        self.assertLess(scene["box"][0], q["ball0.x"].min() - 0.9 * r)

    def test_in_space(self):
        run = self.run_of("sphere-in-groove", "--end", "1")
        q = {c["name"]: numbers(c["data"]) for c in run["columns"]}
        rows = numbers(run["contactRows"]["row"])
        shape = (len(rows), 3)
        place, normal, tangent = (numbers(run["contactRows"][k]).reshape(shape) for k in ("place", "normal", "tangent"))
        r = next(s for s in run["scene"]["shapes"] if "columns" in run["scene"]["frames"][s["frame"]])["numbers"][3]
        centre = np.stack([q[c][rows] for c in "xyz"], axis=1)
        np.testing.assert_allclose(place, centre - r * normal, atol=1e-5)
        np.testing.assert_allclose(np.sum(normal * tangent, axis=1), 0, atol=1e-5)
        np.testing.assert_allclose(np.linalg.norm(tangent, axis=1), 1, atol=1e-5)
        self.assertEqual(run["scene"]["dimension"], 3)
        self.assertEqual(sorted(s["kind"] for s in run["scene"]["shapes"]), ["sphere"] * 3)
        # A body without a shape is seen as the box with its moments.
        box = self.run_of("tumbling-body", "--end", "0.1")["scene"]["shapes"]
        self.assertEqual([s["kind"] for s in box], ["box"])

    def test_friction_is_a_share_of_what_its_set_allows(self):
        # Torsion alone is at its bound: friction along t and o is none.
        run = self.run_of("spinning-sphere")
        rows = run["contactRows"]
        share, state = numbers(rows["share"]), numbers(rows["state"])
        N, T, O, R = (numbers(rows["lambda" + k]).astype(float) for k in "NTOR")
        gauge = np.sqrt(T**2 + O**2 + (R / 0.4)**2) / (0.2 * N)
        np.testing.assert_allclose(share, gauge, rtol=1e-5, atol=1e-12)
        self.assertGreater(np.sum(state == 2), 10)
        np.testing.assert_allclose(share[state == 2], 1, rtol=1e-6)
        self.assertLess(np.hypot(T, O)[state == 2].max(), 1e-12 * N.max())
        self.assertEqual(run["contacts"][0]["set"], 0)
        self.assertAlmostEqual(run["frictionSets"][0]["torsion"], 0.4, 12)
        # Sliding and torsion together, an ellipse, and a polytope in the place of the set.
        for model in (["sphere-in-groove"], ["sphere-in-groove", "--method", "stewart-trinkle"],
                      ["sliding-sphere", "--set", "e_o=0.5"]):
            run = self.run_of(*model)
            share, state = (numbers(run["contactRows"][k]) for k in ("share", "state"))
            self.assertGreater(np.sum(state == 2), 0)
            np.testing.assert_allclose(share[state == 2], 1, rtol=1e-6)
            self.assertLess(np.nanmax(share[state == 1]), 1 + 1e-6)
        outline = np.array(run["frictionSets"][0]["outline"]).reshape(-1, 2)
        np.testing.assert_allclose(outline.max(axis=0), [1, 0.5], atol=1e-4)
        # In the plane.
        run = self.run_of("brick-stick-slip", "--end", "0.5")
        share, state = (numbers(run["contactRows"][k]) for k in ("share", "state"))
        np.testing.assert_allclose(share[(state == 2) & ~np.isnan(share)], 1, rtol=1e-6)
        self.assertNotIn("frictionSets", run)

    def test_equations_that_have_no_room_are_counted(self):
        run = self.run_of("hopper", "--end", "0.002")
        self.assertEqual(len(run["equations"]), 41)
        self.assertRegex(run["equations"][-1], r"further blocks of equations: picus check --latex prints all")

    def test_events_are_seen_at_their_own_states(self):
        run = self.run_of("double-pendulum", "--method", "event-driven", "--end", "0.3", "--dt", "0.02")
        place = numbers(run["events"]["place"]).reshape(-1, 2)
        states = table(self.path("a", "event_states.csv"))
        l, h = (next(p["value"] for p in run["parameters"] if p["name"] == name) for name in ("l", "h"))
        self.assertEqual(len(place), len(states))
        for (x, y), s in zip(place, states):
            a, b = float(s["phi1"]), float(s["phi2"])
            self.assertAlmostEqual(x, l * (np.sin(a) + np.sin(b)), delta=1e-6)
            self.assertAlmostEqual(y, h - l * (np.cos(a) + np.cos(b)), delta=1e-6)
        # A page with few rows has its flashes where those of the whole page are.
        self.picus("run", "billiards", "--end", "1", "--quiet", "--out", "b")
        full = page_of(self.path("b", "report.html"))[0]["runs"][0]["events"]
        self.picus("report", "b", "--rows", "20", "--out", "few.html")
        few = page_of(self.path("few.html"))[0]["runs"][0]["events"]
        np.testing.assert_array_equal(numbers(few["place"]), numbers(full["place"]))

    def test_friction_sets_are_drawn_of_plain_friction_only(self):
        with open(self.path("m.yaml"), "w") as file:
            file.write("name: m\ncoordinates: {x: {velocity: v, start: 0}, y: {velocity: w, start: 0}}\n"
                       "kinetic: v^2 + w^2\npotential: y\ncontacts:\n"
                       "  - {gap: y, tangent: x, mu: 0.3}\n  - {gap: y + 1, tangent: x, mu: 0.3, mu_static: 0.5}\n"
                       '  - {gap: y + 1, tangent: x, mu: "0.2 + 0.1*sin(t)"}\n  - {gap: y + 1, tangent: x, mu: 0.3, friction_force: 1}\n'
                       "  - {gap: y + 1, tangent: x, mu: 0.3, mu_inf: 0.1, v_s: 1}\n  - {gap: y + 1}\n")
        run = self.run_of("m.yaml", "--end", "0.01")
        self.assertEqual([c["mu"] for c in run["contacts"]], [0.3, None, None, None, None, None])

    def test_drawings_of_formulas_move(self):
        run = self.run_of("woodpecker", "--end", "0.1")
        q = {c["name"]: numbers(c["data"]) for c in run["columns"]}
        rows = run["t"]["n"]
        kinds = [s["kind"] for s in run["scene"]["shapes"]]
        self.assertEqual(kinds[:3], ["polygon", "polygon", "spring"])
        self.assertIn("numbers", run["scene"]["shapes"][0])  # the pole
        sleeve = numbers(run["scene"]["shapes"][1]["motion"]).reshape(rows, 8)
        np.testing.assert_allclose(sleeve[:, 1], q["y"] - 0.0058, atol=1e-6)
        np.testing.assert_allclose(sleeve[:, 0], -0.0031 + 0.0058 * q["phi_M"], atol=1e-6)
        self.assertEqual(run["figures"][4]["lines"], [{"x": "phi_S", "y": "omega_S", "label": "omega_S"}])

    def test_long_runs_are_thinned_and_say_so(self):
        run = self.run_of("woodpecker")
        self.assertLess(os.path.getsize(self.path("a", "report.html")), 5e6)
        t = numbers(run["t"])
        self.assertEqual(run["thinned"]["rows"], 20001)
        self.assertEqual(run["thinned"]["kept"], len(t))
        self.assertIn("20001", run["thinned"]["note"])
        self.assertLess(len(t), 20001)
        self.assertGreater(len(t), 5000)
        states = {float(r["t"]): r for r in table(self.path("a", "states.csv"))}
        omega = numbers(next(c for c in run["columns"] if c["name"] == "omega_S")["data"])
        self.assertTrue(all(np.float32(float(states[x]["omega_S"])) == w for x, w in zip(t, omega)))
        kept = set(t)
        self.assertTrue(all(float(e["t"]) in kept for e in table(self.path("a", "events.csv"))))
        contacts = [c for c in table(self.path("a", "contacts.csv")) if float(c["t"]) in kept]
        self.assertEqual([t[r] for r in numbers(run["contactRows"]["row"])], [float(c["t"]) for c in contacts])
        # One cycle, to loop over.
        self.assertAlmostEqual(run["period"]["to"] - run["period"]["from"], 0.1465, delta=0.001)
        # Every row, where they are asked for; result.h5 has lost nothing.
        self.picus("report", "a", "--rows", "20001", "--out", "all.html")
        self.assertEqual(page_of(self.path("all.html"))[0]["runs"][0]["t"]["n"], 20001)
        with h5py.File(self.path("a", "result.h5")) as file:
            self.assertEqual(file["states"].shape, (20001,))

    def test_the_page_says_what_the_command_says(self):
        for arguments, label in ((["oblique-rod"], "energy gain"), (["painleve-rod", "--end", "0.01"], "jam")):
            said = self.picus("run", *arguments, "--out", "a").stdout.splitlines()
            first = next(i for i, line in enumerate(said) if line.strip().startswith(label))
            lines = [said[first].split(label)[1].strip()]
            for line in said[first + 1:]:
                if not line.startswith(" " * 17):
                    break
                lines.append(line.strip())
            worries = page_of(self.path("a", "report.html"))[0]["runs"][0]["worries"]
            self.assertIn("; ".join(lines), [w["text"] for w in worries])

    def test_what_to_worry_about_is_said(self):
        self.picus("run", "painleve-rod", "--solver", "gauss-seidel", "--end", "0.1", "--quiet", "--out", "a")
        run = page_of(self.path("a", "report.html"))[0]["runs"][0]
        self.assertTrue(any("without a collision" in w["text"] for w in run["worries"]), run["worries"])
        self.assertTrue(any("overlap of 8.8e-07" in w["text"] for w in self.run_of("woodpecker", "--end", "0.1")["worries"]))


class File(ReportTest):
    def test_is_self_contained_and_repeatable(self):
        self.picus("run", "bouncing-ball", "--quiet", "--out", "a")
        self.picus("run", "bouncing-ball", "--quiet", "--out", "b")
        _, text = page_of(self.path("a", "report.html"))
        self.assertEqual(text, page_of(self.path("b", "report.html"))[1])
        self.assertNotIn("__PICUS_DATA__", text)
        # Nothing is fetched: no addresses in attributes or style sheets.
        head = re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.S)
        self.assertEqual(re.findall(r"(?:src|href)\s*=\s*[\"']?(?!data:|#)[^\"'> ]+", head), [])
        self.assertEqual(re.findall(r"url\((?!\s*[\"']?data:)[^)]*\)", head), [])

    def test_text_of_users_stays_text(self):
        with open(self.path("m.yaml"), "w") as file:
            file.write('name: m\ntitle: "</script><script>alert(1)</script> & <b>"\nnotes: "\\u2028 ä"\n'
                       "coordinates: {x: {velocity: v}}\nkinetic: v^2/2\nforces: {x: 1}\n")
        run = self.run_of("./m.yaml", "--end", "0.01", "--set", "x=0.1", out="it's here")
        self.assertEqual(run["model"]["title"], "</script><script>alert(1)</script> & <b>")
        self.assertEqual(run["model"]["description"], "\u2028 ä")
        self.assertEqual(run["command"], "picus run ./m.yaml --set x=0.1 --end 0.01")
        self.assertIsNone(run["scene"])

    def test_the_command_makes_the_run_again(self):
        for given in (["woodpecker", "--set", "eN=0.35", "--set", "mu2=0.1", "--set", "phi_S=-0.27", "--dt", "2e-4", "--end", "0.1", "--every", "3",
                       "--method", "moreau-jean", "--theta", "0.7", "--solver", "lemke", "--active-gap", "1e-9", "--tolerance", "1e-7"],
                      ["slider-crank", "--project-drift", "--impact-at-start", "--end", "0.01", "--impact", "poisson"],
                      ["three-masses", "--one-by-one", "--impact", "newton", "--end", "0.5"],
                      ["sliding-sphere", "--method", "stewart-trinkle", "--velocity-form", "--set", "mu=0.3"],
                      ["brick-on-ramp", "--method", "event-driven", "--smooth-tolerance", "1e-10", "--theory", "--end", "0.2", "--set", "v=-1"]):
            command = self.run_of(*given, out="a")["command"]
            self.assertTrue(command.startswith("picus run " + given[0]))
            again = self.run_of(*command.split()[2:], out="b")
            self.assertEqual(again["command"], command)
            for name in os.listdir(self.path("a")):
                if name.endswith(".csv"):
                    with open(self.path("a", name)) as one, open(self.path("b", name)) as other:
                        self.assertEqual(one.read(), other.read(), f"{name} of {command}")

    def test_options_and_folders_in_any_order(self):
        for e in ("0.2", "0.9"):
            self.picus("run", "--set", f"eN={e}", "bouncing-ball", "--end", "0.1", "--quiet", "--out", "e" + e)
        for given in (["--label", "low", "e0.2", "--label", "high", "e0.9"], ["e0.2", "e0.9", "--label", "low", "--label=high"],
                      ["--label=low", "--label", "high", "e0.2", "e0.9"]):
            self.picus("report", *given, "--out", "p.html")
            self.assertEqual([r["label"] for r in page_of(self.path("p.html"))[0]["runs"]], ["low", "high"])

    def test_no_report(self):
        self.picus("run", "bouncing-ball", "--end", "0.1", "--quiet", "--out", "a")
        self.picus("run", "bouncing-ball", "--end", "0.1", "--no-report", "--quiet", "--out", "a")
        self.assertNotIn("report.html", os.listdir(self.path("a")))
        result = self.picus("report", "a")
        self.assertEqual(result.stdout, os.path.join("a", "report.html") + "\n")
        self.assertIn("report.html", os.listdir(self.path("a")))

    def test_several_runs_on_one_page(self):
        for e in ("0.1", "0.9"):
            self.picus("run", "slider-crank", "--set", f"eN={e}", "--end", "0.01", "--quiet", "--out", "e" + e)
        self.picus("run", "slider-crank", "--set", "eN=0.9", "--end", "0.01", "--method", "moreau-jean", "--quiet", "--out", "j")
        self.assertEqual(self.picus("report", "e0.1", "e0.9").stdout, "report.html\n")
        page, _ = page_of(self.path("report.html"))
        self.assertEqual([r["label"] for r in page["runs"]], ["eN = 0.1", "eN = 0.9"])
        self.picus("report", "e0.9", "j", "--out", "two.html", "--title", "Two methods")
        page, _ = page_of(self.path("two.html"))
        self.assertEqual(page["title"], "Two methods")
        self.assertEqual([r["label"] for r in page["runs"]], ["moreau-midpoint", "moreau-jean"])
        self.picus("report", "j", "j/", "--label", "one", "--label", "two", "--out", "same.html")
        self.assertEqual([r["label"] for r in page_of(self.path("same.html"))[0]["runs"]], ["one", "two"])
        self.picus("report", "j", "e0.9", "e0.9", "--out", "three.html")
        labels = [r["label"] for r in page_of(self.path("three.html"))[0]["runs"]]
        self.assertEqual(labels[0], "moreau-jean (j)")

    def test_runs_whose_parameters_differ_by_name(self):
        for name, more in (("a", "b: 2"), ("c", "d: 3")):
            with open(self.path(name + ".yaml"), "w") as file:
                file.write(f"name: m\nparameters: {{k: 1, {more}}}\ncoordinates: {{x: {{velocity: v}}}}\nkinetic: k*v^2 + 0*{more[0]}*v^2\n")
            self.picus("run", name + ".yaml", "--end", "0.01", "--quiet", "--out", name)
        self.picus("report", "a", "c", "--out", "p.html")
        self.assertEqual([r["label"] for r in page_of(self.path("p.html"))[0]["runs"]], ["b = 2", "d = 3"])
        self.picus("report", "a", "a/", "./a", "--out", "p.html")
        self.assertEqual([r["label"] for r in page_of(self.path("p.html"))[0]["runs"]], ["a #1", "a #2", "a #3"])

    def test_many_bodies(self):
        """More columns than a record of HDF5 has room for."""
        with open(self.path("many.yaml"), "w") as file:
            file.write("name: many\ngravity: [0, -9.81]\nbodies:\n  floor: {fixed: true, shapes: [half_plane: {}]}\n"
                       '  "b{i}": {for: i in 1..200, mass: 1, shapes: [circle: {radius: 0.1}], start: {x: i, y: 0.1}}\n'
                       "collisions: [{between: [floor, all], mu: 0.3}]\n")
        run = self.run_of("many.yaml", "--dt", "1e-3", "--end", "0.02")
        columns = {c["name"]: numbers(c["data"]) for c in run["columns"]}
        self.assertEqual(len([n for n in columns if "." in n]), 1200)
        states = table(self.path("a", "states.csv"))
        np.testing.assert_array_equal(columns["b200.x"], np.array([float(r["b200.x"]) for r in states], np.float32))
        with h5py.File(self.path("a", "result.h5")) as file:
            names = [n.decode() for n in file["states_columns"][:]]
            self.assertEqual(names, list(states[0]))
            self.assertEqual(file["states_units"][names.index("b7.omega")], b"rad/s")
            np.testing.assert_array_equal(file["states"][:, names.index("b7.vx")], [float(r["b7.vx"]) for r in states])

    def test_a_page_that_cannot_be_written_takes_nothing_with_it(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000000, 1000000))
        result = subprocess.run([PICUS, "run", "woodpecker", "--end", "0.01", "--out", "a"], cwd=self.folder, capture_output=True, text=True,
                                timeout=50, preexec_fn=small_files)
        self.assertEqual(result.returncode, 3)
        self.assertIn("report.html", result.stderr)
        self.assertIn("all 100 steps certified", result.stdout)
        self.assertNotIn("report.html", result.stdout)
        self.assertEqual([n for n in os.listdir(self.path("a")) if n.startswith("report")], [])
        with open(self.path("a", "summary.json")) as file:
            self.assertEqual(json.load(file)["status"], "done")

    def test_damaged_folders(self):
        self.picus("run", "woodpecker", "--end", "0.02", "--quiet", "--out", "a")
        with open(self.path("a", "summary.json")) as file:
            summary = json.load(file)

        def damaged(says, change_file=None, **values):
            shutil.rmtree(self.path("d"), ignore_errors=True)
            shutil.copytree(self.path("a"), self.path("d"))
            with open(self.path("d", "summary.json"), "w") as file:
                json.dump({**summary, **values}, file)
            if change_file:
                with h5py.File(self.path("d", "result.h5"), "a") as file:
                    change_file(file)
            self.refused("report", "d", says=[says])

        for values in ({"model": 3}, {"parameters": [1]}, {"dt": "x"}, {"dt": None}, {"command": 4}, {"cycles": {"period": {}}}, {"cycles": {"period": 3}}):
            damaged("summary.json", **values)

        def replace(name, data):
            def change(file):
                del file[name]
                file.create_dataset(name, data=data)
            return change
        reals = lambda *names: np.zeros(3, [(n, "f8") for n in names])
        for name in ("states", "contacts", "events", "energy", "certificate"):
            damaged("result.h5", replace(name, reals("t", "x")))
            damaged("result.h5", replace(name, np.zeros(3)))
        def many_rows(file):
            del file["events"]
            kind = np.dtype([("t", "f8"), ("contact", "i4"), ("kind", "i4"), ("Lambda_N", "f8")])
            file.create_dataset("events", shape=(10 ** 12,), dtype=kind, chunks=(2048,), compression=4)
        damaged("damaged", many_rows)
        def endless_states(file):
            values = file["states"][:]
            values["t"] = np.nan
            file["states"][:] = values
        damaged("times", endless_states)
        # Numbers of contacts and kinds that are none are left out.
        shutil.copytree(self.path("a"), self.path("odd"))
        with h5py.File(self.path("odd", "result.h5"), "a") as file:
            for name, column in (("events", "contact"), ("contacts", "contact"), ("contacts", "status"), ("events", "kind")):
                values = file[name][:]
                values[column][:5] = 2000000000
                file[name][:] = values
        self.picus("report", "odd")
        with open(self.path("d", "summary.json"), "w") as file:
            file.write("[" * 500000)
        self.refused("report", "d", says=["summary.json"])
        os.remove(self.path("d", "summary.json"))
        os.mkfifo(self.path("d", "summary.json"))
        self.refused("report", "d", says=["summary.json"])

    def test_ensembles_have_a_page_of_their_representatives(self):
        self.picus("ensemble", "slider-crank", "--runs", "6", "--perturb", "1e-6", "--end", "0.06", "--quiet", "--out", "e")
        page, _ = page_of(self.path("e", "report.html"))
        with open(self.path("e", "ensemble.json")) as file:
            futures = json.load(file)["futures"]
        self.assertGreater(len(page["runs"]), 1)
        self.assertTrue(page["runs"][0]["label"].startswith("future 1, "), page["runs"][0]["label"])
        self.assertIn("report.html", os.listdir(self.path("e", "future-1")))
        self.assertLess(os.path.getsize(self.path("e", "report.html")), 5e6)
        self.assertTrue(futures)

    def test_mistakes(self):
        self.refused("report", "nothing", says=["'nothing'", "accepted", "folder"])
        os.mkdir(self.path("empty"))
        self.refused("report", "empty", says=["'empty'", "summary.json"])
        self.picus("run", "bouncing-ball", "--end", "0.1", "--quiet", "--out", "a")
        self.refused("report", "a", "--rows", "1", says=["--rows", "'1'", "whole number"])
        self.refused("report", "a", "--rows", "many", says=["--rows", "many"])
        self.refused("report", "a", "--label", "x", "--label", "y", says=["--label", "2 times", "folders are 1"])
        result = self.picus("report", "a", "--out", "no/where.html", code=3)
        self.assertIn("no/where.html", result.stderr)
        shutil.copytree(self.path("a"), self.path("cut"))
        with open(self.path("cut", "result.h5"), "r+b") as file:
            file.truncate(3000)
        self.refused("report", "cut", says=["result.h5"])
        shutil.copytree(self.path("a"), self.path("old"))
        with h5py.File(self.path("old", "result.h5"), "a") as file:
            del file["model_file"]
        self.refused("report", "old", says=["result.h5", "run the model again"])
        with open(self.path("old", "summary.json"), "w") as file:
            file.write("[1, 2")
        self.refused("report", "old", says=["summary.json"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
