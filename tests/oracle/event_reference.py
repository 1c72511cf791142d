#!/usr/bin/python3
"""Reference values for motions with contacts, event by event: woodpecker (Glocker & Studer 2005), slider-crank with
clearance (Flores, Leine & Glocker 2010), ball between two spheres (Trinkle, Tzitzouris & Pang 2001), Painleve's rod
that does not jam, bouncing ball. No time stepping over events; shares nothing with Picus. SI units, g = 9.81.

Planar systems: smooth motion with given states of the contacts (open, slip, stick: the laws as equations for the
accelerations), until a condition fails: gap of an open contact > 0 (else impact), normal force of a closed one > 0
(else lift-off), |tangential velocity| > 0 of one that slips (else stick or reversal), |friction| < mu N of one that
sticks (else slip). States after an event: all combinations are tried; of those that fit with equality the one is taken
whose conditions hold a moment (1e-7 s) later. Impacts: Newton's law with friction for all closed contacts together, all
combinations. A comment tells where the solution of an impact or the states are not unique. Impacts slower than 1e-20
m/s end a chatter: the contact closes (with 40 digits: 1e-14 m/s). Arithmetic of 50 digits (mpmath); smooth motion by
Taylor series (woodpecker, linear) or by Gragg's extrapolation to 1e-38, times of events by regula falsi. Checks: the
equations against sympy's of energies and gaps; everything again with 40 digits and other steps; the sequence of events
again in double precision with DOP853 (rtol 1e-13). Keys that end in .error hold the largest differences: times and
states (relative to 1 + |x|) of 40 against 50 digits, then those of DOP853; one number each where both are in one.

The ball between spheres (position and velocity of its centre, angular velocity in space) in double precision:
collocation at Radau's points, which also steps off the instants at which a slip begins, where its direction is 0/0 but
smooth in time. Checks: other numbers of points and steps, DOP853, and friction regularised by eta -> 0.

Lines: a key and numbers (17 digits); comments begin with #. Contacts count from 1. Kinds of events: 1 impact, 2
lift-off, 3 slip to stick, 4 stick to slip, 5 reversal of slip, 6 end of a chatter (accumulation of impacts). States: 0
open, 1 and -1 slip (sign of the tangential velocity), 2 stick.
  KEY.event.K      time, contact, kind, states of all contacts after, coordinates, velocities after
  KEY.impulse.K    normal and tangential impulse of each contact
  KEY.together.K   contacts of an event of several
  KEY.at           time, coordinates, velocities

usage: event_reference.py [section ...]     sections 1 to 5, all by default; about half an hour
"""

import itertools
import math
import sys

import numpy as np
from mpmath import mp, mpf
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

SPAN = mpf(10) ** -7        # how far ahead a tie of contact states is looked into
OPEN, PLUS, MINUS, STICK = 0, 1, -1, 2
IMPACT, LIFTOFF, TO_STICK, TO_SLIP, REVERSAL, CHATTER_END = 1, 2, 3, 4, 5, 6


def precision(digits):
    global TINY, ZENO
    mp.dps = digits
    ZENO = mpf(10) ** (-20 if digits >= 50 else -14)  # impacts slower than this end a chatter: the contact closes
    TINY = mpf(10) ** (16 - digits)  # what counts as 0 for gaps, velocities, forces at events


precision(50)


def text(x):
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return "%.17g" % (float(x) if abs(x) > 1e-41 else 0.0)


def out(key, *values):
    print(" ".join([key] + [text(x) for x in values]), flush=True)


def say(line):
    print("# " + line, flush=True)


# ------------------------------------------------------------------------------------------------ planar systems

def solve(A, b):
    """Gauss with pivots; None if singular."""
    n = len(b)
    A = [list(r) + [x] for r, x in zip(A, b)]
    scale = max(abs(x) for r in A for x in r[:n])
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(A[k][i]))
        if abs(A[p][i]) <= scale * mpf(10) ** (15 - mp.dps):
            return None
        A[i], A[p] = A[p], A[i]
        for k in range(i + 1, n):
            f = A[k][i] / A[i][i]
            if f:
                for j in range(i, n + 1):
                    A[k][j] -= f * A[i][j]
    x = [0] * n
    for i in reversed(range(n)):
        x[i] = (A[i][n] - sum(A[i][j] * x[j] for j in range(i + 1, n))) / A[i][i]
    return x


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Planar:
    """mass(q), force(q, u); contact i: gap(q, i), normal(q, i), tangent(q, i) (generalised directions), bend(q, u, i),
    the part of the normal and the tangential acceleration that is quadratic in u; mu[i], eps[i]."""
    linear = False
    step = mpf("1e-3")

    def velocities(self, q, u, i):
        return dot(self.normal(q, i), u), dot(self.tangent(q, i), u)

    def accelerate(self, q, u, modes):
        """u', normal and tangential forces for given states of the contacts (which hold as equations)."""
        n = self.n
        M, h = self.mass(q), self.force(q, u)
        rows, right, closed = [list(r) for r in M], list(h), [i for i in range(self.m) if modes[i] != OPEN]
        names = []
        for i in closed:
            wn, wt = self.normal(q, i), self.tangent(q, i)
            s = modes[i]
            if s == STICK:
                names += [(i, 0), (i, 1)]
                cols = [wn, wt]
            else:
                names += [(i, 0)]
                cols = [[a - s * self.mu[i] * b for a, b in zip(wn, wt)]]
            for c in cols:
                for r in range(n):
                    rows[r].append(-c[r])
        total = n + len(names)
        for i, k in names:
            w = self.tangent(q, i) if k else self.normal(q, i)
            rows.append(list(w) + [mpf(0)] * len(names))
            right.append(-self.bend(q, u, i)[k])
        x = solve(rows, right) if total else []
        if x is None:
            return None
        N, T = [mpf(0)] * self.m, [mpf(0)] * self.m
        for (i, k), v in zip(names, x[n:]):
            if k:
                T[i] = v
            else:
                N[i] = v
                if modes[i] != STICK:
                    T[i] = -modes[i] * self.mu[i] * v
        return x[:n], N, T

    def conditions(self, q, u, modes):
        """What must stay positive: list of (value, contact, kind)."""
        _, N, T = self.accelerate(q, u, modes)
        out = []
        for i in range(self.m):
            if modes[i] == OPEN:
                out.append((self.gap(q, i), i, IMPACT))
                continue
            out.append((N[i], i, LIFTOFF))
            if modes[i] == STICK:
                out.append((self.mu[i] * N[i] - T[i], i, TO_SLIP))
                out.append((self.mu[i] * N[i] + T[i], i, TO_SLIP))
            else:
                out.append((modes[i] * dot(self.tangent(q, i), u), i, TO_STICK))
        return out

    # ---- contact problems, by enumeration

    def impact(self, q, u, closed, notes, eps=None):
        """Newton's law with friction for all closed contacts together; all solutions."""
        n = self.n
        eps = self.eps if eps is None else eps
        M = self.mass(q)
        before = {i: self.velocities(q, u, i) for i in closed}
        found = []
        for modes in itertools.product((OPEN, STICK, PLUS, MINUS), repeat=len(closed)):
            if all(s == OPEN for s in modes):
                continue
            rows, right, names = [list(r) for r in M], [mpf(0)] * n, []
            for i, s in zip(closed, modes):
                wn, wt = self.normal(q, i), self.tangent(q, i)
                cols = [] if s == OPEN else [wn, wt] if s == STICK else [
                    [a - s * self.mu[i] * b for a, b in zip(wn, wt)]]
                names += [] if s == OPEN else [(i, 0), (i, 1)] if s == STICK else [(i, 0)]
                for c in cols:
                    for r in range(n):
                        rows[r].append(-c[r])
            for i, k in names:
                rows.append(list(self.tangent(q, i) if k else self.normal(q, i)) + [mpf(0)] * len(names))
                right.append(-before[i][1] if k else -(1 + eps[i]) * before[i][0])
            x = solve(rows, right)
            if x is None:
                continue
            after = [a + b for a, b in zip(u, x[:n])]
            L = {i: [mpf(0), mpf(0)] for i in closed}
            for (i, k), v in zip(names, x[n:]):
                L[i][k] = v
            good = True
            for i, s in zip(closed, modes):
                gn, gt = self.velocities(q, after, i)
                if s == OPEN:
                    good &= gn + eps[i] * before[i][0] >= -TINY
                else:
                    good &= L[i][0] >= -TINY
                    if s == STICK:
                        good &= abs(L[i][1]) <= self.mu[i] * L[i][0] + TINY
                    else:
                        L[i][1] = -s * self.mu[i] * L[i][0]
                        good &= s * gt >= -TINY
            if good and not any(max(abs(a - b) for a, b in zip(after, f[0])) < TINY * 1e6 for f in found):
                found.append((after, L, modes))
        if len(found) != 1:
            notes.append("impact with %d solutions" % len(found))
        return found

    def states(self, q, u, closed, notes):
        """States of the contacts for the motion that follows; closed ones do not approach. Ties are looked into by
        moving on for a moment."""
        choice = []
        for i in range(self.m):
            if i not in closed:
                choice.append((OPEN,))
                continue
            t = dot(self.tangent(q, i), u)
            choice.append((OPEN, PLUS) if t > TINY else (OPEN, MINUS) if t < -TINY else (OPEN, STICK, PLUS, MINUS))
        found = []
        for modes in itertools.product(*choice):
            sol = self.accelerate(q, u, modes)
            if sol is None:
                continue
            a, N, T = sol
            slack = []
            for i in closed:
                an, at = (dot(w, a) + b for w, b in zip((self.normal(q, i), self.tangent(q, i)), self.bend(q, u, i)))
                if modes[i] == OPEN:
                    slack.append(an)
                else:
                    slack.append(N[i])
                    if modes[i] == STICK:
                        slack.append(self.mu[i] * N[i] - abs(T[i]))
                    elif len(choice[i]) == 4:
                        slack.append(modes[i] * at)
            if all(s >= -TINY * 1e6 for s in slack):
                found.append((modes, all(s > TINY * 1e6 for s in slack)))
        if len(found) == 1:
            return found[0][0]
        held = []
        for modes, sure in found:
            if sure:
                held.append(modes)
                continue
            q2, u2 = self.advance(q, u, modes, SPAN)
            if all(c[0] >= (-TINY if c[1] not in closed or c[2] != IMPACT else self.gap(q, c[1]) - TINY)
                   for c in self.conditions(q2, u2, modes)):
                held.append(modes)
        if len(held) > 1:
            a = [self.accelerate(q, u, modes)[0] for modes in held]
            same = max(abs(x - y) for b in a for x, y in zip(a[0], b)) < TINY * 1e6
            notes.append("%d combinations fit, accelerations %s" % (len(held), "the same" if same else "differ"))
        elif not held:
            notes.append("no state fits")
        return held[0]

    def shown(self, q, u, modes):
        """The states with contacts that neither move nor begin to move along their tangent as stick."""
        a = self.accelerate(q, u, modes)[0]
        still = lambda i: abs(dot(self.tangent(q, i), u)) < TINY and abs(
            dot(self.tangent(q, i), a) + self.bend(q, u, i)[1]) < TINY * 1e6
        return [STICK if m in (PLUS, MINUS) and still(i) else m for i, m in enumerate(modes)]

    # ---- motion with given states

    def rate(self, y, modes):
        n = self.n
        return list(y[n:]) + list(self.accelerate(y[:n], y[n:], modes)[0])

    def advance(self, q, u, modes, h):
        y = (taylor if self.linear else extrapolate)(lambda z: self.rate(z, modes), list(q) + list(u), h)
        return y[:self.n], y[self.n:]


def taylor(rate, y, h):
    """y' = A y + b, exactly: y(h) = y + sum A^k y'(0) h^(k+1)/(k+1)!."""
    term = [x * h for x in rate(y)]
    zero = [mpf(0)] * len(y)
    b = rate(zero)
    y, k = list(y), 1
    for k in range(2, 400):
        y = [a + c for a, c in zip(y, term)]
        if max(abs(x) for x in term) < mpf(10) ** -(mp.dps + 2):
            return y
        r = rate(term)
        term = [(a - c) * h / k for a, c in zip(r, b)]
    raise RuntimeError("series")


def extrapolate(rate, y, h):
    """Gragg's modified midpoint rule, extrapolated (Aitken-Neville, n = 2, 4, 6, ...); splits the step if slow."""
    table, first, tol = [], rate(y), mpf(10) ** (12 - mp.dps)
    for j in range(1, 17):
        n = 2 * j
        s = h / n
        a, b = y, [p + s * r for p, r in zip(y, first)]
        for _ in range(n - 1):
            a, b = b, [p + 2 * s * r for p, r in zip(a, rate(b))]
        row = [[(p + r + s * d) / 2 for p, r, d in zip(a, b, rate(b))]]
        for k in range(1, j):
            f = (mpf(j) / (j - k)) ** 2 - 1
            row.append([p + (p - r) / f for p, r in zip(row[-1], table[-1][k - 1])])
        if j > 2 and max(abs(p - r) / (1 + abs(p)) for p, r in zip(row[-1], row[-2])) < tol:
            return row[-1]
        table.append(row)
    y = extrapolate(rate, y, h / 2)
    return extrapolate(rate, y, h / 2)


def zero(f, a, b, fa, fb):
    """Root in (a, b), fa > 0 > fb: regula falsi after Anderson and Bjorck."""
    for _ in range(200):
        c = (a * fb - b * fa) / (fb - fa)
        fc = f(c)
        if fc == 0 or abs(b - a) < mpf(10) ** (10 - mp.dps):
            return c
        if (fc > 0) != (fb > 0):
            a, fa = b, fb
        else:
            m = 1 - fc / fb
            fa *= m if m > 0 else mpf(1) / 2
        step = abs(c - b)
        b, fb = c, fc
        if step < mpf(10) ** (13 - mp.dps):
            return b
    raise RuntimeError("zero")


class Run:
    """Event by event from (q, u); events: dicts of time, contact, kind, states before and after, q, u, impulses."""

    def __init__(self, system, q, u, snap=None):
        self.s, self.q, self.u, self.t = system, [mpf(x) for x in q], [mpf(x) for x in u], mpf(0)
        self.events, self.notes, self.snap, self.phases = [], [], snap, []
        closed = [i for i in range(system.m) if system.gap(self.q, i) <= TINY]
        self.settle(closed, None, None)

    def settle(self, closed, contact, kind):
        s = self.s
        rates = {i: dot(s.normal(self.q, i), self.u) for i in closed}
        if any(g < -TINY for g in rates.values()):
            contact = contact if contact is not None else min(rates, key=rates.get)
            slow = all(g > -ZENO for g in rates.values())
            kind = CHATTER_END if slow else IMPACT
            sol = s.impact(self.q, self.u, closed, self.notes, [mpf(0)] * s.m if slow else None)
            before = list(self.u)
            self.u, L, pattern = sol[0]
            if self.snap:
                self.snap(self)
            extra = dict(before=before, impulses=L, pattern=dict(zip(closed, pattern)), chatter_end=slow)
        else:
            extra = {}
        stay = [i for i in closed if dot(s.normal(self.q, i), self.u) <= TINY]
        self.modes = s.states(self.q, self.u, stay, self.notes)
        if kind:
            if kind == TO_STICK and self.modes[contact] in (PLUS, MINUS):
                kind = REVERSAL
            self.events.append(dict(t=self.t, contact=contact, kind=kind, modes=self.modes, q=list(self.q),
                                    u=list(self.u), **extra))

    def next(self, t_end):
        """To the next event, or to t_end; True if there was one."""
        s = self.s
        q0, u0 = self.q, self.u
        self.phases.append((self.t, q0, u0, self.modes))
        first, last = True, s.step
        while self.t < t_end:
            h = min(s.step, t_end - self.t, 4 * last)
            if first:  # contacts that just bounced: their flight may be shorter than a step
                a = s.accelerate(self.q, self.u, self.modes)[0]
                for i in range(s.m):
                    if self.modes[i] == OPEN and abs(s.gap(self.q, i)) < TINY:
                        gn = dot(s.normal(self.q, i), self.u)
                        an = dot(s.normal(self.q, i), a) + s.bend(self.q, self.u, i)[0]
                        if gn > 0 > an:
                            h = min(h, -gn / an)
            last = h
            now = s.conditions(self.q, self.u, self.modes)
            q, u = s.advance(self.q, self.u, self.modes, h)
            then = s.conditions(q, u, self.modes)
            hits = []
            for k, (c, d) in enumerate(zip(now, then)):
                if d[0] < 0 and (c[0] > TINY or (not first and c[0] > 0)):
                    def f(x, k=k):
                        return s.conditions(*s.advance(self.q, self.u, self.modes, x), self.modes)[k][0]
                    hits.append((zero(f, mpf(0), h, c[0], d[0]), k))
                elif d[0] < -TINY and first and not (d[2] == IMPACT and d[0] >= c[0] - TINY):
                    if h > mpf(10) ** -9 * s.step:  # positive at first? look closer
                        hits = None
                        break
                    raise RuntimeError("state does not hold: %s" % (c,))
            if hits is None:
                self._shorten(h / 4)
                first = True
                continue
            first = False
            if hits:
                x = min(hits)[0]
                who = [then[k][1:] for y, k in hits if y - x < mpf(10) ** -24]
                self.q, self.u = s.advance(self.q, self.u, self.modes, x)
                self.t += x
                if self.snap:
                    self.snap(self)
                contact, kind = who[0]
                closed = [i for i in range(s.m) if self.modes[i] != OPEN or i in [w[0] for w in who]]
                if len(who) > 1:
                    self.notes.append("t %s: simultaneous %s" % (mp.nstr(self.t, 8), who))
                self.settle(sorted(set(closed)), contact, kind)
                self.events[-1].update(all=who, index=min(hits)[1], phase=len(self.phases) - 1)
                return True
            self.q, self.u, self.t = q, u, self.t + h
        return False

    def _shorten(self, h):
        s = self.s
        for _ in range(120):
            q, u = s.advance(self.q, self.u, self.modes, h)
            if all(d[0] >= -TINY or (d[2] == IMPACT and d[0] >= c[0] - TINY) for c, d in zip(
                    s.conditions(self.q, self.u, self.modes), s.conditions(q, u, self.modes))):
                self.q, self.u, self.t = q, u, self.t + h
                return
            h /= 2
        raise RuntimeError("state does not hold")

    def go(self, t_end, most=10 ** 9):
        t_end = mpf(t_end)
        while self.t < t_end and len(self.events) < most:
            self.next(t_end)
        return self


class Woodpecker(Planar):
    n, m, linear = 3, 3, True
    mu = [mpf("0.3")] * 3
    eps = [mpf("0.5"), mpf(0), mpf(0)]
    step = mpf("5e-4")

    def __init__(self):
        v = lambda x: mpf(x)
        self.rO, self.rM, self.hM, self.lM, self.lG = v("0.0025"), v("0.0031"), v("0.0058"), v("0.010"), v("0.015")
        self.hS, self.lS, mM, mS = v("0.02"), v("0.0201"), v("0.0003"), v("0.0045")
        JM, JS, self.c, g = v("5e-9"), v("7e-7"), v("0.0056"), v("9.81")
        lM, lG = self.lM, self.lG
        self.M = [[mS + mM, mS * lM, mS * lG], [mS * lM, JM + mS * lM ** 2, mS * lM * lG],
                  [mS * lG, mS * lM * lG, JS + mS * lG ** 2]]
        self.h0 = [-(mS + mM) * g, -mS * lM * g, -mS * lG * g]
        z, o = mpf(0), mpf(1)
        self.wn = [[z, z, -self.hS], [z, self.hM, z], [z, -self.hM, z]]
        self.wt = [[o, lM, lG - self.lS], [o, self.rM, z], [o, self.rM, z]]
        self.g0 = [lM + lG - self.lS - self.rO, self.rM - self.rO, self.rM - self.rO]

    def mass(self, q):
        return self.M

    def force(self, q, u):
        m = self.c * (q[1] - q[2])
        return [self.h0[0], self.h0[1] - m, self.h0[2] + m]

    def gap(self, q, i):
        return self.g0[i] + dot(self.wn[i], q)

    def normal(self, q, i):
        return self.wn[i]

    def tangent(self, q, i):
        return self.wt[i]

    def bend(self, q, u, i):
        return mpf(0), mpf(0)


class SliderCrank(Planar):
    n, m = 3, 4
    step = mpf("2e-4")
    along, across = [-1, 1, -1, 1], [1, 1, -1, -1]

    def __init__(self, eps):
        self.l1, self.l2, self.a, self.b, self.c = (mpf(x) for x in ("0.153", "0.306", "0.05", "0.025", "0.001"))
        self.m1, self.m2, self.m3 = mpf("0.038"), mpf("0.038"), mpf("0.076")
        self.J1, self.J2, self.J3, self.g = mpf("7.4e-5"), mpf("5.9e-4"), mpf("2.7e-6"), mpf("9.81")
        self.mu, self.eps = [mpf("0.01")] * 4, [mpf(eps)] * 4
        self.key = None

    def trig(self, q):
        if self.key != (q[0], q[1], q[2]):
            self.key = (q[0], q[1], q[2])
            self.val = [f(x) for x in q for f in (mp.sin, mp.cos)]
        return self.val

    def mass(self, q):
        s1, c1, s2, c2, _, _ = self.trig(q)
        x = (self.m2 / 2 + self.m3) * self.l1 * self.l2 * (c1 * c2 + s1 * s2)
        z = mpf(0)
        return [[self.J1 + (self.m1 / 4 + self.m2 + self.m3) * self.l1 ** 2, x, z],
                [x, self.J2 + (self.m2 / 4 + self.m3) * self.l2 ** 2, z], [z, z, self.J3]]

    def force(self, q, u):
        s1, c1, s2, c2, _, _ = self.trig(q)
        k = (self.m2 / 2 + self.m3) * self.l1 * self.l2 * (s2 * c1 - c2 * s1)
        return [k * u[1] ** 2 - (self.m1 / 2 + self.m2 + self.m3) * self.g * self.l1 * c1,
                -k * u[0] ** 2 - (self.m2 / 2 + self.m3) * self.g * self.l2 * c2, mpf(0)]

    def gap(self, q, i):
        s1, c1, s2, c2, s3, c3 = self.trig(q)
        s = self.across[i]
        return self.b + self.c - s * (self.l1 * s1 + self.l2 * s2 + self.along[i] * self.a * s3) - self.b * c3

    def normal(self, q, i):
        s1, c1, s2, c2, s3, c3 = self.trig(q)
        s = self.across[i]
        return [-s * self.l1 * c1, -s * self.l2 * c2, -s * self.along[i] * self.a * c3 + self.b * s3]

    def tangent(self, q, i):
        s1, c1, s2, c2, s3, c3 = self.trig(q)
        return [-self.l1 * s1, -self.l2 * s2, -self.along[i] * self.a * s3 - self.across[i] * self.b * c3]

    def bend(self, q, u, i):
        s1, c1, s2, c2, s3, c3 = self.trig(q)
        s, r = self.across[i], self.along[i]
        x = [self.l1 * u[0] ** 2, self.l2 * u[1] ** 2, u[2] ** 2]
        return (s * (s1 * x[0] + s2 * x[1] + r * self.a * s3 * x[2]) + self.b * c3 * x[2],
                -c1 * x[0] - c2 * x[1] - (r * self.a * c3 - s * self.b * s3) * x[2])


def symmetric(run):
    """The slider that does not turn: rounding errors of theta_3 and omega_3 are removed."""
    for x in (run.q, run.u):
        if abs(x[2]) < mpf(10) ** -25:
            x[2] = mpf(0)
        else:
            raise RuntimeError("the slider turns")


class Rod(Planar):
    n, m = 3, 2
    step = mpf("2e-3")
    eps = [mpf(0)] * 2

    def __init__(self, mu):
        self.mu, self.J, self.a, self.g = [mpf(mu)] * 2, mpf(1) / 3, mpf(1), mpf("9.81")

    def mass(self, q):
        z, o = mpf(0), mpf(1)
        return [[o, z, z], [z, o, z], [z, z, self.J]]

    def force(self, q, u):
        return [mpf(0), -self.g, mpf(0)]

    def gap(self, q, i):
        return q[1] - (1, -1)[i] * self.a * mp.sin(q[2])

    def normal(self, q, i):
        return [mpf(0), mpf(1), -(1, -1)[i] * self.a * mp.cos(q[2])]

    def tangent(self, q, i):
        return [mpf(1), mpf(0), (1, -1)[i] * self.a * mp.sin(q[2])]

    def bend(self, q, u, i):
        k = (1, -1)[i] * self.a * u[2] ** 2
        return k * mp.sin(q[2]), k * mp.cos(q[2])


# ------------------------------------------------------------------------------------------------ checks

def derived(system, kinetic, potential, q, u, gaps, tangents):
    """Largest difference of the equations above from those that sympy derives, at a point."""
    import sympy as sp
    n = len(q)
    M = sp.hessian(kinetic, u)
    p = [sp.diff(kinetic, x) for x in u]
    h = [sp.diff(kinetic, q[i]) - sp.diff(potential, q[i]) - sum(sp.diff(p[i], q[j]) * u[j] for j in range(n))
         for i in range(n)]
    at = dict(zip(list(q) + list(u), [sp.Rational(x, 97) for x in (31, -17, 23, 211, -157, 83)]))
    value = lambda e: mpf(sp.N(e.subs(at), 45)._mpf_) if hasattr(sp.N(e.subs(at), 45), "_mpf_") else mpf(0)
    Q, U = [value(x) for x in q], [value(x) for x in u]
    worst = mpf(0)

    def compare(mine, theirs):
        nonlocal worst
        worst = max(worst, abs(mine - value(sp.sympify(theirs))) / (1 + abs(mine)))

    for i in range(n):
        compare(system.force(Q, U)[i], h[i])
        for j in range(n):
            compare(system.mass(Q)[i][j], M[i, j])
    for k in range(system.m):
        compare(system.gap(Q, k), gaps[k])
        for e, w, b in ((gaps[k], system.normal(Q, k), system.bend(Q, U, k)[0]),
                        (tangents[k], system.tangent(Q, k), system.bend(Q, U, k)[1])):
            d = [sp.diff(e, x) for x in q]
            for i in range(n):
                compare(w[i], d[i])
            compare(b, sum(sp.diff(d[i], q[j]) * u[i] * u[j] for i in range(n) for j in range(n)))
    return worst


def sympy_checks():
    import sympy as sp
    R = lambda x: sp.Rational(x)
    q, u = sp.symbols("q0:3"), sp.symbols("u0:3")
    der = lambda e: sum(sp.diff(e, a) * b for a, b in zip(q, u))
    half = sp.Rational(1, 2)
    # woodpecker
    yS = q[0] + R("0.01") * q[1] + R("0.015") * q[2]
    beak = q[0] + R("0.01") * q[1] + (R("0.015") - R("0.0201")) * q[2]
    g = R("9.81")
    play = R("0.0006")
    w = derived(Woodpecker(), half * (R("0.0003") * u[0] ** 2 + R("5e-9") * u[1] ** 2 + R("0.0045") * der(yS) ** 2
                + R("7e-7") * u[2] ** 2), R("0.0003") * g * q[0] + R("0.0045") * g * yS
                + half * R("0.0056") * (q[1] - q[2]) ** 2, q, u,
                [R("0.0024") - R("0.02") * q[2], play + R("0.0058") * q[1], play - R("0.0058") * q[1]],
                [beak, q[0] + R("0.0031") * q[1], q[0] + R("0.0031") * q[1]])
    # slider-crank
    l1, l2, a, b, c = R("0.153"), R("0.306"), R("0.05"), R("0.025"), R("0.001")
    S, C = sp.sin, sp.cos
    centres = [(l1 / 2 * C(q[0]), l1 / 2 * S(q[0])), (l1 * C(q[0]) + l2 / 2 * C(q[1]), l1 * S(q[0]) + l2 / 2 * S(q[1])),
               (l1 * C(q[0]) + l2 * C(q[1]), l1 * S(q[0]) + l2 * S(q[1]))]
    m, J = [R("0.038"), R("0.038"), R("0.076")], [R("7.4e-5"), R("5.9e-4"), R("2.7e-6")]
    T = sum(half * m[i] * (der(x) ** 2 + der(y) ** 2) + half * J[i] * u[i] ** 2 for i, (x, y) in enumerate(centres))
    V = sum(m[i] * g * y for i, (x, y) in enumerate(centres))
    corners = [(centres[2][0] + r * a * C(q[2]) - s * b * S(q[2]), centres[2][1] + r * a * S(q[2]) + s * b * C(q[2]), s)
               for r, s in ((-1, 1), (1, 1), (-1, -1), (1, -1))]
    k = derived(SliderCrank("0.4"), T, V, q, u, [b + c - s * y for x, y, s in corners], [x for x, y, s in corners])
    # rod of length 2, mass 1
    r = derived(Rod("1.2"), half * (u[0] ** 2 + u[1] ** 2 + u[2] ** 2 / 3), g * q[1], q, u,
                [q[1] - S(q[2]), q[1] + S(q[2])], [q[0] - C(q[2]), q[0] + C(q[2])])
    return w, k, r


def replay(run, most):
    """The events of a run again, in double precision with DOP853; the states of the contacts are those of the run.
    Largest difference of times and of states, relative to 1 + |x|."""
    s, n = run.s, run.s.n
    digits, mp.dps = mp.dps, 32
    t, y = 0.0, np.array([float(x) for x in list(run.phases[0][1]) + list(run.phases[0][2])])
    late = wrong = 0.0
    try:
        for e in run.events[:most]:
            if "phase" not in e:
                continue
            modes = run.phases[e["phase"]][3]

            def rate(_, z):
                return [float(x) for x in s.rate([mpf(float(v)) for v in z], modes)]

            def left(z):
                z = [mpf(float(v)) for v in z]
                return float(s.conditions(z[:n], z[n:], modes)[e["index"]][0])

            span = float(e["t"]) - t
            to = lambda x: solve_ivp(rate, (0, x), y, method="DOP853", rtol=1e-13, atol=1e-16).y[:, -1]
            x0, x1 = span * (1 - 1e-6), span * (1 + 1e-6)
            f0, f1 = left(to(x0)), left(to(x1))
            for _ in range(8):
                if f1 == f0 or abs(x1 - x0) < 1e-17:
                    break
                x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
                f1 = left(to(x1))
            t, y = t + x1, to(x1)
            if "impulses" in e:
                q = [mpf(v) for v in y[:n]]
                M = np.array(s.mass(q), float)
                cols, rows, right = [], [], []
                for i, p in e["pattern"].items():
                    wn, wt = (np.array(w(q, i), float) for w in (s.normal, s.tangent))
                    if p == OPEN:
                        continue
                    eps = 0.0 if e["chatter_end"] else float(s.eps[i])
                    cols += [wn, wt] if p == STICK else [wn - p * float(s.mu[i]) * wt]
                    rows += [wn, wt] if p == STICK else [wn]
                    right += [-(1 + eps) * wn @ y[n:]] + ([-wt @ y[n:]] if p == STICK else [])
                W, D = np.array(cols).T, np.array(rows)
                y[n:] += np.linalg.solve(M, W @ np.linalg.solve(D @ np.linalg.solve(M, W), right))
            late = max(late, abs(t - float(e["t"])))
            wrong = max(wrong, max(abs(a - float(b)) / (1 + abs(float(b))) for a, b in zip(y, e["q"] + e["u"])))
    finally:
        mp.dps = digits
    return late, wrong


def differences(first, second, most):
    """Largest differences of times and of states between two runs."""
    late = wrong = mpf(0)
    for a, b in zip(sparse(first.events[:most]), sparse(second.events[:most])):
        if (a["kind"], a["contact"], a["modes"]) != (b["kind"], b["contact"], b["modes"]):
            raise RuntimeError("another sequence of events")
        late = max(late, abs(a["t"] - b["t"]))
        wrong = max(wrong, max(abs(x - y) / (1 + abs(x)) for x, y in zip(a["q"] + a["u"], b["q"] + b["u"])))
    return late, wrong


def sparse(events):
    """Without impacts of a chatter that are less than 1e-7 s apart, but for the last."""
    return [e for j, e in enumerate(events) if not (
        0 < j < len(events) - 1 and e["kind"] == IMPACT and events[j + 1]["t"] - e["t"] < 1e-7
        and e["t"] - events[j - 1]["t"] < 1e-6)]


def list_events(key, run, first, last, brief=False):
    """One line an event: time, contact, kind, states after, coordinates and velocities after; impacts have another
    line with normal and tangential impulses of all contacts, events of several contacts at once one with these. Brief:
    sparse ones."""
    s, events = run.s, run.events[first:last]
    for k, e in enumerate(sparse(events) if brief else events):
        out("%s.event.%d" % (key, k + 1), e["t"], e["contact"] + 1, e["kind"],
            *(s.shown(e["q"], e["u"], e["modes"]) if e["kind"] == IMPACT else e["modes"]), *e["q"], *e["u"])
        if "impulses" in e:
            L = [e["impulses"].get(i, [mpf(0), mpf(0)]) for i in range(s.m)]
            out("%s.impulse.%d" % (key, k + 1), *[x for p in L for x in p])
        if len(e.get("all", [])) > 1:
            out("%s.together.%d" % (key, k + 1), *[i + 1 for i, _ in e["all"]])
    for line in run.notes:
        if "simultaneous" not in line:
            say("%s: %s" % (key, line))


# ------------------------------------------------------------------------------------------------ 1 woodpecker

def beak_to_beak(z, step="5e-4"):
    """From just behind an impact of the beak to just behind the next; z: phi_M, v, omega_M, omega_S."""
    s = Woodpecker()
    s.step = mpf(step)
    run = Run(s, [0, z[0], mpf("0.12")], [z[1], z[2], z[3]])
    while not run.events or run.events[-1]["contact"] != 0 or run.events[-1]["kind"] != IMPACT:
        run.next(mpf(1))
    e = run.events[-1]
    return [e["q"][1]] + list(e["u"]), run


def slopes(z, d):
    """Derivatives of the map, central differences."""
    cols = []
    for i in range(4):
        ends = []
        for k in (1, -1):
            x = list(z)
            x[i] += k * d
            ends.append(beak_to_beak(x)[0])
        cols.append([(a - b) / (2 * d) for a, b in zip(*ends)])
    return [[cols[j][i] for j in range(4)] for i in range(4)]


def extremes(run):
    """Least and largest phi_M, phi_S, v, omega_M, omega_S with their times: ends of phases (both sides of impacts) and
    zeros of rates between."""
    s = run.s
    ends = [p[0] for p in run.phases[1:]] + [run.t]
    found = [[] for _ in range(5)]
    pick = lambda y: [y[1], y[2], y[3], y[4], y[5]]
    for (t, q, u, modes), end in zip(run.phases, ends):
        y = list(q) + list(u)
        parts = 24
        h = (end - t) / parts
        for k in range(parts):
            z = taylor(lambda v: s.rate(v, modes), y, h)
            r, r2 = pick(s.rate(y, modes)), pick(s.rate(z, modes))
            for i in range(5):
                found[i] += [(pick(y)[i], t + k * h), (pick(z)[i], t + (k + 1) * h)]
                if abs(r[i]) > 1e-20 and abs(r2[i]) > 1e-20 and r[i] * r2[i] < 0:
                    sign = 1 if r[i] > 0 else -1
                    f = lambda x: sign * pick(s.rate(taylor(lambda v: s.rate(v, modes), y, x), modes))[i]
                    x = zero(f, mpf(0), h, f(mpf(0)), f(h))
                    found[i].append((pick(taylor(lambda v: s.rate(v, modes), y, x))[i], t + k * h + x))
            y = z
    return [(min(f), max(f)) for f in found]


def woodpecker():
    say("1 woodpecker: coordinates y, phi_M, phi_S; velocities v, omega_M, omega_S; contacts beak, lower, upper edge")
    start = [0, "-0.1036", "-0.2788"], ["-0.3411", 0, "-7.4583"]
    say("Start of Table I: the lower edge overlaps by 0.88 micrometres, gap "
        "rate 0; it does not approach, so there is no")
    say("impact at t = 0: it is closed with this gap (slips down) and keeps it until its lift-off.")
    run = Run(Woodpecker(), *start)
    out("woodpecker.start.states", *run.modes)
    marks = [mpf(x) for x in ("0.05", "0.1", "0.2", "0.5", "1")]
    states, upto = [], {}
    for t in marks:
        run.go(t)
        states.append(list(run.q) + list(run.u))
        upto[t] = len(run.events)
    precision(40)
    s = Woodpecker()
    s.step = mpf("3.1e-4")
    again, other = Run(s, *start), []
    for t in marks:
        again.go(t)
        other.append(list(again.q) + list(again.u))
    precision(50)
    list_events("woodpecker.start", run, 0, upto[marks[2]])
    for t, x in zip(marks, states):
        out("woodpecker.at", t, *x)
    out("woodpecker.at.events", upto[marks[-1]])
    worst = max(abs(a - b) for x, y in zip(states, other) for a, b in zip(x, y))
    d, r = differences(run, again, 999), replay(run, 999)
    say("errors: times and states of the events up to t = 1, 40 against 50 digits; DOP853")
    out("woodpecker.start.error", max(d[0], d[1], worst), max(r))

    z = [e for e in run.events if e["contact"] == 0][-1]
    z = [z["q"][1]] + list(z["u"])
    for k in range(12):
        if k in (0, 2):
            J = slopes(z, mpf("1e-10"))
        f = beak_to_beak(z)[0]
        dz = solve([[J[i][j] - (i == j) for j in range(4)] for i in range(4)], [a - b for a, b in zip(z, f)])
        z = [a + b for a, b in zip(z, dz)]
        if max(abs(x) for x in dz) < mpf(10) ** -28:
            break
    closure, run = beak_to_beak(z)
    say("limit cycle, from just behind an impact of the beak (phi_S = 0.12) to the next; y from there")
    out("woodpecker.cycle.period", run.t)
    out("woodpecker.cycle.descent", -run.q[0])
    out("woodpecker.cycle.start", 0, z[0], mpf("0.12"), *z[1:])
    list_events("woodpecker.cycle", run, 0, 99)
    say("least, largest, time of the least, of the largest (both sides of "
        "impacts count; phi_M is at its least from event 4 to")
    say("7 and at event 3, at its largest from event 1 to 2 and at event 8: the times are one of these)")
    ext = extremes(run)
    for name, (a, b) in zip(("phi_M", "phi_S", "v", "omega_M", "omega_S"), ext):
        out("woodpecker.cycle.range." + name, a[0], b[0], a[1], b[1])
    out("woodpecker.cycle.closure", max(abs(a - b) for a, b in zip(closure, z)))
    precision(40)
    again = beak_to_beak(z, "3.1e-4")[1]
    precision(50)
    d, r = differences(run, again, 99), replay(run, 99)
    out("woodpecker.cycle.error", max(d), max(r))

    say("Floquet multipliers of the map from beak to beak (phi_M, v, omega_M, "
        "omega_S), central differences 1e-8, 1e-10;")
    say("all but one are 0: in stick of the lower edge only phi_S, omega_S are left, and its end fixes one of them")
    both = []
    for d in ("1e-8", "1e-10"):
        J = slopes(z, mpf(d))
        ev = mp.eig(mp.matrix(J), left=False, right=False)
        both.append(sorted(ev, key=lambda x: -abs(x)))
    out("woodpecker.floquet", mp.re(both[1][0]))
    out("woodpecker.floquet.others", *[abs(x) for x in both[1][1:]])
    out("woodpecker.floquet.error", abs(both[0][0] - both[1][0]))
    for i, row in enumerate(J):
        out("woodpecker.floquet.row.%d" % (i + 1), *row)


# ------------------------------------------------------------------------------------------------ 2 slider-crank

def slider_crank():
    say("2 slider-crank: coordinates theta_1, theta_2, theta_3 and their "
        "velocities; contacts 1 rear upper, 2 front upper,")
    say("3 rear lower, 4 front lower corner; mu 0.01. Printed start: the "
        "slider does not turn, both corners of a face hit,")
    say("lift and reverse at once (one contact problem, one solution); "
        "rounding errors of theta_3, omega_3 are set to 0.")
    say("Restitutions of the paper: 0.1, 0.4, 0.6, 0.9; further 0, 0.7. Two crank turns, 0.084 s; chatters in brief.")
    for name in ("0.0", "0.1", "0.4", "0.6", "0.7", "0.9"):
        key = "slider-crank.eN" + name
        marks = ["0.01", "0.02", "0.04", "0.06", "0.08", "0.084"]
        states, runs = [], []
        for digits, step in ((50, "2e-4"), (40, "1.3e-4")):
            precision(digits)
            s = SliderCrank(name)
            s.step = mpf(step)
            run = Run(s, [0, 0, 0], [150, -75, 0], symmetric)
            now = []
            for t in marks:
                run.go(t)
                now.append(list(run.q) + list(run.u))
            states.append(now)
            runs.append(run)
        precision(50)
        list_events(key, runs[0], 0, 9999, brief=True)
        for t, x in zip(marks, states[0]):
            out(key + ".at", mpf(t), *x)
        ends = [e for e in runs[0].events if e.get("chatter_end")]
        if ends:
            out(key + ".chatter", *[e["t"] for e in ends])
        worst = max(abs(a - b) for x, y in zip(*states) for a, b in zip(x, y))
        out(key + ".events", len(runs[0].events))
        r = replay(runs[0], 8)
        say("errors of times and of states (relative): 40 digits, all events (what its end of chatters costs); DOP853,")
        say("first 8 events (in a chatter it is rounding of the gap in double precision)")
        out(key + ".error", *differences(*runs, 9999), *r)
        out(key + ".at.error", worst)
    turning()


def turning():
    """The start with omega_3 = 1 (and 1e-6): corners 2 and 1 hit in turn, faster and faster."""
    for w, key, more in (("1", "slider-crank.turning", (52, 44)), ("1e-6", "slider-crank.turning_1e-6", (30, 24))):
        runs, ends = [], []
        for digits, many in zip((50, 40), more):
            precision(digits)
            s = SliderCrank("0.4")
            run = Run(s, [0, 0, 0], [150, -75, w]).go("0.02", many)
            # the rest of the geometric series of times, then both corners at rest against the guide
            t = [e["t"] for e in run.events]
            ratio = (t[-1] - t[-2]) / (t[-2] - t[-3])
            end = t[-1] + (t[-1] - t[-2]) * ratio / (1 - ratio)
            run.q, run.u = s.advance(run.q, run.u, run.modes, end - t[-1])
            run.t = end
            sol = s.impact(run.q, run.u, [0, 1], run.notes, [mpf(0)] * 4)
            run.u = sol[0][0]
            runs.append(run)
            ends.append((end, list(run.q) + list(run.u), ratio))
        precision(50)
        if w == "1":
            say("Start with omega_3 = 1 rad/s, eN 0.4: corners 2, 1, 2, 1, ... hit one "
                "at a time. Times of flight shrink by")
            say("0.448, normal velocities by 0.945 only an impact: the impacts "
                "accumulate after 0.16 ms while velocities of")
            say("1 m/s still die out over hundreds of impacts, whose gaps are far "
                "below 1e-16 m. Behind the accumulation both")
            say("corners rest at the guide: the velocities are those of an impact of both corners with eN = 0.")
        list_events(key, runs[0], 0, 12)
        out(key + ".accumulation", ends[0][0], *ends[0][1])
        out(key + ".ratio_of_flights", ends[0][2])
        e = runs[0].events
        n = [[dot(s.normal(x["q"], i), x["u"]) for i in (0, 1)] for x in e[-3:]]
        out(key + ".ratio_of_velocities", mp.sqrt(abs(n[2][1] / n[0][1])) if n[0][1] else 0)
        d = differences(*runs, 12)
        out(key + ".error", *d, *replay(runs[0], 12))
        out(key + ".accumulation.error", abs(ends[0][0] - ends[1][0]),
            max(abs(a - b) for a, b in zip(ends[0][1], ends[1][1])))


# ------------------------------------------------------------------------------------------------ 3 ball and spheres

CENTRES, RADII, INERTIA, MU, SPIN = np.array([[0, 0, 0], [0, 11.4, 0]]), (11.0, 10.0), 0.4, 0.2, 0.3
PULL = np.array([1, 2.6, -9.81])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def contact(x, i):
    """Normal, its rate, tangential velocity of the contact point (vector), velocity about the normal."""
    d = x[:3] - CENTRES[i]
    n = d / np.sqrt(d @ d)
    v, w = x[3:6], x[6:9]
    rate = (v - n * (n @ v)) / np.sqrt(d @ d)
    c = v - cross(w, n)
    return n, rate, c - n * (n @ c), w @ n


def ball(x, modes, fixed=None, eta=0.0):
    """Accelerations and forces (normal, along t = e_y x n, along o = n x t, moment about n) for states 0 open, 1 slip,
    2 roll of both contacts; fixed: direction of slip (tangential vector, spin) to take where it is 0/0."""
    v, w = x[3:6], x[6:9]
    cols, rows, right, where = [], [], [], []
    zero3 = np.zeros(3)
    frames = {}
    for i in range(2):
        if not modes[i]:
            continue
        n, rate, c, spin = contact(x, i)
        t = cross(np.array([0, 1.0, 0]), n)
        t = t / np.sqrt(t @ t)
        o = cross(n, t)
        frames[i] = n, t, o
        rows.append(np.concatenate([n, zero3]))
        right.append(-(v @ rate))
        if modes[i] == 2:
            own = [np.concatenate([d, -cross(n, d)]) for d in (t, o)] + [np.concatenate([zero3, n])]
            rows += own
            right += [t @ cross(w, rate), o @ cross(w, rate), -(w @ rate)]
            cols += [np.concatenate([n, zero3])] + own
            where += [(i, k) for k in range(4)]
        else:
            if fixed is not None and i in fixed:
                c, spin = fixed[i]
            size = np.sqrt(c @ c + SPIN ** 2 * spin * spin + eta * eta)
            f, m = -MU * c / size, -MU * SPIN ** 2 * spin / size
            cols.append(np.concatenate([n + f, m * n - cross(n, f)]))
            where.append((i, (f @ t, f @ o, m)))
    k = len(cols)
    K = np.zeros((6 + k, 6 + k), dtype=np.asarray(x).dtype)
    K[:6, :6] = np.diag([1, 1, 1, INERTIA, INERTIA, INERTIA])
    if k:
        K[:6, 6:], K[6:, :6] = -np.array(cols).T, np.array(rows)
    s = np.linalg.solve(K, np.concatenate([PULL, zero3, right]))
    forces = np.zeros((2, 4), dtype=K.dtype)
    for (i, what), value in zip(where, s[6:]):
        if isinstance(what, int):
            forces[i, what] = value
        else:
            forces[i] = np.array([1.0, *what]) * value
    return s[:6], forces


def used(forces, i):
    """Friction over its bound."""
    f = forces[i]
    return np.sqrt(f[1] ** 2 + f[2] ** 2 + (f[3] / SPIN) ** 2) / (MU * f[0])


def ball_rate(x, modes):
    return np.concatenate([x[3:6], ball(x, modes)[0]])


def radau(s):
    """Points in (0, 1], the last at 1, and the integrals of their Lagrange polynomials, made with 40 digits."""
    with mp.workdps(40):
        p = lambda k, x: mp.legendre(k, x)
        f = lambda x: (p(s, x) - p(s - 1, x)) / (1 - x)
        start = np.sort(np.real(np.polynomial.legendre.legroots([0] * (s - 1) + [-1, 1])))[:-1]
        points = [(mp.findroot(f, mpf(x)) + 1) / 2 for x in start] + [mpf(1)]
        V = mp.matrix(s, s)
        I = mp.matrix(s, s)
        for i in range(s):
            for k in range(s):
                V[i, k] = points[i] ** k
                I[i, k] = points[i] ** (k + 1) / (k + 1)
        A = I * V ** -1
        return np.array([float(x) for x in points]), np.array([[float(A[i, j]) for j in range(s)] for i in range(s)])


def collocate(x0, h, modes, scheme, guess):
    """States at Radau's points of a step h; Newton's method, derivatives by complex steps."""
    points, A = scheme
    s, n = len(points), len(x0)
    X = np.array([guess(p * h) for p in points])
    for _ in range(30):
        F = np.array([ball_rate(x, modes) for x in X])
        res = X - x0 - h * A @ F
        Js = []
        for x in X:
            J = np.zeros((n, n))
            for k in range(n):
                z = x.astype(complex)
                z[k] += 1e-30j
                J[:, k] = ball_rate(z, modes).imag / 1e-30
            Js.append(J)
        big = np.eye(s * n)
        for i in range(s):
            for j in range(s):
                big[i * n:(i + 1) * n, j * n:(j + 1) * n] -= h * A[i, j] * Js[j]
        step = np.linalg.solve(big, res.ravel()).reshape(s, n)
        X = X - step
        if abs(step).max() < 3e-15 * 10:
            break
    else:
        raise RuntimeError("collocation: %g" % abs(step).max())
    return X


def travel(x0, span, modes, scheme, h, f, guess=None):
    """Steps of length h (the first with its own guess) until f(x) < 0; the time and the state there."""
    t, x = 0.0, np.array(x0)
    while t < span:
        def simple(p, x=x):
            return solve_ivp(lambda _, z: ball_rate(z, modes), (0, p), x, method="DOP853", rtol=1e-8,
                             atol=1e-10).y[:, -1]
        g = guess if guess is not None and t == 0 else simple
        end = collocate(x, h, modes, scheme, g)[-1]
        if f(end) < 0:
            value = lambda y: f(collocate(x, y, modes, scheme, g)[-1])
            y = brentq(value, h * 1e-3, h, xtol=1e-16, rtol=1e-15)
            return t + y, collocate(x, y, modes, scheme, g)[-1]
        t, x = t + h, end
    raise RuntimeError("no event")


def ball_motion(points, h, show=False):
    scheme = radau(points)
    y = (11.0 ** 2 - 10.0 ** 2 + 11.4 ** 2) / 22.8
    x = np.array([0, y, math.sqrt(121 - y * y), 0, 0, 0, 0, 0, 0])
    # accelerations at the start: contact 2 rolls, contact 1 slips in the direction of its acceleration
    a = np.array([0.5, 0, 0, 0, 0.4, 0.2])
    for _ in range(200):
        n = contact(x, 0)[0]
        c = a[:3] - cross(a[3:], n)
        a, forces = ball(x, (1, 2), {0: (c, a[3:] @ n)})
    res = dict(start=(x, a, forces))
    go = lambda s: np.concatenate([x[:3] + a[:3] * s * s / 2, a * s])
    t1, x1 = travel(x, 5, (1, 2), scheme, h, lambda z: 1 - used(ball(z, (1, 2))[1], 1), go)
    res["slip"] = t1, x1, ball(x1, (1, 2))[1]
    res["slip_open"] = ball(x1, (1, 2))[1]
    # first step of slip at contact 2: regularised friction as a guess
    sol = solve_ivp(lambda _, z: np.concatenate([z[3:6], ball(z, (1, 1), None, 1e-9)[0]]), (0, 0.5 * h), x1,
                    method="Radau", rtol=1e-8, atol=1e-12, dense_output=True)
    f1 = lambda z: ball(z, (1, 1))[1][0, 0]
    X = collocate(x1, 0.5 * h, (1, 1), scheme, sol.sol)[-1]
    t2, x2 = travel(X, 5, (1, 1), scheme, h, f1)
    t2 += t1 + 0.5 * h
    res["lost1"] = t2, x2, ball(x2, (0, 1))[1]
    t3, x3 = travel(x2, 5, (0, 1), scheme, h, lambda z: ball(z, (0, 1))[1][1, 0])
    res["lost2"] = t2 + t3, x3, ball(x3, (0, 1))[1]
    return res


def ball_states(rows, points, h, marks):
    """States at given times."""
    scheme = radau(points)
    x, a, _ = rows["start"]
    found = []
    for t in marks:
        if t < rows["slip"][0]:
            begin, z, modes, guess = 0.0, x, (1, 2), lambda s: np.concatenate([x[:3] + a[:3] * s * s / 2, a * s])
        elif t < rows["lost1"][0]:
            z, begin, modes = rows["slip"][1], rows["slip"][0], (1, 1)
            guess = solve_ivp(lambda _, y: np.concatenate([y[3:6], ball(y, modes, None, 1e-9)[0]]), (0, 0.3), z,
                              method="Radau", rtol=1e-8, atol=1e-12, dense_output=True).sol
        else:
            z, begin, modes, guess = rows["lost1"][1], rows["lost1"][0], (0, 1), None
        parts = math.ceil((t - begin) / h)
        step = (t - begin) / parts
        for k in range(parts):
            g = guess if guess is not None and k == 0 else lambda p, z=z: solve_ivp(
                lambda _, y: ball_rate(y, modes), (0, p), z, method="DOP853", rtol=1e-8, atol=1e-10).y[:, -1]
            z = collocate(z, step, modes, scheme, g)[-1]
        found.append(z)
    return found


def regularised(eta):
    """Friction mu N s / sqrt(s^2 + eta^2): times at which the contacts are lost."""
    y = (11.0 ** 2 - 10.0 ** 2 + 11.4 ** 2) / 22.8
    x, t, modes, times = np.array([0, y, math.sqrt(121 - y * y), 0, 0, 0, 0, 0, 0]), 0.0, (1, 1), []
    for i in range(2):
        def left(_, z, i=i, modes=modes):
            return ball(z, modes, None, eta)[1][i, 0]
        left.terminal, left.direction = True, -1
        s = solve_ivp(lambda _, z: np.concatenate([z[3:6], ball(z, modes, None, eta)[0]]), (t, 5), x, method="Radau",
                      rtol=1e-9, atol=1e-11, events=[left])
        t, x, modes = s.t[-1], s.y[:, -1], (0, 1)
        times += [t, x]
    return times


def sphere_in_groove():
    say("3 ball between spheres: position, velocity of the centre, angular "
        "velocity (in space); contacts 1 with the sphere of")
    say("radius 10 (about the origin), 2 with that of radius 9. Friction: f_t^2 + f_o^2 + (m/0.3)^2 <= (0.2 N)^2.")
    say("Rolling at both contacts (8 equations) means a ball at rest: v = w x "
        "n1 = w x n2, w.n1 = w.n2 = 0 has no other")
    say("solution. Forces at rest would be indeterminate (8 unknowns, rank 6), "
        "but none of them is within both bounds: the")
    say("least excess max |f|_e - mu N over the two free parameters is the "
        "positive number 'excess'. So at least one contact")
    say("slips at once. Both have the acceleration along o in common, a_o = "
        "angular acceleration about t, and friction of a")
    say("contact that slips opposes it: a_o = 0, f_o = 0, and the normal "
        "forces follow from gravity alone. With these the")
    say("accelerations are the minimum of a strictly convex function (Gauss): "
        "unique. Contact 2 rolls, contact 1 slips;")
    say("from then on all forces are determined, N at both contacts and three components of friction at contact 2.")
    rows = ball_motion(14, 0.1)
    coarse, fine = ball_motion(10, 0.1), ball_motion(12, 0.06)
    x, a, forces = rows["start"]
    # equilibrium: forces of the null space
    W = []
    for i in range(2):
        n = contact(x, i)[0]
        t = np.array([1.0, 0, 0])
        o = cross(n, t)
        W += [np.r_[n, 0, 0, 0], np.r_[t, -cross(n, t)], np.r_[o, -cross(n, o)], np.r_[0, 0, 0, n]]
    W = np.array(W).T
    f0 = np.linalg.lstsq(W, -np.r_[PULL, 0, 0, 0], rcond=None)[0]
    null = np.linalg.svd(W)[2][6:].T
    from scipy.optimize import minimize

    def excess(p):
        f = f0 + null @ p
        return max(math.sqrt(f[k + 1] ** 2 + f[k + 2] ** 2 + (f[k + 3] / SPIN) ** 2) - MU * f[k] for k in (0, 4))
    rng = np.random.default_rng(1)
    best = min((minimize(excess, 5 * rng.normal(size=2), method="Nelder-Mead",
                         options=dict(xatol=1e-10, fatol=1e-13, maxiter=9999)) for _ in range(12)), key=lambda r: r.fun)
    out("groove.rest.excess", best.fun)
    out("groove.start.acceleration", *a)
    say("forces: N, along t = e_y x n, along o = n x t, moment about n; contact 1, contact 2")
    out("groove.start.forces", *forces.ravel())
    out("groove.start.friction_used", used(forces, 0), used(forces, 1))
    say("transitions: time, position, velocity, angular velocity; forces of both contacts")
    for name, what in (("slip", "contact 2 stops rolling"), ("lost1", "contact 1 is lost"),
                       ("lost2", "contact 2 is lost")):
        say(what)
        t, z, f = rows[name]
        out("groove.%s" % name, t, *z)
        out("groove.%s.forces" % name, *f.ravel())
        out("groove.%s.error" % name, *[max(abs(t - r[name][0]) for r in (coarse, fine)),
                                         max(abs(z - r[name][1]).max() for r in (coarse, fine))])
    marks = [0.1, 0.5, 1.0, 2.0, 2.5, 3.0, 3.2, 3.5]
    found, other = ball_states(rows, 14, 0.1, marks), ball_states(rows, 11, 0.07, marks)
    for t, z in zip(marks, found):
        out("groove.at", t, *z)
    out("groove.at.error", max(abs(a - b).max() for a, b in zip(found, other)))
    say("DOP853 from 1e-6 s (contact 2 rolls) to the first transition: differences of time and state")
    e = 1e-6
    stop = lambda _, z: 1 - used(ball(z, (1, 2))[1], 1)
    stop.terminal = True
    s = solve_ivp(lambda _, z: ball_rate(z, (1, 2)), (e, 4), np.concatenate([x[:3] + a[:3] * e * e / 2, a * e]),
                  method="DOP853", rtol=1e-13, atol=1e-15, events=[stop])
    out("groove.slip.dop853", abs(s.t_events[0][0] - rows["slip"][0]), abs(s.y_events[0][0] - rows["slip"][1]).max())
    say("friction regularised, eta 1e-4, 1e-5, 1e-6: differences of time and state at lost1, at lost2 (go as eta)")
    for eta in (1e-4, 1e-5, 1e-6):
        r = regularised(eta)
        out("groove.regularised", eta, abs(r[0] - rows["lost1"][0]), abs(r[1] - rows["lost1"][1]).max(),
            abs(r[2] - rows["lost2"][0]), abs(r[3] - rows["lost2"][1]).max())
    say("The gap of contact 1 opens for good: it is positive all the way from lost1 to lost2; then the ball flies.")


# ------------------------------------------------------------------------------------------------ 4, 5 rod, ball

def painleve_rod():
    say("4 rod, mu = 1.2 < 4/3: does not jam; coordinates x, y, theta and their velocities; contacts tip, top")
    runs, states = [], []
    marks = [mpf(x) for x in ("0.005", "0.1", "0.3", "0.5", "0.8", "1.2")]
    for digits, step in ((50, "2e-3"), (40, "1.3e-3")):
        precision(digits)
        s = Rod("1.2")
        s.step = mpf(step)
        run = Run(s, [mp.cos(mp.atan(2)), mp.sin(mp.atan(2)), mp.atan(2)], [-1, 0, 0])
        if digits == 50:
            _, N, T = s.accelerate(run.q, run.u, run.modes)
            out("rod.start.states", *run.modes)
            out("rod.start.forces", N[0], T[0])
        now = []
        for t in marks:
            run.go(t)
            now.append(list(run.q) + list(run.u))
        runs.append(run)
        states.append(now)
    precision(50)
    say("event 3: the rod lies down and is at rest; only the sum of the two "
        "tangential impulses is determined (and the sum of")
    say("the friction forces behind), for both ends share the line of the table")
    list_events("rod", runs[0], 0, 99)
    for t, x in zip(marks, states[0]):
        out("rod.at", t, *x)
    out("rod.error", *differences(*runs, 99), *replay(runs[0], 99))
    out("rod.at.error", max(abs(a - b) for x, y in zip(*states) for a, b in zip(x, y)))


def bouncing_ball():
    say("5 bouncing ball, closed form: y = 1, eN = 0.7; impacts at sqrt(2/g) (1 + 2 (e + ... + e^(k-1))), speeds after")
    say("e^k sqrt(2 g), at rest after sqrt(2/g) (1 + e)/(1 - e)")
    g, e = mpf("9.81"), mpf("0.7")
    fall = mp.sqrt(2 / g)
    for k in range(1, 9):
        out("ball.impact.%d" % k, fall * (1 + 2 * sum(e ** j for j in range(1, k))), e ** k * mp.sqrt(2 * g))
    out("ball.rest", fall * (1 + e) / (1 - e))


def main():
    parts = [woodpecker, slider_crank, sphere_in_groove, painleve_rod, bouncing_ball]
    chosen = [int(x) for x in sys.argv[1:]] or range(1, len(parts) + 1)
    if not sys.argv[1:]:
        say("Written by event_reference.py, which tells what the numbers of a line are and how they were made")
        say("largest relative difference of the equations from sympy's: woodpecker, slider-crank, rod")
        out("equations.error", *sympy_checks())
    for k in chosen:
        parts[k - 1]()


if __name__ == "__main__":
    main()
