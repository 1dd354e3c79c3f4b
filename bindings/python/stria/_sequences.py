# SPDX-License-Identifier: BSD-3-Clause
"""Functions of NumPy that make sequences, sums along axes and histograms, composed of those that the library has."""

from functools import reduce as _reduce
from math import nan, pi

from . import _core as c
from ._core import Array
from ._functions import indices as _indices
from ._options import or_numpy
from ._parts import _array, _axis, _flat


# ---- windows and sequences ------------------------------------------------------


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
    kind = c.result_type(*(v if isinstance(v, (int, float, complex)) else _array(v) for v in (start, stop)), 1.0)
    first, last = c.broadcast_arrays(_array(start).astype(kind), _array(stop).astype(kind))
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


# ---- sums and differences -------------------------------------------------------


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


# ---- histograms -----------------------------------------------------------------


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


or_numpy(globals())
