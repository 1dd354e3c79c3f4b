/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that write one item to every element. */
#ifndef STRIA_FILL_H
#define STRIA_FILL_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the item (out.dtype.itemsize bytes at item, any alignment) to every element of out.
 * Elements of out may overlap each other, and the item may lie in out. torch.Tensor.fill_.
 * READONLY. The item is stored as it is: conj and neg bits of out do not apply to it, and nothing
 * is converted. So &(double){0.5} fills an array of f32 with the first 4 bytes of that double; it
 * is stria_fill that takes numbers. Small fills of a layout that comes again on the same
 * thread are not planned again.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fill_item(const stria_view *out, const void *item,
                                                      const stria_exec *exec);

/*
 * out = value, a 0-d view, in every element; torch.Tensor.fill_, numpy.ndarray.fill. It is
 * converted to out's dtype as stria_copy converts, and conj and neg bits apply. It has to cast to
 * that dtype under same_kind rules (DTYPE); a weak scalar (stria_weak) gives way to it where its
 * category is not higher, and a weak integer must fit (ARGUMENT). The value may lie in out, whose
 * elements may share bytes. A meta buffer is checked, and nothing is written. To convert whatever
 * is lost, copy the view with stria_copy, which repeats it. READONLY, SHAPE (not 0-d), MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_fill(const stria_view *out, const stria_view *value,
                                                 const stria_exec *exec);

/*
 * Makes a new array that holds the value everywhere, as stria_fill writes it: in C order, or of a's
 * shape in the order that stria_empty_like would give it. *out is owned by the caller. torch.full,
 * numpy.full_like. UNSUPPORTED: a value in a meta buffer.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_full(stria_array *out, stria_dtype dtype,
                                                             int ndim, const int64_t *shape,
                                                             const stria_view *value,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_full_like(stria_array *out, const stria_view *a, stria_dtype dtype, stria_order order,
                const stria_view *value, const stria_exec *exec);
/* Does the same with an item, as stria_fill_item writes it. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_full_item(stria_array *out,
                                                                  stria_dtype dtype, int ndim,
                                                                  const int64_t *shape,
                                                                  const void *item,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_full_like_item(stria_array *out, const stria_view *a, stria_dtype dtype, stria_order order,
                     const void *item, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
