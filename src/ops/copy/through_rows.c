/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows, streamed or not. A row is streamed by way of a buffer that stays in the first level, in
 * pieces so short that reading and writing go on side by side.
 */
#include "through_rows.h"

#include "checked.h"
#include "dispatch.h"
#include "ops/ahead.h"

enum {
    PIECE = 768,           /* bytes of a piece in both operands, of one kernel */
    PIECE_STEPS = 4 << 10, /* of several, which want longer rows */
    PIECE_WIDE = 2 << 10,  /* but for wide items */
    STREAM_ROW = 256,      /* bytes of output from which a row is worth it */
    STREAM_ALONE = 1024,   /* the same of rows that share their first and last lines with gaps */
    LATER = 16 << 10,      /* bytes from what several kernels read to what is fetched meanwhile */
    WIDE = 8               /* bytes of an item from which memory is slower than several kernels */
};

/* Dense ones that take several kernels. */
static bool has_wide_items(const struct conversion *how)
{
    return how->count > 1 && how->in_item >= WIDE && how->in_step == how->in_item;
}

/* Items of a piece, which make whole lines where items lie on multiples of their size. */
static int64_t piece_items(const struct conversion *how, const char *out)
{
    const bool shared = (uintptr_t)out % (uintptr_t)how->out_item != 0; /* lines, by two pieces */
    const int64_t bytes = has_wide_items(how)        ? PIECE_WIDE
                          : how->count > 1 || shared ? PIECE_STEPS
                                                     : PIECE;
    const int64_t line = LINE / how->out_item;
    const int64_t items = bytes / (how->in_item + how->out_item) / line * line;
    return items > line ? items : line;
}

/*
 * What one kernel makes of a piece; none where there are several, where items are spaced, and where
 * lines of the output begin within items.
 */
static struct streamed_piece one_kernel(const struct conversion *how, const char *out)
{
    struct streamed_piece piece = {.n = 0};
    if (how->count != 1 || (uintptr_t)out % (uintptr_t)how->out_item != 0) return piece;
    const int64_t items = piece_items(how, out);
    piece.row = how->steps[0].row;
    piece.n = items * how->steps[0].per;
    piece.in_bytes = items * how->in_item;
    piece.out_bytes = items * how->out_item;
    return piece;
}

/* n items, dense, of each of some rows, so many bytes apart. */
struct source {
    const char *in;
    int64_t n, rows, step;
};

/*
 * What is read some kilobytes after item i of row j, and how many bytes of that row follow there:
 * while several kernels take turns, too little is read at a time for the hardware to keep up.
 */
static const char *read_later(int64_t *bytes, const struct source *s, int64_t item, int64_t j,
                              int64_t i)
{
    const int64_t row = s->n * item, at = i * item + LATER, k = j + at / row;
    const bool more = k < s->rows;
    *bytes = more ? row - at % row : 0;
    return more ? s->in + k * s->step + at % row : s->in;
}

/*
 * Rows that follow each other in the output, in pieces that end on its lines, wherever its items
 * allow that: in the buffer items lie as they do relative to those lines, and what does not fill
 * the last one waits for the next piece.
 */
static void stream_rows(const struct conversion *how, char *out, const struct source *s, bool fetch)
{
    const struct stria_kernels *kernels = stria__kernels();
    _Alignas(LINE) char buffer[PIECE_STEPS];
    const int64_t item = how->out_item, room = piece_items(how, out) * item;
    struct streamed_piece piece = one_kernel(how, out);
    const int64_t whole = piece.n ? room / item : INT64_MAX;
    int64_t from = (int64_t)((uintptr_t)out % LINE), at = from, left;
    for (int64_t j = 0, k = 1; j < s->rows; j += k)
        for (int64_t i = 0, m; i < s->n; i += m) {
            if (at == 0 && s->n - i >= whole) {
                const int64_t pieces = (s->n - i) / whole;
                const char *const row = s->in + j * s->step, *const in = row + i * how->in_item;
                piece.on = stria__read_on(row, s->n * how->in_item, s->step);
                kernels->stream_converted(out, in, &piece, pieces);
                out += pieces * piece.out_bytes;
                m = pieces * whole;
                k = 1;
                continue;
            }
            m = least(s->n - i, (room - at) / item);
            k = i > 0 || m < s->n ? 1 : least(s->rows - j, (room - at) / item / m);
            if (fetch) {
                const char *const later = read_later(&left, s, how->in_item, j, i);
                stria__fetch_lines(later, least(m * how->in_item, left));
            }
            const char *const in = s->in + j * s->step + i * how->in_step;
            if (k == 1)
                how->row(how, buffer + at, in, m);
            else
                stria__convert_rows(how, buffer + at, m * item, in, s->step, m, k);
            at += k * m * item;
            if (room - at >= item) continue;
            const int64_t stop = at / LINE * LINE;
            kernels->stream(out, buffer + from, stop - from);
            out += stop - from;
            memcpy(buffer, buffer + stop, (size_t)(at - stop));
            at -= stop;
            from = 0;
        }
    kernels->stream(out, buffer + from, at - from);
}

static bool whole_lines(const stria_plan *plan, int64_t item)
{
    uintptr_t bits = (uintptr_t)plan->ptr[DST] | (uintptr_t)(plan->dims[0].n * item);
    for (int d = 1; d < plan->ndim; d++)
        bits |= (uintptr_t)plan->dims[d].s[DST];
    return bits % LINE == 0;
}

void stria__row_loop(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct row_job *job = arg;
    const struct conversion *how = job->how;
    const int64_t n = d[0].n, bytes = n * how->out_item, rows = d[1].n;
    const bool joined = d[1].s[DST] == bytes && !job->fetch;
    char *out = ptr[DST];
    const bool lines = ((uintptr_t)out | (uintptr_t)bytes | (uintptr_t)d[1].s[DST]) % LINE == 0;
    const bool stream = job->stream && bytes >= (joined || lines ? STREAM_ROW : STREAM_ALONE);
    const char *in = ptr[SRC];
    const bool fetch = has_wide_items(how) && !job->fetch;
    if (stream && joined) {
        stream_rows(how, out, &(struct source){in, n, rows, d[1].s[SRC]}, fetch);
        stria__kernels()->fence();
        return;
    }
    if (!stream && !job->fetch) {
        stria__convert_rows(how, out, d[1].s[DST], in, d[1].s[SRC], n, rows);
        return;
    }
    for (int64_t j = 0; j < rows; j++) {
        if (job->fetch) stria__fetch(job->fetch, job->fetched);
        if (stream)
            stream_rows(how, out, &(struct source){in, n, 1, 0}, fetch);
        else
            how->row(how, out, in, n);
        out += d[1].s[DST];
        in += d[1].s[SRC];
    }
    if (stream) stria__kernels()->fence();
}

/*
 * Streamed rows of whole lines may go anywhere, so that the input is read in its own order; others
 * share lines with their neighbours in the output and are written in a row.
 */
void stria__walk_rows(const stria_plan *plan, const struct row_job *job, const stria_exec *exec)
{
    if (!job->stream || plan->ndim == 1 || !whole_lines(plan, job->how->out_item)) {
        stria_walk(plan, stria__row_loop, job, exec);
        return;
    }
    stria_plan by_input;
    by_input.nops = 2;
    by_input.ndim = plan->ndim;
    by_input.ptr[DST] = plan->ptr[DST];
    by_input.ptr[SRC] = plan->ptr[SRC];
    by_input.dims[0] = plan->dims[0];
    for (int d = 1; d < plan->ndim; d++) {
        const uint64_t s = magnitude(plan->dims[d].s[SRC]);
        int i = d;
        for (; i > 1 && magnitude(by_input.dims[i - 1].s[SRC]) > s; i--)
            by_input.dims[i] = by_input.dims[i - 1];
        by_input.dims[i] = plan->dims[d];
    }
    stria_walk(&by_input, stria__row_loop, job, exec);
}

/* One by one, for boxes that were cut to a width of one item. */
void stria__item_loop(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct row_job *job = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            job->how->row(job->how, ptr[DST] + i * d[0].s[DST] + j * d[1].s[DST],
                          ptr[SRC] + i * d[0].s[SRC] + j * d[1].s[SRC], 1);
}

bool stria__has_rows(const stria_plan *plan, const struct conversion *how)
{
    const stria_dim *d = &plan->dims[0];
    return d->n == 1 || (d->s[DST] == how->out_item && d->s[SRC] == how->in_step);
}
