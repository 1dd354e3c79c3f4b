/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dense copies of views: the result is the same memory where nothing has to move, else new memory.
 */
#include "ops/operands.h"

static stria_status copy_of(stria_array *out, const stria_view *a, stria_order order,
                            const char *op)
{
    OWNED_ARRAY(fresh);
    STRIA_TRY(stria__empty_as(&fresh, a, a->dtype, order, op));
    return stria__deliver(out, &fresh, stria_copy(&fresh.view, a, NULL));
}

static stria_status set_outcome(stria_outcome *outcome, stria_outcome which)
{
    if (outcome) *outcome = which;
    return STRIA_OK;
}

stria_status stria_contiguous(stria_array *out, const stria_view *a, stria_order order,
                              stria_outcome *outcome, const stria_exec *exec)
{
    TAKES_EXEC(exec, "contiguous");
    STRIA_TRY(view_check(out, a, "contiguous"));
    if (order == STRIA_ORDER_PRESERVE && stria_is_contiguous(a, STRIA_ORDER_C))
        order = STRIA_ORDER_C; /* PyTorch keeps no other order here. */
    if (order > STRIA_ORDER_CHANNELS_LAST_3D)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "contiguous: order %d is none of C, F and channels_last; clone takes "
                           "the orders of other arrays",
                           (int)order);
    if (stria_is_contiguous(a, order)) {
        array_share(out, a);
        return set_outcome(outcome, STRIA_IS_SAME);
    }
    STRIA_TRY(copy_of(out, a, order, "contiguous"));
    return set_outcome(outcome, STRIA_IS_COPY);
}

stria_status stria_clone_new(stria_array *out, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "clone_new");
    STRIA_TRY(view_check(out, a, "clone"));
    return copy_of(out, a, STRIA_ORDER_C, "clone");
}

stria_status stria_clone_ordered_new(stria_array *out, const stria_view *a, stria_order order,
                                     const stria_exec *exec)
{
    TAKES_EXEC(exec, "clone_ordered_new");
    STRIA_TRY(view_check(out, a, "clone"));
    return copy_of(out, a, order, "clone");
}

stria_status stria__clone_bytes(stria_array *out, const stria_view *a)
{
    const uint32_t lazy = a->flags & (STRIA_CONJ | STRIA_NEG);
    stria_view once;
    view_copy(&once, a);
    for (int d = 0; d < once.ndim; d++)
        if (once.strides[d] == 0 && once.shape[d] > 1) once.shape[d] = 1;
    once.flags &= ~lazy;
    STRIA_TRY(stria_clone_ordered_new(out, &once, STRIA_ORDER_K, NULL));
    out->view.flags |= lazy;
    return STRIA_OK;
}

stria_status stria_compact(stria_array *out, const stria_view *a, double ratio,
                           stria_outcome *outcome, const stria_exec *exec)
{
    TAKES_EXEC(exec, "compact");
    STRIA_TRY(view_check(out, a, "compact"));
    if (!(ratio >= 0 && ratio <= 1))
        return stria__fail(STRIA_ERR_ARGUMENT, "compact: a ratio of %g is outside 0 .. 1", ratio);
    const double kept = a->buffer ? (double)stria_buffer_size(a->buffer) : 0;
    if ((double)stria_nbytes(a) >= ratio * kept) {
        array_share(out, a);
        return set_outcome(outcome, STRIA_IS_SAME);
    }
    STRIA_TRY(copy_of(out, a, STRIA_ORDER_PRESERVE, "compact"));
    return set_outcome(outcome, STRIA_IS_COPY);
}

/* Makes a view of a, or of a copy of it when there is no such view and the policy allows a copy. */
stria_status stria_reshape(stria_array *out, const stria_view *a, int ndim, const int64_t *shape,
                           stria_copy_policy policy, stria_outcome *outcome, const stria_exec *exec)
{
    TAKES_EXEC(exec, "reshape");
    stria_view view;
    OWNED_ARRAY(fresh);
    int64_t room[STRIA_MAX_NDIM];
    const int64_t *resolved;
    bool viewable;
    STRIA_TRY(view_check(out, a, "reshape"));
    if (policy != STRIA_COPY_IF_NEEDED && policy != STRIA_COPY_NEVER && policy != STRIA_COPY_ALWAYS)
        return stria__fail(STRIA_ERR_ARGUMENT, "reshape: unknown copy policy %d", (int)policy);
    STRIA_TRY(stria__try_view_shape(&view, &viewable, &resolved, room, a, ndim, shape));
    if (viewable && policy != STRIA_COPY_ALWAYS) {
        if (outcome) *outcome = stria_same_view(&view, a) ? STRIA_IS_SAME : STRIA_IS_VIEW;
        array_share(out, &view);
        return STRIA_OK;
    }
    if (policy == STRIA_COPY_NEVER) return stria_view_shape(&view, a, ndim, shape);
    STRIA_TRY(copy_of(&fresh, a, STRIA_ORDER_C, "reshape"));
    STRIA_TRY(stria_view_shape(&view, &fresh.view, ndim, resolved));
    array_share(out, &view);
    return set_outcome(outcome, STRIA_IS_COPY);
}
