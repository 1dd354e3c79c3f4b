/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: the same elements under another shape. */
#include "lang/rows/rows.h"

/* The elements in that order, in new memory, as one dim. */
stria_status stria__row_flat_copy(struct invocation *c, stria_order order)
{
    STRIA_TRY(stria_clone_ordered(&c->out, c->self, order));
    return stria_ravel(&c->out.view, &c->out.view, order);
}

/* NumPy's other orders: the elements are numbered in that order in both shapes. */
static stria_status reshape_in(struct invocation *c, stria_order order, stria_copy_policy policy)
{
    const struct arg *shape = &c->args[1];
    const int n = (int)shape->count;
    if (policy != STRIA_COPY_ALWAYS) {
        const stria_status status =
            stria_view_shape_order(&c->out.view, c->self, n, shape->ints, order);
        if (status != STRIA_ERR_STRIDE || policy == STRIA_COPY_NEVER) return status;
    }
    STRIA_TRY(stria_clone_ordered(&c->out, c->self, order));
    return stria_view_shape_order(&c->out.view, &c->out.view, n, shape->ints, order);
}

stria_status stria__row_reshape(struct invocation *c)
{
    const struct arg *shape = &c->args[1], *copy = &c->args[3];
    const stria_order order = c->args[2].format;
    const stria_copy_policy policy = !copy->given  ? STRIA_COPY_IF_NEEDED
                                     : copy->truth ? STRIA_COPY_ALWAYS
                                                   : STRIA_COPY_NEVER;
    if (order != STRIA_ORDER_C) return reshape_in(c, order, policy);
    return stria_reshape(&c->out, c->self, (int)shape->count, shape->ints, policy, NULL);
}

/* numpy.ravel and torch.ravel: a view where the elements lie side by side in that order. */
stria_status stria__row_ravel(struct invocation *c)
{
    const stria_order order = c->args[1].format;
    const stria_status status = stria_ravel(&c->out.view, c->self, order);
    return status == STRIA_ERR_STRIDE ? stria__row_flat_copy(c, order) : status;
}
