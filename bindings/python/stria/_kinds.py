# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's names of dtypes by C's words, and of kinds of dtypes."""

import sys as _sys

from . import _core
from ._core import Array as ndarray, dtype as _dtype  # noqa: F401

euler_gamma, little_endian, True_, False_ = 0.5772156649015329, _sys.byteorder == "little", True, False
_NAMES = {"bool": "bool_", "int8": "byte", "uint8": "ubyte", "int16": "short", "uint16": "ushort", "int32": "intc",
          "uint32": "uintc", "int64": "int_ intp long longlong", "uint64": "uint uintp ulong ulonglong", "float16": "half",
          "float32": "single", "float64": "double", "complex64": "csingle", "complex128": "cdouble"}
globals().update({alias: getattr(_core, name) for name, aliases in _NAMES.items() for alias in aliases.split()})


class _Kind(type):
    """The class of kinds: isinstance tells of an array without dims whether its dtype is of the kind."""

    def __new__(cls, name, bases=(), fields=None, kinds=""):
        text = f"""The dtypes whose .kind is one of {kinds!r}, for issubdtype and isinstance.

    >>> st.issubdtype(st.dtype({dict(b='bool', u='uint8', f='float32', c='complex64').get(kinds[0], 'int8')!r}), st.{name})
    True
    """
        return super().__new__(cls, name, bases, {"kinds": kinds, "__doc__": text})

    def __init__(self, name, bases=(), fields=None, kinds=""):
        super().__init__(name, bases, {})

    def __instancecheck__(cls, x):
        return isinstance(x, ndarray) and x.ndim == 0 and x.dtype.kind in cls.kinds

    def __repr__(cls):
        return f"stria.{cls.__name__}"


for _name, _kinds in {"generic": "?biufcmMSUV", "number": "iufc", "integer": "iu", "signedinteger": "i", "unsignedinteger": "u",
                      "inexact": "fc", "floating": "f", "complexfloating": "c"}.items():
    globals()[_name] = _Kind(_name, kinds=_kinds.replace("?", "b"))


def issubdtype(arg1, arg2):
    """Tells whether a dtype is another one, or of a kind, such as integer or floating.

    >>> st.issubdtype('float32', st.floating), st.issubdtype('int8', st.signedinteger)
    (True, True)
    """
    if isinstance(arg1, _Kind):
        return isinstance(arg2, _Kind) and set(arg1.kinds) <= set(arg2.kinds)
    one = _dtype(arg1)
    if isinstance(arg2, _Kind):
        return one.kind in arg2.kinds
    name = getattr(arg2, "__name__", "")
    if getattr(arg2, "__module__", "") == "numpy" and name in globals() and isinstance(globals()[name], _Kind):
        return one.kind in globals()[name].kinds
    return one == _dtype(arg2)
