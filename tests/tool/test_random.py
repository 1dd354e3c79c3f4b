# SPDX-License-Identifier: BSD-3-Clause
"""Random numbers of an EXPR against docs/random.md, implemented again in Python."""

import io
import statistics
import subprocess
import unittest

from tool import STRIA, Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

MASK = 0xFFFFFFFF


def philox(key, counter):
    key, c = list(key), list(counter)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ key[0], b & MASK, (a >> 32) ^ c[3] ^ key[1], a & MASK]
        key = [(key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK]
    return c


class Sequence:
    def __init__(self, seed=0, stream=0):
        self.key, self.stream = (seed & MASK, seed >> 32 & MASK), stream

    def block(self, number, attempt):
        return philox(self.key, (number & MASK, number >> 32, self.stream, attempt))

    def bits32(self, e, attempt=0):
        return self.block(e // 4, attempt)[e % 4]

    def bits64(self, e, attempt=0):
        low, high = self.block(e // 2, attempt)[e % 2 * 2:][:2]
        return low, high

    def u53(self, e):
        low, high = self.bits64(e)
        return ((high >> 5) << 26) + (low >> 6)

    def integer(self, e, low, high):
        count, wide = high - low, high - low > 1 << 32
        size = 64 if wide else 32
        for attempt in range(1000):
            word = self.bits32(e, attempt)
            if wide:
                lower, upper = self.bits64(e, attempt)
                word = upper << 32 | lower
            product = word * count
            if product % (1 << size) >= (1 << size) % count:
                return low + (product >> size)
        raise AssertionError("never")


def made(expr):
    done = subprocess.run([STRIA, "apply", expr, "-o", "-"], capture_output=True, timeout=100,
                          check=True)
    return np.load(io.BytesIO(done.stdout))


N = 301


class Random(Folder):
    def test_uniform(self):
        s = Sequence(7 + (3 << 32), 9)
        seed = f"seed={7 + (3 << 32)}, stream=9"
        words = [s.bits32(e) for e in range(N)]
        np.testing.assert_array_equal(made(f"rand({N}, {seed})"),
                                      np.array([w >> 8 for w in words], "f4") / np.float32(2**24))
        np.testing.assert_array_equal(made(f"rand({N}, {seed}, dtype=f16)"),
                                      np.array([w >> 21 for w in words], "f2") / np.float16(2**11))
        u = np.array([s.u53(e) for e in range(N)], "f8") / 2**53
        np.testing.assert_array_equal(made(f"random(7, {N // 7}, {seed})"), u.reshape(7, -1))
        np.testing.assert_array_equal(made(f"uniform(-2.5, 0.3, {N}, {seed})"), -2.5 + u * 2.8)

    def test_normal(self):
        inverse = statistics.NormalDist().inv_cdf
        s = Sequence(5)
        wanted = [3 + 2 * inverse(((s.u53(e) >> 1) + 0.5) / 2**52) for e in range(N)]
        np.testing.assert_allclose(made(f"normal(3, 2, {N}, seed=5)"), wanted, rtol=1e-12, atol=1e-12)
        wanted = [inverse((s.bits32(e) + 0.5) / 2**32) for e in range(N)]
        np.testing.assert_array_max_ulp(made(f"randn({N}, seed=5)"), np.array(wanted, "f4"), 1)

    def test_integers(self):
        for low, high in ((0, 6), (-5, 5 << 29), (0, 3 << 30), (-1, 1 << 32), (-(3 << 61), 3 << 61),
                          (-(1 << 63), (1 << 63) - 1), (0, 1 << 32)):
            s = Sequence(-1)
            self.assertEqual(made(f"randint({low}, {high}, {N}, seed=-1)").tolist(),
                             [s.integer(e, low, high) for e in range(N)])
        self.assertEqual(made("randint(0, 200, (2, 3), dtype=u8)").dtype, np.dtype("u1"))

    def test_same_without_a_seed(self):
        np.testing.assert_array_equal(made("random(3, 4)"), made("random((3, 4), seed=0, stream=0)"))
        self.assertFalse((made("random(3, 4)") == made("random(3, 4, seed=1)")).any())

    def test_explained_and_refused(self):
        self.assertIn("f64 (3, 1000000000000)", stria("explain", "random(3, 10**12)").stdout)
        for expr, words in (("random(2, stream=-1)", "stream is -1"),
                            ("randint(3, 3, 2)", "from 3 to below 3"),
                            ("uniform(1, 0, 2)", "from 1 to 0"),
                            ("rand(2, dtype=i32)", "out is i32")):
            done = stria("show", expr)
            self.assertEqual(done.returncode, 1, expr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
