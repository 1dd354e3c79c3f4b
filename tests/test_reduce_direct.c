/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small dense arrays are reduced without a plan: they give the bytes of the same elements in
 * another layout, which needs one; and every refusal is that of large arrays.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

enum { ITEMS = 1600 };

/* Fills with numbers of few digits, so that every dtype holds them; ties and zeros among them. */
static void fill(uint64_t *seed, const stria_view *a)
{
    static double numbers[ITEMS];
    stria_view from;
    for (int64_t i = 0; i < stria_numel(a); i++)
        numbers[i] = (double)(random_bits(seed) % 6) * (a->dtype.kind >= STRIA_F16 ? 0.7 : 1);
    ok(stria_view_foreign(&from, numbers, stria_dtype_of(STRIA_F64), a->ndim, a->shape, NULL, 0));
    ok(stria_copy(a, &from, NULL));
}

static void compare(stria_reduction op, const stria_view *a, const stria_view *apart, int count,
                    const int *dims, bool keepdims)
{
    const stria_reduce_options options = {.keepdims = keepdims, .ddof = 1};
    RELEASED stria_array wanted = {0}, got = {0};
    const stria_status status =
        stria_reduce_dims_new(&wanted, op, apart, count, dims, &options, NULL);
    if (status != STRIA_OK) {
        assert_int_equal(stria_reduce_dims_new(&got, op, a, count, dims, &options, NULL), status);
        return;
    }
    ok(stria_empty(&got, wanted.view.dtype, wanted.view.ndim, wanted.view.shape));
    ok(stria_reduce_dims(&got.view, op, a, count, dims, &options, NULL));
    assert_memory_equal(got.view.data, wanted.view.data, (size_t)stria_nbytes(&wanted.view));
}

/* Every reduction and dtype, random shapes, over the first dims, the last, all, or some. */
TEST(test_same_bytes)
{
    uint64_t seed = 81;
    for (int level = 0; next_level(&level);)
        for (int turn = 0; turn < 6 * STRIA_F64; turn++) {
            static const int sets[][2] = {{0, 1}, {1, 2}, {2, 0}};
            const stria_dtype dtype = stria_dtype_of((stria_kind)(turn % (STRIA_F64 + 1)));
            const int64_t shape[] = {1 + (int64_t)(random_bits(&seed) % 21),
                                     1 + (int64_t)(random_bits(&seed) % 3),
                                     1 + (int64_t)(random_bits(&seed) % 21)};
            RELEASED stria_array a = {0}, turned = {0};
            ok(stria_empty(&a, dtype, 3, shape));
            fill(&seed, &a.view);
            ok(stria_clone_ordered_new(&turned, &a.view, STRIA_ORDER_F, NULL));
            for (int op = 0; op < STRIA_PTP; op++)
                for (int set = 0; set < 4; set++)
                    for (int count = 1; count <= 2; count++)
                        compare((stria_reduction)op, &a.view, &turned.view,
                                set == 3 ? STRIA_ALL_DIMS : count, set == 3 ? NULL : sets[set],
                                turn % 2);
        }
}

TEST(test_refusals)
{
    float x[4][4] = {{0}}, sums[4];
    stria_view a, out, within;
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_F32), 2, (int64_t[]){4, 4}, NULL, 0));
    ok(stria_view_foreign(&out, sums, stria_dtype_of(STRIA_F32), 1, (int64_t[]){4}, NULL, 0));
    assert_int_equal(stria_sum(&out, &a, 1, (int[]){2}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&out, &a, 2, (int[]){1, -1}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_sum(&out, &a, STRIA_ALL_DIMS, NULL, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_sum(&out, &a, 1, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(NULL, &a, 1, (int[]){0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&out, NULL, 1, (int[]){0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_sum(&out, &a, 1, (int[]){0}, &(stria_exec){.threads = -1}),
                     STRIA_ERR_ARGUMENT);
    int64_t whole[4];
    ok(stria_view_foreign(&within, whole, stria_dtype_of(STRIA_I64), 1, (int64_t[]){4}, NULL, 0));
    assert_int_equal(stria_sum(&within, &a, 1, (int[]){0}, NULL), STRIA_ERR_DTYPE);
    out.flags |= STRIA_READONLY;
    assert_int_equal(stria_sum(&out, &a, 1, (int[]){0}, NULL), STRIA_ERR_READONLY);
    /* Into its own first row: as if the input had been copied. */
    for (int i = 0; i < 16; i++)
        x[i / 4][i % 4] = (float)i;
    ok(stria_select(&within, &a, 0, 0));
    ok(stria_sum(&within, &a, 1, (int[]){0}, NULL));
    assert_true(x[0][0] == 24 && x[0][3] == 36);
}

TEST_MAIN(NULL, NULL)
