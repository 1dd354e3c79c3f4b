/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the base view and the offsets of indexed.h. */
#include "ops/index/indexed.h"

#include <string.h>

#include "ops/operands.h"
#include "stria/axes.h"

/* ---- index arrays as i64 -------------------------------------------------------------------- */

stria_status stria__index_values(stria_array *out, const stria_view *index, const char *op)
{
    if (!is_integer_kind((stria_kind)index->dtype.kind))
        return stria__fail(STRIA_ERR_DTYPE, "%s: the index is of dtype %s; indices are integers",
                           op, stria__dtype_text(index->dtype).text);
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    if (view_has_items(index, i64) && stria_is_aligned(index)) {
        array_share(out, index);
        return STRIA_OK;
    }
    OWNED_ARRAY(values);
    STRIA_TRY(
        stria__empty_like_memory(&values, index, i64, index->ndim, index->shape, STRIA_ORDER_C));
    return stria__deliver(out, &values, stria_copy(&values.view, index, NULL));
}

/*
 * Converts the values of a counting array. Values of u64 beyond 2^63 - 1, which no dim reaches, are
 * refused, since they would look negative.
 */
static stria_status counting_values(stria_array *out, const stria_view *index,
                                    const struct counted *counted, const char *op)
{
    OWNED_ARRAY(values);
    STRIA_TRY(stria__index_values(&values, index, op));
    if (index->dtype.kind == STRIA_U64 && !view_is_meta(index))
        STRIA_TRY(stria__check_huge(&values.view, counted, op));
    return stria__deliver(out, &values, STRIA_OK);
}

/* Uses the indices of a single array; they are copied if writing to `a` could change them. */
static stria_status use_index(struct indexed *out, const stria_view *a, const stria_view *index,
                              const char *op)
{
    OWNED_ARRAY(read);
    STRIA_TRY(stria__read_apart(&read, index, a));
    STRIA_TRY(counting_values(&out->storage, &read.view, &out->counted, op));
    view_copy(&out->offsets, &out->storage.view);
    out->counts = true;
    if (out->unchecked || view_is_meta(&out->offsets)) return STRIA_OK;
    return stria__check_indices(&out->offsets, &out->counted, op);
}

/* Adds offsets. Operands are the sums (0) and the numbers of elements (2), which are so many bytes
 * apart. */
static stria_status add_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const int64_t scale = *(const int64_t *)arg, n = d[0].n, to = d[0].s[0], from = d[0].s[2];
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < n; i++) {
            char *const at = ptr[0] + j * d[1].s[0] + i * to;
            int64_t sum;
            memcpy(&sum, at, sizeof sum);
            sum += stria__offset_at(ptr[2] + j * d[1].s[2] + i * from, scale);
            memcpy(at, &sum, sizeof sum);
        }
    return STRIA_OK;
}

/* Adds the byte offsets of one index to the sums. */
static stria_status add_index(const stria_view *sums, const stria_view *index,
                              const struct counted *counted, const char *op)
{
    OWNED_ARRAY(values);
    stria_plan plan;
    const struct index_walk walk = {counted, add_rows, &counted->scale};
    STRIA_TRY(counting_values(&values, index, counted, op));
    if (view_is_meta(sums) || stria_numel(sums) == 0) return STRIA_OK;
    STRIA_TRY(stria_plan_make(&plan, 3, (const stria_view *[]){sums, sums, &values.view}, 0));
    const stria_status status = stria_walk(&plan, stria__walk_indices, &walk, NULL);
    return status == STRIA_ERR_INDEX ? stria__refuse_walked(&values.view, counted, op) : status;
}

/*
 * Makes byte offsets of the common shape of several indices; in a meta buffer if one of them, or
 * `a`, has no memory.
 */
static stria_status sum_offsets(struct indexed *out, const stria_view *a,
                                const struct index_arrays *index, int ndim, const int64_t *shape,
                                stria_index_mode mode, const char *op)
{
    const stria_view *near = index->count ? index->arrays[0] : a;
    for (int i = 0; i < index->count; i++)
        if (view_is_meta(index->arrays[i])) near = index->arrays[i];
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    STRIA_TRY(stria__empty_like_memory(&out->storage, near, i64, ndim, shape, STRIA_ORDER_C));
    view_copy(&out->offsets, &out->storage.view);
    out->counts = false;
    if (!view_is_meta(&out->offsets))
        memset(out->offsets.data, 0, (size_t)stria_nbytes(&out->offsets));
    for (int i = 0; i < index->count; i++) {
        STRIA_TRY(stria__count_items(&out->counted, a, index->dims[i], mode));
        STRIA_TRY(add_index(&out->storage.view, index->arrays[i], &out->counted, op));
    }
    out->counted.scale = 1;
    return STRIA_OK;
}

/* ---- the ways to index ---------------------------------------------------------------------- */

static void put_dim(struct indexed *out, int d, int64_t size, int64_t base, int64_t offset)
{
    out->base.shape[d] = out->offsets.shape[d] = size;
    out->base.strides[d] = base;
    out->offsets.strides[d] = offset;
}

/*
 * Lays out the dims of `a` that no array indexes, with the dims of the indices placed among them.
 */
static void interleave(struct indexed *out, const stria_view *a, const struct index_arrays *index)
{
    const stria_view *indices = &out->storage.view;
    int n = 0, next = 0, left = 0;
    for (int d = 0; d <= a->ndim; d++) {
        if (left == index->at) {
            for (int i = 0; i < indices->ndim; i++, n++)
                put_dim(out, n, indices->shape[i], 0, indices->strides[i]);
            left++; /* The dims of the indices come only once. */
        }
        if (d == a->ndim) break;
        if (next < index->count && index->dims[next] == d) {
            next++;
            continue;
        }
        put_dim(out, n++, a->shape[d], a->strides[d], 0);
        left++;
    }
    out->base.ndim = out->offsets.ndim = n;
}

struct layers {
    const struct indexed *made;
    const struct index_arrays *index;
};

/*
 * Returns the stride of an index array along dim d of the indices' common shape; 0 if it is
 * repeated.
 */
static int64_t common_stride(const stria_view *array, int d, const stria_view *indices)
{
    const int own = d - (indices->ndim - array->ndim);
    if (own < 0 || (array->shape[own] == 1 && indices->shape[d] != 1)) return 0;
    return array->strides[own];
}

/*
 * Returns the stride of a dim of size 1 in front of an index array, or behind it, as
 * stria_view_shape computes it.
 */
static int64_t unit_stride(const stria_view *array, bool behind, const stria_view *indices)
{
    const int last = indices->ndim - 1;
    if (last < 0) return array->dtype.itemsize;
    int d = 0;
    while (d < last && indices->shape[d] == 1)
        d++;
    if (behind) d = last;
    return scaled_stride(common_stride(array, d, indices), behind ? 1 : indices->shape[d]);
}

/*
 * Returns the stride of the indexed array (operand 0) or of an index array along a dim of the
 * result. PyTorch gives index arrays dims of size 1 for the dims that they do not index, and the
 * strides of these count.
 */
static int64_t stride_of(const void *operands, int i, int d)
{
    const struct layers *l = operands;
    if (i == 0) return l->made->base.strides[d];
    const stria_view *array = l->index->arrays[i - 1], *indices = &l->made->storage.view;
    const int own = d - l->index->at;
    if (own >= 0 && own < indices->ndim) return common_stride(array, own, indices);
    return l->made->base.shape[d] == 1 ? unit_stride(array, own >= 0, indices) : 0;
}

static stria_status by_arrays(struct indexed *out, const stria_view *a,
                              const struct index_arrays *index, stria_index_mode mode,
                              const char *op)
{
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(stria__common_shape(&ndim, shape, index->count, index->arrays, op));
    if (a->ndim - index->count + ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: the result would have %d dims; %d are the most",
                           op, a->ndim - index->count + ndim, STRIA_MAX_NDIM);
    if (index->count == 1) {
        STRIA_TRY(stria__count_items(&out->counted, a, index->dims[0], mode));
        STRIA_TRY(use_index(out, a, index->arrays[0], op));
    } else {
        STRIA_TRY(sum_offsets(out, a, index, ndim, shape, mode, op));
    }
    view_copy(&out->base, a);
    interleave(out, a, index);
    const struct layers layers = {out, index};
    stria__order_by_first(out->order, out->base.ndim, out->base.shape, index->count + 1, stride_of,
                          &layers);
    return STRIA_OK;
}

static stria_status along(struct indexed *out, const stria_view *a, int dim,
                          const stria_view *index, stria_index_mode mode, const char *op)
{
    STRIA_TRY(stria__count_items(&out->counted, a, dim, mode));
    STRIA_TRY(use_index(out, a, index, op));
    view_copy(&out->base, a);
    for (int d = 0; d < a->ndim; d++)
        out->base.shape[d] = index->shape[d];
    out->base.strides[dim] = 0;
    return STRIA_OK;
}

static stria_status flat(struct indexed *out, const stria_view *a, const stria_view *index,
                         stria_index_mode mode, const char *op)
{
    STRIA_TRY(stria__count_items(&out->counted, a, -1, mode));
    STRIA_TRY(use_index(out, a, index, op));
    view_copy(&out->base, a);
    for (int d = 0; d < index->ndim; d++) {
        out->base.shape[d] = index->shape[d];
        out->base.strides[d] = 0;
    }
    out->base.ndim = index->ndim;
    return STRIA_OK;
}

stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool unchecked, const char *op)
{
    stria_view line, names;
    out->unchecked = unchecked;
    if (place->way == PLACE_ARRAYS) return by_arrays(out, a, place->arrays, place->mode, op);
    STRIA_TRY(stria_atleast_1d(&line, a)); /* Dim 0 of a 0-d array can be indexed, as in PyTorch. */
    if (place->way == PLACE_FLAT) {
        STRIA_TRY(flat(out, a, place->index, place->mode, op));
    } else if (place->way == PLACE_DIM) {
        struct index_arrays one;
        one.count = 1;
        one.dims[0] = one.at = place->dim;
        one.arrays[0] = place->index;
        STRIA_TRY(by_arrays(out, &line, &one, place->mode, op));
    } else {
        STRIA_TRY(stria_atleast_1d(&names, place->index));
        STRIA_TRY(along(out, &line, place->dim, &names, place->mode, op));
        /* The result has 0 dims if the index has. */
        out->base.ndim = out->offsets.ndim = place->index->ndim;
    }
    for (int d = 0; d < out->base.ndim; d++)
        out->order[d] = d;
    return STRIA_OK;
}
