/* SPDX-License-Identifier: BSD-3-Clause */
/* How many source rows of a transposition are read side by side, by what caches bear. */
#ifndef STRIA_SRC_OPS_COPY_ABREAST_H
#define STRIA_SRC_OPS_COPY_ABREAST_H

#include "engine/machine.h"
#include "tiling.h"

/*
 * Whether so many rows, or all of a block, fall onto few sets of the first-level cache. A
 * power-of-two pitch is the usual reason.
 */
bool stria__collides(const struct side *side, int64_t rows);

/* n rows that lie `pitch` apart or, where `at` is not NULL, anywhere. */
struct row_places {
    const int64_t *at;
    int64_t pitch, n;
};

/* For an output that is not streamed, and that the first-level cache does not hold with its input.
 */
struct column_slabs stria__slabs(int64_t item, const struct row_places *out,
                                 const struct row_places *in);

/*
 * Whether so many source rows, or all of a block, can be read side by side: no more than have room
 * in the second-level cache for a line each. Others would push out what
 * is fetched ahead.
 */
bool stria__side_by_side(const struct tiling *t, int64_t rows);

/*
 * Whether the hardware that reads ahead in rows by itself follows so few of them at once that no
 * more should be read side by side. Where it does not, longer pieces of output gain more.
 */
bool stria__follows_rows(void);

/* Source rows to be read side by side at most. */
int64_t stria__rows_most(int64_t item);

/*
 * Of how many rows two lines each are read at once, where it is `rows` of them. Those that push
 * each other out of the caches come from the third level, which that suits better; they use few
 * sets of the first, so that larger stages have room there.
 */
int64_t stria__two_line_rows(const struct tiling *t, int64_t rows);

#endif
