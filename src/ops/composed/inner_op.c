/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inner products of any two operations: f folds what g gives of a row and a column. That is done
 * for some rows and columns at a time, so that what g gives stays in the caches.
 */
#include "ops/composed/composed.h"
#include "plan/threads.h"
#include "stria/axes.h"
#include "stria/elementwise.h"
#include "stria/fold.h"
#include "stria/window.h"

/* Elements that g gives at once. */
enum { AT_ONCE = 1 << 15 };

/* A matrix of rows, one of columns, and the operations. */
struct inner {
    stria_op f, g;
    const stria_exec *exec;
    stria_view a, b; /* (rows, n, 1) and (n, columns) */
};

static stria_status check_inner(stria_op f, stria_op g, const stria_view *a, const stria_view *b)
{
    static const char op[] = "inner_op";
    STRIA_TRY(stria__check_view(a, op, "a"));
    STRIA_TRY(stria__check_view(b, op, "b"));
    if (stria_op_inputs(f) != 2 || stria_op_inputs(g) != 2)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: operations %d and %d, both must take 2 operands", op, (int)f,
                           (int)g);
    if (a->ndim < 1 || b->ndim < 1 || a->shape[a->ndim - 1] != b->shape[0])
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a of shape %s, b of shape %s; the last dim of a is the first of b",
                           op, stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(b->ndim, b->shape).text);
    if (a->ndim + b->ndim - 2 > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %d and %d dims, and there are at most %d", op,
                           a->ndim, b->ndim, STRIA_MAX_NDIM);
    return STRIA_OK;
}

/* Computes rows first .. first + count - 1 of some columns. */
static stria_status fold_block(stria_array *made, const struct inner *p, const int64_t first[2],
                               const int64_t count[2])
{
    int along = 1;
    stria_view rows, columns;
    OWNED_ARRAY(given);
    STRIA_TRY(stria_narrow(&rows, &p->a, 0, first[0], count[0]));
    STRIA_TRY(stria_narrow(&columns, &p->b, 1, first[1], count[1]));
    STRIA_TRY(
        stria_elementwise_new(&given, p->g, 2, (const stria_view *[]){&rows, &columns}, p->exec));
    return stria_fold_op_new(made, p->f, &given.view, 1, &along, NULL, p->exec);
}

static stria_status fold_blocks(const stria_view *out, const struct inner *p)
{
    const int64_t n = p->a.shape[1] > 0 ? p->a.shape[1] : 1, all[] = {p->a.shape[0], p->b.shape[1]},
                  fit = AT_ONCE / n > 1 ? AT_ONCE / n : 1, columns = least(fit, all[1]),
                  rows = least(fit / (columns ? columns : 1), all[0]);
    int64_t at[2], count[2];
    for (at[0] = 0; at[0] < all[0]; at[0] += rows)
        for (at[1] = 0; at[1] < all[1]; at[1] += columns) {
            stria_view place;
            OWNED_ARRAY(made);
            count[0] = least(rows, all[0] - at[0]);
            count[1] = least(columns, all[1] - at[1]);
            STRIA_TRY(fold_block(&made, p, at, count));
            STRIA_TRY(stria_narrow(&place, out, 0, at[0], count[0]));
            STRIA_TRY(stria_narrow(&place, &place, 1, at[1], count[1]));
            STRIA_TRY(stria_copy(&place, &made.view, p->exec));
        }
    return STRIA_OK;
}

static stria_status inner(stria_array *made, stria_op f, stria_op g, const stria_view *a,
                          const stria_view *b, const stria_exec *exec)
{
    static const int64_t nowhere[] = {0, 0};
    struct inner p = {.f = f, .g = g, .exec = exec};
    int64_t shape[STRIA_MAX_NDIM], rows = 1, columns = 1;
    stria_view matrix;
    OWNED_ARRAYS(left, right, none);
    STRIA_TRY(check_inner(f, g, a, b));
    const int64_t n = b->shape[0];
    for (int d = 0; d < a->ndim - 1; d++)
        rows *= shape[d] = a->shape[d];
    for (int d = 1; d < b->ndim; d++)
        columns *= shape[a->ndim - 2 + d] = b->shape[d];
    STRIA_TRY(
        stria_reshape(&left, a, 3, (int64_t[]){rows, n, 1}, STRIA_COPY_IF_NEEDED, NULL, exec));
    STRIA_TRY(
        stria_reshape(&right, b, 2, (int64_t[]){n, columns}, STRIA_COPY_IF_NEEDED, NULL, exec));
    view_copy(&p.a, &left.view);
    view_copy(&p.b, &right.view);
    /* The fold of no rows has the dtype of all. */
    STRIA_TRY(fold_block(&none, &p, nowhere, nowhere));
    STRIA_TRY(stria__empty_like_memory(made, view_nearest(2, (const stria_view *[]){a, b}),
                                       none.view.dtype, a->ndim + b->ndim - 2, shape,
                                       STRIA_ORDER_C));
    if (view_is_meta(&made->view)) return STRIA_OK;
    STRIA_TRY(stria_view_shape(&matrix, &made->view, 2, (int64_t[]){rows, columns}));
    return fold_blocks(&matrix, &p);
}

stria_status stria_inner_op(const stria_view *out, stria_op f, stria_op g, const stria_view *a,
                            const stria_view *b, const stria_exec *exec)
{
    COMPOSED_INTO("inner_op", inner(&made, f, g, a, b, exec));
}

stria_status stria_inner_op_new(stria_array *out, stria_op f, stria_op g, const stria_view *a,
                                const stria_view *b, const stria_exec *exec)
{
    COMPOSED_NEW("inner_op", inner(&made, f, g, a, b, exec));
}
