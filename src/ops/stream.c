/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams the items of a view. A plan that keeps their order merges as many dims as possible, and
 * is cut into pieces. If its innermost dim is one long run of bytes, each run is a piece, passed on
 * directly. Otherwise the innermost dims that fit into the buffer together, and as much of the next
 * dim as fits, make a piece, which the engine gathers like the block of an operand
 * (engine/stage.h). If the next dim has the smallest steps, the gather is a transposition: the
 * elements of one cache line are needed at large intervals. Then as many elements of that dim as
 * there is room for are gathered at once, so that each cache line is fetched as few times as
 * possible. Otherwise a piece should stay in the first-level cache until it is read.
 */
#include "ops/stream.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "move/fetch.h"
#include "engine/stage.h"
#include "base/status.h"
#include "view/view.h"

/* Bytes of each row of a transposition: memory delivers two lines almost as fast as one. */
enum { WIDE = 2 * LINE };

struct stream {
    const stria_view *a;
    stria_plan plan;
    struct cut cut; /* Cuts the plan into pieces. */
    int inner;      /* Number of whole dims of a piece. */
    struct port port;
    struct stage stage;
    bool far;    /* The view is larger than the caches, so that the next piece is prefetched. */
    int64_t run; /* Bytes of pieces that are not gathered; 0: all are gathered. */
};

static stria_status all_pieces(struct stream *s, stria__sink *sink, void *context)
{
    const int64_t item = s->a->dtype.itemsize;
    struct box piece;
    s->port.far = s->far;
    stria__box_first(&piece, &s->cut);
    do {
        const char *from = s->run > 0 ? piece.ptr[0] : s->stage.memory;
        const char *const next = s->run > 0 && s->far ? stria__box_after(&piece, &s->cut, 0) : NULL;
        if (s->run == 0) stria__port_in(&s->port, &piece, &s->cut, s->stage.memory);
        if (next) stria__fetch_lines(next, least(s->run, ROW_BEGINNING));
        STRIA_TRY(sink(from, stria__box_items(&piece, &s->cut) * item, context));
    } while (stria__box_next(&piece, &s->cut));
    return STRIA_OK;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Tells whether the first dim that does not fit has smaller steps than those that do. */
static bool is_transposed(const struct stream *s)
{
    if (s->inner == 0) return false;
    const uint64_t step = magnitude(s->plan.dims[s->inner].s[0]);
    for (int d = 0; d < s->inner; d++)
        if (magnitude(s->plan.dims[d].s[0]) <= step) return false;
    return step < LINE;
}

/*
 * Cuts pieces that fit into so many bytes: the innermost dims, and an even part of the next one.
 * Returns the bytes of the whole dims.
 */
static int64_t fit_dims(struct stream *s, int64_t room)
{
    int64_t bytes = s->a->dtype.itemsize;
    stria__cut_begin(&s->cut, &s->plan);
    s->inner = stria__cut_rows(&s->cut, room / bytes);
    for (int d = 0; d < s->inner; d++)
        bytes *= s->plan.dims[d].n;
    return bytes;
}

/*
 * Takes a larger buffer, if there is memory for it, for a transposition whose columns are so long
 * that the buffer has hardly a line of each row; returns its bytes, or 0.
 */
static int64_t take_larger(struct stream *s)
{
    const stria_allocator allocator = stria__allocator();
    const int64_t most = s->stage.most, bytes = fit_dims(s, most);
    if (s->inner == 0 || s->inner == s->plan.ndim || !is_transposed(s)) return 0;
    const int64_t items = least(WIDE / s->a->dtype.itemsize, s->plan.dims[s->inner].n),
                  wanted = least(items, most / bytes) * bytes;
    if (items == 0 || wanted <= s->stage.size) return 0;
    char *const memory = allocator.alloc((size_t)wanted, STRIA_ALIGNMENT, allocator.context);
    if (!memory) return 0;
    s->stage.memory = memory;
    s->stage.size = wanted;
    return wanted;
}

/* Chooses pieces. Half of the buffer is for items before lazy bits are resolved. */
static void choose_pieces(struct stream *s)
{
    const int64_t room = s->port.cast.row ? s->stage.size / 2 : s->stage.size;
    s->run = 0;
    s->port.raw = s->stage.memory + room;
    (void)fit_dims(s, room);
    if (s->inner < s->plan.ndim && is_transposed(s))
        s->far = stria_nbytes(s->a) > stria__machine()->fits_l2;
    else if (room > s->stage.near && s->a->dtype.itemsize <= s->stage.near)
        (void)fit_dims(s, s->stage.near);
}

/*
 * Finds runs that are passed on directly: unless they are short, or have gaps between them and come
 * from memory. There gathering is twice as fast in spite of the copy, since later pieces are
 * prefetched.
 */
static bool find_runs(struct stream *s)
{
    const stria_dim *const d = &s->plan.dims[0];
    const int64_t item = s->a->dtype.itemsize;
    const bool dense = d->n == 1 || d->s[0] == item;
    s->run = dense ? d->n * item : item;
    stria__cut_begin(&s->cut, &s->plan);
    if (dense) s->cut.size[0] = d->n;
    return s->run >= s->stage.direct && !s->port.cast.row;
}

/* Gathers pieces, in a larger buffer if that helps. */
static stria_status through_stage(struct stream *s, stria__sink *sink, void *context)
{
    const stria_allocator allocator = stria__allocator();
    const int64_t taken = take_larger(s);
    choose_pieces(s);
    const stria_status status = all_pieces(s, sink, context);
    if (taken > 0) allocator.free(s->stage.memory, (size_t)taken, allocator.context);
    return status;
}

stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context)
{
    assert(stage.direct <= stage.size && stage.size >= 32);
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the view lies in a meta buffer: it has a shape, "
                                                  "but no bytes");
    const bool lazy = a->flags & (STRIA_CONJ | STRIA_NEG);
    if (!lazy && stria_is_contiguous(a, STRIA_ORDER_C)) {
        const int64_t bytes = stria_nbytes(a);
        return bytes > 0 ? sink(a->data, bytes, context) : STRIA_OK;
    }
    struct stream s = {.a = a, .stage = stage, .port = {.item = a->dtype.itemsize}};
    if (lazy) {
        const stria_view plain = stria__plain_view(a->dtype);
        STRIA_TRY(stria__convert(&s.port.cast, &plain, a, NULL));
    }
    STRIA_TRY(stria_plan_make(&s.plan, 1, &a, STRIA_PLAN_KEEP_ORDER));
    s.far = stria_nbytes(a) > stria__machine()->far_stream;
    if (s.plan.dims[0].n == 0 || a->dtype.itemsize == 0) return STRIA_OK;
    return find_runs(&s) ? all_pieces(&s, sink, context) : through_stage(&s, sink, context);
}
