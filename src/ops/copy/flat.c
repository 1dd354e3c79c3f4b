/* SPDX-License-Identifier: BSD-3-Clause */
/* The tests are conservative: whatever is not certain is left to the general path. */
#include "flat.h"

#include "engine/move/dense.h"
#include "machine/machine.h"
#include "dispatch.h"
#include "fp_mode.h"
#include "threads.h"

/* Tells whether the bytes need neither several threads nor streaming. */
static inline bool is_small(int64_t bytes, const stria_exec *exec)
{
    const struct stria__machine *const m = stria__machine();
    if (2 * bytes <= GRAIN) return true;
    return bytes <= m->l2.size && stria__threads_for(exec, 2 * bytes, 0) == 1;
}

/* Tells whether items are native numbers without lazy bits. */
static inline bool is_plain_number(const stria_view *a)
{
    return a->dtype.kind < NUMBERS && !a->dtype.swapped && !(a->flags & (STRIA_CONJ | STRIA_NEG));
}

static inline bool copy_dense(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    const int64_t bytes = stria__flat_bytes(dst, src);
    if (bytes == 0 || !is_small(bytes, exec)) return false;
    stria__copy_bytes(dst->data, src->data, bytes);
    return true;
}

/* Never inlined, so that copies do not save the registers that it needs. */
__attribute__((noinline)) static bool convert_dense(const stria_view *dst, const stria_view *src,
                                                    const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    const bool wrap = exec && (exec->hints & STRIA_CAST_WRAP);
    if (wrap || !is_plain_number(dst) || !is_plain_number(src)) return false;
    convert_row *const row = stria__kernels()->convert->row[dst->dtype.kind][src->dtype.kind];
    if (!row) return false;
    const int64_t n = stria__dense_items(dst, src);
    const int64_t to = n * dst->dtype.itemsize, from = n * src->dtype.itemsize;
    if (n == 0 || !stria__apart(stria__dense_span(dst, to), stria__dense_span(src, from)))
        return false;
    if (!is_small(to > from ? to : from, exec)) return false;
    row(dst->data, src->data, n);
    return true;
}

bool stria__copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    if (!stria__is_open(dst) || stria__buffer_is_meta(src->buffer)) return false;
    return stria__same_values(dst, src) ? copy_dense(dst, src, exec)
                                        : convert_dense(dst, src, exec);
}

bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec)
{
    uint64_t word;
    if (!stria__is_open(dst)) return false;
    if (!stria__repeat_item(&word, item, dst->dtype.itemsize)) return false;
    const int64_t bytes = stria__dense_items(dst, dst) * dst->dtype.itemsize;
    if (bytes < 1 || !is_small(bytes, exec)) return false;
    stria__kernels()->fill_word(dst->data, bytes, word);
    return true;
}
