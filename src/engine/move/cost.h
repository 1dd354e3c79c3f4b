/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of a copy by each strategy, in cycles of a core; the cheapest strategy is taken.
 *
 * The costs include what strategies differ in: the work on items, rows and calls of kernels,
 * preparations, and lines that are fetched again because they were evicted. What every strategy
 * must move between memory and the caches is left out, since it is the same for all. The file of a
 * strategy counts its kernel's lines and shuffles; this file has what several of them share.
 *
 * The cycles that kernels take are in machine/cycles.c, with what they were measured on.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_COST_H
#define STRIA_SRC_ENGINE_MOVE_COST_H

#include <math.h>

#include "machine/machine.h"
#include "kernel_args.h"
#include "lines.h"
#include "nest.h"
#include "tiling.h"

/* The cost of a strategy that gives no right result, or cannot be worth it. */
#define CANNOT INFINITY

/*
 * The properties of a nest. A strategy names those that it needs, and is not asked about other
 * nests.
 */
enum trait {
    ONE_RUN = 1 << 0,    /* it has no dims */
    DIMS = 1 << 1,       /* it has some */
    TWO_DIMS = 1 << 2,   /* two or more */
    OUT_DENSE = 1 << 3,  /* the output is dense along dim 0 */
    OUT_SPREAD = 1 << 4, /* along dim 0 the output has steps up to SPREAD bytes, the input is dense
                            or has stride 0 */
    IN_STANDS = 1 << 5,  /* the input has stride 0 along dim 0 */
    IN_NEAR = 1 << 6,    /* along a long dim 0, a load of LANE bytes of the input holds two items or
                            more */
    FORWARD = 1 << 7,    /* these items are in ascending order */
    BACKWARD = 1 << 8,   /* these items are in descending order */
    ACROSS = 1 << 9,     /* the input is dense along another dim, and items are not rows */
    PLANAR = 1 << 10,    /* dim 0 takes one item of each of a few planes, dim 1 the next items */
    SIZED = 1 << 11,     /* items have a kernel of their own */
    ODD = 1 << 12,       /* items have none */
    MANY = 1 << 13,      /* so many items that several steps may pay */
    REPEATS = 1 << 14,   /* the input has stride 0 along dim 1 or an outer dim */
    WHOLE = 1 << 15      /* the nest is not itself a step of such a strategy */
};

/*
 * A nest and the numbers that costs consist of: how often a kernel over its first two dims
 * iterates.
 */
struct facts {
    const struct nest *nest; /* borrowed */
    unsigned traits;
    int across; /* the dim of ACROSS; 0 without */
    double items, rows, calls;
};

static inline unsigned stria__traits_of_dim0(const struct nest *nest)
{
    const int64_t item = nest->item, so = nest->d[0].so, si = nest->d[0].si;
    unsigned traits = so == item ? OUT_DENSE : 0;
    if (so > item && so <= SPREAD && (si == item || si == 0)) traits = OUT_SPREAD;
    if (si == 0) return traits | IN_STANDS;
    if (nest->d[0].n < GATHER_SHORT || item > LANE / 2 || si < item - LANE || si > LANE - item)
        return traits;
    return traits | IN_NEAR | (si < 0 ? BACKWARD : FORWARD);
}

static inline unsigned stria__traits_of_dim1(const struct nest *nest)
{
    const int64_t item = nest->item, n0 = nest->d[0].n;
    const bool planar =
        n0 <= PLANES && item <= LANE / 2 && nest->d[1].si == item && nest->d[1].so == n0 * item;
    return planar ? TWO_DIMS | PLANAR : TWO_DIMS;
}

static inline unsigned stria__repeats(const struct nest *nest)
{
    unsigned traits = 0;
    for (int d = 1; d < nest->ndim; d++)
        traits |= nest->d[d].si == 0 ? REPEATS : 0;
    return traits;
}

static inline struct facts stria__facts(const struct nest *nest)
{
    struct facts f = {.nest = nest, .items = 1, .rows = 1, .calls = 1};
    f.traits = stria__size_class(nest->item) == SIZE_ANY ? ODD : SIZED;
    if (nest->ndim == 0) {
        f.traits |= ONE_RUN;
        return f;
    }
    f.traits |= WHOLE | DIMS | stria__traits_of_dim0(nest);
    for (int d = 2; d < nest->ndim; d++)
        f.calls *= (double)nest->d[d].n;
    if (nest->ndim > 1) {
        f.traits |= stria__traits_of_dim1(nest);
        f.rows = f.calls * (double)nest->d[1].n;
        f.traits |= stria__repeats(nest);
        if (nest->item < LINE) f.across = stria__tiling_dim(nest);
        if (f.across) f.traits |= ACROSS;
    }
    f.items = f.rows * (double)nest->d[0].n;
    if (f.items >= (double)stria__machine()->many_items) f.traits |= MANY;
    return f;
}

/*
 * Cycles to read an item and write it: nearly one of each in a cycle. Items without a kernel are
 * two overlapping pieces; long ones are lines.
 */
static inline double stria__item_cycles(int64_t item)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    if (stria__size_class(item) != SIZE_ANY)
        return c->strided.item + c->strided.byte * (double)item;
    if (item <= LINE) return c->strided.odd_item[(item > 16) + (item > 32)];
    return c->strided.long_item + c->strided.line * (double)item / LINE;
}

/*
 * Cycles item by item, in the order of the output. Loops over short rows are unrolled. The loop
 * overhead hides behind the stores, which take longer the more bytes an item has.
 */
static inline double stria__strided_cycles(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const struct nest *nest = f->nest;
    const double item = (double)nest->item,
                 calls = f->calls * c->strided.call + stria__lines_again(nest, f->items);
    const double row = f->traits & ODD               ? c->strided.odd_row
                       : nest->d[0].n < UNROLLED_ROW ? c->strided.short_row
                                                     : c->strided.row - c->strided.row_less * item;
    return f->items * stria__item_cycles(nest->item) + f->rows * row + calls;
}

#endif
