/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of special shapes and values, each by its name, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/guard.h"
#include "support/indices.h"
#include "support/items.h"
#include "support/levels.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/reference_tree.h"
#include "support/by_value.h"
#include "support/test.h"

TEST(test_empty)
{
    static const double none[STRIA_COUNT_NONZERO + 1] = {[STRIA_PROD] = 1,
                                                         [STRIA_MEAN] = NAN,
                                                         [STRIA_VAR] = NAN,
                                                         [STRIA_STD] = NAN,
                                                         [STRIA_ALL] = 1};
    for (int op = 0; op <= STRIA_COUNT_NONZERO; op++)
        for (int kind = 0; kind <= STRIA_F64; kind++) {
            stria_array a = {0}, made = {0};
            ok(stria_empty(&a, stria_dtype_of((stria_kind)kind), 2, (int64_t[]){0, 3}));
            ok(stria_reduce_dims_new(&made, (stria_reduction)op, &a.view, 1, (int[]){1}, NULL,
                                     NULL));
            assert_int_equal(stria_numel(&made.view), 0);
            stria_array_release(&made);
            const stria_status status =
                stria_reduce_dims_new(&made, (stria_reduction)op, &a.view, 1, (int[]){0},
                                      &(stria_reduce_options){.keepdims = true}, NULL);
            if (op >= STRIA_MAX && op <= STRIA_ARGMIN) {
                assert_int_equal(status, STRIA_ERR_SHAPE);
                assert_non_null(strstr(stria_last_error(), "dim 0"));
            } else {
                ok(status);
                ASSERT_SHAPE(&made, 1, 3);
                for (int i = 0; i < 3; i++) {
                    double x;
                    convert(made.view.data + i * made.view.dtype.itemsize,
                            (stria_kind)made.view.dtype.kind, &x, STRIA_F64);
                    assert_true(isnan(none[op]) ? isnan(x) : x == none[op] && !signbit(x));
                }
                stria_array_release(&made);
            }
            stria_array_release(&a);
        }
}

/* Arrays of 64 dims and of none, dims of size 1, and no dim reduced. */
TEST(test_dims)
{
    static float many[64];
    int64_t shape[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
    float sum = 0, one = -3;
    stria_array made = {0};
    for (int d = 0; d < STRIA_MAX_NDIM; d++) {
        shape[d] = d % 11 == 0 ? 2 : 1;
        dims[d] = d - STRIA_MAX_NDIM;
        many[d] = (float)d;
        sum += (float)d;
    }
    const stria_view deep = of(many, STRIA_F32, STRIA_MAX_NDIM, shape);
    ok(stria_reduce_dims_new(&made, STRIA_SUM, &deep, STRIA_MAX_NDIM, dims, NULL, NULL));
    assert_int_equal(made.view.ndim, 0);
    assert_memory_equal(made.view.data, &sum, sizeof sum);
    stria_array_release(&made);
    const stria_view scalar = of(&one, STRIA_F32, 0, NULL);
    for (int d = -1; d <= 0; d++) {
        ok(stria_reduce_dims_new(&made, STRIA_MAX, &scalar, 1, &d,
                                 &(stria_reduce_options){.keepdims = true}, NULL));
        assert_int_equal(made.view.ndim, 0);
        assert_memory_equal(made.view.data, &one, sizeof one);
        stria_array_release(&made);
    }
    ok(stria_reduce_dims_new(&made, STRIA_SUM, &deep, 0, NULL, NULL, NULL));
    assert_int_equal(made.view.ndim, STRIA_MAX_NDIM);
    assert_memory_equal(made.view.data, many, sizeof many);
    stria_array_release(&made);
}

TEST(test_zeros)
{
    float zeros[] = {-0.0f, -0.0f, 0.0f}, out;
    const stria_view result = of(&out, STRIA_F32, 0, NULL), negative = OF(zeros, F32, 2),
                     mixed = OF(zeros, F32, 3);
    ok(stria_sum(&result, &negative, 1, (int[]){0}, NULL));
    assert_true(out == 0 && !signbit(out));
    ok(stria_max(&result, &mixed, 1, (int[]){0}, NULL));
    assert_true(out == 0 && !signbit(out));
    ok(stria_min(&result, &mixed, 1, (int[]){0}, NULL));
    assert_true(out == 0 && signbit(out));
    ok(stria_max(&result, &negative, 1, (int[]){0}, NULL));
    assert_true(out == 0 && signbit(out));
}

/* Calls each reduction by the function of its name. */
TEST(test_names)
{
    float x[] = {2, 0, 3}, value;
    bool truth;
    int64_t count;
    const stria_view a = OF(x, F32, 3), out = of(&value, STRIA_F32, 0, NULL),
                     answer = of(&truth, STRIA_BOOL, 0, NULL),
                     counted = of(&count, STRIA_I64, 0, NULL);
    ok(stria_prod(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(value == 0);
    ok(stria_any(&answer, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_true(truth);
    ok(stria_all(&answer, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_false(truth);
    ok(stria_count_nonzero(&counted, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_int_equal(count, 2);
    assert_string_equal(stria_reduction_name(STRIA_COUNT_NONZERO), "count_nonzero");
    assert_null(stria_reduction_name(STRIA_REDUCTIONS));
    ok(stria_argmax(&counted, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_int_equal(count, 2);
    ok(stria_argmin(&counted, &a, STRIA_ALL_DIMS, NULL, NULL));
    assert_int_equal(count, 1);
    x[2] = 4;
    ok(stria_var(&out, &a, STRIA_ALL_DIMS, NULL, 1, NULL));
    assert_true(value == 4);
    ok(stria_std(&out, &a, STRIA_ALL_DIMS, NULL, 1, NULL));
    assert_true(value == 2);
    assert_int_equal(stria_std(&out, &a, STRIA_ALL_DIMS, NULL, -1, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_var(&out, &a, STRIA_ALL_DIMS, NULL, 3, NULL));
    assert_true(isnan(value));
}

TEST(test_complex)
{
    float x[3][2][2] = {{{1, 2}, {3, -4}}, {{5, 6}, {7, 8}}, {{0, -0.0f}, {0.5f, 0}}}, out[2][2];
    stria_view a = OF(x, C64, 3, 2);
    const stria_view result = OF(out, C64, 2);
    ok(stria_sum(&result, &a, 1, (int[]){0}, NULL));
    assert_memory_equal(out, ((float[]){6, 8, 10.5f, 4}), sizeof out);
    a.flags |= STRIA_CONJ;
    ok(stria_mean(&result, &a, 1, (int[]){0}, NULL));
    assert_memory_equal(out, ((float[]){2, (float)(-8.0 / 3), 3.5f, (float)(-4.0 / 3)}),
                        sizeof out);
    a.flags = STRIA_NEG;
    ok(stria_sum(&result, &a, 1, (int[]){0}, NULL));
    assert_memory_equal(out, ((float[]){-6, -8, -10.5f, -4}), sizeof out);
    bool truth[3];
    const stria_view answer = OF(truth, BOOL, 3);
    ok(stria_all(&answer, &a, 1, (int[]){1}, NULL));
    assert_true(truth[0] && truth[1] && !truth[2]);
    assert_int_equal(stria_max(&result, &a, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
}

/* The first of equal elements counts, and the first NaN, wherever the blocks of the kernels
 * begin. */
TEST(test_first)
{
    enum { N = 5000 };
    static float x[N];
    int64_t index;
    const stria_view a = OF(x, F32, N), out = of(&index, STRIA_I64, 0, NULL);
    for (int level = 0; next_level(&level);)
        for (int i = 0; i < N - 7; i += 311) {
            memset(x, 0, sizeof x);
            x[i] = -0.0f;
            ok(stria_argmin(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
            assert_int_equal(index, 0);
            x[i] = x[i + 7] = 1;
            ok(stria_argmax(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
            assert_int_equal(index, i);
            x[i + 1] = -NAN;
            x[i + 6] = NAN;
            ok(stria_argmax(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
            assert_int_equal(index, i + 1);
            ok(stria_argmin(&out, &a, STRIA_ALL_DIMS, NULL, NULL));
            assert_int_equal(index, i + 1);
        }
}

/*
 * The largest element is at every place of rows of many lengths, with an equal one behind it, in
 * every width. Any byte but 0 is true.
 */
TEST(test_places)
{
    enum { N = 700 };
    static const stria_kind kinds[] = {STRIA_F32, STRIA_F64, STRIA_F16, STRIA_F8E5M2,
                                       STRIA_I8,  STRIA_I64, STRIA_U16, STRIA_BOOL};
    static const int64_t lengths[] = {15, 64, 127, 128, 129, 255, 300, 513, N};
    static double line[N];
    static _Alignas(64) char items[N * 8 + 64];
    for (int level = 0; next_level(&level);)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
                for (int64_t i = 0; i < lengths[l]; i += 1 + lengths[l] / 150) {
                    const int64_t n = lengths[l];
                    int64_t place = -1;
                    const stria_view from = of(line, STRIA_F64, 1, &n),
                                     to = of(items, kinds[k], 1, &n),
                                     out = of(&place, STRIA_I64, 0, NULL);
                    memset(line, 0, sizeof line);
                    line[i] = 1;
                    if (i + 3 < n) line[i + 3] = 1;
                    ok(stria_copy(&to, &from, NULL));
                    if (kinds[k] == STRIA_BOOL && i + 3 < n) items[i] = 7, items[i + 3] = 70;
                    ok(stria_argmax(&out, &to, STRIA_ALL_DIMS, NULL, NULL));
                    assert_int_equal(place, i);
                }
}

/* The result is as if the input had been copied first. */
TEST(test_overlap)
{
    float x[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    const stria_view a = OF(x, F32, 4, 3);
    stria_view row;
    ok(stria_select(&row, &a, 0, 0));
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){0}, &(stria_exec){.hints = STRIA_NO_OVERLAP}),
                     STRIA_ERR_OVERLAP);
    assert_true(x[0][0] == 1);
    ok(stria_sum(&row, &a, 1, (int[]){0}, NULL));
    assert_memory_equal(x, ((float[]){22, 26, 30}), 12);
    assert_true(x[1][0] == 4);
}

TEST(test_refusals)
{
    float x[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int32_t i[3] = {7, 7, 7};
    const stria_view a = OF(x, F32, 2, 3), whole = OF(i, I32, 3), row = OF(x, F32, 3);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&row, &a, 2, (int[]){0, -2}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&row, &a, 1, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&row, &a, -2, (int[]){0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&row, &a, 1, (int[]){1}, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(3,)"));
    assert_int_equal(stria_sum(&whole, &a, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(i[0], 7);
    const stria_view fixed = readonly_of(&row);
    assert_int_equal(stria_sum(&fixed, &a, 1, (int[]){0}, NULL), STRIA_ERR_READONLY);
    stria_view repeated;
    const stria_view one = OF(x, F32, 1);
    ok(stria_expand(&repeated, &one, 1, (int64_t[]){3}));
    assert_int_equal(stria_sum(&repeated, &a, 1, (int[]){0}, NULL), STRIA_ERR_OVERLAP);
    assert_int_equal(stria_reduce_dims(&row, STRIA_REDUCTIONS, &a, 1, (int[]){0}, NULL, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_true(x[0][0] == 1);
}

static void says(stria_status status, stria_status wanted, const char *message)
{
    assert_int_equal(status, wanted);
    assert_string_equal(stria_last_error(), message);
}

/* Messages of refusals have the name that was called, and what was given, with numbers. */
TEST(test_words)
{
    float x[2][3] = {{1, 2, 3}, {4, 5, 6}}, sums[3];
    int8_t bytes[3] = {1, 2, 3};
    int64_t large = 1000;
    uint64_t huge = UINT64_MAX;
    const stria_dtype text = {.kind = STRIA_BYTES, .alignment = 1, .itemsize = 3};
    stria_array made = {0};
    const stria_view a = OF(x, F32, 2, 3), one = of(x, STRIA_F32, 0, NULL), row = OF(sums, F32, 3),
                     small = OF(bytes, I8, 3), z = OF(x, C64, 3),
                     number = of(&large, STRIA_I64, 0, NULL),
                     natural = of(&huge, STRIA_U64, 0, NULL);
    stria_view strings, floats = OF(bytes, F8E5M2, 3);
    ok(stria_view_foreign(&strings, bytes, text, 0, NULL, NULL, 0));
    says(stria_sum(&one, &one, 1, (int[]){1}, NULL), STRIA_ERR_DIM,
         "sum: dim 1 is outside -1 .. 0 of a view of 0 dims");
    says(stria_norm(&one, &one, 1, (int[]){-2}, 2, NULL), STRIA_ERR_DIM,
         "norm: dim -2 is outside -1 .. 0 of a view of 0 dims");
    says(stria_cumsum(&one, &one, 3, NULL), STRIA_ERR_DIM,
         "cumsum: dim 3 is outside -1 .. 0 of a view of 0 dims");
    says(stria_reduce_dims_new(&made, STRIA_NORM, &strings, STRIA_ALL_DIMS, NULL, NULL, NULL),
         STRIA_ERR_DTYPE, "norm: there is none of S3, which is no number");
    says(stria_cummax(&z, &z, 0, NULL), STRIA_ERR_DTYPE,
         "cummax: there is none of c64: complex numbers have no order");
    says(stria_reduce_dims(&row, STRIA_SUM, &a, 1, (int[]){0},
                           &(stria_reduce_options){.mask = &small}, NULL),
         STRIA_ERR_DTYPE, "sum: where is i8, must be bool; compare it with 0");
    says(stria_reduce_dims(&small, STRIA_MAX, &small, 0, NULL,
                           &(stria_reduce_options){.initial = &number}, NULL),
         STRIA_ERR_ARGUMENT,
         "max: initial is 1000, which the result's dtype i8 cannot be; give a dtype that it fits");
    const stria_view natural_bytes = OF(bytes, U8, 3);
    says(stria_reduce_dims(&natural_bytes, STRIA_MAX, &natural_bytes, 0, NULL,
                           &(stria_reduce_options){.initial = &natural}, NULL),
         STRIA_ERR_ARGUMENT,
         "max: initial is 18446744073709551615, which the result's dtype u8 cannot be; give a "
         "dtype that it fits");
    says(stria_vecdot(&one, &a, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM,
         "vecdot: dim 2 is outside -2 .. 1, the view has 2 dims");
    says(stria_vecdot(&one, &row, &floats, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE,
         "vecdot: b is f8e5m2: 8-bit floats compute nothing; cast it to f16 or f32");
    says(stria_average(&row, &a, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM,
         "average: dim 2 is outside -2 .. 1, the view has 2 dims");
    says(stria_average_new(&made, &a, &strings, 1, (int[]){1}, false, NULL), STRIA_ERR_DTYPE,
         "average: weights is S3, which is no number");
    says(stria_minmax(&row, &row, &a, 1, (int[]){0}, NULL), STRIA_ERR_OVERLAP,
         "minmax: the two outputs share bytes, or may");
    says(stria_minmax(&row, &row, &a, 1, (int[]){5}, NULL), STRIA_ERR_DIM,
         "minmax: dim 5 is outside -2 .. 1, the view has 2 dims");
    says(stria_diff_new(&made, &strings, 1, 0, NULL), STRIA_ERR_DTYPE,
         "diff: a is S3, which is no number");
    assert_null(made.owned);
}

/* The result is rounded once, to the dtype of out: a bf16 need not hold the difference of two. */
TEST(test_ptp_rounds)
{
    uint16_t in[] = {0x4300, 0xBF82}; /* 128, -1.015625 */
    const stria_view v = OF(in, BF16, 2);
    double wide;
    const stria_view to = of(&wide, STRIA_F64, 0, NULL);
    ok(stria_ptp(&to, &v, 1, (int[]){0}, NULL));
    assert_true(wide == 129.015625);
}

TEST_MAIN(NULL, NULL)
