/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the dtypes in which two operands are compared so that no conversion rounds. Most pairs of
 * dtypes have one that holds the values of both. 64-bit integers with floats, and u64 with signed
 * integers, have none: such operands are widened to i64, u64 or f64 each, and a loop for the two
 * compares them.
 */
#ifndef STRIA_OPS_ELEMENTWISE_COMPARE_H
#define STRIA_OPS_ELEMENTWISE_COMPARE_H

#include "simd/map.h"
#include "ops/elementwise/weak_scalar.h"

struct comparands {
    enum comparison how;
    stria_kind kind[2]; /* dtype that each side is converted to, without loss */
    const stria_view *operands[2];
    struct substitute *scalar; /* two, which operands point to where a scalar was replaced */
};

/*
 * a `how` b; both are numbers of 2 bytes and more, integers or bool, complex only where `how` is
 * equality. A weak scalar beside another operand is replaced by a number of that one's dtype which
 * gives the same answer for all of its values: a is below 2.5 exactly where it is below 3. Where no
 * number does, both sides are replaced. Where a loop of two dtypes compares, kind[0] is the first
 * of its pair, and the sides may have been swapped.
 */
void stria__plan_comparison(struct comparands *out, enum comparison how, const stria_view *a,
                            const stria_view *b);

#endif
