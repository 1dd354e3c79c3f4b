# SPDX-License-Identifier: BSD-3-Clause
"""Methods of the functions by element, as NumPy's ufuncs have them: reduce, accumulate, reduceat, outer and at.

They are folds and scans of the library (fold_op, scan_op, segment_op, op_at): sums, products, extremes, all and any are its
reductions, other operations are combined one element after another, as NumPy does.
"""

import sys
from functools import wraps
from operator import index

from . import _core
from ._core import Array, ArgumentError, ShapeError, ufunc

_IDENTITY = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False, "bitwise_and": -1,
             "bitwise_or": 0, "bitwise_xor": 0, "gcd": 0, "hypot": 0, "logaddexp": float("-inf"),
             "logaddexp2": float("-inf")}
_EXTREMES = {"maximum", "minimum", "fmax", "fmin"}  # these may see an element twice
_USUAL = {Array, int, bool, list, tuple, str, type(None), slice}  # classes of arguments that the library takes
_absent = object()

ufunc.identity = property(lambda self: _IDENTITY.get(_name(self)), doc="What changes no operand, or None.")


def _types(self):
    """The dtypes of operands and results, by NumPy's letters: "dd->d" takes two float64 and gives one."""
    letters, found = {}, []
    for letter, name in zip("?bBhHiIlLefdFD", ("bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 "
                                               "complex64 complex128").split()):
        letters[name] = letter
        none = _core.empty((0,), dtype=name)
        try:
            found.append((letter, self(*(none,) * self.nin).dtype.name))
        except (_core.Error, TypeError):
            pass
    return [f"{letter * self.nin}->{letters[name]}" for letter, name in found]


ufunc.types = property(_types)
ufunc.ntypes = property(lambda self: len(_types(self)), doc="The number of dtypes that it takes.")
ufunc.signature = None


class _Text:
    """The docstring of the class, which is this one, and those of its objects.

    Functions by element, with the methods of NumPy's ufuncs.

    >>> isinstance(st.hypot, st.ufunc), st.hypot.nin
    (True, 2)
    """

    def __get__(self, function, kind=None, of=vars(ufunc)["__doc__"]):
        return type(self).__doc__.split("\n\n", 1)[1] if function is None else of.__get__(function)


ufunc.__doc__ = _Text()


def method(f):
    @wraps(f)
    def call(self, *args, **keywords):
        if (numpy := sys.modules.get("numpy")) is None:
            return f(self, *args, **keywords)
        if any(type(a) not in _USUAL for a in (*args, *keywords.values())):
            from ._numpy import by_numpy, is_beyond

            if any(map(is_beyond, (*args, *keywords.values()))):
                return by_numpy(getattr(getattr(numpy, self.__name__), f.__name__), args, keywords)
        try:
            return f(self, *args, **keywords)
        except _core.DTypeError:  # NumPy orders complex numbers
            if f.__name__ == "at" or _core._settings()[0] != "numpy":
                raise
            from ._numpy import by_numpy

            try:
                return by_numpy(getattr(getattr(numpy, self.__name__), f.__name__), args, keywords)
            except Exception:
                pass
            raise
    setattr(ufunc, f.__name__, call)
    return f


def _name(f):
    """Returns the operation's name in C; functions may have several names."""
    name = _core._forms(f.__name__)[0][6][6:]
    return "bitwise_" + name if name in ("and", "or", "xor") else name


def _of_two(f, how):
    if f.nin != 2:
        raise ValueError(f"{f.__name__}.{how}: takes a function of two operands")
    return _name(f)


def _array(x):
    return x if isinstance(x, Array) else _core.asarray(x)


def _single(out):
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if out is ...:  # NumPy's word for an array where it gave a number
        return None
    if out is not None and not isinstance(out, Array):
        raise TypeError(f"out= takes an array, not {out!r}")
    return out


def _axis(f, axis, ndim):
    axis = index(axis)
    if not -ndim <= axis < ndim:
        raise _core.AxisError(f"{f.__name__}: axis {axis} is outside an array of {ndim} dims")
    return axis % ndim


def _folded(name, how, x, fold, axes=None, initial=None):
    if not _core._note_errors(False):
        return fold()
    from ._errors import watched_fold

    return watched_fold(name, how, x, fold, axes, initial)


# ---- reduce ------------------------------------------------------------------------------------------------------


@method
def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=_absent, where=True):
    """Combines the elements along an axis, axes, or all (None): f(f(x[0], x[1]), x[2]) and so on, after initial.

    >>> st.add.reduce([[1, 2], [3, 4]], axis=1)
    stria.Array([3, 7], dtype=int64)
    """
    name, x, out = _of_two(self, "reduce"), _array(array), _single(out)
    given = range(x.ndim) if axis is None or x.ndim == 0 and axis in (0, -1) else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(_axis(self, a, x.ndim) for a in given)
    if len({*axes}) != len(axes):
        raise ArgumentError(f"{self.__name__}.reduce: an axis stands twice in {axis}")
    if len(axes) > 1 and name not in _IDENTITY and name not in _EXTREMES:
        raise ValueError(f"{self.__name__}.reduce: takes one axis, as the order of its operands makes a difference")
    dtype = out.dtype if dtype is None and out is not None else dtype
    options = {"dtype": dtype} if dtype is not None else {}
    if initial is not _absent and initial is not None:
        of = bool if name.startswith("logical") else (dtype or x.dtype) if name in _EXTREMES else None
        options["initial"] = initial if of is None else _core.asarray(initial, dtype=of)
    if where is not True:
        options["where"] = _array(where)
        if name not in _IDENTITY and name not in _EXTREMES:
            raise TypeError(f"{self.__name__}.reduce: takes no where=, which functions with an identity and extremes do")
        if name not in _IDENTITY and "initial" not in options:
            raise ValueError(f"{self.__name__}.reduce: where= takes initial=, too, as there is no identity")
        if options["where"].ndim > x.ndim:
            raise ShapeError(f"{self.__name__}.reduce: where has shape {options['where'].shape}, the array {x.shape}")
    elif not x.size and name not in _IDENTITY and "initial" not in options and 0 in (x.shape[a] for a in axes):
        raise ValueError(f"{self.__name__}.reduce: no elements, and {self.__name__} has no identity")
    return _folded(name, "reduce", x, lambda: _core.fold_op(x, name, axes, keepdims=keepdims, out=out, **options),
                   None if "where" in options else axes, options.get("initial"))


# ---- along an axis -----------------------------------------------------------------------------------------------


@method
def accumulate(self, array, axis=0, dtype=None, out=None):
    """Returns the reductions of the first element along an axis, of the first two, and so on.

    >>> st.maximum.accumulate([3, 1, 4])
    stria.Array([3, 3, 4], dtype=int64)
    """
    name, x, out = _of_two(self, "accumulate"), _array(array), _single(out)
    if x.ndim == 0:
        raise TypeError(f"{self.__name__}.accumulate: takes an axis, and a number has none")
    axis = _axis(self, axis, x.ndim)
    dtype = out.dtype if dtype is None and out is not None else dtype
    options = {} if dtype is None else {"dtype": dtype}
    return _folded(name, "accumulate", x, lambda: _core.scan_op(x, name, axis, out=out, **options), (axis,))


@method
def reduceat(self, array, indices, axis=0, dtype=None, out=None):
    """Returns the reductions of the elements along an axis from each index up to the next one, or the one element if
    the next index is no larger.

    >>> st.add.reduceat([1, 2, 3, 4], [0, 2])
    stria.Array([3, 7], dtype=int64)
    """
    name, x, out = _of_two(self, "reduceat"), _array(array), _single(out)
    axis = _axis(self, axis, x.ndim)
    dtype = out.dtype if dtype is None and out is not None else dtype
    count = x.shape[axis]
    starts = _core.astype(_array(indices), "int64").reshape(-1)
    for i in starts.tolist():
        if not 0 <= i < count:
            raise IndexError(f"{self.__name__}.reduceat: index {i} is outside an axis of {count} elements")
    ends = _core.concat([starts[1:], _core.asarray([count])]) if starts.size else starts
    offsets = _core.cumulative_sum(_core.maximum(ends - starts, 1), include_initial=True)
    places = _core.repeat(starts - offsets[:-1], offsets[1:] - offsets[:-1])
    if places.size and not _core.array_equal(places, places[:1]):  # parts that overlap or leave gaps are copied
        x = _core.take(x, places + _core.arange(places.size), axis)
    elif starts.size:
        offsets = offsets + starts[0]
    return _core.segment_op(x, name, offsets, axis, out=out, **({} if dtype is None else {"dtype": dtype}))


# ---- pairs and places --------------------------------------------------------------------------------------------


@method
def outer(self, A, B, /, **keywords):
    """Returns f of each element of A with each of B: the dims of A, and behind them those of B.

    >>> st.multiply.outer([1, 2], [3, 4])
    stria.Array([[3, 4],
                 [6, 8]], dtype=int64)
    """
    _of_two(self, "outer")
    A, B = (x if isinstance(x, _core._Lazy) else _array(x) for x in (A, B))
    return self(A.reshape(A.shape + (1,) * B.ndim), B, **keywords)


@method
def at(self, a, indices, b=_absent, /):
    """Writes f(a[i], b[i]) to a[i] for each index i, one after another, as often as it occurs, converted to the
    dtype of a, whatever is lost.

    >>> x = st.zeros(3)
    >>> st.add.at(x, [0, 2, 2], 1)
    >>> x
    stria.Array([1., 0., 2.], dtype=float64)
    """
    if not isinstance(a, Array):
        if not hasattr(type(a), "__array_interface__"):
            raise TypeError(f"{self.__name__}.at: takes an array to write to, not {type(a).__name__}")
        a = _core.asarray(a)  # on the memory of NumPy's
    if (b is _absent) != (self.nin == 1):
        raise ValueError(f"{self.__name__}.at: takes {'no' if self.nin == 1 else 'a'} second operand")
    places = _places(a, indices)
    values = _core.broadcast_to(_array(b), places.shape).reshape(-1) if self.nin == 2 else None
    flat = a.reshape(-1) if a.is_contiguous() else a.clone().reshape(-1)
    _core._sweep(self, flat, values, places.reshape(-1))
    if not a.is_contiguous():
        a[...] = flat.reshape(a.shape)


def _places(a, indices):
    """Returns the places of indices among all elements in C order."""
    if a.ndim == 1 and not isinstance(indices, (tuple, slice)) and indices is not None and indices is not ...:
        i = _array(indices)
        if i.dtype.kind in "iu":
            i = _core.astype(i, "int64")
            if i.size and not -a.size <= i.min() <= i.max() < a.size:
                raise IndexError(f"at: indices from {i.min()} to {i.max()} are not all inside an array of {a.size} elements")
            return _core.where(i < 0, i + a.size, i)
    place, step = None, 1
    for d in reversed(range(a.ndim)):
        line = _core.arange(a.shape[d]).reshape((-1,) + (1,) * (a.ndim - 1 - d))
        here = _array(_core.broadcast_to(line, a.shape)[indices]) * step
        place, step = here if place is None else place + here, step * a.shape[d]
    return _core.zeros(_core.broadcast_to(_core.zeros(()), a.shape)[indices].shape, dtype="int64") if place is None else place


@method
def resolve_dtypes(self, dtypes, **keywords):
    """Returns the dtypes that NumPy's function of the same name, where it is loaded, would compute with.

    >>> st.add.resolve_dtypes((st.int32, st.float32, None))             # doctest: +SKIP
    (stria.float64, stria.float64, stria.float64)
    """
    from ._numpy import _to_numpy

    found = getattr(sys.modules["numpy"], self.__name__).resolve_dtypes(_to_numpy(tuple(dtypes)), **_to_numpy(keywords))
    return tuple(_core.dtype(k) if k is not None and k.kind not in "OT" and k.char not in "gG" else k for k in found)
