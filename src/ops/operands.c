/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/operands.h"

#include "status.h"
#include "stria/overlap.h"

stria_status stria__check_writable(const stria_view *a, const char *op, const char *what)
{
    STRIA_TRY(stria__check_view(a, op, what));
    if (!stria_is_writable(a))
        return stria__fail(STRIA_ERR_READONLY,
                           "%s: %s is read-only; write into a clone of it instead", op, what);
    return STRIA_OK;
}

bool stria__steps_clear(const stria_plan *plan, int64_t item)
{
    int64_t span = item;
    for (int d = 0; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        if (dim->n == 1) continue;
        if (dim->s[0] < span) return false;
        span += (dim->n - 1) * dim->s[0];
    }
    return true;
}

stria_status stria__check_itself(const stria_view *dst, const stria_plan *plan, const char *op,
                                 const char *what)
{
    if (plan->dims[0].n == 0 || stria__steps_clear(plan, dst->dtype.itemsize)) return STRIA_OK;
    /*
     * Elements overlap, or this is one of the few views that interleave their dims without overlap.
     */
    const stria_overlap found = stria_overlaps_itself(dst, OVERLAP_WORK);
    if (found == STRIA_OVERLAP_NO) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_OVERLAP,
        "%s: elements of %s, shape %s and strides %s, %s: the result would depend on the order of "
        "the writes; every element needs bytes of its own, as a clone has them",
        op, what, stria__dims_text(dst->ndim, dst->shape).text,
        stria__dims_text(dst->ndim, dst->strides).text,
        found == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
}
