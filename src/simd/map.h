/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise kernels, one per op (ops.h) and dtype. The dtype is that of the inputs; of x and y
 * for where, whose condition is bool. The output has the same one, or what the row says. What each
 * gives is the same at every level, for any strides.
 */
#ifndef STRIA_SIMD_MAP_H
#define STRIA_SIMD_MAP_H

#include "convert.h"
#include "ops.h"
#include "stria/plan.h"

/*
 * Element (i, j), 0 <= i < d[0].n, 0 <= j < d[1].n, of operand k lies at
 * ptr[k] + i * d[0].s[k] + j * d[1].s[k]; operand 0 is the output, the inputs follow. Any strides
 * and any alignment, in native byte order; fast where along d[0] every operand is dense or has
 * stride 0. The output may be exactly the memory of an input, at the same address with the same
 * strides, and overlaps none in any other way.
 */
typedef void map_loop(char *const *ptr, const stria_dim *d);

/*
 * Pairs of dtypes of which two are compared that no third one holds without rounding, in this
 * order; the other order is the opposite comparison.
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

/* The kernels of every op, whatever family they belong to. */
struct op_kernels {
    map_loop *const *row[STRIA_OPS]; /* [stria_op][stria_kind]; NULL where there is none */
    /* Where other families have those of integers, of complex numbers; or NULL. */
    map_loop *const *whole[STRIA_OPS], *const *of_complex[STRIA_OPS];
    const mixed_row *mixed; /* [enum mixed_pair][enum comparison] */
};

#endif
