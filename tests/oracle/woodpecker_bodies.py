#!/usr/bin/python3
"""Event-driven integration of the woodpecker toy with exact kinematics, as models/woodpecker-bodies.yaml has it, in the three
coordinates (y, phi_M, phi_S) of Glocker & Studer (2005), section 4. Runge-Kutta of eighth order between events, events as
roots, contact states by trying all of them. Shares nothing with Picus. SI units; contacts 0 beak, 1 lower, 2 upper edge.

Kinematics: "exact"; "linear": the paper's, mass matrix and directions constant; "second": the paper's masses and forces, but
gaps and sliding displacements to second order in the angles, so that the directions are right to first order.

usage: woodpecker_bodies.py [exact|linear|second [scale ...]]   prints the limit cycle
scale shrinks play, stop of the beak and gravity together: angles shrink with it, the linear motion stays similar.
Needs numpy and scipy.
"""

import itertools
import math
import sys

import numpy as np
from scipy.integrate import solve_ivp

RM, HM, LM, LG, HS = 0.0031, 0.0058, 0.010, 0.015, 0.02
MM, MS, JM, JS, CPHI = 0.0003, 0.0045, 5.0e-9, 7.0e-7, 0.0056
EN, MU = (0.5, 0.0, 0.0), 0.3
OPEN, STICK, PLUS, MINUS = range(4)
SIGN = {PLUS: 1.0, MINUS: -1.0}
ACTIVE, TINY = 1e-10, 1e-9


class Toy:
    def __init__(self, kind="exact", scale=1.0):
        self.kind, self.s = kind, scale
        self.rO = RM - 0.0006 * scale
        self.lS = LM + LG - self.rO - 0.0024 * scale if scale != 1 else 0.0201
        self.g = 9.81 * scale
        self.events = []

    def dynamics(self, q, u):
        if self.kind == "exact":
            cM, sM, cS, sS = math.cos(q[1]), math.sin(q[1]), math.cos(q[2]), math.sin(q[2])
            cD, sD = math.cos(q[1] - q[2]), math.sin(q[1] - q[2])
        else:
            cM = cS = cD = 1.0
            sM = sS = sD = 0.0
        M = np.array([[MM + MS, MS * LM * cM, MS * LG * cS], [MS * LM * cM, JM + MS * LM**2, MS * LM * LG * cD],
                      [MS * LG * cS, MS * LM * LG * cD, JS + MS * LG**2]])
        torque = CPHI * (q[1] - q[2])
        h = np.array([-self.g * (MM + MS) + MS * (LM * sM * u[1]**2 + LG * sS * u[2]**2),
                      -self.g * MS * LM * cM - torque - MS * LM * LG * sD * u[2]**2,
                      -self.g * MS * LG * cS + torque + MS * LM * LG * sD * u[1]**2])
        return M, h

    def contacts(self, q, u):
        """gaps, w_N, w_T and dw_N/dt u, dw_T/dt u"""
        a, p, f = LG - self.lS, q[1], q[2]
        if self.kind == "exact":
            cM, sM, cS, sS = math.cos(p), math.sin(p), math.cos(f), math.sin(f)
            g = [LM * cM + a * cS - HS * sS - self.rO, RM * cM + HM * sM - self.rO, RM * cM - HM * sM - self.rO]
            WN = [[0, -LM * sM, -a * sS - HS * cS], [0, -RM * sM + HM * cM, 0], [0, -RM * sM - HM * cM, 0]]
            WT = [[1, LM * cM, a * cS - HS * sS], [1, RM * cM + HM * sM, 0], [1, RM * cM - HM * sM, 0]]
            dN = [-LM * cM * u[1]**2 + (-a * cS + HS * sS) * u[2]**2, (-RM * cM - HM * sM) * u[1]**2,
                  (-RM * cM + HM * sM) * u[1]**2]
            dT = [-LM * sM * u[1]**2 + (-a * sS - HS * cS) * u[2]**2, (-RM * sM + HM * cM) * u[1]**2,
                  (-RM * sM - HM * cM) * u[1]**2]
        else:
            k = 1.0 if self.kind == "second" else 0.0
            g = [LM + a - self.rO - HS * f - k * (LM * p**2 + a * f**2) / 2, RM - self.rO + HM * p - k * RM * p**2 / 2,
                 RM - self.rO - HM * p - k * RM * p**2 / 2]
            WN = [[0, -k * LM * p, -HS - k * a * f], [0, HM - k * RM * p, 0], [0, -HM - k * RM * p, 0]]
            WT = [[1, LM, a - k * HS * f], [1, RM + k * HM * p, 0], [1, RM - k * HM * p, 0]]
            dN = [-k * (LM * u[1]**2 + a * u[2]**2), -k * RM * u[1]**2, -k * RM * u[1]**2]
            dT = [-k * HS * u[2]**2, k * HM * u[1]**2, -k * HM * u[1]**2]
        return np.array(g), np.array(WN, float), np.array(WT, float), np.array(dN), np.array(dT)

    def solve(self, mode, q, u):
        """Accelerations and {contact: (lambda_N, lambda_T)} of a mode; None where it has none."""
        M, h = self.dynamics(q, u)
        g, WN, WT, dN, dT = self.contacts(q, u)
        F, G, b, key = [], [], [], []
        for i, s in enumerate(mode):
            if s != OPEN:
                F.append(WN[i] - SIGN.get(s, 0.0) * MU * WT[i])
                G.append(WN[i])
                b.append(-dN[i])
                key.append((i, 0))
            if s == STICK:
                F.append(WT[i])
                G.append(WT[i])
                b.append(-dT[i])
                key.append((i, 1))
        a0 = np.linalg.solve(M, h)
        if not key:
            return a0, {}
        F, G = np.array(F), np.array(G)
        X = np.linalg.solve(M, F.T)
        D = G @ X
        if np.linalg.matrix_rank(D, 1e-9 * np.abs(D).max()) < len(key):
            return None
        L = np.linalg.solve(D, np.array(b) - G @ a0)
        values = dict(zip(key, L))
        return a0 + X @ L, {i: (values[i, 0], values[i, 1] if s == STICK else -SIGN[s] * MU * values[i, 0])
                            for i, s in enumerate(mode) if s != OPEN}

    def next_mode(self, q, u, leaves=None):
        """leaves: a contact whose sticking has just ended"""
        g, WN, WT, dN, dT = self.contacts(q, u)
        choices = []
        for i in range(3):
            closed = g[i] < ACTIVE and WN[i] @ u < TINY
            slip = WT[i] @ u
            choices.append((OPEN,) if not closed else
                           (OPEN, STICK, PLUS, MINUS) if abs(slip) < TINY else (OPEN, PLUS if slip > 0 else MINUS))
        found = []
        for mode in itertools.product(*choices):
            if leaves is not None and mode[leaves] == STICK:
                continue
            answer = self.solve(mode, q, u)
            if answer is None:
                continue
            a, force = answer
            ok = True
            for i in range(3):
                if len(choices[i]) == 1:
                    continue
                if mode[i] == OPEN:
                    ok &= WN[i] @ a + dN[i] > -1e-7 * self.s
                else:
                    ok &= force[i][0] > -1e-10 * self.s
                    if mode[i] == STICK:
                        ok &= abs(force[i][1]) <= MU * force[i][0] * (1 + 1e-9) + 1e-13
                    elif len(choices[i]) == 4:
                        ok &= SIGN[mode[i]] * (WT[i] @ a + dT[i]) > -1e-7 * self.s
            if ok:
                found.append(mode)
        assert found, "no mode"
        return min(found, key=lambda m: sum(s != OPEN for s in m))

    def impact(self, q, u):
        M, _ = self.dynamics(q, u)
        g, WN, WT, _, _ = self.contacts(q, u)
        closed = [i for i in range(3) if g[i] < ACTIVE]
        for states in itertools.product((OPEN, STICK, PLUS, MINUS), repeat=len(closed)):
            F, G, b, key = [], [], [], []
            for i, s in zip(closed, states):
                if s != OPEN:
                    F.append(WN[i] - SIGN.get(s, 0.0) * MU * WT[i])
                    G.append(WN[i])
                    b.append(-(1 + EN[i]) * (WN[i] @ u))
                    key.append((i, 0))
                if s == STICK:
                    F.append(WT[i])
                    G.append(WT[i])
                    b.append(-(WT[i] @ u))
                    key.append((i, 1))
            new, values = u.copy(), {}
            if key:
                F, G = np.array(F), np.array(G)
                X = np.linalg.solve(M, F.T)
                D = G @ X
                if np.linalg.matrix_rank(D, 1e-9 * np.abs(D).max()) < len(key):
                    continue
                L = np.linalg.solve(D, np.array(b))
                values = dict(zip(key, L))
                new = u + X @ L
            ok = True
            for i, s in zip(closed, states):
                ok &= WN[i] @ (new + EN[i] * u) > -1e-12
                if s == OPEN:
                    continue
                LN = values[i, 0]
                ok &= LN > -1e-16
                if s == STICK:
                    ok &= abs(values[i, 1]) <= MU * LN + 1e-16
                else:
                    ok &= SIGN[s] * (WT[i] @ new) > -1e-12
            if ok:
                return new
        raise AssertionError("no impact")

    def project(self, mode, q, u):
        for _ in range(3):
            M, _ = self.dynamics(q, u)
            g, WN, _, _, _ = self.contacts(q, u)
            rows = [i for i in range(3) if mode[i] != OPEN]
            if not rows:
                return q, u
            G = WN[rows]
            X = np.linalg.solve(M, G.T)
            q = q - X @ np.linalg.lstsq(G @ X, g[rows], rcond=None)[0]
        M, _ = self.dynamics(q, u)
        _, WN, WT, _, _ = self.contacts(q, u)
        G = np.array([WN[i] for i in rows] + [WT[i] for i in rows if mode[i] == STICK])
        X = np.linalg.solve(M, G.T)
        return q, u - X @ np.linalg.lstsq(G @ X, G @ u, rcond=None)[0]

    def to_peck(self, q, u):
        """Runs to the state behind the next impact of the beak: time, q, u, extremes of phi_M and phi_S."""
        t, low, high, leaves = 0.0, q[1:].copy(), q[1:].copy(), None
        self.events = []
        for _ in range(60):
            mode = self.next_mode(q, u, leaves)
            q, u = self.project(mode, q, u)

            def rates(_, x):
                return np.concatenate([x[3:], self.solve(mode, x[:3], x[3:])[0]])

            tests = []
            for i in range(3):
                if mode[i] == OPEN:
                    tests.append((i, "hits", lambda _, x, i=i: self.contacts(x[:3], x[3:])[0][i]))
                else:
                    tests.append((i, "opens", lambda _, x, i=i: self.solve(mode, x[:3], x[3:])[1][i][0]))
                    if mode[i] == STICK:
                        for sign in (1, -1):
                            tests.append((i, "slides", lambda _, x, i=i, sign=sign: (
                                lambda f: MU * f[0] - sign * f[1])(self.solve(mode, x[:3], x[3:])[1][i])))
                    else:
                        tests.append((i, "stops", lambda _, x, i=i: SIGN[mode[i]] *
                                      (self.contacts(x[:3], x[3:])[2][i] @ x[3:])))
            for _, _, function in tests:
                function.terminal, function.direction = True, -1
            answer = solve_ivp(rates, (0, 0.5), np.concatenate([q, u]), "DOP853", rtol=1e-11, atol=1e-14, max_step=2e-3,
                               events=[f for _, _, f in tests])
            x = answer.y[:, -1]
            t += answer.t[-1]
            q, u = x[:3].copy(), x[3:].copy()
            low, high = np.minimum(low, answer.y[1:3].min(axis=1)), np.maximum(high, answer.y[1:3].max(axis=1))
            # the least angle of the bird lies between two steps of the integration: where its velocity vanishes
            for k in np.nonzero((answer.y[5, :-1] < 0) & (answer.y[5, 1:] >= 0))[0]:
                dt, (a, b) = answer.t[k + 1] - answer.t[k], answer.y[2, k:k + 2]
                va, vb = answer.y[5, k:k + 2] * dt
                s = np.roots([3 * (2 * a - 2 * b + va + vb), 2 * (3 * b - 3 * a - 2 * va - vb), va])
                s = [x.real for x in s if abs(x.imag) < 1e-12 and 0 <= x.real <= 1]
                for z in s:
                    low[1] = min(low[1], a + va * z + (3 * b - 3 * a - 2 * va - vb) * z**2 + (2 * a - 2 * b + va + vb) * z**3)
            which = next(k for k, e in enumerate(answer.t_events) if len(e) > 0)
            contact, what = tests[which][:2]
            self.events.append((t, contact, what))
            leaves = contact if what == "slides" else None
            if what == "stops":
                _, _, WT, _, _ = self.contacts(q, u)
                u = u - WT[contact] * (WT[contact] @ u) / (WT[contact] @ WT[contact])
            if what == "hits":
                u = self.impact(q, u)
                if contact == 0:
                    return t, q, u, low, high
        raise AssertionError("no peck")


def limit_cycle(kind, scale=1.0, tell=False):
    toy = Toy(kind, scale)
    a, b = HM, RM
    stop = math.atan2(a, b) - math.acos(toy.rO / math.hypot(a, b)) if kind == "exact" else -(RM - toy.rO) / HM
    if kind == "second":
        stop = (HM - math.sqrt(HM**2 + 2 * RM * (RM - toy.rO))) / RM
    q, u = np.array([0, stop, -0.2788 * scale]), np.array([-0.3411, 0, -7.4583]) * scale
    _, q, u, _, _ = toy.to_peck(q, u)
    for _ in range(4):
        _, q, u, _, _ = toy.to_peck(q, u)
    for _ in range(40):
        x = [np.concatenate([q[1:], u])]
        for _ in range(2):
            y = q[0]
            t, q, u, low, high = toy.to_peck(q, u)
            x.append(np.concatenate([q[1:], u]))
        d1, d2 = x[1] - x[0], x[2] - x[1]
        if tell:
            print("   ", t, y - q[0], np.abs(d2).max())
        if np.abs(d2).max() < 3e-10 * scale or np.abs(d2).max() > 0.999 * np.abs(d1).max() and np.abs(d2).max() < 1e-7 * scale:
            break
        ratio = d1 @ d2 / (d1 @ d1)
        better = x[1] + d2 / (1 - ratio)
        q, u = np.append(q[0], better[:2]), better[2:]
    return t, y - q[0], low, high, list(toy.events)


if __name__ == "__main__":
    kinds = sys.argv[1:2] or ["exact", "linear", "second"]
    for kind in kinds:
        for scale in [float(x) for x in sys.argv[2:]] or [1.0]:
            period, descent, low, high, events = limit_cycle(kind, scale)
            print("%-7s scale %-6g period %.12f s, descent %.10f mm, phi_M %.9f to %.9f, phi_S %.9f to %.9f" %
                  (kind, scale, period, 1e3 * descent, low[0], high[0], low[1], high[1]))
            if scale == 1:
                print("   ", "; ".join("%.3f ms %s %s" % (1e3 * t, ("beak", "lower", "upper")[i], what)
                                       for t, i, what in events))
