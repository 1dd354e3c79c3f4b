# SPDX-License-Identifier: BSD-3-Clause
"""stria stat and stria diff against NumPy: every dtype and layout, NaNs, infinities, tolerances."""

import json
import os
import subprocess
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing

RNG = np.random.default_rng(21)
DTYPES = ["?", "i1", "u1", "<i2", ">i4", "<u4", "<i8", ">u8", "<f2", ">f4", "<f8"]


def some(dtype, shape):
    """Makes random values; for floats one in ten is special."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        x = RNG.normal(3, 10, shape).astype(dtype)
        special = RNG.choice(np.array([np.nan, np.inf, -np.inf, 0, -0.0]), shape)
        return np.where(RNG.random(shape) < 0.1, special, x).astype(dtype)
    if dtype.kind == "b":
        return RNG.random(shape) < 0.5
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max, shape, dtype=dtype.newbyteorder("="),
                        endpoint=True).astype(dtype)


class Stat(Folder):
    def told(self, array, *args):
        done = stria("stat", self.save("s.npy", array), *args, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def check(self, x, told, what):
        f = x.astype("f8").ravel()
        real = f[~np.isnan(f)]
        self.assertEqual((told["count"], told["nan"], told["inf"], told["zeros"]),
                         (f.size, int(np.isnan(f).sum()), int(np.isinf(f).sum()),
                          int((f == 0).sum())), what)
        if not real.size:
            self.assertEqual([told[k] for k in ("min", "max", "mean", "std", "histogram")],
                             [None] * 5)
            return
        if x.dtype.kind != "f":
            self.assertEqual((told["min"], told["max"]), (int(x.min()), int(x.max())), what)
        else:
            self.assertEqual((float(told["min"]), float(told["max"])), (real.min(), real.max()))
        finite = real[np.isfinite(real)]
        if finite.size == real.size:
            self.assertTrue(np.isclose(told["mean"], finite.mean(), rtol=1e-12), what)
            self.assertTrue(np.isclose(told["std"], finite.std(), rtol=1e-12), what)
        drawn = told["histogram"]
        self.assertEqual((drawn["low"], drawn["high"]), (finite.min(), finite.max()), what)
        self.assertEqual(sum(drawn["counts"]), finite.size, what)
        if finite.max() == finite.min():
            return
        wanted = np.histogram(finite, 20)[0]
        self.assertLessEqual(np.abs(np.cumsum(wanted) - np.cumsum(drawn["counts"])).max(), 2, what)

    def test_nan_has_no_sign(self):
        text = stria("stat", self.save("i.npy", np.array([1, np.inf, -2]))).stdout
        self.assertIn("std    nan\n", text)

    def test_values(self):
        with np.errstate(all="ignore"):
            for dtype in DTYPES:
                for x in (some(dtype, (41, 37)), some(dtype, (5, 7, 301)).transpose(2, 0, 1),
                          some(dtype, ()), some(dtype, (0, 3)), np.asfortranarray(some(dtype, (50, 999)))):
                    x = np.asarray(x)
                    if x.dtype == ">u8":
                        x = x // 2  # integers that JSON can hold
                    self.check(x, self.told(x), (dtype, x.shape))

    def test_far_from_zero(self):
        """A large mean beside a small deviation."""
        x = 1e9 + RNG.random(300000)
        told = self.told(x)
        self.assertTrue(np.isclose(told["std"], x.std(), rtol=1e-9))

    def test_broadcast_and_expressions(self):
        told = self.told(np.arange(10.), "[:, None].expand(10, 1000000)")
        self.assertEqual((told["count"], told["mean"]), (10**7, 4.5))
        self.assertEqual(self.told(self.x, "abs(x - 7)")["min"], 0)

    def test_text(self):
        done = stria("stat", self.file, self.file)
        self.assertEqual(done.stdout.count("mean   59.5\n"), 2)
        self.assertEqual(done.stdout.count("#" * 50), 40)

    def test_refused(self):
        for x in (np.zeros(3, "c8"), np.zeros(3, [("a", "i4")]), np.zeros(3, "S4")):
            self.assertEqual(stria("stat", self.save("r.npy", x)).returncode, 1)

    def test_what_instead(self):
        """A refusal suggests an EXPR for the elements, and that works."""
        for array, words, expr in (
                (np.array(["2020-01-01", "NaT"], "M8[D]"), ".view(i64)", ".view(i64)"),
                (np.array([5, 7], "m8[s]"), ".view(i64)", ".view(i64)"),
                (np.array([1 + 2j]), ".real", ".real"), (np.array([b"ab"]), ".view(u8)", ".view(u8)"),
                (np.zeros(2, "i4,f8"), "['name']", "['f0']")):
            path = self.save("other.npy", array)
            done = stria("stat", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertEqual(stria("stat", path, expr).returncode, 0, expr)


class Diff(Folder):
    def diff(self, a, b, *args):
        done = stria("diff", self.save("a.npy", a), self.save("b.npy", b), *args, "--json")
        self.assertEqual(done.stderr, "", done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if told["equal"] else 1)
        return told

    def test_exit_status(self):
        a, b = self.save("a.npy", self.x), self.save("b.npy", self.x + 1)
        self.assertEqual(stria("diff", a, a, "-q").returncode, 0)
        done = stria("diff", a, b, "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", ""))
        for args in ((a,), (a, self.path / "absent.npy"), (a, b, "x["), (a, b, "--rtol", "-1"),
                     (a, b, ".split(2)")):
            self.assertEqual(stria("diff", *args).returncode, 2, args)

    def test_places_and_sizes(self):
        for dtype in DTYPES[1:]:
            for order in "CF":
                a = some(dtype, (211, 307))
                b = np.array(a, order=order)
                hit = RNG.integers(0, a.size, 5)
                with np.errstate(all="ignore"):
                    b.flat[hit] = (a.flat[hit] // 2 + 1).astype(dtype)
                told = self.diff(a, b)
                differ = (a != b) & ~((a != a) & (b != b))
                self.assertEqual(told["differing"], int(differ.sum()), dtype)
                if told["differing"]:
                    first = np.argwhere(differ)[0]
                    self.assertEqual(told["first"]["index"], first.tolist(), dtype)

    def test_integers_are_exact(self):
        told = self.diff(np.array([2**63 - 1, -1]), np.array([2**63, 5], "u8"))
        self.assertEqual((told["differing"], told["first"]["index"], told["largest"]["by"]),
                         (2, [0], 6))

    def test_tolerance_is_that_of_allclose(self):
        for _ in range(60):
            a = some("<f8", 30)
            b = a * (1 + RNG.normal(0, 1e-6, 30)) + RNG.normal(0, 1e-9, 30)
            with np.errstate(all="ignore"):
                close = np.allclose(a, b, 1e-6, 1e-9, equal_nan=True)
                told = self.diff(a, b, "--rtol", "1e-6", "--atol", "1e-9")
                self.assertEqual(told["equal"], close)
                self.assertEqual(told["differing"], int((~np.isclose(a, b, 1e-6, 1e-9, True)).sum()))

    def test_nan(self):
        told = self.diff(np.array([np.nan, 1, np.nan]), np.array([np.nan, np.nan, np.nan], "f4"))
        self.assertEqual((told["differing"], told["first"]), (1, {"index": [1], "a": 1, "b": None}))
        self.assertIsNone(told["largest"]["by"])

    def test_shapes_dtypes_strings(self):
        self.assertFalse(self.diff(self.x, self.x[0])["equal"])
        self.assertTrue(self.diff(self.x, self.x.astype("f8"))["equal"])
        self.assertFalse(self.diff(self.x, self.x.astype("f8"), "--strict")["equal"])
        told = self.diff(np.array(["ab", "cd", "ef"]), np.array(["ab", "cx", "ey"]))
        self.assertEqual((told["differing"], told["first"]), (2, {"index": [1]}))
        self.assertTrue(self.diff(np.zeros((0, 3)), np.zeros((0, 3)))["equal"])
        told = self.diff(np.array([1 + 2j]), np.array([4 + 6j]))
        self.assertEqual(told["largest"], {"index": [0], "a": [1, 2], "b": [4, 6], "by": 5})

    def test_records(self):
        """Records are compared field by field, without padding; fields belong together by name."""
        dtype = np.dtype([("a", "i1"), ("b", "f8", 2), ("c", [("s", "S2"), ("t", "M8[D]")])], align=True)
        a = np.zeros((2, 3), dtype)
        a["b"][0, 1, 0] = np.nan
        b = a.copy()
        b.view("u1").reshape(2, 3, -1)[..., 1] = 7  # padding
        told = self.diff(a, b)
        self.assertEqual((told["equal"], list(told["fields"])), (True, ["a", "b", "c"]))
        self.assertEqual(told["fields"]["b"]["count"], 12)
        b["b"][1, 2, 1] = 2.5
        b["c"]["t"][0, 0] = 5
        told = self.diff(a, b)
        self.assertFalse(told["equal"])
        self.assertEqual(told["fields"]["b"]["first"], {"index": [1, 2, 1], "a": 0, "b": 2.5})
        self.assertTrue(told["fields"]["a"]["equal"])
        self.assertEqual([told["fields"]["c"]["fields"][k]["differing"] for k in "st"], [0, 1])
        out = stria("diff", self.path / "a.npy", self.path / "b.npy").stdout
        self.assertIn("field      b\ndifferent  1 of 12 elements", out)
        wider = a.astype([("a", "i8"), ("b", "f4", 2), ("c", [("s", "S2"), ("t", "M8[D]")])])
        self.assertTrue(self.diff(a, wider)["equal"])
        self.assertFalse(self.diff(a, wider, "--strict")["equal"])
        names = self.save("n.npy", np.zeros((2, 3), [("x", "i1"), ("b", "f8", 2), ("c", "S2")]))
        self.assertEqual(stria("diff", self.path / "a.npy", names).returncode, 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written(self):
        """A failed write is trouble (exit status 2), not a difference (1)."""
        a = self.save("a.npy", self.x)
        with open("/dev/full", "w") as full:
            done = subprocess.run([STRIA, "diff", a, a], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)

    def test_expression_of_both(self):
        told = self.diff(self.x, self.x.copy("F"), "[::-1, 0].T")
        self.assertEqual((told["equal"], told["count"]), (True, 24))

    def test_text(self):
        a, b = self.save("a.npy", self.x), self.save("b.npy", np.where(self.x == 7, 9, self.x))
        out = stria("diff", a, b).stdout
        self.assertIn("different  1 of 120 elements", out)
        self.assertIn("first      [0, 1, 1]  7 and 9, by 2", out)
        self.assertIn("equal      120 elements", stria("diff", a, a).stdout)
        one, other = self.save("1.npy", np.ones(1)), self.save("2.npy", np.ones(1, "f4"))
        self.assertEqual("equal      1 element\n", stria("diff", one, one).stdout)
        self.assertIn("equal      1 element\n", stria("diff", one, other).stdout)
        self.assertIn("1 of 1 element, 100 %",
                      stria("diff", one, self.save("3.npy", np.zeros(1))).stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
