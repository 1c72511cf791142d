#!/usr/bin/python3
"""Runs the woodpecker with smaller and smaller time steps and compares its limit cycle with the event-driven reference
(tests/oracle/woodpecker_event_driven.py). Prints the table of docs/woodpecker.md and draws the picture beside it.

Usage: woodpecker_convergence.py PICUS FIGURE.png
"""

import json
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

STEPS = [2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6]
END = 20
# Event-driven: period [s], descent per peck [m], least angle of the woodpecker [rad], dissipation per peck [J].
REFERENCE = {"period": 0.145976065144, "descent": 0.0194453792847, "phi_S": -0.529471967111, "loss": 9.15644019759e-4}
WEIGHT = (0.0045 + 0.0003) * 9.81


def run(picus, dt):
    with tempfile.TemporaryDirectory() as folder:
        command = [picus, "run", "woodpecker", "--json", "--dt", repr(dt), "--end", str(END), "--every", "1000000", "--out", folder]
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
    }


def main(picus, figure_path):
    results = [run(picus, dt) for dt in STEPS]
    print("| dt [s] | period [s] | descent [mm] | least phi_S [rad] | loss / (weight x descent) - 1 |")
    print("|---|---|---|---|---|")
    for dt, r in zip(STEPS, results):
        print(f"| {dt:.0e} | {r['period']:.7f} | {1e3 * r['descent']:.5f} | {r['phi_S']:.6f} | "
              f"{r['loss'] / (WEIGHT * r['descent']) - 1:+.1e} |")
    print(f"| event-driven | {REFERENCE['period']:.7f} | {1e3 * REFERENCE['descent']:.5f} | {REFERENCE['phi_S']:.6f} | |")
    figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
    for key, name, marker in (("period", "period", "o"), ("descent", "descent per peck", "s"), ("phi_S", r"least $\varphi_S$", "^"),
                              ("loss", "dissipation per peck", "v")):
        error = np.array([abs(r[key] / REFERENCE[key] - 1) for r in results])
        order = np.polyfit(np.log(STEPS), np.log(error), 1)[0]
        ax.loglog(STEPS, error, marker=marker, label=f"{name}, order {order:.2f}")
        print(f"order of {key}: {order:.3f}")
    ax.loglog(STEPS, 20 * np.array(STEPS), color="#777777", linestyle="--", label="order 1")
    ax.set_xlabel("time step [s]")
    ax.set_ylabel("relative error against event-driven integration")
    ax.grid(alpha=0.3, which="both")
    ax.legend(frameon=False)
    figure.savefig(figure_path, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
