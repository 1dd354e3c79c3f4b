# SPDX-License-Identifier: BSD-3-Clause
"""Files without a header: --dtype, --shape, --offset, against numpy.ndarray."""

import json
import subprocess
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing


class Raw(Folder):
    def setUp(self):
        super().setUp()
        self.raw = self.path / "data.bin"
        self.bytes = np.random.default_rng(2).integers(0, 255, 1 << 21, "u1").tobytes()
        self.raw.write_bytes(b"header!" + self.bytes)

    def read(self, *options, expr="x"):
        out = self.path / "out.npy"
        done = stria("apply", self.raw, expr, "-o", out, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(out)

    def test_forms(self):
        for dtype in ("u1", "<f4", ">i2", "<f8", "<c8", "|S5", "|V3"):
            for shape in ((3, 4), (100,), (), (0, 7), (2, 3, 4, 5)):
                for offset in (0, 7, 8):
                    want = np.ndarray(shape, dtype, b"header!" + self.bytes, offset)
                    got = self.read("--dtype", dtype, "--shape", ",".join(map(str, shape)),
                                    "--offset", offset)
                    self.assertEqual((got.dtype, got.shape), (want.dtype, shape))
                    self.assertEqual(got.tobytes(), want.tobytes())

    def test_npy_files_are_not_raw(self):
        """A header would be taken for elements, so such files are refused, unless an offset skips it."""
        done = stria("show", self.file, "--dtype", "f32")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(".view(f32)", done.stderr)
        done = stria("show", self.file, "x[0]", "--dtype", "f32", "--offset", 128)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_open_size(self):
        whole = np.frombuffer(self.bytes, "<f4")
        got = self.read("--dtype", "f32", "--offset", 7)
        self.assertEqual(got.tobytes(), whole.tobytes())
        got = self.read("--dtype", "f32", "--offset", 7, "--shape", "-1,256", expr="x[::2].T")
        self.assertEqual(np.ascontiguousarray(got).tobytes(),
                         np.ascontiguousarray(whole.reshape(-1, 256)[::2].T).tobytes())

    def test_records_and_other_commands(self):
        dtype = "[('a', '<i2'), ('b', '>f4')]"
        done = stria("info", self.raw, "--dtype", dtype, "--shape", "10,20", "--json")
        self.assertEqual(json.loads(done.stdout)["shape"], [10, 20])
        got = self.read("--dtype", dtype, "--shape", "1000", "--offset", 7, expr="x['a']")
        want = np.frombuffer(self.bytes, [("a", "<i2"), ("b", ">f4")], 1000)["a"]
        self.assertTrue((got == want).all())
        done = stria("show", self.raw, "--dtype", "u8", "--shape", "7")
        self.assertEqual(done.stdout.split()[0], "[104")
        self.assertEqual(stria("hash", self.raw, "--dtype", "u8", "--offset", "7").returncode, 0)

    def test_written(self):
        """--raw writes what ndarray.tofile does, to a file and to a pipe."""
        out = self.path / "out.bin"
        for x in (np.arange(60, dtype=">i2").reshape(3, 4, 5), np.zeros((0, 3)),
                  np.array(7.5), np.array([(1, 2.5)] * 3, "u1,f8")):
            name = self.save("y.npy", x)
            for expr, want in (("x", x), (".T", x.T), ("x[::-1]" if x.ndim else "x",
                                                      x[::-1] if x.ndim else x)):
                done = stria("apply", name, expr, "-o", out, "--raw")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(out.read_bytes(), want.tobytes(), expr)
                done = subprocess.run([STRIA, "apply", name, expr, "-o", "-", "--raw"],
                                      capture_output=True, check=False)
                self.assertEqual(done.stdout, want.tobytes())
        x = np.arange(4e5, dtype="f4").reshape(500, 800)
        name = self.save("y.npy", x)
        done = stria("apply", name, "x.T + 1", "-o", out, "--raw", "--memory", "1M")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(out.read_bytes(), (x.T + 1).tobytes())
        for archive in ("a.npz", "a.safetensors", "a.npz:x"):
            done = stria("apply", name, "x", "-o", self.path / archive, "--raw")
            self.assertEqual(done.returncode, 2)

    def test_refused(self):
        size = len(self.bytes) + 7
        for options, status, words in (
                (("--dtype", "f32"), 1, "no multiple"),
                (("--dtype", "u8", "--shape", str(size + 1)), 1, f"has {size} in all"),
                (("--dtype", "u8", "--shape", "1", "--offset", str(size)), 1, "in all"),
                (("--dtype", "u8", "--offset", str(size + 1)), 1, "in all"),
                (("--dtype", "u8", "--shape", "-1,-1"), 1, "one -1"),
                (("--dtype", "u8", "--shape", "0,-1"), 1, "no multiple"),
                (("--dtype", "u8", "--shape", "-2"), 1, "not negative"),
                (("--dtype", "f64", "--shape", f"{2**62},{2**62}"), 1, "exceeds"),
                (("--dtype", "S0"), 1, "0 bytes"),
                (("--dtype", "f33"), 2, "f33"),
                (("--dtype", "u8", "--shape", "4,x"), 2, "--shape is written"),
                (("--dtype", "u8", "--offset", "-1"), 2, "--offset takes"),
                (("--shape", "4"), 2, "--dtype is missing")):
            done = stria("info", self.raw, *options)
            self.assertIn(words, done.stderr, options)
            self.assertEqual(done.returncode, status, options)
            if status == 1:  # messages about a file name it
                self.assertIn(str(self.raw), done.stderr, options)
        done = stria("info", self.path / "none", "--dtype", "u8")
        self.assertIn("No such file", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
