/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the base view and the offsets of indexed.h. */
#include "ops/index/indexed.h"

#include <string.h>

#include "view/array.h"
#include "dtype/dtype.h"
#include "machine/machine.h"
#include "ops/make.h"
#include "ops/operands.h"
#include "base/status.h"
#include "stria/axes.h"
#include "stria/copy.h"
#include "view/view.h"

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
    return stria__deliver(out, &values, stria_copy(&values.view, index));
}

/*
 * Converts the values of a counting array; u64 beyond 2^63 - 1, which no dim reaches, are refused,
 * since they would look negative.
 */
static stria_status counting_values(stria_array *out, const stria_view *index,
                                    const struct counted *counted, const char *op)
{
    OWNED_ARRAY(values);
    STRIA_TRY(stria__index_values(&values, index, op));
    if (index->dtype.kind == STRIA_U64 && !view_is_meta(index))
        STRIA_TRY(stria__check_huge(values.view.data, stria_numel(index), counted, op));
    return stria__deliver(out, &values, STRIA_OK);
}

static stria_status count_dim(struct counted *out, const stria_view *a, int dim,
                              stria_index_mode mode)
{
    stria_view line;
    line.data = a->data;
    line.dtype = a->dtype;
    line.ndim = 1;
    line.shape[0] = a->shape[dim];
    /* Where there is no element a stride may be anything, and its product with an index overflow.
     */
    line.strides[0] = is_empty(a->ndim, a->shape) ? 0 : a->strides[dim];
    out->size = a->shape[dim];
    out->dim = dim;
    STRIA_TRY(stria_plan_make(&out->nest, 1, (const stria_view *[]){&line}, STRIA_PLAN_KEEP_ORDER));
    stria__count_by(out, mode);
    return STRIA_OK;
}

static stria_status count_flat(struct counted *out, const stria_view *a, stria_index_mode mode)
{
    out->size = stria_numel(a);
    out->dim = -1;
    STRIA_TRY(stria_plan_make(&out->nest, 1, (const stria_view *[]){a}, STRIA_PLAN_KEEP_ORDER));
    stria__count_by(out, mode);
    return STRIA_OK;
}

/*
 * Uses the indices themselves instead of offsets, which are then computed when they are used. Where
 * a late refusal does no harm, many indices are not checked in a pass of their own first.
 */
static stria_status use_index(struct indexed *out, const stria_view *index, stria_index_mode mode,
                              const char *op)
{
    const struct counted *const counted = &out->counted;
    const bool of_one = counted->nest.ndim == 1;
    bool plain = false;
    STRIA_TRY(counting_values(&out->storage, index, counted, op));
    view_copy(&out->offsets, &out->storage.view);
    const bool decidable = counted->size <= INT64_C(1) << 62; /* the kernel survey_indices decides
                                                                 that alone */
    out->unchecked = out->unchecked && decidable && stria_numel(index) >= INDEXING_UNCHECKED;
    if (!view_is_meta(&out->offsets) && !out->unchecked)
        STRIA_TRY(stria__check_indices(&plain, out->offsets.data, stria_numel(&out->offsets),
                                       counted, mode, op));
    out->locates = out->unchecked || !(of_one && (plain || counted->beyond == NONE_BEYOND));
    out->scale = of_one ? counted->nest.dims[0].s[0] : 1;
    out->last = of_one ? (uint64_t)counted->size - 1 : UINT64_MAX;
    out->wrap = plain || out->locates ? 0 : counted->size;
    return STRIA_OK;
}

/* Adds the byte offsets of one index to the sums in offsets; `first` when there are no sums yet. */
static stria_status add_index(const stria_view *offsets, bool first, const stria_view *index,
                              const struct counted *counted, stria_index_mode mode, const char *op)
{
    OWNED_ARRAY(values);
    STRIA_TRY(counting_values(&values, index, counted, op));
    if (view_is_meta(offsets) || stria_numel(offsets) == 0) return STRIA_OK;
    return stria__add_offsets(offsets, first, &values.view, counted, mode, op);
}

/*
 * Makes offsets of the common shape of the indices: in a meta buffer when one of them, or `a`, has
 * no memory.
 */
static stria_status make_offsets(struct indexed *out, const stria_view *a, int n,
                                 const stria_view *const *arrays, int ndim, const int64_t *shape)
{
    const stria_view *near = n ? arrays[0] : a;
    for (int i = 0; i < n; i++)
        if (view_is_meta(arrays[i])) near = arrays[i];
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    STRIA_TRY(stria__empty_like_memory(&out->storage, near, i64, ndim, shape, STRIA_ORDER_C));
    view_copy(&out->offsets, &out->storage.view);
    out->scale = 1;
    out->wrap = 0;
    out->locates = out->unchecked = false;
    out->last = UINT64_MAX;
    if (n == 0 && !view_is_meta(&out->offsets))
        memset(out->offsets.data, 0, (size_t)stria_nbytes(&out->offsets));
    return STRIA_OK;
}

/* Makes the offsets of a single index, of which `a`, which may be written, changes nothing. */
static stria_status offsets_of(struct indexed *out, const stria_view *a, const stria_view *index,
                               stria_index_mode mode, const char *op)
{
    OWNED_ARRAY(read);
    STRIA_TRY(stria__read_apart(&read, index, a));
    return use_index(out, &read.view, mode, op);
}

/* ---- the ways to index ---------------------------------------------------------------------- */

static void put_dim(struct indexed *out, int d, int64_t size, int64_t base, int64_t offset)
{
    out->base.shape[d] = out->offsets.shape[d] = size;
    out->base.strides[d] = base;
    out->offsets.strides[d] = offset;
}

/*
 * Lays out the dims of `a` that no array indexes, with the dims of the indices in their place among
 * them.
 */
static void interleave(struct indexed *out, const stria_view *a, const struct index_arrays *index)
{
    const stria_view *indices = &out->storage.view;
    int n = 0, next = 0, left = 0;
    for (int d = 0; d <= a->ndim; d++) {
        if (left == index->at) {
            for (int i = 0; i < indices->ndim; i++, n++)
                put_dim(out, n, indices->shape[i], 0, indices->strides[i]);
            left++; /* only once */
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
 * Returns the stride of an index array along dim d of the indices' common shape: 0 where it is
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
        STRIA_TRY(count_dim(&out->counted, a, index->dims[0], mode));
        STRIA_TRY(offsets_of(out, a, index->arrays[0], mode, op));
    } else
        STRIA_TRY(make_offsets(out, a, index->count, index->arrays, ndim, shape));
    for (int i = 0; index->count > 1 && i < index->count; i++) {
        STRIA_TRY(count_dim(&out->counted, a, index->dims[i], mode));
        STRIA_TRY(add_index(&out->storage.view, i == 0, index->arrays[i], &out->counted, mode, op));
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
    STRIA_TRY(count_dim(&out->counted, a, dim, mode));
    STRIA_TRY(offsets_of(out, a, index, mode, op));
    view_copy(&out->base, a);
    for (int d = 0; d < a->ndim; d++)
        out->base.shape[d] = index->shape[d];
    out->base.strides[dim] = 0;
    return STRIA_OK;
}

static stria_status flat(struct indexed *out, const stria_view *a, const stria_view *index,
                         stria_index_mode mode, const char *op)
{
    STRIA_TRY(count_flat(&out->counted, a, mode));
    STRIA_TRY(offsets_of(out, a, index, mode, op));
    view_copy(&out->base, a);
    for (int d = 0; d < index->ndim; d++) {
        out->base.shape[d] = index->shape[d];
        out->base.strides[d] = 0;
    }
    out->base.ndim = index->ndim;
    return STRIA_OK;
}

stria_status stria__indexed(struct indexed *out, const stria_view *a, const struct place *place,
                            bool reading, const char *op)
{
    stria_view line, names;
    out->unchecked = reading;
    out->mode = place->mode;
    if (place->way == PLACE_ARRAYS) return by_arrays(out, a, place->arrays, place->mode, op);
    STRIA_TRY(stria_atleast_1d(&line, a)); /* dim 0 of a 0-d array can be indexed, as in PyTorch */
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
