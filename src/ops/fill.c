/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fill is a copy of one element that is repeated along every dim. If elements of the output
 * repeat, too (a broadcast view), one pass over each of them is enough.
 */
#include "stria/fill.h"

#include <string.h>

#include "base/alloc.h"
#include "engine/cache.h"
#include "ops/copy.h"
#include "ops/elementwise/operation.h"
#include "ops/operands.h"

enum { ITEM_ON_STACK = 256 };

/* A fill while it runs. */
struct fill {
    struct call call;
    stria_plan plan; /* Operand 1 is the item, with stride 0. */
    /* The exec for elements that share bytes: two threads must not write those. */
    stria_exec serial;
    const stria_exec *exec;
};

static stria_status plan_fill(struct fill *fill, const stria_view *dst, const void *item,
                              const stria_exec *exec)
{
    stria_plan *const plan = &fill->plan;
    STRIA_TRY(stria_plan_make(plan, 1, &dst, 0));
    plan->nops = 2;
    plan->ptr[1] = (char *)(uintptr_t)item;
    for (int d = 0; d < plan->ndim; d++) {
        plan->dims[d].s[1] = 0;
        if (plan->dims[d].s[0] == 0 && plan->dims[d].n > 1) plan->dims[d].n = 1;
    }
    stria__plan_drop(plan);
    fill->call = (struct call){.item = dst->dtype.itemsize, .plan = plan};
    fill->serial = exec ? *exec : (stria_exec){0};
    fill->serial.threads = 1;
    fill->exec = stria__steps_clear(plan, dst->dtype.itemsize) ? exec : &fill->serial;
    return STRIA_OK;
}

static void run_fill(struct fill *fill)
{
    stria__call_decide(&fill->call, fill->exec);
    stria__call_run(&fill->call, fill->exec);
}

static bool lies_in(const stria_view *dst, const void *item)
{
    stria_view source;
    source.data = (char *)(uintptr_t)item;
    source.buffer = NULL;
    source.dtype = dst->dtype;
    source.flags = 0;
    source.ndim = 0;
    return stria_may_share_memory(dst, &source);
}

/* Fills from a copy of a long item that the fill would overwrite. */
static stria_status run_from_copy(struct fill *fill)
{
    OWNED_MEMORY(copy, (size_t)fill->call.item);
    if (!copy.at)
        return stria__fail(STRIA_ERR_MEMORY,
                           "fill_item: the item lies in out, and there is no memory for the %zu "
                           "bytes of a copy of it",
                           copy.size);
    fill->plan.ptr[1] = memcpy(copy.at, fill->plan.ptr[1], copy.size);
    run_fill(fill);
    return stria__watch_end(fill->exec);
}

/* Fills by a plan; key NULL: the call is not kept. */
static stria_status fill_planned(const struct cache_key *key, const stria_view *dst,
                                 const void *item, const stria_exec *exec)
{
    struct fill fill;
    char copy[ITEM_ON_STACK];
    STRIA_TRY(stria__check_writable(dst, "fill_item", "out"));
    const int64_t size = dst->dtype.itemsize;
    if (!item && size > 0) return stria__fail(STRIA_ERR_ARGUMENT, "fill_item: item is NULL");
    STRIA_TRY(plan_fill(&fill, dst, item, exec));
    stria_plan *const plan = &fill.plan;
    if (view_is_meta(dst) || size == 0 || plan->dims[0].n == 0) return STRIA_OK;
    if (size <= ITEM_ON_STACK)
        plan->ptr[1] = memcpy(copy, item, (size_t)size);
    else if (lies_in(dst, item))
        return run_from_copy(&fill);
    run_fill(&fill);
    /* A call that is kept must be right for any address: elements share no bytes. */
    if (key && fill.exec != &fill.serial && stria__plan_numel(plan) == stria_numel(dst))
        stria__cache_keep(key, &fill.call);
    return stria__watch_end(exec);
}

static stria_status fill_small(const stria_view *dst, const void *item, const stria_exec *exec)
{
    char copy[ITEM_ON_STACK];
    const struct cache_key key = {.count = 1, .views = &dst, .exec = exec};
    memcpy(copy, item, (size_t)dst->dtype.itemsize);
    if (stria__cache_run(&key, copy)) return STRIA_OK;
    return fill_planned(&key, dst, item, exec);
}

stria_status stria_fill_item(const stria_view *dst, const void *item, const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(dst, "fill_item", "out"));
    STRIA_TRY(stria__check_exec(exec, "fill_item"));
    if (item && stria__fill_flat(dst, item, exec)) return STRIA_OK;
    const bool small = item && dst->dtype.itemsize > 0 && dst->dtype.itemsize <= ITEM_ON_STACK;
    return small ? fill_small(dst, item, exec) : fill_planned(NULL, dst, item, exec);
}

/* ---- values ---------------------------------------------------------------------------------- */

static stria_status check_weak_value(const stria_view *dst, const stria_view *value)
{
    STRIA_TRY(stria__check_weak(value, "fill", "value"));
    if (!stria__weak_fits(value, (stria_kind)dst->dtype.kind))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "fill: value, %s, is out of the range of out's dtype %s; fill an "
                           "array of a wider dtype",
                           stria__weak_text(value).text, stria__dtype_text(dst->dtype).text);
    const bool integers = value->dtype.kind >= STRIA_I8 && value->dtype.kind <= STRIA_U64 &&
                          dst->dtype.kind >= STRIA_I8 && dst->dtype.kind <= STRIA_U64;
    if (integers || stria_can_cast(value->dtype, dst->dtype, STRIA_CAST_SAME_KIND)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "fill: value, %s, does not become %s, out's dtype, under same_kind "
                       "rules; stria_copy converts it whatever is lost",
                       stria__weak_text(value).text, stria__dtype_text(dst->dtype).text);
}

static stria_status check_value(const stria_view *dst, const stria_view *value)
{
    if (value->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "fill: value has shape %s, must be 0-d; stria_copy broadcasts",
                           stria__dims_text(value->ndim, value->shape).text);
    if (view_is_weak(value)) return check_weak_value(dst, value);
    if (stria_can_cast(value->dtype, dst->dtype, STRIA_CAST_SAME_KIND)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE,
                       "fill: value of dtype %s does not cast to out's dtype %s under "
                       "same_kind rules; stria_copy converts it whatever is lost",
                       stria__dtype_text(value->dtype).text, stria__dtype_text(dst->dtype).text);
}

stria_status stria_fill(const stria_view *dst, const stria_view *value, const stria_exec *exec)
{
    OWNED_ARRAY(item);
    STRIA_TRY(stria__check_view(dst, "fill", "out"));
    STRIA_TRY(stria__check_view(value, "fill", "value"));
    STRIA_TRY(stria__check_exec(exec, "fill"));
    STRIA_TRY(stria__check_writable(dst, "fill", "out"));
    STRIA_TRY(check_value(dst, value));
    if (view_is_meta(dst) || view_is_meta(value)) return STRIA_OK;
    STRIA_TRY(stria_empty(&item, dst->dtype, 0, NULL));
    item.view.flags |= dst->flags & (STRIA_CONJ | STRIA_NEG);
    STRIA_TRY(stria_copy(&item.view, value, NULL));
    return stria_fill_item(dst, item.view.data, exec);
}

/* New arrays filled with one item. */

stria_status stria_full_item(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape,
                             const void *item, const stria_exec *exec)
{
    TAKES_EXEC(exec, "full_item");
    MAKES(made, out, "full_item");
    STRIA_TRY(stria_empty(&made, dtype, ndim, shape));
    return stria__deliver(out, &made, stria_fill_item(&made.view, item, NULL));
}

stria_status stria_full_like_item(stria_array *out, const stria_view *a, stria_dtype dtype,
                                  stria_order order, const void *item, const stria_exec *exec)
{
    TAKES_EXEC(exec, "full_like_item");
    MAKES(made, out, "full_like_item");
    STRIA_TRY(stria__empty_as(&made, a, dtype, order, "full_like_item"));
    return stria__deliver(out, &made, stria_fill_item(&made.view, item, NULL));
}

/* New arrays filled with a number: allocated, then filled with it. */

stria_status stria_full(stria_array *out, stria_dtype dtype, int ndim, const int64_t *shape,
                        const stria_view *value, const stria_exec *exec)
{
    MAKES(made, out, "full");
    STRIA_TRY(stria__check_view(value, "full", "value"));
    STRIA_TRY(stria__check_memory(value, "full", "value"));
    STRIA_TRY(stria_empty(&made, dtype, ndim, shape));
    return stria__deliver(out, &made, stria_fill(&made.view, value, exec));
}

stria_status stria_full_like(stria_array *out, const stria_view *a, stria_dtype dtype,
                             stria_order order, const stria_view *value, const stria_exec *exec)
{
    MAKES(made, out, "full_like");
    STRIA_TRY(stria__check_view(value, "full_like", "value"));
    STRIA_TRY(stria__check_memory(value, "full_like", "value"));
    STRIA_TRY(stria__empty_as(&made, a, dtype, order, "full_like"));
    return stria__deliver(out, &made, stria_fill(&made.view, value, exec));
}
