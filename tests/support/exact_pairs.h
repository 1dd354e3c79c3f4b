/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact results of functions of mathematics of two arguments, for tests that find MPFR. */
#pragma once

#include "support/exact_math.h"

typedef int exact_of_two(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding);

/*
 * The bounds that the headers promise: errors in units in the last place, and, beside a zero,
 * beyond half of one absolutely.
 */
struct exact_pair {
    stria_op op;
    exact_of_two *exact;
    double f32_ulps, f64_ulps, f32_near_0, f64_near_0;
};

/* log(e^x + e^y) = x + log(1 + e^(y - x)) for x >= y, where both are numbers and differ. */
static inline int exact_log_of_sum(mpfr_t out, const mpfr_t x, const mpfr_t y, bool of_two)
{
    const bool in_order = mpfr_cmp(x, y) >= 0;
    const mpfr_ptr most = (mpfr_ptr)(uintptr_t)(in_order ? x : y);
    const mpfr_ptr least = (mpfr_ptr)(uintptr_t)(in_order ? y : x);
    if (mpfr_nan_p(x) || mpfr_nan_p(y)) return mpfr_add(out, x, y, MPFR_RNDN);
    if (mpfr_inf_p(x) || mpfr_inf_p(y)) return mpfr_set(out, most, MPFR_RNDN);
    mpfr_t log;
    mpfr_init2(log, 4096);
    mpfr_sub(log, least, most, MPFR_RNDN);
    (void)(of_two ? mpfr_exp2(log, log, MPFR_RNDN) : mpfr_exp(log, log, MPFR_RNDN));
    mpfr_prec_round(log, mpfr_get_prec(out), MPFR_RNDN);
    mpfr_log1p(log, log, MPFR_RNDN);
    if (of_two) {
        mpfr_t two;
        mpfr_init2(two, mpfr_get_prec(out));
        mpfr_const_log2(two, MPFR_RNDN);
        mpfr_div(log, log, two, MPFR_RNDN);
        mpfr_clear(two);
    }
    const int side = mpfr_add(out, most, log, MPFR_RNDN);
    mpfr_clear(log);
    return side;
}

static inline int exact_logaddexp(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
    (void)rounding;
    return exact_log_of_sum(out, x, y, false);
}

/* Equal operands give x + 1 exactly. */
static inline int exact_logaddexp2(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
    if (mpfr_equal_p(x, y)) return mpfr_add_ui(out, x, 1, rounding);
    return exact_log_of_sum(out, x, y, true);
}

static const struct exact_pair exact_pairs[] = {
    {STRIA_POW, mpfr_pow, 0.501, 0.65, 0, 0},
    {STRIA_FLOAT_POWER, mpfr_pow, 0.501, 0.65, 0, 0},
    {STRIA_ATAN2, mpfr_atan2, 0.501, 0.8, 0, 0},
    {STRIA_HYPOT, mpfr_hypot, 0.5, 0.501, 0, 0},
    {STRIA_LOGADDEXP, exact_logaddexp, 0.51, 1, 0x1p-51, 0x1p-58},
    {STRIA_LOGADDEXP2, exact_logaddexp2, 0.51, 1, 0x1p-51, 0x1p-58},
    {STRIA_ELU, exact_elu, 0.501, 1, 0, 0},
    {STRIA_CELU, exact_celu, 0.501, 1, 0, 0},
    {STRIA_SOFTPLUS, exact_softplus, 0.501, 1, 0, 0},
    {STRIA_XLOGY, exact_xlogy, 0.501, 1, 0, 0},
    {STRIA_XLOG1PY, exact_xlog1py, 0.501, 1, 0, 0},
};

enum { EXACT_PAIRS = sizeof exact_pairs / sizeof *exact_pairs };

/*
 * Returns how far a result of two numbers of a format is from the exact one, in units in the last
 * place; 0 where both are the same zero or infinity, or NaN; infinity where only one is a number,
 * or they are zeros of different sign. *unit is set to the size of such a unit there.
 */
static inline double exact_pair_error(const struct exact_pair *f, double a, double b, double result,
                                      stria_kind kind, double *unit)
{
    const struct exact_format format = exact_format(kind);
    mpfr_t x, y, z;
    mpfr_inits2(53, x, y, (mpfr_ptr)0);
    mpfr_init2(z, EXACT_BITS);
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    (void)f->exact(z, x, y, MPFR_RNDN);
    const double rounded = exact_round(z, kind);
    double error = exact_same(rounded, result) ? 0 : (double)INFINITY;
    *unit = 0;
    if (isfinite(rounded) && isfinite(result) && !mpfr_zero_p(z)) {
        mpfr_exp_t lowest = mpfr_get_exp(z) - format.precision;
        if (lowest < format.lowest - 1) lowest = format.lowest - 1;
        *unit = ldexp(1, (int)lowest);
        mpfr_sub_d(z, z, result, MPFR_RNDN);
        mpfr_mul_2si(z, z, -lowest, MPFR_RNDN);
        error = fabs(mpfr_get_d(z, MPFR_RNDN));
    }
    mpfr_clears(x, y, z, (mpfr_ptr)0);
    return error;
}

/* f16 and bf16 promise f32_ulps, too. */
static inline bool exact_pair_within(const struct exact_pair *f, double error, double unit,
                                     double result, stria_kind kind)
{
    const bool wide = kind == STRIA_F64;
    if ((error - 0.5) * unit < (wide ? f->f64_near_0 : f->f32_near_0)) return true;
    if (wide && fabs(result) < 0x1p-1022) return error <= 1;
    return error <= (wide ? f->f64_ulps : f->f32_ulps);
}
