/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons, logic and classification (isnan, ...), by name: see stria_elementwise. */
#include "stria/elementwise.h"

stria_status stria_less_equal(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_LESS_EQUAL, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_greater(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_exec *exec)
{
    return stria_elementwise(STRIA_GREATER, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_greater_equal(const stria_view *out, const stria_view *a, const stria_view *b,
                                 const stria_exec *exec)
{
    return stria_elementwise(STRIA_GREATER_EQUAL, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_equal(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec)
{
    return stria_elementwise(STRIA_EQUAL, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_not_equal(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return stria_elementwise(STRIA_NOT_EQUAL, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logical_and(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGICAL_AND, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logical_or(const stria_view *out, const stria_view *a, const stria_view *b,
                              const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGICAL_OR, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logical_xor(const stria_view *out, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGICAL_XOR, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_logical_not(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOGICAL_NOT, out, 1, &a, exec);
}

stria_status stria_isnan(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ISNAN, out, 1, &a, exec);
}

stria_status stria_isinf(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ISINF, out, 1, &a, exec);
}

stria_status stria_isfinite(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ISFINITE, out, 1, &a, exec);
}

stria_status stria_isposinf(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ISPOSINF, out, 1, &a, exec);
}

stria_status stria_isneginf(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ISNEGINF, out, 1, &a, exec);
}

stria_status stria_signbit(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SIGNBIT, out, 1, &a, exec);
}
