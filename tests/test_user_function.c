/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that a user registers: called by number, by name, in text, in expressions and prepared,
 * over layouts, dtypes, masks and threads; and what is refused. They stay until the process ends.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

enum { ROWS = 60, COLUMNS = 700, N = ROWS * COLUMNS };

static double factor = 3;

/* Loops of factor * a + b, for f64, f32, and for i32 and f64. */
#define LOOP(name, A, B, OUT)                                                                      \
    static void name(char *const *ptr, const int64_t *step, int64_t n, void *data)                 \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            A a;                                                                                   \
            B b;                                                                                   \
            memcpy(&a, ptr[1] + i * step[1], sizeof a);                                            \
            memcpy(&b, ptr[2] + i * step[2], sizeof b);                                            \
            const OUT y = (OUT)(*(const double *)data * (double)a + (double)b);                    \
            memcpy(ptr[0] + i * step[0], &y, sizeof y);                                            \
        }                                                                                          \
    }
LOOP(scaled_f64, double, double, double)
LOOP(scaled_f32, float, float, float)
LOOP(scaled_mixed, int32_t, double, double)

/* Counts the bits that are set in u8; the result is i16. */
static void bits_u8(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++) {
        int16_t count = 0;
        for (int bit = 0; bit < 8; bit++)
            count = (int16_t)(count + (ptr[1][i * step[1]] >> bit & 1));
        memcpy(ptr[0] + i * step[0], &count, sizeof count);
    }
}

/* Sums k times operand k. */
static void weighed_f64(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    (void)data;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 1; k <= STRIA_USER_INPUTS; k++) {
            double x;
            memcpy(&x, ptr[k] + i * step[k], sizeof x);
            sum += k * x;
        }
        memcpy(ptr[0] + i * step[0], &sum, sizeof sum);
    }
}

static stria_op scaled, bits, weighed;

static int register_all(void **state)
{
    (void)state;
    const stria_user_loop loops[] =
        {{.inputs = {STRIA_F32, STRIA_F32}, .out = STRIA_F32, .run = scaled_f32},
         {.inputs = {STRIA_I32, STRIA_F64}, .out = STRIA_F64, .run = scaled_mixed},
         {.inputs = {STRIA_F64, STRIA_F64}, .out = STRIA_F64, .run = scaled_f64}},
                          one = {.inputs = {STRIA_U8}, .out = STRIA_I16, .run = bits_u8};
    ok(stria_user_register(&scaled, &(stria_user_function){.name = "scaled",
                                                           .doc = "Computes 3 a + b.",
                                                           .inputs = 2,
                                                           .count = 3,
                                                           .loops = loops,
                                                           .data = &factor}));
    ok(stria_user_register(
        &bits, &(stria_user_function){.name = "bits_set", .inputs = 1, .count = 1, .loops = &one}));
    const stria_user_loop many = {
        .inputs = {STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64},
        .out = STRIA_F64,
        .run = weighed_f64};
    ok(stria_user_register(
        &weighed, &(stria_user_function){
                      .name = "weighed", .inputs = STRIA_USER_INPUTS, .count = 1, .loops = &many}));
    assert_int_not_equal(scaled, bits);
    assert_string_equal(stria_op_name(scaled), "scaled");
    assert_int_equal(stria_op_inputs(scaled), 2);
    return 0;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static stria_array new_array(stria_kind kind, int times)
{
    stria_array out = {0}, counted = {0};
    const int64_t shape[] = {ROWS, COLUMNS};
    ok(stria_empty(&out, stria_dtype_of(kind), 2, shape));
    ok(stria_empty(&counted, stria_dtype_of(STRIA_I32), 2, shape));
    for (int32_t i = 0; i < N; i++)
        memcpy(counted.view.data + i * 4, &(int32_t){i * times % 251}, 4);
    ok(stria_copy(&out.view, &counted.view, NULL));
    stria_array_release(&counted);
    return out;
}

static double number(int i, int times)
{
    return i * times % 251;
}

static double at(const stria_view *a, int i)
{
    double x;
    stria_array wide = {0};
    ok(stria_astype(&wide, a, stria_dtype_of(STRIA_F64), STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED,
                    NULL, NULL));
    memcpy(&x,
           wide.view.data + i / COLUMNS * wide.view.strides[0] + i % COLUMNS * wide.view.strides[1],
           sizeof x);
    stria_array_release(&wide);
    return x;
}

static const int places[] = {0, 1, COLUMNS - 1, COLUMNS, N / 2, N - 1};
enum { PLACES = sizeof places / sizeof *places };

/* ---- uses ------------------------------------------------------------------------------------ */

/* The greatest number of operands: called by number, by name, in text, fused and prepared. */
TEST(test_many_inputs)
{
    stria_array a = new_array(STRIA_F64, 1), b = new_array(STRIA_I32, 5), c = {0}, out = {0};
    const stria_view *const views[] = {&a.view, &b.view, &a.view, &b.view,
                                       &b.view, &b.view, &a.view};
    stria_results r = {0};
    ok(stria_elementwise_new(&out, weighed, STRIA_USER_INPUTS, views, NULL));
    ok(stria_transpose(&c.view, &b.view, 0, 1)); /* its .T is b */
    const stria_named named[] = {{"a", &a.view}, {"b", &b.view}, {"c", &c.view}};
    for (int way = 0; way < 4; way++) {
        const char *const text = way == 1   ? "weighed(a, b, a, b, b, b, a)"
                                 : way == 2 ? "a.weighed(b, a, b, c.T, x7=a, x6=b) + 0"
                                            : "weighed(a + 0, b, a, b, c.T, b * 1, a)";
        if (way == 0) {
            stria_arg args[STRIA_USER_INPUTS];
            for (int k = 0; k < STRIA_USER_INPUTS; k++)
                args[k] = (stria_arg){.kind = STRIA_ARG_VIEW, .value.view = views[k]};
            ok(stria_call(&r, stria_function_find("weighed"), STRIA_PROMOTE_TORCH,
                          STRIA_USER_INPUTS, args, NULL));
        } else {
            ok(stria_eval(&r, text, 3, named, NULL));
        }
        for (int p = 0; p < PLACES; p++) {
            const int i = places[p];
            assert_true(at(&out.view, i) ==
                        number(i, 1) * (1 + 3 + 7) + number(i, 5) * (2 + 4 + 5 + 6));
            assert_true(at(&r.one.view, i) == at(&out.view, i));
        }
        stria_results_release(&r);
    }
    stria_array mask = new_array(STRIA_BOOL, 1);
    const stria_exec masked = {.mask = &mask.view};
    assert_int_equal(stria_elementwise(&out.view, weighed, STRIA_USER_INPUTS, views, &masked),
                     STRIA_ERR_UNSUPPORTED);
    stria_array_release(&mask);
    stria_array_release(&out);
    stria_array_release(&b);
    stria_array_release(&a);
}

TEST(test_by_number)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_I32, STRIA_U8, STRIA_I64};
    static const stria_kind results[5][5] = {
        {STRIA_F32, STRIA_F64, STRIA_F64, STRIA_F32, STRIA_F64},
        {STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64},
        {STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64},
        {STRIA_F32, STRIA_F64, STRIA_F64, STRIA_F32, STRIA_F64},
        {STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64, STRIA_F64}};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            stria_array a = new_array(kinds[i], 3), b = new_array(kinds[j], 7), out = {0};
            ok(stria_elementwise_new(&out, scaled, 2, (const stria_view *[]){&a.view, &b.view},
                                     NULL));
            assert_int_equal(out.view.dtype.kind, results[i][j]);
            for (int k = 0; k < PLACES; k++)
                assert_true(at(&out.view, places[k]) ==
                            3 * number(places[k], 3) + number(places[k], 7));
            stria_array_release(&a);
            stria_array_release(&b);
            stria_array_release(&out);
        }
}

/* Operands are transposed and flipped, a row is repeated, an output is an input, there is a
 * mask. */
TEST(test_layouts)
{
    stria_array a = new_array(STRIA_F64, 3), b = new_array(STRIA_F64, 7), out = {0};
    stria_view turned, flipped, row;
    const int64_t shape[] = {COLUMNS, ROWS};
    ok(stria_reverse_dims(&turned, &a.view));
    ok(stria_reverse_dims(&flipped, &b.view));
    ok(stria_slice(&flipped, &flipped, 0, STRIA_NONE, STRIA_NONE, -1));
    ok(stria_empty(&out, stria_dtype_of(STRIA_F32), 2, shape));
    ok(stria_elementwise(&out.view, scaled, 2, (const stria_view *[]){&turned, &flipped}, NULL));
    for (int i = 0; i < COLUMNS; i += 13)
        for (int j = 0; j < ROWS; j += 7) {
            float y;
            memcpy(&y, out.view.data + 4 * (i * ROWS + j), sizeof y);
            assert_true(y == (float)(3 * number(j * COLUMNS + i, 3) +
                                     number(j * COLUMNS + COLUMNS - 1 - i, 7)));
        }
    stria_array mask = new_array(STRIA_BOOL, 1);
    ok(stria_slice(&row, &b.view, 0, 1, 2, 1));
    const stria_exec exec = {.mask = &mask.view, .threads = 2};
    ok(stria_elementwise(&a.view, scaled, 2, (const stria_view *[]){&a.view, &row}, &exec));
    for (int k = 0; k < PLACES; k++) {
        const int i = places[k];
        const double before = number(i, 3);
        assert_true(at(&a.view, i) ==
                    (i % 251 ? 3 * before + number(COLUMNS + i % COLUMNS, 7) : before));
    }
    stria_array_release(&mask);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&out);
}

static void expect(const stria_view *got, stria_kind kind)
{
    assert_int_equal(got->dtype.kind, kind);
    for (int k = 0; k < PLACES; k++) {
        const double a = number(places[k], 3), b = number(places[k], 7);
        assert_true(at(got, places[k]) == (3 * (a + 1) + b) * 2 - a);
    }
}

/* Expressions run in one pass, on one thread and several, again and again. */
TEST(test_expressions)
{
    stria_array a = new_array(STRIA_F64, 3), b = new_array(STRIA_F32, 7), out = {0};
    const stria_view *const views[] = {&a.view, &b.view};
    stria_expr *e = NULL;
    char text[400];
    ok(stria_expr_parse(&e, "scaled(a + 1, b)*2 - a", 2, (const char *const[]){"a", "b"}));
    for (int threads = 1; threads <= 4; threads++)
        for (int time = 0; time < 3; time++) {
            const stria_exec exec = {.threads = threads};
            ok(stria_expr_evaluate_new(&out, e, 2, views, &exec));
            expect(&out.view, STRIA_F64);
        }
    ok(stria_expr_explain(text, sizeof text, NULL, &out.view, e, 2, views, NULL));
    assert_non_null(strstr(text, "add, cast to f64, scaled"));
    assert_null(strstr(text, "pass"));
    stria_array total = {0};
    ok(stria_expr_reduce_new(&total, e, STRIA_SUM, 2, views, 2, (const int[]){0, 1}, NULL, NULL));
    stria_array_release(&total);
    stria_expr_release(e);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&out);
}

TEST(test_names)
{
    stria_array a = new_array(STRIA_F64, 3), b = new_array(STRIA_F64, 7),
                u = new_array(STRIA_U8, 1);
    const stria_named named[] = {{"a", &a.view}, {"b", &b.view}, {"u", &u.view}};
    const stria_view *const views[] = {&a.view, &b.view};
    stria_results r = {0};
    ok(stria_eval(&r, "(a + 1).scaled(b)*2 - a", 3, named, NULL));
    expect(&stria_results_at(&r, 0)->view, STRIA_F64);
    ok(stria_eval(&r, "np.add(scaled(a + 1, x2=b)*2, -a)", 3, named, NULL));
    expect(&stria_results_at(&r, 0)->view, STRIA_F64);
    ok(stria_eval(&r, "bits_set(u)", 3, named, NULL));
    assert_true(at(&stria_results_at(&r, 0)->view, 7) == 3);

    const stria_function *const f = stria_function_find("scaled");
    assert_non_null(f);
    const stria_arg args[] = {stria_arg_view(&a.view), stria_arg_int(2)};
    ok(stria_call(&r, f, STRIA_PROMOTE_NUMPY, 2, args, NULL));
    assert_true(at(&stria_results_at(&r, 0)->view, 5) == 3 * number(5, 3) + 2);

    stria_prepared *p = NULL;
    ok(stria_prepare(&p, "scaled(a + 1, b)*2 - a", 2, (const char *const[]){"a", "b"}));
    for (int time = 0; time < 3; time++) {
        ok(stria_prepared_run(&r, p, 2, views, NULL));
        expect(&stria_results_at(&r, 0)->view, STRIA_F64);
    }
    stria_prepared_release(p);
    stria_results_release(&r);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&u);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static stria_status try_one(const char *name, int inputs, stria_kind in, stria_row_loop *loop)
{
    const stria_user_loop loops[] = {
        {.inputs = {in, STRIA_F64, STRIA_F64}, .out = STRIA_F64, .run = loop}};
    return stria_user_register(
        NULL, &(stria_user_function){.name = name, .inputs = inputs, .count = 1, .loops = loops});
}

TEST(test_refusals)
{
    static const char *const names[] = {
        "scaled", "add",  "permute", "slice",
        "3x",     "a b",  "",        "pi",
        "f32",    "np",   "f_",      "f_copy",
        "_f",     "lerp", "and",     "a_name_of_more_than_thirty_one_bytes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(try_one(names[i], 2, STRIA_F64, scaled_f64), STRIA_ERR_ARGUMENT);
    assert_int_equal(try_one(NULL, 2, STRIA_F64, scaled_f64), STRIA_ERR_ARGUMENT);
    assert_int_equal(try_one("bad", 0, STRIA_F64, scaled_f64), STRIA_ERR_ARGUMENT);
    assert_int_equal(try_one("bad", STRIA_USER_INPUTS + 1, STRIA_F64, scaled_f64),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(try_one("bad", 2, STRIA_F64, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(try_one("bad", 2, STRIA_BYTES, scaled_f64), STRIA_ERR_DTYPE);
    assert_int_equal(stria_user_register(NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_user_register(NULL, &(stria_user_function){.name = "bad", .inputs = 1}),
                     STRIA_ERR_ARGUMENT);
    const stria_user_loop twice[] = {{.inputs = {STRIA_F64}, .out = STRIA_F64, .run = bits_u8},
                                     {.inputs = {STRIA_F64}, .out = STRIA_F32, .run = bits_u8}};
    assert_int_equal(
        stria_user_register(
            NULL, &(stria_user_function){.name = "bad", .inputs = 1, .count = 2, .loops = twice}),
        STRIA_ERR_ARGUMENT);
    assert_null(stria_function_find("bad"));

    stria_array a = new_array(STRIA_C64, 1), b = new_array(STRIA_I16, 1), out = {0};
    assert_int_equal(
        stria_elementwise_new(&out, scaled, 2, (const stria_view *[]){&a.view, &b.view}, NULL),
        STRIA_ERR_DTYPE);
    assert_int_equal(stria_elementwise_new(&out, bits, 1, (const stria_view *[]){&b.view}, NULL),
                     STRIA_ERR_DTYPE);
    assert_string_equal(stria_last_error(), "bits_set: a of dtype i16 are taken by none of its "
                                            "loops, which are of u8; cast first");
    assert_int_equal(stria_elementwise_new(&out, (stria_op)(bits + 40), 1,
                                           (const stria_view *[]){&b.view}, NULL),
                     STRIA_ERR_ARGUMENT);
    stria_array_release(&a);
    stria_array_release(&b);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, EACH = 12 };

static void *register_some(void *made)
{
    for (int i = 0; i < EACH; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "shared_%d", i);
        if (try_one(name, 2, STRIA_F64, scaled_f64) != STRIA_OK) continue;
        if (stria_function_find(name)) ++*(int *)made;
    }
    return NULL;
}

/* Every name is taken by one function. There is room for a certain number, and then none. */
TEST(test_many)
{
    pthread_t threads[THREADS];
    int made[THREADS] = {0}, all = 0;
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, register_some, &made[t]), 0);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        all += made[t];
    }
    assert_int_equal(all, EACH);
    stria_status status = STRIA_OK;
    for (int i = 0; i <= STRIA_USER_FUNCTIONS && status == STRIA_OK; i++, all++) {
        char name[32];
        (void)snprintf(name, sizeof name, "more_%d", i);
        status = try_one(name, 2, STRIA_F64, scaled_f64);
    }
    assert_int_equal(status, STRIA_ERR_ARGUMENT);
    assert_int_equal(all, STRIA_USER_LOOPS - 5 + 1); /* the last one was refused */
}

TEST_MAIN(register_all, NULL)
