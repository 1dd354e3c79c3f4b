/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequences and matrices by a rule, against their definitions; tests/tool compares the bits with
 * NumPy's. */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static double at(const stria_array *a, int64_t i)
{
    double x = 0;
    ok(stria_get_f64(&x, &a->view, 1, &i));
    return x;
}

/* Compares with the elements of range(start, stop, step), one by one. */
TEST(integers_are_those_of_a_loop)
{
    RELEASED stria_array a = {0};
    static const int64_t steps[] = {1, 2, 3, 7, 100, -1, -2, -5, -100};
    for (int k = 0; k < COUNT(steps); k++)
        for (int64_t start = -11; start < 12; start++)
            for (int64_t stop = -11; stop < 12; stop++) {
                int64_t n = 0, got = 0;
                ok(stria_arange_i64(&a, stria_dtype_of(STRIA_I16), start, stop, steps[k], NULL));
                for (int64_t x = start; steps[k] > 0 ? x < stop : x > stop; x += steps[k], n++) {
                    ok(stria_get_i64(&got, &a.view, 1, &n));
                    assert_int_equal(got, x);
                }
                assert_int_equal(stria_numel(&a.view), n);
            }
}

TEST(integers_at_the_limits)
{
    RELEASED stria_array a = {0};
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    ok(stria_arange_i64(&a, i64, INT64_MIN, INT64_MAX, INT64_MAX, NULL));
    assert_int_equal(stria_numel(&a.view), 3);
    int64_t got = 0;
    ok(stria_get_i64(&got, &a.view, 1, (const int64_t[]){2}));
    assert_true(got == INT64_MAX - 1);
    ok(stria_arange_i64(&a, i64, INT64_MAX, INT64_MIN, INT64_MIN, NULL));
    assert_int_equal(stria_numel(&a.view), 2);
    refused(stria_arange_i64(&a, i64, INT64_MIN, INT64_MAX, 1, NULL), STRIA_ERR_OVERFLOW,
            "18446744073709551615 elements");
    refused(stria_arange_i64(&a, i64, 0, 5, 0, NULL), STRIA_ERR_ARGUMENT, "steps of 0");
    refused(stria_arange_i64(&a, stria_dtype_of(STRIA_U8), 250, 258, 2, NULL), STRIA_ERR_OVERFLOW,
            "256 does not fit into u8");
    refused(stria_arange_i64(&a, stria_dtype_of(STRIA_U8), -1, 3, 1, NULL), STRIA_ERR_OVERFLOW,
            "-1");
    ok(stria_arange_i64(&a, stria_dtype_of(STRIA_U8), 250, 256, 5, NULL));
    stria_dtype s4;
    ok(stria_dtype_sized(&s4, STRIA_BYTES, 4));
    refused(stria_arange_i64(&a, s4, 0, 5, 1, NULL), STRIA_ERR_DTYPE, "S4");
    assert_int_equal(stria_numel(&a.view), 2); /* as it was */
}

TEST(numbers_of_floats)
{
    static const struct {
        double start, stop, step;
        int64_t count; /* the length that numpy.arange gives */
    } cases[] = {{0, 1, 0.1, 10},       {1, 1.3, 0.1, 4},    {0, 5, 2.5, 2},
                 {5, 0, -1.5, 4},       {0, 0, 1, 0},        {0, -1, 1, 0},
                 {0, 1e-320, 1e300, 1}, {0, 1, HUGE_VAL, 1}, {0, -1, HUGE_VAL, 0},
                 {0, 5, 1e-3, 5000}};
    RELEASED stria_array a = {0};
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    for (int k = 0; k < COUNT(cases); k++) {
        ok(stria_arange_f64(&a, f64, cases[k].start, cases[k].stop, cases[k].step, NULL));
        if (stria_numel(&a.view) != cases[k].count)
            fail_msg("case %d: %lld elements", k, (long long)stria_numel(&a.view));
    }
    refused(stria_arange_f64(&a, f64, 0, 1, 0, NULL), STRIA_ERR_ARGUMENT, "in steps of 0");
    refused(stria_arange_f64(&a, f64, 0, (double)NAN, 1, NULL), STRIA_ERR_ARGUMENT, "to nan");
    refused(stria_arange_f64(&a, f64, 0, HUGE_VAL, 1, NULL), STRIA_ERR_ARGUMENT, "to inf");
    refused(stria_arange_f64(&a, f64, 0, 1, 1e-300, NULL), STRIA_ERR_ARGUMENT, "below 2^63");
}

TEST(linspaces)
{
    RELEASED stria_array a = {0};
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    const int64_t n = 20000; /* of several pieces */
    ok(stria_linspace(&a, f64, -3, 0.1, n, true, NULL));
    const double step = (0.1 - -3) / (double)(n - 1);
    for (int64_t i = 0; i < n - 1; i++)
        assert_true(at(&a, i) == (double)i * step + -3);
    assert_true(at(&a, n - 1) == 0.1);
    ok(stria_linspace(&a, stria_dtype_of(STRIA_I8), 0, -4, 8, false, NULL));
    static const double down[] = {0, -1, -1, -2, -2, -3, -3, -4}; /* rounded down */
    for (int64_t i = 0; i < 8; i++)
        assert_true(at(&a, i) == down[i]);
    ok(stria_linspace(&a, f64, 5, 7, 1, true, NULL));
    assert_true(at(&a, 0) == 5);
    ok(stria_linspace(&a, f64, 5, 7, 0, true, NULL));
    assert_int_equal(stria_numel(&a.view), 0);
    /* A step that underflows to 0 still gets from one end to the other. */
    ok(stria_linspace(&a, f64, 0, 0x1p-1074, 5, true, NULL));
    assert_true(at(&a, 1) == 0 && at(&a, 3) == 0x1p-1074 && at(&a, 4) == 0x1p-1074);
    refused(stria_linspace(&a, f64, 0, 1, -1, true, NULL), STRIA_ERR_SHAPE, "-1 elements");
    assert_int_equal(stria_linspace(&a, f64, 0, 1, INT64_MAX, true, NULL), STRIA_ERR_OVERFLOW);
}

TEST(complex_linspaces)
{
    RELEASED stria_array a = {0};
    double z[2];
    const double start[] = {1, -2}, stop[] = {4, 2};
    const stria_dtype c128 = stria_dtype_of(STRIA_C128);
    ok(stria_linspace_complex(&a, c128, start, stop, 4, true, NULL));
    for (int64_t i = 0; i < 4; i++) {
        ok(stria_get_c128(z, &a.view, 1, &i));
        assert_true(z[0] == 1 + (double)i && (i == 3 || z[1] == (double)i * (4 * (1. / 3)) - 2));
    }
    assert_true(z[1] == 2);
    ok(stria_linspace_complex(&a, c128, start, stop, 1, true, NULL));
    ok(stria_get_c128(z, &a.view, 1, &(int64_t){0}));
    assert_true(z[0] == 1 && z[1] == -2);
    ok(stria_linspace_complex(&a, c128, start, stop, 0, true, NULL));
    refused(stria_linspace_complex(&a, stria_dtype_of(STRIA_F64), start, stop, 3, true, NULL),
            STRIA_ERR_DTYPE, "f64 takes no complex numbers");
    refused(stria_linspace_complex(&a, c128, start, stop, -1, true, NULL), STRIA_ERR_SHAPE, "-1");
    refused(stria_linspace_complex(&a, c128, NULL, stop, 3, true, NULL), STRIA_ERR_ARGUMENT,
            "start");
}

TEST(matrices)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_I16, STRIA_F8E4M3, STRIA_F64, STRIA_C64};
    static const int64_t ks[] = {INT64_MIN, -9, -2, -1, 0, 1, 3, 9, INT64_MAX};
    RELEASED stria_array eye = {0}, tri = {0};
    for (int t = 0; t < COUNT(kinds); t++)
        for (int64_t rows = 0; rows < 5; rows++)
            for (int64_t columns = 0; columns < 6; columns++)
                for (int d = 0; d < COUNT(ks); d++) {
                    const stria_dtype dtype = stria_dtype_of(kinds[t]);
                    const int64_t k = ks[d] < -100 ? -100 : ks[d] > 100 ? 100 : ks[d];
                    ok(stria_eye(&eye, dtype, rows, columns, ks[d], NULL));
                    ok(stria_tri(&tri, dtype, rows, columns, ks[d], NULL));
                    for (int64_t i = 0; i < rows; i++)
                        for (int64_t j = 0; j < columns; j++) {
                            double x = 7, y = 7;
                            const int64_t index[] = {i, j};
                            ok(stria_get_f64(&x, &eye.view, 2, index));
                            ok(stria_get_f64(&y, &tri.view, 2, index));
                            assert_true(x == (j - i == k) && y == (j - i <= k));
                        }
                }
    refused(stria_eye(&eye, stria_dtype_of(STRIA_F32), -1, 3, 0, NULL), STRIA_ERR_SHAPE,
            "eye: -1 rows of 3");
    refused(stria_tri(&tri, stria_dtype_of(STRIA_F32), 2, -3, 0, NULL), STRIA_ERR_SHAPE,
            "tri: 2 rows of -3");
}

TEST_MAIN(NULL, NULL)
