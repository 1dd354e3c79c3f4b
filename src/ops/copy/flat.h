/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of small copies, conversions and fills of one dense run: checking, planning and
 * choosing would take longer than moving the bytes, or evict more from the caches. They are so
 * small that neither threads nor streaming pay.
 */
#ifndef STRIA_SRC_OPS_COPY_FLAT_H
#define STRIA_SRC_OPS_COPY_FLAT_H

#include <string.h>

#include "ops/operands.h"

/* Bytes; products of two such numbers do not overflow. */
enum { DENSE_MOST = 4 << 20 };

/*
 * Computes the elements of a if both views have one shape and are in C order; 0 for others, for
 * empty views and for more than DENSE_MOST bytes of a.
 */
static inline int64_t stria__dense_items(const stria_view *a, const stria_view *b)
{
    int64_t items = 1, bytes = a->dtype.itemsize, bytes_b = b->dtype.itemsize;
    if (a->ndim != b->ndim) return 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t n = a->shape[d];
        if (b->shape[d] != n) return 0;
        if (n == 1) continue;
        if (a->strides[d] != bytes || b->strides[d] != bytes_b || n < 1 || n > DENSE_MOST) return 0;
        items *= n;
        bytes *= n;
        bytes_b *= n;
        if (bytes > DENSE_MOST) return 0;
    }
    return bytes > DENSE_MOST ? 0 : items;
}

/* Tells whether both views have one dtype and the same lazy bits. */
static inline bool stria__same_values(const stria_view *a, const stria_view *b)
{
    return memcmp(&a->dtype, &b->dtype, sizeof a->dtype) == 0 &&
           !((a->flags ^ b->flags) & (STRIA_CONJ | STRIA_NEG));
}

static inline struct span stria__dense_span(const stria_view *a, int64_t bytes)
{
    return (struct span){(uintptr_t)a->data, (uintptr_t)a->data + (uintptr_t)bytes};
}

/*
 * Computes the bytes of a copy between checked views of the same values if it is one dense run to
 * another, apart from it; 0 for other copies, and for more than DENSE_MOST bytes.
 */
static inline int64_t stria__flat_bytes(const stria_view *dst, const stria_view *src)
{
    if (!stria__is_open(dst) || stria__buffer_is_meta(src->buffer)) return 0;
    const int64_t bytes = stria__dense_items(dst, src) * dst->dtype.itemsize;
    return stria__apart(stria__dense_span(dst, bytes), stria__dense_span(src, bytes)) ? bytes : 0;
}

/*
 * The views and exec are checked. Copies and returns true where stria_copy would succeed and both
 * views are in C order, of one shape, and do not overlap; and either of one dtype, or of native
 * numbers without lazy bits that one kernel converts. Otherwise returns false and has done nothing.
 */
bool stria__copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec);

/* Does the same for a fill; item is not NULL. */
bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec);

#endif
