# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's datetime64 and timedelta64 through the tool: text, views, copies, archives, records."""
import unittest

from tool import Folder, np, stria

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s", "2Y", "7D", "100us", ""]
NAT = np.iinfo("i8").min


def counts(multiple):
    """Counts, small and large, whose product with the multiple fits, and the edges of the calendar."""
    rng = np.random.default_rng(7)
    most = 2**62 // multiple
    parts = [rng.integers(-most, most, 40), rng.integers(-10**5, 10**5, 60), rng.integers(-2**36, 2**36, 60),
             [NAT, 0, 1, -1, -719528, -719529, 2932896, 2932897]]
    return np.concatenate(parts).reshape(14, 12)


class Dates(Folder):
    def each(self):
        for letter in "Mm":
            for unit in UNITS:
                for order in "<>":
                    dtype = np.dtype(f"{order}{letter}8" + (f"[{unit}]" if unit else ""))
                    multiple = int("".join(c for c in unit if c.isdigit()) or 1)
                    yield unit, dtype, counts(multiple).astype(order + "i8").view(dtype)

    def test_text(self):
        for unit, dtype, a in self.each():
            if not unit and dtype.kind == "M":
                continue  # NumPy cannot print these
            with self.subTest(dtype=dtype):
                self.assertEqual(stria("show", self.save("a.npy", a)).stdout.rstrip("\n"), str(a))
                self.assertEqual(stria("show", self.path / "a.npy", "[0, 0]").stdout.rstrip("\n"), str(a[0, 0]))

    def test_files(self):
        for unit, dtype, a in self.each():
            path = self.save("a.npy", a)
            for expr, wanted in [(".T[::2, 1:]", a.T[::2, 1:]), (".contiguous()", a), ("[3]", a[3])]:
                for target in ["out.npy", "out.npz:x"]:
                    with self.subTest(dtype=dtype, expr=expr, target=target):
                        done = stria("apply", path, expr, "-o", self.path / target)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        back = np.load(self.path / target.split(":")[0])
                        back = back["x"] if "npz" in target else back
                        self.assertEqual(back.dtype.str, dtype.str)
                        self.assertEqual(back.tobytes(), wanted.tobytes())
            self.assertIn(f"8[{unit}]" if unit else "8", stria("info", path).stdout)

    def test_records(self):
        dtype = np.dtype([("t", "<M8[25s]"), ("d", ">m8[ns]", (2,)), ("n", [("x", "M8[D]"), ("y", "f4")])])
        r = np.zeros(5, dtype)
        r["t"] = [1, 2, 3, 4, 5]
        path = self.save("r.npy", r)
        self.assertEqual(stria("show", path).stdout.rstrip("\n"), str(r))
        self.assertEqual(stria("apply", path, "[::-1]", "-o", self.path / "s.npy").returncode, 0)
        back = np.load(self.path / "s.npy")
        self.assertEqual(back.dtype, dtype)
        self.assertTrue((back == r[::-1]).all())
        self.assertEqual(stria("apply", path, "['n.x']", "-o", self.path / "x.npy").returncode, 0)
        self.assertEqual(np.load(self.path / "x.npy").dtype.str, "<M8[D]")

    def test_integers(self):
        path = self.save("t.npy", np.arange(5).view("m8[25s]"))
        out = self.path / "out.npy"
        done = stria("apply", path, "(x.view('i8') * 2).view('m8[25s]')", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_array_equal(np.load(out), np.load(path) * 2)
        for expr in ["x + 1", "x.sum()", "x.astype('m8[s]')", "x.to('f64')"]:
            done = stria("apply", path, expr, "-o", out)
            self.assertEqual(done.returncode, 1, expr)
            self.assertIn("m8[25s]", done.stderr)


if __name__ == "__main__":
    unittest.main()
