# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/accuracy.md on sums: how far sums and means are from the exact ones, which
math.fsum and fractions give, beside NumPy's sums. Prints Markdown.

    tests/nightly/reduction_accuracy.py build/libstria.so
"""

import math
import os
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench"))
from peers import stria_peer  # noqa: E402

KINDS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def reduced(op, values, dtype):
    out = np.zeros((), KINDS[dtype])
    case = {"reduction": {"op": op, "all": True, "dims": [0], "ddof": 0.0},
            "dst": {"dtype": dtype}, "src": {"dtype": dtype}}
    stria_peer.reducing(case, SimpleNamespace(dst=out, src=values))()
    return out[()]


def units(got, exact, dtype):
    """Returns the error in units in the last place of the exact result in the dtype."""
    unit = float(np.spacing(KINDS[dtype](abs(float(exact)))))
    return abs(float(Fraction(float(got)) - exact)) / unit


def row(dtype, n, rng):
    values = rng.random(n).astype(KINDS[dtype]) * KINDS[dtype](min(1, 3e4 / n))
    total = sum(map(Fraction, map(float, values))) if n <= 10000 else \
        Fraction(math.fsum(map(float, values)))
    mean = total / n
    return "| %s | %d | %.2f | %.2f | %.2f |" % (
        dtype, n, units(reduced("sum", values, dtype), total, dtype),
        units(reduced("mean", values, dtype), mean, dtype),
        units(values.sum(), total, dtype))


def main():
    stria_peer.load(SimpleNamespace(library=os.path.abspath(sys.argv[1]), threads=1))
    rng = np.random.default_rng(7)
    print("| dtype | elements | sum | mean | NumPy's sum |")
    print("|---|---|---|---|---|")
    for dtype in KINDS:
        for n in (10, 300, 10000, 1000000):
            print(row(dtype, n, rng))


if __name__ == "__main__":
    main()
