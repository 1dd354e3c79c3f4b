/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order statistics and counts: medians and quantiles over dims, histograms, counts of integers,
 * places in sorted arrays. Any layouts, either byte order, lazy neg bits; a view in a meta buffer
 * is refused (UNSUPPORTED) but for quantiles, which are checked and not computed. Results do not
 * depend on layout, threads or instruction set.
 *
 * Errors. Everything is checked before anything is written, but for elements that are no counts
 * (bincount). ARGUMENT: NULL, what is no view, a bad exec, quantiles outside 0 to 1, edges that are
 * not in order. DIM. SHAPE, READONLY, OVERLAP: out. DTYPE. MEMORY.
 */
#ifndef STRIA_ORDER_STATISTICS_H
#define STRIA_ORDER_STATISTICS_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rules by which a quantile between two elements is found; NumPy's names and definitions. */
typedef enum stria_quantile_method {
    STRIA_QUANTILE_LINEAR = 0,
    STRIA_QUANTILE_LOWER = 1,
    STRIA_QUANTILE_HIGHER = 2,
    STRIA_QUANTILE_NEAREST = 3,
    STRIA_QUANTILE_MIDPOINT = 4,
    STRIA_QUANTILE_INVERTED_CDF = 5,
    STRIA_QUANTILE_AVERAGED_INVERTED_CDF = 6,
    STRIA_QUANTILE_CLOSEST_OBSERVATION = 7,
    STRIA_QUANTILE_INTERPOLATED_INVERTED_CDF = 8,
    STRIA_QUANTILE_HAZEN = 9,
    STRIA_QUANTILE_WEIBULL = 10,
    STRIA_QUANTILE_MEDIAN_UNBIASED = 11,
    STRIA_QUANTILE_NORMAL_UNBIASED = 12,
    STRIA_QUANTILE_MEDIAN = 13 /* LINEAR, but the mean of two elements half-way between them */
} stria_quantile_method;

#define STRIA_QUANTILE_METHODS 14 /* how many this header has; a newer library may have more */
/* NULL means all zeros. keepdims: reduced dims stay in new arrays, with size 1. */
typedef struct stria_quantile_options {
    stria_quantile_method method;
    bool skip_nan, keepdims;
    uint64_t reserved[2]; /* must be zero */
} stria_quantile_options;

/*
 * The quantiles q[0 .. q_count-1], each from 0 to 1, of the elements along `count` dims (as
 * stria_reduce_dims takes them): out has a first dim of q_count, then those of a that are not
 * reduced, or all with size 1 where they are. numpy.quantile (percentile: divide by 100),
 * torch.quantile. Found by selection, in memory of the size of a. The two elements are interpolated
 * in f64. NaN where an element is; skip_nan: of the others, NaN where there are none
 * (numpy.nanquantile). Of no elements NaN. Results are f64 of bool and integers, else of a's dtype;
 * they cast to out's under same_kind rules. Methods that give one of the elements (LOWER, HIGHER,
 * NEAREST, INVERTED_CDF, CLOSEST_OBSERVATION) give it exactly, in a's dtype also of bool and
 * integers, of which there must be one then (SHAPE). Complex numbers are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_quantile(const stria_view *out, const stria_view *a,
                                                     int q_count, const double *q, int count,
                                                     const int *dims,
                                                     const stria_quantile_options *options,
                                                     const stria_exec *exec);
/* Does the same into a new array. *out is owned by the caller. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_quantile_new(stria_array *out, const stria_view *a, int q_count, const double *q, int count,
                   const int *dims, const stria_quantile_options *options, const stria_exec *exec);
/*
 * Medians, the mean of the middle two of an even number, which is infinite where their sum is; out
 * as of reductions, without the dim of quantiles. numpy.median; torch.median gives the lower one,
 * STRIA_QUANTILE_LOWER of 0.5.
 */
STRIA_API STRIA_MUST_USE stria_status stria_median(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);

/* Does the same into a new array. *out is owned by the caller. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_median_new(stria_array *out,
                                                                   const stria_view *a, int count,
                                                                   const int *dims, bool keepdims,
                                                                   const stria_exec *exec);

/*
 * Counts the elements of a in bins of one width from lo to hi; out is an i64 of one dim, whose
 * size is the number of bins. The last bin includes hi; what lies outside, and NaN, is not counted.
 * numpy.histogram, torch.histc. Bin i begins at lo + i * ((hi - lo) / bins), in f64. ARGUMENT: lo
 * and hi that are not finite or not in order, no bins.
 */
STRIA_API STRIA_MUST_USE stria_status stria_histogram(const stria_view *out, const stria_view *a,
                                                      double lo, double hi, const stria_exec *exec);
/* Counts in bins between edges, n + 1 numbers that do not fall, for n counts. */
STRIA_API STRIA_MUST_USE stria_status stria_histogram_edges(const stria_view *out,
                                                            const stria_view *a,
                                                            const stria_view *edges,
                                                            const stria_exec *exec);
/* Do the same into a new array, of so many bins, or of one for each edge but the last. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_histogram_new(stria_array *out,
                                                                      const stria_view *a,
                                                                      int64_t bins, double lo,
                                                                      double hi,
                                                                      const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_histogram_edges_new(stria_array *out,
                                                                            const stria_view *a,
                                                                            const stria_view *edges,
                                                                            const stria_exec *exec);
/*
 * out[i] = how often i occurs in a, bool or integers from 0 on; out is an i64 of one dim.
 * numpy.bincount, torch.bincount. BOUNDS for an element outside of out, which then is
 * as it was. _new: as long as the largest element asks for, and `least` at least.
 */
STRIA_API STRIA_MUST_USE stria_status stria_bincount(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_bincount_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     int64_t least,
                                                                     const stria_exec *exec);
/*
 * The same as the sums of the weights of equal elements, in f64 and in the order of the elements;
 * weights are real numbers of a's shape. numpy.bincount with weights.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_bincount_weights_new(stria_array *out, const stria_view *a, const stria_view *weights,
                           int64_t least, const stria_exec *exec);
/*
 * Finds where each of the values would be put into a sorted view of one dim: before all that are
 * not less (right: before all that are greater). out is an i64 of the shape of values. NaN is above
 * all numbers. Integers are compared exactly, but for u64 with signed ones, which are compared in
 * f64 as floats are. sorter: the indices that put `sorted` in order, integers, each of them once
 * (stria_argsort); NULL where it is in order. Complex numbers, strings, dates and records have the
 * order of sort.h. numpy.searchsorted, torch.searchsorted. ARGUMENT: not sorted, a sorter that is
 * no permutation. DTYPE: dtypes that NumPy's rule does not promote.
 */
STRIA_API STRIA_MUST_USE stria_status stria_searchsorted(const stria_view *out,
                                                         const stria_view *sorted,
                                                         const stria_view *sorter,
                                                         const stria_view *values, bool right,
                                                         const stria_exec *exec);

/* Does the same into a new array. *out is owned by the caller. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_searchsorted_new(stria_array *out, const stria_view *sorted, const stria_view *sorter,
                       const stria_view *values, bool right, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
