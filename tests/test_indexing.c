/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexing by arrays against its definition, element by element: loops over all indices gather,
 * scatter or combine. The layouts are transposed and reversed, so that no test passes on dense
 * memory alone.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/test.h"

TEST(take_flat_and_dim)
{
    stria_array a = AWKWARD(0, 3, 4, 5), out = {0};
    int16_t i16[] = {0, 59, -1, 17, -60, 31};
    stria_view index = OF(i16, I16, 2, 3);
    ok(stria_take_new(&out, &a.view, &index, STRIA_INDEX_RAISE, NULL));
    ASSERT_SHAPE(&out, 2, 3);
    for (int k = 0; k < 6; k++) {
        const int64_t flat = i16[k] < 0 ? i16[k] + 60 : i16[k];
        const int64_t from[] = {flat / 20, flat / 5 % 4, flat % 5}, to[] = {k / 3, k % 3};
        assert_int_equal(at(&out.view, to), at(&a.view, from));
    }
    stria_array_release(&out);
    assert_int_equal(stria_take_new(&out, &a.view, &index, STRIA_INDEX_STRICT, NULL),
                     STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "-1"));

    uint8_t u8[] = {3, 0, 2, 3};
    index = OF(u8, U8, 2, 2);
    for (int dim = -2; dim <= 1; dim += 3) {
        ok(stria_take_dim_new(&out, &a.view, &index, dim, STRIA_INDEX_RAISE, NULL));
        ASSERT_SHAPE(&out, 3, 2, 2, 5);
        int64_t i[4] = {0};
        do
            assert_int_equal(at(&out.view, i),
                             at(&a.view, (int64_t[]){i[0], u8[2 * i[1] + i[2]], i[3]}));
        while (next(i, &out.view));
        stria_array_release(&out);
    }
    assert_int_equal(stria_take_dim_new(&out, &a.view, &index, 0, STRIA_INDEX_RAISE, NULL),
                     STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "index 3 is out of range for dim 0 of size 3"));

    int64_t wild[] = {INT64_MIN, -7, 9, INT64_MAX};
    index = OF(wild, I64, 4);
    const int64_t wrapped[] = {(INT64_MIN % 5 + 5) % 5, 3, 4, INT64_MAX % 5}, cut[] = {0, 0, 4, 4};
    for (int mode = STRIA_INDEX_WRAP; mode <= STRIA_INDEX_CLIP; mode++) {
        ok(stria_take_dim_new(&out, &a.view, &index, 2, (stria_index_mode)mode, NULL));
        for (int64_t k = 0; k < 4; k++)
            assert_int_equal(
                at(&out.view, (int64_t[]){2, 1, k}),
                at(&a.view, (int64_t[]){2, 1, mode == STRIA_INDEX_WRAP ? wrapped[k] : cut[k]}));
        stria_array_release(&out);
    }
    uint64_t huge[] = {UINT64_MAX};
    index = OF(huge, U64, 1);
    assert_int_equal(stria_take_new(&out, &a.view, &index, STRIA_INDEX_RAISE, NULL),
                     STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "18446744073709551615 is out of range for 60"));
    /* the index has strides unlike the other operands' */
    for (int beside = 0; beside < 2; beside++) {
        const stria_index_item i = {.kind = STRIA_INDEX_ARRAY, .array = &index};
        const stria_index_item items[] = {i, i};
        assert_int_equal(
            stria_index_arrays_new(&out, &a.view, 1 + beside, items, STRIA_PLACE_NUMPY, NULL),
            STRIA_ERR_INDEX);
        assert_non_null(
            strstr(stria_last_error(), "18446744073709551615 is out of range for dim 0 of size 3"));
    }
    float f32[] = {0};
    index = OF(f32, F32, 1);
    assert_int_equal(stria_take_new(&out, &a.view, &index, STRIA_INDEX_RAISE, NULL),
                     STRIA_ERR_DTYPE);
    stria_array_release(&a);
}

TEST(gather_and_scatter)
{
    stria_array a = AWKWARD(0, 3, 4), out = {0};
    int64_t rows[] = {2, 0, 1, 2, 2, 0};
    stria_view index = OF(rows, I64, 2, 3);
    ok(stria_gather_new(&out, &a.view, &index, 0, NULL));
    ASSERT_SHAPE(&out, 2, 3);
    int64_t i[2] = {0};
    do
        assert_int_equal(at(&out.view, i), at(&a.view, (int64_t[]){rows[3 * i[0] + i[1]], i[1]}));
    while (next(i, &out.view));

    stria_array dst = AWKWARD(100, 3, 4);
    int32_t want[3][4];
    int64_t k[2] = {0};
    do
        want[k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    do
        want[rows[3 * i[0] + i[1]]][i[1]] = at(&out.view, i);
    while (next(i, &out.view));
    ok(stria_scatter(&dst.view, &index, &out.view, 0, STRIA_REDUCE_NONE, NULL));
    do
        assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    do
        want[rows[3 * i[0] + i[1]]][i[1]] += at(&out.view, i);
    while (next(i, &out.view));
    ok(stria_scatter(&dst.view, &index, &out.view, -2, STRIA_REDUCE_SUM, NULL));
    do
        assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    int32_t one = -5;
    stria_view scalar = of(&one, STRIA_I32, 0, NULL);
    ok(stria_scatter(&dst.view, &index, &scalar, 0, STRIA_REDUCE_MIN, NULL));
    assert_int_equal(at(&dst.view, (int64_t[]){2, 0}), -5);

    rows[5] = -1;
    assert_int_equal(stria_scatter(&dst.view, &index, &scalar, 0, STRIA_REDUCE_NONE, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_gather_new(&out, &a.view, &index, 2, NULL), STRIA_ERR_DIM);
    stria_view wrong = OF(rows, I64, 6);
    assert_int_equal(stria_gather_new(&out, &a.view, &wrong, 0, NULL), STRIA_ERR_SHAPE);
    stria_array_release(&out);
    stria_array_release(&dst);

    int64_t columns[] = {3, -4, 0};
    stria_view narrow = OF(columns, I64, 3, 1);
    ok(stria_take_along_dim_new(&out, &a.view, &narrow, 1, NULL));
    ASSERT_SHAPE(&out, 3, 1);
    assert_int_equal(at(&out.view, (int64_t[]){1, 0}), at(&a.view, (int64_t[]){1, 0}));
    stria_array_release(&out);
    stria_array_release(&a);
}

TEST(index_copies)
{
    stria_array dst = AWKWARD(0, 4, 3), src = AWKWARD(1000, 4, 2);
    int32_t names[] = {2, 0}, want[4][3];
    int64_t k[2] = {0};
    do
        want[k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    do
        want[k[0]][names[k[1]]] = at(&src.view, k);
    while (next(k, &src.view));
    stria_view index = OF(names, I32, 2);
    ok(stria_index_copy(&dst.view, &index, &src.view, 1, STRIA_REDUCE_NONE, NULL));
    do
        assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));
    int32_t minus = -3;
    const stria_view alpha = of(&minus, STRIA_I32, 0, NULL);
    ok(stria_index_add(&dst.view, &index, &src.view, &alpha, 1, NULL));
    for (int64_t row = 0; row < 4; row++) {
        want[row][2] -= 3 * at(&src.view, (int64_t[]){row, 0});
        want[row][0] -= 3 * at(&src.view, (int64_t[]){row, 1});
    }
    do
        assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));
    names[1] = 2; /* both add to the same column */
    ok(stria_index_copy(&dst.view, &index, &src.view, 1, STRIA_REDUCE_SUM, NULL));
    assert_int_equal(at(&dst.view, (int64_t[]){3, 2}), want[3][2] +
                                                           at(&src.view, (int64_t[]){3, 0}) +
                                                           at(&src.view, (int64_t[]){3, 1}));
    stria_array_release(&dst);
    stria_array_release(&src);
}

/* Indices that the call itself overwrites are those from before it. */
TEST(indices_that_are_written)
{
    int64_t a[] = {2, 0, -2}, b[] = {100, 1000, 10000};
    stria_view dst = OF(a, I64, 3), values = OF(b, I64, 3);
    ok(stria_put(&dst, &dst, &values, STRIA_INDEX_RAISE, STRIA_REDUCE_NONE, NULL));
    assert_memory_equal(a, ((int64_t[]){1000, 10000, 100}), sizeof a);
    int64_t c[] = {1, 1, 0};
    dst = OF(c, I64, 3);
    ok(stria_index_copy(&dst, &dst, &values, 0, STRIA_REDUCE_SUM, NULL));
    assert_memory_equal(c, ((int64_t[]){10001, 1101, 0}), sizeof c);
}

/* Items of 0 bytes that lie apart: there is nothing to move. */
TEST(items_of_no_bytes)
{
    stria_array out = {0};
    stria_view a, b, mask;
    stria_dtype none;
    char memory[64], other[64], before[64];
    int64_t rows[] = {2, 0, 1};
    bool truth[] = {true, false, true};
    const int64_t shape[] = {3, 5}, strides[] = {20, 4};
    memset(memory, 'm', sizeof memory);
    memset(other, 'o', sizeof other);
    memcpy(before, memory, sizeof memory);
    ok(stria_dtype_sized(&none, STRIA_BYTES, 0));
    ok(stria_view_foreign(&a, memory + 1, none, 2, shape, strides, 0));
    ok(stria_view_foreign(&b, other + 1, none, 2, shape, strides, 0));
    stria_view index = OF(rows, I64, 3);
    ok(stria_take_dim_new(&out, &a, &index, 0, STRIA_INDEX_RAISE, NULL));
    ASSERT_SHAPE(&out, 3, 5);
    stria_array_release(&out);
    ok(stria_index_copy(&a, &index, &b, 0, STRIA_REDUCE_NONE, NULL));
    mask = OF(truth, BOOL, 3, 1);
    ok(stria_masked_fill(&a, &mask, &b, NULL));
    ok(stria_masked_scatter(&a, &mask, &b, NULL));
    ok(stria_elementwise_new(&out, STRIA_WHERE, 3, (const stria_view *[]){&mask, &a, &b}, NULL));
    stria_array_release(&out);
    assert_memory_equal(memory, before, sizeof memory);

    rows[1] = 3; /* none of them is read, and they are checked all the same */
    assert_int_equal(stria_take_dim_new(&out, &a, &index, 0, STRIA_INDEX_RAISE, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_index_copy(&a, &index, &b, 0, STRIA_REDUCE_NONE, NULL), STRIA_ERR_INDEX);
}

/* More rows of indices than are located at a time; their lengths do not divide that number. */
TEST(many_short_rows)
{
    enum { ROWS = 700, COLUMNS = 9 };
    static int64_t values[ROWS * COLUMNS];
    stria_array a = AWKWARD(0, ROWS, COLUMNS), out = {0};
    stria_view index = OF(values, I64, ROWS, COLUMNS);
    for (int64_t k = 0; k < ROWS * COLUMNS; k++)
        values[k] = (k * 5 + k / COLUMNS) % COLUMNS;
    for (int from_end = 0; from_end < 2; from_end++) {
        for (int64_t k = 0; k < from_end * ROWS * COLUMNS; k += 2)
            values[k] -= COLUMNS;
        ok(stria_take_along_dim_new(&out, &a.view, &index, 1, NULL));
        int64_t i[2] = {0};
        do {
            const int64_t column = values[COLUMNS * i[0] + i[1]];
            const int64_t from[] = {i[0], column < 0 ? column + COLUMNS : column};
            assert_int_equal(at(&out.view, i), at(&a.view, from));
        } while (next(i, &out.view));
        stria_array_release(&out);
    }
    values[ROWS * COLUMNS - 2] = COLUMNS;
    assert_int_equal(stria_take_along_dim_new(&out, &a.view, &index, 1, NULL), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "index 9 is out of range for dim 1 of size 9"));
    stria_array_release(&a);
}

TEST_MAIN(NULL, NULL)
