/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounding to whole numbers, by name: see stria_elementwise. */
#include "stria/elementwise.h"

stria_status stria_floor(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_FLOOR, out, 1, &a, exec);
}

stria_status stria_ceil(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_CEIL, out, 1, &a, exec);
}

stria_status stria_trunc(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_TRUNC, out, 1, &a, exec);
}

stria_status stria_fix(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_FIX, out, 1, &a, exec);
}

stria_status stria_round(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ROUND, out, 1, &a, exec);
}

stria_status stria_rint(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_RINT, out, 1, &a, exec);
}

stria_status stria_frac(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_FRAC, out, 1, &a, exec);
}
