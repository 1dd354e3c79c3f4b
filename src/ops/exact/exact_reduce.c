/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact sums, means, variances and dot products in one call. */
#include <string.h>

#include "base/alloc.h"
#include "ops/elementwise/operation.h"
#include "ops/exact/state.h"
#include "ops/operands.h"
#include "ops/reduce/reduction.h"

/* ---- over dims ------------------------------------------------------------------------------- */

/* The result that is wanted: that of a reduction, or a moment. */
struct wanted {
    const char *op;
    bool is_moment;
    stria_exact_moment_kind moment;
    int64_t ddof;
};

/* The sums of one output, and the dims of the operand that are reduced and kept. */
struct reduced {
    stria_view row, kept;
    struct sums sums;
    struct power_sums powers;
};

/* Reduces into made, which is apart from a, one output after the other. */
static stria_status reduce_each(const stria_view *made, const struct reduce_call *c,
                                const struct wanted *w)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    OWNED_MEMORY(memory, sizeof(struct reduced));
    struct reduced *const r = memory.at;
    if (!r) return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for sums", w->op);
    r->row = r->kept = *c->a;
    r->row.ndim = r->kept.ndim = 0;
    for (int d = 0; d < c->a->ndim; d++) {
        stria_view *const to = c->set >> d & 1 ? &r->row : &r->kept;
        to->shape[to->ndim] = c->a->shape[d];
        to->strides[to->ndim++] = c->a->strides[d];
    }
    if (stria_numel(made) == 0) return STRIA_OK;
    WATCHES(c->exec);
    do {
        if (stria__is_stopped()) return stria__watch_end(c->exec);
        stria_view to = *made;
        to.data = view_address(made, index);
        to.ndim = 0;
        memset(&r->sums, 0, sizeof r->sums);
        if (w->is_moment) r->powers = (struct power_sums){0};
        r->sums.is_complex = stria_dtype_is_complex(c->a->dtype);
        r->row.data = view_address(&r->kept, index);
        STRIA_TRY(stria__sums_add(&r->sums, w->is_moment ? &r->powers : NULL, &r->row,
                                  c->op == STRIA_VAR || c->op == STRIA_STD, c->exec));
        STRIA_TRY(w->is_moment ? stria__moment_round(&to, &r->sums, &r->powers, w->moment)
                               : stria__sums_round(&to, &r->sums, c->op, w->ddof));
    } while (stria__next_index(index, made->ndim, made->shape));
    return STRIA_OK;
}

static stria_status check_wanted(struct reduce_call *c, struct wanted *w, double ddof)
{
    STRIA_TRY(stria__check_ddof(&w->ddof, ddof, w->op));
    if (c->op != STRIA_SUM && c->op != STRIA_MEAN && c->op != STRIA_VAR && c->op != STRIA_STD)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: reduction %d is no sum, mean, var or std",
                           w->op, (int)c->op);
    STRIA_TRY(stria__check_reduction(c));
    if (w->is_moment) STRIA_TRY(stria__check_moment(w->moment, c->a->dtype, w->op));
    if (!(stria_dtype_is_complex(c->a->dtype) || c->a->dtype.kind >= STRIA_F8E4M3))
        c->result = stria_dtype_of(STRIA_F64);
    return STRIA_OK;
}

static stria_status reduce(const stria_view *out, struct reduce_call *c, struct wanted *w,
                           double ddof)
{
    IN_DEFAULT_FP_MODE;
    stria_view kept;
    OWNED_ARRAY(made);
    STRIA_TRY(check_wanted(c, w, ddof));
    STRIA_TRY(stria__check_view(out, w->op, "out"));
    STRIA_TRY(stria__check_rounded(out, stria_dtype_is_complex(c->result), w->op));
    c->result = out->dtype;
    STRIA_TRY(stria__check_reduced(&kept, out, c));
    if (view_is_meta(out) || view_is_meta(c->a)) return STRIA_OK;
    STRIA_TRY(
        stria_empty(&made, stria_dtype_of((stria_kind)out->dtype.kind), kept.ndim, kept.shape));
    STRIA_TRY(reduce_each(&made.view, c, w));
    return stria_copy(&kept, &made.view, NULL);
}

static stria_status reduce_new(stria_array *out, struct reduce_call *c, struct wanted *w,
                               double ddof, bool keepdims)
{
    int64_t shape[STRIA_MAX_NDIM];
    OWNED_ARRAY(made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", w->op);
    STRIA_TRY(check_wanted(c, w, ddof));
    const int ndim = stria__reduced_shape(shape, c, keepdims);
    STRIA_TRY(stria__empty_like_memory(&made, c->a, c->result, ndim, shape, STRIA_ORDER_C));
    return stria__deliver(out, &made, reduce(&made.view, c, w, ddof));
}

stria_status stria_exact_reduce(const stria_view *out, stria_reduction op, const stria_view *a,
                                int count, const int *dims, double ddof, const stria_exec *exec)
{
    struct reduce_call c = {.op = op, .a = a, .count = count, .dims = dims, .exec = exec};
    struct wanted w = {.op = "exact_reduce"};
    return reduce(out, &c, &w, ddof);
}

stria_status stria_exact_reduce_new(stria_array *out, stria_reduction op, const stria_view *a,
                                    int count, const int *dims, double ddof, bool keepdims,
                                    const stria_exec *exec)
{
    struct reduce_call c = {.op = op, .a = a, .count = count, .dims = dims, .exec = exec};
    struct wanted w = {.op = "exact_reduce"};
    return reduce_new(out, &c, &w, ddof, keepdims);
}

stria_status stria_exact_moment(const stria_view *out, stria_exact_moment_kind what,
                                const stria_view *a, int count, const int *dims,
                                const stria_exec *exec)
{
    struct reduce_call c = {.op = STRIA_VAR, .a = a, .count = count, .dims = dims, .exec = exec};
    struct wanted w = {.op = "exact_moment", .is_moment = true, .moment = what};
    return reduce(out, &c, &w, 0);
}

stria_status stria_exact_moment_new(stria_array *out, stria_exact_moment_kind what,
                                    const stria_view *a, int count, const int *dims, bool keepdims,
                                    const stria_exec *exec)
{
    struct reduce_call c = {.op = STRIA_VAR, .a = a, .count = count, .dims = dims, .exec = exec};
    struct wanted w = {.op = "exact_moment", .is_moment = true, .moment = what};
    return reduce_new(out, &c, &w, 0, keepdims);
}

/* ---- dot products ---------------------------------------------------------------------------- */

static stria_status check_factors(const stria_view *a, const stria_view *b, const stria_exec *exec)
{
    STRIA_TRY(stria__check_addend(a, "exact_dot", "a"));
    STRIA_TRY(stria__check_addend(b, "exact_dot", "b"));
    return stria__check_exec(exec, "exact_dot");
}

stria_status stria_exact_dot(const stria_view *out, const stria_view *a, const stria_view *b,
                             const stria_exec *exec)
{
    COMPUTES(exec);
    struct sums sums = {0};
    stria_view both[2];
    STRIA_TRY(stria__check_view(out, "exact_dot", "out"));
    STRIA_TRY(check_factors(a, b, exec));
    const bool is_complex = stria_dtype_is_complex(a->dtype) || stria_dtype_is_complex(b->dtype);
    STRIA_TRY(stria__check_rounded(out, is_complex, "exact_dot"));
    if (out->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE, "exact_dot: out has %d dims, wants none",
                           (int)out->ndim);
    STRIA_TRY(stria__broadcast_views(both, 2, (const stria_view *[]){a, b}, "exact_dot"));
    if (view_is_meta(out) || view_is_meta(a) || view_is_meta(b)) return STRIA_OK;
    STRIA_TRY(stria__sums_add_product(&sums, &both[0], &both[1], exec));
    sums.is_complex = is_complex;
    return stria__sums_round(out, &sums, STRIA_SUM, 0);
}

stria_status stria_exact_dot_new(stria_array *out, const stria_view *a, const stria_view *b,
                                 const stria_exec *exec)
{
    stria_dtype dtype;
    MAKES(made, out, "exact_dot");
    STRIA_TRY(check_factors(a, b, exec));
    STRIA_TRY(stria_promote(&dtype, a->dtype, b->dtype, promotion_of(exec)));
    if (dtype.kind < STRIA_F8E4M3) dtype = stria_dtype_of(STRIA_F64);
    STRIA_TRY(
        stria__empty_like_memory(&made, view_is_meta(b) ? b : a, dtype, 0, NULL, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_exact_dot(&made.view, a, b, exec));
}
