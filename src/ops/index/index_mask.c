/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Masks are handled in one pass over the mask and its array, which the plan broadcasts together.
 * Selecting and scattering visit the elements in C order, which is the order of the flat side.
 */
#include <string.h>

#include "machine/dispatch.h"
#include "machine/machine.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"
#include "stria/broadcast.h"
#include "stria/reduce.h"

static const stria_exec serial = {.threads = 1};

static stria_status check_mask(const stria_view *mask, const char *op)
{
    STRIA_TRY(stria__check_view(mask, op, "the mask"));
    if (mask->dtype.kind == STRIA_BOOL) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: the mask is of dtype %s, not bool", op,
                       stria__dtype_text(mask->dtype).text);
}

stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op)
{
    stria_view once, out;
    int64_t times = 1;
    if (view_is_meta(mask))
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "%s: the size of the result depends on a mask without memory", op);
    view_copy(&once, mask);
    for (int d = 0; d < mask->ndim; d++) { /* Repeated elements are counted once. */
        if (mask->strides[d] != 0 || mask->shape[d] < 2) continue;
        times *= mask->shape[d];
        once.shape[d] = 1;
    }
    view_set(&out, (char *)count, NULL, stria_dtype_of(STRIA_I64), 0, 0, NULL, NULL);
    STRIA_TRY(stria_count_nonzero(&out, &once, STRIA_ALL_DIMS, NULL, NULL));
    *count *= times;
    return STRIA_OK;
}

/* ---- copies in C order ---------------------------------------------------------------------- */

/*
 * Replaces *operand by a copy of its stored items in C order, unless it is in that order.
 */
static stria_status put_in_order(stria_array *made, const stria_view **operand)
{
    const stria_view *const a = *operand;
    if (stria_is_contiguous(a, STRIA_ORDER_C)) return STRIA_OK;
    STRIA_TRY(stria__copy_stored(made, a));
    *operand = &made->view;
    return STRIA_OK;
}

/* ---- between a masked view and a dense list ------------------------------------------------- */

/* One side of a move; its operands are the masked view (0) and the mask (1). The list is the other
 * side. */
struct flat {
    char **at;       /* Advances by one item for each true element of the mask. */
    const char *end; /* End of the counted items, however the mask has changed since. */
    int64_t item;
};

/* Tells whether the mask is dense along the inner dim and the items have a kernel. */
static bool has_kernel(const stria_dim *d, int64_t item)
{
    return d[0].s[1] == 1 && stria__size_class(item) != SIZE_ANY;
}

/* Tells whether the items are dense as well. */
static bool can_select(const stria_dim *d, int64_t item)
{
    return has_kernel(d, item) && d[0].s[0] == item;
}

static stria_status select_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    const bool dense = can_select(d, flat->item);
    for (int64_t j = 0; j < d[1].n; j++) {
        const char *const in = ptr[0] + j * d[1].s[0], *const mask = ptr[1] + j * d[1].s[1];
        if (dense) {
            *flat->at = stria__kernels()->compress[stria__size_class(flat->item)](
                *flat->at, flat->end, in, mask, d[0].n);
            continue;
        }
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!mask[i * d[0].s[1]] || *flat->at == flat->end) continue;
            memcpy(*flat->at, in + i * d[0].s[0], (size_t)flat->item);
            *flat->at += flat->item;
        }
    }
    return STRIA_OK;
}

static stria_status expand_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct flat *flat = arg;
    const bool dense = has_kernel(d, flat->item);
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const out = ptr[0] + j * d[1].s[0];
        const char *const mask = ptr[1] + j * d[1].s[1];
        if (dense) {
            const char *const at = stria__kernels()->expand[stria__size_class(flat->item)](
                out, d[0].s[0], *flat->at, flat->end, mask, d[0].n);
            *flat->at += at - *flat->at;
            continue;
        }
        for (int64_t i = 0; i < d[0].n; i++) {
            if (!mask[i * d[0].s[1]] || *flat->at == flat->end) continue;
            memcpy(out + i * d[0].s[0], *flat->at, (size_t)flat->item);
            *flat->at += flat->item;
        }
    }
    return STRIA_OK;
}

/* Tells whether rows are short, or dense in one operand only, of items that have kernels. */
static bool is_broken(const stria_plan *plan, int64_t item)
{
    const stria_dim *const d = &plan->dims[0];
    if (stria__size_class(item) == SIZE_ANY || stria__plan_numel(plan) < MASK_ITEMS) return false;
    return !can_select(d, item) || (plan->ndim > 1 && d->n < MASK_ROW);
}

/* The count of true elements in a part of a mask. */
struct counting {
    int64_t *count;
};

static stria_status count_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    int64_t *const count = ((const struct counting *)arg)->count;
    for (int64_t j = 0; j < d[1].n; j++) {
        const char *const mask = ptr[1] + j * d[1].s[1];
        if (d[0].s[1] == 1) *count += stria__kernels()->count(mask, d[0].n);
        for (int64_t i = 0; d[0].s[1] != 1 && i < d[0].n; i++)
            *count += mask[i * d[0].s[1]] != 0;
    }
    return STRIA_OK;
}

/*
 * Moves at most `count` items, however the mask has changed since they were counted. Threads divide
 * the outermost dim; their counts tell where each begins in the list.
 */
static stria_status move_shared(const stria_plan *plan, const struct flat *flat, int64_t count,
                                stria_loop *row, const struct crew *crew)
{
    int64_t counts[CREW_MOST] = {0}, first = 0;
    struct counting counting[CREW_MOST];
    struct flat flats[CREW_MOST];
    char *at[CREW_MOST];
    const int dim = plan->ndim - 1;
    for (int i = 0; i < crew->threads; i++)
        counting[i].count = &counts[i];
    STRIA_TRY(stria__walk_divided(crew, plan, dim, count_row, counting, sizeof *counting));
    for (int i = 0; i < crew->threads; i++) {
        at[i] = *flat->at + first * flat->item;
        first += least(counts[i], count - first);
        flats[i] = (struct flat){&at[i], *flat->at + first * flat->item, flat->item};
    }
    return stria__walk_divided(crew, plan, dim, row, flats, sizeof *flats);
}

/*
 * Moves count items between the view and `at`. An operand that is only read is copied to C order
 * first if its rows are short or not dense.
 */
static stria_status run_flat(const stria_view *a, const stria_view *mask, char *at, int64_t count,
                             stria_loop *row)
{
    enum { CYCLES = 2 };
    stria_plan plan;
    OWNED_ARRAYS(items, truth);
    const int64_t item = a->dtype.itemsize;
    const struct flat flat = {&at, at + count * item, item};
    if (count == 0) return STRIA_OK; /* Nothing moves, however large the masked view is. */
    const stria_view *operands[] = {a, mask};
    STRIA_TRY(stria_plan_make(&plan, 2, operands, STRIA_PLAN_KEEP_ORDER));
    if (is_broken(&plan, item)) {
        STRIA_TRY(put_in_order(&truth, &operands[1]));
        if (row == select_row) STRIA_TRY(put_in_order(&items, &operands[0]));
        STRIA_TRY(stria_plan_make(&plan, 2, operands, STRIA_PLAN_KEEP_ORDER));
    }
    const struct crew crew = stria__crew_for(NULL, stria__plan_numel(&plan), CYCLES);
    if (crew.threads > 1 && (row == select_row || stria__steps_clear(&plan, item)))
        return move_shared(&plan, &flat, count, row, &crew);
    return stria_walk(&plan, row, &flat, &serial);
}

/* An array and a mask of one shape, and how many elements it selects. */
struct selection {
    stria_view both[2];
    int64_t count;
};

static stria_status select_by(struct selection *out, const stria_view *a, const stria_view *mask)
{
    STRIA_TRY(check_mask(mask, "masked_select"));
    STRIA_TRY(
        stria__broadcast_views(out->both, 2, (const stria_view *[]){a, mask}, "masked_select"));
    return stria__count_true(&out->count, &out->both[1], "masked_select");
}

/* Writes the selected elements to dense items of their dtype. */
static stria_status write_selected(const stria_view *to, const struct selection *s)
{
    if (view_is_meta(&s->both[0]) || view_is_meta(to)) return STRIA_OK;
    STRIA_TRY(run_flat(&s->both[0], &s->both[1], to->data, s->count, select_row));
    return stria__apply_bits(to, s->both[0].flags);
}

static stria_status make_selected(stria_array *out, const stria_view *a, const struct selection *s)
{
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_like_memory(&made, a, a->dtype, 1, &s->count, STRIA_ORDER_C));
    return stria__deliver(out, &made, write_selected(&made.view, s));
}

stria_status stria_masked_select_new(stria_array *out, const stria_view *a, const stria_view *mask,
                                     const stria_exec *exec)
{
    TAKES_EXEC(exec, "masked_select_new");
    struct selection s;
    STRIA_TRY(view_check(out, a, "masked_select"));
    STRIA_TRY(select_by(&s, a, mask));
    return make_selected(out, a, &s);
}

stria_status stria_masked_select(const stria_view *out, const stria_view *a, const stria_view *mask,
                                 const stria_exec *exec)
{
    TAKES_EXEC(exec, "masked_select");
    struct selection s;
    OWNED_ARRAY(made);
    STRIA_TRY(stria__check_writable(out, "masked_select", "out"));
    STRIA_TRY(view_check(out, a, "masked_select"));
    STRIA_TRY(select_by(&s, a, mask));
    STRIA_TRY(stria__check_out(out, 1, &s.count, a->dtype, "masked_select"));
    if (view_has_items(out, a->dtype) &&
        stria_shares_memory(out, a, OVERLAP_WORK) == STRIA_OVERLAP_NO &&
        stria_shares_memory(out, mask, OVERLAP_WORK) == STRIA_OVERLAP_NO)
        return write_selected(out, &s);
    STRIA_TRY(make_selected(&made, a, &s));
    return stria_copy(out, &made.view, NULL);
}

stria_status stria__mask_of(stria_array *out, const stria_view *mask, const stria_view *dst,
                            const stria_view *values, const char *op, const char *name)
{
    stria_view wide;
    STRIA_TRY(stria__check_writable(dst, op, "out"));
    STRIA_TRY(stria__check_view(values, op, name));
    STRIA_TRY(check_mask(mask, op));
    if (stria_expand(&wide, mask, dst->ndim, dst->shape) != STRIA_OK)
        return stria__fail(STRIA_ERR_BROADCAST, "%s: the mask of shape %s does not broadcast to %s",
                           op, stria__dims_text(mask->ndim, mask->shape).text,
                           stria__dims_text(dst->ndim, dst->shape).text);
    return stria__read_apart(out, &wide, dst);
}

static stria_status scatter_values(const stria_view *dst, const stria_view *mask,
                                   const stria_view *src)
{
    int64_t count;
    OWNED_ARRAY(values);
    STRIA_TRY(stria__count_true(&count, mask, "masked_scatter"));
    if (count > stria_numel(src))
        return stria__fail(STRIA_ERR_SHAPE,
                           "masked_scatter: src has %lld elements, the mask asks for %lld",
                           (long long)stria_numel(src), (long long)count);
    STRIA_TRY(stria__values_for(&values, src, dst, true));
    if (view_is_meta(dst) || view_is_meta(src)) return STRIA_OK;
    return run_flat(dst, mask, values.view.data, count, expand_row);
}

stria_status stria_masked_scatter(const stria_view *dst, const stria_view *mask,
                                  const stria_view *src, const stria_exec *exec)
{
    TAKES_EXEC(exec, "masked_scatter");
    OWNED_ARRAY(wide);
    STRIA_TRY(stria__mask_of(&wide, mask, dst, src, "masked_scatter", "src"));
    return scatter_values(dst, &wide.view, src);
}
