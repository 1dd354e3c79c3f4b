# SPDX-License-Identifier: BSD-3-Clause
"""texts.py LIBRARY [COUNT [SEED]]: arrays as text against numpy.array2string.

Random arrays of every dtype that both have, with numbers of all magnitudes, short decimals, NaN and
infinities, are formatted under random options, and have to be NumPy's texts byte for byte.
"""
import ctypes
import io
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

if tuple(map(int, np.__version__.split(".")[:2])) < (2, 4):
    sys.exit(77)  # other versions of NumPy change to exponents at other numbers

FLOATS = ["f2", "f4", "f8", "c8", "c16", ">f8", ">f4", ">c8"]
OTHERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", "S3", "U3", "V2"]
RECORDS = [
    np.dtype([("a", "i4"), ("b", "f8")]),
    np.dtype([("a", "f4", (2,)), ("c", [("d", "?"), ("e", ">c8")]), ("s", "S2")], align=True),
    np.dtype([("only", "u2")]),
]


class Options(ctypes.Structure):
    _fields_ = [("precision", ctypes.c_int), ("threshold", ctypes.c_int64),
                ("edgeitems", ctypes.c_int64), ("linewidth", ctypes.c_int), ("suppress", ctypes.c_bool),
                ("commas", ctypes.c_bool), ("indent", ctypes.c_int), ("reserved", ctypes.c_uint64 * 2)]


class Library:
    """The three functions that are needed; an array is its bytes, and the view begins at byte 8."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.stria_last_error.restype = ctypes.c_char_p
        self.text = ctypes.create_string_buffer(1 << 20)

    def format(self, array, options):
        file = io.BytesIO()
        np.save(file, array)
        data, owner, length = file.getvalue(), ctypes.create_string_buffer(2048), ctypes.c_size_t()
        status = self.c.stria_npy_parse(owner, data, ctypes.c_int64(len(data)), None)
        if status == 0:
            view = ctypes.byref(owner, ctypes.sizeof(ctypes.c_void_p))
            status = self.c.stria_format(self.text, ctypes.c_size_t(len(self.text)),
                                         ctypes.byref(length), view, ctypes.byref(options), None)
        if status:
            raise SystemExit(f"status {status}: {self.c.stria_last_error().decode()}")
        self.c.stria_array_release(owner)
        return self.text.raw[:length.value].decode()


def numbers(rng, n):
    way = rng.integers(6)
    if way == 0:
        return rng.standard_normal(n)
    if way == 1:
        return rng.standard_normal(n) * 10.0 ** rng.integers(-12, 12, n)
    if way == 2:
        return rng.integers(-1000, 1000, n) / 10.0 ** rng.integers(0, 5)
    if way == 3:
        return rng.integers(-3, 4, n).astype("f8")
    if way == 4:
        return rng.integers(0, 2**63, n).view("f8")
    return rng.integers(0, 200000, n) / 2.0 ** rng.integers(0, 20)


def drawn(rng, dtype, shape):
    n = int(np.prod(shape))
    if dtype.names:
        out = np.zeros(shape, dtype)
        for name in dtype.names:
            field = dtype.fields[name][0]
            base, inner = field.subdtype if field.subdtype else (field, ())
            out[name] = drawn(rng, base, shape + inner)
        return out
    if dtype.kind in "fc":
        with np.errstate(all="ignore"):
            x = numbers(rng, n).astype(dtype)
            if dtype.kind == "c":
                x = x + (numbers(rng, n) * 1j).astype(dtype)
            if rng.integers(4) == 0:
                x[rng.random(n) < 0.2] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0])
        return x.astype(dtype).reshape(shape)
    if dtype.kind == "b":
        return (rng.random(shape) < 0.5)
    if dtype.kind in "SU":
        words = ["", "a", "xyz", "a'b", '"', "\\n", "\t", "\n\x01"] + ([] if dtype.kind == "S" else ["\xe9\u20ac"])
        return rng.choice(words, n).astype(dtype).reshape(shape)
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype).reshape(shape)


def main():
    library = Library(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    dtypes = [np.dtype(d) for d in FLOATS * 3 + OTHERS] + RECORDS
    for trial in range(count):
        dtype = dtypes[rng.integers(len(dtypes))]
        # NumPy's names of scalar types (np.bytes_) are not printed.
        ndim = int(rng.integers(dtype.kind in "SV", 5))
        shape = tuple(int(s) for s in rng.integers(0, 14 if ndim < 3 else 5, ndim))
        array = np.asarray(drawn(rng, dtype, shape))
        o = Options(int(rng.choice([8, 3, 0, 17])), int(rng.choice([1000, 20, 0])), int(rng.integers(1, 5)),
                    int(rng.choice([75, 20, 120])), bool(rng.integers(2)))
        if rng.integers(2):
            o = Options(8, 1000, 3, 75, False)
        with np.printoptions(precision=o.precision, threshold=o.threshold, edgeitems=o.edgeitems,
                             linewidth=o.linewidth, suppress=o.suppress):
            wanted = np.array_str(array)
        got = library.format(array, o)
        if got != wanted:
            settings = [getattr(o, name) for name, _ in Options._fields_]
            raise SystemExit(f"trial {trial}: {dtype} {shape} {settings}\n{got}\nNumPy:\n{wanted}")
    print(f"{count} arrays, each NumPy's text")


if __name__ == "__main__":
    main()
