/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: arrays that are made rather than derived. They have memory when x has, and
 * are meta arrays like x when an expression is only explained.
 */
#include "lang/registry.h"

/* What every maker of PyTorch takes and what means nothing here. */
#define DEVICE   "device:any?=None" /* of NumPy's makers */
#define WHERE_TO "device:any?=None, requires_grad:any?=None, layout:any?=None"

static bool explained(const struct invocation *c)
{
    return stria_buffer_is_meta(c->x->buffer);
}

/* A meta array, dense in C order: made like a number that is repeated. */
static stria_status make_meta(stria_array *out, stria_dtype dtype, int n, const int64_t *shape)
{
    stria_buffer *buffer;
    stria_view wide;
    STRIA_TRY(stria_buffer_meta(&buffer, dtype.itemsize));
    stria_status status = stria_view_make(&wide, buffer, dtype, 0, NULL, NULL, 0);
    if (status == STRIA_OK) status = stria_broadcast_to(&wide, &wide, n, shape);
    if (status == STRIA_OK) status = stria_empty_like(out, &wide, dtype, STRIA_ORDER_C);
    stria_buffer_release(buffer);
    return status;
}

stria_status stria__call_make(struct invocation *c, stria_dtype dtype, const struct arg *shape)
{
    return explained(c) ? make_meta(&c->out, dtype, (int)shape->count, shape->ints)
                        : stria_empty(&c->out, dtype, (int)shape->count, shape->ints);
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
    return explained(c) ? make_meta(&c->out, dtype, (int)shape->count, shape->ints)
                        : stria_zeros(&c->out, dtype, (int)shape->count, shape->ints);
}

static stria_dtype dtype_or(const struct arg *arg, stria_dtype fallback)
{
    return arg->given ? arg->dtype : fallback;
}

/* Fills what was made, unless that failed. */
static stria_status filled(struct invocation *c, stria_status status, const struct arg *value)
{
    if (status == STRIA_OK) status = stria__call_holds(c->out.view.dtype, value);
    return status == STRIA_OK ? stria_copy(&c->out.view, value->view) : status;
}

static stria_status filled_with_1(struct invocation *c, stria_status status)
{
    int64_t number = 1;
    stria_view value;
    STRIA_TRY(stria_view_foreign(&value, &number, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    return filled(c, status, &(struct arg){.view = &value});
}

/* ---- by shape ------------------------------------------------------------------------------- */

static stria_status make_default(struct invocation *c, stria_kind kind)
{
    return stria__call_make(c, dtype_or(&c->args[1], stria_dtype_of(kind)), &c->args[0]);
}

static stria_status empty(struct invocation *c)
{
    return make_default(c, STRIA_F32);
}

static stria_status zeros(struct invocation *c)
{
    return make_zeros(c, dtype_or(&c->args[1], stria_dtype_of(STRIA_F32)), &c->args[0]);
}

static stria_status ones(struct invocation *c)
{
    return filled_with_1(c, empty(c));
}

static stria_status empty_f64(struct invocation *c)
{
    return make_default(c, STRIA_F64);
}

static stria_status zeros_f64(struct invocation *c)
{
    return make_zeros(c, dtype_or(&c->args[1], stria_dtype_of(STRIA_F64)), &c->args[0]);
}

static stria_status ones_f64(struct invocation *c)
{
    return filled_with_1(c, empty_f64(c));
}

/* Where no dtype is given it is that of the value; PyTorch takes floats for f32. */
static stria_status full(struct invocation *c)
{
    const stria_view *value = c->args[1].view;
    const stria_dtype own = value->dtype.kind == STRIA_F64    ? stria_dtype_of(STRIA_F32)
                            : value->dtype.kind == STRIA_C128 ? stria_dtype_of(STRIA_C64)
                                                              : value->dtype;
    return filled(c, stria__call_make(c, dtype_or(&c->args[2], own), &c->args[0]), &c->args[1]);
}

static stria_status full_f64(struct invocation *c)
{
    const stria_view *value = c->args[1].view;
    return filled(c, stria__call_make(c, dtype_or(&c->args[2], value->dtype), &c->args[0]),
                  &c->args[1]);
}

/* ---- by shape and order --------------------------------------------------------------------- */

static stria_status make_strided(struct invocation *c, stria_dtype dtype, const struct arg *size,
                                 const struct arg *stride)
{
    int64_t *bytes;
    if (size->count != stride->count)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%lld sizes and %lld strides",
                                  (long long)size->count, (long long)stride->count);
    STRIA_TRY(stria__call_bytes(c, &bytes, stride->ints, stride->count, dtype));
    return stria_new_empty_strided(&c->out, c->x, dtype, (int)size->count, size->ints, bytes);
}

static stria_status empty_strided(struct invocation *c)
{
    return make_strided(c, dtype_or(&c->args[2], stria_dtype_of(STRIA_F32)), &c->args[0],
                        &c->args[1]);
}

static stria_status new_empty_strided(struct invocation *c)
{
    return make_strided(c, dtype_or(&c->args[3], c->self->dtype), &c->args[1], &c->args[2]);
}

/* A meta array is made in the order of its memory, and its dims are put back in their places. */
static stria_status empty_permuted(struct invocation *c)
{
    const struct arg *size = &c->args[0], *dims = &c->args[1];
    const stria_dtype dtype = dtype_or(&c->args[2], stria_dtype_of(STRIA_F32));
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
    STRIA_TRY(make_meta(&c->out, dtype, n, physical));
    return stria_permute(&c->out.view, &c->out.view, n, back);
}

/* ---- like another array --------------------------------------------------------------------- */

static stria_status empty_like(struct invocation *c)
{
    return stria_empty_like(&c->out, c->self, dtype_or(&c->args[1], c->self->dtype),
                            c->args[2].format);
}

static stria_status zeros_like(struct invocation *c)
{
    return stria_zeros_like(&c->out, c->self, dtype_or(&c->args[1], c->self->dtype),
                            c->args[2].format);
}

static stria_status ones_like(struct invocation *c)
{
    return filled_with_1(c, empty_like(c));
}

static stria_status full_like(struct invocation *c)
{
    return filled(c,
                  stria_empty_like(&c->out, c->self, dtype_or(&c->args[2], c->self->dtype),
                                   c->args[3].format),
                  &c->args[1]);
}

static stria_status new_empty(struct invocation *c)
{
    return stria__call_make(c, dtype_or(&c->args[2], c->self->dtype), &c->args[1]);
}

static stria_status new_zeros(struct invocation *c)
{
    return make_zeros(c, dtype_or(&c->args[2], c->self->dtype), &c->args[1]);
}

static stria_status new_ones(struct invocation *c)
{
    return filled_with_1(c, new_empty(c));
}

static stria_status new_full(struct invocation *c)
{
    return filled(c, stria__call_make(c, dtype_or(&c->args[3], c->self->dtype), &c->args[1]),
                  &c->args[2]);
}

static const struct function ops[] = {
    {"empty(*size|shape:ints, dtype:dtype?=None, " WHERE_TO ")", empty, WORLD_TORCH, "stria_empty",
     "Makes an array with nothing written."},
    {"zeros(*size|shape:ints, dtype:dtype?=None, " WHERE_TO ")", zeros, WORLD_TORCH, "stria_zeros",
     "Makes an array of zeros."},
    {"ones(*size|shape:ints, dtype:dtype?=None, " WHERE_TO ")", ones, WORLD_TORCH, "stria_full",
     "Makes an array of ones."},
    {"full(size|shape:ints, fill_value:data, dtype:dtype?=None, " WHERE_TO ")", full, WORLD_TORCH,
     "stria_full", "Makes an array of one value."},
    {"empty(shape:ints, dtype:dtype?=None, " DEVICE ")", empty_f64, WORLD_NUMPY, "stria_empty",
     "Makes an array with nothing written."},
    {"zeros(shape:ints, dtype:dtype?=None, " DEVICE ")", zeros_f64, WORLD_NUMPY, "stria_zeros",
     "Makes an array of zeros."},
    {"ones(shape:ints, dtype:dtype?=None, " DEVICE ")", ones_f64, WORLD_NUMPY, "stria_full",
     "Makes an array of ones."},
    {"full(shape:ints, fill_value:data, dtype:dtype?=None, " DEVICE ")", full_f64, WORLD_NUMPY,
     "stria_full", "Makes an array of one value."},
    {"empty_strided(size:ints, stride:ints, dtype:dtype?=None, " WHERE_TO ")", empty_strided,
     WORLD_ANY, "stria_empty_strided",
     "Makes an array of strides in elements with nothing written."},
    {"empty_permuted(size:ints, physical_layout:dims, dtype:dtype?=None, " WHERE_TO ")",
     empty_permuted, WORLD_ANY, "stria_empty_permuted",
     "Makes an array whose dims lie in memory in an order, with nothing written."},
    {"empty_like(self, dtype:dtype?=None, memory_format:format=preserve_format, " WHERE_TO ")",
     empty_like, WORLD_TORCH, "stria_empty_like",
     "Makes an array of the shape and order of this one with nothing written."},
    {"zeros_like(self, dtype:dtype?=None, memory_format:format=preserve_format, " WHERE_TO ")",
     zeros_like, WORLD_TORCH, "stria_zeros_like",
     "Makes an array of zeros of the shape and order of this one."},
    {"ones_like(self, dtype:dtype?=None, memory_format:format=preserve_format, " WHERE_TO ")",
     ones_like, WORLD_TORCH, "stria_full_like",
     "Makes an array of ones of the shape and order of this one."},
    {"full_like(self, fill_value:data, dtype:dtype?=None, "
     "memory_format:format=preserve_format, " WHERE_TO ")",
     full_like, WORLD_TORCH, "stria_full_like",
     "Makes an array of one value of the shape and order of this one."},
    {"empty_like(self|prototype:array, dtype:dtype?=None, order:format='K', "
     "subok:bool=True, " DEVICE ")",
     empty_like, WORLD_NUMPY, "stria_empty_like",
     "Makes an array of the shape and order of this one with nothing written."},
    {"zeros_like(self, dtype:dtype?=None, order:format='K', subok:bool=True, " DEVICE ")",
     zeros_like, WORLD_NUMPY, "stria_zeros_like",
     "Makes an array of zeros of the shape and order of this one."},
    {"ones_like(self, dtype:dtype?=None, order:format='K', subok:bool=True, " DEVICE ")", ones_like,
     WORLD_NUMPY, "stria_full_like", "Makes an array of ones of the shape and order of this one."},
    {"full_like(self, fill_value:data, dtype:dtype?=None, order:format='K', "
     "subok:bool=True, " DEVICE ")",
     full_like, WORLD_NUMPY, "stria_full_like",
     "Makes an array of one value of the shape and order of this one."},
    {"new_empty(self, *size:ints, dtype:dtype?=None, " WHERE_TO ")", new_empty, WORLD_TORCH,
     "stria_empty", "Makes an array of a shape, of the dtype of this one, with nothing written."},
    {"new_zeros(self, *size:ints, dtype:dtype?=None, " WHERE_TO ")", new_zeros, WORLD_TORCH,
     "stria_zeros", "Makes an array of zeros of a shape, of the dtype of this one."},
    {"new_ones(self, *size:ints, dtype:dtype?=None, " WHERE_TO ")", new_ones, WORLD_TORCH,
     "stria_full", "Makes an array of ones of a shape, of the dtype of this one."},
    {"new_full(self, size:ints, fill_value:data, dtype:dtype?=None, " WHERE_TO ")", new_full,
     WORLD_TORCH, "stria_full",
     "Makes an array of one value of a shape, of the dtype of this one."},
    {"new_empty_strided(self, size:ints, stride:ints, dtype:dtype?=None, " WHERE_TO ")",
     new_empty_strided, WORLD_ANY, "stria_new_empty_strided",
     "Makes an array of strides in elements, of the dtype of this one, with nothing written."},
};

const struct function_group stria__rows_make = {ops, sizeof ops / sizeof *ops};
