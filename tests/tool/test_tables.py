# SPDX-License-Identifier: BSD-3-Clause
"""CSV and TSV in and out, against NumPy; hostile tables are refused, and nothing is written."""

import os
import subprocess
import unittest

from tool import STRIA, Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing


class Tables(Folder):
    def text(self, name, text):
        (self.path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.path / name

    def loaded(self, path, *args):
        out = self.path / "loaded.npy"
        done = stria("apply", path, "x", "-o", out, "-q", *args)
        self.assertEqual((done.returncode, done.stderr), (0, ""), path)
        return np.load(out)

    def test_read(self):
        rng = np.random.default_rng(1)
        a = np.round(rng.normal(size=(500, 7)) * 10.0 ** rng.integers(-9, 9, (500, 7)), 12)
        for name, delimiter, args in (("a.csv", ",", ()), ("a.tsv", "\t", ()), ("b.csv", ";", ()), ("c.csv", " ", ()),
                                      ("d.CSV", "|", ("--delimiter", "|"))):
            for header in ("", delimiter.join("abcdefg")):
                np.savetxt(self.path / name, a, delimiter=delimiter, header=header, comments="")
                got = self.loaded(self.path / name, *args)
                self.assertEqual(got.dtype, np.float64)
                self.assertTrue(np.array_equal(got, a), name)
        np.savetxt(self.path / "e.csv", a, header="a comment, as NumPy writes it")
        self.assertTrue(np.array_equal(self.loaded(self.path / "e.csv"), a))

    def test_pipes(self):
        """csv:- and its like are tables and pictures through standard streams, be they pipes or files."""
        done = stria("apply", "csv:-", "x * 2", "-o", "tsv:-", input="1,2\n3,\n")
        self.assertEqual((done.stdout, done.stderr), ("2.0\t4.0\n6.0\tnan\n", ""))
        with open(self.text("a.csv", "1;2\n")) as file:
            done = stria("apply", "CSV:-", "x + 1", "-o", "csv:-", "--header", "a,b", stdin=file)
        self.assertEqual((done.stdout, done.stderr), ("a,b\n2.0,3.0\n", ""))
        done = stria("info", "csv:-", input="1,2\n3,x\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("standard input: csv: line 2, field 2: 'x' is no number", done.stderr)
        done = stria("apply", "csv:-", "x + y", "--with", "y=csv:-", "-o", "csv:-", input="1\n")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("named twice", done.stderr)
        done = stria("apply", "csv:-", "x.view(-1)[0]", "-o", "png:-", input="1\n")
        self.assertIn("png", done.stderr)
        with open("/dev/full", "w") as full:
            done = subprocess.run([STRIA, "apply", "csv:-", "x", "-o", "csv:-"], input=b"1\n", stdout=full,
                                  stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, b"written" in done.stderr), (1, True))

    def test_missing(self):
        path = self.text("a.csv", "time,speed\r\n1,2\r\n3,\r\n,NA\r\n\r\n5,nan\r\n")
        nan = np.nan
        self.assertTrue(np.array_equal(self.loaded(path), [[1, 2], [3, nan], [nan, nan], [5, nan]], equal_nan=True))
        self.assertEqual(stria("show", path, "np.nanmean(x, 0)").stdout, "[3. 2.]\n")

    def test_written(self):
        rng = np.random.default_rng(2)
        for a in (rng.normal(size=(50, 3)), rng.normal(size=(50, 3)).astype("f4"), rng.integers(-99, 99, (4, 5)),
                  rng.normal(size=6), np.float64(1.5), rng.random((3, 4)) < 0.5, np.array([np.nan, np.inf, -np.inf, -0.0])):
            path, out = self.save("a.npy", a), self.path / "out.csv"
            done = stria("apply", path, "x", "-o", out, "-q")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            got = np.loadtxt(out, delimiter=",").astype(a.dtype)
            self.assertTrue(np.array_equal(got, a, equal_nan=a.dtype.kind == "f"), a)
        path = self.save("a.npy", np.array([[1.5, 2], [3, 1e-30]]))
        for args, name, text in (((), "o.tsv", "1.5\t2.0\n3.0\t1e-30\n"),
                                 (("--header", "a,b"), "o.csv", "a,b\n1.5,2.0\n3.0,1e-30\n"),
                                 (("--delimiter", "blank"), "o.csv", "1.5 2.0\n3.0 1e-30\n"),
                                 (("--delimiter", ";"), "o.CSV", "1.5;2.0\n3.0;1e-30\n")):
            self.assertEqual(stria("apply", path, "x", "-o", self.path / name, "-q", *args).returncode, 0)
            self.assertEqual((self.path / name).read_text(), text)

    def test_math_and_files_beside(self):
        path = self.text("a.csv", "1,2\n3,4\n")
        y = self.save("y.npy", np.array([10.0, 20.0]))
        done = stria("apply", path, "x * y + 1", "--with", f"y={y}", "-o", self.path / "o.csv", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.path / "o.csv").read_text(), "11.0,41.0\n31.0,81.0\n")
        self.assertIn("shape      (2, 2)", stria("info", path).stdout)
        self.assertEqual(stria("diff", path, self.save("z.npy", np.array([[1, 2], [3, 4]]))).returncode, 0)

    def test_refused(self):
        good = self.save("a.npy", np.zeros((2, 2, 2)))
        out = self.path / "out.csv"
        out.write_text("old")
        for text, words in (("", "no line"), ("1,2\n3", "line 2 has fewer"), ("1,2\n3,4,5\n", "line 2 has more"),
                            ("a,b\n1,x\n", "line 2, field 2: 'x' is no number"), ('1,"2\n', "a quote is open"),
                            (b"\x00\xff\x93NUMPY", "no numbers follow"), ("1" * 2000 + "\n", "no numbers follow"),
                            ("," * 30000 + "\n" + "1\n" * 30000, "line 2 has fewer")):
            path = self.text("bad.csv", text)
            for command in (("show", path), ("apply", path, "x * 2", "-o", out)):
                done = stria(*command)
                self.assertEqual(done.returncode, 1, (text[:20], done.stdout))
                self.assertIn(words, done.stderr)
        for args, words in (((good, "x"), "3 dims"), ((good, "x[0].to(c64)"), "real numbers"),
                            ((good, "x.split(1)"), "2 arrays"), ((good, "x[0]", "--header", "a\nb"), "several lines"),
                            ((good, "x[0]", "--delimiter", "e"), "between numbers"),
                            ((good, "x[0]", "--delimiter", ";;"), "one character"),
                            ((good, "x[0]", "--raw"), "--raw is not for"),
                            ((good, "x[0]", "--deflate"), "--deflate is for .npz")):
            done = stria("apply", *args, "-o", out)
            self.assertNotEqual(done.returncode, 0, args)
            self.assertIn(words, done.stderr)
        self.assertIn("--header is for", stria("apply", good, "x", "-o", self.path / "o.npy", "--header", "a").stderr)
        self.assertEqual(out.read_text(), "old")
        self.assertEqual([n for n in os.listdir(self.path) if n.startswith(".")], [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
