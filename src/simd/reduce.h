/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that combine many elements into one. All of them take one element after the other, i
 * before j, and round to the dtype of the destination each time, so that the bits are the same at
 * every level. Integers wrap. For bool, sum and maximum are "or", product and minimum are "and".
 * Minimum and maximum with a NaN on either side are that NaN; complex numbers have no order.
 */
#ifndef STRIA_SIMD_REDUCE_H
#define STRIA_SIMD_REDUCE_H

#include <string.h>

#include "map.h"

/* Constant, name, and whether it needs an order of the numbers. */
#define STRIA_REDUCE_OP_LIST(NAME)                                                                 \
    NAME(REDUCE_SUM, sum, 0)                                                                       \
    NAME(REDUCE_PRODUCT, product, 0)                                                               \
    NAME(REDUCE_MINIMUM, minimum, 1)                                                               \
    NAME(REDUCE_MAXIMUM, maximum, 1)

#define STRIA_REDUCE_OP_CONSTANT(constant, name, ordered) constant,
enum reduce_op { STRIA_REDUCE_OP_LIST(STRIA_REDUCE_OP_CONSTANT) REDUCE_OPS };
#undef STRIA_REDUCE_OP_CONSTANT

/* How indices become offsets in bytes: (index + (index < 0 ? wrap : 0)) * scale. */
struct index_scale {
    int64_t scale, wrap;
};

static inline int64_t stria__offset_at(const char *p, int64_t scale, int64_t wrap)
{
    int64_t index;
    memcpy(&index, p, sizeof index);
    return (index + (index < 0 ? wrap : 0)) * scale;
}

/*
 * destination = destination op value. Element (i, j) of operand k lies at ptr[k] + i * d[0].s[k] +
 * j * d[1].s[k], at any address, in native byte order. Operands: 0 destination, 1 values, 2 indices
 * (i64), each of which moves its element of the destination by the bytes that index_scale computes;
 * several may name one element. Values and indices share no byte with the destination.
 */
typedef void combine_loop(char *const *ptr, const stria_dim *d, struct index_scale how);

/* Each entry is NULL where there is no such kernel. */
struct reduce_kernels {
    combine_loop *combine[REDUCE_OPS][NUMBERS]; /* [op][stria_kind] */
    /*
     * Quotients of operand 1, sums, by operand 2, counts (i64), for means; integers are rounded
     * down. A count below 2 leaves the sum as it is. Operand 0 may be operand 1. Not for bool.
     */
    map_loop *divide[NUMBERS];
};

#endif
