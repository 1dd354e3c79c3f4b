/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose operands are dense along different dims: tiles are transposed in registers, so that
 * both operands are read and written in whole cache lines.
 *
 * A large output is streamed: its lines are stored non-temporally, and tiles follow the input,
 * whose lines are then read once and in order while those of the output may be anywhere; many rows
 * of the input are read side by side. Streaming needs rows of the output that begin on lines. If
 * rows are adjacent and none begins on a line, the lines that straddle two rows are copied by
 * themselves (straddles.h). If a dense run of the output, of many short rows, stays in the caches,
 * it is streamed as one (spans.h). Otherwise a tile is transposed into a buffer in the second-level
 * cache first, and streamed from there row by row.
 */
#include <inttypes.h>
#include <stdio.h>

#include "row_limits.h"
#include "chunks.h"
#include "cost.h"
#include "engine/machine.h"
#include "dispatch.h"
#include "engine/arena.h"
#include "engine/call.h"
#include "kernel_args.h"
#include "straddles.h"
#include "spans.h"
#include "strategy.h"
#include "tiling.h"

enum {
    /* Tiles that are streamed: bytes of input in a row, and bytes in all where that is less. */
    STREAM_RUN = 4096,
    STREAM_TILE = 16 << 10,
    /*
     * Tiles that stay in the caches: bytes of input and of output in a row. The hardware prefetcher
     * follows long rows of the input and the constant step between rows of the output.
     */
    RUN = 4096,
    ROW = 1024,
    /*
     * The buffer: bytes of input in a row, which is the number of its rows, and bytes of output in
     * each.
     */
    STAGE_RUN = 256,
    STAGE_ROW = 384,
    /* The same where source rows are no longer than that: all of a row, and less of the output. */
    STAGE_SHORT_RUN = 2048,
    STAGE_SHORT_ROW = 192,
    STAGE_MOST = 512 /* rows */
};

static struct transpose args(const struct tiling *t, const struct tile *tile)
{
    struct transpose a = stria__tile_args(t, tile);
    if (tile->next) a.next = tile->next->in;
    return a;
}

static bool pairs_up(const struct tiling *t)
{
    return stria__side_by_side(t, 2 * LINE / t->item);
}

struct way {
    bool stream, fetch, collide, pair;
    int64_t rows, two_line_rows;
    struct column_slabs slabs;
    char *stage;
};

static void direct(const struct tiling *t, const struct tile *tile, void *arg)
{
    const struct way *way = arg;
    struct transpose a = args(t, tile);
    a.stream = way->stream;
    a.fetch = way->fetch;
    a.pair = way->pair;
    a.rows = way->rows;
    a.stage = way->stage;
    a.two_line_rows = way->two_line_rows;
    a.collide = way->collide;
    a.slabs = way->slabs;
    stria__kernels()->transpose[stria__size_class(t->item)](&a);
}

/* A tile in a buffer, whose rows have the same offset to lines as in the output. */
struct staging {
    _Alignas(LINE) char rows[STAGE_MOST * (STAGE_SHORT_ROW + 3 * LINE)];
    int64_t at[STAGE_MOST];
    int64_t pitch;
    bool goes_on; /* the next tile continues where the last one ended */
    bool collide;
};

/* Tells whether each row of the next tile begins where the same row of this one ends. */
static bool next_goes_on(const struct tile *tile, int64_t bytes)
{
    const struct tile *next = tile->next;
    return next && next->np == tile->np && next->out == tile->out + bytes;
}

static void staged(const struct tiling *t, const struct tile *tile, void *arg)
{
    struct staging *s = arg;
    const int64_t bytes = tile->nq * t->item;
    struct transpose a = args(t, tile);
    a.out = s->rows;
    a.out_at = s->at;
    a.even = false;
    a.collide = s->collide;
    for (int64_t p = 0; p < tile->np && !s->goes_on; p++)
        s->at[p] = p * s->pitch + (int64_t)((uintptr_t)(tile->out + t->p.at[p]) % LINE);
    stria__kernels()->transpose[stria__size_class(t->item)](&a);
    const struct staged_rows rows = {.out = tile->out,
                                     .out_at = t->p.at,
                                     .rows = s->rows,
                                     .pitch = s->pitch,
                                     .at = s->at,
                                     .np = tile->np,
                                     .bytes = bytes,
                                     .goes_on = s->goes_on,
                                     .ends = bytes < LINE || !next_goes_on(tile, bytes),
                                     .next = a.next,
                                     .next_at = t->q.at,
                                     .nq = tile->nq,
                                     .run = tile->np * t->item};
    stria__kernels()->unstage(&rows);
    s->goes_on = !rows.ends;
}

/*
 * Tells whether every row of every tile, except those of a shorter first block, begins on a line
 * and is whole lines.
 */
static bool lines_up(const struct tiling *t)
{
    const int64_t head = t->q.first < t->q.block ? t->q.first * t->item : 0;
    uint64_t bits =
        ((uintptr_t)t->out + (uint64_t)head) | (uint64_t)(t->q.inner * t->q.block * t->item);
    for (int64_t i = 0; i < t->p.inner * t->p.block; i++)
        bits |= (uint64_t)t->p.at[i];
    for (int i = 0; i < t->nloops; i++)
        bits |= (uint64_t)t->loops[i].so * (uint64_t)t->loops[i].step;
    return bits % LINE == 0;
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n < 1 ? 1 : n < most ? n : most;
}

/*
 * Divides as evenly as possible, since a few remaining items of a row take as long as many. If the
 * buffer has room for whole source rows, they are read whole: they are adjacent, so that memory is
 * read in order. Returns the bytes of the output in a row of the buffer.
 */
static int64_t stage_tiles(struct tiling *t, const struct nest *nest)
{
    const int dim = stria__tiling_dim(nest);
    const int64_t p = nest->d[dim].n, q = nest->d[0].n, run = stria__dense_run(nest, dim, true);
    const bool whole = run > STAGE_RUN && run <= STAGE_SHORT_RUN && run <= STAGE_MOST * nest->item;
    const int64_t row = whole ? STAGE_SHORT_ROW : STAGE_ROW,
                  np = at_most((whole ? run : STAGE_RUN) / nest->item, STAGE_MOST),
                  nq = at_most(row / nest->item, row);
    stria__tiling_make(t, nest, stria__even_most(p, np), stria__even_most(q, nq), NULL, ROWS_FIRST);
    return row;
}

static void run_plain(const struct nest *nest);

/* Stores through the caches where there is no scratch memory for the buffer. */
static void run_staged(const struct nest *nest)
{
    char *const scratch = stria__arena_take(sizeof(struct staging));
    struct staging *const stage = (struct staging *)(void *)scratch;
    struct tiling *const t = scratch ? stria__tiling_take() : NULL;
    if (!t) {
        if (scratch) stria__arena_give(scratch);
        run_plain(nest);
        return;
    }
    stage->pitch = stage_tiles(t, nest) + 3 * LINE;
    stage->goes_on = false;
    stage->collide = stria__collides(&t->q, LINE / nest->item);
    stria__tiling_walk(t, staged, stage);
    stria__arena_give(scratch);
}

/*
 * Tells whether the operands may come from memory; smaller ones may be scratch memory, or a part of
 * it.
 */
static bool is_far(const struct nest *nest)
{
    return stria__nest_bytes(nest) >= stria__machine()->lies_in_l2;
}

/* Tells whether it is larger, with its input, than the second-level cache. */
static bool is_large(const struct nest *nest)
{
    return stria__nest_bytes(nest) > stria__machine()->fits_l2;
}

/* Tells whether it fits, with its input, in the first-level cache. */
static bool fits_l1(const struct nest *nest)
{
    return stria__nest_bytes(nest) <= stria__machine()->fits_l1;
}

static bool is_small(const struct nest *nest)
{
    enum { SMALL = 64 };
    return nest->d[0].n <= SMALL && nest->d[1].n <= SMALL;
}

/* Tells whether it is a matrix that fits in the second-level cache. */
static bool is_one_tile(const struct nest *nest, enum size_class class)
{
    if (nest->ndim != 2 || nest->d[1].si <= 0 || class == SIZE_ANY) return false;
    return is_small(nest) || !is_large(nest);
}

/* Tells whether all rows begin at the same offset to lines, so that tiles can begin on lines. */
static bool has_heads(const struct nest *nest)
{
    const struct heads heads = stria__tiling_heads(nest, 1);
    return heads.p != 0 || heads.q != 0;
}

/* Runs without a tiling, which would take longer to make than a small transposition. */
static bool run_one_tile(const struct nest *nest)
{
    const struct nest_dim *q = &nest->d[0], *p = &nest->d[1];
    const enum size_class class = stria__size_class(nest->item);
    if (!is_one_tile(nest, class) || (!is_small(nest) && has_heads(nest))) return false;
    /* Every field is set by itself: compilers clear a struct of this size by a slow instruction. */
    struct transpose t;
    t.out = nest->out;
    t.in = nest->in;
    t.out_at = t.in_at = NULL;
    t.np = p->n;
    t.nq = q->n;
    t.item = nest->item;
    t.even = true;
    t.out_pitch = p->so;
    t.in_pitch = q->si;
    t.scratch = t.in_even = t.stream = t.fetch = t.pair = t.collide = false;
    t.rows = t.two_line_rows = 0;
    t.stage = NULL;
    t.next = NULL;
    t.slabs.columns = t.slabs.few = t.slabs.height = 0;
    t.ahead = NULL;
    const struct row_places out = {NULL, p->so, p->n}, in = {NULL, q->si, q->n};
    if (!fits_l1(nest)) t.slabs = stria__slabs(nest->item, &out, &in);
    stria__kernels()->transpose[class](&t);
    return true;
}

/* Returns the items that a tile reads in a row: at most `run` bytes, and at most the dense run. */
static int64_t run_items(const struct nest *nest, int64_t run)
{
    const int64_t dense = stria__dense_run(nest, stria__tiling_dim(nest), true);
    return at_most((dense < run ? dense : run) / nest->item, SIDE_MAX);
}

/*
 * Source rows are packed if their lines cause conflict misses in a first-level cache that could
 * hold them all, or, for short items, if they allow few misses at a time on the way from the
 * third-level cache.
 */
static struct way way_of(const struct nest *nest, const struct tiling *t)
{
    const struct row_places out = {t->p.at, 0, t->p.inner * t->p.block},
                            in = {t->q.at, 0, t->q.inner * t->q.block};
    const bool collide = stria__collides(&t->q, LINE / nest->item);
    struct way way = {.collide = collide};
    if (fits_l1(nest)) return way;
    way.slabs = stria__slabs(nest->item, &out, &in);
    const bool both = way.slabs.few > 0 && way.slabs.height == 0;
    way.fetch = way.collide = is_large(nest) && nest->item <= 4 && (collide || both);
    if (way.collide) way.slabs.columns = 0;
    return way;
}

static void run_plain(const struct nest *nest)
{
    const int64_t item = nest->item;
    if (run_one_tile(nest)) return;
    struct tiling *const t = stria__tiling_take();
    if (!t) {
        stria__copy_strided.run(nest, false);
        return;
    }
    const struct heads heads = stria__tiling_heads(nest, stria__tiling_dim(nest));
    stria__tiling_make(t, nest, at_most(RUN / item, SIDE_MAX), at_most(ROW / item, SIDE_MAX),
                       &heads, BY_OUTPUT);
    struct way way = way_of(nest, t);
    if (way.fetch) way.stage = stria__arena_take(TRANSPOSE_STAGE);
    stria__tiling_walk(t, direct, &way);
    stria__tiling_give(t);
}

/*
 * Tells whether short rows of output are adjacent, one for each item that the input has in a row,
 * and both sides are short: each tile then costs more than the bytes it moves.
 */
static bool is_narrow(const struct nest *nest)
{
    enum { NARROW = 256, FEW = 1024 /* bytes */ };
    const int p = stria__tiling_dim(nest);
    int64_t row = nest->item, np, nq;
    for (int d = 0; d < p; d++) {
        if (nest->d[d].so != row) return false;
        row *= nest->d[d].n;
        if (row >= NARROW) return false;
    }
    stria__tiling_sides(nest, p, SIDE_MAX, &np, &nq);
    return nest->d[p].so == row && np * nq * nest->item < FEW && stria__has_chunks(nest);
}

/*
 * Makes tiles to be streamed. Returns how many source rows are read side by side. The more there
 * are, the longer are the pieces in which the output is written; but if the lines of so many do not
 * fit in the second-level cache, because they share its sets, more than make a PIECE do not pay. 0,
 * or as many as fill a line or two, where there are only few or short rows, or items are lanes.
 */
static int64_t stream_tiles(struct tiling *t, const struct nest *nest)
{
    enum {
        SHORT = 1024 /* bytes: beginning and ending such a row costs more than it gains */,
        SHORTER = 2 * LINE /* the same if the hardware prefetcher follows rows */,
        PIECE = 512 /* bytes of output */
    };
    const int64_t item = nest->item, pair = 2 * LINE / item, np = run_items(nest, STREAM_RUN),
                  pairs = STREAM_TILE / (np * 2 * LINE), nq = (pairs + 1) * pair;
    struct heads heads = stria__tiling_heads(nest, stria__tiling_dim(nest));
    if (np * item < SHORT) heads.p = 0;
    if (item < LANE && np * item >= (stria__follows_rows() ? SHORTER : SHORT)) {
        stria__tiling_make(t, nest, np, at_most(nq > ROWS_MOST ? nq : ROWS_MOST, SIDE_MAX), &heads,
                           BY_INPUT);
        const int64_t n = t->q.inner * t->q.block, line = LINE / item,
                      rows = stria__rows_most(item),
                      most = stria__side_by_side(t, rows) ? rows : at_most(PIECE / item, rows),
                      passes = (n - 1) / most + 1;
        if (n >= most / 2) return ((n - 1) / passes / line + 1) * line;
    }
    stria__tiling_make(t, nest, np, at_most(nq, SIDE_MAX), &heads, BY_INPUT);
    return 0;
}

/* Copies one line of each row of the output, which comes from two rows of the copy. */
static void run_straddles(const struct nest *nest, const struct straddles *straddles)
{
    struct nest across;
    int64_t apart;
    stria__across_straddles(&across, &apart, nest, straddles);
    struct tiling *const t = stria__tiling_take();
    stria__tiling_make(t, &across, run_items(&across, STREAM_RUN), across.d[0].n, NULL, BY_INPUT);
    for (int64_t i = straddles->tail; i < across.d[0].n; i++)
        t->q.at[i] += apart;
    t->q.even = false;
    struct way way = {.stream = true,
                      .fetch = is_far(nest),
                      .collide = stria__collides(&t->q, LINE / nest->item)};
    stria__tiling_walk(t, direct, &way);
    stria__tiling_give(t);
}

static void run_shortly(const struct nest *nest)
{
    stria__strategy_run(stria__strategy(nest), nest, false);
}

static void run_streamed(const struct nest *nest);

static void run_between_straddles(const struct nest *nest, const struct straddles *straddles)
{
    struct nest part;
    stria__between_straddles(&part, nest, straddles);
    run_streamed(&part);
    run_straddles(nest, straddles);
    stria__before_straddles(&part, nest, straddles);
    run_shortly(&part);
    stria__behind_straddles(&part, nest, straddles);
    run_shortly(&part);
}

/*
 * Streams rows of whole lines. Returns false for others, and where there is no scratch memory, and
 * has done nothing then.
 */
static bool stream_whole_lines(const struct nest *nest)
{
    struct tiling *const t = stria__tiling_take();
    if (!t) return false;
    const int64_t rows = stream_tiles(t, nest);
    if (!lines_up(t)) {
        stria__tiling_give(t);
        return false;
    }
    char *const stage = rows > 0 ? stria__arena_take(TRANSPOSE_STAGE) : NULL;
    struct way way = {.stream = true,
                      .fetch = is_far(nest),
                      .collide = !stage && stria__collides(&t->q, LINE / nest->item),
                      .pair = pairs_up(t),
                      .rows = stage ? rows : 0,
                      .two_line_rows = stage ? stria__two_line_rows(t, rows) : 0,
                      .stage = stage};
    stria__tiling_walk(t, direct, &way);
    stria__tiling_give(t);
    return true;
}

static void run_streamed(const struct nest *nest)
{
    if (stream_whole_lines(nest)) return;
    if (is_narrow(nest))
        stria__stream_chunks(nest, run_plain);
    else if (stria__span_bytes(nest) == 0 || !stria__stream_spans(nest))
        run_staged(nest);
}

struct far_way {
    const char *next;
    char *stage;
};

static void far_tile(const struct tiling *t, const struct tile *tile, void *arg)
{
    const struct far_way *way = arg;
    struct transpose a = args(t, tile);
    if (!a.next) a.next = way->next;
    a.fetch = a.collide = a.scratch = true;
    a.stage = way->stage;
    stria__kernels()->transpose[stria__size_class(t->item)](&a);
}

void stria__transpose_far(const struct nest *nest, const char *next)
{
    const int64_t item = nest->item;
    struct tiling *const t = stria__tiling_take();
    if (!t) {
        run_plain(nest);
        return;
    }
    stria__tiling_make(t, nest, at_most(RUN / item, SIDE_MAX), at_most(4096 / item, SIDE_MAX), NULL,
                       BY_OUTPUT);
    struct far_way far = {next, stria__arena_take(TRANSPOSE_STAGE)};
    stria__tiling_walk(t, far_tile, &far);
    stria__tiling_give(t);
}

/* Tells whether there is scratch memory for the tilings between straddling lines and on them. */
static bool has_scratch(void)
{
    return stria__arena_room() >= 2 * (int64_t)sizeof(struct tiling);
}

static void run(const struct nest *nest, bool stream)
{
    struct straddles straddles;
    if (!stream)
        run_plain(nest);
    else if (has_scratch() && stria__find_straddles(&straddles, nest))
        run_between_straddles(nest, &straddles);
    else
        run_streamed(nest);
}

/* Explains how a copy is streamed, as snprintf writes. */
static void explain_streamed(char *text, size_t size, const struct nest *nest)
{
    struct tiling t;
    struct straddles straddles;
    struct nest between;
    if (stria__find_straddles(&straddles, nest)) {
        stria__between_straddles(&between, nest, &straddles);
        nest = &between;
    }
    int64_t rows = stream_tiles(&t, nest);
    const bool lines = lines_up(&t);
    const int64_t span = lines ? 0 : stria__span_bytes(nest);
    if (!lines && is_narrow(nest)) return;
    if (span > 0) {
        (void)snprintf(text, size, "; streams spans of %" PRId64 " bytes", span);
        return;
    }
    if (!lines) (void)stage_tiles(&t, nest);
    const int64_t most = t.q.inner * t.q.block;
    if (!lines)
        rows = most;
    else if (rows == 0)
        rows = (pairs_up(&t) ? 2 : 1) * LINE / nest->item;
    (void)snprintf(text, size, "; streams %" PRId64 " rows side by side", at_most(rows, most));
}

/*
 * ---- cost -------------------------------------------------------------------------------------
 */

/* The number of shuffles: as many as K = LANE / item has bits. */
static int stages_of(int64_t item)
{
    switch (item) {
    case 1: return 4;
    case 2: return 3;
    case 4: return 2;
    case 8: return 1;
    default: return 0;
    }
}

/* Cycles for lines of output, K columns at a time, each by one load and those shuffles. */
static double vectors_cycles(int64_t np, int64_t nq, int stages)
{
    static const double LINES = 4, LANES = 1.1, STRIP = 10;
    const int64_t k = 1 << stages, lanes = (nq + k - 1) >> stages;
    const int64_t columns = (np + k - 1) & -k;
    return (double)columns * (LINES + stages) / LINES *
               (LINES * (double)(lanes / 4) + LANES * (double)(lanes % 4)) +
           STRIP * (double)((lanes + 3) / 4);
}

/*
 * Cycles of tiles. Sides shorter than a vector are copied item by item, and so are items without a
 * kernel.
 */
static double tile_cycles(int64_t item, int64_t np, int64_t nq)
{
    static const double BY_ITEM = 1.35, HALF = 0.5, TABLES = 1.2;
    if (stria__size_class(item) == SIZE_ANY)
        return (double)(np * nq) * (stria__item_cycles(item) + TABLES);
    const int stages = stages_of(item);
    const int64_t k = 1 << stages, less = np < nq ? np : nq;
    if (less >= k) return vectors_cycles(np, nq, stages);
    if (item <= 2 && less >= k / 2) return (double)(np * nq) * HALF;
    return (double)(np * nq) * BY_ITEM;
}

/*
 * Cycles for streamed rows that need not begin on lines. Unless they make spans they go through a
 * buffer, a tile of a few rows at a time; if the input has few items in a row, that costs more than
 * the transposition.
 */
static double stage_cycles(const struct nest *nest, int64_t np, int64_t nq, double items)
{
    static const double TILE = 150, LINES = 2, SHORT_ROW = 20;
    if (stria__nest_has_rows_of_lines(nest) || stria__span_bytes(nest) > 0) return 0;
    const double lines = items * (double)nest->item / LINE,
                 rows = (double)at_most(STAGE_RUN / nest->item, np);
    const double staged = lines * LINES + lines * LINE / (rows * STAGE_ROW) * TILE;
    return nq * nest->item < LINE ? staged + items / (double)nq * SHORT_ROW : staged;
}

static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    static const double PREPARED = 130, TABLES = 1, TILE = 40, ONE = 20, NEAR = 0.75;
    int64_t np = nest->d[1].n, nq = nest->d[0].n;
    if (is_one_tile(nest, stria__size_class(nest->item)))
        return ONE + NEAR * tile_cycles(nest->item, np, nq);
    stria__tiling_sides(nest, f->across, RUN / (int)nest->item, &np, &nq);
    const double tiles = f->items / (double)(np * nq),
                 each = TILE + tile_cycles(nest->item, np, nq);
    const int64_t from = stria__machine()->stream_from[WRITE_TILES];
    const bool stream = stria__nest_traffic(nest) >= (double)from;
    return PREPARED + TABLES * (double)(np + nq) + tiles * each +
           (stream ? stage_cycles(nest, np, nq, f->items) : 0);
}

/* Explains as for a call without hints. */
static void explain(char *text, size_t size, const struct nest *nest)
{
    const int written = snprintf(
        text, size, "items of %" PRId64 " bytes, dense along other dims: %" PRId64 " x %" PRId64,
        nest->item, nest->d[0].n, nest->d[stria__tiling_dim(nest)].n);
    const bool stream = stria__streams(&stria__copy_transpose, nest, NULL);
    if (stream && written > 0 && (size_t)written < size)
        explain_streamed(text + written, size - (size_t)written, nest);
}

const struct strategy stria__copy_transpose = {.name = "transpose",
                                               .needs = OUT_DENSE | ACROSS,
                                               .cost = cost,
                                               .run = run,
                                               .explain = explain,
                                               .write = WRITE_TILES};
