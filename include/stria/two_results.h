/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations with two results, both made in one pass over memory; elementwise.h says
 * what holds for all operations. The outputs have one shape, to which the inputs broadcast, each a
 * dtype of its own, and share no byte with each other (OVERLAP); inputs may be either of them. Both
 * are checked before either is written. exec->mask holds for both.
 */
#ifndef STRIA_TWO_RESULTS_H
#define STRIA_TWO_RESULTS_H

#include "array.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The whole quotient and what it leaves, by one call: those of stria_floor_divide and
 * stria_remainder; numpy.divmod, Python's divmod.
 */
STRIA_API STRIA_MUST_USE stria_status stria_divmod(const stria_view *out_quotient,
                                                   const stria_view *out_remainder,
                                                   const stria_view *a, const stria_view *b,
                                                   const stria_exec *exec);

/*
 * Splits a number at its point: a - trunc(a), exactly, and trunc(a), both with the sign of a;
 * numpy.modf, C's modf. Of infinities 0 and the infinity, of NaN both NaN. Of integers and bool
 * floats; complex operands are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_modf(const stria_view *out_fraction,
                                                 const stria_view *out_whole, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * a as m 2^e with 1/2 <= |m| < 1, m with the sign of a, and e an i32: numpy.frexp, torch.frexp, C's
 * frexp. Zeros, infinities and NaN are their own m, with an e of 0. Of integers and bool m is a
 * float; complex operands are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_frexp(const stria_view *out_mantissa,
                                                  const stria_view *out_exponent,
                                                  const stria_view *a, const stria_exec *exec);

/*
 * sin(a) and cos(a), those of stria_sin and stria_cos; C's sincos of GNU.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sincos(const stria_view *out_sine,
                                                   const stria_view *out_cosine,
                                                   const stria_view *a, const stria_exec *exec);

/*
 * Into new arrays, both or none, of the dtypes that the functions above compute in; what
 * exec->mask leaves out is 0.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_divmod_new(stria_array *out_quotient,
                                                                   stria_array *out_remainder,
                                                                   const stria_view *a,
                                                                   const stria_view *b,
                                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_modf_new(stria_array *out_fraction,
                                                                 stria_array *out_whole,
                                                                 const stria_view *a,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_frexp_new(stria_array *out_mantissa,
                                                                  stria_array *out_exponent,
                                                                  const stria_view *a,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_sincos_new(stria_array *out_sine,
                                                                   stria_array *out_cosine,
                                                                   const stria_view *a,
                                                                   const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
