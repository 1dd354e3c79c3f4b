/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a view. A whole index is integers, slices, an ellipsis and new axes, applied from the
 * left. A new axis gets the stride that unsqueeze before the same dim would give it, as in PyTorch.
 */
#include "view/view.h"

struct tally {
    int dims; /* Number of dims of the input that the items name. */
    int ellipses;
    /* Number of dims of the result that the items make, without those of the ellipsis. */
    int64_t result;
};

/* Tells whether there are only a few slices, which need no further check. */
static bool only_slices(int ndim, int count, const stria_index_item *items)
{
    if (count < 0 || count > ndim || !items) return false;
    bool plain = true;
    for (int i = 0; i < count; i++)
        plain &= items[i].kind == STRIA_INDEX_SLICE && items[i].step != 0;
    return plain;
}

static stria_status tally(struct tally *out, int count, const stria_index_item *items)
{
    *out = (struct tally){0, 0, 0};
    if (count < 0 || (!items && count > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "index: %d items at %s", count,
                           items ? "an address" : "NULL");
    for (int i = 0; i < count; i++) {
        const stria_index_kind kind = items[i].kind;
        if (kind == STRIA_INDEX_ARRAY)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "index: item %d is an index array, which no view can express; "
                               "stria_index_arrays_new makes a copy",
                               i);
        if ((unsigned)kind > STRIA_INDEX_NEWAXIS)
            return stria__fail(STRIA_ERR_ARGUMENT, "index: item %d has the unknown kind %d", i,
                               (int)kind);
        out->dims += kind == STRIA_INDEX_INT || kind == STRIA_INDEX_SLICE;
        out->ellipses += kind == STRIA_INDEX_ELLIPSIS;
        out->result += kind == STRIA_INDEX_SLICE || kind == STRIA_INDEX_NEWAXIS;
    }
    return STRIA_OK;
}

static stria_status check_tally(const struct tally *t, const struct geometry *a)
{
    const int ndim = a->ndim;
    if (t->ellipses > 1)
        return stria__fail(STRIA_ERR_INDEX,
                           "index: %d ellipses; one stands for all the dims that are left",
                           t->ellipses);
    if (t->dims > ndim)
        return stria__fail(
            STRIA_ERR_INDEX,
            "index: %d indices for a view of %d dims, shape %s; unsqueeze adds a dim", t->dims,
            ndim, stria__dims_text(ndim, a->shape).text);
    if (t->result + (ndim - t->dims) > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE,
                           "index: the result would have %lld dims; %d are the most",
                           (long long)(t->result + (ndim - t->dims)), STRIA_MAX_NDIM);
    return STRIA_OK;
}

/* Makes every check of the items. */
static stria_status check_items(const struct geometry *a, int count, const stria_index_item *items,
                                int whole)
{
    int d = 0;
    for (int i = 0; i < count; i++) {
        const stria_index_item *item = &items[i];
        if (item->kind == STRIA_INDEX_INT)
            STRIA_TRY(stria__check_index(item->start, a->shape[d], d, "index"));
        if (item->kind == STRIA_INDEX_SLICE) STRIA_TRY(stria__check_step(item->step, "index"));
        d += item->kind == STRIA_INDEX_ELLIPSIS ? whole : item->kind != STRIA_INDEX_NEWAXIS;
    }
    return STRIA_OK;
}

static inline void append_sliced(struct layout *out, const struct geometry *a, int d,
                                 const stria_index_item *item)
{
    const struct range range = resolved_slice(item->start, item->stop, item->step, a->shape[d]);
    const int64_t stride = a->strides[d];
    if (range.length > 0) layout_move(out, range.start, stride);
    layout_put(out, out->ndim++, range.length,
               range.length > 0 ? scaled_stride(stride, range.step) : stride);
}

static inline void append_dims(struct layout *out, const struct geometry *a, int from, int to)
{
    layout_keep(out, out->ndim, a, from, to);
    out->ndim += to - from;
}

/* Makes dim d of out from slice d and dim d of a. */
static void slice_leading(struct layout *out, const struct geometry *a, int count,
                          const stria_index_item *items)
{
    const struct layout l =
        *out; /* A local copy, which writes to sizes and strides cannot change. */
    uint64_t offset = 0;
    for (int d = 0; d < count; d++) {
        const struct range range =
            resolved_slice(items[d].start, items[d].stop, items[d].step, a->shape[d]);
        const int64_t stride = a->strides[d];
        const bool empty = range.length == 0;
        l.shape[d] = range.length;
        l.strides[d] = empty ? stride : scaled_stride(stride, range.step);
        if (!empty) offset += (uint64_t)range.start * (uint64_t)stride;
    }
    out->offset = (int64_t)((uint64_t)l.offset + offset);
    out->ndim = count;
}

static stria_status layout_index(struct layout *out, const struct geometry *a, int count,
                                 const stria_index_item *items)
{
    if (only_slices(a->ndim, count, items)) {
        slice_leading(out, a, count, items);
        append_dims(out, a, count, a->ndim);
        return STRIA_OK;
    }
    struct layout l = *out; /* A local copy, which writes to sizes and strides cannot change. */
    l.ndim = 0;
    struct tally t;
    STRIA_TRY(tally(&t, count, items));
    STRIA_TRY(check_tally(&t, a));
    const int whole = a->ndim - t.dims; /* Number of dims that the ellipsis stands for. */
    STRIA_TRY(check_items(a, count, items, whole));
    int d = 0; /* The dim that the next item applies to. */
    for (int i = 0; i < count; i++) {
        const stria_index_item *item = &items[i];
        switch (item->kind) {
        case STRIA_INDEX_SLICE:
            append_sliced(&l, a, d, item);
            d++;
            break;
        case STRIA_INDEX_INT:
            layout_move(&l, wrapped_index(item->start, a->shape[d]), a->strides[d]);
            d++;
            break;
        case STRIA_INDEX_ELLIPSIS:
            append_dims(&l, a, d, d + whole);
            d += whole;
            break;
        case STRIA_INDEX_NEWAXIS: layout_put(&l, l.ndim++, 1, stria__unit_stride(a, d)); break;
        case STRIA_INDEX_ARRAY: break; /* Such an item was refused before. */
        }
    }
    append_dims(&l, a, d, a->ndim);
    *out = l;
    return STRIA_OK;
}

stria_status stria_index(stria_view *out, const stria_view *a, int count,
                         const stria_index_item *items)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "index"));
    STRIA_TRY(layout_index(&draft.to, &draft.from, count, items));
    view_finish(&draft, out, a);
    if (view_class(out) == STRIA_CLASS_MATRIX) stria__index_matrix(out, count, items);
    return STRIA_OK;
}

stria_status stria_select(stria_view *out, const stria_view *a, int dim, int64_t index)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "select"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "select"));
    STRIA_TRY(stria__check_index(index, a->shape[d], d, "select"));
    const int64_t i = wrapped_index(index, a->shape[d]);
    stria__layout_select(&draft.to, &draft.from, d, i);
    return view_finish(&draft, out, a);
}

stria_status stria_narrow(stria_view *out, const stria_view *a, int dim, int64_t start,
                          int64_t length)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "narrow"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "narrow"));
    const int64_t size = a->shape[d];
    if (start < -size || start > size)
        return stria__fail(STRIA_ERR_INDEX, "narrow: start %lld is outside %lld .. %lld of dim %d",
                           (long long)start, (long long)-size, (long long)size, d);
    const int64_t from = start < 0 ? start + size : start;
    if (length < 0 || length > size - from)
        return stria__fail(STRIA_ERR_INDEX,
                           "narrow: length %lld from %lld on does not lie in dim %d of size %lld",
                           (long long)length, (long long)from, d, (long long)size);
    stria__layout_slice(&draft.to, &draft.from, d,
                        (struct range){.start = from, .length = length, .step = 1});
    return view_finish(&draft, out, a);
}

stria_status stria_slice(stria_view *out, const stria_view *a, int dim, int64_t start, int64_t stop,
                         int64_t step)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "slice"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "slice"));
    STRIA_TRY(stria__check_step(step, "slice"));
    stria__layout_slice(&draft.to, &draft.from, d, resolved_slice(start, stop, step, a->shape[d]));
    return view_finish(&draft, out, a);
}
