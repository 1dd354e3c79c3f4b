/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New arrays by a rule: sequences, and matrices of zeros and ones. fill.h has arrays of one value,
 * random.h random ones, array.h empty ones and zeros.
 *
 * dtype is any numeric one. *out is owned by the caller. Errors of all: DTYPE (no numbers), SHAPE
 * (a negative number of elements), OVERFLOW, MEMORY; the checks come before the allocation.
 */
#ifndef STRIA_CREATION_H
#define STRIA_CREATION_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the 1-d array start, start + step, ... without stop, which lies on the other side of step
 * when there are no elements; numpy.arange, torch.arange. Every value has to fit into dtype as
 * value.h has it (OVERFLOW). ARGUMENT: step is 0.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_arange_i64(stria_array *out,
                                                                   stria_dtype dtype, int64_t start,
                                                                   int64_t stop, int64_t step,
                                                                   const stria_exec *exec);
/*
 * Does the same in f64, with NumPy's number of elements, ceil((stop - start) / step), and NumPy's
 * values: element i is start + i * ((start + step) - start). So the last one may be stop where that
 * is rounded up. Other dtypes get the values converted as stria_copy does. ARGUMENT: step is 0,
 * something is NaN, or the number of elements is not finite.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_arange_f64(stria_array *out,
                                                                   stria_dtype dtype, double start,
                                                                   double stop, double step,
                                                                   const stria_exec *exec);

/*
 * Makes the 1-d array of count numbers from start to stop at equal distances, with stop where
 * endpoint is true and one distance before it otherwise; numpy.linspace bit for bit, torch.linspace
 * but for its roundings on the way. Computed in f64; integers are rounded down.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_linspace(stria_array *out,
                                                                 stria_dtype dtype, double start,
                                                                 double stop, int64_t count,
                                                                 bool endpoint,
                                                                 const stria_exec *exec);

/*
 * Does the same between complex numbers, two doubles each, the real part first: for each part, with
 * NumPy's values but for the signs of zeros. DTYPE unless dtype is complex.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_linspace_complex(stria_array *out, stria_dtype dtype, const double start[2],
                       const double stop[2], int64_t count, bool endpoint, const stria_exec *exec);

/*
 * Makes a matrix of `rows` x `columns` zeros with ones on diagonal k, which begins in column k, or
 * in row -k; no diagonal where k lies outside. numpy.eye, torch.eye.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_eye(stria_array *out, stria_dtype dtype,
                                                            int64_t rows, int64_t columns,
                                                            int64_t k, const stria_exec *exec);
/* Makes one with ones on diagonal k and below, and zeros above; numpy.tri. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_tri(stria_array *out, stria_dtype dtype,
                                                            int64_t rows, int64_t columns,
                                                            int64_t k, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
