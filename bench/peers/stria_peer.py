# SPDX-License-Identifier: BSD-3-Clause
"""Stria itself, through ctypes: the library that was built, called as NumPy is, from Python."""

import ctypes

from . import Unavailable

name = "stria"

VIEW_BYTES = 4096  # room for a stria_view, whose members are the library's business
KINDS = {"bool": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "u32": 7, "u64": 8,
         "f16": 11, "bf16": 12, "f32": 13, "f64": 14, "c64": 15, "c128": 16}


class Dtype(ctypes.Structure):
    """stria_dtype: passed by value, hence spelled out."""
    _fields_ = [("kind", ctypes.c_uint8), ("swapped", ctypes.c_bool),
                ("alignment", ctypes.c_uint16), ("itemsize", ctypes.c_int32),
                ("record", ctypes.c_void_p)]


_library = None


def load(options):
    global _library
    try:
        _library = ctypes.CDLL(options.library)
    except OSError as error:
        raise Unavailable(str(error))
    _library.stria_dtype_of.restype = Dtype
    _library.stria_last_error.restype = ctypes.c_char_p
    _library.stria_view_foreign.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Dtype, ctypes.c_int,
                                            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    check(_library.stria_set_threads(options.threads))


def check(status):
    if status:
        raise RuntimeError(_library.stria_last_error().decode())


def view(array, dtype):
    made = ctypes.create_string_buffer(VIEW_BYTES)
    n = array.ndim
    check(_library.stria_view_foreign(
        made, array.__array_interface__["data"][0], _library.stria_dtype_of(KINDS[dtype]), n,
        (ctypes.c_int64 * n)(*array.shape), (ctypes.c_int64 * n)(*array.strides), 0))
    return made


def overhead():
    """A call of the library that does nothing: what ctypes adds to every figure."""
    return _library.stria_version


def prepare(case, dst, src):
    to, of = view(dst, case["dtype"]), view(src, case["dtype"])
    copy, first, second = _library.stria_copy, ctypes.byref(to), ctypes.byref(of)

    def run(keep=(to, of)):
        copy(first, second)
    check(copy(first, second))
    return run
