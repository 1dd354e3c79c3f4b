/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that are compiled already rely on these: versions, words of structs that must be zero
 * until they mean something, handles, and results that another thread reads. That functions refuse
 * such words of exec is test_door.c's, and which numbers and layouts there are tests/abi's.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        assert_int_equal(call, STRIA_ERR_ARGUMENT);                                                \
        assert_non_null(strstr(stria_last_error(), "reserved words"));                             \
    } while (0)

TEST(test_versions)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d.%d.%d", STRIA_VERSION >> 16, STRIA_VERSION >> 8 & 255,
                   STRIA_VERSION & 255);
    assert_string_equal(stria_version(), text);
    assert_int_equal(stria_version_number(), STRIA_VERSION);
    ok(stria_version_check(STRIA_VERSION));
    ok(stria_version_check(STRIA_VERSION & ~255));
    assert_int_equal(stria_version_check(STRIA_VERSION + 1), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_version_check(STRIA_VERSION + 256), STRIA_ERR_UNSUPPORTED);
    assert_int_equal(stria_version_check(0x7f0000), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "headers of 127.0.0"));
}

/* ---- reserved words -------------------------------------------------------------------------- */

static float numbers[4] = {1, 2, 3, 4};

static stria_view four(void)
{
    stria_view view;
    ok(stria_view_foreign(&view, numbers, stria_dtype_of(STRIA_F32), 1, (int64_t[]){4}, NULL, 0));
    return view;
}

static bool sink(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return true;
}

static void row(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++)
        *(double *)(void *)(ptr[0] + i * step[0]) = -*(double *)(void *)(ptr[1] + i * step[1]);
}

static stria_status nothing(void *context, int count, stria_array *made, int n,
                            const stria_view *const *operands, const stria_exec *exec)
{
    (void)context, (void)count, (void)made, (void)n, (void)operands, (void)exec;
    return STRIA_OK;
}

TEST(test_reserved_words)
{
    const stria_view a = four(), *const views[] = {&a};
    stria_array made = {0};
    stria_results results = {0};
    bool close;
    stria_difference difference;
    stria_graph *graph;
    int node;
    ok(stria_graph_make(&graph, STRIA_PROMOTE_TORCH));
    ok(stria_graph_input(graph, &node, &a));
    for (int i = 0; i < 2; i++) {
        const uint64_t word = UINT64_C(1) << (63 * i);
        stria_reduce_options reduction = {.keepdims = false};
        stria_scan_options scan = {.include_initial = false};
        stria_format_options format;
        stria_format_defaults(&format);
        stria_tolerance tolerance = {.rtol = 1};
        stria_budget budget = {.seconds = 10};
        stria_random random = {.seed = 1};
        stria_blas blas = {.int_bits = 32};
        stria_graph_call call = {
            .name = "f", .function = nothing, .count = 1, .likes = (const stria_view *[]){&a}};
        stria_user_loop loop = {.inputs = {STRIA_F64}, .out = STRIA_F64, .run = row};
        stria_user_function function = {.name = "f", .inputs = 1, .count = 1, .loops = &loop};
        reduction.reserved[i] = scan.reserved[i] = format.reserved[i] = tolerance.reserved[i] =
            budget.reserved[i] = random.reserved[i] = blas.reserved[i] = call.reserved[i] =
                function.reserved[i] = word;
        REFUSED(
            stria_reduce_dims_new(&made, STRIA_SUM, &a, STRIA_ALL_DIMS, NULL, &reduction, NULL));
        REFUSED(
            stria_reduce_dims_new(&made, STRIA_STD, &a, STRIA_ALL_DIMS, NULL, &reduction, NULL));
        REFUSED(stria_graph_reduce(graph, &node, STRIA_SUM, 0, STRIA_ALL_DIMS, NULL, &reduction));
        REFUSED(stria_scan_dim_new(&made, STRIA_CUMMAX, &a, 0, &scan, NULL));
        REFUSED(stria_format_to(sink, NULL, &a, &format, NULL));
        REFUSED(stria_allclose(&close, &a, &a, &tolerance, NULL));
        REFUSED(stria_compare(&difference, &a, &a, &tolerance, NULL));
        REFUSED(stria_eval(&results, "1", 0, NULL, &(stria_exec){.budget = &budget}));
        REFUSED(stria_random_uniform(&a, &random, 0, 1, NULL));
        REFUSED(stria_set_blas(&blas));
        REFUSED(stria_graph_call_function(graph, &node, &call, 1, (int[]){0}));
        REFUSED(stria_user_register(NULL, &function));
        function.reserved[i] = 0;
        loop.reserved[i] = word;
        REFUSED(stria_user_register(NULL, &function));
        REFUSED(stria_elementwise_new(&made, STRIA_ABS, 1, views,
                                      &(stria_exec){.reserved = {word, 0}}));
    }
    assert_null(made.owned);
    stria_graph_release(graph);
    /* A budget is for text alone. */
    const stria_budget usual = {.seconds = 10};
    assert_int_equal(stria_abs(&a, &a, &(stria_exec){.budget = &usual}), STRIA_ERR_ARGUMENT);
}

/* ---- handles and results --------------------------------------------------------------------- */

TEST(test_handles)
{
    stria_array a = {0};
    stria_ref *ref = NULL, *made = NULL;
    stria_view view, turned;
    stria_results results = {0};
    const int64_t before = stria_bytes_in_use();
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F64), 2, (int64_t[]){100, 200}));
    assert_int_equal(stria_bytes_in_use() - before, 160000 + 128);
    ok(stria_transpose(&turned, &a.view, 0, 1));
    ok(stria_ref_make(&ref, &turned));
    assert_int_equal(stria_buffer_references(a.owned), 2);
    stria_array_release(&a);
    ok(stria_ref_view(&view, ref));
    assert_true(stria_same_view(&view, &turned));
    assert_ptr_equal(stria_ref_retain(ref), ref);
    stria_ref_release(ref);
    const stria_arg args[] = {{.kind = STRIA_ARG_REF, .value.ref = ref}, stria_arg_int(1)},
                    pair[] = {{.kind = STRIA_ARG_REF, .value.ref = ref}, args[0]},
                    list[] = {stria_arg_tuple(2, pair)}, none[] = {{.kind = STRIA_ARG_REF}};
    ok(stria_call(&results, stria_function_find("add"), STRIA_PROMOTE_TORCH, 2, args, NULL));
    ok(stria_results_ref(&made, &results, 0));
    ok(stria_ref_view(&view, made));
    assert_int_equal(view.shape[0], 200);
    assert_true(((double *)(void *)view.data)[0] == 1);
    stria_ref_release(made);
    ok(stria_call(&results, stria_function_find("sum"), STRIA_PROMOTE_TORCH, 2, args, NULL));
    assert_int_equal(stria_results_at(&results, 0)->view.shape[0], 200);
    ok(stria_call(&results, stria_function_find("cat"), STRIA_PROMOTE_TORCH, 1, list, NULL));
    assert_int_equal(stria_results_at(&results, 0)->view.shape[0], 400);
    assert_int_equal(
        stria_call(&results, stria_function_find("abs"), STRIA_PROMOTE_TORCH, 1, none, NULL),
        STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_ref_make(&made, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_ref_make(NULL, &turned), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_ref_view(&view, NULL), STRIA_ERR_ARGUMENT);
    assert_null(stria_ref_retain(NULL));
    stria_ref_release(NULL);
    stria_ref_release(ref);
    stria_results_release(&results);
    assert_int_equal(stria_bytes_in_use(), before);
}

static void *read_error(void *results)
{
    assert_string_equal(stria_last_error(), "");
    assert_non_null(strstr(stria_results_error(results), "zzz"));
    return NULL;
}

TEST(test_results)
{
    stria_results r = {0};
    RELEASED stria_array mine = {0};
    pthread_t other;
    const stria_view a = four();
    const stria_named named[] = {{"x", &a}};
    ok(stria_eval(&r, "(x + 1, x * 2)", 1, named, NULL));
    assert_int_equal(stria_results_count(&r), 2);
    assert_null(stria_results_answer(&r));
    assert_string_equal(stria_results_error(&r), "");
    ok(stria_results_take(&mine, &r, 1));
    stria_buffer *const owned = mine.owned;
    assert_true(((float *)(void *)mine.view.data)[3] == 8);
    assert_null(stria_results_at(&r, 1)->owned);
    assert_int_equal(stria_results_take(&mine, &r, 2), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_results_take(&mine, &r, -1), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_results_take(NULL, &r, 0), STRIA_ERR_ARGUMENT);
    assert_ptr_equal(mine.owned, owned);
    ok(stria_results_take(&mine, &r, 0)); /* what it owned is released */
    assert_true(((float *)(void *)mine.view.data)[3] == 5);
    assert_int_equal(stria_eval(&r, "x + zzz", 1, named, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_results_count(&r), 2); /* as they were, but for the message */
    assert_int_equal(pthread_create(&other, NULL, read_error, &r), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    ok(stria_eval(&r, "x.ndim", 1, named, NULL));
    assert_string_equal(stria_results_error(&r), "");
    assert_int_equal(stria_results_answer(&r)->value.integer, 1);
    assert_int_equal(stria_results_count(&r), 0);
    assert_int_equal(stria_call(&r, stria_function_find("abs"), STRIA_PROMOTE_TORCH, 0, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_string_equal(stria_results_error(&r), stria_last_error());
    assert_string_equal(stria_results_error(NULL), "");
    assert_int_equal(stria_results_count(NULL), 0);
    assert_null(stria_results_answer(NULL));
    stria_results_release(&r);
}

/* ---- functions of the user's ------------------------------------------------------------------
 */

static pthread_t caller;

static void of_caller(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    assert_true(pthread_equal(caller, pthread_self()));
    row(ptr, step, n, data);
}

static void twice(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++)
        *(double *)(void *)(ptr[0] + i * step[0]) = 2 * *(double *)(void *)(ptr[1] + i * step[1]);
}

TEST(test_user_functions)
{
    enum { N = 1 << 20 };
    stria_user_loop loop = {.inputs = {STRIA_F64}, .out = STRIA_F64, .run = of_caller};
    stria_user_function f = {.name = "mine",
                             .inputs = 1,
                             .count = 1,
                             .loops = &loop,
                             .cycles = 100,
                             .flags = STRIA_USER_CALLER};
    stria_op op, next;
    RELEASED stria_array a = {0}, sum = {0};
    stria_results r = {0};
    stria_expr *expr;
    int node;
    caller = pthread_self();
    ok(stria_set_threads(2));
    ok(stria_user_register(&op, &f));
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F64), 1, (int64_t[]){N}));
    for (int i = 0; i < N; i++)
        ((double *)(void *)a.view.data)[i] = 1;
    const stria_view *const views[] = {&a.view};
    const stria_named named[] = {{"x", &a.view}};
    ok(stria_elementwise_new(&sum, op, 1, views, NULL));
    assert_true(((double *)(void *)sum.view.data)[N - 1] == -1);
    ok(stria_eval(&r, "(mine(x) + x * 3).sum()", 1, named, NULL));
    assert_true(*(double *)(void *)stria_results_at(&r, 0)->view.data == 2.0 * N);
    ok(stria_expr_make(&expr));
    ok(stria_expr_input(expr, &node, 0));
    ok(stria_expr_op(expr, &node, op, 1, &(int){node}));
    ok(stria_user_unregister(op));
    assert_int_equal(stria_user_unregister(op), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_user_unregister(STRIA_ADD), STRIA_ERR_ARGUMENT);
    assert_null(stria_function_find("mine"));
    assert_int_not_equal(stria_eval(&r, "mine(x)", 1, named, NULL), STRIA_OK);
    ok(stria_expr_evaluate_new(&sum, expr, 1, views, NULL)); /* what held it computes zeros */
    assert_true(((double *)(void *)sum.view.data)[N / 2] == 0);
    f.name = "other";
    f.flags = 0;
    loop.run = twice;
    ok(stria_user_register(&next, &f)); /* of another kind: room of its own */
    assert_int_not_equal(next, op);
    ok(stria_user_unregister(next));
    for (int i = 0; i < 3 * STRIA_USER_FUNCTIONS; i++) { /* closures come and go */
        char name[16];
        (void)snprintf(name, sizeof name, "closure%d", i);
        f.name = name;
        f.flags = STRIA_USER_CALLER;
        loop.run = i % 2 ? twice : of_caller;
        ok(stria_user_register(&next, &f));
        assert_int_equal(next, op);
        ok(stria_elementwise_new(&sum, op, 1, views, NULL));
        assert_true(((double *)(void *)sum.view.data)[7] == (i % 2 ? 2 : -1));
        ok(stria_user_unregister(next));
    }
    f.name = "mine";
    f.flags = 2;
    assert_int_equal(stria_user_register(NULL, &f), STRIA_ERR_ARGUMENT);
    ok(stria_set_threads(0));
    stria_expr_release(expr);
    stria_results_release(&r);
}

TEST_MAIN(NULL, NULL)
