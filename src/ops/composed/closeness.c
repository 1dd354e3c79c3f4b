/* SPDX-License-Identifier: BSD-3-Clause */
/* isclose and nan_to_num: expressions of other operations, evaluated in one pass. */
#include "stria/elementwise.h"

#include "ops/elementwise/kinds.h"
#include "status.h"
#include "stria/expr.h"
#include "view/view.h"

/* An expression in progress. After the first failure, which is kept, nothing is added. */
struct builder {
    stria_expr *expr;
    stria_status status;
};

static int input(struct builder *b, int index)
{
    int node = 0;
    if (b->status == STRIA_OK) b->status = stria_expr_input(b->expr, &node, index);
    return node;
}

static int scalar(struct builder *b, stria_kind kind, const void *value)
{
    int node = 0;
    if (b->status == STRIA_OK) b->status = stria_expr_scalar(b->expr, &node, kind, value);
    return node;
}

static int apply(struct builder *b, stria_op op, int x, int y, int z)
{
    int node = 0;
    const int operands[] = {x, y, z};
    if (b->status == STRIA_OK)
        b->status = stria_expr_op(b->expr, &node, op, stria_op_inputs(op), operands);
    return node;
}

static stria_status finish(struct builder *b, const stria_view *out, int n,
                           const stria_view *const *inputs, const stria_exec *exec)
{
    if (b->status == STRIA_OK) b->status = stria_expr_evaluate(b->expr, out, n, inputs, exec);
    stria_expr_free(b->expr);
    return b->status;
}

/* ---- isclose -------------------------------------------------------------------------------- */

static stria_status check_tolerance(double value, const char *name)
{
    if (value >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "isclose: %s is %g; it has to be 0 or more", name,
                       value);
}

/* Converts an integer to a float: by NumPy's rule to f64, which holds every 32-bit integer. */
static int as_float(struct builder *b, int node, const stria_view *a, const stria_exec *exec)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    int out = node;
    if (kind != STRIA_BOOL && !is_integer_kind(kind)) return node;
    const bool numpy = exec && (exec->hints & STRIA_PROMOTE_AS_NUMPY);
    if (b->status == STRIA_OK)
        b->status = stria_expr_cast(b->expr, &out, node, numpy ? STRIA_F64 : STRIA_F32);
    return out;
}

stria_status stria_isclose(const stria_view *out, const stria_view *a, const stria_view *b,
                           double rtol, double atol, bool equal_nan, const stria_exec *exec)
{
    struct builder e = {NULL, STRIA_OK};
    STRIA_TRY(check_tolerance(rtol, "rtol"));
    STRIA_TRY(check_tolerance(atol, "atol"));
    STRIA_TRY(stria__check_view(out, "isclose", "out"));
    STRIA_TRY(stria__check_view(a, "isclose", "a"));
    STRIA_TRY(stria__check_view(b, "isclose", "b"));
    STRIA_TRY(stria_expr_new(&e.expr));
    const int first = input(&e, 0), second = input(&e, 1);
    const int x = as_float(&e, first, a, exec), y = as_float(&e, second, b, exec);
    const int part =
        apply(&e, STRIA_MULTIPLY, scalar(&e, STRIA_F64, &rtol), apply(&e, STRIA_ABS, y, 0, 0), 0);
    const int most = apply(&e, STRIA_ADD, scalar(&e, STRIA_F64, &atol), part, 0);
    const int apart = apply(&e, STRIA_ABS, apply(&e, STRIA_SUBTRACT, x, y, 0), 0, 0);
    const int within = apply(&e, STRIA_LOGICAL_AND, apply(&e, STRIA_LESS_EQUAL, apart, most, 0),
                             apply(&e, STRIA_ISFINITE, y, 0, 0), 0);
    const int close = apply(&e, STRIA_LOGICAL_OR, within, apply(&e, STRIA_EQUAL, x, y, 0), 0);
    if (equal_nan)
        (void)apply(&e, STRIA_LOGICAL_OR, close,
                    apply(&e, STRIA_LOGICAL_AND, apply(&e, STRIA_ISNAN, x, 0, 0),
                          apply(&e, STRIA_ISNAN, y, 0, 0), 0),
                    0);
    return finish(&e, out, 2, (const stria_view *const[]){a, b}, exec);
}

/* ---- nan_to_num ----------------------------------------------------------------------------- */

static double greatest_of(stria_kind kind)
{
    switch (kind) {
    case STRIA_F16: return 65504;
    case STRIA_BF16: return 0x1.FEp127;
    case STRIA_F32: return 0x1.FFFFFEp127;
    default: return 0x1.FFFFFFFFFFFFFp1023;
    }
}

stria_status stria_nan_to_num(const stria_view *out, const stria_view *a, const double *nan,
                              const double *posinf, const double *neginf, const stria_exec *exec)
{
    struct builder e = {NULL, STRIA_OK};
    STRIA_TRY(stria__check_view(out, "nan_to_num", "out"));
    STRIA_TRY(stria__check_view(a, "nan_to_num", "a"));
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const double zero = 0, most = greatest_of(kind), least = -most;
    if (is_complex_kind(kind) || is_float8_kind(kind))
        return stria__fail(STRIA_ERR_DTYPE, "nan_to_num: a is %s; %s",
                           is_complex_kind(kind) ? "complex" : "of 8-bit floats",
                           is_complex_kind(kind) ? "take stria_view_as_real of it first"
                                                 : "cast it to f16 or f32 first");
    if (!is_float_kind(kind)) return stria_floor(out, a, exec); /* whole as it is */
    STRIA_TRY(stria_expr_new(&e.expr));
    const int x = input(&e, 0);
    const int low = apply(&e, STRIA_WHERE, apply(&e, STRIA_ISNEGINF, x, 0, 0),
                          scalar(&e, STRIA_F64, neginf ? neginf : &least), x);
    const int high = apply(&e, STRIA_WHERE, apply(&e, STRIA_ISPOSINF, x, 0, 0),
                           scalar(&e, STRIA_F64, posinf ? posinf : &most), low);
    (void)apply(&e, STRIA_WHERE, apply(&e, STRIA_ISNAN, x, 0, 0),
                scalar(&e, STRIA_F64, nan ? nan : &zero), high);
    return finish(&e, out, 1, &a, exec);
}
