# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose meaning by NumPy's rule differs from that of the registry's function of the same name."""


def put(a, ind, v, mode="raise"):
    """Writes values to indices of all elements in C order; by PyTorch's rule into a copy, which is returned."""
    return a.put(ind, v) if mode == "raise" else a.put(ind, v, mode)
