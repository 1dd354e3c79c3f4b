/* SPDX-License-Identifier: BSD-3-Clause */
/* How lines are used up: those of the input in the order of the output, and those of the output. */
#ifndef STRIA_SRC_OPS_COPY_LINES_H
#define STRIA_SRC_OPS_COPY_LINES_H

#include "nest.h"

/*
 * Where the innermost dim steps over the input, its lines are used up along another dim: the one
 * that takes the smallest steps, two to a line or more.
 */
struct lines_between {
    int dim;       /* 0: there is none */
    int64_t n;     /* lines that are read until the first one is needed again, about */
    int64_t step;  /* of the dims before it, the innermost one's that moves in the input */
    int64_t pages; /* that those lines lie in */
    struct sets_reached {
        int64_t most, n; /* sets by steps of any number, and by those lines */
    } near, far;         /* of the first-level cache, and of the second */
};
struct lines_between stria__lines_between(const struct nest *nest);

/* Cycles for those that did not stay in the caches, for so many items in the order of the output.
 */
double stria__lines_again(const struct nest *nest, double items);

/* The same when so many lines are read side by side until they are used up, but come unforeseen. */
double stria__lines_once(const struct nest *nest, const struct lines_between *b, double items,
                         int64_t side_by_side);

/* The output has gaps along dim 0, and far more lines than the second-level cache holds. */
bool stria__has_far_gaps(const struct nest *nest);

#endif
