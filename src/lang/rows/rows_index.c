/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: parts of one dim. What [ ] does is in eval_subscript.c. */
#include "lang/registry.h"

static stria_status select_index(struct invocation *c)
{
    return stria_select(&c->out.view, c->self, c->args[1].dim, c->args[2].integer);
}

static stria_status narrow(struct invocation *c)
{
    return stria_narrow(&c->out.view, c->self, c->args[1].dim, c->args[2].integer,
                        c->args[3].integer);
}

static int64_t bound(const struct arg *arg)
{
    if (!arg->given) return STRIA_NONE;
    return arg->integer == STRIA_NONE ? STRIA_NONE + 1 : arg->integer;
}

static stria_status slice(struct invocation *c)
{
    return stria_slice(&c->out.view, c->self, c->args[1].dim, bound(&c->args[2]),
                       bound(&c->args[3]), c->args[4].integer);
}

static const struct function ops[] = {
    {"select(self, dim|axis:dim, index:int)", select_index, WORLD_ANY, "stria_select",
     "Takes one index along a dim, which goes."},
    {"narrow(self, dim|axis:dim, start:int, length|len:int)", narrow, WORLD_ANY, "stria_narrow",
     "Takes a number of indices along a dim from a start."},
    {"slice(self, dim|axis:dim=0, start:int?=None, end|stop:int?=None, step:int=1)", slice,
     WORLD_ANY, "stria_slice", "Takes start:end:step along a dim."},
};

const struct function_group stria__rows_index = {ops, sizeof ops / sizeof *ops};
