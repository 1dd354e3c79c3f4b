# SPDX-License-Identifier: BSD-3-Clause
"""Scans, quantiles, counts and comparisons in expressions against NumPy and PyTorch.

    STRIA_TOOL=build/stria python3 test_scans.py
"""

import unittest
import warnings

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

try:
    import torch
except ImportError:
    torch = None

warnings.simplefilter("ignore")  # NumPy warns of empty slices

METHODS = ["linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf",
           "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
           "normal_unbiased"]
SAME = """np.cumsum(f, 0); np.cumsum(f, axis=1); np.cumsum(f); np.cumsum(f[:, ::-2], 2); np.cumsum(u, 1)
np.cumsum(u, 1, 'u1'); np.cumsum(f, 0, dtype='f8'); np.cumprod(f, axis=2, dtype='c8'); np.cumsum(i, dtype='f4')
np.cumulative_sum(f, axis=1); np.cumulative_sum(u, axis=0, dtype='i2', include_initial=True)
np.cumulative_prod(f, axis=-1, include_initial=True); np.cumulative_sum(s, include_initial=True)
np.cumulative_sum(f[:0], axis=0, include_initial=True); np.cumulative_prod(s[3], include_initial=True)
np.cumprod(f, 1); np.cumsum(i, -1); np.diff(f); np.diff(i, n=2, axis=0); np.diff(f, axis=1, prepend=f[:, 1:3], append=f[:, :1]); np.diff(i, 2, 0, append=f[:1])
np.diff(f[:1], axis=0)
np.median(f, 0); np.median(f); np.median(i, axis=(0, 2)); np.median(x, 1); np.nanmedian(x, 1)
np.quantile(f, 0.3, axis=1); np.percentile(f, 30, axis=(0, 1), keepdims=True); np.nanquantile(x, 0.7, axis=0)
np.quantile(x, 0.5); np.bincount(u.ravel()); np.bincount(u.ravel(), minlength=300); np.bincount(u.ravel(), weights=u.ravel() * 0.25); np.bincount(u.ravel(), u.ravel(), 300)
np.array_equal(f, f); np.array_equal(f, i); np.allclose(f, f + 0); np.allclose(f, f * 1.1)""".replace("\n", "; ").split("; ")


# Results that have NumPy's dtype and bits.
EXACT = ["np.%s(%s, 0.3, axis=0, method='%s')" % (f, a, m) for f in ("quantile", "nanquantile") for a in "iuf"
         for m in ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")]
EXACT += ["np.median(%s, %d)" % (a, d) for a in "iufx" for d in (0, 1)] + ["np.nanmedian(f - f / (f > 0), 0)"]


class Scans(Folder):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(0)
        x = rng.normal(size=(4, 5, 6))
        x[rng.random(x.shape) < .2] = np.nan
        self.arrays = {"x": x, "i": rng.integers(-100, 100, (4, 5, 6)).astype("i2"),
                       "u": rng.integers(0, 200, (4, 50)).astype("u1"),
                       "f": rng.normal(size=(4, 5, 6)).astype("f4"), "s": np.sort(rng.normal(size=40)),
                       "z": (rng.normal(size=(4, 5, 6)) + 3j * rng.normal(size=(4, 5, 6))).astype("c8")}
        self.paths = {name: self.save(name + ".npy", a) for name, a in self.arrays.items()}

    def apply(self, expr, rules="numpy"):
        out = self.path / "out.npy"
        more = [o for name in "iufsz" for o in ("--with", "%s=%s" % (name, self.paths[name]))]
        done = stria("apply", self.paths["x"], expr, "-o", out, "--rules", rules, *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def check(self, expr, expected, rules="numpy"):
        made = self.apply(expr, rules)
        self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype), expr)
        np.testing.assert_allclose(made, expected, rtol=2e-6, atol=1e-6, err_msg=expr)

    def test_same_words(self):
        for expr in SAME:
            self.check(expr, np.asarray(eval(expr, {"np": np, **self.arrays})))

    def test_methods(self):
        f = self.arrays["f"].astype("f8")
        for method in METHODS:
            for q in (0.0, 0.1, 0.25, 0.5, 0.8, 1.0):
                expected = np.quantile(f, q, axis=0, method=method)
                self.check("np.quantile(f, %r, axis=0, method='%s')" % (q, method),
                           expected.astype("f4"))

    def test_bits(self):
        arrays = dict(self.arrays)
        for expr in EXACT:
            made, expected = self.apply(expr), eval(expr, {"np": np}, arrays)
            self.assertEqual((made.dtype, made.tobytes()), (expected.dtype, expected.tobytes()), expr)

    def test_counts(self):
        f, s = self.arrays["f"], self.arrays["s"]
        self.check("f.histc(13, -1.0, 2.0)", np.histogram(f, 13, (-1, 2))[0])
        self.check("f.histc(7)", np.histogram(f, 7)[0])
        order = np.argsort(s[::-1])
        self.check("np.searchsorted(s.flip(0), f, sorter=arange(39, -1, -1))", np.searchsorted(s[::-1], f, sorter=order))
        for side in ("left", "right"):
            self.check("np.searchsorted(s, f, side='%s')" % side, np.searchsorted(s, f, side))

    def test_refusals(self):
        for code, expr, word in ((1, "np.cumulative_sum(x)", "wants a dim"),
                                 (1, "torch.cumsum(x)", "wants a dim"), (1, "np.cumsum(x, 3)", "3"),
                                 (1, "np.diff(x, 4294967296)", "n is 4294967296, not 0 to 2147483647"),
                                 (2, "np.cumsum(x, 0, include_initial=True)", "include_initial"),
                                 (2, "x.cummax(0, dtype='f8')", "dtype")):
            done = stria("apply", self.paths["x"], expr, "-o", self.path / "out.npy")
            self.assertEqual(done.returncode, code, expr)
            self.assertIn(word, done.stderr, expr)

    @unittest.skipIf(torch is None, "needs torch")
    def test_torch(self):
        f, x, z = (torch.from_numpy(self.arrays[name]) for name in "fxz")
        for dim in (0, 1, 2):
            self.check("f.cummax(%d)" % dim, torch.cummax(f, dim).values.numpy(), "torch")
            self.check("f.cummin(%d)" % dim, torch.cummin(f, dim).values.numpy(), "torch")
            self.check("f.logcumsumexp(%d)" % dim, torch.logcumsumexp(f, dim).numpy(), "torch")
            self.check("x.cummax(%d)" % dim, torch.cummax(x, dim).values.numpy(), "torch")
            self.check("f.median(%d)" % dim, torch.median(f, dim).values.numpy(), "torch")
            self.check("f.cumsum(%d)" % dim, torch.cumsum(f, dim).numpy(), "torch")
            self.check("z.logcumsumexp(%d)" % dim, torch.logcumsumexp(z, dim).numpy(), "torch")
            self.check("z.logsumexp(%d)" % dim, torch.logsumexp(z, dim).numpy(), "torch")
            self.check("torch.logaddexp(z, f)", torch.logaddexp(z, f.to(z.dtype)).numpy(), "torch")


if __name__ == "__main__":
    unittest.main(verbosity=1)
