# SPDX-License-Identifier: BSD-3-Clause
"""Random calls of everything that the package has: any exception is fine, a crash is not.

python fuzz.py [SECONDS [SEED]] runs for that long; the number of each round is its seed. With -v each is printed.
Memory is bounded (3 GiB), but not where STRIA_FUZZ_ALL_MEMORY is set, as a sanitizer wants.
"""

import contextlib
import gc
import inspect
import os
import pickle
import random
import sys
import time

import stria

DTYPES = ["bool", "int8", "uint8", "int32", ">i4", "int64", "uint64", "float16", "bfloat16", "float32", ">f8", "float64",
          "complex64", "complex128", "S3", "U2", "V5", "M8[s]", "m8[ns]", "float8_e4m3fn", "[('a', 'f4'), ('b', 'i2')]"]
FILES = ("set_threads", "set_keep_limit", "load", "save", "create", "savez", "savez_compressed", "savetxt", "loadtxt", "genfromtxt",
         "fromfile", "memmap", "tofile", "dump")  # a number is a file that is open, such as the standard output
FUNCTIONS = sorted((getattr(place, n) for place in (stria, stria.linalg) for n in dir(place) if not n.startswith("_")
                    and inspect.isroutine(getattr(place, n)) and n not in FILES), key=lambda f: f.__qualname__)
METHODS = sorted(n for n in dir(stria.Array) if n not in (*FILES, "__class__", "__init_subclass__", "__subclasshook__"))
KEYWORDS = ["axis", "dim", "out", "where", "dtype", "keepdims", "k", "copy", "order", "shape", "device", "correction",
            "descending", "stable", "axes", "size", "initial", "casting", "mode"]


class Unnoticed(BaseException):
    """Changes elements although the count of writes does not show it."""


WATCHED = []


def watch(array):
    with contextlib.suppress(stria.Error):
        if array._writes is not None:
            WATCHED.append((array, array._writes, array._digest))


def check_watched():
    for array, writes, digest in WATCHED:
        if array._writes == writes and array._digest != digest:
            raise Unnoticed(repr(array))
    WATCHED.clear()


class Odd:
    """Objects that raise whenever a method is called."""

    def __index__(self):
        raise RuntimeError("no index")

    def __getattr__(self, name):
        raise RuntimeError(name)


class Shifty:
    """An object whose memory changes between two calls."""

    def __init__(self, draw):
        self.draw = draw

    @property
    def __array_interface__(self):
        return {"shape": (self.draw.randint(-1, 3),), "typestr": self.draw.choice(("<f4", "|O8", "x", "<i8")),
                "data": (0, False), "version": 3}


def array(draw):
    shape = [draw.choice((0, 1, 2, 3, 5)) for _ in range(draw.choice((0, 1, 1, 2, 2, 3)))]
    try:
        made = stria.zeros(shape, dtype=draw.choice(DTYPES))
        if draw.random() < 0.5:
            made = stria.astype(stria.reshape(stria.arange(made.size), shape), made.dtype)
    except Exception:
        made = stria.arange(3.0)
    for _ in range(draw.randrange(3)):
        step = draw.randrange(7)
        try:
            if step == 0:
                made = made.T
            elif step == 1:
                made = made[..., :: draw.choice((-1, 2, -2))]
            elif step == 2:
                made = stria.broadcast_to(made, (2,) + made.shape)
            elif step == 3:
                made = made.conj()
            elif step == 4:
                made = made.readonly()
            elif step == 5:
                made = made[draw.randrange(2)]
            else:
                made = made + 0
        except Exception:
            pass
    watch(made)
    return made


def value(draw, depth=0):
    kind = draw.randrange(19 if depth < 3 else 12)
    if kind < 4:
        return array(draw) if draw.random() < 0.9 else stria.lazy(array(draw)) * 2
    if kind == 4:
        return draw.choice((0, 1, -1, 2, 3, 7, 100, -5, 2**31, 2**63 - 1, -(2**63), 2**64 - 1, 2**70))
    if kind == 5:
        return draw.choice((0.5, -1.0, float("nan"), float("inf"), 1e300, 3.0))
    if kind == 6:
        return draw.choice((True, False, None, Ellipsis, 1j, 2 - 3j))
    if kind == 7:
        return draw.choice(("C", "F", "K", "sum", "f4", "wrap", "ij", "cpu", "a", "", "ä", "channels_last", "preserve_format"))
    if kind == 8:
        return slice(*(draw.choice((None, 0, 1, -1, 5)) for _ in range(3)))
    if kind == 9:
        return stria.dtype(draw.choice(DTYPES[:12]))
    if kind == 10:
        return draw.choice((float, int, bool, object, b"bytes", bytearray(b"12345678"), {}, {1: 2}, set()))
    if kind == 11:
        return draw.choice((Odd(), Shifty(draw), object(), memoryview(b"abcd")[::2], range(3)))
    make = tuple if kind < 16 else list
    return make(value(draw, depth + 1) for _ in range(draw.randrange(4)))


def call(draw):
    args = [value(draw) for _ in range(draw.choice((0, 1, 1, 2, 2, 3, 4)))]
    keywords = {draw.choice(KEYWORDS): value(draw) for _ in range(draw.choice((0, 0, 0, 1, 2)))}
    what = draw.random()
    if what < 0.55:
        return draw.choice(FUNCTIONS)(*args, **keywords)
    x = array(draw)
    if what < 0.8:
        name = draw.choice(METHODS)
        if name in ("__dlpack__", "__reduce_ex__"):
            args = args[:1]
        method = getattr(x, name)
        return method(*args, **keywords) if callable(method) else method
    if what < 0.88:
        return x[tuple(args) if len(args) != 1 else args[0]]
    if what < 0.95:
        x[tuple(args[:-1])] = args[-1] if args else 0
        return x
    if what < 0.98:
        return pickle.loads(pickle.dumps(x, draw.randrange(2, 6)))
    return stria.from_dlpack(args[0] if args else x)


def context(draw):
    return draw.choice((contextlib.nullcontext, stria.checked, stria.no_copies, stria.copies, lambda: stria.threads(1),
                        lambda: stria.promotion("torch"), contextlib.nullcontext, contextlib.nullcontext))()


def one_round(seed):
    draw = random.Random(seed)
    kept = []
    for _ in range(50):
        try:
            with context(draw):
                result = call(draw)
            if isinstance(result, stria.Lazy) and draw.random() < 0.7:
                result.explain(), result.compute()
            kept.append(result)
            if draw.random() < 0.1:
                repr(result), str(result)
        except (MemoryError, RecursionError, SystemExit):
            pass
        except Exception:
            pass
        check_watched()
        if len(kept) > 5:
            kept.pop(draw.randrange(len(kept)))


def bound_memory():
    import resource

    if not os.environ.get("STRIA_FUZZ_ALL_MEMORY"):
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))


def main(seconds, seed=0):
    end, n = time.monotonic() + seconds, seed
    stria.set_threads(2)
    while time.monotonic() < end:
        if "-v" in sys.argv:
            print(n, flush=True)
        one_round(n)
        n += 1
        if n % 50 == 0:
            gc.collect()
    print(f"{n - seed} rounds of 50 calls, from seed {seed}")


if __name__ == "__main__":
    bound_memory()
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
