/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies that convert. Where both operands have the same dense rows, kernels go from one to the
 * other; otherwise box by box, see boxes.h. A large output is streamed past the caches: rows by way
 * of a buffer that stays in the first level, boxes by the engine.
 */
#include "through.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "dispatch.h"
#include "ops/convert/boxes.h"
#include "plan.h"
#include "strategy.h"
#include "threads.h"

enum {
    STREAM_FROM = 4,      /* bytes of output from which streaming pays, in units of the core's L2 */
    STREAM_BUFFER = 4096, /* bytes of a row that are converted before they are streamed */
    STREAM_ROW = 256,     /* bytes from which a row is worth it */
    SMALL = 16 << 10      /* items of one row that are neither streamed nor divided */
};

struct job {
    const struct conversion *how;
    bool in_place, stream;
    int64_t ahead; /* bytes from the input to what will be read next, to be fetched; 0: nothing */
};

/* ---- rows ---------------------------------------------------------------------------------- */

/* Pieces that end on lines of the output, wherever its items allow that. */
static void stream_row(const struct conversion *how, char *out, const char *in, int64_t n)
{
    const struct stria_kernels *kernels = stria__kernels();
    _Alignas(LINE) char buffer[STREAM_BUFFER];
    const int64_t item = how->out_item, most = STREAM_BUFFER / item;
    const int64_t head = (int64_t)(-(uintptr_t)out % LINE) / item;
    for (int64_t i = 0; i < n;) {
        int64_t m = i == 0 && head > 0 ? head : most;
        if (m > n - i) m = n - i;
        how->row(how, buffer, in + i * how->in_item, m);
        kernels->stream_piece(out + i * item, buffer, m * item);
        i += m;
    }
}

/* Into the second level: what is read next must not displace what is in use. */
static void prefetch(const char *in, int64_t n)
{
    for (int64_t i = 0; i < n; i += LINE)
        __builtin_prefetch(in + i, 0, 2);
}

static bool whole_lines(const stria_plan *plan, int64_t item)
{
    uintptr_t bits = (uintptr_t)plan->ptr[DST] | (uintptr_t)(plan->dims[0].n * item);
    for (int d = 1; d < plan->ndim; d++)
        bits |= (uintptr_t)plan->dims[d].s[DST];
    return bits % LINE == 0;
}

static void rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct job *job = arg;
    const struct conversion *how = job->how;
    const int64_t n = d[0].n;
    const bool stream = job->stream && n * how->out_item >= STREAM_ROW;
    char *out = ptr[DST];
    const char *in = ptr[SRC];
    for (int64_t j = 0; j < d[1].n; j++) {
        if (job->ahead) prefetch(in + job->ahead, n * how->in_item);
        if (stream)
            stream_row(how, out, in, n);
        else
            how->row(how, out, in, n);
        out += d[1].s[DST];
        in += d[1].s[SRC];
    }
    if (stream) stria__kernels()->fence();
}

/*
 * Streamed rows of whole lines may go anywhere, so that the input is read in its own order; others
 * share lines with their neighbours in the output and are written in a row.
 */
static void walk_rows(const stria_plan *plan, const struct job *job, const stria_exec *exec)
{
    if (!job->stream || plan->ndim == 1 || !whole_lines(plan, job->how->out_item)) {
        stria_walk(plan, rows, job, exec);
        return;
    }
    stria_plan by_input;
    by_input.nops = 2;
    by_input.ndim = plan->ndim;
    by_input.ptr[DST] = plan->ptr[DST];
    by_input.ptr[SRC] = plan->ptr[SRC];
    by_input.dims[0] = plan->dims[0];
    for (int d = 1; d < plan->ndim; d++) {
        const int64_t s = stria__magnitude(plan->dims[d].s[SRC]);
        int i = d;
        for (; i > 1 && stria__magnitude(by_input.dims[i - 1].s[SRC]) > s; i--)
            by_input.dims[i] = by_input.dims[i - 1];
        by_input.dims[i] = plan->dims[d];
    }
    stria_walk(&by_input, rows, job, exec);
}

/* One by one, for boxes that were cut to a width of one item. */
static void items(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct job *job = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            job->how->row(job->how, ptr[DST] + i * d[0].s[DST] + j * d[1].s[DST],
                          ptr[SRC] + i * d[0].s[SRC] + j * d[1].s[SRC], 1);
}

static bool has_rows(const stria_plan *plan, const struct conversion *how)
{
    const stria_dim *d = &plan->dims[0];
    return d->n == 1 || (d->s[DST] == how->out_item && d->s[SRC] == how->in_item);
}

/* ---- boxes --------------------------------------------------------------------------------- */

struct box {
    const struct boxes *all;
    const struct job *job;
    char *ptr[BOX_OPERANDS];
    int64_t ahead;
    int64_t size[STRIA_MAX_NDIM];
};

/* The current box as a plan over two of its operands; what lies in scratch once is visited once. */
static void pass_plan(stria_plan *out, const struct box *box, int to, int from, const int *order)
{
    const stria_plan *plan = &box->all->plan;
    out->nops = 2;
    out->ndim = 0;
    out->ptr[0] = box->ptr[to];
    out->ptr[1] = box->ptr[from];
    for (int i = 0; i < plan->ndim; i++) {
        const int d = order ? order[i] : i;
        const stria_dim dim = {box->size[d], {plan->dims[d].s[to], plan->dims[d].s[from]}};
        if (dim.n > 1 && dim.s[0] != 0) out->dims[out->ndim++] = dim;
    }
    if (out->ndim == 0) out->dims[out->ndim++] = (stria_dim){.n = 1};
    stria__plan_merge(out);
}

static void copy_pass(const struct box *box, int to, int from, const int *order, int64_t item,
                      bool stream)
{
    stria_plan plan;
    struct nest nest;
    pass_plan(&plan, box, to, from, order);
    stria__nest_make(&nest, &plan, item);
    stria__strategy(&nest)->run(&nest, stream);
}

static void convert_pass(const struct box *box, int to, int from)
{
    static const stria_exec serial = {.threads = 1};
    const struct job job = {.how = box->job->how,
                            .stream = box->job->stream && to == DST,
                            .ahead = from == SRC ? box->ahead : 0};
    stria_plan plan;
    pass_plan(&plan, box, to, from, box->all->order);
    stria_loop *const loop = has_rows(&plan, job.how) ? rows : items;
    if (plan.ndim > 2) {
        stria_walk(&plan, loop, &job, &serial);
        return;
    }
    if (plan.ndim == 1) plan.dims[1] = (stria_dim){.n = 1};
    loop(plan.ptr, plan.dims, &job);
}

static void run_box(const struct box *box)
{
    const struct boxes *all = box->all;
    const struct conversion *how = box->job->how;
    const int to = all->scatter ? CONVERTED : DST, from = all->gather ? GATHERED : SRC;
    if (all->gather) copy_pass(box, GATHERED, SRC, all->order, how->in_item, false);
    convert_pass(box, to, from);
    if (all->scatter) copy_pass(box, DST, CONVERTED, NULL, how->out_item, box->job->stream);
}

/* Bytes of input from this box to the next; 0 for the last one. */
static int64_t next_box(const struct boxes *all, const int64_t *index)
{
    int64_t bytes = 0;
    for (int i = 0; i < all->plan.ndim; i++) {
        const int d = all->order[i];
        const stria_dim *dim = &all->plan.dims[d];
        if (index[d] + all->size[d] < dim->n) return bytes + all->size[d] * dim->s[SRC];
        bytes -= index[d] * dim->s[SRC];
    }
    return 0;
}

/* Boxes follow the scratch order: where rows of the input are converted, the input. */
static void walk_boxes(struct box *box)
{
    const struct boxes *all = box->all;
    int64_t index[STRIA_MAX_NDIM];
    for (int d = 0; d < all->plan.ndim; d++) {
        index[d] = 0;
        box->size[d] = all->size[d];
    }
    for (;;) {
        box->ahead = box->job->stream ? next_box(all, index) : 0;
        run_box(box);
        int i = 0;
        for (; i < all->plan.ndim; i++) {
            const int d = all->order[i];
            const stria_dim *dim = &all->plan.dims[d];
            const int64_t most = all->size[d];
            const int64_t step = index[d] + most < dim->n ? most : -index[d];
            const int64_t left = dim->n - (index[d] += step);
            box->size[d] = left < most ? left : most;
            box->ptr[DST] += step * dim->s[DST];
            box->ptr[SRC] += step * dim->s[SRC];
            if (step > 0) break;
        }
        if (i == all->plan.ndim) return;
    }
}

static void run_boxes(const stria_plan *part, const void *arg)
{
    const struct job *job = arg;
    _Alignas(LINE) char scratch[BOX_BYTES];
    struct boxes boxes;
    stria__boxes_make(&boxes, part, job->how, job->in_place);
    struct box box = {.all = &boxes, .job = job};
    box.ptr[DST] = part->ptr[DST];
    box.ptr[SRC] = part->ptr[SRC];
    box.ptr[GATHERED] = scratch;
    box.ptr[CONVERTED] = boxes.gather ? scratch + BOX_BYTES / 2 : scratch;
    walk_boxes(&box);
}

/* ---- both ---------------------------------------------------------------------------------- */

/* Elements of several parts get a dim of their own, innermost. */
static void split_items(stria_plan *out, const stria_plan *plan, const struct conversion *how)
{
    out->nops = 2;
    out->ptr[0] = plan->ptr[0];
    out->ptr[1] = plan->ptr[1];
    out->dims[0].n = how->parts;
    out->dims[0].s[0] = how->out_item;
    out->dims[0].s[1] = how->in_item;
    memcpy(out->dims + 1, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    out->ndim = plan->ndim + 1;
    stria__plan_drop(out);
    stria__plan_merge(out);
}

static bool repeats(const stria_plan *plan)
{
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[SRC] == 0 && plan->dims[d].n > 1) return true;
    return false;
}

static bool streams(const stria_plan *plan, int64_t item, const stria_exec *exec)
{
    if (exec && (exec->hints & STRIA_WILL_READ_SOON)) return false;
    return stria__plan_numel(plan) >= STREAM_FROM * stria__cpu_l2() / item;
}

/* Dense rows in both operands, long enough and none of them read twice. */
static bool by_rows(const stria_plan *plan, const struct conversion *how)
{
    const bool long_rows = plan->ndim == 1 || plan->dims[0].n >= BOX_ROW;
    return has_rows(plan, how) && long_rows && !repeats(plan) && plan->ptr[DST] != plan->ptr[SRC];
}

int64_t stria__through_row(const stria_plan *plan, const struct conversion *how)
{
    const stria_dim *d = &plan->dims[0];
    return how->parts == 1 && plan->ndim == 1 && d->n <= SMALL && by_rows(plan, how) ? d->n : 0;
}

static void run(const stria_plan *plan, const struct conversion *how, const stria_exec *exec)
{
    const bool whole_rows = by_rows(plan, how);
    const struct job job = {.how = how,
                            .in_place = plan->ptr[DST] == plan->ptr[SRC],
                            .stream = streams(plan, how->out_item, exec)};
    if (whole_rows) {
        walk_rows(plan, &job, exec);
        return;
    }
    const int threads = stria__threads_for(exec, stria__plan_traffic(plan));
    if (threads > 1)
        stria__plan_parallel(plan, exec, threads, run_boxes, &job);
    else
        run_boxes(plan, &job);
}

void stria__copy_through(const stria_plan *plan, const struct conversion *how,
                         const stria_exec *exec)
{
    const int64_t row = stria__through_row(plan, how);
    if (row) {
        how->row(how, plan->ptr[DST], plan->ptr[SRC], row);
        return;
    }
    if (how->parts == 1) {
        run(plan, how, exec);
        return;
    }
    /* Not empty, so every dim of the output has at least 2 of 2^63 bytes: there is room for one. */
    stria_plan parts;
    split_items(&parts, plan, how);
    run(&parts, how, exec);
}

void stria__explain_through(char *text, size_t size, const stria_plan *plan,
                            const struct conversion *how)
{
    const char *plural = how->count == 1 ? "" : "s";
    stria_plan parts;
    struct boxes boxes;
    split_items(&parts, plan, how);
    if (by_rows(&parts, how)) {
        (void)snprintf(text, size, "%d kernel%s over rows of %" PRId64 " items", (int)how->count,
                       plural, parts.dims[0].n);
        return;
    }
    stria__boxes_make(&boxes, &parts, how, parts.ptr[DST] == parts.ptr[SRC]);
    int64_t items = 1;
    for (int d = 0; d < parts.ndim; d++)
        items *= boxes.size[d];
    (void)snprintf(text, size, "%d kernel%s, boxes of %" PRId64 " items%s%s", (int)how->count,
                   plural, items, boxes.gather ? ", gathered first" : "",
                   boxes.scatter ? ", scattered after" : "");
}
