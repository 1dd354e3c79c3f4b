/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: arrays that are made rather than derived. They have memory when x has, and
 * are meta arrays like x when an expression is only explained.
 */
#include "view/array.h"
#include "lang/registry.h"

static bool explained(const struct invocation *c)
{
    return stria_buffer_is_meta(c->x->buffer);
}

stria_status stria__call_make(struct invocation *c, stria_dtype dtype, const struct arg *shape)
{
    return stria__empty_like_memory(&c->out, c->x, dtype, (int)shape->count, shape->ints,
                                    STRIA_ORDER_C);
}

static bool is_integer(stria_dtype dtype)
{
    return dtype.kind >= STRIA_I8 && dtype.kind <= STRIA_U64;
}

stria_status stria__call_holds(stria_dtype dtype, const struct arg *data)
{
    const stria_view *const a = data->view;
    const bool written = !data->value || data->value->kind != VALUE_ARRAY;
    int64_t room, n = stria_numel(a);
    stria_view item;
    if (!written || !is_integer(a->dtype) || !is_integer(dtype)) return STRIA_OK;
    dtype.swapped = false;
    STRIA_TRY(stria_view_foreign(&item, &room, dtype, 0, NULL, NULL, 0));
    for (const char *at = a->data; n > 0; n--, at += a->dtype.itemsize)
        STRIA_TRY(a->dtype.kind == STRIA_U64 ? stria_set_u64(&item, 0, NULL, *(const uint64_t *)at)
                                             : stria_set_i64(&item, 0, NULL, *(const int64_t *)at));
    return STRIA_OK;
}

/* Zero bytes: of strings too, which no number converts to. */
static stria_status make_zeros(struct invocation *c, stria_dtype dtype, const struct arg *shape)
{
    return explained(c) ? stria__call_make(c, dtype, shape)
                        : stria_zeros(&c->out, dtype, (int)shape->count, shape->ints);
}

/* What a row writes into what it makes. */
enum { NOTHING, ZEROS, ONES, VALUE };

/* Fills what was made, unless that failed; value: where the row takes one. */
static stria_status filled(struct invocation *c, stria_status status, const struct arg *value)
{
    int64_t number = 1;
    stria_view one;
    struct arg of_one = {.view = &one};
    if (status != STRIA_OK || c->row->what < ONES) return status;
    if (c->row->what == ONES) {
        STRIA_TRY(stria_view_foreign(&one, &number, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
        value = &of_one;
    }
    STRIA_TRY(stria__call_holds(c->out.view.dtype, value));
    return stria_copy(&c->out.view, value->view);
}

/* ---- by shape ------------------------------------------------------------------------------- */

/* Behind the shape a value stands, where the row takes one, and the dtype. */
static stria_status make(struct invocation *c, const struct arg *shape, stria_dtype own)
{
    const struct arg *const value = shape + 1, *const dtype = value + (c->row->what == VALUE);
    return filled(c,
                  (c->row->what == ZEROS ? make_zeros
                                         : stria__call_make)(c, stria__dtype_or(dtype, own), shape),
                  value);
}

/* Where no dtype is given it is that of the value; PyTorch takes floats for f32. */
static stria_status by_shape(struct invocation *c)
{
    if (c->row->what != VALUE)
        return make(c, &c->args[0], stria_dtype_of(stria__row_floats(c->row)));
    const stria_dtype own = c->args[1].view->dtype;
    return make(c, &c->args[0], c->row->world == WORLD_TORCH ? stria__torch_dtype(own) : own);
}

static stria_status of_this(struct invocation *c)
{
    return make(c, &c->args[1], c->self->dtype);
}

/* ---- by shape and order --------------------------------------------------------------------- */

/* The row says which argument is the size; the strides and the dtype follow. */
static stria_status make_strided(struct invocation *c)
{
    const struct arg *const size = &c->args[c->row->what];
    const stria_dtype own = c->row->what ? c->self->dtype : stria_dtype_of(STRIA_F32),
                      dtype = stria__dtype_or(&size[2], own);
    int64_t *bytes;
    STRIA_TRY(stria__call_strides(c, &bytes, size, &size[1], dtype));
    return stria_new_empty_strided(&c->out, c->x, dtype, (int)size->count, size->ints, bytes);
}

/* A meta array is made in the order of its memory, and its dims are put back in their places. */
static stria_status empty_permuted(struct invocation *c)
{
    const struct arg *size = &c->args[0], *dims = &c->args[1];
    const stria_dtype dtype = stria__dtype_or(&c->args[2], stria_dtype_of(STRIA_F32));
    const int n = (int)size->count;
    int back[STRIA_MAX_NDIM];
    int64_t physical[STRIA_MAX_NDIM];
    if (dims->count != size->count)
        return stria__call_refuse(c, STRIA_ERR_DIM, "empty_permuted: %lld sizes and %lld dims",
                                  (long long)size->count, (long long)dims->count);
    if (!explained(c)) return stria_empty_permuted(&c->out, dtype, n, size->ints, dims->dims);
    if (n > STRIA_MAX_NDIM)
        return stria__call_refuse(c, STRIA_ERR_SHAPE, "empty_permuted: %d dims; at most %d", n,
                                  STRIA_MAX_NDIM);
    for (int i = 0; i < n; i++)
        back[i] = -1;
    for (int i = 0; i < n; i++) {
        const int d = dims->dims[i];
        if (d < 0 || d >= n || back[d] >= 0)
            return stria__call_refuse(
                c, STRIA_ERR_DIM, "empty_permuted: dim %d is repeated or out of 0 .. %d", d, n - 1);
        back[d] = i;
        physical[i] = size->ints[d];
    }
    STRIA_TRY(stria__empty_like_memory(&c->out, c->x, dtype, n, physical, STRIA_ORDER_C));
    return stria_permute(&c->out.view, &c->out.view, n, back);
}

/* ---- like another array --------------------------------------------------------------------- */

static stria_status like(struct invocation *c)
{
    const struct arg *const value = &c->args[1], *const dtype = value + (c->row->what == VALUE);
    const stria_dtype own = stria__dtype_or(dtype, c->self->dtype);
    return filled(c,
                  (c->row->what == ZEROS ? stria_zeros_like : stria_empty_like)(
                      &c->out, c->self, own, dtype[1].format),
                  value);
}

#define TORCH_LIKE "dtype:dtype?=None, memory_format:format=preserve_format, " WHERE_TO
#define NUMPY_LIKE "dtype:dtype?=None, order:format='K', subok:bool=True, device:any?=None)"

static const struct function ops[] = {
    ROW_AS(TORCH, "empty(*size|shape:ints, " TORCH_MADE, by_shape, NOTHING, empty,
           "Makes an array with nothing written."),
    ROW_AS(TORCH, "zeros(*size|shape:ints, " TORCH_MADE, by_shape, ZEROS, zeros,
           "Makes an array of zeros."),
    ROW_AS(TORCH, "ones(*size|shape:ints, " TORCH_MADE, by_shape, ONES, full,
           "Makes an array of ones."),
    ROW_AS(TORCH, "full(size|shape:ints, fill_value:data, " TORCH_MADE, by_shape, VALUE, full,
           "Makes an array of one value."),
    ROW_AS(NUMPY, "empty(shape:ints, " NUMPY_MADE, by_shape, NOTHING, empty,
           "Makes an array with nothing written."),
    ROW_AS(NUMPY, "zeros(shape:ints, " NUMPY_MADE, by_shape, ZEROS, zeros,
           "Makes an array of zeros."),
    ROW_AS(NUMPY, "ones(shape:ints, " NUMPY_MADE, by_shape, ONES, full, "Makes an array of ones."),
    ROW_AS(NUMPY, "full(shape:ints, fill_value:data, " NUMPY_MADE, by_shape, VALUE, full,
           "Makes an array of one value."),
    ROW_AS(ANY, "empty_strided(size:ints, stride:ints, " TORCH_MADE, make_strided, 0, empty_strided,
           "Makes an array of strides in elements with nothing written."),
    ROW_BY(ANY, "empty_permuted(size:ints, physical_layout:dims, " TORCH_MADE, empty_permuted,
           empty_permuted,
           "Makes an array whose dims lie in memory in an order, with nothing written."),
    ROW_AS(TORCH, "empty_like(self, " TORCH_LIKE, like, NOTHING, empty_like,
           "Makes an array of the shape and order of this one with nothing written."),
    ROW_AS(TORCH, "zeros_like(self, " TORCH_LIKE, like, ZEROS, zeros_like,
           "Makes an array of zeros of the shape and order of this one."),
    ROW_AS(TORCH, "ones_like(self, " TORCH_LIKE, like, ONES, full_like,
           "Makes an array of ones of the shape and order of this one."),
    ROW_AS(TORCH, "full_like(self, fill_value:data, " TORCH_LIKE, like, VALUE, full_like,
           "Makes an array of one value of the shape and order of this one."),
    ROW_AS(NUMPY, "empty_like(self|prototype:array, " NUMPY_LIKE, like, NOTHING, empty_like,
           "Makes an array of the shape and order of this one with nothing written."),
    ROW_AS(NUMPY, "zeros_like(self, " NUMPY_LIKE, like, ZEROS, zeros_like,
           "Makes an array of zeros of the shape and order of this one."),
    ROW_AS(NUMPY, "ones_like(self, " NUMPY_LIKE, like, ONES, full_like,
           "Makes an array of ones of the shape and order of this one."),
    ROW_AS(NUMPY, "full_like(self, fill_value:data, " NUMPY_LIKE, like, VALUE, full_like,
           "Makes an array of one value of the shape and order of this one."),
    ROW_AS(TORCH, "new_empty(self, *size:ints, " TORCH_MADE, of_this, NOTHING, empty,
           "Makes an array of a shape, of the dtype of this one, with nothing written."),
    ROW_AS(TORCH, "new_zeros(self, *size:ints, " TORCH_MADE, of_this, ZEROS, zeros,
           "Makes an array of zeros of a shape, of the dtype of this one."),
    ROW_AS(TORCH, "new_ones(self, *size:ints, " TORCH_MADE, of_this, ONES, full,
           "Makes an array of ones of a shape, of the dtype of this one."),
    ROW_AS(TORCH, "new_full(self, size:ints, fill_value:data, " TORCH_MADE, of_this, VALUE, full,
           "Makes an array of one value of a shape, of the dtype of this one."),
    ROW_AS(
        ANY, "new_empty_strided(self, size:ints, stride:ints, " TORCH_MADE, make_strided, 1,
        new_empty_strided,
        "Makes an array of strides in elements, of the dtype of this one, with nothing written."),
};

const struct function_group stria__rows_make = {ops, sizeof ops / sizeof *ops};
