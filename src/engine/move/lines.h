/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the caches hold of the lines that a move visits: how often these are fetched again, and how
 * many source rows of a transposition can be read side by side.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_LINES_H
#define STRIA_SRC_ENGINE_MOVE_LINES_H

#include "nest.h"
#include "tiling.h"

/*
 * Computes the cycles for lines that are fetched again, for so many items in the order of the
 * output.
 */
double stria__lines_again(const struct nest *nest, double items);

/*
 * Tells whether the output has gaps along dim 0, and far more lines than fit in the second-level
 * cache.
 */
bool stria__has_far_gaps(const struct nest *nest);

/*
 * Tells whether so many rows, or all of a block, fall onto few sets of the first-level cache, which
 * is usual for a power-of-two pitch.
 */
bool stria__collides(const struct side *side, int64_t rows);

/* n rows, `pitch` apart or, if `at` is not NULL, at those offsets. */
struct row_places {
    const int64_t *at;
    int64_t pitch, n;
};

/*
 * Chooses the slabs for an output that is not streamed, and that does not fit in the first-level
 * cache with its input.
 */
struct column_slabs stria__slabs(int64_t item, const struct row_places *out,
                                 const struct row_places *in);

/*
 * Tells whether so many source rows, or all of a block, can be read side by side: the second-level
 * cache must hold a line of each, or prefetched lines would be evicted before they are read.
 */
bool stria__side_by_side(const struct tiling *t, int64_t rows);

/*
 * Tells whether the hardware prefetcher follows so few rows at once that no more should be read
 * side by side. If it does not, longer pieces of output gain more.
 */
bool stria__follows_rows(void);

/* Returns how many source rows may be read side by side at most. */
int64_t stria__rows_most(int64_t item);

/*
 * Returns the number of rows up to which two lines of each are read at once, when `rows` are read
 * side by side. Rows with conflict misses come from the third-level cache, which that suits better;
 * they use few sets of the first-level cache, which has room for larger buffers then.
 */
int64_t stria__two_line_rows(const struct tiling *t, int64_t rows);

#endif
