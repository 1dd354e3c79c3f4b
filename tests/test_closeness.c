/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isclose and nan_to_num against their definition, one element at a time; powers of integers whose
 * exponents are refused, with and without a mask and in expressions; 8-bit floats, which compute
 * nothing.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

enum { N = 9 };

static const double numbers[N] = {0, 1, 1 + 0x1p-20, -3, 1e300, NAN, INFINITY, -INFINITY, 1e-9};

static stria_view view_of(void *data, stria_kind kind, int64_t n)
{
    stria_view out;
    ok(stria_view_foreign(&out, data, stria_dtype_of(kind), 1, &n, NULL, 0));
    return out;
}

static bool close_by_definition(double a, double b, double rtol, double atol, bool equal_nan)
{
    if (isnan(a) || isnan(b)) return equal_nan && isnan(a) && isnan(b);
    if (isinf(a) || isinf(b)) return a == b;
    return fabs(a - b) <= atol + rtol * fabs(b);
}

TEST(test_isclose)
{
    static const double tolerances[][2] = {{1e-5, 1e-8}, {0, 0}, {0, 2}, {2, 0}, {1e-6, 1e-9}};
    double a[N], b[N];
    bool out[N];
    const stria_view x = view_of(a, STRIA_F64, N), y = view_of(b, STRIA_F64, N),
                     to = view_of(out, STRIA_BOOL, N);
    memcpy(a, numbers, sizeof a);
    for (int turn = 0; turn < N * 5 * 2; turn++) {
        const double *const t = tolerances[turn / 2 % 5];
        for (int i = 0; i < N; i++)
            b[i] = numbers[(i + turn / 10) % N];
        ok(stria_isclose(&to, &x, &y,
                         &(stria_tolerance){.rtol = t[0], .atol = t[1], .equal_nan = turn % 2},
                         NULL));
        for (int i = 0; i < N; i++)
            if (out[i] != close_by_definition(a[i], b[i], t[0], t[1], turn % 2))
                fail_msg("%g and %g, rtol %g, atol %g, equal_nan %d: %d", a[i], b[i], t[0], t[1],
                         turn % 2, out[i]);
    }
    assert_int_equal(stria_isclose(&to, &x, &y,
                                   &(stria_tolerance){.rtol = -1, .atol = 0, .equal_nan = false},
                                   NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_isclose(&to, &x, &y,
                                   &(stria_tolerance){.rtol = 0, .atol = NAN, .equal_nan = false},
                                   NULL),
                     STRIA_ERR_ARGUMENT);
    ok(stria_isclose(&x, &x, &y, &(stria_tolerance){.rtol = 0, .atol = 0, .equal_nan = false},
                     NULL)); /* bool into f64 */
}

TEST(test_isclose_of_integers)
{
    int64_t a[] = {100, 7, -5}, b[] = {101, 7, 5};
    bool out[3];
    const stria_view x = view_of(a, STRIA_I64, 3), y = view_of(b, STRIA_I64, 3),
                     to = view_of(out, STRIA_BOOL, 3);
    ok(stria_isclose(&to, &x, &y, &(stria_tolerance){.rtol = 0.02, .atol = 0, .equal_nan = false},
                     NULL));
    assert_true(out[0] && out[1] && !out[2]);
}

TEST(test_nan_to_num)
{
    const double values[] = {5, 7, -9};
    stria_view nan, high, low;
    ok(stria_scalar(&nan, STRIA_F64, &values[0]));
    ok(stria_scalar(&high, STRIA_F64, &values[1]));
    ok(stria_scalar(&low, STRIA_F64, &values[2]));
    double in[N], out[N];
    float narrow[N], narrow_out[N];
    memcpy(in, numbers, sizeof in);
    for (int i = 0; i < N; i++)
        narrow[i] = (float)in[i];
    const stria_view a = view_of(in, STRIA_F64, N), to = view_of(out, STRIA_F64, N),
                     b = view_of(narrow, STRIA_F32, N), to_b = view_of(narrow_out, STRIA_F32, N);
    ok(stria_nan_to_num(&to, &a, &nan, &high, &low, NULL));
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (isnan(in[i]) ? 5 : !isinf(in[i]) ? in[i] : in[i] > 0 ? 7 : -9));
    ok(stria_nan_to_num(&to_b, &b, NULL, NULL, NULL, NULL));
    for (int i = 0; i < N; i++) {
        const float most = 0x1.FFFFFEp127F, side = narrow[i] > 0 ? most : -most;
        assert_true(narrow_out[i] == (isnan(narrow[i]) ? 0 : isinf(narrow[i]) ? side : narrow[i]));
    }
    int32_t whole[] = {1, -2}, copied[2];
    const stria_view w = view_of(whole, STRIA_I32, 2), to_w = view_of(copied, STRIA_I32, 2);
    ok(stria_nan_to_num(&to_w, &w, NULL, NULL, NULL, NULL));
    assert_memory_equal(whole, copied, sizeof whole);
    const stria_view z = view_of(in, STRIA_C128, 4), to_z = view_of(out, STRIA_C128, 4);
    assert_int_equal(stria_nan_to_num(&to_z, &z, NULL, NULL, NULL, NULL), STRIA_ERR_DTYPE);
}

/* ---- powers of integers --------------------------------------------------------------------- */

TEST(test_negative_exponents)
{
    int32_t a[] = {2, 3, -1, 10}, b[] = {3, -2, 5, -1}, out[] = {77, 77, 77, 77};
    bool mask[] = {true, false, true, false};
    const stria_view x = view_of(a, STRIA_I32, 4), y = view_of(b, STRIA_I32, 4),
                     to = view_of(out, STRIA_I32, 4), m = view_of(mask, STRIA_BOOL, 4);
    assert_int_equal(stria_pow(&to, &x, &y, NULL), STRIA_ERR_ARGUMENT);
    assert_non_null(strstr(stria_last_error(), "b is -2 at index"));
    assert_int_equal(out[0], 77);
    const stria_exec masked = {.mask = &m};
    ok(stria_pow(&to, &x, &y, &masked));
    assert_true(out[0] == 8 && out[1] == 77 && out[2] == -1 && out[3] == 77);
    mask[3] = true;
    assert_int_equal(stria_pow(&to, &x, &y, &masked), STRIA_ERR_ARGUMENT);
    const int64_t minus = -1;
    stria_view scalar;
    ok(stria_weak(&scalar, STRIA_I64, &minus));
    assert_int_equal(stria_pow(&to, &x, &scalar, NULL), STRIA_ERR_ARGUMENT);
    int64_t none[1] = {-1};
    const stria_view empty = view_of(none, STRIA_I64, 0);
    ok(stria_pow(&empty, &empty, &empty, NULL));
    uint8_t u[] = {200, 3}, e[] = {2, 255}, squares[2];
    const stria_view ux = view_of(u, STRIA_U8, 2), ue = view_of(e, STRIA_U8, 2),
                     us = view_of(squares, STRIA_U8, 2);
    ok(stria_pow(&us, &ux, &ue, NULL));
    assert_true(squares[0] == (uint8_t)(200 * 200) && squares[1] == 171); /* 3^255 modulo 256 */
}

TEST(test_powers_in_expressions)
{
    int64_t a[] = {2, 5}, b[] = {3, -1}, out[] = {77, 77};
    const stria_view x = view_of(a, STRIA_I64, 2), y = view_of(b, STRIA_I64, 2),
                     to = view_of(out, STRIA_I64, 2);
    stria_expr *expr;
    int first, second, power;
    ok(stria_expr_make(&expr));
    ok(stria_expr_input(expr, &first, 0));
    ok(stria_expr_input(expr, &second, 1));
    ok(stria_expr_op(expr, &power, STRIA_POW, 2, (int[]){first, second}));
    const stria_view *const inputs[] = {&x, &y};
    assert_int_equal(stria_expr_evaluate(&to, expr, 2, inputs, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(out[0], 77);
    int sum;
    int64_t other[] = {77, 77}, one[] = {77};
    const stria_view and = view_of(other, STRIA_I64, 2), total = view_of(one, STRIA_I64, 1);
    const stria_view *const outs[] = {&to, &and};
    ok(stria_expr_op(expr, &sum, STRIA_ADD, 2, (int[]){power, first}));
    for (int count = 1; count <= 2; count++) /* several results, and a reduction at the end */
        assert_int_equal(
            stria_expr_evaluate_several(outs, expr, count, (int[]){power, sum}, 2, inputs, NULL),
            STRIA_ERR_ARGUMENT);
    const stria_reduce_options kept = {.keepdims = true};
    assert_int_equal(
        stria_expr_reduce(&total, expr, STRIA_SUM, 2, inputs, 1, (int[]){0}, &kept, NULL),
        STRIA_ERR_ARGUMENT);
    assert_true(out[0] == 77 && other[0] == 77 && one[0] == 77);
    b[1] = 4;
    ok(stria_expr_reduce(&total, expr, STRIA_SUM, 2, inputs, 1, (int[]){0}, &kept, NULL));
    assert_int_equal(one[0], 8 + 625 + 7);
    ok(stria_expr_evaluate_several(outs, expr, 2, (int[]){power, sum}, 2, inputs, NULL));
    assert_true(out[0] == 8 && out[1] == 625 && other[0] == 10 && other[1] == 630);
    stria_expr_release(expr);
}

/* ---- exponents and decimals ----------------------------------------------------------------- */

TEST(test_scaled_dtypes)
{
    uint16_t small[] = {0x0001, 0x3F80}, back[2]; /* bf16: 2^-133 and 1 */
    int32_t e[] = {257, 127};
    const stria_view x = view_of(small, STRIA_BF16, 2), n = view_of(e, STRIA_I32, 2),
                     to = view_of(back, STRIA_BF16, 2);
    ok(stria_ldexp(&to, &x, &n, NULL));
    assert_true(back[0] == 0x7D80 && back[1] == 0x7F00); /* 2^124, 2^127 */
    int8_t tens[] = {125, -126}, rounded[2];
    int32_t decimals[] = {-1, -2};
    const stria_view t = view_of(tens, STRIA_I8, 2), d = view_of(decimals, STRIA_I32, 2),
                     r = view_of(rounded, STRIA_I8, 2);
    ok(stria_round_decimals(&r, &t, &d, NULL));
    assert_true(rounded[0] == 120 && rounded[1] == -100);
    double f[] = {2.675, 1e22}, f_out[2];
    const stria_view fx = view_of(f, STRIA_F64, 2), fo = view_of(f_out, STRIA_F64, 2);
    decimals[0] = 2;
    ok(stria_round_decimals(&fo, &fx, &d, NULL));
    assert_true(f_out[0] == 2.67 && f_out[1] == 1e22);
    assert_int_equal(stria_ldexp(&fo, &fx, &fx, NULL), STRIA_ERR_DTYPE);
    stria_dtype dtype;
    const stria_view *const operands[] = {&x, &n};
    ok(stria_result_dtype(&dtype, STRIA_LDEXP, 2, operands, STRIA_PROMOTE_NUMPY));
    assert_int_equal(dtype.kind, STRIA_BF16);
}

/*
 * The loop computes in a wider dtype than the result's: an out of a third dtype gets the number as
 * the result's dtype rounds it; decimals are signed also where the rounded numbers are unsigned.
 */
TEST(test_scaled_into_another_dtype)
{
    uint16_t n[] = {65535, 64}, small[] = {0x3F9E, 0x4080}; /* bf16: 1.234375 and 4 */
    int32_t decimals[] = {-3, -1};
    const int64_t tens = -1, two = 2;
    double out[2];
    stria_view weak;
    const stria_view x = view_of(n, STRIA_U16, 2), d = view_of(decimals, STRIA_I32, 2),
                     y = view_of(small, STRIA_BF16, 2), to = view_of(out, STRIA_F64, 2);
    ok(stria_round_decimals(&to, &x, &d, NULL));
    assert_true(out[0] == 66000 - 65536 && out[1] == 60);
    ok(stria_weak(&weak, STRIA_I64, &tens));
    ok(stria_round_decimals(&to, &x, &weak, NULL));
    assert_true(out[0] == 65540 - 65536 && out[1] == 60);
    ok(stria_weak(&weak, STRIA_I64, &two));
    ok(stria_round_decimals(&to, &y, &weak, NULL));
    assert_true(out[0] == 1.2265625 && out[1] == 4); /* 1.23 as bf16 */
}

/*
 * Rounding gives the float next to the decimal number, also where only the last bits of a number
 * change, for whole numbers and for subnormal results.
 */
TEST(test_last_digits)
{
    static const struct {
        double x;
        int32_t decimals;
        double rounded;
    } cases[] = {
        {-48.856156654410434, 14, -48.85615665441043},
        {6.8693771903115144e16, -1, 6.869377190311514e16},
        {3.7123e-308, 308, 4e-308},
        {1.9e-308, 308, 2e-308},
        {5.019919481684027e-306, 317, 5.01991948168e-306},
        {5e-324, 323, 0},
        {5e-324, 324, 5e-324},
        {-1e-320, 400, -1e-320},
        {1e300, 400, 1e300},
        {4e307, -308, 0},
        {1e300, -400, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x = cases[i].x, out = 1;
        int32_t decimals = cases[i].decimals;
        const stria_view a = view_of(&x, STRIA_F64, 1), b = view_of(&decimals, STRIA_I32, 1),
                         to = view_of(&out, STRIA_F64, 1);
        ok(stria_round_decimals(&to, &a, &b, NULL));
        if (out != cases[i].rounded) fail_msg("%a to %d decimals: %a", x, (int)decimals, out);
    }
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Bounds that are scalars beyond all numbers of the dtype have no effect where they cannot; others
 * are refused. */
TEST(test_idle_bounds)
{
    uint8_t a[] = {0, 7, 255}, out[3];
    const int64_t integers[] = {-1, 300, 5};
    stria_view below, above, five;
    const stria_view x = view_of(a, STRIA_U8, 3), to = view_of(out, STRIA_U8, 3);
    ok(stria_weak(&below, STRIA_I64, &integers[0]));
    ok(stria_weak(&above, STRIA_I64, &integers[1]));
    ok(stria_weak(&five, STRIA_I64, &integers[2]));
    ok(stria_clip(&to, &x, &below, &above, NULL));
    assert_memory_equal(out, a, sizeof a);
    ok(stria_clip(&to, &x, &below, &five, NULL));
    assert_true(out[0] == 0 && out[1] == 5 && out[2] == 5);
    assert_int_equal(stria_clip(&to, &x, &above, &above, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_clip(&to, &x, &below, &below, NULL), STRIA_ERR_ARGUMENT);
    stria_expr *e;
    int in, low, high, clipped;
    ok(stria_expr_make(&e));
    ok(stria_expr_input(e, &in, 0));
    ok(stria_expr_scalar(e, &low, STRIA_I64, &integers[2]));
    ok(stria_expr_scalar(e, &high, STRIA_I64, &integers[1]));
    ok(stria_expr_op(e, &clipped, STRIA_CLIP, 3, (int[]){in, low, high}));
    ok(stria_expr_evaluate(&to, e, 1, (const stria_view *[]){&x}, NULL));
    assert_true(out[0] == 5 && out[1] == 7 && out[2] == 255);
    stria_expr_release(e);
}

/* ---- 8-bit floats ---------------------------------------------------------------------------- */

/* Every operation but where refuses them as inputs, and names the cast to use. */
TEST(test_8_bit_floats)
{
    static const stria_kind kinds[] = {STRIA_F8E4M3, STRIA_F8E5M2};
    uint8_t bytes[2] = {0}, result[16] = {0};
    for (int k = 0; k < 2; k++)
        for (int op = 0; op < STRIA_OPS; op++) {
            const stria_view a = view_of(bytes, kinds[k], 2), out = view_of(result, STRIA_BOOL, 2);
            const stria_view *const operands[] = {&a, &a, &a};
            if (op == STRIA_WHERE || (op >= STRIA_LOGICAL_AND && op <= STRIA_LOGICAL_NOT)) continue;
            assert_int_equal(stria_elementwise(&out, (stria_op)op, stria_op_inputs((stria_op)op),
                                               operands, NULL),
                             STRIA_ERR_DTYPE);
            assert_non_null(strstr(stria_last_error(), stria_op_name((stria_op)op)));
        }
}

/* The size of a finite complex number may be infinite, and is then no distance within which all
 * numbers are close. */
TEST(test_allclose_of_large_numbers)
{
    double zero[2] = {0, 0}, large[2] = {1.5e308, 1.5e308};
    stria_view x, y;
    bool close = true;
    const stria_tolerance by = {.rtol = 1e-5, .atol = 1e-8};
    ok(stria_view_foreign(&x, zero, stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0));
    ok(stria_view_foreign(&y, large, stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0));
    ok(stria_allclose(&close, &x, &y, &by, NULL));
    assert_false(close);
    ok(stria_allclose(&close, &y, &y, &by, NULL));
    assert_true(close);
}

TEST_MAIN(NULL, NULL)
