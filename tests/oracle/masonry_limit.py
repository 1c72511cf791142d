"""The least friction with which stones can stand: a linear program, independent of any time stepping.

Stones are polygons that touch along edges. At the ends of each common stretch act a normal force N >= 0 and a tangential
force |T| <= mu N; the stones are in equilibrium with their weights. The least mu for which such forces exist is found by
bisection. Below it the stones cannot rest; above it rest is possible.

    python3 masonry_limit.py arch
    python3 masonry_limit.py card-house
"""
import sys

import numpy as np
from scipy.optimize import linprog

G = 9.81


def mass_and_centre(corners, density):
    a, b = corners, np.roll(corners, -1, axis=0)
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = cross.sum() / 2
    centre = ((a + b) * cross[:, None]).sum(axis=0) / (6 * area)
    return density * abs(area), centre


def arch(n=20, r_i=4.0, r_o=5.0):
    def corner(r, k):
        return np.array([r * np.cos(np.pi * k / n), r * np.sin(np.pi * k / n)])

    stones = [np.array([corner(r_i, i), corner(r_o, i), corner(r_o, i + 1), corner(r_i, i + 1)]) for i in range(n)]
    # (stone below, stone above, ends, normal from the first to the second); -1: the ground
    joints = []
    for k in range(n + 1):
        angle = np.pi * k / n
        normal = np.array([-np.sin(angle), np.cos(angle)])
        below, above = (k - 1 if k > 0 else -1), (k if k < n else -1)
        joints.append((below, above, [corner(r_i, k), corner(r_o, k)], normal))
    return stones, joints


def card_house(h=1.0, lean=0.35, w=0.08, level=0.05):
    """Two pairs of cards that lean against each other, a level card on top of them, and a pair on that."""

    def pair(x, y):
        left = np.array([[x - lean - w, y], [x - lean, y], [x, y + h - 2 * w], [x, y + h], [x - w, y + h]])
        right = left * [-1, 1] + [2 * x, 0]
        return left, right[::-1]

    a, b = pair(-0.5, 0)
    c, d = pair(0.5, 0)
    plate = np.array([[-1.0, h], [1.0, h], [1.0, h + level], [-1.0, h + level]])
    e, f = pair(0, h + level)
    stones = [a, b, c, d, plate, e, f]
    up, right = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    joints = []
    for left, x, y, base in ((0, -0.5, 0.0, -1), (2, 0.5, 0.0, -1), (5, 0.0, h + level, 4)):
        joints.append((base, left, [[x - lean - w, y], [x - lean, y]], up))
        joints.append((base, left + 1, [[x + lean, y], [x + lean + w, y]], up))
        joints.append((left, left + 1, [[x, y + h - 2 * w], [x, y + h]], right))
    for left, x in ((0, -0.5), (2, 0.5)):
        joints.append((left, 4, [[x - w, h], [x, h]], up))
        joints.append((left + 1, 4, [[x, h], [x + w, h]], up))
    return stones, joints


def can_stand(stones, joints, mu, density=1000.0):
    properties = [mass_and_centre(s, density) for s in stones]
    columns = []
    for below, above, ends, normal in joints:
        tangent = np.array([normal[1], -normal[0]])
        for point in ends:
            for direction in (normal, tangent):
                column = np.zeros(3 * len(stones))
                for stone, sign in ((above, 1.0), (below, -1.0)):
                    if stone < 0:
                        continue
                    arm = np.asarray(point) - properties[stone][1]
                    column[3 * stone : 3 * stone + 2] += sign * direction
                    column[3 * stone + 2] += sign * (arm[0] * direction[1] - arm[1] * direction[0])
                columns.append(column)
    equilibrium = np.array(columns).T
    weights = np.zeros(3 * len(stones))
    weights[1::3] = [m * G for m, _ in properties]
    scale = weights.max()
    k = equilibrium.shape[1] // 2
    cone = np.zeros((2 * k, 2 * k))
    for i in range(k):
        cone[2 * i, 2 * i : 2 * i + 2] = [-mu, 1]
        cone[2 * i + 1, 2 * i : 2 * i + 2] = [-mu, -1]
    answer = linprog(np.zeros(2 * k), A_ub=cone, b_ub=np.zeros(2 * k), A_eq=equilibrium, b_eq=weights / scale,
                     bounds=[(0, None), (None, None)] * k, method="highs")
    return answer.status == 0


def least_friction(stones, joints):
    low, high = 0.0, 2.0
    if not can_stand(stones, joints, high):
        return float("nan")
    while high - low > 1e-9:
        middle = (low + high) / 2
        if can_stand(stones, joints, middle):
            high = middle
        else:
            low = middle
    return high


if __name__ == "__main__":
    scene = {"arch": arch, "card-house": card_house}[sys.argv[1]]
    print(f"{sys.argv[1]}: stands for mu >= {least_friction(*scene()):.6f}")
