# SPDX-License-Identifier: BSD-3-Clause
"""NumPy: numpy.copyto into the given array."""

import numpy as np

key = "numpy"
name = "NumPy " + np.__version__


def load(options):
    pass


def prepare(case, pair):
    copyto, dst, src, item = np.copyto, pair.dst, pair.src, pair.item
    if src is None:
        return lambda: copyto(dst, item)
    of, to = case["src"]["dtype"], case["dst"]["dtype"]
    if of == to:
        return lambda: copyto(dst, src)
    if "bf16" in (of, to):
        return None
    return lambda: copyto(dst, src, casting="unsafe")
