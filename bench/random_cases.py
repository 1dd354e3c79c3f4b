# SPDX-License-Identifier: BSD-3-Clause
"""Cases of random layouts, sizes, steps and conversions, so that figures do not only cover cases that somebody chose.

    bench/random_cases.py --seed 7 --count 240 > random.json
    bench/random_cases.py --seed 7 --against numpy,torch --build build --isa avx2

The first line writes a list for `stria bench --cases` and compare.py. The second runs it through compare.py, repeats
those in which another library takes less than 0.93 of Stria's time, and tries each row of the table of strategies
(src/move/moves.c) on those that lose three times, so that a wrong choice is told from a slow kernel.

A copy is of an array of 1 to 5 dims and 1 KiB to 64 MiB, permuted, with steps of up to 4 in either direction and parts
cut off along some of its dims. Every fourth is converted to another dtype. Of the other kinds, layouts are ordinary
ones of random sizes, programs operations on permuted operands, and permutations dense arrays. A seed gives the same cases everywhere.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

DTYPES = ["u8", "i16", "f16", "f32", "f32", "f32", "i32", "f64", "i64", "c128"]
CONVERSIONS = ["u8", "i16", "f16", "f32", "f64", "i32", "i64"]
BYTES = {"u8": 1, "i16": 2, "f16": 2, "f32": 4, "i32": 4, "f64": 8, "i64": 8, "c128": 16}


def sizes(rng, ndim, items):
    """Returns extents whose product is about `items`: some of them are small, and some are powers of two."""
    shape = []
    for left in range(ndim, 0, -1):
        mean = max(items, 1) ** (1 / left)
        n = int(mean if left == 1 else mean * 4 ** rng.uniform(-1, 1))
        if rng.random() < 0.2 and left > 1:
            n = rng.choice([2, 3, 4, 8])
        elif rng.random() < 0.2:
            n = 1 << max(n, 1).bit_length() - 1
        shape.append(max(n, 1))
        items /= shape[-1]
    rng.shuffle(shape)
    return shape


def subscript(rng, ndim):
    """Returns steps, flips and cuts; empty if every dim is taken whole."""
    parts = []
    for _ in range(ndim):
        kind = rng.random()
        if kind < 0.6:
            parts.append(":")
        elif kind < 0.75:
            parts.append("::%d" % rng.randint(2, 4))
        elif kind < 0.85:
            parts.append("::-1")
        elif kind < 0.9:
            parts.append("::-%d" % rng.randint(2, 3))
        else:
            parts.append("%d:" % rng.randint(1, 3))
    return "[%s]" % ", ".join(parts) if set(parts) != {":"} else ""


def permuted(order):
    return ".permute(%s)" % ", ".join(map(str, order)) if order != sorted(order) else ""


def case(rng, number):
    dtype = rng.choice(DTYPES)
    to = dtype
    if number % 4 == 3:
        dtype = rng.choice(CONVERSIONS)
        to = rng.choice([d for d in CONVERSIONS if d != dtype])
    ndim = rng.randint(1, 5)
    items = 2 ** rng.uniform(10, 26) / BYTES[dtype]
    shape = [max(n, 4) for n in sizes(rng, ndim, items)]
    order = list(range(ndim))
    rng.shuffle(order)
    expr = subscript(rng, ndim) + permuted(order)
    made = {"name": "%03d %s %s%s" % (number, "x".join(map(str, shape)), expr, "" if to == dtype else " to " + to),
            "dtype": dtype, "shape": shape, "expr": expr}
    if to != dtype:
        made["to"] = to
    return made


# What people move: heads of attention, channels first and last, planes and records, windows, flips. B, T and so on are
# random sizes; a number is meant.
LAYOUTS = [("BTHD", ".permute(0, 2, 1, 3)"), ("BHTD", ".permute(0, 1, 3, 2)"), ("NHWC", ".permute(0, 3, 1, 2)"),
           ("NCHW", ".permute(0, 2, 3, 1)"), ("HW3", ".permute(2, 0, 1)"), ("3HW", ".permute(1, 2, 0)"),
           ("HW4", "[:, :, :3]"), ("HW", ".T"), ("HWC", ".permute(1, 0, 2)"), ("HW", "[:, ::2]"), ("HW", "[::2, ::2]"),
           ("HW", "[:, ::-1]"), ("HW", "[::-1]"), ("NHW", "[:, 1:, 1:]"), ("NHWC", ".permute(3, 2, 1, 0)")]
EXTENTS = {"B": (1, 32), "T": (64, 1024), "N": (1, 32), "C": (16, 256)}


def layout(rng, number):
    dims, expr = LAYOUTS[number % len(LAYOUTS)]
    dtype = rng.choice(["u8", "f16", "f32", "f32", "f64"])
    while True:
        shape = [int(d) if d.isdigit() else rng.choice([32, 64, 128]) if d == "D" else
                 int(2 ** rng.uniform(*map(math.log2, EXTENTS.get(d, (8, 4096))))) for d in dims]
        if 1 << 12 <= math.prod(shape) * BYTES[dtype] <= 1 << 26:
            break
    if expr == ".permute(0, 2, 1, 3)" and number % 2:
        expr += "[:, :, 1:]"
    return {"name": "%03d %s %s" % (number, "x".join(map(str, shape)), expr), "dtype": dtype, "shape": shape,
            "expr": expr}


PROGRAMS = ["{x} + {y}", "{x} * 2 + {y}", "({x} + {y}) * {x}", "{x}.exp()", "({x} < {y})", "{z} * 1",
            "{x}.sum(0)", "{x}.max(-1)"]


def program(rng, number):
    """Operands whose shapes agree once each is permuted."""
    ndim, items = rng.choice([2, 2, 3, 3, 4]), rng.choice([3e3, 6e4, 5e5, 5e6])
    shape = [max(n, 4) for n in sizes(rng, ndim, items)]
    of_x, of_y, of_z = (rng.sample(range(ndim), ndim) for _ in range(3))
    dtype = rng.choice(["f32", "f32", "f64", "f16", "i32", "u8"])
    form = rng.choice([p for p in PROGRAMS if dtype[0] == "f" or "exp" not in p])
    cut = rng.choice(["", "", "", "[::2]", "[:, ::2]", "[:, ::-1]"])
    other = [shape[of_x[of_y.index(d)]] for d in range(ndim)]
    x, y = "(x%s%s)" % (permuted(of_x), cut), "(y%s%s)" % (permuted(of_y), cut)
    expr = form.format(x=x, y=y, z=x + permuted(of_z))
    made = {"name": "%03d %s %s" % (number, "x".join(map(str, shape)), expr), "dtype": dtype, "shape": shape,
            "expr": expr}
    if "{y}" in form:
        made["with"] = ["y=%s:%s" % (",".join(map(str, other)), rng.choice([dtype, dtype, "f32", "i16"]))]
    return made


def permutation(rng, number):
    """A dense array whose dims are permuted: every second one lies in the caches, the others come from memory."""
    dtype, ndim = rng.choice(["u8", "f16", "f32", "f32", "f64", "c128"]), rng.randint(2, 6)
    items = 2 ** (rng.uniform(25, 26) if number % 2 else rng.uniform(14, 22)) / BYTES[dtype]
    shape = [max(n, 2) for n in sizes(rng, ndim, items)]
    order = list(range(ndim))
    while order == sorted(order):
        rng.shuffle(order)
    return {"name": "%03d %s %s" % (number, "x".join(map(str, shape)), permuted(order)), "dtype": dtype,
            "shape": shape, "expr": permuted(order)}


KINDS = {"copies": case, "layouts": layout, "programs": program, "permutations": permutation}


def made_of(kind, seed, count):
    rng = random.Random(seed)
    return {"group": "random", "cases": [KINDS[kind](rng, number) for number in range(count)]}


# ---- against other libraries ------------------------------------------------------------------

ROWS = ("block", "interleave", "broadcast", "reverse", "gather", "transpose", "scatter", "rows", "staged", "slabs", "pattern",
        "strided")


def profile_of(row):
    """Costs that make it the cheapest row wherever it can move the case at all."""
    return "".join("times.%s.%d.%s = 0.001\n" % (row, 1 << size, level)
                   for size in range(5) for level in ("l1", "l2", "l3", "memory"))


def compared(options, cases, row=None):
    """{name: (strategy, Stria's seconds, time of the better of the others in times of Stria's)}"""
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "cases.json").write_text(json.dumps({"group": "random", "cases": cases}))
        command = [sys.executable, str(pathlib.Path(__file__).with_name("compare.py")), "--build", options.build,
                   "--cases", str(at / "cases.json"), "--peers", options.against, "--rounds", str(options.rounds),
                   "--quiet", "--json", str(at / "made.json")] + (["--isa", options.isa] if options.isa else [])
        environment = dict(os.environ)
        if row:
            (at / "profile").write_text(profile_of(row))
            environment["STRIA_MACHINE"] = str(at / "profile")
        subprocess.run(command, env=environment, check=True)
        made = json.loads((at / "made.json").read_text())["cases"]
    found = {}
    for c in made:
        ours = next(r for r in c["results"] if r["name"] == "this case")
        others = [r["times_of_stria"]["median"] for r in c["results"] if r.get("peer") and not r["planned"]]
        if others:
            found[c["name"]] = (c["strategy"], ours["seconds"]["median"], min(others))
    return found


def other_rows(options, losers):
    """{name: {row: ratio}}. A program runs moves within it by that row where they can be."""
    found = {c["name"]: {} for c in losers}
    for row in ROWS if losers else ():
        for name, (strategy, _, ratio) in compared(options, losers, row).items():
            if strategy in (row, "convert"):
                found[name][row] = ratio
    return found


def against(options, cases):
    found = compared(options, cases)
    ratios = [ratio for _, _, ratio in found.values()]
    losers = [c for c in cases if c["name"] in found and found[c["name"]][2] < options.lost]
    print("%d cases, geometric mean %.2f of the better of %s, below %.2f: %d" %
          (len(ratios), math.exp(sum(map(math.log, ratios)) / len(ratios)), options.against, options.lost, len(losers)))
    tries = {c["name"]: [found[c["name"]][2]] for c in losers}
    for _ in range(2 if losers else 0):
        for name, (_, _, ratio) in compared(options, losers).items():
            tries[name].append(ratio)
        losers = [c for c in losers if tries[c["name"]][-1] < options.lost]
        if not losers:
            break
    rows = other_rows(options, losers)
    print("below it three times: %d" % len(losers))
    for c in losers:
        name, (strategy, seconds, _) = c["name"], found[c["name"]]
        print("%-5s%s: %s %s, %.1f us" % (c["dtype"], name, strategy, " ".join("%.2f" % r for r in tries[name]),
                                          seconds * 1e6))
        print("     others: " + ", ".join("%s %.2f" % r for r in sorted(rows[name].items(), key=lambda r: -r[1])
                                          if r[0] != strategy))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--kind", choices=KINDS, default="copies")
    parser.add_argument("--against", help="numpy,torch: what of compare.py's peers the cases are run beside")
    parser.add_argument("--build", default="build", help="where the tool and the library are")
    parser.add_argument("--isa", help="at most this instruction set for Stria")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lost", type=float, default=0.93, help="of the time of the better of the others")
    options = parser.parse_args()
    made = made_of(options.kind, options.seed, options.count)
    if options.against:
        against(options, made["cases"])
    else:
        print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
