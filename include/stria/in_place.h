/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that move within the memory they have: for arrays that are too large for a second
 * buffer. Whoever else has views of that memory sees the elements at their new places.
 */
#ifndef STRIA_IN_PLACE_H
#define STRIA_IN_PLACE_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Dim i of *out is a's dim dims[i], as stria_permute has it, but it is the elements that move: a
 * dense array, in any order of its dims, becomes C-contiguous in the new order, over the same
 * bytes. Views with gaps or negative strides keep their strides, which takes a shape that stays the
 * same: a square part of a matrix, for one. numpy.ascontiguousarray(a.transpose(dims)) without the
 * new memory; torch's transpose_ and swapaxes_, in contrast, change the strides and move nothing.
 *
 * a must be writable (READONLY) and must not overlap itself (OVERLAP); conj and neg bits stay. out
 * may be a: &array.view, where an array owns it. Takes less than 1 MiB of scratch memory (MEMORY,
 * before anything moved) and time in proportion to the bytes; for matrices of billions of elements
 * whose sizes have no small divisors, a logarithm more. DIM, STRIDE (a is not dense, and the shape
 * would change).
 */
STRIA_API STRIA_MUST_USE stria_status stria_permute_in_place(stria_view *out, const stria_view *a,
                                                             int ndim, const int *dims);
/* The same for two dims that change places. */
STRIA_API STRIA_MUST_USE stria_status stria_transpose_in_place(stria_view *out, const stria_view *a,
                                                               int dim0, int dim1);

/*
 * The bytes of every number in reverse order where they lie: of both parts of complex numbers, of
 * every character, of every field of a record; nothing happens to items of single bytes. The dtype
 * stays, so that the values change; numpy.ndarray.byteswap(inplace=True). With
 * stria_newbyteorder the values stay and the order of the bytes in memory is another.
 * Any layout; READONLY, OVERLAP (elements share bytes), DTYPE (lazily conjugated or negated). exec
 * may be NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_byteswap(const stria_view *a, const stria_exec *exec);
/*
 * The same in new memory, dense in STRIA_ORDER_A; numpy.ndarray.byteswap(). *out is owned by the
 * caller.
 */
STRIA_API STRIA_MUST_USE stria_status stria_byteswapped(stria_array *out, const stria_view *a,
                                                        const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
