/* SPDX-License-Identifier: BSD-3-Clause */
/* One item everywhere. */
#ifndef STRIA_FILL_H
#define STRIA_FILL_H

#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the item (dst.dtype.itemsize bytes at item, any alignment) to every element of dst;
 * overlapping elements of dst are allowed, and so is an item inside dst. torch.Tensor.fill_.
 * READONLY. The item is taken as stored: conj and neg of dst do not apply to it.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fill(const stria_view *dst, const void *item);
STRIA_API STRIA_MUST_USE stria_status stria_fill_with(const stria_view *dst, const void *item,
                                                      const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
