/* SPDX-License-Identifier: BSD-3-Clause */
/* isclose and nan_to_num: expressions of other operations, evaluated in one pass. */
#include "ops/expr/formula.h"
#include "view/view.h"

static stria_status check_tolerance(double value, const char *name)
{
    if (value >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "isclose: %s is %g; it has to be 0 or more", name,
                       value);
}

/* Converts an integer to a float: by NumPy's rule to f64, which holds every 32-bit integer. */
static int as_float(struct formula *f, const stria_view *a, const stria_exec *exec)
{
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const int node = stria__formula_input(f, a);
    if (kind != STRIA_BOOL && !is_integer_kind(kind)) return node;
    const bool numpy = exec && (exec->hints & STRIA_PROMOTE_AS_NUMPY);
    return stria__formula_cast(f, node, numpy ? STRIA_F64 : STRIA_F32);
}

stria_status stria_isclose(const stria_view *out, const stria_view *a, const stria_view *b,
                           double rtol, double atol, bool equal_nan, const stria_exec *exec)
{
    struct formula f;
    STRIA_TRY(check_tolerance(rtol, "rtol"));
    STRIA_TRY(check_tolerance(atol, "atol"));
    STRIA_TRY(stria__check_view(out, "isclose", "out"));
    STRIA_TRY(stria__check_view(a, "isclose", "a"));
    STRIA_TRY(stria__check_view(b, "isclose", "b"));
    stria__formula_begin(&f, NULL, 0, NULL);
    const int x = as_float(&f, a, exec), y = as_float(&f, b, exec);
    const int part = apply2(&f, STRIA_MULTIPLY, formula_real(&f, rtol), apply1(&f, STRIA_ABS, y));
    const int most = apply2(&f, STRIA_ADD, formula_real(&f, atol), part);
    const int apart = apply1(&f, STRIA_ABS, apply2(&f, STRIA_SUBTRACT, x, y));
    const int within = apply2(&f, STRIA_LOGICAL_AND, apply2(&f, STRIA_LESS_EQUAL, apart, most),
                              apply1(&f, STRIA_ISFINITE, y));
    const int close = apply2(&f, STRIA_LOGICAL_OR, within, apply2(&f, STRIA_EQUAL, x, y));
    if (equal_nan)
        (void)apply2(
            &f, STRIA_LOGICAL_OR, close,
            apply2(&f, STRIA_LOGICAL_AND, apply1(&f, STRIA_ISNAN, x), apply1(&f, STRIA_ISNAN, y)));
    return stria__formula_evaluate(&f, out, exec);
}

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
    struct formula f;
    STRIA_TRY(stria__check_view(out, "nan_to_num", "out"));
    STRIA_TRY(stria__check_view(a, "nan_to_num", "a"));
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const double most = greatest_of(kind), least = -most;
    if (is_complex_kind(kind) || is_float8_kind(kind))
        return stria__fail(STRIA_ERR_DTYPE, "nan_to_num: a is %s; %s",
                           is_complex_kind(kind) ? "complex" : "of 8-bit floats",
                           is_complex_kind(kind) ? "take stria_view_as_real of it first"
                                                 : "cast it to f16 or f32 first");
    if (!is_float_kind(kind)) return stria_floor(out, a, exec); /* An integer is its own floor. */
    stria__formula_begin(&f, NULL, 0, NULL);
    const int x = stria__formula_input(&f, a);
    const int low = apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNEGINF, x),
                           formula_real(&f, neginf ? *neginf : least), x);
    const int high = apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISPOSINF, x),
                            formula_real(&f, posinf ? *posinf : most), low);
    (void)apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNAN, x), formula_real(&f, nan ? *nan : 0),
                 high);
    return stria__formula_evaluate(&f, out, exec);
}
