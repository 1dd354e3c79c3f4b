/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same bytes as items of another dtype. The rules of view.h hold; a view that is lazily
 * conjugated or negated is refused (DTYPE), since its bytes are not its elements. Results may be
 * unaligned: see stria_is_aligned.
 */
#ifndef STRIA_REINTERPRET_H
#define STRIA_REINTERPRET_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * torch.Tensor.view(dtype), numpy.ndarray.view(dtype). Another item size changes the last dim,
 * which must be dense in bytes (STRIDE) and hold a whole number of new items (SHAPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_dtype(stria_view *out, const stria_view *a,
                                                       stria_dtype dtype);
/* The same, where another item size changes the given dim. */
STRIA_API STRIA_MUST_USE stria_status stria_view_dtype_dim(stria_view *out, const stria_view *a,
                                                           stria_dtype dtype, int dim);
/*
 * Every item read in the other byte order; a.view(a.dtype.newbyteorder()) in NumPy. Records are
 * refused (DTYPE): make their dtype with stria_record_swap.
 */
STRIA_API STRIA_MUST_USE stria_status stria_newbyteorder(stria_view *out, const stria_view *a);
/*
 * The bytes from offset on within each item, as one item of dtype; numpy.ndarray.getfield. BOUNDS
 * when they are not within the item.
 */
STRIA_API STRIA_MUST_USE stria_status stria_getfield(stria_view *out, const stria_view *a,
                                                     stria_dtype dtype, int64_t offset);

#ifdef __cplusplus
}
#endif

#endif
