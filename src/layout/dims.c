/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dims as callers write them: negative ones count from the end, and a list or set has each dim
 * once. Selecting and slicing layouts is here, too.
 */
#include "base/integers.h"
#include "layout/layout.h"
#include "base/status.h"

stria_status stria__refuse_dim(int dim, int ndim, const char *op)
{
    if (ndim == 0)
        return stria__fail(STRIA_ERR_DIM, "%s: dim %d of a view of 0 dims; unsqueeze it first", op,
                           dim);
    return stria__fail(STRIA_ERR_DIM, "%s: dim %d is outside %d .. %d, the view has %d dims", op,
                       dim, -ndim, ndim - 1, ndim);
}

/* Names the first of the dims that is out of range or was listed before. DIM. */
static stria_status refuse_dims(int ndim, int count, const int *dims, const char *op)
{
    uint64_t seen = 0;
    for (int i = 0; i < count; i++) {
        int d = 0;
        STRIA_TRY(stria__wrap_dim(&d, dims[i], ndim, op));
        const uint64_t bit = UINT64_C(1) << d;
        if (seen & bit)
            return stria__fail(STRIA_ERR_DIM, "%s: dim %d is listed twice (as %d at place %d)", op,
                               d, dims[i], i);
        seen |= bit;
    }
    return STRIA_OK;
}

/* Writes the wrapped dims in order, if out is not NULL, and as a set. */
static inline stria_status wrap_all(int *out, uint64_t *set, int ndim, int count, const int *dims,
                                    const char *op)
{
    if (count < 0 || (!dims && count > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d dims at %s", op, count,
                           dims ? "an address" : "NULL");
    if (count > ndim) return refuse_dims(ndim, count, dims, op);
    uint64_t seen = 0;
    bool wrong = false;
    for (int i = 0; i < count; i++) {
        const int d = dims[i] < 0 ? dims[i] + ndim : dims[i];
        const uint64_t bit = UINT64_C(1) << (d & 63);
        wrong |= ((unsigned)d >= (unsigned)ndim) | ((seen & bit) != 0);
        seen |= bit;
        if (out) out[i] = d;
    }
    *set = seen;
    return wrong ? refuse_dims(ndim, count, dims, op) : STRIA_OK;
}

stria_status stria__wrap_dims(int *out, int ndim, int count, const int *dims, const char *op)
{
    uint64_t set;
    return wrap_all(out, &set, ndim, count, dims, op);
}

/* Makes the set of a view of 0 dims, which counts as 1 dim here; the message of a refusal says
 * so. */
static stria_status set_of_none(uint64_t *out, int count, const int *dims, const char *op)
{
    for (int i = 0; dims && i < count; i++)
        if (dims[i] != 0 && dims[i] != -1)
            return stria__fail(STRIA_ERR_DIM, "%s: dim %d is outside -1 .. 0 of a view of 0 dims",
                               op, dims[i]);
    return wrap_all(NULL, out, 1, count, dims, op);
}

stria_status stria__dim_set(uint64_t *out, int ndim, int count, const int *dims, const char *op)
{
    return ndim == 0 ? set_of_none(out, count, dims, op)
                     : wrap_all(NULL, out, ndim, count, dims, op);
}

int64_t stria__unit_stride(const struct geometry *a, int d)
{
    return d < a->ndim ? scaled_stride(a->strides[d], a->shape[d]) : a->itemsize;
}

stria_status stria__check_more_dims(const struct geometry *a, int count, const char *op)
{
    if (count <= STRIA_MAX_NDIM - a->ndim) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %d dims and %d new ones are more than %d", op, a->ndim,
                       count, STRIA_MAX_NDIM);
}

void stria__layout_swap(struct layout *out, const struct geometry *a, int i, int j)
{
    layout_start(out, a);
    if (a->ndim == 0) return;
    layout_put(out, i, a->shape[j], a->strides[j]);
    layout_put(out, j, a->shape[i], a->strides[i]);
}

/*
 * Selects an element of a dim, or every step-th element from a start. An empty part keeps the
 * stride and does not move the first element.
 */

void stria__layout_select(struct layout *out, const struct geometry *a, int d, int64_t index)
{
    out->ndim = a->ndim - 1;
    layout_move(out, index, a->strides[d]);
    layout_keep(out, 0, a, 0, d);
    layout_keep(out, d, a, d + 1, a->ndim);
}

void stria__layout_slice(struct layout *out, const struct geometry *a, int d, struct range range)
{
    const int64_t stride = a->strides[d];
    layout_start(out, a);
    out->shape[d] = range.length;
    if (range.length == 0) return;
    layout_move(out, range.start, stride);
    out->strides[d] = scaled_stride(stride, range.step);
}

stria_status stria__check_index(int64_t index, int64_t size, int dim, const char *op)
{
    if (index >= -size && index < size) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is outside dim %d of size %lld%s", op,
                       (long long)index, dim, (long long)size,
                       size ? "; negative ones count from the end" : ": it has no elements");
}

stria_status stria__check_step(int64_t step, const char *op)
{
    if (step != 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: the step of a slice cannot be 0", op);
}
