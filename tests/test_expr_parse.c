/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions as text: results are those of the same text in C, and refusals name their columns.
 * Numbers are small, so that every result is exact.
 */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stria/stria.h"
#include "support/least_stack.h"
#include "support/sanitizers.h"
#include "support/test.h"

static const char *const names[] = {"x", "y", "n"};
static double x = 3.5, y = -0.25;
static int64_t n = 13;

static stria_view view_of(void *data, stria_kind kind)
{
    return (stria_view){.data = data, .dtype = stria_dtype_of(kind)};
}

/* Returns the value of text for x, y and n as a double, by NumPy's rules, where integers divided
 * give f64. */
static double value_of(const char *text)
{
    const stria_view a = view_of(&x, STRIA_F64), b = view_of(&y, STRIA_F64),
                     c = view_of(&n, STRIA_I64);
    const stria_view *const inputs[] = {&a, &b, &c};
    const stria_exec exec = {.hints = STRIA_PROMOTE_AS_NUMPY};
    stria_array out = {0};
    stria_expr *expr;
    double value;
    if (stria_expr_parse(&expr, text, 3, names) != STRIA_OK)
        fail_msg("%s: %s", text, stria_last_error());
    if (stria_expr_evaluate_new(&out, expr, 3, inputs, &exec) != STRIA_OK)
        fail_msg("%s: %s", text, stria_last_error());
    const stria_view to = view_of(&value, STRIA_F64);
    ok(stria_copy(&to, &out.view, NULL));
    stria_array_release(&out);
    stria_expr_release(expr);
    return value;
}

#define SAME(text, wanted)                                                                         \
    do {                                                                                           \
        const double got = value_of(text), want = (double)(wanted);                                \
        if (memcmp(&got, &want, sizeof got) != 0)                                                  \
            fail_msg("%s gives %.17g, must give %.17g", text, got, want);                          \
    } while (0)

TEST(test_levels)
{
    SAME("x", x);
    SAME("  ( x )\n", x);
    SAME("x + y * 2", x + y * 2);
    SAME("(x + y) * 2", (x + y) * 2);
    SAME("x - y - 1", x - y - 1);
    SAME("x / y / 2", x / y / 2);
    SAME("-x ** 2", -(x * x));
    SAME("(-x) ** 2", x * x);
    SAME("2 ** y.square() ** 0", 2);
    SAME("x ** -2.0", 1 / (x * x));
    SAME("- - x", x);
    SAME("+y", y);
    SAME("n // 4 % 2", 1);
    SAME("n & 6 | n ^ 3", (13 & 6) | (13 ^ 3));
    SAME("n ^ 3 & n", 13 ^ (3 & 13));
    SAME("~n + 1", -13);
    SAME("n << 2 + 1", 13 << 3);
    SAME("1 << n >> 2", 1 << 11);
    SAME("x < y", 0);
    SAME("x + 1 >= y * 2", 1);
    SAME("(x > 0) & (y > 0)", 0);
    SAME("(x > 0) | (y > 0)", 1);
    SAME("x != x", 0);
    SAME("n == 13", 1);
    SAME("n <= 12", 0);
}

TEST(test_calls)
{
    SAME("abs(y)", 0.25);
    SAME("maximum(x, y)", x);
    SAME("x.minimum(y).abs()", 0.25);
    SAME("where(x < y, x, y + 1)", y + 1);
    SAME("(x < y).where(x, 7.0)", 7);
    SAME("sqrt(x * 2 + 2) + floor(x)", 6);
    SAME("n.to(f32) / 2", 6.5);
    SAME("x.astype('i4') * 1.5", 4.5);
    SAME("x.to(i64).to( \"float64\" ) / 2", 1.5);
    SAME("(n * 1000).to('i8') + (n * 1000).astype(np.int64).to(torch.int32)", 26000);
    SAME("pow(n, 2).negative().positive() + bitwise_not(n)", -169 + -14);
}

TEST(test_numbers)
{
    SAME("3", 3);
    SAME("1_000", 1000);
    SAME("0x1F", 31);
    SAME("2.5e-1", 0.25);
    SAME(".5", 0.5);
    SAME("5.", 5);
    SAME("1e3 + x", 1003.5);
    SAME("18446744073709551615", 18446744073709551615.0);
    SAME("-9223372036854775808 + n", -9223372036854775808.0 + 13);
    SAME("x * (1 / 4)", x / 4);
    SAME("x * (1 + 2 * 3 - 4)", x * 3);
    SAME("x + True", x + 1);
    SAME("True + True", 2);
    SAME("abs(x * 0 + 3 + 4j)", 5);
    SAME("abs(x * 0 - (-3 - 4j))", 5);
    SAME("x * 0 + pi", 0x1.921fb54442d18p+1);
    SAME("e.multiply(1.0)", 0x1.5bf0a8b145769p+1);
    SAME("minimum(x, inf) - inf", -(double)INFINITY);
    SAME("isnan(x * nan)", 1);
}

/* An input hides the function or constant of its name. */
TEST(test_names)
{
    static const char *const other[] = {"pi", "exp", "x_1"};
    const stria_view a = view_of(&x, STRIA_F64);
    const stria_view *const inputs[] = {&a, &a, &a};
    double value;
    const stria_view out = view_of(&value, STRIA_F64);
    stria_expr *expr;
    ok(stria_expr_parse(&expr, "pi + exp - x_1", 3, other));
    ok(stria_expr_evaluate(&out, expr, 3, inputs, NULL));
    assert_true(value == x);
    stria_expr_release(expr);
    ok(stria_expr_parse(&expr, "1 + 2", 0, NULL));
    stria_expr_release(expr);
}

static void parse_refused(const char *text, stria_status status, const char *says)
{
    stria_expr *expr = NULL;
    const stria_status got = stria_expr_parse(&expr, text, 3, names);
    if (got != status || !strstr(stria_last_error(), says))
        fail_msg("%s: status %d, '%s'", text, (int)got, stria_last_error());
    assert_null(expr);
}

TEST(test_bad)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "column 1: a value expected"},
        {"x +", "column 4: a value expected, but the text ends"},
        {"x y", "column 3: the end of the text, an operator"},
        {"(x", "column 3: ',' or ')' expected, but the text ends"},
        {"x)", "column 2: the end of the text, an operator"},
        {"z + 1", "column 1: 'z' is no input"},
        {"x + sine(x)", "column 5: 'sine' is no input, no operation and no number"},
        {"exp", "column 1: 'exp' is no input, no operation that is called"},
        {"exp()", "column 1: exp of 0 operands, takes 1"},
        {"x.exp(y)", "column 2: exp of 2 operands, takes 1"},
        {"where(x, y, n, x, y)", "where of 5 operands, takes 3"},
        {"where(x, y, n=n)", "column 13: operations take operands alone"},
        {"x.T", "column 2: there is no operation 'T'"},
        {"x.sine()", "column 2: there is no operation 'sine'"},
        {"x.", "a name after '.' expected"},
        {"x[0]", "column 2: an operator or the end expected"},
        {"[x]", "column 1: a value expected"},
        {"(x, y)", "column 1: an input, an operation or a number expected"},
        {"exp(x)(y)", "column 7: an operator or the end expected"},
        {"x < y < n", "column 7: comparisons do not chain"},
        {"x.to(flt)", "column 6: 'flt' is no dtype"},
        {"x.to('>f4')", "is no dtype"},
        {"x.to('f4)", "column 6: the string is not closed"},
        {"x.to(f32, f64)", "column 5: a cast takes one dtype"},
        {"x.to(np.T)", "is no dtype"},
        {"maximum(x y)", "column 11: ',' or ')' expected before 'y'"},
        {"3x", "column 1: malformed number"},
        {"1.2.3", "expected before '.3'"},
        {"x + 18446744073709551616", "column 5: the number does not fit in 64 bits"},
        {"-18446744073709551615", "column 1: the number does not fit in 64 bits"},
        {"0x", "column 1: malformed number"},
        {"x @ y", "column 3: '@' is no operation here"},
        {"x and y", "column 3: 'and' is no operation here"},
        {"not x", "column 1: 'not' is no operation here"},
        {"x = 1", "the end of the text, an operator"},
    };
    char deep[200], *many;
    stria_expr *expr = NULL;
    const char *const none[] = {"x", NULL, "y"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        parse_refused(cases[i].text, STRIA_ERR_FORMAT, cases[i].says);
    for (const char *mark = "(-~"; *mark; mark++) {
        memset(deep, *mark, sizeof deep);
        deep[sizeof deep - 1] = 0;
        parse_refused(deep, STRIA_ERR_FORMAT, "nested deeper than 40");
        assert_int_equal(stria_eval_column(), 41);
    }
    for (size_t i = 0; i + 4 < sizeof deep; i += 3)
        memcpy(deep + i, "x**x", 5);
    parse_refused(deep, STRIA_ERR_FORMAT, "nested deeper than 40");
    assert_non_null(many = malloc(3002));
    for (size_t i = 0; i < 3000; i += 2)
        memcpy(many + i, "x+", 3);
    many[2999] = 0;
    parse_refused(many, STRIA_ERR_ARGUMENT, "column 1000: expr: it has 1000 nodes");
    free(many);
    parse_refused("x.to(S5)", STRIA_ERR_DTYPE, "no number");
    assert_int_equal(stria_expr_parse(NULL, "x", 3, names), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_parse(&expr, NULL, 3, names), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_parse(&expr, "x", 3, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_parse(&expr, "x", 3, none), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_parse(&expr, "x", -1, names), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_expr_parse(&expr, "x", STRIA_EXPR_INPUTS + 1, names),
                     STRIA_ERR_ARGUMENT);
    assert_null(expr);
}

/* Parses text of the greatest depth, with right operands of each precedence, on the stack that
 * every thread has. */
static void *parse_deep(void *text)
{
    stria_expr *expr = NULL;
    const stria_status status = stria_expr_parse(&expr, text, 3, names);
    stria_expr_release(expr);
    return status == STRIA_OK ? NULL : text;
}

TEST(test_stack)
{
    static char deep[] =
        "where((x.add((x.add((x < x | x ^ x & x << x + x * -(x.add((x < x | x ^ x & x "
        "<< x + x * -(x.add((x < x | x ^ x & x << x + x * -x))))))))))), x, x)";
    pthread_attr_t attributes;
    pthread_t thread;
    void *failed = NULL;
    /* frames are larger under sanitizers */
    if (BUILT_WITH_ASAN || BUILT_WITH_TSAN || BUILT_WITH_MSAN) skip();
    const size_t least = least_stack();
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(
        pthread_attr_setstacksize(&attributes, least > STRIA_STACK ? least : STRIA_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, parse_deep, deep), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_null(failed);
}

/* A program whose locale writes 0,5 reads 0.5 all the same. */
TEST(test_locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE.utf8")) skip();
    SAME("0.5 + x", 4);
    (void)setlocale(LC_NUMERIC, "C");
}

TEST_MAIN(NULL, NULL)
