/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_copy: a move or a cast, run by the engine. A source that overlaps the destination is copied
 * to a temporary first. Two fast paths come before: dense runs (flat.h), and calls that the cache
 * of this thread has (engine/cache.h).
 */
#include "stria/copy.h"

#include <string.h>

#include "array.h"
#include "dispatch.h"
#include "engine/cache.h"
#include "machine/machine.h"
#include "ops/operands.h"
#include "ops/copy/flat.h"
#include "ops/copy/job.h"
#include "plan.h"
#include "status.h"

static void run(struct call *call, const stria_exec *exec)
{
    stria__call_decide(call, exec);
    stria__call_run(call, exec);
}

static stria_status copy_planned(const struct cache_key *key);

/* Never inlined, so that its array is not on the stack of copies that do not overlap. */
__attribute__((noinline)) static stria_status run_overlapping(const struct call *call,
                                                              const struct cache_key *key)
{
    const stria_plan *const plan = call->plan;
    const int64_t item = call->program->item[1];
    if (call->program->count == 0 && plan->ndim == 1 && plan->dims[0].s[0] == item &&
        plan->dims[0].s[1] == item) {
        memmove(plan->ptr[0], plan->ptr[1], (size_t)(plan->dims[0].n * item));
        return STRIA_OK;
    }
    stria_array made;
    array_none(&made);
    if (stria__clone_bytes(&made, key->views[1]) != STRIA_OK)
        return stria__fail(STRIA_ERR_MEMORY,
                           "copy: dst and src overlap, and there is no memory for the %lld bytes "
                           "of a temporary",
                           (long long)stria_nbytes(key->views[1]));
    const stria_view *const views[] = {key->views[0], &made.view};
    const struct cache_key apart = {.count = 2, .views = views, .exec = key->exec};
    const stria_status status = copy_planned(&apart);
    stria_array_release(&made);
    return status;
}

static stria_status copy_planned(const struct cache_key *key)
{
    const stria_view *const dst = key->views[0], *const src = key->views[1];
    struct copy_job job;
    STRIA_TRY(stria__check_copy(&job, dst, src, key->exec));
    switch (job.operands) {
    case NOTHING:
    case META: return STRIA_OK;
    case OVERLAPPING: return run_overlapping(&job.call, key);
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
