/* SPDX-License-Identifier: BSD-3-Clause */
/* New arrays filled with one item. */
#include "array.h"
#include "ops/make.h"
#include "status.h"
#include "stria/fill.h"

stria_status stria_full(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape,
                        const void *item)
{
    stria_array made;
    array_none(&made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "full: out is NULL");
    STRIA_TRY(stria_empty(&made, dtype, ndim, shape));
    return stria__deliver(out, &made, stria_fill(&made.view, item));
}

stria_status stria_full_like(stria_array *out, const stria_view *a, stria_dtype dtype,
                             stria_order order, const void *item)
{
    stria_array made;
    array_none(&made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "full_like: out is NULL");
    STRIA_TRY(stria__empty_as(&made, a, dtype, order, "full_like"));
    return stria__deliver(out, &made, stria_fill(&made.view, item));
}
