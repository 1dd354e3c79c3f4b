/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of indexed.h. Operands: 0 destination, 1 source, 2 the view of offsets or indices (i64,
 * any address).
 */
#ifndef STRIA_OPS_INDEX_INDEXED_LOOPS_H
#define STRIA_OPS_INDEX_INDEXED_LOOPS_H

#include "simd/combine.h"
#include "stria/indexing.h"
#include "stria/plan.h"

/* arg of the loops below, unless another one is named */
struct move {
    int64_t item;          /* bytes */
    int64_t scale, wrap;   /* those of struct indexed */
    combine_loop *combine; /* loop that stria__combine_rows returned */
};

/* Moves rows of items that have one offset each. The loops call this; it is no loop itself. */
void stria__move_rows(char *const *ptr, const stria_dim *d, const struct move *how, int64_t item,
                      bool scatter);

/* Loops that move items unchanged: the offsets belong to the source, or to the destination. */
stria_loop *stria__gather_loop(int64_t item);
stria_loop *stria__scatter_loop(int64_t item);

/*
 * Returns the kernel of destination = destination op source, for items of a native numeric dtype;
 * NULL when there is none. For a mean it is the sum.
 */
combine_loop *stria__combine_kernel(stria_dtype dtype, stria_reduce reduce);
/* The loop that runs it. */
stria_status stria__combine_rows(char *const *ptr, const stria_dim *d, const void *arg);

#endif
