# SPDX-License-Identifier: BSD-3-Clause
"""memcpy of as many bytes as the case is compared with: the same memory where it is large enough."""

import ctypes

key = name = "memcpy"


def load(options):
    pass


def prepare(case, pair):
    move, n = ctypes.memmove, pair.flat_dst.size
    to, of = pair.flat_dst.ctypes.data, pair.flat_src.ctypes.data
    return lambda: move(to, of, n)
