/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions that end in a reduction give the same bits as the expression in an array of its own
 * that is then reduced: for every reduction, for random dtypes, layouts, broadcasts, dims, levels
 * and numbers of threads.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

enum { DIMS = 3, NODES = 8 };

struct trial {
    uint64_t seed;
    int64_t shape[DIMS];
    stria_array input[3];
    const stria_view *inputs[3];
    stria_expr *expr;
};

/* ---- what is reduced ------------------------------------------------------------------------- */

/* Makes an input with dims in some order in memory, backwards, with gaps, repeated along a dim; now
 * and then in the other byte order. */
static void make_input(struct trial *t, int i)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_I32,
                                       STRIA_U8,  STRIA_F32, STRIA_BF16};
    uint64_t *const seed = &t->seed;
    stria_dtype dtype = stria_dtype_of(kinds[random_bits(seed) % 7]);
    int64_t shape[DIMS], wide[DIMS];
    int order[DIMS] = {0, 1, 2}, back[DIMS];
    if (random_once(seed, 8)) dtype = stria_dtype_swap(dtype);
    for (int d = DIMS - 1; d > 0; d--) {
        const int j = (int)random_between(seed, 0, d), k = order[d];
        order[d] = order[j];
        order[j] = k;
    }
    for (int d = 0; d < DIMS; d++) {
        shape[d] = random_once(seed, 6) ? 1 : t->shape[d];
        back[order[d]] = d;
    }
    for (int d = 0; d < DIMS; d++)
        wide[d] = shape[order[d]] * (d == DIMS - 1 && random_once(seed, 4) ? 2 : 1);
    stria_array *const made = &t->input[i];
    made->owned = NULL;
    ok(stria_empty(made, dtype, DIMS, wide));
    fill_numbers(seed, &made->view);
    ok(stria_permute(&made->view, &made->view, DIMS, back));
    for (int d = 0; d < DIMS; d++) {
        if (made->view.shape[d] > shape[d])
            ok(stria_slice(&made->view, &made->view, d, STRIA_NONE, STRIA_NONE, 2));
        if (random_once(seed, 6)) ok(stria_flip(&made->view, &made->view, 1, &d));
    }
    t->inputs[i] = &made->view;
}

/* Makes one expression of each form: (x - y)**2, |x * 0.5| + z, where(x < y, x, z), x in another
 * dtype, x, 3. */
static void make_expr(struct trial *t, int form)
{
    const double half = 0.5, three = 3;
    int x, y, z, n[NODES];
    ok(stria_expr_make(&t->expr));
    ok(stria_expr_input(t->expr, &x, 0));
    ok(stria_expr_input(t->expr, &y, 1));
    ok(stria_expr_input(t->expr, &z, 2));
    switch (form) {
    case 0:
        ok(stria_expr_op(t->expr, &n[0], STRIA_SUBTRACT, 2, (int[]){x, y}));
        ok(stria_expr_op(t->expr, &n[1], STRIA_MULTIPLY, 2, (int[]){n[0], n[0]}));
        return;
    case 1:
        ok(stria_expr_scalar(t->expr, &n[0], STRIA_F64, &half));
        ok(stria_expr_op(t->expr, &n[1], STRIA_MULTIPLY, 2, (int[]){x, n[0]}));
        ok(stria_expr_op(t->expr, &n[2], STRIA_ABS, 1, (int[]){n[1]}));
        ok(stria_expr_op(t->expr, &n[3], STRIA_ADD, 2, (int[]){n[2], z}));
        return;
    case 2:
        ok(stria_expr_op(t->expr, &n[0], STRIA_LESS, 2, (int[]){x, y}));
        ok(stria_expr_op(t->expr, &n[1], STRIA_WHERE, 3, (int[]){n[0], x, z}));
        return;
    case 3: ok(stria_expr_cast(t->expr, &n[0], x, STRIA_F64)); return;
    case 4: ok(stria_expr_op(t->expr, &n[0], STRIA_LESS, 2, (int[]){y, x})); return;
    case 5: ok(stria_expr_cast(t->expr, &n[0], x, STRIA_C64)); return;
    case 6: ok(stria_expr_input(t->expr, &n[0], 1)); return;
    default: ok(stria_expr_scalar(t->expr, &n[0], STRIA_F64, &three)); return;
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

static bool same(const stria_view *a, const stria_view *b)
{
    const int64_t item = a->dtype.itemsize;
    if (!stria_dtype_equal(a->dtype, b->dtype) || stria_numel(a) != stria_numel(b)) return false;
    for (int64_t i = 0; i < stria_numel(a); i++) {
        double x[2], y[2];
        if (memcmp(a->data + i * item, b->data + i * item, (size_t)item) == 0) continue;
        if (a->dtype.kind < STRIA_F8E4M3) return false;
        convert(a->data + i * item, (stria_kind)a->dtype.kind, x, STRIA_C128);
        convert(b->data + i * item, (stria_kind)b->dtype.kind, y, STRIA_C128);
        for (int part = 0; part < 2; part++)
            if (x[part] != y[part] && !(isnan(x[part]) && isnan(y[part]))) return false;
    }
    return true;
}

static void check(struct trial *t, int form)
{
    int dims[DIMS], count = 0;
    for (int d = 0; d < DIMS; d++)
        if (random_once(&t->seed, 2)) dims[count++] = d;
    const stria_exec exec = {.threads = (int)random_between(&t->seed, 1, 3), .run = pool_run};
    const stria_reduce_options options = {.keepdims = random_once(&t->seed, 2), .ddof = 1};
    const stria_reduction op = (stria_reduction)random_between(&t->seed, 0, STRIA_COUNT_NONZERO);
    stria_array elements = {0}, expected = {0}, made = {0};
    stria_view wide;
    int64_t shape[DIMS];
    int ndim;
    ok(stria_expr_evaluate_new(&elements, t->expr, 3, t->inputs, NULL));
    ok(stria_broadcast_shape(&ndim, shape, 3, t->inputs));
    ok(stria_broadcast_to(&wide, &elements.view, ndim, shape));
    const stria_status status =
        stria_reduce_dims_new(&expected, op, &wide, count, dims, &options, NULL);
    assert_int_equal(
        stria_expr_reduce_new(&made, t->expr, op, 3, t->inputs, count, dims, &options, &exec),
        status);
    if (status == STRIA_OK) {
        if (!same(&made.view, &expected.view))
            fail_msg("form %d, %s over %d dims of (%lld, %lld, %lld), kinds %d %d %d", form,
                     stria_reduction_name(op), count, (long long)shape[0], (long long)shape[1],
                     (long long)shape[2], (int)t->inputs[0]->dtype.kind,
                     (int)t->inputs[1]->dtype.kind, (int)t->inputs[2]->dtype.kind);
        stria_array_release(&made);
        stria_array_release(&expected);
    }
    stria_array_release(&elements);
}

static void try_one(uint64_t *seed, int64_t most)
{
    struct trial t = {.seed = random_bits(seed)};
    const int form = (int)random_between(seed, 0, 7);
    for (int d = 0; d < DIMS; d++)
        t.shape[d] = random_between(seed, 0, 6) == 0 ? random_between(seed, 0, most)
                                                     : random_between(seed, 1, 12);
    for (int i = 0; i < 3; i++)
        make_input(&t, i);
    make_expr(&t, form);
    check(&t, form);
    stria_expr_release(t.expr);
    for (int i = 0; i < 3; i++)
        stria_array_release(&t.input[i]);
}

TEST(test_random)
{
    uint64_t seed = 40;
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < 60 / ONE_IN; i++)
            try_one(&seed, 300);
}

/* Blocks are cut in every way: many elements of one output, few, and across rows. */
TEST(test_large)
{
    uint64_t seed = 41;
    static const int64_t shapes[][DIMS] = {
        {1, 3, 40000}, {300, 1, 200}, {9000, 3, 2}, {20, 30, 60}};
    for (int s = 0; s < 4; s++)
        for (int form = 0; form < 5; form++) {
            struct trial t = {.seed = random_bits(&seed)};
            memcpy(t.shape, shapes[s], sizeof t.shape);
            for (int i = 0; i < 3; i++)
                make_input(&t, i);
            make_expr(&t, form);
            for (int i = 0; i < 3; i++)
                check(&t, form);
            stria_expr_release(t.expr);
            for (int i = 0; i < 3; i++)
                stria_array_release(&t.input[i]);
        }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void squares(struct trial *t, const float *x, const float *y, int64_t n)
{
    t->seed = 1;
    for (int i = 0; i < 3; i++) {
        ok(stria_empty(&t->input[i], stria_dtype_of(STRIA_F32), 1, &n));
        memcpy(t->input[i].view.data, i == 0 ? x : y, (size_t)n * sizeof *x);
        t->inputs[i] = &t->input[i].view;
    }
    make_expr(t, 0);
}

static void release(struct trial *t)
{
    stria_expr_release(t->expr);
    for (int i = 0; i < 3; i++)
        stria_array_release(&t->input[i]);
}

/* The output may be one of the inputs; refusals write nothing; the text names the operations. */
TEST(test_calls)
{
    float x[3] = {1, 2, 4}, y[3] = {3, 2, 1};
    struct trial t = {.seed = 0};
    char text[400];
    stria_view out;
    squares(&t, x, y, 3);
    ok(stria_slice(&out, t.inputs[0], 0, 0, 1, 1));
    const stria_reduce_options keep = {.keepdims = true};
    assert_int_equal(stria_expr_reduce(&out, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){0}, NULL,
                                       &(stria_exec){.hints = STRIA_NO_OVERLAP}),
                     STRIA_ERR_OVERLAP);
    assert_int_equal(
        stria_expr_reduce(&out, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){1}, &keep, NULL),
        STRIA_ERR_DIM);
    assert_int_equal(
        stria_expr_reduce(&out, t.expr, STRIA_REDUCTIONS, 3, t.inputs, 1, (int[]){0}, &keep, NULL),
        STRIA_ERR_ARGUMENT);
    ok(stria_expr_reduce_explain(text, sizeof text, NULL, &out, t.expr, STRIA_SUM, 3, t.inputs, 1,
                                 (int[]){0}, &keep, NULL));
    assert_non_null(strstr(text, "subtract, multiply: sum: rows computed"));
    assert_true(*(const float *)(const void *)t.inputs[0]->data == 1);
    ok(stria_expr_reduce(&out, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){0}, &keep, NULL));
    assert_true(*(const float *)(const void *)t.inputs[0]->data == 13);
    release(&t);
}

/* A text of how nothing, or an array that is there, is reduced writes no results, and has its whole
 * length. */
TEST(explaining_writes_nothing)
{
    float x[3] = {1, 2, 4}, sums[2] = {7, 8};
    char text[400];
    stria_expr *same;
    int node;
    ok(stria_expr_make(&same));
    ok(stria_expr_input(same, &node, 0));
    for (int none = 0; none < 2; none++) {
        struct trial t = {.seed = 0};
        size_t length = 99;
        squares(&t, x, x, none ? 0 : 3);
        const stria_view out = of(sums, STRIA_F32, 1, (int64_t[]){2});
        stria_view wide[3];
        const stria_view *inputs[] = {&wide[0], &wide[1], &wide[2]};
        for (int i = 0; i < 3; i++)
            ok(stria_broadcast_to(&wide[i], t.inputs[i], 2, (int64_t[]){2, none ? 0 : 3}));
        ok(stria_expr_reduce_explain(text, sizeof text, &length, &out, none ? t.expr : same,
                                     STRIA_SUM, none ? 3 : 1, inputs, 1, (int[]){1}, NULL, NULL));
        assert_int_equal(length, strlen(text));
        assert_true(sums[0] == 7 && sums[1] == 8);
        release(&t);
    }
    stria_expr_release(same);
}

/* Without scratch memory, and with each allocation refused, results have the same bits or the
 * status is MEMORY. */
TEST(test_little_memory)
{
    enum { N = 5000 };
    static float x[N], y[N];
    float sum, again;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i * 0.37f;
        y[i] = (float)(N - i);
    }
    struct trial t = {.seed = 0};
    squares(&t, x, y, N);
    const stria_view out = of(&sum, STRIA_F32, 0, NULL), more = of(&again, STRIA_F32, 0, NULL);
    ok(stria_expr_reduce(&out, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){0}, NULL, NULL));
    ok(stria_set_scratch_limit(0));
    ok(stria_expr_reduce(&more, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){0}, NULL, NULL));
    ok(stria_set_scratch_limit(STRIA_SCRATCH));
    assert_memory_equal(&sum, &again, sizeof sum);
    for (int64_t fail_at = 1; fail_at < 5; fail_at++) {
        counting_begin(fail_at);
        const stria_status status =
            stria_expr_reduce(&more, t.expr, STRIA_SUM, 3, t.inputs, 1, (int[]){0}, NULL, NULL);
        assert_true(status == STRIA_OK || status == STRIA_ERR_MEMORY);
        if (status == STRIA_OK) assert_memory_equal(&sum, &again, sizeof sum);
        counting_end();
    }
    release(&t);
}

TEST_MAIN(NULL, NULL)
