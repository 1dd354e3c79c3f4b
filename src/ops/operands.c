/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/operands.h"

#include <string.h>

/* ---- rights ---------------------------------------------------------------------------------- */

stria_status stria__check_writable(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    if (!stria_is_writable(a))
        return stria__fail(STRIA_ERR_READONLY,
                           "%s: %s is read-only; write into a clone of it instead", op, name);
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "%s: %s has a negative size, shape %s", op, name,
                               stria__dims_text(a->ndim, a->shape).text);
    stria__buffer_count_write(a->buffer);
    return STRIA_OK;
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

stria_status stria__refuse_dtype(stria_dtype dtype, const char *op, const char *name,
                                 const char *why)
{
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s is %s%s", op, name, stria__dtype_text(dtype).text,
                       why);
}

stria_status stria__check_number(stria_dtype dtype, const char *op, const char *name)
{
    if (dtype.kind <= STRIA_C128) return STRIA_OK;
    return stria__refuse_dtype(dtype, op, name, ", which is no number");
}

const char *stria__policy_name(stria_cast_policy policy)
{
    static const char *const names[] = {[STRIA_CAST_UNSAFE] = "unsafe",
                                        [STRIA_CAST_SAME_KIND] = "same_kind",
                                        [STRIA_CAST_SAFE] = "safe",
                                        [STRIA_CAST_EQUIV] = "equiv",
                                        [STRIA_CAST_NO] = "no"};
    return names[policy];
}

stria_cast_policy stria__casting_of(const stria_exec *exec)
{
    const uint32_t hints = exec ? exec->hints : 0;
    if (hints & STRIA_CASTING_UNSAFE) return STRIA_CAST_UNSAFE;
    if (hints & STRIA_CASTING_SAFE) return STRIA_CAST_SAFE;
    if (hints & STRIA_CASTING_EQUIV) return STRIA_CAST_EQUIV;
    return hints & STRIA_CASTING_NO ? STRIA_CAST_NO : STRIA_CAST_SAME_KIND;
}

stria_status stria__check_result(stria_dtype result, const stria_view *out,
                                 stria_cast_policy policy, const char *op, const char *name)
{
    if (stria_can_cast(result, out->dtype, policy)) return STRIA_OK;
    const struct dtype_text from = stria__dtype_text(result), to = stria__dtype_text(out->dtype);
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: the result is %s, which does not cast to %s's dtype %s under %s rules; "
                       "compute into %s, then use stria_copy",
                       op, from.text, name, to.text, stria__policy_name(policy), from.text);
}

stria_status stria__check_memory(const stria_view *a, const char *op, const char *name)
{
    if (!view_is_meta(a)) return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: %s has no memory", op, name);
}

stria_status stria__check_out(const stria_view *out, int ndim, const int64_t *shape,
                              stria_dtype result, const char *op)
{
    if (!view_has_shape(out, ndim, shape))
        return stria__fail(STRIA_ERR_SHAPE, "%s: out has shape %s, the result has %s", op,
                           stria__dims_text(out->ndim, out->shape).text,
                           stria__dims_text(ndim, shape).text);
    STRIA_TRY(stria__check_result(result, out, STRIA_CAST_SAME_KIND, op, "out"));
    return stria__check_itself(out, op, "out");
}

/* ---- overlap --------------------------------------------------------------------------------- */

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

static const char *shared(stria_overlap found)
{
    return found == STRIA_OVERLAP_TOO_HARD ? "may share bytes" : "share bytes";
}

stria_status stria__check_itself(const stria_view *dst, const char *op, const char *name)
{
    const stria_overlap found = stria_overlaps_itself(dst, OVERLAP_WORK);
    if (found == STRIA_OVERLAP_NO) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_OVERLAP,
        "%s: elements of %s, shape %s and strides %s, %s: the result would depend on the order of "
        "the writes; every element needs bytes of its own, as a clone has them",
        op, name, stria__dims_text(dst->ndim, dst->shape).text,
        stria__dims_text(dst->ndim, dst->strides).text, shared(found));
}

stria_status stria__check_broadcasts(const struct output *o, const stria_view *a, const char *name)
{
    const stria_view *const out = o->view;
    const int more = out->ndim - a->ndim;
    if (more < 0)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "%s: %s of shape %s has more dims than %s of shape %s, which is never "
                           "broadcast; give %s the shape to which the inputs broadcast",
                           o->op, name, stria__dims_text(a->ndim, a->shape).text, o->name,
                           stria__dims_text(out->ndim, out->shape).text, o->name);
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != out->shape[more + d] && a->shape[d] != 1)
            return stria__refuse_broadcast(o->op, out, o->name, a, name);
    return STRIA_OK;
}

bool stria__forbids_overlap(const stria_exec *exec)
{
    return exec && (exec->hints & STRIA_NO_OVERLAP);
}

stria_status stria__check_apart(bool *apart, const struct output *out, const stria_view *a,
                                const char *name, bool in_place)
{
    const stria_overlap found = stria_shares_memory(out->view, a, OVERLAP_WORK);
    *apart = found == STRIA_OVERLAP_NO || (in_place && found == STRIA_OVERLAP_SAME);
    if (*apart || !stria__forbids_overlap(out->exec)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERLAP,
                       "%s: %s and %s %s, which STRIA_NO_OVERLAP forbids; take a clone of it, or "
                       "call without the hint",
                       out->op, out->name, name, shared(found));
}

stria_status stria__and_apart(bool *apart, const struct output *out, const stria_view *a,
                              const char *name)
{
    bool other = true;
    if (a) STRIA_TRY(stria__check_apart(&other, out, a, name, false));
    *apart = *apart && other;
    return STRIA_OK;
}

/* Writes to a copy of the output. Never inlined, so that its array is not on the stack of other
 * calls. */
__attribute__((noinline)) static stria_status write_to_copy(const struct output *out,
                                                            write_result *write, void *arg)
{
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_as(&made, out->view, out->view->dtype, STRIA_ORDER_C, out->op));
    STRIA_TRY(write(arg, &made.view));
    return stria_copy(out->view, &made.view, out->exec);
}

stria_status stria__write_apart(const struct output *out, bool apart, write_result *write,
                                void *arg)
{
    return apart ? write(arg, out->view) : write_to_copy(out, write, arg);
}

static stria_status give_array(stria_array *made, const struct result *r)
{
    OWNED_ARRAY(fresh);
    if (!made) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", r->op);
    STRIA_TRY(stria__empty_like_memory(&fresh, view_nearest(r->count, r->inputs), r->dtype, r->ndim,
                                       r->shape, r->order));
    const bool nothing = stria_numel(&fresh.view) == 0 || view_is_meta(&fresh.view);
    return stria__deliver(made, &fresh, nothing ? STRIA_OK : r->write(r->arg, &fresh.view));
}

stria_status stria__give_result(const stria_view *out, stria_array *made, const struct result *r,
                                const stria_exec *exec)
{
    const struct output to = {r->op, "out", out, exec};
    if (!out) return give_array(made, r);
    STRIA_TRY(stria__check_writable(out, r->op, "out"));
    STRIA_TRY(stria__check_out(out, r->ndim, r->shape, r->dtype, r->op));
    bool apart = !r->plain || (stria_is_contiguous(out, STRIA_ORDER_C) &&
                               !(out->flags & (STRIA_CONJ | STRIA_NEG)));
    for (int i = 0; i < r->count && !r->computes; i++)
        STRIA_TRY(
            stria__check_result(r->inputs[i]->dtype, out, STRIA_CAST_SAME_KIND, r->op, "out"));
    for (int i = 0; i < r->count; i++)
        STRIA_TRY(stria__and_apart(&apart, &to, r->inputs[i], "an input"));
    if (stria_numel(out) == 0 || view_is_meta(out)) return STRIA_OK;
    for (int i = 0; i < r->count; i++)
        STRIA_TRY(stria__check_memory(r->inputs[i], r->op, "an input"));
    return stria__write_apart(&to, apart, r->write, r->arg);
}

stria_status stria__read_apart(stria_array *out, const stria_view *a, const stria_view *written)
{
    if (stria_shares_memory(a, written, OVERLAP_WORK) != STRIA_OVERLAP_NO)
        return stria_clone_new(out, a, NULL);
    array_share(out, a);
    return STRIA_OK;
}
