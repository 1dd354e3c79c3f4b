/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever is in doubt is left to the usual way. */
#include "ops/elementwise/flat.h"

#include "buffer.h"
#include "dispatch.h"
#include "engine/machine.h"
#include "simd/map.h"

enum { OPERANDS = 4 };

/* A number in memory, in native order, without lazy signs. */
static inline bool is_plain(const stria_view *a)
{
    return a && a->data && !a->dtype.swapped && a->dtype.kind < NUMBERS &&
           !(a->flags & (STRIA_CONJ | STRIA_NEG | STRIA_WEAK)) &&
           (uint32_t)a->ndim <= STRIA_MAX_NDIM &&
           a->dtype.itemsize == stria_dtype_of((stria_kind)a->dtype.kind).itemsize;
}

/* Elements of a, dense in C order, in the shape of `like`; 0 for others, and for `most` and more.
 */
static inline int64_t dense_items(const stria_view *a, const stria_view *like, int64_t most)
{
    int64_t n = 1;
    if (a->ndim != like->ndim) return 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t size = a->shape[d];
        if (size != like->shape[d] || size < 1 || size >= most) return 0;
        if (size > 1 && a->strides[d] != n * a->dtype.itemsize) return 0;
        n *= size;
        if (n >= most) return 0;
    }
    return n;
}

/* The kind that the output has where the result is not cast; -1 where that is not told so soon. */
static inline int result_kind(const struct op_info *row, int kernel)
{
    if (row->result == OP_TRUTH) return STRIA_BOOL;
    if (row->result == OP_REAL) return stria_dtype_real(stria_dtype_of((stria_kind)kernel)).kind;
    return kernel;
}

/* The same elements, or no common byte. */
static inline bool may_run(const stria_view *out, const stria_view *a, int64_t n)
{
    const uintptr_t to = (uintptr_t)out->data, from = (uintptr_t)a->data;
    if (to == from) return out->dtype.itemsize == a->dtype.itemsize;
    return to + (uintptr_t)(n * out->dtype.itemsize) <= from ||
           from + (uintptr_t)(n * a->dtype.itemsize) <= to;
}

bool stria__elementwise_flat(const struct op_info *row, stria_op op, const stria_view *out,
                             const stria_view *const *operands, const stria_exec *exec)
{
    stria_dim d[2];
    char *ptr[OPERANDS];
    const int count = row->inputs, last = count - 1;
    if (exec && (exec->hints || exec->threads < 0)) return false;
    if (!is_plain(out) || (out->flags & STRIA_READONLY) || !stria__buffer_is_open(out->buffer) ||
        !is_plain(operands[last]))
        return false;
    const int kernel = operands[last]->dtype.kind;
    map_loop *const loop = stria__kernels()->map->loop[op][kernel];
    if (!loop || out->dtype.kind != result_kind(row, kernel)) return false;
    const int64_t item = operands[last]->dtype.itemsize, most = stria__machine()->grain / item / 2,
                  n = dense_items(out, out, most);
    ptr[0] = out->data;
    d[0].n = n;
    d[0].s[0] = out->dtype.itemsize;
    d[1] = (stria_dim){.n = 1};
    for (int k = 0; k < count; k++) {
        const stria_view *const a = operands[k];
        const int kind = row->result == OP_CHOICE && k == 0 ? (int)STRIA_BOOL : kernel;
        if (!is_plain(a) || a->dtype.kind != kind || dense_items(a, out, most) == 0 ||
            !may_run(out, a, n) || (a->buffer != out->buffer && stria_buffer_is_meta(a->buffer)))
            return false;
        ptr[1 + k] = a->data;
        d[0].s[1 + k] = a->dtype.itemsize;
    }
    if (n == 0) return false;
    loop(ptr, d);
    return true;
}
