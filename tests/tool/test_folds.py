# SPDX-License-Identifier: BSD-3-Clause
"""Folds, scans, groups and outer results by the name of an operation, against NumPy's ufuncs and PyTorch.

    STRIA_TOOL=build/stria python3 test_folds.py
"""

import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

OPS = ["gcd", "subtract", "bitwise_xor", "hypot", "add", "maximum", "logical_xor", "left_shift", "divide"]


class Folds(Folder):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(0)
        self.i = rng.integers(0, 9, (4, 5, 6)).astype("i4")
        self.f = rng.normal(size=(4, 5, 6))
        self.labels = np.array([2, 0, 2, 4])
        self.paths = {name: self.save(name + ".npy", a) for name, a in
                      (("i", self.i), ("f", self.f), ("k", self.labels), ("o", np.array([0, 1, 1, 4])))}

    def apply(self, expr, rules="numpy"):
        out = self.path / "out.npy"
        more = [o for name in "ifko" for o in ("--with", f"{name}={self.paths[name]}")]
        done = stria("apply", self.paths["i"], expr, "-o", out, "--rules", rules, *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def same(self, expr, wanted):
        made = self.apply(expr)
        self.assertEqual((made.shape, made.dtype), (wanted.shape, wanted.dtype), expr)
        np.testing.assert_allclose(made, wanted, rtol=1e-12, err_msg=expr)

    def test_ufuncs(self):
        for op in OPS:
            f = getattr(np, op)
            for axis in range(3):
                self.same(f"fold_op(i, '{op}', {axis}, keepdims=True)", f.reduce(self.i, axis, keepdims=True))
                self.same(f"i.scan_op('{op}', axis={axis})", f.accumulate(self.i, axis))
            self.same(f"outer_op(i[0, 0], '{op}', i[1])", f.outer(self.i[0, 0], self.i[1]))
            at = self.i.copy()
            if op not in ("hypot", "divide"):
                f.at(at, self.labels % 4, self.i[0])
                self.same(f"op_at(i, '{op}', k % 4, i[0])", at)
        self.same("fold_op(i, 'subtract', 0, initial=100)", np.subtract.reduce(self.i, 0, initial=100))
        self.same("fold_op(i, 'gcd', where=i > 3)", np.gcd.reduce(self.i, None, where=self.i > 3))
        self.same("fold_op(i, 'gcd', (0, 2), dtype='i2')", np.gcd.reduce(self.i, (0, 2), dtype="i2"))

    def test_groups(self):
        for op in ("add", "multiply", "subtract"):
            f = getattr(np, op)
            parts = f.reduceat(self.f, [0, 1], axis=0)
            empty = np.full((1, 5, 6), 7.0)
            self.same(f"segment_op(f, '{op}', [0, 1, 1, 4], initial=7.)",
                      np.concatenate([f.reduceat(np.concatenate([empty, self.f[:1]]), [0]), empty,
                                      f.reduceat(np.concatenate([empty, self.f[1:]]), [0])]))
            self.same(f"segment_op(f, '{op}', [0, 1, 4])", parts)
        wanted = np.zeros((5, 5, 6))
        np.add.at(wanted, self.labels, self.f)
        self.same("segment_sum(f, k, 5)", wanted)
        self.same("f.segment_sum(k)", wanted)
        self.same("label_op(f, 'add', k, 5, dtype='f4')", wanted.astype("f4").astype("f4"))
        highest = np.full((5, 5, 6), -np.inf)
        np.maximum.at(highest, self.labels, self.f)
        self.same("segment_max(f, k)", highest)
        least = np.full((5, 5, 6), 2**31 - 1, "i4")
        np.minimum.at(least, self.labels, self.i)
        self.same("segment_min(i, k)", least)
        sums = np.add.reduceat(self.f, [0, 1], axis=0)
        made = self.apply("segment_reduce(f, 'mean', lengths=[1, 3], axis=0)", "torch")
        np.testing.assert_allclose(made, sums / [[[1]], [[3]]])
        made = self.apply("segment_reduce(f, 'max', offsets=[0, 0, 4])", "torch")
        np.testing.assert_array_equal(made, np.stack([np.full((5, 6), -np.inf), self.f.max(0)]))

    def test_refusals(self):
        for expr, words in {
            "fold_op(i, 'sin')": "is no operation of two operands",
            "fold_op(f, 'less', 0)": "give bool",
            "segment_op(f, 'add', [0, 3, 1])": "offset 2 is 1, below the one before it, 3",
            "label_op(f, 'add', k, 4)": "label 4 of element 3 is not from 0 to 3",
            "segment_reduce(f, 'sum')": "it takes lengths or offsets",
            "segment_reduce(f, 'median', offsets=o)": "reduce must be",
        }.items():
            done = stria("apply", self.paths["i"], expr, "-o", self.path / "out.npy", "--rules",
                         "torch", *(o for name in "ifko" for o in ("--with", f"{name}={self.paths[name]}")))
            self.assertNotEqual(done.returncode, 0, expr)
            self.assertRegex(done.stderr, words, expr)


if __name__ == "__main__":
    unittest.main()
