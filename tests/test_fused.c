/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fused gives the same as op by op, bit for bit but for NaN: random expressions over random dtypes,
 * layouts, broadcasts and outputs, on any number of threads, by both rule sets. Each node computed
 * into an array of its own is the reference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/arithmetic.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/samples.h"
#include "support/small_cache.h"
#include "support/by_value.h"
#include "support/test.h"

enum { MOST_NODES = 120, USUAL_INPUTS = 12, MOST_INPUTS = 32, FARTHEST = 3 };

/* An expression and its expected results. */
struct trial {
    uint64_t seed;
    int64_t rows, columns;
    int inputs, nodes;
    stria_array input[MOST_INPUTS], wide; /* wide: an array; inputs may be views of parts of it */
    stria_expr *expr;
    stria_array value[MOST_NODES]; /* the value of each node; that of an input is a share of it */
    char scalar[MOST_NODES][16];
    stria_exec exec;
};

/* ---- inputs --------------------------------------------------------------------------------- */

static stria_kind any_kind(uint64_t *seed)
{
    static const stria_kind usual[] = {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_U8, STRIA_BOOL};
    if (random_once(seed, 2)) return usual[random_between(seed, 0, 4)];
    const stria_kind kind = (stria_kind)random_between(seed, STRIA_BOOL, STRIA_C128);
    return kind == STRIA_F8E4M3 || kind == STRIA_F8E5M2 ? STRIA_F32 : kind;
}

/* Makes memory of rows x columns: in C order, transposed, backwards, every other column,
 * unaligned. */
static stria_array room(uint64_t *seed, int64_t rows, int64_t columns, stria_dtype dtype)
{
    const int64_t shape[] = {rows, columns}, turned[] = {columns, rows},
                  wide[] = {rows, 2 * columns};
    const int64_t bytes = rows * columns * dtype.itemsize + 1;
    stria_array out = {0};
    switch (random_between(seed, 0, 5)) {
    case 0:
        ok(stria_empty(&out, dtype, 2, turned));
        ok(stria_reverse_dims(&out.view, &out.view));
        return out;
    case 1:
        ok(stria_empty(&out, dtype, 2, shape));
        ok(stria_slice(&out.view, &out.view, 1, STRIA_NONE, STRIA_NONE, -1));
        return out;
    case 2:
        ok(stria_empty(&out, dtype, 2, wide));
        ok(stria_slice(&out.view, &out.view, 1, 1, STRIA_NONE, 2));
        return out;
    case 3:
        ok(stria_empty(&out, stria_dtype_of(STRIA_U8), 1, &bytes));
        ok(stria_view_make(&out.view, out.owned, dtype, 2, shape, NULL, 1));
        return out;
    default: ok(stria_empty(&out, dtype, 2, shape)); return out;
    }
}

static void fill_with_samples(const stria_view *out, uint64_t *seed)
{
    const stria_kind kind = (stria_kind)out->dtype.kind;
    RELEASED stria_array plain = {0};
    ok(stria_empty(&plain, stria_dtype_of(kind), 2, out->shape));
    samples_fill(plain.view.data, kind, stria_numel(out), seed);
    ok(stria_copy(out, &plain.view, NULL));
}

static stria_array any_window(struct trial *t)
{
    stria_array out = shared_of(&t->wide.view);
    ok(stria_narrow(&out.view, &out.view, 0, random_between(&t->seed, 0, FARTHEST), t->rows));
    ok(stria_narrow(&out.view, &out.view, 1, random_between(&t->seed, 0, FARTHEST), t->columns));
    return out;
}

/* Makes an input of the whole shape, of one row, one column or one element, at times with lazy
 * bits. */
static stria_array any_input(struct trial *t)
{
    uint64_t *const seed = &t->seed;
    const bool flat = random_once(seed, 6), tall = random_once(seed, 6);
    const int64_t rows = flat ? 1 : t->rows, columns = tall ? 1 : t->columns;
    stria_dtype dtype = stria_dtype_of(any_kind(seed));
    if (dtype.itemsize > 1 && random_once(seed, 8)) dtype.swapped = true;
    if (random_once(seed, 3)) return any_window(t);
    stria_array out = room(seed, rows, columns, dtype);
    fill_with_samples(&out.view, seed);
    if (flat && random_once(seed, 2))
        ok(stria_squeeze_dims(&out.view, &out.view, 1, (int[]){0}, true));
    if (stria_dtype_is_complex(dtype) && random_once(seed, 2)) ok(stria_conj(&out.view, &out.view));
    if (dtype.kind > STRIA_BOOL && random_once(seed, 8)) ok(stria_neg_view(&out.view, &out.view));
    return out;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static const stria_view *operand(const struct trial *t, int node)
{
    return &t->value[node].view;
}

static void add_input(struct trial *t, int index)
{
    int node;
    ok(stria_expr_input(t->expr, &node, index));
    assert_int_equal(node, t->nodes);
    t->value[t->nodes++] = shared_of(&t->input[index].view);
}

static void add_scalar(struct trial *t)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_I64, STRIA_F64, STRIA_F64, STRIA_C128};
    const stria_kind kind = kinds[random_between(&t->seed, 0, 4)];
    const int64_t i = random_between(&t->seed, -3, 100);
    const double x[] = {(double)i / 4, 0.5};
    const bool truth = i & 1;
    const void *const from = kind == STRIA_BOOL  ? (const void *)&truth
                             : kind == STRIA_I64 ? (const void *)&i
                                                 : (const void *)x;
    int node;
    memcpy(t->scalar[t->nodes], from, (size_t)stria_dtype_of(kind).itemsize);
    ok(stria_expr_scalar(t->expr, &node, kind, from));
    assert_int_equal(node, t->nodes);
    ok(stria_weak(&t->value[t->nodes].view, kind, t->scalar[t->nodes]));
    t->value[t->nodes++].owned = NULL;
}

static void add_cast(struct trial *t)
{
    const int from = (int)random_between(&t->seed, 0, t->nodes - 1);
    const stria_kind kind = any_kind(&t->seed);
    int node;
    ok(stria_expr_cast(t->expr, &node, from, kind));
    ok(stria_astype(&t->value[t->nodes++], operand(t, from), stria_dtype_of(kind),
                    STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, NULL, NULL));
}

/* Whether an operation makes numbers of the sign of a NaN, which is not defined. */
static bool tells_sign_of_nan(stria_op op)
{
    const char *const name = stria_op_name(op);
    return !strcmp(name, "signbit") || !strcmp(name, "copysign");
}

static bool are_weak(int n, const stria_view *const *views)
{
    int weak = 0;
    for (int k = 0; k < n; k++)
        weak += (views[k]->flags & STRIA_WEAK) != 0;
    return weak == n;
}

/* Makes an operation of weak scalars, whose result is weak, too: test_expr_weak compares its value
 * with Python's. */
static bool make_weak(struct trial *t, stria_op op, int n, const stria_view *const *views)
{
    stria_expr *expr;
    stria_array made = {0};
    int node[8];
    ok(stria_expr_make(&expr));
    for (int k = 0; k < n; k++)
        ok(stria_expr_scalar(expr, &node[k], (stria_kind)views[k]->dtype.kind, views[k]->data));
    ok(stria_expr_op(expr, &node[0], op, n, node));
    const bool made_one = stria_expr_evaluate_new(&made, expr, 0, NULL, &t->exec) == STRIA_OK;
    stria_expr_release(expr);
    if (!made_one) return false;
    memcpy(t->scalar[t->nodes], made.view.data, (size_t)made.view.dtype.itemsize);
    ok(stria_weak(&t->value[t->nodes].view, (stria_kind)made.view.dtype.kind, t->scalar[t->nodes]));
    t->value[t->nodes].owned = NULL;
    stria_array_release(&made);
    return true;
}

/* Adds an operation, mostly on the latest nodes, so that expressions are deep. Returns false where
 * no node fits. */
static bool add_operation(struct trial *t)
{
    static const stria_op often[] = {STRIA_ADD, STRIA_SUBTRACT, STRIA_MULTIPLY};
    stria_op op = (stria_op)random_between(&t->seed, 0, STRIA_OPS - 1);
    if (random_once(&t->seed, 3)) op = often[random_between(&t->seed, 0, 2)];
    if (tells_sign_of_nan(op)) return false;
    const int n = stria_op_inputs(op);
    const stria_view *views[8];
    int from[8], node;
    for (int k = 0; k < n; k++) {
        from[k] = (int)random_between(&t->seed, random_once(&t->seed, 2) ? t->nodes * 3 / 4 : 0,
                                      t->nodes - 1);
        views[k] = operand(t, from[k]);
    }
    if (are_weak(n, views) ? !make_weak(t, op, n, views)
                           : stria_elementwise_new(&t->value[t->nodes], op, n, views, &t->exec))
        return false;
    ok(stria_expr_op(t->expr, &node, op, n, from));
    assert_int_equal(node, t->nodes);
    t->nodes++;
    return true;
}

static void make_trial(struct trial *t, uint64_t seed, int64_t rows, int64_t columns)
{
    *t = (struct trial){.seed = seed, .rows = rows, .columns = columns};
    t->inputs =
        (int)random_between(&t->seed, 1, random_once(&t->seed, 4) ? MOST_INPUTS : USUAL_INPUTS);
    const int nodes = (int)random_between(&t->seed, t->inputs + 1, MOST_NODES - 1);
    t->exec.threads = (int32_t)random_between(&t->seed, 1, 4);
    t->exec.hints = random_once(&t->seed, 2) ? STRIA_PROMOTE_AS_NUMPY : 0;
    ok(stria_expr_make(&t->expr));
    t->wide =
        room(&t->seed, rows + FARTHEST, columns + FARTHEST, stria_dtype_of(any_kind(&t->seed)));
    fill_with_samples(&t->wide.view, &t->seed);
    for (int i = 0; i < t->inputs; i++) {
        t->input[i] = any_input(t);
        add_input(t, i);
    }
    while (t->nodes < nodes) {
        if (random_once(&t->seed, 12))
            add_scalar(t);
        else if (random_once(&t->seed, 16))
            add_cast(t);
        else
            (void)add_operation(t);
    }
    while (!add_operation(t)) {
    }
}

static void end_trial(struct trial *t)
{
    for (int i = 0; i < t->nodes; i++)
        stria_array_release(&t->value[i]);
    for (int i = 0; i < t->inputs; i++)
        stria_array_release(&t->input[i]);
    stria_array_release(&t->wide);
    stria_expr_release(t->expr);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void hold_against(const struct trial *t, const stria_view *want, const stria_view *got,
                         uint64_t seed)
{
    const stria_kind kind = (stria_kind)got->dtype.kind;
    const size_t item = (size_t)got->dtype.itemsize;
    RELEASED stria_array a = {0}, b = {0};
    ok(stria_empty(&a, stria_dtype_of(kind), got->ndim, got->shape));
    ok(stria_empty(&b, stria_dtype_of(kind), got->ndim, got->shape));
    ok(stria_copy(&a.view, want, NULL));
    ok(stria_copy(&b.view, got, NULL));
    const size_t bytes = (size_t)stria_nbytes(got);
    for (size_t i = 0; bytes && memcmp(a.view.data, b.view.data, bytes) && i < bytes / item; i++) {
        union item x, y;
        memcpy(x.bytes, a.view.data + i * item, item);
        memcpy(y.bytes, b.view.data + i * item, item);
        if (!same_number(kind, x, y, 0))
            fail_msg("seed %llu: %d nodes over %d inputs of %lld x %lld into kind %d: element %zu",
                     (unsigned long long)seed, t->nodes, t->inputs, (long long)t->rows,
                     (long long)t->columns, (int)kind, i);
    }
}

static void views_of(const struct trial *t, const stria_view **views)
{
    for (int i = 0; i < t->inputs; i++)
        views[i] = &t->input[i].view;
}

/* Makes a mask of any layout, sometimes of one row, which is true for none, some or all
 * elements. */
static stria_array any_mask(struct trial *t)
{
    const int64_t rows = random_once(&t->seed, 4) ? 1 : t->rows, columns = t->columns;
    const int density = (int)random_between(&t->seed, 0, 3);
    stria_array out = room(&t->seed, rows, columns, stria_dtype_of(STRIA_BOOL)), plain = {0};
    ok(stria_empty(&plain, stria_dtype_of(STRIA_BOOL), 2, out.view.shape));
    for (int64_t i = 0; i < rows * columns; i++)
        plain.view.data[i] = random_between(&t->seed, 0, 2) < density;
    ok(stria_copy(&out.view, &plain.view, NULL));
    stria_array_release(&plain);
    return out;
}

/* Keeps the elements of out where the mask is false. */
static void keep_left_out(const stria_view *want, const stria_view *out, const stria_view *mask)
{
    const size_t item = (size_t)want->dtype.itemsize;
    RELEASED stria_array old = {0}, dense = {0};
    stria_view wide;
    ok(stria_empty(&old, want->dtype, want->ndim, want->shape));
    ok(stria_copy(&old.view, out, NULL));
    ok(stria_broadcast_to(&wide, mask, want->ndim, want->shape));
    ok(stria_empty(&dense, mask->dtype, want->ndim, want->shape));
    ok(stria_copy(&dense.view, &wide, NULL));
    for (int64_t i = 0; i < stria_numel(want); i++)
        if (!dense.view.data[i])
            memcpy(want->data + (size_t)i * item, old.view.data + (size_t)i * item, item);
}

/*
 * Evaluates into an output of the whole shape, sometimes of another dtype, sometimes an input
 * itself, sometimes under a mask.
 */
static void check_into(struct trial *t, uint64_t seed)
{
    const stria_view *views[MOST_INPUTS], *const want = operand(t, t->nodes - 1);
    stria_dtype dtype = want->dtype;
    const int64_t shape[] = {t->rows, t->columns};
    views_of(t, views);
    if (dtype.kind == STRIA_F32 && random_once(&t->seed, 3)) dtype = stria_dtype_of(STRIA_F64);
    if (dtype.kind == STRIA_F32 && random_once(&t->seed, 3)) dtype = stria_dtype_of(STRIA_F16);
    if (dtype.itemsize > 1) dtype.swapped = random_once(&t->seed, 6);
    stria_exec exec = t->exec;
    if (random_once(&t->seed, 6)) {
        dtype = stria_dtype_of(any_kind(&t->seed));
        exec.hints |= STRIA_CASTING_UNSAFE;
    }
    stria_array mask = any_mask(t);
    if (random_once(&t->seed, 3)) exec.mask = &mask.view;
    stria_array out = room(&t->seed, t->rows, t->columns, dtype), wide = {0};
    for (int i = 0; i < t->inputs; i++) {
        const stria_view *const a = views[i];
        if (a->ndim != 2 || memcmp(a->shape, shape, sizeof shape)) continue;
        if (!random_once(&t->seed, 3) || a->dtype.kind != dtype.kind) continue;
        stria_array_release(&out);
        out = shared_of(a);
        break;
    }
    ok(stria_empty(&wide, stria_dtype_of((stria_kind)dtype.kind), 2, shape));
    ok(stria_copy(&wide.view, want, NULL));
    if (exec.mask) keep_left_out(&wide.view, &out.view, exec.mask);
    ok(stria_expr_evaluate(&out.view, t->expr, t->inputs, views, &exec));
    hold_against(t, &wide.view, &out.view, seed);
    stria_array_release(&mask);
    stria_array_release(&wide);
    stria_array_release(&out);
}

static void check_new(struct trial *t, uint64_t seed)
{
    const stria_view *views[MOST_INPUTS], *const want = operand(t, t->nodes - 1);
    RELEASED stria_array out = {0};
    stria_dtype dtype;
    stria_view wide;
    views_of(t, views);
    const stria_promotion rule =
        t->exec.hints & STRIA_PROMOTE_AS_NUMPY ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    ok(stria_expr_result_dtype(&dtype, t->expr, t->inputs, views, rule));
    assert_true(stria_dtype_equal(dtype, want->dtype));
    ok(stria_expr_evaluate_new(&out, t->expr, t->inputs, views, &t->exec));
    assert_true(stria_dtype_equal(out.view.dtype, want->dtype));
    ok(stria_broadcast_to(&wide, want, out.view.ndim, out.view.shape));
    hold_against(t, &wide, &out.view, seed);
}

static void check_seeds(uint64_t first, int count, int64_t most)
{
    struct trial *const t = malloc(sizeof *t);
    assert_non_null(t);
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        uint64_t sizes = seed;
        const int64_t rows = random_between(&sizes, 2, most);
        make_trial(t, seed, rows, random_between(&sizes, 2, 3 * most));
        check_new(t, seed);
        check_into(t, seed);
        end_trial(t);
    }
    free(t);
}

TEST(test_small)
{
    check_seeds(1, 400, 12);
}

TEST(test_medium)
{
    check_seeds(10000, 40 / ONE_IN, 130);
}

/* The second-level cache is tiny, so that outputs are streamed and rows are long. */
TEST_WITH(test_streamed, small_cache, real_cache)
{
    check_seeds(20000, 40 / ONE_IN, 130);
}

TEST_MAIN(NULL, NULL)
