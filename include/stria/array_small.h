/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small arrays, for interpreters and others that keep many of them. A stria_array has room for 64
 * dims; this is one allocation that holds the dims there are and the elements: 112 bytes, 8 for
 * each dim, rounded up to 16, and the elements, in C order.
 */
#ifndef STRIA_ARRAY_SMALL_H
#define STRIA_ARRAY_SMALL_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_small stria_small;

/*
 * Makes an array in C order with arbitrary contents, as stria_empty does; elements are aligned to
 * 16 bytes. The caller owns the one reference to *out and gives it back with stria_small_release.
 * ARGUMENT, DTYPE, SHAPE, OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_small_make(stria_small **out, stria_dtype dtype,
                                                       int ndim, const int64_t *shape);

/*
 * Views all of it. The view borrows the memory; to keep it alive take a reference, or share the
 * view (stria_array_share). ARGUMENT for NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_small_view(stria_view *out, const stria_small *a);

/* Take and give back a reference; the last one frees. NULL is allowed. Any thread may. */
STRIA_API stria_small *stria_small_retain(stria_small *a);
STRIA_API void stria_small_release(stria_small *a);

/* Returns the bytes that it takes, its elements included; 0 for NULL. */
STRIA_API int64_t stria_small_bytes(const stria_small *a);

#ifdef __cplusplus
}
#endif

#endif
