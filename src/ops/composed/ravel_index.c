/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of elements in C or Fortran order, and their indices: each an expression of the others.
 */
#include "dtype/dtype.h"
#include "ops/composed/composed.h"
#include "ops/elementwise/operation.h"
#include "ops/expr/formula.h"
#include "stria/axes.h"
#include "stria/indexing.h"

/* Finds how many elements lie between neighbours of each dim, and their number. */
static stria_status steps_of(int64_t *steps, int64_t *all, int ndim, const int64_t *shape,
                             stria_order order, const char *op)
{
    *all = 1;
    STRIA_TRY(stria__check_shape(ndim, shape, op));
    if (ndim > 0 && !shape) return stria__fail(STRIA_ERR_ARGUMENT, "%s: shape is NULL", op);
    if (order != STRIA_ORDER_C && order != STRIA_ORDER_F)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: order is neither C nor F", op);
    for (int i = 0; i < ndim; i++) {
        const int d = order == STRIA_ORDER_C ? ndim - 1 - i : i;
        steps[d] = *all;
        *all *= shape[d]; /* The check has multiplied them. */
    }
    return STRIA_OK;
}

static stria_status check_integers(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    if (is_integer_kind((stria_kind)a->dtype.kind)) return STRIA_OK;
    return stria__refuse_dtype(a->dtype, op, name, ", must be an integer");
}

/* Refuses integers outside of 0 .. n - 1. */
static stria_status check_range(const stria_view *a, int64_t n, const char *op, const char *name)
{
    bool beyond = false;
    struct formula f;
    if (view_is_meta(a) || stria_numel(a) == 0) return STRIA_OK;
    const int x = stria__formula_cast(&f, formula_of(&f, a), STRIA_I64);
    (void)apply2(&f, STRIA_LOGICAL_OR, apply2(&f, STRIA_LESS, x, formula_integer(&f, 0)),
                 apply2(&f, STRIA_GREATER_EQUAL, x, formula_integer(&f, n)));
    STRIA_TRY(stria__formula_reduce(&f, STRIA_ANY, &beyond, STRIA_BOOL, NULL));
    if (!beyond) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: %s has a number that is not in 0 .. %lld", op, name,
                       (long long)n - 1);
}

/* ---- indices of numbers ---------------------------------------------------------------------- */

static stria_status unravel_index(stria_array *made, const stria_view *a, int ndim,
                                  const int64_t *shape, stria_order order)
{
    static const char op[] = "unravel_index";
    int64_t steps[STRIA_MAX_NDIM], all, out[STRIA_MAX_NDIM];
    STRIA_TRY(steps_of(steps, &all, ndim, shape, order, op));
    STRIA_TRY(check_integers(a, op, "a"));
    if (a->ndim == STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "%s: a has %d dims, the result one more", op, a->ndim);
    STRIA_TRY(check_range(a, all, op, "a"));
    out[0] = ndim;
    for (int d = 0; d < a->ndim; d++)
        out[d + 1] = a->shape[d];
    STRIA_TRY(stria__empty_like_memory(made, a, stria_dtype_of(STRIA_I64), a->ndim + 1, out,
                                       STRIA_ORDER_C));
    for (int d = 0; d < ndim && !view_is_meta(a) && all > 0; d++) {
        struct formula f;
        stria_view to;
        STRIA_TRY(stria_select(&to, &made->view, 0, d));
        const int x = stria__formula_cast(&f, formula_of(&f, a), STRIA_I64),
                  whole = apply2(&f, STRIA_FLOOR_DIVIDE, x, formula_integer(&f, steps[d]));
        (void)apply2(&f, STRIA_REMAINDER, whole, formula_integer(&f, shape[d]));
        STRIA_TRY(stria__formula_evaluate(&f, &to, NULL));
    }
    return STRIA_OK;
}

COMPOSED(unravel_index, (const stria_view *a, int ndim, const int64_t *shape, stria_order order),
         unravel_index(&made, a, ndim, shape, order))

/* ---- numbers of indices ---------------------------------------------------------------------- */

/* Adds the index of one dim, brought into its size as the mode says, times its step. */
static int add_index(struct formula *f, const stria_view *index, int64_t n, int64_t step,
                     stria_index_mode mode, int sum)
{
    int x = stria__formula_cast(f, stria__formula_input(f, index), STRIA_I64);
    if (mode == STRIA_INDEX_WRAP) x = apply2(f, STRIA_REMAINDER, x, formula_integer(f, n));
    if (mode == STRIA_INDEX_CLIP)
        x = apply3(f, STRIA_CLIP, x, formula_integer(f, 0), formula_integer(f, n - 1));
    const int part = apply2(f, STRIA_MULTIPLY, x, formula_integer(f, step));
    return sum < 0 ? part : apply2(f, STRIA_ADD, sum, part);
}

static stria_status ravel_index(stria_array *made, int n, const stria_view *const *indices,
                                int ndim, const int64_t *shape, stria_index_mode mode,
                                stria_order order)
{
    static const char op[] = "ravel_index";
    int64_t steps[STRIA_MAX_NDIM], all;
    struct formula f;
    STRIA_TRY(steps_of(steps, &all, ndim, shape, order, op));
    if (n != ndim || n < 1 || n > STRIA_EXPR_INPUTS || !indices)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d arrays of indices for %d dims, at most %d",
                           op, n, ndim, STRIA_EXPR_INPUTS);
    if ((unsigned)mode > STRIA_INDEX_CLIP)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no mode %d", op, (int)mode);
    for (int d = 0; d < n; d++)
        STRIA_TRY(check_integers(indices[d], op, "an index"));
    STRIA_TRY(stria__make_result(made, op, n, indices, stria_dtype_of(STRIA_I64)));
    if (view_is_meta(&made->view)) return STRIA_OK;
    for (int d = 0; d < n; d++)
        if (mode <= STRIA_INDEX_STRICT || shape[d] == 0)
            STRIA_TRY(check_range(indices[d], shape[d], op, "an index"));
    stria__formula_begin(&f, NULL, 0, NULL);
    int sum = -1;
    for (int d = 0; d < n; d++)
        sum = add_index(&f, indices[d], shape[d], steps[d], mode, sum);
    return stria__formula_evaluate(&f, &made->view, NULL);
}

COMPOSED(ravel_index,
         (int n, const stria_view *const *indices, int ndim, const int64_t *shape,
          stria_index_mode mode, stria_order order),
         ravel_index(&made, n, indices, ndim, shape, mode, order))
