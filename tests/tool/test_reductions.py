# SPDX-License-Identifier: BSD-3-Clause
"""Reductions in expressions: names, arguments, shapes, dtypes and values against NumPy and PyTorch.

    STRIA_TOOL=build/stria python3 test_reduce.py
"""

import json
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

try:
    import torch
except ImportError:
    torch = None

# Calls that mean the same in both libraries: {n} is the name of the keyword.
CALLS = ["x.{f}()", "x.{f}(0)", "x.{f}(-1)", "x.{f}((0, 2))", "x.{f}((-1, 0))", "x.T.{f}(1)",
         "x[:, ::-2].{f}((1, 2))", "x[1:1].{f}(1)"]
NAMES = ["sum", "prod", "mean", "max", "min", "all", "any"]
DTYPES = ["?", "i1", "i4", "i8", "u1", "u2", "u8", "f2", "f4", "f8", "c8"]


class Reductions(Folder):
    def apply(self, expr, *options, code=0):
        out = self.path / "out.npy"
        done = stria("apply", self.file, expr, "-o", out, *options)
        self.assertEqual(done.returncode, code, (expr, done.stderr))
        return np.load(out) if code == 0 else done.stderr

    def array(self, dtype):
        x = np.random.default_rng(1).integers(0, 100, (4, 5, 6)) / 8
        x = (x > 6) if dtype == "?" else x.astype(dtype)
        self.file = self.save("x.npy", x)
        return x

    def assert_close(self, ours, theirs, what):
        self.assertEqual((ours.shape, ours.dtype), (theirs.shape, theirs.dtype), what)
        tolerance = {"f": 1e-6, "c": 1e-6}.get(ours.dtype.kind, 0)
        if ours.dtype == "f2":
            tolerance = 4e-3
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, err_msg=what)

    def test_numpy(self):
        for dtype in DTYPES:
            x = self.array(dtype)
            for name in NAMES:
                if dtype == "c8" and name in ("max", "min"):
                    self.assertIn("complex", self.apply("x.%s(0)" % name, code=1))
                    continue
                for call in CALLS:
                    expr = call.format(f=name)
                    with np.errstate(all="ignore"):
                        # NumPy's products of c64 overflow in between.
                        wide = x.astype("c16") if (dtype, name) == ("c8", "prod") else x
                        expected = np.asarray(eval(expr, {"x": wide}))
                        if wide is not x:
                            expected = expected.astype(dtype)
                    self.assert_close(self.apply(expr, "--rules", "numpy"), expected, expr)

    @unittest.skipIf(torch is None, "needs torch")
    def test_torch(self):
        for dtype in ["?", "i4", "u1", "f2", "f4", "f8", "c8"]:
            x = torch.from_numpy(self.array(dtype))
            for call in ["x.{f}({n}=0)", "torch.{f}(x, {n}=-1, keepdim=True)", "x.{f}(1, True)"]:
                for name in ["sum", "mean", "amax", "amin", "all", "any", "count_nonzero"]:
                    no_order = dtype == "c8" and name in ("amax", "amin")
                    if no_order or (name == "mean" and dtype in ("?", "i4", "u1")):
                        continue
                    if name == "count_nonzero" and "True" in call:
                        continue
                    expr = call.format(f=name, n="dim")
                    expected = eval(expr, {"x": x, "torch": torch}).numpy()
                    if name in ("all", "any"):
                        expected = expected.astype("?")  # PyTorch's result for u8 is u8
                    self.assert_close(self.apply(expr), expected, expr)

    def test_arguments(self):
        x = self.x
        for expr, expected in [
                ("x.mean((0, 2), keepdims=True)", x.mean((0, 2), keepdims=True)),
                ("np.sum(x, axis=(0, 1))", np.sum(x, axis=(0, 1))),
                ("np.max(a=x, axis=None)", np.max(x)),
                ("x.argmax(1)", x.argmax(1)), ("np.argmin(x)", np.argmin(x)),
                ("np.std(x, axis=(0, 1), ddof=1)", np.std(x, axis=(0, 1), ddof=1)),
                ("np.var(x, axis=2)", np.var(x, axis=2)),
                ("x.var(2)", np.var(x, axis=2, ddof=1)),
                ("np.sum(x, axis=())", x), ("x.sum(())", x.sum()),
                ("np.count_nonzero(x, axis=1)", np.count_nonzero(x, axis=1)),
                ("x - x.mean(0)", x - x.mean(0)),
                ("((x - x.T.T[::-1])**2).sum(1)", ((x - x[::-1])**2).sum(1)),
                ("abs(x - 3).max((0, 2))", abs(x - 3).max((0, 2))),
                ("(x < x.mean((1, 2), keepdims=True)).sum()",
                 np.asarray((x < x.mean((1, 2), keepdims=True)).sum())),
        ]:
            self.assert_close(self.apply(expr), np.asarray(expected), expr)

    def test_out(self):
        y = self.save("y.npy", np.zeros((5, 6)))
        done = self.apply("x.sum(0, out=y)", "--with", "y=%s" % y)
        self.assert_close(done, self.x.sum(0, dtype="f8"), "out")

    def test_refusals(self):
        for expr, words in [("x.sum(3)", "3"), ("x.sum((0, -3))", "dim"),
                            ("x[:0].max(0)", "dim 0"),
                            ("x.argmax((0, 1))", "one"), ("x.var(0, ddof=-1)", "ddof"), ("x.max((0, 1), out=x)", "shape")]:
            self.assertIn(words, self.apply(expr, code=1), expr)

    def test_explain(self):
        done = stria("explain", "--shape", "4096,4096", "x.sum(1)")
        self.assertIn("rows in place", done.stdout)
        done = stria("explain", "--shape", "4096,4096", "x.sum(0)", "--json")
        steps = json.loads(done.stdout)["steps"]
        self.assertTrue(any("columns in place" in s.get("how", "") for s in steps), steps)

    def test_fused(self):
        done = stria("explain", "--shape", "4096,4096", "((x - x.T)**2).sum(0)", "--json")
        how = json.loads(done.stdout)["steps"][-1]["how"]
        self.assertIn("subtract, square: sum: columns computed", how)


if __name__ == "__main__":
    unittest.main(verbosity=1)
