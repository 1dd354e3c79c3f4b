/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fill is a copy of one element that is repeated along every dim. Where elements of the output
 * repeat too (a broadcast view), one pass over each of them is enough.
 */
#include "stria/fill.h"

#include <string.h>

#include "alloc.h"
#include "ops/copy/check.h"
#include "ops/copy/engine.h"
#include "ops/copy/flat.h"
#include "ops/copy/recent.h"
#include "plan.h"
#include "status.h"
#include "stria/overlap.h"

enum { ITEM_ON_STACK = 256 };

/* dst with a second operand that stands still at item. */
static stria_status plan_fill(stria_plan *plan, const stria_view *dst, const char *item)
{
    STRIA_TRY(stria_plan_make(plan, 1, &dst, 0));
    plan->nops = 2;
    plan->ptr[1] = (char *)(uintptr_t)item;
    for (int d = 0; d < plan->ndim; d++) {
        plan->dims[d].s[1] = 0;
        if (plan->dims[d].s[0] == 0 && plan->dims[d].n > 1) plan->dims[d].n = 1;
    }
    stria__plan_drop(plan);
    return STRIA_OK;
}

/* Elements of dst that share bytes must not be given to two threads. */
static void run(const stria_plan *plan, int64_t size, const stria_exec *exec)
{
    stria_exec serial = {.threads = 1};
    if (stria__steps_clear(plan, size)) {
        stria__engine(plan, size, exec);
        return;
    }
    serial.hints = exec ? exec->hints : 0;
    stria__engine(plan, size, &serial);
}

/* A long item, which the fill would write over. */
static stria_status run_aside(stria_plan *plan, int64_t size, const stria_exec *exec)
{
    const stria_allocator allocator = stria__allocator();
    char *const aside = allocator.alloc((size_t)size, STRIA_ALIGNMENT, allocator.context);
    if (!aside)
        return stria__fail(STRIA_ERR_MEMORY,
                           "fill: the item lies in dst, and there is no memory for the %lld bytes "
                           "of a copy of it",
                           (long long)size);
    plan->ptr[1] = memcpy(aside, plan->ptr[1], (size_t)size);
    run(plan, size, exec);
    allocator.free(aside, (size_t)size, allocator.context);
    return STRIA_OK;
}

/* The copy that it is: of one element without dims. */
static stria_view source_of(const stria_view *dst, char *item)
{
    stria_view source;
    source.data = item;
    source.buffer = NULL;
    source.dtype = dst->dtype;
    source.flags = dst->flags; /* conj and neg do not apply */
    source.ndim = 0;
    return source;
}

static bool lies_in(const stria_view *dst, char *item)
{
    const stria_view source = source_of(dst, item);
    return stria_may_share_memory(dst, &source);
}

/* A copy of that element would be refused where elements of dst share bytes. */
static bool is_copy(const stria_view *dst, const stria_plan *plan)
{
    return stria__plan_numel(plan) == stria_numel(dst) &&
           stria__steps_clear(plan, dst->dtype.itemsize);
}

/* key NULL: the fill is not one to be kept. */
static stria_status fill_planned(const struct recent_key *key, const stria_view *dst,
                                 const void *item, const stria_exec *exec)
{
    struct copy_job job;
    stria_plan *const plan = &job.nest;
    char aside[ITEM_ON_STACK];
    STRIA_TRY(stria__check_writable(dst, "fill", "dst"));
    const int64_t size = dst->dtype.itemsize;
    if (!item && size > 0) return stria__fail(STRIA_ERR_ARGUMENT, "fill: item is NULL");
    STRIA_TRY(plan_fill(plan, dst, item));
    if (stria_buffer_is_meta(dst->buffer) || size == 0 || plan->dims[0].n == 0) return STRIA_OK;
    if (size <= ITEM_ON_STACK)
        plan->ptr[1] = memcpy(aside, item, (size_t)size);
    else if (lies_in(dst, plan->ptr[1]))
        return run_aside(plan, size, exec);
    run(plan, size, exec);
    if (key && is_copy(dst, plan)) {
        const stria_view source = source_of(dst, aside);
        job.how.row = NULL;
        stria__recent_keep(key, &job, dst, &source);
    }
    return STRIA_OK;
}

/* Small fills of a layout that comes again are not planned again, see ops/copy/recent.h. */
static stria_status fill_small(const stria_view *dst, const void *item, const stria_exec *exec)
{
    char aside[ITEM_ON_STACK];
    struct recent_key key;
    const stria_view source = source_of(dst, memcpy(aside, item, (size_t)dst->dtype.itemsize));
    if (!stria__recent_key(&key, dst, &source, exec)) return fill_planned(NULL, dst, item, exec);
    if (stria__recent_run(&key, dst, &source, exec)) return STRIA_OK;
    return fill_planned(&key, dst, item, exec);
}

static bool is_small(const stria_view *dst, const void *item)
{
    return item && dst->dtype.itemsize > 0 && dst->dtype.itemsize <= ITEM_ON_STACK;
}

static inline bool fill_at_a_glance(const stria_view *dst, const void *item, const stria_exec *exec)
{
    return item && stria__fill_flat(dst, item, exec);
}

stria_status stria_fill_with(const stria_view *dst, const void *item, const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(dst, "fill", "dst"));
    STRIA_TRY(stria__check_exec(exec, "fill"));
    if (fill_at_a_glance(dst, item, exec)) return STRIA_OK;
    return is_small(dst, item) ? fill_small(dst, item, exec) : fill_planned(NULL, dst, item, exec);
}

stria_status stria_fill(const stria_view *dst, const void *item)
{
    return stria_fill_with(dst, item, NULL);
}
