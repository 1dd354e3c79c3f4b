/* SPDX-License-Identifier: BSD-3-Clause */
/* Reorders the dims of moves whose order does not matter, see indexed_loops.h. */
#ifndef STRIA_OPS_INDEX_ARRANGE_H
#define STRIA_OPS_INDEX_ARRANGE_H

#include "stria/plan.h"

/*
 * Makes a dim of adjacent items that share an offset the innermost one, and avoids a short dim as
 * the next one.
 */
void stria__arrange(stria_plan *plan, int64_t item);

/*
 * Moves short rows column by column, for a block of rows at a time. The order along each row stays,
 * so the result does not change.
 */
struct columns {
    stria_loop *loop;
    const void *arg;
};
bool stria__has_short_rows(const stria_plan *plan, int64_t item);
/* arg is a struct columns. */
stria_status stria__move_columns(char *const *ptr, const stria_dim *d, const void *arg);

#endif
