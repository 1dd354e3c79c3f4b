/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes calls of programs and views: the plan, and copies of inputs that overlap the output. */
#include "engine/program.h"

#include <string.h>

#include "base/alloc.h"
#include "view/array.h"
#include "cache.h"
#include "plan/plan.h"
#include "base/status.h"
#include "stria/overlap.h"
#include "plan/threads.h"

/* ---- programs -------------------------------------------------------------------------------- */

static void rebase(struct short_program *program)
{
    program->is.item = program->item;
    program->is.like = program->like;
    program->is.code = program->code;
    program->is.cast = program->cast;
}

void stria__program_begin(struct short_program *out)
{
    out->is = (struct program){.outputs = 1};
    rebase(out);
}

void stria__call_rebase(struct call *call, struct short_program *program)
{
    if (!call->program) return;
    rebase(program);
    call->program = &program->is;
}

void stria__call_keep(struct call *out, struct short_program *room, const struct call *call)
{
    const struct program *const p = call->program;
    *out = *call;
    if (p) /* The program is the first member of its struct. */
        memcpy(room, p, SHORT_PROGRAM_BYTES((size_t)p->casts));
    stria__call_rebase(out, room);
}

void stria__put_cast(struct program *p, int to, int from)
{
    p->code[p->count++] = (struct instruction){
        .cast = (int8_t)p->casts++, .count = 2, .value = {(int8_t)to, (int8_t)from}};
}

void stria__program_cast(struct short_program *out, const struct conversion *how)
{
    struct program *const p = &out->is;
    stria__program_begin(out);
    stria__put_value(p, how->out_item, 1); /* The cast of a repeated element is made once. */
    stria__put_value(p, how->in_item, -1);
    p->nops = 2;
    p->cast[0] = *how;
    stria__put_cast(p, 0, 1);
}

/* ---- overlap --------------------------------------------------------------------------------- */

/* Tells whether the elements of array v are those of output j, each at the same place. */
static bool has_same_elements(const struct call *call, int v, int j, const stria_view *const *views)
{
    const stria_plan *const plan = call->plan;
    const int k = stria__operand_of(call->program, v);
    if (stria__array_at(call, v, plan->ptr[k]) != plan->ptr[j] ||
        views[v]->dtype.itemsize != views[j]->dtype.itemsize)
        return false;
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[k] != plan->dims[d].s[j]) return false;
    return true;
}

static bool overlaps(const struct call *call, int v, int j, const stria_view *const *views)
{
    const int k = stria__operand_of(call->program, v);
    const uintptr_t shift = (uintptr_t)stria__shift_of(call, v);
    struct span span = stria__span_of(call->plan, k, views[k]->dtype.itemsize);
    span = (struct span){span.low + shift, span.high + shift};
    if (stria__apart(stria__span_of(call->plan, j, views[j]->dtype.itemsize), span)) return false;
    return stria_shares_memory(views[j], views[v], OVERLAP_WORK) != STRIA_OVERLAP_NO;
}

/* Copies of operands. Few calls have any, and eight arrays would take 8 KiB of every stack. */
struct copies {
    int count;
    stria_array *made[STRIA_MAX_OPERANDS];
    stria_allocator from;
};

/* Replaces an operand by a copy of its bytes, so that the program stays as it is. */
static stria_status copy_operand(struct copies *copies, const stria_view **view)
{
    const stria_allocator from = copies->count > 0 ? copies->from : stria__allocator();
    stria_array *const made = from.alloc(sizeof *made, STRIA_ALIGNMENT, from.context);
    if (!made) return stria__fail(STRIA_ERR_MEMORY, "no memory for a copy of an operand");
    array_none(made);
    const stria_status status = stria__clone_bytes(made, *view);
    if (status != STRIA_OK) {
        from.free(made, sizeof *made, from.context);
        return status;
    }
    copies->from = from;
    copies->made[copies->count++] = made;
    *view = &made->view;
    return STRIA_OK;
}

/*
 * Tells whether array v may be read where output j is written: both are the same elements, and
 * every instruction that reads them runs before the output is written. The first of several outputs
 * is written before the others are computed; only the values that a mask keeps may be read there.
 */
static bool is_in_place(const struct call *call, int v, int j, const stria_view *const *views)
{
    const struct program *const p = call->program;
    const bool kept = p->mask && v > p->mask;
    return (p->outputs == 1 || kept) && has_same_elements(call, v, j, views);
}

/* Tells whether array v is apart from all outputs, or in place of one, which is noted in the
 * call. */
static bool is_apart(struct call *call, int v, const stria_view *const *views)
{
    bool apart = true;
    for (int j = 0; j < call->program->outputs; j++) {
        if (is_in_place(call, v, j, views))
            call->in_place = true;
        else
            apart = apart && !overlaps(call, v, j, views);
    }
    return apart;
}

/*
 * Copies the inputs that overlap an output. With shifted inputs the output is copied instead: a
 * stencil reads one array many times.
 */
static stria_status make_apart(struct call *call, stria_plan *plan, struct copies *copies,
                               const stria_view **views)
{
    const struct program *const p = call->program;
    call->in_place = false;
    for (int v = p->outputs; v < stria__arrays(p); v++) {
        if (is_apart(call, v, views)) continue;
        STRIA_TRY(copy_operand(copies, &views[p->shifts > 0 ? 0 : v]));
        if (p->shifts > 0) break;
    }
    if (copies->count == 0) return STRIA_OK;
    if (p->shifts > 0) call->in_place = false;
    return stria_plan_make(plan, p->nops, views, 0);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A call in progress. */
struct job {
    struct call call;
    stria_plan plan;
    struct copies copies;
    int64_t shift[ARRAYS];
    const stria_view *views[ARRAYS];
};

static void release(struct job *job)
{
    struct copies *const copies = &job->copies;
    while (copies->count > 0) {
        stria_array *const made = copies->made[--copies->count];
        stria_array_release(made);
        copies->from.free(made, sizeof *made, copies->from.context);
    }
}

/* Makes the plan, and begins the call with it. */
static stria_status begin_job(struct job *job, const struct program *program,
                              const stria_view *const *views)
{
    job->copies.count = 0;
    job->call.program = program;
    job->call.plan = &job->plan;
    job->call.shift = job->shift;
    for (int v = 0; v < stria__arrays(program); v++) {
        const uintptr_t operand = (uintptr_t)views[stria__operand_of(program, v)]->data;
        job->views[v] = views[v];
        if (v >= program->nops)
            job->shift[v - program->nops] = (int64_t)((uintptr_t)views[v]->data - operand);
    }
    return stria_plan_make(&job->plan, program->nops, job->views, 0);
}

static stria_status run_job(struct job *job, const struct program *program,
                            const stria_view *const *views, const stria_exec *exec)
{
    struct call *const call = &job->call;
    STRIA_TRY(begin_job(job, program, views));
    if (job->plan.dims[0].n == 0) return STRIA_OK;
    STRIA_TRY(make_apart(call, &job->plan, &job->copies, job->views));
    stria__call_decide(call, exec);
    stria__call_run(call, exec);
    if (job->views[0] == views[0]) return stria__watch_end(exec);
    STRIA_TRY(stria_plan_make(&job->plan, 2, (const stria_view *[]){views[0], job->views[0]}, 0));
    stria__move(&job->plan, views[0]->dtype.itemsize, exec);
    return stria__watch_end(exec);
}

stria_status stria__map_program(const struct program *program, const stria_view *const *views,
                                const stria_exec *exec, const struct cache_key *key)
{
    OBEYS(exec);
    struct job job;
    const stria_status status = run_job(&job, program, views, exec);
    if (key && status == STRIA_OK && job.copies.count == 0 && job.plan.dims[0].n > 0)
        stria__cache_keep(key, &job.call);
    release(&job);
    return status;
}

stria_status stria__map_program_explain(char *text, size_t size, const struct program *program,
                                        const stria_view *const *views, const stria_exec *exec)
{
    struct job job;
    struct call *const call = &job.call;
    STRIA_TRY(begin_job(&job, program, views));
    if (job.plan.dims[0].n == 0) return STRIA_OK;
    call->in_place = false;
    for (int v = program->outputs; v < stria__arrays(program); v++) {
        /* Views without memory all have one address. */
        if (views[v]->buffer != views[0]->buffer && stria_buffer_is_meta(views[0]->buffer))
            continue;
        (void)is_apart(call, v, job.views);
    }
    stria__call_decide(call, exec);
    stria__explain_program(text, size, call);
    return STRIA_OK;
}
