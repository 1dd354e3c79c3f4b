/* SPDX-License-Identifier: BSD-3-Clause */
/* Choosing by a mask: one pass over the mask and what it chooses from, broadcast together. */
#include <string.h>

#include "array.h"
#include "dispatch.h"
#include "ops/copy/check.h"
#include "ops/copy/kernel_args.h"
#include "ops/index/indexed.h"
#include "ops/index/mask.h"
#include "ops/index/ordered.h"
#include "ops/make.h"
#include "ops/result_layout.h"
#include "plan.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "stria/promote.h"
#include "view/view.h"

static const stria_exec serial = {.threads = 1};

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
    enum { FEW = 8 /* items that lie apart, for which a kernel is not worth it */ };
    const struct choice *choice = arg;
    const int64_t item = choice->item;
    const enum size_class size = stria__size_class(item);
    const bool other = choice->otherwise;
    const bool masked = size != SIZE_ANY && d[0].s[1] == 1,
               dense = masked && other && d[0].s[0] == item && is_row(d[0].s[2], item) &&
                       is_row(d[0].s[3], item);
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0], *const mask = ptr[1] + j * d[1].s[1];
        char *const from[2] = {ptr[2] + j * d[1].s[2], other ? ptr[3] + j * d[1].s[3] : out};
        if (dense)
            stria__kernels()->choose[size](out, mask, from[0], d[0].s[2], from[1], d[0].s[3],
                                           d[0].n);
        else if (masked && !other && (d[0].s[0] == item || d[0].n >= FEW))
            stria__kernels()->change[size](out, d[0].s[0], mask, from[0], d[0].s[2], d[0].n);
        else if (d[0].s[1] == 0)
            choose_whole(out, *mask ? from[0] : from[1], *mask || !other ? d[0].s[2] : d[0].s[3],
                         &d[0], item);
        else
            choose_items(out, mask, from, &d[0], choice);
    }
}

/*
 * Operand k, of items of so many bytes, lies as the destination does, or is one item for all. Steps
 * over memory that nobody has may be as long as they like: products may wrap.
 */
static bool lies_alike(const stria_plan *plan, int k, int64_t item, int64_t item_out)
{
    bool alike = true, one = true;
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t s = plan->dims[d].s[k];
        alike &= (uint64_t)s * (uint64_t)item_out == (uint64_t)plan->dims[d].s[0] * (uint64_t)item;
        one &= s == 0;
    }
    return alike || one;
}

/* Rows that follow each other in the destination, and are short because of other operands. */
static bool are_short_rows(const stria_plan *plan, int64_t item)
{
    enum { LONG = 32, WORTH = 512 /* items */ };
    const stria_dim *const d = plan->dims;
    return plan->ndim > 1 && d[0].n < LONG && d[0].s[0] == item && d[1].s[0] == d[0].n * item &&
           stria__plan_numel(plan) >= WORTH;
}

/*
 * Whether operand k can be taken as it is: where it is dense along rows, or stands still. Short
 * rows are to become long ones.
 */
static bool can_stay(const stria_plan *plan, int k, int64_t item, int64_t item_out)
{
    if (are_short_rows(plan, item_out)) return lies_alike(plan, k, item, item_out);
    return is_row(plan->dims[0].s[k], item);
}

/*
 * Plans a choice. Operands that are neither dense along the rows of the destination nor one item
 * for each give their place to copies that are: to put items into another order is done many at a
 * time, to choose among those that lie apart is not. Where the destination lies apart, only a mask
 * has to be dense.
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
    if (stria__size_class(item) == SIZE_ANY || stria_numel(dst) < WORTH ||
        (d->s[1] == 0 && !are_short_rows(plan, item)))
        return STRIA_OK;
    const int last = d->s[0] == item ? n - 1 : 1;
    stria_status status = STRIA_OK;
    for (int k = 1; k <= last && status == STRIA_OK; k++)
        if (!can_stay(plan, k, k == 1 ? 1 : item, item) && !view_is_meta(operands[k]))
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
    if (view_is_meta(dst) || view_is_meta(mask) || view_is_meta(value)) return STRIA_OK;
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
    STRIA_TRY(stria__check_view(mask, "masked_fill", "the mask"));
    STRIA_TRY(stria__check_view(value, "masked_fill", "the value"));
    STRIA_TRY(stria__mask_of(&wide, mask, dst, "masked_fill"));
    stria_status status = stria__values_for(&item, value, dst, false);
    if (status == STRIA_OK) {
        const struct choice choice = {dst->dtype.itemsize, false};
        status = change(dst, &wide.view, &item.view, &choice);
        stria_array_release(&item);
    }
    stria_array_release(&wide);
    return status;
}

/* x or y as stored items of the result's dtype: itself when that is what it is. */
static stria_status as_dtype(stria_array *out, const stria_view *a, stria_dtype dtype)
{
    if (stria_dtype_equal(a->dtype, dtype) && !(a->flags & (STRIA_CONJ | STRIA_NEG))) {
        array_share(out, a);
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
    if (view_is_meta(&made->view) || view_is_meta(condition) || view_is_meta(x) || view_is_meta(y))
        return STRIA_OK;
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
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "where: out is NULL");
    STRIA_TRY(stria__check_view(condition, "where", "the condition"));
    STRIA_TRY(stria__check_view(x, "where", "x"));
    STRIA_TRY(stria__check_view(y, "where", "y"));
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
