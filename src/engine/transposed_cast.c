/* SPDX-License-Identifier: BSD-3-Clause */
#include "transposed_cast.h"

#include "arena.h"
#include "checked.h"
#include "dispatch.h"
#include "move/fetch.h"
#include "move/kernel_args.h"
#include "odometer.h"
#include "plan.h"

enum {
    ROWS = 128,       /* of the input, side by side */
    LEAST_LINES = 4,  /* of the output, that a row of the input must come to */
    VISITS_AHEAD = 2, /* from a line of each row that is cast to those that are prefetched */
    OUT = 0,          /* operands of the plan */
    IN = 1
};

struct cast {
    const struct conversion *how;
    int64_t line;    /* items of a line of the output */
    int64_t rows, n; /* of the input, dim 0 of the plan; items of each, along the dim `along` */
    int64_t out_row, in_row; /* bytes from row to row of either operand */
    int64_t in_at[ROWS];     /* offset of each row of a group in the input, */
    int64_t stage_at[ROWS];  /* and of its line on the stage */
    int64_t out_at[LINE];    /* offset in the output of each item of a line */
    _Alignas(LINE) char stage[ROWS * LINE];
};

/* Finds the dim, other than 0, along which the input is dense; 0: there is none. */
static int input_dim(const stria_plan *plan, int64_t item)
{
    for (int d = 1; d < plan->ndim; d++)
        if (plan->dims[d].s[IN] == item) return d;
    return 0;
}

static bool is_suitable(const struct call *call, const stria_plan *plan, int along)
{
    const struct program *const p = call->program;
    if (along == 0 || !call->stream || call->in_place || p->count != 1 || p->code[0].loop)
        return false;
    const int64_t out = p->item[OUT], line = LINE / out;
    const bool power_of_two = (out & (out - 1)) == 0;
    if (!power_of_two || out > p->item[IN] || plan->dims[0].s[OUT] != out) return false;
    if (plan->dims[0].n < ROWS / 2 || plan->dims[along].n < LEAST_LINES * line) return false;
    uint64_t bits = (uintptr_t)plan->ptr[OUT];
    for (int d = 1; d < plan->ndim; d++)
        bits |= (uint64_t)plan->dims[d].s[OUT];
    return bits % LINE == 0;
}

/* ---- one line of each of some rows ----------------------------------------------------------- */

static void fetch_row(struct rows_ahead *ahead)
{
    if (ahead->n == 0) return;
    stria__fetch_lines(ahead->in + *ahead->at, ahead->bytes);
    ahead->at++;
    ahead->n--;
}

/* Casts the line of each row; half of what is prefetched is prefetched here. */
static void fill_stage(struct cast *c, const char *in, int64_t rows, struct rows_ahead *ahead)
{
    const struct conversion *const how = c->how;
    const struct conversion_step *const only = how->count == 1 ? &how->steps[0] : NULL;
    for (int64_t i = 0; i < rows; i++) {
        char *const to = c->stage + i * LINE;
        if (i % 2 == 0) fetch_row(ahead);
        if (only)
            only->row(to, in + c->in_at[i], c->line * only->per);
        else
            how->row(how, to, in + c->in_at[i], c->line);
    }
}

/* Writes the stage as rows of the output, and prefetches the other half. */
static void write_stage(const struct cast *c, char *out, int64_t rows,
                        const struct rows_ahead *ahead)
{
    const struct transpose t = {.out = out,
                                .in = c->stage,
                                .out_at = c->out_at,
                                .in_at = c->stage_at,
                                .np = c->line,
                                .nq = rows,
                                .item = c->how->out_item,
                                .stream = true,
                                .ahead = ahead};
    stria__kernels()->transpose[stria__size_class(t.item)](&t);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Casts all whole lines of a group of rows; next: where the group after it begins, or NULL. */
static void cast_group(struct cast *c, char *out, const char *in, int64_t rows, const char *next)
{
    const int64_t bytes = c->line * c->how->in_item, visits = c->n / c->line;
    for (int64_t v = 0; v < visits; v++) {
        const int64_t later = v + VISITS_AHEAD;
        const char *const from = later < visits ? in : next;
        struct rows_ahead ahead = {.at = c->in_at, .n = from ? rows : 0, .bytes = bytes};
        ahead.in = from ? from + (later < visits ? later : later - visits) * bytes : in;
        fill_stage(c, in + v * bytes, rows, &ahead);
        write_stage(c, out + v * c->line * c->out_row, rows, &ahead);
    }
}

static void cast_matrix(struct cast *c, char *out, const char *in)
{
    for (int64_t q = 0, rows; q < c->rows; q += rows) {
        rows = least(ROWS, c->rows - q);
        const bool more = q + rows + ROWS <= c->rows;
        const char *const from = in + q * c->in_row;
        cast_group(c, out + q * c->how->out_item, from, rows,
                   more ? from + rows * c->in_row : NULL);
    }
}

static void lay_out(struct cast *c, const struct conversion *how, const stria_plan *plan, int along)
{
    const stria_dim *const row = &plan->dims[0], *const item = &plan->dims[along];
    c->how = how;
    c->line = LINE / how->out_item;
    c->rows = row->n / c->line * c->line;
    c->n = item->n / c->line * c->line;
    c->out_row = item->s[OUT];
    c->in_row = row->s[IN];
    for (int64_t i = 0; i < ROWS; i++) {
        c->in_at[i] = i * row->s[IN];
        c->stage_at[i] = i * LINE;
    }
    for (int64_t i = 0; i < c->line; i++)
        c->out_at[i] = i * item->s[OUT];
}

/* Runs what is left of the plan along dim d from element `from` on, as any other cast. */
static void run_rest(const struct call *call, const stria_plan *plan, int d, int64_t from)
{
    stria_plan rest;
    if (from == plan->dims[d].n) return;
    stria__plan_part(&rest, plan, d, from, plan->dims[d].n);
    stria__run_blocks(&rest, call);
}

bool stria__transposed_cast(const struct call *call, const stria_plan *plan)
{
    const int along = input_dim(plan, call->program->item[IN]);
    struct odometer at;
    stria_plan whole, matrices;
    if (!is_suitable(call, plan, along)) return false;
    char *const memory = stria__arena_take(sizeof(struct cast));
    struct cast *const c = (struct cast *)(void *)memory;
    if (!memory) return false;
    lay_out(c, &call->program->cast[call->program->code[0].cast], plan, along);
    stria__plan_part(&whole, plan, 0, 0, c->rows);
    stria__plan_part(&matrices, &whole, along, 0, 1);
    matrices.dims[0].n = 1;
    stria__odometer_start(&at, &matrices, 0);
    do
        cast_matrix(c, at.ptr[OUT], at.ptr[IN]);
    while (stria__odometer_next(&at, &matrices));
    const int64_t rows = c->rows, n = c->n;
    stria__arena_give(memory);
    run_rest(call, &whole, along, n);
    run_rest(call, plan, 0, rows);
    stria__kernels()->fence();
    return true;
}
