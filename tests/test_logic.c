/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logic depends only on whether operands are 0: every pair of dtypes, byte orders and layouts,
 * numbers that are 0 in another dtype, and weak scalars that the other operand's dtype does not
 * hold.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/exact.h"
#include "support/test.h"

enum { N = 40 };

static const double numbers[] = {0.0, -0.0, 1, NAN, 3, INFINITY, 0, 0x1p-14, 2, 0};
enum { SAMPLES = sizeof numbers / sizeof *numbers };

/* Returns the i-th number; for integers without sign and fraction. */
static double number_of(stria_kind kind, int i)
{
    const double x = numbers[i % SAMPLES];
    if (kind >= STRIA_F16) return x;
    return x == x && x >= 1 && x <= 100 ? x : 0;
}

static stria_view fill(char *items, stria_kind kind, int shift, bool swapped)
{
    static const int64_t shape[] = {N};
    stria_dtype dtype = stria_dtype_of(kind);
    const int64_t step = 2 * dtype.itemsize;
    dtype.swapped = swapped && dtype.itemsize > 1;
    for (int i = 0; i < N; i++) {
        const double x = number_of(kind, i / (shift ? shift : 1));
        exact_convert(items + i * step, kind, &x, STRIA_F64, false);
        for (int b = 0; dtype.swapped && b < dtype.itemsize / 2; b++) {
            char *const low = items + i * step + b, *const high = low + dtype.itemsize - 1 - 2 * b;
            const char byte = *low;
            *low = *high;
            *high = byte;
        }
    }
    stria_view view;
    ok(stria_view_foreign(&view, items, dtype, 1, shape, &step, 0));
    return view;
}

static bool truth(stria_kind kind, int i)
{
    return number_of(kind, i) != 0;
}

static void check_pair(stria_kind a, stria_kind b, bool swapped)
{
    static char left[2 * 8 * N], right[2 * 8 * N];
    uint8_t got[4][N];
    const int64_t shape[] = {N}, step[] = {1};
    const stria_view x = fill(left, a, 1, false), y = fill(right, b, 3, swapped);
    stria_view out[4];
    for (int k = 0; k < 4; k++)
        ok(stria_view_foreign(&out[k], got[k], stria_dtype_of(STRIA_BOOL), 1, shape, step, 0));
    ok(stria_logical_and(&out[0], &x, &y, NULL));
    ok(stria_logical_or(&out[1], &x, &y, NULL));
    ok(stria_logical_xor(&out[2], &x, &y, NULL));
    ok(stria_logical_not(&out[3], &y, NULL));
    for (int i = 0; i < N; i++) {
        const bool p = truth(a, i), q = truth(b, i / 3);
        assert_int_equal(got[0][i], p && q);
        assert_int_equal(got[1][i], p || q);
        assert_int_equal(got[2][i], p != q);
        assert_int_equal(got[3][i], !q);
    }
}

TEST(every_pair_of_dtypes)
{
    for (int a = STRIA_I8; a <= STRIA_F64; a++)
        for (int b = STRIA_I8; b <= STRIA_F64; b++) {
            if (a == STRIA_F8E4M3 || b == STRIA_F8E4M3) continue; /* this dtype has no infinity */
            check_pair((stria_kind)a, (stria_kind)b, false);
            check_pair((stria_kind)a, (stria_kind)b, true);
        }
}

/* 1e-300 is 0 as an f32, and 0.5 as an i32; both count as true. */
TEST(weak_scalars_keep_their_truth)
{
    static const double small[] = {1e-300, 0.5};
    static const stria_kind kinds[] = {STRIA_F32, STRIA_I32};
    for (int k = 0; k < 2; k++) {
        char items[2 * 8 * N];
        uint8_t got[N];
        const int64_t shape[] = {N}, step[] = {1};
        const stria_view x = fill(items, kinds[k], 1, false);
        stria_view out, weak;
        ok(stria_view_foreign(&out, got, stria_dtype_of(STRIA_BOOL), 1, shape, step, 0));
        ok(stria_weak(&weak, STRIA_F64, &small[k]));
        ok(stria_logical_and(&out, &x, &weak, NULL));
        for (int i = 0; i < N; i++)
            assert_int_equal(got[i], truth(kinds[k], i));
    }
}

TEST_MAIN(NULL, NULL)
