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

static bool lies_in(const stria_view *dst, char *item)
{
    stria_view source;
    source.data = item;
    source.buffer = NULL;
    source.dtype = dst->dtype;
    source.ndim = 0;
    return stria_may_share_memory(dst, &source);
}

static stria_status fill_planned(const stria_view *dst, const void *item, const stria_exec *exec)
{
    stria_plan plan;
    char aside[ITEM_ON_STACK];
    STRIA_TRY(stria__check_writable(dst, "fill", "dst"));
    const int64_t size = dst->dtype.itemsize;
    if (!item && size > 0) return stria__fail(STRIA_ERR_ARGUMENT, "fill: item is NULL");
    STRIA_TRY(plan_fill(&plan, dst, item));
    if (stria_buffer_is_meta(dst->buffer) || size == 0 || plan.dims[0].n == 0) return STRIA_OK;
    if (size <= ITEM_ON_STACK)
        plan.ptr[1] = memcpy(aside, item, (size_t)size);
    else if (lies_in(dst, plan.ptr[1]))
        return run_aside(&plan, size, exec);
    run(&plan, size, exec);
    return STRIA_OK;
}

static inline bool fill_at_a_glance(const stria_view *dst, const void *item, const stria_exec *exec)
{
    return dst && item && stria__fill_flat(dst, item, exec);
}

stria_status stria_fill_with(const stria_view *dst, const void *item, const stria_exec *exec)
{
    return fill_at_a_glance(dst, item, exec) ? STRIA_OK : fill_planned(dst, item, exec);
}

stria_status stria_fill(const stria_view *dst, const void *item)
{
    return fill_at_a_glance(dst, item, NULL) ? STRIA_OK : fill_planned(dst, item, NULL);
}
