/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose operands are dense along different dims: tiles are transposed in registers, so that
 * both operands are read and written in whole cache lines. Large outputs are streamed, see
 * transpose_stream.c.
 */
#include "transpose.h"

#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "machine/dispatch.h"
#include "plan/arena.h"
#include "machine/machine.h"
#include "strategy.h"

int64_t stria__at_most(int64_t n, int64_t most)
{
    return n < 1 ? 1 : n < most ? n : most;
}

int64_t stria__transpose_items(const struct nest *nest, int64_t run)
{
    const int64_t dense = stria__dense_run(nest, stria__tiling_dim(nest), true);
    return stria__at_most((dense < run ? dense : run) / nest->item, SIDE_MAX);
}

void stria__transpose_tile(const struct tiling *t, const struct tile *tile, void *arg)
{
    struct transpose *const a = arg;
    stria__tile_args(a, tile);
    stria__kernels()->transpose[stria__size_class(t->item)](a);
}

/* Tells whether the nest is larger, with its input, than the second-level cache. */
static bool is_large(const struct nest *nest)
{
    return stria__nest_bytes(nest) > stria__machine()->fits_l2;
}

/* Tells whether the nest fits, with its input, in the first-level cache. */
static bool fits_l1(const struct nest *nest)
{
    return stria__nest_bytes(nest) <= FITS_L1;
}

static bool is_small(const struct nest *nest)
{
    const int64_t small = TILE_WHOLE;
    return nest->d[0].n <= small && nest->d[1].n <= small;
}

/* Tells whether the nest is a matrix that fits in the second-level cache. */
static bool is_one_tile(const struct nest *nest, enum size_class class)
{
    if (nest->ndim != 2 || nest->d[1].si <= 0 || class == SIZE_ANY) return false;
    return is_small(nest) || !is_large(nest);
}

/* Runs without a tiling, which would take longer to make than a small transposition. */
static bool run_one_tile(const struct nest *nest)
{
    const struct nest_dim *q = &nest->d[0], *p = &nest->d[1];
    const enum size_class class = stria__size_class(nest->item);
    if (!is_one_tile(nest, class)) return false;
    /* Tiles can begin on lines only if all rows begin at one offset to lines. */
    if (!is_small(nest)) {
        const struct heads heads = stria__tiling_heads(nest, 1);
        if (heads.p != 0 || heads.q != 0) return false;
    }
    /* Every member is set by itself: compilers clear a struct of this size by a slow
     * instruction. */
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
    t.rows = t.two_line_rows = t.lines_ahead = 0;
    t.stage = NULL;
    t.next = NULL;
    t.slabs.columns = t.slabs.few = t.slabs.height = 0;
    const struct row_places out = {NULL, p->so, p->n}, in = {NULL, q->si, q->n};
    if (!fits_l1(nest)) t.slabs = stria__slabs(nest->item, &out, &in);
    stria__kernels()->transpose[class](&t);
    return true;
}

/*
 * Makes the arguments of a kernel. Source rows are packed if their lines cause conflict misses in a
 * first-level cache that could hold them all, or, for short items, if they allow few misses at a
 * time on the way from the third-level cache.
 */
static struct transpose args_of(const struct nest *nest, const struct tiling *t)
{
    struct transpose a = stria__tiling_args(t);
    const struct row_places out = {t->p.at, 0, t->p.inner * t->p.block},
                            in = {t->q.at, 0, t->q.inner * t->q.block};
    const bool collide = stria__collides(&t->q, LINE / nest->item);
    a.collide = collide;
    if (fits_l1(nest)) return a;
    a.slabs = stria__slabs(nest->item, &out, &in);
    const bool both = a.slabs.few > 0 && a.slabs.height == 0;
    a.fetch = a.collide = is_large(nest) && nest->item <= 4 && (collide || both);
    if (a.collide) a.slabs.columns = 0;
    return a;
}

void stria__transpose_plain(const struct nest *nest)
{
    const int64_t item = nest->item;
    if (run_one_tile(nest)) return;
    struct tiling *const t = stria__tiling_take();
    if (!t) {
        stria__copy_strided.run(nest, false);
        return;
    }
    const struct heads heads = stria__tiling_heads(nest, stria__tiling_dim(nest));
    stria__tiling_make(t, nest, stria__at_most(TILE_RUN / item, SIDE_MAX),
                       stria__at_most(TILE_ROW / item, SIDE_MAX), &heads, BY_OUTPUT);
    struct transpose a = args_of(nest, t);
    if (a.fetch) a.stage = stria__arena_take(TRANSPOSE_STAGE);
    stria__tiling_walk(t, stria__transpose_tile, &a);
    stria__tiling_give(t);
}

struct far_tiles {
    struct transpose args;
    const char *next; /* Address behind the last tile. */
};

static void far_tile(const struct tiling *t, const struct tile *tile, void *arg)
{
    struct far_tiles *const far = arg;
    stria__tile_args(&far->args, tile);
    if (!tile->next) far->args.next = far->next;
    stria__kernels()->transpose[stria__size_class(t->item)](&far->args);
}

void stria__transpose_far(const struct nest *nest, const char *next)
{
    const int64_t most = stria__at_most(TILE_RUN / nest->item, SIDE_MAX);
    struct tiling *const t = stria__tiling_take();
    if (!t) {
        stria__transpose_plain(nest);
        return;
    }
    stria__tiling_make(t, nest, most, most, NULL, BY_OUTPUT);
    struct far_tiles far = {stria__tiling_args(t), next};
    far.args.fetch = far.args.collide = far.args.scratch = true;
    far.args.lines_ahead = stria__machine()->lines_ahead;
    far.args.stage = stria__arena_take(TRANSPOSE_STAGE);
    stria__tiling_walk(t, far_tile, &far);
    stria__tiling_give(t);
}

static void run_transpose(const struct nest *nest, bool stream)
{
    if (stream)
        stria__transpose_stream(nest);
    else
        stria__transpose_plain(nest);
}

/*
 * ---- cost -------------------------------------------------------------------------------------
 */

/* Returns the number of shuffles: as many as K = LANE / item has bits. */
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

/* Returns the cycles for lines of output, K columns at a time, each by one load and those
 * shuffles. */
static double vectors_cycles(int64_t np, int64_t nq, int stages)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int64_t k = 1 << stages, lanes = (nq + k - 1) >> stages;
    const int64_t columns = (np + k - 1) & -k;
    const double line = c->transpose.lines;
    return (double)columns * (line + stages) / line *
               (line * (double)(lanes / 4) + c->transpose.lanes * (double)(lanes % 4)) +
           c->transpose.strip * (double)((lanes + 3) / 4);
}

/*
 * Returns the cycles of tiles. Sides shorter than a vector are copied item by item, and so are
 * items without a kernel.
 */
static double tile_cycles(int64_t item, int64_t np, int64_t nq)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    if (stria__size_class(item) == SIZE_ANY)
        return (double)(np * nq) * (stria__item_cycles(item) + c->transpose.odd_item);
    const int stages = stages_of(item);
    const int64_t k = 1 << stages, less = np < nq ? np : nq;
    if (less >= k) return vectors_cycles(np, nq, stages);
    if (item <= 2 && less >= k / 2) return (double)(np * nq) * c->transpose.by_half;
    return (double)(np * nq) * c->transpose.by_item;
}

/*
 * Returns the cycles for streamed rows that need not begin on lines. Unless they make pieces they
 * go through a buffer, a tile of a few rows at a time; if the input has few items in a row, that
 * costs more than the transposition.
 */
static double stage_cycles(const struct nest *nest, int64_t np, int64_t nq, double items)
{
    const struct stria__machine *const m = stria__machine();
    const struct stria__cycles *const c = &m->cycles;
    if (stria__nest_has_rows_of_lines(nest) || stria__run_piece_bytes(nest) > 0) return 0;
    const double lines = items * (double)nest->item / LINE,
                 rows = (double)stria__at_most(STAGE_RUN / nest->item, np);
    const double staged = lines * c->transpose.staged_lines +
                          lines * LINE / (rows * (double)STAGE_ROW) * c->transpose.staged_tile;
    return nq * nest->item < LINE ? staged + items / (double)nq * c->transpose.staged_row : staged;
}

static double cost(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__machine *const m = stria__machine();
    const struct stria__cycles *const c = &m->cycles;
    int64_t np = nest->d[1].n, nq = nest->d[0].n;
    if (is_one_tile(nest, stria__size_class(nest->item)))
        return c->transpose.only_tile + c->transpose.only_less * tile_cycles(nest->item, np, nq);
    stria__tiling_sides(nest, f->across, TILE_RUN / nest->item, &np, &nq);
    const double tiles = f->items / (double)(np * nq),
                 each = c->transpose.tile + tile_cycles(nest->item, np, nq);
    const int64_t from = m->stream_from[WRITE_TILES];
    const bool stream = stria__nest_traffic(nest) >= (double)from;
    return c->transpose.prepared + c->transpose.tables * (double)(np + nq) + tiles * each +
           (stream ? stage_cycles(nest, np, nq, f->items) : 0);
}

/* Explains a call without hints. */
static void explain(char *text, size_t size, const struct nest *nest)
{
    const int written = snprintf(
        text, size, "items of %" PRId64 " bytes, dense along other dims: %" PRId64 " x %" PRId64,
        nest->item, nest->d[0].n, nest->d[stria__tiling_dim(nest)].n);
    const bool stream = stria__streams(&stria__copy_transpose, nest, NULL);
    if (stream && written > 0 && (size_t)written < size)
        stria__transpose_explain_stream(text + written, size - (size_t)written, nest);
}

const struct strategy stria__copy_transpose = {.name = "transpose",
                                               .needs = OUT_DENSE | ACROSS,
                                               .cost = cost,
                                               .run = run_transpose,
                                               .explain = explain,
                                               .write = WRITE_TILES};
