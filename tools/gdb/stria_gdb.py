# SPDX-License-Identifier: BSD-3-Clause
"""Pretty printers of gdb for Stria's structs: (gdb) source tools/gdb/stria_gdb.py

print view shows dtype, shape, byte strides, flags, the address and the first elements. Nothing of
the program is called, so that it works on core files and in a program that is broken.
"""

import itertools
import struct

import gdb

FORMATS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I",
           "u64": "Q", "f16": "e", "f32": "f", "f64": "d", "bool": "?", "c64": "2f", "c128": "2d"}
FLAGS = ((1, "read-only"), (2, "conj"), (4, "neg"), (8, "weak"))
MOST_DIMS = 64
SHOWN = 6


def kind_name(dtype):
    """Returns the name of a kind: f32 for STRIA_F32."""
    return str(dtype["kind"].cast(gdb.lookup_type("stria_kind"))).lower().removeprefix("stria_")


def dtype_text(dtype):
    name, size = kind_name(dtype), int(dtype["itemsize"])
    swapped = "swapped " if bool(dtype["swapped"]) else ""
    return f"{swapped}{name}" if name in FORMATS else f"{swapped}{name} of {size} bytes"


def tuple_text(values):
    return "(%s%s)" % (", ".join(map(str, values)), "," if len(values) == 1 else "")


def element(view, address):
    """Returns an element as memory holds it: conj and neg are shown as flags."""
    dtype = view["dtype"]
    data = gdb.selected_inferior().read_memory(address, int(dtype["itemsize"])).tobytes()
    code = FORMATS.get(kind_name(dtype))
    if not code:
        return data.hex()
    little = bool(dtype["swapped"]) == (gdb.execute("show endian", to_string=True).find("big") > 0)
    values = struct.unpack(("<" if little else ">") + code, data)
    return f"{values[0]:.7g}" if isinstance(values[0], float) and len(values) == 1 else (
        str(complex(*values)) if len(values) == 2 else str(values[0]))


def elements_text(view, shape, strides):
    """Returns the first elements in C order of the indices; nothing if they cannot be read."""
    if 0 in shape:
        return ", no elements"
    start, texts = int(view["data"]), []
    places = itertools.product(*(range(min(size, SHOWN + 1)) for size in shape))
    try:
        for index in itertools.islice(places, SHOWN + 1):
            address = start + sum(i * s for i, s in zip(index, strides))
            texts.append(element(view, address) if len(texts) < SHOWN else "...")
    except gdb.MemoryError:
        return ", memory that cannot be read"
    return ": " + " ".join(texts)


class View:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        view, ndim = self.value, int(self.value["ndim"])
        if not 0 <= ndim <= MOST_DIMS:
            return f"no view: {ndim} dims"
        if not int(view["data"]) and not int(view["dtype"]["itemsize"]):
            return "cleared"
        shape = [int(view["shape"][d]) for d in range(ndim)]
        strides = [int(view["strides"][d]) for d in range(ndim)]
        flags = "".join(", " + name for bit, name in FLAGS if int(view["flags"]) & bit)
        return (f"{dtype_text(view['dtype'])} {tuple_text(shape)}, strides {tuple_text(strides)} "
                f"bytes, at {int(view['data']):#x}{flags}{elements_text(view, shape, strides)}")


class Array(View):
    def __init__(self, value):
        super().__init__(value["view"])
        self.owned = int(value["owned"])

    def to_string(self):
        return ("owner of " if self.owned else "owner of nothing, ") + super().to_string()


class Dtype:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return dtype_text(self.value)


PRINTERS = {"stria_view": View, "stria_array": Array, "stria_dtype": Dtype}


def lookup(value):
    printer = PRINTERS.get(value.type.unqualified().strip_typedefs().tag)
    return printer(value) if printer else None


gdb.pretty_printers.append(lookup)
