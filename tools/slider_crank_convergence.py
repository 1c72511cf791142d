#!/usr/bin/python3
"""Runs the slider-crank with smaller and smaller time steps and compares it with the event-driven reference
(tests/oracle/slider_crank_event_driven.py). Prints the tables of docs/slider-crank.md and draws the picture beside
them. Takes about six minutes.

Usage: slider_crank_convergence.py PICUS FIGURE.png
Needs numpy and matplotlib (Debian: python3-numpy, python3-matplotlib, for /usr/bin/python3).
"""

import csv
import itertools
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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "oracle"))
from slider_crank_event_driven import (  # noqa: E402
    A, C, EN, J3, REST, Motion, acceleration, energy, height, inverse_mass, normal, start)

# label, further arguments of picus run
METHODS = [("moreau-midpoint", []), ("moreau-jean", ["--method", "moreau-jean", "--theta", "0.5"])]
STEPS = [1e-5, 5e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1e-7, 5e-8, 2e-8, 1e-8]  # s
PHASES = np.logspace(-5, -8, 61)  # an impact falls anywhere within a step: more steps, to see the scatter
FINE = STEPS + [5e-9, 2e-9, 1e-9, 5e-10, 2e-10, 1e-10]
SAMPLE = 1e-5  # s
HALVES = [SAMPLE / 2**k for k in range(10)]
FLIGHT, AFTER, FACE, LATE, END = 0.002, 0.0035, 0.025, 0.14, 0.16  # s; FACE: shortly before the lower face is hit
PROJECTED = ["--project-drift"]
NAMES = ["theta_1", "theta_2", "theta_3", "omega_1", "omega_2", "omega_3"]


class Picus:
    def __init__(self, command, arguments):
        self.command, self.arguments = command, arguments

    def run(self, dt, end, omega_3, every=10**9, sets=(), events=False):
        """Summary, rows of states.csv, and (time, corner) of all events with an impulse."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.command, "run", "slider-crank", "--json", "--dt", repr(dt), "--end", repr(end),
                       "--every", str(every), "--out", folder, *self.arguments]
            for setting in (f"omega_3={omega_3!r}", *sets):
                command += ["--set", setting]
            summary = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
            assert summary["certified_steps"] == summary["steps"]
            states = np.loadtxt(os.path.join(folder, "states.csv"), delimiter=",", skiprows=1, ndmin=2)
            with open(os.path.join(folder, "events.csv"), newline="") as file:
                rows = csv.DictReader(file) if events else []
                rows = [(float(r["t"]), int(r["contact"]) - 1) for r in rows if float(r["Lambda_N"]) > 0]
        return summary, states, rows


def state_of(summary):
    return np.array([summary["end_state"][name] for name in NAMES])


def heights(x):
    return np.array([height(x, i) for i in range(4)])


def order(dt, error):
    return np.polyfit(np.log(dt), np.log(error), 1)[0]


def orders(dt, error):
    """Between a row and the one before."""
    return ["", *(f"{math.log(a / b) / math.log(s / t):.2f}" for a, b, s, t in zip(error, error[1:], dt, dt[1:]))]


def table(title, header, rows):
    print(f"\n{title}\n\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def free_flight(picus, reference):
    """Errors of angles and velocities after FLIGHT."""
    error = []
    for dt in STEPS:
        summary = picus.run(dt, FLIGHT, 0.0)[0]
        e = abs(state_of(summary) - reference.at(summary["end_state"]["t"]))
        error.append((e[:3].max(), e[3:].max()))
    q, u = np.array(error).T
    table(f"Free flight to {FLIGHT} s", ("dt [s]", "angles [rad]", "order", "velocities [rad/s]", "order"),
          [(f"{dt:.0e}", f"{a:.2e}", n, f"{b:.2e}", m)
           for dt, a, n, b, m in zip(STEPS, q, orders(STEPS, q), u, orders(STEPS, u))])
    return {"q": q, "u": u}


def midpoint_orders(reference):
    """Order of the rule in free flight with forces at (q_M, u_A), and at (q_M, u_A + dt/2 M^-1 h)."""
    result = []
    for stages in (1, 2):
        error = []
        for n in (200, 400, 800):
            x, dt = start(0), FLIGHT / n
            for _ in range(n):
                middle = x.copy()
                middle[:3] += dt / 2 * x[3:]
                for _ in range(stages):
                    a = acceleration(middle, {})[0]
                    middle[3:] = x[3:] + dt / 2 * a
                x = np.concatenate([x[:3] + dt / 2 * (2 * x[3:] + dt * a), x[3:] + dt * a])
            error.append(abs(x - reference.at(FLIGHT)).max())
        result.append(order([4, 2, 1], error))
    return result


def first_impact(picus, reference):
    """Both corners at once: error of the time, and of heights and velocities at AFTER."""
    t_1 = reference.hits[0][0]

    def errors(dt):
        summary, _, events = picus.run(dt, AFTER, 0.0, events=True)
        x, exact = state_of(summary), reference.at(summary["end_state"]["t"])
        return events[0][0] - t_1, abs(heights(x) - heights(exact)).max() / C, abs(x - exact)[3:].max()

    t, y, u = np.array([errors(dt) for dt in STEPS]).T
    table(f"First impact of the printed start (event-driven: {1e3 * t_1:.7f} ms), and state at {1e3 * AFTER} ms",
          ("dt [s]", "late by [s]", "late by / dt", "heights / c", "heights / (c dt) [1/s]", "velocities [rad/s]",
           "order"),
          [(f"{dt:.0e}", f"{a:.2e}", f"{a / dt:.2f}", f"{b:.2e}", f"{b / dt:.0f}", f"{v:.2e}", m)
           for dt, a, b, v, m in zip(STEPS, t, y, u, orders(STEPS, u))])
    t, y, u = np.array([errors(dt) for dt in PHASES]).T
    third = len(PHASES) // 3
    print(f"\nOver {len(PHASES)} steps from {PHASES[0]:.0e} to {PHASES[-1]:.0e} s: late by {min(t / PHASES):.2f} to "
          f"{max(t / PHASES):.2f} dt; orders by fit: time {order(PHASES, t):.2f}, heights {order(PHASES, y):.2f}, "
          f"velocities {order(PHASES, u):.2f}; largest heights / (c dt) in each decade: "
          f"{', '.join(f'{max((y / PHASES)[k * third:(k + 1) * third]):.0f}' for k in range(3))} / s.")
    summary = picus.run(1e-6, t_1, 0.0, sets=["d=1"])[0]  # no guide: what the flight's own error does to the time
    x, exact = state_of(summary), reference.at(summary["end_state"]["t"] - 1e-12)
    ahead = (height(x, 0) - height(exact, 0)) / -(normal(x, 0) @ x[3:])
    print(f"The error of the flight alone moves the impact by {-ahead / 1e-6:+.2f} dt (dt = 1e-6 s).")
    return {"t_1": t / t_1, "after": y}


def rattle_by_formula(x):
    """Corners that hit in turn, without friction: ratios of approach speeds and of intervals (docs/slider-crank.md)."""
    w = normal(x, 0)[:2]
    alpha, beta = w @ inverse_mass(x)[:2, :2] @ w, A**2 / J3
    b = (1 + EN) * (beta - alpha) / (beta + alpha)
    r = (b + math.sqrt(b * b - 4 * EN)) / 2
    return r, EN / r**2


def followed(picus, dt, omega_3, reference):
    """How late are the impacts up to the first that the reference does not have; time of the last event."""
    events = picus.run(dt, 0.0028, omega_3, events=True)[2]
    hits = [(t, sorted({i for _, i in group})) for t, group in itertools.groupby(events, lambda e: e[0])]
    n = [*(hit[1] == exact[1] for hit, exact in zip(hits, reference)), False].index(False)
    return np.array([hit[0] - exact[0] for hit, exact in zip(hits[:n], reference)]), hits[-1][0]


def corners_in_turn(picus, omega_3):
    """The first impacts of a turned slider: front and rear corner in turn, faster and faster."""
    reference = Motion(omega_3, 1.0, impacts=26)
    times, _, before, _ = zip(*reference.hits)
    speed, interval = [max(-(normal(x, i) @ x[3:]) for i in (0, 1)) for x in before], np.diff(times)
    r, tau = (speed[20] / speed[12]) ** (1 / 8), (interval[20] / interval[12]) ** (1 / 8)
    print(f"\nCorners in turn, omega_3(0) = {omega_3} rad/s, event-driven: impacts at "
          f"{', '.join(f'{1e3 * t:.7f}' for t in times[:8])} ms … {1e3 * times[-1]:.7f} ms (number {len(times)}); "
          f"approach speeds shrink by {r:.4f}, intervals by {tau:.4f} an impact (by formula, without friction: "
          f"{', '.join(f'{v:.4f}' for v in rattle_by_formula(before[-1]))}); so the rebound goes with "
          f"dt^{math.log(r, tau):.3f}.")
    toward = -(normal(before[0], 0) + normal(before[0], 1)) @ before[0][3:] / 2
    rows, errors, rebounds = [], [], []
    for dt in FINE:
        late, last = followed(picus, dt, omega_3, reference.hits)
        x = state_of(picus.run(dt, last + 3.5 * dt, omega_3)[0])  # the series is over
        v = (normal(x, 0) + normal(x, 1)) @ x[3:] / 2
        errors.append(late)
        rebounds.append(v / toward)
        rows.append((f"{dt:.0e}", str(len(late)), f"{late.max(initial=0) / dt:.2f}", f"{v:.4f}", f"{v / toward:.3f}",
                     f"{x[5]:+.2f}"))
    table(f"Corners in turn, omega_3(0) = {omega_3} rad/s (approach of the slider's centre before: {toward:.4f} m/s)",
          ("dt [s]", "impacts followed", "late by at most / dt", "rebound [m/s]", "rebound / approach",
           "ω_3 then [rad/s]"), rows)
    fine = FINE.index(2e-9)
    print(f"\nRebound ~ dt^{order(FINE[fine:], rebounds[fine:]):.3f} for dt <= {FINE[fine]:.0e} s. Orders of times: "
          + ", ".join(f"impact {k + 1}: {order(*zip(*[(dt, e[k]) for dt, e in zip(FINE, errors) if len(e) > k])):.2f}"
                      for k in (0, 1, 2, 4, 7)))
    return {"late": errors, "times": times, "rebound": rebounds, "exponent": math.log(r, tau)}


def after_series(picus, projected, omega_3):
    """From the first impact on, while the upper face slides, up to shortly before the lower one is hit."""
    exact, check = Motion(omega_3, 1.0, impacts=26), Motion(omega_3, 1.0, impacts=22)
    for motion in (exact, check):
        motion.end_series(FACE + 5e-4)
    lift_off = next(t for (_, _, mode), (t, _, after) in zip(exact.points, exact.points[1:]) if mode and not after)
    print(f"\nEnding the series after 22 impacts instead of 26 changes the reference at {1e3 * FACE} ms by "
          f"{abs(exact.at(FACE) - check.at(FACE)).max():.0e} (rad, rad/s). The face lifts off at "
          f"{1e3 * lift_off:.3f} ms.")
    rows, largest = [], []
    for dt in STEPS[:-1]:
        runs = [p.run(dt, FACE, omega_3, every=round(SAMPLE / dt)) for p in (picus, projected)]
        e = [max(abs(heights(row[1:]) - heights(exact.at(row[0] + 1e-13))).max() for row in run[1]) / C for run in runs]
        largest.append(e)
        rows.append((f"{dt:.0e}", *(f"{v:.5f}" for v in e), str(len(followed(projected, dt, omega_3, exact.hits)[0])),
                     f"{runs[1][0]['energy']['projection']:.1e}"))
    plain, moved = np.array(largest).T
    table(f"Corners in turn, omega_3(0) = {omega_3} rad/s: heights / c, largest error up to {1e3 * FACE} ms",
          ("dt [s]", "as it is", "order", "--project-drift", "order", "impacts followed", "projection [J]"),
          [(dt, a, n, b, m, *rest)
           for (dt, a, b, *rest), n, m in zip(rows, orders(STEPS, plain), orders(STEPS, moved))])
    return {"projected": moved}


def printed_start(picus, reference):
    """Up to END, against the reference. Largest error of the heights: in all, and from LATE on."""
    exact = np.array([reference.at(k * SAMPLE) for k in range(round(END / SAMPLE) + 1)])
    loss, rows, errors, turns = energy(exact[0]) - energy(exact[-1]), [], [], []
    for dt in STEPS[:-1]:
        summary, states, _ = picus.run(dt, END, 0.0, every=round(SAMPLE / dt))
        e, x = summary["energy"], states[:, 1:]
        error = abs(heights(x.T) - heights(exact[:len(x)].T)).max(axis=0) / C
        errors.append((error.max(), error[round(LATE / SAMPLE):].max()))
        turns.append(abs(x[:, 2]).max())
        rows.append((f"{dt:.0e}", *(f"{e:.5f}" for e in errors[-1]), f"{x[-1, 3] - exact[-1, 3]:+.4f}",
                     f"{e['start'] - e['end'] - loss:+.5f}", f"{-e['remainder']:.5f}", f"{turns[-1]:.0e}"))
    largest, late = np.array(errors).T
    rows = [(dt, a, n, b, m, *rest)
            for (dt, a, b, *rest), n, m in zip(rows, orders(STEPS, largest), orders(STEPS, late))]
    table(f"Printed start to {END} s: errors against the event-driven motion (loss of energy {loss:.5f} J, ω_1 at the "
          f"end {exact[-1, 3]:.4f} rad/s, {len(reference.hits)} impacts)",
          ("dt [s]", "heights / c, largest", "order", f"from {1e3 * LATE:.0f} ms on", "order",
           "ω_1 at the end [rad/s]", "loss of energy [J]", "lost to the time step [J]", "θ_3 at most [rad]"), rows)
    gap, t = reference.least_miss()
    print(f"\nThe event-driven motion misses the guide most narrowly at {1e3 * t:.2f} ms, by {1e9 * gap:.0f} nm.")
    return {"largest": largest, "kept": np.array(turns) < 1e-6}


def half_the_step(picus, projected):
    """Up to END: how long dt and dt/2 agree."""
    until = {}
    for variant, omega_3, label in ((picus, 0.0, "0"), (picus, 1e-3, "0.001 rad/s"), (picus, 1.0, "1 rad/s"),
                                    (projected, 1.0, "1 rad/s, --project-drift")):
        runs = [variant.run(dt, END, omega_3, every=2**k)[1] for k, dt in enumerate(HALVES)]
        apart = [abs(heights(a[:, 1:].T) - heights(b[:len(a), 1:].T)).max(axis=0) for a, b in zip(runs, runs[1:])]
        until[label] = [runs[0][np.argmax(a > 0.01 * C), 0] if a.max() > 0.01 * C else math.inf for a in apart]
    table("Runs with dt and dt/2 agree within 1 % of c until [ms]",
          ("dt [s]", *(f"ω_3(0) = {label}" for label in until)),
          [(f"{dt:.2e}", *("the end" if math.isinf(t[k]) else f"{1e3 * t[k]:.2f}" for t in until.values()))
           for k, dt in enumerate(HALVES[:-1])])
    return {"until": until}


def statistic(picus):
    rows, starts = [], np.logspace(-3, 0, 20)
    for dt in (1e-5, 1e-6, 2e-7):
        ends = [picus.run(dt, END, float(omega_3))[0] for omega_3 in starts]
        values = [[-s["energy"]["impact"] for s in ends], [-s["energy"]["friction"] for s in ends],
                  [-s["energy"]["impact"] - s["energy"]["friction"] for s in ends],
                  [s["end_state"]["omega_1"] for s in ends]]
        rows.append((f"{dt:.0e}", *(f"{np.mean(v):.4f} ± {np.std(v, ddof=1):.4f}" for v in values)))
    table(f"Mean and standard deviation over {len(starts)} starts, ω_3(0) = 1e-3 … 1 rad/s, to {END} s",
          ("dt [s]", "lost in impacts [J]", "in friction [J]", "together [J]", "ω_1 at the end [rad/s]"), rows)


def slope(ax, x, y, power):
    """A triangle of one decade whose upper side has the slope."""
    ax.loglog([x, 10 * x, 10 * x, x], [y, y, y * 10.0**power, y], color="#555555", linewidth=0.9)
    ax.text(11.5 * x, y * 10.0 ** (power / 2), str(power), color="#555555", va="center", fontsize=9)


def draw_printed(ax, r):
    whole, kept = np.array(STEPS[:-1]), r["kept"]
    for x, y, text, marker, color in (
            (STEPS, r["q"], "angles at 2 ms, in flight [rad]", "o", "#1f5fa8"),
            (STEPS, r["u"] / 150, "velocities at 2 ms / (150 rad/s)", "s", "#2a9d8f"),
            (PHASES, r["t_1"], "time of the first impact / 2.69 ms", ".", "#8d6cab"),
            (PHASES, r["after"], "corner heights at 3.5 ms / c", "x", "#d1495b"),
            (whole[kept], r["largest"][kept], "corner heights, largest up to 160 ms / c", "D", "#e07b00")):
        ax.loglog(x, y, marker=marker, markersize=4, color=color, linestyle="none" if x is PHASES else "-", linewidth=1,
                  label=text)
    ax.loglog(whole[~kept], r["largest"][~kept], marker="D", markersize=5, color="#e07b00", markerfacecolor="none",
              linestyle="none", label="the same, where rounding made the slider turn")
    power = round(order(STEPS[:4], r["q"][:4]))  # of the flight
    slope(ax, 1e-7, 0.06 * r["q"][STEPS.index(1e-7)], power)
    if power > 1:
        slope(ax, 1e-7, 3e-8, 1)
    ax.set(ylim=(3e-15, 2e5))


def draw_in_turn(ax, r):
    for k, color in zip((0, 2, 4, 7), ("#1f5fa8", "#2a9d8f", "#8d6cab", "#d1495b")):
        x, y = zip(*[(dt, e[k] / r["times"][k]) for dt, e in zip(FINE, r["late"]) if len(e) > k])
        ax.loglog(x, y, marker="o", markersize=4, color=color, linewidth=1, label=f"time of impact {k + 1}, relative")
    ax.loglog(FINE, r["rebound"], marker="D", markersize=4, color="#e07b00", linewidth=1,
              label="rebound / approach, exact: 0")
    ax.loglog(STEPS[:-1], r["projected"], marker="s", markersize=5, color="#444444", linewidth=1,
              label="corner heights, largest up to 25 ms / c, --project-drift")
    p, x = r["exponent"], np.array([1e-10, 1e-6])
    ax.loglog(x, 0.55 * (x / 1e-6) ** p, color="#555555", linestyle="--", linewidth=0.9)
    ax.text(1e-8, 0.8, f"slope {p:.3f}", color="#555555", ha="center", fontsize=9)
    slope(ax, 1e-8, 1e-7, 1)
    ax.set(ylim=(5e-9, 2e3))


def draw_agreement(ax, r):
    colors = "#1f5fa8", "#d1495b", "#e07b00", "#444444"
    for (label, until), marker, color in zip(r["until"].items(), "osDs", colors):
        ax.loglog(HALVES[:-1], [1e3 * min(t, END) for t in until], marker=marker, markersize=5, color=color,
                  linewidth=1, label=rf"$\omega_3(0)$ = {label}")
        for dt, t in zip(HALVES, until):
            if math.isinf(t):
                ax.annotate("", (dt, 1.4e3 * END), (dt, 1e3 * END), arrowprops={"arrowstyle": "->", "color": color})
    for t, text in ((2.69, "upper face\nis hit"), (25.9, "lower face\nis hit"), (1e3 * END, "end of\nthe runs")):
        ax.axhline(t, color="#999999", linewidth=0.8, linestyle=":")
        ax.text(8e-9, t, text, color="#555555", fontsize=9, va="center", backgroundcolor="white")
    ax.set(xlim=(7e-9, 1.6e-5), ylim=(1.5, 1500))


def draw(path, results):
    """A row of panels for each method."""
    figure, rows = plt.subplots(len(METHODS), 3, figsize=(16.5, 6 * len(METHODS)), layout="constrained", squeeze=False)
    parts = ((draw_printed, "printed start, the slider does not turn", "error against event-driven integration"),
             (draw_in_turn, r"$\omega_3(0)$ = 1 rad/s, corners hit in turn", "error against event-driven integration"),
             (draw_agreement, "how long runs with dt and dt/2 agree", "time until corners are 1 % of c apart [ms]"))
    for (label, _), result, row in zip(METHODS, results, rows):
        for ax, (plot, title, ylabel) in zip(row, parts):
            plot(ax, result)
            ax.set(title=f"{label}: {title}", xlabel="time step dt [s]", ylabel=ylabel)
            ax.grid(alpha=0.3, which="major")
            ax.legend(frameon=False, fontsize=9, loc="upper left")
    figure.savefig(path, dpi=100)


def main(command, figure_path):
    reference = Motion(0, END + 1e-3, symmetric=True)
    coarser = Motion(0, END + 1e-3, symmetric=True, h=2e-5, rest=10 * REST)
    near = Motion(0, AFTER + 1e-3, symmetric=True, h=1e-6)
    print("Reference: twice its step and ten times REST change the state at "
          + ", ".join(f"{t} s by {abs(reference.at(t) - coarser.at(t)).max():.0e}" for t in (FLIGHT, AFTER, END))
          + f" (rad, rad/s); up to {AFTER} s its step is 1e-6 s, and the flight keeps its energy to "
          f"{abs(energy(near.at(FLIGHT)) - energy(start(0))):.0e} J.")
    print("Midpoint rule in free flight, written again here: order {:.2f} with forces at u_A, {:.2f} with forces at "
          "the velocity in the middle.".format(*midpoint_orders(near)))
    results = []
    for label, arguments in METHODS:
        print(f"\n## {label}")
        picus, projected = Picus(command, arguments), Picus(command, arguments + PROJECTED)
        results.append({**free_flight(picus, near), **first_impact(picus, near), **corners_in_turn(picus, 1.0),
                        **after_series(picus, projected, 1.0), **printed_start(picus, reference),
                        **half_the_step(picus, projected)})
        statistic(picus)
    draw(figure_path, results)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
