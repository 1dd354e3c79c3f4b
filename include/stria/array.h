/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays, the only owners of memory: a view together with one reference to the buffer it lies in.
 *
 * One rule holds for every function of the library that fills an owner (a stria_array, stria_coo or
 * stria_csr *out): initialize it, with {0} or by any of these functions. When there is a result,
 * out receives it, and what out owned before is released; after an error, out is as it was. So
 * nothing leaks when an array is filled again, and out may be the owner of an operand, which is
 * read to its end before: stria_reshape(&a, &a.view, ...). Views that borrowed the only reference
 * of out end with it. An array that was assigned to another variable has one owner still: clear the
 * first one (a = (stria_array){0}) before it is filled again. gcc warns of an owner that was never
 * initialized, where no unknown function is called between its declaration and the call that fills
 * it.
 */
#ifndef STRIA_ARRAY_H
#define STRIA_ARRAY_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_array {
    stria_buffer *owned; /* one reference; NULL when the view lies in foreign memory */
    stria_view view;
} stria_array;

/* Tells what happened to the memory in a function that takes new memory only where it must. */
typedef enum stria_outcome {
    STRIA_IS_SAME = 0, /* the same view */
    STRIA_IS_VIEW = 1, /* another geometry of the same memory */
    STRIA_IS_COPY = 2  /* new memory */
} stria_outcome;

/* ---- new arrays ---------------------------------------------------------------------------- */

/*
 * Makes a new array in C order; its contents are arbitrary (torch.empty) or zero (torch.zeros).
 * *out is owned by the caller. SHAPE, OVERFLOW, MEMORY; the checks come before the allocation.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_empty(stria_array *out, stria_dtype dtype,
                                                              int ndim, const int64_t *shape);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_zeros(stria_array *out, stria_dtype dtype,
                                                              int ndim, const int64_t *shape);
/* Makes one that is dense in another order of dims: C, F or channels_last. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_empty_ordered(stria_array *out,
                                                                      stria_dtype dtype, int ndim,
                                                                      const int64_t *shape,
                                                                      stria_order order);

/*
 * Makes a new array of a's shape, dense in any order, of which A, K and PRESERVE depend on a's
 * strides. It lies in a meta buffer when a does. torch.empty_like, numpy.empty_like.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_empty_like(stria_array *out,
                                                                   const stria_view *a,
                                                                   stria_dtype dtype,
                                                                   stria_order order);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_zeros_like(stria_array *out,
                                                                   const stria_view *a,
                                                                   stria_dtype dtype,
                                                                   stria_order order);

/*
 * Makes a new array of any strides, in BYTES, in exactly as much memory as they span: no byte lies
 * before the first element or after the last. torch.empty_strided, with negative strides too, for
 * which element [0, ..., 0] does not lie at the start. Gaps and overlaps are allowed. SHAPE,
 * OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_empty_strided(stria_array *out,
                                                                      stria_dtype dtype, int ndim,
                                                                      const int64_t *shape,
                                                                      const int64_t *strides);
/* Does the same, in a meta buffer when a lies in one; torch.Tensor.new_empty_strided. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_new_empty_strided(stria_array *out, const stria_view *a, stria_dtype dtype, int ndim,
                        const int64_t *shape, const int64_t *strides);
/*
 * Makes a dense array whose dims lie in memory in the given order, slowest first;
 * torch.empty_permuted. DIM.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_empty_permuted(stria_array *out,
                                                                       stria_dtype dtype, int ndim,
                                                                       const int64_t *shape,
                                                                       const int *dims);

/* ---- owners -------------------------------------------------------------------------------- */

/*
 * Makes an owner of the memory that view lies in, by taking a reference to its buffer. ARGUMENT for
 * what is no view.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_array_share(stria_array *out,
                                                                    const stria_view *view);

/* Gives the reference back and clears *array, as {0} does. NULL and cleared arrays are allowed. */
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
 * Gives the array exactly as much memory as the new shape takes, more or less than before: the
 * elements stay in memory order, and zero bytes follow. numpy.ndarray.resize. The new order is C,
 * or F where the array was dense in F order only; STRIDE when it was dense in neither. The array
 * must be the only owner, and the owner of all its memory (ARGUMENT), unless the number of bytes
 * stays. The other errors are those of stria_resize.
 */
STRIA_API STRIA_MUST_USE stria_status stria_resize_zeroed(stria_array *array, int ndim,
                                                          const int64_t *shape);
/*
 * Makes the array an owner of the memory of another view, and no longer of its own. DTYPE when `to`
 * has another dtype. torch.Tensor.set_(source); set_(storage, offset, size, stride) is
 * stria_view_make, which refuses what lies outside the buffer, and this.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set(stria_array *array, const stria_view *to);

#ifdef __cplusplus
}
#endif

#endif
