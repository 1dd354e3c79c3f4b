/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of indexed.h. Operands: 0 destination, 1 source, 2 the view of offsets or indices (i64,
 * any address).
 */
#ifndef STRIA_OPS_INDEX_MOVE_H
#define STRIA_OPS_INDEX_MOVE_H

#include <string.h>

#include "stria/indexing.h"
#include "stria/plan.h"

/* arg of the loops below, unless another one is named */
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

/* Moves rows of items that have one offset each. The loops call this; it is no loop itself. */
void stria__move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter);

/* Loops that move items unchanged: the offsets belong to the source, or to the destination. */
stria_loop *stria__gather_loop(int64_t item);
stria_loop *stria__scatter_loop(int64_t item);

/*
 * Returns the loop of destination = destination op source, for items of a native numeric dtype;
 * NULL when there is none. For a mean it is the sum.
 */
stria_loop *stria__combine_loop(stria_dtype dtype, stria_reduce reduce);
/*
 * Returns the loop that divides. Operands: 0 sums, 1 their counts (i64); a count of 0 divides by 1.
 * NULL when there is none.
 */
stria_loop *stria__divide_loop(stria_dtype dtype);

#endif
