"""Runs of the catalogue, cut down to numbers that can be kept and compared. README.md tells what they mean."""

import csv
import functools
import json
import math
import os
import re
import shutil
import subprocess

METHODS = ("moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang", "event-driven")
LAWS = ("newton", "poisson", "energetic", "compliant", "newton --one-by-one", "poisson --one-by-one",
        "energetic --one-by-one", "compliant --one-by-one")
SOLVERS = ("auto", "enumerate", "lemke", "gauss-seidel", "newton", "prox")
EXTRAS = ("--method moreau-jean --theta 1", "--method stewart-trinkle --velocity-form", "--method stewart-trinkle --active-gap 1e-6",
          "--project-drift", "--impact-at-start", "--solutions all")
SWEEPING = ("gauss-seidel", "prox")  # they end by their tolerance, not with a solution

MOST_COLUMNS, MOST_EVENTS, MOST_CONTACTS = 24, 20, 6


def variants(own, accepted):
    """(options, whether the program takes them) of the combinations: each law with each solver of the model's own method, and
    of the other methods each law and each solver (event-driven has its own). `own`: method, law and solver of the model, which are not said again. What
    a method or a law refuses alone it is not asked again together with others."""
    laws = [f"--impact {law}" for law in LAWS if law != own["impact"]]
    solvers = [f"--solver {solver}" for solver in SOLVERS if solver != own["solver"]]

    def tried(alone, others):
        taken = accepted(alone)
        yield alone, taken
        for other in others if taken else ():
            both = f"{alone} {other}".strip()
            yield both, accepted(both)

    yield from tried("", solvers)
    for law in laws:
        yield from tried(law, solvers)
    for method in METHODS:
        if method != own["method"]:
            yield from tried(f"--method {method}", laws if method == "event-driven" else laws + solvers)
    for extra in EXTRAS:
        yield extra, accepted(extra)


def tolerance(options, entry=None):
    """Of a number, relative to the scale of its column. `entry`: a recording that may have its own."""
    own = 1e-6 if any(f"--solver {solver}" in options for solver in SWEEPING) else 1e-8
    return max(own, (entry or {}).get("tolerance", 0))


class Picus:
    """The command, and folders for its files."""

    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder

    def __call__(self, *arguments, timeout=None):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True, check=False, timeout=timeout)

    def run(self, model, options, *more, folder="run", timeout=None):
        """What a run did, or nothing if it was refused."""
        out = os.path.join(self.folder, folder)
        shutil.rmtree(out, ignore_errors=True)
        done = self("run", model, *options.split(), *more, "--check-dt", "never", "--no-report", "--quiet", "--out", out, timeout=timeout)
        if done.returncode == 2:
            return None
        if not os.path.exists(os.path.join(out, "summary.json")):
            raise RuntimeError(f"picus run {model} {options}: exit code {done.returncode}, no files: {done.stderr}")
        return Observed(out, done.returncode, self.units(model))

    @functools.lru_cache(maxsize=None)
    def units(self, model):
        """Of coordinates and velocities."""
        lines = self("show", model).stdout.split("Coordinates and velocities:\n")[1].split("\n\n")[0].splitlines()
        return {line.split()[0]: line.split()[1] for line in lines}


def catalogue(picus, models):
    """{name: what the command is given}: all models, and beside those that are compiled in the model files of the same name."""
    names = [line.split()[0] for line in picus("list").stdout.splitlines() if line and not line.startswith(" ")]
    found = {name: name for name in names}
    for name in ("woodpecker", "slider-crank"):
        found[name + ".yaml"] = os.path.join(models, name + ".yaml")
    return found


class Table:
    """Rows of a table: first `texts` texts, then numbers, each with a scale that measures its error."""

    def __init__(self, columns, texts, rows, scales):
        self.columns, self.texts, self.rows, self.scales = columns, texts, rows, scales


def csv_table(folder, name):
    """(columns, rows of texts)"""
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        return [], []
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    return lines[0], lines[1:]


def largest(rows, column):
    return max((abs(row[column]) for row in rows if math.isfinite(row[column])), default=0.0)


def shortened(columns, rows, scales):
    """Some columns of many, and two sums over all of them, with weights that miss none."""
    if len(columns) <= MOST_COLUMNS:
        return columns, rows, scales
    half = next(i for i, c in enumerate(columns) if re.match(r"(v|omega|w[xyz])", c.split(".")[-1]))
    kept = [0] + sorted({round(k * (len(columns) - 1) / 11) for k in range(1, 11)})
    parts = [range(1, half), range(half, len(columns))]
    return ([columns[i] for i in kept] + ["sum_of_coordinates", "sum_of_velocities"],
            [[row[i] for i in kept] + [sum(math.cos(i) * row[i] for i in part) for part in parts] for row in rows],
            [scales[i] for i in kept] + [math.sqrt(sum(scales[i] ** 2 for i in part)) for part in parts])


class Observed:
    """What a run did: what has to be the same exactly, numbers, bounds, tables."""

    def __init__(self, folder, code, units):
        with open(os.path.join(folder, "summary.json")) as file:
            s = json.load(file)
        self.dt, self.end, self.steps, self.every = s["dt"], s["end"], s["steps"], s["every"]
        self.tables = {}
        self.of_motion(folder, units)
        self.of_contacts(folder)
        counts = {}
        for row in self.tables["events"].rows:
            counts[row[1]] = counts.get(row[1], 0) + 1
        cycles = s.get("cycles", {})
        self.exact = {
            "exit": code, "status": s["status"], "warnings": len(s["warnings"]),
            "diagnostics": [f'{d["severity"]} {d["code"]}' for d in s["diagnostics"] if d["severity"] != "info" and d["code"] != "start"],
            **{key: s[key] for key in ("steps", "certified_steps", "contact_steps", "projected_steps", "impulses_without_collision",
                                       "multiple_solution_steps", "uniqueness_examined_steps")},
            "gain_steps": s["energy"]["gain_steps"], "events": counts,
            **({"cycles": {k: v for k, v in cycles.items() if isinstance(v, (int, str))}} if cycles else {}),
        }
        m, ms = self.scale_of["m"], max(self.scale_of["m/s"], 1e-6)
        self.numbers = {"worst_penetration": (s["worst_penetration"], max(m, abs(s["worst_penetration"])))}
        for name, value in cycles.items():
            for part, x in flat(value):
                if isinstance(x, float):
                    self.numbers[f"cycles {name} {part}".strip()] = (x, max(abs(x), 1e-3 * m))
        # a residual is a velocity, a drift a length
        self.bounds = {"worst_residual": (s["worst_residual"], 1e-14 * ms)}
        if "worst_drift" in s:
            self.bounds["worst_drift"] = (s["worst_drift"], 1e-13 * max(m, 1e-3))

    def of_motion(self, folder, units):
        columns, rows = csv_table(folder, "states")
        rows = [[float(x) for x in row] for row in rows]
        v = max(10 * self.dt, 1e-4)  # what gravity does in a step
        least = {"m": v * self.end, "rad": v * self.end, "m/s": v, "rad/s": v, "1": 1}
        self.scale_of = dict(least)
        for i, c in enumerate(columns[1:], 1):
            self.scale_of[units[c]] = max(self.scale_of.get(units[c], 1e-12), largest(rows, i))
        self.tables["states"] = Table(*(lambda c, r, s: (c, 0, r, s))(
            *shortened(columns, rows, [self.end] + [self.scale_of[units[c]] for c in columns[1:]])))
        columns, rows = csv_table(folder, "energy")
        rows = [[float(x) for x in row] for row in rows]
        scale = max([1e-15] + [largest(rows, i) for i in range(1, len(columns))])
        self.tables["energy"] = Table(columns, 0, rows, [self.end] + [scale] * (len(columns) - 1))

    def of_contacts(self, folder):
        """Events; contacts and reactions of the last row that has some."""
        rows = [[row[1], row[2], float(row[0]), float(row[3])] for row in csv_table(folder, "events")[1]]
        columns, contacts = csv_table(folder, "contacts")
        impulses = [float(x) for row in contacts for c, x in zip(columns, row) if c.startswith("Lambda")]
        impulse = max([1e-12] + [abs(x) for x in impulses + [row[3] for row in rows] if math.isfinite(x)])
        self.tables["events"] = Table(["contact", "kind", "t", "Lambda_N"], 2, rows, [0, 0, self.end, impulse])
        gaps = [abs(float(row[2])) for row in contacts if row[2] != "nan"]
        scales = {"t": self.end, "gap": max(gaps + [self.scale_of["m"]]), "gamma": max(self.scale_of["m/s"], self.scale_of["rad/s"]), "Lambda": impulse}
        last = [row for row in contacts if row[0] == contacts[-1][0]][:MOST_CONTACTS]
        columns = [columns[1], columns[-1], columns[0], *columns[2:-1]]
        self.tables["contacts"] = Table(columns, 2, [[r[1], r[-1], *map(float, [r[0], *r[2:-1]])] for r in last],
                                        [0, 0] + [scales[c.split("_")[0]] for c in columns[2:]])
        columns, reactions = csv_table(folder, "reactions")
        impulse = max([1e-12] + [abs(float(row[3])) for row in reactions])
        last = [row for row in reactions if row[0] == reactions[-1][0]][:MOST_CONTACTS]
        self.tables["reactions"] = Table(["constraint", "t", "g", "Lambda", "force"], 1, [[r[1], *map(float, [r[0], *r[2:]])] for r in last],
                                         [0, self.end, max(self.scale_of["m"], self.scale_of["rad"]), impulse, impulse / self.dt])


def flat(value, name=""):
    """(path, number) of what is nested."""
    if not isinstance(value, dict):
        yield name, value
        return
    for key, part in value.items():
        yield from flat(part, f"{name} {key}".strip())


class Recorded:
    """What is kept of a run: the same as of `Observed`, rounded, as it stands in the file."""

    def __init__(self, entry, columns):
        self.exact, self.bounds, self.numbers = entry["exact"], entry["bounds"], {k: tuple(v) for k, v in entry["numbers"].items()}
        self.events_until = entry["events_until"]
        self.tables = {}
        for name, table in entry["tables"].items():
            self.tables[name] = Table(columns[name], sum(s == 0 for s in table["scales"]), table["rows"], table["scales"])


def rounded(x, scale, relative):
    """x without what is far below its tolerance."""
    if not math.isfinite(x):
        return str(x)
    digits = -math.floor(math.log10(relative * scale)) + 1
    return float(f"{round(x, digits):.15g}") + 0.0


def entry_of(seen, relative, events_until, left_out):
    """The recording of a run. `left_out`: names of what is not predictable."""
    tables = {}
    for name, t in seen.tables.items():
        rows = t.rows[:MOST_EVENTS] if name == "events" else t.rows
        rows = [row for row in rows if name != "events" or row[2] <= events_until]
        if rows and name not in left_out:
            tables[name] = {"scales": [float(f"{s:.3g}") for s in t.scales],
                            "rows": [row[:t.texts] + [rounded(x, s, relative) for x, s in zip(row[t.texts:], t.scales[t.texts:])] for row in rows]}
    return {
        "exact": {k: v for k, v in seen.exact.items() if k not in left_out},
        "bounds": {k: float(f"{max(x, least):.1e}") for k, (x, least) in seen.bounds.items() if k not in left_out},
        "numbers": {k: [rounded(x, s, relative), float(f"{s:.3g}")] for k, (x, s) in seen.numbers.items() if s > 0 and k not in left_out},
        "events_until": events_until, "tables": tables,
    }


SLACK_OF_BOUNDS = 30  # residuals are round-off, or what a tolerance leaves: their size counts, not their digits


def differences(was, seen, relative):
    """(quantity, t, was, is, tolerance) of all that moved; `was` is Recorded."""
    for key, value in was.exact.items():
        if seen.exact.get(key) != value:
            yield key, None, value, seen.exact.get(key), 0
    for key, bound in was.bounds.items():
        x = seen.bounds.get(key, (math.inf,))[0]
        if not x <= SLACK_OF_BOUNDS * bound:
            yield key, None, bound, x, SLACK_OF_BOUNDS * bound
    for key, (value, scale) in was.numbers.items():
        x = seen.numbers.get(key, (math.nan,))[0]
        if not abs(x - value) <= relative * scale:
            yield key, None, value, x, relative * scale
    for name, t in was.tables.items():
        yield from table_differences(name, t, seen.tables[name], relative, was.events_until)


def table_differences(name, t, now, relative, events_until):
    rows = [row for row in now.rows if name != "events" or row[2] <= events_until][:len(t.rows) if name == "events" else None]
    if now.columns != t.columns:
        yield f"{name} columns", None, t.columns, now.columns, 0
        return
    if len(rows) != len(t.rows):
        yield f"{name} rows", None, len(t.rows), len(rows), 0
    for old, new in zip(t.rows, rows):
        time = old[t.columns.index("t")]
        label = " ".join([name, *old[:t.texts]])
        if old[:t.texts] != new[:t.texts]:
            yield name, time, " ".join(old[:t.texts]), " ".join(new[:t.texts]), 0
            continue
        for column, a, b, scale in list(zip(t.columns, old, new, t.scales))[t.texts:]:
            a = float(a)
            if math.isnan(a) != math.isnan(b) or abs(a - b) > relative * scale:
                yield f"{label} {column}", time, a, b, relative * scale
