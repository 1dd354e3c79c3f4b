/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: writes by index arrays and masks. As in PyTorch each has two forms: with an
 * underscore it writes into the array itself, without into a clone of it.
 */
#include <string.h>

#include "index_items.h"
#include "op_operand.h"
#include "registry.h"

/* The writing itself, into dst. */
typedef stria_status writer(struct call *c, const stria_view *dst);

static stria_status in_place(struct call *c, writer *write)
{
    TRY(write(c, c->self));
    c->out = stria_array_share(c->self);
    return STRIA_OK;
}

static stria_status in_clone(struct call *c, writer *write)
{
    stria_array made;
    TRY(stria_clone(&made, c->self));
    const stria_status status = write(c, &made.view);
    if (status == STRIA_OK)
        c->out = made;
    else
        stria_array_release(&made);
    return status;
}

/* In the shape that the array and the mask have together: a mask may have more dims. */
static stria_status in_wide_clone(struct call *c, writer *write)
{
    const stria_view *a = c->self, *mask = c->args[1].view;
    const int ndim = a->ndim > mask->ndim ? a->ndim : mask->ndim;
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < ndim; d++) {
        const int da = d - (ndim - a->ndim), dm = d - (ndim - mask->ndim);
        shape[d] = da < 0 || (a->shape[da] == 1 && dm >= 0) ? mask->shape[dm] : a->shape[da];
    }
    stria_view wide;
    TRY(stria_expand(&wide, a, ndim, shape));
    c->self = &wide;
    const stria_status status = in_clone(c, write);
    c->self = a;
    return status;
}

static stria_status reduce_of(struct call *c, const struct arg *arg, stria_reduce *reduce)
{
    static const struct {
        const char *name;
        stria_reduce reduce;
    } names[] = {{"sum", STRIA_REDUCE_SUM},   {"add", STRIA_REDUCE_SUM},
                 {"prod", STRIA_REDUCE_PROD}, {"multiply", STRIA_REDUCE_PROD},
                 {"amin", STRIA_REDUCE_MIN},  {"amax", STRIA_REDUCE_MAX}};
    *reduce = STRIA_REDUCE_NONE;
    if (!arg->given || !arg->text) return STRIA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(arg->text, names[i].name)) {
            *reduce = names[i].reduce;
            return STRIA_OK;
        }
    return call_refuse(c, STRIA_ERR_ARGUMENT, "reduce must be 'sum', 'prod', 'amin' or 'amax', not "
                       "'%.40s'", arg->text);
}

static stria_status scatter_with(struct call *c, const stria_view *dst, stria_reduce reduce)
{
    stria_array src;
    TRY(operand_into(&src, c, &c->args[3], dst->dtype));
    const stria_status status =
        stria_scatter(dst, c->args[1].dim, c->args[2].view, &src.view, reduce);
    stria_array_release(&src);
    return status;
}

static stria_status write_scatter(struct call *c, const stria_view *dst)
{
    stria_reduce reduce;
    TRY(reduce_of(c, &c->args[4], &reduce));
    return scatter_with(c, dst, reduce);
}

static stria_status write_scatter_add(struct call *c, const stria_view *dst)
{
    return scatter_with(c, dst, STRIA_REDUCE_SUM);
}

static stria_status write_index_copy(struct call *c, const stria_view *dst)
{
    stria_array src;
    TRY(operand_into(&src, c, &c->args[3], dst->dtype));
    const stria_status status =
        stria_index_copy(dst, c->args[1].dim, c->args[2].view, &src.view,
                         STRIA_REDUCE_NONE);
    stria_array_release(&src);
    return status;
}

static stria_status write_index_add(struct call *c, const stria_view *dst)
{
    stria_array src, alpha;
    TRY(operand_into(&src, c, &c->args[3], dst->dtype));
    stria_status status = operand(&alpha, c, &c->args[4]);
    if (status == STRIA_OK) {
        status = stria_index_add(dst, c->args[1].dim, c->args[2].view, &src.view, &alpha.view);
        stria_array_release(&alpha);
    }
    stria_array_release(&src);
    return status;
}

static stria_status write_masked_fill(struct call *c, const stria_view *dst)
{
    stria_array value;
    TRY(operand_into(&value, c, &c->args[2], dst->dtype));
    const stria_status status =
        value.view.ndim ? call_refuse(c, STRIA_ERR_SHAPE, "masked_fill: the value has %d dims, not 0",
                                      value.view.ndim)
                        : stria_masked_fill(dst, c->args[1].view, &value.view);
    stria_array_release(&value);
    return status;
}

static stria_status write_masked_scatter(struct call *c, const stria_view *dst)
{
    return stria_masked_scatter(dst, c->args[1].view, c->args[2].view);
}

static stria_status write_index_put(struct call *c, const stria_view *dst)
{
    struct index_items index;
    stria_array values;
    const struct value *list = c->args[1].value;
    if (!list || (list->kind != VALUE_TUPLE && list->kind != VALUE_LIST))
        return call_refuse(c, STRIA_ERR_ARGUMENT, "index_put: indices must be a tuple");
    if (index_items_read(&index, list, c->arena, c->failure) != STRIA_OK) {
        c->refused = true;
        return c->failure->code;
    }
    TRY(operand_into(&values, c, &c->args[2], dst->dtype));
    const stria_status status =
        stria_index_put(dst, index.count, index.items, &values.view, STRIA_PLACE_TORCH,
                        c->args[3].truth ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE);
    stria_array_release(&values);
    return status;
}

static stria_status write_put(struct call *c, const stria_view *dst)
{
    stria_array values;
    TRY(operand_into(&values, c, &c->args[2], dst->dtype));
    const stria_status status =
        stria_put(dst, c->args[1].view, &values.view, STRIA_INDEX_RAISE,
                  c->args[3].truth ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE);
    stria_array_release(&values);
    return status;
}

#define BOTH(name, aside)                                                                          \
    static stria_status name(struct call *c)                                                       \
    {                                                                                              \
        return aside(c, write_##name);                                                             \
    }                                                                                              \
    static stria_status name##_(struct call *c)                                                    \
    {                                                                                              \
        return in_place(c, write_##name);                                                          \
    }
BOTH(scatter, in_clone)
BOTH(scatter_add, in_clone)
BOTH(index_copy, in_clone)
BOTH(index_add, in_clone)
BOTH(masked_fill, in_wide_clone)
BOTH(masked_scatter, in_wide_clone)
BOTH(index_put, in_clone)
BOTH(put, in_clone)

static const struct op ops[] = {
    {"scatter(self, dim:dim, index:array, src|value:any, reduce:text?=None)", scatter, WORLD_ANY},
    {"scatter_(self, dim:dim, index:array, src|value:any, reduce:text?=None)", scatter_, WORLD_ANY},
    {"scatter_reduce(self, dim:dim, index:array, src:any, reduce:text)", scatter, WORLD_ANY},
    {"scatter_reduce_(self, dim:dim, index:array, src:any, reduce:text)", scatter_, WORLD_ANY},
    {"scatter_add(self, dim:dim, index:array, src:any)", scatter_add, WORLD_ANY},
    {"scatter_add_(self, dim:dim, index:array, src:any)", scatter_add_, WORLD_ANY},
    {"index_copy(self, dim:dim, index:array, source:any)", index_copy, WORLD_ANY},
    {"index_copy_(self, dim:dim, index:array, source:any)", index_copy_, WORLD_ANY},
    {"index_fill(self, dim:dim, index:array, value:any)", index_copy, WORLD_ANY},
    {"index_fill_(self, dim:dim, index:array, value:any)", index_copy_, WORLD_ANY},
    {"index_add(self, dim:dim, index:array, source:any, alpha:any=1)", index_add, WORLD_ANY},
    {"index_add_(self, dim:dim, index:array, source:any, alpha:any=1)", index_add_, WORLD_ANY},
    {"masked_fill(self, mask:array, value:any)", masked_fill, WORLD_ANY},
    {"masked_fill_(self, mask:array, value:any)", masked_fill_, WORLD_ANY},
    {"masked_scatter(self, mask:array, source:array)", masked_scatter, WORLD_ANY},
    {"masked_scatter_(self, mask:array, source:array)", masked_scatter_, WORLD_ANY},
    {"index_put(self, indices:any, values:any, accumulate:bool=False)", index_put, WORLD_ANY},
    {"index_put_(self, indices:any, values:any, accumulate:bool=False)", index_put_, WORLD_ANY},
    {"put(self, index|ind:array, source|v:any, accumulate:bool=False)", put, WORLD_ANY},
    {"put_(self, index|ind:array, source|v:any, accumulate:bool=False)", put_, WORLD_ANY},
};

const struct op_group scatter_ops = {ops, sizeof ops / sizeof *ops};
