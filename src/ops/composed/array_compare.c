/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays, and their elements, by expressions over both. */
#include <math.h>

#include "dtype/dtype.h"
#include "ops/elementwise/operation.h"
#include "ops/expr/formula.h"
#include "ops/operands.h"
#include "stria/broadcast.h"
#include "stria/compare.h"

/* Two arrays that are compared. */
struct compared {
    const char *name;
    const stria_view *a, *b;
    stria_tolerance tolerance;
    int kind; /* f64 or c128, in which distances are computed */
    const stria_exec *exec;
};

static const stria_tolerance usual = {.rtol = 1e-5, .atol = 1e-8};

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status check_comparison(const struct compared *c)
{
    const stria_view *const views[] = {c->a, c->b};
    static const char *const names[] = {"a", "b"};
    STRIA_TRY(stria__check_exec(c->exec, c->name));
    for (int i = 0; i < 2; i++) {
        STRIA_TRY(stria__check_view(views[i], c->name, names[i]));
        STRIA_TRY(stria__check_number(views[i]->dtype, c->name, names[i]));
        STRIA_TRY(stria__check_memory(views[i], c->name, names[i]));
    }
    return STRIA_OK;
}

static stria_status read_tolerance(stria_tolerance *out, const stria_tolerance *given,
                                   const stria_tolerance *fallback, const char *name)
{
    *out = given ? *given : *fallback;
    STRIA_TRY(stria__check_reserved(out->reserved, "tolerance"));
    if (out->rtol >= 0 && out->atol >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: tolerances %g and %g, must be 0 or more", name,
                       out->rtol, out->atol);
}

static stria_status read_comparison(struct compared *c, const stria_tolerance *given,
                                    const stria_tolerance *fallback)
{
    STRIA_TRY(check_comparison(c));
    c->kind = stria_dtype_is_complex(c->a->dtype) || stria_dtype_is_complex(c->b->dtype)
                  ? STRIA_C128
                  : STRIA_F64;
    return read_tolerance(&c->tolerance, given, fallback, c->name);
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Makes the elements an operand; 8-bit floats, which have no operations, become f32. */
static int operand(struct formula *f, const stria_view *view)
{
    const int node = stria__formula_input(f, view);
    return is_float8_kind((stria_kind)view->dtype.kind) ? stria__formula_cast(f, node, STRIA_F32)
                                                        : node;
}

static int equal(struct formula *f, const stria_tolerance *by, int a, int b)
{
    const int same = apply2(f, STRIA_EQUAL, a, b);
    if (!by->equal_nan) return same;
    return apply2(f, STRIA_LOGICAL_OR, same,
                  apply2(f, STRIA_LOGICAL_AND, apply2(f, STRIA_NOT_EQUAL, a, a),
                         apply2(f, STRIA_NOT_EQUAL, b, b)));
}

/* Makes a node one of another kind, unless that is negative. */
static int widened(struct formula *f, int node, int kind)
{
    return kind < 0 ? node : stria__formula_cast(f, node, (stria_kind)kind);
}

static int distance(struct formula *f, int a, int b, int kind)
{
    return apply1(f, STRIA_ABS,
                  apply2(f, STRIA_SUBTRACT, widened(f, a, kind), widened(f, b, kind)));
}

/*
 * Tells which elements are close; infinite numbers only if they are equal. Distances are computed
 * in a kind, or in that of the nodes if it is negative.
 */
static int add_close(struct formula *f, const stria_tolerance *by, int a, int b, int kind)
{
    const int same = equal(f, by, a, b);
    if (by->rtol == 0 && by->atol == 0) return same;
    const int size = apply1(f, STRIA_ABS, widened(f, b, kind)),
              scaled = apply2(f, STRIA_MULTIPLY, formula_real(f, by->rtol), size),
              most = apply2(f, STRIA_ADD, formula_real(f, by->atol), scaled),
              near = apply2(f, STRIA_LESS_EQUAL, distance(f, a, b, kind), most),
              finite =
                  apply1(f, STRIA_ISFINITE, size); /* That of a finite complex number may be not. */
    return apply2(f, STRIA_LOGICAL_OR, same, apply2(f, STRIA_LOGICAL_AND, near, finite));
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static void begin_comparison(struct formula *f, const struct compared *c, int *a, int *b)
{
    stria__formula_begin(f, NULL, 0, NULL);
    *a = operand(f, c->a);
    *b = operand(f, c->b);
}

stria_status stria_array_equal(bool *out, const stria_view *a, const stria_view *b, bool equal_nan,
                               const stria_exec *exec)
{
    COMPUTES(exec);
    const struct compared c = {
        .name = "array_equal", .a = a, .b = b, .tolerance = {.equal_nan = equal_nan}, .exec = exec};
    struct formula f;
    int x, y;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "array_equal: equal is NULL");
    STRIA_TRY(check_comparison(&c));
    bool yes = view_same_shape(a, b);
    if (yes) {
        begin_comparison(&f, &c, &x, &y);
        (void)equal(&f, &c.tolerance, x, y);
        STRIA_TRY(stria__formula_reduce(&f, STRIA_ALL, &yes, STRIA_BOOL, exec));
    }
    *out = yes;
    return STRIA_OK;
}

/* Begins the formula that tells which elements are close. */
static int begin_close(struct formula *f, const struct compared *c)
{
    int a, b;
    begin_comparison(f, c, &a, &b);
    return add_close(f, &c->tolerance, a, b, c->kind);
}

stria_status stria_allclose(bool *out, const stria_view *a, const stria_view *b,
                            const stria_tolerance *tolerance, const stria_exec *exec)
{
    COMPUTES(exec);
    struct compared c = {.name = "allclose", .a = a, .b = b, .exec = exec};
    struct formula f;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "allclose: out is NULL");
    STRIA_TRY(read_comparison(&c, tolerance, &usual));
    (void)begin_close(&f, &c);
    return stria__formula_reduce(&f, STRIA_ALL, out, STRIA_BOOL, exec);
}

/* Tells where elements differ. */
static void begin_differences(struct formula *f, const struct compared *c)
{
    (void)apply1(f, STRIA_LOGICAL_NOT, begin_close(f, c));
}

/* Computes the distance where elements differ, -1 elsewhere, and inf where it is no number. */
static void begin_distances(struct formula *f, const struct compared *c)
{
    int a, b;
    begin_comparison(f, c, &a, &b);
    const int near = add_close(f, &c->tolerance, a, b, c->kind), apart = distance(f, a, b, c->kind),
              nan = apply1(f, STRIA_ISNAN, apart),
              far = apply3(f, STRIA_WHERE, nan, formula_real(f, HUGE_VAL), apart),
              none = formula_real(f, -1);
    (void)apply3(f, STRIA_WHERE, near, none, far);
}

stria_status stria_compare(stria_difference *out, const stria_view *a, const stria_view *b,
                           const stria_tolerance *tolerance, const stria_exec *exec)
{
    COMPUTES(exec);
    static const stria_tolerance exact = {.rtol = 0};
    struct compared c = {.name = "compare", .a = a, .b = b, .exec = exec};
    stria_difference found = {.elements = 1, .first = -1, .largest = 0, .largest_at = -1};
    int64_t shape[STRIA_MAX_NDIM];
    struct formula f;
    int ndim;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "compare: out is NULL");
    STRIA_TRY(read_comparison(&c, tolerance, &exact));
    STRIA_TRY(stria_broadcast_shape(&ndim, shape, 2, (const stria_view *[]){a, b}));
    for (int d = 0; d < ndim; d++)
        found.elements *= shape[d];
    begin_differences(&f, &c);
    STRIA_TRY(stria__formula_reduce(&f, STRIA_COUNT_NONZERO, &found.count, STRIA_I64, exec));
    if (found.count > 0) {
        begin_differences(&f, &c);
        STRIA_TRY(stria__formula_reduce(&f, STRIA_ARGMAX, &found.first, STRIA_I64, exec));
        begin_distances(&f, &c);
        STRIA_TRY(stria__formula_reduce(&f, STRIA_ARGMAX, &found.largest_at, STRIA_I64, exec));
        begin_distances(&f, &c);
        STRIA_TRY(stria__formula_reduce(&f, STRIA_MAX, &found.largest, STRIA_F64, exec));
    }
    *out = found;
    return STRIA_OK;
}

/* ---- of each element ------------------------------------------------------------------------- */

/* Converts an integer to a float: by NumPy's rule to f64, which holds every 32-bit integer. */
static int as_float(struct formula *f, const stria_view *a, const stria_exec *exec)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const int node = stria__formula_input(f, a);
    if (kind != STRIA_BOOL && !is_integer_kind(kind)) return node;
    return stria__formula_cast(f, node,
                               promotion_of(exec) == STRIA_PROMOTE_NUMPY ? STRIA_F64 : STRIA_F32);
}

stria_status stria_isclose(const stria_view *out, const stria_view *a, const stria_view *b,
                           const stria_tolerance *tolerance, const stria_exec *exec)
{
    struct formula f;
    stria_tolerance by;
    STRIA_TRY(read_tolerance(&by, tolerance, &usual, "isclose"));
    STRIA_TRY(stria__check_view(out, "isclose", "out"));
    STRIA_TRY(stria__check_view(a, "isclose", "a"));
    STRIA_TRY(stria__check_view(b, "isclose", "b"));
    stria__formula_begin(&f, NULL, 0, NULL);
    const int x = as_float(&f, a, exec);
    (void)add_close(&f, &by, x, as_float(&f, b, exec), -1);
    return stria__formula_evaluate(&f, out, exec);
}

stria_status stria_isclose_new(stria_array *out, const stria_view *a, const stria_view *b,
                               const stria_tolerance *tolerance, const stria_exec *exec)
{
    const stria_dtype truth = stria_dtype_of(STRIA_BOOL);
    MAKES(made, out, "isclose");
    STRIA_TRY(stria__make_results(1, &made, &truth, "isclose", 2, (const stria_view *[]){a, b},
                                  mask_of(exec)));
    return stria__deliver(out, &made, stria_isclose(&made.view, a, b, tolerance, exec));
}
