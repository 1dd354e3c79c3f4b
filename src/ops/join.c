/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins several views into one array. Each function computes the shape of the output and, for every
 * input, the view of the output that it is copied to, with conversions if dtypes differ.
 */
#include "stria/join.h"

#include <string.h>

#include "ops/operands.h"
#include "stria/axes.h"

enum { ASKED_VIEWS = 64 /* views that are copied between questions of a watch */ };

static stria_status check_inputs(const void *out, int n, const stria_view *const *views)
{
    if (!out || !views || n < 1)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "join: out and views must not be NULL, and there must be at least one view, not %d", n);
    return stria__check_views(n, views, "join", "view");
}

static stria_status wrap_dim(int dim, int ndim, int *wrapped)
{
    if (dim < -ndim || dim >= ndim)
        return stria__fail(STRIA_ERR_DIM, "join: dim %d is outside -%d .. %d of the result", dim,
                           ndim, ndim - 1);
    *wrapped = dim < 0 ? dim + ndim : dim;
    return STRIA_OK;
}

/*
 * NOTE [Reshaped inputs]: hstack, vstack and others are cat over inputs that are reshaped first. A
 * reshaper makes the view of one input. It is called again wherever the shape is needed, which
 * costs nanoseconds and saves a list of views whose length only the caller knows.
 */
typedef stria_status reshaper(stria_view *out, const stria_view *a);

static stria_status unchanged(stria_view *out, const stria_view *a)
{
    view_copy(out, a);
    return STRIA_OK;
}

static stria_status as_column(stria_view *out, const stria_view *a)
{
    return a->ndim == 1 ? stria_unsqueeze(out, a, 1) : stria_atleast_2d(out, a);
}

static bool is_ignored(const stria_view *a)
{
    return a->ndim == 1 && a->shape[0] == 0;
}

/* Computes the shape on which all inputs agree, where the size of dim is the sum of theirs. */
static stria_status cat_shape(int n, const stria_view *const *views, reshaper *reshape, int dim,
                              int first, int64_t *shape, int *ndim, int *along)
{
    stria_view v;
    STRIA_TRY(reshape(&v, views[first]));
    STRIA_TRY(wrap_dim(dim, v.ndim, along));
    *ndim = v.ndim;
    memcpy(shape, v.shape, (size_t)v.ndim * sizeof *shape);
    for (int i = first + 1; i < n; i++) {
        STRIA_TRY(reshape(&v, views[i]));
        if (is_ignored(&v)) continue;
        bool fits = v.ndim == *ndim;
        for (int d = 0; fits && d < *ndim; d++)
            fits = d == *along || v.shape[d] == shape[d];
        if (!fits)
            return stria__fail(STRIA_ERR_SHAPE,
                               "join: view %d of shape %s does not fit %s of view %d; all sizes "
                               "but dim %d must agree",
                               i, stria__dims_text(v.ndim, v.shape).text,
                               stria__dims_text(*ndim, shape).text, first, *along);
        if (add_overflows(shape[*along], v.shape[*along], &shape[*along]))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "join: the sizes along dim %d add up beyond 2^63 - 1", *along);
    }
    return STRIA_OK;
}

/* The dtype of a result: the requested one, or the one to which all views promote by a rule. */
struct join_dtype {
    const stria_dtype *dtype; /* NULL: by the rule. */
    stria_promotion rule;
};

static const struct join_dtype usual = {NULL, STRIA_PROMOTE_TORCH};

static stria_status make_joined(stria_array *out, int n, const stria_view *const *views, int ndim,
                                const int64_t *shape, const struct join_dtype *as)
{
    stria_dtype dtype = as->dtype ? *as->dtype : views[0]->dtype;
    for (int i = 0; i < n && !as->dtype; i++)
        STRIA_TRY(stria_promote(&dtype, dtype, views[i]->dtype, as->rule));
    return stria__make_alike(out, n, views, dtype, ndim, shape);
}

/* Copies the views one after the other along dim of the output. */
static stria_status cat_into(const stria_view *out, int n, const stria_view *const *views,
                             reshaper *reshape, int dim)
{
    WATCHES(NULL);
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        stria_view v, place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(reshape(&v, views[i]));
        if (is_ignored(&v) && out->ndim != 1) continue;
        STRIA_TRY(stria_narrow(&place, out, dim, at, v.shape[dim]));
        STRIA_TRY(stria_copy(&place, &v, NULL));
        at += v.shape[dim];
    }
    return STRIA_OK;
}

/* Finds the shape that views join to, and the dim; empty 1-d views do not count. */
static stria_status find_joined(int n, const stria_view *const *views, reshaper *reshape, int dim,
                                int64_t *shape, int *ndim, int *along)
{
    int first = 0;
    for (; first < n - 1; first++) {
        stria_view v;
        STRIA_TRY(reshape(&v, views[first]));
        if (!is_ignored(&v)) break;
    }
    return cat_shape(n, views, reshape, dim, first, shape, ndim, along);
}

static stria_status cat(stria_array *out, int n, const stria_view *const *views, reshaper *reshape,
                        int dim, const struct join_dtype *as)
{
    STRIA_TRY(check_inputs(out, n, views));
    int64_t shape[STRIA_MAX_NDIM];
    int ndim = 0, along = 0;
    STRIA_TRY(find_joined(n, views, reshape, dim, shape, &ndim, &along));
    OWNED_ARRAY(made);
    STRIA_TRY(make_joined(&made, n, views, ndim, shape, as));
    return stria__deliver(out, &made, cat_into(&made.view, n, views, reshape, along));
}

/* Checks the requested dtype, or the rule. */
static stria_status check_as(const struct join_dtype *as)
{
    if (as->dtype) return stria__check_dtype(*as->dtype, "join");
    if (as->rule == STRIA_PROMOTE_TORCH || as->rule == STRIA_PROMOTE_NUMPY) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "join: there is no rule %d", (int)as->rule);
}

stria_status stria_cat_as_new(stria_array *out, int n, const stria_view *const *views, int dim,
                              const stria_dtype *dtype, stria_promotion rule,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "cat_as_new");
    const struct join_dtype as = {dtype, rule};
    STRIA_TRY(check_as(&as));
    return cat(out, n, views, unchanged, dim, &as);
}

stria_status stria_cat_new(stria_array *out, int n, const stria_view *const *views, int dim,
                           const stria_exec *exec)
{
    TAKES_EXEC(exec, "cat_new");
    return stria_cat_as_new(out, n, views, dim, NULL, STRIA_PROMOTE_TORCH, NULL);
}

/* ---- into a view that exists ----------------------------------------------------------------- */

struct join_call {
    int n, dim;
    const stria_view *const *views;
    bool stacks;
};

static stria_status stack_into(const stria_view *out, int n, const stria_view *const *views,
                               int dim);

static stria_status write_join(void *arg, const stria_view *to)
{
    const struct join_call *const j = arg;
    return j->stacks ? stack_into(to, j->n, j->views, j->dim)
                     : cat_into(to, j->n, j->views, unchanged, j->dim);
}

static stria_status join_into(const stria_view *out, struct join_call *j, int ndim,
                              const int64_t *shape)
{
    const struct output output = {"join", "out", out, NULL};
    bool apart = true;
    STRIA_TRY(stria__check_out(out, ndim, shape, j->views[0]->dtype, "join"));
    for (int i = 0; i < j->n; i++) {
        STRIA_TRY(
            stria__check_result(j->views[i]->dtype, out, STRIA_CAST_SAME_KIND, "join", "out"));
        STRIA_TRY(stria__and_apart(&apart, &output, j->views[i], "view"));
    }
    return stria__write_apart(&output, apart, write_join, j);
}

stria_status stria_cat(const stria_view *out, int n, const stria_view *const *views, int dim,
                       const stria_exec *exec)
{
    TAKES_EXEC(exec, "cat");
    int64_t shape[STRIA_MAX_NDIM];
    int ndim = 0;
    struct join_call j = {.n = n, .views = views};
    STRIA_TRY(stria__check_writable(out, "join", "out"));
    STRIA_TRY(check_inputs(out, n, views));
    STRIA_TRY(find_joined(n, views, unchanged, dim, shape, &ndim, &j.dim));
    return join_into(out, &j, ndim, shape);
}

stria_status stria_hstack_new(stria_array *out, int n, const stria_view *const *views,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "hstack_new");
    STRIA_TRY(check_inputs(out, n, views));
    return cat(out, n, views, stria_atleast_1d, views[0]->ndim > 1 ? 1 : 0, &usual);
}

stria_status stria_vstack_new(stria_array *out, int n, const stria_view *const *views,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "vstack_new");
    return cat(out, n, views, stria_atleast_2d, 0, &usual);
}

stria_status stria_dstack_new(stria_array *out, int n, const stria_view *const *views,
                              const stria_exec *exec)
{
    TAKES_EXEC(exec, "dstack_new");
    return cat(out, n, views, stria_atleast_3d, 2, &usual);
}

stria_status stria_column_stack_new(stria_array *out, int n, const stria_view *const *views,
                                    const stria_exec *exec)
{
    TAKES_EXEC(exec, "column_stack_new");
    return cat(out, n, views, as_column, 1, &usual);
}

static stria_status stack_into(const stria_view *out, int n, const stria_view *const *views,
                               int dim)
{
    WATCHES(NULL);
    for (int i = 0; i < n; i++) {
        stria_view place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(stria_select(&place, out, dim, i));
        STRIA_TRY(stria_copy(&place, views[i], NULL));
    }
    return STRIA_OK;
}

static void stacked_shape(int64_t *shape, int n, const stria_view *first, int dim)
{
    for (int d = 0; d <= first->ndim; d++)
        shape[d] = d == dim ? n : first->shape[d < dim ? d : d - 1];
}

/* Makes the output as PyTorch does: joined along dim as by cat; the dim is then split in two. */
static stria_status make_stack(stria_array *out, int n, const stria_view *const *views, int dim,
                               const struct join_dtype *as)
{
    const stria_view *first = views[0];
    int64_t shape[STRIA_MAX_NDIM];
    stacked_shape(shape, n, first, dim);
    if (dim == first->ndim) return make_joined(out, n, views, first->ndim + 1, shape, as);
    int64_t joined[STRIA_MAX_NDIM];
    OWNED_ARRAY(made);
    memcpy(joined, first->shape, (size_t)first->ndim * sizeof *joined);
    if (mul_overflows(joined[dim], n, &joined[dim]))
        return stria__fail(STRIA_ERR_OVERFLOW, "stack: %d views of shape %s have too many elements",
                           n, stria__dims_text(first->ndim, first->shape).text);
    STRIA_TRY(make_joined(&made, n, views, first->ndim, joined, as));
    return stria__deliver(out, &made,
                          stria_view_shape(&made.view, &made.view, first->ndim + 1, shape));
}

/* Checks views of one shape, and the dim along which they are stacked. */
static stria_status check_stack(const void *out, int n, const stria_view *const *views, int dim,
                                int *along)
{
    STRIA_TRY(check_inputs(out, n, views));
    const stria_view *first = views[0];
    if (first->ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "stack: the views have %d dims already", first->ndim);
    for (int i = 1; i < n; i++)
        if (!view_same_shape(views[i], first))
            return stria__fail(STRIA_ERR_SHAPE,
                               "stack: view %d of shape %s is not of shape %s as view 0", i,
                               stria__dims_text(views[i]->ndim, views[i]->shape).text,
                               stria__dims_text(first->ndim, first->shape).text);
    return wrap_dim(dim, first->ndim + 1, along);
}

stria_status stria_stack_as_new(stria_array *out, int n, const stria_view *const *views, int dim,
                                const stria_dtype *dtype, stria_promotion rule,
                                const stria_exec *exec)
{
    TAKES_EXEC(exec, "stack_as_new");
    const struct join_dtype as = {dtype, rule};
    int along = 0;
    OWNED_ARRAY(made);
    STRIA_TRY(check_as(&as));
    STRIA_TRY(check_stack(out, n, views, dim, &along));
    STRIA_TRY(make_stack(&made, n, views, along, &as));
    return stria__deliver(out, &made, stack_into(&made.view, n, views, along));
}

stria_status stria_stack_new(stria_array *out, int n, const stria_view *const *views, int dim,
                             const stria_exec *exec)
{
    TAKES_EXEC(exec, "stack_new");
    return stria_stack_as_new(out, n, views, dim, NULL, STRIA_PROMOTE_TORCH, NULL);
}

stria_status stria_stack(const stria_view *out, int n, const stria_view *const *views, int dim,
                         const stria_exec *exec)
{
    TAKES_EXEC(exec, "stack");
    int64_t shape[STRIA_MAX_NDIM];
    struct join_call j = {.n = n, .views = views, .stacks = true};
    STRIA_TRY(stria__check_writable(out, "join", "out"));
    STRIA_TRY(check_stack(out, n, views, dim, &j.dim));
    stacked_shape(shape, n, views[0], j.dim);
    return join_into(out, &j, views[0]->ndim + 1, shape);
}

static stria_status blocks_into(const stria_view *out, int n, const stria_view *const *views)
{
    STRIA_TRY(stria__fill_zero(out));
    WATCHES(NULL);
    int64_t row = 0, column = 0;
    for (int i = 0; i < n; i++) {
        stria_view block, place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(stria_atleast_2d(&block, views[i]));
        STRIA_TRY(stria_narrow(&place, out, 0, row, block.shape[0]));
        STRIA_TRY(stria_narrow(&place, &place, 1, column, block.shape[1]));
        STRIA_TRY(stria_copy(&place, &block, NULL));
        row += block.shape[0];
        column += block.shape[1];
    }
    return STRIA_OK;
}

stria_status stria_block_diag_new(stria_array *out, int n, const stria_view *const *views,
                                  const stria_exec *exec)
{
    TAKES_EXEC(exec, "block_diag_new");
    STRIA_TRY(check_inputs(out, n, views));
    int64_t shape[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        if (views[i]->ndim > 2)
            return stria__fail(STRIA_ERR_SHAPE, "block_diag: view %d has %d dims, at most 2 fit", i,
                               views[i]->ndim);
        stria_view block;
        STRIA_TRY(stria_atleast_2d(&block, views[i]));
        if (add_overflows(shape[0], block.shape[0], &shape[0]) ||
            add_overflows(shape[1], block.shape[1], &shape[1]))
            return stria__fail(STRIA_ERR_OVERFLOW, "block_diag: the sizes add up beyond 2^63 - 1");
    }
    OWNED_ARRAY(made);
    STRIA_TRY(stria__make_for(&made, n, views, 2, shape));
    return stria__deliver(out, &made, blocks_into(&made.view, n, views));
}
