#!/usr/bin/python3
"""The ball between two fixed spheres (models/sphere-in-groove.yaml, disk friction) in Picus and in Siconos 4.4.

Usage: groove.py PICUS [ROUNDS]     compares motions, residuals and times of a step; prints tables (some minutes)
Needs Debian's python3-siconos and numpy, for /usr/bin/python3.

Two errors of Siconos 4.4.0 are worked around, see benchmarks/README.md: the scene is turned in it, (X, Y, Z) =
(z, x, y), and SphereNEDSSphereNEDSR is given its two radii in the opposite order.
"""

import collections
import contextlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy and Siconos: threads only cost time on matrices this small

import numpy as np  # noqa: E402  (after the choice of one thread)
import siconos.kernel as kernel  # noqa: E402
import siconos.numerics as numerics  # noqa: E402
from siconos.mechanics import collision  # noqa: E402
from siconos.mechanics.collision import bodies, bullet  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from cone_error import error  # noqa: E402  (after the path to it)

MU, RADIUS, INERTIA = 0.2, 1.0, 0.4
FORCE = np.array([1, 2.6, -9.81])
FIXED = [("large", 10.0, np.zeros(3)), ("small", 9.0, np.array([0, 11.4, 0]))]
Y_0 = (11**2 - 10**2 + 11.4**2) / (2 * 11.4)
START = np.array([0, Y_0, np.sqrt(121 - Y_0**2)])
INVERSE_MASS = np.diag([1, 1, 1, 1 / INERTIA, 1 / INERTIA, 1 / INERTIA])

NSGS = (numerics.SICONOS_FRICTION_3D_NSGS, numerics.SICONOS_FRICTION_3D_ONECONTACT_NSN, 1e-8)
NEWTON = (numerics.SICONOS_FRICTION_3D_NSN_AC, None, 1e-12)
# Name, program, and for Picus its method, for Siconos the kind of scene and the solver with its tolerance.
CASES = [
    ("Picus moreau-midpoint", "picus", "moreau-midpoint"),
    ("Picus moreau-jean", "picus", "moreau-jean"),
    ("Siconos, NSGS to 1e-8", "siconos", {"solver": NSGS}),
    ("Siconos, NSN_AC to 1e-12", "siconos", {"solver": NEWTON}),
    ("Siconos, Bullet, NSGS to 1e-8", "siconos", {"solver": NSGS, "scene": "bullet"}),
]
WRONG = [("Siconos, scene not turned", "siconos", {"solver": NSGS, "turned": False}),
         ("Siconos, radii as named", "siconos", {"solver": NSGS, "radii_as_named": True})]
IDLE = ("Siconos, NSGS, two idle bodies", "siconos", {"solver": NSGS, "idle": 2})
SMALL = 2e-5  # s, of the reference
TIMED = [(1e-3, 3), (1e-4, 3), (1e-3, 4), (1e-4, 4)]  # dt and end, s

# t, centre, velocity, angular velocity (in the world) after each step; impulses Lambda_N of both contacts in it.
Motion = collections.namedtuple("Motion", "t x v w Lambda_N")


@contextlib.contextmanager
def silence():
    """Siconos speaks, from C++."""
    sys.stdout.flush()
    kept, quiet = [os.dup(1), os.dup(2)], os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    try:
        yield
    finally:
        os.close(quiet)
        for stream, old in zip((1, 2), kept):
            os.dup2(old, stream)
            os.close(old)


# ---- both -----------------------------------------------------------------------------------------------------------


def rows(x):
    """Normals of both contacts, and their rows N, t, o in (v, w), where the ball is at x."""
    normals, found = [], []
    for _, _, centre in FIXED:
        n = (x - centre) / np.linalg.norm(x - centre)
        t = np.array([1, 0, 0]) - n[0] * n
        t /= np.linalg.norm(t)
        normals.append(n)
        found.append([np.concatenate([d, np.cross(-RADIUS * n, d)]) for d in (n, t, np.cross(n, t))])
    return normals, np.array(found)


def gaps(motion):
    return np.array([np.linalg.norm(motion.x - c, axis=1) - R - RADIUS for _, R, c in FIXED]).T


def sliding(motion, k):
    """Speed of the ball's surface along fixed sphere k."""
    n = motion.x - FIXED[k][2]
    n = n / np.linalg.norm(n, axis=1)[:, None]
    u = motion.v + np.cross(motion.w, -RADIUS * n)
    return np.linalg.norm(u - np.sum(u * n, axis=1)[:, None] * n, axis=1)


def transitions(motion):
    """When the ball begins to slide (1 mm/s, after 0.5 s) on either sphere, and the last steps with a force."""
    times = []
    for k in range(2):
        moving = (motion.t > 0.5) & (sliding(motion, k) > 1e-3)
        times.append(motion.t[moving][0] if moving.any() else np.nan)
    for k in range(2):
        loaded = motion.Lambda_N[:, k] > 0
        times.append(motion.t[loaded][-1] if loaded.any() else np.nan)
    return times


def at(motion, t):
    k = int(np.argmin(np.abs(motion.t - t)))
    assert abs(motion.t[k] - t) < 1e-9
    return np.concatenate([motion.x[k], motion.v[k], motion.w[k]])


# ---- Picus ----------------------------------------------------------------------------------------------------------


def picus(program, method, dt, end, folder, every):
    command = [program, "run", "sphere-in-groove", "--set", "e_r=0", "--method", method, "--dt", repr(dt)]
    command += ["--end", repr(end), "--every", str(every), "--json", "--out", folder]
    summary = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert summary["certified_steps"] == summary["steps"], "Picus could not certify every step"
    return summary


def picus_motion(program, method, dt, end, every=1):
    """Motion and summary; with every = 1 also the worst distance from the laws, from the files alone."""
    with tempfile.TemporaryDirectory() as folder:
        summary = picus(program, method, dt, end, folder, every)
        states = np.loadtxt(os.path.join(folder, "states.csv"), delimiter=",", skiprows=1)
        with open(os.path.join(folder, "contacts.csv")) as file:
            names = file.readline().strip().split(",")
            lines = [dict(zip(names, line.strip().split(","))) for line in file]
    impulses = np.zeros((len(states), 2))
    for line in lines:
        step = round(float(line["t"]) / (dt * every))
        impulses[step, 0 if line["contact"] == "large/ball" else 1] = float(line["Lambda_N"])
    motion = Motion(states[:, 0], states[:, 1:4], states[:, 8:11], states[:, 11:14], impulses)
    worst = picus_error(motion, dt) if every == 1 else np.nan
    return motion, summary, worst


def picus_error(motion, dt):
    """The law of moreau-midpoint, recomputed: contacts at q_M, velocities of contacts that stay closed shifted as in
    docs/method.md, impulses from the change of the velocities and, for what these leave open, from Lambda_N."""
    worst, before = 0.0, [None, None]
    for k in range(1, len(motion.t)):
        u_A = np.concatenate([motion.v[k - 1], motion.w[k - 1]])
        u_E = np.concatenate([motion.v[k], motion.w[k]])
        closed = [c for c in range(2) if motion.Lambda_N[k, c] > 0]
        normals, H = rows(motion.x[k - 1] + 0.5 * dt * motion.v[k - 1])
        shifts = []
        for c in range(2):
            shift = np.zeros(3)
            if c in closed and before[c] is not None:
                gamma_N, slid = before[c]
                past = np.array([gamma_N, H[c, 1, :3] @ slid, H[c, 2, :3] @ slid])
                shift = 0.5 * (H[c] @ u_A - past)
            shifts.append(shift)
        if closed:
            J = np.concatenate([H[c] for c in closed])
            change = np.concatenate([FORCE, np.zeros(3)]) * dt
            target = np.linalg.solve(INVERSE_MASS, u_E - u_A) - change
            normal = np.eye(3 * len(closed))[::3]
            Lambda = np.linalg.lstsq(np.concatenate([J.T, normal]),
                                     np.concatenate([target, motion.Lambda_N[k, closed]]), rcond=None)[0]
            q = J @ (u_A + INVERSE_MASS @ change) + np.concatenate([shifts[c] for c in closed])
            worst = max(worst, error(J @ INVERSE_MASS @ J.T, q, np.full(len(closed), MU), Lambda))
        for c in range(2):
            before[c] = None
            if c in closed:
                slid = u_E[:3] + np.cross(u_E[3:], -RADIUS * normals[c])
                before[c] = (normals[c] @ slid, slid)
    return worst


# ---- Siconos --------------------------------------------------------------------------------------------------------


class TimedProblem(kernel.FrictionContact):
    """A one-step problem that notes its time and its solver's. C++ calls it, which costs a little each time."""

    whole = solver = 0.0

    def compute(self, t):
        start, info = time.perf_counter(), 0
        if self.preCompute(t):
            self.updateMu()
            if self.getSizeOutput() != 0:
                before = time.perf_counter()
                info = self.solve()
                self.solver += time.perf_counter() - before
                self.postCompute()
        self.whole += time.perf_counter() - start
        return info


class Siconos:
    """The scene. Spheres: three SphereNEDS, of which the fixed ones have a mass of 1e15 and no force, and relations in
    C++; bullet: one RigidBodyDS and two static spheres that Bullet finds contacts with."""

    def __init__(self, dt, end, solver=NSGS, scene="spheres", idle=0, turned=True, radii_as_named=False, timed=False):
        self.dt, self.steps = dt, round(end / dt)
        self.turn = [2, 0, 1] if turned else [0, 1, 2]
        self.back = np.argsort(self.turn)
        self.system = kernel.NonSmoothDynamicalSystem(0, (self.steps + 0.5) * dt)
        law = kernel.NewtonImpactFrictionNSL(0.0, 0.0, MU, 3)
        identity, self.kept = [1, 0, 0, 0], [law]
        place, inertia = [*START[self.turn], *identity], INERTIA * np.eye(3)
        if scene == "bullet":
            self.ball = collision.RigidBodyDS(place, [0] * 6, 1.0, inertia)
            self.ball.setContactors(self.shape(RADIUS))
        else:
            self.ball = bodies.SphereNEDS(RADIUS, 1.0, inertia, place, [0] * 6)
        self.ball.setFExtPtr(list(FORCE[self.turn]))
        self.ball.setNullifyMGyr(True)  # the inertia is the same about all axes
        self.system.insertDynamicalSystem(self.ball)
        self.contacts, finder = [], None
        if scene == "bullet":
            options = bullet.SiconosBulletOptions()
            options.worldScale = 1.0
            options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0
            finder = bullet.SiconosBulletCollisionManager(options)
            finder.insertNonSmoothLaw(law, 0, 0)
            for _, R, centre in FIXED:
                finder.insertStaticContactorSet(self.shape(R), [*centre[self.turn], *identity])
        else:
            for _, R, centre in FIXED:
                body = self.heavy(R, centre[self.turn])
                # Its contact point is (r1 c1 + r2 c2)/(r1 + r2): right for equal radii, and with the two exchanged.
                relation = bodies.SphereNEDSSphereNEDSR(*((RADIUS, R) if radii_as_named else (R, RADIUS)))
                contact = kernel.Interaction(law, relation)
                self.system.link(contact, self.ball, body)
                self.contacts.append(contact)
                self.kept.append(relation)
            for k in range(idle):
                self.heavy(1.0, [1000.0 * (k + 1), 0, 0])

        integrator = kernel.MoreauJeanOSI(0.5)
        integrator.setConstraintActivationThreshold(1e-12)  # that of Picus
        clock = kernel.TimeDiscretisation(0, dt)
        name, local, tolerance = solver
        self.problem = (TimedProblem if timed else kernel.FrictionContact)(3, name)
        self.options = self.problem.numericsSolverOptions()
        self.options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        self.options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 10000
        if local is not None:
            kernel.solver_options_update_internal(self.options, 0, local)
        self.stepping = kernel.TimeStepping(self.system, clock, integrator, self.problem)
        self.stepping.setNewtonOptions(kernel.SICONOS_TS_LINEAR)  # the forces are constant: one iteration is all
        if finder is not None:
            self.stepping.insertInteractionManager(finder)
        self.kept += [integrator, clock, finder]
        self.stepping.initialize()

    def shape(self, radius):
        sphere, group = collision.SiconosSphere(radius), collision.SiconosContactorSet()
        sphere.setInsideMargin(0)
        sphere.setOutsideMargin(0)
        group.append(collision.SiconosContactor(sphere))
        self.kept += [sphere, group]
        return group

    def heavy(self, radius, centre):
        body = bodies.SphereNEDS(radius, 1e15, 1e15 * np.eye(3), [*centre, 1, 0, 0, 0], [0] * 6)
        body.setNullifyMGyr(True)
        self.system.insertDynamicalSystem(body)
        self.kept.append(body)
        return body

    def state(self):
        """Centre, velocity and angular velocity, which Siconos has in the body's frame, in the axes of Picus."""
        q, u = np.array(self.ball.q()), np.array(self.ball.twist())
        a, b = q[3], q[4:]
        w = u[3:] + 2 * np.cross(b, np.cross(b, u[3:]) + a * u[3:])
        return np.concatenate([q[:3][self.back], u[:3][self.back], w[self.back]])

    def motion(self, checked=True):
        """All steps, one by one from Python; if checked, worst distance from the laws of the problem it solved,
        iterations a step, and how far the frames of closed contacts are from orthonormal."""
        states, impulses, worst, iterations, skew = [self.state()], [(0, 0)], 0.0, 0, 0.0
        for _ in range(self.steps):
            self.stepping.advanceToEvent()
            states.append(self.state())
            impulses.append([c.lambda_(1)[0] for c in self.contacts] or (np.nan, np.nan))
            size = self.problem.getSizeOutput()
            if checked and size > 0:
                iterations += self.options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]
                W, q = np.array(self.problem.M().defaultMatrix()), np.array(self.problem.q())
                z = np.array(self.problem.z())
                worst = max(worst, error(W[:size, :size], q[:size], np.full(size // 3, MU), z[:size]))
            for contact in self.contacts if checked else []:
                if contact.lambda_(1)[0] <= 0:
                    continue
                frame = np.array(contact.relation().jachqT())[:, :3]
                skew = max(skew, np.abs(frame @ frame.T - np.eye(3)).max())
            self.stepping.processEvents()
        states = np.array(states)
        motion = Motion(self.dt * np.arange(self.steps + 1), states[:, :3], states[:, 3:6], states[:, 6:],
                        np.array(impulses, dtype=float))
        return motion, worst, iterations / self.steps, skew

    def run(self):
        """Siconos' own loop, in C++. Wall and processor time, s."""
        before, start = processor(resource.RUSAGE_SELF), time.perf_counter()
        self.stepping.run()
        wall, used = time.perf_counter() - start, processor(resource.RUSAGE_SELF) - before
        assert abs(self.stepping.startingTime() - self.steps * self.dt) < 0.1 * self.dt
        return wall, used


# ---- tables ---------------------------------------------------------------------------------------------------------


def processor(who):
    """User and system time; the kernel is exact for their sum only."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def difference(a, b):
    d = np.abs(a - b)
    return " ".join(f"{d[3 * k : 3 * k + 3].max():7.1e}" for k in range(3))


def print_motions(program):
    reference, _, _ = picus_motion(program, "moreau-midpoint", SMALL, 4, every=5)
    print(f"Reference: Picus moreau-midpoint with dt = {SMALL:g} s; x, v, w")
    for t in (1, 2, 3, 4):
        numbers = at(reference, t)
        print(f"  t = {t} s: " + "  ".join(" ".join(f"{y:9.6f}" for y in numbers[k : k + 3]) for k in (0, 3, 6)))

    smaller, _, _ = picus_motion(program, "moreau-midpoint", SMALL / 2, 4, every=10)
    with silence():
        other, _, _, _ = Siconos(SMALL, 4, NEWTON).motion(checked=False)
    found = [("Picus moreau-midpoint", SMALL / 2, smaller, reference), ("Siconos, NSN_AC", SMALL, other, reference)]
    details = [("Picus moreau-midpoint", SMALL / 2, smaller, np.nan, "", np.nan),
               ("Picus moreau-midpoint", SMALL, reference, np.nan, "", np.nan),
               ("Siconos, NSN_AC", SMALL, other, np.nan, "", np.nan)]
    beside = []
    for dt in (1e-3, 1e-4):
        ours = None
        for name, kind, given in CASES + WRONG:
            if kind == "picus":
                motion, _, worst = picus_motion(program, given, dt, 4)
                iterations, skew = "", np.nan
                ours = ours or motion
            else:
                with silence():
                    motion, worst, iterations, skew = Siconos(dt, 4, **given).motion()
                iterations, skew = f"{iterations:.1f}", skew if skew > 0 else np.nan
                if (name, kind, given) not in WRONG:
                    beside.append((name, dt, motion, ours))
            details.append((name, dt, motion, worst, iterations, skew))
            found.append((name, dt, motion, reference))

    for what, table in (("the reference", found), ("Picus moreau-midpoint with the same dt", beside)):
        print(f"\nLargest differences of x, v, w from {what}")
        print(f"{'':32} {'dt, s':>6}  " + "   ".join(f"{f't = {t} s':^23}" for t in (1, 2, 3, 4)))
        for name, dt, motion, compared in table:
            cells = [difference(at(motion, t), at(compared, t)) for t in (1, 2, 3, 4)]
            print(f"{name:32} {dt:6.0e}  " + "   ".join(cells))

    print("\nOverlap at the ends of steps; distance from the law (cone_error.py) in the worst step; the solver's"
          "\niterations a step; frames of closed contacts, largest entry of F F' - 1; when sliding reaches 1 mm/s; last"
          "\nstep with a force")
    print(f"{'':32} {'dt, s':>6} {'overlap, m':>10} {'law':>8} {'iterations':>10} {'frames':>8} {'slides:':>8} {'':>8} "
          f"{'leaves:':>8}")
    print(f"{'':78} {'large':>8} {'small':>8} {'large':>8} {'small':>8}")
    for name, dt, motion, worst, iterations, skew in details:
        cells = [f"{t:8.4f}" if np.isfinite(t) else f"{'-':>8}" for t in transitions(motion)]
        law, frames = (f"{y:8.1e}" if np.isfinite(y) else f"{'-':>8}" for y in (worst, skew))
        print(f"{name:32} {dt:6.0e} {max(0, -gaps(motion).min()):10.1e} {law} {iterations or '-':>10} {frames} "
              + " ".join(cells))


def time_picus(program, method, dt, end, folder):
    """Wall time of the loop, and processor time of the process less that of a run of one step, s a step; mean of
    several runs where one is short."""
    runs = max(1, round(30000 * dt / end))
    wall, used = 0.0, 0.0
    for _ in range(runs):
        marks = [processor(resource.RUSAGE_CHILDREN)]
        for last in (dt, end):
            summary = picus(program, method, dt, last, folder, 10000000)
            marks.append(processor(resource.RUSAGE_CHILDREN))
        wall += 1e-9 * summary["ns_per_step"]
        used += ((marks[2] - marks[1]) - (marks[1] - marks[0])) / summary["steps"]
    return wall / runs, used / runs


def print_times(program, rounds):
    print(f"\n{rounds} rounds turn about, microseconds a step: median (least); ratios to the first row: their medians")
    print(f"{'':32} {'dt, s':>6} {'end, s':>6} {'steps':>6} {'wall':>16} {'processor':>16} {'ratio':>7} "
          f"{'processor':>9}")
    for dt, end in TIMED:
        cases = CASES + ([IDLE] if (dt, end) == (1e-4, 3) else [])
        times = {name: [] for name, _, _ in cases}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(rounds):
                for name, kind, given in cases:
                    if kind == "picus":
                        times[name].append(time_picus(program, given, dt, end, folder))
                    else:
                        with silence():
                            scene = Siconos(dt, end, **given)
                            times[name].append(tuple(s / scene.steps for s in scene.run()))
        first = np.array(times[cases[0][0]])
        for name, _, _ in cases:
            values = np.array(times[name])
            cells = [f"{1e6 * statistics.median(y):.2f} ({1e6 * min(y):.2f})" for y in values.T]
            ratios = [f"{statistics.median(y):.1f}" for y in (values / first).T]
            print(f"{name:32} {dt:6.0e} {end:6} {round(end / dt):6} {cells[0]:>16} {cells[1]:>16} {ratios[0]:>7} "
                  f"{ratios[1]:>9}")

    print("\nThe one-step problem of Siconos in runs of their own, through Python: microseconds a step, median")
    print(f"{'':32} {'dt, s':>6} {'whole step':>11} {'problem':>9} {'its solver':>11}")
    for dt in (1e-3, 1e-4):
        for name, _, given in (case for case in CASES if case[1] == "siconos"):
            values = []
            for _ in range(rounds):
                with silence():
                    scene = Siconos(dt, 3, timed=True, **given)
                    wall, _ = scene.run()
                values.append([1e6 * s / scene.steps for s in (wall, scene.problem.whole, scene.problem.solver)])
            whole, problem, solver = (statistics.median(y) for y in zip(*values))
            print(f"{name:32} {dt:6.0e} {whole:11.1f} {problem:9.1f} {solver:11.1f}")


def main(program, rounds=5):
    print_motions(program)
    print_times(program, int(rounds))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
