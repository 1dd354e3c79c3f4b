/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order in which an array's dims lie in memory, so that another array can be laid out like it.
 * Dims with different strides are sorted by them, in NumPy as in PyTorch. The two differ where
 * strides are equal (windows) or 0 (broadcast dims), and each is followed exactly, since users
 * compare strides. The sign of a stride does not count: an array made like a reversed one has
 * positive strides.
 */
#include "layout/layout.h"

static int by_stride(const void *geometry, int i, int j)
{
    const struct geometry *a = geometry;
    const uint64_t s = magnitude(a->strides[i]), t = magnitude(a->strides[j]);
    return (s > t) - (s < t);
}

static int by_stride_unless_0(const void *geometry, int i, int j)
{
    const struct geometry *a = geometry;
    if (a->strides[i] == 0 || a->strides[j] == 0) return 0;
    const int found = by_stride(a, i, j);
    return found ? found : a->shape[i] > a->shape[j];
}

/*
 * Inserts dims from C order, fastest dim first, as PyTorch does. "Cannot be compared" is not
 * transitive, so the sequence of comparisons decides the result, and another sort would give
 * another order. A dim moves past those it cannot be compared with, which stay where they are.
 */
void stria__insert_dims(int *dims, int ndim, stria__larger *larger, const void *arg)
{
    for (int i = 0; i < ndim; i++)
        dims[i] = i;
    for (int i = ndim - 2; i >= 0; i--)
        for (int at = i, j = i + 1; j < ndim; j++) {
            const int found = larger(arg, dims[j], dims[at]);
            if (found < 0) break;
            if (found == 0) continue;
            const int d = dims[at];
            dims[at] = dims[j];
            dims[j] = d;
            at = j;
        }
}

void stria__physical_order(int *dims, const struct geometry *a, stria_order rule)
{
    stria__insert_dims(dims, a->ndim, rule == STRIA_ORDER_K ? by_stride : by_stride_unless_0, a);
}
