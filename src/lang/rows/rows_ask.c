/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: questions whose answers serve as arguments: .view(y.shape[0], -1). */
#include <string.h>

#include "lang/bind.h"
#include "lang/registry.h"

/* The distances of elements, of which each has a byte at least. */
static int64_t item(const struct invocation *c)
{
    return c->self->dtype.itemsize ? c->self->dtype.itemsize : 1;
}

enum { SIZES, STRIDES };

static stria_status of_dims(struct invocation *c)
{
    const int64_t *const values = c->row->what == SIZES ? c->self->shape : c->self->strides;
    return stria__call_sizes(c, (size_t)c->self->ndim, values, 1);
}

/* Those of all dims, or that of the dim that is asked for. */
static stria_status of_dim(struct invocation *c, const int64_t *values, int64_t unit)
{
    const int n = c->self->ndim, dim = c->args[1].dim;
    if (!c->args[1].given) return stria__call_sizes(c, (size_t)n, values, unit);
    if (dim < -n || dim >= n)
        return stria__call_refuse(c, STRIA_ERR_DIM, "%.*s: dim %d of %d dims", (int)c->name.length,
                                  c->name.text, dim, n);
    return stria__call_integer(c, values[dim < 0 ? dim + n : dim] / unit);
}

static stria_status size(struct invocation *c)
{
    return of_dim(c, c->self->shape, 1);
}

static stria_status stride(struct invocation *c)
{
    return of_dim(c, c->self->strides, item(c));
}

static stria_status length(struct invocation *c)
{
    if (c->self->ndim == 0)
        return stria__call_refuse(c, STRIA_ERR_DIM, "len: an array of 0 dims has none");
    return stria__call_integer(c, c->self->shape[0]);
}

static stria_status ndim(struct invocation *c)
{
    return stria__call_integer(c, c->self->ndim);
}

static stria_status itemsize(struct invocation *c)
{
    return stria__call_integer(c, c->self->dtype.itemsize);
}

static stria_status storage_offset(struct invocation *c)
{
    return stria__call_integer(c, stria_offset(c->self) / item(c));
}

static stria_status has_flag(struct invocation *c)
{
    return stria__call_truth(c, c->self->flags & (uint32_t)c->row->what);
}

/* 0 where there is no memory, as of PyTorch's meta tensors. */
static stria_status data_ptr(struct invocation *c)
{
    const bool meta = stria_buffer_is_meta(c->self->buffer);
    return stria__call_integer(c, meta ? 0 : (int64_t)(uintptr_t)c->self->data);
}

/* Steps where no max_work is given: about a tenth of a second. */
enum { WORK = 4000000 };

/*
 * What is not decided within the default is answered by "maybe"; within a max_work that somebody
 * gave it is refused, as NumPy does.
 */
static stria_status answer_overlap(struct invocation *c, stria_overlap overlap,
                                   const struct arg *max_work)
{
    if (overlap != STRIA_OVERLAP_TOO_HARD) return stria__call_truth(c, overlap != STRIA_OVERLAP_NO);
    if (max_work->given)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED, "%.*s: not decided within max_work",
                                  (int)c->name.length, c->name.text);
    return stria__call_answer(
        c, (struct value){.kind = VALUE_STRING, .string = {"maybe", strlen("maybe")}});
}

static int64_t max_work(const struct arg *arg)
{
    return arg->given ? arg->integer : WORK;
}

static stria_status shares_memory(struct invocation *c)
{
    return answer_overlap(c, stria_shares_memory(c->self, c->args[1].view, max_work(&c->args[2])),
                          &c->args[2]);
}

static stria_status overlaps_itself(struct invocation *c)
{
    return answer_overlap(c, stria_overlaps_itself(c->self, max_work(&c->args[1])), &c->args[1]);
}

static stria_status answer_dtype(struct invocation *c, stria_dtype found)
{
    return stria__call_answer(c, (struct value){.kind = VALUE_DTYPE, .dtype = found});
}

static stria_status dtype(struct invocation *c)
{
    return answer_dtype(c, c->self->dtype);
}

/* ---- of dtypes and shapes without arrays ---- */

/* The arguments of f(a, b, c), or the one that stands behind its name. */
static struct value_items several(const struct arg *arg)
{
    return arg->given ? stria__value_items(arg->value) : (struct value_items){NULL, 0};
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
        return stria__call_told(c, stria__weak_operand(out, value, c->pool, c->failure));
    stria_view *const stand_in = stria__pool_take(c->pool, sizeof *stand_in);
    TRY_MEMORY(stand_in);
    STRIA_TRY(stria__call_told(c, stria__dtype_value(&named, value, false, c->pool, c->failure)));
    *out = stand_in;
    return stria_view_foreign(stand_in, NULL, named, 1, (const int64_t[]){0}, NULL, STRIA_READONLY);
}

static stria_status result_type(struct invocation *c)
{
    const struct value_items all = several(&c->args[0]);
    stria_dtype found;
    const stria_view **const operands = stria__pool_array(c->pool, all.count, sizeof *operands);
    TRY_MEMORY(operands);
    for (size_t i = 0; i < all.count; i++)
        STRIA_TRY(operand(c, &operands[i], &all.items[i]));
    STRIA_TRY(stria_promote_operands(&found, (int)all.count, operands, stria__call_rule(c)));
    return answer_dtype(c, found);
}

static stria_status promote_types(struct invocation *c)
{
    stria_dtype found;
    STRIA_TRY(stria_promote(&found, c->args[0].dtype, c->args[1].dtype, stria__call_rule(c)));
    return answer_dtype(c, found);
}

static stria_status can_cast(struct invocation *c)
{
    stria_cast_policy policy;
    STRIA_TRY(stria__call_policy(c, c->args[2].text, &policy));
    return stria__call_truth(c, stria_can_cast(c->args[0].dtype, c->args[1].dtype, policy));
}

/* A shape is a tuple of ints, or one int. */
static stria_status broadcast_shapes(struct invocation *c)
{
    const struct value_items all = several(&c->args[0]);
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
        STRIA_TRY(stria__call_told(c, stria__bind_value(&one, &all.items[i], &target)));
        ndims[i] = one.count > STRIA_MAX_NDIM ? STRIA_MAX_NDIM + 1 : (int)one.count;
        shapes[i] = one.ints;
    }
    STRIA_TRY(stria_broadcast_shapes(&ndim, shape, (int)n, ndims, shapes));
    return stria__call_sizes(c, (size_t)ndim, shape, 1);
}

static const struct function ops[] = {
    ROW_AS(ANY, "shape", of_dims, SIZES, view, "Returns the sizes of the dims, a tuple."),
    ROW_BY(TORCH, "size(self, dim:dim?=None)", size, view,
           "Returns the sizes of the dims, or that of one dim."),
    ROW(NUMPY, "size", numel, "Returns the number of elements."),
    ROW_BY(ANY, "ndim", ndim, view, "Returns the number of dims."),
    ROW_BY(ANY, "dim|ndimension(self)", ndim, view, "Returns the number of dims."),
    ROW(ANY, "numel|nelement(self)", numel, "Returns the number of elements."),
    ROW_AS(ANY, "strides", of_dims, STRIDES, view,
           "Returns the distances between neighbours of each dim in bytes, a tuple."),
    ROW_BY(ANY, "stride(self, dim:dim?=None)", stride, view,
           "Returns the strides in elements, or that of one dim."),
    ROW_BY(ANY, "len(self)", length, view, "Returns the size of the first dim."),
    ROW_BY(ANY, "storage_offset(self)", storage_offset, offset,
           "Returns the place of the first element in its memory, in elements."),
    ROW_BY(ANY, "itemsize", itemsize, view, "Returns the size of an element in bytes."),
    ROW_BY(ANY, "element_size(self)", itemsize, view, "Returns the size of an element in bytes."),
    ROW(ANY, "nbytes", nbytes, "Returns the number of bytes that the elements have, without gaps."),
    ROW_BY(ANY, "dtype", dtype, view, "Returns the dtype."),
    ROW(ANY, "is_contiguous(self, memory_format|order:format=contiguous_format)", is_contiguous,
        "Tells whether the elements lie without gaps in C order, or in the order asked for."),
    ROW_AS(TORCH, "is_conj(self)", has_flag, STRIA_CONJ, view,
           "Tells whether elements are conjugated where they are read."),
    ROW_AS(TORCH, "is_neg(self)", has_flag, STRIA_NEG, view,
           "Tells whether elements are negated where they are read."),
    ROW(ANY, "is_view|_is_view(self)", is_view,
        "Tells whether the array is a part or another form of some memory, not all of it."),
    ROW_BY(TORCH, "data_ptr(self)", data_ptr, view, "Returns the address of the first element."),
    ROW(ANY, "retained_bytes(self)", retained_bytes,
        "Returns the size of the memory that the array keeps, in bytes."),
    ROW_BY(NUMPY, "shares_memory(self, other|b:array, max_work:int?=None)", shares_memory,
           shares_memory, "Tells exactly whether two arrays have a byte in common."),
    ROW(NUMPY, "may_share_memory(self, other|b:array, max_work:int?=None)", may_share_memory,
        "Tells whether the bounds of two arrays overlap."),
    ROW_BY(ANY, "overlaps_itself(self, max_work:int?=None)", overlaps_itself, overlaps_itself,
           "Tells whether two elements of the array share a byte."),
    ROW_BY(ANY, "result_type(*arrays_and_dtypes:any)", result_type, promote_operands,
           "Returns the dtype to which arrays, dtypes and numbers promote."),
    ROW_BY(ANY, "promote_types(type1:dtype, type2:dtype)", promote_types, promote,
           "Returns the dtype to which two dtypes promote."),
    ROW_BY(NUMPY, "can_cast(from_:dtype, to:dtype, casting:text='safe')", can_cast, can_cast,
           "Tells whether a dtype may be converted to another one."),
    ROW_BY(ANY, "broadcast_shapes(*shapes:any=None)", broadcast_shapes, broadcast_shapes,
           "Returns the shape to which shapes broadcast, a tuple."),
};

const struct function_group stria__rows_ask = {ops, sizeof ops / sizeof *ops};
