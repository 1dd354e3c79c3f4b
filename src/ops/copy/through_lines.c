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
#include "through_boxes.h"
#include "through_items.h"

enum {
    VISITS_AHEAD = 2,
    RUN = 4096, /* bytes of a tile in a row of the input, that many or less */
    ROWS = 128  /* rows of the input, at most */
};

/* ---- one tile ------------------------------------------------------------------------------ */

struct visit {
    const struct tiling *tiling;
    const struct tile *tile;
    const struct conversion *how;
    int64_t p, n; /* the first item in a row, and how many */
    struct rows_ahead ahead;
    int64_t stage_at[ROWS];
    _Alignas(LINE) char stage[ROWS * LINE];
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

static void run_tile(const struct tiling *tiling, const struct tile *tile, void *arg)
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

static void walk(const struct tiling *tiling, const struct conversion *how)
{
    stria__tiling_walk(tiling, run_tile, (void *)(uintptr_t)how);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* Tiles of `rows` rows; false where the nest is of another kind. */
static bool make_tiling(struct tiling *out, const struct nest *nest, const struct conversion *how,
                        int64_t rows)
{
    struct nest items;
    if (!stria__nest_in_items(&items, nest, how) || items.ndim < 2) return false;
    if (items.d[0].so != 1 || !stria__tiling_dim(&items)) return false;
    const int64_t np = least(RUN / how->in_item, SIDE_MAX);
    const struct heads heads = stria__heads_in_items(&items, how, np, rows);
    stria__tiling_make(out, &items, np, rows, &heads, BY_INPUT);
    return stria__items_line_up(out, &items, how);
}

static bool has_tiling(struct tiling *out, const struct nest *nest, const struct conversion *how)
{
    enum { LINES = 4 };
    return make_tiling(out, nest, how, ROWS) && out->q.inner * out->q.block * 2 > ROWS &&
           out->p.inner * out->p.block * how->out_item >= LINES * LINE;
}

bool stria__lines_make(struct lines *out, struct tiling *tiling, const struct nest *nest,
                       const struct conversion *how)
{
    struct nest between;
    if (how->out_item >= how->in_item) return false;
    out->nest = *nest;
    out->has_seams = stria__find_seams(&out->seams, nest);
    if (!out->has_seams) return has_tiling(tiling, nest, how);
    stria__between_seams(&between, nest, &out->seams);
    return has_tiling(tiling, &between, how);
}

/* A line of each row of the output, which comes from two rows of the copy. */
static void run_seams(const struct lines *lines, const struct conversion *how)
{
    struct nest across;
    struct tiling t;
    int64_t apart;
    stria__across_seams(&across, &apart, &lines->nest, &lines->seams);
    const int64_t rows = LINE / how->out_item;
    (void)make_tiling(&t, &across, how, rows);
    stria__tiling_in_bytes(&t, how);
    for (int64_t i = lines->seams.tail; i < rows; i++)
        t.q.at[i] += apart;
    walk(&t, how);
}

static void run_shortly(const struct nest *nest, const struct conversion *how)
{
    const struct box_job job = {.how = how};
    stria_plan plan = {.ndim = 1, .nops = 2, .ptr = {nest->out, (char *)(uintptr_t)nest->in}};
    plan.dims[0] = (stria_dim){.n = 1};
    for (int d = 0; d < nest->ndim; d++)
        plan.dims[d] = (stria_dim){nest->d[d].n, {nest->d[d].so, nest->d[d].si}};
    if (nest->ndim > 0) plan.ndim = nest->ndim;
    stria__run_boxes(&plan, &job);
}

void stria__lines_run(const struct lines *lines, const struct tiling *tiling,
                      const struct conversion *how)
{
    struct nest part;
    walk(tiling, how);
    if (lines->has_seams) {
        run_seams(lines, how);
        stria__before_seams(&part, &lines->nest, &lines->seams);
        run_shortly(&part, how);
        stria__behind_seams(&part, &lines->nest, &lines->seams);
        run_shortly(&part, how);
    }
    stria__kernels()->fence();
}
