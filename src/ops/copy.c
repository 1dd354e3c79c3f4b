/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_copy: a move or a cast, run by the engine. A source that overlaps the destination is copied
 * to a temporary first. Two fast paths come before: dense runs (flat.h), and calls that the cache
 * of this thread has (engine/cache.h).
 */
#include "stria/copy.h"

#include <string.h>

#include "alloc.h"
#include "dispatch.h"
#include "engine/cache.h"
#include "engine/machine.h"
#include "ops/operands.h"
#include "ops/copy/flat.h"
#include "ops/copy/job.h"
#include "plan.h"
#include "status.h"

/* Dense memory for what the plan reads, in the plan's order; dims that repeat are read once. */
static int64_t dense_strides(int64_t *strides, const stria_plan *plan, int64_t item)
{
    for (int d = 0; d < plan->ndim; d++) {
        strides[d] = plan->dims[d].s[1] == 0 ? 0 : item;
        if (strides[d]) item *= plan->dims[d].n;
    }
    return item;
}

static void gather(const stria_plan *from, char *to, const int64_t *strides, int64_t item,
                   const stria_exec *exec)
{
    stria_plan plan;
    plan.nops = 2;
    plan.ptr[0] = to;
    plan.ptr[1] = from->ptr[1];
    plan.ndim = 0;
    for (int d = 0; d < from->ndim; d++)
        if (strides[d])
            plan.dims[plan.ndim++] =
                (stria_dim){.n = from->dims[d].n, .s = {strides[d], from->dims[d].s[1]}};
    stria__plan_collapse(&plan, 0);
    stria__move(&plan, item, exec);
}

static void run(struct call *call, const stria_exec *exec)
{
    stria__call_decide(call, exec);
    stria__call_run(call, exec);
}

/* Never inlined, so that its second plan is not on the stack of copies that do not overlap. */
__attribute__((noinline)) static stria_status run_overlapping(struct call *call,
                                                              const stria_exec *exec)
{
    stria_plan *const plan = &call->plan;
    const int64_t item = call->program->item[1];
    if (call->program->count == 0 && plan->ndim == 1 && plan->dims[0].s[0] == item &&
        plan->dims[0].s[1] == item) {
        memmove(plan->ptr[0], plan->ptr[1], (size_t)(plan->dims[0].n * item));
        return STRIA_OK;
    }
    int64_t strides[STRIA_MAX_NDIM];
    const int64_t size = dense_strides(strides, plan, item);
    const stria_allocator allocator = stria__allocator();
    char *copy = NULL;
    if (size <= PTRDIFF_MAX)
        copy = allocator.alloc((size_t)size, STRIA_ALIGNMENT, allocator.context);
    if (!copy)
        return stria__fail(STRIA_ERR_MEMORY,
                           "copy: dst and src overlap, and there is no memory for the %lld bytes "
                           "of a temporary",
                           (long long)size);
    gather(plan, copy, strides, item, exec);
    plan->ptr[1] = copy;
    for (int d = 0; d < plan->ndim; d++)
        plan->dims[d].s[1] = strides[d];
    stria__plan_merge(plan);
    run(call, exec);
    allocator.free(copy, (size_t)size, allocator.context);
    return STRIA_OK;
}

static stria_status copy_planned(const struct cache_key *key)
{
    const stria_view *const dst = key->views[0], *const src = key->views[1];
    struct copy_job job;
    STRIA_TRY(stria__check_copy(&job, dst, src, key->exec));
    switch (job.operands) {
    case NOTHING:
    case META: return STRIA_OK;
    case OVERLAPPING: return run_overlapping(&job.call, key->exec);
    default: break;
    }
    run(&job.call, key->exec);
    stria__cache_keep(key, &job.call);
    return STRIA_OK;
}

/* These are never inlined, so that dense copies do not set up their stack frames. */
__attribute__((noinline)) static stria_status
copy_known(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    const stria_view *const views[] = {dst, src};
    const struct cache_key key = {.count = 2, .views = views, .exec = exec};
    return stria__cache_run(&key, NULL) ? STRIA_OK : copy_planned(&key);
}

__attribute__((noinline)) static stria_status
copy_checked(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    return stria__copy_flat(dst, src, exec) ? STRIA_OK : copy_known(dst, src, exec);
}

__attribute__((noinline)) static stria_status
copy_unusual(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    STRIA_TRY(stria__check_operands(dst, src, exec));
    return copy_checked(dst, src, exec);
}

stria_status stria_copy_with(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    if (!view_is_usual(dst) || !view_is_usual(src) || !stria__exec_is_usual(exec, false))
        return copy_unusual(dst, src, exec);
    if (!stria__same_values(dst, src)) return copy_checked(dst, src, exec);
    const int64_t bytes = stria__flat_bytes(dst, src);
    if (bytes == 0) return copy_known(dst, src, exec);
    if (bytes > stria__machine()->copy_near) return copy_checked(dst, src, exec);
    stria__kernels()->copy(dst->data, src->data, bytes);
    return STRIA_OK;
}

stria_status stria_copy(const stria_view *dst, const stria_view *src)
{
    return stria_copy_with(dst, src, NULL);
}
