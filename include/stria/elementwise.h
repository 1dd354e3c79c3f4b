/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations: out[i...] = f(a[i...], b[i...]) for every index. What holds for all of
 * them stands here; what each one makes of its values stands at its function.
 *
 * Shapes. The inputs broadcast to the shape of out, by the rules of NumPy and PyTorch; out itself
 * is never broadcast and may be larger than what the inputs have in common. Any strides and
 * alignment, lazy conj and neg bits, either byte order. Empty arrays are fine. Where a view lies in
 * a meta buffer everything is checked and nothing is computed.
 *
 * Dtypes. The inputs are promoted to one dtype, in which the operation computes; see
 * stria_result_dtype. out may be of any dtype to which the result may be cast under
 * STRIA_CAST_SAME_KIND: f64 into f32, i32 into f64, but not f32 into i32. STRIA_CASTING_UNSAFE and
 * its like in exec->hints name another policy of cast.h, numpy's casting=: with
 * STRIA_CASTING_UNSAFE f32 goes into i32 as stria_copy casts it; the stricter ones also hold for
 * the inputs, which must go into the dtype of the operation. 8-bit floats do not promote: cast them
 * first. As out they are allowed.
 *
 * Scalars. A 0-d view is an operand like any other: NumPy's rules take its dtype fully, PyTorch's
 * only its category (bool, integer, float, complex) beside operands of one dim and more. A weak
 * scalar (stria_weak) is a number without a dtype of its own, Python's: it takes the dtype of the
 * others where its category is not higher. An integer that does not fit the dtype of the operation
 * is refused; a float is rounded to it.
 *
 * Masks. exec->where, a view of bool that broadcasts to the shape of out as the inputs do, chooses
 * the elements that are written; numpy's where=. Elements left out keep their bytes, and nothing is
 * refused because of them. They may be read and written back, so that no other thread may write
 * them meanwhile. In a new array they are 0, and the mask takes part in its shape.
 *
 * Aliasing. Inputs and the mask may overlap out in any way: the result is as if every input had
 * been copied first. With STRIA_NO_OVERLAP in exec->hints an input that shares bytes with out is
 * refused (OVERLAP) unless each of its elements lies exactly where out's element of the same index
 * does. No two elements of out may share a byte.
 *
 * Results have the same bits on every instruction set, for any strides and any number of threads,
 * except for the sign and payload of NaN. Floating-point status flags are neither read nor cleared.
 *
 * Ownership. All views are borrowed for the time of the call. exec may be NULL.
 *
 * Errors. Everything is checked before anything is written, and messages name the operand.
 * ARGUMENT: NULL, a view that was cleared or never made, an unknown operation, unknown bits in
 * exec->hints, a negative number of threads, an integer scalar that does not fit. READONLY, OVERLAP
 * (out with itself): out. BROADCAST: shapes. DTYPE: no loop for these dtypes, no dtype in common, a
 * result that may not be cast to out's dtype, or a mask that is not bool. MEMORY: temporaries.
 */
#ifndef STRIA_ELEMENTWISE_H
#define STRIA_ELEMENTWISE_H

#include "array.h"
#include "promote.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_op {
    STRIA_ADD,
    STRIA_SUBTRACT,
    STRIA_MULTIPLY,
    STRIA_DIVIDE,
    STRIA_WHERE,
    STRIA_ABS,
    STRIA_FABS,
    STRIA_NEGATIVE,
    STRIA_POSITIVE,
    STRIA_SIGN,
    STRIA_SQUARE,
    STRIA_RECIPROCAL,
    STRIA_COPYSIGN,
    STRIA_HEAVISIDE,
    STRIA_LERP,
    STRIA_ADDCMUL,
    STRIA_ADDCDIV,
    STRIA_DEGREES,
    STRIA_RADIANS,
    STRIA_LESS,
    STRIA_LESS_EQUAL,
    STRIA_GREATER,
    STRIA_GREATER_EQUAL,
    STRIA_EQUAL,
    STRIA_NOT_EQUAL,
    STRIA_LOGICAL_AND,
    STRIA_LOGICAL_OR,
    STRIA_LOGICAL_XOR,
    STRIA_LOGICAL_NOT,
    STRIA_ISNAN,
    STRIA_ISINF,
    STRIA_ISFINITE,
    STRIA_ISPOSINF,
    STRIA_ISNEGINF,
    STRIA_SIGNBIT,
    STRIA_BITWISE_AND,
    STRIA_BITWISE_OR,
    STRIA_BITWISE_XOR,
    STRIA_BITWISE_NOT,
    STRIA_LEFT_SHIFT,
    STRIA_RIGHT_SHIFT,
    STRIA_BITWISE_COUNT,
    STRIA_GCD,
    STRIA_LCM,
    STRIA_FLOOR_DIVIDE,
    STRIA_REMAINDER,
    STRIA_FMOD,
    STRIA_FLOOR,
    STRIA_CEIL,
    STRIA_TRUNC,
    STRIA_FIX,
    STRIA_ROUND,
    STRIA_RINT,
    STRIA_FRAC,
    STRIA_MAXIMUM,
    STRIA_MINIMUM,
    STRIA_FMAX,
    STRIA_FMIN,
    STRIA_CLIP,
    STRIA_RELU,
    STRIA_RELU6,
    STRIA_LEAKY_RELU,
    STRIA_HARDSIGMOID,
    STRIA_HARDSWISH,
    STRIA_HARDSHRINK,
    STRIA_SOFTSHRINK,
    STRIA_THRESHOLD,
    STRIA_LDEXP,
    STRIA_FMA,
    STRIA_ROUND_DECIMALS,
    STRIA_NEXTAFTER,
    STRIA_SPACING,
    STRIA_EXP,
    STRIA_EXP2,
    STRIA_EXP10,
    STRIA_EXPM1,
    STRIA_LOG,
    STRIA_LOG2,
    STRIA_LOG10,
    STRIA_LOG1P,
    STRIA_SINH,
    STRIA_COSH,
    STRIA_TANH,
    STRIA_ASINH,
    STRIA_ACOSH,
    STRIA_ATANH,
    STRIA_SIGMOID,
    STRIA_SIN,
    STRIA_COS,
    STRIA_TAN,
    STRIA_RSQRT,
    STRIA_ASIN,
    STRIA_ACOS,
    STRIA_ATAN,
    STRIA_SINPI,
    STRIA_COSPI,
    STRIA_SQRT,
    STRIA_CBRT,
    STRIA_ERF,
    STRIA_ERFC,
    STRIA_ERFINV,
    STRIA_LGAMMA,
    STRIA_TGAMMA,
    STRIA_POW,
    STRIA_FLOAT_POWER,
    STRIA_ANGLE,
    STRIA_ATAN2,
    STRIA_HYPOT,
    STRIA_LOGADDEXP,
    STRIA_LOGADDEXP2,
    STRIA_SILU,
    STRIA_MISH,
    STRIA_SELU,
    STRIA_GELU,
    STRIA_GELU_TANH,
    STRIA_LOG_SIGMOID,
    STRIA_LOGIT,
    STRIA_ELU,
    STRIA_CELU,
    STRIA_SOFTPLUS,
    STRIA_SINC,
    STRIA_ENTR,
    STRIA_ERFCX,
    STRIA_LOG_NDTR,
    STRIA_NDTRI,
    STRIA_DIGAMMA,
    STRIA_I0,
    STRIA_I0E,
    STRIA_I1,
    STRIA_I1E,
    STRIA_XLOGY,
    STRIA_XLOG1PY,
    STRIA_OPS /* how many there are */
} stria_op;

/* The name of an operation ("add", "where", ...): static text; NULL for an unknown one. */
STRIA_API const char *stria_op_name(stria_op op);
/* How many inputs an operation takes, 1 to 3; 0 for an unknown one. */
STRIA_API int stria_op_inputs(stria_op op);

/* ---- scalars -------------------------------------------------------------------------------- */

/*
 * A weak scalar: a read-only 0-d view of *value with the flag STRIA_WEAK, which stands for Python's
 * bool, int, float or complex in promotion. kind is BOOL (value points to a bool), I64, U64 (both
 * are Python's int), F64 or C128 (two doubles, the real part first). *value is borrowed for as long
 * as the view is used and is read by every operation. Functions other than those of this header
 * take the view as an ordinary one. ARGUMENT for another kind and for NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_weak(stria_view *out, stria_kind kind,
                                                 const void *value);

/* ---- operations ----------------------------------------------------------------------------- */

/*
 * out = a + b, out = a - b, out = a * b; torch.add, sub, mul, numpy.add, subtract, multiply.
 * Integers wrap around modulo 2^bits. Of bool operands + is or, * is and, and - is refused (DTYPE).
 * Floats follow IEEE 754; f16 and bf16 are computed in f32 and rounded once. The complex product is
 * (ac - bd) + (ad + bc)i without further treatment of infinities, as in both peers.
 */
STRIA_API STRIA_MUST_USE stria_status stria_add(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_subtract(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_multiply(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);

/*
 * out = a < b, a bool; torch.lt, numpy.less. Exact for every pair of dtypes and every scalar,
 * out of range or not: i64 with u64 and 64-bit integers with floats are compared by value, not
 * after a conversion that rounds. false < true, -0 < +0 is false, and so is every comparison with
 * NaN. Complex operands are refused (DTYPE): they have no order.
 */
STRIA_API STRIA_MUST_USE stria_status stria_less(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);

/*
 * out = |a|; torch.abs, numpy.abs. Integers keep their dtype, so that the smallest one stays
 * (abs(-128) of i8 is -128); bool stays as it is. abs(-0) is +0. Of complex numbers the result is
 * the real dtype's hypot(real, imag), which is infinite where either part is and overflows only
 * where the result does.
 */
STRIA_API STRIA_MUST_USE stria_status stria_abs(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);

/*
 * Functions of mathematics of one argument. Of bool and integers a float: f32 by PyTorch's rule; by
 * NumPy's f16 for 8 bits and bool, f32 for 16, f64 for 32 and 64. f16, bf16 and f32 are correctly
 * rounded for every input. f64 is off by less than the units in the last place that a comment
 * names, more than was ever found (docs/accuracy.md), by less than 1 where the result is subnormal.
 * A NaN gives a NaN. exp, expm1, logarithms, sqrt and the trigonometric and hyperbolic functions
 * take complex numbers too, with the branch cuts and special values of C99: c64 is computed in f64
 * and rounded, c128 within 4 units in the last place of the larger part. Others refuse them
 * (DTYPE).
 */

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
 * 0.95 is the most that was found; 1.1 where erfc is subnormal). erf(+-0) is +-0, erf(+-inf) +-1,
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
 * bf16 and f32 are within 1 unit in the last place (within 0.501 in all samples), f64 of tgamma
 * within 5, of lgamma within 5 for a > 0 and within 2^-50 or 4 units, whichever is more, elsewhere.
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
 * e^(b log a), c64 computed in f64, c128 within 2^-43 of the result. Floats: f16, bf16 and f32 are
 * within 0.501 units in the last place, f64 within 0.65 (0.62 is the most that was found), where it
 * is subnormal 0.8.
 *
 * Special values are C99's: pow(1, b) and pow(a, +-0) are 1 for every operand, NaN included;
 * pow(-1, +-inf) is 1. A negative finite a with a finite b that is no integer gives NaN. With an
 * odd integer b the result has the sign of a, else it is positive: pow(+-0, b) is 0 for b > 0 and
 * inf for b < 0, pow(+-inf, b) the other way round. pow(a, inf) is inf for |a| > 1 and +0 for |a| <
 * 1, pow(a, -inf) the other way round.
 */
STRIA_API STRIA_MUST_USE stria_status stria_pow(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);

/*
 * The same in f64, of complex numbers in c128, whatever the dtypes of a and b; torch.float_power,
 * numpy.float_power.
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
 * bool and integers floats as for stria_exp; complex operands are refused (DTYPE). Of f16, bf16 and
 * f32 within 0.51 units in the last place where the magnitude of the result is 2^-22 or more, of
 * f64 within 3 where it is 1/16 or more; closer to 0, where a and b are negative and terms cancel,
 * within 2^-51 and half a unit. inf with any number gives inf, -inf the other operand.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logaddexp(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_logaddexp2(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);

/*
 * out = x where condition holds, else y; torch.where, numpy.where. The dtype is that of x and y,
 * promoted; besides numbers strings, void and records, where both are of one dtype and out is of
 * the same. condition is bool, or u8, whose elements hold where they are not 0; by NumPy's rule of
 * any numeric dtype.
 */
STRIA_API STRIA_MUST_USE stria_status stria_where(const stria_view *out,
                                                  const stria_view *condition, const stria_view *x,
                                                  const stria_view *y, const stria_exec *exec);

/*
 * out = a / b; torch.true_divide, numpy.divide. Integers and bool become floats: f32 by PyTorch's
 * rule, f64 by NumPy's. x / 0 is an infinity with the sign of both, 0 / 0 NaN. Complex quotients
 * are computed so that nothing overflows on the way (Smith), a complex zero divides both parts.
 */
STRIA_API STRIA_MUST_USE stria_status stria_divide(const stria_view *out, const stria_view *a,
                                                   const stria_view *b, const stria_exec *exec);

/*
 * The whole quotient towards minus infinity and what it leaves, with the sign of b (Python's //
 * and %): torch.floor_divide, remainder, numpy.floor_divide, remainder; and what the quotient
 * towards 0 leaves, with the sign of a: torch.fmod, numpy.fmod. bool is taken as i8. Nothing
 * traps: integer quotients by 0 and what they leave are 0, and the lowest number // -1 is itself.
 * What floats leave is exact but for the sum that gives remainder the sign of b; a zero has that
 * sign too. x // 0 is x / 0 and leaves NaN; 5 // -inf is -1. 1 // 0.1 is 9: 0.1 is above a tenth.
 */
STRIA_API STRIA_MUST_USE stria_status stria_floor_divide(const stria_view *out, const stria_view *a,
                                                         const stria_view *b,
                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_remainder(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_fmod(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);

/*
 * -a, +a, the sign of a (-1, 0 or 1; z / |z| of complex), a * a, 1 / a; torch.neg, positive, sgn,
 * square, reciprocal, numpy.negative, positive, sign, square, reciprocal. Integers wrap around: -1
 * of u8 is 255, the negative of the lowest is itself. sign(NaN) is NaN, of zeros +0. bool has no
 * negative, no positive and no sign (DTYPE); its square is an i8. Of integers reciprocal is a
 * float, by both rules.
 */
STRIA_API STRIA_MUST_USE stria_status stria_negative(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_positive(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_sign(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_square(const stria_view *out, const stria_view *a,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_reciprocal(const stria_view *out, const stria_view *a,
                                                       const stria_exec *exec);

/*
 * |a|, |a| with the sign of b, and 0, b or 1 for a < 0, a == 0, a > 0; numpy.fabs, copysign,
 * heaviside, torch.copysign, heaviside. Of integers and bool a float. heaviside(NaN, b) is NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fabs(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_copysign(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_heaviside(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);

/*
 * An angle in degrees, and in radians; torch.rad2deg, deg2rad, numpy.degrees, radians. One product
 * with the constant, rounded to the dtype in which it is computed.
 */
STRIA_API STRIA_MUST_USE stria_status stria_degrees(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_radians(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);

/*
 * a + c * (b - a) from the end that is nearer; a + b * c; a + b / c; torch.lerp, addcmul, addcdiv.
 * lerp and addcdiv refuse integers (DTYPE), as PyTorch does. lerp is a at c = 0 and b at c = 1,
 * for f32 rounded once of a result in f64, and of f64 there is no overflow on the way. addcmul and
 * addcdiv round the product and the sum.
 */
STRIA_API STRIA_MUST_USE stria_status stria_lerp(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_view *c,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_addcmul(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_view *c,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_addcdiv(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_view *c,
                                                    const stria_exec *exec);

/*
 * out = a <= b, a > b, a >= b; torch.le, gt, ge, numpy.less_equal, greater, greater_equal. As
 * stria_less: by value for every pair of dtypes and every scalar, false beside a NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_less_equal(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_greater(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_greater_equal(const stria_view *out,
                                                          const stria_view *a, const stria_view *b,
                                                          const stria_exec *exec);

/*
 * out = a == b, a != b; torch.eq, ne, numpy.equal, not_equal. By value for every pair of dtypes,
 * complex ones too, and every scalar; a NaN is equal to nothing, -0 to +0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_equal(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_not_equal(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);

/*
 * Logic of what is true, which is what is not 0, NaN too: torch.logical_and, ...,
 * numpy.logical_and, .... The inputs are of any numeric dtypes, the result is bool.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logical_and(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_logical_or(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_logical_xor(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_logical_not(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);

/*
 * Questions about a number, answered by a bool; torch and numpy have the same names. Of complex
 * numbers isnan and isinf ask whether a part is one, isfinite whether both are; the others refuse
 * them (DTYPE). Integers and bool are finite; signbit asks whether an integer is below 0, and of a
 * float for its sign bit, that of zeros and NaN too. Nothing is raised by signaling NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_isnan(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_isinf(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_isfinite(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_isposinf(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_isneginf(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_signbit(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);

/*
 * Bits of integers and bool; torch.bitwise_and, ..., numpy.bitwise_and, ..., invert. Of bool
 * bitwise_not is logical.
 */
STRIA_API STRIA_MUST_USE stria_status stria_bitwise_and(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_bitwise_or(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_bitwise_xor(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_bitwise_not(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);

/*
 * a times, and divided by, 2^b; torch.bitwise_left_shift, bitwise_right_shift, numpy.left_shift,
 * right_shift. Defined for every b: where it is negative or not less than the number of bits the
 * result is 0, and of right_shift of a negative number -1. bool is taken as i8.
 */
STRIA_API STRIA_MUST_USE stria_status stria_left_shift(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_right_shift(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);

/*
 * The number of bits set in |a|, a u8; numpy.bitwise_count.
 */
STRIA_API STRIA_MUST_USE stria_status stria_bitwise_count(const stria_view *out,
                                                          const stria_view *a,
                                                          const stria_exec *exec);

/*
 * The greatest common divisor and the least common multiple, of magnitudes; torch.gcd, lcm,
 * numpy.gcd, lcm. gcd(0, b) is |b|, lcm(0, b) is 0. What the dtype does not hold wraps around.
 */
STRIA_API STRIA_MUST_USE stria_status stria_gcd(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_lcm(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);

/*
 * The whole number at or below a, at or above it, towards 0 (trunc and fix), and the nearest, half
 * way the even one; torch and numpy have the same names, round is torch's and the Array API's.
 * Integers and bool stay what they are. The sign of a is kept: ceil(-0.5) is -0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_floor(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_ceil(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_trunc(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_fix(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_round(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * round, of integers and bool a float: numpy.rint. What trunc cuts off, with the sign of a:
 * torch.frac; integers are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_rint(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_frac(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * The greater and the smaller of a and b; torch and numpy have the same names. As in IEEE 754-2019
 * -0 is below +0; beside a NaN maximum and minimum are NaN, fmax and fmin the other operand.
 */
STRIA_API STRIA_MUST_USE stria_status stria_maximum(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_minimum(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_fmax(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_fmin(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);

/*
 * out = a, but not below b and not above c; torch.clamp, numpy.clip. Where b > c it is c. An a
 * equal to a bound stays as it is, -0 too; NaN where any of the three is.
 */
STRIA_API STRIA_MUST_USE stria_status stria_clip(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_view *c,
                                                 const stria_exec *exec);

/*
 * max(a, 0), min(max(a, 0), 6), a or, not above 0, a * b; a where it is above b, else c:
 * torch.nn.functional.relu, relu6, leaky_relu, threshold. NaN stays, and relu keeps -0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_relu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_relu6(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_leaky_relu(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_threshold(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_view *c,
                                                      const stria_exec *exec);

/*
 * clip((a + 3) / 6, 0, 1), a times that; a, but 0 where |a| <= b; a nearer to 0 by b, where it
 * does not get there: torch.nn.functional has the same names. hardswish is 0 up to -3 and a from 3
 * on, infinities too. NaN stays.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hardsigmoid(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_hardswish(const stria_view *out, const stria_view *a,
                                                      const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_hardshrink(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_softshrink(const stria_view *out, const stria_view *a,
                                                       const stria_view *b, const stria_exec *exec);

/*
 * out = a * 2^b, rounded once; torch.ldexp, numpy.ldexp. b has to be of integers or bool (DTYPE)
 * and has no part in the dtype of the result, which is a's; of bool and integers a float, as for
 * stria_exp. Any b is fine: beyond the range the result is infinite or zero with the sign of a.
 */
STRIA_API STRIA_MUST_USE stria_status stria_ldexp(const stria_view *out, const stria_view *a,
                                                  const stria_view *b, const stria_exec *exec);

/*
 * out = a * b + c, rounded once; IEEE 754's fusedMultiplyAdd, which torch and numpy have not.
 * Floats only; exact at every instruction set, in software where there is no instruction for it.
 * stria_addcmul rounds the product, too.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fma(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_view *c,
                                                const stria_exec *exec);

/*
 * out = a rounded to b decimals, half way to the even digit; numpy.round and torch.round with
 * decimals. b has to be of integers or bool (DTYPE); negative ones round before the point. The
 * digits are those of the exact value of a, and the result is the float next to the decimal number:
 * 2.675 lies below it and becomes 2.67, where the peers multiply by 100 and get 2.68. Integers keep
 * their dtype and wrap around; infinities and NaN stay, and the sign of zero is a's.
 */
STRIA_API STRIA_MUST_USE stria_status stria_round_decimals(const stria_view *out,
                                                           const stria_view *a, const stria_view *b,
                                                           const stria_exec *exec);

/*
 * The next number after a towards b, in the common dtype; torch.nextafter, numpy.nextafter. b where
 * both are equal, also zeros of two signs; after a zero comes the least number with the sign of b.
 * NaN beside a NaN. And the distance from a to the next number away from 0, with the sign of a, of
 * zeros positive; numpy.spacing. NaN of infinities and NaN, infinite of the greatest numbers. Of
 * bool and integers floats, as for stria_exp.
 */
STRIA_API STRIA_MUST_USE stria_status stria_nextafter(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_spacing(const stria_view *out, const stria_view *a,
                                                    const stria_exec *exec);

/*
 * a sigmoid(a), a tanh(log(1 + e^a)), log(sigmoid(a)): torch.nn.functional.silu, mish, logsigmoid.
 * selu is elu with an alpha of 1.6733 times 1.0507. Floats only, f16, bf16 and f32 within 0.501
 * units in the last place, f64 within 3. At -inf silu and mish are -0, log_sigmoid -inf; at inf
 * they are inf, and log_sigmoid -0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_silu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_mish(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_log_sigmoid(const stria_view *out, const stria_view *a,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_selu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * a Phi(a), Phi the cumulative normal distribution, and its approximation a / 2 (1 + tanh(sqrt(2 /
 * pi) (a + 0.044715 a^3))): torch.nn.functional.gelu with approximate 'none' and 'tanh'. Floats
 * only, f16, bf16 and f32 within 0.501 units in the last place, f64 within 3. -0 at -inf, inf at
 * inf.
 */
STRIA_API STRIA_MUST_USE stria_status stria_gelu(const stria_view *out, const stria_view *a,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_gelu_tanh(const stria_view *out, const stria_view *a,
                                                      const stria_exec *exec);

/*
 * a where it is positive, else b (e^a - 1), or b (e^(a / b) - 1); log(1 + e^(a b)) / b: elu, celu,
 * softplus of torch.nn.functional, with alpha and beta as b. softplus has no threshold, from which
 * on PyTorch's is a itself. Floats only, f16, bf16 and f32 within 0.501 units in the last place,
 * f64 within 3.
 */
STRIA_API STRIA_MUST_USE stria_status stria_elu(const stria_view *out, const stria_view *a,
                                                const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_celu(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_softplus(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);

/*
 * log(a / (1 - a)); torch.logit, scipy.special.logit. -inf at 0, inf at 1, NaN beyond. f16, bf16
 * and f32 within 0.501 units in the last place, f64 within 3; of bool and integers floats, as for
 * stria_exp, and so for the following.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logit(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);

/*
 * a log(b) and a log(1 + b), but 0 where a is 0 and b no NaN; torch.special.xlogy, xlog1py. -a
 * log(a), 0 at 0 and -inf below: torch.special.entr. sin(pi a) / (pi a), 1 at 0: torch.sinc,
 * numpy.sinc. f16, bf16 and f32 within 0.501 units in the last place, f64 within 2.
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
 * f32 within 0.501 units in the last place, f64 within 4; beside its zeros digamma within 2^-48.
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
 * f64 within 5 (3.9 is the most that was found).
 */
STRIA_API STRIA_MUST_USE stria_status stria_i0(const stria_view *out, const stria_view *a,
                                               const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i0e(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i1(const stria_view *out, const stria_view *a,
                                               const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_i1e(const stria_view *out, const stria_view *a,
                                                const stria_exec *exec);

/*
 * isclose: |a - b| <= atol + rtol |b|, a bool, of finite numbers; equal infinities are close, and
 * NaN where equal_nan says so. torch.isclose, numpy.isclose, whose defaults are rtol = 1e-5 and
 * atol = 1e-8; ARGUMENT where one of them is negative or NaN. Integers are compared as floats (f64
 * by NumPy's rule, f32 by PyTorch's).
 */
STRIA_API STRIA_MUST_USE stria_status stria_isclose(const stria_view *out, const stria_view *a,
                                                    const stria_view *b, double rtol, double atol,
                                                    bool equal_nan, const stria_exec *exec);

/*
 * a with NaN replaced by *nan, inf by *posinf and -inf by *neginf; torch.nan_to_num,
 * numpy.nan_to_num. NULL means 0, the greatest and the least number of a's dtype; others are
 * rounded to it. Integers and bool are copied. Floats only else: complex numbers are refused
 * (DTYPE); take stria_view_as_real of them first.
 */
STRIA_API STRIA_MUST_USE stria_status stria_nan_to_num(const stria_view *out, const stria_view *a,
                                                       const double *nan, const double *posinf,
                                                       const double *neginf,
                                                       const stria_exec *exec);
/* ---- checked integers ----------------------------------------------------------------------- */

/*
 * Operations on integers that do not wrap: those of the functions without _checked, but where a
 * result does not fit into the dtype in which it is computed the first such element in C order is
 * reported, with its operands and its index in the shape to which the inputs broadcast, and nothing
 * is written (OVERFLOW). A divisor of 0 is reported as well (ARGUMENT). Elements that exec->where
 * leaves out are not looked at. Floats, complex numbers and bool are refused (DTYPE), and so is an
 * out that does not hold every number of the dtype. They read the inputs twice; C23's ckd_add,
 * Rust's checked_add, but for arrays.
 */
STRIA_API STRIA_MUST_USE stria_status stria_add_checked(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_subtract_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_view *b,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_multiply_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_view *b,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_negative_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_floor_divide_checked(const stria_view *out,
                                                                 const stria_view *a,
                                                                 const stria_view *b,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_remainder_checked(const stria_view *out,
                                                              const stria_view *a,
                                                              const stria_view *b,
                                                              const stria_exec *exec);

/* The call by number: STRIA_ADD, SUBTRACT, MULTIPLY, NEGATIVE, FLOOR_DIVIDE or REMAINDER. */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise_checked(stria_op op, const stria_view *out,
                                                                int n,
                                                                const stria_view *const *operands,
                                                                const stria_exec *exec);

/* ---- two results ---------------------------------------------------------------------------- */

/*
 * Operations with two results, both made in one pass over memory. The outputs have one shape, to
 * which the inputs broadcast, each a dtype of its own, and share no byte with each other (OVERLAP);
 * inputs may be either of them. Both are checked before either is written. exec->where holds for
 * both.
 */

/*
 * The whole quotient and what it leaves, by one call: those of stria_floor_divide and
 * stria_remainder; numpy.divmod, Python's divmod.
 */
STRIA_API STRIA_MUST_USE stria_status stria_divmod(const stria_view *quotient,
                                                   const stria_view *remainder, const stria_view *a,
                                                   const stria_view *b, const stria_exec *exec);

/*
 * What stands behind and before the point: a - trunc(a), exactly, and trunc(a), both with the sign
 * of a; numpy.modf, C's modf. Of infinities 0 and the infinity, of NaN both NaN. Of integers and
 * bool floats; complex operands are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_modf(const stria_view *fraction,
                                                 const stria_view *whole, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * sin(a) and cos(a), those of stria_sin and stria_cos; C's sincos of GNU.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sincos(const stria_view *sine, const stria_view *cosine,
                                                   const stria_view *a, const stria_exec *exec);

/* ---- any operation -------------------------------------------------------------------------- */

/*
 * The call by number: the n inputs of op in the order of its function, where n is
 * stria_op_inputs(op) (ARGUMENT otherwise).
 */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise(stria_op op, const stria_view *out, int n,
                                                        const stria_view *const *operands,
                                                        const stria_exec *exec);

/*
 * How stria_elementwise would run: the kernels one after the other, the items of a block, and the
 * operands that are put in order for it first, as "2 kernels, blocks of 4096 items, operand 2
 * transposed first". It is for people to read and changes with versions and machines; empty where
 * there are no elements. text receives at most size bytes, terminated. Nothing is computed, and the
 * views may lie in meta buffers. Errors as those of stria_elementwise; ARGUMENT too where text is
 * NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise_explain(char *text, size_t size,
                                                                stria_op op, const stria_view *out,
                                                                int n,
                                                                const stria_view *const *operands,
                                                                const stria_exec *exec);

/*
 * stria_elementwise into a new array: the shape to which the inputs broadcast, the dtype that
 * stria_result_dtype tells, dense in the order of dims on which the inputs agree (NumPy's order
 * 'K'). Without memory where an input lies in a meta buffer. *out is owned by the caller and
 * written only on success. MEMORY, OVERFLOW (the size of the result).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_elementwise_new(stria_array *out, stria_op op, int n, const stria_view *const *operands,
                      const stria_exec *exec);

/*
 * A fresh array for a result: of the shape to which n >= 1 operands broadcast and the dtype given,
 * say by stria_result_dtype, dense in the order of dims on which the operands agree (NumPy's order
 * 'K'; of two dims the one with the larger strides is outside, and where operands disagree it is C
 * order). Its elements are not set. Without memory where an operand lies in a meta buffer. *out is
 * owned by the caller and written only on success. ARGUMENT, DTYPE (no dtype), BROADCAST, MEMORY,
 * OVERFLOW.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_result_empty(stria_array *out, stria_dtype dtype, int n, const stria_view *const *operands);

/*
 * The dtype of op's result, in native byte order. Of the inputs only dtypes, the number of dims,
 * STRIA_WEAK and the values of weak scalars are looked at. torch.result_type, numpy.result_type.
 * exec->hints tells functions that compute which rule is used: PyTorch's, or NumPy's with
 * STRIA_PROMOTE_AS_NUMPY. DTYPE where there is no result, ARGUMENT for an unknown rule and for
 * integers that do not fit. docs/elementwise.md has the rules, and where they differ from the
 * peers'.
 */
STRIA_API STRIA_MUST_USE stria_status stria_result_dtype(stria_dtype *out, stria_op op, int n,
                                                         const stria_view *const *operands,
                                                         stria_promotion rule);

#ifdef __cplusplus
}
#endif

#endif
