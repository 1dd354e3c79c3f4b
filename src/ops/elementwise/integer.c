/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits and divisors of integers, by name: see stria_elementwise. */
#include "stria/elementwise.h"

stria_status stria_bitwise_and(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_BITWISE_AND, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_bitwise_or(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_BITWISE_OR, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_bitwise_xor(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_BITWISE_XOR, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_bitwise_not(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_BITWISE_NOT, out, 1, &a, exec);
}

stria_status stria_left_shift(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_LEFT_SHIFT, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_right_shift(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_RIGHT_SHIFT, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_bitwise_count(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_BITWISE_COUNT, out, 1, &a, exec);
}

stria_status stria_gcd(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_exec *exec)
{
    return stria_elementwise(STRIA_GCD, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_lcm(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_exec *exec)
{
    return stria_elementwise(STRIA_LCM, out, 2, (const stria_view *[]){a, b}, exec);
}
