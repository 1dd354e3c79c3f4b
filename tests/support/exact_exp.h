/* SPDX-License-Identifier: BSD-3-Clause */
/* e^x by MPFR, for the tests that find it (STRIA_HAVE_MPFR). */
#ifndef STRIA_TESTS_SUPPORT_EXACT_EXP_H
#define STRIA_TESTS_SUPPORT_EXACT_EXP_H

#include <stdint.h>
#include <string.h>

#include <mpfr.h>

/* A float format: bits of the significand, and MPFR's exponents of its lowest and highest bit. */
struct exact_format {
    int precision;
    mpfr_exp_t lowest, highest;
};

static const struct exact_format exact_f16 = {11, -23, 16}, exact_bf16 = {8, -132, 128},
                                 exact_f32 = {24, -148, 128}, exact_f64 = {53, -1073, 1024};

/* e^x rounded to nearest even in the format, subnormals and infinity included; x is no NaN. */
static inline double exact_exp(double x, struct exact_format format)
{
    const mpfr_exp_t lowest = mpfr_get_emin(), highest = mpfr_get_emax();
    MPFR_DECL_INIT(in, 53);
    mpfr_t out;
    mpfr_set_d(in, x, MPFR_RNDN);
    mpfr_init2(out, format.precision);
    mpfr_set_emin(format.lowest);
    mpfr_set_emax(format.highest);
    const int side = mpfr_exp(out, in, MPFR_RNDN);
    mpfr_subnormalize(out, side, MPFR_RNDN);
    const double result = mpfr_get_d(out, MPFR_RNDN);
    mpfr_set_emin(lowest);
    mpfr_set_emax(highest);
    mpfr_clear(out);
    return result;
}

/* How many units in the last place of the f64 result e^x is away from it; result is finite. */
static inline double exact_exp_error(double x, double result)
{
    mpfr_t y;
    mpfr_init2(y, 150);
    mpfr_set_d(y, x, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_exp_t unit = mpfr_get_exp(y) - 53;
    if (unit < -1074) unit = -1074;
    mpfr_sub_d(y, y, result, MPFR_RNDN);
    mpfr_mul_2si(y, y, -unit, MPFR_RNDN);
    const double error = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    return error < 0 ? -error : error;
}

#endif
