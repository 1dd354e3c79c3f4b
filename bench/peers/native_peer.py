# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in C and C++, wrapped by native/*.cc and built by `cmake --build build --target peers`."""

import ctypes
import glob
import os

from . import Unavailable


class Copy(ctypes.Structure):
    """The struct peer_copy of native/peer.h."""
    _fields_ = [("dst", ctypes.c_void_p), ("src", ctypes.c_void_p), ("ndim", ctypes.c_int32),
                ("threads", ctypes.c_int32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("dst_strides", ctypes.POINTER(ctypes.c_int64)),
                ("src_strides", ctypes.POINTER(ctypes.c_int64)), ("dst_dtype", ctypes.c_char_p),
                ("src_dtype", ctypes.c_char_p)]


class Plan:
    """A prepared copy; its end frees the plan."""

    def __init__(self, library, handle, keep):
        self.library, self.handle, self.keep = library, ctypes.c_void_p(handle), keep

    def __del__(self):
        self.library.peer_end(self.handle)


class NativePeer:
    planned = True  # preparations are not timed

    def __init__(self, path):
        self.path = path
        self.key = self.name = os.path.basename(path)[len("peer_"):-len(".so")]

    def load(self, options):
        try:
            self.library = ctypes.PyDLL(self.path)
        except OSError as error:
            raise Unavailable(str(error))
        self.library.peer_name.restype = ctypes.c_char_p
        self.library.peer_prepare.restype = ctypes.c_void_p
        self.name = self.library.peer_name().decode()
        self.threads = options.threads

    def prepare(self, case, pair):
        if pair.src is None or "reduction" in case:
            return None
        dst, src = pair.dst, pair.src
        numbers = ctypes.c_int64 * dst.ndim
        # The strides of a source show that it was broadcast: both have one shape.
        assert dst.shape == src.shape
        copy = Copy(dst.ctypes.data, src.ctypes.data, dst.ndim, self.threads,
                    numbers(*dst.shape), numbers(*dst.strides), numbers(*src.strides),
                    case["dst"]["dtype"].encode(), case["src"]["dtype"].encode())
        handle = self.library.peer_prepare(ctypes.byref(copy))
        if not handle:
            return None
        plan = Plan(self.library, handle, (copy, pair))
        run, made = self.library.peer_run, plan.handle
        return lambda keep=plan: run(made)


def found(options):
    return [NativePeer(path)
            for path in sorted(glob.glob(os.path.join(options.build, "bench/peers/peer_*.so")))]
