#!/usr/bin/python3
"""Repeats the experiments with spheres of Trinkle, Tzitzouris & Pang (SAND2001-0076, section 4): runs Picus, compares
with closed forms and with tests/oracle/spheres_reference.py, prints the tables and draws the pictures (spheres-*.png in
FOLDER). Tables: A times of the transitions, B errors of the velocities at t = 2 s, C bounces of the ball in the groove,
D chatter of its forces.

Usage: spheres_figures.py PICUS FOLDER [PART ...]     parts: spin slide bowling groove
Needs numpy, scipy, matplotlib and its Pillow (for /usr/bin/python3).
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
from PIL import Image  # noqa: E402
from scipy.interpolate import CubicSpline  # noqa: E402
from scipy.optimize import brentq  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
import spheres_reference  # noqa: E402

ST, TP, MM, MJ = "stewart-trinkle", "tzitzouris-pang", "moreau-midpoint", "moreau-jean"
NAMES = {ST: "Stewart–Trinkle", TP: "Tzitzouris–Pang", MM: "Moreau, midpoint"}
VELOCITIES = ["vx", "vy", "vz", "wx", "wy", "wz"]
LABELS = ["$v_x$", "$v_y$", "$v_z$", "$ω_x$", "$ω_y$", "$ω_z$"]
FORCES = ["$c_t$ [N]", "$c_o$ [N]", "$c_r$ [N m]"]
COLORS = ["#2060a0", "#b03030", "#208040", "#805090", "#c07000", "#508090"]
G, J = spheres_reference.GRAVITY, spheres_reference.J


def table(path):
    return np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding=None, deletechars=""))


class Run:
    """One run of a model: summary and tables."""

    def __init__(self, picus, name, method, dt, end, arguments=(), every=1, tables=("states", "contacts", "events")):
        self.dt, self.every = dt, every
        with tempfile.TemporaryDirectory() as folder:
            command = [picus, "run", os.path.join(ROOT, "models", name + ".yaml"), "--json", "--method", method,
                       "--dt", repr(dt), "--end", repr(end), "--every", str(every), "--out", folder, *arguments]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode not in (0, 1) or not answer.stdout:
                raise RuntimeError(answer.stderr)
            self.summary = json.loads(answer.stdout)
            if self.summary["status"] != "done" or self.summary["certified_steps"] != self.summary["steps"]:
                print("  not done or not certified:", name, method, dt, self.summary["status"], self.summary["message"],
                      self.summary["certified_steps"], "of", self.summary["steps"])
            for part in tables:
                setattr(self, part, table(os.path.join(folder, part + ".csv")))
        self.t = self.states["t"]

    def velocities(self, t=None):
        u = np.array([self.states[c] for c in VELOCITIES]).T
        return u if t is None else u[np.abs(self.t - t).argmin()]

    def rows(self, contact, columns):
        """Columns of the contacts' table at all recorded steps but the start, zero where the contact takes no part."""
        rows = self.contacts[self.contacts["contact"] == contact]
        out = np.zeros((len(self.t), len(columns)))
        out[np.rint(rows["t"] / (self.dt * self.every)).astype(int)] = np.array([rows[c] for c in columns]).T
        return out[1:]

    def forces(self, contact):
        """Mean forces c_n, c_t, c_o, c_r of the recorded steps (all but the start)."""
        return self.rows(contact, ["Lambda_N", "Lambda_Tt", "Lambda_To", "Lambda_Tr"]) / self.dt

    def times(self, contact, kind):
        return self.events["t"][(self.events["contact"] == contact) & (self.events["kind"] == kind)]

    def last(self, contact, kind):
        """Time of the last event of this kind; of 'slip', of the last that follows 'stick', without a loss between."""
        if kind != "slip":
            return (list(self.times(contact, kind)) or [math.nan])[-1]
        mine, found = self.events[self.events["contact"] == contact], math.nan
        for before, after in zip(mine, mine[1:]):
            if before["kind"] == "stick" and after["kind"] == "slip":
                found = after["t"]
        return found


def stairs(forces):
    """Values for plt.step(where='pre') at all times with the start: a step's mean force stands for the whole step."""
    return np.vstack([forces[:1], forces])


def heading(*lines):
    print("\n" + "\n  ".join(lines))


TRANSITION_LINE = "  %-22s %-16s %-8s %8s  %-18s %-10s %9s  %-4s %s"


def transition_heading():
    heading("Table A: a transition recorded at t_k happened in (t_k - dt, t_k]; 'in': the reference lies there, too")
    print(TRANSITION_LINE % ("transition", "method", "dt", "t_k", "interval", "reference", "t_k - ref", "in", ""))


def transition(what, method, dt, t_k, reference, note=""):
    if math.isnan(t_k):
        print(TRANSITION_LINE % (what, method, "%.5g" % dt, "never", "", "%.7f" % reference, "", "", note))
        return
    inside = -1e-9 <= t_k - reference < dt
    print(TRANSITION_LINE % (what, method, "%.5g" % dt, "%.4f" % t_k, "(%.4f, %.4f]" % (t_k - dt, t_k),
                             "%.7f" % reference, "%+.5f" % (t_k - reference), "yes" if inside else "no", note))


def end_figure(figure, folder, name):
    figure.tight_layout()
    path = os.path.join(folder, "spheres-%s.png" % name)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    with Image.open(path) as image:  # 256 colours: a third of the size
        small = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


# --- A ball on the floor ----------------------------------------------------------------------------------------------


def spin(picus, folder):
    mu, e_r, omega = 0.2, 0.4, 1.962
    turn = math.atan(math.tan(math.pi / 5) / e_r)  # latitude of the six directions of the report's equation (6)
    coarse = e_r * math.sin(turn)  # their torsion
    ends = {"spinning-sphere": omega * J / (mu * G * e_r), "spinning-sphere-coarse": omega * J / (mu * G * coarse)}
    transition_heading()
    for name, what in (("spinning-sphere", "end of spin"), ("spinning-sphere-coarse", "end of spin, coarse")):
        for method in (ST,) if name.endswith("coarse") else (TP, ST, MM, MJ):
            for dt in (0.07, 1e-2, 1e-3, 1e-4):
                run = Run(picus, name, method, dt, 1.4, every=max(1, round(1e-2 / dt)))
                transition(what, method, dt, run.last("floor/ball", "stick"), ends[name])
    runs = {m: Run(picus, "spinning-sphere", m, 0.07, 1.19) for m in (TP, ST)}
    run = Run(picus, "spinning-sphere-coarse", ST, 0.07, 1.4)
    u, c = runs[TP].velocities(), runs[TP].forces("floor/ball")
    exact = np.maximum(omega * (1 - runs[TP].t), 0)
    heading("spinning-sphere, dt = 0.07: the methods differ by %.1e in velocities and %.1e in forces" %
            (np.abs(u - runs[ST].velocities()).max(), np.abs(c - runs[ST].forces("floor/ball")).max()),
            "from the closed form by %.1e in omega_z, c_n from m g by %.1e" %
            (np.abs(u[:, 5] - exact).max(), np.abs(c[:, 0] - G).max()),
            "c_r in the steps to 0.91 ... 1.19: %s; impulse %.9f of %.9f" %
            (" ".join("%.6f" % x for x in c[-5:, 3]), c[:, 3].sum() * 0.07, -J * omega))
    u, c = run.velocities(), run.forces("floor/ball")
    heading("spinning-sphere-coarse, dt = 0.07: torsion of the directions %.6f; c_t and c_o up to %.1e" %
            (coarse, np.abs(c[:, 1:3]).max()),
            "velocities but omega_z up to %.1e, all in the end %.1e" % (np.abs(u[:, :5]).max(), np.abs(u[-1]).max()),
            "c_r in the steps to 1.05 ... 1.26: %s; impulse %.9f of %.9f" %
            (" ".join("%.6f" % x for x in c[14:18, 3]), c[:, 3].sum() * 0.07, -J * omega))

    figure, axes = plt.subplots(2, 2, figsize=(12, 8))
    for row, end in ((0, 1.19), (1, 1.4)):
        axes[row, 0].plot([0, 1, end], [omega, 0, 0], "k:", lw=1, label="exact, ellipsoid")
        axes[row, 1].plot([0, 1, 1, end], [-mu * G * e_r, -mu * G * e_r, 0, 0], "k:", lw=1, label="exact, ellipsoid")
    for method, marker, size in ((TP, "o", 8), (ST, "o", 4)):
        r = runs[method]
        axes[0, 0].plot(r.t, r.states["wz"], marker, ms=size, mfc="none", color=COLORS[method == ST],
                        label="$ω_z$, " + NAMES[method])
        c = r.forces("floor/ball")
        axes[0, 1].plot(r.t[1:], c[:, 3], marker + "--", ms=size, mfc="none", lw=0.7, color=COLORS[method == ST],
                        label="$c_r$ [N m], " + NAMES[method])
        if method == ST:
            axes[0, 0].plot(r.t, r.velocities()[:, :5], "o", ms=3, color="#b0b0b0", mfc="none")
            axes[0, 0].plot([], [], "o", ms=3, color="#b0b0b0", mfc="none", label="the other five components")
            for k in (1, 2):
                axes[0, 1].plot(r.t[1:], c[:, k], "o-", ms=[0, 6, 3][k], mfc="none", lw=0.7, color=COLORS[k + 1],
                                label=FORCES[k - 1])
    last = ends["spinning-sphere-coarse"]
    axes[1, 0].plot([0, last, 1.4], [omega, 0, 0], "-", color=COLORS[1], lw=0.8, label="closed form, six directions")
    axes[1, 0].plot(run.t, run.states["wz"], "o", ms=4, mfc="none", color=COLORS[1], label="$ω_z$, " + NAMES[ST])
    axes[1, 0].plot(run.t, run.velocities()[:, :5], "o", ms=3, color="#b0b0b0", mfc="none")
    axes[1, 0].plot([], [], "o", ms=3, color="#b0b0b0", mfc="none", label="the other five components")
    c = run.forces("floor/ball")
    axes[1, 1].plot([0, last, last, 1.4], [-mu * G * coarse, -mu * G * coarse, 0, 0], "-", color=COLORS[1], lw=0.8,
                    label="closed form, six directions")
    axes[1, 1].plot(run.t[1:], c[:, 3], "o", ms=4, mfc="none", color=COLORS[1], label="$c_r$ [N m], " + NAMES[ST])
    for k in (1, 2):
        axes[1, 1].plot(run.t[1:], c[:, k], "o-", ms=[0, 6, 3][k], mfc="none", lw=0.7, color=COLORS[k + 1],
                        label=FORCES[k - 1])
    for row, what, numbers in ((0, "20 directions, h = 0.07", (4, 5)), (1, "six directions, h = 0.07", (7, 8))):
        axes[row, 0].set(title="Fig. %d: spinning ball, %s" % (numbers[0], what), xlabel="t [s]",
                         ylabel="[rad/s], [m/s]")
        axes[row, 1].set(title="Fig. %d: friction, %s" % (numbers[1], what), xlabel="t [s]", ylabel="[N m], [N]",
                         ylim=(-0.9, 0.55))
        axes[row, 0].legend(fontsize=8)
        axes[row, 1].legend(fontsize=8, loc="upper left", ncols=2)
        for ax in axes[row]:
            ax.set_xlim(-0.03, [1.22, 1.43][row])
    end_figure(figure, folder, "spin")


def slide_coarse(t):
    """Three directions: the one at 165 degrees acts until the sliding points to 45 degrees, then it and the one at 285
    degrees act together, each with half the force. Returns the velocities (v_x, v_y, omega_x, omega_y) and the forces
    (c_t, c_o) at t, the times of the change and of the end."""
    f = 0.2 * G
    first, second = (f * np.array([math.cos(a), math.sin(a)]) * s for a, s in
                     ((math.radians(165), 1), (math.radians(225), 0.5)))
    change = 2 / (3.5 * (first[1] - first[0]))  # sliding 2 + 3.5 F_x t = 3.5 F_y t
    end = change + math.hypot(2 + 3.5 * first[0] * change, 3.5 * first[1] * change) / (3.5 * f / 2)
    t = np.asarray(t, float)[:, None]
    impulse = first * np.minimum(t, change) + second * np.clip(t - change, 0, end - change)
    force = np.where(t <= change, first, np.where(t <= end, second, 0))
    v = [2, 0] + impulse
    u = np.column_stack([v, impulse[:, 1] / J, -impulse[:, 0] / J])
    return u, np.column_stack([force.sum(axis=1), force[:, 1] - force[:, 0]]) / math.sqrt(2), change, end


def slide(picus, folder):
    v, f = 2.0, 0.2 * G
    end = 2 * v / (7 * f)
    change, coarse_end = slide_coarse([0])[2:]
    transition_heading()
    for method in (TP, ST, MM, MJ):
        for dt in (0.12, 0.012, 1e-2, 1e-3, 1e-4):
            run = Run(picus, "sliding-sphere", method, dt, 0.6, every=max(1, round(1e-2 / dt)))
            transition("end of slide", method, dt, run.last("floor/ball", "stick"), end)
    for dt in (0.12, 1e-2, 1e-3, 1e-4):
        run = Run(picus, "sliding-sphere-coarse", ST, dt, 0.96, every=max(1, round(1e-2 / dt)))
        transition("end of slide, coarse", ST, dt, run.last("floor/ball", "stick"), coarse_end)
    fine = np.array([0, end, 0.6])
    exact = np.column_stack([v - f * np.minimum(fine, end), f / J * np.minimum(fine, end)])  # v_x and omega_y

    figure, axes = plt.subplots(2, 3, figsize=(16, 8.5))
    heading("sliding-sphere: largest errors of v_x and omega_y at the times of the steps, largest other velocity;",
            "v_x and omega_y in the end, impulse in x; expected %.12f %.12f %.12f" % (5 * v / 7, 5 * v / 7, -2 * v / 7))
    for column, dt in ((0, 0.12), (1, 0.012)):
        ax, below = axes[:, column]
        ax.plot(fine, exact[:, 0], "k:", lw=1, label="closed form")
        ax.plot(fine, exact[:, 1], "k:", lw=1)
        for k in (0, 1):
            below.plot([0, end, end, 0.6], [[-1, 1][k] * f / math.sqrt(2)] * 2 + [0, 0], "k:", lw=1,
                       label="closed form" if k == 0 else None)
        for method in (TP, ST):
            run = Run(picus, "sliding-sphere", method, dt, 0.6)
            s, c, big = run.states, run.forces("floor/ball"), method == TP
            t = run.t
            off = [np.abs(s["vx"] - (v - f * np.minimum(t, end))).max(),
                   np.abs(s["wy"] - f / J * np.minimum(t, end)).max()]
            print("  %-16s dt %-6g %.1e %.1e, %.1e; %.12f %.12f %.12f" %
                  (method, dt, *off, np.abs(run.velocities()[:, [1, 2, 3, 5]]).max(), s["vx"][-1], s["wy"][-1],
                   (c[:, 1] - c[:, 2]).sum() * dt / math.sqrt(2)))
            for k, name in ((0, "vx"), (1, "wy")):
                size = (8 if big else 5) * (1 if column == 0 else 0.6)
                ax.plot(t, s[name], "o" if big else ".", ms=size, mfc="none" if big else None, color=COLORS[k],
                        label="%s, %s" % (["$v_x$ [m/s]", "$ω_y$ [rad/s]"][k], NAMES[method]))
                below.step(t, stairs(c)[:, 1 + k], where="pre", lw=4 if big else 1, alpha=0.35 if big else 1,
                           color=COLORS[k], label="%s, %s" % (FORCES[k], NAMES[method]))
        ax.set(title="Fig. 9: sliding ball, h = 0.12" if column == 0 else "as Fig. 9, h = 0.012",
               xlabel="t [s]", ylabel="[m/s], [rad/s]", ylim=(-0.1, 2.15), xlim=(-0.02, 0.62))
        ax.legend(fontsize=8, loc="lower right")
        below.set(title="Fig. 10: friction, h = 0.12" if column == 0 else "as Fig. 10, h = 0.012",
                  xlabel="t [s]", ylabel="[N]", ylim=(-1.6, 1.6), xlim=(-0.02, 0.62))
        below.legend(fontsize=8, loc="lower right")

    run = Run(picus, "sliding-sphere-coarse", ST, 0.12, 0.96)
    u, c, t = run.velocities(), run.forces("floor/ball"), run.t
    many = np.linspace(0, 0.96, 2000)
    expected, force = slide_coarse(many)[:2]
    heading("sliding-sphere-coarse: one direction to t = %.6f, two to t = %.6f (with the ellipsoid: to %.6f)" %
            (change, coarse_end, end),
            "velocities in the end off by %.1e" % np.abs(u[-1] - [5 * v / 7, 0, 0, 0, 5 * v / 7, 0]).max(),
            "dt 0.12: t, (c_x, c_y), size and angle [deg]; sliding velocity (x, y) then, that of the closed form")
    ideal = slide_coarse(t)[0]
    for k in range(5):
        x, y = (c[k, 1] - c[k, 2]) / math.sqrt(2), (c[k, 1] + c[k, 2]) / math.sqrt(2)
        print("    %.2f (%8.5f, %8.5f) %.5f %6.1f  (%8.5f, %8.5f)  (%8.5f, %8.5f)" %
              (t[k + 1], x, y, math.hypot(x, y), math.degrees(math.atan2(y, x)), u[k + 1, 0] - u[k + 1, 4],
               u[k + 1, 1] + u[k + 1, 3], ideal[k + 1, 0] - ideal[k + 1, 3], ideal[k + 1, 1] + ideal[k + 1, 2]))
    small = Run(picus, "sliding-sphere-coarse", ST, 1e-4, 0.96, every=100)
    print("  dt 1e-4: velocities off the closed form by %.1e" %
          np.abs(small.velocities()[:, [0, 1, 3, 4]] - slide_coarse(small.t)[0]).max())
    ax, below = axes[:, 2]
    late = [0, end, 0.96]
    ax.plot(late, exact[:, 0], "k:", lw=1, label="exact, ellipsoid ($v_x$, $ω_y$)")
    ax.plot(late, exact[:, 1], "k:", lw=1)
    for k, column in ((0, 0), (1, 1), (3, 2), (4, 3)):
        ax.plot(many, expected[:, column], "-", lw=0.8, color=COLORS[column])
        ax.plot(t, u[:, k], "o", ms=4.5, mfc="none", color=COLORS[column], label=LABELS[k])
    ax.plot([], [], "-", lw=0.8, color="#606060", label="closed form, three directions")
    for k in (0, 1):
        below.plot([0, end, end, 0.96], [[-1, 1][k] * f / math.sqrt(2)] * 2 + [0, 0], "k:", lw=1,
                   label="exact, ellipsoid" if k == 0 else None)
        below.plot(many, force[:, k], "-", lw=0.8, color=COLORS[k],
                   label="%s, closed form, three directions" % FORCES[k])
        below.step(t, stairs(c)[:, 1 + k], where="pre", lw=4, alpha=0.35, color=COLORS[k],
                   label="%s, %s" % (FORCES[k], NAMES[ST]))
    ax.set(title="Fig. 12: three directions, h = 0.12, Stewart–Trinkle", xlabel="t [s]", ylabel="[m/s], [rad/s]",
           ylim=(-0.1, 2.9), xlim=(-0.02, 0.98))
    ax.legend(fontsize=8, loc="upper right", ncols=2)
    below.set(title="Fig. 13: friction, three directions, h = 0.12", xlabel="t [s]", ylabel="[N]", ylim=(-2.2, 2.2),
              xlim=(-0.02, 0.98))
    below.legend(fontsize=8, loc="lower right")
    end_figure(figure, folder, "slide")


# --- The bowling ball -------------------------------------------------------------------------------------------------


class Bowling:
    """Closed form: with slip u, spin w and d tau = mu g dt / |(u, e_r w)|,
    u = u0 exp(-7/2 tau), w = w0 exp(-5/2 e_r^2 tau)."""

    mu, e_r, v, omega = 0.01, 0.2, np.array([1, 0.2]), np.array([1, 0.5, 0.2])

    def __init__(self):
        self.u, self.b = self.v + np.array([-self.omega[1], self.omega[0]]), 2.5 * self.e_r**2
        self.tau = np.concatenate([np.linspace(0, 4, 40001), np.linspace(4, 400, 40001)[1:]])
        self.clock = CubicSpline(self.tau, self.size(self.tau) / (self.mu * G)).antiderivative()
        self.at = self.clock(self.tau)
        self.end = self.at[-1] + self.e_r * self.omega[2] * math.exp(-self.b * 400) / self.b / (self.mu * G)

    def size(self, tau):
        return np.hypot(np.linalg.norm(self.u) * np.exp(-3.5 * tau), self.e_r * self.omega[2] * np.exp(-self.b * tau))

    def state(self, t):
        """Velocities (six), forces (c_t, c_o, c_r) and |(u, e_r w)| at the time t."""
        if t >= self.at[-1]:  # the end, but for e^-40
            slip, spin_, friction = np.zeros(2), 0.0, np.zeros(3)
        else:
            tau = brentq(lambda s: self.clock(s) - t, 0, 400, xtol=1e-14)
            slip, spin_ = self.u * math.exp(-3.5 * tau), self.omega[2] * math.exp(-self.b * tau)
            along, across = (slip[0] + slip[1]) / math.sqrt(2), (slip[1] - slip[0]) / math.sqrt(2)
            friction = -self.mu * G / self.size(tau) * np.array([along, across, self.e_r**2 * spin_])
        change = -2 / 7 * (self.u - slip)
        turn = self.omega + np.array([change[1] / J, -change[0] / J, spin_ - self.omega[2]])
        size = math.hypot(np.linalg.norm(slip), self.e_r * spin_)
        return np.concatenate([self.v + change, [0], turn]), friction, size


def errors(rows, steps, note=""):
    """rows: (method, errors at the steps)"""
    print("  %-28s" % "", " ".join("%-9g" % dt for dt in steps), "  orders")
    for name, values in rows:
        order = ["%5.2f" % (math.log(a / b) / math.log(c / d)) if a > 0 and b > 0 else "    -"
                 for a, b, c, d in zip(values, values[1:], steps, steps[1:])]
        print("  %-28s" % name, " ".join("%-9.2e" % x for x in values), " ", " ".join(order), note)


def bowling(picus, folder):
    reference, steps = Bowling(), [0.05, 1e-2, 1e-3, 1e-4]
    found, contact = reference.state(2.0)[0], "lane/ball"
    heading("bowling-ball, closed form: end %.9f; t = 2: v %.9f %.9f, omega %.9f %.9f %.9f" %
            (reference.end, *found[[0, 1, 3, 4, 5]]))
    transition_heading()
    runs, rows = {}, []
    for method in (TP, ST, MM, MJ):
        values = []
        for dt in steps:
            run = Run(picus, "bowling-ball", method, dt, 8.0, every=max(1, round(0.05 / dt)))
            runs[method, dt] = run
            transition("end of slip and spin", method, dt, run.last(contact, "stick"), reference.end)
            values.append(np.abs(run.velocities(2.0) - found).max())
        rows.append((method, values))
    heading("Table B, bowling-ball: largest error of the six velocities [m/s, rad/s] at t = 2 s")
    errors(rows, steps)
    heading("bowling-ball, dt = 0.05, at t = 8: x, y, v_x, v_y, omega_z")
    for method in (TP, ST, MM):
        s = runs[method, 0.05].states[-1]
        print("  %-16s %.6f %.6f %.6f %.6f %.6f" % (method, s["x"], s["y"], s["vx"], s["vy"], s["wz"]))
    print("  closed form      7.128654 0.008769 0.857143 -0.142857 0.000000")

    figure, axes = plt.subplots(2, 2, figsize=(13, 9.5))
    many = np.linspace(0, 8, 801)
    exact = [reference.state(t) for t in many]
    exact_u, exact_c, exact_size = (np.array([e[k] for e in exact]) for k in range(3))
    for method, style in ((TP, "-"), (ST, "--")):
        run, big = runs[method, 0.05], method == TP
        u, c = run.velocities(), run.forces(contact)
        for place, k in enumerate((0, 1, 3, 4, 5)):
            axes[0, 0].plot(run.t, u[:, k], style, lw=1, color=COLORS[place], label=LABELS[k] if big else None)
        g = run.rows(contact, ["gamma_Tt", "gamma_To", "gamma_Tr"]) * [1, 1, reference.e_r]
        axes[0, 0].plot(run.t[1:], np.linalg.norm(g, axis=1), style, lw=1.6, color="k",
                        label="sliding $|(v_t, v_o, e_r v_r)|$" if big else None)
        for k in range(3):
            axes[0, 1].step(run.t, stairs(c)[:, 1 + k], style, where="pre", lw=1, color=COLORS[k],
                            label=FORCES[k] if big else None)
        axes[1, 0].plot(run.states["x"], run.states["y"], style, lw=[1.2, 3][big], alpha=[1, 0.4][big],
                        color=COLORS[not big], label=NAMES[method] + ", h = 0.05")
        size = np.linalg.norm(c[:, 1:] / [1, 1, reference.e_r], axis=1)
        slack = reference.mu * c[:, 0] - size
        now = run.t[1:]
        slips = now < run.last(contact, "stick") - 1e-9
        print("  %-16s slack of the ellipsoid [N] while it slips %.1e to %.5f, from 4.5 s on to %.5f, in the end %.5f" %
              (method, slack[slips].min(), slack[slips].max(), slack[slips & (now > 4.5)].max(), slack[-1]))
        print("    |(v_t, v_o, e_r v_r)| at t = 4, 5, 6, 7:",
              " ".join("%.5f" % np.linalg.norm(g[np.abs(now - x).argmin()]) for x in (4, 5, 6, 7)))
        if not big:
            parts = np.nonzero(np.abs(np.diff(slack[slips])) > 1e-3)[0]
            print("    slack: %.4f at first," % abs(slack[0]),
                  ", ".join("%.4f from %.2f on" % (slack[k + 1], now[k]) for k in parts))
            inset = axes[1, 1].inset_axes([0.1, 0.3, 0.78, 0.4])
            for ax in (axes[1, 1], inset):
                ax.step(run.t, np.append(slack[0], slack), where="pre", lw=1, color=COLORS[1],
                        label="$μ c_n - |(c_t, c_o, c_r/e_r)|$")
            inset.set(ylim=(-5e-4, 0.009), xlim=(-0.1, 8.1))
            inset.tick_params(labelsize=8)
            axes[1, 1].step(run.t, 0.13 * np.append(slips[0], slips), where="pre", lw=1, ls="--", color="k",
                            label="slips (0.13: yes)")
    for k in (0, 1, 3, 4, 5):
        axes[0, 0].plot(many, exact_u[:, k], ":", lw=0.9, color="#404040", label="closed form" if k == 0 else None)
    for k in range(3):
        axes[0, 1].plot(many, exact_c[:, k], ":", lw=0.9, color="#404040", label="closed form" if k == 0 else None)
    axes[0, 0].plot(many, exact_size, ":", lw=0.9, color="#404040")
    x, y = (CubicSpline(many, exact_u[:, k]).antiderivative()(many) for k in (0, 1))
    axes[1, 0].plot(x, 0.5 + y, ":", lw=1, color="k", label="closed form")
    for ax in axes[0]:
        ax.plot([], [], "k-", lw=1, label=NAMES[TP])
        ax.plot([], [], "k--", lw=1, label=NAMES[ST])
    axes[0, 0].set(title="Fig. 14: velocities, h = 0.05", xlabel="t [s]", ylabel="[m/s], [rad/s]", ylim=(-0.25, 1.8))
    axes[0, 1].set(title="Fig. 15: friction, h = 0.05", xlabel="t [s]", ylabel="[N], [N m]", ylim=(-0.105, 0.04))
    axes[1, 0].set(title="Fig. 16: path of the ball (y stretched)", xlabel="x [m]", ylabel="y [m]")
    axes[1, 1].set(title="Fig. 17: slack of the ellipsoid, Stewart–Trinkle, h = 0.05", xlabel="t [s]", ylabel="[N]",
                   ylim=(-0.005, 0.165))
    for ax in axes.flat:
        ax.legend(fontsize=8, loc="upper right", ncols=3 if ax in axes[0] else 1)
    end_figure(figure, folder, "bowling")


# --- The groove -------------------------------------------------------------------------------------------------------

LARGE, SMALL = "large/ball", "small/ball"
GROOVE = "sphere-in-groove"
TRANSITIONS = ((SMALL, "slip", "slip of small/ball"), (LARGE, "lift-off", "loss of large/ball"),
               (SMALL, "lift-off", "loss of small/ball"))


def groove_reference(times):
    """Event-driven: states (9) and forces (2 x 4) at the times, and the times of the three transitions."""
    spheres_reference.TIMES = list(times)
    out = spheres_reference.groove(quiet=True)
    rows = out[:-3].reshape(len(times), 17)
    return rows[:, 3:9], rows[:, 9:].reshape(-1, 2, 4), out[-3:]


def groove(picus, folder):
    many = np.linspace(0.005, 4, 800)
    u, c, times = groove_reference(many)
    found = u[np.abs(many - 2).argmin()]
    speed = CubicSpline(many, np.linalg.norm(u[:, :3], axis=1))
    compare_groove(picus, found, times)
    bounces(picus, speed)
    chatter(picus, folder, many, c, speed)
    draw_groove(picus, folder, many, u, c)


def compare_groove(picus, found, times):
    transition_heading()
    steps, rows = [0.1, 1e-2, 1e-3, 1e-4], []
    cases = [TP, ST, MM, MJ]
    for method in cases:
        values = []
        for dt in steps:
            run = Run(picus, GROOVE, method, dt, 4.0, every=max(1, round(0.1 / dt)))
            lifts = sum(len(run.times(k, "lift-off")) for k in (LARGE, SMALL))
            for (contact, kind, what), when in zip(TRANSITIONS, times):
                transition(what, method, dt, run.last(contact, kind), when,
                           "lift-offs %d" % lifts if kind == "slip" else "")
            values.append(np.abs(run.velocities(2.0) - found).max())
        rows.append((method, values))
    for dt, arguments in ((0.1, ("--active-gap", "1e-3")), (0.0012, ())):
        run = Run(picus, GROOVE, ST, dt, 4.0, arguments)
        for (contact, kind, what), when in zip(TRANSITIONS, times):
            transition(what, ST, dt, run.last(contact, kind), when, " ".join(arguments))
    heading("Table B, sphere-in-groove: largest error of the six velocities [m/s, rad/s] at t = 2 s")
    errors(rows, steps)


def bounces(picus, speed):
    heading("Table C, sphere-in-groove, stewart-trinkle. A step along the tangent opens a gap (v h)^2 / (2 (R + r)).",
            "If that exceeds the active gap, the next step drops the contact: expected from the time on when the",
            "reference has v = sqrt(20 m * active gap) / h. First and last of the lift-offs; two are right.")
    print("  %-10s %-10s %9s %9s %9s %9s %12s %9s" % ("active gap", "h", "lift-offs", "expected", "first", "last",
                                                     "penetration", "v_x(2)"))
    for gap in ("1e-12", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e9", None):
        for h in (0.1, 0.1 / 3, 0.1 / 9, 0.1 / 27, 0.0012, 0.0004):
            run = Run(picus, GROOVE, ST, h, 4.0, ("--active-gap", gap) if gap else (), every=max(1, round(4e-3 / h)))
            lifts = np.sort(np.concatenate([run.times(k, "lift-off") for k in (LARGE, SMALL)]))
            v = math.sqrt(20 * float(gap or 1e9)) / h
            fast = speed(3.2) > v > speed(0.005)
            when = "%.2f" % brentq(lambda t: speed(t) - v, 0.005, 3.2) if fast else "-" if v > 1 else "0.00"
            at = np.interp(2.0, run.t, run.states["vx"])
            print("  %-10s %-10.6f %9d %9s %9.4f %9.4f %12.2e %9.5f" % (gap or "by law", h, len(lifts), when, lifts[0],
                                                                      lifts[-1],
                                                                      run.summary["worst_penetration"], at))


def chatter(picus, folder, many, c, speed):
    h, some = 4e-4, "2e-8"
    window = (1.0, 2.9)
    cases = [("(a) ", ST, ("--active-gap", "1e-12")), ("(b) ", ST, ("--active-gap", some)), ("(c) ", ST, ()),
             ("(d) ", TP, ()), ("(d) ", MM, ())]
    heading("Table D, sphere-in-groove, h = %g, t from %g to %g: total variation of the forces of the steps" %
            (h, *window), "(over that of the reference), largest second difference; lift-offs; largest v_y and second "
            "difference of v_x")
    print("  %-42s %-11s %-31s %-31s %s" % ("", "contact", "c_r [N m]", "c_n [N]", "lift-offs    v_y    v_x"))
    inside = (many >= window[0]) & (many <= window[1])
    scale = [[np.abs(np.diff(c[inside, i, k])).sum() for k in (3, 0)] for i in (0, 1)]
    runs = []
    for letter, method, arguments in cases:
        run = Run(picus, GROOVE, method, h, 3.0, arguments)
        now = (run.t[1:] >= window[0]) & (run.t[1:] <= window[1])
        name = letter + method + " " + " ".join(arguments)
        for i, contact in enumerate((LARGE, SMALL)):
            f, line = run.forces(contact), "  %-42s %-11s" % (name if i == 0 else "", contact)
            for k, column in enumerate((3, 0)):
                x = f[now, column]
                line += " %8.3f (%8.2f)  %-10.3e" % (np.abs(np.diff(x)).sum(), np.abs(np.diff(x)).sum() / scale[i][k],
                                                     np.abs(np.diff(x, 2)).max())
            lifts = run.times(contact, "lift-off")
            line += "  %6d" % ((lifts >= window[0]) & (lifts <= window[1])).sum()
            if i == 0:
                line += "    %.1e %.1e" % (np.abs(run.states["vy"][1:][now]).max(),
                                           np.abs(np.diff(run.states["vx"][1:][now], 2)).max())
            print(line)
        runs.append((letter, method, arguments, run))
    v = math.sqrt(20 * float(some)) / h
    print("  active gap %s: dropped from v = %.3f m/s on, reached by the reference at t = %.3f" %
          (some, v, brentq(lambda t: speed(t) - v, 0.005, 3.2)))
    print("  reference, c_r of large/ball %.6f to %.6f, of small/ball %.6f to %.6f" %
          tuple(x for i in (0, 1) for x in (c[inside, i, 3][0], c[inside, i, 3][-1])))

    figure, axes = plt.subplots(2, 2, figsize=(13, 9), sharex=True, sharey=True)
    titles = ["(a) to compare with Fig. 25: Stewart–Trinkle, active gap 1e-12 m",
              "(b) Stewart–Trinkle, active gap %s m" % some,
              "(c) Stewart–Trinkle, contacts by its law",
              "(d) Tzitzouris–Pang (wide) and Moreau, midpoint (thin)"]
    for letter, method, arguments, run in runs[:5]:
        ax = axes.flat["abcd".index(letter[1])]
        wide = method == TP
        for contact, color, name in ((SMALL, COLORS[1], "small sphere"), (LARGE, COLORS[0], "large sphere")):
            f = run.forces(contact)[:, 3]
            if letter[1] in "ab" and contact == SMALL:
                ax.plot(run.t[1:], f, lw=0.6, color="#f2dcdc")
                ax.plot(run.t[1:], f, ".", ms=1.5, color=color)
            else:
                ax.plot(run.t[1:], f, lw=4 if wide else 1, alpha=0.35 if wide else 1, color=color)
            if not wide:
                ax.plot([], [], lw=1.5, color=color, label="$c_r$ at the " + name)
    for i, ax in enumerate(axes.flat):
        for k in (0, 1):
            ax.plot(many, c[:, k, 3], "k:", lw=1, label="reference" if k == 0 else None)
        ax.set(title=titles[i], xlim=(1, 3), ylim=(-0.2, 2.2))
        if i > 1:
            ax.set_xlabel("t [s]")
        if i % 2 == 0:
            ax.set_ylabel("$c_r$ [N m], h = 0.0004 s")
        ax.legend(fontsize=8, loc="upper right")
    for k, start in ((0, 1.5), (1, 2.5)):
        inset = axes[0, k].inset_axes([0.06, 0.64, 0.4, 0.27])
        run = runs[k][3]
        close = (run.t[1:] >= start) & (run.t[1:] <= start + 0.02)
        for contact, color in ((SMALL, COLORS[1]), (LARGE, COLORS[0])):
            inset.plot(run.t[1:][close], run.forces(contact)[close, 3], ".-", ms=3, lw=0.6, color=color)
        inset.tick_params(labelsize=7)
        inset.set_title("50 steps", fontsize=8)
        inset.set_xticks([start, start + 0.01, start + 0.02])
    end_figure(figure, folder, "chatter")


def draw_groove(picus, folder, many, u, c):
    rough = Run(picus, GROOVE, ST, 0.1, 4.0, ("--active-gap", "1e-3"))
    smooth = Run(picus, GROOVE, TP, 0.1, 4.0)
    fine = Run(picus, GROOVE, ST, 0.0012, 4.0)
    figure, axes = plt.subplots(3, 2, figsize=(13, 13.5))
    for row, run, name in ((0, rough, "Stewart–Trinkle, h = 0.1, active gap 1e-3"),
                           (1, smooth, "Tzitzouris–Pang, h = 0.1")):
        for k in range(6):
            axes[row, 0].plot(run.t, run.velocities()[:, k], "o-", ms=2.5, lw=0.7, color=COLORS[k], label=LABELS[k])
            if row == 1:
                axes[row, 0].plot(many, u[:, k], "k:", lw=0.9, label="reference" if k == 5 else None)
        for k in (1, 2, 3):
            axes[row, 1].plot(run.t[1:], run.forces(SMALL)[:, k], "o-", ms=2.5, lw=0.7, color=COLORS[k - 1],
                              label=FORCES[k - 1])
            if row == 1:
                axes[row, 1].plot(many, c[:, 1, k], "k:", lw=0.9, label="reference" if k == 3 else None)
        axes[row, 0].set(title="Fig. %d: velocities, %s" % (19 + 2 * row, name), xlabel="t [s]",
                         ylabel="[m/s], [rad/s]", ylim=(-11, 7))
        axes[row, 1].set(title="Fig. %d: friction at the small sphere, the same run" % (20 + 2 * row), xlabel="t [s]",
                         ylabel="[N], [N m]")
        axes[row, 0].legend(fontsize=8, loc="lower left", ncols=2)
        axes[row, 1].legend(fontsize=8, loc="lower left")
    for run, name, style in ((fine, "Stewart–Trinkle, h = 0.0012", "-"),
                             (smooth, "Tzitzouris–Pang, h = 0.1", "o")):
        f = run.forces(SMALL)
        color, more = (COLORS[1], {}) if style == "-" else (COLORS[0], dict(ms=3.5, mfc="none"))
        axes[2, 0].plot(run.t[1:], np.hypot(f[:, 1], f[:, 2]), style, lw=1, color=color, label=name, **more)
        for place, k in enumerate((0, 2, 4, 5)):
            axes[2, 1].plot(run.t, run.velocities()[:, k], style, lw=1, color=COLORS[place], **more)
    axes[2, 0].plot(many, np.hypot(c[:, 1, 1], c[:, 1, 2]), "k:", lw=1, label="reference")
    for place, k in enumerate((0, 2, 4, 5)):
        axes[2, 1].plot(many, u[:, k], "k:", lw=1)
        axes[2, 1].plot([], [], "-", lw=1.5, color=COLORS[place], label=LABELS[k])
    axes[2, 1].plot([], [], "k-", lw=1, label="Stewart–Trinkle, h = 0.0012")
    axes[2, 1].plot([], [], "ko", ms=3.5, mfc="none", label="Tzitzouris–Pang, h = 0.1")
    axes[2, 1].plot([], [], "k:", lw=1, label="reference")
    axes[2, 0].set(title="Fig. 23: tangential friction at the small sphere", xlabel="t [s]",
                   ylabel="$|(c_t, c_o)|$ [N]")
    axes[2, 1].set(title="Fig. 24: velocities", xlabel="t [s]", ylabel="[m/s], [rad/s]", ylim=(-11, 7))
    axes[2, 0].legend(fontsize=8, loc="upper left")
    axes[2, 1].legend(fontsize=8, loc="lower left", ncols=2)
    heading("sphere-in-groove: v_x less that of the reference at t = 1, 2, 3, 4; largest |(c_t, c_o)| at small/ball",
            "and when; largest |v_y| before t = 3.1")
    for run, name in ((rough, "stewart-trinkle 0.1 (1e-3)"), (smooth, "tzitzouris-pang 0.1"),
                      (fine, "stewart-trinkle 0.0012")):
        f = np.hypot(*run.forces(SMALL)[:, 1:3].T)
        off = [np.interp(t, run.t, run.states["vx"]) - np.interp(t, many, u[:, 0]) for t in (1, 2, 3, 4)]
        print("  %-26s" % name, " ".join("%+.4f" % x for x in off), "  %.4f N at %.4f  %.1e" %
              (f.max(), run.t[1:][f.argmax()], np.abs(run.states["vy"][run.t < 3.1]).max()))
    f = np.hypot(c[:, 1, 1], c[:, 1, 2])
    print("  reference: %.4f N at %.4f" % (f.max(), many[f.argmax()]))
    end_figure(figure, folder, "groove")


PARTS = {"spin": spin, "slide": slide, "bowling": bowling, "groove": groove}

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](sys.argv[1], sys.argv[2])
