# SPDX-License-Identifier: BSD-3-Clause
"""Stria beside other libraries: the cases of `stria bench`, on the same memory in one process, in
turns, the destination given, on one thread or as many as --threads says. Each result is checked
before it is timed.

    bench/compare.py --suite layouts [--filter transpose] [--peers numpy,torch] [--html report.html]

Measured are memcpy, Stria, NumPy, PyTorch and numexpr where they are installed, and the libraries that were found
when `cmake --build build --target peers` was run. A figure is the median time of one call from
Python; that of another library is given in times of Stria's, where that library has a plan ready and
the copy is small also with a plan ready: above 1 Stria is faster. --json and
--html write the document and its page (report.py), with a row for each library.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

# The environment is read when the libraries are loaded.
_early = argparse.ArgumentParser(add_help=False)
_early.add_argument("--threads", default="1")
_early.add_argument("--isa")
_early = _early.parse_known_args()[0]
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = _early.threads
if _early.isa == "avx2":  # NumPy 2.4 and earlier releases name what is beyond it differently, and ignore other names
    os.environ["NPY_DISABLE_CPU_FEATURES"] = ("X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL "
                                              "AVX512_SPR")
    os.environ["ATEN_CPU_CAPABILITY"] = "avx2"

import numpy as np

import report
from peers import (Unavailable, memcpy_peer, native_peer, numexpr_peer, numpy_peer, stria_peer,
                   torch_peer)
from peers.arrays import Pair, elements

ENOUGH = 200e-6  # seconds for one timing


class Runs:
    """One peer on all pairs of a case: every call, of whichever peer, takes the next pair."""

    def __init__(self, runs, turn):
        self.runs, self.turn, self.calls = runs, turn, 1

    def time(self, calls):
        if len(self.runs) == 1:
            run = self.runs[0]
            start = time.perf_counter()
            for _ in itertools.repeat(None, calls):
                run()
        else:
            start = time.perf_counter()
            for _ in itertools.repeat(None, calls):
                self.runs[next(self.turn)]()
        return (time.perf_counter() - start) / calls

    def calibrate(self):
        """Runs at least once on every pair."""
        if self.time(len(self.runs)) < ENOUGH:
            self.calls = max(1, int(ENOUGH / max(self.time(3), 1e-9)))


def prepared(peer, case, pairs, turn):
    """Prepares a case; None when the peer cannot express it."""
    runs = [peer.prepare(case, pair) for pair in pairs]
    return None if None in runs else Runs(runs, turn)


OURS = (stria_peer, stria_peer.Planned)


def is_near(case, pairs, wanted, peer):
    """Tells whether results agree. Functions such as exp, which others do not round correctly, and reductions, which
    others compute in fewer digits, may be off by 8 units; a reduction by as much as the mean of 4096 rounding
    errors."""
    reduces = "reduction" in case
    if not reduces and not any(step["op"] == "exp" for step in case.get("math", ())):
        return False
    if case["to"] not in ("f16", "f32", "f64"):
        return False
    wanted = wanted.view(pairs[0].dst.dtype).astype("f8")
    units = (8 if peer in OURS or not reduces else 4096) * np.finfo(pairs[0].dst.dtype).eps
    return all(np.allclose(elements(pair.dst).view(pair.dst.dtype), wanted, rtol=units, atol=0)
               for pair in pairs)


def is_right(peer, case, runs, pairs, wanted):
    """Tells whether a peer means the same by a conversion; otherwise it is left out of that case."""
    for pair in pairs:
        pair.dst[...] = 0
    runs.calibrate()
    if all(np.array_equal(elements(pair.dst), wanted) for pair in pairs):
        return True
    if (peer not in OURS or "reduction" in case) and is_near(case, pairs, wanted, peer):
        return True
    if peer in OURS:
        sys.exit("%s: wrong result of Stria: this is a defect" % case["name"])
    return False


def measure(case, peers, options, table):
    """Returns {peer name: seconds of each round}."""
    pairs = [Pair(case) for _ in range(case["pairs"])]
    turn = itertools.cycle(range(len(pairs)))
    wanted = None if options.unchecked else pairs[0].wanted(case)
    subjects = {}
    for peer in peers:
        runs = prepared(peer, case, pairs, turn)
        if not runs:
            continue
        if options.unchecked or peer in (memcpy_peer, stria_peer.Flat):
            runs.calibrate()
        elif not is_right(peer, case, runs, pairs, wanted):
            print("left out: %s: another result than NumPy's" % peer.name, file=table)
            continue
        subjects[peer.name] = runs
    names = list(subjects)
    times = {name: [] for name in names}
    order = random.Random(0)
    for _ in range(options.rounds):
        for name in order.sample(names, len(names)):
            times[name].append(subjects[name].time(subjects[name].calls))
    return times


# ---- documents as `stria bench --json` writes them -------------------------------------------

def quartiles(values):
    if len(values) == 1:
        q1 = median = q3 = values[0]
    else:
        q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": median, "q1": q1, "q3": q3}


def is_planned(peer):
    return getattr(peer, "planned", False)


def times_of_stria(times, peer):
    """Returns how much longer a peer takes than Stria, with a plan if it has one, in each round."""
    planned = is_planned(peer) and stria_peer.Planned.name in times
    ours = times[stria_peer.Planned.name if planned else stria_peer.name]
    return [t / s for t, s in zip(times[peer.name], ours)]


def result(case, times, name, flat, others):
    """Returns a row of "results"."""
    seconds = times[name]
    flats = (memcpy_peer.name, stria_peer.Flat.name)
    moved = 2 * case["bytes_memcpy"] if name in flats else case["bytes_moved"]
    row = {"name": name, "seconds": quartiles(seconds),
           "gb_per_s": quartiles([moved * 1e-9 / s for s in seconds]),
           "ratio_to_memcpy": quartiles([m / s for m, s in zip(times["memcpy"], seconds)]),
           "ratio_to_flat": quartiles([f / s for f, s in zip(times[flat], seconds)])}
    if name in others:
        row.update(peer=True, planned=is_planned(others[name]),
                   times_of_stria=quartiles(times_of_stria(times, others[name])))
    return row


def with_results(case, times, peers, options):
    others = {p.name: p for p in peers}
    flat = min((memcpy_peer.name, stria_peer.Flat.name),
               key=lambda name: statistics.median(times[name]))
    rounds = len(times[stria_peer.name])
    return dict(case, threads=options.threads, rounds=rounds, checked=not options.unchecked,
                best_flat=flat, results=[result(case, times, name, flat, others) for name in times])


def tool(options, *args, **how):
    """Runs `stria bench`; a refusal, which it has explained, ends this program, too."""
    done = subprocess.run([os.path.join(options.build, "stria"), "bench", *args], **how)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done


def listed(options):
    args = ["--list", "--json", "--filter", options.filter, "--threads", str(options.threads)]
    for name in options.suite or ([] if options.cases else ["layouts"]):
        args += ["--suite", name]
    for path in options.cases:
        args += ["--cases", path]
    if options.regime:
        args += ["--regime", options.regime]
    if options.limit:
        args += ["--limit", str(options.limit)]
    document = json.loads(tool(options, *args, stdout=subprocess.PIPE, text=True).stdout)
    first, step = map(int, options.part.split("/"))
    # Contractions are compared with others in contract.py.
    document["cases"] = [c for c in document["cases"] if c["strategy"] != "contraction"][::options.sample][first - 1::step]
    return document


def write(options, document):
    text = json.dumps(document)
    if options.json:
        with open(options.json, "w") as file:
            file.write(text)
    if options.html:
        pathlib.Path(options.html).write_text(report.html(json.loads(text)))


# ---- the table --------------------------------------------------------------------------------

def median_of(times, peer):
    """Returns the median of a peer's times; None if it is not there."""
    return statistics.median(times_of_stria(times, peer)) if peer.name in times else None


def line(case, times, others):
    def shown(value):
        return "%11s" % "-" if value is None else "%11.2f" % value

    stria = statistics.median(times[stria_peer.name])
    memcpy = statistics.median(m / s for m, s in zip(times["memcpy"], times[stria_peer.name]))
    return ("%-40.40s%11.2f%10.2f" % (case["name"], stria * 1e6, memcpy) +
            "".join(shown(median_of(times, p)) for p in others))


def available(options, table):
    """Prints memcpy, the flat copy and Stria in two ways, and then the others."""
    peers, wanted = [], options.peers.split(",") if options.peers else None
    for peer in [stria_peer, memcpy_peer, numpy_peer, torch_peer, numexpr_peer] + native_peer.found(options):
        if wanted and peer.key not in wanted + ["stria", "memcpy"]:
            continue
        try:
            peer.load(options)
            peers.append(peer)
        except Unavailable as reason:
            print("left out: %s: %s" % (peer.key, reason), file=table)
    if stria_peer not in peers:
        sys.exit("no library; see --library")
    return [memcpy_peer, stria_peer.Flat, stria_peer, stria_peer.Planned], peers[2:]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build", help="where the tool and the library are")
    parser.add_argument("--library", help="default: BUILD/libstria.so")
    parser.add_argument("--suite", action="append", default=[], help="layouts when left out")
    parser.add_argument("--cases", action="append", default=[], help="a JSON file of cases")
    parser.add_argument("--filter", default="", help="cases whose suite, group or name has this")
    parser.add_argument("--part", default="1/1", help="K/N: every N-th case, from the K-th on")
    parser.add_argument("--sample", type=int, default=1, help="N: only every N-th case of all")
    parser.add_argument("--quiet", action="store_true", help="no table")
    parser.add_argument("--regime", choices=("hot", "l3", "dram"))
    parser.add_argument("--limit", type=int, help="bytes; larger arrays are made smaller")
    parser.add_argument("--isa", help="at most this instruction set for Stria; NumPy and PyTorch are held to avx2, too")
    parser.add_argument("--threads", type=int, default=1,
                        help="of everybody who can; NumPy, Eigen and xtensor cannot")
    parser.add_argument("--peers", help="numpy,torch,eigen,...; all that there are when left out")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--unchecked", action="store_true", help="time what was checked already")
    parser.add_argument("--json", help="write the figures as a document")
    parser.add_argument("--html", help="write the figures as a page")
    parser.add_argument("--check", action="store_true", help="fail when slower than NumPy")
    parser.add_argument("--tolerance", type=float, default=0.95)
    options = parser.parse_args()
    options.library = options.library or os.path.join(options.build, "libstria.so")
    if options.isa:
        os.environ["STRIA_ISA"] = options.isa
    return options


def main():
    options = arguments()
    table = open(os.devnull, "w") if options.quiet else sys.stdout
    ours, others = available(options, table)
    document = listed(options)
    document["versions"]["others"] = [p.name for p in others]
    cases, slower = [], {p.name: [] for p in others}
    print("%-40s%11s%10s" % ("case", "stria us", "x memcpy") +
          "".join("%11.10s" % p.key for p in others), file=table)
    for case in document["cases"]:
        times = measure(case, ours + others, options, table)
        cases.append(with_results(case, times, others, options))
        print(line(case, times, others), file=table, flush=True)
        for peer in others:
            ratio = median_of(times, peer)
            if ratio is not None and ratio < options.tolerance:
                slower[peer.name].append("%s (%.2f)" % (case["name"], ratio))
    document["cases"] = cases
    write(options, document)
    empty = Runs([stria_peer.overhead()], None)
    print("an empty call of Stria from Python costs %.2f us of each of its figures"
          % (1e6 * statistics.median(empty.time(1000) for _ in range(11))), file=table)
    for name, which in slower.items():
        print("faster than Stria: %s: %s" % (name, ", ".join(which) or "nowhere"), file=table)
    return 1 if options.check and slower.get(numpy_peer.name) else 0


if __name__ == "__main__":
    sys.exit(main())
