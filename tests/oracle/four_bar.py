#!/usr/bin/python3
"""The four-bar linkage of models/four-bar.yaml with one coordinate, the angle of the crank: the loop is closed exactly
(intersection of two circles), Lagrange's equation integrated by a Runge-Kutta method of eighth order, and the forces in the
joints taken from Newton's and Euler's equations of the three bars. Shares nothing with Picus. SI units.
tools/joints_figures.py compares Picus with it.

usage: four_bar.py [t_end]   prints states and joint forces, free and driven
Needs numpy and scipy.
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp

L0, L1, L2, L3 = 0.20, 0.05, 0.15, 0.15
RHO, JF, OMEGA, GRAVITY = 1.0, 5.0e-4, 30.0, 9.81
M = RHO * np.array([L1, L2, L3])
J = RHO * np.array([L1, L2, L3])**3 / 12 + np.array([JF, 0, 0])


def close(theta):
    """Angles of crank, coupler and rocker; C above A-D."""
    bx, by = L1 * np.cos(theta), L1 * np.sin(theta)
    s = np.hypot(L0 - bx, by)
    psi = np.arctan2(-by, L0 - bx)
    phi_2 = psi + np.arccos((s**2 + L2**2 - L3**2) / (2 * s * L2))
    c = np.array([bx + L2 * np.cos(phi_2), by + L2 * np.sin(phi_2)])
    return np.array([theta, phi_2, np.arctan2(c[1], c[0] - L0)])


def rates(phi):
    """d phi_i / d theta and its derivative by theta, from the loop differentiated once and twice:
    L1 e(theta) + L2 e(phi_2) - L3 e(phi_3) = (L0, 0)."""
    c, s = np.cos(phi), np.sin(phi)
    A = np.array([[-L2 * s[1], L3 * s[2]], [L2 * c[1], -L3 * c[2]]])
    k = np.append(1.0, np.linalg.solve(A, [L1 * s[0], -L1 * c[0]]))
    right = [L1 * c[0] + L2 * c[1] * k[1]**2 - L3 * c[2] * k[2]**2,
             L1 * s[0] + L2 * s[1] * k[1]**2 - L3 * s[2] * k[2]**2]
    return k, np.append(0.0, np.linalg.solve(A, right))


def centres(phi, k, kp):
    """Positions of the three centres (3 x 2), their derivatives by theta, and the second ones."""
    e, n = np.array([np.cos(phi), np.sin(phi)]).T, np.array([-np.sin(phi), np.cos(phi)]).T
    arms = np.array([[L1 / 2, 0, 0], [L1, L2 / 2, 0], [0, 0, L3 / 2]])
    r = arms @ e + np.array([[0, 0], [0, 0], [L0, 0]])
    return r, arms @ (n * k[:, None]), arms @ (n * kp[:, None] - e * (k**2)[:, None])


def inertia(theta):
    """I, I', V' of  T = I omega^2 / 2  and the potential V."""
    phi = close(theta)
    k, kp = rates(phi)
    _, d, dd = centres(phi, k, kp)
    return (np.sum(M[:, None] * d**2) + np.sum(J * k**2), 2 * np.sum(M[:, None] * d * dd) + 2 * np.sum(J * k * kp),
            GRAVITY * np.sum(M * d[:, 1]))


def angular_acceleration(theta, omega):
    i, ip, vp = inertia(theta)
    return -(ip * omega**2 / 2 + vp) / i


def energy(theta, omega):
    phi = close(theta)
    k, kp = rates(phi)
    r, _, _ = centres(phi, k, kp)
    return inertia(theta)[0] * omega**2 / 2 + GRAVITY * np.sum(M * r[:, 1])


def motion(t, driven):
    """theta and omega at the times t."""
    t = np.asarray(t, float)
    if driven:
        return OMEGA * t, np.full_like(t, OMEGA)
    answer = solve_ivp(lambda _, x: [x[1], angular_acceleration(*x)], (0, t[-1]), [0.0, OMEGA], "DOP853", t_eval=t,
                       rtol=1e-12, atol=1e-13)
    return answer.y


def reactions(theta, omega, driven):
    """Force on the second body of the joints A, B, C, D (4 x 2) and the torque of the motor. Nine equations; of the free
    linkage one more than unknowns: the rest of it is returned, too."""
    phi = close(theta)
    k, kp = rates(phi)
    r, d, dd = centres(phi, k, kp)
    alpha = 0.0 if driven else angular_acceleration(theta, omega)
    a = d * alpha + dd * omega**2
    turning = k * alpha + kp * omega**2
    points = np.array([[0, 0], [L1 * np.cos(theta), L1 * np.sin(theta)],
                       [L0 + L3 * np.cos(phi[2]), L3 * np.sin(phi[2])], [L0, 0]])
    pairs = [(None, 0), (0, 1), (1, 2), (None, 2)]
    W, b = np.zeros((9, 9 if driven else 8)), np.zeros(9)
    for joint, (first, second) in enumerate(pairs):
        for body, sign in ((first, -1), (second, 1)):
            if body is None:
                continue
            arm = points[joint] - r[body]
            W[3 * body, 2 * joint] += sign
            W[3 * body + 1, 2 * joint + 1] += sign
            W[3 * body + 2, 2 * joint] -= sign * arm[1]
            W[3 * body + 2, 2 * joint + 1] += sign * arm[0]
    if driven:
        W[2, 8] = 1
    for body in range(3):
        b[3 * body:3 * body + 3] = [M[body] * a[body, 0], M[body] * (a[body, 1] + GRAVITY), J[body] * turning[body]]
    x = np.linalg.lstsq(W, b, rcond=None)[0]
    return x[:8].reshape(4, 2), (x[8] if driven else 0.0), np.abs(W @ x - b).max()


def states(t, driven):
    """Coordinates and velocities as in states.csv, a row a time: x, y, phi of the bars, then their rates."""
    rows = []
    for theta, omega in zip(*motion(t, driven)):
        phi = close(theta)
        k, kp = rates(phi)
        r, d, _ = centres(phi, k, kp)
        rows.append(np.concatenate([np.column_stack([r, phi]).ravel(), np.column_stack([d, k]).ravel() * omega]))
    rows = np.array(rows)
    rows[:, [5, 8]] = np.unwrap(rows[:, [5, 8]], axis=0)
    return rows


if __name__ == "__main__":
    t_end = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for driven in (False, True):
        t = np.linspace(0, t_end, 101)
        x, (theta, omega) = states(t, driven), motion(t, driven)
        print("driven" if driven else "free; energy at start and end %.15g %.15g" % (energy(0, OMEGA),
                                                                                    energy(theta[-1], omega[-1])))
        for i, name in ((2, "crank.phi"), (5, "coupler.phi"), (8, "rocker.phi"), (11, "crank.omega"), (17, "rocker.omega")):
            print("  %-12s at %g s: %.14g" % (name, t[-1], x[-1, i]))
        force, torque, rest = reactions(theta[-1], omega[-1], driven)
        for name, f in zip("ABCD", force):
            print("  force in %s:  %.12g  %.12g N" % (name, f[0], f[1]))
        print("  torque of the motor %.12g N m; equations left over %.1e" % (torque, rest))
