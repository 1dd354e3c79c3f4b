# SPDX-License-Identifier: BSD-3-Clause
"""Methods of the functions by element, as NumPy's ufuncs have them: reduce, accumulate, reduceat, outer and at.

Sums, products, extremes, all and any are those of the library. Other operations run over the rows along the axis: in a tree
where the order makes no difference but in rounding, else one row after another, as NumPy does.
"""

from . import _core
from ._core import Array, ArgumentError, DTypeError, ShapeError, ufunc

_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "amax", "minimum": "amin", "logical_and": "all",
               "logical_or": "any"}
_SCANS = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}
_WIDE = {"add", "multiply"}  # these widen small integers
_IN_A_TREE = {"maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_xor", "gcd", "lcm",
              "hypot", "logaddexp", "logaddexp2"}
_IDENTITY = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False, "bitwise_and": -1,
             "bitwise_or": 0, "bitwise_xor": 0, "gcd": 0, "hypot": 0, "logaddexp": float("-inf"),
             "logaddexp2": float("-inf")}
_EXTREMES = {"maximum", "minimum", "fmax", "fmin"}  # these may see an element twice
_LOGICAL = {"logical_and", "logical_or", "logical_xor"}
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


def method(f):
    setattr(ufunc, f.__name__, f)
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
    if out is not None and not isinstance(out, Array):
        raise TypeError(f"out= takes an array, not {out!r}")
    return out


def _axis(f, axis, ndim):
    axis = axis.__index__()
    if not -ndim <= axis < ndim:
        raise _core.AxisError(f"{f.__name__}: axis {axis} is outside an array of {ndim} dims")
    return axis % ndim


def _written(f, made, out):
    if out is None:
        return made
    if out.shape != made.shape:
        raise ShapeError(f"{f.__name__}: out has shape {out.shape}, the result {made.shape}")
    _core.copyto(out, made)
    return out


def _dtype_of_steps(f, name, x, dtype):
    """Returns the dtype in which rows are combined: one that the operation gives for two operands of it."""
    if name in _LOGICAL:
        wanted = _core.bool
    else:
        wanted = dtype
        if wanted is None and name in _WIDE:
            wanted = getattr(_core, _REDUCTIONS[name])(_core.empty((0,), dtype=x.dtype)).dtype
        if wanted is None:
            none = _core.empty((0,), dtype=x.dtype)
            wanted = f(none, none).dtype
    none = _core.empty((0,), dtype=wanted)
    if f(none, none).dtype != none.dtype or none.dtype == _core.bool != x.dtype and name not in _LOGICAL and dtype is None:
        raise DTypeError(f"{f.__name__}: steps of {x.dtype} give {f(none, none).dtype}, which is no operand of the next one")
    return none.dtype


def _identity(name, dtype):
    """Returns the identity, of 0 dims; None if there is none."""
    if name not in _IDENTITY:
        return None
    if name == "bitwise_and":
        return _core.bitwise_invert(_core.zeros((), dtype=dtype))
    return _core.asarray(_IDENTITY[name], dtype=dtype)


def _as(x, dtype):
    return _core.astype(x, dtype, copy=False)


# ---- reduce ------------------------------------------------------------------------------------------------------


@method
def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=_absent, where=True):
    """Combines the elements along an axis, axes, or all (None): f(f(x[0], x[1]), x[2]) and so on, after initial."""
    name, x, out = _of_two(self, "reduce"), _array(array), _single(out)
    given = range(x.ndim) if axis is None or x.ndim == 0 and axis in (0, -1) else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(_axis(self, a, x.ndim) for a in given)
    if len({*axes}) != len(axes):
        raise ArgumentError(f"{self.__name__}.reduce: an axis stands twice in {axis}")
    if len(axes) > 1 and name not in _IDENTITY and name not in _EXTREMES:
        raise ValueError(f"{self.__name__}.reduce: takes one axis, as the order of its operands makes a difference")
    dtype = out.dtype if dtype is None and out is not None else dtype
    initial = None if initial is _absent else initial
    if where is not True:
        x = _masked(self, name, x, where, dtype, initial)
    made = _reduced(self, name, x, axes, dtype, initial)
    if not keepdims and axes:
        made = _core.squeeze(made, axis=axes)
    return _written(self, made, out)


def _masked(f, name, x, where, dtype, initial):
    """Returns the elements, with the identity in the place of those that the mask leaves out."""
    if name not in _IDENTITY and name not in _EXTREMES:
        raise TypeError(f"{f.__name__}.reduce: takes no where=, which functions with an identity and extremes do")
    if name not in _IDENTITY and initial is None:
        raise ValueError(f"{f.__name__}.reduce: where= takes initial=, too, as there is no identity")
    steps = x.dtype if name in _WIDE else _dtype_of_steps(f, name, x, dtype)
    neutral = _identity(name, steps) if name in _IDENTITY else _core.asarray(initial, dtype=steps)
    masked = _core.where(where, _as(x, steps), neutral)
    if masked.shape != x.shape:
        raise ShapeError(f"{f.__name__}.reduce: where has shape {_array(where).shape}, the array {x.shape}")
    return masked


def _reduced(f, name, x, axes, dtype, initial):
    """Adds sizes of 1 in the place of the axes."""
    shape = tuple(1 if d in axes else n for d, n in enumerate(x.shape))
    count = 1
    for a in axes:
        count *= x.shape[a]
    if count == 0 and name not in _IDENTITY and initial is None:
        raise ValueError(f"{f.__name__}.reduce: no elements, and {f.__name__} has no identity")
    if name in _REDUCTIONS and axes and (name in _IDENTITY or count and x.dtype.kind != "c"):
        options = {"dtype": dtype} if name in _WIDE and dtype is not None else {}
        x = _as(x, dtype) if name not in _WIDE and dtype is not None else x
        made = getattr(_core, _REDUCTIONS[name])(x, axes, keepdims=True, **options)
        return made if initial is None else f(_core.asarray(initial, dtype=made.dtype), made)
    steps = _dtype_of_steps(f, name, x, dtype)
    first = _identity(name, steps) if initial is None else _core.asarray(initial, dtype=steps)
    if not axes:
        return _as(x, steps).clone() if initial is None else f(first, _as(x, steps))
    rest = tuple(d for d in range(x.ndim) if d not in axes)
    rows = _as(x.permute(*axes, *rest), steps).reshape((count, *(x.shape[d] for d in rest)))
    if name in _IN_A_TREE:
        made = _tree(f, rows, first)
    elif first is None:
        made = rows[0].clone()
        _core._sweep(f, made, rows[1:], None, False)
    else:
        made = _core.broadcast_to(first, rows.shape[1:]).clone()
        _core._sweep(f, made, rows, None, False)
    return made.reshape(shape)


def _tree(f, rows, first):
    while len(rows) > 1:
        half = len(rows) // 2
        pairs = f(rows[:half], rows[half:2 * half])
        if len(rows) % 2:
            pairs[0] = f(pairs[0], rows[2 * half])
        rows = pairs
    if len(rows) == 0:
        return _core.broadcast_to(first, rows.shape[1:]).clone()
    return rows[0].clone() if first is None else _array(f(first, rows[0]))


# ---- along an axis -----------------------------------------------------------------------------------------------


@method
def accumulate(self, array, axis=0, dtype=None, out=None):
    """Returns the reductions of the first element along an axis, of the first two, and so on."""
    name, x, out = _of_two(self, "accumulate"), _array(array), _single(out)
    if x.ndim == 0:
        raise TypeError(f"{self.__name__}.accumulate: takes an axis, and a number has none")
    axis = _axis(self, axis, x.ndim)
    dtype = out.dtype if dtype is None and out is not None else dtype
    if name in _WIDE:
        return _written(self, getattr(_core, _SCANS[name])(x, axis, **({} if dtype is None else {"dtype": dtype})), out)
    if name in _SCANS and x.dtype.kind != "c":
        made = getattr(_core, _SCANS[name])(x if dtype is None else _as(x, dtype), axis)
        return _written(self, made[0] if isinstance(made, tuple) else made, out)  # by PyTorch's rule, indices, too
    made = _as(_core.moveaxis(x, axis, 0), _dtype_of_steps(self, name, x, dtype)).clone()
    _core._sweep(self, made, made, None, True)
    return _written(self, _core.moveaxis(made, 0, axis), out)


@method
def reduceat(self, array, indices, axis=0, dtype=None, out=None):
    """Returns the reductions of the elements along an axis from each index up to the next one, or the one element if
    the next index is no larger."""
    name, x, out = _of_two(self, "reduceat"), _array(array), _single(out)
    axis = _axis(self, axis, x.ndim)
    dtype = out.dtype if dtype is None and out is not None else dtype
    rows = _as(_core.moveaxis(x, axis, 0), _dtype_of_steps(self, name, x, dtype))
    starts = _core.astype(_array(indices), "int64").reshape(-1)
    for i in starts.tolist():
        if not 0 <= i < len(rows):
            raise IndexError(f"{self.__name__}.reduceat: index {i} is outside an axis of {len(rows)} elements")
    ends = _core.concat([starts[1:], _core.asarray([len(rows)])]) if starts.size else starts
    more = _core.maximum(ends - starts, 1) - 1  # number of elements of each part beyond its first one
    part = _core.repeat(_core.arange(starts.size), more)
    place = _core.arange(part.size) + _core.take(starts + 1 + more - _core.cumsum(more), part, 0)
    made = _core.take(rows, starts, 0)
    _core._sweep(self, made, _core.take(rows, place, 0), part, False)
    return _written(self, _core.moveaxis(made, 0, axis), out)


# ---- pairs and places --------------------------------------------------------------------------------------------


@method
def outer(self, A, B, /, **keywords):
    """Returns f of each element of A with each of B: the dims of A, and behind them those of B."""
    _of_two(self, "outer")
    A, B = _array(A), _array(B)
    return self(A.reshape(A.shape + (1,) * B.ndim), B, **keywords)


@method
def at(self, a, indices, b=_absent, /):
    """Writes f(a[i], b[i]) to a[i] for each index i, one after another, as often as it occurs, converted to the
    dtype of a, whatever is lost."""
    if not isinstance(a, Array):
        raise TypeError(f"{self.__name__}.at: takes an array to write to, not {type(a).__name__}")
    if (b is _absent) != (self.nin == 1):
        raise ValueError(f"{self.__name__}.at: takes {'no' if self.nin == 1 else 'a'} second operand")
    places = _places(a, indices)
    values = _core.broadcast_to(_array(b), places.shape).reshape(-1) if self.nin == 2 else None
    flat = a.reshape(-1) if a.is_contiguous() else a.clone().reshape(-1)
    _core._sweep(self, flat, values, places.reshape(-1), False)
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
