# SPDX-License-Identifier: BSD-3-Clause
"""Functions of NumPy that call functions, ask about arrays and write numbers as text."""

from functools import reduce as _reduce
from math import inf
from numbers import Number
from operator import index as _index

from . import _core as c
from ._core import Array
from ._options import or_numpy
from ._parts import _array, _axis, _flat


# ---- functions of users ---------------------------------------------------------


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


# ---- questions ------------------------------------------------------------------


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


# ---- numbers as text and as bits ------------------------------------------------


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


or_numpy(globals())
