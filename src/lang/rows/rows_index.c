/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of functions.def: parts of one dim. What [ ] does is in eval_subscript.c. */
#include "lang/rows/rows.h"

static int64_t bound(const struct arg *arg)
{
    if (!arg->given) return STRIA_NONE;
    return arg->integer == STRIA_NONE ? STRIA_NONE + 1 : arg->integer;
}

stria_status stria__row_slice(struct invocation *c)
{
    return stria_slice(&c->out.view, c->self, c->args[1].dim, bound(&c->args[2]),
                       bound(&c->args[3]), c->args[4].integer);
}
