/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a reduction tile by tile, block by block. Blocks are subtrees of one size, which a binary
 * counter joins: equal sizes first, and in the end from the smallest to the largest. So the order
 * does not depend on where the blocks begin, nor on which thread has combined which of them.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/arena.h"
#include "base/integers.h"
#include "machine/families.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "reduce_plan.h"
#include "plan/threads.h"

/* ---- the counter ----------------------------------------------------------------------------- */

/* Joins subtrees: one of 2^k blocks waits at level k if bit k of count is set, and there is room
 * for the next one. */
struct counter {
    fold_join *join;
    int64_t count, width;
    char *next, *level[TREE_LEVELS];
};

/* Tells whether the accumulators of a tile's only block are made directly in the place of its
 * results. */
static bool is_final(const struct reduce_run *run)
{
    const struct reduce_plan *const p = run->plan;
    const struct reduce_tile *const t = &run->tile;
    return p->blocks == 1 && !p->what->then && !p->narrow.row &&
           p->what->accumulator == p->out_item && (uintptr_t)t->out % sizeof(int64_t) == 0 &&
           (t->ndim == 0 || (t->ndim == 1 && p->shape.k[0].s[0] == p->out_item));
}

static void start_counter(struct counter *c, const struct reduce_run *run, fold_join *join)
{
    c->join = join;
    c->count = 0;
    c->width = run->tile.width;
    c->next = run->scratch + run->plan->accumulators;
    for (int k = 0; run->plan->blocks >> k; k++)
        c->level[k] = c->next + (k + 1) * run->plan->accumulator_bytes;
    if (is_final(run)) c->next = run->tile.out;
}

static void join_level(struct counter *c, int k)
{
    char *const later = c->next;
    c->join(c->level[k], later, c->width);
    c->next = c->level[k];
    c->level[k] = later;
}

/* Swaps the subtree at level k with the one that is next. */
static void take_level(struct counter *c, int k)
{
    char *const room = c->next;
    c->next = c->level[k];
    c->level[k] = room;
}

/* Counts the subtree that was written to c->next, and joins those of equal size. */
static void push_subtree(struct counter *c)
{
    int k = 0;
    for (; c->count >> k & 1; k++)
        join_level(c, k);
    take_level(c, k);
    c->count++;
}

/* Joins the remaining subtrees and returns the result. */
static char *join_all(struct counter *c)
{
    bool first = true;
    for (int k = 0; c->count >> k; k++) {
        if (!(c->count >> k & 1)) continue;
        if (first)
            take_level(c, k);
        else
            join_level(c, k);
        first = false;
    }
    return c->next;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static void find_tile(struct reduce_run *run, int64_t number)
{
    const struct reduce_plan *const p = run->plan;
    const struct reduce_shape *const s = &p->shape;
    struct reduce_tile *const t = &run->tile;
    t->ndim = 0;
    t->width = 1;
    memcpy(t->in, s->in, sizeof t->in);
    t->out = s->out;
    for (int d = 0; d < s->kept; d++) {
        const int64_t n = s->k[d].n, step = d < p->whole ? n : d == p->whole ? p->cut : 1;
        const int64_t tiles = (n + step - 1) / step, at = number % tiles * step;
        number /= tiles;
        for (int i = 0; i < s->inputs; i++)
            t->in[i] = stria__at(t->in[i], at, s->k[d].s[1 + i]);
        t->out = stria__at(t->out, at, s->k[d].s[0]);
        if (d > p->whole || (d == p->whole && p->cut == 1)) continue;
        t->n[t->ndim] = least(step, n - at);
        t->width *= t->n[t->ndim++];
    }
}

/* Combines leaves first .. last - 1, which are blocks, panel by panel. */
static void combine_panels(struct counter *counter, struct reduce_run *run,
                           const struct fold_kernels *fold, int64_t first, int64_t last,
                           const double *center)
{
    struct reduce_store store;
    stria__reduce_store_take(&store, run, last - first, center != NULL);
    for (int64_t l = first, n; l < last && !stria__is_stopped(); l += n) {
        n = least(store.leaves, last - l);
        stria__reduce_panel(run, &store, fold, l, l + n, center);
        for (int64_t i = 0; i < n; i++) {
            memcpy(counter->next, store.memory + i * store.each, (size_t)store.each);
            push_subtree(counter);
        }
    }
    stria__reduce_store_give(&store);
}

/* Combines columns strip by strip, so that their accumulators stay in the first level. */
static void combine_strips(const struct reduce_plan *p, fold_kernel *kernel,
                           const struct fold_block *all)
{
    const int64_t item = p->kernel_item,
                  accumulator = all->center ? 2 * (int64_t)sizeof(double) : p->what->accumulator;
    for (int64_t at = 0; at < all->outputs; at += p->strip) {
        struct fold_block f = *all;
        f.outputs = least(p->strip, all->outputs - at);
        f.adjacent = all->adjacent && f.outputs == all->outputs;
        f.in += at * item;
        f.out += at * accumulator;
        if (f.center) f.center += at;
        kernel(&f);
    }
}

/*
 * Combines blocks first .. last - 1 of the tile by a fold; returns its accumulators, in scratch.
 * centers are the means for deviations, NULL for other folds.
 */
static char *combine_blocks(struct reduce_run *run, const struct fold_kernels *fold, int64_t first,
                            int64_t last, const double *centers)
{
    const struct reduce_plan *const p = run->plan;
    fold_kernel *const kernel = p->dots                ? p->dots
                                : p->form == FORM_ROWS ? fold->rows
                                                       : fold->columns;
    struct counter counter;
    int64_t at[LEAF];
    const bool asks = stria__asks();
    start_counter(&counter, run, fold->join);
    if (p->panel.across) {
        combine_panels(&counter, run, fold, first, last, centers);
        return asks && stria__is_stopped() ? counter.next : join_all(&counter);
    }
    for (int64_t b = first; b < last; b++) {
        struct fold_block f;
        const int64_t begin = b * p->block;
        if (asks && stria__is_stopped()) return counter.next; /* any results do */
        stria__reduce_stage(run, begin, least(p->block, p->shape.n - begin), &f, at);
        f.out = counter.next;
        f.center = centers;
        if (p->form == FORM_ROWS)
            kernel(&f);
        else
            combine_strips(p, kernel, &f);
        if (p->what->settled && p->what->settled(f.out, f.outputs)) return f.out;
        push_subtree(&counter);
    }
    return join_all(&counter);
}

/* Computes the means of the tile, from which deviations are taken. */
static void find_centers(const struct reduce_run *run, double *centers, const char *sums)
{
    const int64_t width = run->tile.width;
    memcpy(centers, sums, (size_t)width * sizeof *centers);
    stria__fold()->means(centers, width, (double)run->plan->shape.n);
}

/* Writes the results of a tile. */
static void deliver(struct reduce_run *run, char *accumulators, const double *centers)
{
    const struct reduce_plan *const p = run->plan;
    const struct reduce_tile *const t = &run->tile;
    int64_t step = p->out_item;
    const bool dense = t->ndim == 0 || (t->ndim == 1 && p->shape.k[0].s[0] == p->out_item);
    char *results = accumulators;
    struct stage_way way = {NULL, NULL};
    struct nest box;
    if (p->what->finish)
        p->what->finish(accumulators, &(struct folded){.n = t->width,
                                                       .count = p->shape.n,
                                                       .ddof = p->what->ddof,
                                                       .centers = centers});
    if (p->narrow.row) {
        results = dense && !p->stream ? t->out : run->scratch + p->results;
        p->narrow.row(&p->narrow, results, accumulators, t->width);
        if (dense && p->stream) stria__kernels()->stream(t->out, results, t->width * p->out_item);
        if (dense) return;
    }
    if (results == t->out) return;
    stria__nest_begin(&box, results, t->out, p->out_item);
    for (int d = 0; d < t->ndim; d++) {
        stria__nest_push(&box, t->n[d], step, p->shape.k[d].s[0]);
        step *= t->n[d];
    }
    stria__stage_out(&box, &way, false);
}

/* ---- parts ----------------------------------------------------------------------------------- */

enum { MOST_TASKS = 256 };

/*
 * State that threads share. A task is a range of pieces. Pieces are tiles or, where these cannot be
 * shared evenly, ranges of their blocks: a power of two of blocks each, whose accumulators wait in
 * `partial` until all are there.
 */
struct parts {
    struct reduce_plan plan;
    int64_t tasks, ranges, range;
    char *partial;
    double *centers;       /* Centers of all tiles, behind the partial accumulators. */
    bool deviations;       /* This is the second round, over elements whose centers are known. */
    bool done[MOST_TASKS]; /* False if the task's thread had no scratch. */
};

/* Returns the accumulators of a piece. */
static char *partial_of(const struct parts *parts, int64_t piece)
{
    return parts->partial + piece * parts->plan.accumulator_bytes;
}

/* Returns the centers of a tile; every tile has as many as a full one. */
static double *centers_of(const struct parts *parts, int64_t tile)
{
    return parts->centers + tile * parts->plan.width;
}

static const struct fold_kernels *fold_of(const struct parts *parts)
{
    return parts->deviations ? parts->plan.what->then : parts->plan.what->fold;
}

static void run_tiles(struct reduce_run *run, int64_t first, int64_t last)
{
    for (int64_t t = first; t < last && !stria__is_stopped(); t++) {
        const struct reduce_plan *const p = run->plan;
        double *const centers = p->what->then ? (void *)(run->scratch + p->centers) : NULL;
        find_tile(run, t);
        char *accumulators = combine_blocks(run, p->what->fold, 0, p->blocks, NULL);
        if (centers) {
            find_centers(run, centers, accumulators);
            accumulators = combine_blocks(run, p->what->then, 0, p->blocks, centers);
        }
        deliver(run, accumulators, centers);
    }
    if (run->plan->stream) stria__kernels()->fence();
}

static void run_range(const struct parts *parts, struct reduce_run *run, int64_t piece)
{
    const int64_t tile = piece / parts->ranges, range = piece % parts->ranges;
    const int64_t last = least((range + 1) * parts->range, parts->plan.blocks);
    find_tile(run, tile);
    const char *const found = combine_blocks(run, fold_of(parts), range * parts->range, last,
                                             parts->deviations ? centers_of(parts, tile) : NULL);
    memcpy(partial_of(parts, piece), found, (size_t)parts->plan.accumulator_bytes);
}

static struct reduce_run run_of(const struct reduce_plan *plan, char *scratch)
{
    return (struct reduce_run){
        .plan = plan, .scratch = scratch, .ndim = -1, .source = (void *)(scratch + plan->source)};
}

static void run_task_in(struct parts *parts, char *scratch, int64_t task)
{
    const struct reduce_plan *const p = &parts->plan;
    struct reduce_run run = run_of(p, scratch);
    const int64_t pieces = p->tiles * parts->ranges;
    const struct share share = share_of(pieces, parts->tasks, task);
    if (parts->partial)
        for (int64_t i = share.first; i < share.last; i++)
            run_range(parts, &run, i);
    else
        run_tiles(&run, share.first, share.last);
    parts->done[task] = true;
}

static void run_task(void *data, int64_t task)
{
    struct parts *const parts = data;
    char *const scratch = stria__arena_take(parts->plan.scratch);
    if (!scratch) return;
    run_task_in(parts, scratch, task);
    stria__arena_give(scratch);
}

/* Joins the ranges of every tile, which are subtrees as blocks are, to results or to centers. */
static void join_ranges(const struct parts *parts, char *scratch)
{
    const struct reduce_plan *const p = &parts->plan;
    struct reduce_run run = run_of(p, scratch);
    for (int64_t t = 0; t < p->tiles; t++) {
        struct counter counter;
        find_tile(&run, t);
        start_counter(&counter, &run, fold_of(parts)->join);
        for (int64_t c = 0; c < parts->ranges; c++) {
            memcpy(counter.next, partial_of(parts, t * parts->ranges + c),
                   (size_t)p->accumulator_bytes);
            push_subtree(&counter);
        }
        double *const centers = p->what->then ? centers_of(parts, t) : NULL;
        if (centers && !parts->deviations)
            find_centers(&run, centers, join_all(&counter));
        else
            deliver(&run, join_all(&counter), centers);
    }
    if (p->stream) stria__kernels()->fence();
}

/*
 * Divides tiles among threads. If one thread would get too many, ranges of their blocks are
 * divided: the longest ranges that give every thread about as many.
 */
static void cut_parts(struct parts *parts, int threads)
{
    const struct reduce_plan *const p = &parts->plan;
    parts->ranges = parts->range = 1;
    if (threads > 1 && p->blocks > 1 && !shares_evenly(p->tiles, 1, threads)) {
        while (parts->range < p->blocks)
            parts->range *= 2;
        do {
            parts->range /= 2;
            parts->ranges = (p->blocks + parts->range - 1) / parts->range;
        } while (parts->range > 1 && !shares_evenly(p->tiles * p->blocks, parts->range, threads));
    }
    parts->tasks = least(p->tiles * parts->ranges, least(threads, MOST_TASKS));
}

/*
 * Runs a round. Returns the scratch that the caller has to give back: another one if threads ran,
 * since this thread takes part with the scratch of its arena. NULL: there was none left for the
 * work here, because a callback of exec made other calls meanwhile; not all results are written.
 */
static char *run_round(struct parts *parts, char *scratch, int threads, const stria_exec *exec)
{
    memset(parts->done, 0, sizeof parts->done);
    if (parts->tasks > 1) {
        stria__arena_give(scratch);
        stria__parallel(exec, threads, parts->tasks, run_task, parts);
        scratch = stria__arena_take(parts->plan.scratch);
    }
    for (int64_t i = 0; scratch && i < parts->tasks; i++)
        if (!parts->done[i]) run_task_in(parts, scratch, i);
    if (scratch && parts->partial) join_ranges(parts, scratch);
    return scratch;
}

/* Runs all rounds; returns the scratch of the last one. */
static char *run_parts(struct parts *parts, char *scratch, int threads, const stria_exec *exec)
{
    const stria_allocator from = stria__allocator();
    const struct reduce_plan *const p = &parts->plan;
    const size_t partial = (size_t)(p->tiles * parts->ranges * p->accumulator_bytes);
    const size_t centers = p->what->then ? (size_t)(p->tiles * p->width) * sizeof(double) : 0;
    const size_t bytes = partial + centers;
    parts->partial = NULL;
    parts->deviations = false;
    if (parts->ranges > 1 && !(parts->partial = from.alloc(bytes, STRIA_ALIGNMENT, from.context)))
        cut_parts(parts, 1);
    if (parts->partial) parts->centers = (void *)(parts->partial + partial);
    scratch = run_round(parts, scratch, threads, exec);
    if (!parts->partial) return scratch;
    if (p->what->then) {
        parts->deviations = true;
        if (scratch) scratch = run_round(parts, scratch, threads, exec);
    }
    from.free(parts->partial, bytes, from.context);
    return scratch;
}

/* ---- the reduction --------------------------------------------------------------------------- */

/* Runs in small blocks on the stack, if there is no scratch. */
__attribute__((noinline)) static void run_on_stack(struct reduce_plan *plan)
{
    _Alignas(64) char scratch[LEAST_REDUCE_SCRATCH + sizeof(struct reduce_source)];
    stria__reduce_plan(plan, plan->what, true);
    assert(plan->scratch <= (int64_t)sizeof scratch);
    struct reduce_run run = run_of(plan, scratch);
    run_tiles(&run, 0, plan->tiles);
}

static int threads_of(const struct reduce_plan *p, const stria_exec *exec)
{
    const double numel = (double)p->shape.outputs * (double)p->shape.n;
    const double bytes = numel * (double)p->in_item * p->what->inputs;
    const double more = p->what->program ? p->what->program->cycles : 0;
    if (p->what->program && p->what->program->alone) return 1;
    return stria__threads_for(exec, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX,
                              numel * (p->what->cycles + more));
}

static void reduce(struct parts *parts, const struct reduction *what, const stria_exec *exec)
{
    struct reduce_plan *const p = &parts->plan;
    stria__reduce_plan(p, what, false);
    if (exec && exec->hints & STRIA_WILL_READ_SOON) p->stream = false;
    const int threads = threads_of(p, exec);
    stria__reduce_plan_share(p, threads);
    char *scratch = stria__arena_take(p->scratch);
    if (scratch) {
        cut_parts(parts, threads);
        scratch = run_parts(parts, scratch, threads, exec);
    }
    if (scratch)
        stria__arena_give(scratch);
    else
        run_on_stack(p);
}

/* Reduces if there is no scratch: the plan lies on the stack, too. */
__attribute__((noinline)) static void reduce_without_arena(const struct reduction *what,
                                                           const stria_exec *exec)
{
    struct parts parts;
    reduce(&parts, what, exec);
}

void stria__reduce(const struct reduction *what, const stria_exec *exec)
{
    WATCHES(exec);
    stria__arena_refresh();
    struct parts *const parts = (void *)stria__arena_take((int64_t)sizeof *parts);
    if (!parts) {
        reduce_without_arena(what, exec);
        return;
    }
    reduce(parts, what, exec);
    stria__arena_give((char *)parts);
}

void stria__reduce_explain(char *text, size_t size, const struct reduction *what,
                           const stria_exec *exec)
{
    struct parts parts;
    const struct reduce_plan *const p = &parts.plan;
    stria__reduce_plan(&parts.plan, what, false);
    const int threads = threads_of(p, exec);
    stria__reduce_plan_share(&parts.plan, threads);
    cut_parts(&parts, threads);
    (void)snprintf(text, size, "%s %s%s, %lld x %lld elements at a time, %d thread%s",
                   p->form == FORM_ROWS && !p->panel.whole ? "rows" : "columns",
                   p->in_place || p->panel.whole ? "in place"
                   : p->what->program            ? "computed"
                                                 : "gathered",
                   p->cast.row ? ", converted" : "",
                   (long long)(p->panel.across ? p->panel.leaves : p->width),
                   (long long)least(p->block, p->shape.n), threads, threads == 1 ? "" : "s");
}
