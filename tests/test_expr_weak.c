/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weak scalars in expressions stay Python's numbers: results of weak scalars alone are compared
 * with Python's, as parameters and as literals, by both rule sets.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

static const stria_promotion rules[] = {STRIA_PROMOTE_TORCH, STRIA_PROMOTE_NUMPY};

static stria_exec by(stria_promotion rule)
{
    return (stria_exec){.hints = rule == STRIA_PROMOTE_NUMPY ? STRIA_PROMOTE_AS_NUMPY : 0};
}

/* t is an array of one f64 or f32; the weak scalars are b = 0.3, k = 7, h = True and z = 1 + 2j. */
struct inputs {
    double t, b;
    float s;
    int64_t k;
    bool h;
    double z[2];
    stria_view views[6];
    const stria_view *list[6];
};

static const char *const names[] = {"t", "b", "k", "h", "z", "s"};

static void make_inputs(struct inputs *in)
{
    const int64_t one = 1;
    *in = (struct inputs){.t = 1, .b = 0.3, .s = 1, .k = 7, .h = true, .z = {1, 2}};
    ok(stria_view_foreign(&in->views[0], &in->t, stria_dtype_of(STRIA_F64), 1, &one, NULL, 0));
    ok(stria_weak(&in->views[1], STRIA_F64, &in->b));
    ok(stria_weak(&in->views[2], STRIA_I64, &in->k));
    ok(stria_weak(&in->views[3], STRIA_BOOL, &in->h));
    ok(stria_weak(&in->views[4], STRIA_C128, in->z));
    ok(stria_view_foreign(&in->views[5], &in->s, stria_dtype_of(STRIA_F32), 1, &one, NULL, 0));
    for (int i = 0; i < 6; i++)
        in->list[i] = &in->views[i];
}

/* Computes the first number of the result of text, and its dtype. */
static stria_status evaluate(double *out, stria_kind *kind, const char *text, stria_promotion rule)
{
    struct inputs in;
    stria_array made = {0};
    stria_expr *expr;
    stria_dtype dtype;
    const stria_exec exec = by(rule);
    make_inputs(&in);
    if (stria_expr_parse(&expr, text, 6, names)) fail_msg("%s: %s", text, stria_last_error());
    const stria_status status = stria_expr_evaluate_new(&made, expr, 6, in.list, &exec);
    if (status == STRIA_OK) {
        stria_view to;
        double parts[2] = {0, 0};
        *kind = (stria_kind)made.view.dtype.kind;
        ok(stria_expr_result_dtype(&dtype, expr, 6, in.list, rule));
        assert_int_equal(dtype.kind, *kind);
        ok(stria_view_foreign(&to, parts, stria_dtype_of(STRIA_C128), made.view.ndim,
                              made.view.shape, NULL, 0));
        ok(stria_copy(&to, &made.view, NULL));
        *out = parts[0] + 1000 * parts[1];
        stria_array_release(&made);
    }
    stria_expr_release(expr);
    return status;
}

/* The results that Python gives for t = 1.0; beside s, an f32, they are rounded once. */
TEST(test_values)
{
    static const struct {
        const char *text;
        stria_kind kind;
        double value;
    } cases[] = {
        {"t*b", STRIA_F64, 0.3},
        {"t*-b", STRIA_F64, -0.3},
        {"-b*t", STRIA_F64, -0.3},
        {"t*(b+b)", STRIA_F64, 0.6},
        {"t*(b*1)", STRIA_F64, 0.3},
        {"-0.3*t", STRIA_F64, -0.3},
        {"(0.3+0.3)*t", STRIA_F64, 0.6},
        {"s*(b/3)", STRIA_F32, (double)(float)(0.3 / 3)},
        {"s+(k+1)", STRIA_F32, 9},
        {"s*(k/2)", STRIA_F32, 3.5},
        /* Python's numbers by themselves. */
        {"-b", STRIA_F64, -0.3},
        {"b*b", STRIA_F64, 0.3 * 0.3},
        {"0.1+0.2", STRIA_F64, 0.1 + 0.2},
        {"k/2", STRIA_F64, 3.5},
        {"7/2", STRIA_F64, 3.5},
        {"k//2", STRIA_I64, 3},
        {"-k//2", STRIA_I64, -4},
        {"-k%4", STRIA_I64, 1},
        {"k**2", STRIA_I64, 49},
        {"k*k-1", STRIA_I64, 48},
        {"k<<2", STRIA_I64, 28},
        {"~k", STRIA_I64, -8},
        {"k+b", STRIA_F64, 7.3},
        {"sqrt(k+2)", STRIA_F64, 3},
        {"exp(h-1)", STRIA_F64, 1},
        {"sqrt(h)", STRIA_F64, 1},
        {"h+h", STRIA_I64, 2},
        {"True+True", STRIA_I64, 2},
        {"-h", STRIA_I64, -1},
        {"h&True", STRIA_BOOL, 1},
        {"~h", STRIA_BOOL, 0},
        {"k<b", STRIA_BOOL, 0},
        {"where(k>b, b, k)", STRIA_F64, 0.3},
        {"where(h, False, h)", STRIA_BOOL, 0},
        {"isnan(b)", STRIA_BOOL, 0},
        {"bitwise_count(k)", STRIA_I64, 3},
        {"z*2", STRIA_C128, 2 + 4000},
        {"abs(3+4j)", STRIA_F64, 5},
        {"9223372036854775807", STRIA_I64, 9223372036854775807.0},
        {"9223372036854775806+1", STRIA_I64, 9223372036854775807.0},
        {"k-9223372036854775808", STRIA_F64, 7 - 9223372036854775808.0},
        {"-9223372036854775808", STRIA_I64, -9223372036854775808.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int r = 0; r < 2; r++) {
            double got = 0;
            stria_kind kind = STRIA_BOOL;
            if (evaluate(&got, &kind, cases[i].text, rules[r]))
                fail_msg("%s: %s", cases[i].text, stria_last_error());
            if (memcmp(&got, &cases[i].value, sizeof got) != 0 || kind != cases[i].kind)
                fail_msg("%s, rules %d: %.17g of kind %d, must be %.17g of kind %d", cases[i].text,
                         r, got, (int)kind, cases[i].value, (int)cases[i].kind);
        }
}

/* A number computed of weak scalars is weak in promotion, like one that is written. */
TEST(test_dtypes)
{
    static const struct {
        const char *text;
        stria_kind torch, numpy;
    } cases[] = {
        {"s*(b+1)", STRIA_F32, STRIA_F32},     {"s*(k*k)", STRIA_F32, STRIA_F32},
        {"s*(k<b)", STRIA_F32, STRIA_F32},     {"s*(z+1)", STRIA_C64, STRIA_C64},
        {"(s<t)*(k+1)", STRIA_I64, STRIA_I64}, {"(s<t)*(b+1)", STRIA_F32, STRIA_F64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int r = 0; r < 2; r++) {
            double value;
            stria_kind kind = STRIA_BOOL;
            if (evaluate(&value, &kind, cases[i].text, rules[r]))
                fail_msg("%s: %s", cases[i].text, stria_last_error());
            const stria_kind want = r ? cases[i].numpy : cases[i].torch;
            if (kind != want)
                fail_msg("%s, rules %d: kind %d, must be %d", cases[i].text, r, (int)kind,
                         (int)want);
        }
}

/* Python's result is no 64-bit integer, or Python refuses, too. */
TEST(test_refused)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"9223372036854775807+1", "add of weak integers is 9.22337e+18, which no integer of 64"},
        {"-9223372036854775807-2", "subtract of weak integers is -9.22337e+18"},
        {"t*k**30", "pow of weak integers is 2.25393e+25"},
        {"negative(18446744073709551615)", "negative of weak integers"},
        {"k//0", "floor_divide of weak integers is inf"},
        {"k%0", "remainder of weak integers is nan"},
        {"k**-1", "integers have no negative powers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int r = 0; r < 2; r++) {
            double value;
            stria_kind kind;
            const stria_status status = evaluate(&value, &kind, cases[i].text, rules[r]);
            if (status != STRIA_ERR_ARGUMENT || !strstr(stria_last_error(), cases[i].says))
                fail_msg("%s: status %d, '%s'", cases[i].text, (int)status, stria_last_error());
        }
}

TEST_MAIN(NULL, NULL)
