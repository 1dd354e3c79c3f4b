# SPDX-License-Identifier: BSD-3-Clause
"""Several files as one array, --stack and --cat, against NumPy; also larger than the budget of memory."""

import os
import unittest

from tool import Folder, stria
from test_large import peak_of

import numpy as np  # after tool, which exits where NumPy is missing


class Joined(Folder):
    on_disk = True

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(4)
        self.parts = [rng.normal(size=(6, 5)) for _ in range(12)]
        for i, part in enumerate(self.parts):
            self.save(f"run-{i:02}.npy", np.asfortranarray(part) if i % 3 == 1 else part)

    def made(self, *args):
        out = self.path / "out.npy"
        done = stria("apply", *args, "-o", out, "-q")
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return np.load(out)

    def test_values(self):
        stack, cat = np.stack(self.parts), np.concatenate(self.parts)
        paths, pattern = sorted(self.path.glob("run-*.npy")), self.path / "run-*.npy"
        for files in (paths, [pattern], [self.path / "run-0*.npy", self.path / "run-1?.npy"]):
            self.assertTrue(np.array_equal(self.made("--stack", *files, "x"), stack))
            self.assertTrue(np.array_equal(self.made("--cat", *files, "x"), cat))
        self.assertTrue(np.allclose(self.made("--stack", pattern, "x.mean(0)"), stack.mean(0)))
        self.assertTrue(np.array_equal(self.made(pattern, "x[::-1, :2] * 2", "--cat"), cat[::-1, :2] * 2))
        self.assertEqual(stria("show", "--stack", pattern, "x.shape").stdout, "(12, 6, 5)\n")
        self.assertEqual(stria("show", "--cat", pattern, "len(x)").stdout, "72\n")
        self.assertIn("count  360", stria("stat", "--cat", *paths).stdout)
        hashes = [stria("hash", *args).stdout.split()[0]
                  for args in (("--cat", pattern), (self.save("cat.npy", cat),))]
        self.assertEqual(*hashes)

    def test_lengths_and_kinds(self):
        (self.path / "t.csv").write_text("a,b\n1,2\n3,4\n")
        self.save("u.npy", np.array([[5.0, 6.0]]))
        np.savez(self.path / "v.npz", x=np.zeros((0, 2)), y=np.ones((3, 2)))
        files = [self.path / n for n in ("t.csv", "u.npy", "v.npz:x", "v.npz:y")]
        self.assertTrue(np.array_equal(self.made("--cat", *files, "x"),
                                       [[1, 2], [3, 4], [5, 6], [1, 1], [1, 1], [1, 1]]))
        scalars = [self.save(f"s{i}.npy", np.int16(i)) for i in range(3)]
        self.assertTrue(np.array_equal(self.made("--stack", *scalars, "x"), np.arange(3, dtype="i2")))

    def test_larger_than_the_budget(self):
        """The result is written by way of a temporary file, which is gone afterwards; one part is open at a time."""
        rng = np.random.default_rng(5)
        parts = [rng.random((1000, 1000), dtype="f4") for _ in range(12)]  # 48 MB
        for i, part in enumerate(parts):
            self.save(f"big-{i:02}.npy", part)
        out, pattern = self.path / "out.npy", self.path / "big-*.npy"
        environ = dict(os.environ, TMPDIR=str(self.path))
        for how, expr, wanted in (("--stack", "x.amax(0)", np.stack(parts).max(0)),
                                  ("--cat", "x[::-1] + 1", np.concatenate(parts)[::-1] + 1)):
            done = stria("apply", how, pattern, expr, "-o", out, "-q", "--memory", "8M", env=environ)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(np.array_equal(np.load(out), wanted), how)
        self.assertEqual([n for n in os.listdir(self.path) if n.startswith((".", "stria"))], [])
        if "STRIA_SANITIZED" not in os.environ:
            _, base = peak_of("apply", self.path / "run-00.npy", "x", "-o", out, "-q")
            status, peak = peak_of("apply", "--stack", pattern, "x.amax(0)", "-o", out, "-q", "--memory", "8M")
            self.assertEqual(status, 0)
            self.assertLess(peak - base, 20 << 10)

    def test_refused(self):
        x, y, z = (self.save(n, a) for n, a in (("x.npy", np.zeros((2, 3))), ("y.npy", np.zeros((4, 3))),
                                                ("z.npy", np.zeros((2, 3), "f4"))))
        out = self.path / "out.npy"
        for args, status, words in ((("--stack", x, y), 1, ["(2, 3)", "(4, 3)", "dtype and shape"]),
                                    (("--cat", x, z), 1, ["f64 (2, 3)", "f32 (2, 3)"]),
                                    (("--stack", self.path / "none-*.npy"), 2, ["no file matches"]),
                                    (("--cat", self.save("s.npy", np.float64(1))), 1, ["first dim"]),
                                    (("--stack", x, self.path / "none.npy"), 1, ["none.npy"])):
            done = stria("apply", *args, "x", "-o", out)
            self.assertEqual(done.returncode, status, (args, done.stderr))
            for word in words:
                self.assertIn(word, done.stderr)
            self.assertFalse(out.exists())
        self.assertEqual(stria("info", "--stack", x).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
