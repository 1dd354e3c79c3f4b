# SPDX-License-Identifier: BSD-3-Clause
"""Strided arrays: every view of PyTorch and NumPy as an array that shares memory, and the functions of both. What help(stria)
shows is made in _help.py."""

import sys as _sys

from . import _array, _ufunc
from ._contexts import checked, copies, no_copies, promotion, threads
from ._core import *  # noqa: F403
from ._core import __version__
from ._data_types import __array_namespace_info__, can_cast, finfo, iinfo, isdtype
from ._files import create, load, save
from ._fused import fused
from ._lazy import Lazy, compute, explain, lazy
from ._sets import unique_all, unique_counts, unique_inverse

del fft, linalg, random  # noqa: F821  (the library's, which would hide the modules that follow when this is loaded again)
from . import fft, linalg, random  # noqa: E402
from ._functions import indices, put, put_along_axis  # noqa: E402
from .random import manual_seed  # noqa: E402


def __getattr__(name):
    from ._names import find

    return find(name, _sys.modules[__name__])


def __dir__():
    from ._names import MODULE_OF

    return sorted({*globals()} | MODULE_OF.keys())


__array_api_version__ = "2025.12"

e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793

from ._help import HEAD as _HEAD, Names as _Names, Page as _Page  # noqa: E402

__doc__ = _Page(_HEAD)  # noqa: A001
__all__ = _Names(name for name in globals() if not name.startswith("_"))
