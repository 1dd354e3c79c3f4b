/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the same bytes as items of another dtype. */
#include "registry.h"

static stria_status view_dtype(struct call *c)
{
    return stria_view_dtype(&c->out.view, c->self, c->args[1].dtype);
}

static const struct op ops[] = {
    {"view(self, dtype:dtype)", view_dtype, WORLD_ANY},
};

const struct op_group dtype_ops = {ops, sizeof ops / sizeof *ops};
