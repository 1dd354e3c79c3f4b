/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact results of functions of mathematics of one argument, for tests that find MPFR
 * (STRIA_HAVE_MPFR). The C library's f64 functions tell how a result rounds wherever that is beyond
 * doubt: the margin is 2^10 units in the last place, of which they lose less than 16. MPFR decides
 * the rest.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <mpfr.h>

#include "stria/elementwise.h"
#include "support/erfinv.h"
#include "support/exact_special.h"
#include "support/special_long.h"

typedef int exact_function(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding);

/* The error bounds that the headers promise of a function. */
struct exact_math {
    stria_op op;
    double (*libm)(double); /* the C library's function; NULL: MPFR decides alone */
    exact_function *exact;  /* computes to far more bits than any result has */
    double low, high; /* most random f64 inputs lie between these, where results are numbers */
    double f64_ulps;  /* the largest error of an f64; 1 where it is subnormal */
    /* 0.5: f32, f16 and bf16 are correctly rounded; else the largest error of an f32 */
    double f32_ulps;
};

static inline double libm_exp10(double x)
{
    return pow(10, x);
}

static inline double libm_sigmoid(double x)
{
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static inline int exact_sigmoid(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_neg(out, x, rounding);
    mpfr_exp(out, out, rounding);
    mpfr_add_ui(out, out, 1, rounding);
    return mpfr_ui_div(out, 1, out, rounding);
}

/* The C library's f64 functions of arguments that are reduced exactly. */
static inline double exact_libm_sinpi(double x)
{
    const double turn = remainder(x, 2);
    const double rest = turn > 0.5 ? 1 - turn : turn < -0.5 ? -1 - turn : turn;
    return rest == 0 ? copysign(0, x) : sin(0x1.921fb54442d18p+1 * rest);
}

static inline double exact_libm_cospi(double x)
{
    const double from_zero = 0.5 - fabs(remainder(x, 2));
    return from_zero == 0 ? 0 : exact_libm_sinpi(from_zero);
}

/* 1 / sqrt(-0) is -inf by IEEE 754; MPFR gives +inf. */
static inline int exact_rsqrt(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (!mpfr_zero_p(x)) return mpfr_rec_sqrt(out, x, rounding);
    mpfr_set_inf(out, mpfr_signbit(x) ? -1 : 1);
    return 0;
}

static inline double exact_libm_rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* Computes log |Gamma(x)|; the sign, which MPFR returns too, is dropped. */
static inline int exact_lgamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    int sign;
    return mpfr_lgamma(out, &sign, x, rounding);
}

/*
 * Neither the C library nor MPFR has it: Newton's steps on erf, or on erfc for what is close to 1,
 * from a start (Winitzki) within 0.01, until the bits that are wanted are there.
 */
static inline int exact_erfinv(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    const double at = mpfr_get_d(x, MPFR_RNDN), w = -log1p(-at * at);
    const double part = 2 / (3.14159265358979 * 0.147) - w / 2;
    mpfr_t y, power, lacks;
    /* at 0, 1 and beyond atanh has the same values */
    if (!(fabs(at) < 1) || at == 0) return mpfr_atanh(out, x, rounding);
    if (fabs(at) < 0x1p-250) { /* x sqrt(pi) / 2 to more bits than are wanted */
        mpfr_const_pi(out, MPFR_RNDN);
        mpfr_sqrt(out, out, MPFR_RNDN);
        mpfr_div_2ui(out, out, 1, MPFR_RNDN);
        return mpfr_mul(out, out, x, rounding);
    }
    mpfr_inits2(2 * mpfr_get_prec(out), y, power, lacks, (mpfr_ptr)0);
    mpfr_set_d(y, fabs(at) < 1e-3 ? fabs(at) * 0.8862 : sqrt(sqrt(part * part + w / 0.147) - part),
               MPFR_RNDN);
    for (int step = 0; step < 11; step++) {
        mpfr_erfc(lacks, y, MPFR_RNDN);
        mpfr_sub_ui(lacks, lacks, 1, MPFR_RNDN);
        (void)(at < 0 ? mpfr_sub(lacks, lacks, x, MPFR_RNDN)
                      : mpfr_add(lacks, lacks, x, MPFR_RNDN));
        mpfr_sqr(power, y, MPFR_RNDN);
        mpfr_exp(power, power, MPFR_RNDN);
        mpfr_mul(lacks, lacks, power, MPFR_RNDN);
        mpfr_const_pi(power, MPFR_RNDN);
        mpfr_sqrt(power, power, MPFR_RNDN);
        mpfr_mul(lacks, lacks, power, MPFR_RNDN);
        mpfr_div_2ui(lacks, lacks, 1, MPFR_RNDN);
        mpfr_add(y, y, lacks, MPFR_RNDN);
    }
    const int side = at < 0 ? mpfr_neg(out, y, rounding) : mpfr_set(out, y, rounding);
    mpfr_clears(y, power, lacks, (mpfr_ptr)0);
    return side;
}

static inline double erfinv_libm(double x)
{
    return (double)erfinv_long((long double)x);
}

static inline double silu_libm(double x)
{
    return (double)silu_long((long double)x);
}

static inline double mish_libm(double x)
{
    return (double)mish_long((long double)x);
}

static inline double selu_libm(double x)
{
    return (double)selu_long((long double)x);
}

static inline double gelu_libm(double x)
{
    return (double)gelu_long((long double)x);
}

static inline double gelu_tanh_libm(double x)
{
    return (double)gelu_tanh_long((long double)x);
}

static inline double log_sigmoid_libm(double x)
{
    return (double)log_sigmoid_long((long double)x);
}

static inline double logit_libm(double x)
{
    return (double)logit_long((long double)x);
}

static inline double entr_libm(double x)
{
    return (double)entr_long((long double)x);
}

static inline double angle_libm(double x)
{
    return isnan(x) ? x : signbit(x) ? 3.14159265358979323846 : 0;
}

static inline int exact_angle(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_nan_p(x)) return mpfr_set(out, x, rounding);
    if (mpfr_signbit(x)) return mpfr_const_pi(out, rounding);
    mpfr_set_zero(out, 1);
    return 0;
}

static const struct exact_math exact_math[] = {
    {STRIA_EXP, exp, mpfr_exp, -745, 710, 0.65, 0.5},
    {STRIA_EXP2, exp2, mpfr_exp2, -1074, 1024, 0.65, 0.5},
    {STRIA_EXP10, libm_exp10, mpfr_exp10, -323, 309, 0.65, 0.5},
    {STRIA_EXPM1, expm1, mpfr_expm1, -40, 710, 0.95, 0.5},
    {STRIA_LOG, log, mpfr_log, 0, 100, 0.8, 0.5},
    {STRIA_LOG2, log2, mpfr_log2, 0, 100, 0.8, 0.5},
    {STRIA_LOG10, log10, mpfr_log10, 0, 100, 0.8, 0.5},
    {STRIA_LOG1P, log1p, mpfr_log1p, -1, 100, 0.8, 0.5},
    {STRIA_SINH, sinh, mpfr_sinh, -30, 30, 0.8, 0.5},
    {STRIA_COSH, cosh, mpfr_cosh, -30, 30, 0.8, 0.5},
    {STRIA_TANH, tanh, mpfr_tanh, -20, 20, 0.8, 0.5},
    {STRIA_ASINH, asinh, mpfr_asinh, -100, 100, 0.9, 0.5},
    {STRIA_ACOSH, acosh, mpfr_acosh, 1, 100, 0.8, 0.5},
    {STRIA_ATANH, atanh, mpfr_atanh, -1, 1, 0.8, 0.5},
    {STRIA_SIGMOID, libm_sigmoid, exact_sigmoid, -100, 50, 0.8, 0.5},
    {STRIA_SIN, sin, mpfr_sin, -1000000.0, 1000000.0, 0.85, 0.5},
    {STRIA_COS, cos, mpfr_cos, -1000000.0, 1000000.0, 0.85, 0.5},
    {STRIA_TAN, tan, mpfr_tan, -1000000.0, 1000000.0, 0.95, 0.5},
    {STRIA_SINPI, exact_libm_sinpi, mpfr_sinpi, -100, 100, 0.85, 0.5},
    {STRIA_COSPI, exact_libm_cospi, mpfr_cospi, -100, 100, 0.85, 0.5},
    {STRIA_ASIN, asin, mpfr_asin, -1, 1, 0.75, 0.5},
    {STRIA_ACOS, acos, mpfr_acos, -1, 1, 0.75, 0.5},
    {STRIA_ATAN, atan, mpfr_atan, -10, 10, 0.75, 0.5},
    {STRIA_SQRT, sqrt, mpfr_sqrt, 0, 10, 0.5, 0.5},
    {STRIA_RSQRT, exact_libm_rsqrt, exact_rsqrt, 0, 10, 0.51, 0.5},
    {STRIA_CBRT, cbrt, mpfr_cbrt, -10, 10, 0.51, 0.5},
    {STRIA_ERF, erf, mpfr_erf, -6, 6, 0.9, 0.5},
    {STRIA_ERFC, erfc, mpfr_erfc, -6, 28, 0.9, 0.5},
    {STRIA_ERFINV, erfinv_libm, exact_erfinv, -1, 1, 1, 0.5},
    {STRIA_LGAMMA, lgamma, exact_lgamma, -20, 172, 0.75, 0.501},
    {STRIA_TGAMMA, tgamma, mpfr_gamma, -180, 172, 0.75, 0.501},
    {STRIA_ANGLE, angle_libm, exact_angle, -10, 10, 0.5, 0.5},
    {STRIA_SILU, silu_libm, exact_silu, -750, 50, 1, 0.501},
    {STRIA_MISH, mish_libm, exact_mish, -750, 50, 1, 0.501},
    {STRIA_SELU, selu_libm, exact_selu, -40, 10, 1, 0.501},
    {STRIA_GELU, gelu_libm, exact_gelu, -39, 10, 1, 0.501},
    {STRIA_GELU_TANH, gelu_tanh_libm, exact_gelu_tanh, -22, 10, 1, 0.501},
    {STRIA_LOG_SIGMOID, log_sigmoid_libm, exact_log_sigmoid, -50, 750, 1, 0.501},
    {STRIA_LOGIT, logit_libm, exact_logit, 0, 1, 1, 0.501},
    {STRIA_SINC, NULL, exact_sinc, -100, 100, 1, 0.501},
    {STRIA_ENTR, entr_libm, exact_entr, 0, 10, 1, 0.501},
    {STRIA_ERFCX, NULL, exact_erfcx, -26, 40, 1, 0.501},
    {STRIA_LOG_NDTR, NULL, exact_log_ndtr, -60, 38, 1, 0.501},
    {STRIA_NDTRI, NULL, exact_ndtri, 0, 1, 1, 0.501},
    {STRIA_DIGAMMA, NULL, exact_digamma, -20, 40, 1, 0.501},
    {STRIA_I0, NULL, exact_i0, -713, 713, 1, 0.501},
    {STRIA_I0E, NULL, exact_i0e, -1000, 1000, 1, 0.501},
    {STRIA_I1, NULL, exact_i1, -713, 713, 1, 0.501},
    {STRIA_I1E, NULL, exact_i1e, -1000, 1000, 1, 0.501},
};

enum { EXACT_MATH = sizeof exact_math / sizeof *exact_math };

/* Returns the row of an op, or NULL. */
static inline const struct exact_math *exact_math_of(stria_op op)
{
    for (int i = 0; i < EXACT_MATH; i++)
        if (exact_math[i].op == op) return &exact_math[i];
    return NULL;
}

/* A float format: bits of the significand, and MPFR's exponents of its lowest and highest bit. */
struct exact_format {
    int precision;
    mpfr_exp_t lowest, highest;
};

static inline struct exact_format exact_format(stria_kind kind)
{
    switch (kind) {
    case STRIA_F16: return (struct exact_format){11, -23, 16};
    case STRIA_BF16: return (struct exact_format){8, -132, 128};
    case STRIA_F32: return (struct exact_format){24, -148, 128};
    default: return (struct exact_format){53, -1073, 1024};
    }
}

/* Returns y rounded to nearest even, with the subnormals and the infinity of a format. */
static inline double exact_round(const mpfr_t y, stria_kind kind)
{
    const struct exact_format format = exact_format(kind);
    const mpfr_exp_t lowest = mpfr_get_emin(), highest = mpfr_get_emax();
    mpfr_t out;
    mpfr_init2(out, format.precision);
    mpfr_set_emin(format.lowest);
    mpfr_set_emax(format.highest);
    int side = mpfr_set(out, y, MPFR_RNDN);
    side = mpfr_check_range(out, side, MPFR_RNDN);
    mpfr_subnormalize(out, side, MPFR_RNDN);
    const double result = mpfr_get_d(out, MPFR_RNDN);
    mpfr_set_emin(lowest);
    mpfr_set_emax(highest);
    mpfr_clear(out);
    return result;
}

enum { EXACT_BITS = 400 };

/* Returns the function of x, correctly rounded, by MPFR alone. */
static inline double exact_result(const struct exact_math *f, double x, stria_kind kind)
{
    mpfr_t in, y;
    mpfr_init2(in, 53);
    mpfr_init2(y, EXACT_BITS);
    mpfr_set_d(in, x, MPFR_RNDN);
    (void)f->exact(y, in, MPFR_RNDN);
    const double result = exact_round(y, kind);
    mpfr_clear(in);
    mpfr_clear(y);
    return result;
}

/* A result's distance from f(x). */
struct exact_distance {
    double nearest; /* f(x), correctly rounded */
    /* in units in the last place; 0: both are the same infinity or NaN, infinity: only one is */
    double error;
};

static inline struct exact_distance exact_distance(const struct exact_math *f, double x,
                                                   double result, stria_kind kind)
{
    const struct exact_format format = exact_format(kind);
    mpfr_t in, y;
    mpfr_init2(in, 53);
    mpfr_init2(y, EXACT_BITS);
    mpfr_set_d(in, x, MPFR_RNDN);
    (void)f->exact(y, in, MPFR_RNDN);
    const double nearest = exact_round(y, kind);
    double error = 0;
    if (isnan(nearest) || isnan(result)) {
        error = isnan(nearest) && isnan(result) ? 0 : (double)INFINITY;
    } else if (nearest != result && (isinf(nearest) || isinf(result))) {
        error = (double)INFINITY;
    } else if (!isinf(nearest) && !mpfr_zero_p(y)) {
        mpfr_exp_t unit = mpfr_get_exp(y) - format.precision;
        if (unit < format.lowest - 1) unit = format.lowest - 1;
        mpfr_sub_d(y, y, result, MPFR_RNDN);
        mpfr_mul_2si(y, y, -unit, MPFR_RNDN);
        error = fabs(mpfr_get_d(y, MPFR_RNDN));
    } else if (nearest != result) {
        error = (double)INFINITY;
    }
    mpfr_clear(in);
    mpfr_clear(y);
    return (struct exact_distance){nearest, error};
}

static inline double exact_error(const struct exact_math *f, double x, double result,
                                 stria_kind kind)
{
    return exact_distance(f, x, result, kind).error;
}

/* Returns the absolute error that an f64 may have near a zero of the function. */
static inline double exact_near_0(const struct exact_math *f)
{
    return f->op == STRIA_DIGAMMA ? 0x1p-51 : 0;
}

/* Whether an f64 result is within the bounds. */
static inline bool exact_within(const struct exact_math *f, double result, double error)
{
    const double unit = nextafter(fabs(result), (double)INFINITY) - fabs(result);
    if (error * unit < exact_near_0(f)) return true;
    return error <= (fabs(result) < 0x1p-1022 ? 1.5 : f->f64_ulps);
}

/* Whether two numbers are the same: the sign of zero matters, that of NaN does not. */
static inline bool exact_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Whether the C library tells beyond doubt how f(x) rounds to f32; *result is this f32 then. */
static inline bool exact_f32_by_libm(const struct exact_math *f, float x, float *result)
{
    if (!f->libm) return false;
    const double y = f->libm((double)x), margin = y * 0x1p-43;
    *result = (float)y;
    return !isfinite(y) || (float)(y - margin) == (float)(y + margin);
}

/* Returns f(x) correctly rounded to f32; *asked counts the calls of MPFR. */
static inline float exact_f32(const struct exact_math *f, float x, int64_t *asked)
{
    float result;
    if (exact_f32_by_libm(f, x, &result)) return result;
    ++*asked;
    return (float)exact_result(f, (double)x, STRIA_F32);
}
