/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduces small dense arrays. Every doubtful case is left to the usual way, whose bits are the
 * same: one block is one tree. */
#include "ops/reduce/reduction.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "machine/dispatch.h"
#include "engine/reduce.h"
#include "ops/operands.h"

enum {
    MOST_DIMS = 8,
    MOST_OUTPUTS = 64,
    PAIR = 16 /* Bytes of the largest accumulator. */
};

/* Layout of the elements: rows of n, or n rows of outputs side by side. */
struct form {
    int64_t n, outputs, bytes;
    bool columns;
};

static inline bool is_plain(const stria_view *a)
{
    return a && view_is_usual(a) && !(a->flags & (STRIA_CONJ | STRIA_NEG | STRIA_WEAK)) &&
           !view_is_meta(a) && a->ndim <= MOST_DIMS;
}

static bool find_set(struct reduce_call *c)
{
    const int ndim = c->a->ndim;
    c->set = c->count == STRIA_ALL_DIMS ? (UINT64_C(1) << ndim) - 1 : 0;
    if (c->count == STRIA_ALL_DIMS) return ndim > 0;
    for (int i = 0; i < c->count && c->dims; i++) {
        const int d = c->dims[i] < 0 ? c->dims[i] + ndim : c->dims[i];
        if (d < 0 || d >= ndim || c->set >> d & 1) return false;
        c->set |= UINT64_C(1) << d;
    }
    return c->set != 0;
}

/* Finds the form: elements are dense in C order, and the reduced dims are the first or the last of
 * those longer than 1. */
static bool find_form(struct form *f, const struct reduce_call *c)
{
    const int64_t most = stria__machine()->reduce_direct;
    int groups = 0;
    bool reduced = true;
    *f = (struct form){.n = 1, .outputs = 1, .bytes = c->a->dtype.itemsize};
    for (int d = c->a->ndim - 1; d >= 0; d--) {
        const int64_t size = c->a->shape[d];
        if (size == 1) continue;
        if (size < 1 || size > most || c->a->strides[d] != f->bytes) return false;
        f->bytes *= size;
        if (f->bytes > most) return false;
        if (groups == 0 || reduced != (c->set >> d & 1)) groups++;
        reduced = c->set >> d & 1;
        if (groups == 1) f->columns = !reduced;
        *(reduced ? &f->n : &f->outputs) *= size;
    }
    return groups <= 2 && f->outputs <= MOST_OUTPUTS && (!f->columns || f->n <= LEAF);
}

/* Tells whether out is dense in C order and has the shape of the result, with or without dims of
 * size 1. */
static bool fits(const stria_view *out, const struct reduce_call *c)
{
    const bool stay = out->ndim == c->a->ndim;
    int64_t step = out->dtype.itemsize;
    int own = out->ndim - 1;
    for (int d = c->a->ndim - 1; d >= 0; d--) {
        const bool reduced = c->set >> d & 1;
        const int64_t size = reduced ? 1 : c->a->shape[d];
        if (reduced && !stay) continue;
        if (own < 0 || out->shape[own] != size || (size > 1 && out->strides[own] != step))
            return false;
        step *= size;
        own--;
    }
    return own < 0;
}

static bool produces(const struct reduction *r, const struct reduce_call *c, const stria_view *out)
{
    const int kind = out->dtype.kind;
    if (!r->fold->rows || r->then || r->takes.kind != c->a->dtype.kind) return false;
    return r->tree ? kind == c->result.kind || kind == STRIA_F64 : kind == r->gives.kind;
}

static bool is_apart(const stria_view *out, const stria_view *a, const struct form *f)
{
    const uintptr_t to = (uintptr_t)out->data, from = (uintptr_t)a->data;
    return stria__apart((struct span){to, to + (uintptr_t)(f->outputs * out->dtype.itemsize)},
                        (struct span){from, from + (uintptr_t)f->bytes});
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* The properties that a choice depends on. */
struct key {
    const struct stria_kernels *level;
    int64_t n;
    stria_reduction op;
    stria_kind kind;
    bool numpy;
};

struct chosen {
    struct key key;
    stria_dtype result;
    struct reduction r;
};

/*
 * The last choice of this thread: small reductions of one kind follow each other, and a choice
 * costs a quarter of one. It is marked while it is read or written: a signal handler that
 * interrupts this makes a choice of its own.
 */
static _Thread_local struct chosen last;
static _Thread_local volatile sig_atomic_t in_use;

/* Makes the choice for a key, unless it is already made; false: refused. */
static bool choose_kernels(struct chosen *out, const struct key *key, struct reduce_call *c)
{
    if (out->key.level == key->level && out->key.n == key->n && out->key.op == key->op &&
        out->key.kind == key->kind && out->key.numpy == key->numpy)
        return true;
    out->key.level = NULL;
    if (stria__reduced_dtype(&out->result, c->row, c->row->name, c->a->dtype,
                             key->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH) != STRIA_OK)
        return false;
    c->result = out->result;
    stria__choose_fold(&out->r, c);
    out->key = *key;
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static void run_columns(const struct reduction *r, struct fold_block *b, int64_t row)
{
    _Alignas(64) char lanes[MOST_OUTPUTS * LANES * sizeof(double)];
    int64_t at[LEAF];
    for (int64_t i = 0; i < b->n; i++)
        at[i] = i * row;
    b->at = at;
    b->adjacent = true;
    b->lanes = lanes;
    r->fold->columns(b);
}

static void run_kernel(const struct reduction *r, const struct reduce_call *c,
                       const stria_view *out, const struct form *f)
{
    _Alignas(64) char accumulators[MOST_OUTPUTS * PAIR];
    const int64_t item = c->a->dtype.itemsize;
    struct fold_block b = {
        .out = accumulators, .in = c->a->data, .n = f->n, .outputs = f->outputs, .s = f->n * item};
    if (f->columns)
        run_columns(r, &b, f->outputs * item);
    else
        r->fold->rows(&b);
    if (r->finish)
        r->finish(accumulators, &(struct folded){.n = f->outputs, .count = f->n, .ddof = r->ddof});
    convert_row *const row = stria__kernels()->convert->row[out->dtype.kind][r->gives.kind];
    if (out->dtype.kind == r->gives.kind || !row)
        memcpy(out->data, accumulators, (size_t)(f->outputs * out->dtype.itemsize));
    else
        row(out->data, accumulators, f->outputs);
}

static bool choose_and_run(struct chosen *choice, const struct key *key, struct reduce_call *c,
                           const stria_view *out, const struct form *f)
{
    if (!choose_kernels(choice, key, c)) return false;
    c->result = choice->result;
    if (!produces(&choice->r, c, out)) return false;
    run_kernel(&choice->r, c, out, f);
    return true;
}

bool stria__reduce_direct(struct reduce_call *c, const stria_view *out)
{
    IN_DEFAULT_FP_MODE;
    struct form f;
    const stria_exec *const exec = c->exec;
    c->row = stria__reduction_info(c->op);
    if (!c->row || c->row->fold == FOLD_DERIVED || !is_plain(c->a) || !is_plain(out) ||
        !view_opens_to_write(out) || stria_dtype_is_complex(c->a->dtype))
        return false;
    if (!stria__exec_is_usual(exec, false)) return false;
    if (!find_set(c) || !find_form(&f, c) || !fits(out, c) || !is_apart(out, c->a, &f))
        return false;
    c->n = f.n;
    const struct key key = {.level = stria__kernels(),
                            .n = f.n,
                            .op = c->op,
                            .kind = (stria_kind)c->a->dtype.kind,
                            .numpy = exec && (exec->hints & STRIA_PROMOTE_AS_NUMPY)};
    if (in_use) {
        struct chosen own;
        own.key.level = NULL;
        return choose_and_run(&own, &key, c, out, &f);
    }
    in_use = 1;
    atomic_signal_fence(memory_order_seq_cst);
    const bool done = choose_and_run(&last, &key, c, out, &f);
    atomic_signal_fence(memory_order_seq_cst);
    in_use = 0;
    return done;
}
