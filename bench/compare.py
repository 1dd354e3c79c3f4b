# SPDX-License-Identifier: BSD-3-Clause
"""Stria beside NumPy, PyTorch and memcpy: the copies of stria_bench, on the same buffers in one
process, in turns, the destination given. Each result is checked before it is timed.

    bench/compare.py [--build build] [--filter transpose] [--threads 1] [--check]

A figure is the median time of one call from Python. "x numpy" is the median over the rounds of
NumPy's time divided by Stria's: above 1 Stria is faster. --check fails when a case is below
--tolerance.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

from peers import Unavailable, memcpy_peer, numpy_peer, stria_peer, torch_peer

DTYPES = {"u8": "u1", "f16": "f2", "f32": "f4", "f64": "f8", "c128": "c16"}
ENOUGH = 50e-6  # seconds for one timing


def block(size):
    """Touched memory with a pattern, 64 bytes aligned."""
    raw = np.empty(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    made = raw[start:start + size]
    pattern = np.random.default_rng(1).integers(0, 256, 4099, np.uint8)
    for at in range(0, size, pattern.size):
        made[at:at + pattern.size] = pattern[:size - at]
    return made


def array(layout, dtype):
    """A writable array of that layout in memory of its own."""
    return np.ndarray(layout["shape"], DTYPES[dtype], block(layout["bytes"]), layout["offset"],
                      layout["strides"])


def time_of(run, calls):
    start = time.perf_counter()
    for _ in itertools.repeat(None, calls):
        run()
    return (time.perf_counter() - start) / calls


def calls_for(run):
    run()
    return max(1, int(ENOUGH / max(time_of(run, 3), 1e-9)))


def check(peer, run, dst, wanted):
    dst[...] = np.zeros((), dst.dtype)
    run()
    if dst.tobytes() != wanted:
        sys.exit("%s: wrong result" % peer.name)


def measure(case, peers, rounds):
    """{peer name: seconds of each round}"""
    dst, src = array(case["dst"], case["dtype"]), array(case["src"], case["dtype"])
    wanted = np.broadcast_to(src, dst.shape).tobytes()
    runs = {p.name: p.prepare(case, dst, src) for p in peers}
    runs = {name: run for name, run in runs.items() if run}
    for peer in peers:
        if peer.name in runs and peer is not memcpy_peer:
            check(peer, runs[peer.name], dst, wanted)
    names = list(runs)
    calls = {name: calls_for(runs[name]) for name in names}
    times = {name: [] for name in names}
    for i in range(rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            times[name].append(time_of(runs[name], calls[name]))
    return times


def ratio(times, name):
    """How much longer that peer takes than Stria; None when it is not there."""
    if name not in times:
        return None
    return statistics.median(t / s for t, s in zip(times[name], times["stria"]))


def shown(value, form, unit=1.0):
    return "-" if value is None else form % (value * unit)


def cases(options):
    program = os.path.join(options.build, "bench", "stria_bench")
    listed = subprocess.run([program, "--list_copies"], capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in listed.stdout.splitlines()]
    return [c for c in found if options.filter in c["name"]]


def available(options):
    peers = []
    for peer in (stria_peer, memcpy_peer, numpy_peer, torch_peer):
        try:
            peer.load(options)
            peers.append(peer)
        except Unavailable as reason:
            print("left out: %s: %s" % (peer.name, reason))
    if stria_peer not in peers:
        sys.exit("no library; see --library")
    return peers


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build", help="where stria_bench and the library are")
    parser.add_argument("--library", help="default: BUILD/libstria.so")
    parser.add_argument("--filter", default="", help="cases whose name contains this")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--check", action="store_true", help="fail when slower than NumPy")
    parser.add_argument("--tolerance", type=float, default=0.95)
    options = parser.parse_args()
    options.library = options.library or os.path.join(options.build, "libstria.so")
    return options


def main():
    options = arguments()
    peers = available(options)
    slower = []
    head = "%-52s" + "%11s" * 4 + "%10s" * 3
    print(head % ("case", "stria us", "memcpy us", "numpy us", "torch us", "x memcpy", "x numpy",
                  "x torch"))
    for case in cases(options):
        times = measure(case, peers, options.rounds)
        medians = {name: statistics.median(t) for name, t in times.items()}
        ratios = {name: ratio(times, name) for name in ("memcpy", "numpy", "torch")}
        print(head % ((case["name"],) +
                      tuple(shown(medians.get(n), "%.2f", 1e6)
                            for n in ("stria", "memcpy", "numpy", "torch")) +
                      tuple(shown(ratios[n], "%.2f") for n in ("memcpy", "numpy", "torch"))),
              flush=True)
        if ratios["numpy"] < options.tolerance:
            slower.append(case["name"])
    empty = stria_peer.overhead()
    print("an empty call of Stria from Python costs %.2f us of each of its figures"
          % (1e6 * statistics.median(time_of(empty, 1000) for _ in range(11))))
    print("slower than NumPy: %s" % (", ".join(slower) or "none"))
    return 1 if options.check and slower else 0


if __name__ == "__main__":
    sys.exit(main())
