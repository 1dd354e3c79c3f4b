# SPDX-License-Identifier: BSD-3-Clause
"""All distances between two sets of points."""


def inputs(draw, size=400):
    return draw.random((size, 32), dtype="float32"), draw.random((3 * size // 2, 32), dtype="float32")


def program(xp, fuse, a, b):
    @fuse
    def distances(a, b):
        away = a[:, None, :] - b[None, :, :]
        return xp.sqrt(xp.sum(away * away, axis=2))

    return distances(a, b)
