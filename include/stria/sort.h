/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order: sorting along a dim of views of any layout and byte order, with lazy bits, of every dtype.
 *
 * The order is one for all functions here. Numbers come by value, false before true; complex
 * numbers by their real parts, then by their imaginary parts; strings by their bytes or characters,
 * opaque bytes as strings; dates and durations by their counts; records by their fields in turn.
 * -0 and +0 are equal, and so are all NaN. NaN and "no time" come last, also where the order is
 * descending (PyTorch puts NaN first then; NumPy has no descending order); a complex number with a
 * NaN comes after those without, first those whose imaginary part it is, as in NumPy. Equal items
 * keep their places, ascending and descending. So there is one right result: the same bits for
 * every layout, number of threads and instruction set.
 *
 * dim counts from the end where it is negative; an array of no dims is a line of one element.
 * Results go into out, which has the shape of a unless something else is said, and may be a itself;
 * a where it overlaps out otherwise is read first. indices are i64. _new: the same into a new
 * array, which is owned by the caller, in the memory order of a. Views in meta buffers are checked
 * only.
 *
 * Errors. Everything is checked before anything is written. ARGUMENT: NULL, what is no view, a bad
 * exec. DIM. DTYPE: out has another dtype than a (its byte order may differ). SHAPE, READONLY,
 * OVERLAP: out. UNSUPPORTED: lines of 2^32 elements and more. MEMORY: what lines are sorted in, 16
 * to 20 bytes for each of the elements of one.
 */
#ifndef STRIA_SORT_H
#define STRIA_SORT_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts lines. numpy.sort, torch.sort; kind='stable' is what it always is. */
STRIA_API STRIA_MUST_USE stria_status stria_sort(const stria_view *out, const stria_view *a,
                                                 int dim, bool descending, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_sort_new(stria_array *out,
                                                                 const stria_view *a, int dim,
                                                                 bool descending,
                                                                 const stria_exec *exec);

/*
 * Tells where the elements of sorted lines are in a: out[i] is the index along dim of the one that
 * comes at place i. numpy.argsort, torch.argsort.
 */
STRIA_API STRIA_MUST_USE stria_status stria_argsort(const stria_view *out, const stria_view *a,
                                                    int dim, bool descending,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_argsort_new(stria_array *out,
                                                                    const stria_view *a, int dim,
                                                                    bool descending,
                                                                    const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
