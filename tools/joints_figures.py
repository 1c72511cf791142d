#!/usr/bin/python3
"""Measures what docs/joints.md tells about mechanisms of bodies and joints: runs Picus, compares with references that share
nothing with it, prints the tables and draws the pictures (joints-*.png in FOLDER).

Usage: joints_figures.py PICUS FOLDER [PART ...]     parts: four-bar clearance
Needs numpy, scipy and matplotlib (for /usr/bin/python3).
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
import four_bar  # noqa: E402

JOINTS = "ABCD"
MOTOR = "  - {name: motor, driven: crank.phi, to: omega_0*t}"


def model(name):
    with open(os.path.join(ROOT, "models", name + ".yaml")) as file:
        return file.read()


def table(path):
    return np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding=None, deletechars="")


class Run:
    """One run of a model's text: summary and tables."""

    def __init__(self, picus, text, dt, end, every=1, sets=(), arguments=(), tables=("states",)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w") as file:
                file.write(text)
            command = [picus, "run", path, "--json", "--dt", repr(dt), "--end", repr(end), "--every", str(every), "--out",
                       folder, *arguments]
            for setting in sets:
                command += ["--set", setting]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode not in (0, 1) or not answer.stdout:
                raise RuntimeError(answer.stderr)
            self.summary = json.loads(answer.stdout)
            if self.summary["status"] != "done" or self.summary["certified_steps"] != self.summary["steps"]:
                print("  not done or not certified:", self.summary["status"], self.summary["message"])
            for name in tables:
                setattr(self, name, table(os.path.join(folder, name + ".csv")))

    def array(self, *columns):
        return np.array([self.states[c] for c in columns]).T

    def forces(self, constraint):
        rows = self.reactions[self.reactions["constraint"] == constraint]
        return rows["t"], rows["force"]


def orders(errors):
    return " ".join("%5.2f" % np.log2(a / b) for a, b in zip(errors, errors[1:]))


def with_motor(text):
    return re.sub(r"(?m)^  # - (\{name: motor.*)$", r"  - \1", text)


BARS = ("crank", "coupler", "rocker")
POSITIONS = [bar + part for bar in BARS for part in (".x", ".y", ".phi")]
VELOCITIES = [bar + part for bar in BARS for part in (".vx", ".vy", ".omega")]
COLORS = ["#2060a0", "#b03030", "#208040", "#805090"]


def ideal_forces(t, driven):
    return np.array([four_bar.reactions(*x, driven)[0] for x in zip(*four_bar.motion(t, driven))])


def compare_four_bar(picus, folder):
    print("\nfour-bar against Lagrange's equation of one coordinate, to 1 s; largest errors: positions of the centres [m], "
          "angles [rad], velocities [m/s], angular velocities [rad/s], joint forces [N] with those at t - dt/2, with those "
          "at t, torque of the motor [N m]; the last three without the first millisecond; change of energy [J]")
    steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5]
    figure, axes = plt.subplots(1, 3, figsize=(13, 4))
    for driven in (False, True):
        text = with_motor(model("four-bar")) if driven else model("four-bar")
        results = []
        for dt in steps:
            run = Run(picus, text, dt, 1.0, round(1e-3 / dt), tables=("states", "reactions"))
            off = np.abs(run.array(*POSITIONS, *VELOCITIES) - four_bar.states(run.states["t"], driven))
            row = [off[:, [0, 1, 3, 4, 6, 7]].max(), off[:, [2, 5, 8]].max(), off[:, [9, 10, 12, 13, 15, 16]].max(),
                   off[:, [11, 14, 17]].max()]
            t = run.forces("A.x")[0]
            late = t > 1.5e-3
            found = np.array([run.forces(j + a)[1] for j in JOINTS for a in (".x", ".y")]).T.reshape(-1, 4, 2)
            row += [np.abs(found - ideal_forces(when, driven))[late].max() for when in (t - dt / 2, t)]
            if driven:
                expected = [four_bar.reactions(*x, True)[1] for x in zip(*four_bar.motion(t - dt / 2, True))]
                row.append(np.abs(run.forces("motor")[1] - expected)[late].max())
            energy = run.summary["energy"]
            row.append(abs(energy["remainder"] + energy["projection"]))
            results.append(row)
            print("  %s %-9g" % ("driven" if driven else "free  ", dt), " ".join("%8.2e" % x for x in row),
                  "  g up to %.0e" % run.summary["worst_drift"])
        for i, errors in enumerate(np.array(results).T):
            print("    column %d, orders" % (i + 1), orders(errors))
        results = np.array(results)
        for i, label in ((1, "angles [rad]"), (4, "joint forces, t − dt/2 [N]"), (5, "joint forces, t [N]")):
            if not (driven and i == 1):
                axes[2].loglog(steps, results[:, i], ["o-", "s--"][driven], color=COLORS[[0, 0, 0, 0, 1, 2][i]],
                               label=("driven: " if driven else "free: ") + label)
        if driven:
            run = Run(picus, text, 2.5e-4, 0.42, 1, tables=("reactions",))
            t = run.forces("A.x")[0] - 1.25e-4
            expected = np.linalg.norm(ideal_forces(t, True), axis=2)
            for k, joint in enumerate(JOINTS):
                f = np.hypot(run.forces(joint + ".x")[1], run.forces(joint + ".y")[1])
                axes[1].plot(t * 1e3, expected[:, k], color=COLORS[k], lw=3, alpha=0.3)
                axes[1].plot(t * 1e3, f, color=COLORS[k], lw=1, label="joint " + joint)
    phi = np.array([four_bar.close(x) for x in np.linspace(0, 2 * np.pi, 13)])
    for x in phi:
        b = four_bar.L1 * np.array([np.cos(x[0]), np.sin(x[0])])
        c = b + four_bar.L2 * np.array([np.cos(x[1]), np.sin(x[1])])
        for (x0, x1), color in (((np.zeros(2), b), COLORS[1]), ((b, c), COLORS[0]), ((c, np.array([four_bar.L0, 0])), COLORS[2])):
            axes[0].plot([x0[0], x1[0]], [x0[1], x1[1]], color=color, lw=1, alpha=0.7)
    axes[0].plot([0, four_bar.L0], [0, 0], "k^", ms=9)
    axes[0].set(title="twelve positions", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes[1].set(title="driven: joint forces (thick: reference)", xlabel="t [ms]", ylabel="|F| [N]")
    axes[1].legend()
    axes[2].set(title="largest errors to 1 s", xlabel="dt [s]")
    axes[2].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "joints-four-bar.png"), dpi=110)


def with_play(joints):
    """four-bar-clearance with play in these joints only."""
    lines = []
    for line in model("four-bar-clearance").split("\n"):
        joint = re.match(r"  - \{name: ([ABCD]),", line)
        lines.append(line.split(", clearance")[0] + "}" if joint and joint.group(1) not in joints else line)
    return "\n".join(lines)


def smooth(x, n):
    return np.convolve(x, np.ones(n) / n, "same")


def compare_clearance(picus, folder):
    c, end, dt = 5e-4, 0.63, 5e-6
    print("\nfour-bar-clearance against the ideal linkage, dt = %g s, to %g s (three turns), c = %g m" % (dt, end, c))
    figure, axes = plt.subplots(2, 2, figsize=(13, 8.5))
    for number, joints in enumerate(["C", "BC", "ABCD"]):
        run = Run(picus, with_play(joints), dt, end, 4, tables=("states", "contacts", "events"))
        t = run.states["t"]
        exact = four_bar.states(t, True)
        off = run.states["rocker.phi"] - exact[:, 8]
        bound = len(joints) * c / (four_bar.L3 * np.abs(np.sin(exact[:, 8] - exact[:, 5])))
        later = t > 0.1
        print("  play in %-5s rocker.phi off by %.2e (mean %+.2e, rms %.2e); at most %.3f of n c / (l_3 sin gamma); overlap %.1f um" %
              (joints, np.abs(off).max(), off[later].mean(), off[later].std(), (np.abs(off) / bound).max(),
               1e6 * run.summary["worst_penetration"]))
        axes[0, 0].plot(t * 1e3, off * 1e3, color=COLORS[number], lw=1, label="play in " + ", ".join(joints))
        for sign in (-1, 1):
            axes[0, 0].plot(t * 1e3, sign * bound * 1e3, color=COLORS[number], lw=0.7, ls=":")
        ideal = np.linalg.norm(ideal_forces(t[1:], True), axis=2)
        for joint in joints:
            k = JOINTS.index(joint)
            rows = run.contacts[run.contacts["contact"] == joint]
            force = np.zeros(len(t))
            force[np.round(rows["t"] / (4 * dt)).astype(int)] = np.hypot(rows["Lambda_N"], rows["Lambda_T"]) / dt
            pressed = force[1:] > 0
            hits = run.events[(run.events["contact"] == joint) & (run.events["kind"] == "impact")]
            strong = hits[hits["Lambda_N"] > 3 * ideal[:, k].max() * dt]
            print("    %s: impulses of more than 3 x (largest ideal force) dt: %d, largest %.2e N s; without force %.1f %% of the "
                  "time; force / ideal, 2 ms means, after 0.1 s: rms difference %.2f N, ideal up to %.1f N, found up to %.1f N; "
                  "events 'impact' %d" %
                  (joint, len(strong), hits["Lambda_N"].max(), 100 * (1 - pressed[later[1:]].mean()),
                   (smooth(force[1:], 100) - smooth(ideal[:, k], 100))[later[1:]][:-100].std(), ideal[:, k].max(),
                   smooth(force[1:], 100)[later[1:]][:-100].max(), len(hits)))
            if joint == "C":
                axes[1, 0].plot(t[1:] * 1e3, smooth(force[1:], 100), color=COLORS[number], lw=1, label="play in " + ", ".join(joints))
                if number == 2:
                    axes[1, 0].plot(t[1:] * 1e3, ideal[:, k], "k--", lw=1, label="ideal joint")
                cosine, sine = np.cos(run.states["coupler.phi"]), np.sin(run.states["coupler.phi"])
                hole = np.array([run.states["coupler.x"] + four_bar.L2 / 2 * cosine, run.states["coupler.y"] + four_bar.L2 / 2 * sine])
                pin = np.array([run.states["rocker.x"] + four_bar.L3 / 2 * np.cos(run.states["rocker.phi"]),
                                run.states["rocker.y"] + four_bar.L3 / 2 * np.sin(run.states["rocker.phi"])])
                d = (pin - hole) / c
                if number in (0, 2):
                    axes[[0, None, 1][number], 1].plot(d[0], d[1], color=COLORS[number], lw=0.5)
    for ax, name in ((axes[0, 1], "C"), (axes[1, 1], "A, B, C, D")):
        angle = np.linspace(0, 2 * np.pi, 200)
        ax.plot(np.cos(angle), np.sin(angle), "k", lw=0.8)
        ax.set(title="play in %s: pin C in its hole" % name, xlabel="x / c", ylabel="y / c", aspect="equal")
    axes[0, 0].set(title="angle of the rocker less that of the ideal linkage", xlabel="t [ms]", ylabel="[mrad]")
    axes[1, 0].set(title="force in C, means over 2 ms", xlabel="t [ms]", ylabel="[N]")
    for ax in (axes[0, 0], axes[1, 0]):
        ax.legend()
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "joints-clearance.png"), dpi=110)


PARTS = {"four-bar": compare_four_bar, "clearance": compare_clearance}

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](sys.argv[1], sys.argv[2])
