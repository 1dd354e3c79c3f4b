/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks against their definition, on layouts that are transposed and reversed. */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/indices.h"
#include "support/test.h"

static stria_status choose(stria_array *out, const stria_view *condition, const stria_view *x,
                           const stria_view *y)
{
    return stria_elementwise_new(out, STRIA_WHERE, 3, (const stria_view *[]){condition, x, y},
                                 NULL);
}

/* Expanded masks and destinations may be huge, but the call must not take longer. */
TEST(masks_of_any_size)
{
    enum { OF_ALL = 3 };
    const int64_t huge = INT64_C(1) << 30, huge_shape[] = {huge, OF_ALL, huge / 2};
    uint8_t bytes[OF_ALL] = {1, 0, 5};
    int32_t item = 3;
    stria_view mask = OF(bytes, BOOL, OF_ALL, 1), a = OF(&item, I32, 1), all;
    stria_array values = AWKWARD(0, 1), out = {0};
    ok(stria_expand(&all, &a, 3, huge_shape));
    assert_int_equal(stria_masked_select_new(&out, &all, &mask, NULL),
                     sizeof(void *) < 8 ? STRIA_ERR_OVERFLOW : STRIA_ERR_MEMORY);
    assert_non_null(strstr(stria_last_error(), "4611686018427387904 bytes"));
    assert_int_equal(stria_masked_scatter(&all, &mask, &values.view, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "1152921504606846976"));
    uint8_t no = 0;
    stria_view none = of(&no, STRIA_BOOL, 0, NULL);
    ok(stria_masked_select_new(&out, &all, &none, NULL));
    ASSERT_SHAPE(&out, 0);
    stria_array_release(&out);
    ok(stria_masked_scatter(&all, &none, &values.view, NULL));
    assert_int_equal(item, 3);
    double seven = 7;
    stria_view value = of(&seven, STRIA_F64, 0, NULL);
    ok(stria_masked_fill(&all, &mask, &value, NULL));
    assert_int_equal(item, 7);
    stria_array_release(&values);
}

TEST(masks)
{
    stria_array a = AWKWARD(0, 2, 3), out = {0}, src = AWKWARD(50, 6);
    uint8_t bytes[] = {0, 1, 200, 1, 0, 0};
    stria_view mask = OF(bytes, BOOL, 2, 3), row = OF(bytes, BOOL, 3);
    ok(stria_masked_select_new(&out, &a.view, &mask, NULL));
    ASSERT_SHAPE(&out, 3);
    assert_int_equal(at(&out.view, (int64_t[]){1}), at(&a.view, (int64_t[]){0, 2}));
    assert_int_equal(at(&out.view, (int64_t[]){2}), at(&a.view, (int64_t[]){1, 0}));
    stria_array_release(&out);
    ok(stria_masked_select_new(&out, &a.view, &row, NULL));
    ASSERT_SHAPE(&out, 4);
    stria_array_release(&out);

    const int32_t kept = at(&a.view, (int64_t[]){1, 2});
    double seven = 7.9;
    stria_view value = of(&seven, STRIA_F64, 0, NULL);
    ok(stria_masked_fill(&a.view, &mask, &value, NULL));
    assert_int_equal(at(&a.view, (int64_t[]){0, 2}), 7);
    assert_int_equal(at(&a.view, (int64_t[]){1, 2}), kept);
    ok(stria_masked_scatter(&a.view, &mask, &src.view, NULL));
    assert_int_equal(at(&a.view, (int64_t[]){0, 1}), at(&src.view, (int64_t[]){0}));
    assert_int_equal(at(&a.view, (int64_t[]){1, 0}), at(&src.view, (int64_t[]){2}));
    assert_int_equal(at(&a.view, (int64_t[]){1, 2}), kept);
    stria_view few;
    ok(stria_narrow(&few, &src.view, 0, 0, 2));
    assert_int_equal(stria_masked_scatter(&a.view, &mask, &few, NULL), STRIA_ERR_SHAPE);
    assert_int_equal(stria_masked_select_new(&out, &a.view, &value, NULL), STRIA_ERR_DTYPE);
    stria_view two = OF(bytes, BOOL, 2);
    assert_int_equal(stria_masked_select_new(&out, &a.view, &two, NULL), STRIA_ERR_BROADCAST);
    const int64_t tall[] = {INT64_C(1) << 40, 1}, wide[] = {1, INT64_C(1) << 40};
    stria_view column, line;
    ok(stria_expand(&column, &value, 2, tall));
    ok(stria_narrow(&line, &row, 0, 0, 1));
    ok(stria_expand(&line, &line, 2, wide));
    assert_int_equal(stria_masked_select_new(&out, &column, &line, NULL), STRIA_ERR_OVERFLOW);

    assert_int_equal(choose(&out, &row, &a.view, &src.view), STRIA_ERR_BROADCAST);
    stria_view part;
    ok(stria_narrow(&part, &src.view, 0, 1, 3));
    ok(choose(&out, &mask, &a.view, &part));
    int64_t i[2] = {0};
    do
        assert_int_equal(at(&out.view, i),
                         bytes[3 * i[0] + i[1]] ? at(&a.view, i) : at(&part, i + 1));
    while (next(i, &out.view));
    stria_array_release(&out);

    /* all operands are transposed, and so is the result; with one in C order the result is in C
     * order */
    stria_view turned, back;
    ok(stria_reverse_dims(&turned, &mask));
    stria_array y = AWKWARD(0, 3, 2);
    ok(choose(&out, &turned, &y.view, &y.view));
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_F));
    stria_array_release(&out);
    back = OF(bytes, BOOL, 3, 2);
    ok(choose(&out, &back, &y.view, &y.view));
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_C));
    stria_array_release(&out);
    stria_array_release(&y);

    ok(stria_nonzero_new(&out, &mask, NULL));
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

/*
 * Rows, columns and planes of many sizes, selected by a mask in the same order or another one, or
 * by one that is the same along a dim; and the mask as an index of all dims.
 */
TEST(masks_in_any_order)
{
    enum { ROWS = 37, COLUMNS = 70, ALL = ROWS * COLUMNS };
    static int32_t a[ALL], b[ALL];
    static uint8_t bytes[ALL];
    for (int i = 0; i < ALL; i++) {
        a[i] = i;
        b[i] = -i;
        bytes[i] = (uint8_t)(i * 7 % 5 < 2 ? 0 : i % 3);
    }
    const int64_t wide[] = {ROWS, COLUMNS};
    for (int layout = 0; layout < 4; layout++) {
        stria_view x = OF(a, I32, ROWS, COLUMNS), y = OF(b, I32, ROWS, COLUMNS), mask;
        RELEASED stria_array out = {0}, filled = {0};
        if (layout == 0) mask = OF(bytes, BOOL, ROWS, COLUMNS);
        if (layout == 1) {
            mask = OF(bytes, BOOL, COLUMNS, ROWS);
            ok(stria_reverse_dims(&mask, &mask));
        }
        if (layout >= 2) {
            mask = OF(bytes, BOOL, ROWS, 1);
            if (layout == 3) mask = OF(bytes, BOOL, COLUMNS);
            ok(stria_expand(&mask, &mask, 2, wide));
        }
        int32_t one = 1000000;
        const stria_view value = of(&one, STRIA_I32, 0, NULL);
        const stria_index_item item = {STRIA_INDEX_ARRAY, 0, 0, 0, &mask};
        ok(choose(&out, &mask, &x, &y));
        ok(stria_clone_new(&filled, &x, NULL));
        ok(stria_index_put(&filled.view, 1, &item, &value, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE,
                           NULL));
        RELEASED stria_array held = {0}, moved = {0};
        ok(stria_index_arrays_new(&held, &x, 1, &item, STRIA_PLACE_NUMPY, NULL));
        ok(stria_clone_new(&moved, &y, NULL));
        ok(stria_index_put(&moved.view, 1, &item, &held.view, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE,
                           NULL));
        int64_t i[2] = {0}, count = 0;
        do {
            uint8_t holds;
            memcpy(&holds, address(&mask, i), 1);
            assert_int_equal(at(&out.view, i), holds ? at(&x, i) : at(&y, i));
            assert_int_equal(at(&filled.view, i), holds ? one : at(&x, i));
            assert_int_equal(at(&moved.view, i), at(&out.view, i));
            if (holds) assert_int_equal(at(&held.view, (int64_t[]){count++}), at(&x, i));
        } while (next(i, &out.view));
        ASSERT_SHAPE(&held, count);
        stria_view few;
        ok(stria_narrow(&few, &held.view, 0, 0, 2));
        assert_int_equal(stria_index_put(&filled.view, 1, &item, &few, STRIA_PLACE_NUMPY,
                                         STRIA_REDUCE_NONE, NULL),
                         STRIA_ERR_BROADCAST);
    }
}

/* Makes a mask about a third of which is true, dense or not, with dims in any order. */
static stria_array any_mask(const stria_view *like, int layout)
{
    stria_array numbers = counting(0, like->ndim, like->shape), mask = {0};
    const stria_order order = layout & 1 ? STRIA_ORDER_F : STRIA_ORDER_C;
    ok(stria_empty_ordered(&mask, stria_dtype_of(STRIA_BOOL), like->ndim, like->shape, order));
    int64_t i[4] = {0};
    do {
        *address(&mask.view, i) = (char)(at(&numbers.view, i) * 7 % 11 < 4);
    } while (next(i, like));
    if (layout & 2) ok(stria_flip(&mask.view, &mask.view, 1, (int[]){0}));
    stria_array_release(&numbers);
    return mask;
}

static bool holds(const stria_array *mask, const int64_t *i)
{
    return *address(&mask->view, i) != 0;
}

static void check_layouts(const stria_view *a, const stria_view *b, int layout)
{
    stria_array mask = any_mask(a, layout), out = {0}, copy = {0};
    int64_t i[4] = {0}, n = 0;
    ok(stria_masked_select_new(&out, a, &mask.view, NULL));
    do
        if (holds(&mask, i)) assert_int_equal(at(&out.view, &n), at(a, i)), n++;
    while (next(i, a));
    assert_int_equal(n, out.view.shape[0]);

    ok(stria_clone_ordered_new(&copy, b, layout & 4 ? STRIA_ORDER_C : STRIA_ORDER_F, NULL));
    ok(stria_masked_scatter(&copy.view, &mask.view, &out.view, NULL));
    do
        assert_int_equal(at(&copy.view, i), holds(&mask, i) ? at(a, i) : at(b, i));
    while (next(i, a));
    stria_array_release(&out);
    stria_array_release(&copy);

    ok(choose(&out, &mask.view, a, b));
    do
        assert_int_equal(at(&out.view, i), holds(&mask, i) ? at(a, i) : at(b, i));
    while (next(i, a));
    int32_t value = -5;
    const stria_view item = of(&value, STRIA_I32, 0, NULL);
    ok(stria_masked_fill(&out.view, &mask.view, &item, NULL));
    do
        assert_int_equal(at(&out.view, i), holds(&mask, i) ? -5 : at(b, i));
    while (next(i, a));
    stria_array_release(&out);
    stria_array_release(&mask);
}

/* Rows that are short, or dense in some operands only. */
TEST(any_layouts)
{
    static const int64_t shapes[][3] = {{4, 5, 6}, {40, 3, 2}, {2, 3, 90}, {70, 1, 70}};
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        for (int layout = 0; layout < 8; layout++) {
            stria_array a = counting(1, 3, shapes[n]), b = awkward(90000, 3, shapes[n]),
                        dense = {0};
            ok(stria_clone_ordered_new(&dense, &b.view, STRIA_ORDER_C, NULL));
            check_layouts(&a.view, &b.view, layout);
            check_layouts(&dense.view, &a.view, layout);
            check_layouts(&b.view, &dense.view, layout);
            stria_array_release(&a);
            stria_array_release(&b);
            stria_array_release(&dense);
        }
}

/* A permuted view stays lazily conjugated; the conjugation is carried out in the result. */
TEST(lazy_items)
{
    float numbers[90][2][2];
    uint8_t truth[90][2];
    for (int i = 0; i < 360; i++)
        (&numbers[0][0][0])[i] = (float)i;
    memset(truth, 1, sizeof truth);
    const stria_view a = OF(numbers, C64, 90, 2), mask = OF(truth, BOOL, 90, 2);
    stria_view left, half;
    RELEASED stria_array out = {0};
    ok(stria_conj(&left, &a));
    ok(stria_slice(&left, &left, 1, 0, 2, 2));
    ok(stria_slice(&half, &mask, 1, 0, 2, 2));
    ok(stria_masked_select_new(&out, &left, &half, NULL));
    const float *const got = (const float *)(const void *)out.view.data;
    for (int i = 0; i < 90; i++) {
        assert_true(got[2 * i] == (float)(4 * i));
        assert_true(got[2 * i + 1] == -(float)(4 * i + 1));
    }
}

/* Masks whose bytes lie apart, upwards and downwards, of lengths around those of blocks. */
TEST(masks_that_lie_apart)
{
    enum { MOST = 3000, STEP = 3 };
    static bool memory[MOST * STEP];
    static int32_t values[MOST];
    for (int64_t k = 0; k < MOST * STEP; k++)
        memory[k] = k * k % 7 == 2;
    for (int32_t k = 0; k < MOST; k++)
        values[k] = k;
    for (int64_t n = 1; n <= MOST; n += n < 70 ? 1 : 293) {
        const int64_t bytes = n * STEP;
        stria_view all, mask, a = OF(values, I32, n);
        stria_array out = {0};
        ok(stria_view_foreign(&all, memory, stria_dtype_of(STRIA_BOOL), 1, &bytes, NULL,
                              STRIA_READONLY));
        for (int64_t step = -STEP; step <= STEP; step += 2 * STEP) {
            ok(stria_slice(&mask, &all, 0, STRIA_NONE, STRIA_NONE, step));
            ok(stria_masked_select_new(&out, &a, &mask, NULL));
            int64_t held = 0;
            for (int64_t k = 0; k < n; k++) {
                if (!memory[step > 0 ? k * STEP : bytes - 1 - k * STEP]) continue;
                assert_int_equal(at(&out.view, &held), k);
                held++;
            }
            assert_int_equal(out.view.shape[0], held);
            stria_array_release(&out);
        }
    }
}

/* A mask that is a column of a matrix, at distances up to and beyond those at which kernels
 * gather. */
TEST(masks_far_apart)
{
    enum { N = 1000 };
    static const int64_t steps[] = {15, 16, 17, 255, 4096, 8192, 8193, 16384, 65536};
    bool *const memory = calloc(N, 65536);
    int32_t *const values = calloc(N, sizeof *values);
    assert_non_null(memory);
    assert_non_null(values);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        stria_view mask, a = OF(values, I32, N);
        stria_array out = {0};
        for (int64_t i = 0; i < N; i++)
            memory[i * steps[k]] = i % 16 == 3;
        ok(stria_view_foreign(&mask, memory, stria_dtype_of(STRIA_BOOL), 1, (int64_t[]){N},
                              &steps[k], STRIA_READONLY));
        ok(stria_masked_select_new(&out, &a, &mask, NULL));
        assert_int_equal(out.view.shape[0], 63);
        stria_array_release(&out);
        for (int64_t i = 0; i < N; i++)
            memory[i * steps[k]] = false;
    }
    free(memory);
    free(values);
}

/*
 * Long rows under masks that are true nowhere, at a few places, and at many, of items of every
 * size: each item is the value's where the mask is true, and unchanged elsewhere.
 */
TEST(fills_of_long_rows)
{
    enum { N = 5000, MOST = 24 };
    static const int64_t sizes[] = {1, 2, 4, 8, 16, MOST};
    static const uint32_t one_in[] = {0, 1, 2, 300, 2500};
    static _Alignas(64) unsigned char items[N * MOST], mask[N], value[MOST];
    for (int i = 0; i < MOST; i++)
        value[i] = (unsigned char)(200 + i);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t m = 0; m < sizeof one_in / sizeof *one_in; m++) {
            const int64_t item = sizes[k], shape[] = {2, N / 2};
            stria_dtype dtype = stria_dtype_of(STRIA_VOID);
            stria_view a, where, one;
            dtype.itemsize = (int32_t)item;
            for (int i = 0; i < N; i++)
                mask[i] = one_in[m] && (uint32_t)(i * INT64_C(2654435761) >> 7) % one_in[m] == 0
                              ? (unsigned char)(1 + i % 255)
                              : 0;
            memset(items, 7, sizeof items);
            ok(stria_view_foreign(&a, items, dtype, 2, shape, NULL, 0));
            ok(stria_view_foreign(&where, mask, stria_dtype_of(STRIA_BOOL), 2, shape, NULL, 0));
            ok(stria_view_foreign(&one, value, dtype, 0, NULL, NULL, 0));
            ok(stria_masked_fill(&a, &where, &one, NULL));
            for (int64_t i = 0; i < N; i++)
                for (int64_t byte = 0; byte < item; byte++)
                    assert_int_equal(items[i * item + byte], mask[i] ? value[byte] : 7);
            for (int64_t i = N * item; i < (int64_t)sizeof items; i++)
                assert_int_equal(items[i], 7);
        }
}

/* Several elements of the destination share memory: the last one in C order stays, wherever they
 * lie. */
TEST(fills_of_shared_elements)
{
    enum { SIDE = 3, BYTES = 4 * (SIDE - 1) * 3 + 8 };
    static const int64_t shape[] = {SIDE, SIDE};
    static const int64_t steps[][2] = {{4, 8}, {8, 4}, {4, 4}, {0, 4}, {2, 4}, {4, -4}};
    float values[SIDE][SIDE];
    bool mask[SIDE][SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        values[i / SIDE][i % SIDE] = (float)(10 + i);
        mask[i / SIDE][i % SIDE] = i % 4 != 1;
    }
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        _Alignas(8) char memory[BYTES] = {0}, wanted[BYTES] = {0};
        const int64_t first = steps[k][1] < 0 ? 8 : 0;
        stria_buffer *buffer;
        stria_view dst, where, from;
        ok(stria_buffer_wrap(&buffer, memory, BYTES, false, NULL, NULL));
        ok(stria_view_make(&dst, buffer, stria_dtype_of(STRIA_F32), 2, shape, steps[k], first));
        ok(stria_view_foreign(&where, mask, stria_dtype_of(STRIA_BOOL), 2, shape, NULL, 0));
        ok(stria_view_foreign(&from, values, stria_dtype_of(STRIA_F32), 2, shape, NULL, 0));
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                if (mask[i][j])
                    memcpy(wanted + first + i * steps[k][0] + j * steps[k][1], &values[i][j], 4);
        ok(stria_masked_fill(&dst, &where, &from, NULL));
        assert_memory_equal(memory, wanted, BYTES);
        stria_buffer_release(buffer);
    }
}

/* Values of another dtype and byte order, which lie in the destination itself. */
TEST(single_values_allocate_nothing)
{
    enum { N = 5 };
    float x[N] = {1, 2, 3, 4, 5};
    const double half = 0.5;
    const bool odd[N] = {true, false, true, false, true};
    const stria_view dst = OF(x, F32, N), mask = OF((void *)(uintptr_t)odd, BOOL, N),
                     value = OF((void *)(uintptr_t)&half, F64, 1, 1);
    stria_view negated, second;
    ok(stria_neg_view(&negated, &dst));
    ok(stria_select(&second, &dst, 0, 1));
    ok(stria_masked_fill(&dst, &mask, &dst, NULL)); /* makes the arena */
    counting_begin(1);
    ok(stria_masked_fill(&dst, &mask, &value, NULL));
    assert_memory_equal(x, ((float[]){0.5F, 2, 0.5F, 4, 0.5F}), sizeof x);
    ok(stria_masked_fill(&negated, &mask, &value, NULL));
    assert_memory_equal(x, ((float[]){-0.5F, 2, -0.5F, 4, -0.5F}), sizeof x);
    ok(stria_masked_fill(&dst, &mask, &second, NULL));
    assert_memory_equal(x, ((float[]){2, 2, 2, 4, 2}), sizeof x);
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
}

/* Values are refused also where there is no memory to fill. */
TEST(values_that_do_not_fit)
{
    enum { N = 5 };
    float x[N] = {1, 2, 3, 4, 5}, y[N - 1] = {0};
    bool all[N] = {true, true, true, true, true};
    const int64_t n = N;
    const stria_view dst = OF(x, F32, N), mask = OF(all, BOOL, N), value = OF(y, F32, N - 1),
                     columns = OF(y, F32, N - 1, 1);
    stria_buffer *meta;
    stria_view nowhere;
    ok(stria_buffer_meta(&meta, sizeof x));
    ok(stria_view_make(&nowhere, meta, dst.dtype, 1, &n, NULL, 0));
    const stria_view *const to[] = {&dst, &nowhere}, *const from[] = {&value, &columns};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(stria_masked_fill(to[i / 2], &mask, from[i % 2], NULL),
                         STRIA_ERR_BROADCAST);
        assert_non_null(strstr(stria_last_error(), "masked_fill: the value"));
    }
    assert_memory_equal(x, ((float[]){1, 2, 3, 4, 5}), sizeof x);
    stria_buffer_release(meta);
}

TEST_MAIN(NULL, NULL)
