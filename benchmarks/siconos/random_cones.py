#!/usr/bin/python3
"""Random contact problems in space by picus solve, beside Siconos from several starts: an independent reference.

1 to 8 contacts of three rows on 1 to 4 bodies, so that W is regular or singular; mu from 0 to 5; q = J'u of a motion u, so
that a solution exists. Where all starts of both Siconos solvers end in the same velocities, Picus' must be those; where
they end in several, these are listed.

Usage: random_cones.py PICUS [COUNT [SEED]]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy
import siconos.numerics as numerics

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from cone_error import error  # noqa: E402  (after the path to it)

TOLERANCE, STARTS = 1e-10, 4
SOLVERS = (numerics.SICONOS_FRICTION_3D_NSN_AC, numerics.SICONOS_FRICTION_3D_NSGS)


def problem(rng):
    contacts, velocities = int(rng.integers(1, 9)), 6 * int(rng.integers(1, 5))
    J, u = rng.normal(size=(velocities, 3 * contacts)), rng.normal(size=velocities)
    mu = 5 * rng.random(contacts) ** 2
    mu[rng.random(contacts) < 0.1] = 0
    return J.T @ J, J.T @ u, mu, velocities < 3 * contacts


def write(path, W, q, mu):
    n = len(q)
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_local")
        group["spacedim"] = 3
        group["vectors/q"], group["vectors/mu"] = q, mu
        for name, value in {"m": n, "n": n, "nz": -2, "nzmax": n * n}.items():
            group["W/" + name] = value
        group["W/p"] = numpy.arange(0, n * n + 1, n, dtype="i4")
        group["W/i"] = numpy.tile(numpy.arange(n, dtype="i4"), n)
        group["W/x"] = W.ravel()


def reference(W, q, mu, rng):
    """The different velocities that Siconos finds."""
    found = []
    scale = numpy.linalg.norm(q) / numpy.trace(W) * len(q)
    for start in range(STARTS):
        for solver in SOLVERS:
            options = numerics.SolverOptions(solver)
            options.dparam[0], options.iparam[0] = 1e-14, 3000
            r = numpy.zeros(len(q)) if start == 0 else scale * rng.normal(size=len(q))
            r[::3] = abs(r[::3])
            numerics.fc3d_driver(numerics.FrictionContactProblem(3, len(mu), W, q, mu), r, numpy.zeros(len(q)), options)
            if not numpy.all(numpy.isfinite(r)) or error(W, q, mu, r) > 1e-9:
                continue
            u = W @ r + q
            if all(numpy.linalg.norm(u - v) > 1e-5 * numpy.linalg.norm(q) for v in found):
                found.append(u)
    return found


def main():
    picus = sys.argv[1]
    count, seed = (int(x) for x in (sys.argv[2:] + ["1000", "1"][len(sys.argv) - 2 :]))
    quiet, terminal = os.open(os.devnull, os.O_WRONLY), os.dup(1)
    certified = one = agree = none = singular = 0
    several, missed, worst, seconds = [], [], 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            rng = numpy.random.default_rng((seed, k))
            W, q, mu, is_singular = problem(rng)
            singular += is_singular
            write(folder + "/p.hdf5", W, q, mu)
            command = [picus, "solve", folder + "/p.hdf5", "--json", "--tolerance", str(TOLERANCE)]
            answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
            r, u = numpy.array(answer["r"]), numpy.array(answer["u"])
            seconds += answer["seconds"]
            if error(W, q, mu, r) <= TOLERANCE:
                certified += 1
            else:
                missed.append(k)
            os.dup2(quiet, 1)  # Siconos speaks
            os.dup2(quiet, 2)
            known = reference(W, q, mu, rng)
            os.dup2(terminal, 1)
            os.dup2(terminal, 2)
            apart = [numpy.linalg.norm(u - v) / numpy.linalg.norm(q) for v in known]
            if not known:
                none += 1
            elif len(known) == 1:
                one += 1
                agree += apart[0] < 1e-6
                if apart[0] < 1e-6:
                    worst = max(worst, apart[0])
                else:
                    several.append((k, 2, "Picus has another one"))
            else:
                which = int(numpy.argmin(apart))
                several.append((k, len(known), "Picus has one of them" if apart[which] < 1e-6 else "Picus has another one"))
    print(f"{count} problems, {singular} of them singular; {certified} certified at {TOLERANCE:g} by Picus, {seconds:.2f} s in all")
    print(f"not certified: {missed if missed else 'none'}")
    print(f"Siconos found one solution in {one}: in {agree} Picus has the same velocities (to {worst:.0e} of |q|)")
    print(f"Siconos found none in {none}")
    print(f"several solutions in {len(several)}:")
    for k, number, text in several:
        print(f"  problem {k}: at least {number} ({text})")


main()
