# SPDX-License-Identifier: BSD-3-Clause
"""NumPy: numpy.copyto into the given array, ufuncs with out=."""

import numpy as np

from .arrays import UFUNCS

key = "numpy"
name = "NumPy " + np.__version__


def load(options):
    pass


def choose(condition, x, y, out):
    """Calls numpy.where, which takes no out."""
    np.copyto(out, y)
    np.copyto(out, x, where=condition)


def computing(pair):
    """Prepares one call after the other; None if a result would be of another dtype than Stria's."""
    calls = []
    for op, out, operands in pair.steps:
        values = [o.value for o in operands]
        if any(o.dtype == "bf16" for o in operands + [out]):
            return None
        if op == "where":
            calls.append((choose, values, out.value))
            continue
        if UFUNCS[op](*(v if o.number else v[(slice(0, 1),) * v.ndim]
                        for o, v in zip(operands, values))).dtype != out.value.dtype:
            return None
        calls.append((UFUNCS[op], values, out.value))

    def run():
        for function, values, out in calls:
            function(*values, out=out)
    return run


STABLE = {"sort": None, "argsort": "stable"}  # the kind= with which a sort has only one right result


def reducing(case, pair):
    how, src, dst = case["reduction"], pair.src, pair.dst
    if "bf16" in (case["src"]["dtype"], case["dst"]["dtype"]):
        return None
    function = getattr(np, how["op"])
    axis = None if how["all"] else tuple(how["dims"])
    if how["op"] == "cumsum":
        return lambda: function(src, how["dims"][0], dst.dtype, dst)
    if how["op"] in ("argmax", "argmin"):
        place = None if how["all"] else how["dims"][0]
        return lambda: function(src, place, dst)
    if how["op"] in ("sort", "argsort"):
        return lambda: np.copyto(dst, function(src, how["dims"][0], STABLE[how["op"]]))
    if how["op"] == "count_nonzero":
        return lambda: np.copyto(dst, function(src, axis))
    if how["op"] in ("var", "std"):
        return lambda: function(src, axis, out=dst, ddof=how["ddof"])
    if how["op"] == "sum":
        return lambda: function(src, axis, dst.dtype, dst)
    return lambda: function(src, axis, out=dst)


def prepare(case, pair):
    if "math" in case:
        return computing(pair)
    if "reduction" in case:
        return reducing(case, pair)
    copyto, dst, src, item = np.copyto, pair.dst, pair.src, pair.item
    if src is None:
        return lambda: copyto(dst, item)
    of, to = case["src"]["dtype"], case["dst"]["dtype"]
    if of == to:
        return lambda: copyto(dst, src)
    if "bf16" in (of, to):
        return None
    return lambda: copyto(dst, src, casting="unsafe")
