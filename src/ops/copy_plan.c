/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies planned once and run many times: calls that the caller keeps. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "engine/bytes.h"
#include "engine/explain.h"
#include "ops/copy/check.h"
#include "ops/copy/job.h"
#include "plan.h"
#include "status.h"
#include "stria/copy.h"

/*
 * What a stria_copy_plan keeps of a call besides its plan. The bytes of a copy of one dense run
 * come first, since everything else would cost more than moving a few kilobytes; 0 for all others.
 */
struct state {
    int64_t flat;
    enum { IDLE, RUNS } does;
    int32_t threads;
    bool in_place, by_input, far, stream;
    const struct strategy *way;
    _Alignas(8) char program[offsetof(struct program, cast) + sizeof(struct conversion)];
};
_Static_assert(sizeof(struct state) <= sizeof(struct stria_copy_state), "room for the state");

static void keep(struct state *out, const struct call *call)
{
    const struct program *const p = call->program;
    out->does = RUNS;
    out->threads = call->threads;
    out->in_place = call->in_place;
    out->by_input = call->by_input;
    out->far = call->far;
    out->stream = call->stream;
    out->way = call->way;
    memcpy(out->program, p, offsetof(struct program, cast) + (size_t)p->casts * sizeof p->cast[0]);
    if (call->way == &stria__copy_block && !call->stream && call->threads == 1)
        out->flat = p->item[0] * stria__plan_numel(&call->plan);
}

static void describe(stria_copy_plan *out, const struct copy_job *job)
{
    out->cycles = out->second_cycles = 0;
    out->second = NULL;
    if (job->operands == NOTHING) {
        out->strategy = "nothing";
        (void)snprintf(out->reason, sizeof out->reason, "no bytes have to move");
        return;
    }
    stria__explain_copy(out, &job->call);
}

stria_status stria_copy_plan_make(stria_copy_plan *out, const stria_view *dst,
                                  const stria_view *src, const stria_exec *exec)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: out is NULL");
    STRIA_TRY(stria__check_operands(dst, src, exec));
    const stria_exec defaults = {.threads = 0};
    stria_exec wanted = exec ? *exec : defaults;
    wanted.hints |= STRIA_NO_OVERLAP;
    struct copy_job job;
    struct state state;
    STRIA_TRY(stria__check_copy(&job, dst, src, &wanted));
    memset(&state, 0, sizeof state);
    if (job.operands != NOTHING) stria__call_decide(&job.call, &wanted);
    if (job.operands != NOTHING && job.operands != META) keep(&state, &job.call);
    stria__plan_copy(&out->nest, &job.call.plan);
    out->exec = wanted;
    memcpy(&out->state, &state, sizeof state);
    describe(out, &job);
    return STRIA_OK;
}

void stria_copy_plan_run(const stria_copy_plan *plan)
{
    if (!plan) return;
    const int64_t flat = plan->state.words[0];
    if (flat) {
        stria__copy_bytes(plan->nest.ptr[0], plan->nest.ptr[1], flat);
        return;
    }
    struct state state;
    struct call call;
    memcpy(&state, &plan->state, sizeof state);
    if (state.does == IDLE) return;
    call.program = (const struct program *)state.program;
    call.way = state.way;
    call.threads = state.threads;
    call.in_place = state.in_place;
    call.by_input = state.by_input;
    call.far = state.far;
    call.stream = state.stream;
    stria__plan_copy(&call.plan, &plan->nest);
    stria__call_run(&call, &plan->exec);
}
