/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims read backwards: from the last element, with the stride negated. */
#include "layout/layout.h"

void stria__layout_turn_back(struct layout *out, int d)
{
    const int64_t n = out->shape[d], s = out->strides[d];
    if (n > 0) layout_move(out, n - 1, s);
    out->strides[d] = s == INT64_MIN ? s : -s; /* NOTE [Products that cannot matter] */
}

void stria__layout_flip(struct layout *out, const struct geometry *a, int count, const int *dims)
{
    struct layout l = *out;
    layout_start(&l, a);
    for (int i = 0; i < count; i++)
        stria__layout_turn_back(&l, dims[i]);
    *out = l;
}
