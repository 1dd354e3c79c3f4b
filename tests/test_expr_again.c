/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression that is evaluated again: at other addresses, in place, with one array twice, with
 * other layouts and dtypes, with other instruction sets and from several threads. Results must not
 * depend on what it keeps of the first layouts.
 */
#include <pthread.h>
#include <string.h>

#include "stria/stria.h"
#include "support/by_value.h"
#include "support/counting_allocator.h"
#include "support/test.h"

enum { N = 24, TIMES = 5 };

static const char text[] = "(x - y)*2 + x";

static double expected(double x, double y)
{
    return (x - y) * 2 + x;
}

static stria_expr *parse(void)
{
    stria_expr *e = NULL;
    ok(stria_expr_parse(&e, text, 2, (const char *const[]){"x", "y"}));
    return e;
}

static stria_view view_of(double *data, int64_t step)
{
    stria_view v;
    const int64_t shape[] = {N}, strides[] = {8 * step};
    ok(stria_view_foreign(&v, data, stria_dtype_of(STRIA_F64), 1, shape, strides, 0));
    return v;
}

static void fill(double *data, int n, double from)
{
    for (int i = 0; i < n; i++)
        data[i] = from + i * i;
}

static void evaluate(const stria_expr *e, stria_view out, stria_view x, stria_view y)
{
    double wanted[N];
    for (int64_t i = 0; i < N; i++) {
        double a = 0, b = 0;
        memcpy(&a, x.data + i * x.strides[0], sizeof a);
        memcpy(&b, y.data + i * y.strides[0], sizeof b);
        wanted[i] = expected(a, b);
    }
    ok(stria_expr_evaluate(&out, e, 2, (const stria_view *const[]){&x, &y}, NULL));
    for (int64_t i = 0; i < N; i++) {
        double found = 0;
        memcpy(&found, out.data + i * out.strides[0], sizeof found);
        assert_true(found == wanted[i]);
    }
}

TEST(test_addresses)
{
    static double memory[8][2 * N];
    stria_expr *const e = parse();
    for (int time = 0; time < TIMES; time++) {
        for (int k = 0; k < 8; k++)
            fill(memory[k], 2 * N, k + time);
        evaluate(e, view_of(memory[0], 1), view_of(memory[1], 1), view_of(memory[2], 1));
        evaluate(e, view_of(memory[3], 1), view_of(memory[4], 1), view_of(memory[4], 1));
        evaluate(e, view_of(memory[5], 1), view_of(memory[6], 1), view_of(memory[5], 1));
        evaluate(e, view_of(memory[5], 1), view_of(memory[5] + 3, 1), view_of(memory[7], 1));
        evaluate(e, view_of(memory[0], 1), view_of(memory[1], 2), view_of(memory[2] + N, -1));
    }
    stria_expr_release(e);
}

/* The first layout with two equal operands is that of one array given twice. */
TEST(test_twice_the_same)
{
    static double memory[3][N];
    stria_expr *const e = parse();
    for (int k = 0; k < 3; k++)
        fill(memory[k], N, k);
    for (int time = 0; time < TIMES; time++)
        evaluate(e, view_of(memory[0], 1), view_of(memory[1], 1), view_of(memory[1], 1));
    for (int time = 0; time < TIMES; time++)
        evaluate(e, view_of(memory[0], 1), view_of(memory[1], 1), view_of(memory[2], 1));
    stria_expr_release(e);
}

/* An array of one element is read anew each time. */
TEST(test_single_elements)
{
    static double x[N], y[N], out[N];
    stria_expr *const e = parse();
    fill(x, N, 1);
    for (int64_t n = 1; n <= N; n += N - 1) {
        stria_view a, b, to;
        const int64_t one = 1;
        const stria_dtype f64 = stria_dtype_of(STRIA_F64);
        ok(stria_view_foreign(&a, x, f64, 1, &n, NULL, 0));
        ok(stria_view_foreign(&b, y, f64, 1, &one, NULL, 0));
        ok(stria_view_foreign(&to, out, f64, 1, &n, NULL, 0));
        for (int time = 0; time < TIMES; time++) {
            x[0] = time;
            y[0] = 10 * time;
            ok(stria_expr_evaluate(&to, e, 2, (const stria_view *const[]){&a, &b}, NULL));
            for (int64_t i = 0; i < n; i++)
                assert_true(out[i] == expected(x[i], y[0]));
        }
    }
    stria_expr_release(e);
}

/* Lengths of one piece and of several, the last one shorter; y is a single element, or the
 * output. */
TEST(test_pieces)
{
    enum { LONGEST = 6000 };
    static double x[LONGEST], y[LONGEST], out[LONGEST];
    static const int64_t lengths[] = {1000, 1024, 1025, 2047, 3001, 4096, LONGEST};
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int way = 0; way < 3; way++) {
            stria_expr *const e = parse();
            const int64_t n = lengths[k], one = 1;
            stria_view a, b, to;
            double *const result = way == 2 ? y : out;
            ok(stria_view_foreign(&a, x, f64, 1, &n, NULL, 0));
            ok(stria_view_foreign(&b, y, f64, 1, way == 1 ? &one : &n, NULL, 0));
            ok(stria_view_foreign(&to, result, f64, 1, &n, NULL, 0));
            for (int time = 0; time < TIMES; time++) {
                for (int i = 0; i < LONGEST; i++)
                    x[i] = i + time, y[i] = 3 * i, out[i] = -1;
                ok(stria_expr_evaluate(&to, e, 2, (const stria_view *const[]){&a, &b}, NULL));
                for (int64_t i = 0; i < LONGEST; i++)
                    if (result[i] != (i >= n     ? (way == 2 ? 3 * (double)i : -1)
                                      : way == 1 ? expected(x[i], 0)
                                                 : expected(x[i], 3 * (double)i)))
                        fail_msg("%d of %d, way %d", (int)i, (int)n, way);
            }
            stria_expr_release(e);
        }
    }
}

TEST(test_dtypes_and_rules)
{
    int32_t x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 2 * i;
    }
    stria_view a, b;
    const int64_t shape[] = {N};
    const stria_dtype i32 = stria_dtype_of(STRIA_I32);
    ok(stria_view_foreign(&a, x, i32, 1, shape, NULL, 0));
    ok(stria_view_foreign(&b, y, i32, 1, shape, NULL, 0));
    const stria_view *const views[] = {&a, &b};
    stria_expr *e = NULL;
    ok(stria_expr_parse(&e, "(x + y) / 2", 2, (const char *const[]){"x", "y"}));
    const stria_exec numpy = {.hints = STRIA_PROMOTE_AS_NUMPY};
    stria_array made = {0};
    for (int time = 0; time < TIMES; time++) {
        ok(stria_expr_evaluate_new(&made, e, 2, views, NULL));
        assert_int_equal(made.view.dtype.kind, STRIA_F32);
        ok(stria_expr_evaluate_new(&made, e, 2, views, &numpy));
        assert_int_equal(made.view.dtype.kind, STRIA_F64);
        assert_true(((const double *)made.view.data)[3] == 4.5);
    }
    /* A bad call is refused after a layout was kept, too. */
    stria_view readonly = readonly_of(&made.view), less;
    assert_int_equal(stria_expr_evaluate(&readonly, e, 2, views, &numpy), STRIA_ERR_READONLY);
    ok(stria_narrow(&less, &a, 0, 0, N - 1));
    assert_int_equal(
        stria_expr_evaluate_new(&made, e, 2, (const stria_view *const[]){&less, &b}, NULL),
        STRIA_ERR_BROADCAST);
    assert_int_equal(stria_expr_evaluate_new(&made, e, 1, views, NULL), STRIA_ERR_ARGUMENT);
    stria_array_release(&made);
    stria_expr_release(e);
}

/* Eight layouts are kept, one array twice and a matrix beside its transpose among them. */
TEST(test_layouts_are_kept)
{
    enum { LAYOUTS = 8 };
    static double x[8 * N], y[8 * N], out[8 * N];
    fill(x, 8 * N, 1);
    fill(y, 8 * N, 2);
    stria_expr *const e = parse();
    int64_t before = 0;
    for (int time = 0; time < TIMES; time++) {
        if (time == 2) {
            counting_begin(0);
            before = allocation_counts.calls;
        }
        for (int step = 1; step < LAYOUTS - 1; step++)
            evaluate(e, view_of(out, 1), view_of(x, step), view_of(y, 1));
        evaluate(e, view_of(out, 2), view_of(x, 3), view_of(x, 3));
        stria_view square, turned, to;
        const stria_dtype f64 = stria_dtype_of(STRIA_F64);
        ok(stria_view_foreign(&square, x, f64, 2, (const int64_t[]){4, 4}, NULL, 0));
        ok(stria_view_foreign(&to, out, f64, 2, (const int64_t[]){4, 4}, NULL, 0));
        ok(stria_reverse_dims(&turned, &square));
        ok(stria_expr_evaluate(&to, e, 2, (const stria_view *const[]){&square, &turned}, NULL));
        for (int i = 0; i < 16; i++)
            assert_true(out[i] == expected(x[i], x[i % 4 * 4 + i / 4]));
    }
    assert_int_equal(allocation_counts.calls, before);
    counting_end();
    /* Where one array came twice, two arrays are two again. */
    evaluate(e, view_of(out, 2), view_of(x, 3), view_of(y, 3));
    stria_expr_release(e);
}

/* A small reduction costs an array of its elements, and nothing is checked and lowered again. */
TEST(test_small_reductions)
{
    double x[N], y[N], total = 0, wanted = 0;
    stria_view to;
    fill(x, N, 1);
    fill(y, N, 2);
    for (int i = 0; i < N; i++)
        wanted += expected(x[i], y[i]);
    const stria_view a = view_of(x, 1), b = view_of(y, 1);
    const stria_view *const views[] = {&a, &b};
    ok(stria_view_foreign(&to, &total, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    stria_expr *const e = parse();
    for (int time = 0; time < TIMES; time++) {
        if (time == 3) counting_begin(0);
        total = 0;
        ok(stria_expr_reduce(&to, e, STRIA_SUM, 2, views, STRIA_ALL_DIMS, NULL, NULL, NULL));
        assert_true(total == wanted);
    }
    assert_true(allocation_counts.calls <= 2 * (TIMES - 3));
    counting_end();
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    to.data = (char *)x;
    assert_int_equal(
        stria_expr_reduce(&to, e, STRIA_SUM, 2, views, STRIA_ALL_DIMS, NULL, NULL, &apart),
        STRIA_ERR_OVERLAP);
    stria_expr_release(e);
}

/* The expression gets more nodes after a layout was kept. */
TEST(test_more_nodes)
{
    static double x[N], y[N], out[N];
    fill(x, N, 1);
    fill(y, N, 2);
    stria_expr *const e = parse();
    for (int time = 0; time < TIMES; time++)
        evaluate(e, view_of(out, 1), view_of(x, 1), view_of(y, 1));
    int node = 0;
    ok(stria_expr_input(e, &node, 0));
    ok(stria_expr_op(e, &node, STRIA_ADD, 2, (const int[]){node, node}));
    const stria_view a = view_of(x, 1), b = view_of(y, 1), to = view_of(out, 1);
    for (int time = 0; time < TIMES; time++) {
        ok(stria_expr_evaluate(&to, e, 2, (const stria_view *const[]){&a, &b}, NULL));
        assert_true(out[3] == 2 * x[3]);
    }
    stria_expr_release(e);
}

static void *evaluate_often(void *expr)
{
    double x[N], y[N], out[N];
    fill(x, N, 3);
    fill(y, N, 5);
    for (int time = 0; time < 300; time++) {
        x[1] = time;
        const stria_view a = view_of(x, 1), b = view_of(y, 1), to = view_of(out, 1);
        if (stria_expr_evaluate(&to, expr, 2, (const stria_view *const[]){&a, &b}, NULL) ||
            out[1] != expected(x[1], y[1]))
            return expr;
    }
    return NULL;
}

/* A weak scalar has another value in some of the runs. */
TEST(test_weak_scalars)
{
    static const double numbers[] = {2, 2, 2, -2, 0.0, -0.0, 2};
    double x[N], out[N];
    stria_expr *e = NULL;
    ok(stria_expr_parse(&e, "x*y", 2, (const char *const[]){"x", "y"}));
    fill(x, N, 1);
    const stria_view a = view_of(x, 1), to = view_of(out, 1);
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
        double number = numbers[i];
        stria_view weak;
        ok(stria_weak(&weak, STRIA_F64, &number));
        ok(stria_expr_evaluate(&to, e, 2, (const stria_view *const[]){&a, &weak}, NULL));
        for (int k = 0; k < N; k++) {
            const double want = x[k] * number;
            assert_memory_equal(&out[k], &want, sizeof want);
        }
    }
    stria_expr_release(e);
}

TEST(test_threads)
{
    stria_expr *const e = parse();
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, evaluate_often, e), 0);
    for (int i = 0; i < 8; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    stria_expr_release(e);
}

/* Kept layouts must not be taken for other expressions or layouts, and a call that was allowed may
 * be refused later. */
TEST(test_parts_and_rights)
{
    double x[N], y[N], out[2][N];
    stria_expr *const e = parse();
    fill(x, N, 1);
    fill(y, N, 3);
    stria_view a = view_of(x, 1), b = view_of(y, 1), first = view_of(out[0], 1),
               second = view_of(out[1], 1);
    const stria_view *const inputs[] = {&a, &b}, *const outs[] = {&first, &second};
    for (int i = 0; i < TIMES; i++)
        evaluate(e, first, a, b);
    int difference = 0;
    ok(stria_expr_op(e, &difference, STRIA_SUBTRACT, 2, (const int[]){0, 1}));
    for (int i = 0; i < TIMES; i++)
        ok(stria_expr_evaluate(&first, e, 2, inputs, NULL));
    ok(stria_expr_evaluate_several(outs, e, 2, (const int[]){0, difference}, 2, inputs, NULL));
    for (int i = 0; i < N; i++)
        assert_true(out[0][i] == x[i] && out[1][i] == x[i] - y[i]);
    const stria_exec bad = {.threads = -1};
    assert_int_equal(stria_expr_evaluate(&first, e, 2, inputs, &bad), STRIA_ERR_ARGUMENT);
    first.data = NULL;
    assert_int_equal(stria_expr_evaluate(&first, e, 2, inputs, NULL), STRIA_ERR_ARGUMENT);
    stria_array made = {0};
    ok(stria_empty(&made, stria_dtype_of(STRIA_F64), 1, (const int64_t[]){N}));
    stria_buffer_freeze(made.owned);
    assert_int_equal(stria_expr_evaluate(&made.view, e, 2, inputs, NULL), STRIA_ERR_READONLY);
    stria_array_release(&made);
    stria_expr_release(e);
}

TEST_MAIN(NULL, NULL)
