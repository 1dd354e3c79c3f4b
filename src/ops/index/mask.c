/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masks: one pass over the mask and what it belongs to, broadcast together by the plan. Selecting
 * and scattering go through the elements in C order, since the flat side has no other.
 */
#include <string.h>

#include "array.h"
#include "ops/copy/check.h"
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
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            n += ptr[0][j * d[1].s[0] + i * d[0].s[0]] != 0;
    **count += n;
}

static stria_status count_true(int64_t *count, const stria_view *mask, const char *op)
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
    size_t item;
};

static void select_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!ptr[1][j * d[1].s[1] + i * d[0].s[1]]) continue;
            memcpy(*flat->at, ptr[0] + j * d[1].s[0] + i * d[0].s[0], flat->item);
            *flat->at += flat->item;
        }
}

static void deal_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!ptr[1][j * d[1].s[1] + i * d[0].s[1]]) continue;
            memcpy(ptr[0] + j * d[1].s[0] + i * d[0].s[0], *flat->at, flat->item);
            *flat->at += flat->item;
        }
}

static stria_status run_flat(const stria_view *a, const stria_view *mask, char *at, stria_loop *row)
{
    stria_plan plan;
    const struct flat flat = {&at, (size_t)a->dtype.itemsize};
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
    STRIA_TRY(count_true(&count, &both[1], "masked_select"));
    stria_array made;
    STRIA_TRY(stria__empty_like_memory(&made, a, a->dtype, 1, &count, STRIA_ORDER_C));
    stria_status status = STRIA_OK;
    if (!is_meta(a)) status = run_flat(&both[0], &both[1], made.view.data, select_row);
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
    STRIA_TRY(count_true(&count, mask, "masked_scatter"));
    if (count > stria_numel(src))
        return stria__fail(STRIA_ERR_SHAPE,
                           "masked_scatter: src has %lld elements, the mask asks "
                           "for %lld",
                           (long long)stria_numel(src), (long long)count);
    STRIA_TRY(
        stria__empty_like_memory(&values, src, dst->dtype, src->ndim, src->shape, STRIA_ORDER_C));
    values.view.flags = dst->flags & (STRIA_CONJ | STRIA_NEG);
    stria_status status = stria_copy(&values.view, src);
    if (status == STRIA_OK && !is_meta(dst) && !is_meta(src))
        status = run_flat(dst, mask, values.view.data, deal_row);
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
    size_t item;
    bool otherwise;
};

static void choose_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct choice *choice = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            const bool holds = ptr[1][j * d[1].s[1] + i * d[0].s[1]] != 0;
            if (!holds && !choice->otherwise) continue;
            const int from = holds ? 2 : 3;
            memcpy(ptr[0] + j * d[1].s[0] + i * d[0].s[0],
                   ptr[from] + j * d[1].s[from] + i * d[0].s[from], choice->item);
        }
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
        stria_plan plan;
        if (status == STRIA_OK)
            status =
                stria_plan_make(&plan, 3, (const stria_view *[]){dst, &wide.view, &item.view}, 0);
        const struct choice choice = {(size_t)dst->dtype.itemsize, false};
        if (status == STRIA_OK) (void)drop_repetitions(&plan);
        if (status == STRIA_OK && !is_meta(dst) && !is_meta(mask) && !is_meta(value))
            stria_walk(&plan, choose_row, &choice, &serial);
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
    const stria_view *operands[] = {&made->view, condition, x, y};
    STRIA_TRY(stria_plan_make(&plan, 4, operands, 0));
    const struct choice choice = {(size_t)x->dtype.itemsize, true};
    if (is_meta(&made->view) || is_meta(condition) || is_meta(x) || is_meta(y)) return STRIA_OK;
    stria_walk(&plan, choose_row, &choice, NULL);
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
