#!/usr/bin/python3
"""Reference values for rigid-body examples with friction and impact after Stewart (SIAM Review 42, 2000): brick on a
ramp and stick-slip, Painleve's rod, single frictional impacts by the laws of Newton, Poisson and Stronge, three masses
with springs, balls on a table, Chatterjee's rod, bouncing ball and the rigid limit of Painleve's rod on a spring.
Closed forms, enumeration of contact states and event-driven integration (DOP853); no time stepping. Shares nothing
with Picus. Lines are "name = values   # how"; SI units, g = 9.81.

Single contact: Lambda = (Lambda_N, Lambda_T), gamma = (gamma_N, gamma_T) normal and tangential velocity (N opens),
gamma+ = gamma- + G Lambda. Rod: centre (x, y), angle theta of the rod above the horizontal (counter-clockwise), contact
end x_c = x - a cos(theta), y_c = y - a sin(theta), a = l/2.

usage: impact_reference.py [section ...]     sections 1 to 9, all by default
"""

import itertools
import math
import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import brentq, differential_evolution, linprog

GRAVITY = 9.81
TIGHT = dict(method="DOP853", rtol=1e-13, atol=1e-15)


def out(name, values, how=""):
    """Print one line; numbers with 15 significant digits, rounding errors below 4e-15 as 0."""
    text = " ".join(v if isinstance(v, str) else "%d" % v if isinstance(v, (int, np.integer, np.bool_))
                    else "%.15g" % (v if abs(v) > 4e-15 else 0.0) for v in np.atleast_1d(values))
    print("%s = %s%s" % (name, text, "   # " + how if how else ""))


def event(f, direction=0):
    f.terminal, f.direction = True, direction
    return f


# ------------------------------------------------------------------------------------------------ 1 brick, stick-slip

def brick():
    """m v' = m g (sin - mu cos sgn v); at rest if tan(theta) <= mu."""
    theta, mu, v = math.radians(20), 0.5, 2.0
    a = GRAVITY * (mu * math.cos(theta) - math.sin(theta))
    out("brick.20deg.stop_time", v / a, "v / (g (mu cos - sin)), mu 0.5, v(0) = 2 down the ramp")
    out("brick.20deg.stop_distance", v * v / (2 * a), "v^2 / (2 g (mu cos - sin)); stays there")
    for deg in (30, 35, 45):
        a = GRAVITY * (math.sin(math.radians(deg)) - mu * math.cos(math.radians(deg)))
        out("brick.%ddeg.speed_at_1" % deg, [2 + a, a], "mu 0.5, from v(0) = 2 and from rest; v(0) + g (sin - mu cos)")


def stick_slip(m=1.0, k=100.0, v0=0.05, mu_s=0.5, mu_d=0.3):
    """Block on a level plane, spring end at v0 t, stretch s = v0 t - x. Slip: m s'' + k s = mu_d m g from s = mu_s m
    g / k, s' = v0: s = s_d + A cos + (v0/w) sin, A = (mu_s - mu_d) m g / k. It ends with x' = 0, i.e. s' = v0, at w t
    = 2 pi - 2 atan(A w / v0), s = s_d - A. Then stick for 2 A / v0. Largest speed v0 + sqrt(v0^2 + (A w)^2)."""
    w, top, mean = math.sqrt(k / m), mu_s * m * GRAVITY / k, mu_d * m * GRAVITY / k
    A = top - mean
    slip, stick = (2 * math.pi - 2 * math.atan(A * w / v0)) / w, 2 * A / v0
    how = "closed form; m 1, k 100, v0 0.05, mu_s 0.5, mu_d 0.3"
    out("stickslip.two.period", slip + stick, how)
    out("stickslip.two.slip_time", slip, "(2 pi - 2 atan(A w / v0)) / w, A = (mu_s - mu_d) m g / k")
    out("stickslip.two.stick_time", stick, "2 A / v0")
    out("stickslip.two.largest_speed", v0 + math.hypot(v0, A * w), "v0 + sqrt(v0^2 + (A w)^2)")
    out("stickslip.two.stretch", [top, mean - A],
        "at the start and at the end of slip: mu_s m g/k, (2 mu_d - mu_s) m g/k")
    out("stickslip.two.slip_distance", 2 * A + v0 * slip, "of the block in one slip")
    out("stickslip.two.first_slip_at", top / v0, "starting unstretched at rest: mu_s m g / (k v0)")

    mu_0, mu_inf, v_s = 0.5, 0.3, 0.02

    def rate(_, y):  # stretch, speed of the block
        mu = mu_inf + (mu_0 - mu_inf) * math.exp(-abs(y[1]) / v_s)
        return [v0 - y[1], k * y[0] / m - mu * GRAVITY]

    peak = event(lambda t, y: rate(t, y)[1], -1)
    peak.terminal = False
    s = solve_ivp(rate, (0, 10), [mu_0 * m * GRAVITY / k, 0.0], events=[event(lambda t, y: y[1], -1), peak],
                  max_step=1e-2, **TIGHT)
    end, t_slip = s.y_events[0][0], s.t_events[0][0]
    stick = (mu_0 * m * GRAVITY / k - end[0]) / v0
    how = "DOP853 rtol 1e-13 from the end of stick; mu(v) = 0.3 + 0.2 exp(-|v|/0.02); every cycle the same"
    out("stickslip.smooth.period", t_slip + stick, how)
    out("stickslip.smooth.slip_time", t_slip)
    out("stickslip.smooth.largest_speed", s.y_events[1][:, 1].max())
    out("stickslip.smooth.stretch", [mu_0 * m * GRAVITY / k, end[0]], "at the start and at the end of slip")
    out("stickslip.smooth.zeros_of_acceleration", len(s.t_events[1]))

    slope = -(mu_0 - mu_inf) / v_s * math.exp(-v0 / v_s)
    out("steady.critical_damping_constant", -m * GRAVITY * slope,
        "c* = m g (mu - mu_inf)/v_s exp(-v0/v_s): stable above")
    for c in (0.0, 5.0, 10.0):
        lam = np.roots([m, c + m * GRAVITY * slope, k])
        out("steady.c%g.eigenvalue" % c, [lam[0].real, abs(lam[0].imag)],
            "m l^2 + (c + m g mu'(v0)) l + k = 0; growth rate -(c + m g mu'(v0))/(2 m) and frequency")


# ------------------------------------------------------------------------------------------------ single impacts

def newton(G, g, mu, eps):
    """All (Lambda, gamma+) with gamma_N+ = -eps gamma_N-, Lambda_N > 0, -Lambda_T in mu Lambda_N Sgn(gamma_T+), for
    gamma_N- < 0. With gamma_N+ given, gamma_T+ grows with Lambda_T at the rate det G / G_NN > 0, and the Lambda_T of
    the friction cone are an interval or, if G_NN < mu |G_NT|, a half-line: one solution always."""
    found = []
    target = -(1 + eps) * g[0]
    stick = np.linalg.solve(G, [target, -g[1]])
    if abs(stick[1]) <= mu * stick[0]:
        found.append((stick, np.array([-eps * g[0], 0.0]), "stick"))
    for s in (1, -1):
        rate = G[0, 0] - s * mu * G[0, 1]
        if rate * target > 0:
            n = target / rate
            slide = g[1] + (G[0, 1] - s * mu * G[1, 1]) * n
            if s * slide > 0:
                found.append((np.array([n, -s * mu * n]), np.array([-eps * g[0], slide]), "slip%+d" % s))
    return found


def poisson(G, g, mu, eps):
    """Compression: the inelastic problem (newton with eps = 0). Expansion: Lambda_N = eps Lambda_Nc, friction at the
    end velocity of the expansion; gamma_T+ grows with Lambda_T at the rate G_TT: one solution."""
    c, v, kind = newton(G, g, mu, 0.0)[0]
    n = eps * c[0]
    slide = v[1] + G[0, 1] * n
    t = min(max(-slide / G[1, 1], -mu * n), mu * n)
    e = np.array([n, t])
    return c + e, g + G @ (c + e), kind + "/" + ("stick" if abs(t) < mu * n else "slip%+d" % -np.sign(t) if n else "-")


def stronge(G, g, mu, eps):
    """Routh's process: d gamma = G (1, tau) dLambda_N with tau = -mu sgn(gamma_T), or -G_NT/G_TT (stick) if that is
    within +-mu, else slip in the direction of G_NT. Compression ends at gamma_N = 0 with the work W = int gamma_N
    dLambda_N < 0, expansion at the work -eps^2 W. Piecewise linear in Lambda_N, work quadratic: exact."""
    p, v, work, path = np.zeros(2), np.array(g, float), 0.0, []
    limit = None
    while True:
        s = np.sign(v[1])
        tau = -mu * s
        if s == 0:
            tau = -G[0, 1] / G[1, 1]
            if abs(tau) > mu:
                tau = -mu * np.sign(G[0, 1])
                s = np.sign(G[0, 1])
        rate = G @ [1.0, tau]
        if s == 0:
            rate[1] = 0.0
        path.append("%s%s" % ("e:" if limit is not None else "c:", "stick" if s == 0 else "slip%+d" % s))
        halt = -v[1] / rate[1] if v[1] * rate[1] < 0 else math.inf
        if limit is None:
            stop = -v[0] / rate[0] if rate[0] > 0 else math.inf
        else:  # v0 n + rate n^2 / 2 = limit - work
            rest = limit - work
            root = v[0] ** 2 + 2 * rate[0] * rest
            stop = 2 * rest / (v[0] + math.sqrt(root)) if root >= 0 and rest > 0 else 0.0 if rest <= 0 else math.inf
        n = min(halt, stop)
        if not math.isfinite(n):
            raise ArithmeticError("no end")
        work += v[0] * n + rate[0] * n * n / 2
        p += n * np.array([1.0, tau])
        v = v + n * rate
        if halt <= stop:
            v[1] = 0.0
        if stop <= halt:
            if limit is not None:
                return p, v, ">".join(path)
            v[0] = 0.0
            limit, work = eps ** 2 * -work, 0.0
            if limit == 0:
                return p, v, ">".join(path)


def energy(g, p, v):
    """Change of the kinetic energy: Lambda (gamma- + gamma+) / 2."""
    return p @ (np.asarray(g) + v) / 2


LAWS = (("newton", lambda *a: newton(*a)[0]), ("poisson", poisson), ("stronge", stronge))


def rod_G(theta, m, J, a):
    s, c = math.sin(theta), math.cos(theta)
    return np.array([[1 / m + a * a * c * c / J, -a * a * s * c / J], [-a * a * s * c / J, 1 / m + a * a * s * s / J]])


def rod_rows(theta, a):
    """Rows of gamma_N, gamma_T in (xdot, ydot, thetadot)."""
    return np.array([[0, 1, -a * math.cos(theta)], [1, 0, a * math.sin(theta)]])


# ------------------------------------------------------------------------------------------------ 2 Painleve's rod

TAN2 = math.atan(2.0)
MASS, INERTIA, HALF, MU = 1.0, 1.0 / 3, 1.0, 2.0


def rod_free(theta, omega):
    """Accelerations of the contact end without contact forces: (y_c'', x_c'') = (a sin w^2 - g, a cos w^2)."""
    return np.array([HALF * math.sin(theta) * omega ** 2 - GRAVITY, HALF * math.cos(theta) * omega ** 2])


def rod_modes(theta, omega, slide, mu):
    """All consistent (mode, N, T, y_c'') of the closed contact with gamma_N = 0 and tangential velocity `slide`."""
    G, b, found = rod_G(theta, MASS, INERTIA, HALF), rod_free(theta, omega), []
    if b[0] >= 0:
        found.append(("open", 0.0, 0.0, b[0]))
    for s in (1, -1):
        rate = G[0, 0] - s * mu * G[0, 1]
        n = -b[0] / rate
        if n > 0 and (s * slide > 0 or slide == 0 and s * (b[1] + (G[0, 1] - s * mu * G[1, 1]) * n) > 0):
            found.append(("slip%+d" % s, n, -s * mu * n, 0.0))
    if slide == 0:
        n, t = np.linalg.solve(G, -b)
        if n > 0 and abs(t) <= mu * n:
            found.append(("stick", n, t, 0.0))
    return found


def show_modes(name, theta, omega, slide):
    modes = rod_modes(theta, omega, slide, MU)
    out(name + ".count", len(modes), "contact modes consistent with the accelerations")
    for mode, n, t, rise in modes:
        acc = [t / MASS, n / MASS - GRAVITY, HALF * (t * math.sin(theta) - n * math.cos(theta)) / INERTIA]
        out("%s.%s" % (name, mode), [n, t, rise] + acc, "N, T, y_c'', then x'', y'', theta''")


def painleve_rod():
    theta, G = TAN2, rod_G(TAN2, MASS, INERTIA, HALF)
    W = rod_rows(theta, HALF)
    inverse = np.array([1 / MASS, 1 / MASS, 1 / INERTIA])
    out("painleve.theta", theta, "atan 2")
    out("painleve.G", [G[0, 0], G[0, 1], G[1, 1]],
        "NN, NT, TT: 1/m + a^2 cos^2/J, -a^2 sin cos/J, 1/m + a^2 sin^2/J = 8/5, "
        "-6/5, 17/5")
    out("painleve.coefficient_of_N", G[0, 0] + MU * G[0, 1],
        "1/m - a^2/J cos (mu sin - cos) = -4/5: y_c'' = -0.8 N - g")
    out("painleve.critical_mu", G[0, 0] / -G[0, 1],
        "(J/(m a^2) + cos^2)/(sin cos) at tan = 2; for J = m a^2/3 this is (4 + "
        "tan^2)/(3 tan), least at tan = 2: 4/3")
    g = np.array([0.0, -1.0])
    u0 = np.array([-1.0, 0.0, 0.0])
    p = np.linalg.solve(G, -g)
    u = u0 + inverse * (W.T @ p)
    out("painleve.jam.impulse", p,
        "Lambda_N = -G_NT/det, Lambda_T = G_NN/det: 3/10, 2/5; the contact end at rest after")
    out("painleve.jam.ratio", [p[1] / p[0], MU],
        "Lambda_T/Lambda_N = G_NN/|G_NT| = 4/3 <= mu: inside, by the critical mu")
    out("painleve.jam.velocity", u, "xdot, ydot, thetadot: -3/5, 3/10, 3 (0.4 sin - 0.3 cos) = 3/2/sqrt 5")
    out("painleve.jam.energy_change", energy(g, p, np.zeros(2)), "-gamma G^-1 gamma / 2 = -1/5 of 1/2")
    out("painleve.jam.solutions_at_gamma_N_0", 2, "Lambda = 0 solves the impulse law too if gamma_N- = 0 exactly; with "
        "gamma_N- < 0 however small the jam alone")
    show_modes("painleve.start.modes", theta, 0.0, -1.0)
    show_modes("painleve.after_jam.modes", theta, u[2], 0.0)
    follow("painleve.after_jam", 0.0, np.concatenate([[math.cos(theta), math.sin(theta), theta], u]), "stick")
    for eps in (0.5, 1.0):
        for name, law in LAWS[1:]:
            tiny = np.array([-1e-300, -1.0])
            p, v, path = law(G, tiny, MU, eps)
            u = u0 + inverse * (W.T @ p)
            tag = "painleve.%s.eps%g" % (name, eps)
            out(tag + ".impulse", p, {"poisson": "jam, then Lambda_N = eps 0.3 with stick",
                                      "stronge": "Routh's process " + path}[name])
            out(tag + ".contact_velocity", v, {"poisson": "gamma_N = eps 0.3 det/G_TT = eps 6/17",
                                               "stronge": "gamma_N = eps sqrt(0.6/14 20/17)"}[name])
            out(tag + ".velocity", u, "xdot, ydot, thetadot")
            out(tag + ".energy_change", energy(g, p, v))
    out("painleve.stronge.slip_ends", [5.0 / 28, -1.0 / 7],
        "Lambda_N and gamma_N where slip stops; compression ends at 0.3, "
        "its work -3/140")

    omega = -6.0
    limit = math.sqrt(GRAVITY / (HALF * math.sin(theta)))
    u0 = np.array([-1 - HALF * math.sin(theta) * omega, HALF * math.cos(theta) * omega, omega])
    out("nonunique.limit", limit, "|thetadot| > sqrt(2 g/(l sin theta)); the paper has cos")
    out("nonunique.limit_as_printed", [math.sqrt(2 * GRAVITY / (2 * HALF * math.cos(theta)))],
        "sqrt(2 g/(l cos theta)), wrong")
    out("nonunique.start", u0, "xdot, ydot, thetadot = -6; contact end (-1, 0)")
    show_modes("nonunique.modes", theta, omega, -1.0)
    p = np.linalg.solve(G, -g)
    u = u0 + inverse * (W.T @ p)
    out("nonunique.jam.impulse", p, "the third solution")
    out("nonunique.jam.velocity", u, "xdot, ydot, thetadot after it")
    out("nonunique.jam.energy_change", energy(g, p, np.zeros(2)))
    show_modes("nonunique.after_jam.modes", theta, u[2], 0.0)


# ------------------------------------------------------------------------------------------------ 3 Painleve's drop

def rod_force(mode, theta, omega, mu):
    """N and T of the contact end for a mode."""
    G, b = rod_G(theta, MASS, INERTIA, HALF), rod_free(theta, omega)
    if mode == "open":
        return 0.0, 0.0
    if mode == "stick":
        return np.linalg.solve(G, -b)
    s = 1 if mode == "slip+1" else -1
    n = -b[0] / (G[0, 0] - s * mu * G[0, 1])
    return n, -s * mu * n


def rod_rate(y, n, t):
    """State x, y, theta, xdot, ydot, thetadot."""
    return [y[3], y[4], y[5], t / MASS, n / MASS - GRAVITY,
            HALF * (t * math.sin(y[2]) - n * math.cos(y[2])) / INERTIA]


def follow(tag, t, y, mode, number=0):
    """Phases of one rod end on the table (stick, slip, open) until the other end or, after a flight, this one hits."""
    for _ in range(20):
        def rate(_, y):
            return rod_rate(y, *rod_force(mode, y[2], y[5], MU))

        def slide(_, y):
            return y[3] + HALF * math.sin(y[2]) * y[5]

        events, kinds = [event(lambda _, y: y[1] + HALF * math.sin(y[2]), -1)], ["other end hits"]
        if mode == "open":
            events.append(event(lambda _, y: y[1] - HALF * math.sin(y[2]) + 1e-14, -1))
            kinds.append("this end hits")
        else:
            events.append(event(lambda _, y: rod_force(mode, y[2], y[5], MU)[0], -1))
            kinds.append("leaves")
        if mode == "stick":
            for s in (1, -1):
                events.append(event(lambda _, y, s=s: MU * rod_force(mode, y[2], y[5], MU)[0]
                                    + s * rod_force(mode, y[2], y[5], MU)[1], -1))
                kinds.append("slips%+d" % s)
        elif mode != "open":
            events.append(event(slide, -int(mode[4:])))
            kinds.append("sticks")
        s = solve_ivp(rate, (t, t + 5), y, events=events, max_step=0.02, **TIGHT)
        hits = [(s.t_events[i][0], kinds[i]) for i in range(len(kinds)) if len(s.t_events[i])]
        t, kind = min(hits)
        y = s.y[:, -1]
        number += 1
        out("%s.event%d.time" % (tag, number), t, "after %s the contact: %s" % (mode, kind))
        out("%s.event%d.state" % (tag, number), y, "x, y, theta, xdot, ydot, thetadot")
        if kind.endswith("hits"):
            end = 1 if kind.startswith("other") else -1
            V = rod_rows(y[2], -end * HALF)
            out("%s.event%d.hitting_velocity" % (tag, number), V @ y[3:], "gamma_N, gamma_T of the hitting end")
            break
        if kind == "leaves":
            mode = "open"
        elif kind.startswith("slips"):
            mode = "slip" + kind[5:]
            n, f = rod_force(mode, y[2], y[5], MU)
            out("%s.event%d.slip_force" % (tag, number), [n, f], "N, T after; the stick force just before is the same")
        else:
            modes = rod_modes(y[2], y[5], 0.0, MU)
            mode = modes[0][0]
            out("%s.event%d.modes" % (tag, number), [m[0] for m in modes])


def drop():
    """Free fall y = 2 - g t^2/2, theta = 1.1 + 2 t to y = a |sin theta|; inelastic impact; then the rod turns about
    the contact end until that slips, leaves or the other end arrives."""
    t1 = brentq(lambda t: 2 - GRAVITY * t * t / 2 - HALF * abs(math.sin(1.1 + 2 * t)), 0.1, 0.7, xtol=1e-16)
    early = min(2 - GRAVITY * t * t / 2 - abs(math.sin(1.1 + 2 * t)) for t in np.linspace(0, t1 - 1e-6, 10001))
    theta = 1.1 + 2 * t1
    y = np.array([0, 2 - GRAVITY * t1 * t1 / 2, theta, 0, -GRAVITY * t1, 2.0])
    W, G = rod_rows(theta, HALF), rod_G(theta, MASS, INERTIA, HALF)
    g = W @ y[3:]
    out("drop.impact1.time", t1, "y = a sin(theta), brentq; the gap before is positive (least %.1e)" % early)
    out("drop.impact1.end", [-1, -HALF * math.cos(theta)],
        "-1: the end x - a cos(theta), lower at the start; now so far to "
        "the right of the centre")
    out("drop.impact1.state_before", y, "x, y, theta, xdot, ydot, thetadot")
    out("drop.impact1.contact_velocity_before", g, "gamma_N, gamma_T")
    out("drop.impact1.G", [G[0, 0], G[0, 1], G[1, 1]])
    out("drop.impact1.slip_coefficient", G[0, 0] - MU * G[0, 1],
        "G_NN - mu G_NT for slip to the right: jam if negative")
    found = newton(G, g, MU, 0.0)
    p, v, kind = found[0]
    out("drop.impact1.solutions", len(found), "of the implicit law; unique (see newton); kind " + kind)
    out("drop.impact1.impulse", p, "Lambda_N, Lambda_T; ratio %.15g" % (p[1] / p[0]))
    y[3:] += [p[1] / MASS, p[0] / MASS, HALF * (p[1] * math.sin(theta) - p[0] * math.cos(theta)) / INERTIA]
    out("drop.impact1.velocity_after", y[3:], "xdot, ydot, thetadot; contact end (%.1e, %.1e)" % tuple(W @ y[3:]))
    out("drop.impact1.energy_change", energy(g, p, v))
    q, w, path = stronge(G, g, MU, 0.0)
    out("drop.impact1.routh", q, "impulse by Routh's process with eps = 0: " + path)
    show_modes("drop.after1.modes", theta, y[5], 0.0)
    follow("drop", t1, y, rod_modes(theta, y[5], 0.0, MU)[0][0], 1)


# ------------------------------------------------------------------------------------------------ 4 impact table

CASES = (  # name, G_NN, G_NT, G_TT, gamma_N, gamma_T, mu, eps
    ("slip", 1.6, -1.2, 3.4, -1.0, 4.0, 0.3, 0.5),
    ("slip-inelastic", 1.6, -1.2, 3.4, -1.0, 4.0, 0.3, 0.0),
    ("stick-in-compression", 1.6, -1.2, 3.4, -1.0, 0.5, 0.8, 0.5),
    ("stick-in-expansion", 2.0, -0.5, 2.0, -1.0, 1.0, 0.5, 1.0),
    ("stick-at-start", 1.6, 1.2, 3.4, -1.0, 0.0, 0.5, 0.5),
    ("reversal-in-compression", 1.6, -1.2, 3.4, -1.0, 0.2, 0.2, 0.5),
    ("reversal-in-expansion", 1.6, -1.2, 3.4, -1.0, 1.6, 0.2, 1.0),
    ("reversal-inelastic", 1.6, -1.2, 3.4, -1.0, 0.2, 0.2, 0.0),
    ("jam", 1.6, -1.2, 3.4, -0.5, -1.0, 2.0, 0.5),
    ("jam-elastic", 1.6, -1.2, 3.4, -0.5, -1.0, 2.0, 1.0),
    ("jam-inelastic", 1.6, 1.2, 3.4, -0.5, 1.0, 2.0, 0.0),
    ("jam-close-to-singular", 2.0, 1.9, 2.0, -1.0, 0.5, 1.2, 0.5),
    ("sphere", 1.0, 0.0, 3.5, -1.0, -2.0, 0.2, 0.9),
    ("newton-gains", 1.6, -1.2, 3.4, -1.0, 0.9, 0.2, 1.0),
)


def show_impact(tag, G, g, mu, eps, before=None):
    for name, law in LAWS:
        p, v, path = law(G, g, mu, eps)
        d = energy(g, p, v)
        out("%s.%s" % (tag, name), [p[0], p[1], v[0], v[1], d],
            "Lambda_N, Lambda_T, gamma_N+, gamma_T+, energy change; %s%s"
            % (path, "" if before is None else "; %+.6f of the energy" % (d / before)))


def gain_newton(rho, slide, mu, eps):
    """Relative gain for G = (1, rho; rho, 1), gamma_N- = -1, gamma_T- = slide; vectorised. Every planar impact has
    this form: scale the tangent by sqrt(G_NN/G_TT), mu by its inverse."""
    target = 1 + eps
    det = 1 - rho * rho
    n, t = (target + rho * slide) / det, (-slide - rho * target) / det
    for s in (1, -1):
        rate = 1 - s * mu * rho
        with np.errstate(divide="ignore", invalid="ignore"):
            m = target / rate
        ok = (rate > 0) & (s * (slide + (rho - s * mu) * m) > 0)
        n, t = np.where(ok, m, n), np.where(ok, -s * mu * m, t)
    v = slide + rho * n + t
    d = (n * (-1 + eps) + t * (slide + v)) / 2
    before = (1 + slide * slide + 2 * rho * slide) / (2 * det)  # g G^-1 g / 2 with g = (-1, slide)
    return d / before, n, t


def gain_poisson(rho, slide, mu, eps):
    """The same with Poisson's two phases."""
    _, nc, tc = gain_newton(rho, slide, mu, np.zeros_like(eps))
    vc = slide + rho * nc + tc
    n = eps * nc
    t = np.clip(-(vc + rho * n), -mu * n, mu * n)
    n, t = nc + n, tc + t
    d = (n * (-1 + (-1 + n + rho * t)) + t * (slide + slide + rho * n + t)) / 2
    before = (1 + slide * slide + 2 * rho * slide) / (2 * (1 - rho * rho))
    return d / before


def impacts():
    for name, a, b, c, gn, gt, mu, eps in CASES:
        tag = "impact." + name
        G, g = np.array([[a, b], [b, c]]), np.array([gn, gt])
        out(tag + ".data", [a, b, c, gn, gt, mu, eps],
            "G_NN, G_NT, G_TT, gamma_N-, gamma_T-, mu, eps; G_NN - mu|G_NT| = %g"
            % (a - mu * abs(b)))
        assert len(newton(G, g, mu, eps)) == 1
        show_impact(tag, G, g, mu, eps, g @ np.linalg.solve(G, g) / 2)


def search_rod():
    """Rod l = m = 1, J = 1/12, that hits with one end: the largest relative gain by Newton's law, mu and eps <= 1.
    The free velocity component takes no part in the impact; it has zero momentum, u = M^-1 W^T G^-1 gamma. The search
    finds stick with eps = 1; then gain = rho^2/(1 - rho^2), rho = G_NT/sqrt(G_NN G_TT), at no tangential momentum,
    for every mu that lets it stick; rho = 3 sin cos/sqrt(...) is largest at 45 degrees: 0.6, gain 9/16."""
    def gain(z):
        G, g = rod_G(z[0], 1.0, 1 / 12, 0.5), np.array([-1.0, z[1]])
        p, v, _ = newton(G, g, z[2], z[3])[0]
        return -energy(g, p, v) / (g @ np.linalg.solve(G, g) / 2)

    bounds = [(0.02, math.pi / 2), (-6, 6), (0.01, 1), (0, 1)]
    best = differential_evolution(gain, bounds, seed=1, popsize=20, tol=1e-12, maxiter=200)
    out("rodgain.search", np.append(best.x, -best.fun),
        "theta, gamma_T-, mu, eps, gain: differential evolution, gamma_N- = -1")
    for tag, z in (("rodgain.exact", np.array([math.pi / 4, 0.6, 0.5, 1.0])),
                   ("rodgain.half", np.array([math.pi / 4, 0.6, 0.5, 0.5]))):
        G, g = rod_G(z[0], 1.0, 1 / 12, 0.5), np.array([-1.0, z[1]])
        u = np.array([1, 1, 12]) * (rod_rows(z[0], 0.5).T @ np.linalg.solve(G, g))
        before = g @ np.linalg.solve(G, g) / 2
        out(tag + ".data", z, "theta, gamma_T-, mu, eps with gamma_N- = -1; rod l = m = 1, J = 1/12")
        out(tag + ".velocity", u, "xdot, ydot, thetadot before: 0, -2/5, 6 sqrt(2)/5; kinetic energy %.15g" % before)
        out(tag + ".relative_gain", -gain(z), "of Newton's law; stick needs mu >= %.6g"
            % abs(np.divide(*newton(G, g, z[2], z[3])[0][0][::-1])))
        show_impact(tag, G, g, z[2], z[3], before)
        for name, law in LAWS:
            p = law(G, g, z[2], z[3])[0]
            out("%s.%s.velocity" % (tag, name), u + np.array([1, 1, 12]) * (rod_rows(z[0], 0.5).T @ p),
                "xdot, ydot, thetadot after")


def pendulum(a1, a2, w1, w2):
    """Two uniform rods, l = m = 1, angles from the vertical, tip x = sin a1 + sin a2, height h - cos a1 - cos a2."""
    M = np.array([[4 / 3, math.cos(a1 - a2) / 2], [math.cos(a1 - a2) / 2, 1 / 3]])
    W = np.array([[math.sin(a1), math.sin(a2)], [math.cos(a1), math.cos(a2)]])
    return M, W, W @ np.linalg.solve(M, W.T), W @ [w1, w2]


def show_pendulum(tag, a1, a2, w1, w2, mu, eps):
    M, W, G, g = pendulum(a1, a2, w1, w2)
    w = np.array([w1, w2])
    before = w @ M @ w / 2
    out(tag + ".data", [a1, a2, w1, w2, mu, eps], "angles from the vertical (rad), angular velocities, mu, eps")
    out(tag + ".hinge_height", math.cos(a1) + math.cos(a2))
    out(tag + ".contact", [g[0], g[1], before], "gamma_N-, gamma_T-, kinetic energy before")
    show_impact(tag, G, g, mu, eps, before)
    for name, law in LAWS:
        p, v, _ = law(G, g, mu, eps)
        z = w + np.linalg.solve(M, W.T @ p)
        assert abs(z @ M @ z / 2 - before - energy(g, p, v)) < 1e-12 and np.abs(W @ z - v).max() < 1e-12
        out(tag + "." + name + ".velocity", z, "angular velocities after")


def search_pendulum():
    """Two swings: the configuration of the literature (20 and 30 degrees, mu = eps = 0.5) and one of a larger gain."""
    r = math.radians
    show_pendulum("kane.literature", r(20), r(30), -0.1, -0.2, 0.5, 0.5)

    def gain(z):
        M, W, G, g = pendulum(z[0], z[0] + z[1], math.cos(z[2]), math.sin(z[2]))
        g = -g if g[0] > 0 else g
        if g[0] > -1e-6:
            return 0.0
        p, v, _ = newton(G, g, z[3], z[4])[0]
        return -energy(g, p, v) / (g @ np.linalg.solve(G, g) / 2)

    bounds = [(r(5), r(60)), (r(20), r(60)), (0, math.pi), (0, 1), (0, 1)]
    best = differential_evolution(gain, bounds, seed=2, popsize=20, tol=1e-10, maxiter=150)
    out("kane.search", np.append(best.x, -best.fun),
        "a1, a2 - a1 (>= 20 deg), direction of (w1, w2), mu, eps, gain by Newton's "
        "law; unbounded as the rods align, where G is singular")
    show_pendulum("kane.strong", r(20), r(40), 0.3, -1.0, 0.6, 1.0)


def search_poisson(n=1000000):
    rng = np.random.default_rng(5)
    L = rng.standard_normal((n, 2, 2))
    G = L @ L.transpose(0, 2, 1)
    rho = np.clip(G[:, 0, 1] / np.sqrt(G[:, 0, 0] * G[:, 1, 1]), -1 + 1e-6, 1 - 1e-6)
    slide = rng.standard_normal(n) * np.exp(2 * rng.standard_normal(n))
    mu = np.exp(1.5 * rng.standard_normal(n))
    eps = np.where(rng.random(n) < 0.3, 1.0, rng.random(n))
    gain = gain_poisson(rho, slide, mu, eps)
    k = gain.argmax()
    out("search.poisson.largest_relative_change", gain[k],
        "1e6 random G = L L^T (scaled to G_NN = G_TT = 1), gamma_N- = -1, mu > 0, 0 <= eps <= 1, seed 5")
    out("search.poisson.at", [rho[k], slide[k], mu[k], eps[k]], "G_NT, gamma_T-, mu, eps")
    out("search.poisson.count_above_1e-9", int((gain > 1e-9).sum()))

    def f(z):
        a = [np.array([v]) for v in (z[0], math.sinh(z[1]), math.exp(z[2]), z[3])]
        return -gain_poisson(*a)[0]

    best = differential_evolution(f, [(-0.9999, 0.9999), (-6, 6), (-6, 4), (0, 1)], seed=3, tol=1e-14, maxiter=300)
    out("search.poisson.best", [-best.fun, best.x[0], math.sinh(best.x[1]), math.exp(best.x[2]), best.x[3]],
        "differential evolution: relative change, G_NT, gamma_T-, mu, eps")
    gain = gain_newton(rho, slide, mu, eps)[0]
    k = gain.argmax()
    out("search.newton.largest_relative_change", gain[k], "the same sample by Newton's law")
    out("search.newton.at", [rho[k], slide[k], mu[k], eps[k]])
    out("search.newton.share_that_gains", float((gain > 1e-9).mean()))
    worst = -math.inf
    for i in rng.integers(0, n, 20000):
        H, g = np.array([[1, rho[i]], [rho[i], 1]]), np.array([-1.0, slide[i]])
        p, v, _ = stronge(H, g, mu[i], eps[i])
        worst = max(worst, energy(g, p, v) / (g @ np.linalg.solve(H, g) / 2))
    out("search.stronge.largest_relative_change", worst, "20000 of the sample by Stronge's law")


# ------------------------------------------------------------------------------------------------ 5 masses and springs

def compliant(M, K, W, u, k, eps, gaps=True, t_end=None, max_step=None, tiny=1e-14, deepest=None):
    """M u' + K q = W^T F with unilateral contacts, gamma = W u: F' = -k gamma while it compresses, -(k/eps^2) gamma
    while it expands, F >= 0 (eps = 0: F drops to zero instead of expanding). An open contact closes at the gap where
    it opened (gaps) or as soon as gamma < 0 (not gaps). Returns u, the impulses, the time and the number of events;
    with `deepest` = i, in place of u, the impulses where F_i is largest."""
    n, m = len(u), len(k)
    inverse = np.linalg.inv(M)
    status = ["C"] * m
    y = np.concatenate([np.zeros(n), u, np.zeros(m), np.zeros(m), np.zeros(m)])  # q, u, F, gap, P
    t, number, most = 0.0, 0, (0.0, None)
    slope = [(k[i], k[i] / eps[i] ** 2 if eps[i] > 0 else 0.0) for i in range(m)]
    step = max_step or 0.25 / math.sqrt(max(k) * max(np.diag(W @ inverse @ W.T)))
    while number < 5000:
        closed = np.array([s != "O" for s in status])

        def rate(_, y):
            g = W @ y[n:2 * n]
            F = y[2 * n:2 * n + m] * closed
            stiff = np.array([0.0 if s == "O" else slope[i][0] if s == "C" else slope[i][1] for i,
                              s in enumerate(status)])
            return np.concatenate([y[n:2 * n], inverse @ (W.T @ F - K @ y[:n]), -stiff * g, np.where(closed, 0.0, g),
                                   F])

        events, kinds = [], []

        def add(f, direction, kind):
            events.append(event(f, direction))
            kinds.append(kind)

        for i, s in enumerate(status):
            if s == "O" and gaps:
                add(lambda _, y, i=i: y[2 * n + m + i] + tiny, -1, (i, "C"))
            elif s == "O":
                add(lambda _, y, i=i: W[i] @ y[n:2 * n] + tiny, -1, (i, "C"))
            else:
                if s == "E" or eps[i] == 1:
                    add(lambda _, y, i=i: y[2 * n + i] + tiny, -1, (i, "O"))
                if s == "C" and eps[i] < 1:
                    add(lambda _, y, i=i: W[i] @ y[n:2 * n] - tiny, 1, (i, "E"))
                if s == "E":
                    add(lambda _, y, i=i: W[i] @ y[n:2 * n] + tiny, -1, (i, "C"))
        if deepest is not None:
            turn = event(lambda _, y: W[deepest] @ y[n:2 * n], 1)
            turn.terminal = False
            events.append(turn)
        far = t_end if t_end is not None else t + 1e5
        s = solve_ivp(rate, (t, far), y, events=events, max_step=step, **TIGHT)
        hit = [(s.t_events[j][0], j) for j in range(len(kinds)) if len(s.t_events[j])]
        if deepest is not None:
            for z in s.y_events[-1]:
                if z[2 * n + deepest] > most[0]:
                    most = z[2 * n + deepest], z[2 * n + 2 * m:]
        t, y = s.t[-1], s.y[:, -1].copy()
        if not hit:
            break
        number += 1
        i, new = kinds[min(hit)[1]]
        if new == "E" and eps[i] == 0:
            new = "O"
        status[i] = new
        if new == "O":
            y[2 * n + i], y[2 * n + m + i] = 0.0, 0.0
        if new == "C" and y[2 * n + i] < 0:
            y[2 * n + i] = 0.0
        if t_end is None and all(x == "O" for x in status) and (W @ y[n:2 * n]).min() > -1e-11:
            break
    return y[n:2 * n] if deepest is None else most[1], y[2 * n + 2 * m:], t, number


def chain_rows(n):
    W = np.zeros((n - 1, n))
    for i in range(n - 1):
        W[i, i], W[i, i + 1] = -1, 1
    return W


def masses():
    I, Z, W = np.eye(3), np.zeros((3, 3)), chain_rows(3)
    u0 = np.array([1.0, 0, 0])
    for ratio in (1e-4, 1e-2, 0.1, 0.5, 1.0, 2.0, 10.0, 1e2, 1e4):
        u, P, t, number = compliant(I, Z, W, u0, [ratio, 1.0], [1.0, 1.0])
        out("masses.elastic.ratio%g" % ratio, u,
            "velocities after, k1/k2 as named, k2 = m = 1; %d events, energy %+.1e, momentum %+.1e"
            % (number, u @ u / 2 - 0.5, u.sum() - 1))
    out("masses.elastic.limits", [-1 / 3, 2 / 3, 2 / 3, 0.0, 0.0, 1.0],
        "k1/k2 -> 0: 2 and 3 as one; -> infinity: one after the "
        "other")
    for eps in (0.5, 0.0):
        for ratio in (0.1, 1.0, 10.0):
            for gaps in (True, False):
                u, P, t, number = compliant(I, Z, W, u0, [ratio, 1.0], [eps, eps], gaps)
                out("masses.eps%g.ratio%g%s" % (eps, ratio, "" if gaps else ".nogap"), np.concatenate([u, P]),
                    "velocities after and impulses; two slopes, %s; %d events, energy %.12g"
                    % ("an opened contact closes at the gap 0" if gaps else "an opened contact closes once gamma < 0",
                       number, u @ u / 2))
    u, P, t, number = compliant(np.eye(5), np.zeros((5, 5)), chain_rows(5), np.array([1.0, 0, 0, 0, 0]), [1.0] * 4,
                                [1.0] * 4)
    out("cradle5.elastic", u, "equal linear springs; %d events, energy %+.1e, momentum %+.1e"
        % (number, u @ u / 2 - 0.5, u.sum() - 1))


# ------------------------------------------------------------------------------------------------ 6 balls on a table

def balls(n):
    """n touching balls r = m = 1, J = 2/5 in a row on a table, (vx, vy, omega) each. Contacts: table 1..n (normal up,
    gamma_T = vx + omega), then pairs i, i+1 (normal +x from i to i+1, gamma_T = vy' - omega' - vy - omega)."""
    names, rows = [], []
    for i in range(n):
        N, T = np.zeros(3 * n), np.zeros(3 * n)
        N[3 * i + 1] = 1
        T[3 * i], T[3 * i + 2] = 1, 1
        names.append("table%d" % (i + 1))
        rows += [N, T]
    for i in range(n - 1):
        N, T = np.zeros(3 * n), np.zeros(3 * n)
        N[3 * i], N[3 * i + 3] = -1, 1
        T[3 * i + 1], T[3 * i + 2], T[3 * i + 4], T[3 * i + 5] = -1, -1, 1, -1
        names.append("pair%d%d" % (i + 1, i + 2))
        rows += [N, T]
    u = np.zeros(3 * n)
    u[0], u[2] = 1, -1
    return names, np.array(rows), np.tile([1, 1, 2.5], n), u


def enumerate_states(W, inverse, u, mu, eps, tol=1e-10):
    """All solutions of 0 <= Lambda_N perp gamma_N+ + eps gamma_N- >= 0, -Lambda_T in mu Lambda_N Sgn(gamma_T+) over
    all contacts: every contact open, stick, slip+ or slip-, 4^n linear systems. Singular ones: feasibility by a
    linear programme. Returns distinct (u+, Lambda, states) and the number of singular consistent systems."""
    G, g = W @ (inverse[:, None] * W.T), W @ u
    n = len(W) // 2
    aim = g.copy()
    aim[0::2] *= 1 + eps  # zero of gamma_N+ + eps gamma_N-
    rows = np.zeros((4, n, 2, 2 * n))
    right = np.zeros((4, n, 2))
    for i in range(n):
        N, T = 2 * i, 2 * i + 1
        rows[0, i, 0, N], rows[0, i, 1, T] = 1, 1
        rows[1, i, 0], rows[1, i, 1], right[1, i] = G[N], G[T], [-aim[N], -g[T]]
        for s, c in ((1, 2), (-1, 3)):
            rows[c, i, 0], right[c, i, 0] = G[N], -aim[N]
            rows[c, i, 1, T], rows[c, i, 1, N] = 1, s * mu
    found, odd = [], 0

    def good(p, states):
        v = G @ p
        for i, c in enumerate(states):
            gap = v[2 * i] + aim[2 * i]
            if c == 0 and gap < -tol or c and p[2 * i] < -tol:
                return False
            if c == 1 and abs(p[2 * i + 1]) > mu * p[2 * i] + tol:
                return False
            slide = v[2 * i + 1] + g[2 * i + 1]
            if c == 2 and slide < -tol or c == 3 and slide > tol:
                return False
        return True

    def keep(p, states):
        v = u + inverse * (W.T @ p)
        for w, q, _ in found:
            if np.abs(w - v).max() < 1e-8:
                return
        found.append((v, p, "".join("o|+-"[c] for c in states)))

    every = np.array(list(itertools.product(range(4), repeat=n)))
    for part in np.array_split(every, max(1, len(every) // 8192)):
        index = np.arange(n)[None, :]
        A = rows[part, index].reshape(len(part), 2 * n, 2 * n)
        b = right[part, index].reshape(len(part), 2 * n)
        with np.errstate(all="ignore"):
            regular = np.abs(np.linalg.det(A)) > 1e-9
        if regular.any():
            p = np.linalg.solve(A[regular], b[regular][:, :, None])[:, :, 0]
            st = part[regular]
            v = p @ G.T
            N, T = p[:, 0::2], p[:, 1::2]
            gap, slide = v[:, 0::2] + aim[0::2], v[:, 1::2] + g[1::2]
            ok = np.where(st == 0, gap > -tol, N > -tol)
            ok &= np.where(st == 1, np.abs(T) <= mu * N + tol, True)
            ok &= np.where(st == 2, slide > -tol, True) & np.where(st == 3, slide < tol, True)
            for j in np.nonzero(ok.all(axis=1))[0]:
                keep(p[j], st[j])
        for j in np.nonzero(~regular)[0]:
            q, *_ = np.linalg.lstsq(A[j], b[j], rcond=1e-11)
            if np.abs(A[j] @ q - b[j]).max() > 1e-9:
                continue
            odd += 1
            if good(q, part[j]):
                keep(q, part[j])
                continue
            less, bound = [], []  # less @ p <= bound
            for i, c in enumerate(part[j]):
                e, f = np.eye(2 * n)[2 * i], np.eye(2 * n)[2 * i + 1]
                if c == 0:
                    less.append(-G[2 * i]), bound.append(aim[2 * i])
                else:
                    less.append(-e), bound.append(0.0)
                if c == 1:
                    less += [f - mu * e, -f - mu * e]
                    bound += [0.0, 0.0]
                if c > 1:
                    s = 1 if c == 2 else -1
                    less.append(-s * G[2 * i + 1]), bound.append(s * g[2 * i + 1])
            lp = linprog(np.zeros(2 * n), A_ub=np.array(less), b_ub=np.array(bound) + 1e-11, A_eq=A[j], b_eq=b[j],
                         bounds=(None, None), method="highs")
            if lp.status == 0 and good(lp.x, part[j]):
                keep(lp.x, part[j])
    return found, odd


def show_balls(tag, names, W, inverse, u0, u, p=None):
    n = len(u) // 3
    for i in range(n):
        out("%s.ball%d" % (tag, i + 1), u[3 * i:3 * i + 3],
            "vx, vy, omega%s" % (" - hops" if u[3 * i + 1] > 1e-12 else ""))
    if p is not None:
        for i, name in enumerate(names):
            v = W[2 * i:2 * i + 2] @ u
            out("%s.%s" % (tag, name), [p[2 * i], p[2 * i + 1], v[0], v[1]], "Lambda_N, Lambda_T, gamma_N+, gamma_T+")
    out(tag + ".energy", [(u0 ** 2 / inverse).sum() / 2, (u ** 2 / inverse).sum() / 2], "kinetic, before and after")


def one_problem(tag, n, mu, eps):
    names, W, inverse, u0 = balls(n)
    found, odd = enumerate_states(W, inverse, u0, mu, eps)
    out(tag + ".solutions", len(found),
        "distinct velocities after, of %d states; %d consistent singular systems; states %s"
        " in the order %s (o open, | stick, +- slip)" % (4 ** len(names), odd, " ".join(f[2] for f in found),
                                                         " ".join(names)))
    for j, (u, p, _) in enumerate(found):
        show_balls(tag if len(found) == 1 else "%s.solution%d" % (tag, j + 1), names, W, inverse, u0, u, p)


def pairwise(tag, n, mu, eps):
    """The contact of the fastest approach alone, Newton's law with friction, until none approaches."""
    names, W, inverse, u0 = balls(n)
    u, order, ties = u0.copy(), [], 0
    for _ in range(100000):
        g = W @ u
        approach = np.sort(g[0::2])
        if approach[0] > -1e-14:
            break
        ties += approach[1] - approach[0] < 1e-12
        i = int(g[0::2].argmin())
        V = W[2 * i:2 * i + 2]
        p = newton(V @ (inverse[:, None] * V.T), V @ u, mu, eps)[0][0]
        u = u + inverse * (V.T @ p)
        order.append(names[i])
    out(tag + ".impacts", len(order), "until no approach above 1e-14; ties %d; order %s%s"
        % (ties, " ".join(order[:14]), " ..." if len(order) > 14 else ""))
    show_balls(tag, names, W, inverse, u0, u)


def tables():
    one_problem("twoballs", 2, 0.2, 0.0)
    pairwise("twoballs.pairwise", 2, 0.2, 0.0)
    one_problem("billiards3.newton", 4, 0.2, 0.9)
    pairwise("billiards3.pairwise", 4, 0.2, 0.9)
    one_problem("billiards4.newton", 5, 0.2, 0.9)
    pairwise("billiards4.pairwise", 5, 0.2, 0.9)


# ------------------------------------------------------------------------------------------------ 7 Chatterjee's rod

LEFT, RIGHT = 0.3, 0.7  # lengths and masses of D-C and C-A; B is 0.3 to the right of C


def unilateral(mass, force, rows, bend, gap, q, u, t_end, step):
    """M(q) u' = h(q, u) + W(q)^T lambda, frictionless inelastic contacts gap(q) >= 0, gamma = W u, gamma' = W u' +
    bend. Event-driven: closed contacts by 0 <= lambda perp gamma' >= 0, impacts by 0 <= Lambda perp gamma+ >= 0, both
    by enumeration. Returns the state, the impulses and the list of events."""
    n, m = len(q), len(gap(q))

    def lcp(A, b, which):
        """0 <= z perp A z + b >= 0 on the contacts `which`."""
        for size in range(len(which) + 1):
            for on in itertools.combinations(which, size):
                z, on = np.zeros(m), list(on)
                if on:
                    z[on] = np.linalg.solve(A[np.ix_(on, on)], -b[on])
                if z.min() >= 0 and all((A @ z + b)[i] >= -1e-12 * np.abs(b).max() for i in which):
                    return z, on
        raise ArithmeticError("no solution")

    t, P, log = 0.0, np.zeros(m), []
    closed = [i for i in range(m) if gap(q)[i] < 1e-12]
    while True:
        W, inverse = rows(q), np.linalg.inv(mass(q))
        G = W @ inverse @ W.T
        if closed and (W @ u)[closed].min() < -1e-11:
            z, _ = lcp(G, W @ u, closed)
            u, P = u + inverse @ W.T @ z, P + z
            log.append((t, "impulse", z))
        closed = [i for i in closed if (W @ u)[i] < 1e-10]
        ahead = q + 1e-3 * step * u  # at rest with q = 0 the accelerations alone do not tell
        _, on = lcp(G, W @ inverse @ force(ahead, u) + bend(ahead, u), closed)

        def press(y, on=on):
            W, inverse = rows(y[:n]), np.linalg.inv(mass(y[:n]))
            h, z = force(y[:n], y[n:2 * n]), np.zeros(m)
            if on:
                z[on] = np.linalg.solve((W @ inverse @ W.T)[np.ix_(on, on)], -(W @ inverse @ h + bend(y[:n],
                                                                                                      y[n:2 * n]))[on])
            return inverse @ (h + W.T @ z), z

        def rate(_, y):
            a, z = press(y)
            return np.concatenate([y[n:2 * n], a, z])

        events, kinds = [], []
        for i in range(m):
            if i in on:
                events.append(event(lambda _, y, i=i: press(y)[1][i], -1))
            else:
                events.append(event(lambda _, y, i=i: gap(y[:n])[i] + 1e-13, -1))
            kinds.append((i, i in on))
        s = solve_ivp(rate, (t, t_end), np.concatenate([q, u, P]), events=events, max_step=step, **TIGHT)
        t, q, u, P = s.t[-1], s.y[:n, -1], s.y[n:2 * n, -1], s.y[2 * n:, -1]
        hit = [(s.t_events[j][0], j) for j in range(m) if len(s.t_events[j])]
        if not hit:
            return q, u, P, log
        i, opens = kinds[min(hit)[1]]
        log.append((t, "opens" if opens else "closes", "DB"[i]))
        closed = [j for j in on if j != i] + ([] if opens else [i])


def two_rods_linear(k):
    """Small displacements: y of C, angles of D-C and C-A. mass, stiffness and rows of D and B."""
    M = np.zeros((3, 3))
    for length, m, j, c in ((LEFT, LEFT, 1, -LEFT / 2), (RIGHT, RIGHT, 2, RIGHT / 2)):
        e = np.zeros(3)
        e[0], e[j] = 1, c
        M += m * np.outer(e, e)
        M[j, j] += m * length ** 2 / 12
    K = k * np.array([[0, 0, 0], [0, 1, -1], [0, -1, 1.0]])
    return M, K, np.array([[1, -LEFT, 0], [1, 0, 0.3]]), np.array([1, 0, RIGHT])


def two_rods_finite(k):
    """x, y of C (start (0.3, 0)), angles p1, p2 of the rods; D is the end of the left rod above the plane y = 0, B a
    corner at (0.6, 0) under the right rod: gap (C - B).n2, so its force is normal to the rod."""
    B = np.array([0.6, 0.0])

    def parts(q):
        return [np.array([math.cos(p), math.sin(p)]) for p in q[2:]], [np.array([-math.sin(p),
                                                                                 math.cos(p)]) for p in q[2:]]

    def mass(q):
        _, n = parts(q)
        M = np.zeros((4, 4))
        for j, (length, m, c) in enumerate(((LEFT, LEFT, -LEFT / 2), (RIGHT, RIGHT, RIGHT / 2))):
            V = np.zeros((2, 4))
            V[:, :2], V[:, 2 + j] = np.eye(2), c * n[j]
            M += m * V.T @ V
            M[2 + j, 2 + j] += m * length ** 2 / 12
        return M

    def force(q, u):
        t, n = parts(q)
        h = np.zeros(4)
        h[2], h[3] = k * (q[3] - q[2]), -k * (q[3] - q[2])
        for j, (m, c) in enumerate(((LEFT, -LEFT / 2), (RIGHT, RIGHT / 2))):
            h[:2] += m * c * u[2 + j] ** 2 * t[j]  # -m V^T (-c w^2 t); V_w.t = 0
        return h

    def rows(q):
        t, n = parts(q)
        return np.array([[0, 1, -LEFT * math.cos(q[2]), 0], [n[1][0], n[1][1], 0, (B - q[:2]) @ t[1]]])

    def bend(q, u):
        t, n = parts(q)
        return np.array([LEFT * math.sin(q[2]) * u[2] ** 2,
                         -2 * u[3] * (u[:2] @ t[1]) + u[3] ** 2 * ((B - q[:2]) @ n[1])])

    def gap(q):
        t, n = parts(q)
        return np.array([q[1] - LEFT * math.sin(q[2]), (q[:2] - B) @ n[1]])

    return mass, force, rows, bend, gap


def chatterjee():
    """Unit downward blow at A = 1; D = 0, B = 0.6. One rigid rod, then two rods with a torsion spring at C = 0.3."""
    M, W, e = np.diag([1, 1 / 12]), np.array([[1, -0.5], [1, 0.1]]), np.array([1, 0.5])
    u = np.linalg.solve(M, -e)
    B = -(W @ u)[1] / (W @ np.linalg.solve(M, W.T))[1, 1]
    u = u + np.linalg.solve(M, W[1] * B)
    out("chatterjee.rigid.impulse", [0.0, B], "at D, B: 1.6/1.12 = 10/7")
    out("chatterjee.rigid.velocity", u, "of the centre 3/7, angular -30/7")
    out("chatterjee.rigid.points", [u @ [1, -0.5], u @ [1, 0.1], u @ [1, 0.5]], "D, B, A after: 18/7, 0, -12/7")

    M, K, W, e = two_rods_linear(1.0)
    inverse = np.linalg.inv(M)
    G, u0 = W @ inverse @ W.T, inverse @ -e
    out("chatterjee.hinged.free", [W[0] @ u0, W[1] @ u0, u0[0], e @ u0],
        "velocities of D, B, C, A by the blow alone: D and B go "
        "down")
    p = np.linalg.solve(G, -W @ u0)
    u = u0 + inverse @ W.T @ p
    left = LEFT * (u[0] - LEFT / 2 * u[1])  # momentum of D-C
    out("chatterjee.hinged.impulse", p,
        "at D, B at the instant of the blow, for every finite k; both positive: the solution")
    out("chatterjee.hinged.hinge", left - p[0], "impulse at C, upward on D-C")
    out("chatterjee.hinged.velocity", u, "ydot of C, angular of D-C, C-A")
    out("chatterjee.hinged.points", [W[0] @ u, W[1] @ u, u[0], e @ u], "velocities of D, B, C, A after")
    # D left out (only B pushed back) would give:
    w = u0 - inverse @ W[1] * (W[1] @ u0) / G[1, 1]
    out("chatterjee.hinged.without_D", [W[0] @ w], "velocity of D if B alone acted: negative, so D must act")
    omega1 = math.sqrt(eigh(K, M, eigvals_only=True)[-1])
    out("chatterjee.hinged.omega_over_sqrt_k", omega1,
        "bending frequency of the free rod: largest root of det(K - w^2 M)")
    for turns in (20, 200):
        q, v, P, log = unilateral(lambda q: M, lambda q, u: -K @ q, lambda q: W, lambda q, u: np.zeros(2),
                                  lambda q: W @ q,
                                  np.zeros(3), u0, turns / omega1, 0.1 / omega1)
        text = ", ".join("%s %s at %.9g" % (kind, what if isinstance(what, str) else "D %.12g B %.12g" % tuple(what),
                                            t * omega1)
                         for t, kind, what in log)
        out("chatterjee.hinged.total.small.%d" % turns, P,
            "impulses at D, B until t = %d/omega; rigid inelastic supports, small "
            "displacements: with t sqrt(k), q sqrt(k) independent of k; t omega: %s" % (turns, text))
        out("chatterjee.hinged.end.small.%d" % turns, [W[0] @ v, W[1] @ v, v[0], e @ v],
            "velocities of D, B, C, A there")
    for k in (1e2, 1e4, 1e6):
        omega = omega1 * math.sqrt(k)
        mass, force, rows, bend, gap = two_rods_finite(k)
        q0 = np.array([0.3, 0, 0, 0])
        start = np.linalg.solve(mass(q0), [0, -1, 0, -RIGHT])
        q, v, P, log = unilateral(mass, force, rows, bend, gap, q0, start, 20 / omega, 0.1 / omega)
        text = ", ".join("%s %s at %.9g" % (kind, what if isinstance(what, str) else "D %.12g B %.12g" % tuple(what),
                                            t * omega)
                         for t, kind, what in log)
        out("chatterjee.hinged.total.k%g" % k, P,
            "the same with finite rotations, D on the plane y = 0, B a corner, until t = "
            "20/omega = %.6g; t omega: %s" % (20 / omega, text))
        out("chatterjee.hinged.end.k%g" % k, v, "xdot, ydot of C, angular velocities there")
    for ratio in (1e4, 1e2, 1.0, 1e-2, 1e-3):
        step = min(0.2 / omega1, 0.2 / math.sqrt(ratio * G.max()))
        half, P, t, number = compliant(M, K, W, u0, [ratio, ratio], [1.0, 1.0], True,
                                       max(4 / math.sqrt(ratio * 1.12), 20 / omega1), step, deepest=1)
        out("chatterjee.compliant.elastic.%g" % ratio, np.concatenate([half, P]),
            "impulses at D, B where B is deepest, then in all; "
            "elastic supports, k_table/k_spring = %g (1/m^2); %d events" % (ratio, number))
    out("chatterjee.compliant.elastic.limit", [0.0, 10 / 7, 0.0, 20 / 7],
        "k_table/k_spring -> 0: the rigid rod (a) compressed, "
        "then as much again")
    for ratio in (1e6, 1e4, 1e3):
        step = min(0.2 / omega1, 0.2 / math.sqrt(ratio * G.max()))
        v, P, t, number = compliant(M, K, W, u0, [ratio, ratio], [0.0, 0.0], True, 20 / omega1, step)
        out("chatterjee.compliant.drop.%g" % ratio, P,
            "impulses at D, B until t = 20/omega, F drops to 0 where expansion starts; "
            "%d events; stiff supports: towards chatterjee.hinged.total" % number)


# ------------------------------------------------------------------------------------------------ 8 bouncing ball

def bouncing():
    t = math.sqrt(2 / GRAVITY)
    for eps in (0.5, 0.9):
        out("ball.eps%g.impacts" % eps, [t * (1 + 2 * sum(eps ** j for j in range(1, n))) for n in range(1, 6)],
            "t_1 = sqrt(2 h/g), then flights of 2 eps^n t_1")
        out("ball.eps%g.rest" % eps, t * (1 + eps) / (1 - eps), "t_1 (1 + eps)/(1 - eps)")


# ------------------------------------------------------------------------------------------------ 9 the rigid limit

def spring_table(k, eps):
    """Painleve's rod with N = k (-y_c), friction with true stick, gravity, finite rotation; expansion with the slope
    k/eps^2 (eps = 0: ends where expansion starts). Slip phases T = -mu N sgn, stick phases T from x_c'' = 0. Variables
    z = sqrt(k) y_c, y_c', x_c', theta, theta' over sqrt(k) t, so that all are of order 1."""
    root = math.sqrt(k)
    y, t, mode, deepest, path = np.array([0, 0, -1, TAN2, 0.0]), 0.0, -1, None, []
    for _ in range(20):
        def normal(y):  # N / sqrt(k)
            return -y[0] if deepest is None else -deepest - (y[0] - deepest) / eps ** 2

        def forces(y):
            n, G, b = normal(y), rod_G(y[3], MASS, INERTIA, HALF), rod_free(y[3], y[4]) / root
            return n, -mode * MU * n if mode else -(b[1] + G[0, 1] * n) / G[1, 1], G, b

        def rate(_, y):
            n, f, G, b = forces(y)
            return [y[1], b[0] + G[0, 0] * n + G[0, 1] * f, b[1] + G[0, 1] * n + G[1, 1] * f if mode else 0.0,
                    y[4] / root,
                    HALF * (f * math.sin(y[3]) - n * math.cos(y[3])) / INERTIA]

        events = [event(lambda _, y: y[1], 1)] if deepest is None else [event(lambda _, y: normal(y), -1)]
        if mode:
            events.append(event(lambda _, y: y[2], -mode))
        else:
            for s in (1, -1):
                events.append(event(lambda _, y, s=s: MU * forces(y)[0] + s * forces(y)[1], -1))
        s = solve_ivp(rate, (t, t + 1000), y, method="DOP853", rtol=1e-13, atol=1e-16, events=events, max_step=0.5)
        t, y = s.t[-1], s.y[:, -1]
        path.append(("e:" if deepest is not None else "c:") + ("slip%+d" % mode if mode else "stick"))
        if len(s.t_events[0]):
            if eps == 0 or deepest is not None:
                u = [y[2] - HALF * math.sin(y[3]) * y[4], y[1] + HALF * math.cos(y[3]) * y[4], y[4]]
                return t / root, np.array(u), y[1:3], ">".join(path)
            deepest = y[0]
        elif mode:
            mode, y[2] = 0, 0.0
        else:
            mode = 1 if len(s.t_events[1]) else -1
    raise ArithmeticError("no end")


def rigid_limit():
    G, W = rod_G(TAN2, MASS, INERTIA, HALF), rod_rows(TAN2, HALF)
    for eps in (1.0, 0.5, 0.0):
        p, v, _ = stronge(G, np.array([-1e-300, -1.0]), MU, eps)
        goal = np.array([-1.0, 0, 0]) + np.array([1 / MASS, 1 / MASS, 1 / INERTIA]) * (W.T @ p)
        out("rigid.eps%g.stronge" % eps, np.append(goal, v), "xdot, ydot, thetadot, gamma_N, gamma_T in the limit")
        last, fit = None, []
        for k in (1e4, 1e6, 1e8, 1e10, 1e12, 1e14, 1e16):
            t, u, g, path = spring_table(k, eps)
            error = np.abs(u - goal).max()
            order = "" if last is None else ", order %.3f in k" % (math.log(last / error) / math.log(100))
            out("rigid.eps%g.k%g" % (eps, k), np.concatenate([u, g, [t]]),
                "velocities after, gamma_N, gamma_T, end time; %s; error "
                "%.3e%s, error sqrt(k)/ln(k) %.4f" % (path, error, order, error * math.sqrt(k) / math.log(k)))
            last = error
            fit.append([1, math.log(k) / math.sqrt(k), 1 / math.sqrt(k), *u])
        z = np.array(fit[-3:])
        z = np.linalg.solve(z[:, :3], z[:, 3:])
        out("rigid.eps%g.extrapolated" % eps, z[0],
            "from the last three k, u = u_0 + (A ln k + B)/sqrt k; off Stronge by %.1e"
            % np.abs(z[0] - goal).max())
        out("rigid.eps%g.coefficients" % eps, z[1:].ravel(),
            "A, then B, for xdot, ydot, thetadot: the error is O(ln k/sqrt k), "
            "from the time ln(k)/(2 sqrt(0.8 k)) in which gravity starts the jam")


SECTIONS = {"1": (brick, stick_slip), "2": (painleve_rod,), "3": (drop,),
            "4": (impacts, search_rod, search_pendulum, search_poisson), "5": (masses,), "6": (tables,),
            "7": (chatterjee,), "8": (bouncing,),
            "9": (rigid_limit,)}

if __name__ == "__main__":
    for section in sys.argv[1:] or sorted(SECTIONS):
        print("# section " + section)
        for part in SECTIONS[section]:
            part()
            sys.stdout.flush()
