/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advanced indexing, read and written: the shapes, and the order in memory, that NumPy and PyTorch
 * give.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/indices.h"
#include "support/by_value.h"
#include "support/test.h"

#define ALL                                                                                        \
    {                                                                                              \
        STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, STRIA_NONE, NULL                                \
    }
#define BACKWARDS                                                                                  \
    {                                                                                              \
        STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1, NULL                                        \
    }
#define INT(i)                                                                                     \
    {                                                                                              \
        STRIA_INDEX_INT, i, 0, 0, NULL                                                             \
    }
#define NEW                                                                                        \
    {                                                                                              \
        STRIA_INDEX_NEWAXIS, 0, 0, 0, NULL                                                         \
    }
#define DOTS                                                                                       \
    {                                                                                              \
        STRIA_INDEX_ELLIPSIS, 0, 0, 0, NULL                                                        \
    }
#define ARRAY(v)                                                                                   \
    {                                                                                              \
        STRIA_INDEX_ARRAY, 0, 0, 0, v                                                              \
    }

TEST(advanced_shapes)
{
    stria_array a = AWKWARD(0, 2, 3, 4), out = {0};
    int64_t pair_[] = {0, 1};
    uint8_t truth[] = {1, 0, 1, 1, 0, 1}, yes_ = 1, no_ = 0;
    const stria_view pair = OF(pair_, I64, 2), one = OF(pair_, I64, 1),
                     column = OF(pair_, I64, 2, 1);
    const stria_view mask = OF(truth, BOOL, 2, 3), row = OF(truth, BOOL, 3);
    const stria_view yes = of(&yes_, STRIA_BOOL, 0, NULL), no = of(&no_, STRIA_BOOL, 0, NULL);
    const struct {
        int count, ndim;
        stria_index_item items[4];
        int64_t numpy[5], torch[5];
    } cases[] = {
        {3, 2, {INT(0), ALL, ARRAY(&pair)}, {2, 3}, {3, 2}},
        {3, 2, {INT(0), DOTS, ARRAY(&pair)}, {2, 3}, {3, 2}},
        {3, 2, {ALL, INT(0), ARRAY(&pair)}, {2, 2}, {2, 2}},
        {4, 3, {ALL, ARRAY(&one), NEW, ARRAY(&one)}, {1, 2, 1}, {1, 2, 1}},
        {1, 3, {ARRAY(&pair)}, {2, 3, 4}, {2, 3, 4}},
        {2, 4, {ALL, ARRAY(&column)}, {2, 2, 1, 4}, {2, 2, 1, 4}},
        {3, 3, {ARRAY(&column), BACKWARDS, ARRAY(&pair)}, {2, 2, 3}, {2, 2, 3}},
        {1, 2, {ARRAY(&mask)}, {4, 4}, {4, 4}},
        {2, 3, {ALL, ARRAY(&row)}, {2, 2, 4}, {2, 2, 4}},
        {2, 1, {ARRAY(&mask), INT(1)}, {4}, {4}},
        {1, 4, {ARRAY(&yes)}, {1, 2, 3, 4}, {1, 2, 3, 4}},
        {1, 4, {ARRAY(&no)}, {0, 2, 3, 4}, {0, 2, 3, 4}},
        {3, 3, {ARRAY(&yes), ALL, ARRAY(&pair)}, {2, 2, 4}, {2, 2, 4}},
        {3, 3, {ALL, ARRAY(&one), ARRAY(&yes)}, {2, 1, 4}, {2, 1, 4}},
        {3, 1, {ARRAY(&pair), ARRAY(&pair), ARRAY(&pair)}, {2}, {2}},
        {3, 3, {NEW, ARRAY(&pair), INT(2)}, {1, 2, 4}, {1, 2, 4}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (int torch = 0; torch < 2; torch++) {
            ok(stria_index_arrays_new(&out, &a.view, cases[n].count, cases[n].items,
                                      torch ? STRIA_PLACE_TORCH : STRIA_PLACE_NUMPY, NULL));
            assert_shape(&out, cases[n].ndim, torch ? cases[n].torch : cases[n].numpy);
            stria_array_release(&out);
        }
    const stria_index_item mixed[] = {ARRAY(&column), BACKWARDS, ARRAY(&pair)};
    ok(stria_index_arrays_new(&out, &a.view, 3, mixed, STRIA_PLACE_NUMPY, NULL));
    int64_t i[3] = {0};
    do
        assert_int_equal(at(&out.view, i), at(&a.view, (int64_t[]){i[0], 2 - i[2], i[1]}));
    while (next(i, &out.view));
    stria_array_release(&out);
    stria_array_release(&a);
}

/* Results lie in memory as in PyTorch: in the order of the array's strides, then of those of the
 * index arrays, the first one first. */
TEST(picked_layouts)
{
    uint8_t memory[120];
    int64_t places[6] = {0};
    const stria_view x = OF(memory, U8, 4, 5, 6), index = OF(places, I64, 2, 3);
    stria_view swapped, across, down = OF(places, I64, 3, 2);
    ok(stria_transpose(&swapped, &x, 0, 1));
    ok(stria_reverse_dims(&across, &down)); /* 2, 3 column by column */
    const struct {
        const stria_view *a;
        stria_index_item items[2];
        int64_t strides[4];
    } cases[] = {{&x, {ARRAY(&index), DOTS}, {90, 30, 6, 1}},
                 {&x, {ARRAY(&across), DOTS}, {30, 60, 6, 1}},
                 {&swapped, {DOTS, ARRAY(&index)}, {6, 30, 3, 1}},
                 {&swapped, {DOTS, ARRAY(&across)}, {6, 30, 1, 2}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RELEASED stria_array out = {0};
        ok(stria_index_arrays_new(&out, cases[i].a, 2, cases[i].items, STRIA_PLACE_NUMPY, NULL));
        assert_memory_equal(out.view.strides, cases[i].strides, sizeof cases[i].strides);
    }
}

/* Strides of empty arrays may be anything: their products with indices are not computed. */
TEST(empty_with_huge_strides)
{
    double item[2];
    int64_t two_[] = {2};
    RELEASED stria_array out = {0};
    stria_view a;
    const stria_view two = OF(two_, I64, 1);
    const stria_index_item inside[] = {ARRAY(&two), ALL}, outside[] = {INT(2), ARRAY(&two)};
    ok(stria_view_foreign(&a, item, stria_dtype_of(STRIA_C128), 2, (int64_t[]){3, 0},
                          (int64_t[]){INT64_MAX, INT64_MIN}, 0));
    ok(stria_index_arrays_new(&out, &a, 2, inside, STRIA_PLACE_NUMPY, NULL));
    assert_int_equal(stria_numel(&out.view), 0);
    assert_int_equal(stria_index_arrays_new(&out, &a, 2, outside, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_INDEX);
}

TEST(advanced_refusals)
{
    stria_array a = AWKWARD(0, 2, 3), out = {0};
    int64_t three_[] = {0, 1, 2};
    uint8_t truth[] = {1, 0, 1, 1, 0, 1};
    const stria_view pair = OF(three_, I64, 2), three = OF(three_, I64, 3);
    const stria_view tall = OF(truth, BOOL, 3, 2);
    const stria_index_item shapes[] = {ARRAY(&pair), ARRAY(&three)}, range[] = {ARRAY(&three)},
                           mask[] = {ARRAY(&tall)}, many[] = {ARRAY(&pair), INT(0), ALL},
                           view[] = {ALL};
    assert_int_equal(stria_index_arrays_new(&out, &a.view, 2, shapes, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_BROADCAST);
    assert_int_equal(stria_index_arrays_new(&out, &a.view, 1, range, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_index_arrays_new(&out, &a.view, 1, mask, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(3, 2)"));
    assert_int_equal(stria_index_arrays_new(&out, &a.view, 3, many, STRIA_PLACE_NUMPY, NULL),
                     STRIA_ERR_INDEX);
    stria_view v;
    assert_int_equal(stria_index(&v, &a.view, 1, shapes), STRIA_ERR_ARGUMENT);
    ok(stria_index_arrays_new(&out, &a.view, 1, view, STRIA_PLACE_NUMPY, NULL));
    stria_array_release(&out);
    stria_array_release(&a);
}

TEST(index_puts)
{
    stria_array dst = AWKWARD(0, 3, 4), values = AWKWARD(100, 1, 2, 4);
    int64_t rows_[] = {1, -2}, flat_[] = {5, 5, 0};
    const stria_view rows = OF(rows_, I64, 2), flat = OF(flat_, I64, 3);
    const stria_index_item items[] = {ARRAY(&rows)}, corner[] = {INT(0), INT(0)};
    const int32_t before = at(&dst.view, (int64_t[]){2, 3});
    ok(stria_index_put(&dst.view, 1, items, &values.view, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE,
                       NULL));
    for (int64_t k = 0; k < 4; k++) /* both name row 1: the last one stays */
        assert_int_equal(at(&dst.view, (int64_t[]){1, k}), at(&values.view, (int64_t[]){0, 1, k}));
    assert_int_equal(at(&dst.view, (int64_t[]){2, 3}), before);
    ok(stria_index_put(&dst.view, 1, items, &values.view, STRIA_PLACE_NUMPY, STRIA_REDUCE_SUM,
                       NULL));
    assert_int_equal(at(&dst.view, (int64_t[]){1, 2}), 2 * at(&values.view, (int64_t[]){0, 1, 2}) +
                                                           at(&values.view, (int64_t[]){0, 0, 2}));
    double two = 2.5;
    const stria_view scalar = of(&two, STRIA_F64, 0, NULL);
    ok(stria_index_put(&dst.view, 2, corner, &scalar, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE, NULL));
    assert_int_equal(at(&dst.view, (int64_t[]){0, 0}), 2);
    ok(stria_put(&dst.view, &flat, &scalar, STRIA_INDEX_RAISE, STRIA_REDUCE_PROD, NULL));
    assert_int_equal(at(&dst.view, (int64_t[]){0, 0}), 4);

    /* values that lie in dst are read before anything is written */
    stria_view reversed;
    int64_t all_[] = {0, 1, 2};
    const stria_view all = OF(all_, I64, 3);
    const stria_index_item every[] = {ARRAY(&all)};
    int32_t want[3][4];
    int64_t k[2] = {0};
    do
        want[2 - k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    const int zero = 0;
    ok(stria_flip(&reversed, &dst.view, 1, &zero));
    ok(stria_index_put(&dst.view, 1, every, &reversed, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE, NULL));
    do
        assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    stria_view readonly = readonly_of(&dst.view);
    assert_int_equal(
        stria_index_put(&readonly, 1, every, &reversed, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE, NULL),
        STRIA_ERR_READONLY);
    stria_array_release(&values);
    stria_array_release(&dst);
}

TEST_MAIN(NULL, NULL)
