# SPDX-License-Identifier: BSD-3-Clause
"""Operators that copy, or give several views."""

import numpy as np

import layouts
import reference
from drawing import bad, call, draw_dim, text_of
from operators import operator


# ---- materialization -----------------------------------------------------------------------------

@operator("contiguous", ".contiguous()")
def contiguous(rng, v):
    return ".contiguous()", lambda: reference.contiguous(v)


def hidden_order(v):
    """Whether strides of size-1 dims decide PyTorch's order of dims, as they do where elements repeat."""
    return 1 in v.shape and 0 in v.array.strides


def resolve(name, bit):
    @operator(name, ".%s()" % name)
    def draw(rng, v):
        if getattr(v, bit) and hidden_order(v):
            return None
        return (".%s()" % name,
                lambda: reference.clone(v) if getattr(v, bit) else v.view(v.array))


resolve("resolve_conj", "conj")
resolve("resolve_neg", "neg")


@operator("clone", ".clone()")
def clone(rng, v):
    if rng.random() < 0.7 and not hidden_order(v):
        return ".clone()", lambda: reference.clone(v)
    return ".clone(memory_format=contiguous_format)", v.copy


@operator("copy", ".copy()", torch=False)
def copy(rng, v):
    order = rng.choice("CFAK")
    return ".copy('%s')" % order, lambda: v.copy(order)


MANY = 1 << 16  # an empty array may have a dim of any size, which is not split into a piece per index


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
    if n > MANY:
        return None
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


@operator("array_split", ".array_split(2)", torch=False)
def array_split(rng, v):
    axis = draw_dim(rng, v.ndim)
    sections = 0 if bad(rng) else rng.randint(1, 6)
    return (call(rng, "array_split", indices_or_sections=sections, axis=axis),
            lambda: reference.tensor_split(v, sections, axis))


def split_along(name, least, dim_of, numpy_function):
    """Draws a number of equal sections or indices, along a dim that the name chooses."""
    @operator(name, ".%s(1)" % name if least < 3 else "[None].%s(1)" % name)
    def draw(rng, v):
        n = v.shape[dim_of(v.ndim)] if v.ndim >= least else 1
        fits = [k for k in range(1, 7) if n % k == 0]
        sections = rng.choice([0, 5]) if bad(rng) else rng.choice(fits)
        if rng.random() < 0.4:
            sections = tuple(rng.randint(-6, 9) for _ in range(rng.randint(0, 4)))

        def meaning():
            if v.ndim < least or (isinstance(sections, int) and sections <= 0):
                raise reference.Refused("no such sections")
            return [v.view(piece) for piece in numpy_function(v.array, sections)]
        return ".%s(%s)" % (name, text_of(rng, sections)), meaning


split_along("hsplit", 1, lambda ndim: 1 if ndim > 1 else 0, np.hsplit)
split_along("vsplit", 2, lambda ndim: 0, np.vsplit)
split_along("dsplit", 3, lambda ndim: 2, np.dsplit)


def one_by_one(name, keyword, torch):
    @operator(name, ".%s()" % name, torch)
    def draw(rng, v):
        dim = draw_dim(rng, v.ndim)
        if max(v.shape, default=0) > MANY:
            return None
        return call(rng, name, **{keyword: dim}), lambda: reference.unbind(v, dim)


one_by_one("unbind", "dim", True)
one_by_one("unstack", "axis", False)
