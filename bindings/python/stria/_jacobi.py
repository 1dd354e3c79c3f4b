# SPDX-License-Identifier: BSD-3-Clause
"""Singular values without LAPACK: one-sided Jacobi rotations of the rows, all disjoint pairs of them at once."""

from . import _core

_SWEEPS = 60  # a dozen sweeps suffice, since convergence is quadratic


def svdvals(x):
    """Returns the singular values of each matrix in the last two dims, in falling order: the norms of rows that are
    rotated until they are orthogonal."""
    dtype, real = (_core.complex128, _core.float64) if x.dtype.kind == "c" else (_core.float64, _core.float64)
    small = x.dtype.itemsize == (8 if x.dtype.kind == "c" else 4)
    rows = _core.astype(x if x.shape[-2] <= x.shape[-1] else x.mT, dtype)
    if 0 in rows.shape:
        return _core.zeros(rows.shape[:-1], dtype=_core.float32 if small else real)
    scale = _core.amax(_core.abs(rows), axis=(-2, -1), keepdims=True)
    rows = rows / _core.where(scale > 0, scale, 1.0)
    count = rows.shape[-2]
    size = count + count % 2
    if size > count:  # a row of zeros makes the number even
        rows = _core.concat([rows, _core.zeros_like(rows[..., :1, :])], axis=-2)
    order, tolerance = [*range(size)], 2.0**-53 * max(rows.shape[-2:])
    for _ in range(_SWEEPS if count > 1 else 0):
        farthest = 0.0
        for _ in range(size - 1):  # each row meets each other one once
            p, q = order[:size // 2], order[:size // 2 - 1:-1]
            farthest = max(farthest, _rotate(rows, p, q))
            order.insert(1, order.pop())
        if not farthest > tolerance:
            break
    values = _core.sqrt(_core.sum(_squares(rows), axis=-1))[..., :] * scale[..., 0]
    values = _core.sort(values, axis=-1, descending=True)[..., :count]
    return _core.astype(values, _core.float32) if small else values


def _squares(rows):
    return _core.real(rows * _core.conj(rows)) if rows.dtype.kind == "c" else rows * rows


def _rotate(rows, p, q):
    """Makes rows p orthogonal to rows q, and returns the largest cosine between two of them before."""
    a, b = rows[..., p, :], rows[..., q, :]
    inner = _core.sum(_core.conj(a) * b, axis=-1, keepdims=True)
    alpha, beta = (_core.sum(_squares(r), axis=-1, keepdims=True) for r in (a, b))
    size, product = _core.abs(inner), _core.sqrt(alpha) * _core.sqrt(beta)
    turns = size > 2.0**-60 * product
    if not turns.any():
        return 0.0
    largest = _core.amax(_core.maximum(alpha, beta), axis=-2, keepdims=True)
    counts = turns & (_core.minimum(alpha, beta) > 2.0**-108 * largest)  # the rest are rounding errors
    cosine = float(_core.amax(_core.where(counts, size / _core.where(product > 0, product, 1.0), 0.0)))
    divisor = _core.where(turns, size, 1.0)
    b = b * _core.conj(inner / divisor) if b.dtype.kind == "c" else b * _core.where(inner < 0, -1.0, 1.0)
    zeta = (beta - alpha) / (2.0 * divisor)
    t = _core.where(zeta < 0, -1.0, 1.0) / (_core.abs(zeta) + _core.hypot(zeta, 1.0))
    c = 1.0 / _core.hypot(t, 1.0)
    s = c * t
    rows[..., p, :] = _core.where(turns, c * a - s * b, a)
    rows[..., q, :] = _core.where(turns, s * a + c * b, rows[..., q, :])
    return cosine
