/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands in another order than they come in: to bring items into it is done many at a time, to
 * work on those that lie apart is not.
 */
#ifndef STRIA_OPS_INDEX_ORDERED_H
#define STRIA_OPS_INDEX_ORDERED_H

#include "stria/array.h"

/* Begins with count 0; to be released. */
struct ordered {
    stria_array made[4];
    int count;
};

/* *operand gives its place to a copy, as it is stored, dense in an order of the shape of `like`. */
stria_status stria__bring_in_order(struct ordered *ordered, const stria_view **operand,
                                   const stria_view *like, stria_order order);
void stria__ordered_release(struct ordered *ordered);

#endif
