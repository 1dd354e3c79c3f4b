# SPDX-License-Identifier: BSD-3-Clause
"""How many steps it takes points of the plane to leave: the Mandelbrot set."""


def inputs(draw, size=512):
    return draw.random((size, size), dtype="float32") * 3 - 2, draw.random((size, size), dtype="float32") * 3 - 1.5


def program(xp, fuse, x, y):
    @fuse
    def steps(a, b, count, x, y):
        for _ in range(5):
            aa, bb = a * a, b * b
            inside = aa + bb < 4
            a, b = xp.where(inside, aa - bb + x, a), xp.where(inside, 2 * a * b + y, b)
            count = count + inside
        return a, b, count

    a, b, count = x, y, xp.zeros(x.shape, dtype=xp.int32)
    for _ in range(10):
        a, b, count = steps(a, b, count, x, y)
    return count
