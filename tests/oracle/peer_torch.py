# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch as the second oracle: runs the programs that it can express and compares with the first."""

import re

import numpy as np
import torch

import layouts
import torch_eval

# The dtypes that PyTorch negates directly, without a detour that would change NaNs.
SIGNED = {"i8", "i16", "i32", "i64", "u8", "f32", "f64", "c64", "c128"}
BY_NAME = {d.name: d for d in layouts.NATIVE}


def expressible(program):
    """Whether every step means the same in PyTorch, and the memory can be described in elements. Numbers near 2^63
    are left out, since torch multiplies them without a check; so is expand(-2), which torch refuses only where an
    overflow happens to follow."""
    request = program.request
    if not program.torch or request["dtype"] not in BY_NAME:
        return False
    if "_neg_view" in request["expr"] and request["dtype"] not in SIGNED:
        return False
    if any(n >= 1 << 31 for like in request.get("with", {}).values() for n in like["shape"]):
        return False
    if re.search(r"\d{12}", request["expr"]) or \
            re.search(r"(expand|broadcast_to)\([^)]*-2", request["expr"]):
        return False
    item = np.dtype(BY_NAME[request["dtype"]].numpy).itemsize
    return (request["offset"] % item == 0 and
            all(s >= 0 and s % item == 0 for s in request["strides"]))


def tensor(request):
    dtype = BY_NAME[request["dtype"]]
    data = bytearray.fromhex(request["data"])
    storage = torch.UntypedStorage(len(data))
    if data:
        torch.empty(0, dtype=torch.uint8).set_(storage).copy_(
            torch.frombuffer(data, dtype=torch.uint8))
    item = np.dtype(dtype.numpy).itemsize
    return torch.empty(0, dtype=getattr(torch, dtype.torch)).set_(
        storage, request["offset"] // item, request["shape"],
        [s // item for s in request["strides"]])


def content(made):
    """Returns the bytes of a tensor's elements in C order, moved without looking at their values."""
    item = made.element_size()
    if made.dtype is torch.bool:
        return bytes(map(bool, made.numpy().tobytes()))
    if made.is_conj():
        made = made.conj()
    if made.is_neg():
        made = torch._neg_view(made)
    raw = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}
    return made.view(raw[item]).contiguous().numpy().tobytes()


def describe(made, storage):
    """Returns all that can be observed of a tensor, as a dict."""
    item = made.element_size()
    described = {"shape": list(made.shape), "conj": made.is_conj(), "neg": made.is_neg()}
    if made.numel():
        described["content"] = content(made)
        shared = made.untyped_storage().data_ptr() == storage.data_ptr()
        described["memory"] = "x" if shared else "new"
        described["strides"] = [s * item for n, s in zip(made.shape, made.stride()) if n > 1]
        if shared:
            described["offset"] = made.storage_offset() * item
    return described


def observed(value):
    """Returns what `describe` returns, for a Value."""
    described = {"shape": list(value.shape), "conj": value.conj, "neg": value.neg}
    if value.array.size:
        described["content"] = value.content()
        if value.dtype.name == "bool":  # torch writes any true as 1
            described["content"] = bytes(map(bool, described["content"]))
        described["memory"] = value.memory.name
        described["strides"] = [s for n, s in zip(value.shape, value.array.strides) if n > 1]
        if value.memory.name == "x":
            described["offset"] = value.offset
    return described


def plain_nans(content, dtype):
    """Returns the bytes with every NaN made the same."""
    if dtype.kind not in "fc":
        return content
    items = np.frombuffer(content, "f%d" % (dtype.itemsize // (2 if dtype.kind == "c" else 1)))
    return np.where(np.isnan(items), np.nan, items).tobytes()


def disagreement(program):
    """Returns None when PyTorch gets the same from the program, otherwise what it gets."""
    request = program.request
    x = tensor(request)
    arrays = {name: torch.empty(like["shape"], dtype=torch.uint8)
              for name, like in request.get("with", {}).items()}
    try:
        got = torch_eval.evaluate(request["expr"], dict(arrays, x=x))
    except (RuntimeError, IndexError, TypeError, ValueError) as error:
        return None if program.result is None else "torch refuses: %s" % error
    if program.result is None:
        return "torch does not refuse"
    got = [describe(t, x.untyped_storage()) for t in got]
    wanted = [observed(v) for v in program.result]
    if re.search("neg|conj|mH|adjoint", request["expr"]):  # torch may leave the sign of a NaN unchanged
        for one, value in zip(got + wanted, program.result * 2):
            one["content"] = plain_nans(one.get("content", b""), value.array.dtype)
    return None if got == wanted else "torch %s, expected %s" % (got, wanted)
