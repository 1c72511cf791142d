#!/usr/bin/python3
"""Every contact problem of a folder (FCLIB, *.hdf5) by picus solve, in a table: how well the reactions obey the laws, by
Picus and recomputed here from file and reactions alone, and the time.

Usage: contact_problems.py PICUS FOLDER [--tolerance 1e-8] [--method auto]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import h5py
import numpy
import scipy.sparse
from cone_error import error


def read(path):
    with h5py.File(path) as file:
        group = file["fclib_local"]
        W, q, mu = group["W"], group["vectors/q"][()], group["vectors/mu"][()]
        n, kind = int(W["n"][()].item()), int(W["nz"][()].item())
        x, i, p = (W[name][()] for name in ("x", "i", "p"))
        if kind == -2:
            return scipy.sparse.csr_matrix((x[: p[n]], i[: p[n]], p), (n, n)), q, mu
        if kind == -1:
            return scipy.sparse.csc_matrix((x[: p[n]], i[: p[n]], p), (n, n)).tocsr(), q, mu
        return scipy.sparse.coo_matrix((x[:kind], (i[:kind], p[:kind])), (n, n)).tocsr(), q, mu


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("picus")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--tolerance", default="1e-8")
    arguments.add_argument("--method", default="auto")
    a = arguments.parse_args()
    print(f"{'problem':<40} contacts   err_inv  recomputed  by            sweeps  gradient  factor.  seconds")
    solved = {1e-8: 0, 1e-4: 0}
    seconds = []
    for path in sorted(a.folder.glob("*.hdf5")):
        with tempfile.TemporaryDirectory() as folder:
            command = [a.picus, "solve", path, "--json", "--out", folder + "/r", "--tolerance", a.tolerance, "--method", a.method]
            answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
            recomputed = error(*read(path), numpy.fromfile(folder + "/r"))
        for tolerance in solved:
            solved[tolerance] += recomputed <= tolerance
        seconds.append(answer["seconds"])
        print(
            f"{path.stem:<40} {answer['contacts']:8} {answer['err_inv']:9.1e} {recomputed:11.1e}  {answer['by']:<12} "
            f"{answer['sweeps']:7} {answer['gradient_steps']:9} {answer['factorizations']:8} {answer['seconds']:8.3f}",
            flush=True,
        )
    print(", ".join(f"{n} solved at {tolerance:.0e}" for tolerance, n in solved.items()) + f"; {sum(seconds):.1f} s in all")


main()
