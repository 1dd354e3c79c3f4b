# SPDX-License-Identifier: BSD-3-Clause
"""Times calls on 16 floats beside NumPy's in one process: python measure.py [ROUNDS]. Medians of rounds in turns; ns
of a call, without the loop, and the share of NumPy's time that it may take. Large arrays stand below, beside the
call of C."""

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import timeit

import numpy as np
import stria

a = np.arange(16, dtype="f4")
x = stria.asarray(a.tolist(), dtype="float32")
s = np.ones((4, 4), "f4")
y = stria.asarray(s.tolist(), dtype="float32")
names = {"a": a, "b": a + 1, "c": a + 2, "x": x, "y": y, "s": s, "z": x + 1, "out": x + 2, "np": np, "st": stria,
         "view": memoryview}
CASES = [  # a label, NumPy's call, Stria's, and the share of NumPy's time that it may take
    ("a + b", "a + b", "x + z", 0.40),
    ("add(a, b, out=)", "np.add(a, b, out=c)", "st.add(x, z, out=out)", 0.30),
    ("a + 1.0", "a + 1.0", "x + 1.0", 0.30),
    ("exp(a)", "np.exp(a)", "st.exp(x)", 0.40),
    ("sum(a)", "np.sum(a)", "st.sum(x)", 0.15),
    ("a[2:5]", "a[2:5]", "x[2:5]", 1.0),
    ("a[3]", "a[3]", "x[3]", None),
    ("a.T", "s.T", "y.T", 1.0),
    ("permute_dims", "np.permute_dims(s, (1, 0))", "st.permute_dims(y, (1, 0))", 0.2),
    ("reshape", "np.reshape(a, (4, 4))", "st.reshape(x, (4, 4))", 0.5),
    (".reshape", "a.reshape(4, 4)", "x.reshape(4, 4)", 1.0),
    ("x[:, 1]", "s[:, 1]", "y[:, 1]", 1.0),
    ("squeeze", "np.squeeze(s)", "st.squeeze(y)", 1.0),
    ("expand_dims", "np.expand_dims(s, 0)", "st.expand_dims(y, axis=0)", 1.0),
    ("flip", "np.flip(s, 0)", "st.flip(y, axis=0)", 1.0),
    ("broadcast_to", "np.broadcast_to(s, (3, 4, 4))", "st.broadcast_to(y, (3, 4, 4))", 1.0),
    ("moveaxis", "np.moveaxis(s, 0, 1)", "st.moveaxis(y, 0, 1)", 1.0),
    ("a.view(dtype)", "a.view('i4')", "x.view('i4')", 1.0),
    ("a.shape", "a.shape", "x.shape", None),
    ("zeros(16)", "np.zeros(16)", "st.zeros(16)", 1.0),
    ("asarray(a)", "np.asarray(view(a))", "np.asarray(x)", 1.2),
    ("__dlpack__", "a.__dlpack__(max_version=(1, 0))", "x.__dlpack__(max_version=(1, 0))", 1.5),
    ("__dlpack__()", "a.__dlpack__()", "x.__dlpack__()", 1.5),
    ("from_dlpack", "np.from_dlpack(a)", "st.from_dlpack(a)", 1.5),
]


def small(rounds):
    print(f"{'case':18}{'NumPy':>8}{'Stria':>8}{'ratio':>8}{'most':>7}")
    for what, theirs, ours, most in CASES:
        times = ([], [])
        timers = [timeit.Timer(text, globals=names) for text in (theirs, ours, "pass")]
        count = 2000
        for _ in range(rounds):
            loop = timers[2].timeit(count)
            for i in range(2):
                times[i].append((timers[i].timeit(count) - loop) / count * 1e9)
        n, st = map(statistics.median, times)
        print(f"{what:18}{n:8.0f}{st:8.0f}{st / n:8.2f}{most or '':>7}{' MORE' if most and st / n > most else ''}")
    print(f"bytes of 16 f32: {sys.getsizeof(a)}, {sys.getsizeof(x)}; of a view: {sys.getsizeof(a[1:])}, {sys.getsizeof(x[1:])}")


TABLE = r"""
#include <stdint.h>
#include <time.h>
typedef struct managed { uint32_t major, minor; void *context; void (*deleter)(struct managed *); } managed;
double table(int (*from)(void *, managed **), void *x, long n)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < n; i++) {
        managed *tensor;
        if (from(x, &tensor)) return -1;
        tensor->deleter(tensor);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)n;
}
"""


def table(rounds):
    """Times a tensor that is made by DLPack's exchange table and released, from C."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "table.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=TABLE, text=True, check=True)
        call = ctypes.PyDLL(library).table
    call.restype, call.argtypes = ctypes.c_double, (ctypes.c_void_p, ctypes.py_object, ctypes.c_long)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    at = pointer(stria.Array.__dlpack_c_exchange_api__, b"dlpack_exchange_api")
    from_object = ctypes.cast(at, ctypes.POINTER(ctypes.c_void_p))[3]
    for what, array in (("16 f32", x), ("a view of 16 KiB", stria.zeros((64, 64), dtype="float32")[1:, 2:])):
        ns = statistics.median(call(from_object, array, 20000) for _ in range(rounds))
        print(f"exchange table, {what}: {ns:.0f} ns, at most 60")


def start():
    for module in ("numpy", "stria"):
        text = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run([sys.executable, "-c", text], capture_output=True, env=environment)
        runs = [float(subprocess.run([sys.executable, "-c", text], capture_output=True, env=environment).stdout) for _ in range(9)]
        print(f"import {module}: {1000 * statistics.median(runs):.1f} ms")


def large(rounds):
    """Times 16 MiB through Python, and by stria_eval, which is C except for one call."""
    big = stria.ones((256, 128, 128))
    for what, one, other in (("permute+contiguous", "x.permute(2, 0, 1).contiguous()", "st.eval('x.permute(2, 0, 1).contiguous()', x=x)"),
                             ("x + x", "x + x", "st.eval('x + x', x=x)")):
        timers = [timeit.Timer(text, globals={"x": big, "st": stria}) for text in (one, other)]
        times = [[], []]
        for _ in range(rounds):
            for i in range(2):
                times[i].append(timers[i].timeit(1))
        a, b = map(statistics.median, times)
        print(f"{what} of 16 MiB: {a * 1e3:.2f} ms, {a / b:.3f} of C")


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    small(rounds)
    table(rounds)
    start()
    stria.set_threads(1)
    large(rounds)
