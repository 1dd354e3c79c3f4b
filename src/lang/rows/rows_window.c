/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: windows, diagonals, flips. */
#include "lang/rows/rows.h"

stria_status stria__row_flip_all(struct invocation *c)
{
    int all[STRIA_MAX_NDIM];
    for (int d = 0; d < c->self->ndim; d++)
        all[d] = d;
    return stria_flip(&c->out.view, c->self, c->self->ndim, all);
}

/* PyTorch counts in elements from the start of the memory. */
stria_status stria__row_as_strided(struct invocation *c)
{
    const struct arg *size = &c->args[1], *stride = &c->args[2], *offset = &c->args[3];
    int64_t *bytes, *start;
    STRIA_TRY(stria__call_bytes(c, &bytes, stride->ints, stride->count, c->self->dtype));
    STRIA_TRY(stria__call_bytes(c, &start, &offset->integer, 1, c->self->dtype));
    if (!offset->given) *start = stria_offset(c->self);
    if (size->count != stride->count)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "as_strided: %lld sizes and %lld strides",
                                  (long long)size->count, (long long)stride->count);
    return stria_as_strided(&c->out.view, c->self, (int)size->count, size->ints, bytes, *start);
}

/* NumPy counts in bytes from the array's first element. */
stria_status stria__row_as_strided_bytes(struct invocation *c)
{
    const struct arg *shape = &c->args[1], *strides = &c->args[2];
    const int64_t *sizes = shape->given ? shape->ints : c->self->shape;
    const int64_t *bytes = strides->given ? strides->ints : c->self->strides;
    const int64_t n = shape->given ? shape->count : c->self->ndim;
    if (n != (strides->given ? strides->count : c->self->ndim))
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "as_strided: %lld sizes and %lld strides",
                                  (long long)n, (long long)strides->count);
    return stria_as_strided_from(&c->out.view, c->self, (int)n, sizes, bytes, 0);
}

stria_status stria__row_rot90(struct invocation *c)
{
    static const int first_two[2] = {0, 1};
    const struct arg *k = &c->args[1], *dims = &c->args[2];
    if (dims->given && dims->count != 2)
        return stria__call_refuse(c, STRIA_ERR_DIM, "rot90: a plane has 2 dims, not %lld",
                                  (long long)dims->count);
    const int *plane = dims->given ? dims->dims : first_two;
    return stria_rot90(&c->out.view, c->self, k->integer, plane[0], plane[1]);
}

stria_status stria__row_sliding_window_view(struct invocation *c)
{
    const struct arg *window = &c->args[1], *axis = &c->args[2];
    if (axis->given && axis->count != window->count)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "sliding_window_view: %lld windows for %lld axes",
                                  (long long)window->count, (long long)axis->count);
    return stria_sliding_window_view(&c->out.view, c->self, (int)window->count, window->ints,
                                     axis->dims, c->args[4].truth);
}
