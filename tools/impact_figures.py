#!/usr/bin/python3
"""Impact laws and paradoxes of rigid bodies with friction (docs/impacts.md, docs/paradoxes.md): runs Picus, compares
with closed forms, with tests/oracle/impact_reference.txt and with computations of its own, prints the tables and draws
the pictures (impact-*.png in FOLDER).

Usage: impact_figures.py PICUS FOLDER [PART ...]
Parts: laws energy brick ball painleve balls angle gain masses chatterjee limit
Needs numpy, scipy, matplotlib and its Pillow (for /usr/bin/python3).
"""

import itertools
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
from scipy.integrate import solve_ivp  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
import impact_reference  # noqa: E402

LAWS = ["newton", "poisson", "energetic", "compliant"]
COLORS = ["#2060a0", "#b03030", "#208040", "#805090", "#c07000", "#508090"]
LAW_COLORS = dict(zip(LAWS, COLORS))
g = 9.81


def read_references():
    values = {}
    with open(os.path.join(ROOT, "tests", "oracle", "impact_reference.txt"), encoding="utf-8") as file:
        for line in file:
            name, found, rest = line.partition(" = ")
            if found:
                words = rest.partition("   #")[0].split()
                values[name] = np.array([float(x) if x[-1] in "0123456789" else math.nan for x in words])
    return values


REFERENCE = read_references()


class Run:
    """One run of a model: summary and tables. `model` is the name of one in models/ or the text of a file."""

    def __init__(self, picus, model, *arguments, tables=(), **values):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(ROOT, "models", model + ".yaml")
            if "\n" in model:
                path = os.path.join(folder, "model.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(model)
            command = [picus, "run", path, "--json", "--out", os.path.join(folder, "run")]
            command += [x if isinstance(x, str) else repr(x) for x in arguments]
            for name, value in values.items():
                command += ["--set", "%s=%r" % (name.replace("__", "."), float(value))]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode not in (0, 1) or not answer.stdout:
                raise RuntimeError(answer.stderr)
            self.summary = json.loads(answer.stdout)
            s = self.summary
            if s["status"] != "done" or s["certified_steps"] != s["steps"]:
                print("  not done or not certified:", model[:40], s["status"], s["message"], s["certified_steps"], "of",
                      s["steps"], "residual", s["worst_residual"])
            for part in tables:
                with open(os.path.join(folder, "run", part + ".csv"), encoding="utf-8") as file:
                    setattr(self, part, np.atleast_1d(np.genfromtxt(
                        file, delimiter=",", names=True, dtype=None, encoding=None, deletechars="")))
        self.end = self.summary["end_state"]
        self.books = self.summary["energy"]

    def times(self, kind, contact=None):
        e = self.events
        return e["t"][(e["kind"] == kind) & ((e["contact"].astype(str) == contact) if contact else True)]

    def state(self, row):
        return {name: float(self.states[name][row]) for name in self.states.dtype.names}


def heading(*lines):
    print("\n" + "\n  ".join(lines))


def end_figure(figure, folder, name):
    figure.tight_layout()
    path = os.path.join(folder, "impact-%s.png" % name)
    figure.savefig(path, dpi=100)
    plt.close(figure)
    with Image.open(path) as image:  # 256 colours: a third of the size
        small = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print("  drawn: %s, %d kB" % (path, os.path.getsize(path) // 1000))


# --- Random impacts ---------------------------------------------------------------------------------------------------


def draw_impacts(random, count, K, largest_mu, equal_e):
    """Systems with 2K + 1 coordinates, mass matrix 1, normal random rows W and velocities u."""
    W = random.standard_normal((count, 2 * K, 2 * K + 1))
    u = random.standard_normal((count, 2 * K + 1))
    mu = largest_mu * random.random((count, K))
    e = random.random((count, K))
    if equal_e:
        e = np.repeat(e[:, :1], K, axis=1)
    return W, u, mu, e


def one_problem(G, b, mu, given):
    """0 <= x _|_ b_N + (G Lambda)_N >= 0 with Lambda_N = given + x, and Coulomb's law for b_T + (G Lambda)_T, by
    enumeration: each contact has x = 0 or xi_N = 0, and sticks or slips either way. Where several states hold, the last
    one is taken. Returns Lambda and which of them have a solution."""
    count, rows = b.shape
    K = rows // 2
    best, found = np.zeros_like(b), np.zeros(count, bool)
    size = np.abs(b).max(axis=1)
    for states in itertools.product(itertools.product((0, 1), (0, 1, -1)), repeat=K):
        A, r = np.zeros_like(G), np.zeros_like(b)
        for i, (closed, slip) in enumerate(states):
            N, T = 2 * i, 2 * i + 1
            if closed:
                A[:, N], r[:, N] = G[:, N], -b[:, N]
            else:
                A[:, N, N], r[:, N] = 1, given[:, i]
            if slip == 0:
                A[:, T], r[:, T] = G[:, T], -b[:, T]
            else:
                A[:, T, T], A[:, T, N] = 1, slip * mu[:, i]
        with np.errstate(all="ignore"):
            regular = np.abs(np.linalg.det(A)) > 1e-13
            A[~regular] = np.eye(rows)
            Lambda = np.linalg.solve(A, r[..., None])[..., 0]
        xi = b + np.einsum("nij,nj->ni", G, Lambda)
        holds = regular.copy()
        for i, (closed, slip) in enumerate(states):
            N, T = 2 * i, 2 * i + 1
            holds &= (Lambda[:, N] - given[:, i] >= -1e-9) if closed else (xi[:, N] >= -1e-9 * size)
            if slip == 0:
                holds &= np.abs(Lambda[:, T]) <= mu[:, i] * Lambda[:, N] + 1e-9
            else:
                holds &= slip * xi[:, T] >= -1e-9 * size
        best[holds] = Lambda[holds]
        found |= holds
    return best, found


def by_law(law, G, gamma, mu, e):
    """Impulses of all contacts in one problem by Newton's or Poisson's law."""
    zero = np.zeros_like(mu)
    if law == "newton":
        factor = np.ones_like(gamma)
        factor[:, ::2] += e
        return one_problem(G, factor * gamma, mu, zero)
    first, found = one_problem(G, gamma, mu, zero)
    after = gamma + np.einsum("nij,nj->ni", G, first)
    second, also = one_problem(G, after, mu, e * first[:, ::2])
    return first + second, found & also


def impacts(random, count, K, largest_mu, equal_e, law):
    W, u, mu, e = draw_impacts(random, count, K, largest_mu, equal_e)
    G, gamma = W @ W.transpose(0, 2, 1), np.einsum("nij,nj->ni", W, u)
    Lambda, found = by_law(law, G, gamma, mu, e)
    after = gamma + np.einsum("nij,nj->ni", G, Lambda)
    change = 0.5 * (Lambda * (gamma + after)).sum(axis=1) / (0.5 * (u * u).sum(axis=1))
    return change[found], (~found).sum()


def model_of(W, u, mu, e, stiffness):
    """The same system as a model file."""
    n = len(u)
    text = "name: random\ncoordinates:\n"
    text += "".join("  q%d: {velocity: {name: u%d, start: %r}}\n" % (j, j, float(u[j])) for j in range(n))
    text += "kinetic: (%s)/2\ncontacts:\n" % " + ".join("u%d^2" % j for j in range(n))
    for i in range(len(mu)):
        rows = [" + ".join("(%r)*q%d" % (float(W[2 * i + part, j]), j) for j in range(n)) for part in (0, 1)]
        text += "  - {gap: \"%s - 1e-3\", tangent: \"%s\", mu: %r, eN: %r, stiffness: %r}\n" % (
            rows[0], rows[1], float(mu[i]), float(e[i]), float(stiffness[i]))
    return text


def laws(picus, _):
    heading("Energy of random impacts: relative change of the kinetic energy, 60,000 of one contact, 30,000 of two,",
            "10,000 of three, by enumeration in this script; gains above 1e-9 by number of contacts, largest gain")
    cases = [("newton", 0, True), ("newton", 0, False), ("newton", 1, True), ("newton", 1, False), ("newton", 3, False),
             ("poisson", 0, True), ("poisson", 0, False), ("poisson", 1, False), ("poisson", 3, True),
             ("poisson", 3, False)]
    for law, mu, equal in cases:
        random, line = np.random.default_rng(7), ""
        for K, count in ((1, 60000), (2, 30000), (3, 10000)):
            change, missed = impacts(random, count, K, mu, equal, law)
            line += "  %d: %5d of %5d, largest %-9.3g missed %d" % (K, (change > 1e-9).sum(), count, change.max(),
                                                                    missed)
        print("  %-8s mu up to %g, %-13s" % (law, mu, "one e" if equal else "different e"), line)

    heading("The same systems through the command: 100 each of one, two, three contacts, mu up to 3, different e.",
            "largest relative change of the energy, and largest difference of velocities from this script")
    for law, extra in (("newton", ()), ("poisson", ()), ("energetic", ()), ("compliant", ()),
                       ("poisson", ("--one-by-one",)), ("energetic", ("--one-by-one",))):
        random = np.random.default_rng(11)
        largest, off, gains, several, total = -1.0, 0.0, 0, 0, 0
        for K in (1, 2, 3):
            W, u, mu, e = draw_impacts(random, 100, K, 3, False)
            stiffness = np.exp(2 * random.standard_normal((100, K)))
            G, gamma = W @ W.transpose(0, 2, 1), np.einsum("nij,nj->ni", W, u)
            if law in LAWS[:2]:
                Lambda = by_law(law, G, gamma, mu, e)[0]
            for n in range(100):
                run = Run(picus, model_of(W[n], u[n], mu[n], e[n], stiffness[n]), "--impact", law, "--dt", 1e-9,
                          "--end", 1e-9, *extra)
                after = np.array([run.end["u%d" % j] for j in range(2 * K + 1)])
                change = (after @ after) / (u[n] @ u[n]) - 1
                gains += change > 1e-9
                largest, total = max(largest, change), total + 1
                if law in LAWS[:2] and not extra:
                    difference = np.abs(after - u[n] - W[n].T @ Lambda[n]).max()
                    several += difference > 1e-6
                    off = max(off, difference if difference <= 1e-6 else 0)
        print("  %-10s %-13s gains %d of %d, largest change %+.3g; off %.1e, another solution %d" %
              (law, " ".join(extra), gains, total, largest, off, several))

    heading("Ends of 20,000 random impacts of one contact, mu up to 1 (the sample of this script's seed 5):",
            "how many end in stick by this law and in slip by the energetic process; the other way round; both stick")
    random = np.random.default_rng(5)
    W, u, mu, e = draw_impacts(random, 20000, 1, 1, True)
    G, gamma = W @ W.transpose(0, 2, 1), np.einsum("nij,nj->ni", W, u)
    hit = gamma[:, 0] < 0
    G, gamma, mu, e = G[hit], gamma[hit], mu[hit], e[hit]
    slides = np.array([abs(impact_reference.stronge(G[n], gamma[n], mu[n, 0], e[n, 0])[1][1]) > 1e-9
                       for n in range(len(G))])
    for law in LAWS[:2]:
        after = gamma + np.einsum("nij,nj->ni", G, by_law(law, G, gamma, mu, e)[0])
        sticks = np.abs(after[:, 1]) < 1e-9
        print("  %-8s of %d impacts: stick but process slips %d, slips but process sticks %d, both stick %d" %
              (law, len(G), (sticks & slides).sum(), (~sticks & ~slides).sum(), (sticks & ~slides).sum()))

    heading("A contact that is struck and did not approach: three masses, velocities behind it, gamma_N of contact 23")
    for law, extra, values in (("newton", (), {}), ("poisson", (), {}), ("energetic", (), {}),
                               ("compliant", (), {"k1": 4}), ("newton", ("--one-by-one",), {}),
                               ("newton", (), {"eN1": 0.5}), ("poisson", (), {"eN1": 0.5}),
                               ("poisson", (), {"eN2": 0.5}), ("newton", (), {"eN2": 0.5})):
        run = Run(picus, "three-masses", "--impact", law, "--end", 1e-4, *extra, **values)
        v = [run.end["v%d" % i] for i in (1, 2, 3)]
        print("  %-10s %-13s %-12s" % (law, " ".join(extra), values), " ".join("%+.6f" % x for x in v),
              "  %+.6f" % (v[2] - v[1]), "energy %.6f" % run.books["kinetic"])

    heading("A contact that separates before an impact elsewhere (overlapping, so that it takes part): gamma_N of b")
    text = ("name: sep\ncoordinates: {x: {velocity: u, start: 0}, y: {velocity: v, start: -1e-3}}\n"
            "kinetic: (u^2 + v^2)/2\ncontacts: [{name: a, gap: x, eN: 1}, {name: b, gap: y - x/2, eN: 1}]\n")
    for law, extra in (("newton", ()), ("poisson", ()), ("energetic", ()), ("newton", ("--one-by-one",))):
        run = Run(picus, text, "--impact", law, "--dt", 1e-6, "--end", 1e-6, *extra, u=-1)
        print("  %-10s %-13s before +0.5, behind %+.4f; energy %.4f" %
              (law, " ".join(extra), run.end["v"] - run.end["u"] / 2, run.books["kinetic"]))

    heading("A ball at rest, bouncing-ball with y = 0, after 1000 steps: y and v")
    for law in LAWS:
        run = Run(picus, "bouncing-ball", "--impact", law, "--end", 0.1, y=0)
        print("  %-10s %r %r" % (law, run.end["y"], run.end["v"]))


def energy(picus, folder):
    """The oblique rod with gamma_N- = -1 m/s and different sliding velocities before the impact."""
    heading("oblique-rod, g = 0: kinetic energy behind/before, sliding velocity behind, by gamma_T-; off the laws")
    exact = {"newton": lambda *a: impact_reference.newton(*a)[0], "poisson": impact_reference.poisson,
             "energetic": impact_reference.stronge}
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.6))
    theta, half = math.pi / 4, 0.5
    rows = np.array([[0, 1, -half * math.cos(theta)], [1, 0, half * math.sin(theta)]])
    mass = np.diag([1, 1, 1 / 12])
    G = rows @ np.linalg.inv(mass) @ rows.T

    def before(slide):
        omega = slide / (half * math.sin(theta))
        return np.array([0, -1 + half * math.cos(theta) * omega, omega])

    fine = np.linspace(-0.6, 2.4, 601)
    for law, rule in exact.items():
        ratio, slip = [], []
        for slide in fine:
            u = before(slide)
            p, v = rule(G, np.array([-1, slide]), 0.5, 1.0)[:2]
            u = u + np.linalg.solve(mass, rows.T @ p)
            ratio.append(u @ mass @ u / (before(slide) @ mass @ before(slide)))
            slip.append(v[1])
        axes[0].plot(fine, ratio, lw=1, color=LAW_COLORS[law])
        axes[1].plot(fine, slip, lw=1, color=LAW_COLORS[law])
        worst, points = 0, []
        for slide in np.linspace(-0.6, 2.4, 26):
            u = before(slide)
            run = Run(picus, "oblique-rod", "--impact", law, "--dt", 1e-4, "--end", 0.0502, g=0, vy_0=u[1],
                      omega_0=u[2])
            end = np.array([run.end[k] for k in ("vx", "vy", "omega")])
            # the impact is in the middle of its step, where the rod has turned by omega dt/2
            points.append((slide, end @ mass @ end / (u @ mass @ u), end[0] + half * math.sin(theta) * end[2]))
            worst = max(worst, abs(points[-1][1] - np.interp(slide, fine, ratio)))
        points = np.array(points)
        axes[0].plot(points[:, 0], points[:, 1], "o", ms=4, mfc="none", color=LAW_COLORS[law], label=law)
        axes[1].plot(points[:, 0], points[:, 2], "o", ms=4, mfc="none", color=LAW_COLORS[law], label=law)
        most = fine[np.argmax(ratio)]
        print("  %-10s largest ratio %.4f at gamma_T- = %.3f; above 1 from %.3f to %.3f; Picus off by %.1e" %
              ((law, max(ratio), most) + ((fine[np.array(ratio) > 1 + 1e-12][0], fine[np.array(ratio) > 1 + 1e-12][-1])
                                          if max(ratio) > 1 + 1e-12 else (math.nan, math.nan)) + (worst,)))
    axes[0].axhline(1, color="k", lw=0.6, ls=":")
    axes[0].set(xlabel="sliding velocity before the impact [m/s]", ylabel="kinetic energy, behind / before",
                title="Rod at 45°, approach 1 m/s, μ = 0.5, $ε_N$ = 1", ylim=(0.3, 1.65))
    axes[1].axhline(0, color="k", lw=0.6, ls=":")
    axes[1].set(xlabel="sliding velocity before the impact [m/s]", ylabel="sliding velocity behind it [m/s]",
                title="Where Newton’s law says stick, the slip has turned round")
    for ax in axes:
        ax.plot([], [], "k-", lw=1, label="exact laws")
        ax.legend(fontsize=9)
    end_figure(figure, folder, "energy")


# --- Bricks and the ball ----------------------------------------------------------------------------------------------


def brick(picus, folder):
    theta, mu = math.radians(20), 0.5
    a = g * (mu * math.cos(theta) - math.sin(theta))
    heading("brick-on-ramp: time of rest (reference %.7f), place off by" % (2 / a))
    for dt in (1e-2, 1e-3, 1e-4):
        run = Run(picus, "brick-on-ramp", "--dt", dt, tables=("events",))
        print("  dt %g: sticks at %.4f, x - reference %.2e" % (dt, run.times("stick")[0], run.end["x"] - 2 / a))
    at = [Run(picus, "brick-on-ramp", "--end", end, "--every", 1000000).end for end in (2.0, 102.0)]
    print("  a million steps of 1e-4 s later x differs by %r, v = %r" % (at[1]["x"] - at[0]["x"], at[1]["v"]))
    smooth = ("name: creep\ncoordinates: {x: {velocity: v, start: 0}}\nkinetic: v^2/2\npotential: -9.81*sin(pi/9)*x\n"
              "forces: {x: \"-0.5*9.81*cos(pi/9)*tanh(v/1e-3)\"}\n")
    end = [Run(picus, smooth, "--dt", 1e-4, "--end", t, "--every", 10000).end for t in (10.0, 20.0)]
    print("  smoothed, tanh(v/1e-3): speed %.9f m/s (v_0 atanh(tan(theta)/mu) = %.9f), %.5f m in 10 s" %
          (end[1]["v"], 1e-3 * math.atanh(math.tan(theta) / mu), end[1]["x"] - end[0]["x"]))

    a = g * (math.sin(theta) - 0.3 * math.cos(theta))
    heading("brick-static-dynamic: v at 2 s by the push, reference p + a = p + %.6f; x at 3 s without a push" % a)
    for p in (0.1, 1e-6, 3e-12, 1e-12, 0.0):
        run = Run(picus, "brick-static-dynamic", "--end", 2.0, p=p)
        print("  p = %g: v %.12f, off %.1e, x %.12f" % (p, run.end["v"], run.end["v"] - (p + a if p else 0),
                                                      run.end["x"]))

    heading("Stick-slip: first slip, period, slip, largest speed, least stretch; from the third cycle on")
    figure, axes = plt.subplots(2, 2, figsize=(13, 8))
    for column, (name, tag) in enumerate((("brick-stick-slip", "two"), ("brick-falling-friction", "smooth"))):
        reference = [0.981] + [REFERENCE["stickslip.%s.%s" % (tag, k)][0]
                               for k in ("period", "slip_time", "largest_speed")]
        reference.append(REFERENCE["stickslip.%s.stretch" % tag][1])
        print("  %-24s reference %s" % (name, " ".join("%.6f" % x for x in reference)))
        for dt in (1e-3, 1e-4, 1e-5):
            run = Run(picus, name, "--dt", dt, "--end", 6.0, tables=("states", "events"))
            slips, sticks = run.times("slip"), run.times("stick")
            k = len(slips) - 2
            stick = sticks[sticks > slips[k]][0]
            stretch = 0.05 * run.states["t"] - run.states["x"]
            found = [slips[0], slips[k + 1] - slips[k], stick - slips[k], run.states["v"].max(),
                     stretch[int(round(stick / dt))]]
            print("    dt %g: %s; largest residual %.1e" % (dt, " ".join("%.6f" % x for x in found),
                                                         run.summary["worst_residual"]))
            if dt == 1e-4:
                s = run.states
                axes[0, 0].plot(s["t"], s["v"], lw=1, color=COLORS[column],
                                label=["$μ_{static}$ = 0.5, μ = 0.3", "μ(v) from 0.5 to 0.3"][column])
                axes[0, 1].plot(1000 * stretch, s["v"], lw=1, color=COLORS[column],
                                label=["$μ_{static}$ = 0.5, μ = 0.3", "μ(v) from 0.5 to 0.3"][column])
                axes[0, 0].axhline(reference[3], lw=0.6, ls=":", color=COLORS[column])
    axes[0, 0].axhline(0.05, color="k", lw=0.6, ls="--")
    axes[0, 0].set(xlabel="t [s]", ylabel="speed of the block [m/s]",
                   title="Stick-slip; dotted: largest speed, reference")
    axes[0, 1].set(xlabel="stretch of the spring [mm]", ylabel="speed of the block [m/s]",
                   title="The cycles (dt = 1e-4 s)")
    v = np.linspace(-0.15, 0.15, 601)
    fall = 0.3 + 0.2 * np.exp(-np.abs(v) / 0.02)
    for k, (positive, name) in enumerate(((np.full_like(v, 0.3), "two coefficients"), (fall, "μ(v)"))):
        axes[1, 0].plot(np.concatenate([v[v < 0], v[v > 0]]), np.concatenate([-positive[v < 0], positive[v > 0]]),
                        lw=1.4, color=COLORS[k], label=name)
    axes[1, 0].plot([0, 0], [-0.5, 0.5], color="k", lw=2.2, label="at rest: held up to 0.5")
    axes[1, 0].set(xlabel="sliding speed [m/s]", ylabel="friction / normal force", title="The two laws of friction")
    axes[1, 0].legend(fontsize=9, loc="upper left")

    heading("brick-falling-friction near steady sliding: growth rate of deviations of 1e-7 m/s over 0.5 s, dt = 1e-5 s")
    stretch = (0.3 + 0.2 * math.exp(-2.5)) * g / 100
    for k, c in enumerate((0, 5, 10)):
        rate, frequency = REFERENCE["steady.c%d.eigenvalue" % c]
        run = Run(picus, "brick-falling-friction", "--dt", 1e-5, "--end", 0.5, c=c, x=-stretch, v=0.05 + 1e-7)
        z, dv = run.end["x"] - 0.05 * 0.5 + stretch, run.end["v"] - 0.05
        size = math.hypot(z, (dv - rate * z) / frequency)
        print("  c = %d: %.4f, reference %.4f 1/s" % (c, math.log(size * frequency / 1e-7) / 0.5, rate))
        run = Run(picus, "brick-falling-friction", "--dt", 1e-5, "--end", 4.0, "--every", 100, tables=("states",), c=c,
                  x=-stretch, v=0.05 + 1e-4)
        axes[1, 1].plot(run.states["t"], run.states["v"], lw=1, color=COLORS[k + 2], label="damper c = %d N s/m" % c)
    axes[1, 1].set(xlabel="t [s]", ylabel="speed of the block [m/s]", ylim=(-0.02, 0.3),
                   title="μ(v): starts 0.1 mm/s off steady sliding")
    for ax in (axes[0, 0], axes[0, 1], axes[1, 1]):
        ax.legend(fontsize=9, loc="upper right")
    axes[0, 0].set_ylim(-0.02, 0.36)
    axes[0, 1].set_ylim(-0.02, 0.36)
    axes[1, 1].set_ylim(-0.02, 0.36)
    end_figure(figure, folder, "stick-slip")


def ball(picus, _):
    t_1 = math.sqrt(2 / g)
    heading("bouncing-ball: times of impacts less t_1 (1 + 2 (e + ... + e^n)), and the end")
    for e in (0.5, 0.7, 0.9):
        rest = t_1 * (1 + e) / (1 - e)
        for dt in (1e-3, 1e-4, 1e-5):
            run = Run(picus, "bouncing-ball", "--dt", dt, "--end", round(rest + 0.5, 3), "--every", 100000,
                      tables=("events",), eN=e)
            hits = run.times("impact")
            series = t_1 * (1 + 2 * np.array([sum(e**k for k in range(1, n + 1)) for n in range(len(hits))]))
            print("  e = %g, dt = %g: first five %s; rest %.7f, last impact %+.2e off; %d impacts, y %.1e v %.1e" %
                  (e, dt, " ".join("%+.1e" % x for x in (hits - series)[:5]), rest, hits[-1] - rest, len(hits),
                   run.end["y"], run.end["v"]))


# --- Painlevé ---------------------------------------------------------------------------------------------------------


def painleve(picus, folder):
    heading("painleve-rod, first step: vx vy omega, Lambda_N Lambda_T; reference %s, 0.3 0.4" %
            REFERENCE["painleve.jam.velocity"])
    for dt in (1e-3, 1e-4, 1e-5, 1e-6):
        run = Run(picus, "painleve-rod", "--dt", dt, "--end", dt, tables=("contacts", "events"))
        c = run.contacts[0]
        print("  dt %g: %.7f %.7f %.7f  %.7f %.7f  largest error %.1e; event %s; T %.6f" %
              (dt, run.end["vx"], run.end["vy"], run.end["omega"], c["Lambda_N"], c["Lambda_T"],
               np.abs(np.array([run.end[k] for k in ("vx", "vy", "omega")]) - REFERENCE["painleve.jam.velocity"]).max(),
               run.events["kind"][0], run.books["kinetic"]))
    heading("later: first slip of the tip and impact of the other end; references %.6f %.6f" %
            (REFERENCE["painleve.after_jam.event1.time"][0], REFERENCE["painleve.after_jam.event2.time"][0]))
    for dt in (1e-3, 1e-4, 1e-5):
        run = Run(picus, "painleve-rod", "--dt", dt, "--end", 1.1, "--every", round(1e-2 / dt), tables=("events",))
        print("  dt %g: %.5f %.5f; events %d" % (dt, run.times("slip", "tip")[0], run.times("impact", "top")[0],
                                               len(run.events)))
    below, above = 1.0, 2.0
    for _ in range(24):
        mu = (below + above) / 2
        run = Run(picus, "painleve-rod", "--dt", 1e-9, "--end", 1e-9, mu=mu)
        below, above = (below, mu) if run.summary["impulses_without_collision"] else (mu, above)
    heading("critical friction, by bisection with dt = 1e-9 s: between %.7f and %.7f; 4/3" % (below, above))

    figure, axes = plt.subplots(2, 2, figsize=(13, 9))
    run = Run(picus, "painleve-rod", "--dt", 1e-4, "--end", 1.02, tables=("states",))
    rods(axes[0, 0], run, (0, 0.2, 0.6, 0.8, 0.848, 0.9, 0.95, 1.0))
    axes[0, 0].set(title="painleve-rod: jams at t = 0, turns over its end", xlim=(-0.35, 2.3),
                   ylim=(-0.12, 2.05))
    s = run.states
    ax = axes[0, 1]
    for name, label, color in (("vx", "$v_x$", 0), ("vy", "$v_y$", 1), ("omega", "ω [rad/s]", 2)):
        ax.plot(np.concatenate([[-0.05], s["t"][:1], s["t"][1:]]), np.concatenate([s[name][:1], s[name]]), lw=1.2,
                color=COLORS[color], label=label)
    tip = s["vx"] + np.sin(s["theta"]) * s["omega"]
    ax.plot(np.concatenate([[-0.05], s["t"]]), np.concatenate([tip[:1], tip]), lw=1.2, ls="--", color="k",
            label="sliding velocity of the tip")
    state = REFERENCE["painleve.after_jam.event1.state"]
    for k, color in ((3, 0), (4, 1), (5, 2)):
        ax.plot(REFERENCE["painleve.after_jam.event1.time"], state[k], "o", mfc="none", color=COLORS[color])
        ax.plot(0, REFERENCE["painleve.jam.velocity"][k - 3], "o", mfc="none", color=COLORS[color])
    ax.plot([], [], "ko", mfc="none", label="closed form, event-driven")
    ax.set(title="Velocities: they jump at t = 0, though nothing approaches", xlabel="t [s]",
           ylabel="[m/s], [rad/s]", ylim=(-4, 2.6), xlim=(-0.05, 1.05))
    ax.legend(fontsize=9, loc="lower left")

    ax = axes[1, 0]
    e = np.linspace(0, 1, 11)
    slopes = {"newton": 0, "poisson": 6 / 17, "energetic": math.sqrt(0.6 / 14 * 20 / 17)}
    heading("painleve-rod: gamma_N behind the jam by eN, dt = 1e-6; largest difference from the closed form")
    for law, slope in slopes.items():
        found = []
        for x in e:
            run = Run(picus, "painleve-rod", "--impact", law, "--dt", 1e-6, "--end", 1e-6, tables=("contacts",), eN=x)
            found.append(run.contacts[0]["gamma_N"])
        ax.plot(e, slope * e, "-", lw=1, color=LAW_COLORS[law])
        ax.plot(e, found, "o", mfc="none", ms=5, color=LAW_COLORS[law], label=law)
        print("  %-10s %.1e; at eN = 1: %.6f, closed form %.6f" %
              (law, np.abs(found - slope * e).max(), found[-1], slope))
    for law in ("newton", "poisson", "energetic"):
        run = Run(picus, "painleve-rod", "--impact", law, "--one-by-one", "--dt", 1e-6, "--end", 1e-6,
                  tables=("contacts",), eN=1)
        print("  %-10s --one-by-one, eN = 1: gamma_N %.6f" % (law, run.contacts[0]["gamma_N"]))
    ax.plot([], [], "k-", lw=1, label="closed form")
    ax.set(title="Rebound from the jam, though nothing approached", xlabel="restitution $ε_N$",
           ylabel="normal velocity of the tip behind it [m/s]")
    ax.legend(fontsize=9, loc="upper left")

    heading("painleve-rod with omega = -6, where there are three solutions: steps with several, velocities at 2e-5 s")
    for gap in ("1e-12", "1e-8"):
        run = Run(picus, "painleve-rod", "--active-gap", gap, "--dt", 1e-5, "--end", 2e-5, vx=4.3665631459995,
                  vy=-2.68328157299975, omega=-6)
        print("  active gap %s: %d of %d examined; %.6f %.6f %.6f" % (
            gap, run.summary["multiple_solution_steps"], run.summary["uniqueness_examined_steps"], run.end["vx"],
            run.end["vy"], run.end["omega"]))

    heading("painleve-drop: time of the impact, vx vy omega behind it, impulse; slip, other end",
            "reference %.7f, %s, %s; %.6f %.6f" % (
                REFERENCE["drop.impact1.time"][0], REFERENCE["drop.impact1.velocity_after"],
                REFERENCE["drop.impact1.impulse"], REFERENCE["drop.event2.time"][0], REFERENCE["drop.event3.time"][0]))
    for dt in (1e-3, 1e-4, 1e-5):
        run = Run(picus, "painleve-drop", "--dt", dt, "--end", 0.9, tables=("states", "contacts", "events"))
        hit = run.times("impact", "tip")[0]
        after = run.state(int(round(hit / dt)))
        print("  dt %g: %.5f, %.6f %.6f %.6f, %.5f %.5f; %.5f %.5f; gap at most %.1e m" %
              (dt, hit, after["vx"], after["vy"], after["omega"], run.contacts[0]["Lambda_N"],
               run.contacts[0]["Lambda_T"], run.times("slip", "tip")[0],
               run.times("impact", "top")[0], run.summary["worst_penetration"]))
    rods(axes[1, 1], run, (0, 0.2, 0.35, 0.4766, 0.55, 0.613, 0.7, 0.77, 0.82))
    axes[1, 1].set(title="painleve-drop: the impact at 0.477 s stops its end", xlim=(-2.1, 1.5),
                   ylim=(-0.12, 3.1))
    end_figure(figure, folder, "painleve")


def rods(ax, run, times):
    ax.fill_between([-5, 5], -0.12, 0, color="#d8d8d8", lw=0)
    ax.plot([-5, 5], [0, 0], color="#606060", lw=1)
    for k, t in enumerate(times):
        s = run.state(int(np.abs(run.states["t"] - t).argmin()))
        c, si = math.cos(s["theta"]), math.sin(s["theta"])
        color = plt.cm.viridis(0.9 * k / (len(times) - 1))
        ax.plot([s["x"] - c, s["x"] + c], [s["y"] - si, s["y"] + si], color=color, lw=2)
        ax.plot(s["x"] - c, s["y"] - si, "o", ms=5, color="#b03030")
        ax.annotate("%.3g" % t, (s["x"] + 1.07 * c, s["y"] + 1.07 * si), fontsize=8, color=color, ha="center",
                    va="center")
    ax.set_aspect("equal")
    ax.set(xlabel="x [m]", ylabel="y [m]; numbers: t [s]")


# --- Balls ------------------------------------------------------------------------------------------------------------


def balls(picus, folder):
    heading("two-balls, first step, dt = 1e-6 s: largest difference from the reference; landing of ball1")
    reference = np.concatenate([REFERENCE["twoballs.ball1"], REFERENCE["twoballs.ball2"]])
    names = ["ball%d.%s" % (i, k) for i in (1, 2) for k in ("vx", "vy", "omega")]
    for law, extra in (("newton", ()), ("newton", ("--one-by-one",)), ("poisson", ()), ("energetic", ())):
        run = Run(picus, "two-balls", "--impact", law, "--dt", 1e-6, "--end", 1e-6, *extra)
        later = Run(picus, "two-balls", "--impact", law, "--dt", 1e-5, "--end", 0.05, *extra, tables=("events",))
        back = [t for t, c, k in zip(later.events["t"], later.events["contact"], later.events["kind"])
                if "ball1" in c and "table" in c and k in ("impact", "touch")]
        print("  %-10s %-13s %.1e; %s; lands at %s" % (law, " ".join(extra),
                                                       np.abs(np.array([run.end[n] for n in names]) - reference).max(),
                                                       " ".join("%.4f" % run.end[n] for n in names), back[:2]))
    heading("billiards, first step, dt = 1e-6 s: vx, vy, omega of each ball, kinetic energy; off the reference")
    cases = [("newton", (), "Newton, one problem", "billiards4.newton"),
             ("newton", ("--one-by-one",), "Newton, one by one", "billiards4.pairwise"),
             ("poisson", (), "Poisson, one problem", None), ("energetic", (), "energetic, equal stiffness", None)]
    figure, axes = plt.subplots(2, 2, figsize=(13, 8))
    for k, (law, extra, label, tag) in enumerate(cases):
        run = Run(picus, "billiards", "--impact", law, "--dt", 1e-6, "--end", 1e-6, *extra)
        v = np.array([[run.end["ball%d.%s" % (i, x)] for x in ("vx", "vy", "omega")] for i in range(5)])
        off = max(np.abs(v[i] - REFERENCE["%s.ball%d" % (tag, i + 1)]).max() for i in range(5)) if tag else math.nan
        print("  %-28s T %.6f, off %.1e" % (label, run.books["kinetic"], off))
        for i in range(5):
            print("    ball%d %+.6f %+.6f %+.6f" % (i, *v[i]))
        axes[0, 0].bar(np.arange(5) + 0.2 * (k - 1.5), v[:, 0], 0.19, color=COLORS[k], label=label)
        axes[0, 1].bar(np.arange(5) + 0.2 * (k - 1.5), 1000 * v[:, 1], 0.19, color=COLORS[k], label=label)
    for ax, what in ((axes[0, 0], "velocity along the table [m/s]"), (axes[0, 1], "velocity upwards [mm/s]")):
        ax.axhline(0, color="k", lw=0.6)
        ax.set_xticks(range(5), ["ball %d" % i for i in range(5)])
        ax.set_ylabel(what)
        ax.legend(fontsize=9)
    axes[0, 0].set_title("Behind the impact: where the blow goes")
    axes[0, 1].set_title("Behind the impact: which balls hop")
    for ax, (law, extra, label, _) in zip(axes[1], cases[:2]):
        run = Run(picus, "billiards", "--impact", law, "--dt", 1e-5, "--end", 0.06, *extra, tables=("states",))
        for i in range(5):
            ax.plot(1000 * run.states["t"], 1000 * (run.states["ball%d.y" % i] - 1), lw=1.3, color=COLORS[i],
                    label="ball %d" % i)
        ax.set(title=label + ": heights (dt = 1e-5 s)", xlabel="t [ms]", ylabel="height over the table [mm]",
               ylim=(-0.1, 3.1))
        ax.legend(fontsize=9, ncols=3, loc="upper right")
    end_figure(figure, folder, "billiards")
    run = Run(picus, "billiards", "--dt", 1e-5, "--end", 0.0046, **{"ball%d__x" % i: 2.001 * i for i in range(1, 5)})
    print("  with 1 mm of air between the balls, newton, dt = 1e-5 s, vx after 4.6 ms:",
          " ".join("%+.4f" % run.end["ball%d.vx" % i] for i in range(5)))


# --- Restitution that depends on the angle; energy from nothing -------------------------------------------------------


def angle(picus, _):
    heading("angled-rod: first impact by the angle [degrees]: formula, -gamma_N+/gamma_N- of the run, dt = 1e-4 s")
    for degrees in (90, 85, 80, 75, 70, 64, 50, 40, 20, 5):
        run = Run(picus, "angled-rod", "--dt", 1e-4, "--end", 0.4, tables=("states", "contacts"),
                  theta=math.radians(degrees))
        c = run.contacts[0]
        before = run.state(int(round(c["t"] / 1e-4)) - 1)
        u = math.cos(math.radians(degrees))
        rule = 0.85 * math.exp(-(u / 0.245) ** 2) + 0.6 * u * u
        print("  %2d: %.6f %.6f" % (degrees, rule, -c["gamma_N"] / before["vy"]))


def gain(picus, _):
    heading("Gains of energy, in the step of the impact: kinetic energy before, change by each law, by_law of Newton's",
            "run, velocities behind it; references")
    cases = [("oblique-rod", {}, 0.05, ("vx", "vy", "omega"), "rodgain.exact", 1e-5),
             ("double-pendulum", {}, 0.0, ("omega1", "omega2"), "kane.literature", 1e-7),
             ("double-pendulum", {"phi2": math.radians(40), "omega1": 0.3, "omega2": -1, "mu": 0.6, "eN": 1}, 0.0,
              ("omega1", "omega2"), "kane.strong", 1e-7)]
    for name, values, at, velocities, tag, dt in cases:
        for law in LAWS[:3]:
            run = Run(picus, name, "--impact", law, "--dt", dt, "--end", at + 1.5 * dt, tables=("energy",), **values)
            before, after = (float(x) for x in run.energy["kinetic"][-2:])
            rule = law if law != "energetic" else "stronge"
            reference = REFERENCE["%s.%s" % (tag, rule)]
            print("  %-16s %-10s T %.7f, change %+.7f (reference %+.7f), %s (reference %s)" %
                  (name, law, before, after - before, reference[4],
                   " ".join("%+.6f" % run.end[v] for v in velocities),
                   " ".join("%+.6f" % x for x in REFERENCE["%s.%s.velocity" % (tag, rule)])))
            if law == "newton":
                print("    by_law:", run.summary["energy"]["first_gain"]["by_law"])


# --- Masses on a line -------------------------------------------------------------------------------------------------


def springs(ratio):
    """Velocities of three masses behind the impact, with unilateral elastic springs of the stiffness `ratio` and 1."""
    def rate(_, y):
        f1, f2 = ratio * max(y[0] - y[1], 0), max(y[1] - y[2], 0)
        return [y[3], y[4], y[5], -f1, f1 - f2, f2]

    end = 60 / math.sqrt(min(ratio, 1))
    s = solve_ivp(rate, (0, end), [0, 0, 0, 1, 0, 0], method="DOP853", rtol=1e-11, atol=1e-13,
                  max_step=0.1 / math.sqrt(max(ratio, 1)))
    return s.y[3:, -1]


def masses(picus, folder):
    heading("three-masses, compliant: velocities by k1/k2; off the reference; off the springs of this script")
    for ratio in (0.0001, 0.01, 0.1, 0.5, 1, 2, 10, 100, 10000):
        run = Run(picus, "three-masses", "--end", 1e-4, k1=ratio)
        v = np.array([run.end["v%d" % i] for i in (1, 2, 3)])
        off = np.abs(v - REFERENCE["masses.elastic.ratio%g" % ratio]).max()
        print("  %-7g %s %.1e" % (ratio, " ".join("%+.8f" % x for x in v), off))
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.8))
    lines = np.logspace(-2, 2, 129)
    curve = np.array([springs(r) for r in lines])
    dots = np.logspace(-2, 2, 17)
    for x, label, color in zip(range(3), ("mass 1", "mass 2", "mass 3"), COLORS):
        axes[0].semilogx(lines, curve[:, x], "-", lw=1, color=color)
    found = []
    for r in dots:
        run = Run(picus, "three-masses", "--end", 1e-4, k1=r)
        found.append([run.end["v%d" % i] for i in (1, 2, 3)])
    found = np.array(found)
    some = [np.abs(np.log(lines / r)).argmin() for r in dots]
    same = np.abs(np.log(lines[some] / dots)) < 1e-9
    print("  off the springs of this script, %d ratios: %.1e" %
          (same.sum(), np.abs(found[same] - curve[some][same]).max()))
    for x in range(3):
        axes[0].semilogx(dots, found[:, x], "o", ms=5, mfc="none", color=COLORS[x], label="mass %d" % (x + 1))
        for at, limit in ((1e-2, [-1 / 3, 2 / 3, 2 / 3]), (1e2, [0, 0, 1])):
            axes[0].plot([at / 2, at * 2], [limit[x]] * 2, ":", lw=1.2, color="k")
    axes[0].plot([], [], "k-", lw=1, label="spring ODE")
    axes[0].plot([], [], "k:", lw=1.2, label="limits: Newton in one problem (left), one by one (right)")
    axes[0].set(xlabel="$k_1/k_2$", ylabel="velocity behind the impact [m/s]",
                title="Three masses, $ε_N$ = 1: Picus, --impact compliant", ylim=(-0.45, 1.45))
    axes[0].legend(fontsize=9, loc="upper left", ncols=2)

    heading("cradle: velocities; off the reference")
    cases = [("compliant", (), {}, "compliant, equal stiffness"), ("newton", (), {}, "Newton, Poisson: one problem"),
             ("newton", ("--one-by-one",), {}, "one by one"),
             ("compliant", (), {"k1": 1000, "k2": 100, "k3": 10}, "compliant, 1000 : 100 : 10 : 1")]
    for k, (law, extra, values, label) in enumerate(cases):
        run = Run(picus, "cradle", "--impact", law, "--end", 1e-3, *extra, **values)
        v = np.array([run.end["v%d" % i] for i in range(1, 6)])
        print("  %-32s %s T %.6f" % (label, " ".join("%+.6f" % x for x in v), run.books["kinetic"]),
              "off %.1e" % np.abs(v - REFERENCE["cradle5.elastic"]).max() if k == 0 else "")
        axes[1].bar(np.arange(5) + 0.2 * (k - 1.5), v, 0.19, color=COLORS[k], label=label)
    poisson = Run(picus, "cradle", "--impact", "poisson", "--end", 1e-3)
    print("  poisson", " ".join("%+.6f" % poisson.end["v%d" % i] for i in range(1, 6)))
    axes[1].axhline(0, color="k", lw=0.6)
    axes[1].set_xticks(range(5), ["ball %d" % i for i in range(1, 6)])
    axes[1].set(ylabel="velocity behind the impact [m/s]", title="Newton’s cradle, $ε_N$ = 1, ball 1 came at 1 m/s")
    axes[1].legend(fontsize=9, loc="upper left")
    end_figure(figure, folder, "three-masses")


# --- Chatterjee's rods ------------------------------------------------------------------------------------------------


def chatterjee(picus, folder):
    run = Run(picus, "chatterjee-rod", "--end", 1e-4, tables=("states", "contacts", "outputs"))
    heading("chatterjee-rod: at t = 0 impulses %s; vy %.12f omega %.12f v_D %.12f v_A %.12f" % (
        [(c["contact"], float(c["Lambda_N"])) for c in run.contacts if c["t"] == 0], run.states["vy"][0],
        run.states["omega"][0], run.outputs["v_D"][0], run.outputs["v_A"][0]))
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.6))
    heading("chatterjee-rod-hinged, g = 0, until 20/omega in 20,000 steps: impulses at D and B at t = 0 and in all;",
            "opens at t omega; velocities there less the reference")
    rate = REFERENCE["chatterjee.hinged.omega_over_sqrt_k"][0]
    for n, (k, tag) in enumerate(((1e2, "k100"), (1e4, "k10000"), (1e6, "k1e+06"))):
        omega = rate * math.sqrt(k)
        dt = 20 / omega / 20000
        run = Run(picus, "chatterjee-rod-hinged", "--dt", dt, "--end", 20000.4 * dt,
                  tables=("contacts", "states", "events"), g=0, k=k)
        c = run.contacts
        total = {}
        for name in ("D", "B"):
            mine = c[c["contact"] == name]
            total[name] = mine["Lambda_N"].sum()
            axes[0].plot(np.concatenate([[-0.5, 0], mine["t"] * omega, [20]]),
                         np.concatenate([[0, 0], np.cumsum(mine["Lambda_N"]), [total[name]]]), lw=[4, 2, 1][n],
                         alpha=[0.35, 0.6, 1][n], color=COLORS["DB".index(name)],
                         label="at %s" % name if n == 2 else None)
        first = [float(x["Lambda_N"]) for x in c if x["t"] == 0]
        end = REFERENCE["chatterjee.hinged.end." + tag]
        found = np.array([run.end[x] for x in ("vx", "vy", "omega1", "omega2")])
        print("  k = %g, dt %.2e: at 0 %s, in all D %.9f B %.6f (reference %.6f); B opens at %.4f; off %.1e; D at %s" %
              (k, dt, first, total["D"], total["B"], REFERENCE["chatterjee.hinged.total." + tag][1],
               c["t"][c["contact"] == "B"][-1] * omega, np.abs(found - end).max(), run.times("impact", "D")[:3]))
    for name, value in (("D", 0), ("B", 10 / 7)):
        axes[0].axhline(value, ls="--", lw=1, color=COLORS["DB".index(name)])
    axes[0].plot([], [], "k--", lw=1, label="rigid rod")
    axes[0].plot([], [], "k-", lw=4, alpha=0.35, label="k = 1e2 (wide), 1e4, 1e6 N m/rad (thin)")
    axes[0].set(xlabel="t ω, with ω the bending frequency", ylabel="impulse so far [N s]", xlim=(-0.5, 10),
                ylim=(-0.1, 2.35), title="Hinged rod, blow of 1 N s: impulses do not tend to the rigid ones")
    axes[0].legend(fontsize=9, loc="upper left", ncols=2)
    ax = axes[1]
    run = Run(picus, "chatterjee-rod-hinged", "--dt", 1e-5, "--end", 0.0111, "--every", 1, tables=("states",), g=0)
    ax.fill_between([-0.25, 0.6], -0.02, 0, color="#d8d8d8", lw=0)
    ax.plot([-0.25, 0.6, 0.6], [0, 0, -0.02], color="#606060", lw=1)
    for n, t in enumerate((0, 0.002, 0.004, 0.007, 0.011)):
        s = run.state(int(round(t / 1e-5)))
        x = [s["x"] - 0.3 * math.cos(s["phi1"]), s["x"], s["x"] + 0.7 * math.cos(s["phi2"])]
        y = [s["y"] - 0.3 * math.sin(s["phi1"]), s["y"], s["y"] + 0.7 * math.sin(s["phi2"])]
        ax.plot(x, y, "-o", ms=4, mfc="white", lw=1.5, color=plt.cm.viridis(0.22 * n), label="%g ms" % (1000 * t))
    for x, y, name in ((0, -0.005, "D"), (0.3, -0.005, "C"), (0.57, -0.005, "B"), (1.05, 0, "A")):
        ax.annotate(name, (x, y), ha="center", va="center", fontsize=9)
    ax.set(xlim=(-0.25, 1.25), ylim=(-0.035, 0.05), xlabel="[m]", ylabel="[m], stretched",
           title="The hinged rod, k = 1e4 N m/rad")
    ax.legend(fontsize=9, loc="upper right", ncols=2)
    end_figure(figure, folder, "chatterjee")


# --- The rigid limit --------------------------------------------------------------------------------------------------


def limit(picus, folder):
    heading("painleve-rod-compliant at the end of the reference's contact: velocities; off the reference of this k",
            "with true Coulomb friction; off the energetic law, largest of three; (A ln k + B)/sqrt(k) from it")
    rigid = REFERENCE["rigid.eps1.stronge"][:3]
    A, B = REFERENCE["rigid.eps1.coefficients"][:3], REFERENCE["rigid.eps1.coefficients"][3:]
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.6))
    errors, stiffness = [], []
    for n, (k, dt, v_0) in enumerate(((1e4, 1e-6, 1e-4), (1e5, 5e-7, 1e-4), (1e6, 1e-7, 1e-4), (1e7, 4e-8, 1e-4),
                                      (1e8, 1e-8, 1e-4), (1e10, 1e-9, 1e-4))):
        tag = "rigid.eps1.k%s" % ("%d" % k if k < 1e5 else "1e+%02d" % round(math.log10(k)))
        reference = REFERENCE.get(tag)
        end = reference[5] if reference is not None else {1e5: 0.018, 1e7: 0.0024}[k]
        run = Run(picus, "painleve-rod-compliant", "--dt", dt, "--end", end, "--every", max(1, round(end / dt / 2000)),
                  tables=("outputs", "states"), k=k, v_0=v_0)
        if reference is None:  # the last row with a force, and the free fall behind it
            row = np.nonzero(run.outputs["N"] > 0)[0][-1]
            u = np.array([run.states[x][row] for x in ("vx", "vy", "omega")])
        else:
            u = np.array([run.end[x] for x in ("vx", "vy", "omega")])
        print("  k = %g, dt %g: %s; %s; %.3e; %s; steps %d, peak N %.1f (%.3f sqrt(k)), %.1f s" %
              (k, dt, " ".join("%+.6f" % x for x in u),
               "%.1e" % np.abs(u - reference[:3]).max() if reference is not None else "-", np.abs(u - rigid).max(),
               "%.3e" % np.abs((A * math.log(k) + B) / math.sqrt(k)).max(), run.summary["steps"],
               run.outputs["N"].max(), run.outputs["N"].max() / math.sqrt(k), run.summary["wall_s"]))
        errors.append(np.abs(u - rigid))
        stiffness.append(k)
        o, scale = run.outputs, math.sqrt(k)
        axes[0].plot(o["t"] * scale, o["N"] / scale, lw=1.2, color=COLORS[n],
                     label="k = 1e%d N/m" % round(math.log10(k)))
        axes[1].plot(o["t"] * scale, o["v_T"], lw=1.2, color=COLORS[n])
        axes[1].plot(o["t"] * scale, o["v_N"], lw=1.2, ls="--", color=COLORS[n])
    axes[0].set(xlabel="t √k  [s √(N/m)]", ylabel="normal force / √k", title="The force: ever higher and shorter")
    axes[0].legend(fontsize=9)
    axes[1].axhline(rigid[1] - math.cos(math.atan(2)) * rigid[2], color="k", lw=0.8, ls=":")
    axes[1].plot([], [], "k-", lw=1.2, label="sliding velocity of the tip")
    axes[1].plot([], [], "k--", lw=1.2, label="its normal velocity")
    axes[1].plot([], [], "k:", lw=0.8, label="behind the rigid impact, energetic law")
    axes[1].set(xlabel="t √k  [s √(N/m)]", ylabel="[m/s]", title="The tip jams, and is thrown up", ylim=(-1.1, 1.0))
    axes[1].legend(fontsize=9, loc="upper left")
    fine = np.logspace(4, 16, 200)
    rows = {float(t): REFERENCE["rigid.eps1.k" + t]
            for t in ("10000", "1e+06", "1e+08", "1e+10", "1e+12", "1e+14", "1e+16")}
    ax = axes[2]
    for j, name in enumerate(("$v_x$", "$v_y$", "ω")):
        ax.loglog(stiffness, [e[j] for e in errors], "o", ms=6, mfc="none", color=COLORS[j], label="Picus, " + name)
        ax.loglog(list(rows), [abs(r[j] - rigid[j]) for r in rows.values()], "x", ms=5, color=COLORS[j])
        size = np.abs((A[j] * np.log(fine) + B[j]) / np.sqrt(fine))
        ax.loglog(fine[fine > 1e9], size[fine > 1e9], "-", lw=0.8, color=COLORS[j])
    ax.loglog([], [], "kx", ms=5, label="event-driven")
    ax.loglog([], [], "k-", lw=0.8, label="|A ln k + B|/√k, fitted at 1e12 to 1e16")
    ax.set(xlabel="stiffness k [N/m]", ylabel="off the rigid law [m/s, rad/s]", title="Towards the rigid limit")
    ax.legend(fontsize=8, loc="lower left")
    end_figure(figure, folder, "rigid-limit")


PARTS = {"laws": laws, "energy": energy, "brick": brick, "ball": ball, "painleve": painleve, "balls": balls,
         "angle": angle, "gain": gain, "masses": masses, "chatterjee": chatterjee, "limit": limit}

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](sys.argv[1], sys.argv[2])
