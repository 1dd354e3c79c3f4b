# SPDX-License-Identifier: BSD-3-Clause
"""The cost of a view in Stria, NumPy and PyTorch, in nanoseconds side by side.

    bench/compare_views.py [--build build] [--filter index] [--check]

Stria and PyTorch are called in C and C++ (stria_bench, and stria_bench_aten where it was built, see
aten/CMakeLists.txt). NumPy has most of its views in Python only, so that its figures (timeit) hold
a call from Python; the last line tells what the cheapest one costs. Each figure is the least of
several repetitions, divided by the number of views that a call makes. --check fails when a view of
Stria takes longer than --most.
"""

import argparse
import csv
import os
import subprocess
import sys
import timeit

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

DIMS = (1, 4, 8)
REPETITIONS = 9

# name: (the arrays it works on, the call); the names are those of bench_views.cc
CALLS = {
    "permute": ("fours", "a.transpose(reverse)"),
    "transpose": ("fours", "a.swapaxes(0, -1)"),
    "T": ("fours", "a.T"),
    "mT": ("fours", "a.mT"),
    "movedim": ("fours", "moveaxis(a, 0, -1)"),
    "rollaxis": ("fours", "rollaxis(a, last, 0)"),
    "view, split": ("fours", "a.reshape(halved)"),
    "view, merge": ("fours", "a.reshape(merged)"),
    "view_as": ("fours", "a.reshape(sizes)"),
    "reshape": ("fours", "a.reshape(-1)"),
    "flatten": ("fours", "a.reshape(-1)"),
    "ravel": ("fours", "a.ravel()"),
    "unflatten": ("fours", "a.reshape(halved)"),
    "squeeze": ("ones", "a.squeeze()"),
    "squeeze, dims": ("ones", "a.squeeze(0)"),
    "unsqueeze": ("fours", "expand_dims(a, 0)"),
    "expand_dims": ("fours", "expand_dims(a, (0, 1))"),
    "atleast_1d": ("fours", "atleast_1d(a)"),
    "atleast_2d": ("fours", "atleast_2d(a)"),
    "atleast_3d": ("fours", "atleast_3d(a)"),
    "index": ("fours", "a[every_second]"),
    "select": ("fours", "a[1, ...]"),
    "narrow": ("fours", "a[..., 1:3]"),
    "slice": ("fours", "a[::2]"),
    "split": ("fours", "split(a, 4)"),
    "split, equal": ("fours", "split(a, 2)"),
    "chunk": ("fours", "split(a, 2)"),
    "tensor_split": ("fours", "array_split(a, 3)"),
    "tensor_split, indices": ("fours", "array_split(a, (2,))"),
    "hsplit": ("fours", "hsplit(a, 2)"),
    "hsplit, indices": ("fours", "hsplit(a, (2,))"),
    "vsplit": ("fours", "vsplit(a, 2)"),
    "vsplit, indices": ("fours", "vsplit(a, (2,))"),
    "dsplit": ("fours", "dsplit(a, 2)"),
    "dsplit, indices": ("fours", "dsplit(a, (2,))"),
    "unbind": ("fours", "unstack(a)"),
    "broadcast_to": ("ones", "broadcast_to(a, sizes)"),
    "broadcast_to, new dim": ("ones", "broadcast_to(a, larger)"),
    "broadcast_tensors": ("ones", "broadcast_arrays(a, b)"),
    "meshgrid": ("fours", "meshgrid(a, b, a, b, copy=False, indexing='ij')"),
    "flip": ("fours", "flip(a)"),
    "fliplr": ("fours", "fliplr(a)"),
    "flipud": ("fours", "flipud(a)"),
    "rot90": ("fours", "rot90(a)"),
    "diagonal": ("fours", "a.diagonal()"),
    "linalg_diagonal": ("fours", "a.diagonal(0, -2, -1)"),
    "sliding_window_view": ("fours", "sliding_window_view(a, 2, 0)"),
    "as_strided, from element 0": ("fours", "as_strided(a, twos, steps)"),
    "view dtype, same size": ("fours", "a.view(i4)"),
    "view dtype, bytes": ("fours", "a.view(u1)"),
    "view dtype, record": ("bytes", "a.view(record)"),
    "newbyteorder": ("fours", "a.view(swapped)"),
    "getfield": ("fours", "a.getfield(u1, 1)"),
    "asmatrix": ("fours", "asmatrix(a)"),
    "view_field": ("records", "a['z']"),
    "structured_to_unstructured": ("records", "structured_to_unstructured(a, copy=False)"),
    "real": ("complex", "a.real"),
    "imag": ("complex", "a.imag"),
    "contiguous": ("fours", "ascontiguousarray(a)"),
}
RECORD = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])


def names(ndim, of):
    """Makes the arrays that the calls name."""
    import numpy.lib.recfunctions as recfunctions
    shape = [1 if of == "ones" and d % 2 == 0 else 4 for d in range(ndim)]
    if of == "bytes":
        shape[-1] = 12
    dtype = {"complex": np.dtype("c8"), "bytes": np.dtype("u1"), "records": RECORD}
    known = {name: getattr(np, name) for name in dir(np) if not name.startswith("_")}
    known.update(
        a=np.empty(shape, dtype.get(of, np.dtype("f4"))), b=np.empty([4] * ndim, "f4"),
        last=ndim - 1, reverse=tuple(range(ndim))[::-1], sizes=(4,) * ndim,
        larger=(4,) * (ndim + 1), twos=(2,) * ndim, steps=(4,) * ndim,
        halved=(2, 2) + (4,) * (ndim - 1), merged=(4,) * (ndim - 2) + (16,),
        every_second=(slice(0, None, 2),) * ndim, i4=np.dtype("i4"), u1=np.dtype("u1"),
        swapped=np.dtype(">f4"), record=RECORD, as_strided=as_strided,
        sliding_window_view=sliding_window_view,
        structured_to_unstructured=recfunctions.structured_to_unstructured)
    return known


def nanoseconds(call, known, number=2000):
    timer = timeit.Timer(call, globals=known)
    timer.timeit(number)
    return min(timer.repeat(REPETITIONS, number)) / number * 1e9


def of_numpy(rows, views):
    """Returns {name: {ndim: ns of one view}} of NumPy."""
    found = {}
    for name, (of, call) in CALLS.items():
        for ndim in rows.get(name, {}):
            took = nanoseconds(call, names(ndim, of))
            found.setdefault(name, {})[ndim] = took / views[name]
    return found


def of_program(program, pattern):
    """Returns the same of a program of google-benchmark, and how many views a call makes."""
    done = subprocess.run(
        [program, "--benchmark_filter=^view/.*" + pattern, "--benchmark_min_time=0.004",
         "--benchmark_repetitions=%d" % REPETITIONS, "--benchmark_format=csv",
         "--benchmark_enable_random_interleaving=true"], capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (program, done.stderr))
    listed = subprocess.run([program, "--benchmark_list_tests"], capture_output=True, text=True)
    found, views = {}, {}
    for name in listed.stdout.splitlines():
        if name.startswith("view/"):
            found["/".join(name.split("/")[1:-1])] = {}
    lines = done.stdout.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("name,"))
    for line in csv.DictReader(lines[head:]):
        parts = line["name"].split("/")
        if not parts[-1].isdigit():
            continue  # Means and medians are skipped.
        name, ndim = "/".join(parts[1:-1]), int(parts[-1])
        views[name] = int(float(line.get("views") or 1))
        least = found.setdefault(name, {})
        least[ndim] = min(least.get(ndim, float("inf")), float(line["real_time"]))
    return {name: times for name, times in found.items() if times}, views


def per_view(found, views):
    return {name: {ndim: ns / views.get(name, 1) for ndim, ns in times.items()}
            for name, times in found.items()}


def shown(times):
    """Returns the figures at 1, 4 and 8 dims; those of 2 if there is no 1."""
    cells = [times.get(d, times.get(2) if d == 1 else None) for d in DIMS]
    return "".join("%8s" % ("-" if ns is None else "%.1f" % ns) for ns in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--filter", default="", help="rows whose name matches")
    parser.add_argument("--check", action="store_true", help="fail when a view takes longer")
    parser.add_argument("--most", type=float, default=30.0, help="nanoseconds")
    options = parser.parse_args()
    bench = os.path.join(options.build, "bench")
    stria, views = of_program(os.path.join(bench, "stria_bench"), options.filter)
    numpy = of_numpy(stria, views)
    aten_program, aten = os.path.join(bench, "stria_bench_aten"), {}
    if os.path.exists(aten_program):
        aten = per_view(of_program(aten_program, options.filter)[0], views)
    else:
        print("left out: PyTorch: no stria_bench_aten; configure with -DSTRIA_TORCH_PYTHON=python3")
    stria = per_view(stria, views)
    print("%-28s%24s%24s%24s" % ("ns for one view", "stria", "numpy", "aten"))
    print("%-28s%s" % ("dims", ("%8d" * 3 % DIMS) * 3))
    slow = []
    for name, times in stria.items():
        print("%-28s%s%s%s" % (name, shown(times), shown(numpy.get(name, {})),
                               shown(aten.get(name, {}))))
        slow += [name] if max(times.values()) > options.most else []
    print("of NumPy's figures, a call from Python: %.0f ns"
          % nanoseconds("a.__len__()", names(1, "fours")))
    print("above %g ns: %s" % (options.most, "; ".join(slow) or "none"))
    return 1 if options.check and slow else 0


if __name__ == "__main__":
    sys.exit(main())
