/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins several views into one array. Each function computes the shape of the output and, for every
 * input, the view of the output that it is copied to, with conversions if dtypes differ.
 */
#include "stria/join.h"

#include <string.h>

#include "ops/doors.h"
#include "ops/operands.h"
#include "stria/axes.h"

enum { ASKED_VIEWS = 64 /* views that are copied between questions of a watch */ };

static stria_status check_inputs(int n, const stria_view *const *views)
{
    if (!views || n < 1)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "join: views must not be NULL, and there must be at least one view, not %d", n);
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

/* A call that joins; `out` has one dim more than the views where it stacks. */
struct join_call {
    int n, dim;
    const stria_view *const *views;
    reshaper *reshape;
    write_result *write;
};

/* Gives what is joined, in channels-last order when all views have it. */
static stria_status give_joined(const stria_view *out, stria_array *made, struct join_call *j,
                                int ndim, const int64_t *shape, const struct join_dtype *as,
                                const stria_exec *exec)
{
    stria_dtype dtype = as->dtype ? *as->dtype : j->views[0]->dtype;
    for (int i = 0; i < j->n && !as->dtype && !out; i++)
        STRIA_TRY(stria_promote(&dtype, dtype, j->views[i]->dtype, as->rule));
    const struct result r = {.op = "join",
                             .count = j->n,
                             .inputs = j->views,
                             .dtype = dtype,
                             .ndim = ndim,
                             .shape = shape,
                             .order = stria__common_order(j->n, j->views, ndim),
                             .write = j->write,
                             .arg = j};
    return stria__give_result(out, made, &r, exec);
}

/* Copies the views one after the other along dim of the output. */
static stria_status write_cat(void *arg, const stria_view *out)
{
    const struct join_call *const j = arg;
    WATCHES(NULL);
    int64_t at = 0;
    for (int i = 0; i < j->n; i++) {
        stria_view v, place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(j->reshape(&v, j->views[i]));
        if (is_ignored(&v) && out->ndim != 1) continue;
        STRIA_TRY(stria_narrow(&place, out, j->dim, at, v.shape[j->dim]));
        STRIA_TRY(stria_copy(&place, &v, NULL));
        at += v.shape[j->dim];
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

static stria_status cat(const stria_view *out, stria_array *made, int n,
                        const stria_view *const *views, reshaper *reshape, int dim,
                        const struct join_dtype *as, const stria_exec *exec)
{
    struct join_call j = {n, 0, views, reshape, write_cat};
    int64_t shape[STRIA_MAX_NDIM];
    int ndim = 0;
    TAKES_EXEC(exec, "join");
    STRIA_TRY(check_inputs(n, views));
    STRIA_TRY(find_joined(n, views, reshape, dim, shape, &ndim, &j.dim));
    return give_joined(out, made, &j, ndim, shape, as, exec);
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
    const struct join_dtype as = {dtype, rule};
    STRIA_TRY(check_as(&as));
    return cat(NULL, out, n, views, unchanged, dim, &as, exec);
}

DOORS(cat, (int n, const stria_view *const *views, int dim),
      cat(out, made, n, views, unchanged, dim, &usual, exec))
DOORS(vstack, (int n, const stria_view *const *views),
      cat(out, made, n, views, stria_atleast_2d, 0, &usual, exec))
DOORS(dstack, (int n, const stria_view *const *views),
      cat(out, made, n, views, stria_atleast_3d, 2, &usual, exec))
DOORS(column_stack, (int n, const stria_view *const *views),
      cat(out, made, n, views, as_column, 1, &usual, exec))

static stria_status hstack(const stria_view *out, stria_array *made, int n,
                           const stria_view *const *views, const stria_exec *exec)
{
    STRIA_TRY(check_inputs(n, views));
    return cat(out, made, n, views, stria_atleast_1d, views[0]->ndim > 1 ? 1 : 0, &usual, exec);
}

DOORS(hstack, (int n, const stria_view *const *views), hstack(out, made, n, views, exec))

/* ---- along a new dim ------------------------------------------------------------------------- */

static stria_status write_stack(void *arg, const stria_view *out)
{
    const struct join_call *const j = arg;
    WATCHES(NULL);
    for (int i = 0; i < j->n; i++) {
        stria_view place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(stria_select(&place, out, j->dim, i));
        STRIA_TRY(stria_copy(&place, j->views[i], NULL));
    }
    return STRIA_OK;
}

/* Checks views of one shape, and the dim along which they are stacked. */
static stria_status check_stack(int n, const stria_view *const *views, int dim, int *along)
{
    STRIA_TRY(check_inputs(n, views));
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

static void stacked_shape(int64_t *shape, const struct join_call *j)
{
    const stria_view *const first = j->views[0];
    for (int d = 0; d <= first->ndim; d++)
        shape[d] = d == j->dim ? j->n : first->shape[d < j->dim ? d : d - 1];
}

/*
 * A new array is made as PyTorch does: joined along dim as by cat; the dim is then split in two.
 */
static stria_status write_split(void *arg, const stria_view *joined)
{
    struct join_call *const j = arg;
    int64_t shape[STRIA_MAX_NDIM];
    stria_view split;
    stacked_shape(shape, j);
    STRIA_TRY(stria_view_shape(&split, joined, j->views[0]->ndim + 1, shape));
    return write_stack(j, &split);
}

static stria_status stack(const stria_view *out, stria_array *made, int n,
                          const stria_view *const *views, int dim, const struct join_dtype *as,
                          const stria_exec *exec)
{
    struct join_call j = {n, 0, views, NULL, write_stack};
    int64_t shape[STRIA_MAX_NDIM], joined[STRIA_MAX_NDIM];
    TAKES_EXEC(exec, "stack");
    STRIA_TRY(check_stack(n, views, dim, &j.dim));
    const int ndim = views[0]->ndim;
    stacked_shape(shape, &j);
    if (out || j.dim == ndim) return give_joined(out, made, &j, ndim + 1, shape, as, exec);
    OWNED_ARRAY(fresh);
    memcpy(joined, views[0]->shape, (size_t)ndim * sizeof *joined);
    if (mul_overflows(joined[j.dim], n, &joined[j.dim]))
        return stria__fail(STRIA_ERR_OVERFLOW, "stack: %d views of shape %s have too many elements",
                           n, stria__dims_text(ndim, views[0]->shape).text);
    if (!made) return stria__fail(STRIA_ERR_ARGUMENT, "stack: out is NULL");
    j.write = write_split;
    STRIA_TRY(give_joined(NULL, &fresh, &j, ndim, joined, as, exec));
    return stria__deliver(made, &fresh,
                          stria_view_shape(&fresh.view, &fresh.view, ndim + 1, shape));
}

stria_status stria_stack_as_new(stria_array *out, int n, const stria_view *const *views, int dim,
                                const stria_dtype *dtype, stria_promotion rule,
                                const stria_exec *exec)
{
    const struct join_dtype as = {dtype, rule};
    STRIA_TRY(check_as(&as));
    return stack(NULL, out, n, views, dim, &as, exec);
}

DOORS(stack, (int n, const stria_view *const *views, int dim),
      stack(out, made, n, views, dim, &usual, exec))

/* ---- blocks of a diagonal -------------------------------------------------------------------- */

static stria_status write_blocks(void *arg, const stria_view *out)
{
    const struct join_call *const j = arg;
    STRIA_TRY(stria__fill_zero(out));
    WATCHES(NULL);
    int64_t row = 0, column = 0;
    for (int i = 0; i < j->n; i++) {
        stria_view block, place;
        if (i % ASKED_VIEWS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        STRIA_TRY(stria_atleast_2d(&block, j->views[i]));
        STRIA_TRY(stria_narrow(&place, out, 0, row, block.shape[0]));
        STRIA_TRY(stria_narrow(&place, &place, 1, column, block.shape[1]));
        STRIA_TRY(stria_copy(&place, &block, NULL));
        row += block.shape[0];
        column += block.shape[1];
    }
    return STRIA_OK;
}

static stria_status block_diag(const stria_view *out, stria_array *made, int n,
                               const stria_view *const *views, const stria_exec *exec)
{
    struct join_call j = {n, 0, views, NULL, write_blocks};
    int64_t shape[2] = {0, 0};
    TAKES_EXEC(exec, "block_diag");
    STRIA_TRY(check_inputs(n, views));
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
    return give_joined(out, made, &j, 2, shape, &usual, exec);
}

DOORS(block_diag, (int n, const stria_view *const *views), block_diag(out, made, n, views, exec))
