# SPDX-License-Identifier: BSD-3-Clause
"""Functions of NumPy on parts, indices and sets of arrays, composed of those that the library has."""

from operator import index as _index

from . import _core as c
from ._core import Array, AxisError
from ._options import or_numpy


def _array(x):
    return x if isinstance(x, Array) else c.asarray(x)


def _axis(axis, ndim, what):
    axis = _index(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(f"{what}: axis {axis} is outside an array of {ndim} dims")
    return axis % ndim


def _flat(x):
    return _array(x).ravel()


def _single(obj):
    """Returns the one integer that a number or an array of one element is; None for others."""
    if isinstance(obj, Array) or hasattr(obj, "dtype") and not isinstance(obj, type):
        return int(obj.item()) if obj.size == 1 and obj.dtype.kind in "iu" else None
    return _index(obj) if hasattr(type(obj), "__index__") and not isinstance(obj, bool) else None


# ---- parts of arrays ------------------------------------------------------------


def append(arr, values, axis=None):
    """Joins values behind an array, along an axis or, without one, all elements of both in C order.

    >>> st.append([1, 2], [3, 4])
    stria.Array([1, 2, 3, 4], dtype=int64)
    """
    arr, values = _array(arr), _array(values)
    return c.concat([arr.ravel(), values.ravel()]) if axis is None else c.concat([arr, values], axis=axis)


def delete(arr, obj, axis=None):
    """Returns the array without what an index, a slice or several indices (also a mask) name along an axis.

    >>> st.delete([1, 2, 3, 4], [0, 2])
    stria.Array([2, 4], dtype=int64)
    """
    arr = _array(arr)
    arr, axis = (arr.ravel(), 0) if axis is None else (arr, _axis(axis, arr.ndim, "delete"))
    n = arr.shape[axis]
    if not isinstance(obj, slice) and (one := _single(obj)) is not None:
        i = one
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
        i %= n
        before = (slice(None),) * axis
        return c.concat([arr[before + (slice(i),)], arr[before + (slice(i + 1, None),)]], axis=axis)
    keep = c.ones(n, dtype="bool")
    if not isinstance(obj, slice):
        obj = _array(obj)
        obj = obj.astype("int64") if obj.size == 0 else obj
        if obj.dtype.kind not in "biu":
            raise IndexError(f"delete: indices are integers, not {obj.dtype}")
        if obj.dtype.kind == "b" and obj.shape != (n,):
            raise ValueError(f"delete: boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
    keep[obj] = False
    return arr[(slice(None),) * axis + (keep,)]


def insert(arr, obj, values, axis=None):
    """Returns the array with values before an index, or before each of several indices, along an axis.

    >>> st.insert([1, 2, 3], 1, 9)
    stria.Array([1, 9, 2, 3], dtype=int64)
    """
    arr = _array(arr)
    arr, axis = (arr.ravel(), 0) if axis is None else (arr, _axis(axis, arr.ndim, "insert"))
    n, values = arr.shape[axis], _array(values).astype(arr.dtype)
    before = (slice(None),) * axis
    if isinstance(obj, slice):
        obj = c.arange(n)[obj]
    alone = not isinstance(obj, Array) and hasattr(type(obj), "__index__")
    places = _array(obj)
    if places.dtype.kind == "b":
        places = c.nonzero(places)[0]
    if places.dtype.kind not in "iu" and places.size:
        raise IndexError(f"insert: indices are integers, not {places.dtype}")
    places = places.astype("int64")
    alone = alone or places.ndim == 0
    places = places.reshape(-1)
    if places.size and not (-n <= int(places.min()) and int(places.max()) <= n):
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")
    places = c.where(places < 0, places + n, places)
    if alone or places.size == 1:  # as many as values has along the axis
        if values.ndim and alone:
            values = c.moveaxis(c.asarray(values)[(None,) * (arr.ndim - values.ndim)], 0, axis)
        else:
            values = values[(None,) * (arr.ndim - values.ndim)]
        count, i = values.shape[axis], int(places[0])
        part = c.broadcast_to(values, (*arr.shape[:axis], count, *arr.shape[axis + 1:]))
        return c.concat([arr[before + (slice(i),)], part, arr[before + (slice(i, None),)]], axis=axis)
    order = c.argsort(places, stable=True)
    there = places.clone()
    there[order] = places[order] + c.arange(places.size)
    old = c.ones(n + places.size, dtype="bool")
    old[there] = False
    made = c.empty((*arr.shape[:axis], n + places.size, *arr.shape[axis + 1:]), dtype=arr.dtype)
    made[before + (there,)] = values
    made[before + (old,)] = arr
    return made


def block(arrays):
    """Joins nested lists of arrays: the innermost along the last axis, those around them along the one before, ...

    >>> st.block([[st.eye(2), st.zeros((2, 1))]])
    stria.Array([[1., 0., 0.],
                 [0., 1., 0.]], dtype=float64)
    """
    def depth(x):
        if isinstance(x, tuple):
            raise TypeError("block: takes lists of arrays, and no tuple")
        return 1 + max(map(depth, x), default=0) if isinstance(x, list) else 0

    def widest(x):
        return max(map(widest, x), default=0) if isinstance(x, list) else _array(x).ndim

    def joined(x, left):
        if left == 0:
            x = _array(x)
            return x[(None,) * (ndim - x.ndim)]
        if not isinstance(x, list) or not x:
            raise ValueError("block: list depths are mismatched, or a list is empty")
        return c.concat([joined(y, left - 1) for y in x], axis=-left)

    levels = depth(arrays)
    ndim = max(levels, widest(arrays))
    return joined(arrays, levels) if levels else _array(arrays).clone()


def flatnonzero(a):
    """Returns the places of the elements that are not 0 among all in C order.

    >>> st.flatnonzero([0, 3, 0, 4])
    stria.Array([1, 3], dtype=int64)
    """
    return c.nonzero(_flat(a))[0]


def trim_zeros(filt, trim="fb", axis=None):
    """Returns the array without the zeros at its front and back, along an axis or all.

    >>> st.trim_zeros(st.asarray([0, 0, 1, 2, 0]))
    stria.Array([1, 2], dtype=int64)
    """
    listed, filt = isinstance(filt, (list, tuple)), _array(filt)
    filt = filt if filt.ndim else filt.reshape(1)
    if trim != "fb" and ({*trim.lower()} - {*"fb"} or not trim):
        raise ValueError(f"trim_zeros: unexpected character(s) in `trim`: {trim!r}")
    axes = range(filt.ndim) if axis is None else [_axis(a, filt.ndim, "trim_zeros") for a in
                                                  ((axis,) if hasattr(type(axis), "__index__") else axis)]
    places, key = c.nonzero(filt), [slice(None)] * filt.ndim
    for a in axes:
        if places[a].size == 0:
            key[a] = slice(0, 0)
            continue
        found = places[a]  # along the first axis in order
        first, last = (int(found[0]), int(found[-1]) + 1) if a == 0 else (int(found.min()), int(found.max()) + 1)
        key[a] = slice(first if "f" in trim.lower() else 0, last if "b" in trim.lower() else None)
    return filt[tuple(key)].tolist() if listed else filt[tuple(key)]


def _written(a, mask, values, what):
    if not isinstance(a, Array):
        raise TypeError(f"{what}: takes an array to write to, not {type(a).__name__}")
    mask, values = _array(mask), _flat(values)
    if mask.shape != a.shape and mask.size != a.size:
        raise ValueError(f"{what}: a mask of shape {mask.shape} for an array of shape {a.shape}")
    return mask.reshape(a.shape).astype("bool"), values.astype(a.dtype)


def place(arr, mask, vals):
    """Writes the first values to the elements where a mask is true, one after another, and again from the first on.

    >>> x = st.arange(5)
    >>> st.place(x, x > 2, [10, 20])
    >>> x
    stria.Array([ 0,  1,  2, 10, 20], dtype=int64)
    """
    mask, values = _written(arr, mask, vals, "place")
    count = int(mask.sum())
    if count and not values.size:
        raise ValueError("place: no values for the elements of the mask")
    if count:
        arr[mask] = values[c.arange(count) % values.size]


def putmask(a, mask, values):
    """Writes values, repeated to the size of the array, to the elements where a mask is true.

    >>> x = st.arange(5)
    >>> st.putmask(x, x > 2, [10, 20, 30, 40, 50])
    >>> x
    stria.Array([ 0,  1,  2, 40, 50], dtype=int64)
    """
    mask, values = _written(a, mask, values, "putmask")
    if values.size:
        places = c.nonzero(mask.reshape(-1))[0] % values.size
        a[mask] = values[places]


def fill_diagonal(a, val, wrap=False):
    """Writes values to the main diagonal; with wrap again from the row after the last on in a high matrix.

    >>> x = st.zeros((2, 2))
    >>> st.fill_diagonal(x, [1, 2])
    >>> x
    stria.Array([[1., 0.],
                 [0., 2.]], dtype=float64)
    """
    if a.ndim < 2 or a.ndim > 2 and len({*a.shape}) > 1:
        raise ValueError(f"fill_diagonal: shape {a.shape}, takes two dims, or several of one size")
    rows, columns = a.shape[:2]
    starts = range(0, rows, columns + 1) if wrap and a.ndim == 2 and rows > columns else (0,)
    parts = []
    for start in starts:
        line = a[start:]
        while line.ndim > 1:
            line = c.diagonal(line, 0, 0, 1) if line.ndim == 2 else c.diagonal(line, 0, 0, -1)
        parts.append(line)
    values, done = _flat(val), 0
    for line in parts:
        n = line.shape[0]
        line[...] = values if values.size == 1 else values[(c.arange(n) + done) % values.size]
        done += n


def diagflat(v, k=0):
    """Returns a square matrix with the elements, in C order, on diagonal k.

    >>> st.diagflat([1, 2])
    stria.Array([[1, 0],
                 [0, 2]], dtype=int64)
    """
    return c.diag(_flat(v), k)


# ---- indices --------------------------------------------------------------------


def ix_(*args):
    """Returns indices that together name all pairs, triples, ... of the elements of lists or masks.

    >>> st.arange(6).reshape(2, 3)[st.ix_([0, 1], [2, 0])]
    stria.Array([[2, 0],
                 [5, 3]], dtype=int64)
    """
    made = []
    for i, x in enumerate(args):
        x = _array(x)
        if x.ndim != 1:
            raise ValueError("ix_: takes lists of one dim")
        x = x.astype("int64") if x.size == 0 else c.nonzero(x)[0] if x.dtype.kind == "b" else x
        made.append(x.reshape((1,) * i + (-1,) + (1,) * (len(args) - 1 - i)))
    return tuple(made)


def diag_indices(n, ndim=2):
    """Returns the indices of the main diagonal of an array with ndim dims of size n.

    >>> st.diag_indices(2)
    (stria.Array([0, 1], dtype=int64), stria.Array([0, 1], dtype=int64))
    """
    return (c.arange(n),) * ndim


def diag_indices_from(arr):
    """Returns the indices of the main diagonal of an array.

    >>> st.diag_indices_from(st.zeros((2, 2)))
    (stria.Array([0, 1], dtype=int64), stria.Array([0, 1], dtype=int64))
    """
    if arr.ndim < 2 or len({*arr.shape}) > 1:
        raise ValueError(f"diag_indices_from: shape {arr.shape}, takes two dims or more of one size")
    return diag_indices(arr.shape[0], arr.ndim)


def mask_indices(n, mask_func, k=0):
    """Returns the indices where mask_func(ones, k) of n rows and columns is not 0.

    >>> st.mask_indices(2, st.triu)
    (stria.Array([0, 0, 1], dtype=int64), stria.Array([0, 1, 1], dtype=int64))
    """
    return c.nonzero(mask_func(c.ones((n, n), dtype="int64"), k))


def tril_indices(n, k=0, m=None):
    """Returns the indices of the elements of an n x m matrix at and below diagonal k.

    >>> st.tril_indices(2)
    (stria.Array([0, 1, 1], dtype=int64), stria.Array([0, 0, 1], dtype=int64))
    """
    return c.nonzero(c.tri(n, n if m is None else m, k=k, dtype="bool"))


def triu_indices(n, k=0, m=None):
    """Returns the indices of the elements of an n x m matrix at and above diagonal k.

    >>> st.triu_indices(2)
    (stria.Array([0, 0, 1], dtype=int64), stria.Array([0, 1, 1], dtype=int64))
    """
    return c.nonzero(~c.tri(n, n if m is None else m, k=k - 1, dtype="bool"))


def tril_indices_from(arr, k=0):
    """Returns the indices of the elements of a matrix at and below diagonal k.

    >>> st.tril_indices_from(st.zeros((2, 2)))
    (stria.Array([0, 1, 1], dtype=int64), stria.Array([0, 0, 1], dtype=int64))
    """
    return tril_indices(_of_two(arr)[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    """Returns the indices of the elements of a matrix at and above diagonal k.

    >>> st.triu_indices_from(st.zeros((2, 2)))
    (stria.Array([0, 0, 1], dtype=int64), stria.Array([0, 1, 1], dtype=int64))
    """
    return triu_indices(_of_two(arr)[0], k, arr.shape[1])


def _of_two(arr):
    if arr.ndim != 2:
        raise ValueError(f"shape {arr.shape}, takes a matrix")
    return arr.shape


# ---- sets -----------------------------------------------------------------------


def union1d(ar1, ar2):
    """Returns the sorted elements of both arrays, each once.

    >>> st.union1d([3, 1], [1, 2])
    stria.Array([1, 2, 3], dtype=int64)
    """
    return c.unique(c.concat([_flat(ar1), _flat(ar2)]), equal_nan=True)


def _pair(ar1, ar2, assume_unique):
    parts = [_flat(x) if assume_unique else c.unique(_flat(x), equal_nan=True) for x in (ar1, ar2)]
    both = c.sort(c.concat(parts))
    return both, both[1:] == both[:-1]


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """Returns the sorted elements that both arrays have; with return_indices their first places in both, too.

    >>> st.intersect1d([1, 3, 4], [3, 1, 5])
    stria.Array([1, 3], dtype=int64)
    """
    if not return_indices:
        both, same = _pair(ar1, ar2, assume_unique)
        return both[:-1][same] if both.size else both
    a, b = _flat(ar1), _flat(ar2)
    values, at, *_ = c.unique_all(a)
    values_b, at_b, *_ = c.unique_all(b)
    common = c.isin(values, values_b)
    found = values[common]
    return found, at[common], at_b[c.searchsorted(values_b, found)] if found.size else at_b[:0]


def setdiff1d(ar1, ar2, assume_unique=False):
    """Returns the elements of the first array that the second lacks, sorted unless they are unique already.

    >>> st.setdiff1d([1, 2, 3], [2])
    stria.Array([1, 3], dtype=int64)
    """
    a = _flat(ar1) if assume_unique else c.unique(_flat(ar1), equal_nan=True)
    return a[~c.isin(a, _flat(ar2))]


def setxor1d(ar1, ar2, assume_unique=False):
    """Returns the sorted elements that only one of the arrays has.

    >>> st.setxor1d([1, 2], [2, 3])
    stria.Array([1, 3], dtype=int64)
    """
    both, same = _pair(ar1, ar2, assume_unique)
    if both.size < 2:
        return both
    edge = c.zeros(1, dtype="bool")
    return both[~(c.concat([edge, same]) | c.concat([same, edge]))]


def in1d(ar1, ar2, assume_unique=False, invert=False):
    """Tells of each element of the first array whether the second has it.

    >>> st.in1d([1, 2, 3], [2, 5])
    stria.Array([False,  True, False], dtype=bool)
    """
    return c.isin(_flat(ar1), _flat(ar2), invert=invert)


or_numpy(globals())
