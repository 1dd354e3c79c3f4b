# SPDX-License-Identifier: BSD-3-Clause
"""Operators that see other items in the same bytes: dtypes, records, complex numbers, lazy signs."""

import numpy as np

import layouts
from drawing import bad, call
from operators import operator
from reference import Refused

COMPLEX = set(layouts.REAL_PARTS)
NUMBERS = set("i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2 c64 c128".split())


def is_number(dtype):
    return dtype.name in NUMBERS or (dtype.name[0] == ">" and dtype.name[1] != "U")


def skipped(rng, sensible):
    """Whether to skip an operator that would be refused: few refusals are worth testing."""
    return not sensible and rng.random() < 0.95


def seen_as(v, dtype):
    """Returns the items under another dtype; a lazily conjugated view has no bytes that are its elements."""
    if (v.conj or v.neg) and dtype.name != v.dtype.name:
        raise Refused("resolve it first")
    return v.view(v.array.view(dtype.numpy), dtype)


# ---- dtype ---------------------------------------------------------------------------------------

@operator("view_dtype", ".view(int32)", torch=False)  # PyTorch also checks offsets and strides
def view_dtype(rng, v):
    dtype = layouts.random_dtype(rng)
    item = v.array.itemsize
    if rng.random() < 0.5:
        same = [d for d in layouts.DTYPES if layouts.itemsize(d) == item]
        dtype = rng.choice(same + [layouts.of_numpy(np.dtype("%s%d" % (rng.choice("SV"), item)))])
    return ".view(%s)" % dtype.text, lambda: seen_as(v, dtype)


@operator("newbyteorder", ".newbyteorder()", torch=False)
def newbyteorder(rng, v):
    if v.dtype.name == "bf16":  # NumPy sees bf16 as raw bytes
        return "[...]", lambda: v
    swapped = layouts.of_numpy((v.dtype.record or np.dtype(v.dtype.numpy)).newbyteorder())
    if layouts.itemsize(swapped) == 1:
        swapped = v.dtype
    return ".newbyteorder()", lambda: seen_as(v, swapped)


@operator("getfield", ".getfield('u1', 1)", torch=False)
def getfield(rng, v):
    item = v.array.itemsize
    fits = [d for d in layouts.DTYPES if layouts.itemsize(d) <= item]
    dtype = rng.choice(fits)
    room = item - layouts.itemsize(dtype)
    offset = rng.choice([-1, room + 1]) if bad(rng) else rng.randint(0, room)

    def meaning():
        if not 0 <= offset <= room:
            raise Refused("outside the item")
        if (v.conj or v.neg) and dtype.name != v.dtype.name:
            raise Refused("resolve it first")
        return v.view(v.array.getfield(dtype.numpy, offset), dtype)
    return call(rng, "getfield", dtype=DtypeText(dtype), offset=offset), meaning


class DtypeText:
    def __init__(self, dtype):
        self.dtype = dtype

    def __str__(self):
        return self.dtype.text


# ---- records -------------------------------------------------------------------------------------

@operator("view_record", ".view({'names': ['a'], 'formats': ['u2']})", torch=False)
def view_record(rng, v):
    """Draws record dtypes, mostly ones that just fit one item."""
    record = layouts.random_record(rng, v.array.itemsize)
    if record.itemsize != v.array.itemsize and rng.random() < 0.8:
        fields = [record.fields[name] for name in record.names]
        record = np.dtype({"names": list(record.names), "formats": [f[0] for f in fields],
                           "offsets": [f[1] for f in fields], "itemsize": v.array.itemsize})
    dtype = layouts.of_numpy(record)
    return ".view(%s)" % dtype.text, lambda: seen_as(v, dtype)


def in_record(v, index):
    """Returns v's items, seen as records, indexed by `index`."""
    if not v.dtype.record:
        raise Refused("no record")
    picked = v.array.view(v.dtype.record)[index]
    dtype = layouts.of_numpy(picked.dtype)
    return v.view(picked.view(dtype.numpy), dtype)


@operator("field", ".view({'names': ['a'], 'formats': ['f4']})['a']", torch=False)
def field(rng, v):
    if not v.dtype.record or bad(rng):
        return view_record(rng, v)
    name = rng.choice(v.dtype.record.names)
    return "['%s']" % name, lambda: in_record(v, name)


@operator("fields", ".view({'names': ['a'], 'formats': ['f4']})[['a']]", torch=False)
def fields(rng, v):
    if not v.dtype.record:
        return view_record(rng, v)
    names = rng.sample(v.dtype.record.names, rng.randint(1, len(v.dtype.record.names)))
    if bad(rng):
        names.append(rng.choice([names[0], "z"]))

    def meaning():
        if len(set(names)) != len(names) or "z" in names:
            raise Refused("repeated or unknown")
        return in_record(v, names)
    return "[%s]" % names, meaning


# ---- complex numbers and signs -------------------------------------------------------------------

def real_dtype(v):
    if v.dtype.name not in COMPLEX:
        raise Refused("not complex")
    return layouts.BY_NUMPY[np.dtype(layouts.REAL_PARTS[v.dtype.name])]


@operator("conj", ".conj()")
def conj(rng, v):
    if skipped(rng, v.dtype.name in COMPLEX):
        return None
    return ".conj()", lambda: v.marked(v.conj != (v.dtype.name in COMPLEX), v.neg)


@operator("_neg_view", "._neg_view()")
def neg_view(rng, v):
    if skipped(rng, is_number(v.dtype)):
        return None

    def meaning():
        if not is_number(v.dtype):
            raise Refused("not a number")
        return v.marked(v.conj, not v.neg)
    return "._neg_view()", meaning


@operator("real", ".real")
def real(rng, v):
    if skipped(rng, v.dtype.name in COMPLEX):
        return None

    def meaning():
        if v.dtype.name not in COMPLEX:
            return v
        return v.view(v.array.real, real_dtype(v)).marked(False, v.neg)
    return ".real", meaning


@operator("imag", ".view(complex64).imag")
def imag(rng, v):
    if skipped(rng, v.dtype.name in COMPLEX):
        return None
    return ".imag", lambda: v.view(v.array.imag, real_dtype(v)).marked(False, v.neg != v.conj)


@operator("view_as_real", ".view(complex64).view_as_real()")
def view_as_real(rng, v):
    if skipped(rng, v.dtype.name in COMPLEX):
        return None

    def meaning():
        dtype = real_dtype(v)
        if v.conj:
            raise Refused("resolve it first")
        item = layouts.itemsize(dtype)
        made = np.lib.stride_tricks.as_strided(v.array.real, v.shape + (2,),
                                               v.array.strides + (item,))
        return v.view(made, dtype)
    return ".view_as_real()", meaning


@operator("view_as_complex", ".view_as_complex()", torch=False)  # PyTorch also wants even strides
def view_as_complex(rng, v):
    if skipped(rng, v.shape[-1:] == (2,) and np.dtype(v.dtype.numpy).kind == "f"):
        return None

    def meaning():
        names = {real: c for c, real in layouts.REAL_PARTS.items()}
        by_name = {d.name: d for d in layouts.DTYPES}
        here = np.dtype(v.dtype.numpy).str.lstrip("<|")
        if v.dtype.record or here not in names or v.ndim == 0 or v.shape[-1] != 2:
            raise Refused("no pairs of floats")
        if v.array.strides[-1] != v.array.itemsize and v.array.size:
            raise Refused("not side by side")
        dtype = by_name[names[here]]
        made = np.lib.stride_tricks.as_strided(v.array, v.shape[:-1], v.array.strides[:-1])
        return v.view(np.ndarray(made.shape, dtype.numpy, v.memory.block, v.offset, made.strides)
                      if made.size else np.empty(made.shape, dtype.numpy), dtype)
    return ".view_as_complex()", meaning


def hermitian(name, text, allowed):
    @operator(name, text)
    def draw(rng, v):
        if skipped(rng, allowed(v.ndim)):
            return None

        def meaning():
            if not allowed(v.ndim):
                raise Refused("no matrix")
            swapped = v.view(np.swapaxes(v.array, -1, -2) if v.ndim else v.array)
            return swapped.marked(v.conj != (v.dtype.name in COMPLEX), v.neg)
        return text, meaning


hermitian("H", ".H", lambda ndim: ndim in (0, 2))
hermitian("mH", ".mH", lambda ndim: ndim != 1)
hermitian("adjoint", ".adjoint()", lambda ndim: ndim != 1)
