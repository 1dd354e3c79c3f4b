/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies planned once and run many times: calls that the caller keeps. */
#include <stdio.h>
#include <string.h>

#include "move/dense.h"
#include "layout/overlap.h"
#include "ops/operands.h"
#include "ops/copy.h"

/* Places of dst and src when a plan was made. */
enum memory {
    CLEARED,  /* The plan was never made. */
    EMPTY,    /* No bytes have to move, whatever the addresses. */
    ABSENT,   /* Meta buffers: nothing is kept. */
    IN_PLACE, /* Both are exactly the same elements. */
    APART
};

/*
 * Keeps the parts of a call that are not in its plan. The bytes of a copy of one dense run come
 * first, since everything else would cost more than moving a few kilobytes; 0 for all others.
 */
struct state {
    int64_t flat;
    enum { IDLE, RUNS } does;
    enum memory memory;
    int64_t item[2];
    struct call call; /* The call without its plan. */
    _Alignas(8) char program[SHORT_PROGRAM_BYTES(1)];
};
_Static_assert(sizeof(struct state) <= sizeof(struct stria_copy_state), "room for the state");

static void keep_call(struct state *out, const struct call *call)
{
    const struct program *const p = call->program;
    out->does = RUNS;
    for (int k = 0; k < 2; k++)
        out->item[k] = p ? p->item[k] : call->item;
    stria__call_keep(&out->call, (struct short_program *)out->program, call);
    if (call->way == &stria__copy_dense && !call->stream && call->threads == 1)
        out->flat = call->item * stria__plan_numel(call->plan);
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
    if (exec && exec->watch)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "copy plan: exec has a watch, which a plan that runs without a status "
                           "cannot ask; copy with stria_copy");
    const stria_exec defaults = {.threads = 0};
    stria_exec wanted = exec ? *exec : defaults;
    wanted.hints |= STRIA_NO_OVERLAP;
    struct copy_job job;
    struct state state;
    STRIA_TRY(stria__check_copy(&job, dst, src, &wanted));
    memset(&state, 0, sizeof state);
    if (job.operands != NOTHING) stria__call_decide(&job.call, &wanted);
    if (job.operands != NOTHING && job.operands != META) keep_call(&state, &job.call);
    state.memory = job.plan.dims[0].n == 0 || dst->dtype.itemsize == 0 ? EMPTY
                   : job.operands == META                              ? ABSENT
                   : job.operands == DISJOINT                          ? APART
                                                                       : IN_PLACE;
    stria__plan_copy(&out->nest, &job.plan);
    out->exec = wanted;
    memcpy(&out->state, &state, sizeof state);
    describe(out, &job);
    return STRIA_OK;
}

/* Runs a kept call at the addresses of `nest`, whose dims are those of the plan. */
static void run_nest(struct state *state, const stria_plan *nest, const stria_exec *exec)
{
    if (state->does == IDLE) return;
    stria__call_rebase(&state->call, (struct short_program *)state->program);
    state->call.plan = nest;
    stria__call_run(&state->call, exec);
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
    memcpy(&state, &plan->state, sizeof state);
    run_nest(&state, &plan->nest, &plan->exec);
}

/* ---- at other addresses ---------------------------------------------------------------------- */

/* Returns the geometry of the bytes of operand k, in the room of the two arrays. */
static struct geometry bytes_of(const stria_plan *nest, int k, int64_t item, int64_t *shape,
                                int64_t *strides)
{
    for (int d = 0; d < nest->ndim; d++) {
        shape[d] = nest->dims[d].n;
        strides[d] = nest->dims[d].s[k];
    }
    return (struct geometry){nest->ndim, shape, strides, item};
}

static bool may_share_bytes(const stria_plan *nest, const int64_t *item)
{
    int64_t shape[STRIA_MAX_NDIM], strides[2][STRIA_MAX_NDIM];
    if (stria__apart(stria__span_of(nest, 0, item[0]), stria__span_of(nest, 1, item[1])))
        return false;
    const struct geometry out = bytes_of(nest, 0, item[0], shape, strides[0]),
                          in = bytes_of(nest, 1, item[1], shape, strides[1]);
    return stria__overlap((uintptr_t)nest->ptr[0], &out, (uintptr_t)nest->ptr[1], &in,
                          OVERLAP_WORK) != STRIA_OVERLAP_NO;
}

static stria_status check_memory(const struct state *state, const stria_plan *nest)
{
    if (state->memory == ABSENT)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "copy plan: it was made for memory that does not exist; make one for memory that does");
    if (state->memory == IN_PLACE && nest->ptr[0] != nest->ptr[1])
        return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: it was made for a out and src that are "
                                               "the same elements, and now they are not");
    if (state->memory == APART && may_share_bytes(nest, state->item))
        return stria__fail(
            STRIA_ERR_OVERLAP,
            "copy plan: out and src share bytes, or may share them; copy through a clone of src");
    return STRIA_OK;
}

stria_status stria_copy_plan_run_at(const stria_copy_plan *plan, char *dst, const char *src)
{
    struct state state;
    stria_plan nest;
    if (!plan) return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: plan is NULL");
    memcpy(&state, &plan->state, sizeof state);
    if (state.memory == CLEARED)
        return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: it is cleared; make it first");
    if (state.memory == EMPTY) return STRIA_OK;
    if (!dst || !src)
        return stria__fail(STRIA_ERR_ARGUMENT, "copy plan: %s is NULL", dst ? "src" : "out");
    stria__plan_copy(&nest, &plan->nest);
    nest.ptr[0] = stria__at(dst, 1, plan->nest.offset[0]);
    nest.ptr[1] = stria__at((char *)(uintptr_t)src, 1, plan->nest.offset[1]);
    STRIA_TRY(check_memory(&state, &nest));
    if (state.flat)
        stria__copy_bytes(nest.ptr[0], nest.ptr[1], state.flat);
    else
        run_nest(&state, &nest, &plan->exec);
    return STRIA_OK;
}
