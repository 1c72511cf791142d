"""picus solve with contact problems of FCLIB, as a user meets it. Usage: contact_problems_test.py PICUS"""

import json
import os
import sys
import unittest

import h5py
import numpy as np

sys.dont_write_bytecode = True
from picus_test import PicusTest  # noqa: E402: it takes PICUS from the command line


def write_fclib(path, W, q, mu, spacedim=3):
    """The local form, W as triplets: i = row, p = column."""
    W = np.asarray(W, float)
    row, column = np.nonzero(W)
    with h5py.File(path, "w") as file:
        for name, value in (("W/m", len(W)), ("W/n", len(W)), ("W/nz", len(row)), ("W/nzmax", len(row)),
                            ("spacedim", spacedim)):
            file["fclib_local/" + name] = np.array([value], "i4")
        file["fclib_local/W/i"], file["fclib_local/W/p"] = row.astype("i4"), column.astype("i4")
        file["fclib_local/W/x"] = W[row, column]
        file["fclib_local/vectors/q"], file["fclib_local/vectors/mu"] = np.asarray(q, float), np.asarray(mu, float)


def err_inv(W, q, mu, r, spacedim=3):
    """The distance from the laws: the norm of r - P_K(r - rho (u + mu |u_T| n)) by rho |q|, rho = rows / trace W."""
    rho, squares = len(q) / np.trace(W), 0
    for k, (u, s) in enumerate(zip(np.reshape(W @ r + q, (-1, spacedim)), np.reshape(r, (-1, spacedim)))):
        y = s - rho * (u + mu[k] * np.linalg.norm(u[1:]) * np.eye(spacedim)[0])
        t = np.linalg.norm(y[1:])
        if mu[k] * t <= -y[0]:
            y = 0 * y
        elif t > mu[k] * y[0]:
            normal = (y[0] + mu[k] * t) / (1 + mu[k]**2)
            y = np.array([normal, *(mu[k] * normal / t * y[1:])])
        squares += np.sum((s - y)**2)
    return np.sqrt(squares) / (rho * np.linalg.norm(q))


def pile(contacts, bodies, spacedim=3, seed=1):
    """Contacts of random directions between few bodies: W is singular."""
    random = np.random.default_rng(seed)
    H = random.normal(size=(spacedim * contacts, spacedim * bodies))
    W = H @ H.T
    return W, W @ random.normal(size=len(W)), random.uniform(0, 1, contacts)


class ContactProblems(PicusTest):
    def solve(self, W, q, mu, *options, spacedim=3):
        write_fclib(self.path("p.hdf5"), W, q, mu, spacedim)
        result = self.picus("solve", "p.hdf5", *options)
        self.assertEqual(result.stderr, "")
        return result

    def test_closed_forms(self):
        """Three contacts by themselves, m = 1: one leaves, one sticks, one slips."""
        q = [1, 5, 0, -1, 0.1, 0.2, -2, 3, 4]
        result = self.solve(np.eye(9), q, [0.3, 0.3, 0.5], "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((result.returncode, answer["status"], answer["contacts"], answer["rows"]), (0, "solved", 3, 9))
        np.testing.assert_allclose(answer["r"], [0, 0, 0, 1, -0.1, -0.2, 2, -0.6, -0.8], atol=1e-7)
        np.testing.assert_allclose(answer["u"], [1, 5, 0, 0, 0, 0, 0, 2.4, 3.2], atol=1e-7)
        self.assertEqual(list(answer), "status err_inv approach residual worst_contact by contacts rows sweeps gradient_steps "
                                       "factorizations seconds r u".split())

    def test_speaks_to_people(self):
        q = [1, 5, 0, -1, 0.1, 0.2, -2, 3, 4]
        result = self.solve(np.eye(9), q, [0.3, 0.3, 0.5], "--out", "r.bin")
        self.assertEqual(result.returncode, 0)
        for text in ("p: 3 contacts, 9 rows, 9 nonzeros of W, mu 0.3 to 0.5", "solved", "err_inv", "tolerance 1e-08",
                     "residual", "sweep", "1 open, 1 stick, 1 slip", "r.bin"):
            self.assertIn(text, result.stdout)
        self.assertIn("mu 0.3\n", self.solve(np.eye(3), [-1, 0, 0], [0.3]).stdout)

    def test_laws_hold_in_what_is_written(self):
        for spacedim in (2, 3):
            W, q, mu = pile(8, 3, spacedim)
            result = self.solve(W, q, mu, "--out", "r.bin", "--json", spacedim=spacedim)
            answer = json.loads(result.stdout)
            self.assertEqual((result.returncode, answer["contacts"]), (0, 8))
            r = np.fromfile(self.path("r.bin"), "<f8")
            np.testing.assert_array_equal(answer["r"], r)
            np.testing.assert_allclose(answer["u"], W @ r + q, atol=1e-11 * np.abs(q).max())
            self.assertLess(answer["err_inv"], 1e-8)
            self.assertAlmostEqual(err_inv(W, q, mu, r, spacedim), answer["err_inv"], delta=1e-12)
            self.assertTrue(1 <= answer["worst_contact"] <= 8)

    def test_methods_and_tolerance(self):
        W, q, mu = pile(4, 3)
        for method in ("auto", "gauss-seidel", "gradient", "newton"):
            result = self.solve(W, q, mu, "--method", method, "--tolerance", "1e-4", "--json")
            answer = json.loads(result.stdout)
            self.assertEqual((result.returncode, answer["status"]), (0, "solved"), method)
            self.assertLess(err_inv(W, q, mu, np.array(answer["r"])), 1.0001e-4)

    def test_same_bits(self):
        W, q, mu = pile(8, 3)
        first, second = (json.loads(self.solve(W, q, mu, "--json").stdout) for _ in range(2))
        self.assertEqual((first["r"], first["u"]), (second["r"], second["u"]))

    def test_none_is_found_where_none_exists(self):
        """Two walls that come together: u_N1 + u_N2 = -2 whatever r is."""
        W = np.eye(6)
        W[0, 3] = W[3, 0] = -1
        write_fclib(self.path("p.hdf5"), W, [-1, 0, 0, -1, 0, 0], [0.3, 0.3])
        result = self.picus("solve", "p.hdf5", "--json", "--out", "r.bin")
        answer = json.loads(result.stdout)
        self.assertEqual((result.returncode, answer["status"]), (1, "unknown"))
        self.assertGreater(answer["err_inv"], 1e-8)
        np.testing.assert_array_equal(np.fromfile(self.path("r.bin"), "<f8"), answer["r"])
        result = self.picus("solve", "p.hdf5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("unknown", result.stdout)

    def test_no_verdict_by_overflow(self):
        """Huge friction, squares that overflow or vanish: solved is what is solved."""
        W, q, mu = pile(3, 3)
        right = json.loads(self.solve(W, q, mu, "--json").stdout)["u"]
        for of_W, of_q in ((1, 1e200), (1, 1e-200), (1e200, 1), (1e-200, 1)):
            result = self.solve(of_W * W, of_q * q, mu, "--json")
            self.assertEqual(result.returncode, 0)
            np.testing.assert_allclose(np.array(json.loads(result.stdout)["u"]) / of_q, right, atol=1e-7)
        result = self.solve(W, q, [1e10] * 3, "--method", "gauss-seidel")
        answer = json.loads(self.solve(W, q, [1e10] * 3, "--method", "gauss-seidel", "--json").stdout)
        least = min(answer["u"][::3]) / np.linalg.norm(q)
        self.assertEqual(result.returncode, 0 if answer["err_inv"] <= 1e-8 and least >= -1e-8 else 1)
        result = self.solve(np.eye(3), [-1, 0.3, 0.2], [1e200])
        self.assertEqual(result.returncode, 1)
        self.assertIn("unknown      err_inv 0.0e+00, but contacts approach with 9.4e-01 |q|, tolerance 1e-08", result.stdout)

    def test_the_content_decides_not_the_name(self):
        write_fclib(self.path("contacts"), np.eye(3), [-1, 0, 0], [0.3])
        self.assertIn("1 contact,", self.picus("solve", "contacts").stdout)
        with open(self.path("lcp.hdf5"), "w") as file:
            file.write('{"A": [[2]], "b": [-1]}')
        self.refused("solve", "lcp.hdf5", says=["'lcp.hdf5'", "no HDF5 file"])
        result = self.picus("solve", "/dev/stdin", input='{"A": [[2]], "b": [-1]}')  # a pipe is read once
        self.assertIn("x = (0.5)", result.stdout)

    def test_options_that_do_not_fit(self):
        write_fclib(self.path("p.hdf5"), np.eye(3), [-1, 0, 0], [0.3])
        with open(self.path("p.json"), "w") as file:
            file.write('{"A": [[2]], "b": [-1]}')
        self.refused("solve", "p.hdf5", "--all", says=["--all", "'p.hdf5'", "contact problem", "accepted"])
        for option, value in (("--method", "newton"), ("--tolerance", "1e-6"), ("--out", "r.bin")):
            self.refused("solve", "p.json", option, value, says=[option, "contact problems", "'p.json'", "--all"])
        self.refused("solve", "p.hdf5", "--method", "newten", says=["'newten'", "did you mean 'newton'", "gauss-seidel"])
        for value in ("0", "-1e-8", "nan", "small"):
            self.refused("solve", "p.hdf5", "--tolerance", value, says=["--tolerance", "accepted"])
        for value in ("", "--json"):
            self.refused("solve", "p.hdf5", "--out", value, says=["--out is '%s'" % value])

    def test_files_that_cannot_be_written(self):
        write_fclib(self.path("p.hdf5"), np.eye(3), [-1, 0, 0], [0.3])
        self.refused("solve", "p.hdf5", "--out", "nowhere/r.bin", code=3, says=["'nowhere/r.bin'", "No such file"])
        self.refused("solve", "p.hdf5", "--out", ".", code=3, says=["'.'", "directory"])
        if os.path.exists("/dev/full"):
            self.refused("solve", "p.hdf5", "--out", "/dev/full", code=3, says=["'/dev/full'"])
        self.refused("solve", "p.hdf5", "--out", "./p.hdf5", says=["./p.hdf5", "the problem itself"])
        self.assertEqual(self.picus("solve", "p.hdf5").returncode, 0)

    def test_bad_problems(self):
        self.refused("solve", "absent.hdf5", says=["'absent.hdf5'", "No such file"])
        self.refused("solve", "n" * 300 + ".hdf5", says=["File name too long"])
        os.mkdir(self.path("folder.h5"))
        self.refused("solve", "folder.h5", says=["'folder.h5' is a folder"])
        with h5py.File(self.path("global.hdf5"), "w") as file:
            file.create_group("fclib_global")
        self.refused("solve", "global.hdf5", says=["'global.hdf5'", "global form", "fclib_local"])
        self.assertEqual(self.picus("run", "woodpecker", "--end", "0.01", "--quiet", "--out", "a").returncode, 0)
        self.refused("solve", "a/result.h5", says=["no group fclib_local"])
        write_fclib(self.path("p.hdf5"), np.eye(3), [-1, np.nan, 0], [0.3])
        self.refused("solve", "p.hdf5", "--out", "r.bin", says=["'p.hdf5'", "fclib_local/vectors/q[1] is nan"])
        write_fclib(self.path("p.hdf5"), np.eye(3), [-1, 0, 0], [-0.3])
        self.refused("solve", "p.hdf5", "--json", says=["fclib_local/vectors/mu[0] is -0.3", ">= 0"])
        with open(self.path("p.hdf5"), "r+b") as file:
            file.truncate(900)
        self.refused("solve", "p.hdf5", says=["'p.hdf5' is damaged"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
