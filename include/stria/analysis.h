/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of numerical analysis and statistics that are compositions of others: interpolation,
 * slopes, covariances, bins.
 *
 * Any strides, lazy bits, either byte order; out has exactly the shape of the result, takes any
 * dtype to which that casts under same_kind rules, and may overlap the inputs. Views in a meta
 * buffer give shapes and dtypes. Results are made whole before they are copied to out. Errors:
 * ARGUMENT, SHAPE, DIM, DTYPE, READONLY, MEMORY, and those of the functions that they consist of.
 */
#ifndef STRIA_ANALYSIS_H
#define STRIA_ANALYSIS_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values beyond the points of stria_interp; NULL means all zeros. */
typedef struct stria_interp_options {
    const stria_view *left, *right; /* 0-d; NULL: the first and the last value */
    double period;                  /* of the points, which need no order then; 0: none */
    uint64_t reserved[2];           /* must be zero */
} stria_interp_options;

/*
 * Interpolates at the numbers x, of any shape, between points, which rise, and have values: real or
 * complex ones, as the result, of f64 or c128. Both are of one dim and of an element or more.
 * numpy.interp, bit for bit but where slopes are infinite. ARGUMENT: points that do not rise.
 */
STRIA_API STRIA_MUST_USE stria_status stria_interp(const stria_view *out, const stria_view *x,
                                                   const stria_view *points,
                                                   const stria_view *values,
                                                   const stria_interp_options *options,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_interp_new(
    stria_array *out, const stria_view *x, const stria_view *points, const stria_view *values,
    const stria_interp_options *options, const stria_exec *exec);

/*
 * Computes the slope of a along dim: differences of neighbours, second order within. spacing is
 * their distance, a number, or where they are, one number for each; NULL: 1. edge_order is 1 or 2,
 * that of the first and the last element, which takes one more element than that. Integers become
 * f64. numpy.gradient of one axis, torch.gradient.
 */
STRIA_API STRIA_MUST_USE stria_status stria_gradient(const stria_view *out, const stria_view *a,
                                                     const stria_view *spacing, int dim,
                                                     int edge_order, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_gradient_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *spacing,
                                                                     int dim, int edge_order,
                                                                     const stria_exec *exec);

/*
 * Computes the covariances of variables, the rows of a, over observations, its columns; of one dim
 * it is one variable, and the result is one number. Sums are divided by their number less ddof.
 * frequencies, whole numbers, count each observation so often; weights weigh it; both are of one
 * dim, or NULL. Integers become f64. numpy.cov, torch.cov.
 */
STRIA_API STRIA_MUST_USE stria_status stria_cov(const stria_view *out, const stria_view *a,
                                                const stria_view *frequencies,
                                                const stria_view *weights, double ddof,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_cov_new(stria_array *out, const stria_view *a, const stria_view *frequencies,
              const stria_view *weights, double ddof, const stria_exec *exec);
/* Computes their correlations: covariances divided by both standard deviations. numpy.corrcoef. */
STRIA_API STRIA_MUST_USE stria_status stria_corrcoef(const stria_view *out, const stria_view *a,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_corrcoef_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_exec *exec);

/*
 * Finds the bin of each number, an i64: how many of the edges, which rise or fall, do not lie above
 * it; right: lie below it. numpy.digitize; torch.bucketize has the other sides.
 */
STRIA_API STRIA_MUST_USE stria_status stria_digitize(const stria_view *out, const stria_view *a,
                                                     const stria_view *edges, bool right,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_digitize_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *edges,
                                                                     bool right,
                                                                     const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
