# SPDX-License-Identifier: BSD-3-Clause
"""Masks, initial values, dtypes and derived reductions in expressions against NumPy.

    STRIA_TOOL=build/stria python3 test_reductions_derived.py
"""

import unittest
import warnings

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

warnings.simplefilter("ignore")  # NumPy warns of empty slices

SAME = """np.nansum(x, 0); np.nanprod(x, (0, 1)); np.nanmean(x, 0); np.nanvar(x, 0); np.nanstd(x, (1, 2), ddof=1)
np.nanmax(x, 0); np.nanmin(x, 0); np.ptp(f, 1); np.ptp(i, (0, 2)); np.nansum(x, 1, where=m); np.nanmean(x, 1, where=m)
np.nanvar(x, 0, where=m); np.nanmax(x, 0, initial=0.0); f.sum(0, where=m); f.mean(1, where=m)
f.var((0, 2), where=m); f.std(0, where=m, keepdims=True); f.prod(0, where=m); f.max(0, where=m, initial=-2)
f.min((1, 2), where=m, initial=5.0); (f < 0).any(0, where=m); (f < 5).all(0, where=m); f.sum(0, initial=3)
i.sum(1, initial=7); i.sum(0, dtype='f4'); f.sum(1, dtype='f8'); f.mean(1, dtype='f8'); i.sum(0, dtype='i2')
i.max(0, initial=50); f[:0].max(0, initial=2); i.prod((0, 1), initial=2); f[:0].sum(0, initial=2)
np.vecdot(f, f[:, ::-1]); np.vecdot(i, g); np.vecdot(f, f, axis=0); np.average(f, 0)
i.view('u2').sum(0, initial=3); i.view('u2').max(1, initial=7, where=m); m.max(0, initial=1); i.sum(0, dtype='?')
np.average(f, axis=1, weights=g[:, 0] + 20.0); np.average(f, weights=f * f)
np.prod(z, 0); z.var(0); z.std((0, 2), ddof=1); np.nansum(z, 0); np.nanprod(z, 1); np.nanmean(z, 0); np.nanvar(z, 0)
np.nanstd(z, (1, 2), ddof=1); z.prod(1, where=m); np.nanvar(z, 1, where=m); (z * z).var(0); np.cumprod(z, 1)""".replace("\n", "; ").split("; ")


class Derived(Folder):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(0)
        x = rng.normal(size=(4, 5, 6))
        x[rng.random(x.shape) < .2] = np.nan
        x[:, 1, 1] = np.nan
        self.arrays = {"x": x, "m": rng.random((5, 6)) < .6, "i": rng.integers(-100, 100, (4, 5, 6)).astype("i2"),
                       "f": rng.normal(size=(4, 5, 6)).astype("f4"), "g": rng.integers(-9, 9, (5, 6)).astype("i4"),
                       "z": x + 1j * x[::-1, :, ::-1]}
        self.paths = {name: self.save(name + ".npy", a) for name, a in self.arrays.items()}

    def apply(self, expr):
        out = self.path / "out.npy"
        more = [o for name in "mifgz" for o in ("--with", "%s=%s" % (name, self.paths[name]))]
        done = stria("apply", self.paths["x"], expr, "-o", out, "--rules", "numpy", *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def check(self, expr, expected):
        made = self.apply(expr)
        self.assertEqual((made.shape, made.dtype), (expected.shape, expected.dtype), expr)
        np.testing.assert_allclose(made, expected, rtol=2e-6, atol=1e-6, err_msg=expr)

    def test_same_words(self):
        for expr in SAME:
            self.check(expr, np.asarray(eval(expr, {"np": np, **self.arrays})))

    def test_other_words(self):
        f, i, m = (self.arrays[name] for name in "fim")
        for p in (2, 1, 0, 3, -2):
            expected = np.linalg.norm(f, p, 1)
            self.check("norm(f, axis=1, ord=%d)" % p, expected)
            self.check("np.linalg.norm(f, %d, 1)" % p, expected)
            self.check("torch.linalg.vector_norm(f, %d, 1)" % p, expected)
            self.check("f.norm(%d, 1)" % p, expected)
        for ord in ("1", "-1", "2", "-2", "np.inf", "-np.inf", "'fro'", "'nuc'"):
            for expr in ("np.linalg.norm(i[0], %s)", "np.linalg.norm(f[:, 0] + 1, %s)", "np.linalg.norm(f, %s, axis=(2, 0))",
                         "np.linalg.norm(f, %s, axis=(0, 1), keepdims=True)", "np.linalg.matrix_norm(f[:, :1], ord=%s)"):
                self.check(expr % ord, np.asarray(eval(expr % ord, {"np": np, "f": f, "i": i})))
        self.check("np.linalg.matrix_norm(f)", np.linalg.matrix_norm(f))
        self.check("np.linalg.norm(f[:, :0], 1, axis=(0, 1))", np.zeros(f.shape[2], "f4"))
        for expr in ("np.linalg.norm(f, 1)", "np.linalg.norm(f[0], 3)", "np.linalg.norm(f[0, 0], 'fro')", "np.linalg.norm(f[0], 'max')",
                     "np.linalg.norm(f, 1, axis=(0, 1, 2))", "np.linalg.norm(f, 2, axis=(0, 0))", "np.linalg.norm(f[0], 1, where=m[0])"):
            done = stria("apply", self.paths["x"], expr, "-o", self.path / "out.npy", "--with", "f=%s" % self.paths["f"],
                         "--with", "m=%s" % self.paths["m"])
            self.assertEqual(done.returncode, 1, (expr, done.stderr))
        large = 100 * f.astype("f8")
        self.check("logsumexp(f * 100, 1)",
                   (np.log(np.exp(large - large.max()).sum(1)) + large.max()).astype("f4"))
        self.check("bits_and(i, 0)", np.bitwise_and.reduce(i, 0))
        self.check("bits_or(i, (1, 2))", np.bitwise_or.reduce(i, (1, 2)))
        self.check("bits_xor(m, 1)", np.logical_xor.reduce(m, 1))
        self.check("bits_and(i, 0, where=m)", np.bitwise_and.reduce(i, 0, where=m))
        self.check("f.aminmax(dim=1)[0]", f.min(1))
        self.check("f.aminmax(dim=1)[1]", f.max(1))
        self.check("f.var_mean(0)[0]", f.var(0, ddof=1))


if __name__ == "__main__":
    unittest.main(verbosity=1)
