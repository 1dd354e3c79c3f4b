# SPDX-License-Identifier: BSD-3-Clause
"""Functions of NumPy that the library has not by itself, composed of those that it has."""

from functools import reduce as _reduce
from math import inf, nan, pi
from numbers import Number
from operator import index as _index

from . import _core as c
from ._core import Array, AxisError, ShapeError
from ._functions import indices as _indices
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


# ---- parts of arrays ---------------------------------------------------------------------------------------------


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


# ---- indices -----------------------------------------------------------------------------------------------------


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


# ---- sets --------------------------------------------------------------------------------------------------------


def union1d(ar1, ar2):
    """Returns the sorted elements of both arrays, each once.

    >>> st.union1d([3, 1], [1, 2])
    stria.Array([1, 2, 3], dtype=int64)
    """
    return c.unique_values(c.concat([_flat(ar1), _flat(ar2)]))


def _pair(ar1, ar2, assume_unique):
    parts = [_flat(x) if assume_unique else c.unique_values(_flat(x)) for x in (ar1, ar2)]
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
    a = _flat(ar1) if assume_unique else c.unique_values(_flat(ar1))
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


# ---- windows and sequences ---------------------------------------------------------------------------------------


def _points(M):
    """Returns how many points a window has as Python's number, which does not wrap around as those of narrow dtypes."""
    return M.item() if hasattr(M, "item") else M


def _cosines(*factors):
    def window(M):
        M = _points(M)
        if M < 1:
            return c.zeros(0)
        if M == 1:
            return c.ones(1)
        angle = c.arange(1 - M, M, 2, dtype="float64") * (pi / (M - 1))
        return sum(f * (c.cos(k * angle) if k else 1.0) for k, f in enumerate(factors))
    return window


hanning, hamming, blackman = _cosines(0.5, 0.5), _cosines(0.54, 0.46), _cosines(0.42, 0.5, 0.08)
for _window, _name, _shown in ((hanning, "hanning", "0., 1., 0."), (hamming, "hamming", "0.08, 1.  , 0.08"),
                               (blackman, "blackman", "-0.,  1., -0.")):
    _window.__name__ = _window.__qualname__ = _name
    _window.__doc__ = f"""Returns the {_name.capitalize()} window of M points.

    >>> st.{_name}(3).round(2)
    stria.Array([{_shown}], dtype=float64)
    """


def bartlett(M):
    """Returns the triangular window of M points.

    >>> st.bartlett(5)
    stria.Array([0. , 0.5, 1. , 0.5, 0. ], dtype=float64)
    """
    M = _points(M)
    if M < 2:
        return c.ones(1) if M == 1 else c.zeros(0)
    n = c.arange(1 - M, M, 2, dtype="float64")
    return 1 - c.abs(n) / (M - 1)


def kaiser(M, beta):
    """Returns the window of Kaiser of M points.

    >>> st.kaiser(3, 5.0)
    stria.Array([0.03671089, 1.        , 0.03671089], dtype=float64)
    """
    M = _points(M)
    if M < 2:
        return c.ones(1) if M == 1 else c.zeros(0)
    half = (M - 1) / 2
    return c.i0(beta * c.sqrt(c.maximum(1 - ((c.arange(M) - half) / half) ** 2, 0.0))) / c.i0(c.asarray(float(beta)))


def identity(n, dtype=None):
    """Returns the square matrix with ones on its diagonal.

    >>> st.identity(2)
    stria.Array([[1., 0.],
                 [0., 1.]], dtype=float64)
    """
    return c.eye(n, dtype=dtype or "float64")


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """Returns numbers at equal distances from start to stop, which may be arrays; with retstep the distance, too."""
    first, last = _array(start), _array(stop)
    first, last = c.broadcast_arrays(first * 1.0, last * 1.0)
    parts = num - 1 if endpoint else num
    step = (last - first) / parts if parts > 0 else first * nan
    line = c.arange(num, dtype=first.dtype).reshape((-1,) + (1,) * first.ndim)
    made = line * step + first if parts > 0 else line * (last - first) + first
    if endpoint and num > 1:
        made[-1] = last
    made = c.moveaxis(made, 0, axis) if axis else made
    if dtype is not None:
        made = (c.floor(made) if c.dtype(dtype).kind in "iu" else made).astype(dtype)
    return (made, step) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Returns powers of a base whose exponents are those of linspace.

    >>> st.logspace(0, 2, 3)
    stria.Array([  1.,  10., 100.], dtype=float64)
    """
    base = _array(base) if not isinstance(base, (int, float, complex)) else base
    steps = linspace(start, stop, num, endpoint=endpoint)
    if isinstance(base, Array) and base.ndim:
        steps = steps.reshape(steps.shape + (1,) * max(0, 1 + base.ndim - steps.ndim))
    made = c.pow(c.asarray(float(base)) if isinstance(base, (int, float)) else base, steps)
    made = c.moveaxis(made, 0, axis) if axis else made
    return made if dtype is None else made.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Returns numbers from start to stop, each the same multiple of the one before.

    >>> st.geomspace(1, 100, 3)
    stria.Array([  1.,  10., 100.], dtype=float64)
    """
    first, last = _array(start), _array(stop)
    kind = c.result_type(first, last, "float64") if "c" in (first.dtype.kind, last.dtype.kind) else c.float64
    first, last = first.astype(kind), last.astype(kind)
    if bool((first == 0).any()) or bool((last == 0).any()):
        raise ValueError("geomspace: takes no 0")
    sign = first / c.abs(first) if kind.kind == "c" else c.where(first < 0, -1.0, 1.0)
    if kind.kind != "c" and bool((c.where(last < 0, -1.0, 1.0) != sign).any()):
        raise ValueError("geomspace: start and stop of one sign, or complex numbers")
    made = sign * c.pow(c.asarray(10, dtype=kind), linspace(c.log10(first / sign), c.log10(last / sign), num, endpoint))
    if num > 0:
        made[0] = first
        if num > 1 and endpoint:
            made[-1] = last
    made = c.moveaxis(made, 0, axis) if axis else made
    return made if dtype is None else made.astype(dtype)


def vander(x, N=None, increasing=False):
    """Returns the matrix of powers of each element, the highest first.

    >>> st.vander([1, 2, 3], 2)
    stria.Array([[1, 1],
                 [2, 1],
                 [3, 1]], dtype=int64)
    """
    x = _array(x)
    if x.ndim != 1:
        raise ValueError("vander: takes one dim")
    n = x.shape[0] if N is None else N
    kind = c.result_type(x, "int64")
    made = c.empty((x.shape[0], n), dtype=kind)
    to = made if increasing else made[:, ::-1]
    if n > 0:
        to[:, 0] = 1
    if n > 1:
        to[:, 1:] = x[:, None]
        to[:, 1:] = c.cumprod(to[:, 1:], 1)
    return made


def fromfunction(function, shape, *, dtype=float, **keywords):
    """Calls a function once with the indices along each dim, as arrays of a shape.

    >>> st.fromfunction(lambda i, j: i + j, (2, 2), dtype=int)
    stria.Array([[0, 1],
                 [1, 2]], dtype=int64)
    """
    return function(*_indices(shape, dtype), **keywords)


# ---- sums and differences ----------------------------------------------------------------------------------------


def ediff1d(ary, to_end=None, to_begin=None):
    """Returns the differences of consecutive elements in C order, between other numbers.

    >>> st.ediff1d([1, 4, 9])
    stria.Array([3, 5], dtype=int64)
    """
    ary = _flat(ary)
    parts = [p if isinstance(p, str) else _flat(p).astype(ary.dtype) for p in (to_begin, "d", to_end) if p is not None]
    parts = [ary[1:] - ary[:-1] if isinstance(p, str) else p for p in parts]
    return c.concat(parts) if len(parts) > 1 else parts[0]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """Integrates by the trapezoidal rule along an axis, at places x or dx apart.

    >>> st.trapezoid([1, 2, 3])
    stria.Array(4.0, dtype=float64)
    """
    y = _array(y)
    axis = _axis(axis, y.ndim, "trapezoid")
    key = (slice(None),) * axis
    if x is not None:
        x = _array(x)
        dx = c.diff(x) if x.ndim == 1 else c.diff(x, axis=axis)
        if x.ndim == 1:
            dx = dx.reshape((-1,) + (1,) * (y.ndim - 1 - axis))
    return c.sum(dx * (y[key + (slice(1, None),)] + y[key + (slice(-1),)]), axis=axis) / 2.0


def vdot(a, b, /):
    """Returns the sum of products of all elements, those of the first array conjugated.

    >>> st.vdot([1, 2], [3, 4])
    stria.Array(11, dtype=int64)
    """
    a, b = _array(a), _array(b)
    a, b = a if a.ndim == 1 else a.ravel(), b if b.ndim == 1 else b.ravel()
    return c.dot(c.conj(a) if a.dtype.kind == "c" else a, b)


def vecmat(x1, x2, /):
    """Multiplies vectors, conjugated, from the left by matrices.

    >>> st.vecmat(st.asarray([1, 2]), st.eye(2))
    stria.Array([1., 2.], dtype=float64)
    """
    x1, x2 = _array(x1), _array(x2)
    return c.matmul((c.conj(x1) if x1.dtype.kind == "c" else x1)[..., None, :], x2)[..., 0, :]


def unwrap(p, discont=None, axis=-1, *, period=2 * pi):
    """Adds periods so that consecutive elements along an axis differ by at most half of one.

    >>> st.unwrap([0.0, 6.0])
    stria.Array([ 0.        , -0.28318531], dtype=float64)
    """
    p = _array(p)
    axis = _axis(axis, p.ndim, "unwrap")
    steps, half = c.diff(p, axis=axis), period / 2
    whole = p.dtype.kind in "iu" and isinstance(period, int)
    half = period // 2 if whole else half
    edge = whole and period % 2 == 0 or not whole
    turned = (steps + half) % period - half
    if edge:
        turned = c.where((turned == -half) & (steps > 0), half, turned)
    change = turned - steps
    change = c.where(c.abs(steps) < (half if discont is None else discont), 0, change)
    made = p.astype(c.result_type(steps, change)).clone()
    key = (slice(None),) * axis + (slice(1, None),)
    made[key] = p[key] + c.cumsum(change, axis)
    return made


def sort_complex(a):
    """Returns the elements as complex numbers, sorted by real part, then by imaginary part.

    >>> st.sort_complex([2, 1])
    stria.Array([1.+0.j, 2.+0.j], dtype=complex128)
    """
    a = _array(a)
    return c.sort(a if a.dtype.kind == "c" else a.astype("complex64" if a.itemsize < 4 and a.dtype.kind in "iub" and a.itemsize < 3
                                                     else "complex128"))


# ---- histograms --------------------------------------------------------------------------------------------------


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Returns the edges of the bins that histogram counts in.

    >>> st.histogram_bin_edges([1.0, 2.0, 3.0], 2)
    stria.Array([1., 2., 3.], dtype=float64)
    """
    return c.histogram(_array(a).reshape(-1)[:0] if range is not None else _array(a), bins, *(() if range is None else (range,)))[1]


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """Counts points of several dims in boxes; returns the counts and the edges along each dim.

    >>> counts, edges = st.histogramdd(st.asarray([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]), 2)
    >>> counts
    stria.Array([[1., 0.],
                 [0., 2.]], dtype=float64)
    """
    points = [_flat(x) for x in sample] if isinstance(sample, (list, tuple)) else [*c.atleast_2d(_array(sample)).T] if (
        _array(sample).ndim > 1) else [_array(sample)]
    dims = len(points)
    bins = [bins] * dims if hasattr(type(bins), "__index__") else [*bins]
    ranges = [None] * dims if range is None else [*range]
    if len(bins) != dims or len(ranges) != dims:
        raise ValueError(f"histogramdd: {len(bins)} bins and {len(ranges)} ranges for {dims} dims")
    place, inside, edges = 0, True, []
    for x, n, limits in zip(points, bins, ranges):
        n = n if hasattr(type(n), "__index__") else _array(n)
        edge = histogram_bin_edges(x, n, limits)
        x = x.astype("float64")
        i = c.searchsorted(edge, x, side="right")
        i = c.where(x == edge[-1], edge.size - 1, i)
        inside = inside & (i > 0) & (i < edge.size)
        place = place * (edge.size - 1) + i - 1
        edges.append(edge)
    shape = tuple(e.size - 1 for e in edges)
    size = _reduce(lambda a, b: a * b, shape, 1)
    counts = c.bincount(place[inside], *(() if weights is None else (_flat(weights)[inside],)), minlength=size)
    counts = counts.reshape(shape).astype("float64")
    if density:
        total = counts.sum()
        for d, edge in enumerate(edges):
            counts = counts / c.diff(edge).reshape((-1,) + (1,) * (dims - 1 - d))
        counts = counts / total
    return counts, edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Counts pairs in boxes; returns the counts and the edges along both dims.

    >>> st.histogram2d([1, 2, 2], [0, 0, 1], 2)[0]
    stria.Array([[1., 0.],
                 [1., 1.]], dtype=float64)
    """
    if not hasattr(type(bins), "__index__") and len(bins) not in (1, 2):
        bins = [_array(bins)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


# ---- functions of users ------------------------------------------------------------------------------------------


def apply_along_axis(func1d, axis, arr, *args, **keywords):
    """Calls a function with each line of elements along an axis, whose place its results take.

    >>> st.apply_along_axis(sum, 1, [[1, 2], [3, 4]])
    stria.Array([3, 7], dtype=int64)
    """
    arr = _array(arr)
    axis = _axis(axis, arr.ndim, "apply_along_axis")
    rest = arr.shape[:axis] + arr.shape[axis + 1:]
    lines = c.moveaxis(arr, axis, -1)
    made, to = None, None
    for place in _places(rest):
        one = _array(func1d(lines[place], *args, **keywords))
        if made is None:
            made = c.empty(rest + one.shape, dtype=one.dtype)
        made[place + (...,)] = one
    if made is None:
        raise ValueError("apply_along_axis: no line to call the function with")
    to = made
    return c.moveaxis(to, tuple(range(len(rest), to.ndim)), tuple(range(axis, axis + to.ndim - len(rest))))


def _places(shape):
    from itertools import product

    return product(*map(range, shape))


def apply_over_axes(func, a, axes):
    """Calls func(a, axis) with each of the axes, whose sizes become 1.

    >>> st.apply_over_axes(st.sum, st.ones((2, 3, 4)), (0, 2))
    stria.Array([[[8.],
                  [8.],
                  [8.]]], dtype=float64)
    """
    a = _array(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        axis = _axis(axis, a.ndim, "apply_over_axes")
        made = _array(func(a, axis))
        a = made if made.ndim == a.ndim else c.expand_dims(made, axis=axis)
    return a


def piecewise(x, condlist, funclist, *args, **keywords):
    """Computes each element by the function, or with the number, of the last condition that holds for it.

    >>> st.piecewise(st.asarray([-1.0, 2.0]), [st.asarray([True, False])], [0, 1])
    stria.Array([0., 1.], dtype=float64)
    """
    x = _array(x)
    several = isinstance(condlist, (list, tuple)) and condlist and isinstance(condlist[0], (list, tuple, Array)) and (
        x.ndim == 0 or not isinstance(condlist[0], Array) or condlist[0].ndim > 0)
    conditions = [_array(k).astype("bool") for k in (condlist if several or x.ndim == 0 and isinstance(condlist, (list, tuple))
                                                     else [condlist])]
    functions = [*funclist]
    if len(functions) == len(conditions) + 1:
        conditions.append(~_reduce(lambda a, b: a | b, conditions))
    elif len(functions) != len(conditions):
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    made = c.zeros(x.shape, dtype=x.dtype)
    for condition, function in zip(conditions, functions):
        condition = c.broadcast_to(condition, x.shape)
        if not callable(function):
            made[condition] = function
        elif bool(condition.any()):
            made[condition] = _array(function(x[condition], *args, **keywords)).astype(x.dtype)
    return made


def frompyfunc(func, /, nin, nout, *, identity=None):
    """Returns a function that calls func with elements, as vectorize does; arrays of objects are not here.

    >>> st.frompyfunc(lambda a, b: a + b, 2, 1)([1, 2], 10)
    stria.Array([11, 12], dtype=int64)
    """
    from ._index_tricks import vectorize

    return vectorize(func)


# ---- questions ---------------------------------------------------------------------------------------------------


def array_equiv(a1, a2):
    """Tells whether all elements are equal after broadcasting.

    >>> st.array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    try:
        a1, a2 = c.broadcast_arrays(_array(a1), _array(a2))
    except (c.Error, ValueError):
        return False
    return bool((a1 == a2).all())


def asarray_chkfinite(a, dtype=None, order=None):
    """Returns an array, or ValueError if an element is infinite or NaN.

    >>> st.asarray_chkfinite([1.0, 2.0])
    stria.Array([1., 2.], dtype=float64)
    """
    a = c.asarray(a, dtype=dtype, order=order)
    if a.dtype.kind in "fc" and not bool(c.isfinite(a).all()):
        raise ValueError("array must not contain infs or NaNs")
    return a


def iscomplexobj(x):
    """Tells whether the dtype is complex.

    >>> st.iscomplexobj([1j])
    True
    """
    try:
        return _array(x).dtype.kind == "c"
    except (c.Error, TypeError):
        return False  # no number


def isrealobj(x):
    """Tells whether the dtype is not complex.

    >>> st.isrealobj([1.5])
    True
    """
    return not iscomplexobj(x)


def iscomplex(x):
    """Tells of each element whether it has an imaginary part.

    >>> st.iscomplex([1, 2j])
    stria.Array([False,  True], dtype=bool)
    """
    x = _array(x)
    return x.imag != 0 if x.dtype.kind == "c" else c.zeros(x.shape, dtype="bool")


def isreal(x):
    """Tells of each element whether it has no imaginary part.

    >>> st.isreal([1, 2j])
    stria.Array([ True, False], dtype=bool)
    """
    return ~iscomplex(x)


def real_if_close(a, tol=100):
    """Returns the real parts if no imaginary part is larger than tol times the epsilon of the dtype.

    >>> st.real_if_close([1 + 0j, 2])
    stria.Array([1., 2.], dtype=float64)
    """
    a = _array(a)
    if a.dtype.kind != "c":
        return a
    epsilon = 2.0**-23 if a.itemsize == 8 else 2.0**-52
    return a.real if bool((c.abs(a.imag) < (tol * epsilon if tol > 1 else tol)).all()) else a


def isnat(x, /):
    """Tells of each date or duration whether it is NaT, which is none.

    >>> st.isnat(st.asarray([1, -2**63]).view('M8[s]'))
    stria.Array([False,  True], dtype=bool)
    """
    x = _array(x)
    if x.dtype.kind not in "mM":
        raise TypeError(f"isnat: takes dates and durations, not {x.dtype}")
    return x.view("int64") == -(2**63)


def isscalar(element):
    """Tells whether an object is a number, a text, or bytes.

    >>> st.isscalar(3.0)
    True
    """
    if isinstance(element, (int, float, complex, str, bytes, Number)) or isinstance(element, Array):
        return not isinstance(element, Array) or element.ndim == 0 and not element.writable
    return type(element).__module__ == "numpy" and not hasattr(
        element, "__len__") and hasattr(element, "dtype") and getattr(element, "flags", None) is not None and not hasattr(
        type(element), "sort")


def iterable(y):
    """Tells whether an object can be iterated over.

    >>> st.iterable([1])
    True
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


def isfortran(a):
    """Tells whether elements lie in Fortran's order, and not in C's.

    >>> st.isfortran(st.zeros((2, 3)).T)
    True
    """
    return a.T.is_contiguous() and not a.is_contiguous()


def require(a, dtype=None, requirements=None, *, like=None):
    """Returns an array of a dtype in an order (C, F), writable (W), aligned (A), with its own memory (O).

    >>> st.require([[1, 2], [3, 4]], 'float32', 'F').strides
    (4, 8)
    """
    if not requirements:
        return c.asarray(a, dtype=dtype)
    wanted = {str(r).upper()[0] for r in requirements}
    if {"C", "F"} <= wanted:
        raise ValueError("require: C and F exclude each other")
    a = c.asarray(a, dtype=dtype, order="F" if "F" in wanted else "C" if "C" in wanted else None)
    return a.clone() if "O" in wanted and a.base is not None or "W" in wanted and not a.writable else a


def common_type(*arrays):
    """Returns the float or complex dtype that all numbers of some arrays fit into.

    >>> st.common_type(st.zeros(2, "float32"))
    stria.float32
    """
    kinds = [_array(a).dtype for a in arrays]
    if any(k.kind not in "fciub" or k.kind == "b" for k in kinds):
        raise TypeError("can't get common type for non-numeric array")
    return c.result_type("float16", *(c.float64 if k.kind in "iu" else k for k in kinds))


def min_scalar_type(a, /):
    """Returns the smallest dtype that holds a number; the dtype of an array.

    >>> st.min_scalar_type(300)
    stria.uint16
    """
    a = a if isinstance(a, (bool, int, float, complex)) else _array(a)
    if isinstance(a, Array) and a.ndim:
        return a.dtype
    a = a.item() if isinstance(a, Array) else a
    if isinstance(a, bool) or not isinstance(a, (int, float, complex)):
        return _array(a).dtype
    if isinstance(a, int):
        sign = "int" if a < 0 else "uint"
        bits = next((b for b in (8, 16, 32, 64) if (-(2 ** (b - 1)) <= a if a < 0 else a < 2**b)), None)
        if bits is None:
            raise OverflowError(f"min_scalar_type: no dtype holds {a}")
        return c.dtype(f"{sign}{bits}")
    largest = max(abs(p) if abs(p) < inf else 0.0 for p in ((a.real, a.imag) if isinstance(a, complex) else (a,)))
    names = ("complex64", "complex128") if isinstance(a, complex) else ("float16", "float32", "float64")
    limits = {"float16": 65000, "float32": 3.4e38, "complex64": 3.4e38}
    return c.dtype(next(n for n in names if largest <= limits.get(n, inf)))


# ---- numbers as text and as bits ---------------------------------------------------------------------------------


def base_repr(number, base=2, padding=0):
    """Returns an integer as text in a base from 2 to 36.

    >>> st.base_repr(10, 3)
    '101'
    """
    if not 2 <= base <= 36:
        raise ValueError("base_repr: bases are 2 to 36")
    left, text = abs(_index(number)), ""
    while left:
        left, digit = divmod(left, base)
        text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + text
    return ("-" if number < 0 else "") + "0" * padding + (text or ("" if padding else "0"))


def binary_repr(num, width=None):
    """Returns an integer in binary; with a width a negative one as its two's complement.

    >>> st.binary_repr(5, width=8)
    '00000101'
    """
    num = _index(num)
    if num >= 0 or width is None:
        return ("-" if num < 0 else "") + f"{abs(num):b}".zfill(width or 0)
    need = max((~num).bit_length() + 1, width)
    if need > width:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={need}")
    return f"{num + (1 << need):b}"


def diagflat(v, k=0):
    """Returns a square matrix with the elements, in C order, on diagonal k.

    >>> st.diagflat([1, 2])
    stria.Array([[1, 0],
                 [0, 2]], dtype=int64)
    """
    return c.diag(_flat(v), k)


or_numpy(globals())
