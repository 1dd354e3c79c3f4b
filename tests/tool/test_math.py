# SPDX-License-Identifier: BSD-3-Clause
"""Expressions of operators and functions give byte for byte what NumPy gives with --rules numpy, and what PyTorch gives
without, where it is installed.

    STRIA_TOOL=build/stria python3 test_math.py [SEED] [EXPRESSIONS]
"""

import random
import sys
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

try:
    import torch
except ImportError:
    torch = None

SEED, EXPRESSIONS = 1, 150

SHAPES = [(3, 4), (3, 4), (4,), (3, 1), (1, 4), (2, 3, 4), ()]
FLOATS = ["f2", "f4", "f8"]
TORCH_DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", *FLOATS, "c8"]
NUMPY_DTYPES = [*TORCH_DTYPES, "u2", "u4", "u8", "c16"]

# Refusals by Stria, for reasons that docs/elementwise.md gives, where a peer computes.
REFUSED_HERE = ("out of the range", "fit in 64 bits", "complex")


class Draw:
    """Random expressions: a text, and the shape of its value; None: a number."""

    def __init__(self, draw, arrays, module):
        self.draw, self.arrays, self.module = draw, arrays, module

    def view(self, name):
        shape = self.arrays[name].shape
        kinds = [("%s", shape)] * 3
        if len(shape) == 2 and shape[0] == shape[1]:
            kinds.append(("%s.T", shape))
        if shape:
            kinds.append(("%s[None]", (1, *shape)))
            kinds.append(("%s[:1]", (min(1, shape[0]), *shape[1:])))
            if shape[-1] > 1:
                kinds.append(("%s[..., 1:2]", (*shape[:-1], 1)))
        text, shape = self.draw.choice(kinds)
        return text % name

    def number(self):
        return self.draw.choice(["2", "3", "0", "7", "1.5", "0.25", "True", "-1", "-0.0", "100", "2j",
                                 "1e300", "(2 + 3)", "2 ** 3"])

    def array(self, depth):
        """Draws an expression with an array in it."""
        draw = self.draw
        if depth == 0 or draw.random() < 0.15:
            return self.view(draw.choice(sorted(self.arrays)))
        kind = draw.choice(["binary"] * 6 + ["unary", "call", "where", "comparison", "parentheses"])
        one = self.array(depth - 1)
        if kind == "binary":
            other = self.array(depth - 1) if draw.random() < 0.7 else self.number()
            parts = [one, other]
            draw.shuffle(parts)
            return draw.choice([" + ", " - ", " * "]).join(parts)
        if kind == "unary":
            return draw.choice(["-", "+"]) + "(%s)" % one
        if kind == "call":
            other = self.array(depth - 1)
            return draw.choice(["abs(%s)" % one, "%s.abs(%s)" % (self.module, one),
                                "%s.add(%s, %s)" % (self.module, one, other),
                                "%s.multiply(%s, %s)" % (self.module, one, other)])
        if kind == "where":
            return "%s.where(%s, %s, %s)" % (self.module, self.comparison(depth - 1), one,
                                             self.array(depth - 1))
        return "(%s)" % (self.comparison(depth - 1) if kind == "comparison" else one)

    def comparison(self, depth):
        other = self.array(depth) if self.draw.random() < 0.6 else self.number()
        if other == "-1" and self.module == "torch":
            other = "1"  # PyTorch wraps it around: it takes a byte for less
        return "(%s) %s (%s)" % (self.array(depth), self.draw.choice("<>"), other)


def plain(array, zeros=True):
    """Makes every NaN the same: their signs and payloads are not defined. Without zeros the signs of zeros in
    complex numbers go, too: PyTorch's differences and products lose them."""
    array = np.array(array, order="C", ndmin=1)
    if array.dtype.kind in "fc":
        parts = array.view(array.real.dtype)
        parts[np.isnan(parts)] = np.nan
        if array.dtype.kind == "c" and not zeros:
            parts += 0.0
    return array.tobytes()


class Math(Folder):
    def arrays(self, draw, dtypes):
        """Draws small whole numbers and quarters, whose products every float dtype holds."""
        rng, made = np.random.default_rng(draw.randrange(1 << 30)), {}
        for name in "xyzw":
            dtype = np.dtype(draw.choice(dtypes))
            numbers = rng.integers(0, 9, draw.choice(SHAPES))
            if dtype.kind in "ifc":
                numbers = numbers - 4
            if dtype.kind in "fc":
                numbers = numbers / 4
            if dtype.kind == "c":
                numbers = numbers + 1j * rng.integers(-4, 4, numbers.shape)
            made[name] = np.asarray(numbers).astype(dtype)
        return made

    def apply(self, arrays, expr, *options):
        """Returns the result, or the message of the refusal."""
        names = sorted(arrays)
        files = {name: self.save(name + ".npy", arrays[name]) for name in names}
        out = self.path / "out.npy"
        done = stria("apply", "-o", out, *options,
                     *(word for name in names if name != "x"
                       for word in ("--with", "%s=%s" % (name, files[name]))),
                     "--", files["x"], expr)
        self.assertIn(done.returncode, (0, 1, 2), (expr, done.stderr))
        return np.load(out) if done.returncode == 0 else done.stderr

    def compare(self, expr, arrays, ours, theirs, zeros):
        described = "%s  %s" % (expr, {n: (a.dtype.str, a.shape) for n, a in arrays.items()})
        if isinstance(ours, str):
            self.assertTrue(any(reason in ours for reason in REFUSED_HERE), described + "\n" + ours)
            return 0
        self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape), described)
        described += "\n%s\n%s" % (ours, theirs)
        if "abs" in expr and any(a.dtype.kind == "c" for a in arrays.values()):
            # No library gives exact magnitudes of complex numbers, and differences may keep the error.
            units = 64 * np.finfo(theirs.dtype).eps if theirs.dtype.kind in "fc" else 0
            self.assertTrue(np.allclose(ours, theirs, rtol=units, atol=units, equal_nan=True), described)
        else:
            self.assertEqual(plain(ours, zeros), plain(theirs, zeros), described)
        return 1

    def check(self, dtypes, module, options, evaluate):
        draw, compared = random.Random(SEED), 0
        for _ in range(EXPRESSIONS):
            arrays = self.arrays(draw, dtypes)
            expr = Draw(draw, arrays, module).array(draw.randrange(1, 4))
            try:
                theirs = evaluate(expr, arrays)
            except (TypeError, ValueError, OverflowError, RuntimeError, NotImplementedError):
                self.apply(arrays, expr, *options)  # the result may be more than the other library can compute
                continue
            compared += self.compare(expr, arrays, self.apply(arrays, expr, *options), theirs,
                                     module == "np")
        self.assertGreater(compared, EXPRESSIONS // 3)

    def test_numpy(self):
        def evaluate(expr, arrays):
            with np.errstate(all="ignore"):
                return np.asarray(eval(expr, {"np": np, "abs": abs, **arrays}))
        self.check(NUMPY_DTYPES, "np", ("--rules", "numpy"), evaluate)

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torch(self):
        def evaluate(expr, arrays):
            tensors = {name: torch.from_numpy(a.copy()) for name, a in arrays.items()}
            result = eval(expr, {"torch": torch, "abs": abs, **tensors})
            return torch.asarray(result).resolve_conj().resolve_neg().numpy()
        self.check(TORCH_DTYPES, "torch", (), evaluate)

    def test_precedence(self):
        """Numbers with all of their operators against Python: the result is used as a size."""
        draw = random.Random(SEED)
        binary = ["+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==",
                  "!=", "and", "or"]
        compared = 0
        for _ in range(200):
            words = []
            for _ in range(draw.randrange(2, 7)):
                sign = draw.choice(["", "", "", "-", "~", "+", "not "])
                words += [sign + str(draw.randrange(4)), draw.choice(binary)]
            expr = " ".join(words[:-1])
            try:
                wanted = eval(expr)
            except (SyntaxError, ZeroDivisionError, ValueError, TypeError, OverflowError):
                wanted = None
            if type(wanted) not in (int, bool) or not 0 <= wanted < 1 << 40:
                continue
            done = stria("explain", "--shape", "1", "--dtype", "u8",
                         ".as_strided((1,), ((%s) * 1,))" % expr, "--json")
            self.assertEqual(done.returncode, 0, (expr, done.stderr))
            self.assertIn('"strides":[%d]' % wanted, done.stdout, expr)
            compared += 1
        self.assertGreater(compared, 40)

    def test_exp(self):
        """Results of up to 32 bits are correctly rounded; the peers are a few units off."""
        for dtype in ("f2", "f4", "f8", "i1", "i8"):
            x = (np.arange(-60, 60) / (4 if dtype[0] == "f" else 1)).astype(dtype).reshape(8, 15)
            for rules, wanted in (("numpy", np.exp(x[:0]).dtype),
                                  ("torch", np.dtype(dtype if dtype[0] == "f" else "f4"))):
                got = self.apply({"x": x}, "exp(x.T)", "--rules", rules)
                self.assertEqual(got.dtype, wanted)
                exact = np.exp(x.T.astype("f8"))
                with np.errstate(over="ignore"):
                    if wanted == np.dtype("f8"):
                        self.assertTrue(np.allclose(got, exact, rtol=4e-16, atol=0))
                    else:
                        self.assertEqual(plain(got), plain(exact.astype(wanted)))

    def test_into(self):
        """Tests out= and names that end in an underscore."""
        x, y = np.arange(12, dtype="f4").reshape(3, 4), np.ones((3, 4), "f8")
        arrays = {"x": x, "y": y}
        for expr, wanted in (("x.add_(y)", x + 1), ("torch.add(x, 2, out=y)", (x + 2).astype("f8")),
                             ("np.multiply(x, x, out=y)", (x * x).astype("f8")),
                             ("x.T.mul_(x.T)", (x * x).T), ("x.abs_().exp_()", None),
                             ("x[::2].sub_(1)", x[::2] - 1), ("np.exp(x, out=x)", None)):
            got = self.apply(arrays, expr)
            if wanted is None:
                wanted = np.exp(x.astype("f8")).astype("f4")
            self.assertEqual((got.dtype, plain(got)), (wanted.dtype, plain(wanted)), expr)
        for expr, says in (("y.add_(1j)", "c128"), ("x.int().add_(x)", "f32"),
                           ("torch.add_(2, x)", "a number cannot be written to"),
                           ("torch.add(x, y, out=x[:2])", "(3, 4)"), ("x[0].add_(x)", "(3, 4)")):
            self.assertIn(says, self.apply(arrays, expr), expr)

    def test_forms(self):
        """Every way of writing one op gives the same."""
        arrays = {"x": np.arange(-6, 6, dtype="i4").reshape(3, 4), "y": np.full((3, 4), 2, "f4")}
        x, y = arrays["x"], arrays["y"]
        mask = x < y
        for forms, wanted in (
                (("x + y", "x.add(y)", "torch.add(x, y)", "y + x", "torch.add(input=x, other=y)",
                  "x.add(other=y)"), (x + y).astype("f4")),
                (("np.add(x, y)", "np.add(x1=x, x2=y)"), x + y),
                (("x - y", "x.sub(y)", "x.subtract(y)", "torch.sub(x, y)"), (x - y).astype("f4")),
                (("x * y", "x.mul(y)", "torch.multiply(x, y)"), (x * y).astype("f4")),
                (("abs(x)", "x.abs()", "torch.abs(x)", "np.abs(x)", "np.absolute(x)", "x.absolute()"),
                 abs(x)),
                (("x < y", "y > x", "x.lt(y)", "torch.less(x, y)", "np.less(x, y)"), mask),
                (("torch.where(x < y, x, y)", "x.where(x < y, y)", "where(x < y, x, y)"),
                 np.where(mask, x, y).astype("f4")),
                (("np.where(x < y, x, y)",), np.where(mask, x, y)),
                (("-x", "torch.neg(x)", "x.negative()", "np.negative(x)", "-1 * x", "0 - x"), -x),
                (("2 * x", "x + x", "x * 2", "x - -x", ".mul(2)"), 2 * x),
                (("1 - x", "-(x - 1)", "-x + 1"), 1 - x),
                ((".T + y.T", "x.T + y.T", "(x + y).T", "(y + x).T.contiguous()"),
                 (x + y).T.astype("f4")),
                (("(x + y)[::2].contiguous()", "(x[::2] + y[::2])"), (x + y)[::2].astype("f4"))):
            for form in forms:
                got = self.apply(arrays, form)
                self.assertFalse(isinstance(got, str), (form, got))
                self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape), form)
                self.assertEqual(plain(got), plain(wanted), form)

    def test_large_numbers(self):
        """Integers beyond 63 bits are numbers like others; those that do not fit are refused."""
        x = np.array([0, 1, (1 << 64) - 1], "u8")
        got = self.apply({"x": x}, "x - 18446744073709551615", "--rules", "numpy")
        self.assertEqual(got.tolist(), [1, 2, 0])
        got = self.apply({"x": x}, "x < 18446744073709551615")
        self.assertEqual(got.tolist(), [True, True, False])
        for expr, says in (("x + 18446744073709551616", "64 bits"), ("x + -1", "out of the range of u64"),
                           ("x.byte() + 256", "out of the range of u8")):
            self.assertIn(says, self.apply({"x": x}, expr, "--rules", "numpy"), expr)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        SEED = int(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        EXPRESSIONS = int(sys.argv.pop(1))
    unittest.main(verbosity=1)
