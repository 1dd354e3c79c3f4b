/* SPDX-License-Identifier: BSD-3-Clause */
/* Other numbers in the place of NaN and infinities: an expression, evaluated in one pass. */
#include "ops/elementwise/operation.h"
#include "ops/expr/formula.h"
#include "view/view.h"
#include "stria/value.h"
#include "ops/make.h"
#include "view/array.h"

static double greatest_of(stria_kind kind)
{
    switch (kind) {
    case STRIA_F16: return 65504;
    case STRIA_BF16: return 0x1.FEp127;
    case STRIA_F32: return 0x1.FFFFFEp127;
    default: return 0x1.FFFFFFFFFFFFFp1023;
    }
}

/* Reads what stands for NaN or an infinity, where it is not left to the library. */
static stria_status read_number(double *out, const stria_view *value, const char *name)
{
    if (!value) return STRIA_OK;
    STRIA_TRY(stria__check_view(value, "nan_to_num", name));
    if (value->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE, "nan_to_num: %s has %d dims, must have none", name,
                           (int)value->ndim);
    return stria_get_f64(out, value, 0, NULL);
}

stria_status stria_nan_to_num(const stria_view *out, const stria_view *a, const stria_view *nan,
                              const stria_view *posinf, const stria_view *neginf,
                              const stria_exec *exec)
{
    struct formula f;
    STRIA_TRY(stria__check_view(out, "nan_to_num", "out"));
    STRIA_TRY(stria__check_view(a, "nan_to_num", "a"));
    const stria_kind kind = (stria_kind)a->dtype.kind;
    double none = 0, most = greatest_of(kind), least = -most;
    STRIA_TRY(read_number(&none, nan, "nan"));
    STRIA_TRY(read_number(&most, posinf, "posinf"));
    STRIA_TRY(read_number(&least, neginf, "neginf"));
    if (is_complex_kind(kind) || is_float8_kind(kind))
        return stria__fail(STRIA_ERR_DTYPE, "nan_to_num: a is %s; %s",
                           is_complex_kind(kind) ? "complex" : "of 8-bit floats",
                           is_complex_kind(kind) ? "take stria_view_as_real of it first"
                                                 : "cast it to f16 or f32 first");
    if (!is_float_kind(kind)) return stria_floor(out, a, exec); /* An integer is its own floor. */
    stria__formula_begin(&f, NULL, 0, NULL);
    const int x = stria__formula_input(&f, a);
    const int low =
        apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNEGINF, x), formula_real(&f, least), x);
    const int high =
        apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISPOSINF, x), formula_real(&f, most), low);
    (void)apply3(&f, STRIA_WHERE, apply1(&f, STRIA_ISNAN, x), formula_real(&f, none), high);
    return stria__formula_evaluate(&f, out, exec);
}

stria_status stria_nan_to_num_new(stria_array *out, const stria_view *a, const stria_view *nan,
                                  const stria_view *posinf, const stria_view *neginf,
                                  const stria_exec *exec)
{
    MAKES(made, out, "nan_to_num");
    STRIA_TRY(stria__check_view(a, "nan_to_num", "a"));
    STRIA_TRY(stria__make_results(1, &made, &a->dtype, "nan_to_num", 1, &a, mask_of(exec)));
    return stria__deliver(out, &made, stria_nan_to_num(&made.view, a, nan, posinf, neginf, exec));
}
