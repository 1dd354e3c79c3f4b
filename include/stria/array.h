/* SPDX-License-Identifier: BSD-3-Clause */
/* The only owner: a view together with one reference to the buffer it lies in. */
#ifndef STRIA_ARRAY_H
#define STRIA_ARRAY_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_array {
    stria_view view;
    stria_buffer *owned; /* one reference; NULL: the view lies in foreign memory */
} stria_array;

/* What became of the memory in a function that takes new memory only where it must. */
typedef enum stria_outcome {
    STRIA_IS_SAME, /* the very same view */
    STRIA_IS_VIEW, /* other geometry, same memory */
    STRIA_IS_COPY  /* new memory */
} stria_outcome;

/* ---- new arrays ---------------------------------------------------------------------------- */

/*
 * A new array in C order; contents arbitrary (torch.empty) or zero (torch.zeros). *out is owned by
 * the caller. SHAPE, OVERFLOW, MEMORY; the checks come before the allocation.
 */
STRIA_API STRIA_MUST_USE stria_status stria_empty(stria_array *out, stria_dtype dtype, int ndim,
                                                  const int64_t *shape);
STRIA_API STRIA_MUST_USE stria_status stria_zeros(stria_array *out, stria_dtype dtype, int ndim,
                                                  const int64_t *shape);
/* The same, dense in another order of dims: C, F or channels_last. */
STRIA_API STRIA_MUST_USE stria_status stria_empty_ordered(stria_array *out, stria_dtype dtype,
                                                          int ndim, const int64_t *shape,
                                                          stria_order order);

/*
 * The shape of a, dense in any order, of which A, K and PRESERVE are those of a's strides; in a
 * meta buffer when a lies in one. torch.empty_like, numpy.empty_like.
 */
STRIA_API STRIA_MUST_USE stria_status stria_empty_like(stria_array *out, const stria_view *a,
                                                       stria_dtype dtype, stria_order order);
STRIA_API STRIA_MUST_USE stria_status stria_zeros_like(stria_array *out, const stria_view *a,
                                                       stria_dtype dtype, stria_order order);

/*
 * Any strides, in BYTES, and exactly as much memory as they span: no byte before the first element
 * or after the last. torch.empty_strided, with negative strides too, where element [0, ..., 0] does
 * not lie at the start. Gaps and overlaps are allowed. SHAPE, OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_empty_strided(stria_array *out, stria_dtype dtype,
                                                          int ndim, const int64_t *shape,
                                                          const int64_t *strides);
/* The same in a meta buffer when a lies in one; torch.Tensor.new_empty_strided. */
STRIA_API STRIA_MUST_USE stria_status stria_new_empty_strided(stria_array *out, const stria_view *a,
                                                              stria_dtype dtype, int ndim,
                                                              const int64_t *shape,
                                                              const int64_t *strides);
/* Dense with the dims in memory in the order given, slowest first; torch.empty_permuted. DIM. */
STRIA_API STRIA_MUST_USE stria_status stria_empty_permuted(stria_array *out, stria_dtype dtype,
                                                           int ndim, const int64_t *shape,
                                                           const int *dims);

/* ---- owners -------------------------------------------------------------------------------- */

/* An owner of what view lies in: takes a reference to its buffer. */
STRIA_API stria_array stria_array_share(const stria_view *view);

/* Gives the reference back and clears *array. NULL and cleared arrays are allowed. */
STRIA_API void stria_array_release(stria_array *array);

/*
 * Another shape for the array itself, dense in C order from where its first element lies. Memory
 * is never given back; where it does not reach, the array moves to a new buffer with all bytes of
 * the old one at their offsets, and those behind are arbitrary. Nothing happens when the shape is
 * the same already. torch.Tensor.resize_, with one difference: other arrays of the old buffer keep
 * it and no longer share memory with this one; outcome, which may be NULL, says so (IS_COPY).
 * Views that borrowed the array's only reference end with it.
 * ARGUMENT (the array owns nothing), SHAPE, OVERFLOW, MEMORY; when it must grow, READONLY and
 * UNSUPPORTED (the memory was wrapped).
 */
STRIA_API STRIA_MUST_USE stria_status stria_resize(stria_array *array, int ndim,
                                                   const int64_t *shape, stria_outcome *outcome);
/*
 * Exactly as much memory as the new shape takes, more or less than before: the elements in memory
 * order, then zero bytes. numpy.ndarray.resize. C order, or F where the array was dense in that
 * only; STRIDE when in neither. The array must be the only owner, and of all its memory (ARGUMENT),
 * unless it takes as many bytes as before. The other errors are those of stria_resize.
 */
STRIA_API STRIA_MUST_USE stria_status stria_resize_zeroed(stria_array *array, int ndim,
                                                          const int64_t *shape);
/*
 * Makes the array an owner of what another view lies in, and no longer of its own memory. DTYPE
 * when `to` has another dtype. torch.Tensor.set_(source); set_(storage, offset, size, stride) is
 * stria_view_make, which refuses what lies outside the buffer, and this.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set(stria_array *array, const stria_view *to);

#ifdef __cplusplus
}
#endif

#endif
