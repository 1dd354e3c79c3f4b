/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on masks that several files use. */
#ifndef STRIA_OPS_INDEX_INDEX_MASK_H
#define STRIA_OPS_INDEX_INDEX_MASK_H

#include "stria/array.h"
#include "stria/plan.h"

/* Counts the true elements of a mask of dtype bool. UNSUPPORTED without memory. */
stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op);

/* Returns DTYPE unless the mask is bool. */
stria_status stria__check_mask(const stria_view *mask, const char *op);
/*
 * Broadcasts the mask to dst's shape; a mask that shares memory with dst is copied before dst is
 * written. DTYPE, BROADCAST.
 */
STRIA_FILLS stria_status stria__mask_of(stria_array *out, const stria_view *mask,
                                        const stria_view *dst, const char *op);
/*
 * Reduces dims in which no operand moves to size 1, since one pass counts or writes everything: a
 * large expanded view then costs no time. Returns the product of the sizes that were reduced.
 */
int64_t stria__drop_repetitions(stria_plan *plan);

#endif
