/* SPDX-License-Identifier: BSD-3-Clause */
/* Text over named views: values, views alone, prepared text, and refusals with their columns. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/fp_modes.h"
#include "support/sanitizers.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROWS = 4, COLUMNS = 6 };

static stria_array x, y;

static int make(void **state)
{
    (void)state;
    const int64_t shape[] = {ROWS, COLUMNS}, columns[] = {COLUMNS};
    if (stria_empty(&x, stria_dtype_of(STRIA_F64), 2, shape) ||
        stria_empty(&y, stria_dtype_of(STRIA_F64), 1, columns))
        return -1;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ((double *)x.view.data)[i] = i;
    for (int i = 0; i < COLUMNS; i++)
        ((double *)y.view.data)[i] = 10 * i;
    return 0;
}

static int release(void **state)
{
    (void)state;
    stria_array_release(&x);
    stria_array_release(&y);
    return 0;
}

static stria_status eval(stria_results *r, const char *text)
{
    const stria_named views[] = {{"x", &x.view}, {"y", &y.view}};
    return stria_eval(r, text, 2, views, NULL);
}

static double item(const stria_view *a, int ndim, int64_t i, int64_t j)
{
    double value = 0;
    ok(stria_get_f64(&value, a, ndim, (const int64_t[]){i, j}));
    return value;
}

/* A name alone has the meaning of the rules that are asked for; np. and torch. override them. */
TEST(test_names_follow_the_rules)
{
    static const struct {
        const char *text;
        uint32_t hints;
        double second;
    } cases[] = {{"y[:3].repeat(2)[1]", STRIA_PROMOTE_AS_NUMPY, 0},
                 {"y[:3].repeat(2)[1]", 0, 10},
                 {"torch.Tensor.repeat(y[:3], 2)[1]", STRIA_PROMOTE_AS_NUMPY, 10},
                 {"np.repeat(y[:3], 2)[1]", 0, 0},
                 {"x[:2].flip(1).sort(1)[0, 1]", STRIA_PROMOTE_AS_NUMPY, 1},
                 {"x[:2].flip(1).sort(1)[0][0, 1]", 0, 1},
                 /* only PyTorch has the parameter `dims` */
                 {"y.roll(1, dims=0)[1]", STRIA_PROMOTE_AS_NUMPY, 0},
                 {"np.trace(x.reshape(2, 3, 4), 1, -1, 1)[1]", 0, 37}};
    const stria_named views[] = {{"x", &x.view}, {"y", &y.view}};
    stria_results r = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const stria_exec exec = {.hints = cases[i].hints};
        ok(stria_eval(&r, cases[i].text, 2, views, &exec));
        if (item(&r.one.view, 0, 0, 0) != cases[i].second)
            fail_msg("%s: %g", cases[i].text, item(&r.one.view, 0, 0, 0));
    }
    stria_results_release(&r);
}

TEST(test_values)
{
    stria_results r = {0};
    ok(eval(&r, "(x + y).T[1:3, ::-1] * 2"));
    assert_int_equal(r.one.view.shape[0], 2);
    assert_true(item(&r.one.view, 2, 0, 0) == 2 * (19 + 10));
    ok(eval(&r, "x.sum(0)[2]"));
    assert_true(item(&r.one.view, 0, 0, 0) == 2 + 8 + 14 + 20);
    ok(eval(&r, "x[x > 20]"));
    assert_int_equal(r.one.view.shape[0], 3);
    ok(eval(&r, "x.split(3, dim=1)"));
    assert_true(r.several);
    assert_int_equal(r.count, 2);
    ok(eval(&r, "x.shape"));
    assert_true(r.answers && r.answer.count == 2 && r.integers[1] == COLUMNS);
    ok(eval(&r, "y * 0 + torch.pi - pi + np.inf"));
    assert_true(item(&r.one.view, 1, 0, 0) == (double)INFINITY);
    const stria_named constant = {"e", &y.view}; /* a view hides the constant of the same name */
    ok(stria_eval(&r, "e[1]", 1, &constant, NULL));
    ok(eval(&r, "arange(5)"));
    assert_int_equal(r.one.view.shape[0], 5);
    ok(stria_eval(&r, "zeros(2, 3) + 1", 0, NULL, NULL));
    assert_true(item(&r.one.view, 2, 1, 2) == 1);
    stria_results_release(&r);
}

/* Numbers alone give a number as Python has it: rounded once, compared without rounding. */
TEST(test_numbers)
{
    static const struct {
        const char *text;
        double wanted;
    } reals[] = {{"1.5*2", 3},
                 {"pi", 3.141592653589793},
                 {"x.shape[0]/8", 0.5},
                 {"10 % 0.1", 0.09999999999999945},
                 {"10 // 0.1", 99},
                 {"1e308 % 3", 2},
                 {"5 % inf", 5},
                 {"-5 % inf", (double)INFINITY},
                 {"-7.5 // 2", -4},
                 {"-7.5 % 2", 0.5},
                 {"9007199254740993 / 3", 3002399751580331},
                 {"9223372036854775807 / -9223372036854775808", -1},
                 {"1 / 9223372036854775809", 1.0842021724855044e-19},
                 {"(2**62 + 2**9 + 1) / 2**10", 4503599627370497},
                 {"18446744073709551615 + 0.5", 18446744073709551616.0}};
    static const char *const truths[] = {"9223372036854775808 > 9223372036854775807",
                                         "9007199254740993 > 9007199254740992.0",
                                         "9007199254740992.0 < 9007199254740993",
                                         "not 9007199254740993 == 9007199254740992.0",
                                         "18446744073709551615 > 9223372036854775808",
                                         "not 9223372036854775808 == -1",
                                         "18446744073709551615 < 18446744073709551616.0",
                                         "-3 < -2.5 < -2 < 0.5 < inf",
                                         "-(2**62) > -1e300",
                                         "9007199254740993 != 9007199254740992 + 0j",
                                         "2 == 2 + 0j",
                                         "not 1 < nan",
                                         "not nan == 1"};
    stria_results r = {0};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        ok(eval(&r, reals[i].text));
        assert_true(r.answers && r.count == 0);
        if (r.answer.kind != STRIA_ARG_FLOAT || r.answer.value.real != reals[i].wanted)
            fail_msg("%s: %.17g, wanted %.17g", reals[i].text, r.answer.value.real,
                     reals[i].wanted);
    }
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        ok(eval(&r, truths[i]));
        if (r.answer.kind != STRIA_ARG_BOOL || !r.answer.value.truth) fail_msg("%s", truths[i]);
    }
    ok(eval(&r, "18446744073709551615"));
    assert_true(r.answer.kind == STRIA_ARG_UINT && r.answer.value.unsigned_integer == UINT64_MAX);
    ok(eval(&r, "(1 + 2j) * 2"));
    assert_true(r.answer.kind == STRIA_ARG_COMPLEX && r.answer.value.complex_parts[1] == 4);
    ok(eval(&r, "-9223372036854775808"));
    assert_true(r.answer.kind == STRIA_ARG_INT && r.answer.value.integer == INT64_MIN);
    stria_results_release(&r);
}

/* A record's description that text or an argument makes lives as long as any array of the dtype. */
TEST(test_records)
{
    static const char *const texts[] = {
        "y.view('i4,f4')", "y.view([('a', 'i4'), ('b', [('c', 'f2'), ('d', 'i2')])])['b']",
        "zeros(3, dtype=np.dtype('i4,f4'))[1:]"};
    stria_results r = {0};
    stria_array kept = {0};
    char text[200];
    double foreign[3] = {1, 2, 3};
    stria_view view, made;
    ok(stria_view_foreign(&view, foreign, stria_dtype_of(STRIA_F64), 1, (const int64_t[]){3}, NULL,
                          0));
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        const stria_named named = {"y", i % 2 ? &view : &y.view};
        if (stria_eval(&r, texts[i / 2], 1, &named, NULL)) fail_msg("%s", stria_last_error());
        kept = shared_of(&r.one.view);
        stria_results_release(&r);
        assert_true(stria_record_count(kept.view.dtype) == 2);
        ok(stria_format(text, sizeof text, NULL, &kept.view, NULL, NULL));
        stria_array_release(&kept);
    }
    ok(eval(&r, "y.view('i4,f4').dtype"));
    assert_true(r.answers && stria_record_count(r.answer.value.dtype) == 2);
    const stria_arg args[] = {stria_arg_view(&view), stria_arg_text("i4,f4", 5)};
    ok(stria_call(&r, stria_function_find("view"), STRIA_PROMOTE_NUMPY, 2, args, NULL));
    assert_true(stria_record_count(r.one.view.dtype) == 2 && r.one.view.data == (char *)foreign);
    assert_int_equal(stria_eval_view(&made, "y.view('i4,f4')", 1, &(stria_named){"y", &y.view}),
                     STRIA_ERR_UNSUPPORTED);
    assert_message("describes a record");
    stria_results_release(&r);
}

/* The hint's rules hold where nothing else is said. */
TEST(test_rules)
{
    stria_results r = {0};
    const stria_named views[] = {{"x", &x.view}};
    const stria_exec numpy = {.hints = STRIA_PROMOTE_AS_NUMPY};
    ok(stria_eval(&r, "sqrt(x.to(torch.int32))", 1, views, NULL));
    assert_int_equal(r.one.view.dtype.kind, STRIA_F32);
    ok(stria_eval(&r, "sqrt(x.to(torch.int32))", 1, views, &numpy));
    assert_int_equal(r.one.view.dtype.kind, STRIA_F64);
    stria_results_release(&r);
}

TEST(test_view)
{
    stria_view view;
    const stria_named views[] = {{"x", &x.view}, {"y", &y.view}};
    ok(stria_eval_view(&view, "[1:3, ::-2].permute(1, 0)", 2, views));
    assert_true(view.data == x.view.data + 8 * (COLUMNS + 5) && view.buffer == x.view.buffer);
    assert_int_equal(view.strides[0], -16);
    assert_int_equal(view.shape[1], 2);
    ok(stria_eval_view(&view, "y[2]", 2, views));
    assert_true(item(&view, 0, 0, 0) == 20);
    /* Foreign memory: the library knows only the view. */
    double lines[6] = {0, 1, 2, 3, 4, 5};
    stria_view foreign;
    ok(stria_view_foreign(&foreign, &lines[5], stria_dtype_of(STRIA_F64), 2,
                          (const int64_t[]){2, 3}, (const int64_t[]){-24, -8}, 0));
    ok(stria_eval_view(&view, "[::-1].T[2]", 1, &(stria_named){"f", &foreign}));
    assert_ptr_equal(view.data, &lines[0]);
    const char *const before = view.data;
    assert_int_equal(stria_eval_view(&view, "x.T.reshape(-1)", 2, views), STRIA_ERR_COPY);
    assert_message("reshape");
    assert_message("192 bytes");
    assert_int_equal(stria_eval_column(), 4);
    assert_int_equal(stria_eval_view(&view, "x + 1", 2, views), STRIA_ERR_COPY);
    assert_int_equal(stria_eval_view(&view, "zeros(3)", 2, views), STRIA_ERR_COPY);
    assert_int_equal(stria_eval_view(&view, "x.fill_(2)", 2, views), STRIA_ERR_READONLY);
    assert_int_equal(stria_eval_view(&view, "x.shape", 2, views), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval_view(&view, "x.split(2)", 2, views), STRIA_ERR_ARGUMENT);
    assert_ptr_equal(view.data, before);
}

TEST(test_refusals)
{
    static const struct {
        const char *text;
        stria_status status;
        size_t column;
        const char *part;
    } bad[] = {
        {"x +", STRIA_ERR_FORMAT, 4, "expected"},
        {"x.permut(0, 1)", STRIA_ERR_UNSUPPORTED, 2, "did you mean"},
        {"x + z", STRIA_ERR_ARGUMENT, 5, "neither an array here (x, y)"},
        {"x.permute(0, 1.5)", STRIA_ERR_ARGUMENT, 14, "permute_dims(self, *dims"},
        {"x[7]", STRIA_ERR_INDEX, 2, "7"},
        {"'text'", STRIA_ERR_ARGUMENT, 1, "not an array"},
        {"18446744073709551616", STRIA_ERR_OVERFLOW, 1, "64 bits"},
        {"-9223372036854775809", STRIA_ERR_OVERFLOW, 1, "64 bits"},
        {"18446744073709551616 == 18446744073709551617", STRIA_ERR_OVERFLOW, 1, "64 bits"},
        {"18446744073709551616 / 2", STRIA_ERR_OVERFLOW, 1, "64 bits"},
        {"1 % 0.0", STRIA_ERR_ARGUMENT, 1, "division by zero"},
        {"", STRIA_OK, 0, ""},
    };
    stria_results r = {0};
    ok(eval(&r, "y"));
    const char *const kept = r.one.view.data;
    for (size_t i = 0; bad[i].status != STRIA_OK; i++) {
        assert_int_equal(eval(&r, bad[i].text), bad[i].status);
        assert_message(bad[i].part);
        assert_int_equal(stria_eval_column(), bad[i].column);
        assert_ptr_equal(r.one.view.data, kept);
    }
    static const char *const bare[] = {".T", "arange(z)", "aranje(3)"};
    /* the message does not mention the tool */
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        assert_true(stria_eval(&r, bare[i], 0, NULL, NULL) != STRIA_OK);
        assert_null(strstr(stria_last_error(), "FILE"));
        assert_null(strstr(stria_last_error(), "stria help"));
    }
    const stria_named twice[] = {{"x", &x.view}, {"x", &y.view}}, word = {"None", &x.view},
                      no_name = {"1x", &x.view}, no_view = {"x", NULL};
    assert_int_equal(stria_eval(&r, "x", 2, twice, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(&r, "x", 1, &word, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(&r, "x", 1, &no_name, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(&r, "x", 1, &no_view, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(&r, "x", 65, twice, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(&r, NULL, 0, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_eval(NULL, "1", 0, NULL, NULL), STRIA_ERR_ARGUMENT);
    stria_results_release(&r);
}

/* A copy into an array that exists is computed in it: there is no room for a temporary. */
TEST(test_copy_of_what_waits)
{
    const int64_t n = 1 << 20, shorter = (1 << 20) - 1;
    const stria_budget budget = {.bytes = 1 << 20};
    RELEASED stria_array u = {0}, l = {0};
    stria_results r = {0};
    ok(stria_empty(&u, stria_dtype_of(STRIA_F32), 1, &n));
    ok(stria_empty(&l, stria_dtype_of(STRIA_I16), 1, &n));
    float *const from = (float *)u.view.data;
    const int16_t *const to = (const int16_t *)l.view.data;
    for (int64_t i = 0; i < n; i++)
        from[i] = (float)(i % 1000) * 0.75f;
    const stria_named views[] = {{"u", &u.view}, {"l", &l.view}};
    ok(stria_eval(&r, "l.copy_(2 * u - 1)", 2, views, &(stria_exec){.budget = &budget}));
    assert_ptr_equal(r.one.view.data, l.view.data);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(to[i], (int16_t)(2 * from[i] - 1));
    /* Reads see the elements from before the write. */
    ok(stria_eval(&r, "u[1:].copy_(u[:-1] + 1)", 2, views, NULL));
    for (int64_t i = 0; i < shorter; i++)
        assert_true(from[i + 1] == (float)(i % 1000) * 0.75f + 1);
    assert_int_equal(stria_eval(&r, "u[1:].copy_(u[:-5] + 1)", 2, views, NULL),
                     STRIA_ERR_BROADCAST);
    assert_int_equal(stria_eval_column(), 6);
    stria_results_release(&r);
}

/* A text that would take more memory than the budget is refused before it is allocated, and the
 * results stay. */
TEST(test_budget)
{
    static const char *const names[] = {"x", "y"};
    const stria_named views[] = {{"x", &x.view}, {"y", &y.view}};
    const stria_view *const bare[] = {&x.view, &y.view};
    const stria_budget memory = {.bytes = 1 << 20}, time = {.seconds = 0.002};
    static const struct {
        const char *text;
        size_t column;
    } large[] = {{"zeros(1000, 1000)", 1},
                 {"(x + 1).expand(10000, 4, 6).contiguous().sum()", 28},
                 {"x[None] + y + zeros(9000, 1, 1)", 1},
                 {"[0:1].repeat(40000, 1)", 6},
                 {"y.expand(9000000, 6).sum(1)", 21}};
    stria_results r = {0};
    stria_prepared *p = NULL;
    ok(eval(&r, "y"));
    const char *const kept = r.one.view.data;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const stria_status status =
            stria_eval(&r, large[i].text, 2, views, &(stria_exec){.budget = &memory});
        if (status != STRIA_ERR_MEMORY) fail_msg("%s: %d", large[i].text, status);
        assert_message("of the budget of 1048576 bytes");
        if (stria_eval_column() != large[i].column)
            fail_msg("%s: %s", large[i].text, stria_last_error());
        ok(stria_prepare(&p, large[i].text, 2, names));
        assert_int_equal(stria_prepared_run(&r, p, 2, bare, &(stria_exec){.budget = &memory}),
                         STRIA_ERR_MEMORY);
        assert_message("of the budget of 1048576 bytes");
        stria_prepared_release(p);
        assert_ptr_equal(r.one.view.data, kept);
    }
    /* Memory given back is not counted: 8 times 200,000 bytes, half of them of flat copies. */
    static char text[3000] = "y", one[] = "y";
    for (int i = 0; i < 4; i++)
        (void)strcat(text, " + zeros(50000).sum() + np.cumsum(zeros(200, 250).T).sum()");
    ok(stria_eval(&r, text, 2, views, &(stria_exec){.budget = &memory}));
    assert_true(item(&r.one.view, 1, 3, 0) == 30);
    text[0] = 0;
    for (int i = 0; i < 150; i++)
        (void)strcat(text, "2 ** 3 ** 2 + ");
    (void)strcat(text, "x.sum()");
    ok(stria_prepare(&p, text, 2, names));
    ok(stria_prepared_run(&r, p, 2, bare, &(stria_exec){.budget = &time}));
    stria_prepared_release(p);
    assert_int_equal(stria_eval(&r, "x.expand(30000, 4, 6).exp().sum() + y.sum()", 2, views,
                                &(stria_exec){.budget = &(stria_budget){.seconds = 1e-9}}),
                     STRIA_ERR_UNSUPPORTED);
    assert_message("the budget of 1e-09 seconds is used up");
    assert_int_equal(
        stria_eval(&r, "y[0].expand(1 << 50).sum()", 2, views, &(stria_exec){.budget = &time}),
        STRIA_ERR_UNSUPPORTED);
    assert_message("1.1259e+15 elements");
    assert_int_equal(
        stria_eval(&r, one, 2, views, &(stria_exec){.budget = &(stria_budget){.bytes = -1}}),
        STRIA_ERR_ARGUMENT);
    assert_int_equal(
        stria_eval(&r, one, 2, views, &(stria_exec){.budget = &(stria_budget){.seconds = -1}}),
        STRIA_ERR_ARGUMENT);
    stria_results_release(&r);
}

/*
 * A text that passes over its elements again and again is refused at the start, not after minutes.
 * Temporaries are freed once nothing reads them, in the middle of a text, too.
 */
TEST(test_budget_of_temporaries)
{
    static const char *const texts[] = {
        "((((v.cumsum(0) + 1).cumsum(0) + 1).cumsum(0) + 1).cumsum(0) + 1).cumsum(0)",
        "((v.cumsum(0) * 2).cumsum(0) * 3).cumsum(0) * 4",
        "((v + 1).cumsum(0) * 2).cumsum(0) + 1",
        "v.copy_(v * 2 - 1)",
        "torch.sub(v * 2, 1, out=v)",
    };
    enum { N = 1 << 18 };
    const int64_t n = N;
    RELEASED stria_array v = {0};
    stria_results r = {0};
    ok(stria_zeros(&v, stria_dtype_of(STRIA_F32), 1, &n));
    const stria_named views[] = {{"v", &v.view}};
    const stria_budget budget = {.bytes = 2 * 4 * N + (1 << 17)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (stria_eval(&r, texts[i], 1, views, &(stria_exec){.budget = &budget}))
            fail_msg("%s: %s", texts[i], stria_last_error());
        stria_results_release(&r);
    }
}

TEST(test_budget_of_work)
{
    static const char *const texts[] = {
        "np.diff(y[0].expand(1 << 18), 10000).sum()",
        "window_sum(y[0].expand(3000, 3000), [1000, 1000], mode='edge').sum()",
        "correlate(y[0].expand(1000, 1000), y[0].expand(100, 100)).sum()",
        "(y[0].expand(2000, 2000) @ y[0].expand(2000, 2000)).sum()",
        ("np.einsum('ab,bc,cd->ad', y[0].expand(2000, 2000), y[0].expand(2000, 2000), "
         "y[0].expand(2000, 2000))")};
    static const char *const small[] = {"np.diff(y, 1000000)",
                                        "window_max(y[0].expand(300, 300), [100, 100]).sum()",
                                        "(y[0].expand(100, 100) @ y[0].expand(100, 100)).sum()"};
    const stria_named views[] = {{"x", &x.view}, {"y", &y.view}};
    const stria_budget time = {.bytes = 1 << 29, .seconds = 0.08};
    stria_results r = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (stria_eval(&r, texts[i], 2, views, &(stria_exec){.budget = &time}) !=
            STRIA_ERR_UNSUPPORTED)
            fail_msg("%s: %s", texts[i], stria_last_error());
        assert_message("elements are more than the budget of 0.08 seconds has time for");
        assert_true(stria_eval_column() > 0);
    }
    const stria_budget more = {.bytes = 1 << 29, .seconds = 10};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (stria_eval(&r, small[i], 2, views, &(stria_exec){.budget = &more}))
            fail_msg("%s: %s", small[i], stria_last_error());
    stria_results_release(&r);
}

/* The order of 1000 operands is found in time quadratic in their number; a cubic search took 13
 * s. */
TEST(test_many_operands)
{
    enum { MANY = 1000 };
    static char text[MANY * 4 + 100] = "np.einsum('a";
    size_t used = strlen(text);
    for (int i = 1; i < MANY; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ",a");
    used += (size_t)snprintf(text + used, sizeof text - used, "->'");
    for (int i = 0; i < MANY; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ",y");
    (void)snprintf(text + used, sizeof text - used, ")");
    const stria_named named = {"y", &y.view};
    stria_results r = {0};
    const stria_status status =
        stria_eval(&r, text, 1, &named, &(stria_exec){.budget = &(stria_budget){.seconds = 4}});
    if (status != STRIA_OK) fail_msg("%s", stria_last_error());
    assert_true(isinf(item(&r.one.view, 0, 0, 0)));
    stria_results_release(&r);
}

/* ---- prepared -------------------------------------------------------------------------------- */

static void *run_often(void *prepared)
{
    const stria_view *const views[] = {&x.view, &y.view};
    stria_results r = {0};
    for (int i = 0; i < 200; i++) {
        if (stria_prepared_run(&r, prepared, 2, views, NULL) != STRIA_OK) return prepared;
        if (((double *)r.one.view.data)[COLUMNS] != (6.0 + 0) * 2 - 1) return prepared;
    }
    stria_results_release(&r);
    return NULL;
}

TEST(test_prepared)
{
    static const char *const names[] = {"a", "b"};
    stria_prepared *p = NULL, *none = NULL;
    ok(stria_prepare(&p, "(a + b) * 2 - 1", 2, names));
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, p), 0);
    for (int i = 0; i < 8; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    /* Runs over other shapes and dtypes. */
    stria_results r = {0};
    const stria_view *const swapped[] = {&y.view, &y.view};
    ok(stria_prepared_run(&r, p, 2, swapped, NULL));
    assert_true(item(&r.one.view, 1, 5, 0) == 199);
    stria_view short_view;
    ok(stria_narrow(&short_view, &y.view, 0, 0, 5));
    const stria_view *const unlike[] = {&x.view, &short_view};
    assert_int_equal(stria_prepared_run(&r, p, 2, unlike, NULL), STRIA_ERR_BROADCAST);
    assert_true(item(&r.one.view, 1, 5, 0) == 199);
    stria_prepared_release(p);
    ok(stria_prepare(&p, "2 * 3", 2, names));
    ok(stria_prepared_run(&r, p, 2, swapped, NULL));
    assert_true(r.answers && r.answer.kind == STRIA_ARG_INT && r.answer.value.integer == 6);
    stria_results_release(&r);
    stria_prepared_release(p);
    assert_int_equal(stria_prepare(&none, "a +", 2, names), STRIA_ERR_FORMAT);
    assert_int_equal(stria_eval_column(), 4);
    assert_null(none);
    stria_prepared_release(none);
}

/* Text that becomes one expression gives what its steps give: dtype, shape and every byte. */
TEST(test_prepared_and_not)
{
    static const char *const texts[] = {
        "-a * 2 + b",
        "a.sqrt() + abs(b)",
        "where(a < b, a, 1.5)",
        "a ** 2 // 3",
        "5 - a",
        "a.add(b).mul(0.5)",
        "2 * 3 * a",
        "a % 4 + 1e30",
        "~(a > b)",
        "maximum(a, b) - 1j",
        "a.add(b, alpha=2)",
        "np.true_divide(a, 3)",
        "a + b.T",
        "(a + b)[1:]",
        "-(-3) + a",
        "a / 2 + True",
        "a.neg() + b",
        "a.clamp(2, 5) & True",
        "1 / (a * 0)",
        "a << 70",
        "-a",
        "+a",
        "~(a < 3)",
        "a * (1 / 4) + -0.5 * 2 ** 3",
        "a + -9223372036854775808",
        "a + 18446744073709551615",
        "a + -18446744073709551615",
        "minimum(a, inf) * -pi + np.e",
        "a + 1 // 0",
        "(a < b) * (3 < 4)",
    };
    static const char *const names[] = {"a", "b"};
    static const stria_kind kinds[][2] = {
        {STRIA_F64, STRIA_F64}, {STRIA_I32, STRIA_I32}, {STRIA_U8, STRIA_F32}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        RELEASED stria_array a = {0}, b = {0};
        ok(stria_astype(&a, &x.view, stria_dtype_of(kinds[k][0]), STRIA_CAST_UNSAFE,
                        STRIA_COPY_ALWAYS, NULL, NULL));
        ok(stria_astype(&b, &x.view, stria_dtype_of(kinds[k][1]), STRIA_CAST_UNSAFE,
                        STRIA_COPY_ALWAYS, NULL, NULL));
        const stria_view *const views[] = {&a.view, &b.view};
        const stria_named named[] = {{"a", &a.view}, {"b", &b.view}};
        for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
            const stria_exec exec = {.hints = i % 2 ? STRIA_PROMOTE_AS_NUMPY : 0};
            stria_results once = {0}, often = {0};
            stria_prepared *p = NULL;
            ok(stria_prepare(&p, texts[i / 2], 2, names));
            const stria_status status = stria_eval(&once, texts[i / 2], 2, named, &exec);
            for (int time = 0; time < 3; time++) {
                const stria_status again = stria_prepared_run(&often, p, 2, views, &exec);
                if (again != status) fail_msg("%s: %d, not %d", texts[i / 2], again, status);
                if (status != STRIA_OK) continue;
                const stria_view *const u = &once.one.view, *const v = &often.one.view;
                bool same = false;
                assert_true(stria_dtype_equal(u->dtype, v->dtype));
                ok(stria_array_equal(&same, u, v, true, NULL));
                if (!same) fail_msg("%s differs", texts[i / 2]);
            }
            stria_prepared_release(p);
            stria_results_release(&once);
            stria_results_release(&often);
        }
    }
}

/* Chains of operations for which one expression has no room are computed on the way. */
TEST(test_long)
{
    char text[8 * 150] = "y";
    stria_results r = {0};
    for (int n = 1; n <= 150; n++) {
        memcpy(text + strlen(text), "+1", 3);
        ok(eval(&r, text));
        assert_true(item(&r.one.view, 1, 1, 0) == 10 + n);
    }
    stria_results_release(&r);
}

/* Evaluates text of the greatest depth in a thread with the smallest stack for which that is
 * promised. */
static void *eval_deep(void *text)
{
    stria_results r = {0};
    const stria_status status = eval(&r, text);
    const bool right = status == STRIA_OK && item(&r.one.view, 1, 1, 0) == 10 + 9 * 190;
    stria_results_release(&r);
    return right ? NULL : text;
}

static void assert_within_a_mebibyte(char *text)
{
    enum { MIB = 1 << 20 };
    pthread_attr_t attributes;
    pthread_t thread;
    void *failed = NULL;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, MIB), 0);
    assert_int_equal(pthread_create(&thread, &attributes, eval_deep, text), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_null(failed);
}

TEST(test_stack)
{
    enum { DEEP = 190 };
    static char text[DEEP * 60];
    size_t length = 0;
    /* frames are larger under sanitizers */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    memset(text, '(', DEEP);
    text[DEEP] = 'y';
    length = DEEP + 1;
    for (int i = 0; i < DEEP; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, ")%s", "+1+1+1+1+1+1+1+1+1");
    assert_within_a_mebibyte(text);
    /* Right operands of each precedence, nested. */
    length = (size_t)snprintf(text, sizeof text, "y + 9 * 190 * ");
    for (int i = 0; i < DEEP; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                   "(0 or 1 and 1 == 1 | 0 ^ 0 & 1 << 0 + 1 * ");
    text[length++] = '1';
    memset(text + length, ')', DEEP);
    text[length + DEEP] = 0;
    assert_within_a_mebibyte(text);
}

/* Numbers are read, and computed with each other, to nearest: in text, prepared text and calls. */
TEST(test_fp_modes)
{
    static const char *const names[] = {"y"};
    static const char text[] =
        "y + (1 / 3 - 2 / 3 + 0.1 * 0.7 + 1e22 / 3e-9 - -0.1 * 3.3e11 + 2e-308 * 0.3)";
    const stria_view *const views[] = {&y.view};
    const stria_arg points[] = {stria_arg_int(0), stria_arg_float(0.7), stria_arg_int(7)};
    const stria_function *const linspace = stria_function_find("linspace");
    double want[4][COLUMNS];
    for (int mode = 0; mode < FP_MODES; mode++) {
        stria_results r[4] = {{0}, {0}, {0}, {0}};
        stria_prepared *p = NULL;
        set_fp_mode(mode);
        const uint64_t before = fp_control();
        stria_status status = eval(&r[0], text);
        if (!status) status = eval(&r[1], "y[0:1] * 0 + 0.1");
        if (!status) status = stria_prepare(&p, text, 1, names);
        if (!status) status = stria_prepared_run(&r[2], p, 1, views, NULL);
        if (!status) status = stria_call(&r[3], linspace, STRIA_PROMOTE_NUMPY, 3, points, NULL);
        const uint64_t after = fp_control();
        set_fp_mode(0);
        stria_prepared_release(p);
        if (status) fail_msg("%s", stria_last_error());
        assert_true(before == after);
        for (int i = 0; i < 4; i++) {
            const size_t size = i == 1 ? 8 : sizeof want[i];
            if (!mode) memcpy(want[i], r[i].one.view.data, size);
            if (memcmp(want[i], r[i].one.view.data, size)) fail_msg("mode %d, %d", mode, i);
            stria_results_release(&r[i]);
        }
    }
}

/* A program whose locale writes 0,5 reads 0.5 all the same. */
TEST(test_locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE.utf8")) skip();
    stria_results r = {0};
    ok(eval(&r, "y[1] + 0.5"));
    assert_true(item(&r.one.view, 0, 0, 0) == 10.5);
    stria_results_release(&r);
    (void)setlocale(LC_NUMERIC, "C");
}

TEST_MAIN(make, release)
