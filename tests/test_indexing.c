/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indexing by arrays against its definition, element by element: who gathers, scatters or combines
 * here is a loop over all indices. The layouts are transposed and reversed, so that no test passes
 * on dense memory alone; the shapes of advanced indexing are those that NumPy and PyTorch give.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"
#include "support/indices.h"

#define KIND(kind) stria_dtype_of(STRIA_##kind)

/* i32 counting up from first; dims in reverse memory order, the last one read backwards. */
static stria_array awkward(int32_t first, int ndim, const int64_t *shape)
{
    stria_array a = counting(first, ndim, shape);
    const int last = -1;
    assert_int_equal(stria_flip(&a.view, &a.view, ndim > 0, &last), STRIA_OK);
    return a;
}

#define COUNT(...) ((int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
#define AWKWARD(first, ...) awkward(first, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})

static stria_view of(void *data, stria_kind kind, int ndim, const int64_t *shape)
{
    stria_view v;
    assert_int_equal(stria_view_foreign(&v, data, stria_dtype_of(kind), ndim, shape, NULL, 0),
                     STRIA_OK);
    return v;
}

#define OF(data, kind, ...) of(data, STRIA_##kind, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})

static void assert_shape(const stria_array *a, int ndim, const int64_t *shape)
{
    assert_int_equal(a->view.ndim, ndim);
    assert_memory_equal(a->view.shape, shape, (size_t)ndim * sizeof *shape);
}

#define ASSERT_SHAPE(a, ...) assert_shape(a, COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})

static void take_flat_and_dim(void **state)
{
    (void)state;
    stria_array a = AWKWARD(0, 3, 4, 5), out;
    int16_t i16[] = {0, 59, -1, 17, -60, 31};
    stria_view index = OF(i16, I16, 2, 3);
    assert_int_equal(stria_take(&out, &a.view, &index, STRIA_INDEX_RAISE), STRIA_OK);
    ASSERT_SHAPE(&out, 2, 3);
    for (int k = 0; k < 6; k++) {
        const int64_t flat = i16[k] < 0 ? i16[k] + 60 : i16[k];
        const int64_t from[] = {flat / 20, flat / 5 % 4, flat % 5}, to[] = {k / 3, k % 3};
        assert_int_equal(at(&out.view, to), at(&a.view, from));
    }
    stria_array_release(&out);
    assert_int_equal(stria_take(&out, &a.view, &index, STRIA_INDEX_STRICT), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "-1"));

    uint8_t u8[] = {3, 0, 2, 3};
    index = OF(u8, U8, 2, 2);
    for (int dim = -2; dim <= 1; dim += 3) {
        assert_int_equal(stria_take_dim(&out, &a.view, &index, dim, STRIA_INDEX_RAISE), STRIA_OK);
        ASSERT_SHAPE(&out, 3, 2, 2, 5);
        int64_t i[4] = {0};
        do assert_int_equal(at(&out.view, i),
                            at(&a.view, (int64_t[]){i[0], u8[2 * i[1] + i[2]], i[3]}));
        while (next(i, &out.view));
        stria_array_release(&out);
    }
    assert_int_equal(stria_take_dim(&out, &a.view, &index, 0, STRIA_INDEX_RAISE), STRIA_ERR_INDEX);
    assert_non_null(strstr(stria_last_error(), "index 3 is out of range for dim 0 of size 3"));

    int64_t wild[] = {INT64_MIN, -7, 9, INT64_MAX};
    index = OF(wild, I64, 4);
    const int64_t wrapped[] = {(INT64_MIN % 5 + 5) % 5, 3, 4, INT64_MAX % 5}, cut[] = {0, 0, 4, 4};
    for (int mode = STRIA_INDEX_WRAP; mode <= STRIA_INDEX_CLIP; mode++) {
        assert_int_equal(stria_take_dim(&out, &a.view, &index, 2, (stria_index_mode)mode), STRIA_OK);
        for (int64_t k = 0; k < 4; k++)
            assert_int_equal(at(&out.view, (int64_t[]){2, 1, k}),
                             at(&a.view, (int64_t[]){2, 1, mode == STRIA_INDEX_WRAP ? wrapped[k]
                                                                                      : cut[k]}));
        stria_array_release(&out);
    }
    uint64_t huge[] = {UINT64_MAX};
    index = OF(huge, U64, 1);
    assert_int_equal(stria_take(&out, &a.view, &index, STRIA_INDEX_RAISE), STRIA_ERR_INDEX);
    float f32[] = {0};
    index = OF(f32, F32, 1);
    assert_int_equal(stria_take(&out, &a.view, &index, STRIA_INDEX_RAISE), STRIA_ERR_DTYPE);
    stria_array_release(&a);
}

static void gather_and_scatter(void **state)
{
    (void)state;
    stria_array a = AWKWARD(0, 3, 4), out;
    int64_t rows[] = {2, 0, 1, 2, 2, 0};
    stria_view index = OF(rows, I64, 2, 3);
    assert_int_equal(stria_gather(&out, &a.view, 0, &index), STRIA_OK);
    ASSERT_SHAPE(&out, 2, 3);
    int64_t i[2] = {0};
    do assert_int_equal(at(&out.view, i), at(&a.view, (int64_t[]){rows[3 * i[0] + i[1]], i[1]}));
    while (next(i, &out.view));

    stria_array dst = AWKWARD(100, 3, 4);
    int32_t want[3][4];
    int64_t k[2] = {0};
    do want[k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    do want[rows[3 * i[0] + i[1]]][i[1]] = at(&out.view, i);
    while (next(i, &out.view));
    assert_int_equal(stria_scatter(&dst.view, 0, &index, &out.view, STRIA_REDUCE_NONE), STRIA_OK);
    do assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    do want[rows[3 * i[0] + i[1]]][i[1]] += at(&out.view, i);
    while (next(i, &out.view));
    assert_int_equal(stria_scatter(&dst.view, -2, &index, &out.view, STRIA_REDUCE_SUM), STRIA_OK);
    do assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    int32_t one = -5;
    stria_view scalar = of(&one, STRIA_I32, 0, NULL);
    assert_int_equal(stria_scatter(&dst.view, 0, &index, &scalar, STRIA_REDUCE_MIN), STRIA_OK);
    assert_int_equal(at(&dst.view, (int64_t[]){2, 0}), -5);

    rows[5] = -1;
    assert_int_equal(stria_scatter(&dst.view, 0, &index, &scalar, STRIA_REDUCE_NONE),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_gather(&out, &a.view, 2, &index), STRIA_ERR_DIM);
    stria_view wrong = OF(rows, I64, 6);
    assert_int_equal(stria_gather(&out, &a.view, 0, &wrong), STRIA_ERR_SHAPE);
    stria_array_release(&out);
    stria_array_release(&dst);

    int64_t columns[] = {3, -4, 0};
    stria_view narrow = OF(columns, I64, 3, 1);
    assert_int_equal(stria_take_along_dim(&out, &a.view, &narrow, 1), STRIA_OK);
    ASSERT_SHAPE(&out, 3, 1);
    assert_int_equal(at(&out.view, (int64_t[]){1, 0}), at(&a.view, (int64_t[]){1, 0}));
    stria_array_release(&out);
    stria_array_release(&a);
}

static void index_copies(void **state)
{
    (void)state;
    stria_array dst = AWKWARD(0, 4, 3), src = AWKWARD(1000, 4, 2);
    int32_t names[] = {2, 0}, want[4][3];
    int64_t k[2] = {0};
    do want[k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    do want[k[0]][names[k[1]]] = at(&src.view, k);
    while (next(k, &src.view));
    stria_view index = OF(names, I32, 2);
    assert_int_equal(stria_index_copy(&dst.view, 1, &index, &src.view, STRIA_REDUCE_NONE), STRIA_OK);
    do assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));
    int32_t minus = -3;
    const stria_view alpha = of(&minus, STRIA_I32, 0, NULL);
    assert_int_equal(stria_index_add(&dst.view, 1, &index, &src.view, &alpha), STRIA_OK);
    for (int64_t row = 0; row < 4; row++) {
        want[row][2] -= 3 * at(&src.view, (int64_t[]){row, 0});
        want[row][0] -= 3 * at(&src.view, (int64_t[]){row, 1});
    }
    do assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));
    names[1] = 2; /* both add to the same column */
    assert_int_equal(stria_index_copy(&dst.view, 1, &index, &src.view, STRIA_REDUCE_SUM), STRIA_OK);
    assert_int_equal(at(&dst.view, (int64_t[]){3, 2}),
                     want[3][2] + at(&src.view, (int64_t[]){3, 0}) +
                         at(&src.view, (int64_t[]){3, 1}));
    stria_array_release(&dst);
    stria_array_release(&src);
}

/* Expanded masks and destinations are as large as somebody says; the time is not. */
static void masks_of_any_size(void **state)
{
    (void)state;
    enum { OF_ALL = 3 };
    const int64_t huge = INT64_C(1) << 30, huge_shape[] = {huge, OF_ALL, huge / 2};
    uint8_t bytes[OF_ALL] = {1, 0, 5};
    int32_t item = 3;
    stria_view mask = OF(bytes, BOOL, OF_ALL, 1), a = OF(&item, I32, 1), all;
    stria_array values = AWKWARD(0, 1), out;
    assert_int_equal(stria_expand(&all, &a, 3, huge_shape), STRIA_OK);
    assert_int_equal(stria_masked_select(&out, &all, &mask),
                     sizeof(void *) < 8 ? STRIA_ERR_OVERFLOW : STRIA_ERR_MEMORY);
    assert_non_null(strstr(stria_last_error(), "4611686018427387904 bytes"));
    assert_int_equal(stria_masked_scatter(&all, &mask, &values.view), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "1152921504606846976"));
    double seven = 7;
    stria_view value = of(&seven, STRIA_F64, 0, NULL);
    assert_int_equal(stria_masked_fill(&all, &mask, &value), STRIA_OK);
    assert_int_equal(item, 7);
    stria_array_release(&values);
}

static void masks(void **state)
{
    (void)state;
    stria_array a = AWKWARD(0, 2, 3), out, src = AWKWARD(50, 6);
    uint8_t bytes[] = {0, 1, 200, 1, 0, 0};
    stria_view mask = OF(bytes, BOOL, 2, 3), row = OF(bytes, BOOL, 3);
    assert_int_equal(stria_masked_select(&out, &a.view, &mask), STRIA_OK);
    ASSERT_SHAPE(&out, 3);
    assert_int_equal(at(&out.view, (int64_t[]){1}), at(&a.view, (int64_t[]){0, 2}));
    assert_int_equal(at(&out.view, (int64_t[]){2}), at(&a.view, (int64_t[]){1, 0}));
    stria_array_release(&out);
    assert_int_equal(stria_masked_select(&out, &a.view, &row), STRIA_OK);
    ASSERT_SHAPE(&out, 4);
    stria_array_release(&out);

    const int32_t kept = at(&a.view, (int64_t[]){1, 2});
    double seven = 7.9;
    stria_view value = of(&seven, STRIA_F64, 0, NULL);
    assert_int_equal(stria_masked_fill(&a.view, &mask, &value), STRIA_OK);
    assert_int_equal(at(&a.view, (int64_t[]){0, 2}), 7);
    assert_int_equal(at(&a.view, (int64_t[]){1, 2}), kept);
    assert_int_equal(stria_masked_scatter(&a.view, &mask, &src.view), STRIA_OK);
    assert_int_equal(at(&a.view, (int64_t[]){0, 1}), at(&src.view, (int64_t[]){0}));
    assert_int_equal(at(&a.view, (int64_t[]){1, 0}), at(&src.view, (int64_t[]){2}));
    assert_int_equal(at(&a.view, (int64_t[]){1, 2}), kept);
    stria_view few;
    assert_int_equal(stria_narrow(&few, &src.view, 0, 0, 2), STRIA_OK);
    assert_int_equal(stria_masked_scatter(&a.view, &mask, &few), STRIA_ERR_SHAPE);
    assert_int_equal(stria_masked_select(&out, &a.view, &value), STRIA_ERR_DTYPE);
    stria_view two = OF(bytes, BOOL, 2);
    assert_int_equal(stria_masked_select(&out, &a.view, &two), STRIA_ERR_BROADCAST);

    assert_int_equal(stria_where(&out, &row, &a.view, &src.view), STRIA_ERR_BROADCAST);
    stria_view part;
    assert_int_equal(stria_narrow(&part, &src.view, 0, 1, 3), STRIA_OK);
    assert_int_equal(stria_where(&out, &mask, &a.view, &part), STRIA_OK);
    int64_t i[2] = {0};
    do assert_int_equal(at(&out.view, i), bytes[3 * i[0] + i[1]] ? at(&a.view, i)
                                                                 : at(&part, i + 1));
    while (next(i, &out.view));
    stria_array_release(&out);

    /* all lie transposed: so does the result; one more in C order, and C order wins */
    stria_view turned, back;
    assert_int_equal(stria_T(&turned, &mask), STRIA_OK);
    stria_array y = AWKWARD(0, 3, 2);
    assert_int_equal(stria_where(&out, &turned, &y.view, &y.view), STRIA_OK);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_F));
    stria_array_release(&out);
    back = OF(bytes, BOOL, 3, 2);
    assert_int_equal(stria_where(&out, &back, &y.view, &y.view), STRIA_OK);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_C));
    stria_array_release(&out);
    stria_array_release(&y);

    assert_int_equal(stria_nonzero(&out, &mask), STRIA_OK);
    ASSERT_SHAPE(&out, 3, 2);
    int64_t found;
    memcpy(&found, address(&out.view, (int64_t[]){2, 0}), 8);
    assert_int_equal(found, 1);
    memcpy(&found, address(&out.view, (int64_t[]){1, 1}), 8);
    assert_int_equal(found, 2);
    stria_array_release(&out);
    stria_array_release(&src);
    stria_array_release(&a);
}

#define ALL        {STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, STRIA_NONE, NULL}
#define BACKWARDS  {STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, -1, NULL}
#define INT(i)     {STRIA_INDEX_INT, i, 0, 0, NULL}
#define NEW        {STRIA_INDEX_NEWAXIS, 0, 0, 0, NULL}
#define DOTS       {STRIA_INDEX_ELLIPSIS, 0, 0, 0, NULL}
#define ARRAY(v)   {STRIA_INDEX_ARRAY, 0, 0, 0, v}

static void advanced_shapes(void **state)
{
    (void)state;
    stria_array a = AWKWARD(0, 2, 3, 4), out;
    int64_t pair_[] = {0, 1};
    uint8_t truth[] = {1, 0, 1, 1, 0, 1}, yes_ = 1, no_ = 0;
    const stria_view pair = OF(pair_, I64, 2), one = OF(pair_, I64, 1), column = OF(pair_, I64, 2, 1);
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
            assert_int_equal(stria_index_arrays(&out, &a.view, cases[n].count, cases[n].items,
                                                torch ? STRIA_PLACE_TORCH : STRIA_PLACE_NUMPY),
                             STRIA_OK);
            assert_shape(&out, cases[n].ndim, torch ? cases[n].torch : cases[n].numpy);
            stria_array_release(&out);
        }
    const stria_index_item mixed[] = {ARRAY(&column), BACKWARDS, ARRAY(&pair)};
    assert_int_equal(stria_index_arrays(&out, &a.view, 3, mixed, STRIA_PLACE_NUMPY), STRIA_OK);
    int64_t i[3] = {0};
    do assert_int_equal(at(&out.view, i), at(&a.view, (int64_t[]){i[0], 2 - i[2], i[1]}));
    while (next(i, &out.view));
    stria_array_release(&out);
    stria_array_release(&a);
}

/* As PyTorch: in the order of the array's strides, then of the index arrays', the first one first. */
static void picked_layouts(void **state)
{
    (void)state;
    uint8_t memory[120];
    int64_t places[6] = {0};
    const stria_view x = OF(memory, U8, 4, 5, 6), index = OF(places, I64, 2, 3);
    stria_view swapped, across, down = OF(places, I64, 3, 2);
    assert_int_equal(stria_transpose(&swapped, &x, 0, 1), STRIA_OK);
    assert_int_equal(stria_T(&across, &down), STRIA_OK); /* 2, 3 column by column */
    const struct {
        const stria_view *a;
        stria_index_item items[2];
        int64_t strides[4];
    } cases[] = {{&x, {ARRAY(&index), DOTS}, {90, 30, 6, 1}},
                 {&x, {ARRAY(&across), DOTS}, {30, 60, 6, 1}},
                 {&swapped, {DOTS, ARRAY(&index)}, {6, 30, 3, 1}},
                 {&swapped, {DOTS, ARRAY(&across)}, {6, 30, 1, 2}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stria_array out;
        assert_int_equal(stria_index_arrays(&out, cases[i].a, 2, cases[i].items, STRIA_PLACE_NUMPY),
                         STRIA_OK);
        assert_memory_equal(out.view.strides, cases[i].strides, sizeof cases[i].strides);
        stria_array_release(&out);
    }
}

static void advanced_refusals(void **state)
{
    (void)state;
    stria_array a = AWKWARD(0, 2, 3), out;
    int64_t three_[] = {0, 1, 2};
    uint8_t truth[] = {1, 0, 1, 1, 0, 1};
    const stria_view pair = OF(three_, I64, 2), three = OF(three_, I64, 3);
    const stria_view tall = OF(truth, BOOL, 3, 2);
    const stria_index_item shapes[] = {ARRAY(&pair), ARRAY(&three)}, range[] = {ARRAY(&three)},
                           mask[] = {ARRAY(&tall)}, many[] = {ARRAY(&pair), INT(0), ALL},
                           view[] = {ALL};
    assert_int_equal(stria_index_arrays(&out, &a.view, 2, shapes, STRIA_PLACE_NUMPY),
                     STRIA_ERR_BROADCAST);
    assert_int_equal(stria_index_arrays(&out, &a.view, 1, range, STRIA_PLACE_NUMPY),
                     STRIA_ERR_INDEX);
    assert_int_equal(stria_index_arrays(&out, &a.view, 1, mask, STRIA_PLACE_NUMPY), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(3, 2)"));
    assert_int_equal(stria_index_arrays(&out, &a.view, 3, many, STRIA_PLACE_NUMPY), STRIA_ERR_INDEX);
    stria_view v;
    assert_int_equal(stria_index(&v, &a.view, 1, shapes), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_index_arrays(&out, &a.view, 1, view, STRIA_PLACE_NUMPY), STRIA_OK);
    stria_array_release(&out);
    stria_array_release(&a);
}

static void index_puts(void **state)
{
    (void)state;
    stria_array dst = AWKWARD(0, 3, 4), values = AWKWARD(100, 1, 2, 4);
    int64_t rows_[] = {1, -2}, flat_[] = {5, 5, 0};
    const stria_view rows = OF(rows_, I64, 2), flat = OF(flat_, I64, 3);
    const stria_index_item items[] = {ARRAY(&rows)}, corner[] = {INT(0), INT(0)};
    const int32_t before = at(&dst.view, (int64_t[]){2, 3});
    assert_int_equal(stria_index_put(&dst.view, 1, items, &values.view, STRIA_PLACE_NUMPY,
                                     STRIA_REDUCE_NONE), STRIA_OK);
    for (int64_t k = 0; k < 4; k++) /* both name row 1: the last one stays */
        assert_int_equal(at(&dst.view, (int64_t[]){1, k}), at(&values.view, (int64_t[]){0, 1, k}));
    assert_int_equal(at(&dst.view, (int64_t[]){2, 3}), before);
    assert_int_equal(stria_index_put(&dst.view, 1, items, &values.view, STRIA_PLACE_NUMPY,
                                     STRIA_REDUCE_SUM), STRIA_OK);
    assert_int_equal(at(&dst.view, (int64_t[]){1, 2}),
                     2 * at(&values.view, (int64_t[]){0, 1, 2}) +
                         at(&values.view, (int64_t[]){0, 0, 2}));
    double two = 2.5;
    const stria_view scalar = of(&two, STRIA_F64, 0, NULL);
    assert_int_equal(stria_index_put(&dst.view, 2, corner, &scalar, STRIA_PLACE_NUMPY,
                                     STRIA_REDUCE_NONE), STRIA_OK);
    assert_int_equal(at(&dst.view, (int64_t[]){0, 0}), 2);
    assert_int_equal(stria_put(&dst.view, &flat, &scalar, STRIA_INDEX_RAISE, STRIA_REDUCE_PROD),
                     STRIA_OK);
    assert_int_equal(at(&dst.view, (int64_t[]){0, 0}), 4);

    /* values that lie in dst are read before anything is written */
    stria_view reversed;
    int64_t all_[] = {0, 1, 2};
    const stria_view all = OF(all_, I64, 3);
    const stria_index_item every[] = {ARRAY(&all)};
    int32_t want[3][4];
    int64_t k[2] = {0};
    do want[2 - k[0]][k[1]] = at(&dst.view, k);
    while (next(k, &dst.view));
    const int zero = 0;
    assert_int_equal(stria_flip(&reversed, &dst.view, 1, &zero), STRIA_OK);
    assert_int_equal(stria_index_put(&dst.view, 1, every, &reversed, STRIA_PLACE_NUMPY,
                                     STRIA_REDUCE_NONE), STRIA_OK);
    do assert_int_equal(at(&dst.view, k), want[k[0]][k[1]]);
    while (next(k, &dst.view));

    stria_view readonly = stria_view_readonly(&dst.view);
    assert_int_equal(stria_index_put(&readonly, 1, every, &reversed, STRIA_PLACE_NUMPY,
                                     STRIA_REDUCE_NONE), STRIA_ERR_READONLY);
    stria_array_release(&values);
    stria_array_release(&dst);
}

/* Each dtype's combining loop on values whose results are known. */
static void combining_dtypes(void **state)
{
    (void)state;
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
            assert_int_equal(stria_copy(&a, &from6), STRIA_OK);
            assert_int_equal(stria_copy(&b, &from2), STRIA_OK);
            const stria_status status =
                stria_index_copy(&a, 0, &index, &b, (stria_reduce)reduce);
            if (kind >= STRIA_C64 && reduce >= STRIA_REDUCE_MIN) {
                assert_int_equal(status, STRIA_ERR_DTYPE);
                continue;
            }
            assert_int_equal(status, STRIA_OK);
            stria_view first;
            assert_int_equal(stria_select(&first, &a, 0, 0), STRIA_OK);
            assert_int_equal(stria_copy(&r, &first), STRIA_OK);
            const double number[] = {8, 12, 2, 6};
            assert_true(result == (kind == STRIA_BOOL ? 1 : number[reduce - STRIA_REDUCE_SUM]));
        }
    float x[] = {1}, nan_ = (float)(0.0 / (double)place);
    stria_view xs = OF(x, F32, 1), nans = of(&nan_, STRIA_F32, 0, NULL);
    assert_int_equal(stria_index_copy(&xs, 0, &index, &nans, STRIA_REDUCE_MAX), STRIA_OK);
    assert_true(x[0] != x[0]);
    int8_t small[] = {100};
    stria_view smalls = OF(small, I8, 1);
    assert_int_equal(stria_index_copy(&smalls, 0, &index, &smalls, STRIA_REDUCE_SUM), STRIA_OK);
    assert_int_equal(small[0], (int8_t)200);
}

/* What the reductions make of 10 and of 3, 4 and 6 for the same place; 20 stays. */
static void means(void **state)
{
    (void)state;
    int64_t place[] = {0, 0, 0};
    const stria_view index = OF(place, I64, 3);
    for (int include_self = 0; include_self <= 1; include_self++)
        for (int kind = STRIA_I8; kind <= STRIA_C128; kind++) {
            double given[] = {10, 20}, added[] = {3, 4, 6}, result[2];
            char dst_[32], src_[48];
            stria_view dst = OF(dst_, U8, 2), src = OF(src_, U8, 3), r = OF(result, F64, 2);
            const stria_view g = OF(given, F64, 2), b = OF(added, F64, 3);
            dst.dtype = stria_dtype_swap(stria_dtype_of((stria_kind)kind)); /* the other byte order */
            src.dtype = stria_dtype_of((stria_kind)kind);
            dst.strides[0] = src.strides[0] = src.dtype.itemsize;
            assert_int_equal(stria_copy(&dst, &g), STRIA_OK);
            assert_int_equal(stria_copy(&src, &b), STRIA_OK);
            assert_int_equal(stria_index_reduce(&dst, 0, &index, &src, STRIA_REDUCE_MEAN,
                                                include_self), STRIA_OK);
            assert_int_equal(stria_copy(&r, &dst), STRIA_OK);
            const bool whole = kind <= STRIA_U64;
            const double mean = include_self ? 23.0 / 4 : 13.0 / 3;
            const double error = result[0] - (whole ? floor(mean) : mean);
            assert_true(fabs(error) <= (kind == STRIA_F8E5M2 ? 0.5 : kind == STRIA_F8E4M3 ? 0.25
                                        : kind <= STRIA_BF16 ? 0.02 : 1e-6));
            assert_true(result[1] == 20);
        }
    int64_t below[] = {-5}, less[] = {-2, 0, -4};
    const stria_view belows = OF(below, I64, 1), lesses = OF(less, I64, 3);
    assert_int_equal(stria_scatter(&belows, 0, &index, &lesses, STRIA_REDUCE_MEAN), STRIA_OK);
    assert_int_equal(below[0], -3); /* -11 / 4 */
}

/* The same of views with lazy values, and what has no mean changes nothing. */
static void combining_lazy(void **state)
{
    (void)state;
    int64_t place[] = {1, 1};
    double x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
    const stria_view index = OF(place, I64, 2), all = OF(x, C128, 2), src = OF(y, C128, 2);
    stria_view lazy;
    assert_int_equal(stria_conj(&lazy, &all), STRIA_OK);
    assert_int_equal(stria_scatter(&lazy, 0, &index, &src, STRIA_REDUCE_SUM), STRIA_OK);
    const double want[] = {1, 2, 43, 4 - 60}; /* 3 - 4i + 10 + 20i + 30 + 40i, stored conjugated */
    assert_memory_equal(x, want, sizeof x);
    assert_int_equal(stria_scatter(&lazy, 0, &index, &src, STRIA_REDUCE_MAX), STRIA_ERR_DTYPE);
    uint8_t truths[] = {0, 1};
    const stria_view mask = OF(truths, BOOL, 2);
    assert_int_equal(stria_scatter(&mask, 0, &index, &mask, STRIA_REDUCE_MEAN), STRIA_ERR_DTYPE);
    assert_int_equal(stria_scatter_reduce(&mask, 0, &index, &mask, STRIA_REDUCE_SUM, false), STRIA_OK);
    assert_int_equal(truths[1], 1);
    place[1] = 2; /* beyond */
    assert_int_equal(stria_scatter_reduce(&all, 0, &index, &src, STRIA_REDUCE_MEAN, false),
                     STRIA_ERR_INDEX);
    assert_memory_equal(x, want, sizeof x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take_flat_and_dim), cmocka_unit_test(gather_and_scatter),
        cmocka_unit_test(index_copies),      cmocka_unit_test(masks_of_any_size),
        cmocka_unit_test(masks),
        cmocka_unit_test(advanced_shapes),   cmocka_unit_test(advanced_refusals),
        cmocka_unit_test(index_puts),        cmocka_unit_test(combining_dtypes),
        cmocka_unit_test(means),             cmocka_unit_test(combining_lazy),
        cmocka_unit_test(picked_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
