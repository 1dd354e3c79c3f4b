# SPDX-License-Identifier: BSD-3-Clause
"""How results lie in memory: strides of copies, joins and picked elements against PyTorch's, for
permuted, sliced, broadcast and channels-last inputs, through `stria explain --batch`.

    results.py build/stria [--count 200] [--seed 1]
"""

import json
import subprocess
import sys

import arguments

try:
    import torch
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

DTYPES = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64"}
FORMATS = ["torch.contiguous_format", "torch.channels_last", "torch.channels_last_3d",
           "torch.preserve_format"]


def described(t):
    size = t.element_size()
    return {"shape": list(t.shape), "strides": [s * size for s in t.stride()],
            "offset": t.storage_offset() * size, "bytes": t.untyped_storage().nbytes(),
            "dtype": DTYPES[t.dtype]}


def permuted(rng, shape, dtype=torch.float32):
    order = rng.sample(range(len(shape)), len(shape))
    inverse = [order.index(d) for d in range(len(shape))]
    return torch.zeros([shape[d] for d in order], dtype=dtype).permute(inverse)


def draw(rng):
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 5))]
    steps = [rng.choice([1, 1, 1, 2]) for _ in shape]
    full = [n * step for n, step in zip(shape, steps)]
    x = permuted(rng, full) if rng.random() < 0.5 else torch.zeros(full)
    if len(shape) in (4, 5) and rng.random() < 0.4:
        x = x.contiguous(memory_format=torch.channels_last if len(shape) == 4
                         else torch.channels_last_3d)
    x = x[tuple(slice(0, None, step) for step in steps)]
    if rng.random() < 0.15:
        dim = rng.randrange(len(shape))
        x = x.narrow(dim, 0, 1).expand(shape)
    return x


def copies(rng, x):
    for name in (".clone(memory_format=%s)", "torch.empty_like(x, memory_format=%s)",
                 ".contiguous(memory_format=%s)", ".to(torch.float64, memory_format=%s)"):
        yield name % rng.choice(FORMATS), {}
    dim = rng.randrange(x.dim())
    yield ".roll(%d, %d)" % (rng.randint(-4, 4), dim), {}
    yield ".repeat_interleave(2, %d)" % dim, {}
    yield ".tril()", {}


def joins(rng, x):
    others = {"y%d" % i: torch.empty_like(x) if rng.random() < 0.6 else torch.empty(x.shape)
              for i in range(rng.randint(1, 2))}
    names = rng.sample(["x"] + list(others), 1 + len(others))
    for name in ("cat", "stack"):
        yield "torch.%s([%s], %d)" % (name, ", ".join(names), rng.randrange(x.dim())), others


def picks(rng, x):
    dim = rng.randrange(x.dim())
    index = permuted(rng, [rng.randint(1, n) for n in x.shape], torch.int64)
    for name in ("gather(%d, i)", "take_along_dim(i, %d)"):
        yield "." + name % dim, {"i": index}
    yield ".index_select(%d, i)" % dim, {"i": torch.zeros(2, dtype=torch.int64)}
    shape = rng.choice([(2,), (3,), (2, 3)])
    arrays, items = {}, []
    for _ in range(x.dim()):
        if rng.random() < 0.5:
            items.append(rng.choice([":", "::2"]))
            continue
        name = "j%d" % len(arrays)
        # PyTorch also follows the stride of dims of size 1 that it gives index arrays
        arrays[name] = torch.zeros(shape, dtype=torch.int64)
        items.append(name)
    if arrays:
        yield "[%s]" % ", ".join(items), arrays


def same(found, wanted):
    """Whether the strides are the same where they matter: in dims of more than one element."""
    size = wanted.element_size()
    return found["shape"] == list(wanted.shape) and all(
        f == w * size for f, w, n in zip(found["strides"], wanted.stride(), wanted.shape) if n > 1)


def main():
    options, rng = arguments.parse(__doc__, count=200)
    requests, wanted = [], []
    for _ in range(options.count):
        x = draw(rng)
        for source in (copies, joins, picks):
            for expr, others in source(rng, x):
                known = dict(others, x=x, torch=torch)
                try:
                    result = eval(expr if expr.startswith("torch.") else "x" + expr, known)
                except (RuntimeError, ValueError):
                    continue  # such as channels_last for 3 dims
                requests.append(dict(described(x), expr=expr, **{
                    "with": {name: described(y) for name, y in others.items()}}))
                wanted.append(result)
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([options.tool, "explain", "--batch"], input=lines, capture_output=True,
                          text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    failed = len(requests) - len(answers)
    for request, result, answer in zip(requests, wanted, answers):
        if answer["ok"] and same(answer["outputs"][0], result):
            continue
        failed += 1
        print("FAILED %s\n  PyTorch: %s, strides %s items\n  %.300s" % (
            json.dumps(request), tuple(result.shape), result.stride(), json.dumps(answer)))
    print("%d results lie as PyTorch's, %d do not" % (len(requests) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
