/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the same elements under another shape. */
#include "registry.h"

static stria_status view_shape(struct call *c)
{
    const struct arg *shape = &c->args[1];
    return stria_view_shape(&c->out.view, c->self, (int)shape->count, shape->ints);
}

static stria_status view_as(struct call *c)
{
    const stria_view *other = c->args[1].view;
    return stria_view_shape(&c->out.view, c->self, other->ndim, other->shape);
}

static stria_status reshape(struct call *c)
{
    const struct arg *shape = &c->args[1], *copy = &c->args[3];
    if (c->args[2].format != STRIA_ORDER_C)
        return call_refuse(c, STRIA_ERR_UNSUPPORTED, "reshape: order must be 'C'");
    const stria_copy_policy policy = !copy->given  ? STRIA_COPY_IF_NEEDED
                                     : copy->truth ? STRIA_COPY_ALWAYS
                                                   : STRIA_COPY_NEVER;
    return stria_reshape(&c->out, c->self, (int)shape->count, shape->ints, policy, NULL);
}

static stria_status reshape_as(struct call *c)
{
    const stria_view *other = c->args[1].view;
    return stria_reshape(&c->out, c->self, other->ndim, other->shape, STRIA_COPY_IF_NEEDED, NULL);
}

static stria_status unflatten(struct call *c)
{
    const struct arg *sizes = &c->args[2];
    return stria_unflatten(&c->out.view, c->self, c->args[1].dim, (int)sizes->count, sizes->ints);
}

static stria_status squeeze(struct call *c)
{
    return stria_squeeze(&c->out.view, c->self);
}

static stria_status squeeze_dims(struct call *c)
{
    const struct arg *dims = &c->args[1];
    return stria_squeeze_dims(&c->out.view, c->self, (int)dims->count, dims->dims, false);
}

static stria_status squeeze_axes(struct call *c)
{
    const struct arg *axes = &c->args[1];
    return stria_squeeze_dims(&c->out.view, c->self, (int)axes->count, axes->dims, true);
}

static stria_status unsqueeze(struct call *c)
{
    return stria_unsqueeze(&c->out.view, c->self, c->args[1].dim);
}

static const struct op ops[] = {
    {"view(self, *shape|size:ints)", view_shape, WORLD_ANY},
    {"view_as(self, other:array)", view_as, WORLD_ANY},
    {"reshape(self, *shape|newshape:ints, order:format='C', copy:bool?=None)", reshape, WORLD_ANY},
    {"reshape_as(self, other:array)", reshape_as, WORLD_ANY},
    {"unflatten(self, dim|axis:dim, sizes:ints)", unflatten, WORLD_ANY},
    {"squeeze(self)", squeeze, WORLD_ANY},
    {"squeeze(self, dim:dims)", squeeze_dims, WORLD_TORCH},
    {"squeeze(self, axis:dims)", squeeze_axes, WORLD_NUMPY},
    {"unsqueeze(self, dim:dim)", unsqueeze, WORLD_ANY},
    {"expand_dims(self, axis|dim:dim)", unsqueeze, WORLD_ANY},
};

const struct op_group shape_ops = {ops, sizeof ops / sizeof *ops};
