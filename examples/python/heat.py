# SPDX-License-Identifier: BSD-3-Clause
"""Heat in a plate: a stencil of five points, step by step."""


def inputs(draw, size=1026):
    return (draw.random((size, size), dtype="float32"),)


def program(xp, fuse, u):
    @fuse
    def step(u):
        inner = u[1:-1, 1:-1]
        return inner + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inner)

    for _ in range(10):
        u[1:-1, 1:-1] = step(u)
    return u
