/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of many rows of the input, side by side, so many items as make a line of the output: converted,
 * they lie on a stage of a line each, which they leave as rows of the output.
 *
 * What is fetched ahead is spread evenly over both: at once the lines would wait for each other,
 * and while they come nothing would be written. Fetched is what the visit after the next one reads.
 */
#include "through_lines.h"

#include "checked.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "ops/ahead.h"

enum { VISITS_AHEAD = 2 };

struct visit {
    const struct tiling *tiling;
    const struct tile *tile;
    const struct conversion *how;
    int64_t p, n; /* the first item in a row, and how many */
    struct rows_ahead ahead;
    int64_t stage_at[LINES_ROWS];
    _Alignas(LINE) char stage[LINES_ROWS * LINE];
};

/* Here or in the next tile. */
static void look_ahead(struct visit *v)
{
    const int64_t item = v->how->in_item, line = LINE / v->how->out_item;
    const struct tile *const tile = v->tile, *const next = tile->next;
    const int64_t p = v->p + VISITS_AHEAD * line, left = tile->np - p;
    v->ahead = (struct rows_ahead){.at = v->tiling->q.at, .bytes = line * item};
    if (left > 0) {
        v->ahead.in = tile->in + p * item;
        v->ahead.n = tile->nq;
    } else if (next) {
        v->ahead.in = next->in - left * item;
        v->ahead.n = next->nq;
    }
}

static void fetch_row(struct rows_ahead *ahead)
{
    if (ahead->n == 0) return;
    stria__fetch_lines(ahead->in + *ahead->at, ahead->bytes);
    ahead->at++;
    ahead->n--;
}

/* Half of what is fetched is fetched here. */
static void fill_stage(struct visit *v)
{
    const struct conversion *how = v->how;
    const struct conversion_step *step = &how->steps[0];
    const char *const in = v->tile->in + v->p * how->in_item;
    const int64_t *const at = v->tiling->q.at, rows = v->tile->nq, n = v->n;
    for (int64_t i = 0; i < rows; i++) {
        if (i % 2 == 0) fetch_row(&v->ahead);
        if (how->count == 1)
            step->row(v->stage + i * LINE, in + at[i], n * step->per);
        else
            how->row(how, v->stage + i * LINE, in + at[i], n);
    }
}

static void write_rows(struct visit *v)
{
    const struct transpose t = {.out = v->tile->out,
                                .in = v->stage,
                                .out_at = v->tiling->p.at + v->p,
                                .in_at = v->stage_at,
                                .np = v->n,
                                .nq = v->tile->nq,
                                .item = v->how->out_item,
                                .stream = true,
                                .ahead = &v->ahead};
    stria__kernels()->transpose[stria__size_class(t.item)](&t);
}

void stria__lines_tile(const struct tiling *tiling, const struct tile *tile, void *arg)
{
    struct visit v;
    v.tiling = tiling;
    v.tile = tile;
    v.how = arg;
    for (int64_t i = 0; i < tile->nq; i++)
        v.stage_at[i] = i * LINE;
    for (v.p = 0; v.p < tile->np; v.p += v.n) {
        v.n = least(tile->np - v.p, LINE / v.how->out_item);
        look_ahead(&v);
        fill_stage(&v);
        write_rows(&v);
    }
}
