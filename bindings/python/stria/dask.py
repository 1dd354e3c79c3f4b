# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of Dask whose chunks are Stria's, and reductions of them whose bits do not depend on the chunks.

Importing this module tells Dask of stria.Array; dask.config.set({"array.backend": "stria"}) imports it, too, and lets
dask.array create such chunks. sum, mean, var, std, dot and norm of this module are exact: they add without rounding,
round once, and so give the bits of one call on the whole array, however it is cut and in whatever order chunks come.

From here on a call uses one thread where it is not this thread's, since a scheduler runs many calls at once; this
thread keeps its threads. prepare(client) does the same in the workers of a cluster.
"""

import math as _math
from functools import partial as _partial

import dask.array as _da
import numpy as _numpy
from dask import config as _config
from dask.array import dispatch as _dispatch
from dask.array.backends import ArrayBackendEntrypoint as _Entrypoint
from dask.array.backends import array_creation_dispatch as _creation_dispatch
from dask.array.chunk_types import register_chunk_type as _register_chunk_type
from dask.sizeof import sizeof as _sizeof

import stria as _st
from stria import _core

__all__ = ["StriaBackendEntrypoint", "asarray", "dot", "from_array", "mean", "norm", "prepare", "std", "sum", "var"]


# ---- what Dask asks for by type ----------------------------------------------------------------------------------


def _registered():
    """Adds stria.Array to Dask's tables."""
    _register_chunk_type(_st.Array)
    for lookup, function in (
        (_dispatch.concatenate_lookup, _numpy.concatenate),
        (_dispatch.take_lookup, _numpy.take),
        (_dispatch.tensordot_lookup, lambda a, b, axes=2: _st.tensordot(a, b, axes=axes)),
        (_dispatch.einsum_lookup, _einsum),
        (_dispatch.empty_lookup, _st.empty),
        (_dispatch.divide_lookup, lambda a, b, dtype=None: (a / b).astype(dtype) if dtype else a / b),
        (_dispatch.percentile_lookup, _percentile),
        (_dispatch.numel_lookup, _numel),
        (_dispatch.nannumel_lookup, lambda x, **keywords: _st.sum(~_st.isnan(x), **keywords)),
        (_dispatch.to_numpy_dispatch, lambda x, **keywords: _numpy.asarray(x)),
        (_sizeof, lambda x: int(x.nbytes) + 104),
    ):
        lookup.register(_st.Array, function)


def _numel(x, axis=None, keepdims=False, dtype=None, **keywords):
    """Returns how many elements of a chunk each element of a reduction has."""
    axis = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axis = {d % x.ndim for d in axis}
    shape = [1 if d in axis else n for d, n in enumerate(x.shape) if keepdims or d not in axis]
    return _st.full(shape, _math.prod(x.shape[d] for d in axis), dtype=dtype or _st.float64)


def _einsum(*args, dtype=None, order=None, casting=None, optimize=None, **keywords):
    result = _st.einsum(*args, **keywords)
    return result if dtype is None else result.astype(dtype)


def _percentile(a, q, method="linear"):
    """Returns a percentile of a chunk and its length, from which Dask estimates that of the whole."""
    if len(a) == 0:
        return None, 0
    return _st.percentile(a, _st.asarray(q), interpolation=method), len(a)


class StriaBackendEntrypoint(_Entrypoint):
    """The backend that dask.config.set({"array.backend": "stria"}) chooses.

    >>> import dask, dask.array, stria.dask
    >>> with dask.config.set({'array.backend': 'stria'}):
    ...     made = dask.array.ones(3).compute()
    >>> made
    stria.Array([1., 1., 1.], dtype=float64)
    """

    @classmethod
    def to_backend_dispatch(cls):
        return _st.asarray

    @classmethod
    def to_backend(cls, data, **keywords):
        return asarray(data) if not keywords else data.map_blocks(_st.asarray, **keywords)

    @property
    def RandomState(self):
        return _numpy.random.RandomState  # it makes NumPy's chunks, which asarray converts

    @property
    def default_bit_generator(self):
        return _numpy.random.PCG64

    @staticmethod
    def arange(*args, like=None, **keywords):
        return _created("arange", *args, like=_st.empty(()) if like is None else like, **keywords)


def _created(name, /, *args, **keywords):
    with _config.set({"array.backend": "numpy"}):
        return getattr(_da, name)(*args, **keywords)


def _creation(name):
    def create(*args, meta=None, **keywords):
        return _created(name, *args, meta=_st.empty(()) if meta is None else meta, **keywords)

    create.__name__ = name
    return staticmethod(create)


for _name in ("ones", "zeros", "empty", "full"):
    setattr(StriaBackendEntrypoint, _name, _creation(_name))


# ---- arrays ------------------------------------------------------------------------------------------------------


def asarray(x, chunks="auto"):
    """Makes an array of Dask whose chunks are Stria's: from one of Dask with others, an array in memory, or numbers.

    >>> import stria.dask
    >>> stria.dask.asarray([1, 2, 3], chunks=2).compute()
    stria.Array([1, 2, 3], dtype=int64)
    """
    if not isinstance(x, _da.Array):
        return from_array(_st.asarray(x), chunks)
    if isinstance(x._meta, _st.Array):
        return x
    return x.map_blocks(_st.asarray, dtype=x.dtype, meta=_st.empty((0,) * x.ndim, dtype=x.dtype))


def from_array(x, chunks="auto", **keywords):
    """Calls da.from_array with Stria's chunks: for an array, a mapped file, or an object that gives arrays for
    slices (Zarr, HDF5).

    >>> import stria.dask
    >>> stria.dask.from_array(st.arange(6.0), chunks=4).chunks
    ((4, 2),)
    """
    return asarray(_da.from_array(x, chunks=chunks, **keywords))


# ---- exact reductions --------------------------------------------------------------------------------------------
#
# The sum of many numbers is kept as a few, of which the first is the sum rounded to f64, the second what is left of it,
# and so on until nothing is left: an expansion, along the last dim. Expansions are added by adding all their parts.


def _expansion(rows):
    """Returns the exact sums of rows, which are not empty, as expansions."""
    n = rows.shape[-1]
    total = _st.exact_sum(rows, axis=-1)
    usual, parts = _st.isfinite(total), [total]
    if n > 1 and (_st.isinf(total) & _st.isfinite(rows).all(axis=-1)).any():  # the sum is beyond f64
        return _st.concat([_expansion(rows[..., : n // 2]), _expansion(rows[..., n // 2 :])], axis=-1)
    wider = _st.empty((*rows.shape[:-1], n + 3), dtype=_st.float64)
    wider[..., :n] = rows
    while True:
        if n + len(parts) > wider.shape[-1]:
            wider = _st.concat([wider, _st.empty_like(wider[..., :3])], axis=-1)
        wider[..., n + len(parts) - 1] = -_st.where(usual, parts[-1], 0.0)
        rest = _st.where(usual, _st.exact_sum(wider[..., : n + len(parts)], axis=-1), 0.0)
        if not rest.any():
            return _st.stack(parts, axis=-1)
        parts.append(rest)


def _products(a, b):
    """Returns a * b in rows, rounded, and then the rounding errors."""
    high = a * b
    low = _st.eval("where(isfinite(high), fma(a, b, -high), 0)", a=a, b=b, high=high)
    return _st.concat([high, low], axis=-1)


def _terms(x, axis):
    """Returns rows of f64 whose sum is that of x over dims: the other dims first, then the parts of complex numbers."""
    if _st.isdtype(x.dtype, "complex floating"):
        x = _st.view_as_real(x.clone() if x.is_conj() or x.is_neg() else x)
    kept = [d for d in range(x.ndim) if d not in axis]
    rows = x.permute(*kept, *axis).reshape(*(x.shape[d] for d in kept), _math.prod(x.shape[d] for d in axis))
    if rows.shape[-1] == 0:
        rows = _st.zeros((*rows.shape[:-1], 1))
    halves = (rows - rows % 2**32, rows % 2**32) if rows.dtype in (_st.int64, _st.uint64) else (rows,)
    return [half.astype(_st.float64) for half in halves]


def _chunk(x, axis, keepdims, squares=False, computing_meta=False):
    """Returns the number of elements in each sum of a chunk, and expansions of the sums of elements and of squares."""
    if computing_meta:
        return x
    x = _st.asarray(x)
    terms = _terms(x, axis)
    sums = [_expansion(_st.concat(terms, axis=-1) if terms[1:] else terms[0])]
    if squares:
        exact = x.itemsize <= (8 if _st.isdtype(x.dtype, "complex floating") else 4)  # f64 holds the squares exactly
        made = [a * b if exact else _products(a, b) for a in terms for b in terms]
        sums.append(_expansion(_st.concat(made, axis=-1) if made[1:] else made[0]))
    return _math.prod(x.shape[d] for d in axis), sums


def _flat(partial):
    return [one for many in partial for one in _flat(many)] if isinstance(partial, list) else [partial]


def _combine(partial, axis, keepdims, computing_meta=False):
    if computing_meta:
        return partial
    counts, sums = zip(*_flat(partial))
    return int(_math.fsum(counts)), [_expansion(_st.concat(parts, axis=-1)) for parts in zip(*sums)]


def _aggregate(partial, axis, keepdims, finish, dtype, computing_meta=False):
    if computing_meta:
        return _st.empty((0,) * (partial.ndim if keepdims else partial.ndim - len(axis)), dtype=dtype)
    count, sums = _combine(partial, axis, keepdims)
    x = finish(count, *sums)
    if _st.isdtype(dtype, "complex floating"):
        x = _st.view_as_complex(x.contiguous())
    x = x.astype(dtype)
    return _st.expand_dims(x, axis=tuple(axis)) if keepdims else x


def _rounded(expansion, narrow):
    """Rounds an expansion once: to an odd f64 if it is to be rounded again, to fewer bits."""
    high = _st.exact_sum(expansion, axis=-1)
    if narrow and expansion.shape[-1] > 1:
        low = expansion[..., 1]
        even = (high.view(_st.int64) & 1) == 0
        high = _st.where(even & (low != 0), _st.nextafter(high, _st.copysign(_st.inf, low)), high)
    return high


def _over(expansion, n, narrow):
    """Divides an expansion by a number, rounded once as far as f64 can tell."""
    scale = 2.0**-64 if _st.isinf(_st.exact_sum(expansion, axis=-1)).any() else 1.0
    expansion = expansion * scale
    quotient = _st.exact_sum(expansion, axis=-1)[..., None] / n
    back = _products(quotient, _st.full_like(quotient, n))
    left = _st.exact_sum(_st.concat([expansion, -back], axis=-1), axis=-1)[..., None] / n
    left = _st.where(_st.isfinite(left), left, 0.0)
    return _rounded(_expansion(_st.concat([quotient, left], axis=-1)), narrow) / scale


def _deviation(count, sums, squares, correction, parts, narrow):
    """Computes (n Q - S^2) / (n (n - correction)) of sums S and sums of squares Q; for complex numbers that of both
    parts."""
    parts_of_sum = [sums[..., i, None] for i in range(sums.shape[-1])]
    pairs = [_products(a, b) for a in parts_of_sum for b in parts_of_sum]
    terms = _st.concat([_products(squares, _st.full_like(squares, count)), *(-p for p in pairs)], axis=-1)
    top = _expansion(_st.concat([terms[..., 0, :], terms[..., 1, :]], axis=-1) if parts else terms)
    below = count * (count - correction)
    return _over(top, below, narrow) if below > 0 else _st.exact_sum(top, axis=-1) * _st.nan


def _sum(count, sums, narrow):
    return _rounded(sums, narrow)


def _mean(count, sums, narrow):
    return _over(sums, count, narrow) if count else sums[..., 0] * _st.nan


def _var(count, sums, squares, correction, root, parts, narrow):
    x = _deviation(count, sums, squares, correction, parts, narrow and not root)
    return _st.sqrt(x) if root else x


def _reduced(x, finish, axis, keepdims, dtype, split_every, squares=False):
    axis = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    if any(not -x.ndim <= d < x.ndim for d in axis):
        raise _st.AxisError(f"axis {axis} of {x.ndim} dims")
    axis = tuple(sorted({d % x.ndim for d in axis}))
    return _da.reduction(
        x,
        _partial(_chunk, squares=squares),
        _partial(_aggregate, finish=finish, dtype=dtype),
        combine=_combine,
        axis=axis,
        keepdims=keepdims,
        dtype=_numpy.dtype(dtype),
        split_every=split_every,
        concatenate=False,
    )


def _dtypes(x):
    """Returns the dtype of the elements, that of their mean, whether the latter is narrower than f64, and whether
    complex."""
    dtype = _st.dtype(x.dtype)
    result = dtype if _st.isdtype(dtype, ("real floating", "complex floating")) else _st.float64
    return dtype, result, result not in (_st.float64, _st.complex128), _st.isdtype(dtype, "complex floating")


def sum(x, axis=None, keepdims=False, split_every=None):
    """Returns the exact sum over dims, rounded once: the bits of stria.exact_sum of the whole array.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.sum(x).compute()
    stria.Array(7.0, dtype=float64)
    """
    x = asarray(x)
    dtype, result, narrow, _ = _dtypes(x)
    if dtype != result:  # integers are added exactly by Dask
        return _da.sum(x, axis=axis, keepdims=keepdims, split_every=split_every)
    return _reduced(x, _partial(_sum, narrow=narrow), axis, keepdims, result, split_every)


def mean(x, axis=None, keepdims=False, split_every=None):
    """Returns the exact sum over dims, divided by the number of elements.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.mean(x).compute()
    stria.Array(2.3333333333333335, dtype=float64)
    """
    x = asarray(x)
    _, result, narrow, _ = _dtypes(x)
    return _reduced(x, _partial(_mean, narrow=narrow), axis, keepdims, result, split_every)


def var(x, axis=None, correction=0.0, keepdims=False, split_every=None):
    """Returns the variance over dims, from exact sums of the elements and their squares.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.var(x).compute()
    stria.Array(1.5555555555555556, dtype=float64)
    """
    return _spread(x, axis, correction, keepdims, split_every, root=False)


def std(x, axis=None, correction=0.0, keepdims=False, split_every=None):
    """Returns the square root of the variance over dims.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.std(x).compute()
    stria.Array(1.247219128924647, dtype=float64)
    """
    return _spread(x, axis, correction, keepdims, split_every, root=True)


def _spread(x, axis, correction, keepdims, split_every, root):
    x = asarray(x)
    _, result, narrow, parts = _dtypes(x)
    if parts:
        result = _st.float32 if narrow else _st.float64
    finish = _partial(_var, correction=correction, root=root, parts=parts, narrow=narrow)
    return _reduced(x, finish, axis, keepdims, result, split_every, squares=True)


def dot(x, y):
    """Returns the exact sum of the products of real numbers, broadcast together, rounded once to f64.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.dot(x, x).compute()
    stria.Array(21.0, dtype=float64)
    """
    x, y = _da.broadcast_arrays(asarray(x), asarray(y))
    x, y = x.astype("f8"), y.astype("f8").rechunk(x.chunks)
    products = _da.map_blocks(
        lambda a, b: _products(a[..., None], b[..., None]),
        x,
        y,
        new_axis=x.ndim,
        dtype="f8",
        chunks=(*x.chunks, (2,)),
        meta=_st.empty((0,) * (x.ndim + 1)),
    )
    return sum(products)


def norm(x):
    """Returns the square root of the exact sum of the squares.

    >>> import stria.dask
    >>> x = stria.dask.asarray(st.asarray([1.0, 2.0, 4.0]), chunks=2)
    >>> stria.dask.norm(x).compute()
    stria.Array(4.58257569495584, dtype=float64)
    """
    return _da.sqrt(dot(x, x))


# ---- threads -----------------------------------------------------------------------------------------------------


def _one_thread_per_call():
    mine = _st.get_threads()
    _st.set_threads(1)
    rule, checked, _, *copies = _core._settings()
    _core._set_settings(rule, checked, mine, *copies)


def prepare(client):
    """Makes stria.dask known to all workers of a cluster, also to those that are started later, with one thread per
    call.

    >>> import distributed, stria.dask
    >>> with distributed.Client(processes=False, dashboard_address=None) as client:
    ...     stria.dask.prepare(client)
    """
    from distributed import WorkerPlugin

    class Stria(WorkerPlugin):
        name = "stria"

        def setup(self, worker):
            import stria
            import stria.dask  # noqa: F401

            stria.set_threads(1)

    client.register_plugin(Stria())


_registered()
_creation_dispatch.register_backend("stria", StriaBackendEntrypoint())
_one_thread_per_call()
