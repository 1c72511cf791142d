#!/usr/bin/python3
"""Draws Figures 4-6 of Glocker & Studer (2005) from a run of the woodpecker, and its way down the pole.

Usage: figures.py DIR     reads DIR/states.csv and DIR/events.csv, writes DIR/figures.png and DIR/figures.svg
Needs matplotlib and numpy (Debian: python3-matplotlib, for /usr/bin/python3).
"""

import csv
import os
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError as error:
    sys.exit(f"figures.py: {error}; run it with /usr/bin/python3 and install python3-matplotlib")

BLUE, RED, GREY = "#1f5fa8", "#b5382a", "#777777"


def read_states(path):
    with open(path, newline="") as file:
        reader = csv.reader(file)
        names = next(reader)
        values = np.array([[float(x) for x in row] for row in reader])
    return dict(zip(names, values.T))


def impact_times(path, contact):
    with open(path, newline="") as file:
        return [float(r["t"]) for r in csv.DictReader(file) if r["contact"] == contact and r["kind"] == "impact"]


def last_cycle(t, pecks):
    """The span between the last two pecks, or the whole run where there are fewer."""
    if len(pecks) < 2:
        return slice(0, len(t))
    return slice(int(np.searchsorted(t, pecks[-2])), int(np.searchsorted(t, pecks[-1])) + 1)


def sticking(path, contact, end):
    """Spans in which the contact sticks: from `stick` to the next `slip` or `lift-off`."""
    spans, begin = [], None
    with open(path, newline="") as file:
        for r in csv.DictReader(file):
            if r["contact"] != contact:
                continue
            if begin is not None and r["kind"] in ("slip", "lift-off"):
                spans.append((begin, float(r["t"])))
                begin = None
            if r["kind"] == "stick":
                begin = float(r["t"])
    return spans + ([(begin, end)] if begin is not None else [])


def history(axes, t, angle, velocity, names, pecks):
    for ax, values, name, unit in ((axes[0], angle, names[0], "rad"), (axes[1], velocity, names[1], "rad/s")):
        for peck in pecks:
            ax.axvline(peck, color=GREY, linewidth=0.7, alpha=0.7)
        ax.plot(t, values, color=BLUE, linewidth=0.9)
        ax.set_ylabel(f"{name} [{unit}]")
        ax.set_xlim(t[0], t[-1])
        ax.grid(alpha=0.25)
    axes[1].set_xlabel("t [s]")


def portrait(ax, angle, velocity, cycle, names):
    ax.plot(angle, velocity, color=GREY, linewidth=0.4, alpha=0.5, label="whole run")
    ax.plot(angle[cycle], velocity[cycle], color=RED, linewidth=1.2, label="last cycle")
    ax.set_xlabel(f"{names[0]} [rad]")
    ax.set_ylabel(f"{names[1]} [rad/s]")
    ax.grid(alpha=0.25)
    ax.legend(loc="best", fontsize=8, frameon=False)


def main(folder):
    s = read_states(os.path.join(folder, "states.csv"))
    pecks = impact_times(os.path.join(folder, "events.csv"), "1")
    t = s["t"]
    if len(t) < 2:
        sys.exit(f"figures.py: '{folder}' holds one state only; nothing to draw")
    cycle = last_cycle(t, pecks)
    woodpecker, sleeve = (r"$\varphi_S$", r"$\omega_S$"), (r"$\varphi_M$", r"$\omega_M$")

    figure = plt.figure(figsize=(12, 13), layout="constrained")
    parts = figure.subfigures(4, 1, height_ratios=[1, 1, 1.1, 0.6])
    axes = parts[0].subplots(2, 1, sharex=True)
    parts[0].suptitle("Figure 4: the woodpecker's angle and angular velocity (grey lines: pecks)")
    history(axes, t, s["phi_S"], s["omega_S"], woodpecker, pecks)
    axes = parts[1].subplots(2, 1, sharex=True)
    parts[1].suptitle("Figure 5: the sleeve's angle and angular velocity")
    history(axes, t, s["phi_M"], s["omega_M"], sleeve, pecks)
    axes = parts[2].subplots(1, 2)
    parts[2].suptitle("Figure 6: limit cycle in the phase space")
    portrait(axes[0], s["phi_S"], s["omega_S"], cycle, woodpecker)
    portrait(axes[1], s["phi_M"], s["omega_M"], cycle, sleeve)
    ax = parts[3].subplots()
    parts[3].suptitle("The way down (shaded: the lower edge of the sleeve sticks)")
    for begin, end in sticking(os.path.join(folder, "events.csv"), "2", t[-1]):
        ax.axvspan(begin, end, color=RED, alpha=0.12, linewidth=0)
    ax.plot(t, 1000 * s["y"], color=BLUE, linewidth=1.1)
    ax.set_xlim(t[0], t[-1])
    ax.set_xlabel("t [s]")
    ax.set_ylabel("y [mm]")
    ax.grid(alpha=0.25)
    for extension in ("png", "svg"):
        figure.savefig(os.path.join(folder, "figures." + extension), dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except FileNotFoundError as error:
        sys.exit(f"figures.py: cannot read '{error.filename}'; accepted: the folder of a run of the woodpecker")
    except KeyError as error:
        sys.exit(f"figures.py: '{sys.argv[1]}' has no column {error}; accepted: the folder of a run of the woodpecker")
