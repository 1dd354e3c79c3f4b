/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that combine many elements into one. They take the elements in order, i before j, and
 * round to the dtype of the destination each time, so the bits are the same at every level.
 * Integers wrap. For bool, sum and maximum are "or", product and minimum are "and". Minimum and
 * maximum with a NaN are that NaN; complex numbers have no order.
 */
#pragma once

#include <string.h>

#include "map.h"

/* NAME(constant, name, ordered): `ordered` tells whether the op needs an order of the numbers. */
#define STRIA_COMBINE_LIST(NAME)                                                                   \
    NAME(COMBINE_SUM, sum, 0)                                                                      \
    NAME(COMBINE_PRODUCT, product, 0)                                                              \
    NAME(COMBINE_MINIMUM, minimum, 1)                                                              \
    NAME(COMBINE_MAXIMUM, maximum, 1)

#define STRIA_COMBINE_CONSTANT(constant, name, ordered) constant,
enum combine_op { STRIA_COMBINE_LIST(STRIA_COMBINE_CONSTANT) COMBINE_OPS };
#undef STRIA_COMBINE_CONSTANT

/* Returns the byte offset of the element whose number, an i64, is at p. */
static inline int64_t stria__offset_at(const char *p, int64_t scale)
{
    int64_t number;
    memcpy(&number, p, sizeof number);
    return number * scale;
}

/*
 * Computes destination = destination op value. Element (i, j) of operand k lies at ptr[k] + i *
 * d[0].s[k] + j * d[1].s[k], at any address, in native byte order. Operand 0 is the destination, 1
 * the values, and 2 i64 numbers, by which the element of the destination is moved, `scale` bytes
 * each. Several may be the same. Values and numbers do not overlap the destination.
 */
typedef void combine_loop(char *const *ptr, const stria_dim *d, int64_t scale);

/* Entries are NULL where there is no kernel. */
struct combine_kernels {
    combine_loop *at_indices[COMBINE_OPS][NUMBERS]; /* [op][stria_kind] */
    /*
     * Divides sums (operand 1) by i64 counts (operand 2) for means, rounding integers down. A count
     * below 2 leaves the sum as it is. Operand 0 may be operand 1. bool has none.
     */
    map_loop *divide[NUMBERS];
};
