# SPDX-License-Identifier: BSD-3-Clause
"""Every operator that a random program may use, by name. operators_*.py hold them by theme.

An operator is a function (rng, value) -> (text, meaning): text continues an expression, meaning() is
the resulting Value, a list of them, or a refusal (reference.py). rng is a drawing.Draw. None instead
of both: nothing but a refusal could come of it.
"""

import collections
import importlib

# torch: PyTorch means the same by the same text; example: a call that (2, 2) f32 allows
Operator = collections.namedtuple("Operator", "name draw torch example")

OPERATORS = {}


def operator(name, example, torch=True):
    def register(draw):
        OPERATORS[name] = Operator(name, draw, torch, example)
        return draw
    return register


for theme in ("shape", "index", "copy", "dtype"):
    importlib.import_module("operators_" + theme)
