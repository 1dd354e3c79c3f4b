/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masks: one pass over the mask and what it belongs to, broadcast together by the plan. Selecting
 * and scattering go through the elements in C order, since the flat side has no other.
 */
#include <string.h>

#include "array.h"
#include "dispatch.h"
#include "ops/copy/check.h"
#include "ops/copy/kernel_args.h"
#include "ops/index/indexed.h"
#include "ops/index/mask.h"
#include "ops/make.h"
#include "ops/result_layout.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "stria/indexing.h"
#include "stria/overlap.h"
#include "stria/plan.h"
#include "stria/promote.h"
#include "view/view.h"

static const stria_exec serial = {.threads = 1};

static bool is_meta(const stria_view *a)
{
    return stria_buffer_is_meta(a->buffer);
}

static stria_status check_mask(const stria_view *mask, const char *op)
{
    if (mask->dtype.kind == STRIA_BOOL) return STRIA_OK;
    char name[32];
    (void)stria_dtype_format(mask->dtype, name, sizeof name);
    return stria__fail(STRIA_ERR_DTYPE, "%s: the mask is of dtype %s, not bool", op, name);
}

/*
 * Dims in which no operand moves are passed once, which is enough for what is counted or written:
 * the size of an expanded view costs no time. Returns how often they would have been passed.
 */
static int64_t drop_repetitions(stria_plan *plan)
{
    int64_t times = 1; /* a factor of the number of elements */
    for (int d = 0; d < plan->ndim; d++) {
        stria_dim *dim = &plan->dims[d];
        bool moves = dim->n == 0;
        for (int k = 0; k < plan->nops; k++)
            moves |= dim->s[k] != 0;
        if (moves) continue;
        times *= dim->n;
        dim->n = 1;
    }
    return times;
}

/* ---- counting ------------------------------------------------------------------------------- */

static void count_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    int64_t *const *count = arg;
    int64_t n = 0;
    for (int64_t j = 0; j < d[1].n; j++) {
        const char *const row = ptr[0] + j * d[1].s[0];
        if (d[0].s[0] == 1)
            n += stria__kernels()->count(row, d[0].n);
        else
            for (int64_t i = 0; i < d[0].n; i++)
                n += row[i * d[0].s[0]] != 0;
    }
    **count += n;
}

stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op)
{
    stria_plan plan;
    *count = 0;
    if (is_meta(mask))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "%s: the size of the result depends on a mask "
                           "without memory",
                           op);
    STRIA_TRY(stria_plan_make(&plan, 1, &mask, 0));
    const int64_t times = drop_repetitions(&plan);
    stria_walk(&plan, count_row, &count, &serial);
    *count *= times;
    return STRIA_OK;
}

/* ---- between a masked view and the flat side ------------------------------------------------- */

/* Operands: 0 the masked view, 1 the mask. */
struct flat {
    char **at; /* moves on by one item for each true mask element */
    const char *end;
    int64_t item;
};

/* Both are dense along the inner dim, of items that have a kernel. */
static bool has_kernel(const stria_dim *d, int64_t item)
{
    return d[0].s[0] == item && d[0].s[1] == 1 && stria__size_class(item) != SIZE_ANY;
}

static void select_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    const bool dense = has_kernel(d, flat->item);
    for (int64_t j = 0; j < d[1].n; j++) {
        const char *const in = ptr[0] + j * d[1].s[0], *const mask = ptr[1] + j * d[1].s[1];
        if (dense) {
            *flat->at = stria__kernels()->compress[stria__size_class(flat->item)](
                *flat->at, flat->end, in, mask, d[0].n);
            continue;
        }
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!mask[i * d[0].s[1]]) continue;
            memcpy(*flat->at, in + i * d[0].s[0], (size_t)flat->item);
            *flat->at += flat->item;
        }
    }
}

static void deal_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    const bool dense = has_kernel(d, flat->item);
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0];
        const char *const mask = ptr[1] + j * d[1].s[1];
        if (dense) {
            const char *const at = stria__kernels()->expand[stria__size_class(flat->item)](
                out, *flat->at, flat->end, mask, d[0].n);
            *flat->at += at - *flat->at;
            continue;
        }
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!mask[i * d[0].s[1]]) continue;
            memcpy(out + i * d[0].s[0], *flat->at, (size_t)flat->item);
            *flat->at += flat->item;
        }
    }
}

/* count items lie at `at`, or will. */
static stria_status run_flat(const stria_view *a, const stria_view *mask, char *at, int64_t count,
                             stria_loop *row)
{
    stria_plan plan;
    const int64_t item = a->dtype.itemsize;
    const struct flat flat = {&at, at + count * item, item};
    if (count == 0) return STRIA_OK; /* however large what is masked may be */
    STRIA_TRY(stria_plan_make(&plan, 2, (const stria_view *[]){a, mask}, STRIA_PLAN_KEEP_ORDER));
    stria_walk(&plan, row, &flat, &serial);
    return STRIA_OK;
}

stria_status stria_masked_select(stria_array *out, const stria_view *a, const stria_view *mask)
{
    stria_view both[2];
    int64_t count;
    STRIA_TRY(view_check(out, a, "masked_select"));
    STRIA_TRY(view_check(out, mask, "masked_select"));
    STRIA_TRY(check_mask(mask, "masked_select"));
    STRIA_TRY(stria__broadcast_views(both, 2, (const stria_view *[]){a, mask}, "masked_select"));
    STRIA_TRY(stria__count_true(&count, &both[1], "masked_select"));
    stria_array made;
    STRIA_TRY(stria__empty_like_memory(&made, a, a->dtype, 1, &count, STRIA_ORDER_C));
    stria_status status = STRIA_OK;
    if (!is_meta(a)) status = run_flat(&both[0], &both[1], made.view.data, count, select_row);
    if (status == STRIA_OK) status = stria__apply_bits(&made.view, a->flags);
    return stria__deliver(out, &made, status);
}

/* The mask in dst's shape, read before dst is written if they share memory. */
static stria_status mask_of(stria_array *out, const stria_view *mask, const stria_view *dst,
                            const char *op)
{
    stria_view wide;
    STRIA_TRY(check_mask(mask, op));
    if (stria_expand(&wide, mask, dst->ndim, dst->shape) != STRIA_OK)
        return stria__fail(STRIA_ERR_BROADCAST, "%s: the mask of shape %s does not broadcast to %s",
                           op, stria__dims_text(mask->ndim, mask->shape).text,
                           stria__dims_text(dst->ndim, dst->shape).text);
    if (stria_shares_memory(mask, dst, OVERLAP_WORK) != STRIA_OVERLAP_NO)
        return stria_clone(out, &wide);
    *out = stria_array_share(&wide);
    return STRIA_OK;
}

static stria_status deal(const stria_view *dst, const stria_view *mask, const stria_view *src)
{
    int64_t count;
    stria_array values;
    STRIA_TRY(stria__count_true(&count, mask, "masked_scatter"));
    if (count > stria_numel(src))
        return stria__fail(STRIA_ERR_SHAPE,
                           "masked_scatter: src has %lld elements, the mask asks "
                           "for %lld",
                           (long long)stria_numel(src), (long long)count);
    STRIA_TRY(stria__values_for(&values, src, dst, true));
    stria_status status = STRIA_OK;
    if (!is_meta(dst) && !is_meta(src))
        status = run_flat(dst, mask, values.view.data, count, deal_row);
    stria_array_release(&values);
    return status;
}

stria_status stria_masked_scatter(const stria_view *dst, const stria_view *mask,
                                  const stria_view *src)
{
    stria_array wide;
    STRIA_TRY(stria__check_writable(dst, "masked_scatter", "dst"));
    STRIA_TRY(view_check(dst, mask, "masked_scatter"));
    STRIA_TRY(view_check(dst, src, "masked_scatter"));
    STRIA_TRY(mask_of(&wide, mask, dst, "masked_scatter"));
    const stria_status status = deal(dst, &wide.view, src);
    stria_array_release(&wide);
    return status;
}

/* ---- choosing by a mask ---------------------------------------------------------------------- */

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
    if (from == out) return;
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
 * Plans a choice. Where the mask is not dense along the rows of the destination, which are, one
 * that is takes its place: to put bytes into another order is done many at a time, to choose by
 * bytes that lie apart is not. `ordered` is to be released.
 */
static stria_status plan_choice(stria_plan *plan, stria_array *ordered, int n,
                                const stria_view **operands)
{
    enum { WORTH = 64 /* items */ };
    const stria_view *const dst = operands[0], *const mask = operands[1];
    ordered->owned = NULL;
    STRIA_TRY(stria_plan_make(plan, n, operands, 0));
    const stria_dim *const d = &plan->dims[0];
    for (int k = 0; k < plan->ndim; k++)
        if (d[k].s[0] == 0) return STRIA_OK; /* one that is would be larger than the destination */
    if (d->s[0] != dst->dtype.itemsize || d->s[1] == 0 || d->s[1] == 1 || is_meta(mask) ||
        stria_numel(dst) < WORTH)
        return STRIA_OK;
    STRIA_TRY(stria_empty_like(ordered, dst, mask->dtype, STRIA_ORDER_K));
    operands[1] = &ordered->view;
    stria_status status = stria_copy(&ordered->view, mask);
    if (status == STRIA_OK) status = stria_plan_make(plan, n, operands, 0);
    if (status != STRIA_OK) stria_array_release(ordered);
    return status;
}

static stria_status change(const stria_view *dst, const stria_view *mask, const stria_view *value,
                           const struct choice *choice)
{
    stria_plan plan;
    stria_array ordered;
    if (is_meta(dst) || is_meta(mask) || is_meta(value)) return STRIA_OK;
    STRIA_TRY(plan_choice(&plan, &ordered, 3, (const stria_view *[]){dst, mask, value}));
    (void)drop_repetitions(&plan);
    stria_walk(&plan, choose_row, choice, &serial);
    stria_array_release(&ordered);
    return STRIA_OK;
}

stria_status stria_masked_fill(const stria_view *dst, const stria_view *mask,
                               const stria_view *value)
{
    stria_array wide, item;
    STRIA_TRY(stria__check_writable(dst, "masked_fill", "dst"));
    STRIA_TRY(view_check(dst, mask, "masked_fill"));
    STRIA_TRY(view_check(dst, value, "masked_fill"));
    STRIA_TRY(mask_of(&wide, mask, dst, "masked_fill"));
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
    stria_array ordered;
    const stria_view *operands[] = {&made->view, condition, x, y};
    if (is_meta(&made->view) || is_meta(condition) || is_meta(x) || is_meta(y)) return STRIA_OK;
    STRIA_TRY(plan_choice(&plan, &ordered, 4, operands));
    const struct choice choice = {x->dtype.itemsize, true};
    stria_walk(&plan, choose_row, &choice, NULL);
    stria_array_release(&ordered);
    return STRIA_OK;
}

stria_status stria_where(stria_array *out, const stria_view *condition, const stria_view *x,
                         const stria_view *y)
{
    stria_view wide[3];
    STRIA_TRY(view_check(out, condition, "where"));
    STRIA_TRY(view_check(out, x, "where"));
    STRIA_TRY(view_check(out, y, "where"));
    STRIA_TRY(check_mask(condition, "where"));
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
