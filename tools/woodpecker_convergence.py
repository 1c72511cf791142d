#!/usr/bin/python3
"""Runs the woodpecker with smaller and smaller time steps and compares its limit cycle with the event-driven reference
(tests/oracle/woodpecker_event_driven.py). Prints the tables of docs/woodpecker.md and draws the picture beside them.
Takes about half a minute.

Usage: woodpecker_convergence.py PICUS FIGURE.png
Needs numpy and matplotlib (Debian: python3-numpy, python3-matplotlib, for /usr/bin/python3).
"""

import json
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

METHODS = [  # label, arguments of picus run
    ("moreau-midpoint", ["--method", "moreau-midpoint"]),
    ("moreau-jean, θ = 0.5", ["--method", "moreau-jean", "--theta", "0.5"]),
    ("moreau-jean, θ = 1", ["--method", "moreau-jean", "--theta", "1"]),
]
STEPS = [2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6]
END = 20
# Event-driven: period [s], descent per peck [m], least angle of the woodpecker [rad], dissipation per peck [J].
REFERENCE = {"period": 0.145976065144, "descent": 0.0194453792847, "phi_S": -0.529471967111, "loss": 9.15644019759e-4}
QUANTITIES = [("period", "period", "o", 6), ("descent", "descent per peck", "s", 9),
              ("phi_S", r"least $\varphi_S$", "^", 6), ("loss", "dissipation per peck", "v", 5)]  # marker, its size
WEIGHT = (0.0045 + 0.0003) * 9.81


def run(picus, arguments, dt):
    with tempfile.TemporaryDirectory() as folder:
        command = [picus, "run", "woodpecker", "--json", "--dt", repr(dt), "--end", str(END), "--every", "1000000",
                   "--out", folder, *arguments]
        summary = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert summary["certified_steps"] == summary["steps"]
    cycles = summary["cycles"]
    return {
        "period": cycles["period"]["mean"],
        "spread": cycles["period"]["deviation"],
        "descent": cycles["descent"]["mean"],
        "phi_S": cycles["least"]["phi_S"]["mean"],
        "loss": -cycles["contact_work"]["mean"],
        "count": cycles["averaged"],
        "remainder": summary["energy"]["remainder"],
    }


def errors(results, key):
    return np.array([abs(r[key] / REFERENCE[key] - 1) for r in results])


def order(error):
    return np.polyfit(np.log(STEPS), np.log(error), 1)[0]


def print_table(label, results):
    print(f"\n{label}\n")
    print("| dt [s] | period [s] | descent [mm] | least phi_S [rad] | loss / (weight x descent) - 1 | spread / dt | "
          "pecks | time step [J] |")
    print("|---|---|---|---|---|---|---|---|")
    for dt, r in zip(STEPS, results):
        print(f"| {dt:.0e} | {r['period']:.7f} | {1e3 * r['descent']:.5f} | {r['phi_S']:.6f} | "
              f"{r['loss'] / (WEIGHT * r['descent']) - 1:+.1e} | {r['spread'] / dt:.1f} | {r['count']} | "
              f"{r['remainder']:+.1e} |")
    print(f"| event-driven | {REFERENCE['period']:.7f} | {1e3 * REFERENCE['descent']:.5f} | "
          f"{REFERENCE['phi_S']:.6f} | | | | |")
    late = [(r["period"] - REFERENCE["period"]) / dt for dt, r in zip(STEPS, results)]
    print("\nOrders: " + ", ".join(f"{key} {order(errors(results, key)):.2f}" for key, *_ in QUANTITIES)
          + ". Error of the period / dt: " + ", ".join(f"{x:+.2f}" for x in late) + ".")


def draw(path, all_results):
    """A panel for each method."""
    figure, axes = plt.subplots(1, len(METHODS), figsize=(5.5 * len(METHODS), 5.2), layout="constrained", sharey=True)
    for ax, (label, _), results in zip(axes, METHODS, all_results):
        for key, name, marker, size in QUANTITIES:
            error = errors(results, key)
            ax.loglog(STEPS, error, marker=marker, markersize=size, label=f"{name}, order {order(error):.2f}")
        ax.loglog(STEPS, 20 * np.array(STEPS), color="#777777", linestyle="--", label="order 1")
        ax.set(title=label, xlabel="time step dt [s]")
        ax.grid(alpha=0.3, which="major")
        ax.legend(frameon=False, loc="upper left")
    axes[0].set(ylabel="relative error against event-driven integration")
    figure.savefig(path, dpi=100)


def main(picus, figure_path):
    all_results = []
    for label, arguments in METHODS:
        all_results.append([run(picus, arguments, dt) for dt in STEPS])
        print_table(label, all_results[-1])
    draw(figure_path, all_results)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
