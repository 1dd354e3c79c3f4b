/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes that combine, of each dtype, on values whose results are known. */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/test.h"

/* Each dtype's combining loop on values whose results are known. */
TEST(combining_dtypes)
{
    int64_t place = 0;
    const stria_view index = OF(&place, I64, 1);
    for (int kind = STRIA_BOOL; kind <= STRIA_C128; kind++)
        for (int reduce = STRIA_REDUCE_SUM; reduce <= STRIA_REDUCE_MAX; reduce++) {
            const stria_dtype dtype = stria_dtype_of((stria_kind)kind);
            char a_[16] = {0}, b_[16] = {0};
            double six = 6, two = 2, result;
            stria_view a = OF(a_, U8, 1), b = OF(b_, U8, 1), r = of(&result, STRIA_F64, 0, NULL);
            a.dtype = b.dtype = dtype;
            stria_view from6 = of(&six, STRIA_F64, 0, NULL), from2 = of(&two, STRIA_F64, 0, NULL);
            ok(stria_copy(&a, &from6, NULL));
            ok(stria_copy(&b, &from2, NULL));
            const stria_status status =
                stria_index_copy(&a, &index, &b, 0, (stria_reduce)reduce, NULL);
            if (kind >= STRIA_C64 && reduce >= STRIA_REDUCE_MIN) {
                assert_int_equal(status, STRIA_ERR_DTYPE);
                continue;
            }
            ok(status);
            stria_view first;
            ok(stria_select(&first, &a, 0, 0));
            ok(stria_copy(&r, &first, NULL));
            const double number[] = {8, 12, 2, 6};
            assert_true(result == (kind == STRIA_BOOL ? 1 : number[reduce - STRIA_REDUCE_SUM]));
        }
    float x[] = {1}, nan_ = (float)(0.0 / (double)place);
    stria_view xs = OF(x, F32, 1), nans = of(&nan_, STRIA_F32, 0, NULL);
    ok(stria_index_copy(&xs, &index, &nans, 0, STRIA_REDUCE_MAX, NULL));
    assert_true(x[0] != x[0]);
    int8_t small[] = {100};
    stria_view smalls = OF(small, I8, 1);
    ok(stria_index_copy(&smalls, &index, &smalls, 0, STRIA_REDUCE_SUM, NULL));
    assert_int_equal(small[0], (int8_t)200);
}

/* Reductions of 10, and of 3, 4 and 6, at the same place; 20 stays. */
TEST(means)
{
    int64_t place[] = {0, 0, 0};
    const stria_view index = OF(place, I64, 3);
    for (int include_self = 0; include_self <= 1; include_self++)
        for (int kind = STRIA_I8; kind <= STRIA_C128; kind++) {
            double given[] = {10, 20}, added[] = {3, 4, 6}, result[2];
            char dst_[32], src_[48];
            stria_view dst = OF(dst_, U8, 2), src = OF(src_, U8, 3), r = OF(result, F64, 2);
            const stria_view g = OF(given, F64, 2), b = OF(added, F64, 3);
            dst.dtype =
                stria_dtype_swap(stria_dtype_of((stria_kind)kind)); /* the other byte order */
            src.dtype = stria_dtype_of((stria_kind)kind);
            dst.strides[0] = src.strides[0] = src.dtype.itemsize;
            ok(stria_copy(&dst, &g, NULL));
            ok(stria_copy(&src, &b, NULL));
            ok(stria_index_reduce(&dst, &index, &src, 0, STRIA_REDUCE_MEAN, include_self, NULL));
            ok(stria_copy(&r, &dst, NULL));
            const bool whole = kind <= STRIA_U64;
            const double mean = include_self ? 23.0 / 4 : 13.0 / 3;
            const double error = result[0] - (whole ? floor(mean) : mean);
            assert_true(fabs(error) <= (kind == STRIA_F8E5M2   ? 0.5
                                        : kind == STRIA_F8E4M3 ? 0.25
                                        : kind <= STRIA_BF16   ? 0.02
                                                               : 1e-6));
            assert_true(result[1] == 20);
        }
    int64_t below[] = {-5}, less[] = {-2, 0, -4};
    const stria_view belows = OF(below, I64, 1), lesses = OF(less, I64, 3);
    ok(stria_scatter(&belows, &index, &lesses, 0, STRIA_REDUCE_MEAN, NULL));
    assert_int_equal(below[0], -3); /* -11 / 4 */
}

/* Views with lazy bits give the same, and an element without a mean is not changed. */
TEST(combining_lazy)
{
    int64_t place[] = {1, 1};
    double x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
    const stria_view index = OF(place, I64, 2), all = OF(x, C128, 2), src = OF(y, C128, 2);
    stria_view lazy;
    ok(stria_conj(&lazy, &all));
    ok(stria_scatter(&lazy, &index, &src, 0, STRIA_REDUCE_SUM, NULL));
    const double want[] = {1, 2, 43, 4 - 60}; /* 3 - 4i + 10 + 20i + 30 + 40i, stored conjugated */
    assert_memory_equal(x, want, sizeof x);
    assert_int_equal(stria_scatter(&lazy, &index, &src, 0, STRIA_REDUCE_MAX, NULL),
                     STRIA_ERR_DTYPE);
    uint8_t truths[] = {0, 1};
    const stria_view mask = OF(truths, BOOL, 2);
    assert_int_equal(stria_scatter(&mask, &index, &mask, 0, STRIA_REDUCE_MEAN, NULL),
                     STRIA_ERR_DTYPE);
    ok(stria_scatter_reduce(&mask, &index, &mask, 0, STRIA_REDUCE_SUM, false, NULL));
    assert_int_equal(truths[1], 1);
    place[1] = 2; /* beyond */
    assert_int_equal(stria_scatter_reduce(&all, &index, &src, 0, STRIA_REDUCE_MEAN, false, NULL),
                     STRIA_ERR_INDEX);
    assert_memory_equal(x, want, sizeof x);
}

TEST_MAIN(NULL, NULL)
