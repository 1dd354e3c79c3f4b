/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexing by arrays. Reading makes a new dense array, owned by the caller, in C order unless said
 * otherwise; writing happens in place through the destination view. Index arrays are of any integer
 * dtype and layout; masks are of dtype bool. Every index is checked before anything is read or
 * written.
 *
 * Unless said otherwise negative indices count from the end. Where several writes go to one
 * element, the last one in C order of the indices stays. Values are broadcast (leading sizes of 1
 * may be more than the destination's dims) and converted to the destination's dtype, in which they
 * are combined: integers wrap. Sums and products of scatter, scatter_reduce, index_add and every
 * mean of floats of 1 and 2 bytes are reckoned in f32 and rounded once, for which a copy of the
 * destination is made; as it is to combine items in the other byte order or with lazy values.
 *
 * Errors: ARGUMENT, DIM, SHAPE, INDEX (with the value, its dim and the size), BROADCAST, OVERFLOW,
 * DTYPE, READONLY, MEMORY. Without memory behind the array (meta buffers) shapes are still checked;
 * UNSUPPORTED where the size of the result depends on a mask or an array that has none.
 */
#ifndef STRIA_INDEXING_H
#define STRIA_INDEXING_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_index_mode {
    STRIA_INDEX_RAISE,  /* an index outside -size .. size-1 is an error */
    STRIA_INDEX_STRICT, /* as RAISE, and negative ones are errors too */
    STRIA_INDEX_WRAP,   /* modulo the size, numpy.take(mode='wrap') */
    STRIA_INDEX_CLIP    /* cut into 0 .. size-1, numpy.take(mode='clip') */
} stria_index_mode;

typedef enum stria_reduce {
    STRIA_REDUCE_NONE, /* the value replaces what was there */
    STRIA_REDUCE_SUM,
    STRIA_REDUCE_PROD,
    STRIA_REDUCE_MIN, /* a NaN on either side stays */
    STRIA_REDUCE_MAX,
    STRIA_REDUCE_MEAN /* the sum, and then divided by how many there were, integers rounded down */
} stria_reduce;

/* Where the dims of index arrays go when integers stand beside them. */
typedef enum stria_placement {
    STRIA_PLACE_NUMPY, /* integers count as index arrays */
    STRIA_PLACE_TORCH  /* integers are applied first, as select */
} stria_placement;

/* ---- reading ------------------------------------------------------------------------------- */

/* Elements of a as if it were flat, in the shape of index; torch.take, numpy.take(axis=None). */
STRIA_API STRIA_MUST_USE stria_status stria_take(stria_array *out, const stria_view *a,
                                                 const stria_view *index, stria_index_mode mode);
/* dim replaced by the shape of index; numpy.take(axis). torch.index_select: 0-d or 1-d, STRICT. */
STRIA_API STRIA_MUST_USE stria_status stria_take_dim(stria_array *out, const stria_view *a,
                                                     const stria_view *index, int dim,
                                                     stria_index_mode mode);
/*
 * out[i][j] = a[index[i][j]][j] for dim 0, and so on; index has a's number of dims and is nowhere
 * larger but in dim; no negative indices. torch.gather.
 */
STRIA_API STRIA_MUST_USE stria_status stria_gather(stria_array *out, const stria_view *a, int dim,
                                                   const stria_view *index);
/* The same with all other dims broadcast together; numpy.take_along_axis, torch.take_along_dim. */
STRIA_API STRIA_MUST_USE stria_status stria_take_along_dim(stria_array *out, const stria_view *a,
                                                           const stria_view *index, int dim);
/* The elements where mask holds, 1-d in C order; both broadcast together. torch.masked_select. */
STRIA_API STRIA_MUST_USE stria_status stria_masked_select(stria_array *out, const stria_view *a,
                                                          const stria_view *mask);
/* (count, ndim) i64 indices of the elements that are not zero, column by column; torch.nonzero. */
STRIA_API STRIA_MUST_USE stria_status stria_nonzero(stria_array *out, const stria_view *a);

/*
 * a[items...] with index arrays among the items (STRIA_INDEX_ARRAY): integers of any shape, which
 * broadcast together, and masks, which take as many dims as they have. Their dims replace the
 * indexed ones in place when all stand side by side, and come first otherwise. The result has a's
 * class; of a matrix it has 2 dims at least, as stria_index says. It lies as a does in the dims
 * that stay, then as the index arrays do, the first one first, as in PyTorch.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index_arrays(stria_array *out, const stria_view *a,
                                                         int count, const stria_index_item *items,
                                                         stria_placement placement);

/* ---- writing ------------------------------------------------------------------------------- */

/*
 * dst[items...] = values, or combined with what is there; items as for stria_index_arrays, arrays
 * or not. torch.index_put_(accumulate=True) and numpy.add.at are STRIA_REDUCE_SUM.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index_put(const stria_view *dst, int count,
                                                      const stria_index_item *items,
                                                      const stria_view *values,
                                                      stria_placement placement,
                                                      stria_reduce reduce);
/* The same with dst as if it were flat; torch.Tensor.put_, numpy.put. */
STRIA_API STRIA_MUST_USE stria_status stria_put(const stria_view *dst, const stria_view *index,
                                                const stria_view *values, stria_index_mode mode,
                                                stria_reduce reduce);
/*
 * dst[index[i][j]][j] = src[i][j] for dim 0, and so on; src is at least as large as index, or 0-d.
 * torch.scatter_, scatter_add_.
 */
STRIA_API STRIA_MUST_USE stria_status stria_scatter(const stria_view *dst, int dim,
                                                    const stria_view *index, const stria_view *src,
                                                    stria_reduce reduce);
/* The same; without include_self what was there does not take part. torch.scatter_reduce_. */
STRIA_API STRIA_MUST_USE stria_status stria_scatter_reduce(const stria_view *dst, int dim,
                                                           const stria_view *index,
                                                           const stria_view *src,
                                                           stria_reduce reduce, bool include_self);
/* The slices of dim that index (1-d, or 0-d) names; torch.index_copy_, index_fill_. */
STRIA_API STRIA_MUST_USE stria_status stria_index_copy(const stria_view *dst, int dim,
                                                       const stria_view *index,
                                                       const stria_view *src, stria_reduce reduce);
/* The same; without include_self what was there does not take part. torch.index_reduce_. */
STRIA_API STRIA_MUST_USE stria_status stria_index_reduce(const stria_view *dst, int dim,
                                                         const stria_view *index,
                                                         const stria_view *src, stria_reduce reduce,
                                                         bool include_self);
/* The same, adding alpha (0-d; NULL: 1) times src; torch.index_add_, duplicates included. */
STRIA_API STRIA_MUST_USE stria_status stria_index_add(const stria_view *dst, int dim,
                                                      const stria_view *index,
                                                      const stria_view *src,
                                                      const stria_view *alpha);
/* value (0-d, or broadcast) where mask holds, mask broadcast to dst; torch.masked_fill_. */
STRIA_API STRIA_MUST_USE stria_status stria_masked_fill(const stria_view *dst,
                                                        const stria_view *mask,
                                                        const stria_view *value);
/* The elements of src one after the other, in C order, where mask holds; torch.masked_scatter_. */
STRIA_API STRIA_MUST_USE stria_status stria_masked_scatter(const stria_view *dst,
                                                           const stria_view *mask,
                                                           const stria_view *src);

#ifdef __cplusplus
}
#endif

#endif
