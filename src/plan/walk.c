/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks: a loop is called for every index of the dims outside the two that it covers itself. Where
 * the operands disagree on the innermost dim the plan is walked block by block (walk_block.h), and
 * each block is walked as if it were a plan of its own.
 */
#include <stdatomic.h>
#include <string.h>

#include "plan/box.h"
#include "walk_block.h"
#include "base/integers.h"
#include "machine/fp_mode.h"
#include "machine/machine.h"
#include "plan.h"
#include "base/status.h"
#include "threads.h"

struct job {
    stria_loop *loop;
    const void *arg;
    const struct walk_block *block; /* NULL: the order of the plan's own dims. */
    atomic_int *status;             /* The first failure of any thread, or OK. */
};

/* Calls the loop once; false if this call or any other one has failed. */
static bool call_loop(const struct job *job, char *const *ptr, const stria_dim *d)
{
    int none = STRIA_OK;
    if (atomic_load_explicit(job->status, memory_order_relaxed) != STRIA_OK) return false;
    const stria_status status = job->loop(ptr, d, job->arg);
    if (status == STRIA_OK) return true;
    (void)atomic_compare_exchange_strong(job->status, &none, (int)status);
    return false;
}

/* Walks a plan in the order of its dims; false if the loop has stopped the walk. */
static bool walk_rows(const stria_plan *plan, const struct job *job)
{
    if (plan->ndim == 1) {
        const stria_dim d[2] = {plan->dims[0], {.n = 1}};
        return call_loop(job, plan->ptr, d);
    }
    struct odometer at;
    stria__odometer_start(&at, plan, 2);
    do {
        if (!call_loop(job, at.ptr, plan->dims)) return false;
    } while (stria__odometer_next(&at, plan));
    return true;
}

static void walk_blocks(const stria_plan *plan, const struct job *job)
{
    struct cut cut;
    struct box box;
    stria_plan one;
    stria__cut_begin(&cut, plan);
    for (int i = 0; i < job->block->ndim; i++)
        cut.size[job->block->dim[i]] = least(job->block->size[i], plan->dims[job->block->dim[i]].n);
    one.nops = plan->nops;
    one.ndim = job->block->ndim;
    for (int i = 0; i < one.ndim; i++)
        one.dims[i] = plan->dims[job->block->dim[i]];
    stria__box_first(&box, &cut);
    do {
        memcpy(one.ptr, box.ptr, (size_t)plan->nops * sizeof *one.ptr);
        for (int i = 0; i < one.ndim; i++)
            one.dims[i].n = box.n[job->block->dim[i]];
        if (!walk_rows(&one, job)) return;
    } while (stria__box_next(&box, &cut));
}

static void walk_part(const stria_plan *part, const void *arg)
{
    const struct job *job = arg;
    if (job->block)
        walk_blocks(part, job);
    else
        (void)walk_rows(part, job);
}

stria_status stria__walk(const stria_plan *plan, const struct walk_block *block, stria_loop *loop,
                         const void *arg, const stria_exec *exec)
{
    atomic_int status = STRIA_OK;
    const struct job job = {loop, arg, block, &status};
    if (stria__plan_numel(plan) == 0) return STRIA_OK;
    const int threads = stria__threads_for(exec, stria__plan_traffic(plan), 0);
    stria__plan_parallel(plan, exec, threads, SLOW_PIECE, walk_part, &job);
    STRIA_TRY((stria_status)atomic_load(&status));
    return stria__watch_end(exec);
}

/*
 * Blocks are chosen for the whole plan and not for the part of a thread: the elements that a loop
 * adds up into one element of the output then come in the same order for any number of threads.
 */
stria_status stria_walk(const stria_plan *plan, stria_loop *loop, const void *arg,
                        const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    struct walk_block block;
    STRIA_TRY(stria__check_plan(plan, "walk"));
    if (!loop) return stria__fail(STRIA_ERR_ARGUMENT, "walk: loop is NULL");
    STRIA_TRY(stria__check_exec(exec, "walk"));
    const bool blocked = !(plan->flags & STRIA_PLAN_KEEP_ORDER) &&
                         stria__walk_block(&block, plan, stria__machine()->l1.size);
    return stria__walk(plan, blocked ? &block : NULL, loop, arg, exec);
}
