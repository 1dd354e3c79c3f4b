/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of sums as docs/reductions.md defines it, as directly as it can be written down. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline double tree_op(bool product, double a, double b)
{
    return product ? a * b : a + b;
}

/* Reduces a leaf: element r belongs to lane r % 16, and lanes are halved. */
static inline double tree_leaf(bool product, const double *x, int64_t n)
{
    double lane[16];
    for (int l = 0; l < 16; l++)
        lane[l] = product ? 1.0 : -0.0;
    for (int64_t r = 0; r < n; r++)
        lane[r % 16] = tree_op(product, lane[r % 16], x[r]);
    for (int half = 8; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            lane[l] = tree_op(product, lane[l], lane[l + half]);
    return lane[0];
}

/* T(m leaves) = T(p) op T(m - p), p the largest power of two below m. */
static inline double tree_of(bool product, const double *x, int64_t n)
{
    int64_t p = 256;
    if (n <= 256) return tree_leaf(product, x, n);
    while (2 * p < n)
        p *= 2;
    return tree_op(product, tree_of(product, x, p), tree_of(product, x + p, n - p));
}
