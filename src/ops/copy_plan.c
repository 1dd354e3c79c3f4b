/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies planned once and run many times; the same checks and the same engine as stria_copy. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "ops/copy/check.h"
#include "ops/copy/engine.h"
#include "ops/copy/job.h"
#include "ops/copy/through.h"
#include "status.h"
#include "stria/copy.h"

/* Of a nest, what does not lie in the plan; most copies that are planned have no more dims. */
enum { NEST_DIMS = 7 };
struct short_nest {
    int64_t item;
    int64_t ndim; /* more than NEST_DIMS: it has to be made anew */
    struct nest_dim d[NEST_DIMS];
};

/*
 * What a stria_copy_plan keeps in its private words: first the bytes of a copy of one dense run,
 * for which everything else would cost more than moving a few kilobytes; 0 for all others.
 */
struct head {
    int64_t flat;
    enum { IDLE, MOVES, CONVERTS } does;
    struct decision decision;
};
struct state {
    struct head head;
    union {
        struct short_nest nest; /* MOVES */
        struct conversion how;  /* CONVERTS */
    };
};
_Static_assert(sizeof(struct state) <= sizeof(struct stria_copy_state), "room for the state");

/* The two operands and the dims in use: the whole struct is 4.6 KB. */
static void copy_nest(stria_plan *out, const stria_plan *nest)
{
    out->nops = nest->nops;
    out->ndim = nest->ndim;
    memcpy(out->ptr, nest->ptr, 2 * sizeof nest->ptr[0]);
    memcpy(out->dims, nest->dims, (size_t)nest->ndim * sizeof nest->dims[0]);
}

static void describe(stria_copy_plan *out, const struct copy_job *job, const struct choice *choice,
                     const struct nest *nest)
{
    out->cycles = out->second_cycles = 0;
    out->second = NULL;
    if (job->operands == NOTHING) {
        out->strategy = "nothing";
        (void)snprintf(out->reason, sizeof out->reason, "no bytes have to move");
        return;
    }
    if (job->how.row) {
        out->strategy = "convert";
        stria__explain_through(out->reason, sizeof out->reason, &out->nest, &job->how,
                               job->operands == SAME);
        return;
    }
    out->strategy = choice->best->name;
    out->cycles = choice->best_cost;
    if (choice->second) {
        out->second = choice->second->name;
        out->second_cycles = choice->second_cost;
    }
    choice->best->explain(out->reason, sizeof out->reason, nest);
}

static int64_t flat_bytes(const struct decision *decision, const struct nest *nest)
{
    if (decision->strategy != &stria__copy_block || decision->stream || decision->threads > 1)
        return 0;
    return nest->item;
}

static void keep_nest(struct short_nest *out, const struct nest *nest)
{
    out->item = nest->item;
    out->ndim = nest->ndim;
    if (nest->ndim <= NEST_DIMS) memcpy(out->d, nest->d, (size_t)nest->ndim * sizeof nest->d[0]);
}

stria_status stria_copy_plan_make(stria_copy_plan *out, const stria_view *dst,
                                  const stria_view *src, const stria_exec *exec)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: out is NULL");
    const stria_exec defaults = {.threads = 0};
    STRIA_TRY(stria__check_operands(dst, src, exec));
    stria_exec wanted = exec ? *exec : defaults;
    wanted.hints |= STRIA_NO_OVERLAP;
    struct copy_job job;
    struct nest nest;
    struct choice choice = {.best = NULL};
    struct state state;
    STRIA_TRY(stria__check_copy(&job, dst, src, &wanted));
    memset(&state, 0, sizeof state);
    copy_nest(&out->nest, &job.nest);
    out->exec = wanted;
    if (job.operands != NOTHING && !job.how.row) {
        stria__nest_make(&nest, &job.nest, dst->dtype.itemsize);
        choice = stria__choose(&nest);
        state.head.decision = stria__decide(&nest, choice.best, dst->dtype.itemsize, &wanted);
    }
    if (job.operands == NOTHING || job.operands == META) {
        state.head.does = IDLE;
    } else if (job.how.row) {
        state.head.does = CONVERTS;
        state.how = job.how;
    } else {
        state.head.does = MOVES;
        state.head.flat = flat_bytes(&state.head.decision, &nest);
        keep_nest(&state.nest, &nest);
    }
    memcpy(&out->state, &state, sizeof state);
    describe(out, &job, &choice, &nest);
    return STRIA_OK;
}

/* The nest as it was kept; false when it had too many dims for that. */
static bool kept_nest(struct nest *out, const stria_copy_plan *plan)
{
    const char *const kept = (const char *)&plan->state + offsetof(struct state, nest);
    struct short_nest first;
    memcpy(&first, kept, offsetof(struct short_nest, d));
    if (first.ndim > NEST_DIMS) return false;
    out->out = plan->nest.ptr[0];
    out->in = plan->nest.ptr[1];
    out->item = first.item;
    out->ndim = (int)first.ndim;
    memcpy(out->d, kept + offsetof(struct short_nest, d), (size_t)first.ndim * sizeof out->d[0]);
    return true;
}

static void convert(const stria_copy_plan *plan)
{
    struct conversion how;
    memcpy(&how, (const char *)&plan->state + offsetof(struct state, how), sizeof how);
    stria__copy_through(&plan->nest, &how, &plan->exec);
}

void stria_copy_plan_run(const stria_copy_plan *plan)
{
    if (!plan) return;
    const int64_t flat = plan->state.words[0];
    if (flat) {
        stria__kernels()->copy(plan->nest.ptr[0], plan->nest.ptr[1], flat);
        return;
    }
    struct head head;
    struct nest nest;
    memcpy(&head, &plan->state, sizeof head);
    if (head.does == CONVERTS)
        convert(plan);
    else if (head.does == MOVES && head.decision.threads == 1 && kept_nest(&nest, plan))
        stria__strategy_run(head.decision.strategy, &nest, head.decision.stream);
    else if (head.does == MOVES)
        stria__execute(&plan->nest, &head.decision, &plan->exec);
}
