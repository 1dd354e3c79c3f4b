# SPDX-License-Identifier: BSD-3-Clause
"""Padding, correlations and reductions in windows against NumPy, bit by bit.

    STRIA_TOOL=build/stria python3 test_windows.py
"""

import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def windows(x, shape, mode):
    """Returns a view of every window, whose dims are the last ones."""
    if mode != "valid":
        x = np.pad(x, [(k // 2, k - 1 - k // 2) for k in shape], mode=mode)
    return np.lib.stride_tricks.sliding_window_view(x, shape)


def correlate(views, weights):
    """Adds products in C order, rounding each."""
    out = None
    for index in np.ndindex(*weights.shape):
        if weights[index] != 0:
            term = views[(Ellipsis,) + index] * weights[index]
            out = term if out is None else out + term
    return out


class Windows(Folder):
    def apply(self, expr, x, rules="numpy", **arrays):
        out = self.path / "out.npy"
        more = [o for name, a in arrays.items() for o in ("--with", "%s=%s" % (name, self.save(name + ".npy", a)))]
        done = stria("apply", self.save("x.npy", x), expr, "-o", out, "--rules", rules, *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def same(self, made, expected, what):
        self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype), what)
        np.testing.assert_array_equal(made, expected, str(what))

    def test_pad(self):
        x = np.arange(105.0).reshape(7, 5, 3)
        for mode in MODES:
            for width in ["((2, 1), (0, 4), (1, 7))", "(1, 2)", "3"]:
                expr = "np.pad(x, %s, mode='%s')" % (width, mode)
                self.same(self.apply(expr, x), eval(expr), expr)
        self.same(self.apply("np.pad(x, 2, constant_values=7.5)", x), np.pad(x, 2, constant_values=7.5), "value")
        self.same(self.apply("x.pad((1, 2, 0, 3), mode='replicate')", x, "torch"),
                  np.pad(x, ((0, 0), (0, 3), (1, 2)), mode="edge"), "torch")

    def test_windows(self):
        rng = np.random.default_rng(1)
        for shape, size in [((40, 50), (5, 5)), ((70, 3), (3, 3)), ((30, 1500), (4, 3)), ((9, 10, 11), (3, 2, 4)),
                            ((5, 6), (9, 13)), ((3000,), (2100,))]:
            for n, dtype in enumerate(["f8", "f4", "i4", "u1"]):
                x = (rng.normal(size=shape) * 50).astype("i2").astype(dtype) if dtype != "f4" else rng.normal(size=shape).astype(dtype)
                weights = (rng.normal(size=size) * 3).astype("i2").astype(dtype)
                weights[(0,) * len(size)] = 1
                for mode in [["valid"] + MODES, MODES][size[0] > shape[0]][(n + len(size) + shape[0]) % 5:][:1]:
                    views, what = windows(x, size, mode), (shape, size, dtype, mode)
                    self.same(self.apply("correlate(x, w, mode='%s')" % mode, x, w=weights), correlate(views, weights), what)
                    axes = tuple(range(-len(size), 0))
                    self.same(self.apply("window_max(x, %s, mode='%s')" % (list(size), mode), x), views.max(axes), what)
                    self.same(self.apply("window_min(x, %s, mode='%s')" % (list(size), mode), x), views.min(axes), what)
                    mean = self.apply("window_mean(x, %s, mode='%s')" % (list(size), mode), x)
                    np.testing.assert_allclose(mean, views.mean(axes, dtype="f8"), rtol=1e-4, atol=1e-4, err_msg=str(what))


if __name__ == "__main__":
    unittest.main()
