/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims read backwards: from the last element, with the stride negated. */
#include "layout/layout.h"

void stria__layout_flip(struct layout *out, const struct geometry *a, int count, const int *dims)
{
    layout_start(out, a);
    for (int i = 0; i < count; i++) {
        const int d = dims[i];
        if (a->shape[d] > 0) layout_move(out, a->shape[d] - 1, a->strides[d]);
        out->strides[d] = scaled_stride(a->strides[d], -1);
    }
}
