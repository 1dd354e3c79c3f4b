/* SPDX-License-Identifier: BSD-3-Clause */
/* Signs of functions that are odd or even. */
#pragma once

#include "../map_ops.h"

/* Negates the value if x has the sign bit, and once more if n is odd. */
static ALWAYS_INLINE double with_sign(double value, double x, uint64_t n)
{
    return f64_of_bits(f64_bits(value) ^ (f64_bits(x) & UINT64_C(1) << 63) ^ n << 63);
}
