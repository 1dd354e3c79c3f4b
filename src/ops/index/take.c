/* SPDX-License-Identifier: BSD-3-Clause */
/* take, gather, put, scatter and their kin: which elements are meant, then one read or write. */
#include <string.h>

#include "array.h"
#include "ops/copy/check.h"
#include "ops/index/indexed.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "view/view.h"

static stria_status check(const void *out, const stria_view *a, const stria_view *index,
                          const char *op)
{
    STRIA_TRY(view_check(out, a, op));
    return view_check(out, index, op);
}

static stria_status wrap_dim(int *wrapped, int dim, int ndim, const char *op)
{
    const int n = at_least_1(ndim);
    if (dim < -n || dim >= n)
        return stria__fail(STRIA_ERR_DIM, "%s: dim %d is outside -%d .. %d", op, dim, n, n - 1);
    *wrapped = dim < 0 ? dim + n : dim;
    return STRIA_OK;
}

/* A 0-d view as one of 1 dim, so that its dim 0 can be indexed as in PyTorch. */
static stria_status at_least_1d(stria_view *out, const stria_view *a)
{
    if (a->ndim == 0) return stria_unsqueeze(out, a, 0);
    view_copy(out, a);
    return STRIA_OK;
}

static stria_status read_and_release(stria_array *out, struct indexed *from)
{
    const stria_status status = stria__indexed_read(out, from);
    stria__indexed_release(from);
    return status;
}

static stria_status write_and_release(struct indexed *to, const stria_view *dst,
                                      const stria_view *values, stria_reduce reduce,
                                      const char *op)
{
    const stria_status status = stria__indexed_write(to, dst, values, reduce, op);
    stria__indexed_release(to);
    return status;
}

/* ---- flat ----------------------------------------------------------------------------------- */

stria_status stria_take(stria_array *out, const stria_view *a, const stria_view *index,
                        stria_index_mode mode)
{
    struct indexed from;
    STRIA_TRY(check(out, a, index, "take"));
    STRIA_TRY(stria__indexed_flat(&from, a, index, mode, "take"));
    return read_and_release(out, &from);
}

stria_status stria_put(const stria_view *dst, const stria_view *index, const stria_view *values,
                       stria_index_mode mode, stria_reduce reduce)
{
    struct indexed to;
    STRIA_TRY(stria__check_writable(dst, "put", "dst"));
    STRIA_TRY(check(dst, index, values, "put"));
    STRIA_TRY(stria__indexed_flat(&to, dst, index, mode, "put"));
    return write_and_release(&to, dst, values, reduce, "put");
}

/* ---- one dim -------------------------------------------------------------------------------- */

static stria_status indexed_dim(struct indexed *out, const stria_view *a, int dim,
                                const stria_view *index, stria_index_mode mode, const char *op)
{
    int d = 0;
    STRIA_TRY(wrap_dim(&d, dim, a->ndim, op));
    const struct index_arrays one = {.count = 1, .dims = {d}, .arrays = {index}, .at = d};
    return stria__indexed(out, a, &one, mode, op);
}

stria_status stria_take_dim(stria_array *out, const stria_view *a, const stria_view *index, int dim,
                            stria_index_mode mode)
{
    struct indexed from;
    stria_view line;
    STRIA_TRY(check(out, a, index, "take"));
    STRIA_TRY(at_least_1d(&line, a));
    STRIA_TRY(indexed_dim(&from, &line, dim, index, mode, "take"));
    return read_and_release(out, &from);
}

stria_status stria_index_copy(const stria_view *dst, int dim, const stria_view *index,
                              const stria_view *src, stria_reduce reduce)
{
    struct indexed to;
    stria_view line, names;
    STRIA_TRY(stria__check_writable(dst, "index_copy", "dst"));
    STRIA_TRY(check(dst, index, src, "index_copy"));
    if (index->ndim > 1)
        return stria__fail(STRIA_ERR_SHAPE, "index_copy: the index has %d dims, not 0 or 1",
                           index->ndim);
    STRIA_TRY(at_least_1d(&line, dst));
    STRIA_TRY(at_least_1d(&names, index));
    STRIA_TRY(indexed_dim(&to, &line, dim, &names, STRIA_INDEX_STRICT, "index_copy"));
    return write_and_release(&to, dst, src, reduce, "index_copy");
}

stria_status stria_index_add(const stria_view *dst, int dim, const stria_view *index,
                             const stria_view *src, const stria_view *alpha)
{
    stria_array scaled;
    STRIA_TRY(stria__check_writable(dst, "index_add", "dst"));
    STRIA_TRY(check(dst, index, src, "index_add"));
    if (!alpha) return stria_index_copy(dst, dim, index, src, STRIA_REDUCE_SUM);
    STRIA_TRY(stria__empty_like_memory(&scaled, src, dst->dtype, src->ndim, src->shape,
                                       STRIA_ORDER_C));
    stria_status status = stria_copy(&scaled.view, src);
    if (status == STRIA_OK)
        status = stria_index_put(&scaled.view, 0, NULL, alpha, STRIA_PLACE_NUMPY,
                                 STRIA_REDUCE_PROD);
    if (status == STRIA_OK)
        status = stria_index_copy(dst, dim, index, &scaled.view, STRIA_REDUCE_SUM);
    stria_array_release(&scaled);
    return status;
}

/* ---- along a dim ---------------------------------------------------------------------------- */

/* As large as `a` in every dim but one, or smaller. */
static stria_status check_along(const stria_view *index, const stria_view *a, int dim,
                                const char *op, const char *what)
{
    if (at_least_1(index->ndim) != at_least_1(a->ndim))
        return stria__fail(STRIA_ERR_SHAPE, "%s: the index has %d dims, %s has %d; they must have "
                           "the same number", op, index->ndim, what, a->ndim);
    for (int d = 0; d < index->ndim && d < a->ndim; d++)
        if (d != dim && index->shape[d] > a->shape[d])
            return stria__fail(STRIA_ERR_SHAPE, "%s: the index of shape %s is larger than %s of "
                               "shape %s in dim %d", op,
                               stria__dims_text(index->ndim, index->shape).text, what,
                               stria__dims_text(a->ndim, a->shape).text, d);
    return STRIA_OK;
}

/* The result has the shape of the index, 0-d where that is 0-d. */
static stria_status indexed_along(struct indexed *out, const stria_view *a, int dim,
                                  const stria_view *index, stria_index_mode mode, const char *op)
{
    stria_view line, names;
    STRIA_TRY(at_least_1d(&line, a));
    STRIA_TRY(at_least_1d(&names, index));
    STRIA_TRY(stria__indexed_along(out, &line, dim, &names, mode, op));
    out->base.ndim = out->offsets.ndim = index->ndim;
    return STRIA_OK;
}

stria_status stria_gather(stria_array *out, const stria_view *a, int dim, const stria_view *index)
{
    struct indexed from;
    int d = 0;
    STRIA_TRY(check(out, a, index, "gather"));
    STRIA_TRY(wrap_dim(&d, dim, a->ndim, "gather"));
    if (stria_numel(index) == 0) /* nothing is asked for, of whatever rank, as in PyTorch */
        return stria__empty_like_memory(out, a, a->dtype, index->ndim, index->shape, STRIA_ORDER_C);
    STRIA_TRY(check_along(index, a, d, "gather", "the array"));
    STRIA_TRY(indexed_along(&from, a, d, index, STRIA_INDEX_STRICT, "gather"));
    return read_and_release(out, &from);
}

stria_status stria_take_along_dim(stria_array *out, const stria_view *a, const stria_view *index,
                                  int dim)
{
    struct indexed from;
    stria_view wide, names;
    int64_t shape[STRIA_MAX_NDIM], own[STRIA_MAX_NDIM];
    int d = 0;
    STRIA_TRY(check(out, a, index, "take_along_dim"));
    STRIA_TRY(wrap_dim(&d, dim, a->ndim, "take_along_dim"));
    if (index->ndim != a->ndim)
        return stria__fail(STRIA_ERR_SHAPE, "take_along_dim: the index has %d dims, the array has "
                           "%d; they must have the same number", index->ndim, a->ndim);
    for (int i = 0; i < a->ndim; i++) {
        const bool along = i == d;
        own[i] = along ? a->shape[i] : a->shape[i] == 1 ? index->shape[i] : a->shape[i];
        shape[i] = along ? index->shape[i] : own[i];
    }
    STRIA_TRY(stria_expand(&wide, a, a->ndim, own));
    STRIA_TRY(stria_expand(&names, index, a->ndim, shape));
    STRIA_TRY(indexed_along(&from, &wide, d, &names, STRIA_INDEX_RAISE, "take_along_dim"));
    return read_and_release(out, &from);
}

/* The part of src that index stands for: as many of its first elements along every dim. */
static stria_status sources(stria_view *out, const stria_view *src, const stria_view *index)
{
    view_copy(out, src);
    if (src->ndim == 0) return STRIA_OK;
    STRIA_TRY(check_along(index, src, -1, "scatter", "src"));
    for (int d = 0; d < index->ndim; d++) out->shape[d] = index->shape[d];
    return STRIA_OK;
}

stria_status stria_scatter(const stria_view *dst, int dim, const stria_view *index,
                           const stria_view *src, stria_reduce reduce)
{
    struct indexed to;
    stria_view values;
    int d = 0;
    STRIA_TRY(stria__check_writable(dst, "scatter", "dst"));
    STRIA_TRY(check(dst, index, src, "scatter"));
    STRIA_TRY(wrap_dim(&d, dim, dst->ndim, "scatter"));
    if (stria_numel(index) == 0) return STRIA_OK;
    STRIA_TRY(check_along(index, dst, d, "scatter", "dst"));
    STRIA_TRY(sources(&values, src, index));
    STRIA_TRY(indexed_along(&to, dst, d, index, STRIA_INDEX_STRICT, "scatter"));
    return write_and_release(&to, dst, &values, reduce, "scatter");
}
