# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that an EXPR makes by a rule, without a FILE, against NumPy and PyTorch."""

import io
import json
import random
import subprocess
import unittest

from tool import Folder, STRIA, stria

import numpy as np  # after tool, which exits where NumPy is missing


def made(*args):
    """Returns the array that EXPR makes."""
    done = subprocess.run([STRIA, "apply", *map(str, args), "-o", "-"], capture_output=True,
                          timeout=100, check=True)
    return np.load(io.BytesIO(done.stdout))


class Create(Folder):
    def same(self, expr):
        wanted = eval(expr, {"np": np})  # pylint: disable=eval-used
        got = made(expr)
        self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape), expr)
        self.assertEqual(got.tobytes(), wanted.tobytes(), expr)

    def test_numpy(self):
        draw = random.Random(3)
        exprs = ["np.arange(7)", "np.arange(-3, 9, 4)", "np.arange(5, -5, -3)", "np.arange(0)",
                 "np.arange(1, 1.3, 0.1)", "np.arange(5, dtype='<f4')", "np.linspace(0, 1)",
                 "np.linspace(2, 3, 1)", "np.linspace(0, 10, 7, endpoint=False)",
                 "np.linspace(-1, 1, 9, dtype='>i2')", "np.linspace(0, 5e-324, 4)",
                 "np.eye(3)", "np.eye(2, 5, -1, dtype='?')", "np.tri(4, 3, k=1)", "np.tri(0)"]
        for _ in range(60):
            start, step = draw.uniform(-9, 9), draw.choice([draw.uniform(0.01, 1), -0.1, 0.1, 1e-3])
            stop = start + step * draw.randint(-3, 30) + draw.choice([0, 1e-9, 0.3])
            exprs.append(f"np.arange({start!r}, {stop!r}, {step!r})")
            exprs.append(f"np.linspace({start!r}, {stop!r}, {draw.randint(0, 40)}, "
                         f"endpoint={draw.random() < 0.5})")
        for expr in exprs:
            self.same(expr)

    def test_bare_names_are_pytorchs(self):
        for expr, dtype in (("arange(3)", "i8"), ("arange(0, 1, 0.25)", "f4"), ("eye(2)", "f4"),
                            ("linspace(0, 1, 5)", "f4"), ("torch.arange(2.0)", "f4"),
                            ("np.arange(2.0)", "f8"), ("tri(2)", "f8")):
            self.assertEqual(made(expr).dtype, np.dtype(dtype), expr)

    def test_torch(self):
        try:
            import torch  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no PyTorch")
        for expr in ("torch.arange(2, 11, 3)", "torch.arange(0, 5, 0.5)", "torch.eye(3, 2)",
                     "torch.arange(3, dtype=torch.uint8)", "torch.linspace(0, 1, 5)"):
            wanted = eval(expr, {"torch": torch}).numpy()  # pylint: disable=eval-used
            got = made(expr)
            self.assertEqual((got.dtype, got.tolist()), (wanted.dtype, wanted.tolist()), expr)
        wanted = torch.linspace(-3, 11, 999).numpy()
        np.testing.assert_allclose(made("torch.linspace(-3, 11, 999)"), wanted, rtol=0, atol=2e-6)

    def test_among_others(self):
        np.testing.assert_array_equal(made("torch.arange(12).view(3, 4).T * 2"),
                                      np.arange(12).reshape(3, 4).T * 2)
        np.testing.assert_array_equal(made(self.file, "x + arange(6)"), self.x + np.arange(6))
        np.testing.assert_array_equal(made("eye(6)[:5] + y", "--with", f"y={self.file}"),
                                      np.eye(6)[:5] + self.x)

    def test_commands_without_a_file(self):
        self.assertEqual(stria("show", "arange(3)").stdout, "[0 1 2]\n")
        self.assertIn("count  3\n", stria("stat", "--expr", "arange(3)").stdout)
        permuted = "empty_permuted((2, 3), (-1, -2))"  # explained like the array that is made
        self.assertIn("strides (4, 8)", stria("explain", permuted).stdout)
        for bad in ("empty_permuted((2, 3), (0, 0))", "empty_permuted((2, -3), (0, 1))"):
            self.assertEqual(stria("explain", bad).stderr, stria("show", bad).stderr)
        steps = stria("explain", "arange(3)[::2]").stdout
        self.assertTrue(steps.startswith("arange(3) "), steps)
        told = json.loads(stria("explain", "np.eye(4)", "--json").stdout)
        self.assertEqual(told["outputs"][0]["shape"], [4, 4])

    def test_lists_are_arrays(self):
        for expr in ("np.dot([1, 2], [3, 4])", "np.correlate([1, 2, 3], [0, 1])", "np.concatenate([[1, 2], [3]])",
                     "np.average([1, 2], weights=[3, 4])", "np.einsum('i,i', [1, 2], [3, 4])",
                     "np.meshgrid([1, 2], [3, 4, 5])[0]", "np.broadcast_arrays([[1], [2]], [3, 4])[1]",
                     "np.sum([[1, 2], [3, 4]], axis=0)", "np.sort([2, 1])"):
            done = subprocess.run([STRIA, "apply", expr, "-o", "-"], capture_output=True, check=True)
            self.assertTrue(np.array_equal(np.load(io.BytesIO(done.stdout)), eval(expr)), expr)
        done = stria("show", "torch.add([1], [2], out=[3])")
        self.assertEqual(done.returncode, 2)
        self.assertIn("out must be an array, not a list of 1", done.stderr)

    def test_refused(self):
        for expr, words in ((".T", "no such file"), ("foo(3)", "there is no op 'foo'"),
                            ("arange(y)", "no array is given"), ("arange(0, 1, 0)", "steps of 0"),
                            ("[::2](1)", "no array for the chain"),
                            ("eye(-1)", "-1"), ("linspace(0, 1, -2)", "-2 elements"),
                            ("arange(0, 300, dtype=u8)", "299 does not fit into u8")):
            done = stria("show", expr)
            self.assertGreater(done.returncode, 0, expr)
            self.assertIn(words.lower(), done.stderr.lower(), expr)
        done = stria("apply", self.file, "-o", self.path / "o.npy")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("FILE and EXPR expected", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
