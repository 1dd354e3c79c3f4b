# SPDX-License-Identifier: BSD-3-Clause
"""Writes that combine (scatter_reduce, index_reduce, index_add, put, index_put) through the tool
against PyTorch: every reduction and dtype, with and without what was there, NaNs, other byte orders.

    reductions.py build/stria [--count 250] [--seed 1]
"""

import os
import subprocess
import sys
import tempfile
import warnings

import arguments

try:
    import numpy as np
    import torch
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(77)

warnings.simplefilter("ignore")  # PyTorch warns: "this is in beta"
DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.float16, torch.float32, torch.float64, torch.complex64]
# relative errors: PyTorch rounds sums after each step, and multiplies complex numbers in another order
CLOSE = {torch.float16: 4e-3, torch.complex64: 1e-5}


def values(rng, shape, dtype):
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    if not dtype.is_floating_point and not dtype.is_complex:
        return torch.randint(0 if dtype == torch.uint8 else -100, 100, shape).to(dtype)
    made = torch.randn(shape, dtype=dtype if dtype.is_complex else torch.float32).to(dtype)
    if dtype.is_floating_point and rng.random() < 0.3:
        made[torch.rand(shape) < 0.1] = float("nan")
    return made


def scattered(rng, x, dim):
    """Yields (index, source, further arguments, name, keywords) of the functions that take them all."""
    sizes = [rng.randint(1, n) for n in x.shape]
    sizes[dim] = rng.randint(1, 6)
    index = torch.randint(0, x.shape[dim], sizes)
    source = values(rng, [n + rng.randint(0, 1) for n in sizes], x.dtype)
    name = rng.choice(["scatter_reduce", "scatter_reduce", "scatter_add", "scatter"])
    if name == "scatter_add":
        return index, source, (), name, {}
    if name == "scatter":
        return index, source, (), name, {"reduce": rng.choice(["add", "multiply"])}
    reduce = rng.choice(["sum", "prod", "mean", "amax", "amin"])
    return index, source, (reduce,), name, {"include_self": rng.random() < 0.5}


def sliced(rng, x, dim):
    n = rng.randint(1, 6)
    index = torch.randint(0, x.shape[dim], (n,))
    source = values(rng, x.shape[:dim] + (n,) + x.shape[dim + 1:], x.dtype)
    if rng.random() < 0.5:
        reduce = rng.choice(["prod", "mean", "amax", "amin"])
        return index, source, (reduce,), "index_reduce", {"include_self": rng.random() < 0.5}
    alpha = rng.choice([None, True if x.dtype == torch.bool else 3])
    return index, source, (), "index_add", {} if alpha is None else {"alpha": alpha}


def numbered(rng, x, dim):
    n = rng.randint(1, 6)
    index = torch.randint(-x.numel(), x.numel(), (n,))
    return index, values(rng, (n,), x.dtype), (), "put", {"accumulate": True}


def draw(rng):
    dtype = rng.choice(DTYPES)
    x = values(rng, tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3))), dtype)
    if x.dim() > 1 and rng.random() < 0.3:
        x = x.transpose(0, -1)
    dim = rng.randrange(x.dim())
    index, source, more, name, keywords = rng.choice([scattered, sliced, numbered])(rng, x, dim)
    place = () if name == "put" else (dim - x.dim() * (rng.random() < 0.5),)
    text = [repr(a) for a in place] + ["i", "s"] + [repr(a) for a in more] + \
        ["%s=%r" % pair for pair in keywords.items()]
    return x, index, source, ".%s(%s)" % (name, ", ".join(text)), \
        lambda: getattr(x, name)(*place, index, source, *more, **keywords)


def stored(array, swapped):
    made = array.numpy()
    return made.astype(made.dtype.newbyteorder(">")) if swapped else made


def compare(made, wanted, x):
    if made.dtype != x.dtype or made.shape != wanted.shape:
        return "%s %s, not %s %s" % (made.dtype, made.shape, x.dtype, wanted.shape)
    near = CLOSE.get(torch.from_numpy(wanted.ravel()[:0]).dtype)
    native = made.astype(wanted.dtype)
    inexact = wanted.dtype.kind in "fc"
    same = np.allclose(native, wanted, rtol=near, atol=near, equal_nan=True) if near else \
        np.array_equal(native, wanted, equal_nan=inexact)
    return None if same else "%s, not %s" % (made.ravel().tolist(), wanted.ravel().tolist())


def main():
    options, rng = arguments.parse(__doc__, count=250)
    torch.manual_seed(rng.randrange(1 << 30))
    failed = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name + ".npy") for name in ("x", "i", "s", "out")}
        for n in range(options.count):
            x, index, source, expr, call = draw(rng)
            swapped = rng.random() < 0.3 and x.dtype.itemsize > 1
            try:
                wanted = call().numpy()
            except RuntimeError:
                continue  # PyTorch has no such kernel for this dtype
            np.save(paths["x"], stored(x, swapped))
            np.save(paths["i"], index.numpy())
            np.save(paths["s"], stored(source, swapped))
            done = subprocess.run([options.tool, "apply", paths["x"], expr, "-o", paths["out"],
                                   "--with", "i=" + paths["i"], "--with", "s=" + paths["s"]],
                                  capture_output=True, text=True)
            wrong = done.stderr if done.returncode else \
                compare(np.load(paths["out"]), wanted, stored(x, swapped))
            compared += 1
            if wrong:
                failed += 1
                print("FAILED case %d of seed %s: x%s = %s; i = %s; s = %s: %s\n  %s" % (
                    n, options.seed, expr, stored(x, swapped).tolist(), index.tolist(),
                    source.tolist(), x.dtype, wrong))
    print("%d writes compared with PyTorch, %d different" % (compared, failed))
    return 1 if failed or compared < options.count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
