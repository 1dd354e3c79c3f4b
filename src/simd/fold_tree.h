/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of fold.h over lanes of f64, which all float dtypes are combined in. */
#ifndef STRIA_SIMD_FOLD_TREE_H
#define STRIA_SIMD_FOLD_TREE_H

#include "fold.h"
#include "fold_ahead.h"
#include "kernels.h"
#include "lanes.h"

enum {
    REGISTERS = LANES / VD,
    TURN = 8 /* rows of a lane that are taken at once */
};

/* The lanes of a leaf. */
struct lanes {
    vd v[REGISTERS];
};

/* Combined with anything, it gives that: -0 keeps the sign of a zero, where +0 would not. */
static ALWAYS_INLINE double identity_of(const enum fold op)
{
    return op == FOLD_PRODUCT ? 1.0 : -0.0;
}

/* What is combined of elements x. */
static ALWAYS_INLINE vd taken_vd(const enum fold op, vd x)
{
    if (op == FOLD_SQUARES) return x * x;
    if (op == FOLD_MAGNITUDES) return vd_abs(x);
    return op == FOLD_NUMBERS ? vd_number(x, -0.0) : x;
}

static ALWAYS_INLINE double taken_f64(const enum fold op, double x)
{
    if (op == FOLD_SQUARES) return x * x;
    if (op == FOLD_MAGNITUDES) return __builtin_fabs(x);
    return op == FOLD_NUMBERS && x != x ? -0.0 : x;
}

static ALWAYS_INLINE vd tree_vd(const enum fold op, vd a, vd b)
{
    return op == FOLD_PRODUCT ? a * b : a + b;
}

/* Of a and what is taken of elements. */
static ALWAYS_INLINE vd tree_taken(const enum fold op, vd a, vd x)
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

/* Lane l takes lane l + 8 and so on, until one vector is left. */
static ALWAYS_INLINE vd halved(const enum fold op, struct lanes *a)
{
    UNROLL
    for (int half = REGISTERS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            a->v[k] = tree_vd(op, a->v[k], a->v[k + half]);
    return a->v[0];
}

/* Item l takes item l + VD / 2 and so on, until one is left. */
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

/* Lane l takes lane l + 8, then l + 4, l + 2, l + 1. */
static ALWAYS_INLINE double folded(const enum fold op, struct lanes *a)
{
    return folded_items(op, halved(op, a));
}

/*
 * Item k becomes what folded_items() makes of v[k], by fewer instructions than one after the other
 * takes: halves of two vectors are combined as one vector.
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

/* VD rows of n items, 2 to 4, which follow each other in v, by the same tree. */
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

/* Joins subtrees of one size as they are completed; `leaves` were pushed before this one. */
static ALWAYS_INLINE void push_leaf(const enum fold op, double *level, int64_t leaves, double a)
{
    int k = 0;
    for (; leaves >> k & 1; k++)
        a = tree_f64(op, level[k], a);
    level[k] = a;
}

/* Joins what is left, from the smallest subtree to the largest. */
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
    for (int64_t i = 0; i < n; i++)
        into[i] = tree_f64(op, into[i], more[i]);
}

/* The LANES lanes of a vector of columns, w items apart, to one. */
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
 * Whether the lanes of columns stay in registers: where each has one row or two. Rows that are a
 * multiple of a quarter of a WAY apart fall onto few sets of the first-level cache, so that the
 * second of two lines of each row would evict the first.
 */
static ALWAYS_INLINE bool has_few_rows(const struct fold_block *f)
{
    return f->n <= LANES || (f->n <= 2 * LANES && (f->at[1] - f->at[0]) % (WAY / 4) != 0);
}

/* Lane i of an order in which each joins the ones before it as leaves of a tree join: 0, 8, 4, 12.
 */
static ALWAYS_INLINE int lane_in_turn(int i)
{
    return (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3;
}

/* LANES rows of w lanes to one row, out. Changes all. */
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

static void fold_product_join_f64(char *into, const char *more, int64_t n)
{
    join_f64(FOLD_PRODUCT, (void *)into, (const void *)more, n);
}

#endif
