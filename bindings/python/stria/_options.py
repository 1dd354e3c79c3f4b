# SPDX-License-Identifier: BSD-3-Clause
"""out=, where= and dtype= of functions that the library has without them: operands are converted before, results
copied into out afterwards, where the mask is true."""

import re
import sys
import threading
from collections.abc import Sequence
from functools import wraps
from importlib import import_module
from types import FunctionType

from . import _core
from ._core import Array

_COMPUTED = {"math by element", "math with two results", "matrix products"}
_REFUSED = (_core.Error, TypeError, ValueError, BufferError)
_OF_LISTS = {"asarray", "array", "tensor", "as_tensor", "asanyarray"}


def call(name, args, keywords):
    if "numpy" in sys.modules and any(type(a) not in _USUAL for a in args):
        made = _beyond(name, args, keywords)
        if made is not NotImplemented:
            return made
    if name in _JOINS:
        made = _SPECIAL[name](*args, **keywords)
        if made is not NotImplemented:
            return made
    function = _core
    for part in name.split("."):
        function = getattr(function, part)
    signatures = " ".join(form[0] for form in _core._forms(name))
    given = {k: keywords.pop(k) for k in ("out", "where", "dtype")
             if k in keywords and f" {k}:" not in signatures and f"({k}:" not in signatures}
    dtype, out, where = given.get("dtype"), given.get("out"), given.get("where")
    before = dtype is not None and _core._forms(name)[0][2] in _COMPUTED and not (name in _TESTS and _core.dtype(dtype) == "bool")
    if before:  # computed in this dtype, as NumPy's ufuncs do
        casting, numpy = keywords.get("casting", "same_kind"), sys.modules.get("numpy")
        args = [_core.asarray(a) if numpy and isinstance(a, (numpy.ndarray, numpy.generic)) else a for a in args]
        for a in args:
            if isinstance(a, Array) and not _core.can_cast(a.dtype, dtype, casting):
                raise _core.DTypeError(f"{name}: from {a.dtype} to {_core.dtype(dtype)} is not allowed by the policy {casting!r}")
        args = [_converted(a, dtype) for a in args]
    if where is not None and "out" in keywords:
        out = keywords.pop("out")
    made = function(*args, **keywords)
    several = isinstance(made, tuple)
    made = made if several else (made,)
    if not all(isinstance(m, Array) for m in made):
        return made if several else made[0]
    if dtype is not None and not before:
        made = tuple(_converted(m, dtype) for m in made)
    if where is not None and out is None:
        out = tuple(_core.zeros_like(m) for m in made)
    if out is not None:
        out = out if isinstance(out, tuple) else (out,)
        if len(out) != len(made):
            raise _core.ArgumentError(f"{name}: {len(out)} arrays for out=, and {len(made)} results")
        made = tuple(_write(name, o, m, where) for o, m in zip(out, made))
    return made if several else made[0]


_JOINS = {"concatenate", "concat", "cat", "stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"}
_MAKERS = {"new arrays", "new arrays by a rule", "arrays of data, conversions by name"}  # themes
_LAID_OUT = {"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "einsum", "eye", "copy",
             "identity", "astype"}  # functions whose order= is that of the result in memory
_OF_SHAPES = {"zeros", "ones", "empty", "full"}


def again(name, args, keywords):
    """Tries a refused call with arrays in the place of lists and numbers, or with a keyword that is known only here;
    NotImplemented if that is refused, too."""
    if name in _trying.__dict__:
        return NotImplemented
    setattr(_trying, name, True)
    try:
        return _again(name, args, keywords)
    finally:
        delattr(_trying, name)


_trying = threading.local()  # with the names of functions that are called again


def _misfit(name, args):
    """Tells whether an operation by element on arrays, or a join of arrays, was refused for their shapes, which nothing mends."""
    function = getattr(_core, name, None)
    given = args[0] if name in _JOINS and args else args
    if type(given) not in (list, tuple) or not _ARRAY.issuperset(map(type, given)) or not (
            name in _JOINS or isinstance(function, _core.ufunc)):
        return False
    try:
        function(*args)
    except (_core.ShapeError, _core.BroadcastError):
        return True
    except _REFUSED:
        pass
    return False


_ARRAY = {Array}


def _again(name, args, keywords):
    if not keywords and _misfit(name, args):
        return NotImplemented
    numpy = sys.modules.get("numpy")
    if name in _OF_LISTS and args and _is_sequence(args[0]) and not isinstance(args[0], (list, tuple)):
        return getattr(_core, name)(list(args[0]), *args[1:], **keywords)
    if name in ("__getitem__", "__setitem__"):
        return _element(name, *args)
    if name in ("array", "asarray") and not numpy and args and _any_text(args[0]):
        raise _core.ArgumentError(f"{name}: texts, dates and records are made of Python's by NumPy; import it first")
    if numpy and name in ("array", "asarray"):
        return _texts(name, args, keywords)
    if numpy and name in _VALUES and any(map(_is_text, (*args[_VALUES[name]], *(v for k, v in keywords.items() if k != "dtype")))):
        return _texts(name, args, keywords)
    if numpy and name in _OF_LISTS and args and isinstance(args[0], numpy.ndarray) and type(args[0]) is not numpy.ndarray:
        return getattr(_core, name)(numpy.asarray(args[0]), *args[1:], **keywords)  # of a class that derives from arrays
    if numpy and (made := _beyond(name, args, keywords)) is not NotImplemented:
        return made
    special = _SPECIAL.get(name)
    made = special(*args, **keywords) if special else NotImplemented
    if made is not NotImplemented:
        return made
    function = _core
    for part in name.split("."):
        function = getattr(function, part)
    if (isinstance(function, _core.ufunc) or keywords.get("out") is ...) and (usual := _usual_keywords(keywords)) is not None:
        return function(*args, **usual)
    if "order" in keywords and (name in _LAID_OUT or isinstance(function, _core.ufunc)):
        made = _ordered(name, function, args, dict(keywords))
        if made is not NotImplemented:
            return made
    lists = [i for i, a in enumerate(args) if _is_sequence(a)] if name not in _OF_LISTS else []
    numbers = [0] if args and isinstance(args[0], (bool, int, float, complex)) and name not in _OF_SHAPES | _OF_LISTS else []
    for chosen in dict.fromkeys((tuple(lists[:1]), tuple(lists), tuple(numbers), tuple(numbers + lists))):
        try:
            if chosen:
                return function(*(_core.asarray(a) if i in chosen else a for i, a in enumerate(args)), **keywords)
        except _core.UnsupportedError:  # A LAPACK is missing, and no other reading of the arguments helps.
            raise
        except _REFUSED:
            pass
    if args and isinstance(args[0], (list, tuple)) and any(isinstance(a, (list, tuple)) for a in args[0]):
        try:  # arrays in a list
            return function([_core.asarray(a) for a in args[0]], *args[1:], **keywords)
        except _REFUSED:
            pass
    return _through_numpy(name, args, keywords)


def _is_sequence(x):
    return isinstance(x, Sequence) and not isinstance(x, (str, bytes))


def _usual_keywords(keywords):
    """Returns them without NumPy's out=..., which asks for an array, with the array of out=(array,), and with integers of where= as
    conditions; None if there are none of these."""
    usual = {k: v for k, v in keywords.items() if k != "out" or v is not ...}
    alone = type(usual.get("out")) is tuple and len(usual["out"]) == 1
    if alone:
        usual["out"] = usual["out"][0]
    where = _core.asarray(usual["where"]) if isinstance(usual.get("where"), (list, tuple, Array)) else None
    if where is not None and where.dtype.kind in "iu":
        usual["where"] = where != 0
    elif len(usual) == len(keywords) and not alone:
        return None
    return usual


_USUAL = {Array, int, float, complex, bool, list, tuple, str, type(None), slice}
_SIZELESS = {"S", "U", "S0", "U0", "V", "O", "str", "bytes", "object", str, bytes}  # dtypes whose size NumPy finds


def _beyond(name, args, keywords, given=None):
    """Has NumPy compute what has dtypes or classes of arrays that are its own."""
    part = sys.modules.get("stria._numpy") or import_module("stria._numpy")
    if name in _OF_LISTS:
        return NotImplemented
    if not any(map(part.is_beyond, given or (*args, *keywords.values()))):
        kind = keywords.get("dtype") if keywords else None
        if not isinstance(kind, (str, type)) or kind not in _SIZELESS:
            return NotImplemented
    theirs = _of_numpy(name)
    if theirs is not None:
        return part.by_numpy(theirs, args, keywords)
    numpy = sys.modules["numpy"]
    plain = [numpy.asarray(a) if isinstance(a, numpy.ndarray) else a for a in args]
    return NotImplemented if all(p is a for p, a in zip(plain, args)) else getattr(_core, name)(*plain, **keywords)


def _texts(name, args, keywords):
    """Makes arrays of texts, dates and records as NumPy reads them."""
    from ._numpy import _from_numpy, _to_numpy

    given = {k: v for k, v in keywords.items() if k not in ("device", "copy") or k == "copy" and v is not None}
    if keywords.keys() & {"subok", "like"}:  # There is one class of arrays.
        return getattr(_core, name)(*args, **{k: v for k, v in keywords.items() if k not in ("subok", "like")})
    try:
        made = getattr(sys.modules["numpy"], name)(*_to_numpy(args), **_to_numpy(given))
    except Exception:
        return NotImplemented
    chosen = keywords.get("dtype", args[1] if len(args) > 1 else None) is not None
    if name in _OF_LISTS and not chosen and not _all_texts(args[0]):
        return NotImplemented
    if chosen and (made.dtype == object or made.dtype.kind in "biufc" and _any_text(args[0])):  # read from text; None is NaN
        return _from_numpy(made)
    return _from_numpy(made) if made.dtype.kind in "SUVmM" and made.dtype.isbuiltin != 2 else NotImplemented  # of other packages


def _all_texts(x):
    return isinstance(x, (list, tuple)) and all(isinstance(y, (str, bytes)) or _all_texts(y) for y in x)


def _any_text(x):
    """Tells whether there is a text or None in lists and tuples."""
    return any(y is None or isinstance(y, (str, bytes)) or _any_text(y) for y in x) if isinstance(x, (list, tuple)) else False


def _is_text(x):
    """Tells whether it is a text, a date or a duration, or an array of such."""
    numpy = sys.modules["numpy"]
    return isinstance(x, (str, bytes, numpy.datetime64, numpy.timedelta64)) or isinstance(x, Array) and x.dtype.kind in _TEXTS


def _element(name, x, *others):
    """Reads or writes the field of one record by its number, or has NumPy, where it is loaded, do that with elements of texts,
    dates and records where they lie."""
    if not x.ndim and type(others[0]) is int and (names := x.dtype.names) and -len(names) <= others[0] < len(names):
        return getattr(x, name)(names[others[0]], *others[1:])
    if "numpy" not in sys.modules:
        return NotImplemented
    from ._numpy import _from_numpy, _to_numpy

    try:
        return _from_numpy(getattr(_to_numpy(x), name)(*_to_numpy(others)))
    except (ValueError, LookupError):
        if isinstance(others[-1], (str, bytes)) or _all_texts(others[-1]):  # of which NumPy tells more
            raise
    except Exception:
        pass
    return NotImplemented


_VALUES = {"arange": slice(3), "full": slice(1, 2)}  # the arguments that are elements, or from which these are computed
_TEXTS = "SUVmM"  # kinds of elements that are no numbers


def _of_numpy(name):
    theirs = sys.modules["numpy"]
    for part in name.split("."):
        theirs = getattr(theirs, part, None)
    return theirs if callable(theirs) and not isinstance(theirs, type) else None


def _through_numpy(name, args, keywords):
    """Has NumPy compute what the library refuses, on the same memory, where NumPy is loaded and has the function."""
    numpy = sys.modules.get("numpy")
    forms = _core._forms(name)
    rule, checked, _, no_copies, _ = _core._settings()
    if (numpy is None or rule != "numpy" or (checked or no_copies) and name not in _COMPARISONS or name in _OF_LISTS or not any(form[7] for form in forms)
            or forms[0][2] in _MAKERS or name == "astype" and not _is_conversion_of_texts(*args, **keywords)
            or name in _INDICES and any(map(_is_fractional, (*args[1:2], *map(keywords.get, _INDICES[name]))))
            or name == "diff" and any(isinstance(a, int) and a >> 31 for a in (*args, *keywords.values()))  # a loop of so many steps
            or any(isinstance(a, Array) and a.device != "cpu" for a in (*args, *keywords.values()))):
        return NotImplemented
    theirs = _of_numpy(name)
    if theirs is None:
        return NotImplemented
    from ._numpy import by_numpy

    signatures = " ".join(form[0] for form in forms)
    out = keywords.get("out")
    if isinstance(theirs, numpy.ufunc) and len(args) > theirs.nin:
        if out is not None:
            return NotImplemented  # out is given twice
        args, out = args[:theirs.nin], args[theirs.nin:]
    known = all(re.search(rf"[ |(]{k}[:|]", signatures) for k in keywords)
    if out is not None and known:  # NumPy repeats and converts results to fit
        return NotImplemented if "where" in keywords else _into(out, by_numpy, theirs, args, keywords)
    try:
        made = by_numpy(theirs, args, keywords if out is None else {**keywords, "out": out})
    except Exception as error:  # The library's own says more, but of keywords that it does not know.
        if isinstance(error, TypeError) or known:
            return NotImplemented
        raise
    return NotImplemented if isinstance(made, numpy.ndarray) else made


def _is_conversion_of_texts(x, dtype=None, *others, **keywords):
    try:
        return x.dtype.kind in _TEXTS or sys.modules["numpy"].dtype(dtype).kind in _TEXTS
    except (AttributeError, TypeError):
        return False


def _is_fractional(x):
    return isinstance(x, float) or isinstance(x, (list, tuple)) and any(map(_is_fractional, x))


_INDICES = {"take": ("indices",), "take_along_axis": ("indices",), "put": ("ind",), "put_along_axis": ("indices",), "repeat": ("repeats",),
            "delete": ("obj",), "insert": ("obj",), "roll": ("shift",), "tile": ("reps",)}  # NumPy cuts what is no integer
_COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}  # they neither copy nor wrap
_TESTS = {*_COMPARISONS, "logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf", "isfinite", "signbit"}


def _into(out, by_numpy, theirs, args, keywords):
    """Has NumPy compute without out=, and writes results of exactly its shape and dtype there; NotImplemented for others."""
    numpy, outs = sys.modules["numpy"], out if isinstance(out, tuple) else (out,)
    try:
        if isinstance(theirs, numpy.ufunc) and not theirs.signature and outs[0].shape != numpy.broadcast_shapes(*map(numpy.shape, args)):
            return NotImplemented  # before it computes what may be far larger
        made = by_numpy(theirs, args, {k: v for k, v in keywords.items() if k != "out"})
        made = made if isinstance(made, tuple) else (made,)
        if [(o.shape, o.dtype) for o in outs] != [(m.shape, m.dtype) for m in made]:
            return NotImplemented
        for o, m in zip(outs, made):
            _core.copyto(o, m)
    except Exception:  # The library's own error says more.
        return NotImplemented
    return outs[0] if len(outs) == 1 else outs


def or_numpy(names, chosen=None):
    """Has NumPy compute what functions of a module are given of dtypes, or of classes of arrays, that only NumPy has."""
    for name, function in [*names.items()]:
        if (chosen is None or name in chosen) and not name.startswith("_") and type(function) is FunctionType and function.__module__ == names["__name__"]:
            names[name] = _or_numpy(function, name if names["__name__"].startswith("stria._") else f"{names['__name__'][6:]}.{name}")


def _or_numpy(function, name):
    of_matrices, usual, loaded = name.startswith("linalg."), _USUAL.issuperset, sys.modules

    @wraps(function)
    def call(*args, **keywords):
        if keywords:
            if of_matrices and not args and (first := next((k for k in keywords if k in ("a", "x", "A")), None)):
                args = (keywords.pop(first),)  # NumPy's names of a matrix
            given = (*args, *keywords.values())
        else:
            given = args
        if not usual(map(type, given)) and "numpy" in loaded:
            made = _beyond(name, args, keywords, given)
            if made is not NotImplemented:
                return made
        try:
            return function(*args, **keywords) if keywords else function(*args)
        except NotImplementedError:  # a keyword that is NumPy's alone
            theirs = _of_numpy(name) if "numpy" in sys.modules else None
            if theirs is None:
                raise
            from ._numpy import by_numpy

            return by_numpy(theirs, args, keywords)
        except _REFUSED:
            made = _beyond(name, args, keywords) if "numpy" in sys.modules else NotImplemented
            if made is NotImplemented:
                made = _of_texts(name, args, keywords)
            if made is NotImplemented:
                raise
        return made
    return call


def _of_texts(name, args, keywords):
    """Has NumPy compute with an array of texts or dates, where it is loaded and knows how."""
    theirs = _of_numpy(name) if "numpy" in sys.modules and any(isinstance(a, Array) and a.dtype.kind in _TEXTS for a in args) else None
    if theirs is None:
        return NotImplemented
    from ._numpy import by_numpy

    try:
        return by_numpy(theirs, args, keywords)
    except Exception:
        return NotImplemented


def _ordered(name, function, args, keywords):
    """Drops order= where it makes no difference to the elements, and makes arrays in Fortran's order where it asks for that."""
    order = keywords.pop("order")
    if order not in ("C", "F", "A", "K", None):
        return NotImplemented
    try:
        if order == "F" and name in _OF_SHAPES:
            shape = args[0] if args else keywords.pop("shape")
            shape = (shape,) if hasattr(type(shape), "__index__") else tuple(shape)
            return function(shape[::-1], *args[1:], **keywords).T
        made = function(*args, **keywords)
    except _REFUSED:
        return NotImplemented
    return _core.asfortranarray(made) if order == "F" and isinstance(made, Array) else made


def _joined(name):
    def join(arrays=None, axis=0, **keywords):
        """Joins lists, also along None: all elements in C order; in a dtype, and into an array."""
        casting, dtype, out = keywords.pop("casting", "same_kind"), keywords.pop("dtype", None), keywords.pop("out", None)
        if dtype is not None and out is not None:
            raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
        if isinstance(dtype, (str, type)) and dtype in _SIZELESS and "numpy" in sys.modules:
            return _beyond(name, (arrays, *([axis] if name.startswith(("conc", "cat")) else [])), {"dtype": dtype, "casting": casting})
        if hasattr(arrays, "__next__"):
            raise TypeError(f'{name}: arrays to stack must be passed as a "sequence" type such as list or tuple.')
        if keywords or type(arrays) not in (list, tuple) or not arrays:
            return NotImplemented
        try:
            parts = [_core.asarray(a) for a in arrays]
        except _REFUSED:
            return NotImplemented
        if axis is None and name in ("concatenate", "concat", "cat"):
            parts, axis = [p.ravel() for p in parts], 0
        kind = dtype if dtype is not None else out.dtype if out is not None else None
        if kind is not None:
            for p in parts:
                if not _core.can_cast(p.dtype, kind, casting):
                    raise TypeError(f"Cannot cast array data from {p.dtype} to {_core.dtype(kind)} according to the rule {casting!r}")
            parts = [p.astype(kind) for p in parts]
        elif all(p is a for p, a in zip(parts, arrays)) and out is None:
            return NotImplemented
        if any(p.dtype.kind in _TEXTS for p in parts) and kind is None:
            return NotImplemented  # NumPy makes them as long as the longest one
        made = getattr(_core, name)(parts, *(() if name in ("hstack", "vstack", "dstack", "column_stack", "row_stack") else (axis,)))
        made = made if kind is None or made.dtype == kind else made.astype(kind)  # in the other byte order
        return made if out is None else _write(name, out, made, None)
    return join


def _linspace(*args, **keywords):
    if keywords.get("retstep") or keywords.get("axis") or any(isinstance(a, (Array, list, tuple)) for a in args[:2]):
        from ._sequences import linspace

        return linspace(*args, **keywords)
    return NotImplemented


def _select(condlist=None, choicelist=None, default=0, **others):
    """Takes each element from the first array whose condition holds for it, as numpy.select does."""
    if others or not isinstance(condlist, (list, tuple)) or not isinstance(choicelist, (list, tuple)):
        return NotImplemented
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError("select: takes as many conditions as choices, one or more")
    choices = [c if isinstance(c, (bool, int, float, complex)) else _core.asarray(c) for c in choicelist]
    kind = _core.result_type(*choices, default)
    conditions, default = [_core.asarray(c) for c in condlist], _core.asarray(default)
    if any(c.dtype != "bool" for c in conditions):
        raise TypeError("select: conditions are arrays of bool")
    made = default
    for condition, choice in zip(reversed(conditions), reversed(choices)):
        made = _core.where(condition, choice, made)
    return made.astype(kind, copy=False)


def _size(a, axis=None, **others):
    if axis is None or others:
        return NotImplemented
    shape, size = _core.shape(a), 1
    for i in axis if isinstance(axis, tuple) else (axis,):
        size *= shape[i]
    return size


def _arange(*args, dtype=None, **others):
    """Counts in a narrow dtype, in which the numbers wrap around, as NumPy does where the first two fit."""
    if others or dtype is None or not args or not all(isinstance(a, int) for a in args):
        return NotImplemented
    made = _core.arange(*args)
    return made.astype(dtype) if made[:2].tolist() == made[:2].astype(dtype).tolist() else NotImplemented


def _conv(name):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        """Takes PyTorch's words for padding: "valid", none, and "same", as many zeros as keep the sizes."""
        if not isinstance(padding, str) or padding not in ("same", "valid"):
            return NotImplemented
        dims = int(name[4])
        if padding == "same":
            steps = dilation if isinstance(dilation, tuple) else (dilation,) * dims
            if any(s != 1 for s in (stride if isinstance(stride, tuple) else (stride,))):
                raise _core.ArgumentError(f"{name}: padding 'same' takes a stride of 1")
            totals = [d * (k - 1) for d, k in zip(steps, weight.shape[-dims:])]
            sizes = (*input.shape[:-dims], *(n + t for n, t in zip(input.shape[-dims:], totals)))
            wide = _core.zeros(sizes, dtype=input.dtype)
            wide[(..., *(slice(t // 2, t // 2 + n) for n, t in zip(input.shape[-dims:], totals)))] = input
            input = wide
        return getattr(_core, name)(input, weight, bias, stride, 0, dilation, groups)
    return conv


def _any_array(a, dtype=None, order=None, *, copy=None, **others):
    return NotImplemented if order is None and copy is None else _core.asarray(a, dtype=dtype, order=order, copy=copy)


def _like(name):
    def like(a, *args, shape=None, dtype=None, **keywords):
        """Makes an array like another one, of another shape."""
        if shape is None:
            return NotImplemented
        values = {name[:4]: args[0] if args else keywords.pop("fill_value")} if name == "full_like" else {}
        a = _core.asarray(a)
        kind = dtype if dtype is not None else args[len(values)] if len(args) > len(values) else a.dtype
        keywords = {k: v for k, v in keywords.items() if k == "order" and v in ("C", "F")}
        return getattr(_core, name[:-5])(shape, *values.values(), dtype=kind, **keywords)
    return like


def _diff(a, n=1, axis=-1, prepend=None, append=None, **others):
    if others or all(isinstance(x, Array) or x is None for x in (prepend, append)):
        return NotImplemented
    a = _core.asarray(a)
    shape = [1 if d == axis % a.ndim else k for d, k in enumerate(a.shape)]
    ends = {k: _core.asarray(v) for k, v in (("prepend", prepend), ("append", append)) if v is not None}
    ends = {k: _core.broadcast_to(v, shape) if v.ndim == 0 else v for k, v in ends.items()}
    return _core.diff(a, n, axis, **ends)


def _close(name):
    def close(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
        """Takes arrays of tolerances."""
        if not any(getattr(t, "ndim", isinstance(t, (list, tuple))) for t in (rtol, atol)):
            return NotImplemented
        a, b = _core.asarray(a), _core.asarray(b)
        near = _core.abs(a - b) <= _core.asarray(atol) + _core.asarray(rtol) * _core.abs(b)
        made = near & _core.isfinite(b) | (a == b)
        made = made | _core.isnan(a) & _core.isnan(b) if equal_nan else made
        return bool(made.all()) if name == "allclose" else made
    return close


def _weighted(*args, **keywords):
    return _histogram(*args, **keywords) if keywords.keys() & {"weights", "density"} else NotImplemented


def _viewed(self, *args, **keywords):
    """Takes NumPy's word for the class of arrays: its own is the same for all, and classes of NumPy's are arrays of NumPy's."""
    kind, numpy = keywords.get("type", keywords.get("dtype", args[-1] if args else None)), sys.modules.get("numpy")
    if numpy and isinstance(kind, numpy.dtype) and kind.metadata:
        return self.view(_core.dtype(kind))
    if numpy and isinstance(kind, type) and issubclass(kind, numpy.ndarray):
        return numpy.asarray(self).view(*args, **keywords)
    return self[...] if kind is Array and len(args) + len(keywords) == 1 else NotImplemented


def _copyto(dst, src, casting="same_kind", where=True):
    """Takes numbers of Python, which have no dtype of their own, and a mask."""
    kind = _core.result_type(src, dst.dtype) if isinstance(src, (bool, int, float, complex)) else _core.asarray(src).dtype
    if not _core.can_cast(kind, dst.dtype, casting):
        raise _core.DTypeError(f"copyto: from {kind} to {dst.dtype} is not allowed by the policy {casting!r}")
    src = _core.asarray(src, dtype=dst.dtype)
    return _core.copyto(dst, src if where is True else _core.where(where, src, dst))


_SPECIAL = {"linspace": _linspace, "copyto": _copyto, "histogram": _weighted, "view": _viewed, "select": _select, "size": _size,
            "arange": _arange, "diff": _diff, "isclose": _close("isclose"), "allclose": _close("allclose"), "asanyarray": _any_array,
            **{f"conv{d}d": _conv(f"conv{d}d") for d in (1, 2, 3)},
            **{f"{name}_like": _like(f"{name}_like") for name in ("zeros", "ones", "empty", "full")}, **{name: _joined(name) for name in _JOINS}}


def _bins_of(a, edges, alike):
    """Returns the bin of each element, and whether it has one; alike tells that bins are of one width."""
    last = edges.size - 2
    inside = (a >= edges[0]) & (a <= edges[-1])
    if not alike:
        place = _core.searchsorted(edges, a, side="right") - 1
        return _core.where(a == edges[-1], last, place), inside  # the last bin includes its end
    scale = (last + 1) / (edges[-1] - edges[0])
    place = _core.where(inside, (a - edges[0]) * scale, 0).clip(0, last).astype("int64")
    place -= a < edges[place]  # a rounding may have taken the next bin
    place += (a >= edges[place + 1]) & (place < last)
    return place, inside


def _histogram(a, bins=10, range=None, density=None, weights=None):
    """Adds up the weights of the elements of each bin."""
    a = _core.asarray(a).reshape(-1)
    counts, edges = _core.histogram(a, bins) if range is None else _core.histogram(a, bins, range)
    if weights is not None:
        weights = _core.asarray(weights).reshape(-1)
        if weights.shape != a.shape:
            raise _core.ShapeError(f"histogram: {weights.shape[0]} weights for {a.shape[0]} elements")
        kind = _core.result_type(a, edges)
        place, inside = _bins_of(a.astype(kind, copy=False), edges.astype(kind, copy=False), isinstance(bins, int))
        if not inside.all():
            place, weights = place[inside], weights[inside]
        counts = _core.zeros(edges.size - 1, dtype=_core.add(weights[:0], weights[:0]).dtype)
        counts.index_add_(0, place, weights)
    if density:
        counts = counts / (edges[1:] - edges[:-1]) / counts.sum()
    return counts, edges


def _converted(value, dtype):
    return _core.astype(value, dtype, copy=False) if isinstance(value, Array) else value


def _write(name, out, made, where):
    if out is None:
        return made
    if name == "choose":  # whose numbers NumPy converts, whatever is lost
        made = made.astype(out.dtype)
    if out.shape != made.shape:
        raise _core.ShapeError(f"{name}: out has shape {out.shape}, the result {made.shape}")
    if where is None:
        _core.copyto(out, made)
    else:
        _core.where(where, made, out, out=out)
    return out
