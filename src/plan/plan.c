/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a set of views into the shortest loop nest: the passes, in the order in which they run.
 *
 *     out (2,3,4) C order, a (3,4) broadcast, f32     after broadcast, innermost first
 *     n  4   3   2                                    sort: as it is; merge the first two
 *     out 4  16  48                                   n 12  2
 *     a   4  16  0                                    out 4 48,  a 4 0
 *
 * Dims are sorted before they are merged, because neighbours in memory are neighbours in the list
 * only once it is sorted: merging first would miss every permuted layout. Making a plan takes well
 * under 200 ns. That is possible because it lives on the stack, is never cleared, and only the
 * entries in use are read or written.
 */
#include "plan.h"

#include <assert.h>
#include <stdio.h>

#include "base/integers.h"
#include "machine/constants.h"
#include "base/status.h"
#include "view/view.h"

static stria_status check_arguments(const stria_plan *out, int nops, const stria_view *const *views,
                                    uint32_t flags)
{
    if (!out || !views) return stria__fail(STRIA_ERR_ARGUMENT, "plan: out or views is NULL");
    if (nops < 1 || nops > STRIA_MAX_OPERANDS)
        return stria__fail(STRIA_ERR_ARGUMENT, "plan: %d operands, must be 1 to %d", nops,
                           STRIA_MAX_OPERANDS);
    if (flags & ~(uint32_t)STRIA_PLAN_KEEP_ORDER)
        return stria__fail(STRIA_ERR_ARGUMENT, "plan: unknown flags 0x%x", (unsigned)flags);
    return stria__check_views(nops, views, "plan", "operand");
}

stria_status stria__refuse_broadcast(const char *op, const stria_view *out, const char *out_name,
                                     const stria_view *a, const char *name)
{
    const struct dims_text wanted = stria__dims_text(out->ndim, out->shape);
    const struct dims_text got = stria__dims_text(a->ndim, a->shape);
    for (int i = 0; i < out->ndim; i++) {
        const int own = i - out->ndim + a->ndim; /* Dims are aligned at the last one. */
        const int64_t n = own < 0 ? 1 : a->shape[own], whole = out->shape[i];
        if (n == whole || n == 1) continue;
        if (whole == 1)
            return stria__fail(STRIA_ERR_BROADCAST,
                               "%s: %s of shape %s does not broadcast to %s's %s, which is never "
                               "broadcast itself: along dim %d its size %lld is not 1",
                               op, name, got.text, out_name, wanted.text, i, (long long)n);
        return stria__fail(
            STRIA_ERR_BROADCAST,
            "%s: %s of shape %s does not broadcast to %s's %s: along dim %d its size "
            "%lld is neither %lld nor 1",
            op, name, got.text, out_name, wanted.text, i, (long long)n, (long long)whole);
    }
    return stria__fail(STRIA_ERR_BROADCAST,
                       "%s: %s of shape %s has more dims than %s's %s; only further leading sizes "
                       "of 1 are dropped",
                       op, name, got.text, out_name, wanted.text);
}

static bool broadcasts(const stria_view *out, const stria_view *a)
{
    const int more = a->ndim - out->ndim;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] != 1 && (i < more || a->shape[i] != out->shape[i - more])) return false;
    return true;
}

static stria_status check_shapes(int nops, const stria_view *const *views)
{
    const stria_view *out = views[0];
    for (int i = 0; i < out->ndim; i++)
        if (out->shape[i] < 0)
            return stria__fail(STRIA_ERR_SHAPE,
                               "plan: operand 0 has the negative size %lld along "
                               "dim %d",
                               (long long)out->shape[i], i);
    for (int k = 1; k < nops; k++) {
        char name[24];
        if (broadcasts(out, views[k])) continue;
        (void)snprintf(name, sizeof name, "operand %d", k);
        return stria__refuse_broadcast("plan", out, "operand 0", views[k], name);
    }
    return STRIA_OK;
}

void stria__plan_broadcast(stria_plan *out, int nops, const stria_view *const *views)
{
    const int ndim = views[0]->ndim;
    out->nops = nops;
    out->ndim = ndim;
    for (int d = 0; d < ndim; d++)
        out->dims[d].n = views[0]->shape[ndim - 1 - d];
    for (int k = 0; k < nops; k++) {
        const stria_view *a = views[k];
        out->ptr[k] = a->data;
        for (int d = 0; d < ndim; d++) {
            const int i = a->ndim - 1 - d;
            out->dims[d].s[k] = i < 0 || a->shape[i] == 1 ? 0 : a->strides[i];
        }
    }
}

/* Makes the plan one dim of n elements with strides of 0: a scalar (1), or nothing (0). */
static void make_single_dim(stria_plan *plan, int64_t n)
{
    plan->ndim = 1;
    plan->dims[0].n = n;
    for (int k = 0; k < plan->nops; k++)
        plan->dims[0].s[k] = 0;
}

void stria__plan_drop(stria_plan *plan)
{
    int kept = 0;
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t n = plan->dims[d].n;
        if (n == 0) {
            make_single_dim(plan, 0);
            return;
        }
        if (n == 1) continue;
        if (kept != d) plan->dims[kept] = plan->dims[d];
        kept++;
    }
    plan->ndim = kept;
    if (kept == 0) make_single_dim(plan, 1);
}

void stria__plan_flip(stria_plan *plan)
{
    for (int d = 0; d < plan->ndim; d++) {
        stria_dim *dim = &plan->dims[d];
        if (dim->s[0] >= 0) continue;
        for (int k = 0; k < plan->nops; k++) {
            plan->ptr[k] = stria__at(plan->ptr[k], dim->n - 1, dim->s[k]);
            dim->s[k] = (int64_t)(0 - (uint64_t)dim->s[k]);
        }
    }
}

/*
 * Compares two dims: negative if a belongs inside b, positive if outside, 0 if that is undecided. A
 * stride of 0 decides nothing about the place of a dim, so the next operand is compared.
 */
static int compare(const stria_dim *a, const stria_dim *b, int nops)
{
    for (int k = 0; k < nops; k++) {
        const uint64_t sa = magnitude(a->s[k]), sb = magnitude(b->s[k]);
        if (sa && sb && sa != sb) return sa < sb ? -1 : 1;
    }
    return 0;
}

/*
 * Sorts the dims. It is an insertion sort, because "undecided" is not transitive: a dim moves
 * inwards past the last one that certainly belongs outside it, past those that are undecided, and
 * stops at one that certainly belongs inside.
 */
void stria__plan_sort(stria_plan *plan)
{
    for (int d = 1; d < plan->ndim; d++) {
        int place = d;
        for (int e = d - 1; e >= 0; e--) {
            const int order = compare(&plan->dims[d], &plan->dims[e], plan->nops);
            if (order > 0) break;
            if (order < 0) place = e;
        }
        if (place == d) continue;
        const stria_dim moved = plan->dims[d];
        for (int e = d; e > place; e--)
            plan->dims[e] = plan->dims[e - 1];
        plan->dims[place] = moved;
    }
}

/*
 * Tells whether outer continues where inner ends, in every operand: stride[i] * size[i] ==
 * stride[i+1].
 */
static bool merges(const stria_dim *inner, const stria_dim *outer, int nops, int64_t *n)
{
    for (int k = 0; k < nops; k++) {
        int64_t end;
        if (mul_overflows(inner->s[k], inner->n, &end) || end != outer->s[k]) return false;
    }
    return !mul_overflows(inner->n, outer->n, n);
}

int stria__merge_dims(stria_dim *dims, int ndim, int nops)
{
    int last = 0;
    for (int d = 1; d < ndim; d++) {
        int64_t n;
        if (merges(&dims[last], &dims[d], nops, &n))
            dims[last].n = n;
        else if (++last != d)
            dims[last] = dims[d];
    }
    return ndim > 0 ? last + 1 : 0;
}

void stria__plan_merge(stria_plan *plan)
{
    plan->ndim = stria__merge_dims(plan->dims, plan->ndim, plan->nops);
}

void stria__plan_collapse(stria_plan *plan, uint32_t flags)
{
    stria__plan_drop(plan);
    if (!(flags & STRIA_PLAN_KEEP_ORDER)) {
        stria__plan_flip(plan);
        stria__plan_sort(plan);
    }
    stria__plan_merge(plan);
}

stria_status stria_plan_make(stria_plan *out, int nops, const stria_view *const *views,
                             uint32_t flags)
{
    STRIA_TRY(check_arguments(out, nops, views, flags));
    STRIA_TRY(check_shapes(nops, views));
    stria__plan_broadcast(out, nops, views);
    stria__plan_collapse(out, flags);
    out->flags = flags;
    for (int k = 0; k < nops; k++)
        out->offset[k] = (int64_t)((uintptr_t)out->ptr[k] - (uintptr_t)views[k]->data);
    return STRIA_OK;
}

stria_status stria__check_plan(const stria_plan *plan, const char *op)
{
    if (!plan) return stria__fail(STRIA_ERR_ARGUMENT, "%s: plan is NULL", op);
    if (plan->ndim < 1 || plan->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: the plan has %d dims, must be 1 to %d", op,
                           (int)plan->ndim, STRIA_MAX_NDIM);
    if (plan->nops < 1 || plan->nops > STRIA_MAX_OPERANDS)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: the plan has %d operands, must be 1 to %d", op,
                           (int)plan->nops, STRIA_MAX_OPERANDS);
    if (plan->flags & ~(uint32_t)STRIA_PLAN_KEEP_ORDER)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: the plan has unknown flags 0x%x", op,
                           (unsigned)plan->flags);
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].n < 0)
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: the plan has the negative size %lld along its dim %d", op,
                               (long long)plan->dims[d].n, d);
    return STRIA_OK;
}

stria_status stria_plan_rebind(stria_plan *plan, int nops, char *const *data)
{
    STRIA_TRY(stria__check_plan(plan, "plan_rebind"));
    if (!data) return stria__fail(STRIA_ERR_ARGUMENT, "plan_rebind: data is NULL");
    if (nops != plan->nops)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "plan_rebind: %d addresses, but the plan has %d operands", nops,
                           (int)plan->nops);
    const bool empty = stria__plan_numel(plan) == 0;
    for (int k = 0; k < nops; k++)
        if (!data[k] && !empty)
            return stria__fail(STRIA_ERR_ARGUMENT, "plan_rebind: data of operand %d is NULL", k);
    for (int k = 0; k < nops; k++)
        plan->ptr[k] = stria__at(data[k], 1, plan->offset[k]);
    return STRIA_OK;
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

int64_t stria_plan_long_run(void)
{
    return FOREIGN_RUN;
}

/* ---- what is asked of a plan, and parts of it ------------------------------------------------ */

int64_t stria__plan_numel(const stria_plan *plan)
{
    int64_t n = 1;
    bool over = false;
    for (int d = 0; d < plan->ndim; d++) {
        if (plan->dims[d].n == 0) return 0;
        over = over || mul_overflows(n, plan->dims[d].n, &n);
    }
    return over ? INT64_MAX : n;
}

int stria__plan_dense_dim(const stria_plan *plan, int k, int64_t item)
{
    for (int d = 1; d < plan->ndim; d++)
        if (plan->dims[d].s[k] == item) return d;
    return 0;
}

bool stria__rows_begin_on(const stria_plan *plan, int64_t bytes)
{
    uint64_t bits = (uintptr_t)plan->ptr[0];
    for (int d = 1; d < plan->ndim; d++)
        bits |= (uint64_t)plan->dims[d].s[0];
    return bits % (uint64_t)bytes == 0;
}

/* Returns the smallest step of operand k that is not 0, in bytes: a line at most, 0 when there is
 * none. */
static int64_t smallest_step(const stria_plan *plan, int k)
{
    int64_t smallest = 0;
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t s = plan->dims[d].s[k];
        const int64_t step = s <= -LINE || s >= LINE ? LINE : s < 0 ? -s : s;
        if (step && (!smallest || step < smallest)) smallest = step;
    }
    return smallest;
}

int64_t stria__plan_traffic(const stria_plan *plan)
{
    int64_t each = 0;
    for (int k = 0; k < plan->nops; k++)
        each += smallest_step(plan, k);
    return saturated(each, stria__plan_numel(plan));
}

void stria__plan_copy(stria_plan *out, const stria_plan *plan)
{
    out->ndim = plan->ndim;
    out->nops = plan->nops;
    out->flags = plan->flags;
    memcpy(out->ptr, plan->ptr, (size_t)plan->nops * sizeof plan->ptr[0]);
    memcpy(out->offset, plan->offset, (size_t)plan->nops * sizeof plan->offset[0]);
    memcpy(out->dims, plan->dims, (size_t)plan->ndim * sizeof plan->dims[0]);
}

void stria__plan_part(stria_plan *out, const stria_plan *plan, int dim, int64_t begin, int64_t end)
{
    assert(0 <= begin && begin < end && end <= plan->dims[dim].n);
    if (out != plan) stria__plan_copy(out, plan);
    stria_dim *d = &out->dims[dim];
    for (int k = 0; k < out->nops; k++)
        out->ptr[k] = stria__at(out->ptr[k], begin, d->s[k]);
    d->n = end - begin;
}

uint64_t stria__plan_moving(const stria_plan *plan)
{
    uint64_t dims = 0;
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[0] != 0) dims |= UINT64_C(1) << d;
    return dims;
}
