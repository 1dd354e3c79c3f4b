/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks reductions. Every message begins with the reduction and names the operand. */
#include "ops/reduce/reduction.h"

#include <float.h>

#include "ops/operands.h"

static stria_status find_dims(struct reduce_call *c)
{
    const int ndim = c->a->ndim;
    if (c->count == STRIA_ALL_DIMS) {
        c->set = ndim == 64 ? UINT64_MAX : (UINT64_C(1) << ndim) - 1;
        return STRIA_OK;
    }
    if (c->count < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d dims; STRIA_ALL_DIMS, %d, stands for all",
                           c->row->name, c->count, STRIA_ALL_DIMS);
    if (c->count > 0 && !c->dims)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: dims is NULL", c->row->name);
    STRIA_TRY(stria__dim_set(&c->set, ndim, c->count, c->dims, c->row->name));
    if (ndim == 0) c->set = 0;
    return STRIA_OK;
}

/* Refuses outputs that need an element when there is none. */
static stria_status check_elements(const struct reduce_call *c)
{
    int64_t outputs = 1;
    int empty = 0;
    for (int d = 0; d < c->a->ndim; d++) {
        if (!(c->set >> d & 1) && c->a->shape[d] == 0) outputs = 0;
        if (c->set >> d & 1 && c->a->shape[d] == 0) empty = d;
    }
    if (c->n > 0 || outputs == 0 || c->row->empty != NO_VALUE || c->none_allowed) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_SHAPE,
        "%s: there are no elements along dim %d of shape %s, and nothing is the %s of none",
        c->row->name, empty, stria__dims_text(c->a->ndim, c->a->shape).text, c->row->name);
}

stria_status stria__check_reduction(struct reduce_call *c)
{
    if (!c->row) c->row = stria__reduction_info(c->op);
    if (!c->row)
        return stria__fail(STRIA_ERR_ARGUMENT, "reduce_dims: there is no reduction %d", (int)c->op);
    STRIA_TRY(stria__check_exec(c->exec, c->row->name));
    if (!c->described) STRIA_TRY(stria__check_view(c->a, c->row->name, "a"));
    const bool numpy = c->exec && (c->exec->hints & STRIA_PROMOTE_AS_NUMPY);
    STRIA_TRY(stria__reduced_dtype(&c->result, c->row, c->row->name, c->a->dtype,
                                   numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH));
    STRIA_TRY(find_dims(c));
    if (!(c->ddof >= 0) || c->ddof > DBL_MAX)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: a ddof of %g, must be 0 or more", c->row->name,
                           c->ddof);
    c->n = 1;
    for (int d = 0; d < c->a->ndim; d++)
        if (c->set >> d & 1 && mul_overflows(c->n, c->a->shape[d], &c->n))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "%s: the elements of shape %s are more than 64 bits count",
                               c->row->name, stria__dims_text(c->a->ndim, c->a->shape).text);
    return check_elements(c);
}

int stria__reduced_shape(int64_t *shape, const struct reduce_call *c, bool keepdims)
{
    int ndim = 0;
    for (int d = 0; d < c->a->ndim; d++) {
        if (!(c->set >> d & 1))
            shape[ndim++] = c->a->shape[d];
        else if (keepdims)
            shape[ndim++] = 1;
    }
    return ndim;
}

static bool has_shape(const stria_view *out, const struct reduce_call *c, bool keepdims)
{
    int64_t shape[STRIA_MAX_NDIM];
    return view_has_shape(out, stria__reduced_shape(shape, c, keepdims), shape);
}

static stria_status refuse_shape(const stria_view *out, const struct reduce_call *c)
{
    int64_t shape[STRIA_MAX_NDIM];
    const int ndim = stria__reduced_shape(shape, c, false);
    return stria__fail(
        STRIA_ERR_SHAPE,
        "%s: out has shape %s, the result of a of shape %s has %s, or 1 where dims are reduced",
        c->row->name, stria__dims_text(out->ndim, out->shape).text,
        stria__dims_text(c->a->ndim, c->a->shape).text, stria__dims_text(ndim, shape).text);
}

stria_status stria__check_reduced(stria_view *kept, const stria_view *out,
                                  const struct reduce_call *c)
{
    STRIA_TRY(stria__check_writable(out, c->row->name, "out"));
    const bool keepdims = out->ndim == c->a->ndim;
    if (!has_shape(out, c, keepdims)) return refuse_shape(out, c);
    STRIA_TRY(stria__check_result(c->result, out, STRIA_CAST_SAME_KIND, c->row->name, "out"));
    STRIA_TRY(stria__check_itself(out, c->row->name, "out"));
    view_set(kept, out->data, out->buffer, out->dtype, out->flags, 0, NULL, NULL);
    for (int d = 0; d < out->ndim; d++) {
        if (keepdims && c->set >> d & 1) continue;
        kept->shape[kept->ndim] = out->shape[d];
        kept->strides[kept->ndim++] = out->strides[d];
    }
    return STRIA_OK;
}
