# SPDX-License-Identifier: BSD-3-Clause
"""numexpr: evaluate with out=, one expression for each op. It has no f16, no bf16 and copies nothing."""

from . import Unavailable
from .arrays import UFUNCS

key = name = "numexpr"

TEXTS = {"add": "a + b", "subtract": "a - b", "multiply": "a * b", "less": "a < b",
         "where": "where(a, b, c)", "abs": "abs(a)", "exp": "exp(a)"}

_numexpr = None


def load(options):
    global _numexpr, name
    try:
        import numexpr
    except ImportError as error:
        raise Unavailable(str(error))
    numexpr.set_num_threads(options.threads)
    _numexpr = numexpr
    name = "numexpr " + numexpr.__version__


def prepare(case, pair):
    """None where a result would be of another dtype than Stria's."""
    if "math" not in case:
        return None
    calls = []
    for op, out, operands in pair.steps:
        if any(o.dtype in ("f16", "bf16") for o in operands + [out]):
            return None
        values = dict(zip("abc", (o.value for o in operands)))
        firsts = [v if o.number else v[(slice(0, 1),) * v.ndim] for o, v in
                  zip(operands, values.values())]
        if op in UFUNCS and UFUNCS[op](*firsts).dtype != out.value.dtype:
            return None
        calls.append((TEXTS[op], values, out.value))
    evaluate = _numexpr.evaluate
    try:
        for text, values, to in calls:
            evaluate(text, local_dict=values, out=to)
    except (TypeError, ValueError):
        return None

    def run():
        for text, values, to in calls:
            evaluate(text, local_dict=values, global_dict={}, out=to, sanitize=False)
    return run
