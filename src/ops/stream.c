/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan that keeps the order of the items merges what it can, and is cut into pieces. If its
 * innermost dim is one long run of bytes, each run is a piece, passed on from where it lies.
 * Otherwise the innermost dims that fit into the buffer together, and as much of the next dim as
 * fits, make a piece, which the engine gathers like the block of an operand (engine/stage.h).
 *
 * If the next dim has the smallest steps, the gather is a transposition: the elements of one cache
 * line are needed at large intervals. Then as many elements of that dim as there is room for are
 * gathered at once, so that each cache line is fetched as few times as possible. Otherwise a piece
 * should stay in the first-level cache until it is read.
 */
#include "ops/stream.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "move/fetch.h"
#include "engine/stage.h"
#include "plan/plan.h"
#include "base/status.h"
#include "stria/copy.h"
#include "view/view.h"

/* Bytes of each row of a transposition: memory delivers two lines almost as fast as one. */
enum { WIDE = 2 * LINE };

struct stream {
    const stria_view *a;
    stria_plan plan;
    struct stage stage;
    bool far;      /* the view is larger than the caches: the next piece is prefetched */
    int64_t run;   /* bytes of pieces that are not gathered; 0: all are gathered */
    int inner;     /* dims of the plan that are whole in a piece */
    int64_t count; /* iterations of the next dim in a piece */
    struct stage_way way;
};

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The buffer is read at once. */
static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};

/* Returns the size of dim d of the plan in a piece with n iterations of the dim above the inner. */
static int64_t size_in(const struct stream *s, int d, int64_t n)
{
    return d < s->inner ? s->plan.dims[d].n : n;
}

/* Gathers elements with a lazy bit, which a copy resolves. */
static stria_status resolve(const struct stream *s, char *from, int ndim, int64_t n)
{
    int64_t shape[STRIA_MAX_NDIM];
    stria_view src = *s->a, dst;
    src.data = from;
    src.ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        shape[ndim - 1 - d] = src.shape[ndim - 1 - d] = size_in(s, d, n);
        src.strides[ndim - 1 - d] = s->plan.dims[d].s[0];
    }
    STRIA_TRY(stria_view_foreign(&dst, s->stage.memory, src.dtype, ndim, shape, NULL, 0));
    return stria_copy_with(&dst, &src, &alone);
}

/*
 * Gathers the piece at `from` with n iterations of the dim above the inner ones; next: where the
 * piece after this one begins; NULL after the last.
 */
static stria_status gather(struct stream *s, char *from, int64_t n, const char *next,
                           int64_t *bytes)
{
    struct stage_way other = {NULL, NULL};
    struct nest box;
    const int ndim = s->inner < s->plan.ndim ? s->inner + 1 : s->plan.ndim;
    *bytes = s->a->dtype.itemsize;
    stria__nest_begin(&box, s->stage.memory, from, *bytes);
    for (int d = 0; d < ndim; d++) {
        stria__nest_push(&box, size_in(s, d, n), *bytes, s->plan.dims[d].s[0]);
        *bytes *= size_in(s, d, n);
    }
    if (s->a->flags & (STRIA_CONJ | STRIA_NEG)) return resolve(s, from, ndim, n);
    stria__stage_in(&box, s->far, next, n == s->count ? &s->way : &other);
    return STRIA_OK;
}

/* ---- the sequence of pieces ------------------------------------------------------------------ */

struct piece {
    struct odometer at; /* indices of the dims outside */
    char *from;
    int64_t i, n; /* along the dim that is cut */
};

/* Moves on by the piece; false after the last one. */
static bool next_piece(struct piece *piece, const struct stream *s)
{
    const stria_plan *const plan = &s->plan;
    const bool cut = s->inner < plan->ndim;
    const int64_t all = cut ? plan->dims[s->inner].n : 1;
    piece->i += piece->n;
    if (piece->i >= all) {
        if (!stria__odometer_next(&piece->at, plan)) return false;
        piece->i = 0;
    }
    piece->n = least(s->count, all - piece->i);
    piece->from = stria__at(piece->at.ptr[0], piece->i, cut ? plan->dims[s->inner].s[0] : 0);
    return true;
}

static void first_piece(struct piece *piece, const struct stream *s)
{
    const int outside = s->inner < s->plan.ndim ? s->inner + 1 : s->inner;
    stria__odometer_start(&piece->at, &s->plan, outside);
    piece->i = piece->n = 0;
    (void)next_piece(piece, s);
}

static stria_status all_pieces(struct stream *s, stria__sink *sink, void *context)
{
    struct piece piece;
    first_piece(&piece, s);
    for (bool more = true; more;) {
        char *from = piece.from;
        const int64_t n = piece.n;
        int64_t bytes = s->run;
        more = next_piece(&piece, s);
        if (s->run == 0) {
            STRIA_TRY(gather(s, from, n, more ? piece.from : NULL, &bytes));
            from = s->stage.memory;
        } else if (s->far && more) {
            stria__fetch_lines(piece.from, least(bytes, ROW_BEGINNING));
        }
        STRIA_TRY(sink(from, bytes, context));
    }
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
 * Counts the dims that fit into the room, and computes the bytes of an iteration of the next dim.
 */
static int64_t fit(struct stream *s, int64_t room)
{
    int64_t bytes = s->a->dtype.itemsize;
    for (s->inner = 0; s->inner < s->plan.ndim; s->inner++) {
        if (s->plan.dims[s->inner].n > room / bytes) break;
        bytes *= s->plan.dims[s->inner].n;
    }
    return bytes;
}

/*
 * A transposition whose columns are so long that the buffer has hardly a line of each row takes a
 * larger one, if there is memory for it; returns its bytes, or 0.
 */
static int64_t take_larger(struct stream *s)
{
    const stria_allocator allocator = stria__allocator();
    const int64_t most = s->stage.most, bytes = fit(s, most);
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

static void choose_pieces(struct stream *s)
{
    assert(s->a->dtype.itemsize <= s->stage.size);
    int64_t room = s->stage.size, bytes = fit(s, room);
    s->run = 0;
    s->count = 1;
    if (s->inner < s->plan.ndim && is_transposed(s)) {
        s->far = stria_nbytes(s->a) > stria__machine()->fits_l2;
    } else if (room > s->stage.near && s->a->dtype.itemsize <= s->stage.near) {
        room = s->stage.near;
        bytes = fit(s, room);
    }
    if (s->inner == s->plan.ndim) return;
    /* Pieces have equal sizes; there is no small remainder. */
    const int64_t n = s->plan.dims[s->inner].n, most = room / bytes;
    const int64_t parts = (n - 1) / most + 1;
    s->count = (n - 1) / parts + 1;
}

/*
 * Runs are passed on directly unless they are short, or have gaps between them and come from
 * memory: gathering is twice as fast there in spite of the copy, since what follows is prefetched.
 */
static bool find_runs(struct stream *s)
{
    const stria_dim *const d = &s->plan.dims[0];
    const int64_t item = s->a->dtype.itemsize;
    const bool dense = d->n == 1 || d->s[0] == item;
    s->run = dense ? d->n * item : item;
    s->inner = dense ? 1 : 0;
    s->count = 1;
    return s->run >= s->stage.direct && !(s->a->flags & (STRIA_CONJ | STRIA_NEG));
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
    assert(stage.direct <= stage.size && stage.size >= 16);
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the view lies in a meta buffer: it has a shape, "
                                                  "but no bytes");
    struct stream s;
    s.a = a;
    s.stage = stage;
    s.way = (struct stage_way){NULL, NULL};
    STRIA_TRY(stria_plan_make(&s.plan, 1, &a, STRIA_PLAN_KEEP_ORDER));
    s.far = stria_nbytes(a) > stria__machine()->far_stream;
    if (s.plan.dims[0].n == 0 || a->dtype.itemsize == 0) return STRIA_OK;
    return find_runs(&s) ? all_pieces(&s, sink, context) : through_stage(&s, sink, context);
}
