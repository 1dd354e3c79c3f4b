/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagonal of two dims: one dim whose stride is the sum of theirs. */
#include "checked.h"
#include "layout/layout.h"

void stria__layout_diagonal(struct layout *out, const struct geometry *a, int64_t offset, int i,
                            int j)
{
    const int64_t n = a->shape[i], m = a->shape[j];
    const int64_t length = offset >= 0 ? least(n, m - offset) : least(n + offset, m);
    int at = 0;
    for (int d = 0; d < a->ndim; d++)
        if (d != i && d != j) layout_put(out, at++, a->shape[d], a->strides[d]);
    layout_put(out, at, length > 0 ? length : 0, added_strides(a->strides[i], a->strides[j]));
    out->ndim = at + 1;
    if (length <= 0) return;
    if (offset >= 0)
        layout_move(out, offset, a->strides[j]);
    else
        layout_move(out, -offset, a->strides[i]);
}
