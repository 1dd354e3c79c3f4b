# SPDX-License-Identifier: BSD-3-Clause
"""Names of dtypes mean what they mean in NumPy and PyTorch, wherever the tool reads one."""

import json
import unittest

from tool import Folder, batch

import numpy as np  # after tool, which exits where NumPy is missing

try:
    import torch
except ImportError:
    torch = None

OURS = {"b1": "bool", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64", "u1": "u8", "u2": "u16",
        "u4": "u32", "u8": "u64", "f2": "f16", "f4": "f32", "f8": "f64", "c8": "c64", "c16": "c128"}
TWO_MEANINGS = {"i8", "u8"}


def own(dtype):
    """Returns the name that the tool prints for a dtype of NumPy; None where it has none."""
    dtype = np.dtype(dtype)
    code = dtype.str[1:]
    if dtype.kind in "SV":
        return code
    if dtype.kind == "U" or not dtype.isnative:
        return (dtype.str if not dtype.isnative else code)
    return OURS.get(code)


def spellings():
    """Yields every text that NumPy has for a dtype, with the dtype."""
    texts = {name for name in np.sctypeDict if isinstance(name, str) and name != "a"}
    texts |= {chr(c) for c in range(33, 127) if c not in b"OMmgGcSUVaT"}
    texts |= {mark + code for code in [*OURS, "U3", "S5", "V12", "f", "d", "h", "Q"]
              for mark in "<>=|"} | {"U3", "S5", "V12", *OURS}
    for text in sorted(texts):
        try:
            dtype = np.dtype(text)
        except (TypeError, SyntaxError):
            continue
        if own(dtype) and dtype.itemsize:
            yield text, own(dtype)


def answers(cases):
    """Returns the dtype of the last step of each case, or its message."""
    return [a["outputs"][0]["dtype"] if a["ok"] else a for a in batch(cases)]


def case(dtype, expr):
    return json.dumps({"shape": [4], "dtype": dtype, "expr": expr})


class Names(Folder):
    def check(self, pairs, line):
        for (text, want), got in zip(pairs, answers([line(text) for text, _ in pairs])):
            self.assertEqual(got, want, text)

    def test_numpy_on_the_command_line(self):
        pairs = [(t, w) for t, w in spellings() if t not in TWO_MEANINGS]
        self.assertGreater(len(pairs), 100)
        self.check(pairs, lambda text: case(text, "x"))
        self.check([("i8", "i8"), ("u8", "u8")], lambda text: case(text, "x"))

    def test_numpy_between_quotes(self):
        self.check(list(spellings()), lambda text: case("u8", f"np.empty(3, dtype='{text}')"))

    def test_numpy_by_module(self):
        names = [n for n in dir(np) if isinstance(getattr(np, n), type)
                 and issubclass(getattr(np, n), np.number | np.bool_)]
        pairs = []
        for name in names:
            try:
                pairs.append((name, own(getattr(np, name))))
            except TypeError:
                continue  # an abstract class
        pairs = [(n, w) for n, w in pairs if w]
        self.assertGreater(len(pairs), 25)
        self.check(pairs, lambda text: case("u8", f"x.astype(np.{text})"))
        self.check(pairs, lambda text: case(f"numpy.{text}", "x"))

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torch_by_module(self):
        pairs = []
        for name in dir(torch):
            dtype = getattr(torch, name)
            if not isinstance(dtype, torch.dtype):
                continue
            try:
                pairs.append((name, own(torch.empty(0, dtype=dtype).numpy().dtype)))
            except TypeError:
                continue  # NumPy has no such dtype
        self.assertGreater(len(pairs), 20)
        self.check([p for p in pairs if p[1]], lambda text: case(f"torch.{text}", "x"))
        self.check([p for p in pairs if p[1]], lambda text: case("u8", f"x.to(torch.{text})"))

    def test_python(self):
        pairs = [("float", "f64"), ("int", "i64"), ("complex", "c128"), ("bool", "bool")]
        self.check(pairs, lambda text: case(text, "x"))
        self.check(pairs, lambda text: case("u8", f"x.astype({text})"))

    def test_letters_are_arrays_in_expressions(self):
        answer = batch([case("u8", "x.astype(d)")])[0]
        self.assertFalse(answer["ok"])
        self.assertIn("'d'", str(answer))


if __name__ == "__main__":
    unittest.main(verbosity=1)
