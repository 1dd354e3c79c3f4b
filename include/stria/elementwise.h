/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations: out[i...] = f(a[i...], b[i...]) for every index. What holds for all of
 * them stands here; what each one makes of its values stands at its function, in this header, in
 * mathematics.h, activation.h, checked.h or two_results.h.
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
 * Masks. exec->mask, a view of bool that broadcasts to the shape of out as the inputs do, chooses
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

#include "activation.h"
#include "array.h"
#include "checked.h"
#include "mathematics.h"
#include "op.h"
#include "promote.h"
#include "threads.h"
#include "two_results.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scalars -------------------------------------------------------------------------------- */

/*
 * A weak scalar: a read-only 0-d view of *value with the flag STRIA_WEAK, which stands for Python's
 * bool, int, float or complex in promotion. kind is BOOL (value points to a bool), I64, U64 (both
 * are Python's int), F64 or C128 (two doubles, the real part first). *value is borrowed for as long
 * as the view is used and is read by every operation. Functions other than elementwise ones take
 * the view as an ordinary one. ARGUMENT for another kind and for NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_weak(stria_view *out, stria_kind kind,
                                                 const void *value);

/* ---- operations ----------------------------------------------------------------------------- */

/*
 * out = a + b, out = a - b, out = a * b; torch.add, sub, mul, numpy.add, subtract, multiply.
 * Integers wrap around modulo 2^bits. Of bool operands + is or, * is and, and - is refused (DTYPE).
 * Floats follow IEEE 754; f16 and bf16 are computed in f32 and rounded once. The complex product is
 * (ac - bd) + (ad + bc)i without further treatment of infinities, as in both peers: a part is NaN
 * where it is inf - inf, also of products that overflow. C's Annex G is not followed.
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
 * The remainder of floats is exact but for the sum that gives remainder the sign of b; a zero has
 * that sign too. x // 0 is x / 0 and leaves NaN; 5 // -inf is -1. 1 // 0.1 is 9: 0.1 is above a
 * tenth.
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
 * lerp and addcdiv refuse integers (DTYPE), as PyTorch does. Of finite a and b lerp is a at c = 0
 * and b at c = 1, for f32 rounded once of a result in f64, and of f64 there is no overflow on the
 * way. addcmul and addcdiv round the product and the sum.
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
 * equal to a bound stays as it is, -0 too; NaN where any of the three is. An integer scalar may lie
 * outside of the dtype where it bounds nothing: -1 and 300 of u8.
 */
STRIA_API STRIA_MUST_USE stria_status stria_clip(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, const stria_view *c,
                                                 const stria_exec *exec);

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

/* Two elements are close where |a - b| <= atol + rtol * |b|, in f64, or they are equal.
 */
typedef struct stria_tolerance {
    double rtol, atol;
    bool equal_nan;       /* NaN equals NaN */
    uint64_t reserved[2]; /* must be zero */
} stria_tolerance;

/*
 * isclose: |a - b| <= atol + rtol |b|, a bool, of finite numbers; equal infinities are close, and
 * NaN where equal_nan says so. torch.isclose, numpy.isclose, whose defaults, rtol = 1e-5 and atol =
 * 1e-8, a tolerance of NULL means; ARGUMENT where one of them is negative or NaN. Integers are
 * compared as floats (f64 by NumPy's rule, f32 by PyTorch's).
 */
STRIA_API STRIA_MUST_USE stria_status stria_isclose(const stria_view *out, const stria_view *a,
                                                    const stria_view *b,
                                                    const stria_tolerance *tolerance,
                                                    const stria_exec *exec);

/*
 * a with NaN replaced by nan, inf by posinf and -inf by neginf, 0-d views of real numbers (SHAPE,
 * DTYPE); torch.nan_to_num, numpy.nan_to_num. NULL means 0, the greatest and the least number of
 * a's dtype; others are rounded to it. Integers and bool are copied. Floats only else: complex
 * numbers are refused (DTYPE); take stria_view_as_real of them first.
 */
STRIA_API STRIA_MUST_USE stria_status stria_nan_to_num(const stria_view *out, const stria_view *a,
                                                       const stria_view *nan,
                                                       const stria_view *posinf,
                                                       const stria_view *neginf,
                                                       const stria_exec *exec);

/* Do the same into new arrays, of bool and of a's dtype. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_isclose_new(stria_array *out, const stria_view *a, const stria_view *b,
                  const stria_tolerance *tolerance, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_nan_to_num_new(stria_array *out, const stria_view *a, const stria_view *nan,
                     const stria_view *posinf, const stria_view *neginf, const stria_exec *exec);

/* ---- quotients, zeros ----------------------------------------------------------------------- */

/* Divides, and rounds towards 0: integers remain integers, which wrap.
 * torch.div(rounding_mode='trunc'). */
STRIA_API STRIA_MUST_USE stria_status stria_quotient(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_quotient_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *b,
                                                                     const stria_exec *exec);
/* Counts the bits above the highest one that is set, of integers, as stria_bitwise_count does. */
STRIA_API STRIA_MUST_USE stria_status stria_count_leading_zeros(const stria_view *out,
                                                                const stria_view *a,
                                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_count_leading_zeros_new(stria_array *out, const stria_view *a, const stria_exec *exec);

/* ---- any operation -------------------------------------------------------------------------- */

/*
 * The call by number: the n inputs of op in the order of its function, where n is
 * stria_op_inputs(op) (ARGUMENT otherwise).
 */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise(const stria_view *out, stria_op op, int n,
                                                        const stria_view *const *operands,
                                                        const stria_exec *exec);

/*
 * Tells how stria_elementwise would run: the kernels one after the other, what passes through them
 * at once (rows as they lie, pieces, tiles, blocks, ...), and the operands that are put in order
 * first, as "2 kernels, blocks of 4096 items, operand 2 transposed first". It is for people to read
 * and changes with versions and machines; empty where there are no elements. text receives at most
 * size bytes, terminated. Nothing is computed, and the views may lie in meta buffers. Errors as
 * those of stria_elementwise; ARGUMENT too where text is NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise_explain(
    char *text, size_t size, size_t *length, const stria_view *out, stria_op op, int n,
    const stria_view *const *operands, const stria_exec *exec);

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
 * Into new arrays by name, as stria_elementwise_new makes them: stria_add_new(&out, &a, &b, exec)
 * and so on, of the same inputs as the function without _new. They are made from the rows of op.h.
 */
#define STRIA_OP_NEW(constant, name, inputs, ...)                                                  \
    STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_##name##_new(                          \
        stria_array *out, STRIA_NEW_OF_##inputs, const stria_exec *exec);
STRIA_OP_LIST(STRIA_OP_NEW)
#undef STRIA_OP_NEW

/*
 * A fresh array for a result: of the shape to which n >= 1 operands broadcast and the dtype given,
 * say by stria_result_dtype, dense in the order of dims on which the operands agree (NumPy's order
 * 'K'; of two dims the one with the larger strides is outside, and where operands disagree it is C
 * order). Its elements are not set. Without memory where an operand lies in a meta buffer. *out is
 * owned by the caller and written only on success. ARGUMENT, DTYPE (no dtype), BROADCAST, MEMORY,
 * OVERFLOW.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_result_empty(stria_array *out, int n, const stria_view *const *operands, stria_dtype dtype);

/*
 * The dtype of op's result, in native byte order. Of the inputs only dtypes, the number of dims,
 * STRIA_WEAK and the values of weak scalars are looked at. exec->hints tells functions that compute
 * which rule is used: PyTorch's, or NumPy's with STRIA_PROMOTE_AS_NUMPY. DTYPE where there is no
 * result, ARGUMENT for an unknown rule and for integers that do not fit. docs/elementwise.md has
 * the rules, and where they differ from the peers'.
 */
STRIA_API STRIA_MUST_USE stria_status stria_result_dtype(stria_dtype *out, stria_op op, int n,
                                                         const stria_view *const *operands,
                                                         stria_promotion rule);
/*
 * The dtype to which n >= 1 operands promote, whatever is done with them, in native byte order. A
 * dtype without an array is any view of it that has dims, say one in a meta buffer. Weak scalars
 * give way whatever their values. torch.result_type, numpy.result_type. DTYPE where there is none.
 */
STRIA_API STRIA_MUST_USE stria_status stria_promote_operands(stria_dtype *out, int n,
                                                             const stria_view *const *operands,
                                                             stria_promotion rule);

#ifdef __cplusplus
}
#endif

#endif
