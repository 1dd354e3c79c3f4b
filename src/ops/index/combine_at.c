/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of combining writes (simd/combine.h) as loops over a plan. */
#include "dispatch.h"
#include "ops/index/indexed_loops.h"

combine_loop *stria__combine_kernel(stria_dtype dtype, stria_reduce reduce)
{
    static const enum combine_op ops[] = {
        [STRIA_REDUCE_SUM] = COMBINE_SUM,     [STRIA_REDUCE_PROD] = COMBINE_PRODUCT,
        [STRIA_REDUCE_MIN] = COMBINE_MINIMUM, [STRIA_REDUCE_MAX] = COMBINE_MAXIMUM,
        [STRIA_REDUCE_MEAN] = COMBINE_SUM,
    };
    const struct combine_kernels *const kernels = stria__kernels()->combine;
    if (dtype.kind >= NUMBERS || reduce < STRIA_REDUCE_SUM || reduce > STRIA_REDUCE_MEAN)
        return NULL;
    if (reduce == STRIA_REDUCE_MEAN && !kernels->divide[dtype.kind]) return NULL;
    return kernels->at_indices[ops[reduce]][dtype.kind];
}

stria_status stria__combine_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct move *const how = arg;
    how->combine(ptr, d, (struct index_scale){how->scale, how->wrap});
    return STRIA_OK;
}
