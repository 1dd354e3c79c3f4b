# SPDX-License-Identifier: BSD-3-Clause
"""The meaning of every view in NumPy's terms: arrays over blocks of bytes, changed by NumPy's own functions. Where
PyTorch has a name that NumPy has not, the meaning is PyTorch's (dims of 0-d arrays, one -1 in a shape, ...);
differential.py lets PyTorch confirm it.

Where PyTorch has a name that NumPy has not, the meaning is PyTorch's (dims of 0-d arrays, one -1 in
a shape, ...), put in NumPy's terms; differential.py lets PyTorch confirm it.
"""

import math

import numpy as np

from layouts import Memory


class Refused(Exception):
    """Raised where the operation must be refused."""


# The errors that NumPy raises when it refuses; ValueError and IndexError cover its AxisError.
REFUSALS = (Refused, ValueError, IndexError, OverflowError)


def negated(items):
    """Returns numbers, or bytes that stand for floats of 1 or 2 bytes, with the sign changed."""
    if items.dtype.kind in "iu":
        return np.negative(items)
    parts = 2 if items.dtype.kind == "c" else 1
    raw = np.dtype("%su%d" % (items.dtype.byteorder, items.dtype.itemsize // parts))
    sign = np.array(1 << (8 * raw.itemsize - 1), raw)
    return (items.view(raw) ^ sign).astype(raw).view(items.dtype)


def resolved(items, conj, neg):
    """Returns dense items with conj and neg carried out, bit by bit: NaNs change their sign only."""
    if conj:
        halves = items.view("%sf%d" % (items.dtype.byteorder, items.dtype.itemsize // 2))
        items = np.stack([halves[0::2], negated(np.ascontiguousarray(halves[1::2]))],
                         axis=-1).astype(halves.dtype).reshape(-1).view(items.dtype)
    return negated(items) if neg else items


class Value:
    """An array, its dtype in Stria's terms, the memory it lies in, whether it may be written, and
    whether its elements are the conjugates or the negatives of what lies there."""

    def __init__(self, array, dtype, memory, readonly=False, conj=False, neg=False):
        self.array = array
        self.dtype = dtype
        self.memory = memory
        self.readonly = readonly
        self.conj = conj
        self.neg = neg

    @property
    def shape(self):
        return self.array.shape

    @property
    def ndim(self):
        return self.array.ndim

    @property
    def offset(self):
        return self.array.__array_interface__["data"][0] - self.memory.start

    def view(self, array, dtype=None, readonly=False):
        """Returns a Value of `array`, which shows the same memory; it is read-only if self is."""
        assert isinstance(array, np.ndarray), "a scalar is no view"
        assert array.size == 0 or self.memory.holds(array), "a copy was called a view"
        return Value(array, dtype or self.dtype, self.memory, readonly or self.readonly, self.conj,
                     self.neg)

    def marked(self, conj, neg):
        """Returns the same Value with other conj and neg bits."""
        return Value(self.array, self.dtype, self.memory, self.readonly, conj, neg)

    def elements(self):
        """Returns the elements with conj and neg carried out, dense in C order."""
        if not (self.conj or self.neg) or not self.array.size:
            return self.array.copy()
        flat = np.ascontiguousarray(self.array).reshape(-1)
        return resolved(flat, self.conj, self.neg).reshape(self.shape)

    def copy(self, order="C"):
        return self.copy_into(np.array(self.array, order=order, copy=True, ndmin=0))

    def copy_into(self, dense):
        """Returns a copy in the memory of `dense`."""
        dense[...] = self.elements()
        return Value(dense, self.dtype, Memory("new", dense.ravel("K").view(np.uint8)
                                               if dense.size else np.empty(0, np.uint8)))

    def content(self):
        return self.array.tobytes()


def wrap(dim, n):
    """Returns a dim counted from the end as a positive one; a 0-d array counts as 1-d, as in PyTorch."""
    n = max(n, 1)
    if not -n <= dim < n:
        raise Refused("dim out of range")
    return dim % n


def strict(dim, n):
    if n == 0:
        raise Refused("a 0-d array has no dims")
    return wrap(dim, n)


def distinct(dims, n):
    wrapped = [wrap(d, n) for d in dims]
    if len(set(wrapped)) != len(wrapped):
        raise Refused("repeated dim")
    return wrapped


def infer(shape, items):
    """Returns the shape with its one -1 replaced."""
    if any(n < -1 for n in shape) or list(shape).count(-1) > 1:
        raise Refused("negative size")
    known = math.prod([n for n in shape if n != -1])
    if -1 in shape:
        if known == 0 or items % known:
            raise Refused("-1 has no answer")
        return [items // known if n == -1 else n for n in shape]
    if known != items:
        raise Refused("another number of elements")
    return list(shape)


def reshaped(array, shape):
    """Returns the view of that shape, or None when there is none."""
    try:
        return np.reshape(array, shape, copy=False)
    except ValueError:
        return None
    except TypeError:  # NumPy before 2.1
        made = array.view()
        try:
            made.shape = shape
        except AttributeError:
            return None
        return made


def view_shape(value, shape):
    made = reshaped(value.array, infer(shape, value.array.size))
    if made is None:
        raise Refused("no view of that shape")
    return value.view(made)


def reshape(value, shape):
    made = reshaped(value.array, infer(shape, value.array.size))
    if made is not None:
        return value.view(made)
    dense = value.copy()
    return dense.view(dense.array.reshape(infer(shape, value.array.size)))


def flat(value, start, end):
    """Returns the shape with dims start..end merged, as torch.flatten has it; None when nothing changes."""
    if value.ndim == 0:
        wrap(start, 0), wrap(end, 0)
        return [1]
    first, last = wrap(start, value.ndim), wrap(end, value.ndim)
    if first > last:
        raise Refused("start_dim after end_dim")
    if first == last:
        return None
    shape = list(value.shape)
    return shape[:first] + [math.prod(shape[first:last + 1])] + shape[last + 1:]


def expand(value, shape):
    extra = len(shape) - value.ndim
    if extra < 0 or any(n < -1 for n in shape) or -1 in shape[:extra]:
        raise Refused("not a shape to expand to")
    target = [old if n == -1 else n for n, old in zip(shape, [0] * extra + list(value.shape))]
    return value.view(np.broadcast_to(value.array, target))


def broadcast_to(value, shape):
    """The result is read-only when elements repeat."""
    made = np.broadcast_to(value.array, shape)
    return value.view(made, readonly=made.size > value.array.size)


def unfold(value, dim, size, step):
    array = value.array.reshape(1) if value.ndim == 0 else value.array
    d = wrap(dim, value.ndim)
    if not 0 <= size <= array.shape[d] or step <= 0:
        raise Refused("no such windows")
    windows = np.lib.stride_tricks.sliding_window_view(array, size, axis=d)
    windows = windows[(slice(None),) * d + (slice(None, None, step),)]
    return value.view(windows[0] if value.ndim == 0 else windows)


def diagonal(value, offset, dim1, dim2):
    d1, d2 = distinct([dim1, dim2], value.ndim)
    near = max(-2**31 + 1, min(offset, 2**31 - 1))  # NumPy wants a C int; beyond that both are empty
    return value.view(np.diagonal(value.array, near, d1, d2))


def as_strided(value, sizes, strides, offset):
    """Strides and offset count elements, the offset from the start of the memory; None keeps the offset."""
    item = value.array.itemsize
    if len(sizes) != len(strides) or any(n < 0 for n in sizes):
        raise Refused("not a layout")
    made = value.memory.at(sizes, [s * item for s in strides],
                           value.offset if offset is None else offset * item, value.array.dtype)
    return Value(made, value.dtype, value.memory, value.readonly, value.conj, value.neg)


def along(dim, index):
    """Returns an index on one dim."""
    return (slice(None),) * dim + (index,)


def pieces(value, dim, bounds):
    return [value.view(value.array[along(dim, slice(a, b))]) for a, b in bounds]


def split_size(value, size, dim):
    d = strict(dim, value.ndim)
    n = value.shape[d]
    if size < 0 or (size == 0 and n != 0):
        raise Refused("no such size")
    starts = range(0, n, size) if n else [0]
    return pieces(value, d, [(a, min(a + size, n)) for a in starts])


def split_sizes(value, sizes, dim):
    d = strict(dim, value.ndim)
    if any(n < 0 for n in sizes) or sum(sizes) != value.shape[d]:
        raise Refused("sizes do not add up")
    ends = np.cumsum([0] + list(sizes)).tolist()
    return pieces(value, d, zip(ends[:-1], ends[1:]))


def chunk(value, chunks, dim):
    d = strict(dim, value.ndim)
    if chunks <= 0:
        raise Refused("no chunks")
    n = value.shape[d]
    if n == 0:
        return pieces(value, d, [(0, 0)] * chunks)
    return split_size(value, -(-n // chunks), dim)


def tensor_split(value, sections, dim):
    d = strict(dim, value.ndim)
    if isinstance(sections, int) and sections <= 0:
        raise Refused("no sections")
    return [value.view(piece) for piece in np.array_split(value.array, sections, axis=d)]


def unbind(value, dim):
    d = strict(dim, value.ndim)
    return [value.view(value.array[along(d, i) + (Ellipsis,)]) for i in range(value.shape[d])]


def contiguous(value):
    return value if value.array.flags.c_contiguous else value.copy()


def preserved(array):
    """Returns the dims from the slowest to the fastest as torch.preserve_format keeps them: sorted by insertion from
    C order, where a stride of 0 cannot be compared and of equal strides the one of the larger size is the slower."""
    fast = list(reversed(range(array.ndim)))
    for at in range(1, array.ndim):
        for i in range(at - 1, -1, -1):
            low, high = (abs(array.strides[fast[k]]) for k in (i, at))
            if low == 0 or high == 0:
                continue
            if low < high:
                break
            if low > high or array.shape[fast[i]] > array.shape[fast[at]]:
                fast[i], fast[at], at = fast[at], fast[i], i
    return fast[::-1]


def clone(value):
    dims = preserved(value.array)
    dense = value.view(value.array.transpose(dims)).copy()
    return dense.view(dense.array.transpose(np.argsort(dims)))


def movedim(value, source, destination):
    if len(source) != len(destination):
        raise Refused("as many sources as destinations")
    source, destination = distinct(source, value.ndim), distinct(destination, value.ndim)
    if value.ndim == 0:
        return value.view(value.array)
    return value.view(np.moveaxis(value.array, source, destination))
