/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: arrays that are made rather than derived. They have memory when x
 * has, and are meta arrays like x when an expression is only explained.
 */
#include "view/array.h"
#include "view/view.h"
#include "lang/rows/rows.h"

static bool explained(const struct invocation *c)
{
    return stria_buffer_is_meta(c->x->buffer);
}

stria_status stria__call_make(struct invocation *c, stria_dtype dtype, const struct arg *shape)
{
    return stria__empty_like_memory(NEW, c->x, dtype, (int)shape->count, shape->ints,
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

/* Makes zero bytes, which serve for strings, too, although no number converts to them. */
static stria_status make_zeros(struct invocation *c, stria_dtype dtype, const struct arg *shape)
{
    return explained(c) ? stria__call_make(c, dtype, shape)
                        : stria_zeros(NEW, dtype, (int)shape->count, shape->ints);
}

/* Fills the new array, unless making it failed; `value` is the argument with the number for
 * VALUE. */
static stria_status filled(struct invocation *c, stria_status status, enum filling with,
                           const struct arg *value)
{
    int64_t number = 1;
    stria_view one;
    struct arg of_one = {.view = &one};
    if (status != STRIA_OK || with < ONES) return status;
    if (with == ONES) {
        STRIA_TRY(stria_view_foreign(&one, &number, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
        value = &of_one;
    }
    STRIA_TRY(stria__call_holds(c->out.view.dtype, value));
    return stria_copy(VIEW, value->view, NULL);
}

/* ---- by shape ------------------------------------------------------------------------------- */

/*
 * Makes an array whose shape is argument `shape`; a value, if the row takes one, and the dtype
 * follow. The default dtype is that of the array in front of the shape, or of the value; PyTorch
 * makes f32 of floats.
 */
stria_status stria__row_by_shape(struct invocation *c, enum filling with, int shape)
{
    const struct arg *const sizes = &c->args[shape], *const value = sizes + 1;
    stria_dtype own = stria_dtype_of(stria__row_floats(c->row));
    if (with == VALUE)
        own = c->row->world == WORLD_TORCH ? stria__torch_dtype(value->view->dtype)
                                           : value->view->dtype;
    if (shape) own = A->dtype;
    own = stria__dtype_or(value + (with == VALUE), own);
    return filled(c, (with == ZEROS ? make_zeros : stria__call_make)(c, own, sizes), with, value);
}

/* ---- by shape and order --------------------------------------------------------------------- */

/* Makes an array with strides; argument `at` is the size, the strides and the dtype follow. */
stria_status stria__row_make_strided(struct invocation *c, int at)
{
    const struct arg *const size = &c->args[at];
    const stria_dtype own = at ? A->dtype : stria_dtype_of(STRIA_F32),
                      dtype = stria__dtype_or(&size[2], own);
    int64_t *bytes;
    STRIA_TRY(stria__call_strides(c, &bytes, size, &size[1], dtype));
    return stria_new_empty_strided(NEW, c->x, dtype, (int)size->count, size->ints, bytes);
}

stria_status stria__row_empty_permuted(struct invocation *c)
{
    const struct arg *size = &c->args[0], *dims = &c->args[1];
    const stria_dtype dtype = stria__dtype_or(&c->args[2], stria_dtype_of(STRIA_F32));
    const int n = (int)size->count;
    int order[STRIA_MAX_NDIM];
    int64_t strides[STRIA_MAX_NDIM], bytes;
    if (dims->count != size->count)
        return REFUSE(DIM, "empty_permuted: %lld sizes and %lld dims", (long long)size->count,
                      (long long)dims->count);
    STRIA_TRY(stria__check_shape(n, size->ints, "empty_permuted"));
    STRIA_TRY(stria__wrap_dims(order, n, n, dims->dims, "empty_permuted"));
    STRIA_TRY(stria__dense_permuted(strides, &bytes, n, size->ints, dtype.itemsize, order,
                                    "empty_permuted"));
    return stria_new_empty_strided(NEW, c->x, dtype, n, size->ints, strides);
}

/* ---- like another array --------------------------------------------------------------------- */

stria_status stria__row_like(struct invocation *c, enum filling with)
{
    const struct arg *const value = &c->args[1], *const dtype = value + (with == VALUE);
    const stria_dtype own = stria__dtype_or(dtype, A->dtype);
    return filled(
        c, (with == ZEROS ? stria_zeros_like : stria_empty_like)(NEW, A, own, dtype[1].format),
        with, value);
}
