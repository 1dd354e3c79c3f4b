/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of mathematics, elementwise; elementwise.h says what holds for all operations.
 *
 * Functions of one argument. Of bool and integers they make a float: f32 by PyTorch's rule; by
 * NumPy's f16 for 8 bits and bool, f32 for 16, f64 for 32 and 64. f16, bf16 and f32 are correctly
 * rounded for every input. f64 is off by less than the units in the last place that a comment
 * names, more than was ever found (docs/accuracy.md), by less than 1 where the result is subnormal.
 * A NaN gives a NaN. exp, expm1, logarithms, sqrt and the trigonometric and hyperbolic functions
 * take complex numbers too, with the branch cuts and special values of C99: c64 is computed in f64
 * and rounded, c128 within 4 units in the last place of the larger part. Others refuse them
 * (DTYPE).
 */
#ifndef STRIA_MATHEMATICS_H
#define STRIA_MATHEMATICS_H

#include "export.h"
#include "status.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = e^a, 2^a, 10^a; torch.exp, exp2, numpy.exp, exp2 (10^a has no name there). f64 within 0.65.
 * -inf gives +0, overflow inf, and whole numbers exact powers where there are.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exp(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_exp2(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_exp10(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = e^a - 1, without the cancellation for a small a; torch.expm1, numpy.expm1. f64 within 0.95.
 * -0 stays -0, -inf gives -1, overflow inf.
 */
STRIA_API STRIA_MUST_USE stria_status stria_expm1(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = the logarithm of a to the base e, 2, 10; torch.log, log2, log10, and numpy's. f64 within
 * 0.8. Of powers of the base the results are exact. Zeros of both signs give -inf, inf gives inf,
 * what is negative NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_log(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_log2(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_log10(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = log(1 + a), without the cancellation for a small a; torch.log1p, numpy.log1p. f64 within
 * 0.8. -0 stays -0, -1 gives -inf, what is less NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_log1p(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = sinh(a), cosh(a), tanh(a); torch.sinh, cosh, tanh, and numpy's. f64 within 0.8. sinh and
 * tanh keep the sign of zero; sinh and cosh overflow to inf, tanh(+-inf) is +-1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sinh(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cosh(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_tanh(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * out = the inverses of sinh, cosh, tanh; torch.asinh, acosh, atanh, numpy.arcsinh, arccosh,
 * arctanh. f64 within 0.9. asinh and atanh keep the sign of zero. acosh below 1 and atanh beyond 1
 * are NaN, atanh(+-1) is +-inf.
 */
STRIA_API STRIA_MUST_USE stria_status stria_asinh(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_acosh(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_atanh(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = 1 / (1 + e^-a); torch.sigmoid, scipy.special.expit. f64 within 0.8. -inf gives +0, inf 1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sigmoid(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);

/*
 * out = sin(a), cos(a), tan(a), of radians; torch.sin, cos, tan, numpy.sin, cos, tan. Of bool and
 * integers a float, as for stria_exp. f16, bf16 and f32 are
 * correctly rounded for every input, huge ones included; f64 is off by less than 0.85 units in the
 * last place (tan: 0.95), whatever the magnitude. sin(+-0) and tan(+-0) are +-0; of infinity all
 * are NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sin(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cos(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_tan(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);

/*
 * out = sin(pi a), cos(pi a); IEEE 754's sinPi and cosPi, which the peers have not. The argument is
 * reduced exactly: sinpi of an integer is 0 with the sign of a, cospi of an integer and a half +0.
 * Accuracy, dtypes and infinities as for stria_sin.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sinpi(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cospi(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * out = the angle whose sine, cosine or tangent is a, in radians: asin from -pi/2 to pi/2, acos
 * from 0 to pi, atan from -pi/2 to pi/2; torch.asin, acos, atan, numpy.asin, acos, atan. f16, bf16
 * and f32 are correctly rounded, f64 is off by less than 0.75 units in the last place. asin and
 * acos of what is beyond 1 are NaN; asin(+-0) and atan(+-0) are +-0, acos(1) is +0, atan(+-inf) is
 * +-pi/2. Of bool and integers a float, as for stria_exp.
 */
STRIA_API STRIA_MUST_USE stria_status stria_asin(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_acos(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_atan(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * out = the square root of a, its inverse, the cube root; torch.sqrt, rsqrt, numpy.sqrt, cbrt. f16,
 * bf16 and f32 are correctly rounded, and so is sqrt of f64; rsqrt and cbrt of f64 are off by less
 * than 0.51 units in the last place. sqrt(-0) is -0, rsqrt(+-0) is +-inf, rsqrt(inf) is +0; both
 * are NaN below 0. cbrt has the sign of a; zeros and infinities are their own cube roots. Of bool
 * and integers a float, as for stria_exp; sqrt takes complex ones too.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sqrt(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_rsqrt(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cbrt(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * The error function of a, 1 minus it, and the inverse: torch.special.erf, erfc, erfinv. Of bool
 * and integers floats as for stria_exp; complex operands are refused (DTYPE). f16, bf16 and f32 are
 * correctly rounded, f64 is off by less than 1 unit in the last place (erf 0.89, erfc 0.86, erfinv
 * 0.89 is the most that was found; 1.1 where erfc is subnormal). erf(+-0) is +-0, erf(+-inf) +-1,
 * erfc(-inf) 2, erfc(inf) +0, erfinv(+-1) +-inf; erfinv of what lies outside is NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_erf(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_erfc(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_erfinv(const stria_view *out, const stria_view *a,
                                                   const stria_exec *exec);

/*
 * The logarithm of the magnitude of the gamma function, and the gamma function; torch.lgamma, C's
 * tgamma. Of bool and integers floats as for stria_exp; complex operands are refused (DTYPE). f16,
 * bf16 and f32 are within 1 unit in the last place (within 0.501 in all samples), f64 within 0.75,
 * beside the zeros of lgamma too (0.64 is the most that was found); 1 where tgamma is subnormal.
 * lgamma(1) and lgamma(2) are +0; lgamma of 0 and of negative integers, and of -inf and inf, is
 * inf. tgamma(+-0) is +-inf, tgamma(inf) inf; of negative integers and -inf it is NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_lgamma(const stria_view *out, const stria_view *a,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_tgamma(const stria_view *out, const stria_view *a,
                                                   const stria_exec *exec);

/*
 * a to the power of b; torch.pow, numpy.power. Integers wrap around; of a negative exponent all is
 * refused (ARGUMENT, with the exponent and its index) before anything is written, as in NumPy. In
 * an expression that goes for exponents which are an input or a scalar; a negative one that was
 * computed gives the whole part of the power: that of 1 and -1, 0 of others. Complex powers are
 * e^(b log a), c64 computed in f64, c128 within 2^-50 of the result times |b log a|, where that is
 * above 1. Floats: f16, bf16 and f32 are within 0.501 units in the last place, f64 within 0.65
 * (0.62 is the most that was found), where it is subnormal 0.8.
 *
 * Real powers by exponents of 1, 2, -1 and 1/2 are correctly rounded: a, a * a, 1 / a and, of
 * numbers above 0, sqrt(a); those by 3 are within 0.501 units. Complex powers by 1, 2, 3, -1
 * and 1/2 are a, products, the quotient, and sqrt(a). Each has the same bits wherever its exponent
 * stands; one exponent for all elements, or many equal ones in a row, take the time of such an
 * operation.
 *
 * Special values are C99's: pow(1, b) and pow(a, +-0) are 1 for every operand, NaN included;
 * pow(-1, +-inf) is 1. A negative finite a with a finite b that is no integer gives NaN. With an
 * odd integer b the result has the sign of a, else it is positive: pow(+-0, b) is 0 for b > 0 and
 * inf for b < 0, pow(+-inf, b) the other way round. pow(a, inf) is inf for |a| > 1 and +0 for |a| <
 * 1, pow(a, -inf) the other way round. pow(-0, 1/2) is +0 and pow(-inf, 1/2) inf, unlike the roots.
 */
STRIA_API STRIA_MUST_USE stria_status stria_pow(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);

/*
 * Raises to a power in f64, of complex numbers in c128, whatever the dtypes of a and b;
 * torch.float_power, numpy.float_power.
 */
STRIA_API STRIA_MUST_USE stria_status stria_float_power(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);

/*
 * The angle of the point (b, a) in radians, -pi to pi; torch.atan2, numpy.arctan2. Of bool and
 * integers floats as for stria_exp; complex operands are refused (DTYPE). f16, bf16 and f32 are
 * within 0.501 units in the last place, f64 within 0.8 (0.75 is the most that was found), where it
 * is subnormal within 1.
 *
 * Special values are C99's, and the result has the sign of a: of a = 0 the result is 0 for b = +0
 * and b > 0, pi for b = -0 and b < 0; of other a it is pi/2 for b = 0; of finite a 0 for b = inf
 * and pi for b = -inf; of infinite a pi/2 for finite b, pi/4 for b = inf and 3 pi/4 for b = -inf.
 */
STRIA_API STRIA_MUST_USE stria_status stria_atan2(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);

/*
 * The angle of a number in the plane of complex numbers, atan2(imag, real), of the real dtype:
 * numpy.angle, torch.angle. Of real numbers, which have an imaginary part of +0, it is +0, or pi
 * where a has the sign bit, -0 too, as in NumPy; NaN of NaN. Of bool and integers a float.
 */
STRIA_API STRIA_MUST_USE stria_status stria_angle(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * sqrt(a^2 + b^2) without overflow on the way; torch.hypot, numpy.hypot. Of bool and integers
 * floats as for stria_exp; complex operands are refused (DTYPE). f16, bf16 and f32 are correctly
 * rounded, f64 is within 0.501 units in the last place, 1 where it is subnormal. Infinite where
 * either operand is, also beside NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hypot(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);

/*
 * log(e^a + e^b) and log2(2^a + 2^b) without overflow on the way; torch.logaddexp, logaddexp2. Of
 * bool and integers floats as for stria_exp. Of f16, bf16 and f32 within 0.51 units in the last
 * place where the magnitude of the result is 2^-22 or more, of f64 within 1 where it is 2^-8 or
 * more; closer to 0, where a and b are negative and terms cancel, f32 within 2^-51 and f64 within
 * 2^-58, and half a unit. inf with any number gives inf, -inf the other operand.
 *
 * Complex numbers have logaddexp alone (DTYPE). A real part of -inf gives the other operand,
 * one of inf alone gives that operand, a NaN in any part NaN in both. Off by a few units in the
 * last place of the larger part and by 2^-50 of the larger power, against the sum of both: where
 * e^a and e^b cancel, that is all there is.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logaddexp(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_logaddexp2(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);

/* ---- special functions ---------------------------------------------------------------------- */

/*
 * log(a / (1 - a)); torch.logit, scipy.special.logit. -inf at 0, inf at 1, NaN beyond. f16, bf16
 * and f32 within 0.501 units in the last place, f64 within 1; of bool and integers floats, as for
 * stria_exp, and so for the following.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logit(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * a log(b) and a log(1 + b), but 0 where a is 0 and b no NaN; torch.special.xlogy, xlog1py. -a
 * log(a), 0 at 0 and -inf below: torch.special.entr. sin(pi a) / (pi a), 1 at 0: torch.sinc,
 * numpy.sinc. f16, bf16 and f32 within 0.501 units in the last place, f64 within 1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_xlogy(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_xlog1py(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_entr(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_sinc(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * e^(a^2) erfc(a); the logarithm of the cumulative normal distribution, and its inverse, of which
 * ndtri(0) is -inf and ndtri(1) inf; the derivative of log |Gamma|, whose poles are NaN but for
 * zeros, of -inf at +0 and inf at -0: torch.special.erfcx, log_ndtr, ndtri, digamma. f16, bf16 and
 * f32 within 0.501 units in the last place, f64 within 1; beside its zeros digamma within 2^-51.
 */
STRIA_API STRIA_MUST_USE stria_status stria_erfcx(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_log_ndtr(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_ndtri(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_digamma(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);

/*
 * The modified Bessel functions of the first kind of order 0 and 1, and the same times e^-|a|:
 * torch.special.i0, i0e, i1, i1e, numpy.i0. f16, bf16 and f32 within 0.501 units in the last place,
 * f64 within 1 (0.61 is the most that was found).
 */
STRIA_API STRIA_MUST_USE stria_status stria_i0(const stria_view *out, const stria_view *a,
                                               const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i0e(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i1(const stria_view *out, const stria_view *a,
                                               const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i1e(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
