/* SPDX-License-Identifier: BSD-3-Clause */
/* One item everywhere. */
#ifndef STRIA_FILL_H
#define STRIA_FILL_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the item (dst.dtype.itemsize bytes at item, any alignment) to every element of dst;
 * overlapping elements of dst are allowed, and so is an item inside dst. torch.Tensor.fill_.
 * READONLY. The item is taken as stored: conj and neg of dst do not apply to it. Small fills of a
 * layout that comes again on the same thread are not planned again.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fill(const stria_view *dst, const void *item);
STRIA_API STRIA_MUST_USE stria_status stria_fill_with(const stria_view *dst, const void *item,
                                                      const stria_exec *exec);

/*
 * A new array with the item everywhere: in C order, or of a's shape in any order as
 * stria_empty_like makes it. *out is owned by the caller. torch.full, numpy.full_like.
 */
STRIA_API STRIA_MUST_USE stria_status stria_full(stria_array *out, stria_dtype dtype, int ndim,
                                                 const int64_t *shape, const void *item);
STRIA_API STRIA_MUST_USE stria_status stria_full_like(stria_array *out, const stria_view *a,
                                                      stria_dtype dtype, stria_order order,
                                                      const void *item);

#ifdef __cplusplus
}
#endif

#endif
