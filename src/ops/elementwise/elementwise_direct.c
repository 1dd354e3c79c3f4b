/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_elementwise: one call of the kernel on the operands in place, where that is certain to be
 * right and fast. Checks, promotion and merging of dims are done a second time here, for small
 * calls, in less time; the usual path takes all other calls.
 */
#include <string.h>

#include "machine/dispatch.h"
#include "engine/row_program.h"
#include "ops/operands.h"
#include "ops/elementwise/operation.h"
#include "machine/op_loop.h"

/* Limits of the number of elements and of strides, so that their products cannot overflow. */
enum { MOST = 1 << 20 };
static const int64_t farthest = INT64_C(1) << 40;

/*
 * The arguments of the kernel, and what they are checked by: out, the inputs, and the mask if there
 * is one.
 */
struct direct {
    int nops, ndim;
    stria_kind kind; /* Dtype of the kernel. */
    const stria_view *view[STRIA_MAX_OPERANDS];
    char *ptr[STRIA_MAX_OPERANDS];
    int64_t item[STRIA_MAX_OPERANDS];
    struct span span[STRIA_MAX_OPERANDS];
    stria_dim dims[3];               /* Two dims, and one more while dims are merged. */
    _Alignas(16) char scalar[3][16]; /* Values of weak scalars in the kernel's dtype. */
};

/* ---- operands ------------------------------------------------------------------------------- */

/* Adds an operand of native numbers in memory, without lazy bits, and of `most` dims at most. */
static inline bool put_operand(struct direct *c, const stria_view *a, int most)
{
    const int k = c->nops++;
    if (!a || (uint32_t)a->ndim > (uint32_t)most || !a->data || view_is_meta(a)) return false;
    if (!dtype_is_native_number(&a->dtype) || a->flags & (STRIA_CONJ | STRIA_NEG)) return false;
    c->view[k] = a;
    c->ptr[k] = a->data;
    c->item[k] = a->dtype.itemsize;
    c->span[k] = (struct span){(uintptr_t)a->data, (uintptr_t)a->data + (uintptr_t)c->item[k]};
    c->dims[0].s[k] = c->dims[1].s[k] = 0;
    return true;
}

static inline bool put_bools(struct direct *c, const stria_view *a)
{
    return put_operand(c, a, c->view[0]->ndim) && a->dtype.kind == STRIA_BOOL;
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

/*
 * Replaces the weak scalars by their values in the kernel's dtype. Comparisons and logic are left
 * out: they are exact, which takes more than converting the scalar.
 */
static bool put_scalars(struct direct *c, const struct op_info *row)
{
    const bool exact = row->result == OP_TRUTH || row->result == OP_LOGIC;
    for (int k = 1 + (row->result == OP_CHOICE); k <= row->inputs; k++) {
        const stria_view *const a = c->view[k];
        if (!view_is_weak(a)) continue;
        c->ptr[k] = c->scalar[k - 1];
        if (exact || !put_weak(c->ptr[k], a, c->kind)) return false;
    }
    return true;
}

/* Adds all operands; returns false if the kernel cannot read them directly. */
static inline bool add_operands(struct direct *c, const struct op_info *row, const stria_view *out,
                                const stria_view *const *inputs, const stria_view *mask)
{
    const int choice = row->result == OP_CHOICE;
    unsigned kinds = 0; /* The set of the dtypes of the inputs, weak scalars aside. */
    bool weak = false;
    c->nops = 0;
    if (!put_operand(c, out, STRIA_MAX_NDIM) || !view_opens_to_write(out)) return false;
    if (choice && !put_bools(c, inputs[0])) return false;
    for (int i = choice; i < row->inputs; i++) {
        const stria_view *const a = inputs[i];
        if (!put_operand(c, a, out->ndim)) return false;
        if (view_is_weak(a))
            weak = true;
        else
            kinds |= 1U << a->dtype.kind;
    }
    if (mask && !put_bools(c, mask)) return false;
    if (kinds == 0 || kinds & (kinds - 1)) return false;
    c->kind = (stria_kind)__builtin_ctz(kinds);
    return !weak || put_scalars(c, row);
}

/* Tells whether the operation makes items of out's dtype from those of the kernel's. */
static inline bool produces(const struct op_info *row, stria_kind kind, stria_kind out)
{
    switch (row->result) {
    case OP_SCALED:
    case OP_WIDE: return false;
    case OP_TRUTH:
    case OP_TEST:
    case OP_LOGIC: return out == STRIA_BOOL;
    case OP_COUNT: return out == STRIA_U8;
    case OP_ANGLE:
    case OP_REAL: return out == real_kind(kind);
    default: return out == kind;
    }
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* Sets *s to the stride of a along dim d of out; returns false if a does not broadcast. */
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

/* Adds to the bytes that operand k spans those of n items that are s bytes apart. */
static inline void stretch(struct direct *c, int k, int64_t n, int64_t s)
{
    const int64_t reach = (n - 1) * s;
    if (reach < 0)
        c->span[k].low += (uintptr_t)reach;
    else
        c->span[k].high += (uintptr_t)reach;
}

/* Merges the dims of all operands to two; returns false if more remain or out is empty. */
static inline bool put_dims(struct direct *c)
{
    const stria_view *const out = c->view[0];
    int64_t count = 1;
    c->ndim = 0;
    c->dims[0].n = c->dims[1].n = 1;
    for (int d = out->ndim - 1; d >= 0; d--) {
        stria_dim *const dim = &c->dims[c->ndim];
        const int64_t n = out->shape[d];
        if (n < 1 || n > MOST || (count *= n) > MOST) return false;
        for (int k = 0; k < c->nops; k++) {
            if (!step_along(&dim->s[k], c->view[k], out, d)) return false;
            stretch(c, k, n, dim->s[k]);
        }
        if (n == 1) continue;
        if (merges(c, dim))
            c->dims[c->ndim - 1].n *= n;
        else if (c->ndim++ < 2)
            dim->n = n;
        else
            return false;
    }
    return true;
}

/* Tells whether the kernel is fast: its rows are dense, or one repeated element, and not short. */
static inline bool is_fast(const struct direct *c)
{
    bool rows = c->dims[0].n >= DIRECT_ROW || c->dims[1].n == 1;
    for (int k = 0; k < c->nops; k++)
        rows &= c->dims[0].s[k] == c->item[k] || (k > 0 && c->dims[0].s[k] == 0);
    return rows;
}

/* ---- overlap -------------------------------------------------------------------------------- */

/* Tells whether both steps are as large as what lies inside them: items, and rows of n items. */
static inline bool are_apart(uint64_t item, int64_t n, uint64_t step, int64_t rows, uint64_t to_row)
{
    return (n == 1 || step >= item) && (rows == 1 || to_row >= (uint64_t)(n - 1) * step + item);
}

/* Tells whether no two elements of the output share a byte. */
static inline bool is_clear(const struct direct *c)
{
    const uint64_t item = (uint64_t)c->item[0];
    const stria_dim *const d = c->dims;
    const uint64_t step = magnitude(d[0].s[0]), to_row = magnitude(d[1].s[0]);
    return c->ndim < 2 || to_row >= step ? are_apart(item, d[0].n, step, d[1].n, to_row)
                                         : are_apart(item, d[1].n, to_row, d[0].n, step);
}

/* Tells whether input k is exactly the elements of the output. */
static inline bool is_output(const struct direct *c, int k)
{
    bool same = c->ptr[k] == c->ptr[0] && c->item[k] == c->item[0];
    for (int d = 0; d < c->ndim; d++)
        same &= c->dims[d].s[k] == c->dims[d].s[0];
    return same;
}

/* Tells whether input k is a row between the elements of the output. */
static inline bool is_between(const struct direct *c, int k)
{
    const int64_t step = c->dims[0].s[0];
    return c->dims[1].n == 1 && c->dims[0].s[k] == step &&
           stria__interleave(c->ptr[0], c->item[0], c->ptr[k], c->item[k], step);
}

/* Tells whether each input shares no byte with the output, or is exactly its elements. */
static inline bool are_safe(const struct direct *c)
{
    for (int k = 1; k < c->nops; k++)
        if (!stria__apart(c->span[0], c->span[k]) && !is_output(c, k) && !is_between(c, k))
            return false;
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/*
 * One row under a mask: a piece at a time is computed into a room in the first-level cache, and
 * what the mask lets through moves to the output.
 */
__attribute__((noinline)) static void run_masked(const struct direct *c, map_loop *loop)
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
        if (s[mask] == 1 && stria__mask_is_false(where, m)) continue;
        for (int k = 1; k < mask; k++)
            ptr[k] = c->ptr[k] + i * s[k];
        loop(ptr, made);
        choose((char *[]){out, where, room, out}, moved);
    }
}

__attribute__((always_inline)) static inline bool run_direct(stria_op op, const stria_view *out,
                                                             int n,
                                                             const stria_view *const *operands,
                                                             const stria_exec *exec)
{
    const struct op_info *const row = stria__op_info(op);
    const stria_view *const mask = mask_of(exec);
    struct direct c;
    if (!row || row->user || n != row->inputs || !operands) return false;
    if (!add_operands(&c, row, out, operands, mask)) return false;
    if (op == STRIA_POW && c.kind <= STRIA_U64) return false; /* Exponents have to be checked. */
    if (!produces(row, c.kind, (stria_kind)out->dtype.kind)) return false;
    map_loop *loop = op_loop(stria__kernels(), op, c.kind);
    if (!loop || !put_dims(&c)) return false;
    const int64_t count = c.dims[0].n * c.dims[1].n;
    if (count > (c.dims[1].n == 1
                     ? DIRECT_LINE
                     : DIRECT_ITEMS)) { /* More than one thread would pay, or the layout is slow. */
        const int64_t bytes = count * stria__builtins[c.kind].size * (row->inputs + 1);
        if (bytes > GRAIN || (double)count * row->cycles > GRAIN_CYCLES || !is_fast(&c))
            return false;
    }
    if (!stria__exec_is_usual(exec, true) || !is_clear(&c) || !are_safe(&c)) return false;
    if (op == STRIA_POW && c.dims[0].s[2] == 0 && c.dims[1].s[2] == 0) /* of one exponent */
        loop = op_loop(stria__kernels(), stria__power_op(c.kind, c.kind, c.ptr[2]), c.kind);
    if (!mask)
        loop(c.ptr, c.dims);
    else if (c.dims[1].n == 1)
        run_masked(&c, loop);
    else
        return false;
    return true;
}

stria_status stria_elementwise(const stria_view *out, stria_op op, int n,
                               const stria_view *const *operands, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    return run_direct(op, out, n, operands, exec)
               ? STRIA_OK
               : stria__elementwise_usual(op, out, n, operands, exec);
}
