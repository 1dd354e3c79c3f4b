/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise kernels, one per op of STRIA_MAP_LIST (ops.h) and dtype. The dtype is that of the
 * inputs; of x and y for where, whose condition is bool. The output has the same one, but bool for
 * comparisons and the real part's for abs of a complex. What each gives is the same at every level,
 * for any strides.
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

/* Dtypes of which two are compared that no third one holds without rounding. */
enum mixed_kind { MIXED_I64, MIXED_U64, MIXED_F64, MIXED };

struct map_kernels {
    map_loop *loop[MAP_OPS][NUMBERS]; /* [op][stria_kind]; NULL where there is none */
    map_loop *less[MIXED][MIXED];     /* [a][b]: a < b by value; NULL for two of one dtype */
};

#endif
