/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of fold.h with lanes of f64, in which all float dtypes are combined. */
#pragma once

#include "fold.h"
#include "fold_ahead.h"
#include "kernels.h"
#include "lanes.h"
#include "map_layout.h"

enum {
    REGISTERS = LANES / VD,
    PASS = 8 /* rows of a lane that are combined in one pass */
};

/* The LANES accumulators of a leaf. */
struct lanes {
    vd v[REGISTERS];
};

/* The neutral element. For sums it is -0: x + -0 is x for every x, but -0 + +0 is +0. */
static ALWAYS_INLINE double identity_of(const enum fold op)
{
    return op == FOLD_PRODUCT ? 1.0 : -0.0;
}

static ALWAYS_INLINE vd tree_vd(const enum fold op, vd a, vd b)
{
    return op == FOLD_PRODUCT ? a * b : a + b;
}

/* Combines accumulators a with values x of elements; vd_plus() may be faster than an addition. */
static ALWAYS_INLINE vd tree_term(const enum fold op, vd a, vd x)
{
    return op == FOLD_PRODUCT ? a * x : vd_plus(a, x);
}

static ALWAYS_INLINE double tree_f64(const enum fold op, double a, double b)
{
    return op == FOLD_PRODUCT ? a * b : a + b;
}

static ALWAYS_INLINE struct lanes empty_lanes(const enum fold op)
{
    struct lanes out;
    UNROLL
    for (int k = 0; k < REGISTERS; k++)
        out.v[k] = vd_all(identity_of(op));
    return out;
}

/* Combines lane l with lane l + LANES / 2, and so on by halves, until one vector is left. */
static ALWAYS_INLINE vd halved(const enum fold op, struct lanes *a)
{
    UNROLL
    for (int half = REGISTERS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            a->v[k] = tree_vd(op, a->v[k], a->v[k + half]);
    return a->v[0];
}

/* Combines the upper half of a vector with the lower, and so on by halves, until one item is left.
 */
static ALWAYS_INLINE double folded_items(const enum fold op, vd a)
{
    double x[VD];
    memcpy(x, &a, sizeof x);
    UNROLL
    for (int half = VD / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            x[l] = tree_f64(op, x[l], x[l + half]);
    return x[0];
}

/* Combines lane l with lane l + 8, then l + 4, l + 2 and l + 1. */
static ALWAYS_INLINE double folded(const enum fold op, struct lanes *a)
{
    return folded_items(op, halved(op, a));
}

/*
 * Returns a vector whose item k is folded_items() of v[k]. Combining halves of two vectors as one
 * vector takes fewer instructions than VD separate calls.
 */
#define PICKED(a, b, ...) ((vd)__builtin_shufflevector(a, b, __VA_ARGS__))
#if defined STRIA_SIMD_LANES_WIDE_H
static ALWAYS_INLINE vd joined_halves(const enum fold op, vd a, vd b)
{
    return tree_vd(op, PICKED(a, b, 0, 1, 2, 3, 8, 9, 10, 11),
                   PICKED(a, b, 4, 5, 6, 7, 12, 13, 14, 15));
}
static ALWAYS_INLINE vd joined_four(const enum fold op, const vd v[4])
{
    const vd a = joined_halves(op, v[0], v[1]), b = joined_halves(op, v[2], v[3]);
    return tree_vd(op, PICKED(a, b, 0, 1, 4, 5, 8, 9, 12, 13),
                   PICKED(a, b, 2, 3, 6, 7, 10, 11, 14, 15));
}
static ALWAYS_INLINE vd joined_items(const enum fold op, const vd v[VD])
{
    const vd a = joined_four(op, v), b = joined_four(op, v + 4);
    return tree_vd(op, PICKED(a, b, 0, 2, 4, 6, 8, 10, 12, 14),
                   PICKED(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
}
#elif defined HAVE_V32
static ALWAYS_INLINE vd joined_halves(const enum fold op, vd a, vd b)
{
    return tree_vd(op, PICKED(a, b, 0, 1, 4, 5), PICKED(a, b, 2, 3, 6, 7));
}
static ALWAYS_INLINE vd joined_items(const enum fold op, const vd v[VD])
{
    const vd even = joined_halves(op, v[0], v[2]), odd = joined_halves(op, v[1], v[3]);
    return tree_vd(op, PICKED(even, odd, 0, 4, 2, 6), PICKED(even, odd, 1, 5, 3, 7));
}

/* Folds VD adjacent rows of n items, 2 to 4, which follow each other in v, by the same tree. */
#define HAVE_JOINED_ROWS 1
static ALWAYS_INLINE vd joined_rows(const enum fold op, const vd *v, const int n)
{
    if (n == 4) return joined_items(op, v);
    if (n == 2) {
        const vd by_turns =
            tree_vd(op, PICKED(v[0], v[1], 0, 4, 2, 6), PICKED(v[0], v[1], 1, 5, 3, 7));
        return PICKED(by_turns, by_turns, 0, 2, 1, 3);
    }
    const vd first = PICKED(PICKED(v[0], v[1], 0, 3, 6, 6), v[2], 0, 1, 2, 5),
             second = PICKED(PICKED(v[0], v[1], 1, 4, 7, 7), v[2], 0, 1, 2, 6),
             third = PICKED(PICKED(v[0], v[1], 2, 5, 5, 5), v[2], 0, 1, 4, 7);
    return tree_vd(op, tree_vd(op, first, third), second);
}
#elif defined VD_IS_DOUBLE
static ALWAYS_INLINE vd joined_items(const enum fold op, const vd v[VD])
{
    (void)op;
    return v[0];
}
#else
static ALWAYS_INLINE vd joined_items(const enum fold op, const vd v[VD])
{
    return tree_vd(op, __builtin_shufflevector(v[0], v[1], 0, 2),
                   __builtin_shufflevector(v[0], v[1], 1, 3));
}
#endif
#undef PICKED

/* Adds a subtree of 2^k leaves to the tree, after `leaves` others, and joins those of equal size.
 */
static ALWAYS_INLINE void push_subtree(const enum fold op, double *level, int64_t leaves, double a,
                                       int k)
{
    for (; leaves >> k & 1; k++)
        a = tree_f64(op, level[k], a);
    level[k] = a;
}

static ALWAYS_INLINE void push_leaf(const enum fold op, double *level, int64_t leaves, double a)
{
    push_subtree(op, level, leaves, a, 0);
}

/* Joins the subtrees that are left, from the smallest to the largest. */
static ALWAYS_INLINE double joined_leaves(const enum fold op, const double *level, int64_t leaves)
{
    int k = __builtin_ctzll((unsigned long long)leaves);
    double a = level[k];
    while (leaves >> ++k)
        if (leaves >> k & 1) a = tree_f64(op, level[k], a);
    return a;
}

static ALWAYS_INLINE void join_f64(const enum fold op, double *restrict into,
                                   const double *restrict more, int64_t n)
{
    SIMD_LOOP
    for (int64_t i = 0; i < n; i++)
        into[i] = tree_f64(op, into[i], more[i]);
}

/* Folds the LANES lanes of one vector of columns, whose lanes lie w items apart in memory. */
static ALWAYS_INLINE vd folded_column(const enum fold op, const double *all, int64_t w)
{
    vd v[LANES];
    UNROLL
    for (int l = 0; l < LANES; l++)
        v[l] = vd_load_f64((const char *)(all + l * w));
    UNROLL
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            v[l] = tree_vd(op, v[l], v[l + half]);
    return v[0];
}

/*
 * Tells whether each lane has one or two rows, so that the lanes of a vector of columns stay in
 * registers. Two rows that are a multiple of WAY / 4 apart are excluded: they fall onto few sets of
 * the first-level cache, where the second of two lines of each row would evict the first.
 */
static ALWAYS_INLINE bool has_few_rows(const struct fold_block *f)
{
    return f->n <= LANES || (f->n <= 2 * LANES && (f->at[1] - f->at[0]) % (WAY / 4) != 0);
}

/*
 * Calls a function that is specialized for each number of rows in which has_few_rows() holds; its
 * last argument is the power of two that is not below that.
 */
#define BY_FEW_ROWS(n, call, ...)                                                                  \
    if ((n) <= 2)                                                                                  \
        call(__VA_ARGS__, 2);                                                                      \
    else if ((n) <= LANES / 4)                                                                     \
        call(__VA_ARGS__, LANES / 4);                                                              \
    else if ((n) <= LANES / 2)                                                                     \
        call(__VA_ARGS__, LANES / 2);                                                              \
    else if ((n) <= LANES)                                                                         \
        call(__VA_ARGS__, LANES);                                                                  \
    else                                                                                           \
        call(__VA_ARGS__, 2 * LANES);

/* The i-th lane in bit-reversed order, in which each subtree can be joined to the one before. */
static ALWAYS_INLINE int bit_reversed_lane(int i)
{
    return (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3;
}

/* Folds LANES rows of w accumulators into the row `out`. Overwrites `all`. */
static ALWAYS_INLINE void fold_lanes(const enum fold op, double *out, double *all, int64_t w)
{
    int64_t done = 0;
    for (; done + VD <= w; done += VD)
        vd_store((char *)(out + done), folded_column(op, all + done, w));
    for (int64_t half = LANES / 2; half > 0; half /= 2)
        for (int64_t l = 0; l < half; l++)
            join_f64(op, all + l * w + done, all + (l + half) * w + done, w - done);
    memcpy(out + done, all + done, (size_t)(w - done) * sizeof *out);
}

static void fold_sum_join_f64(char *into, const char *more, int64_t n)
{
    join_f64(FOLD_SUM, (void *)into, (const void *)more, n);
}

#ifndef SUMS_ONLY
static void fold_product_join_f64(char *into, const char *more, int64_t n)
{
    join_f64(FOLD_PRODUCT, (void *)into, (const void *)more, n);
}

#endif
