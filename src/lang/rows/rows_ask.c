/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: questions whose answers serve as arguments: .view(y.shape[0], -1). */
#include <string.h>

#include "lang/bind.h"
#include "lang/dtype_value.h"
#include "lang/operand.h"
#include "lang/registry.h"

static stria_status answer(struct invocation *c, int64_t integer)
{
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_INT, .integer = integer};
    return STRIA_OK;
}

static stria_status answer_sizes(struct invocation *c, size_t n, const int64_t *values,
                                 int64_t unit)
{
    struct value *const items = stria__pool_array(c->pool, n, sizeof *items);
    TRY_MEMORY(items);
    for (size_t d = 0; d < n; d++)
        items[d] = (struct value){.kind = VALUE_INT, .integer = values[d] / unit};
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_TUPLE, .list = {items, n}};
    return STRIA_OK;
}

static stria_status answer_tuple(struct invocation *c, const int64_t *values, int64_t unit)
{
    return answer_sizes(c, (size_t)c->self->ndim, values, unit);
}

static int64_t item(const struct invocation *c)
{
    return c->self->dtype.itemsize ? c->self->dtype.itemsize : 1;
}

static stria_status shape(struct invocation *c)
{
    return answer_tuple(c, c->self->shape, 1);
}

static stria_status strides(struct invocation *c)
{
    return answer_tuple(c, c->self->strides, 1);
}

static stria_status size(struct invocation *c)
{
    const int n = c->self->ndim, dim = c->args[1].dim;
    if (!c->args[1].given) return shape(c);
    if (dim < -n || dim >= n)
        return stria__call_refuse(c, STRIA_ERR_DIM, "size: dim %d of %d dims", dim, n);
    return answer(c, c->self->shape[dim < 0 ? dim + n : dim]);
}

static stria_status stride(struct invocation *c)
{
    const int n = c->self->ndim, dim = c->args[1].dim;
    if (!c->args[1].given) return answer_tuple(c, c->self->strides, item(c));
    if (dim < -n || dim >= n)
        return stria__call_refuse(c, STRIA_ERR_DIM, "stride: dim %d of %d dims", dim, n);
    return answer(c, c->self->strides[dim < 0 ? dim + n : dim] / item(c));
}

static stria_status length(struct invocation *c)
{
    if (c->self->ndim == 0)
        return stria__call_refuse(c, STRIA_ERR_DIM, "len: an array of 0 dims has none");
    return answer(c, c->self->shape[0]);
}

static stria_status ndim(struct invocation *c)
{
    return answer(c, c->self->ndim);
}

static stria_status numel(struct invocation *c)
{
    return answer(c, stria_numel(c->self));
}

static stria_status itemsize(struct invocation *c)
{
    return answer(c, c->self->dtype.itemsize);
}

static stria_status nbytes(struct invocation *c)
{
    return answer(c, stria_nbytes(c->self));
}

static stria_status storage_offset(struct invocation *c)
{
    return answer(c, stria_offset(c->self) / item(c));
}

static stria_status answer_truth(struct invocation *c, bool truth)
{
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_BOOL, .truth = truth};
    return STRIA_OK;
}

static stria_status is_contiguous(struct invocation *c)
{
    return answer_truth(c, stria_is_contiguous(c->self, c->args[1].format));
}

static stria_status is_conj(struct invocation *c)
{
    return answer_truth(c, c->self->flags & STRIA_CONJ);
}

static stria_status is_neg(struct invocation *c)
{
    return answer_truth(c, c->self->flags & STRIA_NEG);
}

static stria_status is_view(struct invocation *c)
{
    return answer_truth(c, stria_is_view(c->self));
}

/* 0 where there is no memory, as of PyTorch's meta tensors. */
static stria_status data_ptr(struct invocation *c)
{
    const bool meta = stria_buffer_is_meta(c->self->buffer);
    return answer(c, meta ? 0 : (int64_t)(uintptr_t)c->self->data);
}

static stria_status retained_bytes(struct invocation *c)
{
    return answer(c, stria_retained_bytes(c->self));
}

/* Steps where no max_work is given: about a tenth of a second. */
enum { WORK = 4000000 };

/*
 * What is not decided within the default is answered by "maybe"; within a max_work that somebody
 * gave it is refused, as NumPy does.
 */
static stria_status answer_overlap(struct invocation *c, const char *op, stria_overlap overlap,
                                   const struct arg *max_work)
{
    if (overlap != STRIA_OVERLAP_TOO_HARD) return answer_truth(c, overlap != STRIA_OVERLAP_NO);
    if (max_work->given)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED, "%s: not decided within max_work", op);
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_STRING, .string = {"maybe", strlen("maybe")}};
    return STRIA_OK;
}

static int64_t max_work(const struct arg *arg)
{
    return arg->given ? arg->integer : WORK;
}

static stria_status shares_memory(struct invocation *c)
{
    return answer_overlap(c, "shares_memory",
                          stria_shares_memory(c->self, c->args[1].view, max_work(&c->args[2])),
                          &c->args[2]);
}

static stria_status may_share_memory(struct invocation *c)
{
    return answer_truth(c, stria_may_share_memory(c->self, c->args[1].view));
}

static stria_status overlaps_itself(struct invocation *c)
{
    return answer_overlap(c, "overlaps_itself",
                          stria_overlaps_itself(c->self, max_work(&c->args[1])), &c->args[1]);
}

static stria_status answer_dtype(struct invocation *c, stria_dtype found)
{
    c->answers = true;
    c->answer = (struct value){.kind = VALUE_DTYPE, .dtype = found};
    return STRIA_OK;
}

static stria_status dtype(struct invocation *c)
{
    return answer_dtype(c, c->self->dtype);
}

/* ---- of dtypes and shapes without arrays ---- */

static stria_promotion rule(const struct invocation *c)
{
    return c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
}

/* The arguments of f(a, b, c), or the one that stands behind its name. */
struct several {
    const struct value *items;
    size_t count;
};

static struct several several(const struct arg *arg)
{
    const struct value *const v = arg->value;
    if (!arg->given) return (struct several){NULL, 0};
    if (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST)
        return (struct several){v->list.items, v->list.count};
    return (struct several){v, 1};
}

/* What reads a value has told what is wrong with it. */
static stria_status told(struct invocation *c, stria_status status)
{
    c->refused = status != STRIA_OK && c->failure->code == status;
    return status;
}

/* What promotes like the value: an array, a dtype or a number. */
static stria_status operand(struct invocation *c, const stria_view **out, const struct value *value)
{
    stria_dtype named;
    if (value->kind == VALUE_ARRAY) {
        *out = value->view;
        return STRIA_OK;
    }
    if (value->kind != VALUE_DTYPE && value->kind != VALUE_STRING)
        return told(c, stria__weak_operand(out, value, c->pool, c->failure));
    stria_view *const stand_in = stria__pool_take(c->pool, sizeof *stand_in);
    TRY_MEMORY(stand_in);
    STRIA_TRY(told(c, stria__dtype_value(&named, value, false, c->pool, c->failure)));
    *out = stand_in;
    return stria_view_foreign(stand_in, NULL, named, 1, (const int64_t[]){0}, NULL, STRIA_READONLY);
}

static stria_status result_type(struct invocation *c)
{
    const struct several all = several(&c->args[0]);
    stria_dtype found;
    const stria_view **const operands = stria__pool_array(c->pool, all.count, sizeof *operands);
    TRY_MEMORY(operands);
    for (size_t i = 0; i < all.count; i++)
        STRIA_TRY(operand(c, &operands[i], &all.items[i]));
    STRIA_TRY(stria_promote_operands(&found, (int)all.count, operands, rule(c)));
    return answer_dtype(c, found);
}

static stria_status promote_types(struct invocation *c)
{
    stria_dtype found;
    STRIA_TRY(stria_promote(&found, c->args[0].dtype, c->args[1].dtype, rule(c)));
    return answer_dtype(c, found);
}

static stria_status can_cast(struct invocation *c)
{
    stria_cast_policy policy;
    STRIA_TRY(stria__call_policy(c, c->args[2].text, &policy));
    return answer_truth(c, stria_can_cast(c->args[0].dtype, c->args[1].dtype, policy));
}

/* A shape is a tuple of ints, or one int. */
static stria_status broadcast_shapes(struct invocation *c)
{
    const struct several all = several(&c->args[0]);
    const size_t n = all.count;
    const struct param sizes = {.names = {"shapes", 6}, .type = TYPE_INTS};
    const struct target target = {"broadcast_shapes", &sizes, c->pool, c->failure};
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    int *const ndims = stria__pool_array(c->pool, n, sizeof *ndims);
    TRY_MEMORY(ndims);
    const int64_t **const shapes = stria__pool_array(c->pool, n, sizeof *shapes);
    TRY_MEMORY(shapes);
    for (size_t i = 0; i < n; i++) {
        struct arg one;
        STRIA_TRY(told(c, stria__bind_value(&one, &all.items[i], &target)));
        ndims[i] = one.count > STRIA_MAX_NDIM ? STRIA_MAX_NDIM + 1 : (int)one.count;
        shapes[i] = one.ints;
    }
    STRIA_TRY(stria_broadcast_shapes(&ndim, shape, (int)n, ndims, shapes));
    return answer_sizes(c, (size_t)ndim, shape, 1);
}

static const struct function ops[] = {
    {"shape", shape, WORLD_ANY, "stria_view", "Returns the sizes of the dims, a tuple."},
    {"size(self, dim:dim?=None)", size, WORLD_TORCH, "stria_view",
     "Returns the sizes of the dims, or that of one dim."},
    {"size", numel, WORLD_NUMPY, "stria_numel", "Returns the number of elements."},
    {"ndim", ndim, WORLD_ANY, "stria_view", "Returns the number of dims."},
    {"dim|ndimension(self)", ndim, WORLD_ANY, "stria_view", "Returns the number of dims."},
    {"numel|nelement(self)", numel, WORLD_ANY, "stria_numel", "Returns the number of elements."},
    {"strides", strides, WORLD_ANY, "stria_view",
     "Returns the distances between neighbours of each dim in bytes, a tuple."},
    {"stride(self, dim:dim?=None)", stride, WORLD_ANY, "stria_view",
     "Returns the strides in elements, or that of one dim."},
    {"len(self)", length, WORLD_ANY, "stria_view", "Returns the size of the first dim."},
    {"storage_offset(self)", storage_offset, WORLD_ANY, "stria_offset",
     "Returns the place of the first element in its memory, in elements."},
    {"itemsize", itemsize, WORLD_ANY, "stria_view", "Returns the size of an element in bytes."},
    {"element_size(self)", itemsize, WORLD_ANY, "stria_view",
     "Returns the size of an element in bytes."},
    {"nbytes", nbytes, WORLD_ANY, "stria_nbytes",
     "Returns the number of bytes that the elements have, without gaps."},
    {"dtype", dtype, WORLD_ANY, "stria_view", "Returns the dtype."},
    {"is_contiguous(self, memory_format|order:format=contiguous_format)", is_contiguous, WORLD_ANY,
     "stria_is_contiguous",
     "Tells whether the elements lie without gaps in C order, or in the order asked for."},
    {"is_conj(self)", is_conj, WORLD_TORCH, "stria_view",
     "Tells whether elements are conjugated where they are read."},
    {"is_neg(self)", is_neg, WORLD_TORCH, "stria_view",
     "Tells whether elements are negated where they are read."},
    {"is_view|_is_view(self)", is_view, WORLD_ANY, "stria_is_view",
     "Tells whether the array is a part or another form of some memory, not all of it."},
    {"data_ptr(self)", data_ptr, WORLD_TORCH, "stria_view",
     "Returns the address of the first element."},
    {"retained_bytes(self)", retained_bytes, WORLD_ANY, "stria_retained_bytes",
     "Returns the size of the memory that the array keeps, in bytes."},
    {"shares_memory(self, other|b:array, max_work:int?=None)", shares_memory, WORLD_NUMPY,
     "stria_shares_memory", "Tells exactly whether two arrays have a byte in common."},
    {"may_share_memory(self, other|b:array, max_work:int?=None)", may_share_memory, WORLD_NUMPY,
     "stria_may_share_memory", "Tells whether the bounds of two arrays overlap."},
    {"overlaps_itself(self, max_work:int?=None)", overlaps_itself, WORLD_ANY,
     "stria_overlaps_itself", "Tells whether two elements of the array share a byte."},
    {"result_type(*arrays_and_dtypes:any)", result_type, WORLD_ANY, "stria_promote_operands",
     "Returns the dtype to which arrays, dtypes and numbers promote."},
    {"promote_types(type1:dtype, type2:dtype)", promote_types, WORLD_ANY, "stria_promote",
     "Returns the dtype to which two dtypes promote."},
    {"can_cast(from_:dtype, to:dtype, casting:text='safe')", can_cast, WORLD_NUMPY,
     "stria_can_cast", "Tells whether a dtype may be converted to another one."},
    {"broadcast_shapes(*shapes:any=None)", broadcast_shapes, WORLD_ANY, "stria_broadcast_shapes",
     "Returns the shape to which shapes broadcast, a tuple."},
};

const struct function_group stria__rows_ask = {ops, sizeof ops / sizeof *ops};
