# SPDX-License-Identifier: BSD-3-Clause
"""Operators that reinterpret, copy, or give several views."""

import numpy as np

import layouts
import reference
from drawing import bad, call, draw_dim, text_of
from operators import operator


# ---- dtype ---------------------------------------------------------------------------------------

@operator("view_dtype", ".view(int32)", torch=False)  # PyTorch also wants offsets and strides to divide
def view_dtype(rng, v):
    dtype = layouts.random_dtype(rng)
    if rng.random() < 0.5:
        item = np.dtype(v.dtype.numpy).itemsize
        dtype = rng.choice([d for d in layouts.DTYPES if np.dtype(d.numpy).itemsize == item]
                           or [dtype])
    return ".view(%s)" % dtype.text, lambda: v.view(v.array.view(dtype.numpy), dtype)


# ---- materialization -----------------------------------------------------------------------------

@operator("contiguous", ".contiguous()")
def contiguous(rng, v):
    return ".contiguous()", lambda: reference.contiguous(v)


@operator("clone", ".clone()")
def clone(rng, v):
    """Where elements repeat, PyTorch lets the strides of size-1 dims decide, which nobody sees."""
    if rng.random() < 0.7 and not (1 in v.shape and 0 in v.array.strides):
        return ".clone()", lambda: reference.clone(v)
    return ".clone(memory_format=contiguous_format)", v.copy


@operator("copy", ".copy()", torch=False)
def copy(rng, v):
    order = rng.choice("CFAK")
    return ".copy('%s')" % order, lambda: v.copy(order)


# ---- splitting -----------------------------------------------------------------------------------

def draw_sizes(rng, n):
    sizes = []
    while sum(sizes) < n:
        sizes.append(rng.randint(0, n - sum(sizes)))
    return sizes + [1] if bad(rng) else sizes


@operator("split", ".split(1)")
def split(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    if rng.random() < 0.5:
        size = rng.choice([0, -1]) if bad(rng) else rng.randint(1, n + 1)
        return (".split(%d, %s%d)" % (size, rng.choice(["", "dim="]), dim),
                lambda: reference.split_size(v, size, dim))
    sizes = draw_sizes(rng, n)
    return (".split(%s, %s%d)" % (text_of(rng, tuple(sizes)), rng.choice(["", "dim="]), dim),
            lambda: reference.split_sizes(v, sizes, dim))


@operator("split_with_sizes", ".split_with_sizes((1, 1))")
def split_with_sizes(rng, v):
    dim = draw_dim(rng, v.ndim)
    sizes = draw_sizes(rng, v.shape[dim] if -v.ndim <= dim < v.ndim else 1)
    return (call(rng, "split_with_sizes", split_sizes=tuple(sizes), dim=dim),
            lambda: reference.split_sizes(v, sizes, dim))


@operator("chunk", ".chunk(2)")
def chunk(rng, v):
    dim = draw_dim(rng, v.ndim)
    chunks = rng.choice([0, -1]) if bad(rng) else rng.randint(1, 6)
    return (call(rng, "chunk", chunks=chunks, dim=dim), lambda: reference.chunk(v, chunks, dim))


@operator("tensor_split", ".tensor_split(2)")
def tensor_split(rng, v):
    dim = draw_dim(rng, v.ndim)
    sections = 0 if bad(rng) else rng.randint(1, 6)
    if rng.random() < 0.5:
        sections = tuple(rng.randint(-6, 9) for _ in range(rng.randint(0, 4)))
    return (".tensor_split(%s, %s%d)" % (text_of(rng, sections), rng.choice(["", "dim="]), dim),
            lambda: reference.tensor_split(v, sections, dim))


@operator("unbind", ".unbind()")
def unbind(rng, v):
    dim = draw_dim(rng, v.ndim)
    return call(rng, "unbind", dim=dim), lambda: reference.unbind(v, dim)
