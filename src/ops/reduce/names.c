/* SPDX-License-Identifier: BSD-3-Clause */
/* Every reduction by its name. */
#include "stria/reduce.h"

stria_status stria_var(const stria_view *out, const stria_view *a, int count, const int *dims,
                       double ddof, const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof};
    return stria_reduce_dims(STRIA_VAR, out, a, count, dims, &options, exec);
}

stria_status stria_std(const stria_view *out, const stria_view *a, int count, const int *dims,
                       double ddof, const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof};
    return stria_reduce_dims(STRIA_STD, out, a, count, dims, &options, exec);
}

stria_status stria_sum(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_SUM, out, a, count, dims, NULL, exec);
}

stria_status stria_argmax(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_ARGMAX, out, a, count, dims, NULL, exec);
}

stria_status stria_argmin(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_ARGMIN, out, a, count, dims, NULL, exec);
}

stria_status stria_prod(const stria_view *out, const stria_view *a, int count, const int *dims,
                        const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_PROD, out, a, count, dims, NULL, exec);
}

stria_status stria_mean(const stria_view *out, const stria_view *a, int count, const int *dims,
                        const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_MEAN, out, a, count, dims, NULL, exec);
}

stria_status stria_max(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_MAX, out, a, count, dims, NULL, exec);
}

stria_status stria_min(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_MIN, out, a, count, dims, NULL, exec);
}

stria_status stria_all(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_ALL, out, a, count, dims, NULL, exec);
}

stria_status stria_any(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_ANY, out, a, count, dims, NULL, exec);
}

stria_status stria_count_nonzero(const stria_view *out, const stria_view *a, int count,
                                 const int *dims, const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_COUNT_NONZERO, out, a, count, dims, NULL, exec);
}

stria_status stria_norm(const stria_view *out, const stria_view *a, int count, const int *dims,
                        double p, const stria_exec *exec)
{
    const stria_reduce_options options = {.p = p};
    return stria_reduce_dims(STRIA_NORM, out, a, count, dims, &options, exec);
}

stria_status stria_bits_and(const stria_view *out, const stria_view *a, int count, const int *dims,
                            const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_BITS_AND, out, a, count, dims, NULL, exec);
}

stria_status stria_bits_or(const stria_view *out, const stria_view *a, int count, const int *dims,
                           const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_BITS_OR, out, a, count, dims, NULL, exec);
}

stria_status stria_bits_xor(const stria_view *out, const stria_view *a, int count, const int *dims,
                            const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_BITS_XOR, out, a, count, dims, NULL, exec);
}

stria_status stria_ptp(const stria_view *out, const stria_view *a, int count, const int *dims,
                       const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_PTP, out, a, count, dims, NULL, exec);
}

stria_status stria_logsumexp(const stria_view *out, const stria_view *a, int count, const int *dims,
                             const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_LOGSUMEXP, out, a, count, dims, NULL, exec);
}

stria_status stria_nansum(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_NANSUM, out, a, count, dims, NULL, exec);
}

stria_status stria_nanprod(const stria_view *out, const stria_view *a, int count, const int *dims,
                           const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_NANPROD, out, a, count, dims, NULL, exec);
}

stria_status stria_nanmean(const stria_view *out, const stria_view *a, int count, const int *dims,
                           const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_NANMEAN, out, a, count, dims, NULL, exec);
}

stria_status stria_nanmax(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_NANMAX, out, a, count, dims, NULL, exec);
}

stria_status stria_nanmin(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    return stria_reduce_dims(STRIA_NANMIN, out, a, count, dims, NULL, exec);
}

stria_status stria_nanvar(const stria_view *out, const stria_view *a, int count, const int *dims,
                          double ddof, const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof};
    return stria_reduce_dims(STRIA_NANVAR, out, a, count, dims, &options, exec);
}

stria_status stria_nanstd(const stria_view *out, const stria_view *a, int count, const int *dims,
                          double ddof, const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = ddof};
    return stria_reduce_dims(STRIA_NANSTD, out, a, count, dims, &options, exec);
}
