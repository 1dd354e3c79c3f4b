/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logsumexp and logcumsumexp against sums in long double: of real numbers, and of complex ones of
 * any layout, conjugated, under masks, or given by an expression; and of numbers that are not
 * finite.
 */
#include <complex.h>
#undef complex
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

typedef long double _Complex wide;

enum { ROWS = 6, N = 301 };

struct z {
    double re, im;
};

static struct z x[ROWS][N], y[ROWS][N], sums[ROWS];
static bool mask[ROWS][N];

static wide wide_of(long double re, long double im)
{
    wide z;
    memcpy(&z, &re, sizeof re);
    memcpy((char *)&z + sizeof re, &im, sizeof im);
    return z;
}

/* Angles may differ by a whole turn. Digits lost in cancellation are allowed for: `terms` is the
 * sum of magnitudes. */
static void assert_log_of(struct z found, wide sum, long double terms, long double epsilon)
{
    const wide ratio = cexpl(wide_of((long double)found.re, (long double)found.im)) / sum;
    const long double tolerance = epsilon * (16 + 16 * terms / cabsl(sum));
    if (!(cabsl(ratio - wide_of(1, 0)) <= tolerance))
        fail_msg("(%.17g, %.17g), not the logarithm of (%.17Lg, %.17Lg)", found.re, found.im,
                 creall(sum), cimagl(sum));
}

static int set_up(void **state)
{
    uint64_t seed = 20;
    (void)state;
    for (int i = 0; i < ROWS * N; i++) {
        x[i / N][i % N].re = ldexp((double)(int64_t)random_bits(&seed), -61);
        x[i / N][i % N].im = ldexp((double)(int64_t)random_bits(&seed), -61);
        mask[i / N][i % N] = random_once(&seed, 3);
    }
    return 0;
}

static wide power_of(struct z z)
{
    return cexpl(wide_of((long double)z.re, (long double)z.im));
}

/* ---- real numbers ---------------------------------------------------------------------------- */

TEST(test_real)
{
    double in[4][2] = {{1000, 1000}, {-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, 1}, {NAN, 1}}, got[4];
    const stria_view v = OF(in, F64, 4, 2), four = OF(got, F64, 4);
    ok(stria_logsumexp(&four, &v, 1, (int[]){1}, NULL));
    assert_true(fabsl((long double)got[0] - (1000 + logl(2))) < 1e-12L);
    assert_true(got[1] == -HUGE_VAL && got[2] == HUGE_VAL && isnan(got[3]));
    const stria_view none = OF(in, F64, 4, 0);
    ok(stria_logsumexp(&four, &none, 1, (int[]){1}, NULL));
    assert_true(got[0] == -HUGE_VAL);
}

TEST(test_real_scan)
{
    double in[] = {1000, 1000, -HUGE_VAL, 1001, 0}, out[5];
    const stria_view a = OF(in, F64, 5), b = OF(out, F64, 5);
    ok(stria_logcumsumexp(&b, &a, 0, NULL));
    long double sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += expl((long double)in[i] - 1000);
        assert_true(fabsl((long double)out[i] - (1000 + logl(sum))) < 1e-12L);
    }
}

/* ---- complex ones ---------------------------------------------------------------------------- */

static void check_sums(bool masked, double sign, long double epsilon)
{
    for (int i = 0; i < ROWS; i++) {
        wide sum = 0;
        long double terms = 0;
        for (int j = 0; j < N; j++) {
            if (masked && !mask[i][j]) continue;
            const wide power = power_of((struct z){x[i][j].re, sign * x[i][j].im});
            sum += power;
            terms += cabsl(power);
        }
        assert_log_of(sums[i], sum, terms, epsilon);
    }
}

TEST(test_sums)
{
    const stria_view a = OF(x, C128, ROWS, N), out = OF(sums, C128, ROWS),
                     where = OF(mask, BOOL, ROWS, N);
    stria_view turned, conjugate;
    ok(stria_reverse_dims(&turned, &a));
    ok(stria_conj(&conjugate, &turned));
    for (int level = 0; next_level(&level);) {
        ok(stria_logsumexp(&out, &a, 1, (int[]){1}, NULL));
        check_sums(false, 1, 0x1p-52L);
        ok(stria_logsumexp(&out, &conjugate, 1, (int[]){0}, NULL));
        check_sums(false, -1, 0x1p-52L);
        const stria_reduce_options options = {.mask = &where};
        ok(stria_reduce_dims(&out, STRIA_LOGSUMEXP, &a, 1, (int[]){1}, &options, NULL));
        check_sums(true, 1, 0x1p-52L);
    }
}

/* f32 are computed in f64 and rounded once. */
TEST(test_narrow)
{
    struct {
        float re, im;
    } in[] = {{1, 2}, {-3, 0.5F}, {1, 2}}, out, steps[3];
    const stria_view a = OF(in, C64, 3), to = of(&out, STRIA_C64, 0, NULL), all = OF(steps, C64, 3);
    ok(stria_logsumexp(&to, &a, 1, (int[]){0}, NULL));
    ok(stria_logcumsumexp(&all, &a, 0, NULL));
    const wide sum =
        power_of((struct z){1, 2}) + power_of((struct z){-3, 0.5}) + power_of((struct z){1, 2});
    assert_log_of((struct z){(double)out.re, (double)out.im}, sum, 6, 0x1p-24L);
    assert_true(fabsf(steps[2].re - out.re) < 1e-6F && fabsf(steps[2].im - out.im) < 1e-6F);
    assert_true(steps[0].re == 1 && steps[0].im == 2);
}

/* exp of 2 z and of z + z are the same. */
TEST(test_expression)
{
    const stria_view a = OF(x, C128, ROWS, N), out = OF(sums, C128, ROWS);
    struct z twice[ROWS];
    stria_expr *expr;
    int node, sum;
    ok(stria_expr_make(&expr));
    ok(stria_expr_input(expr, &node, 0));
    ok(stria_expr_op(expr, &sum, STRIA_ADD, 2, (int[]){node, node}));
    const stria_view *const inputs[] = {&a};
    ok(stria_expr_reduce(&out, expr, STRIA_LOGSUMEXP, 1, inputs, 1, (int[]){1}, NULL, NULL));
    stria_expr_release(expr);
    memcpy(twice, sums, sizeof twice);
    RELEASED stria_array made = {0};
    const stria_view *const operands[] = {&a, &a};
    ok(stria_elementwise_new(&made, STRIA_ADD, 2, operands, NULL));
    ok(stria_logsumexp(&out, &made.view, 1, (int[]){1}, NULL));
    assert_memory_equal(sums, twice, sizeof twice);
}

TEST(test_scan)
{
    const stria_view a = OF(x, C128, ROWS, N), b = OF(y, C128, ROWS, N);
    static struct z first[ROWS][N];
    for (int level = 0; next_level(&level);) {
        ok(stria_logcumsumexp(&b, &a, -1, NULL));
        for (int i = 0; i < ROWS; i++) {
            wide sum = 0;
            long double terms = 0;
            for (int j = 0; j < N; j++) {
                sum += power_of(x[i][j]);
                terms += cabsl(power_of(x[i][j])) + cabsl(sum);
                assert_log_of(y[i][j], sum, terms, 0x1p-52L);
            }
        }
        memcpy(first, y, sizeof first);
        memcpy(y, x, sizeof y);
        ok(stria_logcumsumexp(&b, &b, 1, NULL));
        assert_memory_equal(y, first, sizeof first);
    }
}

/* e^-inf is 0; an infinite sum has a direction where all its infinite powers have the same. */
TEST(test_special)
{
    struct z in[] = {{-HUGE_VAL, 1}, {1, 2}, {-HUGE_VAL, HUGE_VAL}, {HUGE_VAL, 1}, {0, NAN}},
             out[5], one;
    const stria_view a = OF(in, C128, 5), b = OF(out, C128, 5), to = of(&one, STRIA_C128, 0, NULL),
                     none = OF(in, C128, 0);
    ok(stria_logcumsumexp(&b, &a, 0, NULL));
    assert_true(out[0].re == -HUGE_VAL);
    assert_true(out[1].re == 1 && out[1].im == 2 && out[2].re == 1 && out[2].im == 2);
    assert_true(out[3].re == HUGE_VAL && out[3].im == 1);
    assert_true(isnan(out[4].re) && isnan(out[4].im));
    for (int n = 1; n <= 5; n++) {
        const stria_view some = OF(in, C128, n);
        ok(stria_logsumexp(&to, &some, 1, (int[]){0}, NULL));
        if (n == 1) assert_true(one.re == -HUGE_VAL);
        if (n == 2 || n == 3) assert_true(fabs(one.re - 1) < 1e-15 && fabs(one.im - 2) < 1e-15);
        if (n == 4) assert_true(one.re == HUGE_VAL && fabs(one.im - atan(1)) < 1e-15);
        if (n == 5) assert_true(isnan(one.re) && isnan(one.im));
    }
    ok(stria_logsumexp(&to, &none, 1, (int[]){0}, NULL));
    assert_true(one.re == -HUGE_VAL && one.im == 0);
}

TEST_MAIN(set_up, NULL)
