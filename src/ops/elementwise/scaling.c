/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaled, fused and neighbouring numbers by their names. */
#include "stria/elementwise.h"

stria_status stria_ldexp(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec)
{
    return stria_elementwise(STRIA_LDEXP, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_fma(const stria_view *out, const stria_view *a, const stria_view *b,
                       const stria_view *c, const stria_exec *exec)
{
    return stria_elementwise(STRIA_FMA, out, 3, (const stria_view *[]){a, b, c}, exec);
}

stria_status stria_round_decimals(const stria_view *out, const stria_view *a, const stria_view *b,
                                  const stria_exec *exec)
{
    return stria_elementwise(STRIA_ROUND_DECIMALS, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_nextafter(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    return stria_elementwise(STRIA_NEXTAFTER, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_spacing(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SPACING, out, 1, &a, exec);
}
