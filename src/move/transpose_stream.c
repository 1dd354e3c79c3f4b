/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transpositions whose output is streamed: its lines are stored non-temporally, and tiles follow
 * the input, whose lines are then read once and in order while those of the output may be anywhere;
 * many rows of the input are read side by side. Where rows of the output do not begin on lines, a
 * tile is transposed into a buffer in the second-level cache first, and streamed from there row by
 * row.
 */
#include "transpose.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/integers.h"
#include "machine/dispatch.h"
#include "plan/arena.h"
#include "machine/machine.h"
#include "move/cost.h"
#include "strategy.h"

/* The buffer: bytes of its rows, and the number of these at most. */
enum { STAGE_ROOM = 192 << 10, STAGE_ROWS = 512 };

/* ---- by a buffer ----------------------------------------------------------------------------- */

/* A tile in a buffer, whose rows have the same offset to lines as in the output. */
struct staging {
    _Alignas(LINE) char rows[STAGE_ROOM];
    int64_t at[STAGE_ROWS];
    int64_t pitch;
    bool goes_on; /* the next tile continues where the last one ended */
    struct transpose args;
};

static void staged(const struct tiling *t, const struct tile *tile, void *arg)
{
    struct staging *s = arg;
    const int64_t bytes = tile->nq * t->item;
    struct transpose *const a = &s->args;
    stria__tile_args(a, tile);
    a->out = s->rows;
    for (int64_t p = 0; p < tile->np && !s->goes_on; p++)
        s->at[p] = p * s->pitch + (int64_t)((uintptr_t)(tile->out + t->p.at[p]) % LINE);
    stria__kernels()->transpose[stria__size_class(t->item)](a);
    /* Each row of the next tile may begin where the same row of this one ends. */
    const struct tile *const next = tile->next;
    const bool goes_on = next && next->np == tile->np && next->out == tile->out + bytes;
    const struct staged_rows rows = {.out = tile->out,
                                     .out_at = t->p.at,
                                     .rows = s->rows,
                                     .pitch = s->pitch,
                                     .at = s->at,
                                     .np = tile->np,
                                     .bytes = bytes,
                                     .goes_on = s->goes_on,
                                     .ends = bytes < LINE || !goes_on,
                                     .next = a->next,
                                     .next_at = t->q.at,
                                     .nq = tile->nq,
                                     .run = tile->np * t->item};
    stria__kernels()->unstage(&rows);
    s->goes_on = !rows.ends;
}

/* Tells whether every row of every tile begins on a line and is whole lines. */
static bool lines_up(const struct tiling *t)
{
    uint64_t bits = (uintptr_t)t->out | (uint64_t)(t->q.inner * t->q.block * t->item);
    for (int64_t i = 0; i < t->p.inner * t->p.block; i++)
        bits |= (uint64_t)t->p.at[i];
    for (int i = 0; i < t->nloops; i++)
        bits |= (uint64_t)t->loops[i].so * (uint64_t)t->loops[i].step;
    return bits % LINE == 0;
}

/*
 * Divides as evenly as possible, since a few remaining items of a row take as long as many. Returns
 * the bytes of the output in a row of the buffer.
 */
static int64_t stage_tiles(struct tiling *t, const struct nest *nest)
{
    const int64_t p = nest->d[stria__tiling_dim(nest)].n, q = nest->d[0].n,
                  np = stria__at_most(STAGE_RUN / nest->item, STAGE_ROWS),
                  row = least(STAGE_ROW, STAGE_ROOM / np - 3 * LINE),
                  nq = stria__at_most(row / nest->item, SIDE_MAX);
    stria__tiling_make(t, nest, stria__even_most(p, np), stria__even_most(q, nq), ROWS_FIRST);
    return row;
}

/* Stores through the caches where there is no scratch memory for the buffer. */
static void run_staged(const struct nest *nest)
{
    char *const scratch = stria__arena_take(sizeof(struct staging));
    struct staging *const stage = (struct staging *)(void *)scratch;
    struct tiling *const t = scratch ? stria__tiling_take() : NULL;
    if (!t) {
        if (scratch) stria__arena_give(scratch);
        stria__transpose_plain(nest);
        return;
    }
    stage->pitch = stage_tiles(t, nest) + 3 * LINE;
    stage->goes_on = false;
    stage->args = stria__tiling_args(t);
    stage->args.out_at = stage->at;
    stage->args.even = false;
    stage->args.collide = stria__collides(&t->q, LINE / nest->item);
    stria__tiling_walk(t, staged, stage);
    stria__arena_give(scratch);
}

/* ---- whole lines ----------------------------------------------------------------------------- */

/*
 * Tells whether the operands may come from memory; smaller ones may be scratch memory, or a part of
 * it.
 */
static bool is_far(const struct nest *nest)
{
    return stria__nest_bytes(nest) >= stria__machine()->lies_in_l2;
}

static bool pairs_up(const struct tiling *t)
{
    return stria__side_by_side(t, 2 * LINE / t->item);
}

/*
 * Makes tiles to be streamed. Returns how many source rows are read side by side. The more there
 * are, the longer are the pieces in which the output is written; but if the lines of so many do not
 * fit in the second-level cache, because they share its sets, more than make a piece do not pay. 0,
 * or as many as fill a line or two, where there are only few or short rows, or items are lanes.
 */
static int64_t stream_tiles(struct tiling *t, const struct nest *nest)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t item = nest->item, pair = 2 * LINE / item,
                  np = stria__transpose_items(nest, TILE_RUN),
                  pairs = TILE_STREAMED / (np * 2 * LINE), nq = (pairs + 1) * pair;
    if (item < LANE && np * item >= m->side_by_side_run) {
        stria__tiling_make(t, nest, np, stria__at_most(nq > ROWS_MOST ? nq : ROWS_MOST, SIDE_MAX),
                           BY_INPUT);
        const int64_t n = t->q.inner * t->q.block, line = LINE / item,
                      rows = stria__rows_most(item),
                      most = stria__side_by_side(t, rows)
                                 ? rows
                                 : stria__at_most(SIDE_BY_SIDE_PIECE / item, rows),
                      passes = (n - 1) / most + 1;
        if (n >= most / 2) return ((n - 1) / passes / line + 1) * line;
    }
    stria__tiling_make(t, nest, np, stria__at_most(nq, SIDE_MAX), BY_INPUT);
    return 0;
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
    struct transpose a = stria__tiling_args(t);
    a.stream = true;
    a.fetch = is_far(nest);
    a.collide = !stage && stria__collides(&t->q, LINE / nest->item);
    a.pair = pairs_up(t);
    a.rows = stage ? rows : 0;
    a.two_line_rows = stage ? stria__two_line_rows(t, rows) : 0;
    a.stage = stage;
    stria__tiling_walk(t, stria__transpose_tile, &a);
    stria__tiling_give(t);
    return true;
}

void stria__transpose_stream(const struct nest *nest)
{
    if (stream_whole_lines(nest)) return;
    run_staged(nest);
}

void stria__transpose_explain_stream(char *text, size_t size, const struct nest *nest)
{
    struct tiling t;
    int64_t rows = stream_tiles(&t, nest);
    const bool lines = lines_up(&t);
    if (!lines) (void)stage_tiles(&t, nest);
    const int64_t most = t.q.inner * t.q.block;
    if (!lines)
        rows = most;
    else if (rows == 0)
        rows = (pairs_up(&t) ? 2 : 1) * LINE / nest->item;
    (void)snprintf(text, size, "; streams %" PRId64 " rows side by side",
                   stria__at_most(rows, most));
}
