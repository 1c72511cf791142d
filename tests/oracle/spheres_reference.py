#!/usr/bin/python3
"""Event-driven reference for the sphere examples of Trinkle, Tzitzouris & Pang (SAND2001-0076, section 4): a uniform
ball (m = r = 1, J = 2/5) on fixed bodies, contacts without restitution, friction (c_t, c_o, c_r) within the ellipsoid
c_t^2 + c_o^2 + (c_r/e_r)^2 <= (mu c_n)^2 and of maximal dissipation against (v_t, v_o, v_r = n.omega). Phases of open,
slipping and sticking contacts are integrated as ordinary differential equations, events are roots. The second method is
the backward Euler scheme on position level with the exact ellipsoid, extrapolated in the step; the first phase of the
groove and the spheres on the plane also have closed forms. Shares nothing with Picus.
Contact frame: n from the fixed body to the ball, t along the projection of the x axis, o = n x t.

usage: spheres_reference.py [spin | slide | bowling | groove | groove-steps [h [levels]]]   all but the last by default
"""

import math
import sys

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, least_squares, minimize

J, GRAVITY = 0.4, 9.81
OPEN, SLIP, STICK = "open", "slip", "stick"
INVERSE_MASS = np.array([1, 1, 1, 1 / J, 1 / J, 1 / J])


class Scene:
    """Fixed bodies: (centre, radius) of a sphere, or None for the half-space z < 0."""

    def __init__(self, bodies, force, mu, e_r):
        self.bodies, self.force, self.mu, self.e_r = bodies, np.append(force, np.zeros(3)), mu, e_r
        self.scale = np.array([1, 1, e_r])

    def gap_normal(self, i, x):
        """Gap, normal and curvature of the ball centre's surface of contact."""
        if self.bodies[i] is None:
            return x[2] - 1, np.array([0.0, 0, 1]), 0.0
        d = x - self.bodies[i][0]
        length = math.sqrt(d @ d)
        return length - self.bodies[i][1] - 1, d / length, 1 / length

    def rows(self, i, x):
        """Rows n, t, o, r of the contact velocities in (v, omega); transposed, the columns of the contact forces."""
        n = self.gap_normal(i, x)[1]
        t = np.array([1 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2]])
        t /= math.sqrt(t @ t)
        o = cross(n, t)
        W = np.zeros((4, 6))
        W[0, :3], W[1, :3], W[2, :3] = n, t, o
        W[1, 3:], W[2, 3:], W[3, 3:] = -o, t, n  # -n x t and -n x o
        return W

    def contact_velocities(self, y):
        return [self.rows(i, y[:3]) @ y[3:] for i in range(len(self.bodies))]

    def slide(self, i, y):
        """Norm of (v_t, v_o, e_r v_r)."""
        return np.linalg.norm(self.scale * (self.rows(i, y[:3]) @ y[3:])[1:])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def accelerations(scene, y, mode):
    """(dv, d omega) and the contact forces (c_n, c_t, c_o, c_r) of each body for given modes of the contacts."""
    x, v, omega = y[:3], y[3:6], y[6:]
    demand, columns, bend, places = [], [], [], []
    for i, m in enumerate(mode):
        if m == OPEN:
            continue
        W = scene.rows(i, x)
        _, n, k = scene.gap_normal(i, x)
        turn = k * (v - n * (n @ v))  # dn/dt
        fall = np.append(turn @ v, 0 * n)
        if m == SLIP:
            u = scene.scale**2 * (W @ y[3:])[1:]
            share = -scene.mu * u / np.linalg.norm(u / scene.scale)
            demand.append(W[:1])
            columns.append((W[0] + share @ W[1:])[:, None])
            bend.append([fall[0]])
            places.append((i, np.append(1, share)))
        else:  # d/dt (v - omega x n) and d/dt (n.omega)
            drag = -cross(omega, turn)
            demand.append(W)
            columns.append(W.T)
            bend.append([fall[0], W[1, :3] @ drag, W[2, :3] @ drag, turn @ omega])
            places.append((i, None))
    forces = np.zeros((len(mode), 4))
    if not demand:
        return INVERSE_MASS * scene.force, forces
    D, F, free = np.vstack(demand), np.hstack(columns), INVERSE_MASS * scene.force
    c = np.linalg.solve(D @ (INVERSE_MASS[:, None] * F), -(D @ free + np.concatenate(bend)))
    k = 0
    for i, share in places:
        forces[i] = c[k:k + 4] if share is None else c[k] * share
        k += 4 if share is None else 1
    return free + INVERSE_MASS * (F @ c), forces


def reserve(scene, y, mode, i):
    """mu c_n less the friction used, for a sticking contact."""
    c = accelerations(scene, y, mode)[1][i]
    return scene.mu * c[0] - np.linalg.norm(c[1:] / scene.scale)


def phase(scene, t, y, mode, t_end, method="DOP853", stop=None, rtol=1e-12):
    """Integrate to the first event or t_end; returns the solution and the event's (kind, contact) or None."""
    def rate(_, y):
        return np.concatenate([y[3:6], accelerations(scene, y, mode)[0]])

    kinds, events = [], []

    def add(kind, i, f, direction=-1):
        f.terminal, f.direction = True, direction
        kinds.append((kind, i))
        events.append(f)

    for i, m in enumerate(mode):
        if m == OPEN:
            add("closes", i, lambda _, y, i=i: scene.gap_normal(i, y[:3])[0])
            continue
        add("opens", i, lambda _, y, i=i: accelerations(scene, y, mode)[1][i][0])
        if m == STICK:
            add("slips", i, lambda _, y, i=i: reserve(scene, y, mode, i))
        else:
            add("sticks", i, lambda _, y, i=i: scene.slide(i, y) - 1e-13)
    if stop:
        add("stop", None, stop, 1)
    s = solve_ivp(rate, (t, t_end), y, method=method, rtol=rtol, atol=1e-14, events=events, dense_output=True)
    hit = [(s.t_events[k][0], kinds[k]) for k in range(len(kinds)) if len(s.t_events[k])]
    return s, (min(hit)[1] if hit else None)


def spin_and_slide():
    mu, e_r, omega, v = 0.2, 0.4, 1.962, 2.0
    rate = mu * GRAVITY * e_r / J
    print("spin: omega_z = %g - %.10g t until t = %.10f, c_r = -%.10g; angle turned %.10f"
          % (omega, rate, omega / rate, mu * GRAVITY * e_r, omega**2 / rate / 2))
    t = 2 * v / (7 * mu * GRAVITY)
    print("slide: until t = %.12f, then v_x = omega_y = %.12f; x there %.12f, x(0.6) = %.12f, c_t before = %.6g"
          % (t, 5 * v / 7, v * t - mu * GRAVITY * t * t / 2, v * t - mu * GRAVITY * t * t / 2 + 5 * v / 7 * (0.6 - t),
             -mu * GRAVITY))


def bowling():
    """With slip u, spin w and d tau = mu g dt / |(u, e_r w)|: u = u0 exp(-7/2 tau), w = w0 exp(-5/2 e_r^2 tau)."""
    mu, e_r, q, v, omega = 0.01, 0.2, np.array([0, 0.5]), np.array([1, 0.2]), np.array([1, 0.5, 0.2])
    u, w, b = v + np.array([-omega[1], omega[0]]), omega[2], 2.5 * e_r**2
    far = 40.0  # slip e^-140: only spin is left

    def norm(tau):
        return math.hypot(np.linalg.norm(u) * math.exp(-3.5 * tau), e_r * w * math.exp(-b * tau))

    def integral(f, tau):
        return quad(f, 0, tau, epsabs=0, epsrel=1e-13, limit=500)[0] / (mu * GRAVITY)

    end = integral(norm, far) + e_r * w * math.exp(-b * far) / b / (mu * GRAVITY)
    print("bowling: slip and spin end together at t = %.12f, slip ~ spin^%.6g" % (end, 3.5 / b))
    for t in (1, 2, 3, 4, 5, 6, 7, 8, 10):
        tau = brentq(lambda s: integral(norm, s) - t, 0, far, xtol=1e-15) if t < end else 1e9
        shrink, spin = math.exp(-3.5 * tau), w * math.exp(-b * tau)
        speed = v - 2 / 7 * u * (1 - shrink)
        place = q + (v - 2 / 7 * u) * t + 2 / 7 * u * integral(lambda s: math.exp(-3.5 * s) * norm(s), min(tau, far))
        print("t %4g  x %.12f %.12f  v %.12f %.12f  omega %.12f %.12f %.12f  slip %.2e" % (
            t, *place, *speed, omega[0] + (speed - v)[1] / J, omega[1] - (speed - v)[0] / J, spin,
            shrink * np.linalg.norm(u)))
    scene = Scene([None], [0, 0, -GRAVITY], mu, e_r)
    y = np.array([*q, 1, *v, 0, *omega])
    s, _ = phase(scene, 0.0, y, [SLIP], 10, "LSODA", lambda _, y: 1e-7 - scene.slide(0, y))
    print("as an equation of motion: end %.12f, x and y at t = 2, 4, 6:" % (
        s.t[-1] + 1e-7 / (2.5 * mu * GRAVITY * e_r**2)), s.sol([2, 4, 6])[:2].T.ravel())


GROOVE = Scene([(np.zeros(3), 10.0), (np.array([0, 11.4, 0]), 9.0)], [1, 2.6, -9.81], 0.2, 0.3)
GROOVE_START = np.array([0, 6.62105263157895, 8.78417110772903])
TIMES = [0.5 * k for k in range(1, 9)]


def groove_start(quiet):
    """Both contacts sticking, spins included, leave no motion, and rest needs mu > 0.54. Contact 1 (R = 10) slips and
    spins from the start and contact 2 (R = 9) sticks: omega = n2 x v, one degree of freedom, forces unique."""
    first, n, along = 1e-9, GROOVE.gap_normal(1, GROOVE_START)[1], np.array([1.0, 0, 0])
    y = np.concatenate([GROOVE_START, first * along, first * cross(n, along)])
    a, c = accelerations(GROOVE, y, [SLIP, STICK])
    y[:3] += a[:3] * first**2 / 2
    y[3:] = a * first
    if not quiet:
        groove_rest()
        print("start: dv_x %.12f, contact 2 uses %.12f of its friction"
              % (a[0], np.linalg.norm(c[1, 1:] / GROOVE.scale) / (GROOVE.mu * c[1, 0])))
        show(first, y, [SLIP, STICK])
    return first, y


def groove_rest():
    """The least mu for rest, and the spread of solutions of the contact problem of the start from random guesses."""
    W = np.vstack([np.concatenate([[1], GROOVE.scale])[:, None] * GROOVE.rows(i, GROOVE_START) for i in (0, 1)])
    print("groove: rank of the 8 rows %d, without the rows of spin %d"
          % (np.linalg.matrix_rank(W), np.linalg.matrix_rank(W[[0, 1, 2, 4, 5, 6]])))
    limits = [{"type": "eq", "fun": lambda z: W.T @ z[:8] + GROOVE.force}]
    limits += [{"type": "ineq", "fun": lambda z, k=k: z[8] * z[k] - math.sqrt(1e-16 + z[k + 1:k + 4] @ z[k + 1:k + 4])}
               for k in (0, 4)]
    guess = np.append(np.linalg.lstsq(W.T, -GROOVE.force, rcond=None)[0], 2)
    least = minimize(lambda z: z[8], guess, constraints=limits, method="SLSQP", options={"maxiter": 999, "ftol": 1e-14})

    def residual(c, r=0.3):
        a, out = W @ (INVERSE_MASS * (W.T @ c + GROOVE.force)), np.zeros(8)
        for k in (0, 4):
            f, bound = c[k + 1:k + 4] - r * a[k + 1:k + 4], GROOVE.mu * max(c[k], 0)
            out[k] = c[k] - max(c[k] - r * a[k], 0)
            out[k + 1:k + 4] = c[k + 1:k + 4] - f * min(1, bound / np.linalg.norm(f))
        return out

    found, random = [], np.random.default_rng(1)
    for _ in range(50):
        fit = least_squares(residual, 5 * random.normal(size=8), xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if np.linalg.norm(fit.fun) < 1e-9:
            found.append(fit.x)
    print("rest needs mu = %.8f; start: %d solutions from 50 guesses differ by %.1e"
          % (least.x[8], len(found), np.ptp(found, axis=0).max()))


def show(t, y, mode):
    c = accelerations(GROOVE, y, mode)[1]
    print("t %.10f %s\n    x %.10f %.10f %.10f  v %.10f %.10f %.10f  omega %.10f %.10f %.10f"
          % (t, "/".join(mode), *y))
    for i in (0, 1):
        if mode[i] != OPEN:
            w = GROOVE.rows(i, y[:3]) @ y[3:]
            print("    contact %d: c_n %.10f c_t %.10f c_o %.10f c_r %.10f   v_t %.8f v_o %.8f v_r %.8f"
                  % (i + 1, *c[i], *w[1:]))


def groove(t_end=4.0, nudge=1e-10, rtol=1e-12, quiet=False):
    """Returns states and forces at TIMES and the times of the events."""
    t, y = groove_start(quiet)
    mode, fresh, out, events = [SLIP, STICK], None, [], []
    while t < t_end:
        if fresh is not None:  # slip grows from zero: stiff at first
            s, event = phase(GROOVE, t, y, mode, t_end, "Radau", lambda _, y: GROOVE.slide(fresh, y) - 1e-2, 10 * rtol)
        else:
            s, event = phase(GROOVE, t, y, mode, t_end, rtol=rtol)
        for k in TIMES:
            if s.t[0] < k <= s.t[-1]:
                out.append(np.append(s.sol(k), accelerations(GROOVE, s.sol(k), mode)[1]))
                quiet or show(k, s.sol(k), mode)
        t, y, fresh = s.t[-1], s.y[:, -1].copy(), None
        if event is None or event[0] == "stop":
            continue
        kind, i = event
        if not quiet:
            print("EVENT: contact %d %s" % (i + 1, kind))
            show(t, y, mode)
        events.append(t)
        if kind == "opens":
            mode[i] = OPEN
        elif kind == "slips":  # begins with a tiny slip against the friction, by the angular velocity alone
            c = accelerations(GROOVE, y, mode)[1][i]
            slip = -nudge * c[1:] / GROOVE.scale**2 / np.linalg.norm(c[1:] / GROOVE.scale)
            y[6:] += np.linalg.solve(GROOVE.rows(i, y[:3])[1:, 3:], slip)
            mode[i], fresh = SLIP, i
        else:  # neither comes up to t = 4
            raise NotImplementedError("contact %d %s at t = %g" % (i + 1, kind, t))
    return np.concatenate(out + [events])


def groove_table():
    best = groove()
    for other in (groove(nudge=1e-9, quiet=True), groove(nudge=1e-11, rtol=1e-11, quiet=True)):
        print("another nudge or tolerance changes the events by", other[-3:] - best[-3:],
              "states and forces by %.1e" % np.abs(other - best)[:-3].max())
    square, left, time = groove_seam()
    a = brentq(left, 0.1, 0.6, xtol=1e-15)
    print("closed form of the first phase: contact 2 slips at t = %.12f, angle %.12f, speed %.12f"
          % (time(a), a, math.sqrt(square(a))))
    for k in (1.0, 2.0, 2.5):
        a = brentq(lambda a: time(a) - k, 1e-6, 0.5, xtol=1e-15)
        print("    t = %g: x %.12f, speed %.12f" % (k, GROOVE_START[2] * math.sin(a), math.sqrt(square(a))))


def groove_compare(h=4e-3, levels=5):
    best, (steps, change) = groove(quiet=True), extrapolated(h, levels)
    print("backward Euler, steps %g to %g extrapolated, and its difference from the events' method (last change)"
          % (h, h / 2**(levels - 1)))
    for k, name in enumerate(("contact 2 slips", "contact 1 opens", "contact 2 opens")):
        print("%s: %.10f  %.1e (%.1e)" % (name, steps[k - 3], steps[k - 3] - best[k - 3], change[k - 3]))
    for k, t in enumerate(TIMES):
        part = slice(17 * k, 17 * (k + 1))
        print("t %g:" % t, steps[part])
        d, e = np.abs(steps - best)[part], change[part]
        print("    x %.1e (%.1e)  v %.1e (%.1e)  omega %.1e (%.1e)  forces %.1e (%.1e)" % tuple(
            m for r in (slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 17)) for m in (d[r].max(), e[r].max())))


def groove_seam():
    """The first phase in closed form. At the angle a along the seam (circle of radius rho about the y axis) contact 2
    sticks, so omega = n2 x v, contact 1 slips by (k, 0, s) v along (seam, across, spin) and c_n1 is linear in v^2:
    7/10 d(v^2)/da is linear with constant coefficients. Returns v(a), the reserve of contact 2 and the time t(a)."""
    rho = GROOVE_START[2]
    (a1, b1), (a2, b2) = (GROOVE_START[1] / 11, rho / 11), ((GROOVE_START[1] - 11.4) / 10, rho / 10)
    gx, gy, gz = GROOVE.force[:3]
    D, k, s = b1 * a2 - b2 * a1, 1 - a1 * a2 - b1 * b2, abs(a1 * b2 - a2 * b1)
    slide = math.hypot(k, GROOVE.e_r * s)
    loss = GROOVE.mu * slide

    # c_n1 = p v^2 + q(a), d(v^2)/da = lam v^2 + C cos + S sin + E
    p = -(1 + J) * a2 / rho / D
    lam = -rho / 0.7 * loss * p
    C = rho / 0.7 * (gx - loss * (-a2 * gz) / D)
    S = rho / 0.7 * (-gz - loss * (-a2 * gx) / D)
    E = -rho / 0.7 * loss * gy * b2 / D
    A, B = -(lam * C + S) / (1 + lam**2), (C - lam * S) / (1 + lam**2)  # A cos + B sin - E / lam is a solution

    def square(a):
        return (E / lam - A) * math.expm1(lam * a) - 2 * A * math.sin(a / 2)**2 + B * math.sin(a)

    def left(a):
        v2, radial, along = square(a), gx * math.sin(a) + gz * math.cos(a), gx * math.cos(a) - gz * math.sin(a)
        n1 = p * v2 + (-a2 * radial + gy * b2) / D
        across = -J * a2 * v2 / rho
        n2 = (-v2 / rho - radial + across * a2 - n1 * b1) / b2
        t1, r1 = -GROOVE.mu * n1 * k / slide, -GROOVE.mu * n1 * GROOVE.e_r**2 * s / slide
        t2 = (along - loss * n1) / 1.4 - along - t1
        r2 = -(r1 * (1 - k) + t1 * s)
        return GROOVE.mu * n2 - math.sqrt(t2**2 + across**2 + (r2 / GROOVE.e_r)**2)

    def time(a):  # a = z^2: v ~ z at the start
        slope = math.sqrt(C + E)

        def f(z):
            return 2 * rho / (math.sqrt(square(z * z)) / z if z > 1e-7 else slope)
        return quad(f, 0, math.sqrt(a), epsabs=0, epsrel=1e-12)[0]

    return square, left, time


def euler_step(scene, y, c, h):
    """Backward Euler with the contact conditions at the end of the step: gaps, velocities and frames there."""
    m = len(scene.bodies)
    x, w_old, w, r = y[:3], y[3:], y[3:].copy(), 0.3 / h
    S = np.concatenate([[1], scene.scale])
    for sweep in range(60):
        x_new = x + h * w[:3]
        W = [S[:, None] * scene.rows(i, x_new) for i in range(m)]
        A, R = np.zeros((6 + 4 * m, 6 + 4 * m)), np.zeros(6 + 4 * m)
        A[:6, :6] = np.eye(6)
        R[:6] = w - w_old - h * INVERSE_MASS * (scene.force + sum(W[i].T @ c[i] for i in range(m)))
        for i in range(m):
            k = 6 + 4 * i
            A[:6, k:k + 4] = -h * INVERSE_MASS[:, None] * W[i].T
            gap = scene.gap_normal(i, x_new)[0] / h
            if c[i][0] - r * gap > 0:
                A[k, :6], R[k] = W[i][0], gap
            else:
                A[k, k], R[k] = h, h * c[i][0]
            u = W[i][1:] @ w
            f = c[i][1:] - r * u
            size, bound = math.sqrt(f @ f), scene.mu * max(c[i][0], 0.0)
            if size <= bound:
                A[k + 1:k + 4, :6], R[k + 1:k + 4] = W[i][1:], u
            else:
                d = f / size
                P = bound / size * (np.eye(3) - np.outer(d, d))
                A[k + 1:k + 4, :6] = h * r * P @ W[i][1:]
                A[k + 1:k + 4, k + 1:k + 4] = h * (np.eye(3) - P)
                A[k + 1:k + 4, k] = -h * scene.mu * d
                R[k + 1:k + 4] = h * (c[i][1:] - bound * d)
        d = np.linalg.lstsq(A, -R, rcond=1e-13)[0] if sweep < 2 else np.linalg.solve(A, -R)  # both sticking: singular
        w, c = w + d[:6], c + d[6:].reshape(m, 4)
        if np.abs(d[:6]).max() < 1e-14 / h and np.abs(d[6:]).max() < 2e-14 / h**2:  # rounding of gap / h
            return np.concatenate([x + h * w[:3], w]), c
    raise ArithmeticError("no convergence, step %g: %s" % (np.abs(d).max(), y))


def groove_steps(h, t_end=4.0):
    """States and forces at TIMES, then the times of slip of contact 2, loss of 1 and loss of 2 (roots of cubics)."""
    y, c, out = np.concatenate([GROOVE_START, np.zeros(6)]), np.zeros((2, 4)), []
    c[:, 0] = 3, 9
    S, trace = np.concatenate([[1], GROOVE.scale]), []
    for k in range(1, round(t_end / h) + 1):
        y, c = euler_step(GROOVE, y, c, h)
        trace.append([k * h, GROOVE.mu * c[1, 0] - np.linalg.norm(c[1, 1:]), c[0, 0], c[1, 0]])
        if k % round(0.5 / h) == 0:
            out.append(np.concatenate([y, (c * S).ravel()]))
    trace = np.array(trace)
    events = []
    for j in (1, 2, 3):
        past = np.nonzero(trace[:, j] < (1e-7 if j == 1 else 1e-12))[0][0]
        fit = trace[past - 5:past - 1]
        cubic = np.polynomial.Polynomial.fit(fit[:, j], fit[:, 0], 3)
        events.append(cubic(0.0))
    return np.concatenate(out + [events])


def extrapolated(h, levels):
    """Richardson in powers of h with halved steps; also the last change."""
    rows = [groove_steps(h / 2**k) for k in range(levels)]
    table, last = rows, None
    for p in range(1, levels):
        last = table[-1]
        table = [(2**p * b - a) / (2**p - 1) for a, b in zip(table, table[1:])]
    return table[-1], np.abs(table[-1] - last)


if __name__ == "__main__":
    np.set_printoptions(precision=12, linewidth=140, suppress=True)
    what = sys.argv[1:2]
    if what in ([], ["spin"], ["slide"]):
        spin_and_slide()
    if what in ([], ["bowling"]):
        bowling()
    if what in ([], ["groove"]):
        groove_table()
    if what == ["groove-steps"]:
        groove_compare(*(f(a) for f, a in zip((float, int), sys.argv[2:])))
