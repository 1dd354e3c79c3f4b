# SPDX-License-Identifier: BSD-3-Clause
"""Functions that mean something else by NumPy's rule than the registry's of that name."""


def put(a, ind, v, mode="raise"):
    """Writes values to indices of all elements in C order; by PyTorch's rule into a copy, which is given."""
    return a.put(ind, v) if mode == "raise" else a.put(ind, v, mode)
