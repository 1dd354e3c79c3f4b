/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that move within their own memory, for arrays that are too large for a second buffer.
 * Other views of that memory see the elements at their new places.
 */
#ifndef STRIA_IN_PLACE_H
#define STRIA_IN_PLACE_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes *out, whose dim i is a's dim dims[i] as in stria_permute, by moving the elements instead of
 * the strides. A dense array, in any order of its dims, becomes C-contiguous in the new order over
 * the same bytes. Views with gaps or negative strides keep their strides, so their shape must stay
 * the same; a square part of a matrix is an example. numpy.ascontiguousarray(a.transpose(dims))
 * without the new memory; torch's transpose_ and swapaxes_, in contrast, change the strides and
 * move nothing.
 *
 * a must be writable (READONLY) and must not overlap itself (OVERLAP); conj and neg bits stay. out
 * may be a, for example &array.view of an array that owns it. The call takes less than 1 MiB of
 * scratch memory (MEMORY, before anything has moved). Its time is proportional to the bytes, with a
 * further logarithm for matrices of billions of elements whose sizes have no small divisors. DIM,
 * STRIDE (a is not dense, and the shape would change).
 */
STRIA_API STRIA_MUST_USE stria_status stria_permute_in_place(stria_view *out, const stria_view *a,
                                                             int count, const int *dims,
                                                             const stria_exec *exec);
/* Does the same for two dims that change places. */
STRIA_API STRIA_MUST_USE stria_status stria_transpose_in_place(stria_view *out, const stria_view *a,
                                                               int dim0, int dim1,
                                                               const stria_exec *exec);

/*
 * Reverses the bytes of every number where it lies: of both parts of complex numbers, of every
 * character, of every field of a record. Items of single bytes stay as they are. The dtype stays
 * too, so the values change; numpy.ndarray.byteswap(inplace=True). Applying stria_newbyteorder to
 * the result gives the old values again, stored in the other byte order. Any layout; READONLY,
 * OVERLAP (elements share bytes), DTYPE (lazily conjugated or negated). exec may be NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_byteswap(const stria_view *out, const stria_exec *exec);
/*
 * Does the same in new memory that is dense in STRIA_ORDER_A; numpy.ndarray.byteswap(). *out is
 * owned by the caller.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_byteswap_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
