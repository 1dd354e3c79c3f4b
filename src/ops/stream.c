/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan that keeps the order of the items merges what it can. If its innermost dim is one long run
 * of bytes, the other dims are counted and each run is passed on directly from its memory.
 * Otherwise the innermost dims that fit into the buffer together, and as much of the next dim as
 * fits, make a block; each block is gathered into the buffer and passed on.
 *
 * If the next dim has the smallest steps, the gather is a transposition: the elements of one cache
 * line are needed at large intervals. Then as many elements of that dim as there is room for are
 * gathered at once, so that each cache line is fetched as few times as possible. Otherwise a block
 * should stay in the first-level cache until it is read. If the buffer has no room for even one
 * line of each row, see panel.h.
 */
#include "ops/stream.h"

#include <assert.h>

#include "alloc.h"
#include "checked.h"
#include "engine/machine.h"
#include "engine/move/ahead.h"
#include "engine/move/strategy.h"
#include "ops/panel.h"
#include "ops/runs.h"
#include "plan.h"
#include "status.h"
#include "stria/copy.h"

enum {
    GAP = 256,        /* bytes between rows from which on the hardware prefetcher does not follow */
    LONG = 8 << 10,   /* bytes of runs that are prefetched in place */
    ROW = 64 << 10,   /* bytes of rows that need not be gathered */
    VAST = 256 << 10, /* bytes of rows that the hardware prefetches well enough */
    EARLY = 16 << 10  /* prefetch distance in long runs, in bytes */
};

struct stream {
    const stria_view *a;
    stria_plan plan;
    struct stage stage;
    stria__sink *sink;
    void *context;
    bool far;          /* the view is larger than the caches: the next block is prefetched */
    bool panel;        /* the inner dims are rows, and the next dim is dense in them */
    int inner;         /* dims of the plan that are whole in a block */
    int64_t count;     /* iterations of the next dim in a block */
    struct nest block; /* how the last block was gathered; the next one mostly has its shape */
    const struct strategy *strategy;
    int64_t block_count;
    double spread;     /* bytes of memory that blocks span for each of their bytes; 0: too many */
    double due;        /* bytes of these that remain to be prefetched */
    struct runs ahead; /* the runs that are prefetched */
};

/* ---- runs ---------------------------------------------------------------------------------- */

static stria_status all_runs(const struct stream *s, int first, int64_t size)
{
    struct runs r;
    stria__runs_begin(&r, &s->plan, first, size);
    for (; r.at; stria__runs_next(&r))
        STRIA_TRY(s->sink(r.at, size, s->context));
    return STRIA_OK;
}

/*
 * Passes on runs that are far from the caches and not adjacent, a piece at a time. While the sink
 * works on a piece, as many bytes behind it are prefetched.
 */
static stria_status runs_apart(const struct stream *s, int first, int64_t size)
{
    struct runs r, ahead;
    stria__runs_begin(&r, &s->plan, first, size);
    stria__runs_begin(&ahead, &s->plan, first, size);
    stria__runs_fetch(&ahead, EARLY);
    for (; r.at; stria__runs_next(&r))
        for (int64_t done = 0; done < size; done += s->stage.turn) {
            const int64_t n = least(s->stage.turn, size - done);
            stria__runs_fetch(&ahead, n);
            STRIA_TRY(s->sink(r.at + done, n, s->context));
        }
    return STRIA_OK;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* The buffer is read at once. */
static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};

/* Computes the bytes of a block with n iterations of the dim above the inner ones. */
static int64_t block_bytes(const struct stream *s, int64_t n)
{
    int64_t bytes = n * s->a->dtype.itemsize;
    for (int d = 0; d < s->inner; d++)
        bytes *= s->plan.dims[d].n;
    return bytes;
}

/*
 * Chooses how n iterations of the dim above the inner ones are gathered, if elements are as stored.
 */
static void prepare(struct stream *s, int64_t n)
{
    int64_t step = s->a->dtype.itemsize;
    s->block_count = n;
    s->block.out = s->stage.memory;
    s->block.item = step;
    s->block.ndim = 0;
    for (int d = 0; d < s->inner + (s->inner < s->plan.ndim); d++) {
        const stria_dim *const dim = &s->plan.dims[d];
        const int64_t times = d < s->inner ? dim->n : n;
        stria__nest_push(&s->block, times, step, dim->s[0]);
        step *= times;
    }
    s->strategy =
        stria__choose_part(&s->block).best; /* one more buffer would not fit on the stack */
}

static void gather_stored(struct stream *s, char *from, int64_t n)
{
    if (n != s->block_count) prepare(s, n);
    s->block.in = from;
    s->strategy->run(&s->block, false);
}

/*
 * Gathers the elements of the inner dims, and n of the dim above them (if there is one), from
 * `from`.
 */
static stria_status gather(struct stream *s, char *from, int64_t n, int64_t *bytes)
{
    *bytes = block_bytes(s, n);
    if (!s->panel && !(s->a->flags & (STRIA_CONJ | STRIA_NEG))) {
        gather_stored(s, from, n);
        return STRIA_OK;
    }
    if (s->panel) {
        const struct panel p = {&s->plan, s->inner, from, n, s->a->dtype.itemsize};
        stria__panel_gather(s->stage.memory, &p);
        return STRIA_OK;
    }
    stria_view src;
    src.data = from;
    src.buffer = s->a->buffer;
    src.dtype = s->a->dtype;
    src.flags = s->a->flags;
    src.ndim = s->inner + (s->inner < s->plan.ndim);
    for (int k = 0; k < src.ndim; k++) {
        const int d = src.ndim - 1 - k;
        src.shape[d] = k < s->inner ? s->plan.dims[k].n : n;
        src.strides[d] = s->plan.dims[k].s[0];
    }
    stria_view dst;
    STRIA_TRY(stria_view_foreign(&dst, s->stage.memory, src.dtype, src.ndim, src.shape, NULL, 0));
    return stria_copy_with(&dst, &src, &alone);
}

/* Passes on a block while the memory behind it, which is read in order, is prefetched. */
static stria_status pass_on_nearly_dense(struct stream *s, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += s->stage.turn) {
        const int64_t n = least(s->stage.turn, bytes - at);
        s->due += s->spread * (double)n;
        const int64_t now = (int64_t)s->due;
        stria__runs_fetch(&s->ahead, now);
        s->due -= (double)now;
        STRIA_TRY(s->sink(s->stage.memory + at, n, s->context));
    }
    return STRIA_OK;
}

/* Passes bytes of the buffer to the sink, and prefetches what will be gathered next. */
static stria_status pass_on(struct stream *s, int64_t bytes, struct ahead *ahead)
{
    if (s->spread > 0) return pass_on_nearly_dense(s, bytes);
    if (ahead->lines == 0) return s->sink(s->stage.memory, bytes, s->context);
    const int64_t pieces = (bytes - 1) / s->stage.piece + 1;
    const int64_t lines = ahead->lines / pieces + 1;
    for (int64_t at = 0; at < bytes; at += s->stage.piece) {
        const int64_t left = bytes - at, size = left < s->stage.piece ? left : s->stage.piece;
        stria__ahead_fetch(ahead, lines);
        STRIA_TRY(s->sink(s->stage.memory + at, size, s->context));
    }
    return STRIA_OK;
}

/*
 * Passes on blocks along the dim above the inner ones; `next` is the beginning of the blocks after
 * these.
 */
static stria_status blocks(struct stream *s, char *from, const char *next)
{
    const bool above = s->inner < s->plan.ndim, fetch = s->far && above && s->spread == 0;
    const int64_t n = above ? s->plan.dims[s->inner].n : 1;
    const int64_t step = above ? s->plan.dims[s->inner].s[0] : 0;
    for (int64_t i = 0; i < n; i += s->count) {
        struct ahead ahead = {.lines = 0};
        int64_t bytes;
        const int64_t after = i + s->count;
        STRIA_TRY(gather(s, from + i * step, least(s->count, n - i), &bytes));
        if (fetch && after < n)
            stria__ahead(&ahead, &s->plan, s->inner + 1, least(s->count, n - after),
                         from + after * step, s->a->dtype.itemsize);
        else if (fetch && next)
            stria__ahead(&ahead, &s->plan, s->inner + 1, s->count, next, s->a->dtype.itemsize);
        STRIA_TRY(pass_on(s, bytes, &ahead));
    }
    return STRIA_OK;
}

static stria_status all_blocks(struct stream *s)
{
    struct runs rows;
    stria__runs_begin(&rows, &s->plan, s->inner + 1, 0);
    while (rows.at) {
        char *const from = rows.at;
        stria__runs_next(&rows);
        STRIA_TRY(blocks(s, from, rows.at));
    }
    return STRIA_OK;
}

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
 * Chooses panels for so many rows that the buffer has room for one cache line of each at most;
 * panels are two lines wide where a larger buffer has the room. Memory delivers two adjacent lines
 * almost as fast as one, whatever the distance between rows.
 */
static bool choose_panel(struct stream *s, int64_t room)
{
    enum { LEAST = 16, WIDE = 2 * LINE, COLUMNS = 32 };
    const stria_plan *p = &s->plan;
    const int64_t item = s->a->dtype.itemsize;
    if (item > PANEL_ITEM || (s->a->flags & (STRIA_CONJ | STRIA_NEG)) ||
        stria_nbytes(s->a) <= stria__machine()->fits_l2)
        return false;
    int64_t height = item;
    int d = 0;
    for (; d < p->ndim && p->dims[d].s[0] != item; d++) {
        if (p->dims[d].n > room / height) return false;
        height *= p->dims[d].n;
    }
    if (d == 0 || d == p->ndim || s->stage.size / height * item > LINE) return false;
    int64_t columns = WIDE / item > COLUMNS ? WIDE / item : COLUMNS;
    columns = least(columns, PANEL_RUN / item);
    columns = least(least(columns, p->dims[d].n), room / height);
    columns -= columns % (LEAST / item);
    if (columns == 0) return false;
    s->inner = d;
    s->count = columns;
    return true;
}

static void choose_block(struct stream *s)
{
    assert(s->a->dtype.itemsize <= s->stage.size);
    int64_t room = s->stage.size, bytes = fit(s, room);
    s->count = 1;
    if (s->inner < s->plan.ndim && is_transposed(s)) {
        s->far = stria_nbytes(s->a) > stria__machine()->fits_l2;
    } else if (room > s->stage.near && s->a->dtype.itemsize <= s->stage.near) {
        room = s->stage.near;
        bytes = fit(s, room);
    }
    if (s->inner == s->plan.ndim) return;
    /* Blocks have equal sizes; there is no small remainder. */
    const int64_t n = s->plan.dims[s->inner].n, most = room / bytes;
    const int64_t parts = (n - 1) / most + 1;
    s->count = (n - 1) / parts + 1;
}

/*
 * Computes the bytes from the first to the last of a block with all of the dim above the inner
 * ones, if it is read in the order of memory; 0 otherwise.
 */
static int64_t span_in_order(const struct stream *s)
{
    int64_t span = s->a->dtype.itemsize;
    for (int d = 0; d <= s->inner; d++) {
        const stria_dim *const dim = &s->plan.dims[d];
        if (dim->s[0] < span) return 0;
        span += (dim->n - 1) * dim->s[0];
    }
    return span;
}

/*
 * Chooses blocks that leave out little of the memory they lie in. They are short, and all of that
 * memory is prefetched as one long run.
 */
static void choose_nearly_dense(struct stream *s)
{
    if (!s->far || s->stage.turn == 0 || s->inner >= s->plan.ndim) return;
    const int64_t bytes = block_bytes(s, 1), all = block_bytes(s, s->plan.dims[s->inner].n);
    const int64_t span = span_in_order(s);
    if (bytes > s->stage.piece || span == 0 || span - all > all / 3) return;
    s->count = least(s->count, s->stage.piece / bytes);
    s->spread = (double)span / (double)all;
    stria__runs_begin(&s->ahead, &s->plan, s->inner + 1, span);
    stria__runs_fetch(&s->ahead, EARLY);
}

/*
 * Chooses the function that passes on runs directly from their memory; NULL where they are better
 * gathered. These are short runs, and runs with gaps between them unless they are long: gathering
 * is twice as fast in spite of the copy, since blocks are prefetched. Runs that follow each other
 * backwards are not followed by the hardware, but prefetched in time.
 */
typedef stria_status pass_on_runs(const struct stream *s, int first, int64_t run);

static pass_on_runs *directly(const struct stream *s, int first, int64_t run)
{
    if (run < s->stage.direct || (s->a->flags & (STRIA_CONJ | STRIA_NEG))) return NULL;
    if (!s->far || first >= s->plan.ndim) return all_runs;
    const int64_t step = s->plan.dims[first].s[0];
    const bool close = magnitude(step) <= (uint64_t)run + GAP;
    if (close && step >= 0) return all_runs;
    if (s->stage.turn > 0 && (close || run >= LONG) && run < VAST) return runs_apart;
    return run >= ROW || s->a->dtype.itemsize > s->stage.size ? all_runs : NULL;
}

/* Gathers blocks, in a larger buffer if that helps and there is memory for it. */
static stria_status through_stage(struct stream *s)
{
    const stria_allocator allocator = stria__allocator();
    const int64_t most = s->stage.most;
    int64_t taken = 0;
    if (most > s->stage.size && choose_panel(s, most) && block_bytes(s, s->count) > s->stage.size) {
        const int64_t bytes = block_bytes(s, s->count);
        char *const memory = allocator.alloc((size_t)bytes, STRIA_ALIGNMENT, allocator.context);
        if (memory) {
            taken = bytes;
            s->stage.memory = memory;
        }
    }
    s->panel = taken > 0 || choose_panel(s, s->stage.size);
    if (s->panel) {
        s->far = false; /* blocks are prefetched there */
    } else {
        choose_block(s);
        choose_nearly_dense(s);
    }
    const stria_status status = all_blocks(s);
    if (taken) allocator.free(s->stage.memory, (size_t)taken, allocator.context);
    return status;
}

/* ---- both kinds ---------------------------------------------------------------------------- */

stria_status stria__stream(const stria_view *a, struct stage stage, stria__sink *sink,
                           void *context)
{
    assert(stage.direct <= stage.size && stage.size >= 16 && stage.piece > 0);
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "the view lies in a meta buffer: it has a shape, "
                                                  "but no bytes");
    const int64_t itemsize = a->dtype.itemsize;
    struct stream s;
    s.a = a;
    s.stage = stage;
    s.sink = sink;
    s.context = context;
    s.block_count = 0;
    s.spread = 0;
    s.due = 0;
    STRIA_TRY(stria_plan_make(&s.plan, 1, &a, STRIA_PLAN_KEEP_ORDER));
    s.far = stria_nbytes(a) > stria__machine()->far_stream;
    const stria_dim *inmost = &s.plan.dims[0];
    if (inmost->n == 0 || itemsize == 0) return STRIA_OK;
    const bool dense = inmost->n == 1 || inmost->s[0] == itemsize;
    const int64_t run = dense ? inmost->n * itemsize : itemsize;
    const int first = dense ? 1 : 0;
    pass_on_runs *const of_runs = directly(&s, first, run);
    return of_runs ? of_runs(&s, first, run) : through_stage(&s);
}
