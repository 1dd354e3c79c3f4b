#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of this folder with NumPy, PyTorch (where it is installed) and Stria, on one thread.

compare.py [SECONDS [PROGRAM...]]   SECONDS: how long each program is timed, 2 without it

Each program is written once against xp. All take turns, medians are printed, in ms, with how many times Stria is faster
than the faster of the others: eagerly, and lazily, where the functions that a program marks with fuse are computed in as
few passes as there can be. Results are compared with NumPy's.
"""

import importlib
import math
import statistics
import sys
import time

import numpy
import stria

PROGRAMS = ["heat", "kmeans", "image", "softmax", "mandelbrot", "nbody", "distances"]


def eager(function):
    return function


def libraries():
    """Name: namespace, how arrays of NumPy become its own, what fuse is."""
    yield "numpy", numpy, numpy.copy, eager
    try:
        import torch
    except ImportError:
        pass
    else:
        torch.set_num_threads(1)
        yield "torch", torch, lambda a: torch.from_numpy(a.copy()), eager
    yield "stria", stria, lambda a: stria.asarray(a.copy()), eager
    yield "lazy", stria, lambda a: stria.asarray(a.copy()), stria.fused


def run(name, seconds):
    module = importlib.import_module(name)
    data = module.inputs(numpy.random.default_rng(1))
    times, results = {}, {}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["numpy"]) < 3:
        for library, xp, own, fuse in libraries():
            arrays = [own(a) for a in data]
            start = time.perf_counter()
            result = module.program(xp, fuse, *arrays)
            times.setdefault(library, []).append(time.perf_counter() - start)
            results[library] = numpy.asarray(result)
    for library, result in results.items():
        numpy.testing.assert_allclose(result, results["numpy"], rtol=1e-3, atol=1, err_msg=f"{name}, {library}")
    return {library: statistics.median(of[1:]) for library, of in times.items()}


def main(seconds=2.0, programs=PROGRAMS):
    ratios = {"stria": [], "lazy": []}
    with stria.threads(1), numpy.errstate(all="ignore"):
        for name in programs:
            times = run(name, float(seconds))
            peer = min(times[n] for n in ("numpy", "torch") if n in times)
            line = "  ".join(f"{library} {1e3 * t:8.3f}" for library, t in times.items())
            for library, all_of in ratios.items():
                all_of.append(peer / times[library])
            print(f"{name:11} {line}   x {ratios['stria'][-1]:.2f}, lazily {ratios['lazy'][-1]:.2f}", flush=True)
    for library, all_of in ratios.items():
        print(f"{library}: geometric mean {math.prod(all_of) ** (1 / len(all_of)):.2f}, least {min(all_of):.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:2], **({"programs": sys.argv[2:]} if sys.argv[2:] else {}))
