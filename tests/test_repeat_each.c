/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements repeated as often as a list of counts says: each index of the result must come from the
 * element that the counts give it.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/test.h"

/* Counts as in np.repeat(a, [2, 0, 1], 0) and torch.repeat_interleave. */
TEST(repeats_of_each)
{
    const int16_t times[] = {2, 0, 1, -1};
    const int64_t rows[] = {0, 0, 2};
    stria_array a = COUNTING(0, 3, 2), out = {0};
    stria_view counts, one, wrong;
    const stria_dtype i16 = stria_dtype_of(STRIA_I16);
    ok(stria_view_foreign(&counts, (void *)(uintptr_t)times, i16, 1, (int64_t[]){3}, NULL,
                          STRIA_READONLY));
    ok(stria_repeat_each_new(&out, &a.view, &counts, 0, NULL));
    ASSERT_DENSE(&out, 3, 2);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 2; j++)
            assert_int_equal(at(&out.view, (int64_t[]){i, j}),
                             at(&a.view, (int64_t[]){rows[i], j}));
    stria_array_release(&out);
    ok(stria_slice(&one, &counts, 0, 0, 1, 1));
    ok(stria_repeat_each_new(&out, &a.view, &one, -1, NULL));
    ASSERT_DENSE(&out, 3, 4);
    stria_array_release(&out);
    assert_int_equal(stria_repeat_each_new(&out, &a.view, &counts, 1, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_repeat_each_new(&out, &a.view, &counts, 2, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_repeat_each_new(&out, &a.view, &a.view, 0, NULL), STRIA_ERR_SHAPE);
    ok(stria_view_foreign(&wrong, (void *)(uintptr_t)(times + 1), i16, 1, (int64_t[]){3}, NULL,
                          STRIA_READONLY));
    assert_int_equal(stria_repeat_each_new(&out, &a.view, &wrong, 0, NULL), STRIA_ERR_SHAPE);
    ok(stria_view_dtype(&wrong, &counts, stria_dtype_of(STRIA_F16)));
    assert_int_equal(stria_repeat_each_new(&out, &a.view, &wrong, 0, NULL), STRIA_ERR_DTYPE);
    stria_array_release(&a);
}

TEST(repeats_of_none_and_too_many)
{
    const int64_t none = 0, most = INT64_MAX, step = 0;
    uint8_t item = 1;
    stria_array a = COUNTING(0, 0, 3), out = {0};
    stria_view counts, all;
    ok(stria_view_foreign(&counts, &item, stria_dtype_of(STRIA_U8), 1, &none, NULL,
                          STRIA_READONLY));
    ok(stria_repeat_each_new(&out, &a.view, &counts, 0, NULL));
    ASSERT_DENSE(&out, 0, 3);
    stria_array_release(&out);
    ok(stria_view_foreign(&all, &item, stria_dtype_of(STRIA_U8), 1, &most, &step, STRIA_READONLY));
    assert_int_equal(stria_repeat_each_new(&out, &all, &all, 0, NULL), STRIA_ERR_OVERFLOW);
    assert_non_null(strstr(stria_last_error(), "9223372036854775807 repeats"));
    const int64_t huge[] = {2, INT64_C(1) << 61}; /* 2^66 bytes */
    double items[2] = {0};
    uint8_t twice[] = {1, 1};
    ok(stria_view_foreign(&all, items, stria_dtype_of(STRIA_C128), 2, huge, (int64_t[]){0, 0},
                          STRIA_READONLY));
    ok(stria_view_foreign(&counts, twice, stria_dtype_of(STRIA_U8), 1, huge, NULL, STRIA_READONLY));
    assert_int_equal(stria_repeat_each_new(&out, &all, &counts, 0, NULL), STRIA_ERR_OVERFLOW);
    stria_array_release(&a);
}

/* Checks a repetition along dim, of (x, y, z), by counts that rise from 0 to most and begin
 * again. */
static void check_repeats(const stria_view *a, int dim, int64_t most)
{
    enum { LARGEST = 600 };
    int64_t counts[LARGEST], from[LARGEST * 8], total = 0;
    stria_view list;
    RELEASED stria_array out = {0};
    for (int64_t i = 0; i < a->shape[dim]; i++) {
        counts[i] = i % (most + 1);
        for (int64_t k = 0; k < counts[i]; k++)
            from[total++] = i;
    }
    ok(stria_view_foreign(&list, counts, stria_dtype_of(STRIA_I64), 1, &a->shape[dim], NULL,
                          STRIA_READONLY));
    ok(stria_repeat_each_new(&out, a, &list, dim, NULL));
    int64_t shape[] = {a->shape[0], a->shape[1], a->shape[2]};
    shape[dim] = total;
    ASSERT_DENSE(&out, shape[0], shape[1], shape[2]);
    for (int64_t i = 0; i < stria_numel(&out.view); i++) {
        int64_t to[] = {i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]};
        const int64_t got = at(&out.view, to);
        to[dim] = from[to[dim]];
        assert_int_equal(got, at(a, to));
    }
}

/* Repeats along each dim, short and long, dense and not: by an index, or item by item. */
TEST(repeats_of_many)
{
    static const int64_t shapes[][3] = {{600, 1, 1}, {1, 600, 1}, {2, 300, 1}, {100, 5, 1},
                                        {100, 7, 6}, {3, 40, 9},  {4, 5, 80},  {2, 300, 100}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const int64_t *n = shapes[k];
        stria_array a = COUNTING(0, n[0], n[1], n[2]), b = COUNTING(0, n[2], n[1], 2 * n[0]);
        stria_view turned;
        ok(stria_slice(&turned, &b.view, 2, STRIA_NONE, STRIA_NONE, 2));
        ok(stria_transpose(&turned, &turned, 0, 2));
        for (int dim = 0; dim < 3; dim++)
            for (int64_t most = 0; most < 8; most += most < 2 ? 1 : 5) {
                check_repeats(&a.view, dim, most);
                check_repeats(&turned, dim, most);
            }
        stria_array_release(&b);
        stria_array_release(&a);
    }
}

TEST_MAIN(NULL, NULL)
