/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading from and writing to what is indexed: base, offsets and the other side in one plan. */
#include <string.h>

#include "array.h"
#include "ops/copy/check.h"
#include "ops/index/indexed.h"
#include "ops/index/move.h"
#include "ops/make.h"
#include "ops/result_layout.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "stria/overlap.h"
#include "view/view.h"

static bool without_memory(const struct indexed *x, const stria_view *other)
{
    return stria_buffer_is_meta(x->base.buffer) || stria_buffer_is_meta(x->offsets.buffer) ||
           stria_buffer_is_meta(other->buffer);
}

/* Rows of a few items that have one offset for all are items themselves. */
static void join_items(stria_plan *plan, struct move *how)
{
    enum { MOST = 16 };
    const stria_dim *const d = &plan->dims[0];
    const int64_t bytes = d->n > MOST ? 0 : d->n * how->item;
    if (plan->ndim < 2 || bytes < 1 || bytes > MOST || (bytes & (bytes - 1)) || d->s[2] != 0 ||
        d->s[0] != how->item || d->s[1] != how->item)
        return;
    how->item = bytes;
    plan->ndim--;
    memmove(&plan->dims[0], &plan->dims[1], (size_t)plan->ndim * sizeof plan->dims[0]);
}

/* ---- reading -------------------------------------------------------------------------------- */

stria_status stria__indexed_read(stria_array *out, const struct indexed *from)
{
    const stria_view *base = &from->base;
    const stria_view *near = stria_buffer_is_meta(from->offsets.buffer) ? &from->offsets : base;
    stria_array made;
    STRIA_TRY(stria__make_ordered(&made, near, base->dtype, base->ndim, base->shape, from->order));
    stria_status status = STRIA_OK;
    if (!without_memory(from, &made.view) && stria_numel(base) > 0) {
        struct move how = {base->dtype.itemsize, from->scale, from->wrap};
        const stria_view *operands[] = {&made.view, base, &from->offsets};
        stria_plan plan;
        status = stria_plan_make(&plan, 3, operands, 0);
        if (status == STRIA_OK) join_items(&plan, &how);
        if (status == STRIA_OK) stria_walk(&plan, stria__gather_loop(how.item), &how, NULL);
    }
    if (status == STRIA_OK) status = stria__apply_bits(&made.view, base->flags);
    return stria__deliver(out, &made, status);
}

stria_status stria__take_at(stria_array *out, const stria_view *a, const struct place *place,
                            const char *op)
{
    struct indexed from;
    STRIA_TRY(stria__indexed(&from, a, place, op));
    const stria_status status = stria__indexed_read(out, &from);
    stria__indexed_release(&from);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Leading sizes of 1 that the place does not have, dropped as assignment drops them. */
static stria_status fit(stria_view *out, const stria_view *values, const stria_view *place,
                        const char *op)
{
    int extra = values->ndim - place->ndim;
    view_copy(out, values);
    while (extra-- > 0 && out->shape[0] == 1)
        STRIA_TRY(stria_select(out, out, 0, 0));
    if (stria_expand(out, out, place->ndim, place->shape) == STRIA_OK) return STRIA_OK;
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: values of shape %s do not broadcast to the indexed "
                       "shape %s",
                       op, stria__dims_text(values->ndim, values->shape).text,
                       stria__dims_text(place->ndim, place->shape).text);
}

stria_status stria__values_for(stria_array *out, const stria_view *values, const stria_view *dst,
                               bool flat)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    const bool as_stored = stria_dtype_equal(values->dtype, dst->dtype) &&
                           (values->flags & lazy) == (dst->flags & lazy) &&
                           (!flat || stria_is_contiguous(values, STRIA_ORDER_C));
    if (as_stored && stria_shares_memory(values, dst, OVERLAP_WORK) == STRIA_OVERLAP_NO) {
        *out = stria_array_share(values);
        return STRIA_OK;
    }
    STRIA_TRY(stria__empty_like_memory(out, values, dst->dtype, values->ndim, values->shape,
                                       STRIA_ORDER_C));
    out->view.flags = dst->flags & lazy;
    const stria_status status = stria_copy(&out->view, values);
    if (status != STRIA_OK) stria_array_release(out);
    return status;
}

/* Serial and in C order, so that of several writes to one element the last one stays. */
static stria_status scatter(const struct indexed *to, const stria_view *values, stria_reduce reduce,
                            const char *op)
{
    stria_view source;
    STRIA_TRY(fit(&source, values, &to->base, op));
    if (without_memory(to, values) || stria_numel(&to->base) == 0) return STRIA_OK;
    struct move how = {to->base.dtype.itemsize, to->scale, to->wrap};
    const stria_exec serial = {.threads = 1};
    const stria_view *operands[] = {&to->base, &source, &to->offsets};
    stria_plan plan;
    STRIA_TRY(stria_plan_make(&plan, 3, operands, STRIA_PLAN_KEEP_ORDER));
    if (reduce == STRIA_REDUCE_NONE) join_items(&plan, &how);
    stria_walk(&plan,
               reduce ? stria__combine_loop(to->base.dtype, reduce) : stria__scatter_loop(how.item),
               &how, &serial);
    return STRIA_OK;
}

stria_status stria__indexed_write(const struct indexed *to, const stria_view *a,
                                  const stria_view *values, stria_reduce reduce, const char *op)
{
    stria_array source;
    stria_view fitting;
    STRIA_TRY(fit(&fitting, values, &to->base, op));
    STRIA_TRY(stria__values_for(&source, values, a, false));
    const stria_status status = scatter(to, &source.view, reduce, op);
    stria_array_release(&source);
    return status;
}
