/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs from memory to memory whose inputs are all dense along another dim than the output. Many
 * rows of the inputs are read side by side; as many elements of each are computed as make a line of
 * the output, and are transposed from there. Blocks, as of other programs, would take rows of
 * scratch from page to page, at which memory is half as fast.
 */
#include "ways.h"

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "move/fetch.h"
#include "move/nest.h"
#include "plan/plan.h"
#include "row_program.h"

struct lines {
    struct row_program program;         /* over the elements of a tile, row by row */
    int64_t line;                       /* elements of a line of the output */
    int64_t most;                       /* rows of a tile */
    int64_t rows, n;                    /* dim 0 of the plan, and the dim `along` */
    int64_t out_row;                    /* bytes from row to row of the output */
    int64_t in_row[STRIA_MAX_OPERANDS]; /* and of each input */
    int turned;                         /* the first input that is dense along `along` */
    uint32_t all_turned;                /* a bit for each of them */
    int64_t at_once;                    /* lines of a row that are prefetched at once */
    int64_t in_at[ROWS_MOST];    /* offset of each row of the tile in the first such input, */
    int64_t stage_at[ROWS_MOST]; /* and of its line among those of the result */
    int64_t out_at[LINE];        /* offset in the output of each element of a line */
    _Alignas(LINE) char scratch[];
};

/* The addresses of a tile, or of a panel. */
struct corner {
    char *ptr[STRIA_MAX_OPERANDS];
    int64_t rows;
};

/* The rows of a later tile, of this panel or the next, that are prefetched meanwhile. */
struct later {
    int64_t panel;             /* rows from this panel to that one */
    int64_t element, elements; /* of each row */
    int64_t row, count;
};

/* ---- what is suitable ------------------------------------------------------------------------ */

/* Tells whether operand k has one element for all of a tile. */
static bool repeats(const stria_plan *plan, int k, int along)
{
    return plan->dims[0].s[k] == 0 && plan->dims[along].s[k] == 0;
}

/* Finds the dim along which all inputs are dense but those that repeat; 0 if there is none. */
static int common_dim(const struct program *p, const stria_plan *plan)
{
    int along = 0;
    int64_t widest = 0;
    for (int k = 1; k < p->nops && along == 0; k++)
        along = stria__plan_dense_dim(plan, k, p->item[k]);
    for (int k = 1; k < p->nops && along > 0; k++) {
        if (repeats(plan, k, along)) continue;
        if (plan->dims[along].s[k] != p->item[k]) return 0;
        widest = widest > p->item[k] ? widest : p->item[k];
    }
    return widest >= p->item[0] ? along : 0;
}

/* Computes the bytes of an element of all values in scratch. */
static int64_t scratch_bytes(const struct program *p, const stria_plan *plan, int along)
{
    int64_t bytes = stria__made_bytes(p);
    for (int k = 1; k < p->nops; k++)
        if (!repeats(plan, k, along)) bytes += p->item[k];
    return bytes;
}

/* Computes the most rows of a tile. */
static int64_t most_rows(const struct program *p, const stria_plan *plan, int along)
{
    const int64_t line = LINE / p->item[0];
    return least(ROWS_MOST, LINES_TILE / (line * scratch_bytes(p, plan, along)) / line * line);
}

/*
 * Tells whether rows of the output of a streaming call begin on lines, and all inputs lie so along
 * another dim, but for those that repeat one element; the items of one are no smaller than the
 * output's.
 */
static int64_t takes_across(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const int64_t out = p->item[0];
    if (!call->stream || call->in_place || p->outputs > 1 || p->shifts > 0) return 0;
    const int along = common_dim(p, plan);
    if (along == 0 || (p->like[0] > 0 && repeats(plan, p->like[0], along))) return 0;
    if ((out & (out - 1)) != 0 || plan->dims[0].s[0] != out) return 0;
    if (plan->dims[0].n < LINES_ROWS || plan->dims[along].n < LINES_ROW * LINE / out) return 0;
    if (!stria__rows_begin_on(plan, LINE) || most_rows(p, plan, along) < LINES_ROWS) return 0;
    if (stage) stage[0] = STAGE_BLOCK;
    return LINE / out;
}

/* ---- one tile -------------------------------------------------------------------------------- */

/* Prefetches rows `from` to `to` of those that are needed later of input k. */
static void fetch_rows(const struct lines *l, const struct corner *panel, int k,
                       const struct later *later, int64_t from, int64_t to)
{
    const int64_t item = l->program.program->item[k];
    for (int64_t i = from; i < to; i++)
        stria__fetch_lines(panel->ptr[k] + (later->panel + later->row + i) * l->in_row[k] +
                               later->element * item,
                           later->elements * item);
}

static void copy_rows(const struct lines *l, int k, const char *in, int64_t from, int64_t to)
{
    const int64_t run = l->line * l->program.program->item[k], pitch = l->in_row[k];
    const struct strided t = {.out = l->program.ptr[k] + from * run,
                              .in = in + from * pitch,
                              .n = {to - from, 1},
                              .so = {run, 0},
                              .si = {pitch, 0},
                              .item = run};
    stria__kernels()->strided[stria__size_class(run)](&t);
}

/*
 * Gathers the lines of an input. Lines of the first input that are needed later are prefetched
 * while the result is written, and those of the others here.
 */
static void load(const struct lines *l, const struct corner *panel, int k, int64_t element,
                 const struct later *later)
{
    const char *const in = panel->ptr[k] + element * l->program.program->item[k];
    const int64_t loaded = LINES_LOADED;
    const int64_t count = k == l->turned ? 0 : later->count,
                  each = count / (panel->rows / loaded + 1) + 1;
    for (int64_t i = 0, at = 0; i < panel->rows; i += loaded) {
        copy_rows(l, k, in, i, least(i + loaded, panel->rows));
        const int64_t end = least(at + each, count);
        fetch_rows(l, panel, k, later, at, end);
        at = end;
    }
}

static void compute(struct lines *l, const struct corner *panel, int64_t element,
                    const struct later *later)
{
    const struct program *const p = l->program.program;
    for (int k = 1; k < p->nops; k++)
        if (l->all_turned >> k & 1) load(l, panel, k, element, later);
    for (int i = 0; i < p->count; i++)
        stria__row_program_run(&l->program, i, panel->rows * l->line, 1);
}

static void write(const struct lines *l, const struct corner *panel, int64_t element,
                  const struct later *later)
{
    const int64_t item = l->program.program->item[l->turned];
    const struct rows_ahead ahead = {
        .in = panel->ptr[l->turned] + later->panel * l->in_row[l->turned] + later->element * item,
        .at = l->in_at + later->row,
        .n = later->count,
        .bytes = later->elements * item};
    const struct transpose t = {.out = panel->ptr[0] + element * l->out_row,
                                .in = l->program.ptr[0],
                                .out_at = l->out_at,
                                .in_at = l->stage_at,
                                .np = l->line,
                                .nq = panel->rows,
                                .item = l->program.program->item[0],
                                .stream = true,
                                .ahead = &ahead};
    stria__kernels()->transpose[stria__size_class(t.item)](&t);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/*
 * Finds what a tile prefetches. Memory is faster at several lines of a row at once, so that of as
 * many tiles each prefetches these lines of its share of the rows.
 */
static struct later later_than(const struct lines *l, int64_t tile, int64_t rows, bool more)
{
    const int64_t share = (rows + l->at_once - 1) / l->at_once, row = tile % l->at_once * share,
                  next = (tile / l->at_once + 1) * l->at_once * l->line;
    const bool here = next < l->n;
    const int64_t count = least(share, rows - row); /* the last shares may be empty */
    return (struct later){.panel = here ? 0 : rows,
                          .element = here ? next : 0,
                          .elements = least(l->at_once * l->line, here ? l->n - next : l->n),
                          .row = row,
                          .count = (here || more) && count > 0 ? count : 0};
}

/* Runs the tiles of a panel; more: one of as many rows follows. */
static void run_panel(struct lines *l, const struct corner *panel, bool more)
{
    for (int64_t tile = 0; tile < l->n / l->line; tile++) {
        const struct later later = later_than(l, tile, panel->rows, more);
        compute(l, panel, tile * l->line, &later);
        write(l, panel, tile * l->line, &later);
    }
}

static void run_matrix(struct lines *l, char *const *ptr)
{
    const struct program *const p = l->program.program;
    struct corner panel;
    for (int64_t q = 0; q < l->rows; q += panel.rows) {
        panel.rows = least(l->most, l->rows - q);
        panel.ptr[0] = ptr[0] + q * p->item[0];
        for (int k = 1; k < p->nops; k++) {
            panel.ptr[k] = ptr[k] + q * l->in_row[k];
            if (!(l->all_turned >> k & 1)) l->program.ptr[k] = ptr[k];
        }
        run_panel(l, &panel, q + 2 * panel.rows <= l->rows);
    }
}

/* ---- a plan ---------------------------------------------------------------------------------- */

static void lay_out(struct lines *l, const struct program *p, const stria_plan *plan, int along)
{
    const stria_dim *const row = &plan->dims[0], *const element = &plan->dims[along];
    struct row_shape most = {.n = l->most * l->line, .rows = 1};
    char *stage = l->scratch;
    l->rows = row->n / l->line * l->line;
    l->n = element->n / l->line * l->line;
    l->out_row = element->s[0];
    l->turned = 0;
    l->all_turned = 0;
    for (int k = 0; k < p->nops; k++) {
        most.s[k] = repeats(plan, k, along) ? 0 : p->item[k];
        l->in_row[k] = row->s[k];
        if (k == 0 || most.s[k] == 0) continue;
        if (!l->turned) l->turned = k;
        l->all_turned |= (uint32_t)1 << k;
        l->program.ptr[k] = stage;
        stage += round_up(l->most * l->line * p->item[k], LINE);
    }
    stria__row_program_make(&l->program, p, stage, &most, true);
    const int64_t run = l->line * p->item[l->turned], fetched = LINES_FETCHED;
    l->at_once = run < fetched ? fetched / run : 1;
    for (int64_t i = 0; i < ROWS_MOST; i++) {
        l->in_at[i] = i * row->s[l->turned];
        l->stage_at[i] = i * LINE;
    }
    for (int64_t i = 0; i < l->line; i++)
        l->out_at[i] = i * element->s[0];
}

/* Runs the rest of the plan, along dim d from element `from` on, like any other call. */
static void run_rest(const struct call *call, const stria_plan *plan, int d, int64_t from)
{
    stria_plan rest;
    if (from == plan->dims[d].n) return;
    stria__plan_part(&rest, plan, d, from, plan->dims[d].n);
    stria__run_part(&rest, call);
}

/* Runs all whole lines of a plan, in tiles of `most` rows. */
static void run_lines(struct lines *l, const struct call *call, const stria_plan *plan, int along)
{
    struct odometer at;
    stria_plan whole, matrices;
    lay_out(l, call->program, plan, along);
    stria__plan_part(&whole, plan, 0, 0, l->rows);
    stria__plan_part(&matrices, &whole, along, 0, 1);
    matrices.dims[0].n = 1;
    stria__odometer_start(&at, &matrices, 0);
    do
        run_matrix(l, at.ptr);
    while (stria__odometer_next(&at, &matrices));
}

static bool run_transposed_lines(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const int along = common_dim(p, plan);
    struct lines *const l = (void *)stria__arena_take(
        (int64_t)sizeof *l + LINES_TILE + ROW_PROGRAM_SPARE + STRIA_MAX_OPERANDS * LINE);
    if (!l) return false;
    l->line = LINE / p->item[0];
    l->most = most_rows(p, plan, along);
    run_lines(l, call, plan, along);
    const int64_t rows = l->rows, n = l->n;
    stria__arena_give((char *)l);
    stria_plan whole;
    stria__plan_part(&whole, plan, 0, 0, rows);
    run_rest(call, &whole, along, n);
    run_rest(call, plan, 0, rows);
    return true;
}

const struct way stria__way_transposed_lines = {"lines", takes_across, run_transposed_lines};
