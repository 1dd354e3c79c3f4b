# SPDX-License-Identifier: BSD-3-Clause
"""Operators on the order of dims and on the shape."""

import math

import numpy as np

import layouts
import reference
from drawing import bad, call, draw_dim, draw_dims, draw_expanded, draw_shape, factors, spread
from operators import operator
from reference import Refused, distinct, strict, wrap


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


@operator("rollaxis", ".rollaxis(1)", torch=False)
def rollaxis(rng, v):
    axis, start = draw_dim(rng, v.ndim), draw_dim(rng, v.ndim + 1)
    if v.ndim and start < -v.ndim:
        start = 0
    return (call(rng, "rollaxis", axis=axis, start=start),
            lambda: v.view(np.rollaxis(v.array, axis, start)))


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


# ---- shapes of another array ---------------------------------------------------------------------

def like(name, draw_target, meaning):
    @operator(name, ".%s(x)" % name)
    def draw(rng, v):
        shape = [max(n, 0) for n in draw_target(rng, v)]
        if math.prod(shape) > 1 << 20:
            shape = list(v.shape)
        return ".%s(%s)" % (name, rng.another(shape)), lambda: meaning(v, shape)


like("view_as", draw_shape, reference.view_shape)
like("reshape_as", draw_shape, reference.reshape)
like("expand_as", lambda rng, v: draw_expanded(rng, v, False), reference.expand)
