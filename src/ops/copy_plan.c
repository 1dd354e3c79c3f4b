/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies planned once and run many times; the same checks and the same engine as stria_copy. */
#include <stdio.h>
#include <string.h>

#include "ops/copy/engine.h"
#include "ops/copy/job.h"
#include "ops/copy/through.h"
#include "status.h"
#include "stria/copy.h"

/*
 * What a stria_copy_plan keeps in its private words: first the bytes of a copy that is one call of
 * memcpy, for which everything else would cost more than moving a few kilobytes; 0 for all others.
 */
struct state {
    int64_t flat;
    struct decision decision;
    struct conversion how;
    bool idle; /* no bytes to move */
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

static void describe(stria_copy_plan *out, const struct state *state, bool nothing)
{
    struct nest nest;
    if (nothing) {
        out->strategy = "nothing";
        (void)snprintf(out->reason, sizeof out->reason, "no bytes have to move");
        return;
    }
    if (state->how.row) {
        out->strategy = "convert";
        stria__explain_through(out->reason, sizeof out->reason, &out->nest, &state->how);
        return;
    }
    out->strategy = state->decision.strategy->name;
    stria__nest_make(&nest, &out->nest, state->decision.item);
    state->decision.strategy->explain(out->reason, sizeof out->reason, &nest);
}

static int64_t flat_bytes(const struct state *state, const stria_plan *nest)
{
    const struct decision *decision = &state->decision;
    if (state->idle || state->how.row || decision->strategy != &stria__copy_block ||
        decision->stream || decision->threads > 1)
        return 0;
    return nest->dims[0].n * decision->item;
}

stria_status stria_copy_plan_make(stria_copy_plan *out, const stria_view *dst,
                                  const stria_view *src, const stria_exec *exec)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: out is NULL");
    const stria_exec defaults = {.threads = 0};
    stria_exec wanted = exec ? *exec : defaults;
    wanted.hints |= STRIA_NO_OVERLAP;
    struct copy_job job;
    STRIA_TRY(stria__check_copy(&job, dst, src, &wanted));
    struct state state;
    state.how = job.how;
    state.idle = job.operands == NOTHING || job.operands == META;
    state.decision = stria__decide(&job.nest, dst->dtype.itemsize, &wanted);
    state.flat = flat_bytes(&state, &job.nest);
    copy_nest(&out->nest, &job.nest);
    out->exec = wanted;
    memcpy(&out->state, &state, sizeof state);
    describe(out, &state, job.operands == NOTHING);
    return STRIA_OK;
}

void stria_copy_plan_run(const stria_copy_plan *plan)
{
    const int64_t flat = plan->state.words[0];
    if (flat) {
        memcpy(plan->nest.ptr[0], plan->nest.ptr[1], (size_t)flat);
        return;
    }
    struct state state;
    memcpy(&state, &plan->state, sizeof state);
    if (state.idle) return;
    if (state.how.row)
        stria__copy_through(&plan->nest, &state.how, &plan->exec);
    else
        stria__execute(&plan->nest, &state.decision, &plan->exec);
}
