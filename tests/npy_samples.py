# SPDX-License-Identifier: BSD-3-Clause
"""Files written by NumPy, for test_npy.c.

    npy_samples.py OUT         NAME.npy and NAME.raw for every dtype, order and number of dims;
                               raw is the content in C order
    npy_samples.py --few OUT   the few .npy files that are kept in tests/data
"""
import sys
from pathlib import Path

import numpy as np

DTYPES = ["|b1", "|i1", "|u1", "|S1", "|S7", "|V3", "|V16"] + [
    order + name
    for order in "<>"
    for name in ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "U1", "U5", "M8[ns]", "m8[25s]"]
]
SHAPES = [(), (0,), (1,), (5,), (3, 4), (2, 3, 4), (2, 0, 3), (1, 3, 1, 2), (1, 1), (2,) * 10,
          (1,) * 61 + (2, 3, 2)]
# Headers of every length: the padding to 64 bytes, and the room for the first (or last) size to grow.
LENGTHS = [(0, 10**k) for k in range(1, 18)] + [(0,) + (10,) * n for n in range(2, 18)] + [
    (2,) + (1,) * n + (50000,) for n in range(22)]
FEW = [
    ("f4-c", "<f4", (2, 3), "C", (1, 0)),
    ("f8-fortran", "<f8", (3, 4), "F", (1, 0)),
    ("i4-big-endian", ">i4", (5,), "C", (1, 0)),
    ("c16-0d", "<c16", (), "C", (1, 0)),
    ("u1-empty", "|u1", (0, 3), "C", (1, 0)),
    ("b1", "|b1", (7,), "C", (1, 0)),
    ("U3-big-endian", ">U3", (2, 2), "C", (1, 0)),
    ("S5", "|S5", (3,), "C", (1, 0)),
    ("V6", "|V6", (2,), "C", (1, 0)),
    ("u2-version2", "<u2", (4, 2), "F", (2, 0)),
    ("i8-version3", "<i8", (3,), "C", (3, 0)),
    ("f2-dims", "<f2", (1, 2, 1, 3, 1, 2), "C", (1, 0)),
]


def sample(dtype, shape, order):
    """Returns an array whose bytes, in the order of the file, count up: 0, 1, 2, ..."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    ramp = np.arange(count * dtype.itemsize, dtype=np.uint32) % (2 if dtype.kind == "b" else 251)
    flat = np.frombuffer(ramp.astype(np.uint8).tobytes(), dtype=dtype, count=count)
    return flat.reshape(shape, order=order)


def main():
    few = sys.argv[1] == "--few"
    out = Path(sys.argv[-1])
    if few:
        for name, dtype, shape, order, version in FEW:
            with open(out / f"{name}.npy", "wb") as file:
                np.lib.format.write_array(file, sample(dtype, shape, order), version=version)
        return
    for dtype in DTYPES:
        for i, shape in enumerate(SHAPES + (LENGTHS if dtype in ("|u1", "<c16") else [])):
            for order in "CF":
                name = "{}-{}-{}{}".format({"<": "l", ">": "b", "|": "n"}[dtype[0]], dtype[1:], i, order)
                array = sample(dtype, shape, order)
                np.save(out / f"{name}.npy", array)
                (out / f"{name}.raw").write_bytes(array.tobytes())


if __name__ == "__main__":
    main()
