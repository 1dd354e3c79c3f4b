/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of dims for moves of which it does not matter, see move.h. */
#ifndef STRIA_OPS_INDEX_ARRANGE_H
#define STRIA_OPS_INDEX_ARRANGE_H

#include "stria/plan.h"

/*
 * A dim of items side by side with one offset for all becomes the innermost, and the next one is
 * not short where that can be avoided.
 */
void stria__arrange(stria_plan *plan, int64_t item);

/*
 * Where rows are short, columns of a block of them are moved one after the other instead, which
 * fits what is read, and what is written as long as the order along a row stays.
 */
struct columns {
    stria_loop *loop;
    const void *arg;
};
bool stria__has_short_rows(const stria_plan *plan, int64_t item);
/* arg: columns. */
stria_status stria__move_columns(char *const *ptr, const stria_dim *d, const void *arg);

#endif
