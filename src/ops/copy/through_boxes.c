/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each box is gathered by the engine or converted from where it lies, and converted to where it
 * belongs or scattered by the engine; see boxes.h. Of large copies the input is fetched ahead: some
 * kilobytes while rows of it are converted, and the next box while this one is written.
 */
#include "through_boxes.h"

#include "ops/convert/boxes.h"
#include "ops/convert/fetch.h"
#include "plan.h"
#include "simd/kernels.h"
#include "strategy.h"
#include "through_rows.h"

enum { AHEAD = 16 << 10 }; /* bytes from rows that are converted to those that are fetched */

/* A box: where it begins, where that is along each dim, and its sizes. */
struct spot {
    char *dst, *src;
    int64_t index[STRIA_MAX_NDIM], size[STRIA_MAX_NDIM];
};

struct box {
    const struct boxes *all;
    const struct box_job *job;
    char *ptr[BOX_OPERANDS];
    const int64_t *size;
    struct fetch *fetch; /* the rows of this box, then those of the next; or NULL */
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

static void copy_plan(const stria_plan *plan, int64_t item, bool stream)
{
    struct nest nest;
    stria__nest_make(&nest, plan, item);
    stria__strategy_run(stria__choose_part(&nest).best, &nest, stream);
}

static void gather(const struct box *box)
{
    stria_plan plan;
    pass_plan(&plan, box, GATHERED, SRC, box->all->order);
    copy_plan(&plan, box->job->how->in_item, false);
}

/* What is left of the next box: it is fetched while this one is written. */
static bool has_rest(struct fetch *rest, const struct box *box)
{
    if (!box->fetch || !box->fetch->then) return false;
    *rest = *box->fetch->then;
    return rest->left > 0;
}

static void scatter(const struct box *box)
{
    stria_plan plan;
    struct fetch rest;
    pass_plan(&plan, box, DST, CONVERTED, NULL);
    if (has_rest(&rest, box)) stria__fetch(&rest, rest.left * rest.row);
    copy_plan(&plan, box->job->how->out_item, box->job->stream);
}

static void convert(const struct box *box, int to, int from)
{
    static const stria_exec serial = {.threads = 1};
    struct row_job job = {.how = box->job->how, .stream = box->job->stream && to == DST};
    struct fetch rest;
    stria_plan plan;
    pass_plan(&plan, box, to, from, box->all->order);
    if (from == SRC) {
        job.fetch = box->fetch;
        job.fetched = plan.dims[0].n * job.how->in_item;
    } else if (to == DST && has_rest(&rest, box)) {
        job.fetch = &rest;
        job.fetched = rest.left * rest.row / (stria__plan_numel(&plan) / plan.dims[0].n);
    }
    stria_loop *const loop = stria__has_rows(&plan, job.how) ? stria__row_loop : stria__item_loop;
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
    if (all->gather) gather(box);
    convert(box, all->scatter ? CONVERTED : DST, all->gather ? GATHERED : SRC);
    if (all->scatter) scatter(box);
}

static void first_box(struct spot *out, const struct boxes *all)
{
    out->dst = all->plan.ptr[DST];
    out->src = all->plan.ptr[SRC];
    for (int d = 0; d < all->plan.ndim; d++) {
        out->index[d] = 0;
        out->size[d] = all->size[d];
    }
}

/*
 * Boxes follow the scratch order: where rows of the input are converted, the input. False after the
 * last one.
 */
static bool next_box(struct spot *spot, const struct boxes *all)
{
    for (int i = 0; i < all->plan.ndim; i++) {
        const int d = all->order[i];
        const stria_dim *dim = &all->plan.dims[d];
        const int64_t most = all->size[d];
        const int64_t step = spot->index[d] + most < dim->n ? most : -spot->index[d];
        const int64_t left = dim->n - (spot->index[d] += step);
        spot->size[d] = left < most ? left : most;
        spot->dst += step * dim->s[DST];
        spot->src += step * dim->s[SRC];
        if (step > 0) return true;
    }
    return false;
}

static void walk_boxes(struct box *box)
{
    struct spot spots[2];
    struct fetch fetches[2];
    const struct boxes *all = box->all;
    /* What lies at one distance all along is foreseen by the hardware. */
    const bool fetch = box->job->stream && all->plan.ndim > 1;
    first_box(&spots[0], all);
    if (fetch) {
        stria__fetch_start(&fetches[0], all, spots[0].src, spots[0].size);
        stria__fetch(&fetches[0], AHEAD);
    }
    int now = 0;
    for (bool more = true; more; now = !now) {
        struct spot *const spot = &spots[now], *const next = &spots[!now];
        *next = *spot;
        more = next_box(next, all);
        if (fetch && more) {
            stria__fetch_start(&fetches[!now], all, next->src, next->size);
            fetches[now].then = &fetches[!now];
        }
        box->ptr[DST] = spot->dst;
        box->ptr[SRC] = spot->src;
        box->size = spot->size;
        box->fetch = fetch ? &fetches[now] : NULL;
        run_box(box);
    }
}

void stria__run_boxes(const stria_plan *plan, const void *arg)
{
    const struct box_job *job = arg;
    _Alignas(LINE) char scratch[BOX_BYTES];
    struct boxes boxes;
    stria__boxes_make(&boxes, plan, job->how, job->in_place);
    struct box box = {.all = &boxes, .job = job};
    box.ptr[GATHERED] = scratch;
    box.ptr[CONVERTED] = boxes.gather ? scratch + BOX_BYTES / 2 : scratch;
    walk_boxes(&box);
}
