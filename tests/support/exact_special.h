/* SPDX-License-Identifier: BSD-3-Clause */
/* Activations and special functions by MPFR, to more bits than any result has. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include <mpfr.h>

/* out = x / (1 + e^-y); y may be x. */
static inline int exact_over_power(mpfr_t out, const mpfr_t x, const mpfr_t y)
{
    mpfr_t power;
    mpfr_init2(power, mpfr_get_prec(out) + 64);
    mpfr_neg(power, y, MPFR_RNDN);
    mpfr_exp(power, power, MPFR_RNDN);
    mpfr_add_ui(power, power, 1, MPFR_RNDN);
    const int side = mpfr_div(out, x, power, MPFR_RNDN);
    mpfr_clear(power);
    return side;
}

/* At -inf, where 0 times infinity would be NaN, the result is -0. */
static inline int exact_limit(mpfr_t out, const mpfr_t x)
{
    if (mpfr_sgn(x) > 0) return mpfr_set(out, x, MPFR_RNDN);
    mpfr_set_zero(out, -1);
    return 0;
}

static inline int exact_silu(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return mpfr_inf_p(x) ? exact_limit(out, x) : exact_over_power(out, x, x);
}

static inline int exact_mish(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t t;
    if (mpfr_inf_p(x)) return exact_limit(out, x);
    if (mpfr_cmp_ui(x, 100000) > 0) return mpfr_set(out, x, rounding);
    mpfr_init2(t, mpfr_get_prec(out) + 64);
    mpfr_exp(t, x, MPFR_RNDN);
    mpfr_log1p(t, t, MPFR_RNDN);
    mpfr_tanh(t, t, MPFR_RNDN);
    const int side = mpfr_mul(out, x, t, rounding);
    mpfr_clear(t);
    return side;
}

static inline int exact_selu(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t factor, value;
    mpfr_init2(factor, mpfr_get_prec(out));
    mpfr_init2(value, mpfr_get_prec(out));
    mpfr_set(value, x, MPFR_RNDN);
    if (mpfr_sgn(x) <= 0) {
        mpfr_set_str(factor, "1.6732632423543772848170429916717", 10, MPFR_RNDN);
        mpfr_expm1(value, x, MPFR_RNDN);
        mpfr_mul(value, value, factor, MPFR_RNDN);
    }
    mpfr_set_str(factor, "1.0507009873554804934193349852946", 10, MPFR_RNDN);
    const int side = mpfr_mul(out, value, factor, rounding);
    mpfr_clears(factor, value, (mpfr_ptr)0);
    return side;
}

/* out = erfc(-x / sqrt(2)) / 2, with as many more bits as x has before the point. */
static inline void exact_normal(mpfr_t out, const mpfr_t x)
{
    mpfr_t root;
    mpfr_init2(root, mpfr_get_prec(out) + 64);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(root, x, root, MPFR_RNDN);
    mpfr_neg(root, root, MPFR_RNDN);
    mpfr_erfc(out, root, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_clear(root);
}

static inline int exact_gelu(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_inf_p(x)) return exact_limit(out, x);
    if (mpfr_cmp_si(x, -1000) < 0) {
        mpfr_set_zero(out, -1);
        return 0;
    }
    exact_normal(out, x);
    return mpfr_mul(out, out, x, rounding);
}

static inline int exact_gelu_tanh(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t u;
    (void)rounding;
    if (mpfr_inf_p(x)) return exact_limit(out, x);
    mpfr_init2(u, mpfr_get_prec(out) + 64);
    mpfr_sqr(u, x, MPFR_RNDN);
    mpfr_mul_d(u, u, 0.044715, MPFR_RNDN);
    mpfr_add_ui(u, u, 1, MPFR_RNDN);
    mpfr_mul(u, u, x, MPFR_RNDN);
    mpfr_mul_2ui(u, u, 1, MPFR_RNDN);
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_ui_div(out, 2, out, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
    mpfr_mul(u, u, out, MPFR_RNDN);
    const int side = exact_over_power(out, x, u);
    mpfr_clear(u);
    return side;
}

static inline int exact_log_sigmoid(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t power;
    if (mpfr_cmp_si(x, -100000) < 0) return mpfr_set(out, x, rounding);
    mpfr_init2(power, mpfr_get_prec(out) + 64);
    mpfr_neg(power, x, MPFR_RNDN);
    mpfr_exp(power, power, MPFR_RNDN);
    mpfr_log1p(out, power, MPFR_RNDN);
    mpfr_clear(power);
    return mpfr_neg(out, out, rounding);
}

static inline int exact_logit(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t wide;
    mpfr_init2(wide, 2000); /* the quotient may lie just beside 1 */
    mpfr_ui_sub(wide, 1, x, MPFR_RNDN);
    mpfr_div(wide, x, wide, MPFR_RNDN);
    const int side = mpfr_log(out, wide, rounding);
    mpfr_clear(wide);
    return side;
}

static inline int exact_entr(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_zero_p(x)) {
        mpfr_set_zero(out, 1);
        return 0;
    }
    if (mpfr_sgn(x) < 0) {
        mpfr_set_inf(out, -1);
        return 0;
    }
    mpfr_log(out, x, MPFR_RNDN);
    mpfr_mul(out, out, x, MPFR_RNDN);
    return mpfr_neg(out, out, rounding);
}

static inline int exact_sinc(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t pi;
    if (mpfr_zero_p(x)) return mpfr_set_ui(out, 1, rounding);
    if (mpfr_nan_p(x)) {
        mpfr_set_nan(out);
        return 0;
    }
    mpfr_init2(pi, mpfr_get_prec(out));
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(pi, pi, x, MPFR_RNDN);
    mpfr_sinpi(out, x, MPFR_RNDN);
    const int side = mpfr_div(out, out, pi, rounding);
    mpfr_clear(pi);
    return side;
}

/* x sqrt(pi) e^(x^2) erfc(x) = 1 - 1 / (2 x^2) + 3 / (4 x^4) - ...; x is 10^4 or more. */
static inline void exact_far_tail(mpfr_t out, const mpfr_t x)
{
    mpfr_t term, square;
    mpfr_inits2(mpfr_get_prec(out), term, square, (mpfr_ptr)0);
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_mul_2ui(square, square, 1, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(out, 1, MPFR_RNDN);
    for (unsigned long k = 1; k < 30; k += 2) {
        mpfr_mul_ui(term, term, k, MPFR_RNDN);
        mpfr_div(term, term, square, MPFR_RNDN);
        mpfr_neg(term, term, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    mpfr_clears(term, square, (mpfr_ptr)0);
}

static inline int exact_erfcx(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t part;
    mpfr_init2(part, mpfr_get_prec(out) + 128);
    int side;
    if (mpfr_cmp_ui(x, 10000) > 0) {
        exact_far_tail(out, x);
        mpfr_const_pi(part, MPFR_RNDN);
        mpfr_sqrt(part, part, MPFR_RNDN);
        mpfr_mul(part, part, x, MPFR_RNDN);
        side = mpfr_div(out, out, part, rounding);
    } else {
        mpfr_sqr(part, x, MPFR_RNDN);
        mpfr_exp(part, part, MPFR_RNDN);
        mpfr_erfc(out, x, MPFR_RNDN);
        side = mpfr_mul(out, out, part, rounding);
    }
    mpfr_clear(part);
    return side;
}

static inline int exact_log_ndtr(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t part, y;
    int side;
    mpfr_init2(part, mpfr_get_prec(out) + 128);
    mpfr_init2(y, mpfr_get_prec(out) + 128);
    if (mpfr_inf_p(x) || mpfr_nan_p(x)) {
        side = mpfr_set(out, x, rounding);
        if (mpfr_sgn(x) > 0) mpfr_set_zero(out, -1);
    } else if (mpfr_cmp_si(x, -20000) < 0) {
        mpfr_sqrt_ui(y, 2, MPFR_RNDN);
        mpfr_div(y, x, y, MPFR_RNDN);
        mpfr_neg(y, y, MPFR_RNDN);
        exact_far_tail(out, y);
        mpfr_const_pi(part, MPFR_RNDN);
        mpfr_sqrt(part, part, MPFR_RNDN);
        mpfr_mul(part, part, y, MPFR_RNDN);
        mpfr_mul_2ui(part, part, 1, MPFR_RNDN);
        mpfr_div(out, out, part, MPFR_RNDN);
        mpfr_log(out, out, MPFR_RNDN);
        mpfr_sqr(y, y, MPFR_RNDN);
        side = mpfr_sub(out, out, y, rounding);
    } else if (mpfr_sgn(x) > 0) {
        mpfr_neg(y, x, MPFR_RNDN);
        exact_normal(part, y);
        mpfr_neg(part, part, MPFR_RNDN);
        side = mpfr_log1p(out, part, rounding);
    } else {
        exact_normal(part, x);
        side = mpfr_log(out, part, rounding);
    }
    mpfr_clears(part, y, (mpfr_ptr)0);
    return side;
}

/* Newton's steps on Phi of -t from the asymptotic form, each on the logarithm. */
static inline int exact_ndtri(mpfr_t out, const mpfr_t p, mpfr_rnd_t rounding)
{
    mpfr_t least, t, value, step, log;
    const bool above = mpfr_cmp_d(p, 0.5) > 0;
    if (mpfr_nan_p(p) || mpfr_cmp_ui(p, 1) > 0 || mpfr_sgn(p) < 0) {
        mpfr_set_nan(out);
        return 0;
    }
    if (mpfr_zero_p(p) || mpfr_cmp_ui(p, 1) == 0) {
        mpfr_set_inf(out, above ? 1 : -1);
        return 0;
    }
    mpfr_inits2(700, least, t, value, step, log, (mpfr_ptr)0);
    (void)(above ? mpfr_ui_sub(least, 1, p, MPFR_RNDN) : mpfr_set(least, p, MPFR_RNDN));
    mpfr_log(log, least, MPFR_RNDN);
    const double w = sqrt(fmax(-2 * mpfr_get_d(log, MPFR_RNDN), 0));
    mpfr_set_d(t,
               -fmax(w - (2.515517 + w * (0.802853 + w * 0.010328)) /
                             (1 + w * (1.432788 + w * (0.189269 + w * 0.001308))),
                     0),
               MPFR_RNDN);
    for (int i = 0; i < 6; i++) { /* t += (log p - log Phi(t)) Phi(t) / density(t) */
        exact_normal(value, t);
        mpfr_log(step, value, MPFR_RNDN);
        mpfr_sub(step, log, step, MPFR_RNDN);
        mpfr_mul(step, step, value, MPFR_RNDN);
        mpfr_sqr(value, t, MPFR_RNDN);
        mpfr_div_2ui(value, value, 1, MPFR_RNDN);
        mpfr_exp(value, value, MPFR_RNDN);
        mpfr_mul(step, step, value, MPFR_RNDN);
        mpfr_const_pi(value, MPFR_RNDN);
        mpfr_mul_2ui(value, value, 1, MPFR_RNDN);
        mpfr_sqrt(value, value, MPFR_RNDN);
        mpfr_mul(step, step, value, MPFR_RNDN);
        mpfr_add(t, t, step, MPFR_RNDN);
    }
    const bool middle = mpfr_cmp_d(p, 0.5) == 0;
    const int side = above ? mpfr_neg(out, t, rounding) : mpfr_set(out, t, rounding);
    if (middle) mpfr_set_zero(out, 1);
    mpfr_clears(least, t, value, step, log, (mpfr_ptr)0);
    return side;
}

static inline int exact_digamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_zero_p(x)) {
        mpfr_set_inf(out, mpfr_signbit(x) ? 1 : -1);
        return 0;
    }
    return mpfr_digamma(out, x, rounding);
}

/*
 * I(x) of order n times e^-|x| where it is damped: the power series up to 400, beyond it the
 * asymptotic one of 1 / |x|, whose terms fall until there are as many as 2 |x|.
 */
static inline int exact_bessel(mpfr_t out, const mpfr_t x, unsigned n, bool damped)
{
    const double a = fabs(mpfr_get_d(x, MPFR_RNDN));
    mpfr_t y, term, sum;
    if (mpfr_nan_p(x)) return mpfr_set(out, x, MPFR_RNDN);
    if (isinf(a)) {
        if (damped)
            mpfr_set_zero(out, n && mpfr_sgn(x) < 0 ? -1 : 1);
        else
            mpfr_set_inf(out, n ? mpfr_sgn(x) : 1);
        return 0;
    }
    mpfr_inits2(1100, y, term, sum, (mpfr_ptr)0);
    mpfr_abs(y, x, MPFR_RNDN);
    if (a <= 400) {
        mpfr_sqr(sum, y, MPFR_RNDN);
        mpfr_div_2ui(sum, sum, 2, MPFR_RNDN);
        mpfr_set(term, sum, MPFR_RNDN);
        mpfr_set_ui(y, 1, MPFR_RNDN);
        mpfr_set_ui(sum, 1, MPFR_RNDN);
        for (unsigned long k = 1; k < 1400; k++) {
            mpfr_mul(y, y, term, MPFR_RNDN);
            mpfr_div_ui(y, y, k * (k + n), MPFR_RNDN);
            mpfr_add(sum, sum, y, MPFR_RNDN);
            if (mpfr_get_exp(y) < mpfr_get_exp(sum) - 500) break;
        }
        mpfr_abs(y, x, MPFR_RNDN);
        if (n) {
            mpfr_mul(sum, sum, y, MPFR_RNDN);
            mpfr_div_2ui(sum, sum, 1, MPFR_RNDN);
        }
    } else { /* e^y / sqrt(2 pi y) (1 - (m - 1) / (8 y) + (m - 1) (m - 9) / (2! (8 y)^2) - ...) */
        mpfr_set_ui(sum, 1, MPFR_RNDN);
        mpfr_set_ui(term, 1, MPFR_RNDN);
        for (long k = 1; k < 200; k++) {
            mpfr_mul_si(term, term, (2 * k - 1) * (2 * k - 1) - 4 * (long)n, MPFR_RNDN);
            mpfr_div_ui(term, term, (unsigned long)k * 8, MPFR_RNDN);
            mpfr_div(term, term, y, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
        }
        mpfr_const_pi(term, MPFR_RNDN);
        mpfr_mul_2ui(term, term, 1, MPFR_RNDN);
        mpfr_mul(term, term, y, MPFR_RNDN);
        mpfr_sqrt(term, term, MPFR_RNDN);
        mpfr_div(sum, sum, term, MPFR_RNDN);
    }
    mpfr_exp(term, y, MPFR_RNDN);
    if (a <= 400 && damped) mpfr_div(sum, sum, term, MPFR_RNDN);
    if (a > 400 && !damped) mpfr_mul(sum, sum, term, MPFR_RNDN);
    const int side =
        n && mpfr_signbit(x) ? mpfr_neg(out, sum, MPFR_RNDN) : mpfr_set(out, sum, MPFR_RNDN);
    mpfr_clears(y, term, sum, (mpfr_ptr)0);
    return side;
}

static inline int exact_i0(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return exact_bessel(out, x, 0, false);
}

static inline int exact_i0e(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return exact_bessel(out, x, 0, true);
}

static inline int exact_i1(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return exact_bessel(out, x, 1, false);
}

static inline int exact_i1e(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return exact_bessel(out, x, 1, true);
}

/* ---- of two arguments ----------------------------------------------------------------------- */

static inline int exact_elu(mpfr_t out, const mpfr_t x, const mpfr_t alpha, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) > 0) return mpfr_set(out, x, rounding);
    mpfr_expm1(out, x, MPFR_RNDN);
    return mpfr_mul(out, out, alpha, rounding);
}

static inline int exact_celu(mpfr_t out, const mpfr_t x, const mpfr_t alpha, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) > 0) return mpfr_set(out, x, rounding);
    mpfr_div(out, x, alpha, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    return mpfr_mul(out, out, alpha, rounding);
}

static inline int exact_softplus(mpfr_t out, const mpfr_t x, const mpfr_t beta, mpfr_rnd_t rounding)
{
    mpfr_t power;
    mpfr_init2(power, mpfr_get_prec(out));
    mpfr_mul(power, x, beta, MPFR_RNDN);
    const bool up = mpfr_sgn(power) > 0;
    mpfr_abs(power, power, MPFR_RNDN);
    mpfr_neg(power, power, MPFR_RNDN);
    mpfr_exp(power, power, MPFR_RNDN);
    mpfr_log1p(power, power, MPFR_RNDN);
    int side = mpfr_div(out, power, beta, rounding);
    if (up) side = mpfr_add(out, out, x, rounding);
    mpfr_clear(power);
    return side;
}

static inline int exact_xlogy(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
    mpfr_log(out, y, MPFR_RNDN);
    if (!mpfr_zero_p(x) || mpfr_nan_p(y)) return mpfr_mul(out, out, x, rounding);
    mpfr_set_zero(out, 1);
    return 0;
}

static inline int exact_xlog1py(mpfr_t out, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
    mpfr_log1p(out, y, MPFR_RNDN);
    if (!mpfr_zero_p(x) || mpfr_nan_p(y)) return mpfr_mul(out, out, x, rounding);
    mpfr_set_zero(out, 1);
    return 0;
}
