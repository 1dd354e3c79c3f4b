# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose meaning by NumPy's rule differs from that of the registry's function of the same name."""

from . import _core


def put(a, ind, v, mode="raise"):
    """Writes values to indices of all elements in C order; by PyTorch's rule into a copy, which is returned.

    >>> x = st.zeros(3)
    >>> st.put(x, [0, 2], [5, 7])
    >>> x
    stria.Array([5., 0., 7.], dtype=float64)
    """
    return a.put(ind, v) if mode == "raise" else a.put(ind, v, mode)


def indices(dimensions, dtype="int64", sparse=False):
    """Returns the index of each element along each dim, as arrays of a shape; of a sparse array, its indices.

    >>> st.indices((2, 2))[1]
    stria.Array([[0, 1],
                 [0, 1]], dtype=int64)
    """
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


def put_along_axis(arr, indices, values, axis):
    """Writes values to the places that indices name along an axis: take_along_axis in the other direction.

    >>> x = st.zeros((2, 2))
    >>> st.put_along_axis(x, [[0], [1]], 1.0, 1)
    >>> x
    stria.Array([[1., 0.],
                 [0., 1.]], dtype=float64)
    """
    _core.put_along_axis(arr, indices, values, axis)
