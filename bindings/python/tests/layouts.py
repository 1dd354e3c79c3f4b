# SPDX-License-Identifier: BSD-3-Clause
"""Makes arrays of random layouts, as Stria's and as NumPy's view of the same memory."""

import random

DTYPES = ["?", "i1", "u2", "<i4", ">i4", "i8", "u8", "f2", "f4", ">f8", "f8", "c8", "c16"]


def random_pair(seed, empty=True):
    """Returns Stria's array, NumPy's, and the source of more random numbers."""
    import numpy as np
    import stria

    draw = random.Random(seed)
    ndim = draw.randrange(5)
    shape = [draw.randint(0 if empty and draw.random() < 0.1 else 1, 5) for _ in range(ndim)]
    dtype = np.dtype(draw.choice(DTYPES))
    steps = [draw.choice((1, 1, 2, -1, -2)) for _ in range(ndim)]
    full = [max(1, n * abs(s)) for n, s in zip(shape, steps)]
    order = draw.sample(range(ndim), ndim)
    size = int(np.prod(full)) if ndim else 1
    memory = np.zeros(size * dtype.itemsize + 8, dtype="u1")
    at = draw.choice((0, 0, dtype.itemsize, 1))
    at = min(at, 8)
    base = np.frombuffer(memory.data, dtype=dtype, count=size, offset=at)
    base[...] = np.arange(size) % 7
    a = base.reshape([full[d] for d in order]).transpose([order.index(d) for d in range(ndim)])
    a = a[tuple(slice(None, None, s) for s in steps)]
    a = a[tuple(slice(0, n) for n in shape)]
    if draw.random() < 0.15 and ndim:
        a = np.broadcast_to(a[:1], (3,) + a.shape[1:]) if a.shape[0] else a
    return stria.asarray(a), a, draw
