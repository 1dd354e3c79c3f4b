# SPDX-License-Identifier: BSD-3-Clause
"""memcpy of as many bytes as the case is compared with: the same memory where it is large enough."""

import ctypes

key = name = "memcpy"


def load(options):
    pass


def prepare(case, pair):
    move, n = ctypes.PyDLL(None).memcpy, ctypes.c_size_t(pair.flat_dst.size)
    to, of = (ctypes.c_void_p(a.ctypes.data) for a in (pair.flat_dst, pair.flat_src))
    return lambda: move(to, of, n)
