/* SPDX-License-Identifier: BSD-3-Clause */
/* Exponents that powers of integers do not have, and one that makes a power simple. */
#ifndef STRIA_OPS_ELEMENTWISE_EXPONENTS_H
#define STRIA_OPS_ELEMENTWISE_EXPONENTS_H

#include "ops/elementwise/types.h"

/*
 * Checks that b, which is in memory, has no negative element where the power is one of integers,
 * nor one where the mask, if there is one, holds. ARGUMENT, with the least exponent and its index;
 * MEMORY.
 */
stria_status stria__check_exponents(const struct op_types *types, const stria_view *b,
                                    const stria_view *mask);

/*
 * Tells whether a native item of a real dtype is 2. The power of a real number is its square then,
 * bit for bit (pow_exact in simd/math/power.h), which takes a tenth of the time.
 */
bool stria__is_two(stria_kind kind, const void *item);

#endif
