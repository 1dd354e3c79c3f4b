/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexing by arrays. Functions that read make a new dense array, owned by the caller, in C order
 * unless said otherwise; functions that write do so in place through the destination view. Index
 * arrays may have any integer dtype and layout; masks have dtype bool. Every index is checked
 * before anything is written.
 *
 * Unless said otherwise negative indices count from the end. Where several writes go to one
 * element, or to elements that share bytes, the last one in C order of the indices stays; values
 * are not combined with elements that share bytes (OVERLAP). Values are broadcast to the
 * destination, whose dims they may exceed by leading sizes of 1, and converted to its dtype. They
 * are combined in that dtype, and integers wrap. Sums and products of scatter, scatter_reduce and
 * index_add, and every mean, of floats of 1 and 2 bytes are computed in f32 and rounded once; that
 * takes a copy of the destination, as do combining items in the other byte order and combining
 * lazily conjugated or negated items.
 *
 * Errors: ARGUMENT, DIM, SHAPE, INDEX (with the value, its dim and the size), BROADCAST, OVERFLOW,
 * DTYPE, READONLY, OVERLAP, MEMORY. Where an array has no memory (meta buffers) everything is
 * checked as well and nothing is written; UNSUPPORTED where the size of the result depends on the
 * values of such an array.
 */
#ifndef STRIA_INDEXING_H
#define STRIA_INDEXING_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_index_mode {
    STRIA_INDEX_RAISE = 0,  /* an index outside -size .. size-1 is an error */
    STRIA_INDEX_STRICT = 1, /* RAISE, where negative indices are errors too */
    STRIA_INDEX_WRAP = 2,   /* indices count modulo the size, numpy.take(mode='wrap') */
    STRIA_INDEX_CLIP = 3    /* indices are clamped to 0 .. size-1, numpy.take(mode='clip') */
} stria_index_mode;

typedef enum stria_reduce {
    STRIA_REDUCE_NONE = 0, /* the value replaces the element */
    STRIA_REDUCE_SUM = 1,
    STRIA_REDUCE_PROD = 2,
    STRIA_REDUCE_MIN = 3, /* a NaN on either side stays */
    STRIA_REDUCE_MAX = 4,
    STRIA_REDUCE_MEAN = 5 /* the sum divided by the number of summands; for integers rounded down */
} stria_reduce;

/* Tells where the dims of index arrays go when integers are among the items. */
typedef enum stria_placement {
    STRIA_PLACE_NUMPY = 0, /* integers count as index arrays */
    STRIA_PLACE_TORCH = 1  /* integers are applied first, as by stria_select */
} stria_placement;

/* ---- reading ------------------------------------------------------------------------------- */

/*
 * Takes elements of a by their number in C order; the result has the shape of index. torch.take,
 * numpy.take(axis=None).
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_take_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_view *index,
                                                                 stria_index_mode mode,
                                                                 const stria_exec *exec);
/*
 * Takes elements along dim, which is replaced by the shape of index; numpy.take(axis).
 * torch.index_select is the same with an index of 0 or 1 dims and STRICT.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_take_dim_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *index,
                                                                     int dim, stria_index_mode mode,
                                                                     const stria_exec *exec);
/*
 * Computes out[i][j] = a[index[i][j]][j] for dim 0, and so on. index has as many dims as a and is
 * not larger than a, except along dim; its values must not be negative. torch.gather.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_gather_new(stria_array *out,
                                                                   const stria_view *a,
                                                                   const stria_view *index, int dim,
                                                                   const stria_exec *exec);
/*
 * Does the same with all other dims broadcast together; numpy.take_along_axis,
 * torch.take_along_dim.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_take_along_dim_new(stria_array *out,
                                                                           const stria_view *a,
                                                                           const stria_view *index,
                                                                           int dim,
                                                                           const stria_exec *exec);
/*
 * Takes the elements where mask is true, in C order, as 1 dim; a and mask are broadcast together.
 * torch.masked_select.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_masked_select_new(stria_array *out,
                                                                          const stria_view *a,
                                                                          const stria_view *mask,
                                                                          const stria_exec *exec);
/*
 * Lists the indices of the elements that are not zero: (count, ndim) of i64, stored column by
 * column. torch.nonzero.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_nonzero_new(stria_array *out,
                                                                    const stria_view *a,
                                                                    const stria_exec *exec);

/*
 * Computes a[items...] with index arrays among the items (STRIA_INDEX_ARRAY): integers of any
 * shape, which broadcast together, and masks, which index as many dims as they have. The dims of
 * the index arrays replace the indexed dims in place when those are adjacent, and come first
 * otherwise. The result inherits a's class; if that is MATRIX it has at least 2 dims, as
 * stria_index says. Its order in memory is that of a's remaining dims, then that of the index
 * arrays, the first array first, as in PyTorch.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_index_arrays_new(
    stria_array *out, const stria_view *a, int count, const stria_index_item *items,
    stria_placement placement, const stria_exec *exec);

/*
 * Do the same into a view of exactly the shape of the result (SHAPE), to whose dtype a casts under
 * same_kind rules (DTYPE); it keeps its class. It may overlap what is read, which is then as if
 * copied first, but not itself (OVERLAP). out= of numpy.take, torch.take, torch.gather and so on.
 */
STRIA_API STRIA_MUST_USE stria_status stria_take(const stria_view *out, const stria_view *a,
                                                 const stria_view *index, stria_index_mode mode,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_take_dim(const stria_view *out, const stria_view *a,
                                                     const stria_view *index, int dim,
                                                     stria_index_mode mode, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_gather(const stria_view *out, const stria_view *a,
                                                   const stria_view *index, int dim,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_take_along_dim(const stria_view *out,
                                                           const stria_view *a,
                                                           const stria_view *index, int dim,
                                                           const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_masked_select(const stria_view *out,
                                                          const stria_view *a,
                                                          const stria_view *mask,
                                                          const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_index_arrays(const stria_view *out, const stria_view *a,
                                                         int count, const stria_index_item *items,
                                                         stria_placement placement,
                                                         const stria_exec *exec);

/* ---- writing ------------------------------------------------------------------------------- */

/*
 * Computes out[items...] = values, or combines values with the elements. The items are those of
 * stria_index_arrays_new; none of them needs to be an array. torch.index_put_(accumulate=True) and
 * numpy.add.at are STRIA_REDUCE_SUM.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index_put(const stria_view *out, int count,
                                                      const stria_index_item *items,
                                                      const stria_view *values,
                                                      stria_placement placement,
                                                      stria_reduce reduce, const stria_exec *exec);
/* Does the same for elements named by their number in C order; torch.Tensor.put_, numpy.put. */
STRIA_API STRIA_MUST_USE stria_status stria_put(const stria_view *out, const stria_view *index,
                                                const stria_view *values, stria_index_mode mode,
                                                stria_reduce reduce, const stria_exec *exec);
/*
 * Computes out[index[i][j]][j] = src[i][j] for dim 0, and so on. src is at least as large as index,
 * or has 0 dims. torch.scatter_, scatter_add_.
 */
STRIA_API STRIA_MUST_USE stria_status stria_scatter(const stria_view *out, const stria_view *index,
                                                    const stria_view *src, int dim,
                                                    stria_reduce reduce, const stria_exec *exec);
/* Does the same; without include_self the old elements do not take part. torch.scatter_reduce_. */
STRIA_API STRIA_MUST_USE stria_status stria_scatter_reduce(const stria_view *out,
                                                           const stria_view *index,
                                                           const stria_view *src, int dim,
                                                           stria_reduce reduce, bool include_self,
                                                           const stria_exec *exec);
/* Writes the slices of dim that index (1-d or 0-d) names; torch.index_copy_, index_fill_. */
STRIA_API STRIA_MUST_USE stria_status stria_index_copy(const stria_view *out,
                                                       const stria_view *index,
                                                       const stria_view *src, int dim,
                                                       stria_reduce reduce, const stria_exec *exec);
/* Does the same; without include_self the old elements do not take part. torch.index_reduce_. */
STRIA_API STRIA_MUST_USE stria_status stria_index_reduce(const stria_view *out,
                                                         const stria_view *index,
                                                         const stria_view *src, int dim,
                                                         stria_reduce reduce, bool include_self,
                                                         const stria_exec *exec);
/*
 * Adds alpha (0-d; NULL means 1) times src to the slices; an index may occur several times.
 * torch.index_add_.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index_add(const stria_view *out,
                                                      const stria_view *index,
                                                      const stria_view *src,
                                                      const stria_view *alpha, int dim,
                                                      const stria_exec *exec);
/* Writes value (0-d, or broadcast) where mask, broadcast to out, is true; torch.masked_fill_. */
STRIA_API STRIA_MUST_USE stria_status stria_masked_fill(const stria_view *out,
                                                        const stria_view *mask,
                                                        const stria_view *value,
                                                        const stria_exec *exec);
/*
 * Writes the elements of src, in C order, one after the other where mask is true;
 * torch.masked_scatter_.
 */
STRIA_API STRIA_MUST_USE stria_status stria_masked_scatter(const stria_view *out,
                                                           const stria_view *mask,
                                                           const stria_view *src,
                                                           const stria_exec *exec);

/* ---- numbers of elements ------------------------------------------------------------------- */

/*
 * Finds the indices of elements that are counted in C or Fortran order of a shape: out, an i64, has
 * a first dim of ndim, and then those of a. numpy.unravel_index. INDEX: a number that is not there.
 */
STRIA_API STRIA_MUST_USE stria_status stria_unravel_index(const stria_view *out,
                                                          const stria_view *a, int ndim,
                                                          const int64_t *shape, stria_order order,
                                                          const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_unravel_index_new(stria_array *out, const stria_view *a, int ndim, const int64_t *shape,
                        stria_order order, const stria_exec *exec);
/*
 * Counts elements in C or Fortran order of a shape, whose indices along each dim are one array;
 * these broadcast. Negative indices are refused, but wrap or are clipped by those modes.
 * numpy.ravel_multi_index. INDEX: one beyond its size.
 */
STRIA_API STRIA_MUST_USE stria_status stria_ravel_index(const stria_view *out, int n,
                                                        const stria_view *const *indices, int ndim,
                                                        const int64_t *shape, stria_index_mode mode,
                                                        stria_order order, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_ravel_index_new(
    stria_array *out, int n, const stria_view *const *indices, int ndim, const int64_t *shape,
    stria_index_mode mode, stria_order order, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
