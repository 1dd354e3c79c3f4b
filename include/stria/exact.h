/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that do not depend on any order: exact sums, and other running results that merge. Parts
 * of an array may be added by threads, processes or machines in any order, grouping and layout;
 * merged they give the bits that one call over the whole array gives. docs/exact.md has the
 * background.
 *
 * A state (stria_exact) is what a running result keeps. It is written as bytes and read back, on
 * any machine; equal states are equal bytes. Its size in bytes follows from its kind, and for a
 * histogram from the number of bins, so that it suits a reduction of MPI.
 *
 * Sums are exact: numbers and products are added to an integer that is wide enough for all of them,
 * and rounded once, to nearest even, to the dtype of the output. Complex numbers are added by
 * parts. Elements may be bool, integers and floats of any size. What is not finite is added as IEEE
 * 754 says: NaN, and infinities of both signs, give NaN. A sum of no elements, or of zeros, is +0;
 * one beyond the largest number of the dtype is an infinity.
 *
 * Any layouts, either byte order, lazy bits. Errors: everything is checked before a state or an
 * output changes. ARGUMENT: NULL, what is no view, a bad exec, a state of another kind, an unknown
 * result. SHAPE, DIM, BROADCAST, READONLY, OVERLAP as elsewhere. DTYPE: what is no number, results
 * that are no float. FORMAT: bytes that are no state. UNSUPPORTED: elements of meta buffers.
 * MEMORY.
 */
#ifndef STRIA_EXACT_H
#define STRIA_EXACT_H

#include "array.h"
#include "reduce.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- in one call ----------------------------------------------------------------------------- */

/*
 * Computes an exact sum, mean, variance or standard deviation (op: STRIA_SUM, STRIA_MEAN,
 * STRIA_VAR, STRIA_STD) over `count` dims, as stria_reduce_dims takes them. out is a float, or
 * complex where the result is. Each is rounded once: the mean is the exact sum divided by the
 * number of elements, the variance that of the exact sums of the elements and their squares,
 * divided by their number less ddof, which is whole and 0 or more; NaN where that is not above 0.
 * The deviation is the square root, in f64, of the variance in f64, rounded to out. math.fsum, for
 * any dims, and correctly rounded numpy.sum, mean and var.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_reduce(const stria_view *out, stria_reduction op,
                                                         const stria_view *a, int count,
                                                         const int *dims, double ddof,
                                                         const stria_exec *exec);
/* Does the same into a new array, f64 of bool and integers, else of a's dtype; spreads are real. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_exact_reduce_new(stria_array *out, stria_reduction op, const stria_view *a, int count,
                       const int *dims, double ddof, bool keepdims, const stria_exec *exec);
/*
 * Computes the exact sum of the products of a and b, broadcast together, into out of 0 dims.
 * Nothing is conjugated; stria_conj views a vector so. A correctly rounded numpy.dot of vectors.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_dot(const stria_view *out, const stria_view *a,
                                                      const stria_view *b, const stria_exec *exec);
/* Does the same into a new array of the dtype of a * b, f64 where that is no float. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_exact_dot_new(stria_array *out,
                                                                      const stria_view *a,
                                                                      const stria_view *b,
                                                                      const stria_exec *exec);

/* Results from sums of the first four powers of n elements, without a ddof. */
typedef enum stria_exact_moment_kind {
    STRIA_MOMENT_THIRD = 0,    /* the mean of (x - mean)^3, rounded once */
    STRIA_MOMENT_FOURTH = 1,   /* the mean of (x - mean)^4, rounded once */
    STRIA_MOMENT_SKEWNESS = 2, /* the third moment / var^1.5; scipy.stats.skew */
    STRIA_MOMENT_KURTOSIS = 3  /* the fourth moment / var^2 - 3; scipy.stats.kurtosis */
} stria_exact_moment_kind;

#define STRIA_MOMENTS 4 /* how many this header has; a newer library may have more */

/*
 * Computes a moment of real elements over dims, as stria_exact_reduce does. Skewness and kurtosis
 * are quotients of exact numbers that are rounded to f64 first, so that they are within 3 units of
 * the last place of it, without cancellation; NaN where all elements are equal. DTYPE: complex
 * numbers, which have no such moments.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_moment(const stria_view *out,
                                                         stria_exact_moment_kind what,
                                                         const stria_view *a, int count,
                                                         const int *dims, const stria_exec *exec);
/* Does the same into a new array, f64 of bool and integers, else of a's dtype. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_exact_moment_new(stria_array *out, stria_exact_moment_kind what, const stria_view *a,
                       int count, const int *dims, bool keepdims, const stria_exec *exec);

/* ---- states ---------------------------------------------------------------------------------- */

/* The kinds of states, and the results that stria_exact_result makes of them. */
typedef enum stria_exact_kind {
    STRIA_EXACT_SUM = 0,       /* STRIA_SUM, STRIA_MEAN */
    STRIA_EXACT_MOMENTS = 1,   /* STRIA_SUM, STRIA_MEAN, STRIA_VAR, STRIA_STD */
    STRIA_EXACT_EXTREMES = 2,  /* STRIA_MIN, STRIA_MAX, STRIA_ARGMIN, STRIA_ARGMAX; real elements */
    STRIA_EXACT_HISTOGRAM = 3, /* stria_exact_counts; real elements */
    STRIA_EXACT_POWERS = 4     /* those of moments, and stria_exact_shape; real elements */
} stria_exact_kind;

#define STRIA_EXACT_KINDS 5 /* how many this header has; a newer library may have more */

typedef struct stria_exact stria_exact; /* used by one thread at a time */

/*
 * Makes a state to which nothing was added, owned by the caller. edges: those of a histogram, n + 1
 * numbers that do not fall for n bins, which are copied; NULL for other kinds.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_make(stria_exact **out, stria_exact_kind kind,
                                                       const stria_view *edges);
STRIA_API void stria_exact_release(stria_exact *x); /* NULL is allowed */

/* Adds the elements of a; for extremes, element i in C order has place i. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_add(stria_exact *x, const stria_view *a,
                                                      const stria_exec *exec);
/*
 * Adds the elements of a part of a larger array to extremes: element [i, j, ...] of a has place
 * first + i * steps[0] + j * steps[1] + ... Of equal extremes the one with the lowest place is
 * kept; within one call that is the first in C order. NaN is beyond all numbers on both sides, and
 * -0 is below +0 as a value, but not for places: as in stria_min and stria_argmin.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_add_at(stria_exact *x, const stria_view *a,
                                                         int64_t first, int count,
                                                         const int64_t *steps,
                                                         const stria_exec *exec);
/* Adds the products of a and b, broadcast together, to a sum. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_add_product(stria_exact *x, const stria_view *a,
                                                              const stria_view *b,
                                                              const stria_exec *exec);
/* Adds what was added to `other`, which stays. ARGUMENT: another kind, other edges. OVERFLOW: more
 * elements than an i64 counts, of which nothing is added here and above. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_merge(stria_exact *x, const stria_exact *other);

/* How many elements were added; 0 for NULL. */
STRIA_API int64_t stria_exact_count(const stria_exact *x);
/*
 * Rounds a result into out, of 0 dims. A sum that is whole may also go to an i64 or u64, modulo
 * 2^64, as that of stria_sum. Extremes are converted as stria_copy does, places are i64; there are
 * none of no elements (SHAPE). ddof: that of STRIA_VAR and STRIA_STD.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_result(const stria_view *out,
                                                         const stria_exact *x, stria_reduction what,
                                                         double ddof);
/* Rounds a moment of powers into out, of 0 dims, a float. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_shape(const stria_view *out, const stria_exact *x,
                                                        stria_exact_moment_kind what);
/* Copies the counts of a histogram to an i64 of one dim, whose size is the number of bins. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_counts(const stria_view *out,
                                                         const stria_exact *x);
/* Copies the edges of a histogram, f64, to one dim whose size is one more, as stria_copy does. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_edges(const stria_view *out,
                                                        const stria_exact *x);

/* The size of the bytes of a state; 0 for NULL. */
STRIA_API int64_t stria_exact_nbytes(const stria_exact *x);
/* Writes a state as stria_exact_nbytes bytes; ARGUMENT for another size. */
STRIA_API STRIA_MUST_USE stria_status stria_exact_write(void *bytes, int64_t size,
                                                        const stria_exact *x);
/*
 * Makes the state that was written as these bytes, owned by the caller. FORMAT for bytes that are
 * torn, changed, of another version, or no state.
 */
STRIA_API STRIA_MUST_USE stria_status stria_exact_read(stria_exact **out, const void *bytes,
                                                       int64_t size);

#ifdef __cplusplus
}
#endif

#endif
