/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reshaping with the first dim fastest: the stride algorithm with the dims of both shapes reversed.
 */
#include "layout/layout.h"

static void reverse(int64_t *out, int n, const int64_t *values)
{
    for (int i = 0; i < n; i++)
        out[i] = values[n - 1 - i];
}

static void reverse_in_place(int n, int64_t *values)
{
    for (int i = 0; i < n / 2; i++) {
        const int64_t value = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = value;
    }
}

bool stria__layout_reshape_fortran(struct layout *out, const struct geometry *a, int ndim,
                                   const int64_t *shape, struct mismatch *mismatch)
{
    int64_t sizes[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM], reversed[STRIA_MAX_NDIM];
    const struct geometry mirrored = {a->ndim, sizes, strides, a->itemsize};
    reverse(sizes, a->ndim, a->shape);
    reverse(strides, a->ndim, a->strides);
    reverse(reversed, ndim, shape);
    if (!stria__layout_reshape(out, &mirrored, stria__elements(&mirrored), ndim, reversed,
                               mismatch)) {
        *mismatch = (struct mismatch){.outer = a->ndim - 1 - mismatch->outer,
                                      .inner = a->ndim - 1 - mismatch->inner,
                                      .new_dim = ndim - 1 - mismatch->new_dim};
        return false;
    }
    reverse_in_place(ndim, out->shape);
    reverse_in_place(ndim, out->strides);
    return true;
}
