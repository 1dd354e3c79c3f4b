/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_reads.h"

#include "pages.h"
#include "tiles.h"

enum { GAP = 1024, LINE = 64, LEAST = 64 << 10 /* Bytes of a block for which such reads pay. */ };

/* The runs of a view in its memory: the dims within a run, and those that count runs. */
struct runs {
    struct dim_order order;
    int inner;            /* Number of dims of the order that lie within a run. */
    int64_t first;        /* Byte of the buffer where the lowest element lies. */
    int64_t bytes, pitch; /* Bytes of a run, and from run to run in scratch memory. */
    int64_t count;
};

static struct runs runs_of(const stria_view *a)
{
    struct runs r = {.order = order_of_view(a, a->ndim), .bytes = a->dtype.itemsize, .count = 1};
    r.first = stria_offset(a);
    for (int d = 0; d < a->ndim; d++)
        if (a->strides[d] < 0) r.first += a->strides[d] * (a->shape[d] - 1);
    for (; r.inner < r.order.count; r.inner++) {
        const int d = r.order.dims[r.inner];
        if (step_of(a, d) > r.bytes + GAP) break;
        r.bytes += step_of(a, d) * (a->shape[d] - 1);
    }
    for (int i = r.inner; i < r.order.count; i++)
        r.count *= a->shape[r.order.dims[i]];
    /* Another line is added so that runs of a power of two do not fall into the same sets of a
     * cache. */
    r.pitch = (r.bytes + LINE - 1) / LINE * LINE + LINE;
    return r;
}

/* Goes to the next run; at the end to the first. */
static int64_t next_run(const stria_view *a, const struct runs *r, int64_t *index, int64_t at)
{
    for (int i = r->inner; i < r->order.count; i++) {
        const int d = r->order.dims[i];
        at += step_of(a, d);
        if (++index[i] < a->shape[d]) return at;
        at -= step_of(a, d) * a->shape[d];
        index[i] = 0;
    }
    return at;
}

static bool read_runs(const stria_view *a, const struct runs *r, char *to)
{
    int64_t index[STRIA_MAX_NDIM] = {0}, at = r->first;
    for (int64_t k = 0; k < r->count; k++) { /* The disk can work on all of them at once. */
        pages_fetch(a->buffer, r->bytes, at);
        at = next_run(a, r, index, at);
    }
    for (int64_t k = 0; k < r->count; k++) {
        if (!pages_read(a->buffer, to + k * r->pitch, r->bytes, at)) return false;
        at = next_run(a, r, index, at);
    }
    return true;
}

/* Makes the view of scratch memory that has the elements of a. */
static stria_status view_of_runs(stria_view *out, const stria_view *a, const struct runs *r,
                                 const stria_array *room)
{
    int64_t strides[STRIA_MAX_NDIM] = {0}, step = r->pitch, first = 0;
    for (int i = 0; i < r->order.count; i++) {
        const int d = r->order.dims[i];
        strides[d] = i < r->inner ? step_of(a, d) : step;
        if (i >= r->inner) step *= a->shape[d];
        if (a->strides[d] >= 0) continue;
        first += strides[d] * (a->shape[d] - 1);
        strides[d] = -strides[d];
    }
    STRIA_TRY(stria_view_make(out, room->owned, a->dtype, a->ndim, a->shape, strides, first));
    out->flags |= a->flags & (STRIA_CONJ | STRIA_NEG);
    return STRIA_OK;
}

int64_t stage_bytes_of_item(const stria_view *a)
{
    const struct dim_order order = order_of_view(a, a->ndim);
    const int64_t item = a->dtype.itemsize, step = order.count ? step_of(a, order.dims[0]) : item;
    return step < item ? item : step <= item + GAP ? step : item + 2 * LINE;
}

stria_status stage(stria_view *part, stria_array *room)
{
    stria_view staged;
    if (stria_nbytes(part) < LEAST || !pages_have_file(part->buffer)) return STRIA_OK;
    const struct runs r = runs_of(part);
    const int64_t bytes = r.pitch * r.count;
    if (!room->owned || stria_buffer_size(room->owned) < bytes) {
        stria_array_release(room);
        if (stria_empty(room, stria_dtype_of(STRIA_U8), 1, &bytes) != STRIA_OK) return STRIA_OK;
    }
    if (!read_runs(part, &r, stria_buffer_data(room->owned))) return STRIA_OK;
    STRIA_TRY(view_of_runs(&staged, part, &r, room));
    *part = staged;
    return STRIA_OK;
}
