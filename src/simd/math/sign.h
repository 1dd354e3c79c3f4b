/* SPDX-License-Identifier: BSD-3-Clause */
/* Sign bits, for functions that are odd or even. */
#ifndef STRIA_SIMD_MATH_SIGN_H
#define STRIA_SIMD_MATH_SIGN_H

#include "../number.h"

#define SIGN_BIT (UINT64_C(1) << 63)

static ALWAYS_INLINE double magnitude(double x)
{
    return f64_of_bits(f64_bits(x) & ~SIGN_BIT);
}

/* Negates the value if x has the sign bit, and once more if n is odd. */
static ALWAYS_INLINE double with_sign(double value, double x, uint64_t n)
{
    return f64_of_bits(f64_bits(value) ^ (f64_bits(x) & SIGN_BIT) ^ n << 63);
}

#endif
