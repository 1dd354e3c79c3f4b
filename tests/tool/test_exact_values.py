# SPDX-License-Identifier: BSD-3-Clause
"""Exact sums, means, variances and dot products against math.fsum and fractions.

    STRIA_TOOL=build/stria python3 test_exact_values.py
"""

import math
import unittest
from fractions import Fraction

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing


def rounded(exact, dtype="f8"):
    """Returns the number of that dtype nearest to a fraction."""
    try:
        x = float(exact)
    except OverflowError:
        return np.dtype(dtype).type(math.inf if exact > 0 else -math.inf)
    near = np.dtype(dtype).type(x)
    if dtype == "f8" or not np.isfinite(near):
        return near
    # x is already rounded: take the neighbour nearest to the fraction, of two the even one
    some = [near, np.nextafter(near, near.dtype.type(-math.inf)), np.nextafter(near, near.dtype.type(math.inf))]
    bits = {"f2": "u2", "f4": "u4"}[dtype]
    return min(some, key=lambda y: (abs(Fraction(float(y)) - exact), y.view(bits) & 1))


class Exact(Folder):
    def apply(self, expr, **arrays):
        out = self.path / "out.npy"
        more = [o for name, a in arrays.items() if name != "x" for o in ("--with", "%s=%s" % (name, self.save(name + ".npy", a)))]
        done = stria("apply", self.save("x.npy", arrays["x"]), expr, "-o", out, "--rules", "numpy", *more)
        self.assertEqual(done.returncode, 0, (expr, done.stderr))
        return np.load(out)

    def numbers(self, rng, n, low, high):
        return np.array([math.ldexp(m, int(e)) for m, e in zip(rng.uniform(-1, 1, n), rng.integers(low, high, n))])

    def test_magnitudes(self):
        rng = np.random.default_rng(0)
        for n, low, high in [(1, 0, 1), (7, -3, 3), (600, -10, 10), (3000, -1074, 1000), (2000, -1080, -1000),
                             (3000, 900, 1015), (2000, -60, 60)]:
            x, y = self.numbers(rng, n, low, high), self.numbers(rng, n, -300, max(min(high, 500), 0))
            s = sum(map(Fraction, x.tolist()))
            squares = sum(Fraction(v) ** 2 for v in x.tolist())
            dot = sum(Fraction(a) * Fraction(b) for a, b in zip(x.tolist(), y.tolist()))
            what = (n, low, high)
            self.assertEqual(self.apply("fsum(x)", x=x), math.fsum(x), what)
            self.assertEqual(self.apply("exact_sum(x)", x=x[::-1]), rounded(s), what)
            self.assertEqual(self.apply("exact_mean(x)", x=x), rounded(s / n), what)
            self.assertEqual(self.apply("exact_var(x)", x=x), rounded((squares - s * s / n) / n), what)
            self.assertEqual(self.apply("exact_std(x)", x=x), math.sqrt(rounded((squares - s * s / n) / n)), what)
            self.assertEqual(self.apply("exact_dot(x, y)", x=x, y=y), rounded(dot), what)

    def test_dtypes(self):
        rng = np.random.default_rng(1)
        for dtype in ["f2", "f4", "f8", ">f4", "i1", "u2", "i4", "i8", "u8", "?"]:
            kind, size = np.dtype(dtype).kind, np.dtype(dtype).itemsize
            x = rng.normal(size=(40, 9)) * 100 if kind == "f" else rng.integers(0, 2 ** (8 * size - 1) - 1, (40, 9), "u8")
            x = x.astype(dtype)
            to = "f%d" % size if kind == "f" else "f8"
            made = self.apply("exact_sum(x, 0)", x=x)
            self.assertEqual(made.dtype, np.dtype(to), dtype)
            for j in range(9):
                self.assertEqual(made[j], rounded(sum(map(Fraction, x[:, j].tolist())), to), dtype)
            with np.errstate(over="ignore"):
                dot = rounded(sum(Fraction(v) ** 2 for v in x.ravel().tolist()), to)
            self.assertEqual(self.apply("exact_dot(x, x)", x=x), dot, dtype)

    def test_complex(self):
        rng = np.random.default_rng(2)
        z = rng.normal(size=50) + 1j * rng.normal(size=50) * 1e9
        self.assertEqual(self.apply("exact_sum(x)", x=z), complex(math.fsum(z.real), math.fsum(z.imag)))
        self.assertTrue(math.isclose(self.apply("exact_var(x)", x=z), z.var(), rel_tol=1e-12))

    def moments(self, x):
        """Returns the square of the skewness, and the kurtosis, as fractions; None where all elements are equal."""
        x = list(map(Fraction, x.tolist()))
        m = sum(x) / len(x)
        two, three, four = (sum((v - m) ** k for v in x) / len(x) for k in (2, 3, 4))
        return (three, three ** 2 / two ** 3, four / two ** 2 - 3) if two else None

    def test_moments(self):
        rng = np.random.default_rng(3)
        for x in (rng.normal(size=500), self.numbers(rng, 300, -1074, 1023), self.numbers(rng, 50, -1074, -1040),
                  self.numbers(rng, 2, 1000, 1023), np.exp(rng.normal(size=200)).astype("f4") + 1e7,
                  rng.integers(-2**63, 2**63 - 1, 99), rng.integers(0, 2**64 - 1, 99, dtype="u8"),
                  rng.integers(0, 2, 40).astype("?"), np.full(9, 0.1)):
            wanted = self.moments(x)
            skew, kurtosis = (self.apply(f"exact_{what}(x)", x=x.astype(x.dtype.newbyteorder())) for what in ("skew", "kurtosis"))
            if wanted is None:
                self.assertTrue(np.isnan(skew) and np.isnan(kurtosis))
                continue
            near = float(np.finfo(skew.dtype).eps) * 1.5
            self.assertEqual(np.sign(skew), np.sign(wanted[0]))
            self.assertLessEqual(abs(Fraction(float(skew)) ** 2 - wanted[1]), 2 * near * wanted[1], x[:9])
            self.assertLessEqual(abs(Fraction(float(kurtosis)) - wanted[2]), near * abs(wanted[2]), x[:9])
        made = self.apply("exact_skew(x, 1, True)", x=np.arange(12.).reshape(3, 4) ** 2)
        self.assertEqual(made.shape, (3, 1))


if __name__ == "__main__":
    unittest.main()
