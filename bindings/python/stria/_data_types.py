# SPDX-License-Identifier: BSD-3-Clause
"""Functions of the standard about dtypes and shapes, which compute no array."""

import sys

from . import _core
from ._core import dtype as _dtype

_INTEGERS = {"signed integer": ("int8", "int16", "int32", "int64"),
             "unsigned integer": ("uint8", "uint16", "uint32", "uint64")}
_KINDS = {
    "bool": ("bool",),
    **_INTEGERS,
    "integral": _INTEGERS["signed integer"] + _INTEGERS["unsigned integer"],
    "real floating": ("float32", "float64", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
_STANDARD = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
             "complex64", "complex128")


def isdtype(dtype, kind):
    """Tells whether a dtype is another one, or of a kind ("integral", "real floating", ...), or of one of a tuple.

    >>> st.isdtype(st.float32, 'real floating'), st.isdtype('int8', ('bool', 'unsigned integer'))
    (True, False)
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return _native(dtype).name in _KINDS[kind]
    if isinstance(kind, str):
        raise ValueError(f"isdtype: {kind!r} is no kind; these are {', '.join(_KINDS)}")
    return _dtype(dtype) == kind


def _native(dtype):
    return _dtype(_dtype(dtype).name.lstrip("<>"))  # a name has the other byte order before it


class _Info:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


class finfo(_Info):
    """The limits of a floating-point dtype, or of the parts of a complex one: bits, eps, max, min, smallest_normal.

    >>> st.finfo('float32').eps, st.finfo('float16').max
    (1.1920928955078125e-07, 65504.0)
    """

    # bits of an item, bits of the fraction, largest exponent; eps, max and smallest_normal follow from them
    _FORMATS = {"float16": (16, 10, 15), "bfloat16": (16, 7, 127), "float32": (32, 23, 127),
                "float64": (64, 52, 1023), "float8_e5m2": (8, 2, 15)}

    def __init__(self, type, /):
        dtype = _native(_of(type))
        name = {"complex64": "float32", "complex128": "float64"}.get(dtype.name, dtype.name)
        if name == "float8_e4m3fn":
            super().__init__(dtype=_dtype(name), bits=8, eps=0.125, max=448.0, min=-448.0, smallest_normal=2.0**-6,
                             smallest_subnormal=2.0**-9, tiny=2.0**-6)
            return
        if name not in self._FORMATS:
            raise TypeError(f"finfo: {dtype} is no floating-point dtype")
        bits, fraction, exponent = self._FORMATS[name]
        largest = (2.0 - 2.0**-fraction) * 2.0**exponent
        super().__init__(dtype=_dtype(name), bits=bits, eps=2.0**-fraction, max=largest, min=-largest,
                         smallest_normal=2.0 ** (1 - exponent), smallest_subnormal=2.0 ** (1 - exponent - fraction),
                         tiny=2.0 ** (1 - exponent), epsneg=2.0 ** (-fraction - 1), nmant=fraction, maxexp=exponent + 1,
                         minexp=1 - exponent, resolution=10.0 ** -int(fraction * 0.30103), precision=int(fraction * 0.30103))


class iinfo(_Info):
    """The limits of an integer dtype: bits, max, min.

    >>> st.iinfo('int16').max
    32767
    """

    def __init__(self, type, /):
        dtype = _of(type)
        if _native(dtype).name not in _KINDS["integral"]:
            raise TypeError(f"iinfo: {dtype} is no integer dtype")
        bits = 8 * dtype.itemsize
        signed = dtype.kind == "i"
        super().__init__(dtype=dtype, bits=bits, max=2 ** (bits - signed) - 1, min=-(2 ** (bits - 1)) if signed else 0)


def _fields(spec):
    """Returns the text of a record's dtype: by NumPy where it is loaded, which knows more ways to write one."""
    def plain(x):
        if isinstance(x, (list, tuple)):
            return tuple(map(plain, x)) if isinstance(x, tuple) else list(map(plain, x))
        return {k: plain(v) for k, v in x.items()} if isinstance(x, dict) else x if isinstance(x, (str, int)) or x is None else _dtype(x).str
    numpy, spec = sys.modules.get("numpy"), plain(spec)
    return _dtype(numpy.dtype(spec)).name if numpy else repr(spec)


def _of(what):
    return _dtype(what.dtype if hasattr(what, "__array_interface__") and not isinstance(what, type) else what)


def can_cast(from_, to, /, casting="safe"):
    """Tells whether a dtype, or that of an array, may be converted to another one.

    >>> st.can_cast('int32', 'float64'), st.can_cast('float64', 'int32')
    (True, False)
    """
    return _core.can_cast(_of(from_), _of(to), casting)


def _check(device):
    if device not in (None, "cpu"):
        raise ValueError(f"there is no device {device!r}")


class __array_namespace_info__:
    """Describes the namespace, as the standard asks: capabilities, devices, dtypes."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _core.MAX_NDIM}

    def default_device(self):
        return "cpu"

    def default_dtypes(self, *, device=None):
        _check(device)
        return {"real floating": _core.float64, "complex floating": _core.complex128, "integral": _core.int64,
                "indexing": _core.int64}

    def dtypes(self, *, device=None, kind=None):
        _check(device)
        return {name: getattr(_core, name) for name in _STANDARD
                if kind is None or isdtype(getattr(_core, name), kind)}

    def devices(self):
        return ("cpu",)
