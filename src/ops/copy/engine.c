/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decide once, then run: on one thread the nest that was looked at, on several a part of the plan
 * each, whose strategy is looked up again because a part can be simpler than the whole. Whether to
 * stream is decided for the whole output, since all parts share the caches.
 */
#include "engine.h"

#include "checked.h"
#include "engine/machine.h"
#include "plan.h"
#include "simd/kernels.h"
#include "threads.h"

static bool is_empty(const stria_plan *plan, int64_t item)
{
    return plan->dims[0].n == 0 || item == 0;
}

/*
 * Gaps that leave out hardly a line, or few of many: the caches write runs with them like one run,
 * while streaming has to read the lines that runs share with gaps.
 */
static bool is_close(int64_t gap, int64_t run)
{
    enum { FEW = 12 /* times a gap is a run */ };
    return gap < 2 * LINE || (gap < 4 * LINE && gap <= run / FEW);
}

/* One element is repeated in runs whose partial lines are more than felt when they are streamed. */
static bool has_short_runs(const struct nest *nest)
{
    enum { SHORT = 512 /* bytes */ };
    return nest->item <= LINE && nest->d[0].n * nest->item < SHORT;
}

/*
 * Bytes of output from which streaming pays. Lines of an output with gaps are not written one after
 * the other, which the caches are worse at; whether it has any is only asked where it matters.
 */
static int64_t stream_from(const struct strategy *strategy, const struct nest *nest, int64_t bytes)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t from = m->stream_from[strategy->write], gaps = m->stream_gaps_from;
    int ndim;
    if (strategy->write == WRITE_TILES && bytes >= m->stream_lines_from && bytes < from &&
        stria__nest_has_rows_of_lines(nest))
        return m->stream_lines_from;
    if (from <= gaps || bytes < gaps || nest->ndim == 0) return from;
    const int64_t run = stria__nest_run(nest, &ndim);
    const bool repeats = nest->d[0].si == 0;
    if (run < bytes && !(repeats && is_close(nest->d[ndim].so - run, run))) return gaps;
    return repeats && has_short_runs(nest) ? INT64_MAX : from;
}

bool stria__streams(const struct strategy *strategy, const struct nest *nest, int64_t bytes,
                    const stria_exec *exec)
{
    const bool keep = exec && (exec->hints & STRIA_WILL_READ_SOON);
    return !keep && bytes >= stream_from(strategy, nest, bytes);
}

struct decision stria__decide(const struct nest *nest, const struct strategy *strategy,
                              int64_t item, const stria_exec *exec)
{
    const int64_t bytes = stria__nest_bytes(nest);
    return (struct decision){
        .strategy = strategy,
        .item = item,
        .stream = stria__streams(strategy, nest, bytes, exec),
        .threads = stria__threads_for(exec, bytes > INT64_MAX / 2 ? INT64_MAX : 2 * bytes, 0)};
}

static void run_part(const stria_plan *part, const void *arg)
{
    const struct decision *decision = arg;
    struct nest nest;
    stria__nest_make(&nest, part, decision->item);
    stria__strategy_run(stria__strategy(&nest), &nest, decision->stream);
}

static void execute(const stria_plan *plan, const struct nest *nest,
                    const struct decision *decision, const stria_exec *exec)
{
    if (decision->threads > 1)
        stria__plan_parallel(plan, exec, decision->threads, run_part, decision);
    else
        stria__strategy_run(decision->strategy, nest, decision->stream);
}

void stria__execute(const stria_plan *plan, const struct decision *decision, const stria_exec *exec)
{
    struct nest nest;
    stria__nest_make(&nest, plan, decision->item);
    execute(plan, &nest, decision, exec);
}

void stria__engine(const stria_plan *plan, int64_t item, const stria_exec *exec)
{
    struct nest nest;
    if (is_empty(plan, item)) return;
    stria__nest_make(&nest, plan, item);
    const struct decision decision = stria__decide(&nest, stria__strategy(&nest), item, exec);
    execute(plan, &nest, &decision, exec);
}
