/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole index: integers, slices, an ellipsis and new axes, applied from the left. A new axis gets
 * the stride that unsqueeze before the same dim would give it, as in PyTorch.
 */
#include "layout/layout.h"

#include "status.h"

struct tally {
    int dims; /* dims of the input that the items name */
    int ellipses;
    int64_t result; /* dims of the result that the items make, without those of the ellipsis */
};

/* A few slices and nothing else need no further check. */
static bool only_slices(int ndim, int count, const stria_index_item *items)
{
    if (count < 0 || count > ndim || !items) return false;
    bool plain = true;
    for (int i = 0; i < count; i++)
        plain &= items[i].kind == STRIA_INDEX_SLICE && items[i].step != 0;
    return plain;
}

static stria_status tally(struct tally *out, int count, const stria_index_item *items,
                          const char *op)
{
    *out = (struct tally){0, 0, 0};
    if (count < 0 || (!items && count > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d items at %s", op, count,
                           items ? "an address" : "NULL");
    for (int i = 0; i < count; i++) {
        const stria_index_kind kind = items[i].kind;
        if (kind == STRIA_INDEX_ARRAY)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "%s: item %d is an index array, which no view can express; "
                               "stria_index_arrays makes a copy",
                               op, i);
        if ((unsigned)kind > STRIA_INDEX_NEWAXIS)
            return stria__fail(STRIA_ERR_ARGUMENT, "%s: item %d has the unknown kind %d", op, i,
                               (int)kind);
        out->dims += kind == STRIA_INDEX_INT || kind == STRIA_INDEX_SLICE;
        out->ellipses += kind == STRIA_INDEX_ELLIPSIS;
        out->result += kind == STRIA_INDEX_SLICE || kind == STRIA_INDEX_NEWAXIS;
    }
    return STRIA_OK;
}

static stria_status check_tally(const struct tally *t, const struct geometry *a, const char *op)
{
    const int ndim = a->ndim;
    if (t->ellipses > 1)
        return stria__fail(STRIA_ERR_INDEX,
                           "%s: %d ellipses; one stands for all the dims that are "
                           "left",
                           op, t->ellipses);
    if (t->dims > ndim)
        return stria__fail(STRIA_ERR_INDEX,
                           "%s: %d indices for a view of %d dims, shape %s; unsqueeze adds a dim",
                           op, t->dims, ndim, stria__dims_text(ndim, a->shape).text);
    if (t->result + (ndim - t->dims) > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: the result would have %lld dims; %d are the most",
                           op, (long long)(t->result + (ndim - t->dims)), STRIA_MAX_NDIM);
    return STRIA_OK;
}

/* Makes every check of the items. */
static stria_status check_items(const struct geometry *a, int count, const stria_index_item *items,
                                int whole, const char *op)
{
    int d = 0;
    for (int i = 0; i < count; i++) {
        const stria_index_item *item = &items[i];
        if (item->kind == STRIA_INDEX_INT)
            STRIA_TRY(stria__check_index(item->start, a->shape[d], d, op));
        if (item->kind == STRIA_INDEX_SLICE) STRIA_TRY(stria__check_step(item->step, op));
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
        *out; /* a local copy, which writes to sizes and strides cannot change */
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

stria_status stria__layout_index(struct layout *out, const struct geometry *a, int count,
                                 const stria_index_item *items, const char *op)
{
    if (only_slices(a->ndim, count, items)) {
        slice_leading(out, a, count, items);
        append_dims(out, a, count, a->ndim);
        return STRIA_OK;
    }
    struct layout l = *out; /* a local copy, which writes to sizes and strides cannot change */
    l.ndim = 0;
    struct tally t;
    STRIA_TRY(tally(&t, count, items, op));
    STRIA_TRY(check_tally(&t, a, op));
    const int whole = a->ndim - t.dims; /* dims that the ellipsis stands for */
    STRIA_TRY(check_items(a, count, items, whole, op));
    int d = 0; /* the dim that the next item applies to */
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
        case STRIA_INDEX_ARRAY: break; /* refused before */
        }
    }
    append_dims(&l, a, d, a->ndim);
    *out = l;
    return STRIA_OK;
}
