/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans and folds some neighbouring lines at a time. A kernel takes lines whose elements are
 * adjacent from line to line, or a single dense line. Operands of that layout are scanned in
 * memory; others go through tiles in scratch, gathered in that order and converted. Lines do not
 * depend on each other, so that threads divide them.
 */
#include "scan_run.h"

#include <assert.h>
#include <string.h>

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "stage.h"
#include "plan/threads.h"
#include "view/view.h"

/* Elements of a tile on the stack; results that a fold collects there, and in scratch. */
enum { LITTLE = 64, RESULTS = 512 };

struct scan_plan {
    const struct scan_call *call;
    stria_plan space; /* A plan over out and a, with the dim of the scan last. */
    int along;        /* The dim of the scan. */
    /* Cuts it into tiles of some lines; tiles follow each other along `along` first. */
    struct cut cut;
    int64_t columns; /* Number of columns of tiles; a column has all elements of its lines. */
    int64_t pieces;  /* Number of tiles of each column. */
    bool direct;
    struct conversion widen, narrow;
    int64_t tasks;
};

/* ---- the plan -------------------------------------------------------------------------------- */

/*
 * Tells whether lines are turned, to be scanned side by side: along one line every result waits for
 * the one before it, and for short lines a call for each would be most of the time.
 */
static bool is_worth_turning(const struct scan_plan *p)
{
    const stria_dim *const d = &p->space.dims[0];
    const bool is_float = p->call->takes.kind > STRIA_U64;
    if (p->call->next) return d->n >= SCAN_CALLED && d->s[1] != p->call->takes.itemsize;
    return d->n >= SCAN_TURNED && d->s[0] != p->call->takes.itemsize &&
           p->space.dims[p->along].n <= (is_float ? SCAN_FLOATS : SCAN_INTEGERS);
}

static bool lies_direct(const struct scan_plan *p)
{
    const int64_t item = p->call->takes.itemsize;
    const stria_dim *const d = &p->space.dims[0], *const along = &p->space.dims[p->along];
    if (p->widen.row || is_worth_turning(p)) return false;
    if (p->call->offsets) return d->n == 1 || d->s[1] == item || along->s[1] == item;
    if (p->narrow.row) return false;
    return d->n == 1 || (d->s[0] == item && d->s[1] == item) ||
           (along->s[0] == item && along->s[1] == item);
}

/* Cuts tiles of so many lines, and so many elements of each. */
static void cut_tiles(struct cut *cut, const stria_plan *space, int64_t width, int64_t length)
{
    const int along = space->ndim - 1;
    stria__cut_begin(cut, space);
    memmove(cut->order + 1, cut->order, (size_t)along * sizeof *cut->order);
    cut->order[0] = along;
    cut->size[0] = width;
    cut->size[along] = length;
}

enum { ASKED = 1 << 17 /* elements of a tile that is scanned where it lies */ };

static void size_tiles(struct scan_plan *p)
{
    const stria_dim *const d = &p->space.dims[0], *const along = &p->space.dims[p->along];
    const int64_t n = along->n, tile = stria__machine()->scan_tile, lines = SCAN_LINES;
    int64_t length = n, width = least(d->n, SCAN_STATES);
    const int64_t item = p->call->takes.itemsize;
    if (p->direct && (p->call->offsets ? d->s[1] != item : along->s[0] == item)) width = 1;
    /* A watch is asked between tiles. */
    if (p->direct) length = least(n, (p->call->next ? ASKED / 4 : ASKED) / width);
    if (!p->direct) {
        width = least(d->n, n < tile / lines ? tile / n : lines);
        length = least(n, tile / width);
    }
    cut_tiles(&p->cut, &p->space, width, length);
    p->pieces = (n - 1) / length + 1;
    p->columns = stria__cut_boxes(&p->cut) / p->pieces;
}

/* Makes the plan of both views without the dim of the scan, which is not empty, and adds it. */
__attribute__((noinline)) static void plan_space(struct scan_plan *p)
{
    const stria_view *const out = p->call->out, *const a = p->call->a;
    const int dim = p->call->dim;
    stria_view line[2];
    if (stria_select(&line[0], out, dim, 0) != STRIA_OK ||
        stria_select(&line[1], a, dim, 0) != STRIA_OK ||
        stria_plan_make(&p->space, 2, (const stria_view *[]){&line[0], &line[1]}, 0) != STRIA_OK)
        assert(false);
    p->along = p->space.ndim++;
    p->space.dims[p->along] =
        (stria_dim){.n = a->shape[dim], .s = {out->strides[dim], a->strides[dim]}};
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* State of a thread. */
struct scan_run {
    const struct scan_plan *plan;
    /* The tile holds items of the kernel's dtype, if those in memory cannot be used. */
    char *state, *tile;
    struct port in, out;
    /* A fold has rows of results, the last one unfinished: how many there can be, and are whole. */
    char *results;
    int64_t room, whole;
    int64_t segment; /* The number of the result that is being made. */
};

static int64_t widest_item(const struct scan_plan *p)
{
    const int64_t in = p->call->a->dtype.itemsize, out = p->call->out->dtype.itemsize;
    return in > out ? in : out;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns how many rows of results a fold collects before it writes them. */
static int64_t results_of(const struct scan_plan *p, const struct cut *cut, int64_t results)
{
    return p->call->offsets ? least(p->call->count, larger(results / cut->size[0], 1)) : 0;
}

/* Computes the bytes of the state, of gathered items, of a tile and of results. */
static int64_t scratch_of(const struct scan_plan *p, const struct cut *cut, int64_t most)
{
    const int64_t items = p->direct ? 0 : stria__cut_items(cut), item = p->call->takes.itemsize,
                  results = results_of(p, cut, most) * cut->size[0],
                  state = cut->size[0] * SCAN_STATE * (int64_t)sizeof(double);
    return state + larger(items, results) * widest_item(p) + (items + results) * item + 4 * LINE;
}

static char *place_bytes(char **at, int64_t bytes)
{
    char *const here = *at;
    *at += round_up(bytes, LINE);
    return here;
}

static void begin_run(struct scan_run *run, const struct scan_plan *p, const struct cut *cut,
                      char *scratch, int64_t results)
{
    run->plan = p;
    run->state = place_bytes(&scratch, cut->size[0] * SCAN_STATE * (int64_t)sizeof(double));
    const int64_t items = p->direct ? 0 : stria__cut_items(cut);
    run->room = results_of(p, cut, results);
    char *const raw =
        place_bytes(&scratch, larger(items, run->room * cut->size[0]) * widest_item(p));
    run->tile = place_bytes(&scratch, items * p->call->takes.itemsize);
    run->results = scratch;
    run->out = (struct port){
        .operand = 0, .item = p->call->out->dtype.itemsize, .cast = p->narrow, .raw = raw};
    run->in = (struct port){
        .operand = 1, .item = p->call->a->dtype.itemsize, .cast = p->widen, .raw = raw};
}

/* Fills a row with an item: that before the first element, or the result of none. */
static void fill_row(const struct scan_call *call, char *row, const char *from, int64_t lines)
{
    const int64_t item = call->takes.itemsize;
    for (int64_t i = 0; i < lines; i++)
        memcpy(row + i * item, from, (size_t)item);
}

/* Scans a block; the state keeps the results before it. */
static void run_block(const struct scan_plan *p, const struct scan_block *b)
{
    if (p->call->kernel) {
        p->call->kernel(b);
        return;
    }
    const int64_t item = p->call->takes.itemsize;
    const stria_dim d[2] = {{.n = b->lines, .s = {item, item, item}}, {.n = 1}};
    char *before = b->state;
    if (b->first == 0 && p->call->initial) fill_row(p->call, before, p->call->initial, b->lines);
    for (int64_t r = 0; r < b->n; r++) {
        char *const to = b->out + r * b->so, *const from = (char *)(uintptr_t)b->in + r * b->si;
        char *const ptr[] = {to, before, from};
        if (b->first + r == 0 && !p->call->initial)
            memmove(to, from, (size_t)(b->lines * item));
        else
            p->call->next(ptr, d);
        before = to;
    }
    memmove(b->state, before, (size_t)(b->lines * item));
}

/* Writes the results of a fold, none of which is unfinished. */
static void write_results(struct scan_run *run, const struct cut *cut, const struct box *tile)
{
    const struct scan_plan *const p = run->plan;
    const int64_t step = p->space.dims[p->along].s[0];
    struct box box = *tile;
    box.n[p->along] = run->whole;
    box.ptr[0] += (run->segment - run->whole - tile->index[p->along]) * step;
    if (run->whole > 0) stria__port_out(&run->out, &box, cut, run->results);
    run->whole = 0;
}

/* Combines n rows with a result, one after another. */
static void fold_rows(const struct scan_call *call, char *to, const char *rows,
                      const struct scan_block *b, int64_t n)
{
    static const int64_t nowhere = 0;
    const int64_t item = call->takes.itemsize;
    const stria_dim d[2] = {{.n = b->lines, .s = {item, item, item}}, {.n = 1}},
                    line[2] = {{.n = n, .s = {0, b->si, 0}}, {.n = 1}};
    char *const from = (char *)(uintptr_t)rows;
    if (n > 0 && b->lines == 1 && call->line) {
        call->line((char *const[]){to, from, (char *)(uintptr_t)&nowhere}, line, 0);
        return;
    }
    for (int64_t r = 0; r < n; r++)
        call->next((char *const[]){to, to, from + r * b->si}, d);
}

/* Combines the elements of a block into results, row by row. */
static void fold_block(struct scan_run *run, const struct scan_block *b, const struct cut *cut,
                       const struct box *tile)
{
    const struct scan_call *const call = run->plan->call;
    const int64_t row = b->lines * call->takes.itemsize, end = b->first + b->n,
                  n = run->plan->space.dims[run->plan->along].n, *const offsets = call->offsets;
    while (run->segment < call->count && (offsets[run->segment] < end || end == n)) {
        const int64_t first = offsets[run->segment], last = offsets[run->segment + 1];
        char *const to = run->results + run->whole * row;
        const char *const in = b->in - b->first * b->si;
        int64_t r = larger(first, b->first);
        if (r == first && call->initial)
            fill_row(call, to, call->initial, b->lines);
        else if (r == first && first < last)
            memcpy(to, in + r++ * b->si, (size_t)row);
        else if (r == first)
            fill_row(call, to, call->none, b->lines);
        fold_rows(call, to, in + r * b->si, b, least(last, end) - r);
        if (last > end) return;
        run->segment++;
        if (++run->whole == run->room) write_results(run, cut, tile);
    }
    if (end == n) write_results(run, cut, tile);
}

static void run_tile(struct scan_run *run, const struct cut *cut, const struct box *tile)
{
    const struct scan_plan *const p = run->plan;
    const stria_dim *const along = &p->space.dims[p->along];
    const int64_t row = tile->n[0] * p->call->takes.itemsize;
    const bool folds = p->call->offsets != NULL;
    if (!p->direct) stria__port_in(&run->in, tile, cut, run->tile);
    const struct scan_block block = {.out = p->direct ? tile->ptr[0] : run->tile,
                                     .in = p->direct ? tile->ptr[1] : run->tile,
                                     .n = tile->n[p->along],
                                     .lines = tile->n[0],
                                     .so = p->direct ? along->s[0] : row,
                                     .si = p->direct ? along->s[1] : row,
                                     .first = tile->index[p->along],
                                     .state = run->state};
    if (folds && block.first == 0) run->segment = run->whole = 0;
    if (folds) {
        fold_block(run, &block, cut, tile);
        return;
    }
    run_block(p, &block);
    if (!p->direct) stria__port_out(&run->out, tile, cut, run->tile);
}

/* ---- the scan -------------------------------------------------------------------------------- */

/* Scans a column of tiles without scratch: line by line, a few elements at a time. */
__attribute__((noinline)) static void run_on_stack(const struct scan_plan *p, int64_t column)
{
    enum { MOST = 2 * LITTLE * 2 * 16 + SCAN_STATE * 8 + 4 * LINE };
    _Alignas(64) char scratch[MOST];
    struct scan_run run;
    struct box box;
    struct cut cut;
    stria_plan part;
    stria__box_at(&box, &p->cut, column * p->pieces);
    stria__box_plan(&part, &box, &p->cut);
    part.dims[p->along].n = p->space.dims[p->along].n;
    cut_tiles(&cut, &part, 1, least(part.dims[p->along].n, LITTLE));
    assert(scratch_of(p, &cut, LITTLE) <= MOST);
    begin_run(&run, p, &cut, scratch, LITTLE);
    stria__box_first(&box, &cut);
    do
        run_tile(&run, &cut, &box);
    while (stria__box_next(&box, &cut));
}

static void run_task(void *data, int64_t task)
{
    const struct scan_plan *const p = data;
    const struct share share = share_of(p->columns, p->tasks, task);
    char *const scratch = stria__arena_take(scratch_of(p, &p->cut, RESULTS));
    struct scan_run run;
    struct box tile;
    for (int64_t c = share.first; c < share.last && !scratch; c++)
        run_on_stack(p, c);
    if (!scratch) return;
    begin_run(&run, p, &p->cut, scratch, RESULTS);
    stria__box_at(&tile, &p->cut, share.first * p->pieces);
    for (int64_t i = share.first * p->pieces; i < share.last * p->pieces && !stria__is_stopped();
         i++) {
        run_tile(&run, &p->cut, &tile);
        (void)stria__box_next(&tile, &p->cut);
    }
    stria__arena_give(scratch);
}

void stria__scan(const struct scan_call *call, const stria_exec *exec)
{
    struct scan_plan p;
    const double numel = (double)stria_numel(call->a);
    p.call = call;
    plan_space(&p);
    const stria_view kernel = stria__plain_view(call->takes);
    if (stria__convert(&p.widen, &kernel, call->a, NULL) != STRIA_OK ||
        stria__convert(&p.narrow, call->out, &kernel, NULL) != STRIA_OK)
        assert(false); /* All conversions exist. */
    p.direct = lies_direct(&p);
    size_tiles(&p);
    stria__arena_refresh();
    const double bytes = numel * (double)(call->a->dtype.itemsize + call->out->dtype.itemsize);
    const int threads =
        stria__threads_for(exec, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX, numel * call->cycles);
    p.tasks = least(p.columns, threads);
    stria__parallel(exec, threads, p.tasks, run_task, &p);
}
