#!/usr/bin/python3
"""Judges the time-stepping methods by --method event-driven, and event-driven by the references of
tests/oracle/event_reference.txt. Prints the tables of docs/event-driven.md and draws its pictures (judge-*.png in
FOLDER). Takes about two minutes.

Usage: judge_methods.py PICUS FOLDER [PART ...]     parts: cycle crank groove others steps
Needs numpy, matplotlib and its Pillow (Debian: python3-numpy, python3-matplotlib, for /usr/bin/python3).
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402
from PIL import Image  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ED, MM, MJ, ST, TP = "event-driven", "moreau-midpoint", "moreau-jean", "stewart-trinkle", "tzitzouris-pang"
# Label, arguments of picus run, color, marker, its size (hollow if large).
METHODS = {
    "mm": (MM, ["--method", MM], "#2060a0", "o", 9),
    "mj": (MJ + ", θ = 0.5", ["--method", MJ, "--theta", "0.5"], "#b03030", "s", 5),
    "mj1": (MJ + ", θ = 1", ["--method", MJ, "--theta", "1"], "#c07000", "^", 5),
    "st": (ST, ["--method", ST], "#208040", "v", 5),
    "tp": (TP, ["--method", TP], "#805090", "D", 9),
}
PLANE, SPACE = ("mm", "mj", "mj1"), ("mm", "mj", "mj1", "st", "tp")
TOLERANCES = ("1e-4", "1e-6", "1e-8", "1e-10", "1e-11", "1e-12", "1e-13")


def reference():
    """Lines of the reference: lists of numbers by key; KEY.at by key and time."""
    values = {}
    with open(os.path.join(ROOT, "tests", "oracle", "event_reference.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            key, *numbers = line.split()
            numbers = [float(x) for x in numbers]
            if key.endswith(".at"):
                values.setdefault(key, {})[numbers[0]] = numbers[1:]
            else:
                values[key] = numbers
    return values


REFERENCE = reference()
CYCLE = {k.split("cycle.")[1]: v for k, v in REFERENCE.items() if k.startswith("woodpecker.cycle.")}


class Table:
    """A CSV file: columns by name."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.names = file.readline().strip().split(",")
            self.rows = [line.strip().split(",") for line in file]

    def __getitem__(self, name):
        i = self.names.index(name)
        return [row[i] for row in self.rows]

    def numbers(self, first=0):
        """All columns from `first` on."""
        return np.array([[float(x) for x in row[first:]] for row in self.rows]).reshape(len(self.rows), -1)


class Run:
    """One run of a model: summary and tables."""

    def __init__(self, picus, model, dt, end, arguments, every=1, tables=("states", "events")):
        with tempfile.TemporaryDirectory() as folder:
            command = [picus, "run", os.path.join(ROOT, "models", model + ".yaml"), "--json", "--dt", repr(dt),
                       "--end", repr(end), "--every", str(every), "--out", folder, *arguments]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode not in (0, 1) or not answer.stdout:
                raise RuntimeError(answer.stderr)
            self.summary = json.loads(answer.stdout)
            self.done = self.summary["status"] == "done"
            if not self.done or self.summary["certified_steps"] != self.summary["steps"]:
                print("  not done or not certified: picus", " ".join(command[1:]).replace(ROOT + "/", ""), "->",
                      self.summary["status"], self.summary["message"])
            for part in tables:
                setattr(self, part, Table(os.path.join(folder, part + ".csv")))
        self.seconds = self.summary["ns_per_step"] * self.summary["steps"] * 1e-9

    def last_state(self):
        return self.states.numbers()[-1][1:]


def judge(picus, model, dt, end, arguments=(), tolerance=None, **options):
    more = [] if tolerance is None else ["--smooth-tolerance", tolerance]
    return Run(picus, model, dt, end, ["--method", ED, *more, *arguments], **options)


def sets(values):
    return [x for name, value in values.items() for x in ("--set", f"{name}={value!r}")]


def digits(value, exact):
    """Number of significant digits that agree."""
    return 16.0 if value == exact else min(16.0, -math.log10(abs(value / exact - 1)))


def end_figure(figure, folder, name):
    path = os.path.join(folder, f"judge-{name}.png")
    figure.savefig(path, dpi=90)
    plt.close(figure)
    with Image.open(path) as image:  # 256 colours: a third of the size
        small = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


# --- The woodpecker's limit cycle -------------------------------------------------------------------------------------

NAMES = ["y", "phi_M", "phi_S", "v", "omega_M", "omega_S"]
FREE = ["phi_M", "v", "omega_M", "omega_S"]  # of the section: just behind an impact of the beak, phi_S = 0.12, y = 0
BEAK = "1"
WHAT = {"impact": "hits", "lift-off": "opens", "stick": "sticks", "slip": "slides", "touch": "touches"}


def beak_hits(run):
    e = run.event_states
    rows = [k for k, (c, kind) in enumerate(zip(e["contact"], e["kind"])) if c == BEAK and kind == "impact"]
    numbers = np.array([[float(x) for i, x in enumerate(e.rows[k]) if i not in (1, 2)] for k in rows])
    return numbers[:, 0], numbers[:, 1:]


def section_start(state):
    """What to set for a start behind the beak's impact."""
    return {**dict(zip(NAMES, (float(x) for x in state))), "y": 0.0, "phi_S": 0.12}


def next_hit(picus, start, tolerance):
    """The next impact of the beak: its time and the state behind it."""
    run = judge(picus, "woodpecker", 0.16, 0.16, sets(start), tolerance, tables=("event_states",))
    t, states = beak_hits(run)
    return next((time, state, run) for time, state in zip(t, states) if time > 0.1)


def floquet(picus, start):
    """Eigenvalues of the map from section to section, by central differences with steps h and h/2, extrapolated."""
    matrices = []
    for h in (2e-3, 1e-3):
        J = np.zeros((4, 4))
        for j, name in enumerate(FREE):
            step = h * abs(start[name])
            ahead, behind = (next_hit(picus, {**start, name: start[name] + s * step}, "1e-13")[1] for s in (1, -1))
            J[:, j] = [(ahead[i] - behind[i]) / (2 * step) for i in (NAMES.index(x) for x in FREE)]
        matrices.append((h, J))
    matrices.append(("extrapolated", (4 * matrices[1][1] - matrices[0][1]) / 3))
    exact = REFERENCE["woodpecker.floquet"][0]
    exact_J = np.array([REFERENCE[f"woodpecker.floquet.row.{i}"] for i in (1, 2, 3, 4)])
    print("\nFloquet multipliers (central differences, relative step h), the largest and the next, and the difference "
          "of the first from the reference;\nlargest difference of an entry of the matrix, over the largest of its row")
    for h, J in matrices:
        values = sorted(np.linalg.eigvals(J), key=abs, reverse=True)
        off = np.abs(J - exact_J).max(axis=1) / np.abs(exact_J).max(axis=1)
        print(f"  h {h}: {values[0].real:.13f} {abs(values[1]):.1e}; {values[0].real - exact:+.1e}; {off.max():.1e}")
    print(f"  reference      {exact:.17f}")


def extreme(t, x, sign, events):
    """Largest (sign 1) or least value of a column on a grid, by the parabola through three values without an event."""
    k = int((sign * x).argmax())
    if not 0 < k < len(x) - 1 or ((events > t[k - 1] - 1e-12) & (events < t[k + 1] + 1e-12)).any():
        return x[k]
    a, b = (x[k + 1] + x[k - 1]) / 2 - x[k], (x[k + 1] - x[k - 1]) / 2
    if sign * a >= 0 or abs(b) > -2 * sign * a:
        return x[k]
    return x[k] - b * b / (4 * a)


def cycle(picus, folder):
    long = {tol: judge(picus, "woodpecker", 0.1, 60.0, (), tol, tables=("event_states",))
            for tol in ("1e-11", "1e-12", "1e-13")}
    print("Woodpecker, limit cycle, means of the last 200 pecks of 60 s; scatter of single ones; digits that agree "
          "with the reference")
    print("| tolerance | period [s] | scatter | digits | descent [m] | scatter | digits | time spent [s] |")
    print("|---|---|---|---|---|---|---|---|")
    for tol, run in long.items():
        t, states = beak_hits(run)
        period, descent = np.diff(t[-201:]), -np.diff(states[-201:, 0])
        print(f"| {tol} | {period.mean():.15f} | {period.std():.0e} | "
              f"{digits(period.mean(), CYCLE['period'][0]):.1f} | {descent.mean():.16f} | "
              f"{descent.std():.0e} | {digits(descent.mean(), CYCLE['descent'][0]):.1f} | "
              f"{run.seconds:.2f} |")
    print(f"| reference | {CYCLE['period'][0]:.15f} | | | {CYCLE['descent'][0]:.16f} | | | |")
    start = section_start(beak_hits(long["1e-13"])[1][-1])
    print("State behind the beak's impact, difference from the reference: " + ", ".join(
        f"{x} {start[x] - CYCLE['start'][NAMES.index(x)]:+.0e}" for x in FREE))
    floquet(picus, start)

    fine = judge(picus, "woodpecker", 1e-6, 0.146, sets(start), tables=("states", "event_states", "contacts"))
    events = fine.event_states
    at = np.array([[float(x) for i, x in enumerate(row) if i not in (1, 2)] for row in events.rows])
    inside = at[:, 0] > 1e-9
    print("\nEvents of a cycle, contact 1 beak, 2 lower, 3 upper edge; difference from the reference")
    print("| t [s] | contact | event | difference [s] | of the state behind, largest, relative |")
    print("|---|---|---|---|---|")
    known = [CYCLE[f"event.{k}"] for k in range(1, 10)]
    for row, what in zip(at[inside], [r for r, i in zip(events.rows, inside) if i]):
        match = [e for e in known if abs(e[0] - row[0]) < 1e-6 and int(e[1]) == int(what[1])]
        note = "| |"
        if match:
            e = match[0]
            states = np.array(e[6:])
            note = f"{row[0] - e[0]:+.0e} | {(np.abs(row[1:] - states) / (1 + np.abs(states))).max():.0e} |"
        print(f"| {row[0]:.15f} | {what[1]} | {WHAT[what[2]]} | {note}")
    grid = fine.states.numbers()
    one = grid[grid[:, 0] <= CYCLE["period"][0]]
    print("\nLeast and largest values over the cycle; difference from the reference")
    print("| | least | | largest | |")
    print("|---|---|---|---|---|")
    for i, name in enumerate(NAMES[1:], 2):
        cells = []
        for sign, exact in zip((-1, 1), CYCLE[f"range.{name}"]):
            found = sign * max(sign * extreme(one[:, 0], one[:, i], sign, at[:, 0]), (sign * at[:, i]).max())
            cells.append(f"{found:.12f} | {found - exact:+.0e}")
        print(f"| {name} | " + " | ".join(cells) + " |")
    draw_cycle(folder, grid, at, events, fine.contacts)


def bands(contacts, contact):
    """Intervals of stick and slip of a contact, from the rows of its states at the grid."""
    rows = [(float(t), s) for t, c, s in zip(contacts["t"], contacts["contact"], contacts["status"]) if c == contact]
    out = []
    for t, state in rows:
        if state == "open":
            continue
        if out and out[-1][2] == state and t - out[-1][1] < 3e-6:
            out[-1][1] = t
        else:
            out.append([t, t, state])
    return [b for b in out if b[1] - b[0] > 2e-5]


def draw_cycle(folder, grid, at, events, contacts):
    period = CYCLE["period"][0]
    hits = [(row, r) for row, r in zip(at, events.rows) if r[2] == "impact" and row[0] > 1e-9]
    before = [grid[np.searchsorted(grid[:, 0], row[0]) - 1] for row, _ in hits]
    # Every 60th row, and both sides of impacts, where lines break.
    pieces, first = [], 0
    for (row, _), last in zip(hits, before):
        k = int(np.searchsorted(grid[:, 0], row[0]))
        pieces += [grid[first:k:60], last[None], np.full((1, 7), np.nan), row[None]]
        first = k
    broken = np.vstack(pieces)
    figure = plt.figure(figsize=(13, 8.6), layout="constrained")
    halves = figure.add_gridspec(1, 2, width_ratios=[1.65, 1])
    parts = halves[0].subgridspec(4, 1, height_ratios=[1.15, 1.15, 1.15, 0.85])
    left = [figure.add_subplot(parts[k]) for k in range(4)]
    parts = halves[1].subgridspec(2, 1)
    right = [figure.add_subplot(parts[k]) for k in range(2)]
    labels = ["$φ_M$", "$φ_S$", "$v$", "$ω_M$", "$ω_S$"]
    x = 1e3 * broken[:, 0]
    left[0].plot(x, broken[:, 2], color="#2060a0", label="sleeve, " + labels[0])
    left[0].plot(x, broken[:, 3], color="#b03030", label="woodpecker, " + labels[1])
    left[0].set_ylabel("angle [rad]")
    left[1].plot(x, broken[:, 5], color="#2060a0", label="sleeve, " + labels[3])
    left[1].plot(x, broken[:, 6], color="#b03030", label="woodpecker, " + labels[4])
    left[1].set_ylabel("angular velocity [rad/s]")
    left[2].plot(x, 1e3 * broken[:, 1], color="#208040", label="height $y$ [mm]")
    left[2].plot(x, 100 * broken[:, 4], color="#805090", label="velocity $v$ [cm/s]")
    left[2].set_ylabel("[mm], [cm/s]")
    names = [("3", "upper edge", 0), ("2", "lower edge", 1), ("1", "beak", 2)]
    for contact, _, y in names:
        for begin, end, state in bands(contacts, contact):
            if begin < period:
                left[3].barh(y, 1e3 * (min(end, period) - begin), left=1e3 * begin, height=0.5,
                             color="#e0a040" if state == "slip" else "#406080")
        left[3].plot([1e3 * row[0] for row, r in hits if r[1] == contact],
                     [y + 0.3 for _, r in hits if r[1] == contact], "v", color="#b03030", ms=8, mec="white", mew=0.6)
    left[3].plot([0], [2.3], "v", color="#b03030", ms=8, mec="white", mew=0.6)
    left[3].set(yticks=[0, 1, 2], yticklabels=[n for _, n, _ in names], ylim=(-0.6, 3.7), xlabel="t [ms]")
    left[3].barh(9, 1, color="#e0a040", label="slides")
    left[3].barh(9, 1, color="#406080", label="sticks")
    left[3].plot([], [], "v", color="#b03030", ms=8, mec="white", label="impact")
    left[3].legend(ncols=3, loc="upper center", frameon=False, fontsize=9)
    for k, ax in enumerate(left):
        ax.set_xlim(-1, 1e3 * period + 1)
        for t in {round(1e3 * row[0], 3) for row in at if row[0] <= period + 1e-9}:
            ax.axvline(t, color="#999999", lw=0.6, ls=":", zorder=0)
        if k < 3:
            ax.tick_params(labelbottom=False)
            ax.legend(frameon=False, fontsize=9, loc=["lower left", "upper center", "lower left"][k])
    left[0].set_title("One cycle, from peck to peck; dotted: events")
    for ax, i, j, who in ((right[0], 3, 6, "woodpecker"), (right[1], 2, 5, "sleeve")):
        ax.plot(broken[:, i], broken[:, j], color="#404040", lw=1.2)
        ends = {}
        for (row, _), last in zip(hits, before):
            ax.plot([last[i], row[i]], [last[j], row[j]], ls="--", color="#b03030", lw=1.1)
        for row, r in zip(at, events.rows):
            if 1e-9 < row[0] <= period + 1e-9:
                ends.setdefault((r[1], r[2]), []).append((row[i], row[j]))
        marks = {"impact": ("v", "#b03030"), "lift-off": ("^", "#208040"), "stick": ("s", "#406080"),
                 "slip": ("D", "#e0a040")}
        for kind, (marker, color) in marks.items():
            points = [p for (_, what), list_ in ends.items() if what == kind for p in list_]
            ax.plot(*np.array(points).T, marker, color=color, ms=7, mec="black", mew=0.5, ls="",
                    label={"impact": "behind an impact", "lift-off": "lift-off", "stick": "stick begins",
                           "slip": "slip begins"}[kind])
        ax.plot([], [], "--", color="#b03030", label="jump of an impact")
        index = "S" if who == "woodpecker" else "M"
        ax.set(xlabel=f"$φ_{index}$ [rad]", ylabel=f"$ω_{index}$ [rad/s]", title="Phase portrait, " + who)
        ax.grid(alpha=0.3)
    right[0].legend(frameon=False, fontsize=9, loc="center")
    end_figure(figure, folder, "cycle")


# --- Other references -------------------------------------------------------------------------------------------------


def crank(picus, _folder):
    print("\nSlider-crank, printed start: first impacts of the reference [s]; differences of event-driven from them; "
          "ends of accumulations\nof bounces and differences; states at times of the reference, largest relative "
          "difference")
    for e in ("0.1", "0.4", "0.6", "0.9"):
        known = []
        while f"slider-crank.eN{e}.event.{len(known) + 1}" in REFERENCE:
            known.append(REFERENCE[f"slider-crank.eN{e}.event.{len(known) + 1}"])
        hits, ends = (np.array([k[0] for k in known if k[2] == kind]) for kind in (1, 6))
        print(f"eN = {e}: impacts " + " ".join(f"{t:.12f}" for t in hits[:8]))
        for tol in ("1e-12", "1e-13"):
            run = judge(picus, "slider-crank", 0.002, 0.084, ["--set", "eN=" + e], tol)
            mine = {kind: np.array([float(t) for t, k in zip(run.events["t"], run.events["kind"]) if k == kind])
                    for kind in ("impact", "slip")}
            off = [mine["impact"][np.abs(mine["impact"] - t).argmin()] - t for t in hits[:8]]
            print(f"  {tol}     " + " ".join(f"{x:+14.0e}" for x in off))
            if len(ends) > 0:
                print("  accumulations " + " ".join(
                    f"{t:.9f} ({mine['slip'][np.abs(mine['slip'] - t).argmin()] - t:+.0e})" for t in ends))
            grid, worst = run.states.numbers(), {}
            for t, x in REFERENCE[f"slider-crank.eN{e}.at"].items():
                row = grid[np.abs(grid[:, 0] - t).argmin()][1:]
                worst[t] = (np.abs(row - x) / (1 + np.abs(x))).max()
            print("  states " + ", ".join(f"{t:g}: {x:.0e}" for t, x in worst.items()))
            print("  " + "; ".join(run.summary["remarks"]))


def groove(picus, _folder):
    print("\nSphere in groove, differences from the reference: transitions [s]; states, largest of positions and "
          "velocities")
    for tol in ("1e-12", "1e-13"):
        run = judge(picus, "sphere-in-groove", 0.1, 4.0, (), tol)
        e = list(zip(map(float, run.events["t"]), run.events["contact"], run.events["kind"]))
        for key, contact, kind in (("slip", "small/ball", "slip"), ("lost1", "large/ball", "lift-off"),
                                   ("lost2", "small/ball", "lift-off")):
            t = next(t for t, c, k in e if c == contact and k == kind)
            print(f"  {tol} {key:6s} {t:.13f} {t - REFERENCE['groove.' + key][0]:+.0e}")
        grid = run.states.numbers()
        for t, x in REFERENCE["groove.at"].items():
            row = grid[np.abs(grid[:, 0] - t).argmin()]
            mine = np.r_[row[1:4], row[8:14]]
            print(f"  {tol} t = {t:g}: {np.abs(mine - x).max():.0e}")
        print(f"  {tol} time spent {run.seconds:.2f} s; " + "; ".join(run.summary["remarks"]))


def others(picus, _folder):
    print("\nRod, mu = 1.2, and ball: differences from the reference")
    run = judge(picus, "painleve-rod", 0.1, 1.2, ["--set", "mu=1.2"], tables=("states", "event_states"))
    for k in (1, 2, 3):
        exact = REFERENCE[f"rod.event.{k}"]
        row = min(run.event_states.rows, key=lambda r: abs(float(r[0]) - exact[0]))
        print(f"  rod, {row[1]} {row[2]}: {float(row[0]):.13f} {float(row[0]) - exact[0]:+.0e}")
    grid = run.states.numbers()
    for t, x in REFERENCE["rod.at"].items():
        k = np.abs(grid[:, 0] - t).argmin()
        if abs(grid[k, 0] - t) < 1e-9:
            print(f"  rod, t = {t:g}: {np.abs(grid[k, 1:] - x).max():.0e}")
    print("  " + "; ".join(run.summary["remarks"]))
    run = judge(picus, "bouncing-ball", 0.1, 3.0)
    hits = [float(t) for t, kind in zip(run.events["t"], run.events["kind"]) if kind == "impact"]
    print("  ball, impacts 1 to 8: " + " ".join(
        f"{t - REFERENCE[f'ball.impact.{k}'][0]:+.0e}" for k, t in enumerate(hits[:8], 1)))
    print(f"  ball, {len(hits)} impacts; rest {REFERENCE['ball.rest'][0]:.12f}, last impact {hits[-1]:.12f}; "
          + "; ".join(run.summary["remarks"]))


# --- Error against the time step and against the time spent -----------------------------------------------------------

# Numbers of steps: not round, so that no event falls on the grid.
COUNTS = [31, 101, 317, 1009, 3163, 10007, 31627, 100003, 316201]
# Title, model, end, further arguments, methods, range of COUNTS. The bowling ball is not followed to its rolling by
# event-driven with tolerances above 1e-10.
CASES = [
    ("woodpecker, t = 0.3 s", "woodpecker", 0.3, (), PLANE, slice(1, 9)),
    ("bouncing-ball, t = 2 s", "bouncing-ball", 2.0, (), PLANE, slice(0, 9)),
    ("slider-crank, t = 7 ms", "slider-crank", 0.007, (), PLANE, slice(0, 8)),
    ("painleve-rod, μ = 1.2, t = 0.3 s", "painleve-rod", 0.3, ("--set", "mu=1.2"), PLANE, slice(0, 9)),
    ("brick-stick-slip, t = 2.3 s", "brick-stick-slip", 2.3, (), PLANE, slice(1, 9)),
    ("bowling-ball, t = 8 s", "bowling-ball", 8.0, (), SPACE, slice(0, 7)),
    ("sphere-in-groove, t = 3 s", "sphere-in-groove", 3.0, (), SPACE, slice(0, 7)),
]
PERIOD_STEPS = [5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6]
PERIOD_END = 20.0


def repeated(make):
    """A run; short ones three times, the shortest time counts."""
    run = make()
    for _ in range(2):
        if run.seconds < 0.02:
            run.seconds = min(run.seconds, make().seconds)
    return run


class Curve:
    def __init__(self):
        self.dt, self.error, self.seconds = [], [], []

    def add(self, dt, error, seconds):
        self.dt.append(dt)
        self.error.append(error)
        self.seconds.append(seconds)

    def order(self):
        """Slope of all errors below 0.3, and of the last four."""
        dt, error = np.array(self.dt), np.array(self.error)
        fit = lambda part: np.polyfit(np.log(dt[part]), np.log(error[part]), 1)[0]  # noqa: E731
        return f"{fit(error < 0.3):.2f}, {fit(slice(-4, None)):.2f}"


def compare(picus, case):
    title, model, end, arguments, methods, counts = case
    exact_run = judge(picus, model, end / 200, end, arguments, "1e-13", tables=("states", "event_states"))
    grid = exact_run.states.numbers()
    scale = np.maximum(np.abs(grid[:, 1:]).max(axis=0),
                       np.abs([[float(x) for x in r[3:]] for r in exact_run.event_states.rows]).max(axis=0))
    counted = scale > 1e-9
    error = lambda run: (np.abs(run.last_state() - exact)[counted] / scale[counted]).max()  # noqa: E731
    curves = {ED: Curve()}
    exact = judge(picus, model, end, end, arguments, "1e-13").last_state()
    print(f"\n{title}: largest error of a component over its largest value in the run")
    print(f"  grid of 200 intervals against one, both with 1e-13: {error(exact_run):.0e}")
    for tol in TOLERANCES[3 if model == "bowling-ball" else 0:]:
        run = repeated(lambda: judge(picus, model, end, end, arguments, tol))
        if run.done:
            curves[ED].add(float(tol), error(run) if tol != "1e-13" else math.nan, run.seconds)
    print("  event-driven: " + "; ".join(
        f"{t:.0e} {e:.0e} {1e3 * s:.2f} ms" for t, e, s in
        zip(curves[ED].dt, curves[ED].error, curves[ED].seconds)))
    for m in methods:
        label, how = METHODS[m][:2]
        curves[m] = Curve()
        for n in COUNTS[counts][:6 if m == "st" else None]:
            dt = end / n
            run = repeated(lambda: Run(picus, model, dt, end + dt / 4, [*how, *arguments], every=n))
            assert run.summary["steps"] == n
            curves[m].add(dt, error(run), run.seconds)
        print(f"  {label}: orders {curves[m].order()}; {1e9 * curves[m].seconds[-1] / n:.0f} ns a step; " + "; ".join(
            f"{dt:.1e} {e:.0e}" for dt, e in zip(curves[m].dt, curves[m].error)))
    return title, curves


def compare_period(picus):
    curves = {ED: Curve()}
    arguments = dict(end=PERIOD_END, tables=())
    exact = judge(picus, "woodpecker", 0.1, PERIOD_END, (), "1e-13", tables=()).summary["cycles"]["period"]["mean"]
    print("\nWoodpecker, period of the limit cycle: relative error (mean of the last pecks of 20 s)")
    for tol in TOLERANCES[1:]:
        run = judge(picus, "woodpecker", 0.1, PERIOD_END, (), tol, tables=())
        off = abs(run.summary["cycles"]["period"]["mean"] / exact - 1) if tol != "1e-13" else math.nan
        curves[ED].add(float(tol), off, run.seconds)
    print("  event-driven: " + "; ".join(
        f"{t:.0e} {e:.0e} {s:.2f} s" for t, e, s in zip(curves[ED].dt, curves[ED].error, curves[ED].seconds)))
    for m in PLANE:
        curves[m] = Curve()
        for dt in PERIOD_STEPS:
            run = Run(picus, "woodpecker", dt, arguments=METHODS[m][1], every=1000000, **arguments)
            curves[m].add(dt, abs(run.summary["cycles"]["period"]["mean"] / exact - 1), run.seconds)
        print(f"  {METHODS[m][0]}: orders {curves[m].order()}; " + "; ".join(
            f"{dt:.1e} {e:.0e}" for dt, e in zip(curves[m].dt, curves[m].error)))
    return "woodpecker, period of the limit cycle", curves


def log_axes(ax):
    ax.set(xscale="log", yscale="log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(numticks=8))
        axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=100))
        axis.set_minor_formatter(NullFormatter())
    ax.grid(alpha=0.3, which="major")


def draw(folder, results, name):
    against_time = name == "time"
    figure, axes = plt.subplots(2, 4, figsize=(17, 8.8))
    lines = {}
    for ax, (title, curves) in zip(axes.flat, results):
        log_axes(ax)
        for m in METHODS:
            if m in curves:
                c, (label, _, color, marker, size) = curves[m], METHODS[m]
                lines[label], = ax.plot(c.seconds if against_time else c.dt, c.error, color=color, marker=marker,
                                        ms=size, mfc="none" if size > 5 else None, lw=1.2)
        c = curves[ED]
        ok = np.isfinite(c.error)
        if against_time:
            lines["event-driven, tolerance 1e-4 (top) to 1e-12"], = ax.plot(
                np.array(c.seconds)[ok], np.maximum(np.array(c.error)[ok], 1e-16), "k*--", ms=8, lw=0.9)
        else:
            level = [e for t, e in zip(c.dt, c.error) if t == 1e-12][0]
            lines["event-driven, tolerance 1e-12"] = ax.axhline(max(level, 1e-16), color="black", ls="--", lw=1.2)
            guide = np.array([min(curves["mm"].dt), max(curves["mm"].dt)])
            for power, style in ((1, ":"), (2, "-.")):
                middle = curves["mm"].error[len(curves["mm"].error) // 2] if power == 1 else curves["mj"].error[0]
                anchor = curves["mm"].dt[len(curves["mm"].error) // 2] if power == 1 else curves["mj"].dt[0]
                values = middle * (guide / anchor) ** power * (3 if power == 1 else 0.3)
                lines[f"slope {power}"], = ax.plot(guide, values, color="#888888", ls=style, lw=1.2)
        ax.set(title=title, xlabel="time spent [s]" if against_time else "time step [s]")
    for ax in axes[:, 0]:
        ax.set_ylabel("relative error")
    labels = [v[0] for v in METHODS.values()]
    labels += [x for x in lines if x not in labels]
    figure.legend([lines[x] for x in labels], labels, loc="lower center", ncols=8, frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    end_figure(figure, folder, name)


def steps(picus, folder):
    results = [compare(picus, CASES[0]), compare_period(picus)] + [compare(picus, case) for case in CASES[1:]]
    print("\n| observed order, of all and of the last four | " + " | ".join(METHODS[m][0] for m in SPACE) + " |")
    print("|---" * (len(SPACE) + 1) + "|")
    for title, curves in results:
        print(f"| {title} | " + " | ".join(curves[m].order() if m in curves else "" for m in SPACE) + " |")
    draw(folder, results, "dt")
    draw(folder, results, "time")


PARTS = {"cycle": cycle, "crank": crank, "groove": groove, "others": others, "steps": steps}

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](sys.argv[1], sys.argv[2])
