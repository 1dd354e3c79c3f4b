/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds over any dims, scans along one, and outer results, of any operation of two inputs. */
#include "stria/fold.h"

#include <string.h>

#include "base/alloc.h"
#include "ops/doors.h"
#include "ops/fold/steps.h"
#include "ops/operands.h"
#include "ops/reduce/reduction.h"
#include "stria/elementwise.h"

/* ---- along one dim --------------------------------------------------------------------------- */

/* A fold along one dim of elements that are not none. */
struct dim_fold {
    const struct steps *steps;
    const stria_view *a;
    int dim;
};

static stria_status fold_range(const struct steps *s, const stria_view *out, const stria_view *a,
                               int dim)
{
    return stria__run_steps(s, out, a, dim, (int64_t[]){0, a->shape[dim]}, 1);
}

/*
 * Few long lines of an associative operation are cut into parts, which are folded side by side, and
 * then their results. The last part may be shorter.
 */
enum { PARTS = 512, FEW_LINES = 64, LONG_LINE = 8 * PARTS };

static stria_status fold_parts(stria_array *out, const struct steps *s, const stria_view *a,
                               int dim)
{
    const int64_t n = a->shape[dim], each = n / PARTS, rest = n - each * PARTS;
    struct steps parts = *s;
    stria_view whole = *a, last, to;
    parts.starts = false;
    whole.shape[dim] = PARTS + (rest > 0);
    STRIA_TRY(stria__empty_like_memory(out, a, s->takes, whole.ndim, whole.shape, STRIA_ORDER_C));
    STRIA_TRY(stria_narrow(&last, a, dim, each * PARTS, rest));
    STRIA_TRY(stria_narrow(&to, &out->view, dim, PARTS, rest > 0));
    if (rest > 0) STRIA_TRY(fold_range(&parts, &to, &last, dim));
    STRIA_TRY(stria_narrow(&to, &out->view, dim, 0, PARTS));
    STRIA_TRY(stria_unsqueeze(&to, &to, dim + 1));
    STRIA_TRY(stria_narrow(&whole, a, dim, 0, each * PARTS));
    STRIA_TRY(stria_unflatten(&whole, &whole, dim, 2, (int64_t[]){PARTS, each}));
    return fold_range(&parts, &to, &whole, dim + 1);
}

/* Writes the fold to a view that shares no byte with the elements. */
static stria_status write_fold(void *arg, const stria_view *out)
{
    const struct dim_fold *const f = arg;
    const int64_t n = f->a->shape[f->dim], lines = stria_numel(f->a) / n;
    OWNED_ARRAY(made);
    if (!f->steps->rule.associative || f->steps->row->alone || lines >= FEW_LINES ||
        n < LONG_LINE || f->a->ndim == STRIA_MAX_NDIM)
        return fold_range(f->steps, out, f->a, f->dim);
    STRIA_TRY(fold_parts(&made, f->steps, f->a, f->dim));
    return fold_range(f->steps, out, &made.view, f->dim);
}

/* ---- folds ----------------------------------------------------------------------------------- */

/* Gives elements the dtype of the steps, with the identity where the mask is false. */
static stria_status mask_elements(stria_array *out, const struct steps *s, const stria_view *a,
                                  const stria_view *mask)
{
    const char *const name = s->row->name;
    stria_view identity;
    STRIA_TRY(stria__check_view(mask, name, "where"));
    if (mask->dtype.kind != STRIA_BOOL)
        return stria__fail(STRIA_ERR_DTYPE, "%s: where is %s, must be bool; compare it with 0",
                           name, stria__dtype_text(mask->dtype).text);
    if (!s->rule.has_identity)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: it takes no mask; operations that have an identity do", name);
    STRIA_TRY(stria__empty_as(out, a, s->takes, STRIA_ORDER_K, name));
    const struct output to = {name, "a", &out->view, NULL};
    STRIA_TRY(stria__check_broadcasts(&to, mask, "where"));
    STRIA_TRY(stria_copy(&out->view, a, NULL));
    view_of_item(&identity, s->identity, (stria_kind)s->takes.kind);
    return stria_where(&out->view, mask, &out->view, &identity, NULL);
}

/*
 * Makes *out the elements with one dim to be folded, which is *dim: several of them are brought
 * behind the others.
 */
static stria_status join_dims(stria_array *out, int *dim, const struct reduce_call *c)
{
    const int ndim = c->a->ndim, count = __builtin_popcountll(c->set);
    int order[STRIA_MAX_NDIM], n = 0;
    int64_t shape[STRIA_MAX_NDIM];
    stria_view ordered;
    *dim = count ? __builtin_ctzll(c->set) : ndim;
    if (count == 0) STRIA_TRY(stria_unsqueeze(&ordered, c->a, ndim));
    if (count <= 1) {
        array_share(out, count ? c->a : &ordered);
        return STRIA_OK;
    }
    for (int folded = 0; folded < 2; folded++)
        for (int d = 0; d < ndim; d++)
            if ((int)(c->set >> d & 1) == folded) order[n++] = d;
    *dim = ndim - count;
    STRIA_TRY(stria_permute(&ordered, c->a, ndim, order));
    for (int d = 0; d < *dim; d++)
        shape[d] = ordered.shape[d];
    shape[*dim] = c->n;
    return stria_reshape(out, &ordered, *dim + 1, shape, STRIA_COPY_IF_NEEDED, NULL, NULL);
}

/* Folds into kept, which has no dims of those that are folded. */
static stria_status fold_into(const struct steps *s, const stria_view *kept,
                              const struct reduce_call *c)
{
    const struct output to = {s->row->name, "out", kept, c->exec};
    bool apart;
    OWNED_ARRAY(joined);
    stria_view item, out;
    if (view_is_meta(kept) || view_is_meta(c->a) || stria_numel(kept) == 0) return STRIA_OK;
    if (c->n == 0) {
        view_of_item(&item, steps_of_none(s), (stria_kind)s->takes.kind);
        return stria_copy(kept, &item, NULL);
    }
    struct dim_fold fold = {.steps = s};
    STRIA_TRY(stria__check_apart(&apart, &to, c->a, "a", false));
    STRIA_TRY(join_dims(&joined, &fold.dim, c));
    fold.a = &joined.view;
    STRIA_TRY(stria__check_steps(s, fold.a, fold.dim, !s->starts));
    STRIA_TRY(stria_unsqueeze(&out, kept, fold.dim));
    const struct output whole = {s->row->name, "out", &out, c->exec};
    return stria__write_apart(&whole, apart, write_fold, &fold);
}

/* Tells whether the library's reduction gives results of the same dtype. */
static bool gives_same(const struct steps *s, const stria_view *a)
{
    const struct reduction_info *const row =
        stria__reduction_info((stria_reduction)s->rule.reduction);
    stria_dtype result;
    return row &&
           stria__reduced_dtype(&result, row, row->name, a->dtype, promotion_of(s->exec)) ==
               STRIA_OK &&
           result.kind == s->result.kind;
}

/* Tells whether the library's reduction does it, with these options. */
static bool is_reduction(const struct steps *s, const stria_view *a,
                         const stria_reduce_options *options)
{
    const bool wide = s->op == STRIA_ADD || s->op == STRIA_MULTIPLY,
               extreme = s->rule.combine && !wide;
    if (wide) return true;
    return gives_same(s, a) &&
           (!options || (!options->dtype && (extreme || (!options->initial && !options->mask))));
}

/* A fold that was asked for: its steps, and what it has in common with a reduction. */
struct fold_request {
    struct steps steps;
    struct reduction_info row;
    struct reduce_call call;
    bool reduces; /* The library's reduction does it. */
};

static stria_status check_fold(struct fold_request *r, stria_op op, const stria_view *a, int count,
                               const int *dims, const stria_reduce_options *options,
                               const stria_exec *exec)
{
    struct steps *const s = &r->steps;
    const stria_dtype *const dtype = options ? options->dtype : NULL;
    STRIA_TRY(stria__find_steps(s, op, a, dtype, true, exec));
    r->reduces = is_reduction(s, a, options);
    if (r->reduces) return STRIA_OK;
    if (options) {
        STRIA_TRY(stria__check_reserved(options->reserved, "options of a fold"));
        if (options->ddof != 0 || options->p != 0)
            return stria__fail(STRIA_ERR_ARGUMENT, "%s: it takes no ddof and no p", s->row->name);
        STRIA_TRY(stria__steps_begin(s, options->initial));
    }
    if (!s->starts && s->rule.has_identity) {
        memcpy(s->initial, s->identity, sizeof s->initial);
        s->starts = true;
    }
    r->row = (struct reduction_info){
        .name = s->row->name, .result = REDUCED_WIDE, .empty = steps_of_none(s) ? 0 : NO_VALUE};
    r->call =
        (struct reduce_call){.a = a, .count = count, .dims = dims, .exec = exec, .row = &r->row};
    STRIA_TRY(stria__check_reduction(&r->call));
    r->call.result = s->result;
    return STRIA_OK;
}

static stria_status fold_masked(struct fold_request *r, const stria_view *kept,
                                const stria_reduce_options *options)
{
    OWNED_ARRAY(masked);
    if (!options || !options->mask) return fold_into(&r->steps, kept, &r->call);
    STRIA_TRY(mask_elements(&masked, &r->steps, r->call.a, options->mask));
    r->call.a = &masked.view;
    if (!r->steps.starts) memcpy(r->steps.initial, r->steps.identity, sizeof r->steps.initial);
    r->steps.starts = true;
    return fold_into(&r->steps, kept, &r->call);
}

stria_status stria_fold_op(const stria_view *out, stria_op op, const stria_view *a, int count,
                           const int *dims, const stria_reduce_options *options,
                           const stria_exec *exec)
{
    COMPUTES(exec);
    struct fold_request r;
    stria_view kept;
    STRIA_TRY(check_fold(&r, op, a, count, dims, options, exec));
    if (r.reduces)
        return stria_reduce_dims(out, (stria_reduction)r.steps.rule.reduction, a, count, dims,
                                 options, exec);
    STRIA_TRY(stria__check_reduced(&kept, out, &r.call));
    return fold_masked(&r, &kept, options);
}

stria_status stria_fold_op_new(stria_array *out, stria_op op, const stria_view *a, int count,
                               const int *dims, const stria_reduce_options *options,
                               const stria_exec *exec)
{
    COMPUTES(exec);
    struct fold_request r;
    stria_view kept;
    int64_t shape[STRIA_MAX_NDIM];
    MAKES(made, out, "fold_op");
    STRIA_TRY(check_fold(&r, op, a, count, dims, options, exec));
    if (r.reduces)
        return stria_reduce_dims_new(out, (stria_reduction)r.steps.rule.reduction, a, count, dims,
                                     options, exec);
    const int ndim = stria__reduced_shape(shape, &r.call, options && options->keepdims);
    STRIA_TRY(stria__empty_like_memory(&made, a, r.steps.result, ndim, shape, STRIA_ORDER_C));
    STRIA_TRY(stria__check_reduced(&kept, &made.view, &r.call));
    return stria__deliver(out, &made, fold_masked(&r, &kept, options));
}

/* ---- scans ----------------------------------------------------------------------------------- */

static bool is_scan(const struct steps *s, const stria_view *a, const stria_scan_options *options)
{
    if (s->op == STRIA_ADD || s->op == STRIA_MULTIPLY) return true;
    return s->rule.scan >= 0 && (!options || !options->dtype) && gives_same(s, a);
}

static stria_status check_scan(struct steps *s, int *dim, stria_op op, const stria_view *a,
                               const stria_scan_options *options, const stria_exec *exec)
{
    uint64_t set;
    STRIA_TRY(stria__find_steps(s, op, a, options ? options->dtype : NULL, true, exec));
    if (is_scan(s, a, options)) return STRIA_OK;
    if (options) STRIA_TRY(stria__check_reserved(options->reserved, "options of a scan"));
    if (options && options->include_initial)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: it takes no include_initial; add and multiply do", s->row->name);
    STRIA_TRY(stria__dim_set(&set, a->ndim, 1, dim, s->row->name));
    *dim = __builtin_ctzll(set);
    return STRIA_OK;
}

static stria_status write_scan(void *arg, const stria_view *out)
{
    const struct dim_fold *const f = arg;
    return stria__run_steps(f->steps, out, f->a, f->dim, NULL, 0);
}

stria_status stria_scan_op(const stria_view *out, stria_op op, const stria_view *a, int dim,
                           const stria_scan_options *options, const stria_exec *exec)
{
    COMPUTES(exec);
    struct steps s;
    stria_view whole, all;
    bool apart;
    STRIA_TRY(check_scan(&s, &dim, op, a, options, exec));
    if (is_scan(&s, a, options))
        return stria_scan_dim(out, (stria_scan)s.rule.scan, a, dim, options, exec);
    const struct output to = {s.row->name, "out", out, exec};
    STRIA_TRY(stria__check_writable(out, s.row->name, "out"));
    STRIA_TRY(stria__check_out(out, a->ndim, a->shape, s.result, s.row->name));
    if (view_is_meta(out) || view_is_meta(a) || stria_numel(a) == 0) return STRIA_OK;
    const bool same_items = stria_dtype_equal(out->dtype, a->dtype) &&
                            !((out->flags ^ a->flags) & (STRIA_CONJ | STRIA_NEG));
    STRIA_TRY(stria__check_apart(&apart, &to, a, "a", same_items));
    view_copy(&all, a);
    view_copy(&whole, out);
    if (a->ndim == 0) STRIA_TRY(stria_unsqueeze(&all, a, 0));
    if (out->ndim == 0) STRIA_TRY(stria_unsqueeze(&whole, out, 0));
    STRIA_TRY(stria__check_steps(&s, &all, dim, 1));
    const struct output into = {s.row->name, "out", &whole, exec};
    return stria__write_apart(&into, apart, write_scan, &(struct dim_fold){&s, &all, dim});
}

stria_status stria_scan_op_new(stria_array *out, stria_op op, const stria_view *a, int dim,
                               const stria_scan_options *options, const stria_exec *exec)
{
    struct steps s;
    int found = dim;
    MAKES(made, out, "scan_op");
    STRIA_TRY(check_scan(&s, &found, op, a, options, exec));
    if (is_scan(&s, a, options))
        return stria_scan_dim_new(out, (stria_scan)s.rule.scan, a, dim, options, exec);
    STRIA_TRY(stria__empty_as(&made, a, s.result, STRIA_ORDER_K, s.row->name));
    return stria__deliver(out, &made, stria_scan_op(&made.view, op, a, dim, options, exec));
}

/* ---- outer results --------------------------------------------------------------------------- */

/* Makes *wide a with dims of size 1 behind its own, one for each of b's. */
static stria_status check_outer(stria_view *wide, stria_op op, const stria_view *a,
                                const stria_view *b)
{
    const struct op_info *const row = stria__op_info(op);
    if (!row || row->inputs != 2)
        return stria__fail(STRIA_ERR_ARGUMENT, "outer_op: operation %d is none of two operands",
                           (int)op);
    STRIA_TRY(stria__check_view(a, row->name, "a"));
    STRIA_TRY(stria__check_view(b, row->name, "b"));
    if (a->ndim + b->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %d and %d dims, and there are at most %d",
                           row->name, (int)a->ndim, (int)b->ndim, STRIA_MAX_NDIM);
    view_copy(wide, a);
    for (int d = 0; d < b->ndim; d++)
        STRIA_TRY(stria_unsqueeze(wide, wide, wide->ndim));
    return STRIA_OK;
}

static stria_status outer_op(const stria_view *out, stria_array *made, stria_op op,
                             const stria_view *a, const stria_view *b, const stria_exec *exec)
{
    stria_view wide;
    const stria_view *const operands[] = {&wide, b};
    STRIA_TRY(check_outer(&wide, op, a, b));
    return made ? stria_elementwise_new(made, op, 2, operands, exec)
                : stria_elementwise(out, op, 2, operands, exec);
}

DOORS(outer_op, (stria_op op, const stria_view *a, const stria_view *b),
      outer_op(out, made, op, a, b, exec))
