# SPDX-License-Identifier: BSD-3-Clause
"""Masks (where=) and casts into out (casting=) give byte for byte what NumPy gives, at every instruction set level, for
masks of all densities and operands of any layout.

    STRIA_TOOL=build/stria python3 test_where.py [SEED] [CALLS]
"""

import os
import random
import sys
import unittest

from tool import Folder, stria

import numpy as np  # after tool, which exits where NumPy is missing

SEED, CALLS = 1, 40

LEVELS = ["scalar", "base", "avx2", "avx512", "neon"]
DENSITIES = [0, 0.001, 0.1, 0.5, 0.9, 1]
SHAPES = [(5, 7), (1, 3000), (130, 170), (2, 3, 40)]
# Operations that are exact in both libraries, so that there is one result: the number of operands, and the kinds of
# dtypes.
OPERATIONS = [("add", 2, "biuf"), ("subtract", 2, "iuf"), ("multiply", 2, "iuf"), ("divide", 2, "f"),
              ("floor_divide", 2, "iu"), ("remainder", 2, "iu"), ("maximum", 2, "biu"),
              ("bitwise_and", 2, "biu"), ("less", 2, "biuf"), ("logical_or", 2, "biuf"),
              ("absolute", 1, "iuf"), ("sqrt", 1, "f"), ("negative", 1, "iuf"),
              ("logical_not", 1, "biuf"), ("isnan", 1, "f"), ("clip", 3, "iuf")]
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">f4", ">i2"]
LAYOUTS = ["%s", "%s.T", "%s[..., ::-1]", "%s[..., ::2]", "%s[:1]", "%s[..., :1]"]


class Where(Folder):
    def array(self, rng, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return rng.random(shape) < 0.5
        low = 0 if dtype.kind == "u" else -9
        numbers = rng.integers(low, 10, shape)
        return (numbers / 4 if dtype.kind == "f" else numbers).astype(dtype)

    def draw(self, draw, rng):
        """Draws an operation, its arrays by name, and the text of each operand."""
        name, count, kinds = draw.choice(OPERATIONS)
        dtypes = [d for d in DTYPES if np.dtype(d).kind in kinds]
        shape = draw.choice(SHAPES)
        common = draw.choice(dtypes)
        arrays, texts = {}, []
        for operand in "xyw"[:count]:
            dtype = common if draw.random() < 0.7 else draw.choice(dtypes)
            text = draw.choice(LAYOUTS)
            stored = shape[::-1] if ".T" in text else (*shape[:-1], 2 * shape[-1]) if "::2" in text else shape
            arrays[operand] = self.array(rng, dtype, stored)
            texts.append(text % operand)
        text = draw.choice(LAYOUTS)
        stored = shape[::-1] if ".T" in text else (*shape[:-1], 2 * shape[-1]) if "::2" in text else shape
        arrays["m"] = rng.random(stored) < draw.choice(DENSITIES)
        return name, arrays, texts, text % "m", shape

    def apply(self, arrays, expr, level):
        files = {name: self.save(name + ".npy", array) for name, array in arrays.items()}
        out = self.path / "out.npy"
        done = stria("apply", "-o", out, "--rules", "numpy",
                     *(word for name in arrays if name != "x"
                       for word in ("--with", "%s=%s" % (name, files[name]))),
                     "--", files["x"], expr, env={**os.environ, "STRIA_ISA": level})
        return np.load(out) if done.returncode == 0 else done.stderr

    def test_random(self):
        draw, rng, compared = random.Random(SEED), np.random.default_rng(SEED), 0
        for call in range(CALLS):
            name, arrays, texts, mask, shape = self.draw(draw, rng)
            casting = draw.choice(["same_kind", "same_kind", "same_kind", "unsafe", "safe", "equiv", "no"])
            out = draw.choice(["f8", "f4", "i8", "f2", ">f8", "?", "u1"])
            in_place = draw.random() < 0.2 and texts[0] == "x" and arrays["x"].shape == shape
            if not in_place:
                # NumPy does not define conversions of floats beyond the integer's range: only halves are safe.
                arrays["z"] = self.array(rng, out, shape)
            target = "x" if in_place else draw.choice(["z", "z", "z[..., ::-1]"])
            expr = "np.%s(%s, out=%s, where=%s, casting='%s')" % (name, ", ".join(texts), target, mask, casting)
            described = "%s  %s" % (expr, {n: (a.dtype.str, a.shape) for n, a in arrays.items()})
            copies = {n: a.copy() for n, a in arrays.items()}
            try:
                with np.errstate(all="ignore"):
                    theirs = np.asarray(eval(expr, {"np": np, **copies}))
            except (TypeError, ValueError):
                continue
            level = LEVELS[call % len(LEVELS)]
            ours = self.apply(arrays, expr, level)
            self.assertFalse(isinstance(ours, str), (described, ours))
            if self.is_defined(theirs, arrays):
                self.assertEqual(np.ascontiguousarray(ours).tobytes(),
                                 np.ascontiguousarray(theirs.astype(ours.dtype)).tobytes(),
                                 (level, described))
                compared += 1
        self.assertGreater(compared, CALLS // 5)

    def is_defined(self, theirs, arrays):
        """The sign of NaN is not defined, and floats beyond the range of integers have Stria's own conversion."""
        if theirs.dtype.kind == "f" and np.isnan(theirs).any():
            return False
        return theirs.dtype.kind not in "iu" or not any(a.dtype.kind == "f" for a in arrays.values())

    def test_refusals(self):
        x, y = np.ones((3, 4), "f4"), np.ones((3, 4), "i4")
        arrays = {"x": x, "y": y, "m": np.ones((2, 3, 4), "?")}
        for expr, says in (("np.add(x, x, out=y)", "same_kind rules"),
                           ("np.add(x, x, out=x, where=y)", "where is of dtype i32, not bool"),
                           ("np.add(x, x, out=x, where=m)", "where of shape (2, 3, 4) has more dims"),
                           ("np.add(x, y, casting='no')", "under no rules"),
                           ("np.add(x, x, casting='loose')", "is not one of NumPy's"),
                           ("np.where(x, x, x, where=m)", "there is no argument 'where'")):
            self.assertIn(says, self.apply(arrays, expr, "avx512"), expr)

    def test_two_results(self):
        """divmod, modf, frexp: into new arrays, and into a pair of arrays that may be the operands."""
        x, y = np.arange(-12, 12, dtype="i2").reshape(4, 6), np.array([1, 2, 3, -4, 5, -6], "i2")
        f, m = np.array([1.5, -2.25, 0.0, -0.0, np.inf, -np.inf]), np.array([1, 0, 1, 1, 0, 1], "?")
        arrays = {"x": x, "y": y, "f": f, "m": m, "w": np.zeros((4, 6), "i2"), "v": x.copy()}
        for expr, wanted in (("np.divmod(x, y)[0]", x // y), ("np.divmod(x.T, 7)[1]", x.T % 7),
                             ("np.modf(f)[0]", np.modf(f)[0]), ("np.modf(f)[1]", np.modf(f)[1]),
                             ("np.frexp(f)[0]", np.frexp(f)[0]), ("np.frexp(f)[1]", np.frexp(f)[1]),
                             ("np.frexp(y)[1]", np.frexp(y)[1]),
                             ("np.modf(y)[1]", np.modf(y)[1]), ("sincos(f[:4])[1]", np.cos(f[:4])),
                             ("np.divmod(x, y, out=(w, v))[1]", x % y),
                             ("np.divmod(v, y, out=(w, v))[1]", x % y),
                             ("np.divmod(x, y, out=(w, v), where=m)[0]", np.where(m, x // y, 0))):
            for level in LEVELS[:4]:
                got = self.apply(arrays, expr, level)
                self.assertFalse(isinstance(got, str), (expr, got))
                self.assertEqual((got.dtype, got.tobytes()), (wanted.dtype, np.ascontiguousarray(wanted).tobytes()),
                                 (expr, got, wanted))
        for expr, says in (("np.divmod(x, y, out=(w,))", "takes 2"), ("np.divmod(x, y, out=(w, w))", "share bytes"),
                           ("np.modf(1j * f)", "modf"), ("np.divmod(x, y, where=m)", "where wants out=")):
            self.assertIn(says, self.apply(arrays, expr, "avx512"), expr)

    def test_left_out(self):
        """Without out, elements where the mask is false are 0; in NumPy they are whatever memory held."""
        x, m = np.arange(6, dtype="f4").reshape(2, 3), np.array([True, False, True])
        got = self.apply({"x": x, "m": m}, "np.exp2(x, where=m)", "avx512")
        self.assertEqual(got.tolist(), [[1, 0, 4], [8, 0, 32]])
        got = self.apply({"x": x, "m": m}, "np.square(x, where=True)", "avx512")
        self.assertEqual(got.tolist(), (x * x).tolist())


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        SEED = int(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        CALLS = int(sys.argv.pop(1))
    unittest.main(verbosity=1)
