/* SPDX-License-Identifier: BSD-3-Clause */
/* Choosing by a mask: one pass over the mask and what it chooses from, broadcast together. */
#include <string.h>

#include "array.h"
#include "dispatch.h"
#include "ops/copy/check.h"
#include "ops/copy/kernel_args.h"
#include "ops/index/mask.h"
#include "ops/index/ordered.h"
#include "ops/make.h"
#include "ops/result_layout.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "stria/promote.h"
#include "view/view.h"

static const stria_exec serial = {.threads = 1};

static bool is_meta(const stria_view *a)
{
    return stria_buffer_is_meta(a->buffer);
}

/* Operands: 0 destination, 1 mask, 2 where it holds, 3 (optional) where it does not. */
struct choice {
    int64_t item;
    bool otherwise;
};

static void choose_items(char *out, const char *mask, char *const *from, const stria_dim *d,
                         const struct choice *choice)
{
    const size_t item = (size_t)choice->item;
    const int64_t n = d->n, so = d->s[0], sm = d->s[1], sa = d->s[2];
    const int64_t sb = choice->otherwise ? d->s[3] : so;
    const char *const a = from[0], *const b = from[1];
    for (int64_t i = 0; i < n; i++) {
        const bool holds = mask[i * sm] != 0;
        if (holds || choice->otherwise) memcpy(out + i * so, holds ? a + i * sa : b + i * sb, item);
    }
}

/* The mask is the same along the row. */
static void choose_whole(char *out, const char *from, int64_t s, const stria_dim *d, int64_t item)
{
    const enum size_class size = stria__size_class(item);
    if (from == out || item == 0) return;
    if (d->s[0] == item && s == item)
        stria__kernels()->copy(out, from, d->n * item);
    else
        stria__kernels()->strided[size](&(struct strided){
            .out = out, .in = from, .n = {d->n, 1}, .so = {d->s[0]}, .si = {s}, .item = item});
}

static bool is_row(int64_t s, int64_t item)
{
    return s == item || s == 0;
}

static void choose_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct choice *choice = arg;
    const int64_t item = choice->item;
    const enum size_class size = stria__size_class(item);
    const bool other = choice->otherwise;
    const bool dense = size != SIZE_ANY && d[0].s[0] == item && d[0].s[1] == 1 &&
                       is_row(d[0].s[2], item) && (!other || is_row(d[0].s[3], item));
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0], *const mask = ptr[1] + j * d[1].s[1];
        char *const from[2] = {ptr[2] + j * d[1].s[2], other ? ptr[3] + j * d[1].s[3] : out};
        if (dense)
            stria__kernels()->choose[size](out, mask, from[0], d[0].s[2], from[1],
                                           other ? d[0].s[3] : item, d[0].n);
        else if (d[0].s[1] == 0)
            choose_whole(out, *mask ? from[0] : from[1], *mask || !other ? d[0].s[2] : d[0].s[3],
                         &d[0], item);
        else
            choose_items(out, mask, from, &d[0], choice);
    }
}

/*
 * Plans a choice. Operands that are neither dense along the rows of the destination, which are, nor
 * one item for each give their place to copies that are: to put items into another order is done
 * many at a time, to choose among those that lie apart is not.
 */
static stria_status plan_choice(stria_plan *plan, struct ordered *ordered, int n,
                                const stria_view **operands)
{
    enum { WORTH = 64 /* items */ };
    const stria_view *const dst = operands[0];
    const int64_t item = dst->dtype.itemsize;
    ordered->count = 0;
    STRIA_TRY(stria_plan_make(plan, n, operands, 0));
    const stria_dim *const d = &plan->dims[0];
    for (int k = 0; k < plan->ndim; k++)
        if (d[k].s[0] == 0) return STRIA_OK; /* copies would be larger than the destination */
    if (d->s[0] != item || d->s[1] == 0 || stria__size_class(item) == SIZE_ANY ||
        stria_numel(dst) < WORTH)
        return STRIA_OK;
    stria_status status = STRIA_OK;
    for (int k = 1; k < n && status == STRIA_OK; k++)
        if (d->s[k] != 0 && d->s[k] != (k == 1 ? 1 : item) && !is_meta(operands[k]))
            status = stria__bring_in_order(ordered, &operands[k], dst, STRIA_ORDER_K);
    if (status == STRIA_OK && ordered->count > 0) status = stria_plan_make(plan, n, operands, 0);
    if (status != STRIA_OK) stria__ordered_release(ordered);
    return status;
}

static stria_status change(const stria_view *dst, const stria_view *mask, const stria_view *value,
                           const struct choice *choice)
{
    stria_plan plan;
    struct ordered ordered;
    if (is_meta(dst) || is_meta(mask) || is_meta(value)) return STRIA_OK;
    STRIA_TRY(plan_choice(&plan, &ordered, 3, (const stria_view *[]){dst, mask, value}));
    (void)stria__drop_repetitions(&plan);
    stria_walk(&plan, choose_row, choice, &serial);
    stria__ordered_release(&ordered);
    return STRIA_OK;
}

stria_status stria_masked_fill(const stria_view *dst, const stria_view *mask,
                               const stria_view *value)
{
    stria_array wide, item;
    STRIA_TRY(stria__check_writable(dst, "masked_fill", "dst"));
    STRIA_TRY(view_check(dst, mask, "masked_fill"));
    STRIA_TRY(view_check(dst, value, "masked_fill"));
    STRIA_TRY(stria__mask_of(&wide, mask, dst, "masked_fill"));
    stria_status status = stria__empty_like_memory(&item, value, dst->dtype, value->ndim,
                                                   value->shape, STRIA_ORDER_C);
    if (status == STRIA_OK) {
        item.view.flags = dst->flags & (STRIA_CONJ | STRIA_NEG);
        status = stria_copy(&item.view, value);
        const struct choice choice = {dst->dtype.itemsize, false};
        if (status == STRIA_OK) status = change(dst, &wide.view, &item.view, &choice);
        stria_array_release(&item);
    }
    stria_array_release(&wide);
    return status;
}

/* x or y as stored items of the result's dtype: itself when that is what it is. */
static stria_status as_dtype(stria_array *out, const stria_view *a, stria_dtype dtype)
{
    if (stria_dtype_equal(a->dtype, dtype) && !(a->flags & (STRIA_CONJ | STRIA_NEG))) {
        *out = stria_array_share(a);
        return STRIA_OK;
    }
    stria_array made;
    STRIA_TRY(stria__empty_like_memory(&made, a, dtype, a->ndim, a->shape, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_copy(&made.view, a));
}

static stria_status choose(stria_array *made, const stria_view *condition, const stria_view *x,
                           const stria_view *y)
{
    stria_plan plan;
    struct ordered ordered;
    const stria_view *operands[] = {&made->view, condition, x, y};
    if (is_meta(&made->view) || is_meta(condition) || is_meta(x) || is_meta(y)) return STRIA_OK;
    STRIA_TRY(plan_choice(&plan, &ordered, 4, operands));
    const struct choice choice = {x->dtype.itemsize, true};
    stria_walk(&plan, choose_row, &choice, NULL);
    stria__ordered_release(&ordered);
    return STRIA_OK;
}

stria_status stria_where(stria_array *out, const stria_view *condition, const stria_view *x,
                         const stria_view *y)
{
    stria_view wide[3];
    STRIA_TRY(view_check(out, condition, "where"));
    STRIA_TRY(view_check(out, x, "where"));
    STRIA_TRY(view_check(out, y, "where"));
    STRIA_TRY(stria__check_mask(condition, "where"));
    STRIA_TRY(stria__broadcast_views(wide, 3, (const stria_view *[]){condition, x, y}, "where"));
    stria_array made, from[2];
    stria_dtype dtype;
    STRIA_TRY(stria_promote(&dtype, x->dtype, y->dtype, STRIA_PROMOTE_TORCH));
    const stria_view *const all[] = {&wide[0], &wide[1], &wide[2]};
    STRIA_TRY(stria__make_voted(&made, 3, all, dtype));
    stria_status status = as_dtype(&from[0], x, made.view.dtype);
    if (status == STRIA_OK) {
        status = as_dtype(&from[1], y, made.view.dtype);
        if (status == STRIA_OK) {
            status = choose(&made, &wide[0], &from[0].view, &from[1].view);
            stria_array_release(&from[1]);
        }
        stria_array_release(&from[0]);
    }
    return stria__deliver(out, &made, status);
}
