#!/usr/bin/python3
"""Times the models of the catalogue in Picus and in Siconos turn about, and shows that both compute the same motion.

Usage: compare.py PICUS SICONOS_MODELS OUT_DIR     prints tables, writes OUT_DIR/siconos.png
Needs numpy and matplotlib (Debian: python3-matplotlib, for /usr/bin/python3).
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

ROUNDS = 7
ONCE = "--newton-once"
JEAN = ["--method", "moreau-jean"]
# Name, model, dt [s], end [s], Picus' options, Siconos' solver and options: the fastest that reaches a residual of 1e-10
# in every step.
CASES = [
    ("woodpecker, Picus: moreau-midpoint", "woodpecker", 1e-4, 2, [], ["nsgs"]),
    ("woodpecker, Picus: moreau-jean", "woodpecker", 1e-4, 2, JEAN, ["nsgs"]),
    ("slider-crank, explicit, one iteration", "slider-crank", 1e-5, 0.16, [], ["enum", ONCE]),
    ("slider-crank, both implicit", "slider-crank", 1e-5, 0.16, JEAN, ["enum"]),
]
# Model, time steps [s], end [s] (slider-crank: before its first impact), options of both: where the motions are compared.
CHECKS = [
    ("woodpecker", [2e-4, 1e-4, 5e-5], 0.1, [], ["nsgs"]),
    ("woodpecker", [2e-4, 1e-4, 5e-5], 2, JEAN, ["nsgs"]),
    ("slider-crank", [1e-5, 5e-6, 2.5e-6], 0.0024, [], ["enum", ONCE]),
    ("slider-crank", [1e-5, 5e-6, 2.5e-6], 0.0024, JEAN, ["enum"]),
]


def picus(program, model, dt, end, options, folder, every):
    command = [program, "run", model, "--json", "--dt", repr(dt), "--end", repr(end), "--every", str(every)]
    command += ["--out", folder, *options]
    summary = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert summary["certified_steps"] == summary["steps"], "Picus could not certify every step"
    return summary


def siconos(program, model, dt, end, options):
    # Threads of OpenBLAS only cost time on matrices this small.
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    command = [program, model, repr(dt), repr(end), *options]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    summary = json.loads(output.splitlines()[-1])
    assert summary["failed_solves"] == 0 and summary["worst_residual"] <= 1e-10, "Siconos' solver failed"
    return summary


def measure(programs, model, dt, end, our_options, their_options):
    """ns per step of both programs, one value a round, and what they say of the run."""
    times = {"Picus": [], "Siconos": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            ours = picus(programs[0], model, dt, end, our_options, folder, 1000000)
            theirs = siconos(programs[1], model, dt, end, their_options)
            assert ours["steps"] == theirs["steps"]
            times["Picus"].append(ours["ns_per_step"])
            times["Siconos"].append(1e9 * theirs["seconds"] / theirs["steps"])
    return times, ours, theirs


def trajectories(programs, model, dt, end, our_options, their_options):
    """t, q and u of every step, from Picus and from Siconos."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "siconos.csv")
        picus(programs[0], model, dt, end, our_options, folder, 1)
        siconos(programs[1], model, dt, end, [*their_options, "--trajectory", path])
        ours = np.loadtxt(os.path.join(folder, "states.csv"), delimiter=",", skiprows=1)
        theirs = np.loadtxt(path, delimiter=",", skiprows=1)
    assert np.allclose(ours[:, 0], theirs[:, 0], rtol=0, atol=1e-3 * dt)
    return ours, theirs


def period(states):
    """Mean time between pecks of the woodpecker (phi_S is thrown back near 0.12 rad), without the first five."""
    t, phi_S, omega_S = states[:, 0], states[:, 3], states[:, 6]
    pecks = t[1:][(omega_S[:-1] > 0) & (omega_S[1:] <= 0) & (phi_S[:-1] > 0.11)]
    return np.diff(pecks)[5:].mean()


def print_checks(programs):
    print("Largest difference of q1, q2, q3 between Picus and Siconos:")
    for model, steps, end, our_options, their_options in CHECKS:
        method = our_options[1] if our_options else "moreau-midpoint"
        print(f"{model} (Picus {method}, Siconos {' '.join(their_options)}), to {end} s")
        for dt in steps:
            ours, theirs = trajectories(programs, model, dt, end, our_options, their_options)
            largest = np.abs(ours[:, 1:4] - theirs[:, 1:4]).max(axis=0)
            print(f"  dt {dt:.1e} s: " + "  ".join(f"{x:.1e}" for x in largest))
    print("Period of the woodpecker over 6 s:")
    for dt in (1e-4, 2.5e-5):
        ours, theirs = trajectories(programs, "woodpecker", dt, 6, [], ["nsgs"])
        print(f"  dt {dt:.1e} s: Picus {period(ours):.5f} s, Siconos {period(theirs):.5f} s")


def speed(steps_per_second):
    if steps_per_second >= 1e6:
        return f"{steps_per_second / 1e6:.1f} million"
    return f"{steps_per_second / 1e3:.0f} thousand"


def draw(results, path):
    figure, ax = plt.subplots(figsize=(9, 5.2), layout="constrained")
    for offset, (program, colour) in zip((0.2, -0.2), (("Picus", "#1f5fa8"), ("Siconos", "#b5382a"))):
        values = [1e9 / statistics.median(times[program]) for _, times in results]
        places = [-k + offset for k in range(len(results))]
        ax.barh(places, values, height=0.38, color=colour, label=program)
        for place, value in zip(places, values):
            ax.annotate(speed(value), (value, place), (4, 0), textcoords="offset points", va="center")
    ax.set_yticks([-k for k in range(len(results))], [name.replace(", ", "\n") for name, _ in results])
    ax.set_xscale("log")
    ax.set_xlim(1e4, 1e8)
    ax.set_xlabel("time steps per second of computing (logarithmic; longer is faster)")
    ax.set_title("Picus and Siconos 4.4 on the same models with the same time step, one core")
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    ax.legend(frameon=False, loc="lower right")
    figure.savefig(path, dpi=120)


def main(picus_program, siconos_program, folder):
    programs = picus_program, siconos_program
    print_checks(programs)
    print(f"\n{ROUNDS} rounds turn about; ns per step: median (least); steps per second: from the median")
    print(f"{'model':38} {'dt, s':>7} {'steps':>6} {'Picus, ns':>14} {'Siconos, ns':>17} "
          f"{'ratio of':>8} {'ratio of':>8} {'Picus,':>12} {'Siconos,':>12}")
    print(f"{'':85} {'medians':>8} {'least':>8} {'steps/s':>12} {'steps/s':>12}")
    results = []
    for name, model, dt, end, our_options, their_options in CASES:
        times, ours, theirs = measure(programs, model, dt, end, our_options, their_options)
        results.append((name, times))
        median = {program: statistics.median(values) for program, values in times.items()}
        least = {program: min(values) for program, values in times.items()}
        cells = {program: f"{median[program]:.0f} ({least[program]:.0f})" for program in times}
        print(f"{name:38} {dt:7.0e} {ours['steps']:6} {cells['Picus']:>14} {cells['Siconos']:>17} "
              f"{median['Siconos'] / median['Picus']:8.1f} {least['Siconos'] / least['Picus']:8.1f} "
              f"{speed(1e9 / median['Picus']):>12} {speed(1e9 / median['Siconos']):>12}")
        print(f"  steps with contact: Picus {ours['contact_steps']}, Siconos {theirs['contact_steps']}; "
              f"Siconos: solver {theirs['solver']}, Newton iterations {theirs['newton_iterations']}, "
              f"worst residual {theirs['worst_residual']:.1e}")
    os.makedirs(folder, exist_ok=True)
    draw(results, os.path.join(folder, "siconos.png"))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
