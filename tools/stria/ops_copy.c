/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: what moves bytes, or would if it had to. */
#include "registry.h"

static stria_status contiguous(struct call *c)
{
    return stria_contiguous(&c->out, c->self, c->args[1].format, NULL);
}

static stria_status fortran(struct call *c)
{
    return stria_contiguous(&c->out, c->self, STRIA_ORDER_F, NULL);
}

static stria_status clone(struct call *c)
{
    return stria_clone(&c->out, c->self);
}

/* dims start..end as one: a view where there is one, as reshape. */
static stria_status flatten(struct call *c)
{
    const stria_view *a = c->self;
    stria_status status = stria_flatten(&c->out.view, a, c->args[1].dim, c->args[2].dim);
    if (status != STRIA_ERR_STRIDE) return status;
    const int n = a->ndim;
    const int start = c->args[1].dim < 0 ? c->args[1].dim + n : c->args[1].dim;
    const int end = c->args[2].dim < 0 ? c->args[2].dim + n : c->args[2].dim;
    int64_t shape[STRIA_MAX_NDIM];
    int64_t merged = 1;
    for (int d = start; d <= end; d++)
        merged *= a->shape[d];
    for (int d = 0; d < n; d++)
        if (d <= start)
            shape[d] = d < start ? a->shape[d] : merged;
        else if (d > end)
            shape[d - (end - start)] = a->shape[d];
    return stria_reshape(&c->out, a, n - (end - start), shape, STRIA_COPY_IF_NEEDED, NULL);
}

static stria_status flatten_copy(struct call *c)
{
    const int64_t whole = -1;
    if (c->args[1].order != 'C')
        return call_refuse(c, STRIA_ERR_UNSUPPORTED, "flatten: order must be 'C'");
    return stria_reshape(&c->out, c->self, 1, &whole, STRIA_COPY_ALWAYS, NULL);
}

static const struct op ops[] = {
    {"contiguous(self, memory_format:format=contiguous_format)", contiguous, WORLD_ANY},
    {"ascontiguousarray(self)", contiguous, WORLD_NUMPY},
    {"asfortranarray(self)", fortran, WORLD_NUMPY},
    {"clone(self)", clone, WORLD_ANY},
    {"copy(self)", clone, WORLD_NUMPY},
    {"flatten(self, start_dim:dim=0, end_dim:dim=-1)", flatten, WORLD_TORCH},
    {"flatten(self, order:order)", flatten_copy, WORLD_NUMPY},
};

const struct op_group copy_ops = {ops, sizeof ops / sizeof *ops};
