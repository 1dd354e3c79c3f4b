/* SPDX-License-Identifier: BSD-3-Clause */
/* Special functions of statistics and physics by their names. */
#include "stria/elementwise.h"

stria_status stria_sinc(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_SINC, out, 1, &a, exec);
}

stria_status stria_entr(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ENTR, out, 1, &a, exec);
}

stria_status stria_erfcx(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_ERFCX, out, 1, &a, exec);
}

stria_status stria_log_ndtr(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_LOG_NDTR, out, 1, &a, exec);
}

stria_status stria_ndtri(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_NDTRI, out, 1, &a, exec);
}

stria_status stria_digamma(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_DIGAMMA, out, 1, &a, exec);
}

stria_status stria_i0(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_I0, out, 1, &a, exec);
}

stria_status stria_i0e(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_I0E, out, 1, &a, exec);
}

stria_status stria_i1(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_I1, out, 1, &a, exec);
}

stria_status stria_i1e(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    return stria_elementwise(STRIA_I1E, out, 1, &a, exec);
}

stria_status stria_xlogy(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec)
{
    return stria_elementwise(STRIA_XLOGY, out, 2, (const stria_view *[]){a, b}, exec);
}

stria_status stria_xlog1py(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_exec *exec)
{
    return stria_elementwise(STRIA_XLOG1PY, out, 2, (const stria_view *[]){a, b}, exec);
}
