/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: dims in another order. */
#include "lang/registry.h"

/* NumPy's transpose: every dim at once, or all reversed. */
static stria_status transpose_axes(struct invocation *c)
{
    const struct arg *const axes = &c->args[1];
    if (!axes->given) return stria_T(&c->out.view, c->self);
    return stria_permute(&c->out.view, c->self, (int)axes->count, axes->dims);
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

static const struct function ops[] = {
    ROW(ANY, "permute|permute_dims(self, *dims|axes:dims)", permute, "Reorders the dims."),
    ROW(TORCH, "transpose(self, dim0:dim, dim1:dim)", transpose, "Exchanges two dims."),
    ROW_BY(NUMPY, "transpose(self, *axes:dims?=None)", transpose_axes, permute,
           "Reorders the dims; reverses them where no order is given."),
    ROW(ANY, "swapdims(self, dim0:dim, dim1:dim)", transpose, "Exchanges two dims."),
    ROW(TORCH, "swapaxes(self, axis0:dim, axis1:dim)", transpose, "Exchanges two dims."),
    ROW(NUMPY, "swapaxes(self, axis1:dim, axis2:dim)", transpose, "Exchanges two dims."),
    ROW(ANY, "T", T, "Reverses the order of the dims."),
    ROW(ANY, "mT|matrix_transpose", mT, "Exchanges the last two dims."),
    ROW(ANY, "t(self)", t, "Exchanges the dims of a matrix."),
    ROW_BY(ANY, "movedim|moveaxis(self, source:dims, destination:dims)", movedim, movedim,
           "Moves dims to other places; the rest keep their order."),
    ROW(ANY, "rollaxis(self, axis:dim, start:dim=0)", rollaxis,
        "Moves a dim in front of another one."),
    ROW(ANY, "H", H, "Exchanges the dims of a matrix and conjugates it."),
    ROW(ANY, "mH", mH, "Exchanges the last two dims and conjugates."),
    ROW(ANY, "adjoint(self)", mH, "Exchanges the last two dims and conjugates."),
};

const struct function_group stria__rows_order = {ops, sizeof ops / sizeof *ops};
