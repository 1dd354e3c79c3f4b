# SPDX-License-Identifier: BSD-3-Clause
"""Functions that take and join elements into existing views, and functions on dtypes and shapes without arrays, by
name, against NumPy."""

import itertools
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

NAMES = {"f64": "f8", "f32": "f4", "f16": "f2", "i64": "i8", "i32": "i4", "i16": "i2", "i8": "i1", "u64": "u8",
         "u32": "u4", "u16": "u2", "u8": "u1", "c64": "c8", "c128": "c16", "bool": "?"}


class Into(Folder):
    def setUp(self):
        super().setUp()
        self.y = np.arange(12).reshape(3, 4)[::-1].copy()
        self.other = self.path / "y.npy"
        np.save(self.other, self.y)

    def shown(self, expr):
        done = stria("show", self.file, expr, "--with", f"y={self.other}")
        self.assertEqual((done.returncode, done.stderr), (0, ""), expr)
        return done.stdout.strip()

    def refused(self, expr, words):
        done = stria("show", self.file, expr, "--with", f"y={self.other}")
        self.assertGreater(done.returncode, 0, expr)
        self.assertIn(words, done.stderr, expr)

    def test_into(self):
        for expr in ("np.take(y, [0, 1], 1, out=y[:, 2:])", "np.take(y, [7, -1], out=y[0, ::3])",
                     "np.take(y, [7, 99], out=y[0, :2], mode='clip')", "np.take(y, [0, 1], 1, y[:, 2:])",
                     "np.concatenate([y[:1], y[2:]], out=y[1:])", "np.stack([y[0], y[1]], 1, out=y[:2].T.reshape(4, 2))",
                     "np.concatenate(y)", "np.stack(y, 1)", "np.vstack(y.reshape(2, 2, 3))",
                     "np.vstack((y, y), dtype='f4')", "np.hstack((y, y * 1.5), dtype='i2', casting='unsafe')",
                     "np.concatenate((y, y), axis=None, out=np.zeros(24))",
                     "np.concatenate((y, y), dtype='f4')", "np.stack((y, y * 1.5), dtype='i2', casting='unsafe')",
                     "np.concatenate((y, y * 1.5), out=np.zeros((6, 4), dtype='i2'), casting='unsafe')"):
            wanted = eval(expr, {"np": np, "y": self.y.copy()})  # pylint: disable=eval-used
            self.assertEqual(self.shown(expr), str(wanted), expr)
            self.assertEqual(np.dtype(NAMES[self.shown(f"({expr}).dtype")]), wanted.dtype, expr)
        for expr, same in (("torch.gather(y, 1, [[0, 3]], out=y[:1, :2])", "y.gather(1, [[0, 3]])"),
                           ("y.take_along_dim([[1], [0], [2]], 1, out=y[:, 3:])", "y.take_along_dim([[1], [0], [2]], 1)"),
                           ("y.index_select(0, [2, 0], out=y[:2])", "y.index_select(0, [2, 0])"),
                           ("y.masked_select(y > 7, out=y[1])", "y.masked_select(y > 7)")):
            self.assertEqual(self.shown(expr), self.shown(same), expr)

    def test_refused(self):
        self.refused("np.take(y, [0, 9], 1, out=y[:, 2:])", "index 9 is out of range")
        self.refused("y.take([0, 3], out=np.zeros(2, dtype='f4'))", "out has another dtype")
        self.refused("np.concatenate(y[0, 0])", "a tuple or list of arrays")
        self.refused("np.take(y, [0], 1, out=y)", "out has shape (3, 4), the result has (3, 1)")
        self.refused("np.concatenate((y, y), out=y)", "out has shape (3, 4), the result has (6, 4)")
        self.refused("np.concatenate((y, y), out=y, dtype='f4')", "takes out or dtype, not both")
        self.refused("np.concatenate((y, y * 1.5), out=np.zeros((6, 4), dtype='i4'))", "does not cast")
        self.refused("np.stack((y, y * 1.5), dtype='i4')", "not allowed by the policy 'same_kind'")
        self.refused("np.linspace(0, 1j, 3, dtype='f8')", "takes no complex numbers")
        self.refused("np.broadcast_shapes((3,), (2,))", "size 2 of dim 0 of view 1 meets 3")
        self.refused("np.broadcast_shapes((3,), (-1,))", "negative")
        self.refused("np.broadcast_shapes('a')", "must be an int or a tuple of ints")
        self.refused("np.broadcast_shapes((99999999999999999999,))", "does not fit in 64 bits")
        self.refused("np.result_type()", "missing")
        self.refused("np.result_type(99999999999999999999999)", "does not fit in 64 bits")

    def test_numpy_promotes(self):
        """Names with np. in front follow NumPy's rules, those without PyTorch's."""
        for expr in ("np.concatenate((y.astype('f2'), y))", "np.stack((y.astype('u1'), y.astype('i1')))",
                     "np.hstack((y.astype('f4'), y))"):
            wanted = eval(expr, {"np": np, "y": self.y})  # pylint: disable=eval-used
            self.assertEqual(np.dtype(NAMES[self.shown(f"{expr}.dtype")]), wanted.dtype, expr)
        self.assertEqual(self.shown("torch.cat((y.half(), y)).dtype"), "f16")

    def test_dtypes(self):
        texts = ["'f4'", "np.int16", "'u1'", "3", "2.5", "1j", "True", "np.complex64", "y"]
        for some in itertools.chain(itertools.combinations(texts, 2), itertools.combinations(texts[:6], 3)):
            expr = f"np.result_type({', '.join(some)})"
            wanted = eval(expr, {"np": np, "y": self.y})  # pylint: disable=eval-used
            self.assertEqual(np.dtype(NAMES[self.shown(expr)]), wanted, expr)
        for expr in ("np.promote_types('i8', 'f4')", "np.promote_types('u1', 'i1')"):
            wanted = eval(expr, {"np": np})  # pylint: disable=eval-used
            self.assertEqual(np.dtype(NAMES[self.shown(expr)]), wanted, expr)
        for expr in ("np.can_cast('i8', 'f4')", "np.can_cast('f8', 'f4', 'same_kind')",
                     "np.can_cast('f8', 'i4', casting='unsafe')"):
            self.assertEqual(self.shown(expr), str(eval(expr, {"np": np})), expr)  # pylint: disable=eval-used
        for expr, wanted in (("torch.result_type(y, 1.5)", "f32"), ("torch.result_type(y.half(), y)", "f16"),
                             ("torch.promote_types(torch.float32, torch.int64)", "f32")):
            self.assertEqual(self.shown(expr), wanted, expr)

    def test_shapes(self):
        for expr in ("np.broadcast_shapes((3, 1), (1, 4))", "np.broadcast_shapes(3, (2, 1))", "np.broadcast_shapes()",
                     "np.broadcast_shapes((0,), (1, 1))", "np.broadcast_shapes((2,), (1,), (5, 1))"):
            self.assertEqual(self.shown(expr), str(eval(expr, {"np": np})), expr)  # pylint: disable=eval-used

    def test_linspace(self):
        for expr in ("np.linspace(0, 1j, 5)", "np.linspace(0.1 - 3j, 0.7 + 0.2j, 9)", "np.linspace(1j, 1j, 3)",
                     "np.linspace(1, 2j, 7, endpoint=False)", "np.linspace(1j, 2, 1)", "np.linspace(1j, 2, 0)"):
            with self.subTest(expr):
                output = self.path / "z.npy"
                done = stria("apply", expr, "-o", output, "-q")
                self.assertEqual(done.returncode, 0, done.stderr)
                wanted, got = eval(expr, {"np": np}), np.load(output)  # pylint: disable=eval-used
                self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape))
                np.testing.assert_array_equal(got, wanted)


if __name__ == "__main__":
    unittest.main(verbosity=1)
