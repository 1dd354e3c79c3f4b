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

static stria_status view_as(struct invocation *c)
{
    const stria_view *other = c->args[1].view;
    return stria_view_as(&c->out.view, c->self, other);
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

static stria_status unflatten(struct invocation *c)
{
    const struct arg *sizes = &c->args[2];
    return stria_unflatten(&c->out.view, c->self, c->args[1].dim, (int)sizes->count, sizes->ints);
}

static stria_status squeeze(struct invocation *c)
{
    return stria_squeeze(&c->out.view, c->self);
}

static stria_status squeeze_dims(struct invocation *c)
{
    const struct arg *dims = &c->args[1];
    return stria_squeeze_dims(&c->out.view, c->self, (int)dims->count, dims->dims, false);
}

static stria_status squeeze_axes(struct invocation *c)
{
    if (!c->args[1].given) return squeeze(c); /* None */
    const struct arg *axes = &c->args[1];
    return stria_squeeze_dims(&c->out.view, c->self, (int)axes->count, axes->dims, true);
}

static stria_status unsqueeze(struct invocation *c)
{
    return stria_unsqueeze(&c->out.view, c->self, c->args[1].dim);
}

static stria_status expand_dims(struct invocation *c)
{
    const struct arg *axes = &c->args[1];
    return stria_expand_dims(&c->out.view, c->self, (int)axes->count, axes->dims);
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

static stria_status atleast_1d(struct invocation *c)
{
    return stria_atleast_1d(&c->out.view, c->self);
}

static stria_status atleast_2d(struct invocation *c)
{
    return stria_atleast_2d(&c->out.view, c->self);
}

static stria_status atleast_3d(struct invocation *c)
{
    return stria_atleast_3d(&c->out.view, c->self);
}

typedef stria_status one_view(stria_view *out, const stria_view *a);

/* The same view of each array of a list. */
static stria_status each(struct invocation *c, one_view *view)
{
    const struct arg *arrays = &c->args[0];
    STRIA_TRY(stria__call_pieces(c, arrays->count));
    for (int64_t i = 0; i < arrays->count; i++)
        STRIA_TRY(view(&c->pieces[i], arrays->views[i]));
    return STRIA_OK;
}

static stria_status each_1d(struct invocation *c)
{
    return each(c, stria_atleast_1d);
}

static stria_status each_2d(struct invocation *c)
{
    return each(c, stria_atleast_2d);
}

static stria_status each_3d(struct invocation *c)
{
    return each(c, stria_atleast_3d);
}

static const struct function ops[] = {
    {"view(self, *shape|size:ints)", view_shape, WORLD_ANY, "stria_view_shape",
     "Views the array in another shape; refuses what would copy. -1 is worked out."},
    {"view_as(self, other:array)", view_as, WORLD_ANY, "stria_view_as",
     "Views the array in the shape of another one; refuses what would copy."},
    {"reshape(self, *shape|newshape:ints, order:format='C', copy:bool?=None)", reshape, WORLD_ANY,
     "stria_reshape",
     "Changes the shape, without a copy where that is possible. -1 is worked out."},
    {"reshape_as(self, other:array)", reshape_as, WORLD_ANY, "stria_reshape",
     "Changes the shape to that of another array, without a copy where that is possible."},
    {"unflatten(self, dim|axis:dim, sizes:ints)", unflatten, WORLD_ANY, "stria_unflatten",
     "Splits a dim into several."},
    {"squeeze(self)", squeeze, WORLD_ANY, "stria_squeeze", "Drops the dims of size 1."},
    {"squeeze(self, dim:dims)", squeeze_dims, WORLD_TORCH, "stria_squeeze_dims",
     "Drops these dims where they are of size 1."},
    {"squeeze(self, axis:dims?)", squeeze_axes, WORLD_NUMPY, "stria_squeeze_dims",
     "Drops these dims, which must be of size 1."},
    {"unsqueeze(self, dim:dim)", unsqueeze, WORLD_ANY, "stria_unsqueeze", "Adds a dim of size 1."},
    {"expand_dims(self, axis|dim:dims)", expand_dims, WORLD_ANY, "stria_expand_dims",
     "Adds dims of size 1."},
    {"flatten(self, order:format)", flatten_copy, WORLD_NUMPY, "stria_ravel",
     "Copies into one dim, in the order asked for."},
    {"ravel(self, order:format='C')", ravel, WORLD_ANY, "stria_ravel",
     "Makes one dim of all elements, without a copy where that is possible."},
    {"atleast_1d(self)", atleast_1d, WORLD_ANY, "stria_atleast_1d",
     "Adds dims of size 1 up to 1 dims."},
    {"atleast_2d(self)", atleast_2d, WORLD_ANY, "stria_atleast_2d",
     "Adds dims of size 1 up to 2 dims."},
    {"atleast_3d(self)", atleast_3d, WORLD_ANY, "stria_atleast_3d",
     "Adds dims of size 1 up to 3 dims."},
    {"atleast_1d(*self|tensors|arys:arrays)", each_1d, WORLD_ANY, "stria_atleast_1d",
     "Adds dims of size 1 up to 1 dims, to each array."},
    {"atleast_2d(*self|tensors|arys:arrays)", each_2d, WORLD_ANY, "stria_atleast_2d",
     "Adds dims of size 1 up to 2 dims, to each array."},
    {"atleast_3d(*self|tensors|arys:arrays)", each_3d, WORLD_ANY, "stria_atleast_3d",
     "Adds dims of size 1 up to 3 dims, to each array."},
};

const struct function_group stria__rows_shape = {ops, sizeof ops / sizeof *ops};
