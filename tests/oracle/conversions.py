# SPDX-License-Identifier: BSD-3-Clause
"""Every pair of numeric dtypes through `stria apply`, against NumPy, PyTorch and the definition.

    conversions.py build/stria [--seed N]

Dense samples: every bit pattern of 8 and 16 bits, random and hard ones beyond. Where both libraries
define a result they agree with each other and Stria must too. Where they do not (docs/conversion.md),
Stria is held to what the rule says, computed here in another way: saturation in Python's integers,
one rounding by looking for the nearest entry in the sorted list of all numbers of the format.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

warnings.simplefilter("ignore")

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "float32", "float64",
         "complex64", "complex128"]
FLOATS = NAMES[9:15]
SMALL = NAMES[9:13]
PARTS = {"complex64": "float32", "complex128": "float64"}
NUMPY = [n for n in NAMES if hasattr(np, n)]


def torch_dtype(name):
    return getattr(torch, name)


def size_of(name):
    return torch_dtype(name).itemsize


def unsigned(name):
    """Returns the unsigned integer dtype with the bits of one number of the dtype."""
    return np.dtype(f"u{size_of(PARTS.get(name, name))}")


def to_torch(bits, name):
    return torch.from_numpy(bits.view(np.uint8).copy()).view(torch_dtype(name))


def bits_of(tensor, name):
    return tensor.contiguous().view(torch.uint8).numpy().view(unsigned(name))


def samples(name, rng):
    """Returns bit patterns to convert, as unsigned integers of the dtype's size."""
    u = unsigned(name)
    if u.itemsize <= 2:
        return np.arange(2 ** (8 * u.itemsize)).astype(u)
    n = 20000
    random = rng.integers(0, 2 ** (8 * u.itemsize), n, dtype=np.uint64).astype(u)
    if name in ("int32", "int64", "uint32", "uint64"):
        cut = random >> rng.integers(0, 8 * u.itemsize, n).astype(u)
        return np.concatenate([random, cut, ~cut, cut & ~(cut >> u.type(9)), cut + u.type(1)])
    low, high, mantissa = (100, 160, 23) if u.itemsize == 4 else (960, 1090, 52)
    kept = rng.integers(0, mantissa, n).astype(u)
    near = rng.integers(low, high, n).astype(u) << u.type(mantissa)
    few = (random & u.type(2**mantissa - 1)) >> kept << kept
    sign = (random >> u.type(8 * u.itemsize - 1)) << u.type(8 * u.itemsize - 1)
    hard = sign | near | few
    return np.concatenate([random, hard, hard + u.type(1), hard - u.type(1)])


def apply_tool(tool, folder, bits, source, target):
    path, out = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    np.save(path, bits)
    expr = f".view({source}).astype({target}).view({unsigned(target).name})"
    subprocess.run([tool, "apply", path, expr, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return np.load(out)


def as_float64(bits, name):
    return to_torch(bits, name).to(torch.float64).numpy()


def is_nan(bits, name):
    return np.isnan(as_float64(bits, name))


def nearest(x, name):
    """Round to nearest even by search among all numbers of a small format. x: 64 bits of mantissa,
    so that integers are exact, and no NaN."""
    u = unsigned(name)
    top = {"float8_e4m3fn": 0x7E, "float8_e5m2": 0x7B, "float16": 0x7BFF, "bfloat16": 0x7F7F}[name]
    values = as_float64(np.arange(top + 1).astype(u), name).astype(np.longdouble)
    ulp = values[-1] - values[-2]
    magnitude = np.abs(x)
    after = np.clip(np.searchsorted(values, magnitude), 1, top)
    low, high = values[after - 1], values[after]
    up = (magnitude - low > high - magnitude) | ((magnitude - low == high - magnitude)
                                                 & (after % 2 == 0))
    found = np.where(up, after, after - 1)
    found = np.where(magnitude >= values[-1], top, found)
    if name != "float8_e4m3fn":
        found = np.where(magnitude >= values[-1] + ulp / 2, top + 1, found)
    sign = np.signbit(x).astype(np.uint64) << np.uint64(8 * u.itemsize - 1)
    return (found.astype(np.uint64) | sign).astype(u)


def saturated(x, name):
    info = np.iinfo(name)
    out = np.empty(x.shape, dtype=name)
    for i, value in enumerate(x):
        out[i] = (0 if np.isnan(value) else info.max if value == np.inf else
                  info.min if value == -np.inf else min(max(int(value), info.min), info.max))
    return out.view(unsigned(name))


def same(got, want, name, nan_bits):
    """Whether bits are equal; NaNs may have any payload unless nan_bits."""
    equal = got == want
    if not nan_bits and name in FLOATS:
        equal |= is_nan(got, name) & is_nan(want, name)
    return equal


def single(source, target):
    """Whether PyTorch rounds this pair once: it goes through f32 on the way to small floats."""
    return not (target in SMALL and PARTS.get(source, source) in
                ("float64", "int32", "int64", "uint32", "uint64"))


def check(bits, got, source, target):
    """Yields pairs (oracle, mask of the numbers that agree with it)."""
    part = PARTS.get(target, target)
    to_integer = "int" in target
    real = PARTS.get(source, source)
    numbers = np.ascontiguousarray(bits[::2]) if source in PARTS else bits
    if to_integer and real in FLOATS:
        x = as_float64(numbers, real)
        yield "saturation", same(got, saturated(x, target), target, True)
        return
    if not single(source, target):
        exact = as_float64(numbers, real) if real in FLOATS else numbers.view(real)
        x = exact.astype(np.longdouble)
        nan = np.isnan(x)
        equal = same(got, nearest(np.where(nan, 0, x), target), target, False)
        yield "one rounding", np.where(nan, is_nan(got, target), equal)
    else:
        want = bits_of(to_torch(bits, source).to(torch_dtype(target)), target)
        yield "PyTorch", same(got, want, part, target in SMALL[:2])
    if source in NUMPY and target in NUMPY:
        values = bits != 0 if source == "bool" else bits.view(source)
        yield "NumPy", same(got, values.astype(target).view(unsigned(target)), part, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    checked = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in NAMES:
            bits = samples(source, rng)
            for target in NAMES:
                if source == target:
                    continue
                got = apply_tool(options.tool, folder, bits, source, target)
                answers = list(check(bits, got, source, target))
                for oracle, equal in answers:
                    checked += equal.size
                    if equal.all():
                        continue
                    wrong += int((~equal).sum())
                    i = int(np.flatnonzero(~equal)[0])
                    print(f"{source} -> {target}: {(~equal).sum()} of {equal.size} differ from "
                          f"{oracle}; number {i} became {got[i]:#x}")
                if not answers:
                    print(f"{source} -> {target}: no oracle")
    print(f"{checked} numbers compared, {wrong} differ")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
