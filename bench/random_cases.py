# SPDX-License-Identifier: BSD-3-Clause
"""Cases of random layouts, sizes, steps and conversions, so that figures do not only cover cases that somebody chose.

    bench/random_cases.py --seed 7 --count 240 > random.json
    bench/compare.py --build build --cases random.json --peers numpy,torch

A case is an array of 1 to 5 dims and 1 KiB to 64 MiB, permuted, with steps of up to 4 in either direction and parts cut
off along some of its dims. Every fourth is converted to another dtype. A seed gives the same cases everywhere.
"""

import argparse
import json
import random

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
    expr = subscript(rng, ndim)
    if order != sorted(order):
        expr += ".permute(%s)" % ", ".join(map(str, order))
    made = {"name": "%03d %s %s%s" % (number, "x".join(map(str, shape)), expr, "" if to == dtype else " to " + to),
            "dtype": dtype, "shape": shape, "expr": expr}
    if to != dtype:
        made["to"] = to
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=240)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cases = [case(rng, number) for number in range(options.count)]
    print(json.dumps({"group": "random", "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
