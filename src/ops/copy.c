/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_copy: what was checked is run by the engine or, when values change on the way, by the
 * engine around a conversion. A source that overlaps the destination is set aside first. Two
 * shortcuts come before: dense runs (flat.h), and what was planned a moment ago (recent.h).
 */
#include "stria/copy.h"

#include <string.h>

#include "alloc.h"
#include "engine/cast.h"
#include "ops/copy/check.h"
#include "ops/copy/engine.h"
#include "ops/copy/flat.h"
#include "ops/copy/job.h"
#include "ops/copy/recent.h"
#include "plan.h"
#include "status.h"

static void run_disjoint(const stria_plan *nest, const struct conversion *how,
                         const stria_exec *exec)
{
    if (how->row)
        stria__cast(nest, how, exec);
    else
        stria__engine(nest, (int64_t)how->out_item * how->parts, exec);
}

/* Dense memory for what the plan reads, in the plan's order; dims that repeat are read once. */
static int64_t dense_strides(int64_t *strides, const stria_plan *nest, int64_t item)
{
    for (int d = 0; d < nest->ndim; d++) {
        strides[d] = nest->dims[d].s[1] == 0 ? 0 : item;
        if (strides[d]) item *= nest->dims[d].n;
    }
    return item;
}

static void gather(const stria_plan *nest, char *to, const int64_t *strides, int64_t item,
                   const stria_exec *exec)
{
    stria_plan plan;
    plan.nops = 2;
    plan.ptr[0] = to;
    plan.ptr[1] = nest->ptr[1];
    plan.ndim = 0;
    for (int d = 0; d < nest->ndim; d++)
        if (strides[d])
            plan.dims[plan.ndim++] =
                (stria_dim){.n = nest->dims[d].n, .s = {strides[d], nest->dims[d].s[1]}};
    stria__plan_collapse(&plan, 0);
    stria__engine(&plan, item, exec);
}

static stria_status run_overlapping(struct copy_job *job, int64_t item, const stria_exec *exec)
{
    stria_plan *nest = &job->nest;
    if (!job->how.row && nest->ndim == 1 && nest->dims[0].s[0] == item &&
        nest->dims[0].s[1] == item) {
        memmove(nest->ptr[0], nest->ptr[1], (size_t)(nest->dims[0].n * item));
        return STRIA_OK;
    }
    int64_t strides[STRIA_MAX_NDIM];
    const int64_t size = dense_strides(strides, nest, item);
    const stria_allocator allocator = stria__allocator();
    char *copy = NULL;
    if (size <= PTRDIFF_MAX)
        copy = allocator.alloc((size_t)size, STRIA_ALIGNMENT, allocator.context);
    if (!copy)
        return stria__fail(STRIA_ERR_MEMORY,
                           "copy: dst and src overlap, and there is no memory for the %lld bytes "
                           "of a temporary",
                           (long long)size);
    gather(nest, copy, strides, item, exec);
    nest->ptr[1] = copy;
    for (int d = 0; d < nest->ndim; d++)
        nest->dims[d].s[1] = strides[d];
    stria__plan_merge(nest);
    run_disjoint(nest, &job->how, exec);
    allocator.free(copy, (size_t)size, allocator.context);
    return STRIA_OK;
}

/* key NULL: the copy is not one to be kept. */
static stria_status copy_planned(const struct recent_key *key, const stria_view *dst,
                                 const stria_view *src, const stria_exec *exec)
{
    struct copy_job job;
    STRIA_TRY(stria__check_copy(&job, dst, src, exec));
    switch (job.operands) {
    case NOTHING:
    case META: return STRIA_OK;
    case OVERLAPPING: return run_overlapping(&job, src->dtype.itemsize, exec);
    default: break;
    }
    run_disjoint(&job.nest, &job.how, exec);
    if (key && job.operands == DISJOINT) stria__recent_keep(key, &job, dst, src);
    return STRIA_OK;
}

stria_status stria_copy_with(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    struct recent_key key;
    STRIA_TRY(stria__check_operands(dst, src, exec));
    if (stria__copy_flat(dst, src, exec)) return STRIA_OK;
    const bool small = stria__recent_key(&key, dst, src, exec);
    if (small && stria__recent_run(&key, dst, src, exec)) return STRIA_OK;
    return copy_planned(small ? &key : NULL, dst, src, exec);
}

stria_status stria_copy(const stria_view *dst, const stria_view *src)
{
    return stria_copy_with(dst, src, NULL);
}
