/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that are compositions of the library's functions. */
#include <math.h>
#include <string.h>

#include "lang/rows/rows.h"
#include "ops/expr/formula.h"
#include "stria/analysis.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "stria/sort.h"
#include "stria/window.h"
#include "stria/window_ops.h"
#include "view/view.h"

/* Puts a new array in place of an argument. */
static stria_status replace(struct invocation *c, int i, stria_array made)
{
    return stria__call_hold(c, &c->args[i].view, made);
}

/* ---- by element ------------------------------------------------------------------------------ */

/* Divides, and rounds the quotient as text says; argument 2 is that, 3 is out. */
stria_status stria__row_divide_rounded(struct invocation *c)
{
    if (!GIVEN(2)) return INTO_OR_NEW(3, stria_divide, stria_divide_new, A, ARRAY(1), EXEC);
    STRIA_TRY(stria__call_choice(c, 2, "trunc|floor",
                                 "rounding_mode '%.40s': there are trunc and floor"));
    return INT(2) ? INTO_OR_NEW(3, stria_floor_divide, stria_floor_divide_new, A, ARRAY(1), EXEC)
                  : INTO_OR_NEW(3, stria_quotient, stria_quotient_new, A, ARRAY(1), EXEC);
}

/* Multiplies each element of one array with the whole other one, in the place of the element. */
stria_status stria__row_kron(struct invocation *c)
{
    stria_view x = *A, y = *ARRAY(1);
    int64_t shape[STRIA_MAX_NDIM];
    stria_array made = {0};
    while (x.ndim < y.ndim)
        STRIA_TRY(stria_unsqueeze(&x, &x, 0));
    while (y.ndim < x.ndim)
        STRIA_TRY(stria_unsqueeze(&y, &y, 0));
    const int n = x.ndim;
    for (int d = 0; d < n; d++)
        if (mul_overflows(x.shape[d], y.shape[d], &shape[d]))
            return REFUSE(OVERFLOW, "kron: dim %d overflows", d);
    for (int d = n; d-- > 0;) {
        STRIA_TRY(stria_unsqueeze(&x, &x, d + 1));
        STRIA_TRY(stria_unsqueeze(&y, &y, d));
    }
    STRIA_TRY(stria_multiply_new(&made, &x, &y, EXEC));
    STRIA_TRY(replace(c, 0, made));
    return stria_reshape(NEW, A, n, shape, STRIA_COPY_IF_NEEDED, NULL, EXEC);
}

/* Writes component i of a product of vectors, whose components are along a dim. */
static stria_status write_component(struct invocation *c, int i, const stria_view *both, int dim)
{
    struct formula f;
    stria_view to, parts[4];
    int terms[2];
    STRIA_TRY(stria_select(&to, VIEW, dim, i));
    for (int k = 0; k < 4; k++) /* a[i+1], b[i+2], a[i+2], b[i+1] */
        STRIA_TRY(stria_select(&parts[k], &both[k % 2], dim, (i + (k % 3 ? 2 : 1)) % 3));
    stria__formula_begin(&f, NULL, 0, NULL);
    for (int k = 0; k < 2; k++)
        terms[k] = apply2(&f, STRIA_MULTIPLY, stria__formula_input(&f, &parts[2 * k]),
                          stria__formula_input(&f, &parts[2 * k + 1]));
    (void)apply2(&f, STRIA_SUBTRACT, terms[0], terms[1]);
    return stria__formula_evaluate(&f, &to, EXEC);
}

stria_status stria__row_cross(struct invocation *c)
{
    const stria_view *const given[] = {A, ARRAY(1)};
    stria_view both[2];
    stria_dtype dtype;
    STRIA_TRY(stria_result_dtype(&dtype, STRIA_MULTIPLY, 2, given, stria__call_rule(c)));
    STRIA_TRY(stria_broadcast_tensors(both, 2, given));
    const int dim = DIM(2) < 0 ? DIM(2) + both->ndim : DIM(2);
    /* A dim that is counted from the end is the same of both, however many they have. */
    const bool same = DIM(2) < 0 || A->ndim == ARRAY(1)->ndim;
    if (dim < 0 || dim >= both->ndim || !same || both->shape[dim] != 3)
        return REFUSE(SHAPE, "vectors have 3 components along a dim of both, here %d", DIM(2));
    STRIA_TRY(stria_result_empty(NEW, 2, given, dtype));
    for (int i = 0; i < 3 && !view_is_meta(VIEW); i++)
        STRIA_TRY(write_component(c, i, both, dim));
    return STRIA_OK;
}

/* Takes each element of the array that an integer names. */
stria_status stria__row_choose(struct invocation *c)
{
    const int n = (int)c->args[1].count;
    const stria_view **const given = stria__pool_array(c->pool, (size_t)n + 1, sizeof *given);
    stria_view *const same = stria__pool_array(c->pool, (size_t)n + 1, sizeof *same);
    stria_view index;
    stria_array all = {0};
    TRY_MEMORY(given && same);
    if (n < 1) return REFUSE(ARGUMENT, "choose: there are no choices");
    given[n] = A;
    for (int i = 0; i < n; i++)
        given[i] = c->args[1].views[i];
    STRIA_TRY(stria_broadcast_tensors(same, n + 1, given));
    for (int i = 0; i <= n; i++)
        given[i] = &same[i];
    STRIA_TRY(stria_stack_as_new(&all, n, given, 0, NULL, stria__call_rule(c), EXEC));
    STRIA_TRY(stria__call_hold(c, &given[0], all));
    STRIA_TRY(stria_unsqueeze(&index, &same[n], 0));
    STRIA_TRY(stria_gather_new(NEW, given[0], &index, 0, EXEC));
    return stria_select(VIEW, VIEW, 0, 0);
}

/* ---- scans and reductions without NaN -------------------------------------------------------- */

/* Puts a number in the place of each NaN of the first argument. */
static stria_status replace_nan(struct invocation *c, double number)
{
    struct formula f;
    stria_array made = {0};
    if (A->dtype.kind < STRIA_F8E4M3) return STRIA_OK;
    const int x = formula_of(&f, A);
    (void)apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNAN, x), formula_real(&f, number), x);
    STRIA_TRY(stria__formula_evaluate_new(&made, &f, EXEC));
    STRIA_TRY(replace(c, 0, made));
    c->self = A;
    c->waiting = NULL; /* The array ends with the call. */
    return STRIA_OK;
}

stria_status stria__row_nan_scan(struct invocation *c, stria_scan op)
{
    STRIA_TRY(replace_nan(c, op == STRIA_CUMPROD ? 1 : 0));
    return stria__row_scan(c, op, c->numpy, 3, TYPE(2), false);
}

/* Finds extremes of numbers, of which there is one at least along the dims. */
stria_status stria__row_nan_extreme(struct invocation *c, stria_reduction op)
{
    stria_array nan = {0}, all = {0};
    bool none = false;
    stria_view out;
    if (A->dtype.kind >= STRIA_F8E4M3 && !view_is_meta(A) && stria_numel(A) > 0) {
        STRIA_TRY(stria_isnan_new(&nan, A, NULL));
        stria_status status = stria_all_new(&all, &nan.view, REDUCED(1), false, NULL);
        view_of_item(&out, &none, STRIA_BOOL);
        if (status == STRIA_OK) status = stria_any(&out, &all.view, STRIA_ALL_DIMS, NULL, NULL);
        stria_array_release(&nan);
        stria_array_release(&all);
        STRIA_TRY(status);
    }
    if (none) return REFUSE(ARGUMENT, "%.*s: all elements are NaN", NAME);
    STRIA_TRY(replace_nan(c, op == STRIA_ARGMAX ? (double)-INFINITY : (double)INFINITY));
    return stria__row_reduce(c, op);
}
