/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons of whole arrays, for tests of numerical code. a and b are numbers of any dtypes and
 * layouts; no array of differences is made: all is found while memory is read.
 *
 * Errors. Everything is checked first. ARGUMENT: NULL, what is no view, tolerances that are
 * negative or NaN, a bad exec. DTYPE: elements that are no numbers. BROADCAST: shapes of allclose
 * and compare. MEMORY.
 */
#ifndef STRIA_COMPARE_H
#define STRIA_COMPARE_H

#include "array.h"
#include "elementwise.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tells whether a and b have one shape and equal elements, compared exactly whatever their dtypes;
 * numpy.array_equal, torch.equal.
 */
STRIA_API STRIA_MUST_USE stria_status stria_array_equal(bool *out, const stria_view *a,
                                                        const stria_view *b, bool equal_nan,
                                                        const stria_exec *exec);
/*
 * Tells whether all elements are close; a and b broadcast together. numpy.allclose, torch.allclose.
 * Integers of 64 bits are rounded to f64 where they are not equal. tolerance NULL: rtol 1e-5, atol
 * 1e-8.
 */
STRIA_API STRIA_MUST_USE stria_status stria_allclose(bool *out, const stria_view *a,
                                                     const stria_view *b,
                                                     const stria_tolerance *tolerance,
                                                     const stria_exec *exec);

/* Reports where a and b are not close. Places count elements in C order of the shape both broadcast
 * to. */
typedef struct stria_difference {
    int64_t elements, count; /* all of them, and those that differ */
    int64_t first;           /* place of the first one; -1: there is none */
    double largest;          /* of |a - b| among those that differ; inf where one is a NaN */
    int64_t largest_at;      /* -1: there is none */
    uint64_t reserved[4];    /* the library's own */
} stria_difference;

/* Tells how two arrays differ. tolerance may be NULL: nothing but equal elements are close. */
STRIA_API STRIA_MUST_USE stria_status stria_compare(stria_difference *out, const stria_view *a,
                                                    const stria_view *b,
                                                    const stria_tolerance *tolerance,
                                                    const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
