# SPDX-License-Identifier: BSD-3-Clause
"""Sparse arrays in expressions, against their definition in NumPy."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing")
    sys.exit(77)

TOOL = os.environ["STRIA_TOOL"]


def pointers(rows, n):
    """Returns where each of n rows begins among sorted row indices, and the end."""
    return np.searchsorted(rows, np.arange(n + 1))


class Sparse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.x = np.random.default_rng(3).integers(-1, 2, (5, 6)).astype("f4")
        self.cube = np.random.default_rng(4).integers(0, 2, (3, 4, 2)).astype("i8")

    def run_tool(self, array, expr):
        np.save(self.path / "x.npy", array)
        return subprocess.run([TOOL, "apply", self.path / "x.npy", expr, "-o", self.path / "o.npy"],
                              capture_output=True, text=True)

    def gives(self, array, expr, wanted):
        done = self.run_tool(array, expr)
        self.assertEqual((done.returncode, done.stderr), (0, ""), expr)
        np.testing.assert_array_equal(np.load(self.path / "o.npy"), wanted, expr)

    def refuses(self, array, expr, words):
        done = self.run_tool(array, expr)
        self.assertNotEqual(done.returncode, 0, expr)
        self.assertIn(words, done.stderr)

    def test_products(self):
        x = self.x
        self.gives(x, ".to_sparse_csr().matmul(x.t())", x @ x.T)
        self.gives(x, ".to_sparse() @ x.t()", x @ x.T)
        self.gives(x, ".to_sparse_csr().t().mv(x[:, 2])", x.T @ x[:, 2])
        self.gives(self.cube, ".sum(0).to_sparse().mm(x[0, :2])", self.cube.sum(0) @ self.cube[0, :2])
        self.refuses(x, ".to_sparse() + x", "wants arrays")
        self.refuses(x, ".to_sparse() @ x", "6 columns of a")

    def test_coordinates(self):
        x, where = self.x, np.argwhere(self.x)
        self.gives(x, ".to_sparse().indices()", where.T)
        self.gives(x, ".to_sparse().values()", x[x != 0])
        self.gives(x, ".to_sparse().to_dense()", x)
        self.gives(x, ".to_sparse().t().to_dense()", x.T)
        self.gives(x, ".to_sparse().transpose(0, 1).coalesce().indices()", np.argwhere(x.T).T)
        self.gives(x, ".to_sparse().select(1, -2).to_dense()", x[:, -2])
        self.gives(x, ".to_sparse().select(0, 1).values()", x[1][x[1] != 0])
        self.refuses(x, ".to_sparse().transpose(0, 1).indices()", "coalesce")
        self.refuses(x, ".to_sparse(3).values()", "3 sparse dims")
        self.refuses(x, ".to_sparse(0).values()", "0 sparse dims")
        self.refuses(x, ".to_sparse()", "to_dense")
        self.refuses(x, ".values()", "sparse array")

    def test_dense_dims(self):
        cube, rows = self.cube, np.argwhere(self.cube.any((1, 2)))
        self.gives(cube, ".to_sparse(1).indices()", rows.T)
        self.gives(cube, ".to_sparse(1).values()", cube[rows[:, 0]])
        self.gives(cube, ".to_sparse(1).select(0, 1)", cube[1])
        self.gives(cube, ".to_sparse(2).permute(1, 0, 2).to_dense()", cube.transpose(1, 0, 2))
        self.gives(cube, ".to_sparse(2).select(-1, 0).to_dense()", cube[..., 0])

    def test_compressed(self):
        x, where, columns = self.x, np.argwhere(self.x), np.argwhere(self.x.T)
        self.gives(x, ".to_sparse_csr().crow_indices()", pointers(where[:, 0], 5))
        self.gives(x, ".to_sparse().to_sparse_csr().col_indices()", where[:, 1])
        self.gives(x, ".to_sparse_csr().values()", x[x != 0])
        self.gives(x, ".to_sparse_csr().to_dense()", x)
        self.gives(x.T, ".to_sparse_csr().transpose(0, 1).ccol_indices()", pointers(columns[:, 0], 6))
        self.gives(x.T, ".to_sparse_csr().t().row_indices()", columns[:, 1])
        self.refuses(x, ".to_sparse_csr().indices()", "coordinate")
        self.refuses(x, ".to_sparse().crow_indices()", "compressed")
        self.refuses(self.cube, ".to_sparse_csr().values()", "2 dims")

    def test_made_of_parts(self):
        x = self.x
        parts = "[[0, 1, 0], [1, 0, 1]], [1., 2., 3.]"
        self.gives(x, "sparse_coo_tensor(%s, (2, 3)).to_dense()" % parts, [[0, 4, 0], [2, 0, 0]])
        self.gives(x, "sparse_coo_tensor(%s).coalesce().values()" % parts, [4, 2])
        self.gives(x, "sparse_coo_tensor(%s)._values()" % parts, [1, 2, 3])
        self.gives(x, "x[:sparse_coo_tensor(%s)._nnz()]" % parts, x[:3])
        self.gives(x, "sparse_csr_tensor([0, 1, 2], [1, 0], [1., 2.], (2, 2)).to_dense()",
                   [[0, 1], [2, 0]])
        self.gives(x, "sparse_csc_tensor([0, 1, 2], [1, 0], [1., 2.], size=(2, 2)).to_dense()",
                   [[0, 2], [1, 0]])
        self.refuses(x, "sparse_coo_tensor([[0, 5]], [1., 2.], (2,)).to_dense()", "index 5")
        self.refuses(x, "sparse_csr_tensor([0, 1, 3], [1, 0], [1., 2.], (2, 2)).values()", "2 entries")

        self.gives(x, "sparse_csr_tensor([0, 1], [1], [[3., 4.]], (1, 2, 2)).to_dense()",
                   [[[0, 0], [3, 4]]])
        self.refuses(x, "sparse_csr_tensor([0, 1], [1], [[3., 4.]], (1, 2, 3)).values()", "dense")
        self.refuses(x, "sparse_csr_tensor([0, 1], [1], [3.], (1,)).values()", "columns")

    def test_parts_are_views(self):
        request = {"shape": [2], "dtype": "f32", "values": [1, 2],
                   "expr": "sparse_coo_tensor([[0, 3]], x, (4,), is_coalesced=True).values()"}
        done = subprocess.run([TOOL, "explain", "--batch"], input=json.dumps(request) + "\n",
                              capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout)["outputs"][0]["alias"], "x", done.stdout)


if __name__ == "__main__":
    unittest.main()
