# SPDX-License-Identifier: BSD-3-Clause
"""Operators that pick or repeat elements: indexing, broadcasting, windows, diagonals, flips."""

import math

import numpy as np

import layouts
import reference
from drawing import bad, call, draw_bound, draw_dim, draw_dims, draw_expanded, spread, text_of
from operators import operator
from reference import Refused, Value, along, distinct, strict


# ---- indexing ------------------------------------------------------------------------------------

def slice_text(s):
    text = ":".join("" if b is None else str(b) for b in (s.start, s.stop))
    return text if s.step is None else text + ":%d" % s.step


def draw_slice(rng, n, negative):
    steps = [None, None, 1, 2, 3, 5] + ([-1, -1, -2, -3] if negative else [])
    step = 0 if bad(rng) else rng.choice(steps)
    if rng.random() < 0.01:
        step = rng.choice([2**62, 2**63 - 1] + ([-2**62] if negative else []))
    return slice(draw_bound(rng, n), draw_bound(rng, n), step)


def draw_index(rng, v, negative):
    """Draws the items of a basic index, perhaps fewer than there are dims."""
    items, d, ellipsis = [], 0, False
    while d < v.ndim and rng.random() < 0.8:
        kind = rng.random()
        n = v.shape[d]
        if kind < 0.1:
            items.append(None)
        elif kind < 0.2 and not ellipsis:
            items.append(Ellipsis)
            ellipsis, d = True, rng.randint(d, v.ndim)
        elif kind < 0.5 and n > 0:
            items.append(rng.randrange(-n, n) if not bad(rng) else rng.choice([n, -n - 1]))
            d += 1
        else:
            items.append(draw_slice(rng, n, negative))
            d += 1
    if bad(rng):  # an item too many, or a second ellipsis, which PyTorch accepts
        items.append(rng.choice([0, slice(None)] + ([Ellipsis] if negative else [])))
    return items


def index_item_text(item):
    if item is Ellipsis:
        return "..."
    return slice_text(item) if isinstance(item, slice) else str(item)


def indexing(name, negative, torch):
    @operator(name, "[0]", torch)
    def draw(rng, v):
        items = draw_index(rng, v, negative)
        text = "[%s]" % ", ".join(map(index_item_text, items)) if items else "[...]"

        def meaning():
            whole = () if Ellipsis in items else (Ellipsis,)
            return v.view(v.array[tuple(items) + whole])
        return text, meaning


indexing("index", True, False)
indexing("index_forward", False, True)


def draw_list(rng, v, d, dims):
    """Draws an index array for dim d: ints of 1 or 2 dims, or a mask over one dim or over all that are left."""
    n = v.shape[d]
    if rng.random() < 0.25:
        shape = v.shape[d:d + dims]
        return np.array([rng.random() < 0.5 for _ in range(math.prod(shape))],
                        bool).reshape(shape)
    shape = rng.choice([(0,), (1,), (2,), (3,), (3,), (5,), (2, 3), (1, 2), (2, 1)])
    high = n + 1 if bad(rng) else n
    if n == 0:
        shape = (0,)
    return np.array([rng.randrange(-high, high) if high else 0
                     for _ in range(math.prod(shape))], np.int64).reshape(shape)


def draw_arrays(rng, v):
    """Draws the items of an index, some of them arrays."""
    items, d = [], 0
    while d < v.ndim and rng.random() < 0.9:
        kind = rng.random()
        if kind < 0.4:
            dims = 1 if rng.random() < 0.7 else rng.randint(1, v.ndim - d)
            if math.prod(v.shape[d:d + dims]) <= 60:
                items.append(draw_list(rng, v, d, dims))
                d += items[-1].ndim if items[-1].dtype == bool else 1
        elif kind < 0.5:
            items.append(None)
        elif kind < 0.6 and v.shape[d]:
            items.append(rng.randrange(-v.shape[d], v.shape[d]))
            d += 1
        else:
            items.append(draw_slice(rng, v.shape[d], True))
            d += 1
    return items


def array_text(item):
    return str(item.tolist()) if isinstance(item, np.ndarray) else index_item_text(item)


def kept_and_picked(v, items):
    """Returns the dims that an index keeps of v as (size, stride), with None where an array stands, each in its
    place of the result before arrays are put in; and the shapes of the arrays."""
    left, shapes, d = [], [], 0
    for item in items:
        if item is None:
            left.append((1, v.shape[d] * v.array.strides[d] if d < v.ndim else v.array.itemsize))
        elif isinstance(item, slice):
            size = len(range(*item.indices(v.shape[d])))
            left.append((size, v.array.strides[d] * ((item.step or 1) if size else 1)))
            d += 1
        elif isinstance(item, np.ndarray) and item.dtype == bool:
            left += [None] * item.ndim
            shapes += [(int(item.sum()),)] * item.ndim
            d += item.ndim
        else:
            left.append(None)
            shapes.append(np.shape(item))
            d += 1
    return left + list(zip(v.shape[d:], v.array.strides[d:])), shapes


def c_strides(shape, common):
    """Returns the strides of an i64 array in C order, broadcast to the shape that all arrays have in common."""
    dense = np.empty(shape, np.int64).strides
    own = [s if n == m else 0 for s, n, m in zip(dense, shape, common[len(common) - len(shape):])]
    return [0] * (len(common) - len(shape)) + own


def around(strides, common, before, after):
    """Returns the strides after dims of size 1 are added in front and behind, as a reshape gives them."""
    outer = next((s * n for s, n in zip(strides, common) if n != 1), strides[-1] if common else 8)
    inner = strides[-1] if common else 8
    return [n == 1 and outer for n in before] + strides + [n == 1 and inner for n in after]


def lies_as_picked(v, items, result):
    """Returns the result in the memory order that PyTorch gives it: by v's strides, then by the arrays'."""
    left, shapes = kept_and_picked(v, items)
    common = np.broadcast_shapes(*shapes)
    places = [i for i, dim in enumerate(left) if dim is None]
    beside = places == list(range(places[0], places[0] + len(places)))
    at = places[0] if beside else 0
    kept = [dim for dim in left if dim is not None]
    before, after = kept[:at], kept[at:]
    operands = [[s for _, s in before] + [0] * len(common) + [s for _, s in after]] + [
        around(c_strides(shape, common), common, [n for n, _ in before], [n for n, _ in after])
        for shape in shapes]

    def larger(i, j):
        for strides in operands:
            s, t = abs(strides[i]), abs(strides[j])
            if s and t and (s != t or result.shape[i] > result.shape[j]):
                return 1 if s >= t else -1
        return 0
    order = list(range(result.ndim))
    for i in reversed(range(result.ndim)):
        at = i
        for j in range(i + 1, result.ndim):
            found = larger(order[j], order[at])
            if found < 0:
                break
            if found > 0:
                order[at], order[j] = order[j], order[at]
                at = j
    dense = np.empty([result.shape[d] for d in order], result.dtype)
    return dense.transpose([order.index(d) for d in range(result.ndim)])


@operator("index_arrays", "[[0, 1]]", torch=False)  # PyTorch places integers elsewhere
def index_arrays(rng, v):
    items = draw_arrays(rng, v)
    arrays = [item for item in items if isinstance(item, np.ndarray)]
    if not arrays or any(a.size == 0 and a.ndim > 1 for a in arrays):  # [] can be written with 1 dim only
        return "[...]", lambda: v.view(v.array[...])
    texts = [array_text(item) for item in items]
    if len(items) == 1:
        texts.append("...")  # so that x[[0, 1]] is not taken for x[(0, 1)]

    def meaning():
        picked = Value(v.array[tuple(items)], v.dtype, None, False, v.conj, v.neg)
        return picked.copy_into(lies_as_picked(v, items, picked.array))
    return "[%s]" % ", ".join(texts), meaning


@operator("select", ".select(0, 0)")
def select(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    index = rng.choice([n, -n - 1, 2**63 - 1]) if n == 0 or bad(rng) else rng.randrange(-n, n)
    return (call(rng, "select", dim=dim, index=index),
            lambda: v.view(v.array[along(strict(dim, v.ndim), index) + (Ellipsis,)]))


@operator("narrow", ".narrow(0, 0, 1)")
def narrow(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    start = rng.randint(0, n)
    length = rng.randint(0, n - start)
    if n and rng.random() < 0.3 and start < n:
        start -= n
    if bad(rng):
        start, length = rng.choice([(n + 1, 0), (-n - 1, 0), (0, n + 1), (0, -1), (2**62, 2**62)])

    def meaning():
        d = strict(dim, v.ndim)
        if not -n <= start <= n:
            raise Refused("start out of range")
        first = start + n if start < 0 else start
        if length < 0 or first + length > n:
            raise Refused("length out of range")
        return v.view(v.array[along(d, slice(first, first + length))])
    return call(rng, "narrow", dim=dim, start=start, length=length), meaning


@operator("slice", ".slice(0, 0, 1, 1)", torch=False)  # steps of either sign
def slice_dim(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    s = draw_slice(rng, n, True)
    step = 1 if s.step is None else s.step
    return (call(rng, "slice", dim=dim, start=s.start, end=s.stop, step=step),
            lambda: v.view(v.array[along(strict(dim, v.ndim), slice(s.start, s.stop, step))]))


# ---- broadcasting --------------------------------------------------------------------------------

@operator("expand", ".expand(2, 2)")
def expand(rng, v):
    shape = draw_expanded(rng, v, True)
    return spread(rng, "expand", shape, "size"), lambda: reference.expand(v, shape)


@operator("broadcast_to", ".broadcast_to((2, 2))")
def broadcast_to(rng, v):
    shape = draw_expanded(rng, v, False)
    return (call(rng, "broadcast_to", size=tuple(shape)) if rng.random() < 0.5 else
            ".broadcast_to(%s)" % text_of(rng, tuple(shape)),
            lambda: reference.broadcast_to(v, shape))


# ---- windows, diagonals, flips -------------------------------------------------------------------

@operator("diagonal", ".diagonal()")
def diagonal(rng, v):
    if v.ndim >= 2:
        dim1, dim2 = draw_dims(rng, v.ndim, 2)
    else:
        dim1, dim2 = draw_dim(rng, v.ndim), draw_dim(rng, v.ndim)
    offset = rng.choice([0, 0, 1, -1, 2, -3, 9, -9])
    if bad(rng):
        offset = rng.choice([2**62, -2**62, 2**63 - 1, -2**63 + 1])
    return (call(rng, "diagonal", offset=offset, dim1=dim1, dim2=dim2),
            lambda: reference.diagonal(v, offset, dim1, dim2))


@operator("unfold", ".unfold(0, 1, 1)")
def unfold(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    size = n + 1 if bad(rng) else rng.randint(0, n)
    step = rng.choice([0, -1]) if bad(rng) else rng.choice([1, 1, 2, 3, 7, 2**62])
    return (call(rng, "unfold", dimension=dim, size=size, step=step),
            lambda: reference.unfold(v, dim, size, step))


@operator("as_strided", ".as_strided((2,), (1,))")
def as_strided(rng, v):
    """Draws layouts that mostly fit the memory. Where an empty array lies does not matter, so it neither asks for an
    offset nor passes one on."""
    item = v.array.itemsize
    room = v.memory.block.nbytes // item
    sizes, strides, last = [], [], 0
    for _ in range(rng.randint(0, 3)):
        size = rng.choice([0, 1, 2, 3, 5])
        stride = rng.randint(0, max(1, (room - last) // max(size, 1)))
        sizes.append(size)
        strides.append(stride)
        last += max(size - 1, 0) * stride
    if sizes and bad(rng):
        strides[0] = rng.choice([2**62, 2**63 - 1, room])
    offset = 0 if 0 in sizes else rng.choice([0, 0, max(0, room - last - 1), 1])
    if v.array.size and rng.random() < 0.2:
        offset = None
    arguments = {"size": tuple(sizes), "stride": tuple(strides)}
    if offset is not None:
        arguments["storage_offset"] = offset
    return (call(rng, "as_strided", **arguments),
            lambda: reference.as_strided(v, sizes, strides, offset))


@operator("flip", ".flip(0)", torch=False)  # PyTorch copies
def flip(rng, v):
    dims = draw_dims(rng, v.ndim, rng.randint(0, v.ndim)) if v.ndim else []

    def meaning():
        listed = distinct(dims, v.ndim)
        return v.view(np.flip(v.array, listed) if v.ndim else v.array)
    return spread(rng, "flip", dims, "dims"), meaning


@operator("fliplr", ".fliplr()", torch=False)
def fliplr(rng, v):
    return ".fliplr()", lambda: v.view(np.fliplr(v.array))


@operator("flipud", ".flipud()", torch=False)
def flipud(rng, v):
    return ".flipud()", lambda: v.view(np.flipud(v.array))


@operator("rot90", ".rot90(1, (0, 1))", torch=False)
def rot90(rng, v):
    k = rng.randint(-5, 5)
    dims = draw_dims(rng, v.ndim, 2) if v.ndim >= 2 else [0, 1]

    def meaning():
        distinct(dims, v.ndim)
        return v.view(np.rot90(v.array, k, dims))
    return call(rng, "rot90", k=k, dims=tuple(dims)), meaning


@operator("sliding_window_view", ".sliding_window_view((1,), axis=(0,))", torch=False)
def sliding_window_view(rng, v):
    axes = draw_dims(rng, v.ndim, rng.randint(1, v.ndim)) if v.ndim else [0]
    sizes = [rng.randint(0, v.shape[d] + (1 if bad(rng) else 0)) if -v.ndim <= d < v.ndim else 1
             for d in axes]
    return (call(rng, "sliding_window_view", window_shape=tuple(sizes), axis=tuple(axes)),
            lambda: v.view(np.lib.stride_tricks.sliding_window_view(v.array, sizes, axes),
                           readonly=True))
