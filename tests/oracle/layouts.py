# SPDX-License-Identifier: BSD-3-Clause
"""Random dtypes, shapes and memory layouts, and arrays of NumPy that lie in them.

An array is a description (shape, byte strides, byte offset, dtype) over a block of random bytes;
strides have any sign, may be 0, may overlap, and need not be multiples of the item size.
"""

import collections
import math

import numpy as np

# name: how Stria prints it; text: how it is written in an expression; numpy: a dtype of the same
# item size (raw bytes where NumPy has no such type, and for records, whose padding it would not
# copy: contents are compared as bytes); torch: or None; record: NumPy's dtype of one, or None
Dtype = collections.namedtuple("Dtype", "name text numpy torch record", defaults=[None])

NATIVE = [
    Dtype("bool", "bool", "?", "bool"), Dtype("i8", "int8", "i1", "int8"),
    Dtype("i16", "int16", "i2", "int16"), Dtype("i32", "int32", "i4", "int32"),
    Dtype("i64", "int64", "i8", "int64"), Dtype("u8", "uint8", "u1", "uint8"),
    Dtype("u16", "uint16", "u2", "uint16"), Dtype("u32", "uint32", "u4", "uint32"),
    Dtype("u64", "uint64", "u8", "uint64"), Dtype("f16", "float16", "f2", "float16"),
    Dtype("bf16", "bfloat16", "V2", "bfloat16"), Dtype("f32", "float32", "f4", "float32"),
    Dtype("f64", "float64", "f8", "float64"),
    Dtype("f8e4m3", "float8_e4m3fn", "V1", "float8_e4m3fn"),
    Dtype("f8e5m2", "float8_e5m2", "V1", "float8_e5m2"),
    Dtype("c64", "complex64", "c8", "complex64"), Dtype("c128", "complex128", "c16", "complex128"),
]
NUMPY_ONLY = [Dtype(name, "'%s'" % name, name, None)
              for name in (">i2", ">i4", ">i8", ">u2", ">u4", ">u8", ">f2", ">f4", ">f8", ">c8",
                           ">c16", "S1", "S3", "S7", "U1", "U3", ">U1", ">U3", "V3", "V5", "V16",
                           "V24")]
BYTES = Dtype("u8", "uint8", "u1", "uint8")
DTYPES = NATIVE + NUMPY_ONLY
BY_NUMPY = {np.dtype(d.numpy): d for d in reversed(DTYPES) if d.name not in
            ("bf16", "f8e4m3", "f8e5m2")}
REAL_PARTS = {"c64": "f4", "c128": "f8", ">c8": ">f4", ">c16": ">f8"}

SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8]
MAX_ITEMS = 400
MAX_BYTES = 1 << 20


def itemsize(dtype):
    return np.dtype(dtype.numpy).itemsize


def of_numpy(numpy_dtype):
    """Returns the Dtype of a NumPy dtype that is no subarray."""
    if numpy_dtype.names:
        text = record_text(numpy_dtype)
        return Dtype(text, text, "V%d" % numpy_dtype.itemsize, None, numpy_dtype)
    name = numpy_dtype.str.lstrip("|<")
    return BY_NUMPY.get(numpy_dtype) or Dtype(name, "'%s'" % name, name, None)


def record_text(dtype):
    """Returns a record, or the type of one of its fields, as one writes it in Python."""
    if dtype.subdtype:
        return "(%s, %s)" % (record_text(dtype.base), dtype.shape)
    if not dtype.names:
        return "'%s'" % dtype.str
    fields = [dtype.fields[name] for name in dtype.names]
    return ("{'names': %s, 'formats': [%s], 'offsets': %s, 'itemsize': %d}"
            % (list(dtype.names), ", ".join(record_text(f[0]) for f in fields),
               [f[1] for f in fields], dtype.itemsize))


def random_format(rng, room, depth):
    """Draws the type of a field of at most `room` bytes."""
    if depth and rng.random() < 0.15:
        return random_record(rng, room, depth - 1)
    fits = [np.dtype(d.numpy) for d in BY_NUMPY.values() if itemsize(d) <= room]
    chosen = rng.choice(fits)
    shape = rng.choice([(2,), (3,), (1,), (2, 2), (2, 3), (1, 2, 1)])
    if rng.random() < 0.25 and math.prod(shape) * chosen.itemsize <= room:
        return np.dtype((chosen, shape))
    return chosen


def random_record(rng, room=24, depth=1):
    """A record of at most so many bytes: packed, aligned as C does it, or with fields that lie
    anywhere and may overlap."""
    kind, names, formats = rng.random(), [], []
    for name in rng.sample("abcd", rng.randint(1, 4)):
        chosen = random_format(rng, room, depth)
        if sum(f.itemsize for f in formats) + chosen.itemsize <= room:
            names.append(name)
            formats.append(chosen)
    if not names:
        names, formats = ["a"], [np.dtype("u1")]
    if kind < 0.4:
        return np.dtype({"names": names, "formats": formats})
    if kind < 0.6:
        aligned = np.dtype({"names": names, "formats": formats}, align=True)
        if aligned.itemsize <= room:
            return aligned
    size = rng.randint(max(f.itemsize for f in formats), room)
    return np.dtype({"names": names, "formats": formats, "itemsize": size,
                     "offsets": [rng.randint(0, size - f.itemsize) for f in formats]})


def random_native(rng):
    return rng.choice(NATIVE if rng.random() < 0.8 else NATIVE[-2:])  # the last two are complex


def random_dtype(rng):
    kind = rng.random()
    if kind < 0.1:
        return of_numpy(random_record(rng))
    return random_native(rng) if kind < 0.75 else rng.choice(NUMPY_ONLY)


def random_shape(rng):
    kind = rng.random()
    if kind < 0.04:  # many dims of size 0 to 2
        return [rng.choice([1, 1, 2]) for _ in range(rng.randint(6, 8))] + [1] * rng.randint(0, 20)
    if kind < 0.07:  # large enough for vector kernels and blocks, with ragged edges
        limit = {1: 40000, 2: 200, 3: 32}
        ndim = rng.randint(1, 3)
        return [rng.randint(1, limit[ndim]) for _ in range(ndim)]
    shape = [rng.choice(SIZES) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 3, 3, 4, 5]))]
    while math.prod(shape) > MAX_ITEMS:
        shape.pop(rng.randrange(len(shape)))
    return shape


def c_strides(shape, item):
    strides, step = [0] * len(shape), item
    for d in reversed(range(len(shape))):
        strides[d] = step
        step *= max(shape[d], 1)
    return strides


def gapped_strides(rng, shape, item):
    """Draws strides that are dense in a random order of dims, some with gaps, some backwards or repeated."""
    strides, step = [0] * len(shape), item
    for d in rng.sample(range(len(shape)), len(shape)):
        gap = rng.choice([1, 1, 1, 2, 3])
        strides[d] = step * gap
        step *= gap * max(shape[d], 1)
        if rng.random() < 0.2:
            strides[d] = -strides[d]
        elif rng.random() < 0.1:
            strides[d] = 0
    return strides


def odd_strides(rng, shape, item):
    """Draws any strides: elements may overlap and be unaligned."""
    return [rng.randint(-3 * item - 1, 3 * item + 1) for _ in shape]


def random_strides(rng, shape, item, plain):
    if plain:
        return [abs(s) for s in gapped_strides(rng, shape, item)]
    kind = rng.random()
    if kind < 0.35:
        return c_strides(shape, item)
    if kind < 0.85:
        return gapped_strides(rng, shape, item)
    return odd_strides(rng, shape, item)


def reach(shape, strides, item):
    """Returns the lowest and the highest byte, exclusive, relative to the first element."""
    if 0 in shape:
        return 0, 0
    low = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides))
    high = sum(max(0, (n - 1) * s) for n, s in zip(shape, strides))
    return low, high + item


class Memory:
    """A block of bytes that arrays lie in; name is what a request calls it, or "new"."""

    def __init__(self, name, block):
        self.name = name
        self.block = block

    @property
    def start(self):
        return self.block.__array_interface__["data"][0]

    def holds(self, array):
        at = array.__array_interface__["data"][0] - self.start
        return 0 <= at < max(self.block.nbytes, 1)

    def at(self, shape, strides, offset, numpy_dtype):
        """The array of that layout in this block; ValueError when it does not fit.

        numpy.ndarray checks that too, but takes negative offsets, and anything for 0 bytes."""
        low, high = reach(shape, strides, np.dtype(numpy_dtype).itemsize)
        if low == high:
            offset = 0
        elif offset + low < 0 or offset + high > self.block.nbytes:
            raise ValueError("out of bounds")
        try:
            return np.ndarray(shape, numpy_dtype, self.block, offset, strides)
        except (TypeError, OverflowError) as error:
            raise ValueError(str(error))


def random_array(rng, name, plain):
    """Draws an array: a description ready for a request, its dtype and its memory."""
    dtype = random_native(rng) if plain else random_dtype(rng)
    item = itemsize(dtype)
    shape = random_shape(rng)
    strides = random_strides(rng, shape, item, plain)
    low, high = reach(shape, strides, item)
    if high - low > MAX_BYTES:
        strides = c_strides(shape, item)
        low, high = reach(shape, strides, item)
    pad = item if plain or rng.random() < 0.5 else 1
    before, after = pad * rng.choice([0, 0, 1, 2, 5]), pad * rng.choice([0, 0, 1, 3])
    memory = Memory(name, np.frombuffer(bytearray(rng.randbytes(high - low + before + after)),
                                        np.uint8))
    described = {"shape": shape, "strides": strides, "offset": before - low, "dtype": dtype.name,
                 "bytes": memory.block.nbytes}
    return described, dtype, memory
