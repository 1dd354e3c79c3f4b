/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans, some neighbouring lines at a time. A kernel takes lines whose elements are adjacent from
 * line to line, or a single dense line. Operands that lie so are scanned where they lie; others go
 * through tiles in scratch, gathered in that order and converted. Lines do not depend on each
 * other, so that threads divide them.
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

enum { LITTLE = 64 /* elements of a tile on the stack */ };

struct scan_plan {
    const struct scan_call *call;
    stria_plan lines;      /* over out and a, without the dim */
    int64_t n, so, si;     /* of the dim */
    int64_t width;         /* lines of a tile */
    int64_t length;        /* elements of a tile */
    int64_t tiles, across; /* all of them, and of the innermost dim of lines */
    bool direct;
    struct conversion widen, narrow;
    int64_t tasks;
};

/* ---- the plan -------------------------------------------------------------------------------- */

/*
 * Tells whether lines are turned, to be scanned side by side: along one line every result waits for
 * the one before it, and where lines are short a call for each is most of the time.
 */
static bool is_worth_turning(const struct scan_plan *p)
{
    const stria_dim *const d = &p->lines.dims[0];
    const bool is_float = p->call->takes.kind > STRIA_U64;
    return d->n >= SCAN_TURNED && d->s[0] != p->call->takes.itemsize &&
           p->n <= (is_float ? SCAN_FLOATS : SCAN_INTEGERS);
}

static bool lies_direct(const struct scan_plan *p)
{
    const int64_t item = p->call->takes.itemsize;
    const stria_dim *const d = &p->lines.dims[0];
    if (p->widen.row || p->narrow.row) return false;
    if (is_worth_turning(p)) return false;
    return d->n == 1 || (d->s[0] == item && d->s[1] == item) || (p->so == item && p->si == item);
}

static void size_tiles(struct scan_plan *p)
{
    const stria_dim *const d = &p->lines.dims[0];
    const struct stria__machine *const m = stria__machine();
    p->length = p->n;
    p->width = least(d->n, SCAN_STATES);
    if (p->direct && p->so == p->call->takes.itemsize) p->width = 1;
    if (!p->direct) {
        const int64_t tile = m->scan_tile, lines = SCAN_LINES;
        p->width = least(d->n, p->n < tile / lines ? tile / p->n : lines);
        p->length = least(p->n, tile / p->width);
    }
    p->across = (d->n + p->width - 1) / p->width;
    p->tiles = p->across;
    for (int i = 1; i < p->lines.ndim; i++)
        p->tiles *= p->lines.dims[i].n;
}

/* Makes the plan of both views without the dim, along which there are elements. */
__attribute__((noinline)) static void find_lines(struct scan_plan *p)
{
    stria_view line[2];
    if (stria_select(&line[0], p->call->out, p->call->dim, 0) != STRIA_OK ||
        stria_select(&line[1], p->call->a, p->call->dim, 0) != STRIA_OK ||
        stria_plan_make(&p->lines, 2, (const stria_view *[]){&line[0], &line[1]}, 0) != STRIA_OK)
        assert(false);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The state of a thread. */
struct scan_run {
    const struct scan_plan *plan;
    char *state, *raw, *tile; /* raw: items of a, then of out; tile: those of the kernel */
};

static int64_t widest_item(const struct scan_plan *p)
{
    const int64_t in = p->call->a->dtype.itemsize, out = p->call->out->dtype.itemsize;
    return in > out ? in : out;
}

static int64_t scratch_of(const struct scan_plan *p)
{
    const int64_t items = p->width * p->length;
    const int64_t state = p->width * SCAN_STATE * (int64_t)sizeof(double);
    return state + (p->direct ? 0 : items * (widest_item(p) + p->call->takes.itemsize)) + 3 * 64;
}

static char *place(char **at, int64_t bytes)
{
    char *const here = *at;
    *at += round_up(bytes, LINE);
    return here;
}

static void begin_run(struct scan_run *run, const struct scan_plan *p, char *scratch)
{
    const int64_t items = p->width * p->length;
    run->plan = p;
    run->state = place(&scratch, p->width * SCAN_STATE * (int64_t)sizeof(double));
    if (p->direct) return;
    run->raw = place(&scratch, items * widest_item(p));
    run->tile = scratch;
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
    for (int64_t r = 0; r < b->n; r++) {
        char *const to = b->out + r * b->so, *const from = (char *)(uintptr_t)b->in + r * b->si;
        char *const ptr[] = {to, b->state, from};
        if (b->first + r == 0)
            memmove(to, from, (size_t)(b->lines * item));
        else
            p->call->next(ptr, d);
        memcpy(b->state, to, (size_t)(b->lines * item));
    }
}

/* Moves a tile between memory and scratch, where lines are adjacent. */
static void move(const struct scan_plan *p, bool in, char *memory, char *scratch, int64_t lines,
                 int64_t length, struct stage_way *way)
{
    const int64_t item = in ? p->call->a->dtype.itemsize : p->call->out->dtype.itemsize;
    struct nest box;
    stria__nest_begin(&box, scratch, memory, item);
    stria__nest_push(&box, lines, item, p->lines.dims[0].s[in]);
    stria__nest_push(&box, length, lines * item, in ? p->si : p->so);
    if (in)
        stria__stage_in(&box, false, NULL, way);
    else
        stria__stage_out(&box, way, false);
}

static void run_staged(struct scan_run *run, char *out, char *in, int64_t lines)
{
    const struct scan_plan *const p = run->plan;
    const int64_t item = p->call->takes.itemsize;
    struct stage_way ways[2] = {{NULL, NULL}, {NULL, NULL}};
    for (int64_t at = 0; at < p->n; at += p->length) {
        const int64_t n = least(p->length, p->n - at), items = n * lines;
        struct stage_way last[2] = {{NULL, NULL}, {NULL, NULL}};
        struct stage_way *const way = n == p->length ? ways : last;
        char *const from = p->widen.row ? run->raw : run->tile;
        char *const to = p->narrow.row ? run->raw : run->tile;
        move(p, true, stria__at(in, at, p->si), from, lines, n, &way[0]);
        if (p->widen.row) stria__convert_rows(&p->widen, run->tile, 0, from, 0, items, 1);
        const struct scan_block b = {.out = run->tile,
                                     .in = run->tile,
                                     .n = n,
                                     .lines = lines,
                                     .so = lines * item,
                                     .si = lines * item,
                                     .first = at,
                                     .state = run->state};
        run_block(p, &b);
        if (p->narrow.row) stria__convert_rows(&p->narrow, to, 0, run->tile, 0, items, 1);
        move(p, false, stria__at(out, at, p->so), to, lines, n, &way[1]);
    }
}

/* Finds where a tile begins in out and a; returns how many lines it has. */
static int64_t find_tile(const struct scan_plan *p, int64_t tile, char **ptr)
{
    const int64_t line = tile % p->across * p->width;
    const int64_t lines = least(p->width, p->lines.dims[0].n - line);
    tile /= p->across;
    for (int k = 0; k < 2; k++)
        ptr[k] = stria__at(p->lines.ptr[k], line, p->lines.dims[0].s[k]);
    for (int d = 1; d < p->lines.ndim; d++) {
        const int64_t at = tile % p->lines.dims[d].n;
        tile /= p->lines.dims[d].n;
        for (int k = 0; k < 2; k++)
            ptr[k] = stria__at(ptr[k], at, p->lines.dims[d].s[k]);
    }
    return lines;
}

static void run_lines(struct scan_run *run, char *const *ptr, int64_t lines)
{
    const struct scan_plan *const p = run->plan;
    if (!p->direct) {
        run_staged(run, ptr[0], ptr[1], lines);
        return;
    }
    const struct scan_block b = {.out = ptr[0],
                                 .in = ptr[1],
                                 .n = p->n,
                                 .lines = lines,
                                 .so = p->so,
                                 .si = p->si,
                                 .first = 0,
                                 .state = run->state};
    run_block(p, &b);
}

/* ---- the scan -------------------------------------------------------------------------------- */

/* Scans without scratch: line by line, a few elements at a time. */
__attribute__((noinline)) static void run_on_stack(const struct scan_plan *p, int64_t first,
                                                   int64_t last)
{
    enum { MOST = LITTLE * 2 * 16 + SCAN_STATE * 8 + 3 * 64 };
    _Alignas(64) char scratch[MOST];
    struct scan_plan little = *p;
    struct scan_run run;
    little.width = 1;
    little.length = least(p->n, LITTLE);
    assert(scratch_of(&little) <= MOST);
    begin_run(&run, &little, scratch);
    for (int64_t t = first; t < last; t++) {
        char *ptr[2];
        const int64_t lines = find_tile(p, t, ptr);
        for (int64_t line = 0; line < lines; line++) {
            run_lines(&run, ptr, 1);
            for (int k = 0; k < 2; k++)
                ptr[k] = stria__at(ptr[k], 1, p->lines.dims[0].s[k]);
        }
    }
}

static void run_tiles(const struct scan_plan *p, char *scratch, int64_t first, int64_t last)
{
    struct scan_run run;
    begin_run(&run, p, scratch);
    for (int64_t t = first; t < last; t++) {
        char *ptr[2];
        const int64_t lines = find_tile(p, t, ptr);
        run_lines(&run, ptr, lines);
    }
}

static void run_task(void *data, int64_t task)
{
    const struct scan_plan *const p = data;
    const struct share share = share_of(p->tiles, p->tasks, task);
    char *const scratch = stria__arena_take(scratch_of(p));
    if (!scratch) {
        run_on_stack(p, share.first, share.last);
        return;
    }
    run_tiles(p, scratch, share.first, share.last);
    stria__arena_give(scratch);
}

void stria__scan(const struct scan_call *call, const stria_exec *exec)
{
    struct scan_plan p = {.call = call, .n = call->a->shape[call->dim]};
    const double numel = (double)stria_numel(call->a);
    p.so = call->out->strides[call->dim];
    p.si = call->a->strides[call->dim];
    find_lines(&p);
    const stria_view kernel = stria__plain_view(call->takes);
    if (stria__convert(&p.widen, &kernel, call->a, NULL) != STRIA_OK ||
        stria__convert(&p.narrow, call->out, &kernel, NULL) != STRIA_OK)
        assert(false); /* they exist */
    p.direct = lies_direct(&p);
    size_tiles(&p);
    stria__arena_refresh();
    const double bytes = numel * (double)(call->a->dtype.itemsize + call->out->dtype.itemsize);
    const int threads =
        stria__threads_for(exec, bytes < 0x1p62 ? (int64_t)bytes : INT64_MAX, numel * call->cycles);
    p.tasks = least(p.tiles, threads);
    stria__parallel(exec, threads, p.tasks, run_task, &p);
}
