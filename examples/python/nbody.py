# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that attract each other, in the plane."""


def inputs(draw, size=1000):
    return draw.random(size), draw.random(size), draw.random(size)


def program(xp, fuse, x, y, mass):
    @fuse
    def pull(x, y):
        dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
        square = dx * dx + dy * dy + 1e-3
        weight = mass[None, :] / (square * xp.sqrt(square))
        return xp.sum(dx * weight, axis=1), xp.sum(dy * weight, axis=1)

    u, v = xp.zeros(x.shape, dtype=xp.float64), xp.zeros(x.shape, dtype=xp.float64)
    for _ in range(5):
        ax, ay = pull(x, y)
        u, v = u + 1e-5 * ax, v + 1e-5 * ay
        x, y = x + 1e-2 * u, y + 1e-2 * v
    return x + y
