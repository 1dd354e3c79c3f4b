/* SPDX-License-Identifier: BSD-3-Clause */
/* Exponents that powers of integers do not have. */
#ifndef STRIA_OPS_ELEMENTWISE_EXPONENTS_H
#define STRIA_OPS_ELEMENTWISE_EXPONENTS_H

#include "ops/elementwise/types.h"

/*
 * Whether b, which is in memory, has no negative element where the power is one of integers, nor one
 * where the mask, if there is one, holds. ARGUMENT, with the least exponent and its index; MEMORY.
 */
stria_status stria__check_exponents(const struct op_types *types, const stria_view *b,
                                    const stria_view *mask);

#endif
