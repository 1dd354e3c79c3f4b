/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of a copy by each strategy, in cycles of a core; the cheapest strategy is taken.
 *
 * The costs include what strategies differ in: the work on items, rows and calls of kernels,
 * preparations, and lines that are fetched again because they were evicted. What every strategy
 * must move between memory and the caches is left out, since it is the same for all. The file of a
 * strategy counts its kernel's lines and shuffles; this file has what several of them share.
 *
 * The cycles that kernels take are in machine/machine.c, with what they were measured on.
 */
#pragma once

#include <math.h>

#include "base/tool_api.h"
#include "nest.h"
#include "tiling.h"

/* Returned as the cost of a strategy that cannot copy the nest, or cannot pay. */
#define CANNOT INFINITY

/*
 * Properties of a nest. A strategy lists those that it needs, and is not asked about other nests.
 */
enum trait {
    ONE_RUN = 1 << 0,   /* The nest has no dims. */
    DIMS = 1 << 1,      /* The nest has dims. */
    TWO_DIMS = 1 << 2,  /* The nest has two dims or more. */
    OUT_DENSE = 1 << 3, /* The output is dense along dim 0. */
    /* Along dim 0 the output has steps up to SPREAD bytes, and the input is dense or has stride
     * 0. */
    OUT_SPREAD = 1 << 4,
    IN_STANDS = 1 << 5, /* The input has stride 0 along dim 0. */
    /* Along a long dim 0, a load of LANE bytes of the input holds two items or more. */
    IN_NEAR = 1 << 6,
    FORWARD = 1 << 7,  /* These items are in ascending order. */
    BACKWARD = 1 << 8, /* These items are in descending order. */
    ACROSS = 1 << 9,   /* The input is dense along another dim, and items are not rows. */
    PLANAR = 1 << 10,  /* Dim 0 takes one item from each of a few planes, dim 1 the next items. */
    SIZED = 1 << 11,   /* Items have a kernel for their size. */
    ODD = 1 << 12,     /* Items have no kernel for their size. */
    MANY = 1 << 13,    /* There are so many items that several steps may pay. */
    REPEATS = 1 << 14, /* The input has stride 0 along dim 1 or an outer dim. */
    WHOLE = 1 << 15    /* The nest is a whole copy, not one step of a strategy. */
};

/*
 * A nest, and the numbers that costs are computed from: its items, its rows, and the calls of a
 * kernel that takes the first two dims.
 */
struct facts {
    const struct nest *nest; /* Borrowed. */
    unsigned traits;
    int across; /* The dim of ACROSS; 0 without. */
    double items, rows, calls;
};

TOOL_API struct facts stria__facts(const struct nest *nest);

/*
 * Returns the cycles to read an item and write it: a cycle for nearly one of each. Items without a
 * kernel are two overlapping pieces; long ones are lines.
 */
double stria__item_cycles(int64_t item);

/*
 * Returns the cycles to copy item by item, in the order of the output. Loops over short rows are
 * unrolled. The loop overhead hides behind the stores, which take longer the more bytes an item
 * has.
 */
double stria__strided_cycles(const struct facts *f);

/*
 * Returns the cycles for lines that are fetched again, or lines apart, for so many items in the
 * order of the output.
 */
double stria__lines_again(const struct nest *nest, double items);

/*
 * Tells whether so many rows, or all of a block, fall onto few sets of the first-level cache, as is
 * usual for a power-of-two pitch.
 */
bool stria__collides(const struct side *side, int64_t rows);

/* The places of n rows: `pitch` apart or, if `at` is not NULL, at those offsets. */
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

/* Returns the most source rows that may be read side by side. */
int64_t stria__rows_most(int64_t item);

/*
 * Returns the number of rows up to which two lines of each are read at once, when `rows` are read
 * side by side. Rows with conflict misses come from the third-level cache, for which that is
 * better; they use few sets of the first-level cache, which has room for larger buffers then.
 */
int64_t stria__two_line_rows(const struct tiling *t, int64_t rows);
