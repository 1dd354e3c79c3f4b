/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often cache lines are fetched: those of the input in the order of the output, and those of
 * the output.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_LINES_H
#define STRIA_SRC_ENGINE_MOVE_LINES_H

#include "nest.h"

/*
 * If the innermost dim steps over lines of the input, another dim reads the rest of each line: the
 * dim that has the smallest steps, two to a line or more.
 */
struct lines_between {
    int dim;       /* 0 if there is none */
    int64_t n;     /* approximate number of lines read until the first one is needed again */
    int64_t step;  /* step of the innermost of the dims before it that moves in the input */
    int64_t pages; /* pages of those lines */
    struct sets_reached {
        int64_t most, n; /* sets that steps of any number reach, and sets of those lines */
    } near, far;         /* of the first-level cache, and of the second-level cache */
};
struct lines_between stria__lines_between(const struct nest *nest);

/*
 * Computes the cycles for lines that are fetched again, for so many items in the order of the
 * output.
 */
double stria__lines_again(const struct nest *nest, double items);

/*
 * Computes the cycles if so many lines are read side by side until they are used up, without the
 * help of the hardware prefetcher.
 */
double stria__lines_once(const struct nest *nest, const struct lines_between *b, double items,
                         int64_t side_by_side);

/*
 * Tells whether the output has gaps along dim 0, and far more lines than fit in the second-level
 * cache.
 */
bool stria__has_far_gaps(const struct nest *nest);

#endif
