/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings a block of elements into the form that kernels take: elements that lie otherwise are
 * gathered, those of another dtype are converted, and the rest stays where it is.
 */
#include <string.h>

#include "base/integers.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "reduce_plan.h"

/* ---- gathering ------------------------------------------------------------------------------- */

/* Adds a dim to a box, a plan over scratch and the inputs. */
static void add_dim(stria_plan *box, int64_t n, const int64_t *memory, int64_t scratch)
{
    stria_dim *const dim = &box->dims[box->ndim++];
    dim->n = n;
    dim->s[0] = scratch;
    memcpy(dim->s + 1, memory, (size_t)(box->nops - 1) * sizeof *memory);
}

/* Adds the outputs of the tile to the box; the next one is `step` bytes away in scratch. */
static void add_tile(stria_plan *box, const struct reduce_run *run, int64_t step)
{
    const struct reduce_shape *const s = &run->plan->shape;
    for (int d = 0; d < run->tile.ndim; d++) {
        add_dim(box, run->tile.n[d], s->k[d].s + 1, step);
        step *= run->tile.n[d];
    }
}

/*
 * Adds the first `whole` reduced dims and `cut` of the next to the box, `step` bytes apart in
 * scratch.
 */
static void add_elements(stria_plan *box, const struct reduce_shape *s, int whole, int64_t cut,
                         int64_t step)
{
    for (int i = 0; i < whole; i++) {
        add_dim(box, s->r[i].n, s->r[i].s + 1, step);
        step *= s->r[i].n;
    }
    if (cut > 1) add_dim(box, cut, s->r[whole].s + 1, step);
}

/* Tells whether the last box had the same sizes; if not, these are kept for the next comparison. */
static bool is_again(struct reduce_run *run, const stria_plan *box)
{
    bool same = run->ndim == box->ndim;
    for (int d = 0; d < box->ndim; d++) {
        same = same && run->n[d] == box->dims[d].n;
        run->n[d] = box->dims[d].n;
    }
    run->ndim = box->ndim;
    return same;
}

/* Decides how the program runs over boxes of these sizes. */
static void prepare_source(const struct reduce_run *run, const stria_plan *box)
{
    static const stria_exec exec = {.threads = 1, .hints = STRIA_WILL_READ_SOON};
    struct reduce_source *const source = run->source;
    struct call *const call = &source->call;
    stria_plan *const plan = &source->plan;
    stria__plan_copy(plan, box);
    stria__plan_collapse(plan, 0);
    for (int k = 0; k < plan->nops; k++)
        source->begin[k] = (int64_t)((uintptr_t)plan->ptr[k] - (uintptr_t)box->ptr[k]);
    call->program = run->plan->what->program;
    call->plan = plan;
    call->in_place = false;
    stria__call_decide(call, &exec);
    call->far = run->plan->far;
}

/* Computes a box of elements into scratch. */
static void compute(struct reduce_run *run, const stria_plan *box)
{
    struct reduce_source *const source = run->source;
    if (!is_again(run, box)) prepare_source(run, box);
    for (int k = 0; k < box->nops; k++)
        source->plan.ptr[k] = stria__at(box->ptr[k], 1, source->begin[k]);
    stria__call_run(&source->call, NULL);
}

static void gather(struct reduce_run *run, const stria_plan *box)
{
    const struct reduce_plan *const plan = run->plan;
    struct nest nest;
    if (!is_again(run, box)) run->way = (struct stage_way){NULL, NULL};
    stria__nest_make(&nest, box, plan->in_item);
    stria__stage_in(&nest, plan->far, NULL, &run->way);
}

/* Gathers or computes the elements of one output, or of a tile, box by box. */
char *stria__reduce_gather(struct reduce_run *run, const struct reduce_range *range)
{
    const struct reduce_plan *const plan = run->plan;
    const struct reduce_shape *const s = &plan->shape;
    const bool rows = plan->form == FORM_ROWS;
    const int64_t step = rows ? plan->in_item : plan->in_item * run->tile.width;
    char *const scratch = run->scratch + plan->gathered;
    for (int64_t done = 0; done < range->count;) {
        const int64_t count = range->count - done;
        stria_plan box;
        int64_t index[STRIA_MAX_NDIM], inner = 1, cut = 1;
        int whole = 0;
        box.ndim = 0;
        box.nops = 1 + s->inputs;
        box.ptr[0] = scratch + done * step;
        stria__reduced_index(s, range->first + done, index);
        for (int k = 0; k < s->inputs; k++)
            box.ptr[1 + k] = stria__at(run->tile.in[k], 1, stria__reduced_offset(s, index, k));
        while (whole < s->reduced && index[whole] == 0 && s->r[whole].n <= count / inner)
            inner *= s->r[whole++].n;
        if (whole < s->reduced) cut = least(s->r[whole].n - index[whole], count / inner);
        if (!rows) add_tile(&box, run, plan->in_item);
        add_elements(&box, s, whole, cut, step);
        if (rows) add_tile(&box, run, plan->pitch[0]);
        if (range->columns > 1)
            add_dim(&box, range->columns, s->r[range->across].s + 1, plan->pitch[0]);
        if (plan->what->program)
            compute(run, &box);
        else
            gather(run, &box);
        done += inner * cut;
    }
    return scratch;
}

/* ---- converting ------------------------------------------------------------------------------ */

static void convert_rows(const struct reduce_run *run, struct fold_block *f, char *to)
{
    const struct reduce_plan *const plan = run->plan;
    const bool adjacent = f->s == f->n * plan->in_item;
    const int64_t pitch = adjacent ? f->n * plan->kernel_item : plan->pitch[1];
    if (adjacent)
        stria__convert_rows(&plan->cast, to, 0, f->in, 0, f->n * f->outputs, 1);
    else
        stria__convert_rows(&plan->cast, to, pitch, f->in, f->s, f->n, f->outputs);
    f->in = to;
    f->s = pitch;
}

/* Converts the rows of a block; adjacent rows are converted as one. */
static void convert_columns(const struct reduce_run *run, struct fold_block *f, char *to,
                            int64_t *at)
{
    const struct reduce_plan *const plan = run->plan;
    const int64_t w = f->outputs, row = w * plan->kernel_item;
    const int64_t step = f->n > 1 ? at[1] - at[0] : 0;
    bool even = true;
    for (int64_t r = 2; r < f->n && even; r++)
        even = at[r] - at[r - 1] == step;
    if (even && step == w * plan->in_item)
        stria__convert_rows(&plan->cast, to, 0, f->in + at[0], 0, w * f->n, 1);
    else if (even)
        stria__convert_rows(&plan->cast, to, row, f->in + at[0], step, w, f->n);
    else
        for (int64_t r = 0; r < f->n; r++)
            stria__convert_rows(&plan->cast, to + r * row, 0, f->in + at[r], 0, w, 1);
    f->in = to;
    for (int64_t r = 0; r < f->n; r++)
        at[r] = r * row;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void lie_in_place(const struct reduce_run *run, int64_t first, struct fold_block *f,
                         int64_t *at)
{
    const struct reduce_plan *const plan = run->plan;
    int64_t index[STRIA_MAX_NDIM];
    f->in = run->tile.in[0];
    f->s = run->tile.ndim > 0 ? plan->shape.k[0].s[1] : 0;
    if (plan->dots) {
        f->by = run->tile.in[plan->second] + first * plan->shape.r[0].s[1 + plan->second];
        f->by_s = run->tile.ndim > 0 ? plan->shape.k[0].s[1 + plan->second] : 0;
    }
    if (plan->form == FORM_COLUMNS) {
        stria__reduced_offsets(&plan->shape, first, f->n, 1, at);
    } else if (plan->runs == RUNS_OF_LANES) {
        stria__reduced_offsets(&plan->shape, first, (f->n + LANES - 1) / LANES, LANES, at);
        f->at = at;
    } else {
        stria__reduced_index(&plan->shape, first, index);
        f->in += stria__reduced_offset(&plan->shape, index, 0);
    }
}

void stria__reduce_stage(struct reduce_run *run, int64_t first, int64_t count,
                         struct fold_block *out, int64_t *at)
{
    const struct reduce_plan *const plan = run->plan;
    out->n = count;
    out->outputs = run->tile.width;
    out->at = plan->form == FORM_COLUMNS ? at : NULL;
    out->adjacent = !plan->in_place || (plan->shape.reduced == 1 &&
                                        plan->shape.r[0].s[1] == out->outputs * plan->in_item);
    const bool there = plan->in_place && !plan->cast.row;
    const struct stria__machine *const m = stria__machine();
    out->far = plan->memory && there;
    out->ahead = out->apart = 0;
    if (there && plan->bytes > m->far) {
        out->ahead = plan->form == FORM_ROWS ? m->rows_ahead : m->columns_ahead;
        out->apart = m->rows_apart;
    }
    out->first = first;
    out->lanes = run->scratch + plan->lanes;
    if (plan->in_place) {
        lie_in_place(run, first, out, at);
    } else {
        out->in = stria__reduce_gather(
            run, &(struct reduce_range){.first = first, .count = count, .columns = 1});
        out->s = plan->pitch[0];
        for (int64_t r = 0; plan->form == FORM_COLUMNS && r < count; r++)
            at[r] = r * run->tile.width * plan->in_item;
    }
    if (!plan->cast.row) return;
    if (plan->form == FORM_ROWS)
        convert_rows(run, out, run->scratch + plan->converted);
    else
        convert_columns(run, out, run->scratch + plan->converted, at);
}
