#!/usr/bin/python3
"""Event-driven integration of the slider-crank (docs/slider-crank.md): Runge-Kutta of fourth order between events,
events as roots, impacts by trying all contact states. Shares nothing with Picus. SI units; corners 1 to 4 of the docs
are 0 to 3 here. tools/slider_crank_convergence.py compares Picus with it.

usage: slider_crank_event_driven.py [t_end [step]]   prints the impacts of the printed start
"""

import bisect
import itertools
import math
import sys

import numpy as np

# Table 1 of Flores, Leine & Glocker (2010)
L1, L2, A, B, C = 0.153, 0.306, 0.05, 0.025, 0.001
M1, M2, M3, J1, J2, J3 = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6
EN, MU, GRAVITY = 0.4, 0.01, 9.81
ALONG, ACROSS = (-1, 1, -1, 1), (1, 1, -1, -1)
# Rods with their mass centres in the middle, slider at the end of the second:
# T = (P w1^2 + Q w2^2 + J3 w3^2) / 2 + K cos(t1 - t2) w1 w2,  V = S1 sin t1 + S2 sin t2
P, Q, K = J1 + (M1 / 4 + M2 + M3) * L1**2, J2 + (M2 / 4 + M3) * L2**2, (M2 / 2 + M3) * L1 * L2
S1, S2 = GRAVITY * (M1 / 2 + M2 + M3) * L1, GRAVITY * (M2 / 2 + M3) * L2
REST = 1e-5  # m/s: a rebound slower than this is the end of a series of rebounds
TIE = 1e-11  # m: corners as close as this hit together


def start(omega_3):
    return np.array([0.0, 0.0, 0.0, 150.0, -75.0, omega_3])


def energy(x):
    kinetic = (P * x[3]**2 + Q * x[4]**2 + J3 * x[5]**2) / 2 + K * math.cos(x[0] - x[1]) * x[3] * x[4]
    return kinetic + S1 * math.sin(x[0]) + S2 * math.sin(x[1])


def inverse_mass(x):
    k = K * math.cos(x[0] - x[1])
    return np.array([[Q, -k, 0], [-k, P, 0], [0, 0, (P * Q - k * k) / J3]]) / (P * Q - k * k)


def height(x, i):
    """Of corner i over its place in the middle of the guide's play, towards the guide: C is contact."""
    lift = L1 * np.sin(x[0]) + L2 * np.sin(x[1]) + ALONG[i] * A * np.sin(x[2])
    return ACROSS[i] * lift + B * (np.cos(x[2]) - 1)


def normal(x, i):
    n, s = ACROSS[i], ALONG[i]
    return np.array([-n * L1 * math.cos(x[0]), -n * L2 * math.cos(x[1]),
                     -n * s * A * math.cos(x[2]) + B * math.sin(x[2])])


def tangent(x, i):
    n, s = ACROSS[i], ALONG[i]
    return np.array([-L1 * math.sin(x[0]), -L2 * math.sin(x[1]), -s * A * math.sin(x[2]) - n * B * math.cos(x[2])])


def acceleration(x, mode):
    """And normal forces; mode: {closed corner: sign of its sliding velocity}."""
    s = K * math.sin(x[0] - x[1])
    M_inv = inverse_mass(x)
    a = M_inv @ np.array([-s * x[4]**2 - S1 * math.cos(x[0]), s * x[3]**2 - S2 * math.cos(x[1]), 0])
    if not mode:
        return a, {}
    N = np.array([normal(x, i) for i in mode])
    F = np.array([normal(x, i) - sign * MU * tangent(x, i) for i, sign in mode.items()])
    rise = L1 * math.sin(x[0]) * x[3]**2 + L2 * math.sin(x[1]) * x[4]**2
    bend = [ACROSS[i] * (rise + ALONG[i] * A * math.sin(x[2]) * x[5]**2) + B * math.cos(x[2]) * x[5]**2 for i in mode]
    force = np.linalg.solve(N @ M_inv @ F.T, -(N @ a + bend))
    return a + M_inv @ F.T @ force, dict(zip(mode, force))


def runge_kutta(x, mode, h):
    def rate(x):
        return np.concatenate([x[3:], acceleration(x, mode)[0]])
    k1 = rate(x)
    k2 = rate(x + h / 2 * k1)
    k3 = rate(x + h / 2 * k2)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3))


def impact(x, corners):
    """Velocities after Newton's impact with Coulomb friction (eN = EN, eT = 0) at all corners at once: 4^k states."""
    M_inv, u, found = inverse_mass(x), x[3:], []
    for states in itertools.product(("open", "stick", 1, -1), repeat=len(corners)):
        rows, columns, right = [], [], []
        for i, state in zip(corners, states):
            n, t = normal(x, i), tangent(x, i)
            if state != "open":
                rows, right = rows + [n], right + [-(1 + EN) * (n @ u)]
                columns.append(n if state == "stick" else n - state * MU * t)
            if state == "stick":
                rows, columns, right = rows + [t], columns + [t], right + [-(t @ u)]
        R, F = np.array(rows).reshape(-1, 3), np.array(columns).reshape(-1, 3)
        G = R @ M_inv @ F.T
        if rows and np.linalg.matrix_rank(G) < len(rows):
            continue
        impulse = list(np.linalg.solve(G, right))
        after, fits = u + M_inv @ F.T @ impulse, True
        for i, state in zip(corners, states):
            fits &= normal(x, i) @ (after + EN * u) > -1e-10
            if state != "open":
                pressed = impulse.pop(0)
                fits &= pressed > -1e-14
                fits &= state == "stick" or state * (tangent(x, i) @ after) > -1e-10
            if state == "stick":
                fits &= abs(impulse.pop(0)) < MU * pressed + 1e-14
        if fits and all(abs(after - other).max() > 1e-8 for other in found):
            found.append(after)
    assert len(found) == 1, f"impact of corners {corners}: {len(found)} solutions"
    return found[0]


def root(f, a, b):
    """Where f, positive at a and not at b, ends being positive: regula falsi (Illinois)."""
    fa, fb, side = f(a), f(b), 0
    for _ in range(100):
        c = (a * fb - b * fa) / (fb - fa)
        c = c if a < c < b else (a + b) / 2
        fc = f(c)
        if fc > 0:
            a, fa, fb, side = c, fc, fb / 2 if side == 1 else fb, 1
        else:
            b, fb, fa, side = c, fc, fa / 2 if side == -1 else fa, -1
        if b - a < 1e-17 or fc == 0:
            break
    return b


class Motion:
    """Event-driven: Runge-Kutta of fourth order between events, which are found as roots. Follows single corners that
    hit, and with a slider that does not turn (symmetric) whole faces that hit, slide, turn their sliding direction and
    lift off."""

    def __init__(self, omega_3, end, symmetric=False, impacts=10**9, h=1e-5, rest=REST):
        self.rest, self.h, self.points, self.hits = rest, h, [(0.0, start(omega_3), {})], []
        self.advance(end, symmetric, impacts)

    def advance(self, end, symmetric, impacts=10**9):
        (t, x, mode), h, step = self.points[-1], self.h, self.h
        while t < end and len(self.hits) < impacts:
            y = runge_kutta(x, mode, step)
            events = [(root(lambda s, f=f: f(runge_kutta(x, mode, s)), 0, step), i, kind)
                      for i, kind, f in self.watched(mode) if f(y) <= 0]
            t, step = t + (min(events)[0] if events else step), min(h, 2 * step)
            if events:
                y = runge_kutta(x, mode, min(events)[0])
                mode = self.happens(t, y, mode, *min(events)[1:])
                if symmetric:
                    assert max(abs(y[2]), abs(y[5])) < 1e-9
                    y[2] = y[5] = 0
                step = self.first_step(y, mode, h)
            x = y
            self.points.append((t, x, mode))
        self.times = [point[0] for point in self.points]

    @staticmethod
    def watched(mode):
        """(corner, kind, function of the state that stays positive until the event)"""
        for i in range(4):
            if i not in mode:
                yield i, "hit", lambda x, i=i: C - height(x, i)
            else:
                yield i, "lift-off", lambda x, i=i: acceleration(x, mode)[1][i]
                yield i, "turn", lambda x, i=i: mode[i] * (tangent(x, i) @ x[3:])

    def happens(self, t, x, mode, corner, kind):
        """The mode after the event; the velocities in x are changed."""
        if kind == "lift-off":
            return {}  # both forces of a face vanish together
        if kind == "turn":
            mode = {i: -sign for i, sign in mode.items()}
        else:
            hits = [i for i in range(4) if C - height(x, i) < TIE and normal(x, i) @ x[3:] < 0]
            before, x[3:] = x.copy(), impact(x, hits)
            self.hits.append((t, hits, before, x.copy()))
            mode = {i: np.sign(tangent(x, i) @ x[3:]) for i in hits if normal(x, i) @ x[3:] < self.rest}
        if mode:
            N, M_inv = np.array([normal(x, i) for i in mode]), inverse_mass(x)
            x[3:] -= M_inv @ N.T @ np.linalg.solve(N @ M_inv @ N.T, N @ x[3:])
            later = runge_kutta(x, mode, 1e-7)
            assert all(force > 0 for force in acceleration(x, mode)[1].values())
            assert all(sign * (tangent(later, i) @ later[3:]) > 0 for i, sign in mode.items())
        return mode

    @staticmethod
    def first_step(x, mode, h):
        """Short enough not to miss that a corner which rebounds comes back."""
        a, step = acceleration(x, mode)[0], h
        for i in range(4):
            speed, towards = normal(x, i) @ x[3:], -(normal(x, i) @ a)
            if i not in mode and C - height(x, i) < 1e-6 and speed > 0 and towards > 0:
                step = min(step, speed / towards / 4)
        return step

    def end_series(self, end):
        """Corners of a face that hit in turn do so infinitely often within a short time. What is left of that after the
        last impact is taken as impulses that leave both corners in contact; then on without rotation."""
        t, x, _ = self.points[-1]
        x, face = x.copy(), (0, 1) if height(x, 0) > 0 else (2, 3)
        x[2] = 0
        mode = {i: np.sign(tangent(x, i) @ x[3:]) for i in face}
        N, F = (np.array([normal(x, i) - k * MU * sign * tangent(x, i) for i, sign in mode.items()]) for k in (0, 1))
        M_inv = inverse_mass(x)
        x[3:] -= M_inv @ F.T @ np.linalg.solve(N @ M_inv @ F.T, N @ x[3:])
        x[5] = 0
        self.points.append((t, x, mode))
        self.advance(end, symmetric=True)

    def least_miss(self):
        """Gap and time where an open corner turns round before the guide, most closely."""
        return min((C - height(x, i), t)
                   for (_, w, before), (t, x, mode) in zip(self.points, self.points[1:]) for i in range(4)
                   if not before and not mode and all(hit[0] != t for hit in self.hits)
                   and C - height(w, i) > 1e-9 and normal(w, i) @ w[3:] < 0 < normal(x, i) @ x[3:])

    def at(self, t):
        s, x, mode = self.points[bisect.bisect_right(self.times, t) - 1]
        return runge_kutta(x, mode, t - s)


def main(end=0.16, h=1e-5):
    motion = Motion(0, end, symmetric=True, h=h)
    for t, corners, before, after in motion.hits:
        speed = -(normal(before, corners[0]) @ before[3:])
        names = " and ".join(str(i + 1) for i in corners)
        print(f"{t:.13f}  corners {names}, approach {speed:.9g} m/s, u after {after[3:]}")
    x = motion.at(end)
    print(f"{len(motion.hits)} impacts; at {end} s angles {x[:3]} rad, velocities {x[3:]} rad/s, energy "
          f"{energy(x):.12g} J ({energy(start(0)):.12g} J at the start)")


if __name__ == "__main__":
    np.set_printoptions(precision=12)
    main(*map(float, sys.argv[1:]))
