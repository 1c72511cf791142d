#!/usr/bin/python3
"""Draws what picus_bench_hopper measured: time of a step and residual of the contact laws against the number of disks.

Usage: plot_hopper.py FILE.csv FIGURE.png
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)

STYLE = {
    "picus": ("Picus", "#111111", "o", 2.2),
    "picus to 1e-2": ("Picus, tolerance 1e-2", "#c0392b", "P", 1.6),
    "box2d 8/3": ("Box2D, 8 sweeps", "#2f8f4e", "^", 1.3),
    "box2d 50/20": ("Box2D, 50 sweeps", "#1f5fa8", "s", 1.3),
    "box2d 1000/20": ("Box2D, 1000 sweeps", "#7d3c98", "D", 1.3),
    "box2d 8/3 1/60 s": ("Box2D, 8 sweeps, steps of 1/60 s", "#b8860b", "v", 1.3),
}
PHASES = {"fill": "filling", "flow": "dense flow", "rest": "rest, mouth closed"}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(2, 3, figsize=(12, 7.2), layout="constrained", sharex=True, sharey="row")
    for column, (phase, title) in enumerate(PHASES.items()):
        time, residual = axes[0][column], axes[1][column]
        for program, (label, colour, marker, width) in STYLE.items():
            chosen = [r for r in rows if r["phase"] == phase and r["program"] == program]
            if not chosen:
                continue
            n = [int(r["n"]) for r in chosen]
            look = {"color": colour, "marker": marker, "markersize": 4.5, "linewidth": width}
            time.plot(n, [float(r["ms"]) for r in chosen], label=label, **look)
            time.plot(n, [float(r["ms_mean"]) for r in chosen], color=colour, linewidth=0.8, linestyle=":")
            for figures, style in (("residual", "-"), ("residual_worst", ":")):
                values = [max(float(r[figures]), 1e-17) for r in chosen]
                residual.plot(n, values, **(look | ({"marker": "", "linewidth": 0.9} if style == ":" else {})),
                              linestyle=style)
        residual.axhline(1e-8, color="#b03a2e", linewidth=1, linestyle="--")
        time.set_title(title)
        residual.set_xlabel("disks")
        for axis in (time, residual):
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.grid(alpha=0.25)
    axes[0][0].set_ylabel("ms a step: median, dotted mean")
    axes[1][0].set_ylabel("residual / v_ref: median, dotted worst")
    axes[1][0].text(10, 1.2e-9, "certified up to here", color="#b03a2e", fontsize=8)
    axes[0][0].legend(frameon=False, fontsize=8)
    figure.suptitle("Disks in a hopper: time of a step, and how far its impulses are from the contact laws")
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
