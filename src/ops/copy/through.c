/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies that convert. Where both operands have the same dense rows, kernels go from one to the
 * other; where those of the input are spaced, they are gathered on the way, see through_spaced.h.
 * Others go tile by tile, see through_tiles.h, or box by box, see boxes.h. A large output is
 * streamed past the caches.
 */
#include "through.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/machine.h"
#include "ops/convert/boxes.h"
#include "plan.h"
#include "threads.h"
#include "through_boxes.h"
#include "through_rows.h"
#include "through_spaced.h"
#include "through_tiles.h"

enum {
    SMALL = 16 << 10 /* items of one row that are neither streamed nor divided */
};

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
    return stria__plan_numel(plan) >= stria__machine()->stream_casts_from / item;
}

/* Rows that are read upwards are as fast through the caches as long as these hold them. */
static bool streams_rows(const stria_plan *plan, int64_t item, const stria_exec *exec)
{
    if (!streams(plan, item, exec)) return false;
    return plan->dims[0].s[SRC] < 0 ||
           stria__plan_traffic(plan) >= stria__machine()->stream_cast_rows_from;
}

static bool is_in_place(const stria_plan *plan)
{
    return plan->ptr[DST] == plan->ptr[SRC];
}

/* Dense rows in both operands, long enough and none of them read twice. */
static bool by_rows(const stria_plan *plan, const struct conversion *how, bool in_place)
{
    const bool long_rows = plan->ndim == 1 || plan->dims[0].n >= BOX_ROW;
    return stria__has_rows(plan, how) && long_rows && !repeats(plan) && !in_place;
}

int64_t stria__through_row(const stria_plan *plan, const struct conversion *how)
{
    const stria_dim *d = &plan->dims[0];
    const bool small = how->parts == 1 && plan->ndim == 1 && d->n <= SMALL;
    return small && by_rows(plan, how, is_in_place(plan)) ? d->n : 0;
}

/* What comes from memory, or goes there, is worth tiles. */
static bool by_tiles(struct tiles *tiles, const stria_plan *plan, const struct box_job *job)
{
    const int64_t most = stria__machine()->stream_casts_from / job->how->in_item;
    if (job->in_place || (!job->stream && stria__plan_numel(plan) <= most)) return false;
    return stria__tiles_make(tiles, plan, job->how, job->stream);
}

static void run_part(const stria_plan *plan, const void *arg)
{
    const struct box_job *job = arg;
    struct tiles tiles;
    if (by_tiles(&tiles, plan, job))
        stria__tiles_run(&tiles, job->stream);
    else
        stria__run_boxes(plan, job);
}

static void run(const stria_plan *plan, const struct conversion *how, const stria_exec *exec)
{
    const bool in_place = is_in_place(plan);
    struct row_job rows = {.how = how, .stream = streams_rows(plan, how->out_item, exec)};
    if (by_rows(plan, how, in_place)) {
        stria__walk_rows(plan, &rows, exec);
        return;
    }
    struct spaced spaced;
    if (!in_place && stria__spaced_make(&spaced, plan, how, rows.stream)) {
        rows.how = &spaced.conversion;
        rows.stream = rows.stream && !stria__spaced_out(&spaced);
        stria__walk_rows(plan, &rows, exec);
        return;
    }
    const struct box_job job = {
        .how = how, .in_place = in_place, .stream = streams(plan, how->out_item, exec)};
    const int threads = stria__threads_for(exec, stria__plan_traffic(plan), 0);
    if (threads > 1)
        stria__plan_parallel(plan, exec, threads, run_part, &job);
    else
        run_part(plan, &job);
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
                            const struct conversion *how, bool in_place)
{
    const char *plural = how->count == 1 ? "" : "s";
    stria_plan parts;
    struct boxes boxes;
    struct tiles tiles;
    split_items(&parts, plan, how);
    if (by_rows(&parts, how, in_place)) {
        (void)snprintf(text, size, "%d kernel%s over rows of %" PRId64 " items", (int)how->count,
                       plural, parts.dims[0].n);
        return;
    }
    const int64_t item = how->out_item;
    struct spaced spaced;
    if (!in_place && stria__spaced_make(&spaced, &parts, how, streams_rows(&parts, item, NULL))) {
        (void)snprintf(text, size, "%d kernel%s over rows of %" PRId64 " items%s%s",
                       (int)how->count, plural, parts.dims[0].n,
                       stria__spaced_in(&spaced) ? ", gathered first" : "",
                       stria__spaced_out(&spaced) ? ", scattered after" : "");
        return;
    }
    const struct box_job job = {
        .how = how, .in_place = in_place, .stream = streams(&parts, item, NULL)};
    if (by_tiles(&tiles, &parts, &job)) {
        (void)snprintf(text, size, "%d kernel%s, tiles%s, transposed %s", (int)how->count, plural,
                       tiles.by_lines ? " of lines" : "",
                       how->out_item < how->in_item ? "after" : "first");
        return;
    }
    stria__boxes_make(&boxes, &parts, how, in_place);
    int64_t items = 1;
    for (int d = 0; d < parts.ndim; d++)
        items *= boxes.size[d];
    (void)snprintf(text, size, "%d kernel%s, boxes of %" PRId64 " items%s%s", (int)how->count,
                   plural, items, boxes.gather ? ", gathered first" : "",
                   boxes.scatter ? ", scattered after" : "");
}
