# SPDX-License-Identifier: BSD-3-Clause
"""memcpy of as many bytes as the case is compared with, in the same memory if it is large enough."""

import concurrent.futures
import ctypes

key = name = "memcpy"

WORTH_A_THREAD = 256 << 10  # bytes for which a thread pays
LINE = 64

_threads = 1
_pool = None


def load(options):
    global _threads, _pool
    _threads = options.threads
    if _threads > 1:
        _pool = concurrent.futures.ThreadPoolExecutor(_threads - 1)


def on_one_thread(to, of, n):
    """Copies with the interpreter's lock: releasing it costs as much as a small copy."""
    move = ctypes.PyDLL(None).memcpy
    arguments = ctypes.c_void_p(to), ctypes.c_void_p(of), ctypes.c_size_t(n)
    return lambda: move(*arguments)


def on_threads(to, of, n, threads):
    move = ctypes.CDLL(None).memcpy
    edges = [n * i // threads // LINE * LINE for i in range(threads)] + [n]
    first, *others = [(ctypes.c_void_p(to + a), ctypes.c_void_p(of + a), ctypes.c_size_t(b - a))
                      for a, b in zip(edges, edges[1:])]

    def run():
        running = [_pool.submit(move, *part) for part in others]
        move(*first)
        for part in running:
            part.result()
    return run


def prepare(case, pair):
    to, of, n = pair.flat_dst.ctypes.data, pair.flat_src.ctypes.data, pair.flat_dst.size
    threads = max(1, min(_threads, n // WORTH_A_THREAD))
    return on_threads(to, of, n, threads) if threads > 1 else on_one_thread(to, of, n)
