#!/usr/bin/python3
"""Measures what docs/joints.md tells about mechanisms of bodies and joints: runs Picus, compares with references that share
nothing with it, prints the tables and draws the pictures (joints-*.png in FOLDER).

Usage: joints_figures.py PICUS FOLDER [PART ...]     parts: four-bar clearance check woodpecker flight ensembles
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
import woodpecker_bodies  # noqa: E402

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
        d = np.array([four_bar.L0, 0])
        for (x0, x1), color in (((np.zeros(2), b), COLORS[1]), ((b, c), COLORS[0]), ((c, d), COLORS[2])):
            axes[0].plot([x0[0], x1[0]], [x0[1], x1[1]], color=color, lw=1, alpha=0.7)
    axes[0].plot([0, four_bar.L0], [0, 0], "k^", ms=9)
    axes[0].set(title="twelve positions", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes[1].set(title="driven: joint forces (thick: reference)", xlabel="t [ms]", ylabel="|F| [N]")
    axes[1].legend(loc="upper center", ncols=4, fontsize=8)
    axes[1].set_ylim(0, 14)
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
        print("  play in %-5s rocker.phi off by %.2e (mean %+.2e, rms %.2e); at most %.3f of n c / (l_3 sin gamma); "
              "overlap %.1f um" %
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
            strong = hits[hits["Lambda_N"] > 1e-3]
            print("    %s: impacts of more than 1e-3 N s: %d, largest %.2e N s; without force %.1f %% of the time; "
                  "means of the force over 2 ms, after 0.1 s: rms difference %.2f N, ideal up to %.1f N, found up to %.1f N; "
                  "events 'impact' %d" %
                  (joint, len(strong), hits["Lambda_N"].max(), 100 * (1 - pressed[later[1:]].mean()),
                   (smooth(force[1:], 100) - smooth(ideal[:, k], 100))[later[1:]][:-100].std(), ideal[:, k].max(),
                   smooth(force[1:], 100)[later[1:]][:-100].max(), len(hits)))
            if joint == "C":
                axes[1, 0].plot(t[1:] * 1e3, smooth(force[1:], 100), color=COLORS[number], lw=1,
                                label="play in " + ", ".join(joints))
                if number == 2:
                    axes[1, 0].plot(t[1:] * 1e3, ideal[:, k], "k--", lw=1, label="ideal joint")
                cosine, sine = np.cos(run.states["coupler.phi"]), np.sin(run.states["coupler.phi"])
                hole = np.array([run.states["coupler.x"] + four_bar.L2 / 2 * cosine,
                                 run.states["coupler.y"] + four_bar.L2 / 2 * sine])
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
    axes[0, 0].set_ylim(-20, 17)
    axes[0, 0].legend(loc="lower center", ncols=3, fontsize=8)
    axes[1, 0].legend()
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "joints-clearance.png"), dpi=110)
    print("  play in C, smaller and smaller:")
    for size in (5e-4, 2.5e-4, 1.25e-4, 6.25e-5):
        run = Run(picus, with_play("C"), 2.5e-6, 0.3, 8, sets=["c=%r" % size])
        off = run.states["rocker.phi"] - four_bar.states(run.states["t"], True)[:, 8]
        print("    c = %-9g rocker.phi off by %.3e, rms %.3e" % (size, np.abs(off).max(), off.std()))


# A pin that hangs in its hole and turns without friction is held as by a link of the length of the clearance.
PIN = """
name: pin
parameters: {l: 0.1, c: 0.002, g: 9.81}
gravity: [0, -g]
bodies:
  bar: {mass: 1, inertia: l^2/3, start: {x: l*cos(bar.phi), y: -c + l*sin(bar.phi), phi: -pi/2 + 0.3}}
joints:
  - {name: A, revolute: [ground, bar], at: [[0, 0], [-l, 0]], clearance: {size: c}}
"""
LINK = PIN.replace("revolute", "distance").replace("clearance: {size: c}", "length: c")
# A journal in its bearing: it climbs to the angle of friction, where it loses  mu m g r / (J sqrt(1 + mu^2))  rad/s^2.
ROTOR = """
name: rotor
parameters: {r: 0.01, c: 0.0005, g: 9.81, beta: atan(0.2)}
gravity: [0, -g]
bodies:
  rotor: {mass: 1, inertia: 1e-3, start: {x: -c*sin(beta), y: -c*cos(beta), omega: 100}}
joints:
  - {name: A, revolute: [ground, rotor], at: [[0, 0], [0, 0]], clearance: {size: c, radius: r, mu: 0.2}}
"""
PENDULUM = """
name: pendulum
parameters: {l: 0.1, c: 0.0005, g: 9.81}
gravity: [0, -g]
bodies:
  bar: {mass: 1, inertia: l^2/3, start: {x: l, y: -c, phi: 0}}
joints:
  - {name: A, revolute: [ground, bar], at: [[0, 0], [-l, 0]], clearance: {size: c, eN: 0}}
"""


def check_clearance(picus, _folder):
    run = Run(picus, ROTOR, 1e-4, 2.0, 10)
    t, omega = run.states["t"], run.states["rotor.omega"]
    print("\njournal: %.9f rad/s^2, expected %.9f" % (-np.polyfit(t, omega, 1)[0], 0.2 * 9.81 * 0.01 / 1e-3 / np.sqrt(1.04)))
    steps = [2e-4, 1e-4, 5e-5, 2.5e-5, 1.25e-5]
    names = ("bar.phi", "bar.x", "bar.y")
    link = [Run(picus, LINK, dt, 1.0, round(2e-3 / dt)).array(*names) for dt in steps[-2:]]
    link = (4 * link[1] - link[0]) / 3
    errors = []
    print("pin in its hole (c = 2 mm) against a link of its length, 1 s: angle [rad], centre [m], overlap / c")
    for dt in steps:
        run = Run(picus, PIN, dt, 1.0, round(2e-3 / dt))
        off = np.abs(run.array(*names) - link).max(axis=0)
        errors.append(off)
        print("  %-8g" % dt, "%.3e %.3e %.3e" % (off[0], off[1:].max(), run.summary["worst_penetration"] / 2e-3))
    print("    orders", orders([e[0] for e in errors]))
    print("pendulum that swings by 180 degrees on a pin with 0.5 mm of play, 10 s: overlap [mm], energy lost of %.3f J" %
          (9.81 * 0.1))
    for eN in (0, 0.5):
        for dt in (1e-3, 1e-4, 1e-5):
            run = Run(picus, PENDULUM, dt, 10.0, 1000, sets=["eN=%g" % eN], tables=("events",))
            print("  eN %-4g dt %-7g %.3f  %.4f J, events 'impact' %d" %
                  (eN, dt, 1e3 * run.summary["worst_penetration"], -run.summary["energy"]["impact"],
                   (run.events["kind"] == "impact").sum()))


# --- The woodpecker ---------------------------------------------------------------------------------------------------


def pecks(picus, text, dt, end=20.0, sets=()):
    run = Run(picus, text, dt, end, 10**7, sets=sets, tables=())
    c = run.summary["cycles"]
    bird, sleeve = ("bird.phi", "sleeve.phi") if "sleeve:" in text else ("phi_S", "phi_M")
    return [c["period"]["mean"], 1e3 * c["descent"]["mean"], c["least"][bird]["mean"], c["most"][bird]["mean"],
            c["least"][sleeve]["mean"], c["most"][sleeve]["mean"], -1e3 * c["contact_work"]["mean"]], c["averaged"]


def exact_minimal():
    """models/woodpecker.yaml with exact energies and gaps: three coordinates, no joint."""
    text = model("woodpecker")
    for old, new in (("l_M*phi_M", "l_M*sin(phi_M)"), ("l_G*phi_S", "l_G*sin(phi_S)"),
                     ("y + l_M*sin(phi_M) + (l_G - l_S)*phi_S",
                      "y + l_M*sin(phi_M) + (l_G - l_S)*sin(phi_S) + h_S*cos(phi_S)"),
                     ("m_S/2*der(y_S)^2", "m_S/2*(der(y_S)^2 + der(x_S)^2)"),
                     ("  play: r_M - r_O", "  x_S: l_M*cos(phi_M) + l_G*cos(phi_S)"),
                     ("(l_M + l_G - l_S - r_O) - h_S*phi_S",
                      "l_M*cos(phi_M) + (l_G - l_S)*cos(phi_S) - h_S*sin(phi_S) - r_O"),
                     ("gap: play + h_M*phi_M\n    tangent: y + r_M*phi_M",
                      "gap: r_M*cos(phi_M) + h_M*sin(phi_M) - r_O\n    tangent: y + r_M*sin(phi_M) - h_M*cos(phi_M)"),
                     ("gap: play - h_M*phi_M\n    tangent: y + r_M*phi_M",
                      "gap: r_M*cos(phi_M) - h_M*sin(phi_M) - r_O\n    tangent: y + r_M*sin(phi_M) + h_M*cos(phi_M)"),
                     ("start: -0.1036", "start: -0.10090092")):
        assert old in text, old
        text = text.replace(old, new)
    return text


def compare_woodpecker(picus, folder):
    print("\nwoodpecker: period [s], descent [mm], least and most phi_S, least and most phi_M [rad], contact work [mJ]; "
          "means over the later pecks of 20 s")
    weight = (0.0003 + 0.0045) * 9.81
    limit = {}
    for kind in ("linear", "exact"):
        t, d, low, high, events = woodpecker_bodies.limit_cycle(kind)
        limit[kind] = np.array([t, 1e3 * d, low[1], high[1], low[0], high[0], 1e3 * weight * d])
        print("  event-driven, %-7s" % kind, "%.9f %.7f %.6f %.6f %.6f %.6f %.6f" % tuple(limit[kind]))
        print("     ", "; ".join("%.3f ms %s %s" % (1e3 * t, ("beak", "lower", "upper")[i], what)
                                 for t, i, what in events))
    steps = [2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6]
    for name, text, kind in (("woodpecker-bodies", model("woodpecker-bodies"), "exact"),
                             ("exact, three coordinates", exact_minimal(), "exact"),
                             ("woodpecker", model("woodpecker"), "linear")):
        errors = []
        for dt in steps:
            row, count = pecks(picus, text, dt)
            errors.append(np.abs(np.array(row) - limit[kind]))
            print("  %-24s %-6g" % (name, dt), "%.7f %.5f %.6f %.6f %.6f %.6f %.6f" % tuple(row), count,
                  "pecks; off by %.1f dt" % ((row[0] - limit[kind][0]) / dt))
        errors = np.array(errors)
        fit = [np.polyfit(np.log(steps), np.log(errors[:, i]), 1)[0] for i in (0, 1, 2)]
        print("    fitted orders of period, descent, least phi_S: %.2f %.2f %.2f" % tuple(fit))

    print("  angles scaled down (play, stop of the beak and gravity), period of the limit cycle [s]: linear, "
          "gaps and sliding to second order, exact")
    scales = [1, 0.5, 0.25, 0.125, 0.0625, 0.03125]
    kinds = ("linear", "second", "exact")
    periods = np.array([[woodpecker_bodies.limit_cycle(kind, s)[0] for kind in kinds] for s in scales])
    for s, (a, b, c), more in zip(scales, periods, [None, *periods[:-1]]):
        order = "" if more is None else "orders %.2f %.2f" % (np.log2((more[2] - more[0]) / (c - a)),
                                                              np.log2((more[2] - more[1]) / (c - b)))
        print("    %-8g %.9f %.9f %.9f  exact - linear %+.3e, exact - second order %+.3e  %s" %
              (s, a, b, c, c - a, c - b, order))
    figure, axes = plt.subplots(1, 2, figsize=(13, 4))
    for name, text, columns, color in (
            ("woodpecker (linearised)", model("woodpecker"), ("phi_M", "phi_S", "omega_S"), COLORS[0]),
            ("woodpecker-bodies (exact)", model("woodpecker-bodies"), ("sleeve.phi", "bird.phi", "bird.omega"), COLORS[1])):
        run = Run(picus, text, 1e-5, 2.0, 10)
        x, t = run.array(*columns), run.states["t"]
        axes[0].plot(t[t < 0.6], x[t < 0.6, 0], color=color, lw=1, ls="--")
        axes[0].plot(t[t < 0.6], x[t < 0.6, 1], color=color, lw=1, label=name)
        axes[1].plot(x[t > 1.6, 1], x[t > 1.6, 2], color=color, lw=1, label=name)
    axes[0].set(title="angles of the woodpecker and (dashed) of the sleeve", xlabel="t [s]", ylabel="[rad]")
    axes[1].set(title="limit cycle", xlabel="φ_S [rad]", ylabel="ω_S [rad/s]")
    for ax in axes:
        ax.legend()
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "joints-woodpecker.png"), dpi=110)


# --- The slider-crank -------------------------------------------------------------------------------------------------

MINIMAL = ["theta_1", "theta_2", "theta_3", "omega_1", "omega_2", "omega_3"]
OF_BODIES = ["crank.phi", "rod.phi", "slider.phi", "crank.omega", "rod.omega", "slider.omega"]
JEAN = ["--method", "moreau-jean", "--theta", "0.5"]


def slider_crank(kind):
    """Model text, arguments, name of the initial turning of the slider."""
    if kind == "bodies":
        return model("slider-crank-bodies"), [], "slider.omega"
    if kind == "bodies, driven":
        return with_motor(model("slider-crank-bodies")), [], "slider.omega"
    text = model("slider-crank")
    if kind == "constraint, driven":
        return text + '\nconstraints: {drive: "theta_1 - 150*t"}\n', ["--method", "moreau-midpoint"], "omega_3"
    if kind == "minimal, driven":  # two coordinates, the crank is a formula of t
        text = re.sub(r"  theta_1:\n(    .*\n)*", "", text, count=1)
        text = text.replace("let:\n", "let:\n  theta_1: 150*t\n  omega_1: 150\n")
    return text, JEAN, "omega_3"


def compare_flight(picus, _folder):
    at = 0.0024  # s; the first impact of omega_3 = 1 rad/s is at 2.5375 ms
    print("\nslider-crank: bodies (moreau-midpoint) and three coordinates (moreau-jean), at %g s, before the first impact" %
          at)
    for turning in (0.0, 1.0):
        found = {}
        for kind, columns in (("bodies", OF_BODIES), ("minimal", MINIMAL)):
            text, arguments, name = slider_crank(kind)
            rows = []
            for dt in (4e-6, 2e-6, 1e-6):
                run = Run(picus, text, dt, at, round(at / dt), sets=["%s=%r" % (name, turning)], arguments=arguments)
                rows.append(run.array(*columns)[-1])
            found[kind] = rows
            changes = [np.maximum(np.abs(a - b), 1e-300) for a, b in zip(rows, rows[1:])]
            rate = np.log2(changes[0] / changes[1])
            print("  omega_3 = %g, %-8s orders" % (turning, kind), " ".join("%5.2f" % x for x in rate))
            found[kind].append((4 * rows[2] - rows[1]) / 3)
        for i, dt in enumerate(("4e-6", "2e-6", "1e-6", "extrapolated")):
            off = np.abs(found["bodies"][i] - found["minimal"][i])
            print("    %-12s difference" % dt, " ".join("%9.2e" % x for x in off))
        print("    extrapolated", " ".join("%.12g" % x for x in found["minimal"][3]))


def touching(run, kind):
    """Shares of time: no corner, one corner, the upper face, the lower face, two corners of a diagonal at the guide
    (within 2 % of the clearance)."""
    a, b, c = 0.05, 0.025, 0.001
    if kind.startswith("bodies"):
        y, phi = run.states["slider.y"], run.states["slider.phi"]
    else:
        theta_1 = run.states["theta_1"] if "theta_1" in run.states.dtype.names else 150 * run.states["t"]
        y, phi = 0.153 * np.sin(theta_1) + 0.306 * np.sin(run.states["theta_2"]), run.states["theta_3"]
    near = []
    for along, across in ((-1, 1), (1, 1), (-1, -1), (1, -1)):
        near.append(b + c - across * (y + along * a * np.sin(phi) + across * b * np.cos(phi)) < 0.02 * c)
    near = np.array(near)
    count = near.sum(axis=0)
    upper, lower = near[0] & near[1], near[2] & near[3]
    return [np.mean(count == 0), np.mean(count == 1), upper.mean(), lower.mean(), np.mean((count == 2) & ~upper & ~lower)]


def compare_ensembles(picus, folder):
    end, starts = 0.16, np.linspace(-1, 1, 40)
    figure, axes = plt.subplots(1, 2, figsize=(13, 4))
    names = ["impacts > 1e-3 N s", "lost in impacts [mJ]", "in friction [mJ]", "mean crank speed [rad/s]",
             "omega_1 at the end", "free", "one corner", "upper face", "lower face", "diagonal", "sum of impulses [N s]"]
    for group in (("bodies", "minimal"), ("bodies, driven", "constraint, driven", "minimal, driven")):
        for dt in (1e-5, 1e-6):
            means = {}
            for kind in group:
                text, arguments, name = slider_crank(kind)
                rows = []
                for turning in starts:
                    run = Run(picus, text, dt, end, round(1e-5 / dt), sets=["%s=%r" % (name, turning)], arguments=arguments,
                              tables=("states", "events"))
                    hits = run.events[run.events["kind"] == "impact"]["Lambda_N"]
                    energy, t = run.summary["energy"], run.states["t"]
                    crank = "crank.phi" if kind.startswith("bodies") else "theta_1"
                    if crank in run.states.dtype.names:
                        theta, omega = run.states[crank], run.states[crank.replace("phi", "omega").replace("theta", "omega")]
                    else:
                        theta, omega = 150 * t, np.full(len(t), 150.0)
                    rows.append([(hits > 1e-3).sum(), -1e3 * energy["impact"], -1e3 * energy["friction"],
                                 theta[-1] / t[-1], omega[-1], *touching(run, kind), hits[hits > 1e-3].sum()])
                rows = np.array(rows)
                means[kind] = rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(len(rows)), rows.std(axis=0, ddof=1)
                if dt < 2e-6:
                    ax = axes[0 if "driven" not in kind else 1]
                    ax.hist(rows[:, 1], bins=12, histtype="step", label=kind)
            print("\n  slider-crank, 40 starts with omega_3 from -1 to 1 rad/s, to %g s, dt = %g s: mean +- standard error" %
                  (end, dt))
            print("    %-26s" % "", "  ".join("%-22s" % k for k in group))
            for i, what in enumerate(names):
                line = "  ".join("%10.4f +- %-8.4f" % (means[k][0][i], means[k][1][i]) for k in group)
                first = means[group[0]]
                far = " ".join("%5.1f" % ((first[0][i] - means[k][0][i]) / max(np.hypot(first[1][i], means[k][1][i]), 1e-12))
                               for k in group[1:])
                print("    %-26s" % what, line, "  in standard errors:", far, "  spread %.4f" % first[2][i])
    for ax, title in zip(axes, ("crank free", "crank driven at 150 rad/s")):
        ax.set(title=title + ": energy lost in impacts, 40 starts", xlabel="[mJ]")
        ax.legend()
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "joints-slider-crank.png"), dpi=110)


PARTS = {"four-bar": compare_four_bar, "clearance": compare_clearance, "check": check_clearance,
         "woodpecker": compare_woodpecker, "flight": compare_flight, "ensembles": compare_ensembles}

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](sys.argv[1], sys.argv[2])
