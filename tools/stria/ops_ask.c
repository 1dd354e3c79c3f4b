/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: questions whose answers serve as arguments: .view(y.shape[0], -1). */
#include "registry.h"

static struct value *new_int(struct call *c, int64_t integer)
{
    struct value *value = arena_take(c->arena, sizeof *value);
    value->kind = VALUE_INT;
    value->integer = integer;
    return value;
}

static stria_status answer(struct call *c, int64_t integer)
{
    c->answer = new_int(c, integer);
    return STRIA_OK;
}

static stria_status answer_tuple(struct call *c, const int64_t *values, int64_t unit)
{
    const size_t n = (size_t)c->self->ndim;
    struct value *tuple = arena_take(c->arena, sizeof *tuple);
    tuple->kind = VALUE_TUPLE;
    tuple->list.count = n;
    tuple->list.items = arena_take_array(c->arena, n, sizeof *tuple->list.items);
    for (size_t d = 0; d < n; d++)
        tuple->list.items[d] = *new_int(c, values[d] / unit);
    c->answer = tuple;
    return STRIA_OK;
}

static int64_t item(const struct call *c)
{
    return c->self->dtype.itemsize ? c->self->dtype.itemsize : 1;
}

static stria_status shape(struct call *c)
{
    return answer_tuple(c, c->self->shape, 1);
}

static stria_status strides(struct call *c)
{
    return answer_tuple(c, c->self->strides, 1);
}

static stria_status stride(struct call *c)
{
    return answer_tuple(c, c->self->strides, item(c));
}

static stria_status size(struct call *c)
{
    const int n = c->self->ndim, dim = c->args[1].dim;
    if (!c->args[1].given) return shape(c);
    if (dim < -n || dim >= n)
        return call_refuse(c, STRIA_ERR_DIM, "size: dim %d of %d dims", dim, n);
    return answer(c, c->self->shape[dim < 0 ? dim + n : dim]);
}

static stria_status ndim(struct call *c)
{
    return answer(c, c->self->ndim);
}

static stria_status numel(struct call *c)
{
    return answer(c, stria_numel(c->self));
}

static stria_status itemsize(struct call *c)
{
    return answer(c, c->self->dtype.itemsize);
}

static stria_status nbytes(struct call *c)
{
    return answer(c, stria_nbytes(c->self));
}

static stria_status storage_offset(struct call *c)
{
    return answer(c, stria_offset(c->self) / item(c));
}

static stria_status dtype(struct call *c)
{
    c->answer = arena_take(c->arena, sizeof *c->answer);
    c->answer->kind = VALUE_DTYPE;
    c->answer->dtype = c->self->dtype;
    return STRIA_OK;
}

static const struct op ops[] = {
    {"shape", shape, WORLD_ANY},
    {"size(self, dim:dim?=None)", size, WORLD_TORCH},
    {"size", numel, WORLD_NUMPY},
    {"ndim", ndim, WORLD_ANY},
    {"dim|ndimension(self)", ndim, WORLD_ANY},
    {"numel|nelement(self)", numel, WORLD_ANY},
    {"strides", strides, WORLD_ANY},
    {"stride(self)", stride, WORLD_ANY},
    {"storage_offset(self)", storage_offset, WORLD_ANY},
    {"itemsize", itemsize, WORLD_ANY},
    {"element_size(self)", itemsize, WORLD_ANY},
    {"nbytes", nbytes, WORLD_ANY},
    {"dtype", dtype, WORLD_ANY},
};

const struct op_group ask_ops = {ops, sizeof ops / sizeof *ops};
