# SPDX-License-Identifier: BSD-3-Clause
"""Products of matrices and sums of products in expressions against NumPy.

    STRIA_TOOL=build/stria python3 test_products.py
"""

import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

SAME = """x @ y; x[::-1, ::2] @ y[::2].T.T; y.T @ x.T; np.matmul(s, y); np.matmul(s, t); s @ v; v @ y; x @ z; z.conj().T @ z
i @ i.T; b @ b.T; np.dot(x, y); np.dot(s, y); np.dot(v, v); np.dot(x[0, 0], x); np.inner(x, x); np.inner(s, v); np.outer(x, v)
np.matvec(s, v); np.tensordot(x, y, 1); np.tensordot(s, t, ((0, 2), (0, 1))); np.tensordot(s, x, [2, 1]); np.tensordot(v, v, 0)
np.einsum('ij,jk->ki', x, y); np.einsum('ij,jk', x, y); np.einsum('ii', q); np.einsum('ii->i', q); np.einsum('ij->', x)
np.einsum('bij,bjk,k->bi', s, t, w); np.einsum('...ij,...jk', s, t); np.einsum('ij,kj->ik', z, z); np.einsum('i,j,k->kji', v, w, v)
np.einsum('ij,jk,kl->il', i, i.T, i); np.linalg.matmul(s, y); np.linalg.outer(v, w); np.linalg.tensordot(x, y, axes=1)
np.einsum('iij->j', p); np.einsum('iii->', p); np.einsum('i...i', p); np.einsum('ii,ij->j', q, q)
np.einsum('ab,b,c,cd->d', x, v, w, y.T); np.einsum(x, [0, 1], y, [1, 2], [0, 2]); np.einsum(x, [0, 1], y, [1, 2]); np.einsum(q, [7, 7])
np.einsum(s, [..., 0, 1], t, [..., 1, 2]); np.einsum('ij,jk', x, y, optimize=True); np.einsum(x, [40, 2], [2, 40], optimize='greedy')
np.einsum('ij,ij->', i, i); np.einsum('ij,kj->ik', b, b); np.einsum('i,i', v, v); np.einsum('ij,jk->ik', z.conj().T, z)
np.matmul(big, big.T); np.matmul(big[:, ::-1], big.T); np.einsum('ij,kj->ki', big, big)""".replace("\n", "; ").split("; ")


class Products(Folder):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(0)
        self.arrays = {"x": rng.normal(size=(5, 7)), "y": rng.normal(size=(7, 3)), "v": rng.normal(size=7),
                       "w": rng.normal(size=3), "s": rng.normal(size=(2, 5, 7)), "t": rng.normal(size=(2, 7, 3)),
                       "z": rng.normal(size=(7, 4)) + 1j * rng.normal(size=(7, 4)), "b": rng.random((4, 5)) < .3,
                       "i": rng.integers(-100, 100, (4, 6)).astype("i1"), "q": rng.normal(size=(6, 6)).astype("f4"), "p": rng.normal(size=(6, 6, 6)),
                       "big": rng.normal(size=(90, 1100)).astype("f4")}
        self.paths = {name: self.save(name + ".npy", a) for name, a in self.arrays.items()}

    def apply(self, expr):
        more = [o for name in self.arrays if name != "x" for o in ("--with", "%s=%s" % (name, self.paths[name]))]
        return stria("apply", self.paths["x"], expr, "-o", self.path / "out.npy", "--rules", "numpy", *more)

    def check(self, expr, expected):
        done = self.apply(expr)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        made = np.load(self.path / "out.npy")
        self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype), expr)
        np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-4 if made.dtype == "f4" else 1e-12, err_msg=expr)

    def test_same_words(self):
        for expr in SAME:
            if "matvec" not in expr or hasattr(np, "matvec"):
                self.check(expr, np.asarray(eval(expr, {"np": np, **self.arrays})))

    def test_words_of_pytorch(self):
        x, y, v, s, t, w = (self.arrays[name] for name in "xyvstw")
        for expr, expected in (("mm(x, y)", x @ y), ("bmm(s, t)", s @ t), ("mv(x, v)", x @ v), ("ger(v, w)", np.outer(v, w)),
                               ("torch.tensordot(s, t, dims=([0, 2], [0, 1]))", np.tensordot(s, t, ((0, 2), (0, 1)))),
                               ("x.matmul(y, reproducible=True)", x @ y), ("matmul(x, y, out=zeros(5, 3, dtype=float64))", x @ y)):
            self.check(expr, np.asarray(expected))

    def test_refused(self):
        for expr, words in (("x @ x", "7 columns"), ("mm(s, y)", "dims"), ("torch.dot(x, y)", "1 and 1"),
                            ("np.einsum('ij,jk->iz', x, y)", "'z' is in no operand"), ("np.einsum('ij,jk,kl', x, y)", "more operands than the 2"),
                            ("np.einsum(x, [0, 99])", "no int from 0 to 51"), ("np.einsum(x, [0, 1], 5, [0])", "a list of labels"),
                            ("np.einsum(x, [0, 1], [0], [1])", "a list of labels"), ("np.einsum(x, [0])", "2 dims"),
                            ("np.einsum('ij->ii', x)", "twice"), ("np.einsum('ij,ij->ij', x, y)", "'i'"),
                            ("np.tensordot(x, y, 3)", "axes"), ("np.tensordot(x, y, 'a')", "axes"),
                            ("np.tensordot(x, y, ([0, 1], [0]))", "2 dims of one array, 1 of")):
            done = self.apply(expr)
            self.assertNotEqual(done.returncode, 0, expr)
            self.assertIn(words, done.stderr, expr)

    def test_explained(self):
        told = stria("explain", self.paths["x"], "x @ y", "--with", "y=%s" % self.paths["y"]).stdout
        self.assertIn("einsum '...ij,...jk->...ik' of f64, f64: f64 by PyTorch's rules", told)
        self.assertIn("5 x 7 x 3 (rows, summed, columns) in f64", told)


if __name__ == "__main__":
    unittest.main()
