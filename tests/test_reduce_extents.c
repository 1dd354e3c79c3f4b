/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions at the limits of what kernels hold: rows with more elements than a narrow sum can
 * count, rows that end at an inaccessible page, and columns whose rows are longer than a page.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/guard.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

static const stria_exec alone = {.threads = 1};

/* ---- long rows ------------------------------------------------------------------------------- */

/* Reduces n equal elements along the one dim. */
static int64_t reduced(stria_reduction op, stria_kind kind, double value, int64_t n)
{
    stria_array one = {0}, all = {0};
    stria_view number, to;
    int64_t found = 0;
    ok(stria_view_foreign(&number, &value, stria_dtype_of(STRIA_F64), 0, NULL, NULL,
                          STRIA_READONLY));
    ok(stria_empty(&one, stria_dtype_of(kind), 0, NULL));
    ok(stria_copy(&one.view, &number, NULL));
    ok(stria_empty(&all, stria_dtype_of(kind), 1, &n));
    ok(stria_copy(&all.view, &one.view, NULL));
    ok(stria_view_foreign(&to, &found, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    ok(stria_reduce_dims(&to, op, &all.view, STRIA_ALL_DIMS, NULL, NULL, &alone));
    stria_array_release(&one);
    stria_array_release(&all);
    return found;
}

TEST(test_long_rows)
{
    enum { LONG = (2 << 16) + 77 };
    static const struct {
        stria_kind kind;
        double value;
    } extremes[] = {{STRIA_BOOL, 1},         {STRIA_I8, -128},     {STRIA_I8, 127},
                    {STRIA_U8, 255},         {STRIA_I16, -32768},  {STRIA_I16, 32767},
                    {STRIA_U16, 65535},      {STRIA_I32, -0x1p31}, {STRIA_I32, 0x1p31 - 1},
                    {STRIA_U32, 0x1p32 - 1}, {STRIA_I64, -0x1p40}, {STRIA_U64, 0x1p40}};
    for (int level = 0; next_level(&level);) {
        for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
            assert_int_equal(reduced(STRIA_SUM, extremes[i].kind, extremes[i].value, LONG),
                             LONG * (int64_t)extremes[i].value);
        for (stria_kind kind = STRIA_BOOL; kind <= STRIA_C128; kind++)
            for (int value = 0; value < 2; value++)
                assert_int_equal(reduced(STRIA_COUNT_NONZERO, kind, value, LONG), value * LONG);
    }
}

/* Neither zero is true; NaN and the smallest number are. */
TEST(test_truth_of_floats)
{
    static const stria_kind kinds[] = {STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64};
    for (int level = 0; next_level(&level);)
        for (int k = 0; k < 4; k++)
            for (int64_t n = 1; n < 100; n += 33) {
                assert_int_equal(reduced(STRIA_COUNT_NONZERO, kinds[k], -0.0, n), 0);
                assert_int_equal(reduced(STRIA_COUNT_NONZERO, kinds[k], (double)NAN, n), n);
                assert_int_equal(reduced(STRIA_COUNT_NONZERO, kinds[k], -0x1p-24, n), n);
            }
}

/* ---- the end of memory ----------------------------------------------------------------------- */

/* Ones before an inaccessible page, in any number: all are added, and no more is read. */
TEST(test_ends)
{
    static const stria_kind kinds[] = {STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64};
    static const char one[][8] = {{0, 0x3C},
                                  {(char)0x80, 0x3F},
                                  {0, 0, (char)0x80, 0x3F},
                                  {0, 0, 0, 0, 0, 0, (char)0xF0, 0x3F}};
    enum { MOST = 600 };
    struct guard guard = guard_new(MOST * sizeof(double));
    for (int level = 0; next_level(&level);)
        for (int k = 0; k < 4; k++)
            for (int64_t n = 1; n < MOST; n += n < 40 ? 1 : 61) {
                const stria_dtype dtype = stria_dtype_of(kinds[k]);
                char *const memory = guard_high(&guard, (size_t)(n * dtype.itemsize));
                stria_view a, to;
                double sum = 0;
                for (int64_t i = 0; i < n; i++)
                    memcpy(memory + i * dtype.itemsize, one[k], (size_t)dtype.itemsize);
                ok(stria_view_foreign(&a, memory, dtype, 1, &n, NULL, 0));
                ok(stria_view_foreign(&to, &sum, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
                ok(stria_sum(&to, &a, STRIA_ALL_DIMS, NULL, &alone));
                assert_true(sum == (double)n);
                ok(stria_norm(&to, &a, STRIA_ALL_DIMS, NULL, 2, &alone));
                assert_true(sum == sqrt((double)n));
            }
    guard_free(&guard);
}

/* ---- wide columns ---------------------------------------------------------------------------- */

/* Makes a matrix of numbers, zeros and, for floats, a few NaN. */
static void make_matrix(stria_array *out, stria_kind kind, const int64_t *shape)
{
    static uint64_t seed = 11;
    RELEASED stria_array wide = {0};
    const bool has_nan = kind >= STRIA_F8E4M3;
    ok(stria_empty(&wide, stria_dtype_of(STRIA_F64), 2, shape));
    for (int64_t i = 0; i < stria_numel(&wide.view); i++) {
        const uint64_t r = random_bits(&seed);
        const double x = r % 7 == 0                 ? 0
                         : has_nan && r % 1001 == 1 ? (double)NAN
                                                    : (double)(r >> 57);
        memcpy(wide.view.data + i * (int64_t)sizeof x, &x, sizeof x);
    }
    ok(stria_empty(out, stria_dtype_of(kind), 2, shape));
    ok(stria_copy(&out->view, &wide.view, NULL));
}

/* Columns side by side give what each gives when it is adjacent in memory. */
static void expect_as_rows(const stria_view *a, const stria_view *turned, stria_reduction op)
{
    const stria_reduce_options options = {.p = 2};
    RELEASED stria_array got = {0}, wanted = {0};
    bool equal = false;
    ok(stria_reduce_dims_new(&got, op, a, 1, (int[]){0}, &options, &alone));
    ok(stria_reduce_dims_new(&wanted, op, turned, 1, (int[]){0}, &options, &alone));
    ok(stria_array_equal(&equal, &got.view, &wanted.view, true, &alone));
    if (!equal) fail_msg("%s of kind %d", stria_reduction_name(op), a->dtype.kind);
}

TEST(test_wide_columns)
{
    static const stria_kind kinds[] = {STRIA_BOOL, STRIA_U8,   STRIA_I16, STRIA_I32,
                                       STRIA_F16,  STRIA_BF16, STRIA_F32, STRIA_F64};
    static const stria_reduction ops[] = {STRIA_SUM,    STRIA_MAX, STRIA_ARGMIN,        STRIA_VAR,
                                          STRIA_NANSUM, STRIA_ALL, STRIA_COUNT_NONZERO, STRIA_NORM};
    for (int level = 0, turn = 0; next_level(&level); turn++)
        for (int k = 0; k < 8; k++) {
            const stria_dtype dtype = stria_dtype_of(kinds[k]);
            const int64_t shape[] = {k % 2 ? 300 : 29, 4096 / dtype.itemsize + 1024 * (turn % 2)};
            RELEASED stria_array a = {0}, turned = {0};
            make_matrix(&a, kinds[k], shape);
            ok(stria_empty_permuted(&turned, a.view.dtype, 2, shape, (int[]){1, 0}));
            ok(stria_copy(&turned.view, &a.view, NULL));
            for (int i = 0; i < 8; i++)
                expect_as_rows(&a.view, &turned.view, ops[i]);
        }
}

/* More repeated elements than 64 bits can count in sixteenths; the first ones settle the
 * results. */
TEST(test_repeated)
{
    enum { COLUMNS = 16 };
    static bool row[COLUMNS], found[COLUMNS];
    const int64_t shape[] = {(INT64_C(1) << 59) - 1, COLUMNS}, strides[] = {0, 1}, n = COLUMNS;
    const stria_exec two = {.threads = 2};
    stria_view a, out;
    memset(row, 1, sizeof row);
    ok(stria_view_foreign(&a, row, stria_dtype_of(STRIA_BOOL), 2, shape, strides, STRIA_READONLY));
    ok(stria_view_foreign(&out, found, stria_dtype_of(STRIA_BOOL), 1, &n, NULL, 0));
    ok(stria_reduce_dims(&out, STRIA_ANY, &a, 1, (int[]){0}, NULL, &two));
    assert_memory_equal(found, row, sizeof row);
}

TEST_MAIN(NULL, NULL)
