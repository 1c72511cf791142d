#!/usr/bin/python3
"""Draws the figures of Flores, Leine & Glocker (2010) from runs of the slider-crank.

Usage: slider_crank_figures.py FIGURE.png DIR           Figs. 10 and 11: corners, speeds, portraits
       slider_crank_figures.py FIGURE.png DIR DIR...    Figs. 12 and 13: corner 1 and slider portraits, a column a run
Needs matplotlib and numpy (Debian: python3-matplotlib, for /usr/bin/python3).
"""

import csv
import json
import os
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError as error:
    sys.exit(f"slider_crank_figures.py: {error}; run it with /usr/bin/python3 and install python3-matplotlib")

BLUE = "#1f5fa8"


class Run:
    def __init__(self, folder):
        with open(os.path.join(folder, "summary.json")) as file:
            summary = json.load(file)
        if summary["model"] != "slider-crank":
            sys.exit(f"slider_crank_figures.py: '{folder}' is a run of {summary['model']}; accepted: slider-crank")
        self.p = summary["parameters"]
        with open(os.path.join(folder, "states.csv"), newline="") as file:
            reader = csv.reader(file)
            names = next(reader)
            self.s = dict(zip(names, np.array([[float(x) for x in row] for row in reader]).T))

    def corner(self, i):
        """Height of corner i over the middle of its play, in units of the clearance (eq. 115): 1 and -1 are the guide."""
        p, s = self.p, self.s
        y = p["l_1"] * np.sin(s["theta_1"]) + p["l_2"] * np.sin(s["theta_2"])
        along, across = (-1 if i % 2 == 1 else 1), (1 if i <= 2 else -1)
        height = y + along * p["a"] * np.sin(s["theta_3"]) + across * p["b"] * np.cos(s["theta_3"])
        return (height - across * p["b"]) / p["c"]

    def crank_turns(self):
        return self.s["theta_1"] / (2 * np.pi)


def plot(ax, x, y, xlabel, ylabel):
    ax.plot(x, y, color=BLUE, linewidth=0.8)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.locator_params(axis="x", nbins=5)
    ax.grid(alpha=0.25)


def corner_axes(ax, run, i):
    for wall in (-1, 1):
        ax.axhline(wall, color="#777777", linewidth=0.7)
    plot(ax, run.crank_turns(), run.corner(i), "crank turns", f"corner {i}: (y - middle) / c")
    ax.set_ylim(-1.25, 1.25)


def one_run(path, run):
    figure, axes = plt.subplots(4, 2, figsize=(12, 13), layout="constrained")
    for i in range(4):
        corner_axes(axes[i // 2][i % 2], run, i + 1)
    s, turns = run.s, run.crank_turns()
    plot(axes[2][0], turns, s["omega_1"], "crank turns", r"$\omega_1$ [rad/s]")
    plot(axes[2][1], turns, s["omega_2"], "crank turns", r"$\omega_2$ [rad/s]")
    plot(axes[3][0], np.remainder(s["theta_2"] + np.pi, 2 * np.pi) - np.pi, s["omega_2"], r"$\theta_2$ [rad]", r"$\omega_2$ [rad/s]")
    plot(axes[3][1], s["theta_3"], s["omega_3"], r"$\theta_3$ [rad]", r"$\omega_3$ [rad/s]")
    figure.suptitle("Figures 10 and 11: corners of the slider, speeds, portraits of rod and slider")
    figure.savefig(path, dpi=100)


def several_runs(path, runs):
    figure, axes = plt.subplots(2, len(runs), figsize=(4.2 * len(runs), 7), layout="constrained")
    for column, run in enumerate(runs):
        corner_axes(axes[0][column], run, 1)
        axes[0][column].set_title(rf"$\varepsilon_N$ = {run.p['eN1']:g}")
        plot(axes[1][column], run.s["theta_3"], run.s["omega_3"], r"$\theta_3$ [rad]", r"$\omega_3$ [rad/s]")
    figure.suptitle("Figures 12 and 13: corner 1 and portrait of the slider")
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        runs = [Run(folder) for folder in sys.argv[2:]]
    except FileNotFoundError as error:
        sys.exit(f"slider_crank_figures.py: cannot read '{error.filename}'; accepted: folders of runs of slider-crank")
    if len(runs) == 1:
        one_run(sys.argv[1], runs[0])
    else:
        several_runs(sys.argv[1], runs)
