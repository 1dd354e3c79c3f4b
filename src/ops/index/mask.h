/* SPDX-License-Identifier: BSD-3-Clause */
/* What other files ask of masks. */
#ifndef STRIA_OPS_INDEX_MASK_H
#define STRIA_OPS_INDEX_MASK_H

#include "stria/array.h"
#include "stria/plan.h"

/* How often a mask of dtype bool holds. UNSUPPORTED without memory. */
stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op);

/* DTYPE: it is not bool. */
stria_status stria__check_mask(const stria_view *mask, const char *op);
/*
 * The mask in dst's shape, read before dst is written if they share memory. DTYPE, BROADCAST.
 */
stria_status stria__mask_of(stria_array *out, const stria_view *mask, const stria_view *dst,
                            const char *op);
/*
 * Dims in which no operand moves are passed once, which is enough for what is counted or written:
 * the size of an expanded view costs no time. Returns how often they would have been passed.
 */
int64_t stria__drop_repetitions(stria_plan *plan);

#endif
