/* SPDX-License-Identifier: BSD-3-Clause */
/* The tests are conservative: whatever is not certain is left to the general path. */
#include "flat.h"

#include <string.h>

#include "check.h"
#include "engine/bytes.h"
#include "engine/machine.h"
#include "dispatch.h"
#include "threads.h"

/* Bytes; products of two such numbers do not overflow. */
enum { MOST = 4 << 20 };

/*
 * Computes the bytes of a if both views have one shape and are in C order; 0 for others, for empty
 * views and for more than MOST bytes.
 */
static inline int64_t dense_bytes(const stria_view *a, const stria_view *b)
{
    int64_t bytes = a->dtype.itemsize, bytes_b = b->dtype.itemsize;
    if (a->ndim != b->ndim) return 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t n = a->shape[d];
        if (b->shape[d] != n) return 0;
        if (n == 1) continue;
        if (a->strides[d] != bytes || b->strides[d] != bytes_b || n < 1 || n > MOST) return 0;
        bytes *= n;
        bytes_b *= n;
        if (bytes > MOST) return 0;
    }
    return bytes > MOST ? 0 : bytes;
}

/* Tells whether the bytes need neither several threads nor streaming. */
static inline bool is_small(int64_t bytes, const stria_exec *exec)
{
    const struct stria__machine *const m = stria__machine();
    if (2 * bytes <= m->grain) return true;
    return bytes <= m->l2.size && stria__threads_for(exec, 2 * bytes, 0) == 1;
}

/* Tells whether both views have one dtype and the same lazy bits. */
static inline bool same_values(const stria_view *a, const stria_view *b)
{
    return memcmp(&a->dtype, &b->dtype, sizeof a->dtype) == 0 &&
           !((a->flags ^ b->flags) & (STRIA_CONJ | STRIA_NEG));
}

static inline struct span span(const stria_view *a, int64_t bytes)
{
    return (struct span){(uintptr_t)a->data, (uintptr_t)a->data + (uintptr_t)bytes};
}

/* Tells whether items are native numbers without lazy bits. */
static inline bool is_plain_number(const stria_view *a)
{
    return a->dtype.kind < NUMBERS && !a->dtype.swapped && !(a->flags & (STRIA_CONJ | STRIA_NEG));
}

static inline bool copy_dense(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    const int64_t bytes = dense_bytes(dst, src);
    if (bytes < 1 || !stria__apart(span(dst, bytes), span(src, bytes)) || !is_small(bytes, exec))
        return false;
    stria__copy_bytes(dst->data, src->data, bytes);
    return true;
}

/* Never inlined, so that copies do not save the registers that it needs. */
__attribute__((noinline)) static bool convert_dense(const stria_view *dst, const stria_view *src,
                                                    const stria_exec *exec)
{
    const bool wrap = exec && (exec->hints & STRIA_CAST_WRAP);
    if (wrap || !is_plain_number(dst) || !is_plain_number(src)) return false;
    convert_row *const row = stria__kernels()->convert->row[dst->dtype.kind][src->dtype.kind];
    if (!row) return false;
    const int64_t to = dense_bytes(dst, src), from = dense_bytes(src, dst);
    if (to < 1 || from < 1 || !stria__apart(span(dst, to), span(src, from))) return false;
    if (!is_small(to > from ? to : from, exec)) return false;
    row(dst->data, src->data, to / dst->dtype.itemsize);
    return true;
}

bool stria__copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    if (!stria__is_open(dst) || stria__buffer_is_meta(src->buffer)) return false;
    return same_values(dst, src) ? copy_dense(dst, src, exec) : convert_dense(dst, src, exec);
}

bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec)
{
    uint64_t word;
    if (!stria__is_open(dst)) return false;
    if (!stria__repeat_item(&word, item, dst->dtype.itemsize)) return false;
    const int64_t bytes = dense_bytes(dst, dst);
    if (bytes < 1 || !is_small(bytes, exec)) return false;
    stria__kernels()->fill_word(dst->data, bytes, word);
    return true;
}
