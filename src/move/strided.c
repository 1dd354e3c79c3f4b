/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of any layout: a kernel has two loops over the innermost dims of the output, and the
 * others are iterated outside. For elements without a kernel of their own, and for runs, the kernel
 * copies rows of bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "cost.h"
#include "machine/dispatch.h"
#include "move/dense.h"
#include "move/line_writer.h"
#include "move/nest.h"
#include "straddles.h"
#include "strategy.h"
#include "transpose.h"

/* Makes the bytes of rows the innermost dim. */
static void count_bytes(struct nest *out, const struct nest *rows)
{
    stria__nest_begin(out, rows->out, rows->in, 1);
    out->ndim = rows->ndim + 1;
    out->d[0] = (struct nest_dim){rows->item, 1, 1};
    for (int d = 0; d < rows->ndim; d++)
        out->d[d + 1] = rows->d[d];
}

/*
 * Tells whether rows straddle lines, and neighbouring rows of the input are neither short nor
 * neighbours in the output.
 */
static bool has_straddles(struct straddles *out, struct nest *bytes, const struct nest *rows)
{
    if (rows->item >= LONG_RUN || rows->item < 2 * LINE || rows->ndim == STRIA_MAX_NDIM)
        return false;
    bool near = true;
    for (int d = 1; d < rows->ndim; d++)
        near = near && magnitude(rows->d[d].si) >= magnitude(rows->d[0].si);
    if (near) return false;
    count_bytes(bytes, rows);
    return stria__find_straddles(out, bytes);
}

static void call_kernel(char *out, const char *in, void *arg)
{
    struct strided *t = arg;
    t->out = out;
    t->in = in;
    stria__kernels()->strided[stria__size_class(t->item)](t);
}

static void run_as(const struct nest *nest, bool stream, bool fetch)
{
    struct strided t = stria__strided_args(nest, stream);
    t.fetch = fetch;
    stria__nest_walk(nest, 2, call_kernel, &t);
}

/*
 * Streams rows that would be whole lines if they began on lines: each is written together with the
 * part of its last line that belongs to the next row, so that all can be read in the order of the
 * input.
 */
static void stream_between_straddles(const struct nest *bytes, const struct straddles *straddles)
{
    struct nest part, sorted;
    stria__straddle_part(&part, bytes, straddles, WITH_STRADDLES);
    stria__nest_by_input(&sorted, &part, 0);
    struct strided t = stria__strided_args(&sorted, true);
    t.tail = straddles->head;
    t.tail_at = bytes->d[straddles->along].si - straddles->head;
    stria__nest_walk(&sorted, 2, call_kernel, &t);
    stria__straddle_part(&part, bytes, straddles, BEFORE_STRADDLES);
    run_as(&part, false, false);
    stria__straddle_part(&part, bytes, straddles, LAST_ROW);
    run_as(&part, false, false);
}

/* Tells whether every row consists of whole lines. */
static bool made_of_lines(const struct nest *nest)
{
    uint64_t bits = (uintptr_t)nest->out | (uint64_t)nest->item;
    for (int d = 0; d < nest->ndim; d++)
        bits |= (uint64_t)nest->d[d].so;
    return bits % LINE == 0;
}

/*
 * Tells whether short rows are adjacent along different dims in the two operands: in the order of
 * one of them, single rows would be taken from all over the other. But rows of several lines, few
 * of which are adjacent in the input, may continue there along the dim in which they are adjacent
 * in the output, as in (b, t, h, d) to (b, h, t, d); then a few places of the output are written on
 * and on.
 */
static bool go_in_tiles(const struct nest *nest)
{
    const int p = stria__tiling_dim(nest);
    const int64_t most = ROWS_TILE_RUN / nest->item;
    int64_t np, nq;
    if (most < 2 || p == 0 || nest->d[0].so != nest->item || nest->d[0].si == 0) return false;
    const int64_t run = nest->d[p].n * nest->item;
    if (nest->item >= 2 * LINE && nest->d[0].si == run && run <= stria__machine()->rows_in_order)
        return false;
    stria__tiling_sides(nest, p, most, &np, &nq);
    return np > 1 && nq > 1 && np * nq * nest->item >= ROWS_TILE_LEAST;
}

/* Streams rows in tiles. Returns false, with nothing done, if there is no scratch memory. */
static bool stream_in_tiles(const struct nest *nest)
{
    struct tiling *const t = stria__tiling_take();
    const int64_t most = ROWS_TILE_RUN / nest->item;
    if (!t) return false;
    stria__tiling_make(t, nest, most, most, NULL, BY_INPUT);
    struct transpose a = stria__tiling_args(t);
    a.stream = true;
    stria__tiling_walk(t, stria__transpose_tile, &a);
    stria__tiling_give(t);
    return true;
}

static void copy_row(char *out, const char *in, void *item)
{
    stria__copy_large(out, in, *(const int64_t *)item);
}

/*
 * Copies rows. Whole lines are streamed however short the rows are. Other rows that are adjacent in
 * the output share lines, and partial lines must be read. Rows that are stored through the caches
 * are prefetched from so many bytes on as the CPU wants.
 */
static void run_rows(const struct nest *nest, bool stream)
{
    int64_t item = nest->item;
    struct nest bytes, sorted;
    struct straddles straddles;
    /* Rows behind longer gaps have to be waited for; fewer at a time when they are streamed. */
    const bool near = (int64_t)magnitude(nest->d[0].si) <= item + 4 * LINE,
               is_short = item < (near ? 3 * LINE / 2 : 3 * LINE);
    if (!stream && stria__has_long_rows(nest))
        stria__nest_walk(nest, 0, copy_row, &item);
    else if (!stream)
        run_as(nest, false, stria__nest_bytes(nest) >= stria__machine()->fetched_rows);
    else if (made_of_lines(nest) && go_in_tiles(nest) && stream_in_tiles(nest))
        return;
    else if (nest->item >= LONG_RUN || made_of_lines(nest)) {
        /* Rows are taken in the order of the input, since they need not share lines. */
        stria__nest_by_input(&sorted, nest, 0);
        run_as(&sorted, true, false);
    } else if (has_straddles(&straddles, &bytes, nest))
        stream_between_straddles(&bytes, &straddles);
    else if (nest->d[0].so == nest->item && !is_short)
        run_as(nest, true, false);
    else
        run_as(nest, false, true);
}

enum { PIECE = 2 << 10 /* Bytes of the buffer. */ };

/*
 * A piece consists of the innermost dims of the output that fit, and a block of the next one. Each
 * is packed into a buffer that stays in the first-level cache, from where it is streamed. Its
 * offset to the lines of the buffer is the same as in the output. Bytes that do not fill its last
 * line are kept for the next piece, so that only the ends of a whole run are partial lines.
 */
struct pieces {
    struct nest inner; /* The dims of one piece; the last is the dim in blocks, if there is one. */
    bool fetch;        /* The input comes from memory. */
    int64_t bytes;     /* Bytes of the dims inside the blocks. */
    int64_t n, block;  /* Size and block of the dim in blocks; 1 and 1 if there is none. */
    struct nest_dim blocked;
    _Alignas(LINE) char buffer[PIECE + 2 * LINE];
};

static void walk_blocks(char *out, const char *in, void *arg)
{
    struct pieces *c = arg;
    struct line_writer output = {.lines = c->buffer, .end = out};
    for (int64_t i = 0, n; i < c->n; i += n) {
        n = least(c->n - i, c->block);
        c->inner.out = c->buffer + (uintptr_t)output.end % LINE;
        c->inner.in = in + i * c->blocked.si;
        if (c->blocked.so) c->inner.d[c->inner.ndim - 1].n = n;
        run_as(&c->inner, false, c->fetch);
        stria__write_lines(&output, output.end, n * c->bytes, stria__kernels()->stream);
    }
    stria__flush_lines(&output);
}

static void stream_pieces(const struct nest *nest, bool fetch)
{
    struct pieces c;
    int dense, d = 0;
    (void)stria__nest_run(nest, &dense);
    c.fetch = fetch;
    c.bytes = nest->item;
    c.n = c.block = 1;
    c.blocked = (struct nest_dim){1, 0, 0};
    c.inner.item = nest->item;
    for (; d < dense && nest->d[d].n * c.bytes <= PIECE; d++) {
        c.inner.d[d] = nest->d[d];
        c.bytes *= nest->d[d].n;
    }
    c.inner.ndim = d;
    if (d < dense && PIECE / c.bytes > 0) {
        c.blocked = nest->d[d];
        c.n = c.blocked.n;
        c.block = PIECE / c.bytes;
        c.inner.d[c.inner.ndim++] = c.blocked;
        d++;
    }
    stria__nest_walk(nest, d, walk_blocks, &c);
}

static void run_items(const struct nest *nest, bool stream)
{
    const int64_t far = stria__machine()->fetched_items, step = (int64_t)magnitude(nest->d[0].si);
    /* Lines of few bytes are not far, even if each is in a line of its own. */
    const bool fetch =
        stria__nest_bytes(nest) >= far / LINE && stria__nest_lines(nest) >= (double)far;
    /* If little is written, streaming saves less than pauses between pieces cost. */
    const bool sparse = step >= LINE / 2 && step / SPARSE_STEP > nest->item;
    int ndim;
    if (!stream) {
        run_as(nest, false, fetch);
        return;
    }
    struct strided t = stria__strided_args(nest, true);
    if (stria__kernels()->streams_steps(&t))
        stria__nest_walk(nest, 2, call_kernel, &t);
    else if (!sparse && nest->item <= PIECE && stria__nest_run(nest, &ndim) >= LONG_RUN)
        stream_pieces(nest, fetch);
    else
        run_as(nest, false, fetch);
}

static void explain_rows(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "runs of %" PRId64 " bytes stay together", nest->item);
}

static void explain_strided(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "strides of %" PRId64 " to %" PRId64 " bytes along the inner dim",
                   nest->d[0].si, nest->d[0].so);
}

const struct strategy stria__copy_rows = {"rows",   DIMS | ODD,   stria__strided_cycles,
                                          run_rows, explain_rows, .write = WRITE_ROWS};
const struct strategy stria__copy_strided = {"strided", DIMS | SIZED,    stria__strided_cycles,
                                             run_items, explain_strided, .write = WRITE_ITEMS};
