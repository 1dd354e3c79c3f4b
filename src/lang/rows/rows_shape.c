/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the same elements under another shape. */
#include "lang/registry.h"

/* torch.view_copy copies where there is no view, too. */
static stria_status view_shape(struct invocation *c)
{
    const struct arg *shape = &c->args[1];
    if (c->copied)
        return stria_reshape(&c->out, c->self, (int)shape->count, shape->ints, STRIA_COPY_IF_NEEDED,
                             NULL);
    return stria_view_shape(&c->out.view, c->self, (int)shape->count, shape->ints);
}

/* The elements in that order, in new memory, as one dim. */
static stria_status flat_copy(struct invocation *c, stria_order order)
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

static stria_status reshape(struct invocation *c)
{
    const struct arg *shape = &c->args[1], *copy = &c->args[3];
    const stria_order order = c->args[2].format;
    const stria_copy_policy policy = !copy->given  ? STRIA_COPY_IF_NEEDED
                                     : copy->truth ? STRIA_COPY_ALWAYS
                                                   : STRIA_COPY_NEVER;
    if (order != STRIA_ORDER_C) return reshape_in(c, order, policy);
    return stria_reshape(&c->out, c->self, (int)shape->count, shape->ints, policy, NULL);
}

static stria_status reshape_as(struct invocation *c)
{
    const stria_view *other = c->args[1].view;
    return stria_reshape(&c->out, c->self, other->ndim, other->shape, STRIA_COPY_IF_NEEDED, NULL);
}

static stria_status squeeze_dims(struct invocation *c)
{
    const struct arg *const dims = &c->args[1];
    if (!dims->given) return stria_squeeze(&c->out.view, c->self); /* None */
    return stria_squeeze_dims(&c->out.view, c->self, (int)dims->count, dims->dims, c->row->what);
}

/* numpy.ravel and torch.ravel: a view where the elements lie side by side in that order. */
static stria_status ravel(struct invocation *c)
{
    const stria_order order = c->args[1].format;
    const stria_status status = stria_ravel(&c->out.view, c->self, order);
    return status == STRIA_ERR_STRIDE ? flat_copy(c, order) : status;
}

static stria_status flatten_copy(struct invocation *c)
{
    return flat_copy(c, c->args[1].format);
}

static const struct function ops[] = {
    ROW_BY(ANY, "view(self, *shape|size:ints)", view_shape, view_shape,
           "Views the array in another shape; refuses what would copy. -1 is worked out."),
    ROW(ANY, "view_as(self, other:array)", view_as,
        "Views the array in the shape of another one; refuses what would copy."),
    ROW_BY(ANY, "reshape(self, *shape|newshape:ints, order:format='C', copy:bool?=None)", reshape,
           reshape, "Changes the shape, without a copy where that is possible. -1 is worked out."),
    ROW_BY(ANY, "reshape_as(self, other:array)", reshape_as, reshape,
           "Changes the shape to that of another array, without a copy where that is possible."),
    ROW(ANY, "unflatten(self, dim|axis:dim, sizes:ints)", unflatten, "Splits a dim into several."),
    ROW(ANY, "squeeze(self)", squeeze, "Drops the dims of size 1."),
    ROW_AS(TORCH, "squeeze(self, dim:dims)", squeeze_dims, false, squeeze_dims,
           "Drops these dims where they are of size 1."),
    ROW_AS(NUMPY, "squeeze(self, axis:dims?)", squeeze_dims, true, squeeze_dims,
           "Drops these dims, which must be of size 1."),
    ROW(ANY, "unsqueeze(self, dim:dim)", unsqueeze, "Adds a dim of size 1."),
    ROW(ANY, "expand_dims(self, axis|dim:dims)", expand_dims, "Adds dims of size 1."),
    ROW_BY(NUMPY, "flatten(self, order:format)", flatten_copy, ravel,
           "Copies into one dim, in the order asked for."),
    ROW_BY(ANY, "ravel(self, order:format='C')", ravel, ravel,
           "Makes one dim of all elements, without a copy where that is possible."),
    ROW(ANY, "atleast_1d(self)", atleast_1d, "Adds dims of size 1 up to 1 dims."),
    ROW(ANY, "atleast_2d(self)", atleast_2d, "Adds dims of size 1 up to 2 dims."),
    ROW(ANY, "atleast_3d(self)", atleast_3d, "Adds dims of size 1 up to 3 dims."),
    ROW(ANY, "atleast_1d(*self|tensors|arys:arrays)", atleast_1d,
        "Adds dims of size 1 up to 1 dims, to each array."),
    ROW(ANY, "atleast_2d(*self|tensors|arys:arrays)", atleast_2d,
        "Adds dims of size 1 up to 2 dims, to each array."),
    ROW(ANY, "atleast_3d(*self|tensors|arys:arrays)", atleast_3d,
        "Adds dims of size 1 up to 3 dims, to each array."),
};

const struct function_group stria__rows_shape = {ops, sizeof ops / sizeof *ops};
