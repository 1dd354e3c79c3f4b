/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: dims in another order. */
#include "lang/registry.h"

static stria_status permute(struct invocation *c)
{
    const struct arg *dims = &c->args[1];
    return stria_permute(&c->out.view, c->self, (int)dims->count, dims->dims);
}

static stria_status transpose(struct invocation *c)
{
    return stria_transpose(&c->out.view, c->self, c->args[1].dim, c->args[2].dim);
}

static stria_status reverse(struct invocation *c)
{
    return stria_T(&c->out.view, c->self);
}

static stria_status matrix_transpose(struct invocation *c)
{
    return stria_mT(&c->out.view, c->self);
}

/* NumPy's transpose: every dim at once, or all reversed. */
static stria_status transpose_axes(struct invocation *c)
{
    return c->args[1].given ? permute(c) : reverse(c);
}

static stria_status t(struct invocation *c)
{
    return stria_t(&c->out.view, c->self);
}

static stria_status movedim(struct invocation *c)
{
    const struct arg *source = &c->args[1], *destination = &c->args[2];
    if (source->count != destination->count)
        return stria__call_refuse(c, STRIA_ERR_DIM,
                                  "movedim: %lld dims to %lld places; each needs one of its own",
                                  (long long)source->count, (long long)destination->count);
    return stria_movedim(&c->out.view, c->self, (int)source->count, source->dims,
                         destination->dims);
}

static stria_status rollaxis(struct invocation *c)
{
    return stria_rollaxis(&c->out.view, c->self, c->args[1].dim, c->args[2].dim);
}

static stria_status hermitian(struct invocation *c)
{
    return stria_H(&c->out.view, c->self);
}

static stria_status hermitians(struct invocation *c)
{
    return stria_mH(&c->out.view, c->self);
}

static const struct function ops[] = {
    {"permute|permute_dims(self, *dims|axes:dims)", permute, WORLD_ANY},
    {"transpose(self, dim0:dim, dim1:dim)", transpose, WORLD_TORCH},
    {"transpose(self, *axes:dims?=None)", transpose_axes, WORLD_NUMPY},
    {"swapdims(self, dim0:dim, dim1:dim)", transpose, WORLD_ANY},
    {"swapaxes(self, axis0:dim, axis1:dim)", transpose, WORLD_TORCH},
    {"swapaxes(self, axis1:dim, axis2:dim)", transpose, WORLD_NUMPY},
    {"T", reverse, WORLD_ANY},
    {"mT|matrix_transpose", matrix_transpose, WORLD_ANY},
    {"t(self)", t, WORLD_ANY},
    {"movedim|moveaxis(self, source:dims, destination:dims)", movedim, WORLD_ANY},
    {"rollaxis(self, axis:dim, start:dim=0)", rollaxis, WORLD_ANY},
    {"H", hermitian, WORLD_ANY},
    {"mH", hermitians, WORLD_ANY},
    {"adjoint(self)", hermitians, WORLD_ANY},
};

const struct function_group stria__rows_order = {ops, sizeof ops / sizeof *ops};
