/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: sizes of 1 repeated without memory. */
#include "registry.h"

static stria_status expand(struct call *c)
{
    const struct arg *shape = &c->args[1];
    return stria_expand(&c->out.view, c->self, (int)shape->count, shape->ints);
}

static stria_status expand_as(struct call *c)
{
    const stria_view *other = c->args[1].view;
    return stria_expand(&c->out.view, c->self, other->ndim, other->shape);
}

static stria_status broadcast_to(struct call *c)
{
    const struct arg *shape = &c->args[1];
    return stria_broadcast_to(&c->out.view, c->self, (int)shape->count, shape->ints);
}

static const struct op ops[] = {
    {"expand(self, *size|shape:ints)", expand, WORLD_ANY},
    {"expand_as(self, other:array)", expand_as, WORLD_ANY},
    {"broadcast_to(self, *shape|size:ints)", broadcast_to, WORLD_ANY},
};

const struct op_group broadcast_ops = {ops, sizeof ops / sizeof *ops};
