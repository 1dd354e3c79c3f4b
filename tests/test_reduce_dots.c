/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of products of rows, which one kernel reads from where both factors lie: the bytes of a sum
 * over products in memory, at every level, for rows of every length and layout.
 */
#include <math.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

enum { ROWS = 5, MOST = 70000 };

/* Makes an array of another dtype. */
static stria_array cast(const stria_view *a, stria_dtype dtype)
{
    stria_array out = {0};
    ok(stria_empty(&out, dtype, a->ndim, a->shape));
    ok(stria_copy(&out.view, a, NULL));
    return out;
}

/* Makes ROWS rows of numbers of very different sizes. */
static stria_array random_rows(stria_kind kind, int64_t n, uint64_t *seed)
{
    stria_array out = {0};
    ok(stria_empty(&out, stria_dtype_of(kind), 2, (int64_t[]){ROWS, n}));
    for (int64_t i = 0; i < ROWS * n; i++) {
        const double x =
            ldexp((double)(int64_t)random_bits(seed), (int)random_between(seed, -75, -46));
        if (kind == STRIA_F32)
            ((float *)out.view.data)[i] = (float)x;
        else
            ((double *)out.view.data)[i] = x;
    }
    return out;
}

/* Computes what vecdot() has to give: products in f64, then their sum. */
static void assert_dots(const stria_view *a, const stria_view *b)
{
    const stria_dtype wide = stria_dtype_of(STRIA_F64);
    stria_array products = {0}, wanted = {0}, x = cast(a, wide), y = cast(b, wide);
    ok(stria_multiply_new(&products, &x.view, &y.view, NULL));
    ok(stria_sum_new(&wanted, &products.view, 1, (int[]){-1}, false, NULL));
    if (a->dtype.kind == STRIA_F32 && b->dtype.kind == STRIA_F32) {
        stria_array narrow = cast(&wanted.view, a->dtype);
        stria_array_release(&wanted);
        wanted = narrow;
    }
    for (int level = 0; next_level(&level);) {
        RELEASED stria_array got = {0};
        ok(stria_vecdot_new(&got, a, b, 1, (int[]){-1}, false, NULL));
        assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
    }
    stria_array_release(&x);
    stria_array_release(&y);
    stria_array_release(&products);
    stria_array_release(&wanted);
}

static void compare_layouts(stria_kind kind, int64_t n, uint64_t *seed)
{
    stria_array a = random_rows(kind, n, seed), b = random_rows(kind, n, seed);
    stria_view x, y;
    assert_dots(&a.view, &b.view);
    assert_dots(&a.view, &a.view);
    ok(stria_narrow(&x, &a.view, 1, n / 3, n - n / 3));
    ok(stria_narrow(&y, &b.view, 1, 0, n - n / 3));
    assert_dots(&x, &y);
    ok(stria_select(&y, &y, 0, 2));
    assert_dots(&x, &y); /* one row for all */
    ok(stria_flip(&x, &a.view, 1, (int[]){1}));
    assert_dots(&x, &b.view);
    assert_dots(&x, &x);
    stria_array_release(&a);
    stria_array_release(&b);
}

TEST(test_lengths)
{
    uint64_t seed = 48;
    for (int64_t n = 1; n < 70; n++) {
        compare_layouts(STRIA_F32, n, &seed);
        compare_layouts(STRIA_F64, n, &seed);
    }
    for (int64_t leaf = 256; leaf <= MOST; leaf *= leaf == 256 ? 2 : 8)
        for (int64_t n = leaf - 1; n <= leaf + 17; n += 9) {
            compare_layouts(STRIA_F32, n, &seed);
            compare_layouts(STRIA_F64, n, &seed);
        }
}

/* Factors of two dtypes, of the other byte order, strides, and that are negative lazily go another
 * way to the same sums. */
TEST(test_other_factors)
{
    uint64_t seed = 49;
    stria_array a = random_rows(STRIA_F64, 600, &seed), b = random_rows(STRIA_F32, 600, &seed),
                swapped;
    stria_dtype other = a.view.dtype;
    stria_view x, y;
    other.swapped = !other.swapped;
    swapped = cast(&a.view, other);
    assert_dots(&a.view, &b.view);
    assert_dots(&a.view, &swapped.view);
    ok(stria_slice(&x, &a.view, 1, 0, 600, 2));
    ok(stria_narrow(&y, &a.view, 1, 7, 300));
    assert_dots(&x, &y);
    ok(stria_neg_view(&x, &b.view));
    ok(stria_neg_view(&y, &a.view));
    assert_dots(&x, &b.view);
    assert_dots(&b.view, &x);
    assert_dots(&x, &x);
    assert_dots(&y, &a.view);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&swapped);
}

TEST_MAIN(NULL, NULL)
