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
    {"permute|permute_dims(self, *dims|axes:dims)", permute, WORLD_ANY, "stria_permute",
     "Reorders the dims."},
    {"transpose(self, dim0:dim, dim1:dim)", transpose, WORLD_TORCH, "stria_transpose",
     "Exchanges two dims."},
    {"transpose(self, *axes:dims?=None)", transpose_axes, WORLD_NUMPY, "stria_permute",
     "Reorders the dims; reverses them where no order is given."},
    {"swapdims(self, dim0:dim, dim1:dim)", transpose, WORLD_ANY, "stria_transpose",
     "Exchanges two dims."},
    {"swapaxes(self, axis0:dim, axis1:dim)", transpose, WORLD_TORCH, "stria_transpose",
     "Exchanges two dims."},
    {"swapaxes(self, axis1:dim, axis2:dim)", transpose, WORLD_NUMPY, "stria_transpose",
     "Exchanges two dims."},
    {"T", reverse, WORLD_ANY, "stria_T", "Reverses the order of the dims."},
    {"mT|matrix_transpose", matrix_transpose, WORLD_ANY, "stria_mT",
     "Exchanges the last two dims."},
    {"t(self)", t, WORLD_ANY, "stria_t", "Exchanges the dims of a matrix."},
    {"movedim|moveaxis(self, source:dims, destination:dims)", movedim, WORLD_ANY, "stria_movedim",
     "Moves dims to other places; the rest keep their order."},
    {"rollaxis(self, axis:dim, start:dim=0)", rollaxis, WORLD_ANY, "stria_rollaxis",
     "Moves a dim in front of another one."},
    {"H", hermitian, WORLD_ANY, "stria_H", "Exchanges the dims of a matrix and conjugates it."},
    {"mH", hermitians, WORLD_ANY, "stria_mH", "Exchanges the last two dims and conjugates."},
    {"adjoint(self)", hermitians, WORLD_ANY, "stria_mH",
     "Exchanges the last two dims and conjugates."},
};

const struct function_group stria__rows_order = {ops, sizeof ops / sizeof *ops};
