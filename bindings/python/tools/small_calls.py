# SPDX-License-Identifier: BSD-3-Clause
"""Times calls on few elements against NumPy's, in turns: python small_calls.py [SECONDS] [FILTER]. The least of all turns
counts; the ratio is Stria's time divided by NumPy's."""

import sys
import timeit

import numpy as np

import stria as st

# What is timed, with the module as m, arrays x and y of n float64, z of n by n, v of n, i of places, k of bool, s an element.
CALLS = {
    "zeros": "m.zeros(n)", "empty": "m.empty(n)", "ones": "m.ones(n)", "asarray(ndarray)": "m.asarray(a)",
    "asarray(x)": "m.asarray(x)", "array(list)": "m.array(l)", "arange": "m.arange(n)",
    "np.asarray(x)": "np.asarray(x)", "x[0]": "x[0]", "x[i]": "x[i]", "x[mask]": "x[k]", "x[1:]": "x[1:]",
    "z[0, 0]": "z[0, 0]", "z[:, 0]": "z[:, 0]", "x[0] = 1.0": "x[0] = 1.0", "x[:] = y": "x[:] = y", "x[1:] = 0": "x[1:] = 0",
    "x + y": "x + y", "x * 2.0": "x * 2.0", "x += y": "x += y", "x < y": "x < y", "-x": "-x", "x ** 2": "x ** 2", "exp": "m.exp(x)",
    "maximum": "m.maximum(x, y)", "where": "m.where(k, x, y)", "clip": "m.clip(x, 0, 1)", "sum": "x.sum()", "max": "x.max()",
    "mean": "x.mean()", "argmax": "x.argmax()", "m.sum": "m.sum(x)", "sum(axis)": "z.sum(axis=0)", "astype": "x.astype('float32')",
    "copy": "x.copy()", "reshape": "x.reshape(-1, 1)", "z.T": "z.T", "z @ z": "z @ z", "z @ v": "z @ v", "v @ v": "v @ v",
    "m.dot": "m.dot(v, v)", "shape": "x.shape", "dtype": "x.dtype", "len": "len(x)", "concatenate": "m.concatenate((x, y))",
    "s + s": "s + s", "s * 2.0": "s * 2.0", "2.0 * s": "2.0 * s", "s < 1.0": "s < 1.0", "float(s)": "float(s)", "-s": "-s",
    "s * x": "s * x", "if s > 0": "1 if s > 0.5 else 2", "x[0] + x[0]": "x[0] + x[0]",
    "np.add(x, x)": "np.add(x, x)", "np.dot(x, x)": "np.dot(x, x)", "np.sum(x)": "np.sum(x)", "np.exp(x)": "np.exp(x)",
    "np.concatenate": "np.concatenate((x, y))", "np.where": "np.where(k, x, y)", "np.zeros_like": "np.zeros_like(x)",
}


def names(m, n):
    a = np.linspace(0.0, 1.0, n)
    z = np.linspace(0.0, 1.0, n * n).reshape(n, n)
    x = m.asarray(a.copy())
    return {"m": m, "np": np, "n": n, "a": a, "l": a.tolist(), "X": x, "y": m.asarray(a.copy()), "z": m.asarray(z.copy()),
            "v": m.asarray(a.copy()), "i": m.asarray(np.arange(n)), "k": m.asarray(a > 0.5), "s": x[n // 2]}


def compare(text, n, seconds):
    timers = [timeit.Timer(text, "x = X", globals=names(m, n)) for m in (st, np)]
    best = [1e9, 1e9]
    loops = [max(1, int(seconds / 10 / (t.timeit(20) / 20))) for t in timers]
    for _ in range(5):
        for side, timer in enumerate(timers):
            best[side] = min(best[side], timer.timeit(loops[side]) / loops[side] * 1e9)
    return best


def main(seconds=0.05, pattern=""):
    above = total = 0
    for label, text in CALLS.items():
        if pattern not in label:
            continue
        line = f"{label:20}"
        for n in 1, 16:
            ours, theirs = compare(text, n, float(seconds))
            line += f"  n={n:<3}{ours:8.0f} ns {theirs:8.0f} ns {ours / theirs:6.2f}"
            total += 1
            above += ours > 1.3 * theirs * (1 if "np." not in label or label == "np.asarray(x)" else 2.3)
        print(line, flush=True)
    print(f"{above} of {total} are slower than they should be")


if __name__ == "__main__":
    main(*sys.argv[1:])
