/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: every element of a combined with all before it along one dim; differences of neighbours.
 *
 * Shapes. out has the shape of a, any strides and alignment; either byte order, lazy conj and neg
 * bits of a. dim counts from the end where it is negative; a 0-d view has dims 0 and -1. A scan
 * from the other end is one of flipped views.
 *
 * Results have the same bits for any strides, on every instruction set and for any number of
 * threads, but for the sign and payload of NaN; docs/reductions.md has the order.
 *
 * Aliasing. out may be a itself, which needs no memory, or overlap it in any way: the result is as
 * if a had been copied first. With STRIA_NO_OVERLAP that is refused (OVERLAP).
 *
 * Errors. Everything is checked before anything is written. ARGUMENT: NULL, what is no view, an
 * unknown scan, a bad exec. DIM. SHAPE, READONLY, OVERLAP (with itself): out. DTYPE: no such scan
 * of a's dtype, or a result that does not cast to out's under same_kind rules. MEMORY.
 */
#ifndef STRIA_SCAN_H
#define STRIA_SCAN_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_scan {
    STRIA_CUMSUM = 0,
    STRIA_CUMPROD = 1,
    STRIA_CUMMAX = 2,
    STRIA_CUMMIN = 3,
    STRIA_LOGCUMSUMEXP = 4
} stria_scan;

#define STRIA_SCANS 5 /* how many this header has; a newer library may have more */

/*
 * Options of a scan; NULL means all zeros. Sums and products take both, the others neither
 * (ARGUMENT).
 *
 * include_initial: the results along dim begin with what the scan begins with, 0 or 1, and are one
 * more than the elements; of a 0-d view they are two, along a dim of their own. The Array API's
 * include_initial.
 *
 * dtype: what elements are cast to first, as stria_copy does, in a copy where they are of another
 * one, and the dtype of the result; numpy's and torch's dtype=.
 */
typedef struct stria_scan_options {
    bool include_initial;
    const stria_dtype *dtype; /* NULL: the usual one */
    uint64_t reserved[2];     /* must be zero */
} stria_scan_options;

/* Returns how many scans there are; they are numbered from 0. */
STRIA_API int stria_scan_count(void);
/* The name of a scan: static text; NULL for an unknown one. */
STRIA_API const char *stria_scan_name(stria_scan op);

/*
 * Sums and products of all elements so far; torch.cumsum, cumprod, numpy.cumsum, cumprod. Bool and
 * integers give i64 and wrap, by NumPy's rule u64 where they are unsigned; floats are combined in
 * f64, complex numbers in c128, and rounded once each.
 */
STRIA_API STRIA_MUST_USE stria_status stria_cumsum(const stria_view *out, const stria_view *a,
                                                   int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cumprod(const stria_view *out, const stria_view *a,
                                                    int dim, const stria_exec *exec);
/*
 * The largest and smallest elements so far, in a's dtype; the values of torch.cummax and cummin,
 * numpy.maximum.accumulate. From the first NaN on NaN; -0 is below +0. Complex numbers are refused
 * (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_cummax(const stria_view *out, const stria_view *a,
                                                   int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_cummin(const stria_view *out, const stria_view *a,
                                                   int dim, const stria_exec *exec);
/*
 * log(sum(exp)) of all elements so far, in f64 or c128, each by stria_logaddexp of the one before;
 * torch.logcumsumexp. Of bool and integers f64.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logcumsumexp(const stria_view *out, const stria_view *a,
                                                         int dim, const stria_exec *exec);

/* Into new arrays by name, as stria_scan_dim_new makes them. */
#define STRIA_SCAN_LIST(NAME)                                                                      \
    NAME(STRIA_CUMSUM, cumsum)                                                                     \
    NAME(STRIA_CUMPROD, cumprod)                                                                   \
    NAME(STRIA_CUMMAX, cummax)                                                                     \
    NAME(STRIA_CUMMIN, cummin)                                                                     \
    NAME(STRIA_LOGCUMSUMEXP, logcumsumexp)
#define STRIA_SCAN_NEW(constant, name)                                                             \
    STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_##name##_new(                          \
        stria_array *out, const stria_view *a, int dim, const stria_exec *exec);
STRIA_SCAN_LIST(STRIA_SCAN_NEW)
#undef STRIA_SCAN_NEW

/*
 * Any scan by number, and into a new array laid out like a; the Array API's cumulative_sum and
 * cumulative_prod. *out is owned by the caller.
 */
STRIA_API STRIA_MUST_USE stria_status stria_scan_dim(const stria_view *out, stria_scan op,
                                                     const stria_view *a, int dim,
                                                     const stria_scan_options *options,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_scan_dim_new(stria_array *out, stria_scan op, const stria_view *a, int dim,
                   const stria_scan_options *options, const stria_exec *exec);

/*
 * a[1:] - a[:-1] along dim, so many times: out has that many elements less there, none where a has
 * no more; torch.diff, numpy.diff. In a's dtype, of bools whether neighbours differ. ARGUMENT:
 * times below 0.
 */
STRIA_API STRIA_MUST_USE stria_status stria_diff(const stria_view *out, const stria_view *a,
                                                 int times, int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_diff_new(stria_array *out,
                                                                 const stria_view *a, int times,
                                                                 int dim, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
