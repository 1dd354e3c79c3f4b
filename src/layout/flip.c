/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims in reverse: they start at the last element, and the stride is negated. */
#include "layout/layout.h"

void stria__layout_flip(struct layout *out, const struct geometry *a, uint64_t dims)
{
    struct layout l = *out; /* a local copy, which writes to sizes and strides cannot change */
    const struct geometry from = *a;
    l.ndim = from.ndim;
    for (int d = 0; d < from.ndim; d++, dims >>= 1) {
        layout_put(&l, d, from.shape[d], from.strides[d]);
        if (dims & 1) layout_reverse_dim(&l, d);
    }
    *out = l;
}
