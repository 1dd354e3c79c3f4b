/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NOTE [Short forms]
 *
 * NAME_short_f32(x) is in f64, and off by less than 2^-41 of the exact result. That is as good as
 * NAME_f32(x) wherever it is farther than this from the middle between two f32: both round to the
 * same. It is nearer for one result in 2^16, and a block that has such a one is computed again by
 * NAME_f32 (math.inc). So the bits of a short form do not matter: it has no rest of its sums, short
 * polynomials, and two roundings for a product and a sum where the level has no fma.
 *
 * Of two arguments it has the very value of NAME_f32, which is not correctly rounded, and is short
 * because it knows no special values.
 *
 * Its result is a normal f32 when rounded, or zero, or infinity or NaN itself; or it is subnormal
 * and off by less than 2^-24 of x, an f32 that it rounds to. NAME_has_short_f32(x) is false where
 * this does not hold.
 */
#ifndef STRIA_SIMD_MATH_DOUBT_H
#define STRIA_SIMD_MATH_DOUBT_H

#include "../map_ops.h"

/* For a short form that finds out too late that it has none: the middle between two. */
#define IN_DOUBT 0x1.000001p+0

/*
 * The highest bit is set where y is too near the middle between two f32. Of the 29 bits that
 * rounding cuts off, only the first is set in the middle; 2^-41 are at most 2^12 units of y.
 */
static ALWAYS_INLINE uint64_t doubt_of_f32(double y)
{
    const uint64_t lost = (UINT64_C(1) << 29) - 1, middle = UINT64_C(1) << 28, width = 1 << 12;
    return ((f64_bits(y) - (middle - width)) & lost) - 2 * width;
}

/* Zero, or so far above the smallest numbers that a result beside it is a normal one. */
static ALWAYS_INLINE bool is_usual_f32(float x)
{
    const float a = magnitude_f32(x);
    return (a == 0) | (a > 0x1p-60f);
}

#endif
