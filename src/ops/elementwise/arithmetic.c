/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic, by name: see stria_elementwise. */
#include "stria/elementwise.h"

stria_status stria_divide(const stria_view *out, const stria_view *a, const stria_view *b,
                          const stria_exec *exec)
{
    return stria_elementwise(STRIA_DIVIDE, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_floor_divide(const stria_view *out, const stria_view *a, const stria_view *b,
                                const stria_exec *exec)
{
    return stria_elementwise(STRIA_FLOOR_DIVIDE, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_remainder(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return stria_elementwise(STRIA_REMAINDER, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_fmod(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_exec *exec)
{
    return stria_elementwise(STRIA_FMOD, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_negative(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_NEGATIVE, out, 1, &a, exec);
}

stria_status stria_positive(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_POSITIVE, out, 1, &a, exec);
}

stria_status stria_sign(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SIGN, out, 1, &a, exec);
}

stria_status stria_square(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SQUARE, out, 1, &a, exec);
}

stria_status stria_reciprocal(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RECIPROCAL, out, 1, &a, exec);
}

stria_status stria_fabs(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_FABS, out, 1, &a, exec);
}

stria_status stria_copysign(const stria_view *out, const stria_view *a, const stria_view *b,
                            const stria_exec *exec)
{
    return stria_elementwise(STRIA_COPYSIGN, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_heaviside(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return stria_elementwise(STRIA_HEAVISIDE, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_degrees(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_DEGREES, out, 1, &a, exec);
}

stria_status stria_radians(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RADIANS, out, 1, &a, exec);
}

stria_status stria_lerp(const stria_view *out, const stria_view *a, const stria_view *b,
                        const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LERP, out, 3, (const stria_view *[]){a, b, c}, exec);
}

stria_status stria_addcmul(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ADDCMUL, out, 3, (const stria_view *[]){a, b, c}, exec);
}

stria_status stria_addcdiv(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ADDCDIV, out, 3, (const stria_view *[]){a, b, c}, exec);
}
