/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order: sorting along a dim of views of any layout and byte order, with lazy bits, of every dtype.
 *
 * The order is one for all functions here. Numbers come by value, false before true, whatever bytes
 * they are; complex numbers by their real parts, then by their imaginary parts; strings by their
 * bytes or characters, opaque bytes as strings; dates and durations by their counts; records by
 * their fields in turn.
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

/*
 * The indices that put several arrays of one shape in order together: by the last of the n >= 1
 * keys, where it is equal by the one before, and so on. numpy.lexsort. out is i64 or any dtype
 * to which that casts; an array, in C order, is owned by the caller.
 */
STRIA_API STRIA_MUST_USE stria_status stria_lexsort(const stria_view *out, int n,
                                                    const stria_view *const *keys, int dim,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_lexsort_new(stria_array *out, int n,
                                                                    const stria_view *const *keys,
                                                                    int dim,
                                                                    const stria_exec *exec);

/*
 * Puts the element that comes at place k of a sorted line there (k from the end where it is
 * negative), before it those that a sort puts before it, and the others behind it. Both stay in the
 * order that they have in a, which the peers leave open. numpy.partition, numpy.argpartition,
 * torch.kthvalue. ARGUMENT: k outside of the line.
 */
STRIA_API STRIA_MUST_USE stria_status stria_partition(const stria_view *out, const stria_view *a,
                                                      int64_t k, int dim, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_partition_new(stria_array *out,
                                                                      const stria_view *a,
                                                                      int64_t k, int dim,
                                                                      const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_argpartition(const stria_view *out, const stria_view *a,
                                                         int64_t k, int dim,
                                                         const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_argpartition_new(stria_array *out,
                                                                         const stria_view *a,
                                                                         int64_t k, int dim,
                                                                         const stria_exec *exec);

/*
 * Finds the k elements of each line that come first, in order, of which the values and indices have
 * k along dim; largest: in descending order. NaN come after all numbers (PyTorch takes them for the
 * largest). torch.topk, the Array API's top_k. ARGUMENT: k below 0 or above the size of dim.
 */
STRIA_API STRIA_MUST_USE stria_status stria_topk(const stria_view *out_values,
                                                 const stria_view *out_indices, const stria_view *a,
                                                 int64_t k, int dim, bool largest,
                                                 const stria_exec *exec);

/* Does the same into new arrays, both or none. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_topk_new(stria_array *out_values,
                                                                 stria_array *out_indices,
                                                                 const stria_view *a, int64_t k,
                                                                 int dim, bool largest,
                                                                 const stria_exec *exec);

/* How equal elements share their ranks; SciPy's names. */
typedef enum stria_rank_method {
    STRIA_RANK_AVERAGE = 0, /* the mean of their places */
    STRIA_RANK_MIN = 1,
    STRIA_RANK_MAX = 2,
    STRIA_RANK_DENSE = 3,  /* likewise, and the next one follows without a gap */
    STRIA_RANK_ORDINAL = 4 /* each its own, in their order */
} stria_rank_method;

#define STRIA_RANK_METHODS 5 /* how many this header has; a newer library may have more */

/*
 * Writes the place that each element has in its sorted line, from 1 on: f64 for AVERAGE, else i64.
 * scipy.stats.rankdata. All NaN are equal and come last.
 */
STRIA_API STRIA_MUST_USE stria_status stria_rank(const stria_view *out, const stria_view *a,
                                                 int dim, stria_rank_method method,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_rank_new(stria_array *out,
                                                                 const stria_view *a, int dim,
                                                                 stria_rank_method method,
                                                                 const stria_exec *exec);

/*
 * Finds the different elements of a, in order, each as it occurs first in C order: their values in
 * native byte order, the indices of where they occur first in C order, for each element of a which
 * of them it is (inverse, of the shape of a), and how often each occurs. NULL for what else is not
 * wanted; each array is owned by the caller. equal_nan: all NaN, all complex numbers that have one,
 * and all "no time", count as one, else each by itself, as a record that has one. numpy.unique,
 * torch.unique, the Array API's unique_all. UNSUPPORTED also for meta buffers.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_unique_new(
    stria_array *out_values, stria_array *out_indices, stria_array *out_inverse,
    stria_array *out_counts, const stria_view *a, bool equal_nan, const stria_exec *exec);
/*
 * Finds the different slices of a along dim, in the order of their elements one after the other in
 * C order, of which the first that differs decides. values has the shape of a but for their number
 * along dim, inverse one element for each slice. equal_nan: NaN are equal, else a slice with one is
 * equal to none. Else as stria_unique_new. numpy.unique(axis=), torch.unique(dim=). DIM. OVERFLOW:
 * slices of 2^31 bytes and more.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_unique_dim_new(
    stria_array *out_values, stria_array *out_indices, stria_array *out_inverse,
    stria_array *out_counts, const stria_view *a, int dim, bool equal_nan, const stria_exec *exec);

/*
 * Does what stria_unique_new does with the different elements in the order in which each is first
 * there; out_indices rise then. pandas.unique.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_unique_in_order_new(
    stria_array *out_values, stria_array *out_indices, stria_array *out_inverse,
    stria_array *out_counts, const stria_view *a, bool equal_nan, const stria_exec *exec);
/*
 * Tells of each element of a if one of b is equal to it; invert: if none is. out is a bool of the
 * shape of a. Elements are compared as stria_searchsorted does; NaN is equal to none. numpy.isin,
 * torch.isin. DTYPE: dtypes that NumPy's rule does not promote. UNSUPPORTED: meta buffers.
 */
STRIA_API STRIA_MUST_USE stria_status stria_isin(const stria_view *out, const stria_view *a,
                                                 const stria_view *b, bool invert,
                                                 const stria_exec *exec);
/* Does the same into a new array. *out is owned by the caller. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_isin_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_view *b, bool invert,
                                                                 const stria_exec *exec);

/*
 * Finds for each element of b the first equal one of a, in C order, by a table: out, an i64 of the
 * shape of b, has its number, or `absent` where there is none. Dtypes and NaN as of stria_isin.
 * numpy.where(a == x), list.index, APL's dyadic iota.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index_of(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, int64_t absent,
                                                     const stria_exec *exec);
/* Does the same into a new array. *out is owned by the caller. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_index_of_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *b,
                                                                     int64_t absent,
                                                                     const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
