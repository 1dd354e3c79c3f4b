/* SPDX-License-Identifier: BSD-3-Clause */
/* See job.h. */
#include "ops/copy/job.h"

#include <string.h>

#include "ops/operands.h"
#include "plan.h"
#include "status.h"
#include "stria/overlap.h"
#include "view/view.h"

/* Decides the common case quickly: values stay as they are. */
static bool moves_bytes(const stria_view *dst, const stria_view *src)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    return to.kind == from.kind && to.itemsize == from.itemsize && to.swapped == from.swapped &&
           to.record == from.record && !((dst->flags ^ src->flags) & (STRIA_CONJ | STRIA_NEG));
}

static stria_overlap overlap_of(const stria_plan *plan, const stria_view *dst,
                                const stria_view *src)
{
    const struct span out = stria__span_of(plan, 0, dst->dtype.itemsize),
                      in = stria__span_of(plan, 1, src->dtype.itemsize);
    if (stria__apart(out, in)) return STRIA_OVERLAP_NO;
    return stria_shares_memory(dst, src, OVERLAP_WORK);
}

static stria_status make_nest(stria_plan *out, const stria_view *dst, const stria_view *src)
{
    const stria_status status = stria_plan_make(out, 2, (const stria_view *[]){dst, src}, 0);
    if (status != STRIA_ERR_BROADCAST) return status;
    return stria__refuse_broadcast("copy", dst, "dst", src, "src");
}

/* Makes the program of a copy. how->parts is 1, or the number of parts of each element. */
static stria_status make_program(struct short_program *out, struct conversion *how,
                                 const stria_view *dst, const stria_view *src,
                                 const stria_exec *exec)
{
    how->parts = 1;
    how->row = NULL;
    if (!moves_bytes(dst, src)) STRIA_TRY(stria__convert(how, dst, src, exec));
    if (how->row)
        stria__program_cast(out, how);
    else
        stria__program_move(out, dst->dtype.itemsize);
    return STRIA_OK;
}

/*
 * Makes the parts of an element, such as the characters of a string, a dim of their own. Nothing is
 * empty, so every other dim of the output has at least 2 of 2^63 bytes, and there is room for one
 * more.
 */
static void split_items(stria_plan *plan, const struct conversion *how)
{
    if (!how->row || how->parts == 1 || plan->dims[0].n == 0) return;
    memmove(plan->dims + 1, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
    plan->dims[0] = (stria_dim){.n = how->parts, .s = {how->out_item, how->in_item}};
    plan->ndim++;
    stria__plan_drop(plan);
    stria__plan_merge(plan);
}

stria_status stria__check_copy(struct copy_job *job, const stria_view *dst, const stria_view *src,
                               const stria_exec *exec)
{
    stria_plan *const plan = &job->plan;
    struct conversion how;
    STRIA_TRY(stria__check_writable(dst, "copy", "dst"));
    STRIA_TRY(make_program(&job->program, &how, dst, src, exec));
    STRIA_TRY(make_nest(plan, dst, src));
    if (!stria__steps_clear(plan, dst->dtype.itemsize))
        STRIA_TRY(stria__check_itself(dst, "copy", "dst"));
    const stria_overlap overlap = overlap_of(plan, dst, src);
    if (overlap == STRIA_OVERLAP_NO)
        job->operands = DISJOINT;
    else
        job->operands = overlap == STRIA_OVERLAP_SAME ? SAME : OVERLAPPING;
    if (job->operands == OVERLAPPING && stria__forbids_overlap(exec))
        return stria__fail(STRIA_ERR_OVERLAP,
                           "copy: dst and src %s, which was forbidden; copy through a clone of src",
                           overlap == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
    split_items(plan, &how);
    job->call.plan = plan;
    job->call.program = &job->program.is;
    job->call.in_place = job->operands == SAME;
    if (plan->dims[0].n == 0 || dst->dtype.itemsize == 0 ||
        (job->operands == SAME && job->program.is.count == 0))
        job->operands = NOTHING;
    else if (view_is_meta(dst) || view_is_meta(src))
        job->operands = META;
    return STRIA_OK;
}
