/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise kernels, one per op (ops.h) and dtype. The dtype is that of the inputs; for where it
 * is that of x and y, and the condition is bool. The output has the same dtype unless the row of
 * the op says otherwise. Results have the same bits at every level and for any strides.
 */
#pragma once

#include "kernels.h"
#include "convert.h"
#include "ops.h"
#include "stria/plan.h"

/*
 * Element (i, j), 0 <= i < d[0].n, 0 <= j < d[1].n, of operand k lies at ptr[k] + i * d[0].s[k] + j
 * * d[1].s[k]. Operand 0 is the output, the inputs follow. Strides and alignment are arbitrary, the
 * byte order is native. A kernel is fast if every operand is dense or has stride 0 along d[0]. The
 * output may be the same memory as an input, with the same address and strides; it overlaps no
 * input in another way.
 */
typedef void map_loop(char *const *ptr, const stria_dim *d);

/*
 * The pairs of dtypes that are compared by value although no third dtype represents both without
 * rounding. The reversed order of a pair uses the opposite comparison.
 */
enum mixed_pair {
    MIXED_I64_U64,
    MIXED_I64_F64,
    MIXED_U64_F64,
    MIXED_I64_C128, /* equality only */
    MIXED_U64_C128,
    MIXED_PAIRS
};

enum comparison {
    COMPARE_LESS,
    COMPARE_LESS_EQUAL,
    COMPARE_GREATER,
    COMPARE_GREATER_EQUAL,
    COMPARE_EQUAL,
    COMPARE_NOT_EQUAL,
    COMPARISONS
};

typedef map_loop *mixed_row[COMPARISONS];

/* The kernels of all ops, from all families. */
struct op_kernels {
    map_loop *const *row[STRIA_OPS]; /* [stria_op][stria_kind]; NULL where there is none */
    /* the integer and complex kernels of an op if they belong to another family, else NULL */
    map_loop *const *whole[STRIA_OPS], *const *of_complex[STRIA_OPS];
    const mixed_row *mixed; /* [enum mixed_pair][enum comparison] */
    /*
     * The loop of where for items of this size, faster if the last operand is the
     * output itself and all are dense: only the chosen items are written. NULL if a level has none.
     */
    map_loop *choose_or_keep[SIZE_ANY];
};
