# SPDX-License-Identifier: BSD-3-Clause
"""NEP 13 and NEP 18: NumPy's functions on Stria's arrays. Functions that the library has are called; others NumPy
computes on views of the same memory, and its arrays come back as Stria's. NumPy is loaded already, since it calls
this."""

import sys

from . import _core
from ._core import ArgumentError, Array, asarray

_numpy = sys.modules["numpy"]
_stria = sys.modules["stria"]
_PLAIN = {_numpy.ndarray, _numpy.memmap}
_NUMBERS = (int, float, complex, _numpy.generic)


def _known(function):
    name = function.__name__
    return getattr(_stria, name, None) if any(form[7] for form in _core._forms(name)) else None


def _to_numpy(value):
    if isinstance(value, Array):
        made = _numpy.asarray(value)
        if not value.writable and made.flags.writeable:  # a copy, which shall be refused as the array is
            made.flags.writeable = False
        return made
    if type(value) in (list, tuple):
        return type(value)(map(_to_numpy, value))
    if isinstance(value, dict):
        return {k: _to_numpy(v) for k, v in value.items()}
    if isinstance(value, _core.dtype):
        return _numpy.dtype(value)
    return value


def _from_numpy(value):
    if type(value) in _PLAIN:
        try:
            return asarray(value) if value.dtype != object and _core.dtype(value.dtype) else value
        except (BufferError, TypeError):
            return value  # of a dtype that only NumPy has
    if isinstance(value, _numpy.dtype):
        try:
            return value if value.metadata else _core.dtype(value)
        except (_core.Error, TypeError, ValueError):
            return value
    if type(value) in (list, tuple):
        return type(value)(map(_from_numpy, value))
    return type(value)(*map(_from_numpy, value)) if hasattr(value, "_fields") else value  # a named tuple


def _copies(ours, theirs):
    """Returns the arrays whose elements NumPy cannot read where they lie, with the copies that it is given, and their bytes."""
    found = []
    for a, b in zip(ours, theirs):
        if isinstance(a, tuple):
            found += _copies(a, b)
        elif isinstance(a, Array) and (a.is_conj() or a.is_neg()) and a.writable:
            found.append((a, b, b.tobytes()))
    return found


def _by_numpy(call, args, keywords):
    out = keywords.get("out")
    given, named = _to_numpy(args), _to_numpy(keywords)
    copies = _copies([*args, *keywords.values()], [*given, *named.values()])
    result = call(*given, **named)
    for array, copy, before in copies:
        if copy.tobytes() != before:
            array[...] = asarray(copy)
    if not isinstance(out, tuple):
        return _written(call, result, out, named.get("out"))
    if len(out) == 1:
        return _written(call, result, out[0], named["out"][0])
    return tuple(_written(call, *each) for each in zip(result, out, named["out"]))


def _written(call, result, out, given):
    """Returns what NumPy wrote to, which was given to it in the place of out; an error if it has ignored that."""
    if isinstance(given, _numpy.ndarray) and result is not given and not (
            isinstance(result, _numpy.ndarray) and _numpy.may_share_memory(result, given)):
        raise ArgumentError(f"{call.__name__}: NumPy's function does not write to out")
    return out if isinstance(out, Array) else _from_numpy(result)


def by_numpy(call, args, keywords):
    """Calls a function of NumPy for the package, whose results are arrays where NumPy's are numbers, and which does not warn."""
    try:
        with _numpy.errstate(all="ignore"):
            made = _by_numpy(call, args, keywords)
    except _numpy.linalg.LinAlgError as error:
        raise ArgumentError(str(error)) from None  # which is LinAlgError here
    if isinstance(made, tuple):
        return type(made)(*map(_array_of, made)) if hasattr(made, "_fields") else tuple(map(_array_of, made))
    return _array_of(made)


def _array_of(made):
    if not isinstance(made, _numpy.generic):
        return made
    array = _from_numpy(_numpy.asarray(made))
    return array[()] if isinstance(array, Array) else made


def is_beyond(value):
    """Tells whether a value is NumPy's, or a list with such, and of a dtype that only NumPy has, or of a class that derives from
    its arrays; or such a dtype."""
    if type(value) is _numpy.ndarray:
        kind = value.dtype
        return kind.char in "OgGT" or bool(kind.metadata)
    if type(value) in (list, tuple):
        return any(map(is_beyond, value))
    if isinstance(value, _numpy.ndarray) and type(value) not in _PLAIN or value is object:
        return True
    if isinstance(value, type) and issubclass(value, _numpy.generic):
        value = _numpy.dtype(value)
    kind = value.dtype if isinstance(value, (_numpy.ndarray, _numpy.generic)) else value
    return isinstance(kind, _numpy.dtype) and (kind.kind in "OT" or kind.char in "gG" or bool(kind.metadata))


# ---- ufuncs ------------------------------------------------------------------------------------------------------


_calls = {}  # Stria's functions for those of NumPy that the library runs itself, which C then calls
_SCALARS = {getattr(_numpy, name): getattr(_core, name.rstrip("_")) for name in (
    "float64", "int64", "float32", "bool_", "int32", "uint8", "int8", "int16", "uint16", "uint32", "uint64")}
_QUICK = {Array, _numpy.ndarray, int, float, complex, bool, *_SCALARS}


def array_ufunc(self, function, how, /, *inputs, **keywords):
    out = keywords.get("out", ())
    for x in (*inputs, *out):
        if not isinstance(x, (Array, _numpy.ndarray, list, tuple, slice, str, bytes, *_NUMBERS)) and x is not None:
            return NotImplemented
    made = _own_ufunc(function, how, inputs, dict(keywords))
    return _by_numpy(getattr(function, how), inputs, keywords) if made is NotImplemented else made


def _own_ufunc(function, how, inputs, keywords):
    own = _known(function)
    if how == "__call__" and isinstance(own, _core.ufunc):
        _calls[function] = own
    if how != "__call__":  # what runs element by element is faster in NumPy
        own = getattr(own, how) if isinstance(own, _core.ufunc) and how in ("outer", "reduce", "accumulate") else None
    if own is None:
        return NotImplemented
    out = keywords.pop("out", None)
    if out is not None:
        if len(out) != 1:
            return NotImplemented
        keywords["out"] = out[0]
    if keywords.get("where") is True:
        del keywords["where"]
    inputs = tuple(asarray(x) if isinstance(x, (list, tuple)) else x for x in inputs)
    try:
        made = own(*inputs, **keywords)
    except (ArgumentError, BufferError):
        return NotImplemented  # only NumPy has this keyword, or elements of that kind
    return out[0] if out is not None and out[0] is not None else made


_core._set_numpy(array_ufunc, _calls, _QUICK, _SCALARS)


# ---- functions ---------------------------------------------------------------------------------------------------


_own = {}  # Stria's functions for those of NumPy, None where it has none
_TYPES = {Array, _numpy.ndarray}


def _own_function(call):
    own = _known(call) if call.__module__ == "numpy" else None
    if own is None and call.__module__ in ("numpy.fft", "numpy.linalg"):
        own = vars(getattr(_stria, call.__module__[6:])).get(call.__name__)
    _own[call] = own
    return own


def array_function(self, call, types, args, keywords):
    if not _TYPES.issuperset(types):
        for type in types:
            if not issubclass(type, (Array, _numpy.ndarray)):
                return NotImplemented
    own = _own[call] if call in _own else _own_function(call)
    if own is None:
        return _by_numpy(call, args, keywords)
    try:
        if not keywords:
            return own(*args)
        return own(*args, **{k: v for k, v in keywords.items() if v is not _numpy._NoValue})
    except (_core.DTypeError, _core.ShapeError) as refused:
        try:  # NumPy may know what to do
            return _by_numpy(call, args, keywords)
        except Exception:
            raise refused from None
    except (ArgumentError, BufferError, NotImplementedError, TypeError):  # a keyword that NumPy alone has is a TypeError
        pass
    return _by_numpy(call, args, keywords)


Array.__array_function__ = array_function
