# SPDX-License-Identifier: BSD-3-Clause
"""Random programs: an array in random memory, a chain of operators, and what must come out.

A program is a function of (seed, index) and of the operators allowed, so that one line reproduces it.
"""

import numpy as np

import drawing
import layouts
import operators
import operators_index
from reference import REFUSALS, Value, resolved

MAX_STEPS = 6
MAX_ELEMENTS = 1 << 17  # an expanded array could have any number of elements
MAX_PIECES = 64


class Program:
    """request: what a runner is asked (see runner.c); result: the Values that must come out, or None
    for a refusal; torch: PyTorch means the same by every step of the expression."""

    def __init__(self, request, result, torch):
        self.request = request
        self.result = result
        self.torch = torch


def draw_array(rng, name, plain=False):
    """Returns the request's description of a random array, with data, and the array as a Value."""
    described, dtype, memory = layouts.random_array(rng, name, plain)
    made = memory.at(described["shape"], described["strides"], described["offset"], dtype.numpy)
    described["data"] = memory.block.tobytes().hex()
    return described, Value(made, dtype, memory)


def draw_call(rng, value, allowed):
    """Draws a call that suits the value, as far as the operator cares: (operator, text, meaning)."""
    drawn = None
    while drawn is None:
        chosen = operators.OPERATORS[rng.choice(allowed)]
        drawn = chosen.draw(rng, value)
    return (chosen,) + drawn


def draw_chain(rng, value, allowed, steps):
    """Draws a chain that starts at value: (text, Values or None, operators used)."""
    text, used, current = "", [], value
    for step in range(steps):
        chosen, written, meaning = draw_call(rng, current, allowed)
        try:
            result = meaning()
        except REFUSALS:
            return text + written, None, used + [chosen]
        results = result if isinstance(result, list) else [result]
        if len(results) > MAX_PIECES or sum(r.array.size for r in results) > MAX_ELEMENTS:
            continue
        text += written
        used.append(chosen)
        if isinstance(result, list):
            if not result or rng.random() < 0.5:
                return text, result, used
            piece = rng.randrange(-len(result), len(result))
            text += "[%d]" % piece
            result = result[piece]
        current = result
        if current.array.size > 20 * layouts.MAX_ITEMS and step:
            break
    return text, [current], used


def chain(seed, index, allowed):
    """Makes a program of a chain of views and copies; every second one in PyTorch's terms."""
    rng = drawing.Draw("chain %s %d" % (seed, index))
    plain = index % 2 == 1
    request, value = draw_array(rng, "x", plain)
    if plain:
        allowed = [name for name in allowed if operators.OPERATORS[name].torch]
    text, result, used = draw_chain(rng, value, allowed, rng.randint(1, MAX_STEPS))
    request["expr"] = text or "[...]"
    if rng.shapes:
        request["with"] = {name: {"shape": shape, "dtype": "u8"}
                           for name, shape in rng.shapes.items()}
    return Program(request, result, all(op.torch for op in used))


def distances(value):
    """Returns the distance from each element to the next one in memory, in bytes."""
    if value.array.size < 2:
        return np.zeros(0, np.int64)
    at = sum((np.arange(n).reshape((-1,) + (1,) * (value.ndim - 1 - d)) * s
              for d, (n, s) in enumerate(zip(value.shape, value.array.strides))),
             np.zeros((), np.int64))
    return np.diff(np.sort(at, axis=None))


def overlaps_itself(value):
    """Whether two elements share a byte."""
    return bool((distances(value) < value.array.itemsize).any())


def overlaps_partly(value):
    """Whether two elements share some bytes and not all, so that the order of writes would matter."""
    apart = distances(value)
    return bool(((0 < apart) & (apart < value.array.itemsize)).any())


# Operators that make new memory, change the dtype, make several views, or refer to other arrays.
NOT_ASSIGNED = {"contiguous", "clone", "copy", "reshape", "ravel", "flatten", "view_dtype", "view_as",
                "reshape_as", "expand_as", "split", "split_with_sizes", "chunk", "tensor_split",
                "unbind", "array_split", "hsplit", "vsplit", "dsplit", "unstack", "newbyteorder",
                "getfield", "field", "fields", "view_record", "real", "imag", "view_as_real",
                "view_as_complex", "resolve_conj", "resolve_neg", "index_arrays"}


def draw_view(rng, value, allowed, steps):
    """Draws a chain that is not refused: (text, Value)."""
    while True:
        text, result, _ = draw_chain(rng, value, allowed, steps)
        if result and result[0].array.size <= max(value.array.size, 20 * layouts.MAX_ITEMS):
            return text, result[0]


def draw_window(rng, value, lengths):
    """Draws a slice of every dim with that many elements, in any direction: (text, Value)."""
    items = []
    for size, length in zip(value.shape, lengths):
        room = (size - 1) // (length - 1) if length > 1 else 3
        step = rng.choice([1, 1, rng.randint(1, max(room, 1))]) * rng.choice([1, 1, -1])
        span = (length - 1) * abs(step)
        start = rng.randint(0, size - 1 - span) + (span if step < 0 else 0)
        stop = start + length * step
        items.append(slice(start, stop if stop >= 0 else None, step))
    text = "[%s]" % ", ".join([operators_index.slice_text(i) for i in items] + ["..."])
    return text, value.view(value.array[tuple(items) + (Ellipsis,)])


def draw_windows(rng, value):
    """Draws two windows of one shape, the second perhaps with dims of equal size swapped or to be broadcast: two
    pairs (text, Value)."""
    lengths = [rng.randint(1, n) for n in value.shape]
    first, (text, source) = draw_window(rng, value, lengths), draw_window(rng, value, lengths)
    dims = range(value.ndim)
    equal = [(i, j) for i in dims for j in dims if i < j and lengths[i] == lengths[j]]
    if equal and rng.random() < 0.5:
        i, j = rng.choice(equal)
        text += ".transpose(%d, %d)" % (i, j)
        source = source.view(np.swapaxes(source.array, i, j))
    if lengths and rng.random() < 0.2:
        d = rng.randrange(value.ndim)
        text += ".narrow(%d, 0, 1)" % d
        source = source.view(source.array[(slice(None),) * d + (slice(0, 1),)])
    return first, (text, source)


def assignment(seed, index, allowed):
    """Makes a program of dst[...] = src for two views of one array, as if src had been copied first."""
    rng = drawing.Draw("assignment %s %d" % (seed, index))
    request, value = draw_array(rng, "x")
    allowed = [name for name in allowed if name not in NOT_ASSIGNED]
    text, base = draw_view(rng, value, allowed, rng.randint(0, 2))
    if base.array.size and rng.random() < 0.8:
        (to, dst), (of, src) = draw_windows(rng, base)
    else:
        to, dst = draw_view(rng, base, allowed, rng.randint(0, 2))
        of, src = draw_view(rng, base, allowed, rng.randint(0, 2))
    request["dst"], request["src"] = text + to, text + of
    return Program(request, assign(dst, src, value), False)


def assign(dst, src, whole):
    """Returns the memory after the assignment as a Value, or None for a refusal."""
    leading = src.ndim - dst.ndim  # leading dims of size 1 are dropped, as in numpy.copyto
    source = src.elements()
    if leading > 0 and set(src.shape[:leading]) == {1}:
        source = source[(0,) * leading + (Ellipsis,)]
    try:
        source = np.array(np.broadcast_to(source, dst.shape), order="C")
    except REFUSALS:
        return None
    if dst.readonly or overlaps_itself(dst):
        return None
    after = layouts.Memory("x", whole.memory.block.copy())
    target = after.at(dst.shape, dst.array.strides, dst.offset, dst.array.dtype)
    target[...] = resolved(source.reshape(-1), dst.conj, dst.neg).reshape(source.shape)
    return [Value(after.block, layouts.BYTES, after)]


def fill(seed, index, allowed):
    """Makes a program that writes one item to every element of a view, which may repeat elements."""
    rng = drawing.Draw("fill %s %d" % (seed, index))
    allowed = [name for name in allowed if name not in NOT_ASSIGNED]
    while True:
        request, value = draw_array(rng, "x")
        text, dst = draw_view(rng, value, allowed, rng.randint(0, 3))
        if not overlaps_partly(dst):
            break
    item = rng.randbytes(value.array.itemsize)
    request["dst"], request["fill"] = text, item.hex()
    return Program(request, filled(dst, item, value), False)


def filled(dst, item, whole):
    """Returns the memory after the fill as a Value, or None for a refusal."""
    if dst.readonly:
        return None
    after = layouts.Memory("x", whole.memory.block.copy())
    raw = "V%d" % len(item)
    target = after.at(dst.shape, dst.array.strides, dst.offset, raw)
    target[...] = np.frombuffer(item, raw)[0]  # the item is stored as it is, whatever conj and neg bits dst has
    return [Value(after.block, layouts.BYTES, after)]


KINDS = {"chain": chain, "assignment": assignment, "fill": fill}
