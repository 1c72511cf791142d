#!/usr/bin/python3
"""Two schemes for a bouncing ball that do not know what restitution is (Stewart 2000, section 4.2, Figure 4.1), beside
Picus with eN = 1: q(0) = 1 m, m = 1 kg, g = 9.8213 m/s^2.

midpoint  q' = q + h (p + p')/2,  p' = p - h g + N,  0 <= N _|_ q + q' >= 0
newmark   beta = 0, gamma = 1 with the contact force at the end of the step (a reading of Kane & Ortiz 1999):
          q' = q + h p - h^2 g/2 + h^2 a/2,  p' = p - h g + h a,  0 <= a _|_ q' >= 0

Both are computed in exact rational arithmetic: a step's branch depends on the sign of a number that may be zero, and where a
bounce falls within a step decides all that follow. With floating point, three of the five energies of the midpoint rule are
round-off; they are printed beside the exact ones.

Prints the restitution of each impact by where the ball stands before it, and draws FOLDER/impact-cautionary.png.

Usage: cautionary_schemes.py PICUS FOLDER
Needs numpy, matplotlib and its Pillow (for /usr/bin/python3).
"""

import os
import subprocess
import sys
import tempfile
from fractions import Fraction

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
G = Fraction("9.8213")
COLORS = ["#2060a0", "#b03030", "#208040", "#805090", "#c07000", "#508090", "#404040"]


def midpoint(q, p, h, g=G):
    after = q + h * p - h * h * g / 2
    if q + after >= 0:
        return after, p - h * g
    return -q, -4 * q / h - p


def newmark(q, p, h, g=G):
    after = q + h * p - h * h * g / 2
    if after >= 0:
        return after, p - h * g
    return 0 * q, p - h * g - 2 * after / h


def motion(scheme, q, h, end, number=Fraction):
    """Times, heights, momenta, and the energy at the end over that at the start; in numbers of this kind."""
    q, h, g = (number(x) for x in (q, h, G))
    p, start, path = 0 * q, g * q, [(0.0, float(q), 0.0)]
    for n in range(1, int(round(end / h)) + 1):
        q, p = scheme(q, p, h, g)
        path.append((float(n * h), float(q), float(p)))
    return (*np.array(path).T, float((p * p / 2 + g * q) / start))


def restitution(scheme, s):
    """Without gravity, from q = s h |p|, p = -1: the speed behind the impact."""
    h, q, p = Fraction(1), s, Fraction(-1)
    for _ in range(20):
        q, p = scheme(q, p, h, 0)
        if p > 0 and q >= 0 and scheme(q, p, h, 0)[1] == p:
            break
    return float(p)


RULES = {midpoint: lambda s: np.where(s < 1 / 6, 1 - 4 * s, np.where(s < 1 / 2, 8 * s - 1, 5 - 4 * s)),
         newmark: lambda s: np.abs(1 - 2 * s)}


def picus_motion(picus, q, h, end):
    model = os.path.join(ROOT, "models", "bouncing-ball.yaml")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([picus, "run", model, "--quiet", "--out", folder, "--dt", repr(h), "--end", repr(end), "--set",
                        "eN=1", "--set", "g=%r" % float(G), "--set", "y=%s" % q], check=True)
        return np.genfromtxt(os.path.join(folder, "states.csv"), delimiter=",", skip_header=1).T


def main(picus, folder):
    starts = ["1", "0.999", "1.0003", "1.002", "1.005"]
    figure, axes = plt.subplots(2, 2, figsize=(13, 8.5))
    exact = [Fraction(2 * i + 1, 2000) for i in range(1000)]
    s = np.array(exact, float)
    for scheme in (midpoint, newmark):
        found = np.array([restitution(scheme, x) for x in exact])
        rule = RULES[scheme](s)
        print("%s: restitution from %.3f to %.3f, mean %.4f; off the rule %.1e" %
              (scheme.__name__, found.min(), found.max(), found.mean(), np.abs(found - rule).max()))
        axes[1, 1].plot(s, found, lw=1.4, color=COLORS[scheme is newmark], label=scheme.__name__)
    axes[1, 1].axhline(1, lw=1.4, color=COLORS[2], label="Picus, $ε_N$ = 1")
    axes[1, 1].set(xlabel="height before the impact / (h speed)", ylabel="restitution that comes out",
                   title="Which restitution you get depends on where the step falls", xlim=(0, 1), ylim=(0, 3.2))
    axes[1, 1].legend(fontsize=9, loc="upper left")
    for ax, scheme, h, end in ((axes[0, 0], midpoint, "0.01", 5), (axes[0, 1], newmark, "0.001", 3)):
        for k, q in enumerate(starts):
            t, y, p, energy = motion(scheme, q, h, end)
            rounded = motion(scheme, q, h, end, float)
            after = np.argmax(p > 0)
            print("%s, h = %s, q(0) = %s: energy end/start %.4g (floating point: %.4g), highest after the first impact %.3f m"
                  " (%.3f)" % (scheme.__name__, h, q, energy, rounded[3], y[after:].max(),
                               rounded[1][np.argmax(rounded[2] > 0):].max()))
            ax.plot(t, y, lw=1, color=COLORS[k], label="q(0) = %s" % q)
        name = "Newmark, β = 0, γ = 1" if scheme is newmark else "Midpoint rule"
        ax.set(xlabel="t [s]", ylabel="q [m]", title="%s, h = %s s" % (name, h))
        ax.legend(fontsize=8, loc="upper left", ncols=2)
    axes[0, 0].set_ylim(-0.3, 12)
    axes[0, 1].set_ylim(-0.05, 1.5)
    for k, q in enumerate(starts):
        for h in (1e-2, 1e-3):
            t, y, v = picus_motion(picus, q, h, 5.0)
            energy = v * v / 2 + float(G) * y
            print("Picus, h = %g, q(0) = %s: energy end/start %.12f, least %.6f, largest %.6f; lowest y %.4f" %
                  (h, q, energy[-1] / energy[0], energy.min() / energy[0], energy.max() / energy[0], y.min()))
            if h == 1e-2:
                axes[1, 0].plot(t, y, lw=1, color=COLORS[k], label="q(0) = %s" % q)
    axes[1, 0].set(xlabel="t [s]", ylabel="q [m]", title="Picus, $ε_N$ = 1, h = 0.01 s", ylim=(-0.1, 1.5))
    axes[1, 0].legend(fontsize=8, loc="upper left", ncols=3)
    figure.tight_layout()
    path = os.path.join(folder, "impact-cautionary.png")
    figure.savefig(path, dpi=100)
    with Image.open(path) as image:  # 256 colours: a third of the size
        small = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print("drawn: %s, %d kB" % (path, os.path.getsize(path) // 1000))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
