#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Contractions of the shared library beside NumPy, which uses the same BLAS where it has one of its own, and TBLIS
where pytblis is installed; one thread each, in turns, medians. Ratios above 1: Stria is faster.

usage: OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python3 bench/contract.py LIBSTRIA.SO [FILTER]"""
import ctypes
import glob
import math
import os
import statistics
import sys
import time

import numpy as np

try:
    import pytblis
except ImportError:
    pytblis = None

REPRODUCIBLE = 256
KINDS = {"i1": 1, "i4": 3, "f4": 13, "f8": 14, "c16": 16}
# The strings of the TCCG collection, with sizes that fit into memory several times.
TCCG = {
    "efbad,cf->abcde": dict(a=24, b=16, c=24, d=16, e=24, f=32), "dbea,ec->abcd": dict(a=48, b=48, c=24, d=48, e=48),
    "aebf,dfce->abcd": dict.fromkeys("abcdef", 32), "ebad,ce->abcd": dict(a=48, b=48, c=24, d=48, e=48),
    "dega,gfbc->abcdef": dict(a=12, b=8, c=16, d=12, e=16, f=16, g=24), "ac,cb->ab": dict(a=2048, b=2048, c=136),
    "bda,dc->abc": dict(a=312, b=156, c=24, d=312), "acd,db->abc": dict(a=312, b=24, c=148, d=312),
    "aecf,fbed->abcd": dict.fromkeys("abcdef", 32)}


class Dtype(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("swapped", ctypes.c_bool), ("alignment", ctypes.c_uint16),
                ("itemsize", ctypes.c_int32), ("record", ctypes.c_void_p)]


class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("buffer", ctypes.c_void_p), ("dtype", Dtype), ("flags", ctypes.c_uint32),
                ("ndim", ctypes.c_int32), ("shape", ctypes.c_int64 * 64), ("strides", ctypes.c_int64 * 64)]


class Exec(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int), ("run", ctypes.c_void_p), ("context", ctypes.c_void_p),
                ("hints", ctypes.c_uint32), ("mask", ctypes.c_void_p), ("watch", ctypes.c_void_p),
                ("budget", ctypes.c_void_p), ("reserved", ctypes.c_uint64 * 2)]


class Library:
    def __init__(self, path):
        for blas in glob.glob(os.path.dirname(np.__file__) + "/../numpy.libs/*openblas*")[:1]:
            os.environ.setdefault("STRIA_BLAS", blas)
        self.c = ctypes.CDLL(path)
        self.c.stria_last_error.restype = ctypes.c_char_p
        self.c.stria_dtype_of.restype = Dtype

    def view(self, a):
        v = View(data=a.ctypes.data, ndim=a.ndim, dtype=self.c.stria_dtype_of(KINDS[a.dtype.str[1:]]))
        v.shape[:a.ndim], v.strides[:a.ndim] = a.shape, a.strides
        return v

    def einsum(self, text, out, operands, hints=0):
        views = [self.view(a) for a in operands]
        pointers = (ctypes.POINTER(View) * len(views))(*map(ctypes.pointer, views))
        to, how, text = self.view(out), Exec(threads=1, hints=hints), text.encode()

        def run():
            if self.c.stria_einsum(ctypes.byref(to), text, len(views), pointers, ctypes.byref(how)):
                raise RuntimeError(self.c.stria_last_error().decode())
        return run

    def blas(self):
        text = ctypes.create_string_buffer(512)
        self.c.stria_blas_describe(text, len(text), None)
        return text.value.decode()


def in_turns(calls, seconds=1.0):
    times, end = [[] for _ in calls], None
    while end is None or time.perf_counter() < end or len(times[0]) < 5:
        for call, kept in zip(calls, times):
            begin = time.perf_counter()
            call()
            kept.append(time.perf_counter() - begin)
        if end is None: # The first round is left out.
            times, end = [[] for _ in calls], time.perf_counter() + seconds * len(calls)
    return [statistics.median(kept) for kept in times]


def cases():
    rng = np.random.default_rng(0)
    for dtype in ("f8", "f4"):
        for text, size in TCCG.items():
            a, b = (rng.normal(size=[size[i] for i in part]).astype(dtype) for part in text.split("->")[0].split(","))
            yield "TCCG " + dtype, text, text, a, b, math.prod(size.values()), 0
    n, mm = 1024, "ij,jk->ik"
    a, b = rng.normal(size=(2, n, n)).astype("f4")
    records = np.zeros((n, n), [("x", "f4"), ("y", "f4"), ("z", "f4")])
    records["y"] = a
    yield "dense", "f32 1024^2", mm, a, b, n**3, 0
    yield "strided", "every 2nd row and column", mm, np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2], b, n**3, 0
    yield "strided", "rows backwards", mm, a[::-1], b, n**3, 0
    yield "strided", "a field of records", mm, records["y"], b, n**3, 0
    yield "reproducible", "f32 1024^2", mm, a, b, n**3, REPRODUCIBLE
    yield "reproducible", "f64 1024^2", mm, a.astype("f8"), b.astype("f8"), n**3, REPRODUCIBLE
    a, b = rng.normal(size=(2, 10000, 9, 9))
    yield "batches", "plain", "bij,bjk->bik", a, b, 729e4, 0
    yield "batches transposed", "a", "bji,bjk->bik", a, b, 729e4, 0
    yield "batches transposed", "b", "bij,bkj->bik", a, b, 729e4, 0
    yield "batches transposed", "both", "bji,bkj->bik", a, b, 729e4, 0
    a = rng.normal(size=(4096, 4096)).astype("f4")
    yield "vectors", "matrix, vector", "ij,j->i", a, a[0].copy(), 4096**2, 0
    yield "vectors", "vector, matrix", "i,ij->j", a[0].copy(), a, 4096**2, 0
    for dtype in ("i4", "i1"):
        a = rng.integers(-9, 9, size=(512, 512)).astype(dtype)
        yield "integers", dtype, mm, a, a, 512**3, 0


def peer(text, a, b, out):
    """Returns a call of NumPy: matmul if the text is one of it, else einsum."""
    turn = {"bji,bjk->bik": (True, False), "bij,bkj->bik": (False, True), "bji,bkj->bik": (True, True)}.get(text)
    if turn is None and text not in ("ij,jk->ik", "bij,bjk->bik", "ij,j->i", "i,ij->j"):
        return lambda: np.einsum(text, a, b, optimize=True, out=out)
    x, y = (v.swapaxes(-1, -2) if t else v for v, t in zip((a, b), turn or (False, False)))
    return lambda: np.matmul(x, y, out=out)


def main():
    library, groups = Library(sys.argv[1]), {}
    print("BLAS:", library.blas())
    for group, name, text, a, b, products, hints in cases():
        if len(sys.argv) > 2 and sys.argv[2] not in group + " " + name:
            continue
        expected = np.einsum(text, a, b, optimize=True)
        out, other = np.empty_like(expected, order="C"), np.empty_like(expected, order="C")
        calls = [library.einsum(text, out, (a, b), hints), peer(text, a, b, other)]
        if pytblis and group.startswith("TCCG"):
            calls.append(lambda: pytblis.contract(text, a, b, out=other))
        times = in_turns(calls)
        assert np.allclose(out, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max()), name
        ratios = [t / times[0] for t in times[1:]]
        print("%-20s %-26s %8.3f ms %7.1f GFlop/s   NumPy %.2f%s" % (
            group, name, times[0] * 1e3, 2 * products / times[0] / 1e9, ratios[0],
            "   TBLIS %.2f" % ratios[1] if len(ratios) > 1 else ""))
        groups.setdefault(group, []).append(ratios)
    for group, all_ratios in groups.items():
        means = [(statistics.geometric_mean(r), min(r)) for r in zip(*all_ratios)]
        print("%-20s %s" % (group, ", ".join("%s %.2f (lowest %.2f)" % (p, *m) for p, m in zip(("NumPy", "TBLIS"), means))))


if __name__ == "__main__":
    main()
