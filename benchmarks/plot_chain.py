#!/usr/bin/python3
"""Draws what picus_bench_chain measured: time of a step against the number of contacts, one curve a solver.

Usage: plot_chain.py FILE.csv FIGURE.png
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)

STYLE = {
    "auto": ("#111111", "o", 2.2),
    "newton": ("#1f5fa8", "s", 1.3),
    "gauss-seidel": ("#2f8f4e", "^", 1.3),
    "prox": ("#b8860b", "v", 1.3),
    "lemke": ("#b03a2e", "D", 1.3),
    "enumerate": ("#7d3c98", "x", 1.3),
}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["residual"] != "nan"]
    figure, axes = plt.subplots(figsize=(7.5, 5.2), layout="constrained")
    for solver, (colour, marker, width) in STYLE.items():
        points = [(int(r["contacts"]), 1e-3 * float(r["ns"])) for r in rows if r["solver"] == solver]
        axes.plot(*zip(*points), color=colour, marker=marker, markersize=5, linewidth=width, label=solver)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    contacts = sorted({int(r["contacts"]) for r in rows})
    axes.set_xticks(contacts, [str(c) for c in contacts])
    axes.set_xlabel("contacts in the chain, all active")
    axes.set_ylabel("time of a certified step, µs")
    axes.set_title("Tower of plates on a shaking table")
    axes.grid(alpha=0.25, which="both")
    axes.legend(frameon=False)
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
