# SPDX-License-Identifier: BSD-3-Clause
"""Draws the arguments of an operator, most of them valid, and writes its call as one would."""

import math
import random

import layouts


# ---- writing --------------------------------------------------------------------------------------

def text_of(rng, x):
    if isinstance(x, tuple):
        inner = ", ".join(str(v) for v in x)
        if len(x) == 1 or (x and rng.random() < 0.1):
            inner += ","
        return "(%s)" % inner if rng.random() < 0.7 else "[%s]" % inner
    return str(x)


def call(rng, name, **arguments):
    """Returns name(...) with a random number of leading arguments given by position."""
    items = list(arguments.items())
    positional = rng.choice([0, len(items), len(items), len(items)])
    parts = [text_of(rng, v) for _, v in items[:positional]]
    parts += ["%s=%s" % (k, text_of(rng, v)) for k, v in items[positional:]]
    return ".%s(%s)" % (name, ", ".join(parts))


def spread(rng, name, values, keyword):
    """Returns name(1, 2, 3), name((1, 2, 3)) or name(keyword=(1, 2, 3))."""
    if values and rng.random() < 0.6:
        return ".%s(%s)" % (name, ", ".join(map(str, values)))
    return call(rng, name, **{keyword: tuple(values)})


# ---- drawing --------------------------------------------------------------------------------------

def bad(rng):
    return rng.random() < 0.02


def draw_dim(rng, n):
    if bad(rng):
        return rng.choice([n, -n - 1, n + 7, 2**40])
    n = max(n, 1)
    return rng.randrange(-n, n)


def draw_dims(rng, n, count):
    """Draws `count` distinct dims, each counted from the start or from the end."""
    dims = rng.sample(range(max(n, 1)), min(count, max(n, 1)))
    dims = [d - max(n, 1) if rng.random() < 0.3 else d for d in dims]
    if dims and bad(rng):
        dims[rng.randrange(len(dims))] = rng.choice([dims[0], n, -n - 1])
    return dims


class Draw(random.Random):
    """Random numbers, and the further arrays that a program names, of which only the shapes matter."""

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
    """Draws sizes whose product is n."""
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
    """Draws a shape with neighbouring dims merged and dims split, which is more often a view than any other."""
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
    """Draws a shape of as many elements, perhaps with a -1, perhaps wrong."""
    shape = regrouped(rng, value.shape) if rng.random() < 0.7 else factors(rng, value.array.size)
    if shape and rng.random() < 0.35:
        shape[rng.randrange(len(shape))] = -1
    if shape and bad(rng):
        shape[rng.randrange(len(shape))] = rng.choice([-1, -2, 0, 5, 2**40])
    return shape


def draw_expanded(rng, v, keep):
    shape = [rng.choice([0, 1, 2, 3, 5]) if n == 1 and rng.random() < 0.7 else n for n in v.shape]
    if keep:
        shape = [-1 if rng.random() < 0.15 else n for n in shape]
    if math.prod([n for n in shape if n > 0]) <= 200:
        shape = [rng.choice([0, 1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + shape
    if shape and bad(rng):
        shape[rng.randrange(len(shape))] = rng.choice([-2, 9, 2**40])
    return shape[1:] if bad(rng) else shape
