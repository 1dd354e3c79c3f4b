/* SPDX-License-Identifier: BSD-3-Clause */
/* What every copy and fill checks first. */
#include "check.h"

#include "job.h"
#include "plan.h"
#include "status.h"
#include "stria/overlap.h"
#include "view/view.h"

stria_status stria__check_writable(const stria_view *a, const char *op, const char *what)
{
    STRIA_TRY(stria__check_view(a, op, what));
    if (!stria_is_writable(a))
        return stria__fail(STRIA_ERR_READONLY,
                           "%s: %s is read-only; write into a clone of it instead", op, what);
    return STRIA_OK;
}

bool stria__steps_clear(const stria_plan *plan, int64_t item)
{
    int64_t span = item;
    for (int d = 0; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        if (dim->n == 1) continue;
        if (dim->s[0] < span) return false;
        span += (dim->n - 1) * dim->s[0];
    }
    return true;
}

stria_status stria__check_itself(const stria_view *dst, const stria_plan *plan, const char *op,
                                 const char *what)
{
    if (plan->dims[0].n == 0 || stria__steps_clear(plan, dst->dtype.itemsize)) return STRIA_OK;
    /* A view folded over itself, or one of the few innocent ones that interleave their dims. */
    const stria_overlap found = stria_overlaps_itself(dst, OVERLAP_WORK);
    if (found == STRIA_OVERLAP_NO) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_OVERLAP,
        "%s: elements of %s, shape %s and strides %s, %s: the result would depend on the order of "
        "the writes; every element needs bytes of its own, as a clone has them",
        op, what, stria__dims_text(dst->ndim, dst->shape).text,
        stria__dims_text(dst->ndim, dst->strides).text,
        found == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
}

/* The common case, decided at a glance: nothing happens to the values. */
static bool moves_bytes(struct conversion *how, const stria_view *dst, const stria_view *src)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    if (to.kind != from.kind || to.itemsize != from.itemsize || to.swapped != from.swapped ||
        to.record != from.record || ((dst->flags ^ src->flags) & (STRIA_CONJ | STRIA_NEG)))
        return false;
    how->row = NULL;
    how->out_item = to.itemsize;
    how->parts = 1;
    return true;
}

struct span stria__span_of(const stria_plan *plan, int k, int64_t item)
{
    struct span span = {(uintptr_t)plan->ptr[k], (uintptr_t)plan->ptr[k] + (uintptr_t)item};
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t s = plan->dims[d].s[k];
        const uintptr_t reach = (uintptr_t)(plan->dims[d].n - 1) * (uintptr_t)s;
        if (s < 0)
            span.low += reach;
        else
            span.high += reach;
    }
    return span;
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

stria_status stria__check_copy(struct copy_job *job, const stria_view *dst, const stria_view *src,
                               const stria_exec *exec)
{
    STRIA_TRY(stria__check_writable(dst, "copy", "dst"));
    if (!moves_bytes(&job->how, dst, src)) STRIA_TRY(stria__convert(&job->how, dst, src, exec));
    STRIA_TRY(make_nest(&job->nest, dst, src));
    STRIA_TRY(stria__check_itself(dst, &job->nest, "copy", "dst"));
    const stria_overlap overlap = overlap_of(&job->nest, dst, src);
    if (overlap == STRIA_OVERLAP_NO)
        job->operands = DISJOINT;
    else
        job->operands = overlap == STRIA_OVERLAP_SAME ? SAME : OVERLAPPING;
    if (job->operands == OVERLAPPING && exec && (exec->hints & STRIA_NO_OVERLAP))
        return stria__fail(STRIA_ERR_OVERLAP,
                           "copy: dst and src %s, which was forbidden; copy through a clone of src",
                           overlap == STRIA_OVERLAP_YES ? "share bytes" : "may share bytes");
    if (job->nest.dims[0].n == 0 || dst->dtype.itemsize == 0 ||
        (job->operands == SAME && !job->how.row))
        job->operands = NOTHING;
    else if (view_is_meta(dst) || view_is_meta(src))
        job->operands = META;
    return STRIA_OK;
}
