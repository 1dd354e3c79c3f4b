/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims read backwards: from the last element, with the stride negated. */
#include "layout/layout.h"

void stria__layout_flip(struct layout *out, const struct geometry *a, uint64_t dims)
{
    struct layout l = *out; /* nothing that a size or stride written could change */
    const struct geometry from = *a;
    l.ndim = from.ndim;
    for (int d = 0; d < from.ndim; d++, dims >>= 1) {
        layout_put(&l, d, from.shape[d], from.strides[d]);
        if (dims & 1) layout_turn_back(&l, d);
    }
    *out = l;
}
