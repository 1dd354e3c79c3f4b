/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns false for every call that it is not certain to run right; the usual path takes those. */
#include "ops/elementwise/direct.h"

#include <string.h>

#include "dispatch.h"
#include "engine/left_out.h"
#include "engine/machine.h"
#include "ops/copy/check.h"
#include "ops/elementwise/exponents.h"
#include "ops/elementwise/mask.h"
#include "ops/elementwise/types.h"
#include "ops/elementwise/weak.h"
#include "simd/op_loop.h"
#include "threads.h"
#include "view/view.h"

enum { FEW = 64, SHORT = 16 /* elements */ };
/* Limits of the number of elements and of strides, so that their products cannot overflow. */
enum { MOST = 1 << 20 };
static const int64_t farthest = INT64_C(1) << 40;

/* The arguments of the kernel, and what they are checked by. A mask is the last operand. */
struct direct {
    int nops, ndim;
    stria_kind kind; /* of the kernel */
    char *ptr[STRIA_MAX_OPERANDS];
    int64_t item[STRIA_MAX_OPERANDS];
    stria_dim dims[3];               /* two, and one more while dims are merged */
    _Alignas(16) char scalar[3][16]; /* values of weak scalars in the kernel's dtype */
};

/* ---- dtypes --------------------------------------------------------------------------------- */

/* Tells whether a is a native number in memory, without lazy bits. */
static inline bool is_plain(const stria_view *a)
{
    return view_is_usual(a) && !(a->flags & (STRIA_CONJ | STRIA_NEG)) && !view_is_meta(a);
}

/*
 * Tells whether the kernel can read all operands where they lie. Comparisons and logic with weak
 * scalars are left out: they are exact, which takes more than converting the scalar.
 */
static inline bool are_plain(const struct op_info *row, const stria_view *out,
                             const stria_view *const *inputs)
{
    const bool usual = row->result != OP_SCALED && row->result != OP_WIDE;
    const bool exact = row->result == OP_TRUTH || row->result == OP_LOGIC;
    bool plain = usual && is_plain(out) && stria__is_open(out);
    for (int i = 0; i < row->inputs && plain; i++)
        plain = is_plain(inputs[i]) && !(exact && view_is_weak(inputs[i]));
    return plain;
}

/*
 * Returns the kind of the first input that is no weak scalar if the operation's result in that
 * dtype has the dtype of out, else -1.
 */
static inline int kernel_kind(const struct op_info *row, const stria_view *out,
                              const stria_view *const *inputs)
{
    const stria_view *const *a = inputs + (row->result == OP_CHOICE);
    if (view_is_weak(*a) && a + 1 < inputs + row->inputs) a++;
    const int kind = (*a)->dtype.kind, to = out->dtype.kind;
    if (view_is_weak(*a)) return -1;
    switch (row->result) {
    case OP_TRUTH:
    case OP_TEST:
    case OP_LOGIC: return to == STRIA_BOOL ? kind : -1;
    case OP_COUNT: return to == STRIA_U8 ? kind : -1;
    case OP_ANGLE:
    case OP_REAL: return stria_dtype_real((*a)->dtype).kind == to ? kind : -1;
    default: return to == kind ? kind : -1;
    }
}

/* Tells whether a weak scalar is converted to this dtype by PyTorch's and NumPy's rules. */
static inline bool gives_way(const stria_view *weak, stria_kind kind)
{
    switch (weak->dtype.kind) {
    case STRIA_BOOL: return true;
    case STRIA_F64: return kind >= STRIA_F16;
    case STRIA_C128: return kind >= STRIA_C64;
    default: return kind != STRIA_BOOL && stria__weak_fits(weak, kind);
    }
}

static bool put_weak(char *item, const stria_view *weak, stria_kind kind)
{
    const stria_kind from = (stria_kind)weak->dtype.kind;
    if (weak->ndim != 0 || !stria__is_weak_kind(from) || !gives_way(weak, kind)) return false;
    if (from == kind) {
        memcpy(item, weak->data, (size_t)weak->dtype.itemsize);
        return true;
    }
    convert_row *const row = stria__kernels()->convert->row[kind][from];
    if (row) row(item, weak->data, 1);
    return row != NULL;
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* Sets *s to the stride of a along dim d of out; returns false where a does not broadcast. */
static inline bool step_along(int64_t *s, const stria_view *a, const stria_view *out, int d)
{
    const int own = d - out->ndim + a->ndim;
    *s = 0;
    if (own < 0 || a->shape[own] == 1) return true;
    *s = a->strides[own];
    return a->shape[own] == out->shape[d] && *s <= farthest && *s >= -farthest;
}

/* Tells whether dim can be merged with the one inside it: stride = inner stride * inner size. */
static inline bool merges(const struct direct *c, const stria_dim *dim)
{
    const stria_dim *const inner = dim - 1;
    if (c->ndim == 0) return false;
    for (int k = 0; k < c->nops; k++)
        if (dim->s[k] != inner->n * inner->s[k]) return false;
    return true;
}

/* Merges the dims of all operands into two; returns false where more remain or out is empty. */
static inline bool put_dims(struct direct *c, const stria_view *out,
                            const stria_view *const *inputs)
{
    int64_t count = 1;
    for (int d = out->ndim - 1; d >= 0; d--) {
        stria_dim *const dim = &c->dims[c->ndim];
        const int64_t n = out->shape[d];
        for (int k = 0; k < c->nops; k++)
            if (!step_along(&dim->s[k], k == 0 ? out : inputs[k - 1], out, d)) return false;
        if (n == 1) continue;
        if (n < 1 || n > MOST || (count *= n) > MOST) return false;
        dim->n = n;
        if (merges(c, dim))
            c->dims[c->ndim - 1].n *= n;
        else if (c->ndim++ == 2)
            return false;
    }
    for (; c->ndim < 2; c->ndim++) {
        stria_dim *const none = &c->dims[c->ndim];
        none->n = 1;
        for (int k = 0; k < c->nops; k++)
            none->s[k] = 0;
    }
    return true;
}

/* Tells whether the kernel is fast: its rows are dense, or one repeated element, and not short. */
static inline bool is_fast(const struct direct *c, int64_t count)
{
    if (count <= FEW) return true;
    bool rows = c->dims[0].n >= SHORT || c->dims[1].n == 1;
    for (int k = 0; k < c->nops; k++)
        rows &= c->dims[0].s[k] == c->item[k] || (k > 0 && c->dims[0].s[k] == 0);
    return rows;
}

/* ---- overlap -------------------------------------------------------------------------------- */

static inline struct span span_of(const struct direct *c, int k)
{
    struct span span = {(uintptr_t)c->ptr[k], (uintptr_t)c->ptr[k] + (uintptr_t)c->item[k]};
    for (int d = 0; d < 2; d++) {
        const int64_t reach = (c->dims[d].n - 1) * c->dims[d].s[k];
        if (reach < 0)
            span.low += (uintptr_t)reach;
        else
            span.high += (uintptr_t)reach;
    }
    return span;
}

/*
 * Tells whether no two elements of the output share a byte: the stride of one dim is at least the
 * extent of the other.
 */
static inline bool is_clear(const struct direct *c)
{
    uint64_t s[2] = {magnitude(c->dims[0].s[0]), magnitude(c->dims[1].s[0])};
    const uint64_t item = (uint64_t)c->item[0];
    const int inner = c->dims[1].n > 1 && s[1] < s[0];
    const int64_t n = c->dims[inner].n, m = c->dims[1 - inner].n;
    return (n == 1 || s[inner] >= item) &&
           (m == 1 || s[1 - inner] >= (uint64_t)(n - 1) * s[inner] + item);
}

/* Tells whether each input shares no byte with the output, or is exactly its elements. */
static inline bool are_safe(const struct direct *c)
{
    const struct span out = span_of(c, 0);
    for (int k = 1; k < c->nops; k++) {
        bool same = c->ptr[k] == c->ptr[0] && c->item[k] == c->item[0];
        for (int d = 0; d < 2; d++)
            same &= c->dims[d].s[k] == c->dims[d].s[0];
        if (!same && !stria__apart(out, span_of(c, k))) return false;
    }
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Tells whether exec is valid, and one thread is enough. */
static inline bool is_small(const struct op_info *row, int64_t count, int64_t item,
                            const stria_exec *exec)
{
    const struct stria__machine *const m = stria__machine();
    if (exec && (exec->threads < 0 || (exec->hints & ~(uint32_t)EXEC_HINTS))) return false;
    return count * item * (row->inputs + 1) <= m->grain &&
           (double)count * row->cycles <= m->grain_cycles;
}

static inline bool put_operands(struct direct *c, const struct op_info *row, const stria_view *out,
                                const stria_view *const *inputs)
{
    c->ptr[0] = out->data;
    c->item[0] = out->dtype.itemsize;
    for (int k = 1; k < c->nops; k++) {
        const stria_view *const a = inputs[k - 1];
        const stria_kind kind = row->result == OP_CHOICE && k == 1 ? STRIA_BOOL : c->kind;
        c->ptr[k] = a->data;
        c->item[k] = a->dtype.itemsize;
        if (view_is_weak(a)) {
            c->ptr[k] = c->scalar[k - 1];
            if (!put_weak(c->ptr[k], a, kind)) return false;
        } else if ((stria_kind)a->dtype.kind != kind || a->ndim > out->ndim)
            return false;
    }
    return true;
}

/* Returns the kernel of square if all exponents are one 2. It ignores the operand of exponents. */
static inline map_loop *loop_of_power(map_loop *loop, const struct direct *c)
{
    const bool single = c->dims[0].s[2] == 0 && c->dims[1].s[2] == 0;
    return single && stria__is_two(c->kind, c->ptr[2])
               ? op_loop(stria__kernels(), STRIA_SQUARE, c->kind)
               : loop;
}

/* The kernel, and its operands in c; NULL where this is no such call. */
static inline map_loop *find_loop(struct direct *c, stria_op op, const struct op_info *row,
                                  const stria_view *out, const stria_view *const *operands)
{
    const int kind = kernel_kind(row, out, operands);
    const bool refusable =
        op == STRIA_POW && kind <= STRIA_U64; /* negative exponents of integers are refused */
    map_loop *const loop =
        kind < 0 || refusable ? NULL : op_loop(stria__kernels(), op, (stria_kind)kind);
    c->kind = (stria_kind)kind;
    c->nops = 1 + row->inputs;
    c->ndim = 0;
    return loop && put_operands(c, row, out, operands) ? loop : NULL;
}

/* Puts the inputs and the mask into one list, and the mask into c; false where it is not plain. */
static bool put_mask(struct direct *c, const stria_view **list, const stria_view *out,
                     const stria_view *const *inputs, const stria_view *mask)
{
    const int k = c->nops++;
    if (!is_plain(mask) || mask->dtype.kind != STRIA_BOOL || mask->ndim > out->ndim) return false;
    for (int i = 0; i < k - 1; i++)
        list[i] = inputs[i];
    list[k - 1] = mask;
    c->ptr[k] = mask->data;
    c->item[k] = mask->dtype.itemsize;
    return true;
}

/*
 * One row under a mask: a piece at a time is computed into a room in the first-level cache, and
 * what the mask lets through moves to the output.
 */
static void run_masked(const struct direct *c, map_loop *loop)
{
    enum { ROOM = 4 << 10 };
    _Alignas(64) char room[ROOM];
    const int mask = c->nops - 1;
    const int64_t item = c->item[0], n = c->dims[0].n, most = ROOM / item;
    const int64_t *const s = c->dims[0].s;
    map_loop *const choose = stria__choose_items(item);
    stria_dim made[2] = {c->dims[0], c->dims[1]},
              moved[2] = {{0, {s[0], s[mask], item, s[0]}}, {1, {0}}};
    made[0].s[0] = item;
    for (int64_t i = 0, m; i < n; i += m) {
        char *ptr[STRIA_MAX_OPERANDS] = {room};
        char *const out = c->ptr[0] + i * s[0], *const where = c->ptr[mask] + i * s[mask];
        made[0].n = moved[0].n = m = n - i < most ? n - i : most;
        if (s[mask] == 1 && stria__holds_nowhere(where, m)) continue;
        for (int k = 1; k < mask; k++)
            ptr[k] = c->ptr[k] + i * s[k];
        loop(ptr, made);
        choose((char *[]){out, where, room, out}, moved);
    }
}

bool stria__elementwise_direct(stria_op op, const stria_view *out, int n,
                               const stria_view *const *operands, const stria_exec *exec)
{
    const struct op_info *const row = stria__op_info(op);
    const stria_view *const mask = mask_of(exec), *list[STRIA_MAX_OPERANDS];
    struct direct c;
    if (!row || n != row->inputs || !operands || !are_plain(row, out, operands)) return false;
    map_loop *loop = find_loop(&c, op, row, out, operands);
    if (!loop || (mask && !put_mask(&c, list, out, operands, mask))) return false;
    if (!put_dims(&c, out, mask ? list : operands)) return false;
    const int64_t count = c.dims[0].n * c.dims[1].n;
    if (!is_small(row, count, stria_dtype_of(c.kind).itemsize, exec) || !is_fast(&c, count) ||
        !is_clear(&c) || !are_safe(&c))
        return false;
    if (op == STRIA_POW) loop = loop_of_power(loop, &c);
    if (!mask)
        loop(c.ptr, c.dims);
    else if (c.dims[1].n == 1)
        run_masked(&c, loop);
    else
        return false;
    return true;
}
