# SPDX-License-Identifier: BSD-3-Clause
"""stria show against numpy.array2string: dtypes, layouts, cuts, options, pipes, several files."""

import json
import subprocess
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing

RNG = np.random.default_rng(5)


def arrays():
    yield np.arange(24).reshape(2, 3, 4)[:, ::-1]
    yield RNG.normal(0, 1e3, (5, 7)).astype("f4").T
    yield RNG.normal(0, 1, (40, 41))
    yield 10.0 ** RNG.integers(-30, 30, (4, 3))
    yield RNG.normal(0, 1, (3, 2)) + 1j * RNG.normal(0, 1, (3, 2))
    yield np.array([np.nan, np.inf, -np.inf, -0.0], ">f2")
    yield RNG.integers(-100, 100, 1003).astype(">i2")
    yield RNG.random((3, 3)) < 0.5
    yield np.array([["a", "it's"], ["", "\u00e9\n"]])
    yield np.array([(1, 2.5, b"x"), (-3, 1e10, b"yz")], [("i", "<i4"), ("f", ">f8"), ("s", "S3")])
    yield np.zeros((3, 0, 2))
    yield np.array(0.1 + 0.2)


class Show(Folder):
    def shown(self, *args, **options):
        done = stria("show", *args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def test_as_numpy(self):
        for x in arrays():
            self.assertEqual(self.shown(self.save("a.npy", x)), str(x) + "\n", x.dtype)

    def test_options(self):
        for options, arguments in (
                ({"precision": 3}, ["--precision", "3"]),
                ({"precision": 2, "suppress_small": True}, ["--precision=2", "--suppress"]),
                ({"threshold": 10, "edgeitems": 1}, ["--threshold", "10", "--edge", "1"]),
                ({"threshold": 2**62}, ["--all"]),
                ({"max_line_width": 40}, ["--width", "40"])):
            for x in arrays():
                if x.ndim == 0:
                    continue  # has no options in NumPy
                wanted = np.array2string(x, **options) + "\n"
                self.assertEqual(self.shown(self.save("a.npy", x), *arguments), wanted, arguments)

    def test_reads_back(self):
        x = np.frombuffer(RNG.bytes(8 * 300), "f8")
        x = x[np.isfinite(x)]
        text = self.shown(self.save("a.npy", x), "--all", "--precision", "-1")
        back = np.array([float(word) for word in text.strip("[]\n").split()])
        self.assertEqual(back.tobytes(), x.tobytes())

    def test_expressions_and_arrays_by_name(self):
        y = self.save("y.npy", self.x * 2)
        self.assertEqual(self.shown(self.file, "[1, ::2] + y[0, ::2]", "--with", f"y={y}"),
                         str(self.x[1, ::2] + 2 * self.x[0, ::2]) + "\n")

    def test_pipes(self):
        done = subprocess.run([STRIA, "show", "-", ".T"], input=self.file.read_bytes(),
                              capture_output=True, timeout=100, check=True)
        self.assertEqual(done.stdout.decode(), str(self.x.T) + "\n")

    def test_several_files(self):
        y = self.save("y.npy", np.arange(3))
        self.assertEqual(self.shown(y, self.file, "[0]"),
                         f"file  {y}\n0\n\nfile  {self.file}\n{self.x[0]}\n")

    def test_json(self):
        told = json.loads(self.shown(self.file, "[0]", "--json"))
        self.assertEqual(told, {"ok": True, "file": str(self.file), "dtype": "f32",
                                "shape": [5, 6], "text": str(self.x[0])})

    def test_numbers(self):
        """Numbers alone are printed as Python prints them."""
        for expr, text, answer in (("x.shape[0] / 8", repr(len(self.x) / 8), len(self.x) / 8),
                                   ("1.5 * 2", "3.0", 3.0), ("10 % 0.1", repr(10 % 0.1), 10 % 0.1),
                                   ("1 + 2j", "(1+2j)", "(1+2j)"), ("inf", "inf", "inf"),
                                   ("18446744073709551615", "18446744073709551615", "18446744073709551615")):
            self.assertEqual(self.shown(self.file, expr), text + "\n")
            self.assertEqual(json.loads(self.shown(self.file, expr, "--json"))["answer"], answer)

    def test_questions(self):
        """Answers to questions about an array are printed as Python prints them."""
        for expr, wanted in (("x.shape", self.x.shape),
                             ("len(x)", len(self.x)), ("x.T.is_contiguous()", False),
                             ("x[0, 0, :2].shape", (2,)), ("x.dtype", "f32"), ("x.ndim", 3)):
            self.assertEqual(self.shown(self.file, expr), f"{wanted}\n", expr)
            told = json.loads(self.shown(self.file, expr, "--json"))
            self.assertEqual(told, {"ok": True, "file": str(self.file), "answer":
                                    list(wanted) if isinstance(wanted, tuple) else wanted})

    def test_only_what_is_shown_is_read(self):
        """A sparse file of 64 GiB is shown within the limits of a small machine."""
        path = self.path / "large.npy"
        with open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (1 << 17, 1 << 16)})
            file.truncate(file.tell() + (1 << 36))
        self.assertEqual(self.shown(path, "--time", "60").count("\n"), 7)

    def test_refused(self):
        for arguments in (["--precision", "x"], ["--precision", "401"], ["--edge", "-1"],
                          ["--threshold", ""], ["--width", "1e3"]):
            done = stria("show", self.file, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(f"{arguments[0]} takes an integer from ", done.stderr)
        self.assertEqual(stria("show", self.path / "absent.npy").returncode, 1)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([STRIA, "show", self.file], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=100, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))


if __name__ == "__main__":
    unittest.main(verbosity=1)
