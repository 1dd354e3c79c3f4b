/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: parts of one dim. What [ ] does is in eval_subscript.c. */
#include "lang/registry.h"

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
    ROW(ANY, "select(self, dim|axis:dim, index:int)", select,
        "Takes one index along a dim, which goes."),
    ROW(ANY, "narrow(self, dim|axis:dim, start:int, length|len:int)", narrow,
        "Takes a number of indices along a dim from a start."),
    ROW_BY(ANY, "slice(self, dim|axis:dim=0, start:int?=None, end|stop:int?=None, step:int=1)",
           slice, slice, "Takes start:end:step along a dim."),
};

const struct function_group stria__rows_index = {ops, sizeof ops / sizeof *ops};
