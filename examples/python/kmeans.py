# SPDX-License-Identifier: BSD-3-Clause
"""k-means: points go to the nearest centre, centres to the mean of their points."""


def inputs(draw, size=50000):
    return draw.random((size, 4), dtype="float32"), draw.random((16, 4), dtype="float32")


def program(xp, fuse, points, centres):
    numbers = xp.arange(centres.shape[0])
    one, zero = xp.asarray(1, dtype=xp.float32), xp.asarray(0, dtype=xp.float32)

    @fuse
    def nearest(points, centres):
        away = points[:, None, :] - centres[None, :, :]
        return xp.argmin(xp.sum(away * away, axis=2), axis=1)

    @fuse
    def members(labels):
        return xp.where(labels[:, None] == numbers[None, :], one, zero)

    for _ in range(3):
        mine = members(nearest(points, centres))
        centres = (mine.T @ points) / xp.sum(mine, axis=0)[:, None]
    return centres
