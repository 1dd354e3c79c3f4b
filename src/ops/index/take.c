/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * take, gather, put, scatter and similar functions: they describe a place, and read or write once.
 */
#include <string.h>

#include "ops/doors.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"
#include "stria/axes.h"
#include "stria/broadcast.h"

/* Checks where elements go that are read: to out or, if that is NULL, into a new array. */
static stria_status check_read(const stria_view *out, const stria_array *made, const stria_view *a,
                               const stria_view *index, const char *op)
{
    if (out) STRIA_TRY(stria__check_writable(out, op, "out"));
    STRIA_TRY(view_check(out ? (const void *)out : made, a, op));
    return stria__check_view(index, op, "the index");
}

static stria_status read_at(const stria_view *out, stria_array *made, const stria_view *a,
                            const struct place *place, const char *op)
{
    return out ? stria__take_into(out, a, place, op) : stria__take_at(made, a, place, op);
}

static stria_status check_write(const stria_view *dst, const stria_view *index,
                                const stria_view *src, const char *op, const char *source)
{
    STRIA_TRY(stria__check_writable(dst, op, "out"));
    STRIA_TRY(stria__check_view(index, op, "the index"));
    return stria__check_view(src, op, source);
}

/* ---- elements by number --------------------------------------------------------------------- */

/* Takes elements by their numbers in C order into out, or into a new array if that is NULL. */
static stria_status take_flat(const stria_view *out, stria_array *made, const stria_view *a,
                              const stria_view *index, stria_index_mode mode,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "take");
    const struct place place = {.way = PLACE_FLAT, .index = index, .mode = mode};
    STRIA_TRY(check_read(out, made, a, index, "take"));
    return read_at(out, made, a, &place, "take");
}

DOORS(take, (const stria_view *a, const stria_view *index, stria_index_mode mode),
      take_flat(out, made, a, index, mode, exec))

stria_status stria_put(const stria_view *dst, const stria_view *index, const stria_view *values,
                       stria_index_mode mode, stria_reduce reduce, const stria_exec *exec)
{
    TAKES_EXEC(exec, "put");
    const struct place place = {.way = PLACE_FLAT, .index = index, .mode = mode};
    STRIA_TRY(check_write(dst, index, values, "put", "values"));
    return stria__put_at(dst, &place, values, (struct combining){.reduce = reduce}, "put");
}

/* ---- one dim -------------------------------------------------------------------------------- */

static stria_status take_dim(const stria_view *out, stria_array *made, const stria_view *a,
                             const stria_view *index, int dim, stria_index_mode mode,
                             const stria_exec *exec)
{
    TAKES_EXEC(exec, "take_dim");
    struct place place = {.way = PLACE_DIM, .index = index, .mode = mode};
    STRIA_TRY(check_read(out, made, a, index, "take"));
    STRIA_TRY(stria__wrap_dim(&place.dim, dim, at_least_1(a->ndim), "take"));
    return read_at(out, made, a, &place, "take");
}

DOORS(take_dim, (const stria_view *a, const stria_view *index, int dim, stria_index_mode mode),
      take_dim(out, made, a, index, dim, mode, exec))

static stria_status write_slices(const stria_view *dst, int dim, const stria_view *index,
                                 const stria_view *src, struct combining how, const char *op)
{
    struct place place = {.way = PLACE_DIM, .mode = STRIA_INDEX_STRICT};
    stria_view names;
    STRIA_TRY(check_write(dst, index, src, op, "src"));
    if (index->ndim > 1)
        return stria__fail(STRIA_ERR_SHAPE, "%s: the index has %d dims, not 0 or 1", op,
                           index->ndim);
    STRIA_TRY(stria__wrap_dim(&place.dim, dim, at_least_1(dst->ndim), op));
    STRIA_TRY(stria_atleast_1d(&names, index));
    place.index = &names;
    return stria__put_at(dst, &place, src, how, op);
}

stria_status stria_index_copy(const stria_view *dst, const stria_view *index, const stria_view *src,
                              int dim, stria_reduce reduce, const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_copy");
    return write_slices(dst, dim, index, src, (struct combining){.reduce = reduce}, "index_copy");
}

stria_status stria_index_reduce(const stria_view *dst, const stria_view *index,
                                const stria_view *src, int dim, stria_reduce reduce,
                                bool include_self, const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_reduce");
    const struct combining how = {.reduce = reduce, .without_self = !include_self};
    return write_slices(dst, dim, index, src, how, "index_reduce");
}

stria_status stria_index_add(const stria_view *dst, const stria_view *index, const stria_view *src,
                             const stria_view *alpha, int dim, const stria_exec *exec)
{
    TAKES_EXEC(exec, "index_add");
    const struct combining sum = {.reduce = STRIA_REDUCE_SUM, .round_once = true};
    OWNED_ARRAY(scaled);
    if (!alpha) return write_slices(dst, dim, index, src, sum, "index_add");
    STRIA_TRY(check_write(dst, index, src, "index_add", "src"));
    STRIA_TRY(stria__check_view(alpha, "index_add", "alpha"));
    const stria_view *const near = view_nearest(2, (const stria_view *[]){src, alpha});
    STRIA_TRY(
        stria__empty_like_memory(&scaled, near, dst->dtype, src->ndim, src->shape, STRIA_ORDER_C));
    STRIA_TRY(stria_copy(&scaled.view, src, NULL));
    STRIA_TRY(
        stria_index_put(&scaled.view, 0, NULL, alpha, STRIA_PLACE_NUMPY, STRIA_REDUCE_PROD, NULL));
    return write_slices(dst, dim, index, &scaled.view, sum, "index_add");
}

/* ---- along a dim ---------------------------------------------------------------------------- */

/* Checks that index is not larger than `a` in any dim but one. */
static stria_status check_along(const stria_view *index, const stria_view *a, int dim,
                                const char *op, const char *what)
{
    if (at_least_1(index->ndim) != at_least_1(a->ndim))
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: the index has %d dims, %s has %d; they must have the same number",
                           op, index->ndim, what, a->ndim);
    for (int d = 0; d < index->ndim && d < a->ndim; d++)
        if (d != dim && index->shape[d] > a->shape[d])
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: the index of shape %s is larger than %s of shape %s in dim %d",
                               op, stria__dims_text(index->ndim, index->shape).text, what,
                               stria__dims_text(a->ndim, a->shape).text, d);
    return STRIA_OK;
}

static stria_status gather(const stria_view *out, stria_array *made, const stria_view *a,
                           const stria_view *index, int dim, const stria_exec *exec)
{
    TAKES_EXEC(exec, "gather");
    struct place place = {.way = PLACE_ALONG, .index = index, .mode = STRIA_INDEX_STRICT};
    STRIA_TRY(check_read(out, made, a, index, "gather"));
    STRIA_TRY(stria__wrap_dim(&place.dim, dim, at_least_1(a->ndim), "gather"));
    if (stria_numel(index) > 0) {
        STRIA_TRY(check_along(index, a, place.dim, "gather", "the array"));
        return read_at(out, made, a, &place, "gather");
    }
    /* Nothing is read, and any number of dims is allowed, as in PyTorch. */
    if (out) return stria__check_out(out, index->ndim, index->shape, a->dtype, "gather");
    return stria__empty_like_memory(made, a, a->dtype, index->ndim, index->shape, STRIA_ORDER_C);
}

DOORS(gather, (const stria_view *a, const stria_view *index, int dim),
      gather(out, made, a, index, dim, exec))

static stria_status take_along_dim(const stria_view *out, stria_array *made, const stria_view *a,
                                   const stria_view *index, int dim, const stria_exec *exec)
{
    TAKES_EXEC(exec, "take_along_dim");
    stria_view wide, names;
    struct place place = {.way = PLACE_ALONG, .index = &names, .mode = STRIA_INDEX_RAISE};
    int64_t shape[STRIA_MAX_NDIM], own[STRIA_MAX_NDIM];
    STRIA_TRY(check_read(out, made, a, index, "take_along_dim"));
    STRIA_TRY(stria__wrap_dim(&place.dim, dim, at_least_1(a->ndim), "take_along_dim"));
    if (index->ndim != a->ndim)
        return stria__fail(STRIA_ERR_SHAPE,
                           "take_along_dim: the index has %d dims, the array has %d; they must "
                           "have the same number",
                           index->ndim, a->ndim);
    for (int i = 0; i < a->ndim; i++) {
        const bool along = i == place.dim;
        own[i] = along ? a->shape[i] : a->shape[i] == 1 ? index->shape[i] : a->shape[i];
        shape[i] = along ? index->shape[i] : own[i];
    }
    STRIA_TRY(stria_expand(&wide, a, a->ndim, own));
    STRIA_TRY(stria_expand(&names, index, a->ndim, shape));
    return read_at(out, made, &wide, &place, "take_along_dim");
}

DOORS(take_along_dim, (const stria_view *a, const stria_view *index, int dim),
      take_along_dim(out, made, a, index, dim, exec))

/* Takes the part of src that has an index: the first elements along every dim. */
static stria_status sources(stria_view *out, const stria_view *src, const stria_view *index)
{
    view_copy(out, src);
    if (src->ndim == 0) return STRIA_OK;
    STRIA_TRY(check_along(index, src, -1, "scatter", "src"));
    for (int d = 0; d < index->ndim; d++)
        out->shape[d] = index->shape[d];
    return STRIA_OK;
}

static stria_status scatter(const stria_view *dst, int dim, const stria_view *index,
                            const stria_view *src, struct combining how)
{
    struct place place = {.way = PLACE_ALONG, .index = index, .mode = STRIA_INDEX_STRICT};
    stria_view values;
    STRIA_TRY(check_write(dst, index, src, "scatter", "src"));
    STRIA_TRY(stria__wrap_dim(&place.dim, dim, at_least_1(dst->ndim), "scatter"));
    if (stria_numel(index) == 0) return STRIA_OK;
    STRIA_TRY(check_along(index, dst, place.dim, "scatter", "out"));
    STRIA_TRY(sources(&values, src, index));
    return stria__put_at(dst, &place, &values, how, "scatter");
}

stria_status stria_scatter(const stria_view *dst, const stria_view *index, const stria_view *src,
                           int dim, stria_reduce reduce, const stria_exec *exec)
{
    TAKES_EXEC(exec, "scatter");
    const struct combining how = {.reduce = reduce, .round_once = true};
    return scatter(dst, dim, index, src, how);
}

stria_status stria_scatter_reduce(const stria_view *dst, const stria_view *index,
                                  const stria_view *src, int dim, stria_reduce reduce,
                                  bool include_self, const stria_exec *exec)
{
    TAKES_EXEC(exec, "scatter_reduce");
    const struct combining how = {
        .reduce = reduce, .without_self = !include_self, .round_once = true};
    return scatter(dst, dim, index, src, how);
}
