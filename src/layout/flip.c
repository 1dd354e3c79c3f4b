/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims read backwards: from the last element, with the stride negated. */
#include "layout/layout.h"

void stria__layout_flip(struct layout *out, const struct geometry *a, int count, const int *dims)
{
    struct layout l = *out;
    layout_start(&l, a);
    for (int i = 0; i < count; i++)
        layout_turn_back(&l, dims[i]);
    *out = l;
}
