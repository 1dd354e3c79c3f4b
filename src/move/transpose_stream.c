/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transpositions whose output is streamed: its lines are stored non-temporally, and tiles follow
 * the input, whose lines are then read once and in order while those of the output may be anywhere;
 * many rows of the input are read side by side. Streaming needs rows of the output that begin on
 * lines. If rows are adjacent and none begins on a line, the lines that straddle two rows are
 * copied by themselves (straddles.h). If a dense run of the output, of many short rows, stays in
 * the caches, it is streamed as one (run_pieces.c). Otherwise a tile is transposed into a buffer in
 * the second-level cache first, and streamed from there row by row.
 */
#include "transpose.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/integers.h"
#include "machine/dispatch.h"
#include "plan/arena.h"
#include "machine/machine.h"
#include "move/cost.h"
#include "straddles.h"
#include "strategy.h"

/* Bytes of the rows of a buffer, and most of these rows. */
enum { STAGE_ROOM = 192 << 10, STAGE_ROWS = 512 };

/* ---- by a buffer ----------------------------------------------------------------------------- */

/* A tile in a buffer, whose rows have the same offset to lines as in the output. */
struct staging {
    _Alignas(LINE) char rows[STAGE_ROOM];
    int64_t at[STAGE_ROWS];
    int64_t pitch;
    bool goes_on; /* The next tile continues where the last one ended. */
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
    /* Tells whether each row of the next tile begins where the same row of this one ends. */
    const struct tile *const next = tile->next;
    const bool goes_on = next && next->np == tile->np && next->out == tile->out + bytes;
    /* Rows of the input that are short and adjacent are prefetched as one, line by line. */
    const int64_t run = tile->np * t->item;
    const bool is_dense = run <= LINE && t->q.even && t->q.pitch == run;
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
                                     .next_at = is_dense ? NULL : t->q.at,
                                     .nq = is_dense ? tile->nq * run / LINE : tile->nq,
                                     .run = is_dense ? LINE : run};
    stria__kernels()->unstage(&rows);
    s->goes_on = !rows.ends;
}

/*
 * Tells whether every row of every tile, except those of a shorter first block, begins on a line
 * and consists of whole lines.
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

/*
 * Divides as evenly as possible, since a few remaining items of a row take as long as many. If the
 * buffer has room for whole source rows, they are read whole: they are adjacent, so that memory is
 * read in order. Returns the bytes of the output in a row of the buffer.
 */
static int64_t stage_tiles(struct tiling *t, const struct nest *nest)
{
    const int dim = stria__tiling_dim(nest);
    const int64_t p = nest->d[dim].n, q = nest->d[0].n, run = stria__dense_run(nest, dim, true);
    const bool whole = run > STAGE_RUN && run <= STAGE_WHOLE_RUN && run <= STAGE_ROWS * nest->item;
    const bool few = run <= STAGE_FEW * nest->item; /* A tile has no more rows then. */
    const int64_t most = few ? STAGE_FEW : STAGE_ROWS,
                  np = stria__at_most((whole ? run : STAGE_RUN) / nest->item, most),
                  row = least(few ? STAGE_FEW_ROW : STAGE_ROW, STAGE_ROOM / np - 3 * LINE),
                  nq = stria__at_most(row / nest->item, SIDE_MAX);
    stria__tiling_make(t, nest, stria__even_most(p, np), stria__even_most(q, nq), NULL, ROWS_FIRST);
    return row;
}

/* Transposes through a buffer; stores through the caches if there is no scratch memory for it. */
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
 * fit in the second-level cache, because they share its sets, it returns only as many as make a
 * piece. 0, or as many as fill a line or two, if there are only few or short rows, or items are
 * lanes.
 */
static int64_t stream_tiles(struct tiling *t, const struct nest *nest)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t item = nest->item, pair = 2 * LINE / item,
                  np = stria__transpose_items(nest, TILE_RUN),
                  pairs = TILE_STREAMED / (np * 2 * LINE), nq = (pairs + 1) * pair;
    struct heads heads = stria__tiling_heads(nest, stria__tiling_dim(nest));
    if (np * item < LONG_RUN) heads.p = 0;
    if (item < LANE && np * item >= m->side_by_side_run) {
        stria__tiling_make(t, nest, np, stria__at_most(nq > ROWS_MOST ? nq : ROWS_MOST, SIDE_MAX),
                           &heads, BY_INPUT);
        const int64_t n = t->q.inner * t->q.block, line = LINE / item,
                      rows = stria__rows_most(item),
                      most = stria__side_by_side(t, rows)
                                 ? rows
                                 : stria__at_most(SIDE_BY_SIDE_PIECE / item, rows),
                      passes = (n - 1) / most + 1;
        if (n >= most / 2) return ((n - 1) / passes / line + 1) * line;
    }
    stria__tiling_make(t, nest, np, stria__at_most(nq, SIDE_MAX), &heads, BY_INPUT);
    return 0;
}

/*
 * Streams rows of whole lines. Returns false, with nothing done, for others and if there is no
 * scratch memory.
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

static void stream(const struct nest *nest)
{
    if (stream_whole_lines(nest)) return;
    if (stria__run_piece_bytes(nest) == 0 || !stria__stream_run_pieces(nest)) run_staged(nest);
}

/* ---- straddling lines ----------------------------------------------------------------------- */

/* Copies one line of each row of the output, which comes from two rows of the copy. */
static void run_straddles(const struct nest *nest, const struct straddles *straddles)
{
    const struct nest_dim *const d = nest->d;
    const int64_t apart = d[straddles->along].si - d[0].n * d[0].si;
    struct nest across;
    stria__straddle_part(&across, nest, straddles, ON_STRADDLES);
    struct tiling *const t = stria__tiling_take();
    stria__tiling_make(t, &across, stria__transpose_items(&across, TILE_RUN), across.d[0].n, NULL,
                       BY_INPUT);
    for (int64_t i = straddles->tail; i < across.d[0].n; i++)
        t->q.at[i] += apart;
    t->q.even = false;
    struct transpose a = stria__tiling_args(t);
    a.stream = true;
    a.fetch = is_far(nest);
    a.collide = stria__collides(&t->q, LINE / nest->item);
    stria__tiling_walk(t, stria__transpose_tile, &a);
    stria__tiling_give(t);
}

static void run_between_straddles(const struct nest *nest, const struct straddles *straddles)
{
    struct nest part;
    stria__straddle_part(&part, nest, straddles, BETWEEN_STRADDLES);
    stream(&part);
    run_straddles(nest, straddles);
    for (int end = BEFORE_STRADDLES; end <= BEHIND_STRADDLES; end++) {
        stria__straddle_part(&part, nest, straddles, (enum straddle_part)end);
        stria__strategy(&part)->run(&part, false);
    }
}

void stria__transpose_stream(const struct nest *nest)
{
    struct straddles straddles;
    /* There are tilings between straddling lines and on them. */
    if (stria__arena_room() >= 2 * (int64_t)sizeof(struct tiling) &&
        stria__find_straddles(&straddles, nest))
        run_between_straddles(nest, &straddles);
    else
        stream(nest);
}

void stria__transpose_explain_stream(char *text, size_t size, const struct nest *nest)
{
    struct tiling t;
    struct straddles straddles;
    struct nest between;
    if (stria__find_straddles(&straddles, nest)) {
        stria__straddle_part(&between, nest, &straddles, BETWEEN_STRADDLES);
        nest = &between;
    }
    int64_t rows = stream_tiles(&t, nest);
    const bool lines = lines_up(&t);
    const int64_t piece = lines ? 0 : stria__run_piece_bytes(nest);
    if (piece > 0) {
        (void)snprintf(text, size, "; streams pieces of %" PRId64 " bytes", piece);
        return;
    }
    if (!lines) (void)stage_tiles(&t, nest);
    const int64_t most = t.q.inner * t.q.block;
    if (!lines)
        rows = most;
    else if (rows == 0)
        rows = (pairs_up(&t) ? 2 : 1) * LINE / nest->item;
    (void)snprintf(text, size, "; streams %" PRId64 " rows side by side",
                   stria__at_most(rows, most));
}
