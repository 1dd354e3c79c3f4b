/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NOTE [Short forms]
 *
 * NAME_short_f32(x) computes in f64 with a relative error below 2^-41. Unless it is that near to
 * the middle between two f32, it rounds to the same f32 as NAME_f32(x). One result in 2^16 is
 * nearer, and a block with such a result is computed again by NAME_f32 (math.inc). So the bits of a
 * short form do not matter: it does not keep the rounding errors of sums, has short polynomials,
 * and rounds a product and a sum separately if the level has no fma.
 *
 * A short form of two arguments has exactly the value of NAME_f32, which is not correctly rounded
 * then; it is short because it omits special values.
 *
 * The result is a normal f32 when rounded, or zero, infinity or NaN itself; or it is subnormal and
 * differs by less than 2^-24 of x from x, an f32 to which it rounds. NAME_has_short_f32(x) is false
 * where this does not hold.
 */
#pragma once

#include "../map_ops.h"

/* The middle between two f32: a short form returns it if it cannot compute a result. */
#define IN_DOUBT 0x1.000001p+0

/*
 * Sets the highest bit if y is too near the middle between two f32. In the middle, only the first
 * of the 29 bits that rounding cuts off is set; an error of 2^-41 is at most 2^12 units of y.
 */
static ALWAYS_INLINE uint64_t doubt_of_f32(double y)
{
    const uint64_t lost = (UINT64_C(1) << 29) - 1, middle = UINT64_C(1) << 28, width = 1 << 12;
    return ((f64_bits(y) - (middle - width)) & lost) - 2 * width;
}

/*
 * True for zero, and for numbers so far above the smallest ones that a result near them is normal.
 */
static ALWAYS_INLINE bool is_usual_f32(float x)
{
    const float a = magnitude_f32(x);
    return (a == 0) | (a > 0x1p-60f);
}
