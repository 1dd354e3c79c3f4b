# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose meaning by NumPy's rule differs from that of the registry's function of the same name."""

from . import _core


def put(a, ind, v, mode="raise"):
    """Writes values to indices of all elements in C order; by PyTorch's rule into a copy, which is returned."""
    return a.put(ind, v) if mode == "raise" else a.put(ind, v, mode)


def indices(dimensions, dtype="int64", sparse=False):
    """Returns the index of each element along each dim, as arrays of a shape; of a sparse array, its indices."""
    if not isinstance(dimensions, (tuple, list)) and not hasattr(type(dimensions), "__index__"):
        return _core.indices(dimensions)
    shape = (dimensions,) if hasattr(type(dimensions), "__index__") else tuple(dimensions)
    lines = [_core.arange(n, dtype=dtype).reshape((1,) * d + (-1,) + (1,) * (len(shape) - 1 - d)) for d, n in enumerate(shape)]
    if sparse:
        return tuple(lines)
    made = _core.empty((len(shape), *shape), dtype=dtype)
    for to, line in zip(made, lines):
        to[...] = line
    return made
