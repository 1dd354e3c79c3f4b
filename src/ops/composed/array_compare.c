/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays by expressions over both that end in reductions. */
#include <math.h>

#include "view/array.h"
#include "machine/fp_mode.h"
#include "ops/expr/formula.h"
#include "ops/operands.h"
#include "stria/broadcast.h"
#include "stria/compare.h"

/* Two arrays that are compared. */
struct comparison {
    const char *name;
    const stria_view *a, *b;
    stria_tolerance tolerance;
    const stria_exec *exec;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status check_comparison(const struct comparison *c)
{
    const stria_view *const views[] = {c->a, c->b};
    static const char *const names[] = {"a", "b"};
    STRIA_TRY(stria__check_exec(c->exec, c->name));
    for (int i = 0; i < 2; i++) {
        STRIA_TRY(stria__check_view(views[i], c->name, names[i]));
        STRIA_TRY(stria__check_number(views[i]->dtype, c->name, names[i]));
        STRIA_TRY(stria__check_memory(views[i], c->name, names[i]));
    }
    STRIA_TRY(stria__check_reserved(c->tolerance.reserved, "tolerance"));
    if (!(c->tolerance.rtol >= 0) || !(c->tolerance.atol >= 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: tolerances %g and %g, must be 0 or more",
                           c->name, c->tolerance.rtol, c->tolerance.atol);
    return STRIA_OK;
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Makes the elements an operand; 8-bit floats, which have no operations, become f32. */
static int operand(struct formula *f, const stria_view *view)
{
    const int node = stria__formula_input(f, view);
    return is_float8_kind((stria_kind)view->dtype.kind) ? stria__formula_cast(f, node, STRIA_F32)
                                                        : node;
}

/* Tells of each element whether both are NaN, as a bool. */
static int both_nan(struct formula *f, int a, int b)
{
    return apply2(f, STRIA_LOGICAL_AND, apply2(f, STRIA_NOT_EQUAL, a, a),
                  apply2(f, STRIA_NOT_EQUAL, b, b));
}

static int equal(struct formula *f, const struct comparison *c, int a, int b)
{
    const int same = apply2(f, STRIA_EQUAL, a, b);
    if (!c->tolerance.equal_nan) return same;
    return apply2(f, STRIA_LOGICAL_OR, same, both_nan(f, a, b));
}

/* Computes |a - b| in f64. */
static int distance(struct formula *f, const struct comparison *c, int a, int b)
{
    const bool complex_ones =
        stria_dtype_is_complex(c->a->dtype) || stria_dtype_is_complex(c->b->dtype);
    const stria_kind kind = complex_ones ? STRIA_C128 : STRIA_F64;
    const int x = stria__formula_cast(f, a, kind), y = stria__formula_cast(f, b, kind);
    return apply1(f, STRIA_ABS, apply2(f, STRIA_SUBTRACT, x, y));
}

/* Tells which elements are close; infinite numbers only if they are equal. */
static int add_close(struct formula *f, const struct comparison *c, int a, int b)
{
    const int same = equal(f, c, a, b);
    if (c->tolerance.rtol == 0 && c->tolerance.atol == 0) return same;
    const stria_kind kind = stria_dtype_is_complex(c->b->dtype) ? STRIA_C128 : STRIA_F64;
    const int size = apply1(f, STRIA_ABS, stria__formula_cast(f, b, kind)),
              scaled = apply2(f, STRIA_MULTIPLY, formula_real(f, c->tolerance.rtol), size),
              most = apply2(f, STRIA_ADD, formula_real(f, c->tolerance.atol), scaled),
              near = apply2(f, STRIA_LESS_EQUAL, distance(f, c, a, b), most),
              finite = apply1(f, STRIA_ISFINITE, size);
    return apply2(f, STRIA_LOGICAL_OR, same, apply2(f, STRIA_LOGICAL_AND, near, finite));
}

static void begin_comparison(struct formula *f, const struct comparison *c, int *a, int *b)
{
    stria__formula_begin(f, NULL, 0, NULL);
    *a = operand(f, c->a);
    *b = operand(f, c->b);
}

/* Reduces all elements of the formula into one item at `to`, and ends the formula. */
static stria_status reduce(struct formula *f, stria_reduction op, void *to, stria_kind kind,
                           const stria_exec *exec)
{
    stria_view out;
    stria_status status = f->status;
    view_of_item(&out, to, kind);
    if (status == STRIA_OK)
        status =
            stria_expr_reduce(&out, f->expr, op, f->n, f->input, STRIA_ALL_DIMS, NULL, NULL, exec);
    stria__formula_end(f);
    return status;
}

stria_status stria_array_equal(bool *out, const stria_view *a, const stria_view *b, bool equal_nan,
                               const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(exec);
    const struct comparison c = {
        .name = "array_equal", .a = a, .b = b, .tolerance = {.equal_nan = equal_nan}, .exec = exec};
    struct formula f;
    int x, y;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "array_equal: equal is NULL");
    STRIA_TRY(check_comparison(&c));
    bool yes;
    *out = view_same_shape(a, b);
    if (!*out) return STRIA_OK;
    begin_comparison(&f, &c, &x, &y);
    (void)equal(&f, &c, x, y);
    STRIA_TRY(reduce(&f, STRIA_ALL, &yes, STRIA_BOOL, exec));
    *out = yes;
    return STRIA_OK;
}

stria_status stria_allclose(bool *out, const stria_view *a, const stria_view *b,
                            const stria_tolerance *tolerance, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(exec);
    struct comparison c = {.name = "allclose", .a = a, .b = b, .exec = exec};
    struct formula f;
    int x, y;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "allclose: out is NULL");
    c.tolerance = tolerance ? *tolerance : (stria_tolerance){.rtol = 1e-5, .atol = 1e-8};
    STRIA_TRY(check_comparison(&c));
    begin_comparison(&f, &c, &x, &y);
    (void)add_close(&f, &c, x, y);
    return reduce(&f, STRIA_ALL, out, STRIA_BOOL, exec);
}

/* Computes the distance where elements differ, -1 elsewhere, and inf where it is no number. */
static void add_distance(struct formula *f, const struct comparison *c)
{
    int x, y;
    begin_comparison(f, c, &x, &y);
    const int near = add_close(f, c, x, y), apart = distance(f, c, x, y),
              nan = apply1(f, STRIA_ISNAN, apart),
              far = apply3(f, STRIA_WHERE, nan, formula_real(f, HUGE_VAL), apart),
              none = formula_real(f, -1);
    apply3(f, STRIA_WHERE, near, none, far);
}

static void differ(struct formula *f, const struct comparison *c)
{
    int x, y;
    begin_comparison(f, c, &x, &y);
    apply1(f, STRIA_LOGICAL_NOT, add_close(f, c, x, y));
}

stria_status stria_compare(stria_difference *out, const stria_view *a, const stria_view *b,
                           const stria_tolerance *tolerance, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(exec);
    struct comparison c = {.name = "compare", .a = a, .b = b, .exec = exec};
    stria_difference found = {.elements = 1, .first = -1, .largest = 0, .largest_at = -1};
    int64_t shape[STRIA_MAX_NDIM];
    struct formula f;
    int ndim;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "compare: out is NULL");
    if (tolerance) c.tolerance = *tolerance;
    STRIA_TRY(check_comparison(&c));
    STRIA_TRY(stria_broadcast_shape(&ndim, shape, 2, (const stria_view *[]){a, b}));
    for (int d = 0; d < ndim; d++)
        found.elements *= shape[d];
    differ(&f, &c);
    STRIA_TRY(reduce(&f, STRIA_COUNT_NONZERO, &found.count, STRIA_I64, exec));
    if (found.count > 0) {
        differ(&f, &c);
        STRIA_TRY(reduce(&f, STRIA_ARGMAX, &found.first, STRIA_I64, exec));
        add_distance(&f, &c);
        STRIA_TRY(reduce(&f, STRIA_ARGMAX, &found.largest_at, STRIA_I64, exec));
        add_distance(&f, &c);
        STRIA_TRY(reduce(&f, STRIA_MAX, &found.largest, STRIA_F64, exec));
    }
    *out = found;
    return STRIA_OK;
}
