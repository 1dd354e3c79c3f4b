# SPDX-License-Identifier: BSD-3-Clause
"""Every operator that a random program may use: how its arguments are drawn, how it is written, and
what it means (reference.py).

An operator is a function (rng, value) -> (text, meaning): text continues an expression, meaning() is
the resulting Value, a list of them, or a refusal. Most arguments drawn are valid, some are not.
"""

import collections
import random

import numpy as np

import layouts
import reference
from reference import Refused, along, distinct, strict, wrap

# torch: PyTorch means the same by the same text; example: a call that (2, 2) f32 allows
Operator = collections.namedtuple("Operator", "name draw torch example")

OPERATORS = {}


def operator(name, example, torch=True):
    def register(draw):
        OPERATORS[name] = Operator(name, draw, torch, example)
        return draw
    return register


# ---- writing -------------------------------------------------------------------------------------

def text_of(rng, x):
    if isinstance(x, tuple):
        inner = ", ".join(str(v) for v in x)
        if len(x) == 1 or (x and rng.random() < 0.1):
            inner += ","
        return "(%s)" % inner if rng.random() < 0.7 else "[%s]" % inner
    return str(x)


def call(rng, name, **arguments):
    """name(...) with a random number of leading arguments given by position."""
    items = list(arguments.items())
    positional = rng.choice([0, len(items), len(items), len(items)])
    parts = [text_of(rng, v) for _, v in items[:positional]]
    parts += ["%s=%s" % (k, text_of(rng, v)) for k, v in items[positional:]]
    return ".%s(%s)" % (name, ", ".join(parts))


def spread(rng, name, values, keyword):
    """name(1, 2, 3), name((1, 2, 3)) or name(keyword=(1, 2, 3))."""
    if values and rng.random() < 0.6:
        return ".%s(%s)" % (name, ", ".join(map(str, values)))
    return call(rng, name, **{keyword: tuple(values)})


# ---- drawing -------------------------------------------------------------------------------------

def bad(rng):
    return rng.random() < 0.02


def draw_dim(rng, n):
    if bad(rng):
        return rng.choice([n, -n - 1, n + 7, 2**40])
    n = max(n, 1)
    return rng.randrange(-n, n)


def draw_dims(rng, n, count):
    """count distinct dims, of either sign."""
    dims = rng.sample(range(max(n, 1)), min(count, max(n, 1)))
    dims = [d - max(n, 1) if rng.random() < 0.3 else d for d in dims]
    if dims and bad(rng):
        dims[rng.randrange(len(dims))] = rng.choice([dims[0], n, -n - 1])
    return dims


class Draw(random.Random):
    """Random numbers, and the further arrays that a program names: shapes only matter."""

    def __init__(self, seed):
        super().__init__(seed)
        self.shapes = {}

    def another(self, shape):
        name = "y%d" % (len(self.shapes) + 1)
        self.shapes[name] = list(shape)
        return name


def draw_bound(rng, n):
    if rng.random() < 0.3:
        return None
    if rng.random() < 0.03:
        return rng.choice([2**62, -2**62, 2**31, -2**63 + 1, 2**63 - 1])
    return rng.randint(-n - 2, n + 2)


def factors(rng, n):
    """Sizes that multiply to n."""
    if n == 0:
        return [rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(0, 2))] + [0]
    shape = []
    while n > 1:
        divisors = [d for d in range(2, min(n, 64) + 1) if n % d == 0] or [n]
        size = rng.choice(divisors)
        shape.append(size)
        n //= size
    for _ in range(rng.choice([0, 0, 1, 2])):
        shape.insert(rng.randint(0, len(shape)), 1)
    rng.shuffle(shape)
    return shape


def regrouped(rng, shape):
    """Neighbours merged and sizes split: more often a view than any sizes would be."""
    made = []
    for size in shape:
        if made and rng.random() < 0.35:
            made[-1] *= size
        elif size > 3 and rng.random() < 0.3:
            made += factors(rng, size)
        else:
            made.append(size)
    return made


def draw_shape(rng, value):
    """A shape of as many elements, perhaps with a -1, perhaps wrong."""
    shape = regrouped(rng, value.shape) if rng.random() < 0.7 else factors(rng, value.array.size)
    if shape and rng.random() < 0.35:
        shape[rng.randrange(len(shape))] = -1
    if shape and bad(rng):
        shape[rng.randrange(len(shape))] = rng.choice([-1, -2, 0, 5, 2**40])
    return shape


# ---- order of dims -------------------------------------------------------------------------------

@operator("permute", ".permute(1, 0)")
def permute(rng, v):
    dims = draw_dims(rng, v.ndim, v.ndim) if v.ndim else []

    def meaning():
        if len(dims) != v.ndim:
            raise Refused("as many dims")
        return v.view(np.transpose(v.array, distinct(dims, v.ndim)))
    return spread(rng, "permute", dims, "dims"), meaning


def swap(name, first, second):
    @operator(name, ".%s(0, 1)" % name)
    def draw(rng, v):
        a, b = draw_dim(rng, v.ndim), draw_dim(rng, v.ndim)

        def meaning():
            i, j = wrap(a, v.ndim), wrap(b, v.ndim)
            return v.view(np.swapaxes(v.array, i, j) if v.ndim else v.array)
        return call(rng, name, **{first: a, second: b}), meaning


swap("transpose", "dim0", "dim1")
swap("swapdims", "dim0", "dim1")
swap("swapaxes", "axis0", "axis1")


@operator("T", ".T", torch=False)  # PyTorch warns unless there are 2 dims
def all_reversed(rng, v):
    return ".T", lambda: v.view(v.array.T)


@operator("mT", ".mT")
def matrix_transposed(rng, v):
    def meaning():
        if v.ndim == 1:
            raise Refused("a matrix")
        return v.view(np.swapaxes(v.array, -1, -2) if v.ndim else v.array)
    return ".mT", meaning


@operator("t", ".t()")
def short_transposed(rng, v):
    def meaning():
        if v.ndim > 2:
            raise Refused("at most a matrix")
        return v.view(v.array.T)
    return ".t()", meaning


def move(name, torch):
    @operator(name, ".%s(0, 1)" % name, torch)
    def draw(rng, v):
        n = rng.randint(1, max(v.ndim, 1))
        source, destination = draw_dims(rng, v.ndim, n), draw_dims(rng, v.ndim, n)
        text = call(rng, name, source=tuple(source), destination=tuple(destination))
        if n == 1 and rng.random() < 0.5:
            text = call(rng, name, source=source[0], destination=destination[0])
        return text, lambda: reference.movedim(v, source, destination)


move("movedim", True)
move("moveaxis", True)


# ---- shape ---------------------------------------------------------------------------------------

@operator("view", ".view(4)")
def view(rng, v):
    shape = draw_shape(rng, v)
    return spread(rng, "view", shape, "size"), lambda: reference.view_shape(v, shape)


@operator("reshape", ".reshape(4)")
def reshape(rng, v):
    shape = draw_shape(rng, v)
    return spread(rng, "reshape", shape, "shape"), lambda: reference.reshape(v, shape)


@operator("flatten", ".flatten()")
def flatten(rng, v):
    start, end = draw_dim(rng, v.ndim), draw_dim(rng, v.ndim)
    text = call(rng, "flatten", start_dim=start, end_dim=end)
    if rng.random() < 0.3:
        start, end, text = 0, -1, ".flatten()"

    def meaning():
        shape = reference.flat(v, start, end)
        return v if shape is None else reference.reshape(v, shape)
    return text, meaning


@operator("ravel", ".ravel()")
def ravel(rng, v):
    def meaning():
        dense = reference.contiguous(v)
        return dense.view(dense.array.reshape(-1))
    return ".ravel()", meaning


@operator("unflatten", ".unflatten(0, (1, 2))")
def unflatten(rng, v):
    dim = draw_dim(rng, v.ndim)
    n = v.shape[dim] if -v.ndim <= dim < v.ndim else 1
    sizes = factors(rng, n) or [1]
    if rng.random() < 0.4:
        sizes[rng.randrange(len(sizes))] = -1
    if bad(rng):
        sizes[rng.randrange(len(sizes))] = 5

    def meaning():
        d = strict(dim, v.ndim)
        known = reference.infer(sizes, v.shape[d])
        shape = list(v.shape)
        return reference.view_shape(v, shape[:d] + known + shape[d + 1:])
    return call(rng, "unflatten", dim=dim, sizes=tuple(sizes)), meaning


@operator("squeeze", ".squeeze()")
def squeeze(rng, v):
    kind = rng.random()
    dims = None if kind < 0.3 else draw_dims(rng, v.ndim, rng.randint(0, max(v.ndim, 1)))
    if dims is not None and len(dims) == 1 and rng.random() < 0.6:
        text = call(rng, "squeeze", dim=dims[0])
    else:
        text = ".squeeze()" if dims is None else call(rng, "squeeze", dim=tuple(dims))

    def meaning():
        listed = range(v.ndim) if dims is None else distinct(dims, v.ndim)
        ones = tuple(d for d in listed if v.ndim and v.shape[d] == 1)
        return v.view(np.squeeze(v.array, ones))
    return text, meaning


@operator("unsqueeze", ".unsqueeze(0)")
def unsqueeze(rng, v):
    dim = draw_dim(rng, v.ndim + 1)
    return (call(rng, "unsqueeze", dim=dim),
            lambda: v.view(np.expand_dims(v.array, wrap(dim, v.ndim + 1))))


@operator("expand_dims", ".expand_dims(axis=0)", torch=False)
def expand_dims(rng, v):
    dim = draw_dim(rng, v.ndim + 1)
    return call(rng, "expand_dims", axis=dim), lambda: v.view(np.expand_dims(v.array, dim))


def at_least(name, numpy_function):
    @operator(name, ".%s()" % name)
    def draw(rng, v):
        return ".%s()" % name, lambda: v.view(numpy_function(v.array))


at_least("atleast_1d", np.atleast_1d)
at_least("atleast_2d", np.atleast_2d)
at_least("atleast_3d", np.atleast_3d)


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
    """Items of a basic index, as many as they may be."""
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
    if bad(rng):  # too many, or a second ellipsis, which PyTorch accepts
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

def draw_expanded(rng, v, keep):
    shape = [rng.choice([0, 1, 2, 3, 5]) if n == 1 and rng.random() < 0.7 else n for n in v.shape]
    if keep:
        shape = [-1 if rng.random() < 0.15 else n for n in shape]
    if layouts.product([n for n in shape if n > 0]) <= 200:
        shape = [rng.choice([0, 1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + shape
    if shape and bad(rng):
        shape[rng.randrange(len(shape))] = rng.choice([-2, 9, 2**40])
    return shape[1:] if bad(rng) else shape


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


# ---- shapes of another array ---------------------------------------------------------------------

def like(name, draw_target, meaning):
    @operator(name, ".%s(x)" % name)
    def draw(rng, v):
        shape = [max(n, 0) for n in draw_target(rng, v)]
        if layouts.product(shape) > 1 << 20:
            shape = list(v.shape)
        return ".%s(%s)" % (name, rng.another(shape)), lambda: meaning(v, shape)


like("view_as", draw_shape, reference.view_shape)
like("reshape_as", draw_shape, reference.reshape)
like("expand_as", lambda rng, v: draw_expanded(rng, v, False), reference.expand)


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
    """Layouts that mostly fit the memory, and some that do not. Where an empty array lies is nobody's
    business, so it neither asks for an offset nor passes one on."""
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


@operator("flip", ".flip(0)", torch=False)  # a copy in PyTorch
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
