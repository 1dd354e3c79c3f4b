/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies whose operands have short steps along different dims, at least one of them with gaps, so
 * that there are no tiles. A box goes through a buffer in the order of the output and, if the input
 * has gaps, first through one in the order of the input. Each line of either operand is used up
 * while it is cached. Each move of a box, from one place to the next, is another strategy.
 *
 * The output is written in rows of some hundred bytes, not in columns of a tile: a few lines in one
 * page. Memory is prefetched a box ahead, and so is the output before it is written. Streaming is
 * not faster, because rows seldom begin on lines.
 */
#include <inttypes.h>
#include <stdio.h>

#include "boxed.h"
#include "checked.h"
#include "engine/arena.h"
#include "cost.h"
#include "engine/machine.h"
#include "engine/move/ahead.h"
#include "plan.h"
#include "strategy.h"

/* The places of a box, in the order that it passes them. */
enum place { OUTPUT, INPUT, GATHERED, TURNED, PLACES };

/* A move from one place to the next; addresses are those of a box. */
struct pass {
    enum place to, from;
    struct nest nest;
    struct choice choice;
};

enum { PASSES = 3 };

/* The lines of a box of one operand: runs, and the dims between them. */
struct runs_of_box {
    int64_t run, first; /* bytes of a run, and from the beginning of the box to the first run */
    stria_plan between;
};

struct stages {
    const struct nest *nest; /* borrowed */
    struct boxed boxed;
    int npasses;
    struct pass passes[PASSES];
    int64_t size[STRIA_MAX_NDIM]; /* sizes of the box for which passes and runs were made */
    bool far;
    struct runs_of_box in, out;
};

static int64_t step(const struct stages *s, enum place place, int d)
{
    switch (place) {
    case OUTPUT: return s->nest->d[d].so;
    case INPUT: return s->nest->d[d].si;
    case GATHERED: return s->boxed.gathered[d];
    default: return s->boxed.turned[d];
    }
}

static void add_dim(stria_plan *plan, const struct stages *s, const struct pass *pass, int d)
{
    const stria_dim dim = {s->size[d], {step(s, pass->to, d), step(s, pass->from, d)}};
    if (dim.n > 1) plan->dims[plan->ndim++] = dim;
}

static void add_bundle(stria_plan *plan, const struct stages *s, const struct pass *pass,
                       const struct bundle *side)
{
    for (int i = 0; i < side->ndim; i++)
        add_dim(plan, s, pass, side->dims[i]);
}

/* Sorts the dims in the order of the destination. */
static void make_nest(struct pass *pass, const struct stages *s)
{
    const bool gathers = pass->to == GATHERED;
    stria_plan plan = {.nops = 2};
    if (pass->to == OUTPUT)
        for (int d = 0; d < s->nest->ndim; d++)
            add_dim(&plan, s, pass, d);
    else {
        add_bundle(&plan, s, pass, gathers ? &s->boxed.p : &s->boxed.q);
        add_bundle(&plan, s, pass, gathers ? &s->boxed.q : &s->boxed.p);
    }
    if (plan.ndim == 0) plan.dims[plan.ndim++] = (stria_dim){.n = 1};
    stria__plan_merge(&plan);
    stria__nest_make(&pass->nest, &plan, s->nest->item);
    pass->choice = stria__choose_part(&pass->nest);
}

/* Joins elements that share lines, or lie in adjacent ones, to one run. */
static void add_runs(struct runs_of_box *r, int64_t n, int64_t s)
{
    const int64_t apart = (int64_t)magnitude(s), reach = (n - 1) * apart;
    if (n == 1 || s == 0) return;
    if (s < 0) r->first -= reach;
    if (apart <= r->run + LINE)
        r->run += reach;
    else
        r->between.dims[r->between.ndim++] = (stria_dim){n, {apart}};
}

static void make_runs(struct runs_of_box *r, const struct stages *s, enum place place)
{
    int order[STRIA_MAX_NDIM];
    int n = 0;
    for (int d = 0; d < s->nest->ndim; d++) {
        if (s->size[d] == 1) continue;
        int i = n++;
        for (; i > 0 && magnitude(step(s, place, order[i - 1])) > magnitude(step(s, place, d)); i--)
            order[i] = order[i - 1];
        order[i] = d;
    }
    r->run = s->nest->item;
    r->first = 0;
    r->between.ndim = 0;
    for (int i = 0; i < n; i++)
        add_runs(r, s->size[order[i]], step(s, place, order[i]));
}

static void make_passes(struct stages *s, const int64_t *size)
{
    for (int d = 0; d < s->nest->ndim; d++)
        s->size[d] = size[d];
    for (int i = 0; i < s->npasses; i++)
        make_nest(&s->passes[i], s);
}

static void make_all_runs(struct stages *s)
{
    make_runs(&s->in, s, INPUT);
    make_runs(&s->out, s, OUTPUT);
}

/* Tells whether the operands are far larger than the second-level cache. */
static bool is_far(const struct stages *s)
{
    const struct nest *nest = s->nest;
    const int64_t items = stria__nest_bytes(nest) / nest->item,
                  each = nest->d[0].so + (int64_t)magnitude(nest->d[s->boxed.p.dims[0]].si);
    return items >= stria__machine()->far_boxes / each;
}

static bool make_stages(struct stages *s, const struct nest *nest)
{
    s->nest = nest;
    s->npasses = 0;
    if (!stria__boxed_make(&s->boxed, nest)) return false;
    enum place at = INPUT;
    if (s->boxed.gather) {
        s->passes[s->npasses].from = at;
        at = s->passes[s->npasses++].to = GATHERED;
    }
    s->passes[s->npasses].from = at;
    s->passes[s->npasses++].to = TURNED;
    s->passes[s->npasses].from = TURNED;
    s->passes[s->npasses++].to = OUTPUT;
    make_passes(s, s->boxed.size);
    return true;
}

/*
 * ---- the sequence of boxes --------------------------------------------------------------------
 */

struct spot {
    char *out;
    const char *in;
    int64_t index[STRIA_MAX_NDIM], size[STRIA_MAX_NDIM];
};

/* Sorts the dims by the distance of boxes along them in the output, the nearest first. */
static void sort_dims(int *order, const struct stages *s)
{
    const struct nest *nest = s->nest;
    for (int d = 0; d < nest->ndim; d++) {
        int place = d;
        for (; place > 0 && nest->d[order[place - 1]].so * s->boxed.size[order[place - 1]] >
                                nest->d[d].so * s->boxed.size[d];
             place--)
            order[place] = order[place - 1];
        order[place] = d;
    }
}

/* Returns false after the last box. */
static bool next_box(struct spot *spot, const struct stages *s, const int *order)
{
    for (int i = 0; i < s->nest->ndim; i++) {
        const int d = order[i];
        const struct nest_dim *dim = &s->nest->d[d];
        const int64_t most = s->boxed.size[d];
        const int64_t by = spot->index[d] + most < dim->n ? most : -spot->index[d];
        spot->index[d] += by;
        spot->size[d] = least(most, dim->n - spot->index[d]);
        spot->out += by * dim->so;
        spot->in += by * dim->si;
        if (by > 0) return true;
    }
    return false;
}

static bool has_size(const struct stages *s, const int64_t *size)
{
    for (int d = 0; d < s->nest->ndim; d++)
        if (s->size[d] != size[d]) return false;
    return true;
}

/* The hardware prefetches long runs by itself. */
static void fetch(const struct runs_of_box *r, const char *at)
{
    enum { LONG = 4096 };
    struct ahead a;
    const int n = r->between.ndim;
    if (r->run > LONG) return;
    stria__ahead(&a, &r->between, n, n > 0 ? r->between.dims[n - 1].n : 1, at + r->first, r->run);
    stria__ahead_fetch(&a, a.lines);
}

/* next: the following box, NULL for the last. */
static void run_box(struct stages *s, const struct spot *spot, const struct spot *next,
                    char *gathered, char *turned)
{
    char *const to[PLACES] = {spot->out, NULL, gathered, turned};
    const char *const from[PLACES] = {NULL, spot->in, gathered, turned};
    if (!has_size(s, spot->size)) {
        make_passes(s, spot->size);
        if (s->far) make_all_runs(s);
    }
    if (s->far) fetch(&s->out, spot->out);
    for (int i = 0; i < s->npasses; i++) {
        struct pass *const pass = &s->passes[i];
        if (s->far && next && pass->to == OUTPUT) fetch(&s->in, next->in);
        pass->nest.out = to[pass->to];
        pass->nest.in = from[pass->from];
        pass->choice.best->run(&pass->nest, false);
    }
}

static void run_boxes(const struct nest *nest, char *gathered, char *turned)
{
    struct stages s;
    struct spot spots[2];
    int order[STRIA_MAX_NDIM];
    (void)make_stages(&s, nest);
    s.far = is_far(&s);
    if (s.far) make_all_runs(&s);
    sort_dims(order, &s);
    spots[0].out = nest->out;
    spots[0].in = nest->in;
    for (int d = 0; d < nest->ndim; d++) {
        spots[0].index[d] = 0;
        spots[0].size[d] = s.boxed.size[d];
    }
    int now = 0;
    for (bool more = true; more; now = !now) {
        spots[!now] = spots[now];
        more = next_box(&spots[!now], &s, order);
        run_box(&s, &spots[now], more ? &spots[!now] : NULL, gathered, turned);
    }
}

/* Without scratch memory the copy goes item by item. */
static void run(const struct nest *nest, bool stream)
{
    char *const scratch = stria__arena_take(2 * STAGE_ROOM);
    if (!scratch) {
        stria__copy_strided.run(nest, stream);
        return;
    }
    run_boxes(nest, scratch, scratch + STAGE_ROOM);
    stria__arena_give(scratch);
}

/*
 * ---- cost -------------------------------------------------------------------------------------
 */

/*
 * The moves take longer than in the second-level cache alone, from 1.4 times (64 KiB) to 2.2 times
 * (4 MiB). Items of half a lane are the longest that gain: longer ones are as fast one by one.
 */
static double cost(const struct facts *f)
{
    static const double BOX = 200, TIMES = 1.9;
    struct stages s;
    double box = BOX;
    if (f->nest->item > LANE / 2 || !make_stages(&s, f->nest)) return CANNOT;
    for (int i = 0; i < s.npasses; i++)
        box += TIMES * s.passes[i].choice.best_cost;
    return f->items / (double)(s.boxed.p.n * s.boxed.q.n) * box;
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    struct stages s;
    (void)make_stages(&s, nest);
    (void)snprintf(text, size,
                   "every %" PRId64 " bytes to every %" PRId64 " along another dim: %" PRId64
                   " x %" PRId64 " items at a time",
                   nest->d[s.boxed.p.dims[0]].si, nest->d[0].so, s.boxed.p.n, s.boxed.q.n);
}

const struct strategy stria__copy_staged = {
    "staged", TWO_DIMS | SIZED | MANY | WHOLE, cost, run, explain, .write = WRITE_ITEMS};
