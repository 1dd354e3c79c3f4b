/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of the same bytes as items of another dtype, or as another class of array. The rules of
 * view.h hold. The stored bytes of a lazily conjugated or negated view are not its elements, so it
 * is refused another dtype (DTYPE). Results may be unaligned: see stria_is_aligned.
 */
#ifndef STRIA_REINTERPRET_H
#define STRIA_REINTERPRET_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reinterprets the bytes; torch.Tensor.view(dtype), numpy.ndarray.view(dtype). Another item size
 * changes the last dim, which must be dense in bytes (STRIDE) and hold a whole number of new items
 * (SHAPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_dtype(stria_view *out, const stria_view *a,
                                                       stria_dtype dtype);
/* Does the same, but another item size changes the given dim. */
STRIA_API STRIA_MUST_USE stria_status stria_view_dtype_dim(stria_view *out, const stria_view *a,
                                                           stria_dtype dtype, int dim);
/*
 * Reads every item in the other byte order; a.view(a.dtype.newbyteorder()) in NumPy. Records are
 * refused (DTYPE): make their dtype with stria_record_swap.
 */
STRIA_API STRIA_MUST_USE stria_status stria_newbyteorder(stria_view *out, const stria_view *a);
/*
 * Views the bytes from offset on within each item as one item of dtype; numpy.ndarray.getfield.
 * BOUNDS when they do not lie within the item.
 */
STRIA_API STRIA_MUST_USE stria_status stria_getfield(stria_view *out, const stria_view *a,
                                                     stria_dtype dtype, int64_t offset);

/*
 * Gives the view that class, one of the values of STRIA_CLASS_MASK or 0 for none, and the form of
 * the class: a matrix of less than 2 dims becomes a row, one of more than 2 loses its sizes of 1,
 * and SHAPE when more than 2 dims are left. numpy.ndarray.view(type), together with what it does to
 * new views of the type (__array_finalize__): v.reshape(...) of a matrix is stria_view_shape and
 * this.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_as_class(stria_view *out, const stria_view *a,
                                                          uint32_t class_bits);

#ifdef __cplusplus
}
#endif

#endif
