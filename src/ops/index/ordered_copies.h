/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of operands in another order of dims: reordering handles many items at a time, which is
 * faster than working on items that are far apart.
 */
#ifndef STRIA_OPS_INDEX_ORDERED_COPIES_H
#define STRIA_OPS_INDEX_ORDERED_COPIES_H

#include "stria/array.h"

/* The copies that were made, to be released. count starts at 0. */
struct ordered {
    stria_array made[4];
    int count;
};

/*
 * Replaces *operand by a copy of its stored items, dense in the given order of the shape of `like`.
 */
stria_status stria__copy_ordered(struct ordered *ordered, const stria_view **operand,
                                 const stria_view *like, stria_order order);
void stria__ordered_release(struct ordered *ordered);

#endif
