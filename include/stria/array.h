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

/*
 * A new array in C order; contents arbitrary (torch.empty) or zero (torch.zeros). *out is owned by
 * the caller. SHAPE, OVERFLOW, MEMORY; the checks come before the allocation.
 */
STRIA_API STRIA_MUST_USE stria_status stria_empty(stria_array *out, stria_dtype dtype, int ndim,
                                                  const int64_t *shape);
STRIA_API STRIA_MUST_USE stria_status stria_zeros(stria_array *out, stria_dtype dtype, int ndim,
                                                  const int64_t *shape);
/* The same, dense in another order of dims. */
STRIA_API STRIA_MUST_USE stria_status stria_empty_ordered(stria_array *out, stria_dtype dtype,
                                                          int ndim, const int64_t *shape,
                                                          stria_order order);

/* An owner of what view lies in: takes a reference to its buffer. */
STRIA_API stria_array stria_array_share(const stria_view *view);

/* Gives the reference back and clears *array. NULL and cleared arrays are allowed. */
STRIA_API void stria_array_release(stria_array *array);

#ifdef __cplusplus
}
#endif

#endif
