# SPDX-License-Identifier: BSD-3-Clause
"""Record arrays from NumPy's files through the tool and back: the same bytes as NumPy writes."""
import os
import subprocess
import tempfile
import unittest

import numpy as np

TOOL = os.environ["STRIA_TOOL"]

DTYPES = {
    "packed": np.dtype("i1, <i4, f8"),
    "aligned": np.dtype("i1, i4, i2, f8", align=True),
    "big-endian": np.dtype([("a", ">i4"), ("b", "<f2"), ("c", ">c16")]),
    "array field": np.dtype([("m", "<f8", (2, 3)), ("k", "u1", (4,))]),
    "nested": np.dtype([("p", [("x", "f4"), ("y", "f4")]), ("name", "S5"), ("u", "<U3")]),
    "nested array": np.dtype([("p", [("x", "<i2"), ("q", [("z", "u1", (3,))])], (2, 2))]),
    "padded": np.dtype({"names": ["a", "b"], "formats": ["<f4", "<i2"], "offsets": [4, 10], "itemsize": 16}),
    "titles": np.dtype([(("long title", "t"), "<f4"), ("b", "u1")]),
    "latin-1": np.dtype([("h\u00f6he", "<f4"), ("\u00c0\u00bf\u00ff", "u1"), (("\u00a9", "c"), "i1")]),
    "unicode": np.dtype([("h\u00f6he", "<f4"), ("\u5e45", "<f8")]),
    "quotes": np.dtype([("it's", "<f4"), ('a"b', "u1")]),
    "array field of nothing": np.dtype([("a", "<f4"), ("z", "<f8", (2, 0))]),
    "many": np.dtype([(f"field{i}", "u1") for i in range(600)]),
}


def sample(dtype, shape):
    count = int(np.prod(shape))
    data = np.arange(count * dtype.itemsize, dtype=np.uint32) % 251
    return np.frombuffer(data.astype(np.uint8).tobytes(), dtype=dtype, count=count).reshape(shape)


def run(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True)


class Records(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "in.npy")
        self.out = os.path.join(self.folder.name, "out.npy")

    def tearDown(self):
        self.folder.cleanup()

    def test_round_trip(self):
        none = np.dtype([("s", "S0"), ("a", "<f4"), ("r", [("u", "<U0"), ("v", "V0")])])
        for name, dtype in [*DTYPES.items(), ("fields of 0 bytes", none)]:
            for shape in [(3, 4), (0, 2), ()]:
                with self.subTest(name, shape=shape):
                    array = sample(dtype, shape)
                    np.save(self.path, array)
                    done = run("apply", self.path, ".clone()", "-o", self.out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    with open(self.path, "rb") as a, open(self.out, "rb") as b:
                        self.assertEqual(a.read(), b.read())

    def test_slices_and_order(self):
        for name, dtype in DTYPES.items():
            with self.subTest(name):
                array = sample(dtype, (3, 4))
                np.save(self.path, array)
                done = run("apply", self.path, ".T[::-1, 1:]", "-o", self.out)
                self.assertEqual(done.returncode, 0, done.stderr)
                got = np.load(self.out, max_header_size=1 << 16)
                self.assertEqual(got.dtype, np.load(self.path, max_header_size=1 << 16).dtype)
                opaque = array.view(np.dtype((np.void, dtype.itemsize)))  # padding counts too
                self.assertEqual(got.tobytes(), opaque.T[::-1, 1:].tobytes())

    def test_dtype_as_text(self):
        """Records are printed as NumPy prints them, and the dtype is read again for a file without a header."""
        for name, dtype in DTYPES.items():
            with self.subTest(name):
                array = sample(dtype, (3,))
                np.save(self.path, array)
                loaded = np.load(self.path, max_header_size=1 << 16).dtype
                text = run("info", self.path).stdout.splitlines()[0]
                self.assertEqual(text, f"dtype      {loaded}")
                array.tofile(self.path)
                done = run("apply", self.path, "x", "-o", self.out, "--dtype", str(dtype))
                self.assertEqual(done.returncode, 0, done.stderr)
                got = np.load(self.out, max_header_size=1 << 16)
                self.assertEqual(got.tobytes(), array.tobytes())

    def test_names(self):
        """A field is found by its name, in either encoding of the file."""
        for name, dtype in DTYPES.items():
            array = sample(dtype, (3,))
            np.save(self.path, array)
            for field in dtype.names:
                if field.isalpha():
                    with self.subTest(name, field=field):
                        done = run("apply", self.path, f"['{field}']", "-o", self.out)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertEqual(np.load(self.out).tobytes(), array[field].tobytes())

    def test_byteswap(self):
        for name, dtype in DTYPES.items():
            with self.subTest(name):
                array = sample(dtype, (3, 4))
                np.save(self.path, array)
                for expression in (".T.byteswap()", ".T.byteswap(inplace=True)"):
                    done = run("apply", self.path, expression, "-o", self.out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    got = np.load(self.out, max_header_size=1 << 16)
                    wanted = array.T.byteswap()
                    for field in dtype.names:
                        self.assertEqual(got[field].tobytes(), wanted[field].tobytes(), field)


if __name__ == "__main__":
    unittest.main()
