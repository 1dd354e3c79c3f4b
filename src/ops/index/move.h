/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of indexed.h. Operands: 0 destination, 1 source, 2 what offsets are made of (i64, any
 * address).
 */
#ifndef STRIA_OPS_INDEX_MOVE_H
#define STRIA_OPS_INDEX_MOVE_H

#include <string.h>

#include "stria/indexing.h"
#include "stria/plan.h"

/* arg of the loops below that say nothing else */
struct move {
    int64_t item;        /* bytes */
    int64_t scale, wrap; /* as in struct indexed */
};

static inline int64_t stria__offset_at(const char *p, int64_t scale, int64_t wrap)
{
    int64_t offset;
    memcpy(&offset, p, sizeof offset);
    return (offset + (offset < 0 ? wrap : 0)) * scale;
}

/* Rows of items that have one offset each; not a loop, but what loops do with them. */
void stria__move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter);

/* Moves items as they are: the offsets belong to the source, or to the destination. */
stria_loop *stria__gather_loop(int64_t item);
stria_loop *stria__scatter_loop(int64_t item);

/*
 * destination = destination op source, for items of a native numeric dtype; NULL: there is none.
 * Of a mean this is the sum.
 */
stria_loop *stria__combine_loop(stria_dtype dtype, stria_reduce reduce);
/* Operands: 0 sums, 1 their counts (i64): 0 becomes 0 / 1. NULL: there is none. */
stria_loop *stria__divide_loop(stria_dtype dtype);

#endif
