/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A conversion knows dense rows only; any layout on either side is the engine's business. The nest
 * is cut into boxes that fit into the first levels of the cache: each is gathered into a dense
 * buffer in the order of the output, converted, and scattered. What is dense already is not
 * gathered or scattered.
 */
#include "through.h"

#include <string.h>

#include "plan.h"
#include "simd/kernels.h"
#include "strategy.h"
#include "threads.h"

enum {
    ROOM = 32 << 10, /* bytes of each of the two buffers */
    SIDE = 128,      /* items of a box along the dims in which either operand is dense */
    ROW = 64         /* items from which a row is worth a call of its own */
};

struct box_walk {
    const stria_plan *plan;
    const struct conversion *how;
    bool in_place;
    int64_t most[STRIA_MAX_NDIM]; /* size of a whole box */
    int64_t size[STRIA_MAX_NDIM]; /* size of the current one */
    _Alignas(LINE) char gathered[ROOM];
    _Alignas(LINE) char converted[ROOM];
};

static int64_t magnitude(int64_t s)
{
    return s < 0 ? -s : s;
}

/* The dim in which the input takes its smallest steps. */
static int input_dim(const stria_plan *plan)
{
    int best = 0;
    for (int d = 1; d < plan->ndim; d++) {
        const int64_t s = magnitude(plan->dims[d].s[1]), least = magnitude(plan->dims[best].s[1]);
        if (s != 0 && (least == 0 || s < least)) best = d;
    }
    return best;
}

static int64_t lengthened(int64_t *size, int64_t n, int64_t most, int64_t room)
{
    int64_t longer = *size * room;
    if (longer > most) longer = most;
    if (longer > n) longer = n;
    if (longer <= *size) return room;
    room = room * *size / longer;
    *size = longer;
    return room;
}

/* A square of the two dims that matter first, then whatever there is room for. */
static void choose_box(struct box_walk *w)
{
    const stria_plan *plan = w->plan;
    const int32_t largest = w->how->out_item > w->how->in_item ? w->how->out_item : w->how->in_item;
    const int p = input_dim(plan);
    int64_t room = ROOM / largest;
    for (int d = 0; d < plan->ndim; d++)
        w->most[d] = 1;
    if (p != 0) {
        room = lengthened(&w->most[0], plan->dims[0].n, SIDE, room);
        room = lengthened(&w->most[p], plan->dims[p].n, SIDE, room);
    }
    for (int d = 0; d < plan->ndim && room > 1; d++)
        room = lengthened(&w->most[d], plan->dims[d].n, INT64_MAX, room);
}

static int64_t box_items(const struct box_walk *w)
{
    int64_t n = 1;
    for (int d = 0; d < w->plan->ndim; d++)
        n *= w->size[d];
    return n;
}

/* The current box as a nest between an operand of the plan and dense memory, in either direction.
 */
static void box_nest(struct nest *nest, const struct box_walk *w, int operand, int64_t item)
{
    int64_t dense = item;
    nest->item = item;
    nest->ndim = 0;
    for (int d = 0; d < w->plan->ndim; d++) {
        const int64_t s = w->plan->dims[d].s[operand];
        if (operand == 0)
            stria__nest_push(nest, w->size[d], s, dense);
        else
            stria__nest_push(nest, w->size[d], dense, s);
        dense *= w->size[d];
    }
}

struct rows {
    const struct conversion *how;
    int64_t n;
};

static void call_row(char *out, const char *in, void *arg)
{
    const struct rows *rows = arg;
    rows->how->row(rows->how, out, in, rows->n);
}

/* Rows of the output, straight from `in`, whose dims have the strides of the plan or are dense. */
static void convert_rows(const struct box_walk *w, char *out, const char *in, bool gathered)
{
    struct rows rows = {w->how, w->size[0]};
    struct nest nest = {.out = out, .in = in, .ndim = 0};
    int64_t dense = w->how->in_item * w->size[0];
    for (int d = 1; d < w->plan->ndim; d++) {
        const stria_dim *dim = &w->plan->dims[d];
        nest.d[nest.ndim++] =
            (struct nest_dim){w->size[d], dim->s[0], gathered ? dense : dim->s[1]};
        dense *= w->size[d];
    }
    stria__nest_walk(&nest, 0, call_row, &rows);
}

static void run_nest(struct nest *nest, char *out, const char *in)
{
    nest->out = out;
    nest->in = in;
    stria__strategy(nest)->run(nest, false);
}

static void convert_box(struct box_walk *w, char *out, const char *in)
{
    const struct conversion *how = w->how;
    const stria_dim *inner = &w->plan->dims[0];
    const bool rows_out = inner->s[0] == how->out_item && w->size[0] >= ROW;
    const bool rows_in = inner->s[1] == how->in_item;
    struct nest scatter, gather;
    box_nest(&scatter, w, 0, how->out_item);
    box_nest(&gather, w, 1, how->in_item);
    const bool dense_out = scatter.ndim == 0, dense_in = gather.ndim == 0 && !w->in_place;
    if (!dense_out && rows_out && rows_in && !w->in_place) {
        convert_rows(w, out, in, false);
        return;
    }
    if (!dense_in) {
        run_nest(&gather, w->gathered, in);
        in = w->gathered;
    }
    if (dense_out)
        how->row(how, out, in, box_items(w));
    else if (rows_out && !dense_in)
        convert_rows(w, out, in, true);
    else {
        how->row(how, w->converted, in, box_items(w));
        run_nest(&scatter, out, w->converted);
    }
}

static void walk_boxes(struct box_walk *w)
{
    const stria_plan *plan = w->plan;
    int64_t index[STRIA_MAX_NDIM];
    char *out = plan->ptr[0];
    const char *in = plan->ptr[1];
    for (int d = 0; d < plan->ndim; d++) {
        index[d] = 0;
        w->size[d] = w->most[d];
    }
    for (;;) {
        convert_box(w, out, in);
        int d = 0;
        for (; d < plan->ndim; d++) {
            const stria_dim *dim = &plan->dims[d];
            const int64_t step = index[d] + w->most[d] < dim->n ? w->most[d] : -index[d];
            const int64_t left = dim->n - (index[d] += step);
            w->size[d] = left < w->most[d] ? left : w->most[d];
            out += step * dim->s[0];
            in += step * dim->s[1];
            if (step > 0) break;
        }
        if (d == plan->ndim) return;
    }
}

struct task {
    const struct conversion *how;
    bool in_place;
};

static void run_part(const stria_plan *part, const void *arg)
{
    const struct task *task = arg;
    struct box_walk w;
    w.plan = part;
    w.how = task->how;
    w.in_place = task->in_place;
    choose_box(&w);
    walk_boxes(&w);
}

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

void stria__copy_through(const stria_plan *plan, const struct conversion *how,
                         const stria_exec *exec)
{
    /* Not empty, so every dim of the output has at least 2 of 2^63 bytes: there is room for one. */
    stria_plan parts;
    split_items(&parts, plan, how);
    const struct task task = {how, plan->ptr[0] == plan->ptr[1]};
    const int threads = stria__threads_for(exec, stria__plan_traffic(&parts));
    stria__plan_parallel(&parts, exec, threads, run_part, &task);
}
