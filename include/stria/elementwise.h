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
 * STRIA_CAST_SAME_KIND: f64 into f32, i32 into f64, but not f32 into i32. 8-bit floats do not
 * promote: cast them first. As out they are allowed.
 *
 * Scalars. A 0-d view is an operand like any other: NumPy's rules take its dtype fully, PyTorch's
 * only its category (bool, integer, float, complex) beside operands of one dim and more. A weak
 * scalar (stria_weak) is a number without a dtype of its own, Python's: it takes the dtype of the
 * others where its category is not higher. An integer that does not fit the dtype of the operation
 * is refused; a float is rounded to it.
 *
 * Aliasing. Inputs may overlap out in any way: the result is as if every input had been copied
 * first. With STRIA_NO_OVERLAP in exec->hints an input that shares bytes with out is refused
 * (OVERLAP) unless each of its elements lies exactly where out's element of the same index does. No
 * two elements of out may share a byte.
 *
 * Results have the same bits on every instruction set, for any strides and any number of threads,
 * except for the sign and payload of NaN. Floating-point status flags are neither read nor cleared.
 *
 * Ownership. All views are borrowed for the time of the call. exec may be NULL.
 *
 * Errors. Everything is checked before anything is written, and messages name the operand.
 * ARGUMENT: NULL, a view that was cleared or never made, an unknown operation, unknown bits in
 * exec->hints, a negative number of threads, an integer scalar that does not fit. READONLY, OVERLAP
 * (out with itself): out. BROADCAST: shapes. DTYPE: no loop for these dtypes, no dtype in common,
 * or a result that may not be cast to out's dtype. MEMORY: temporaries.
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
    STRIA_LESS,
    STRIA_WHERE,
    STRIA_ABS,
    STRIA_EXP,
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
 * out = e^a; torch.exp, numpy.exp. Of bool and integers a float: f32 by PyTorch's rule; by NumPy's
 * f16 for 8 bits and bool, f32 for 16, f64 for 32 and 64. f16, bf16 and f32 are correctly rounded,
 * f64 is off by less than 0.61 units in the last place (0.602 is the most that was found), where it
 * is subnormal by 0.8.
 * exp(-inf) is +0, exp(+-0) is 1, overflow gives inf. Complex operands are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_exp(const stria_view *out, const stria_view *a,
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
STRIA_API STRIA_MUST_USE stria_status stria_elementwise_new(stria_array *out, stria_op op, int n,
                                                            const stria_view *const *operands,
                                                            const stria_exec *exec);

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
