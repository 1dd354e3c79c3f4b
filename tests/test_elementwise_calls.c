/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Behaviour of elementwise operations around their values: scalars that take the dtype of the
 * others, layouts of new results, arrays without memory, overlap, items that are no numbers,
 * allocations that fail. test_elementwise.c has the values.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/indices.h"
#include "support/test.h"

/* ---- scalars -------------------------------------------------------------------------------- */

static stria_view weak_int(const int64_t *value)
{
    stria_view out;
    ok(stria_weak(&out, STRIA_I64, value));
    return out;
}

static stria_view weak_float(const double *value)
{
    stria_view out;
    ok(stria_weak(&out, STRIA_F64, value));
    return out;
}

/* 200 and -1 beside u8 and i8: scalars that fit are taken, others are refused, whatever the
 * shape. */
TEST(scalars_in_range)
{
    const struct {
        stria_kind kind;
        int64_t value;
        bool fits;
    } cases[] = {{STRIA_U8, 255, true},     {STRIA_U8, 256, false},   {STRIA_U8, -1, false},
                 {STRIA_I8, -128, true},    {STRIA_I8, -129, false},  {STRIA_I8, 128, false},
                 {STRIA_U32, -1, false},    {STRIA_U32, 1, true},     {STRIA_U64, -1, false},
                 {STRIA_I64, -1, true},     {STRIA_BOOL, 1000, true}, {STRIA_F16, 100000, true},
                 {STRIA_I16, 32768, false}, {STRIA_I32, -77777, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char item[16] = {0};
        const stria_view a = of(item, cases[i].kind, 0, NULL), b = weak_int(&cases[i].value);
        const stria_view *const operands[] = {&a, &b}, *const backwards[] = {&b, &a};
        stria_array out = {0};
        const stria_status want = cases[i].fits ? STRIA_OK : STRIA_ERR_ARGUMENT;
        assert_int_equal(stria_elementwise_new(&out, STRIA_ADD, 2, operands, NULL), want);
        if (cases[i].fits) stria_array_release(&out);
        assert_int_equal(stria_elementwise_new(&out, STRIA_ADD, 2, backwards, NULL), want);
        if (cases[i].fits) stria_array_release(&out);
    }
}

TEST(values_of_scalars)
{
    float x[] = {1, 2, 3}, y[3];
    const double half = 0.5, huge = 1e300;
    const int64_t three = 3, below = -3;
    const stria_view a = OF(x, F32, 3), out = OF(y, F32, 3);
    stria_view s = weak_float(&half);
    ok(stria_multiply(&out, &a, &s, NULL));
    assert_memory_equal(y, ((float[]){0.5F, 1, 1.5F}), sizeof y);
    s = weak_int(&three);
    ok(stria_subtract(&out, &s, &a, NULL));
    assert_memory_equal(y, ((float[]){2, 1, 0}), sizeof y);
    s = weak_float(&huge);
    ok(stria_add(&out, &a, &s, NULL));
    assert_true(y[0] > 3.4e38F && y[0] == y[0] * 2);
    stria_view one;
    ok(stria_narrow(&one, &out, 0, 0, 1));
    s = weak_int(&below);
    ok(stria_abs(&one, &s, NULL));
    assert_true(y[0] == 3);
    /* without a dtype of its own only in operations */
    ok(stria_copy(&out, &s, NULL));
    assert_true(y[2] == -3);
}

/* ---- results -------------------------------------------------------------------------------- */

TEST(layouts_of_results)
{
    stria_array a = COUNTING(0, 2, 3, 4), out = {0}; /* elements in reverse memory order */
    float line[4] = {0};
    const stria_view b = OF(line, F32, 4);
    const stria_view *const alike[] = {&a.view, &b};
    ok(stria_elementwise_new(&out, STRIA_ADD, 2, alike, NULL));
    ASSERT_SHAPE(&out, 2, 3, 4);
    assert_int_equal(out.view.dtype.kind, STRIA_F32);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_F));
    stria_array_release(&out);
    stria_view turned;
    stria_array c = COUNTING(0, 4, 3, 2);
    ok(stria_reverse_dims(&turned, &c.view));
    const stria_view *const apart[] = {&a.view, &turned};
    ok(stria_elementwise_new(&out, STRIA_LESS, 2, apart, NULL));
    assert_int_equal(out.view.dtype.kind, STRIA_BOOL);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_C));
    stria_array_release(&out);
    stria_array_release(&a);
    stria_array_release(&c);
}

/* Shapes and dtypes of arrays without memory are checked and reported, and no memory is touched. */
TEST(without_memory)
{
    stria_buffer *meta;
    stria_array out = {0};
    stria_view a;
    const int64_t shape[] = {INT64_C(1) << 30, 5}, negative = -1;
    uint8_t bytes[5] = {1, 2, 3, 4, 5};
    const stria_view row = OF(bytes, U8, 5), weak = weak_int(&negative);
    ok(stria_buffer_meta(&meta, INT64_C(1) << 40));
    ok(stria_view_make(&a, meta, stria_dtype_of(STRIA_F64), 2, shape, NULL, 0));
    const stria_view *const operands[] = {&row, &a}, *const refused[] = {&row, &weak};
    ok(stria_elementwise_new(&out, STRIA_MULTIPLY, 2, operands, NULL));
    assert_true(stria_buffer_is_meta(out.view.buffer));
    assert_int_equal(out.view.dtype.kind, STRIA_F64);
    assert_int_equal(out.view.shape[0], shape[0]);
    ok(stria_add(&out.view, &a, &row, NULL));
    assert_int_equal(stria_elementwise(&out.view, STRIA_ADD, 2, refused, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_exp(&row, &out.view, NULL), STRIA_ERR_BROADCAST);
    stria_array_release(&out);
    stria_buffer_release(meta);
}

/* ---- overlap -------------------------------------------------------------------------------- */

TEST(overlapping_operands)
{
    int32_t x[] = {1, 2, 3, 4, 5, 6};
    const stria_view whole = OF(x, I32, 6);
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    stria_view low, high, back;
    ok(stria_narrow(&low, &whole, 0, 0, 5));
    ok(stria_narrow(&high, &whole, 0, 1, 5));
    ok(stria_slice(&back, &low, 0, STRIA_NONE, STRIA_NONE, -1));
    assert_int_equal(stria_add(&high, &low, &back, &apart), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "out and a share bytes"));
    assert_int_equal(stria_add(&low, &low, &back, &apart), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "out and b share bytes"));
    assert_int_equal(x[5], 6);
    ok(stria_add(&high, &low, &back, NULL));
    assert_memory_equal(x, ((int32_t[]){1, 6, 6, 6, 6, 6}), sizeof x);
    x[0] = 9;
    ok(stria_subtract(&low, &low, &low, &apart));
    assert_memory_equal(x, ((int32_t[]){0, 0, 0, 0, 0, 6}), sizeof x);
}

/* ---- choosing items that are no numbers ------------------------------------------------------ */

static void choose_items(stria_dtype dtype, bool swapped)
{
    enum { ROWS = 3, COLUMNS = 5 };
    const int64_t shape[] = {ROWS, COLUMNS}, row = COLUMNS;
    const stria_dtype other = swapped ? stria_dtype_swap(dtype) : dtype;
    RELEASED stria_array x = {0}, y = {0}, out = {0};
    uint8_t truth[] = {0, 1, 7, 0, 255};
    const stria_view condition = OF(truth, U8, COLUMNS);
    ok(stria_empty(&x, other, 2, shape));
    ok(stria_empty(&y, dtype, 1, &row));
    for (int64_t i = 0; i < stria_nbytes(&x.view); i++)
        x.view.data[i] = (char)(1 + i);
    for (int64_t i = 0; i < stria_nbytes(&y.view); i++)
        y.view.data[i] = (char)(101 + 3 * i);
    const stria_view *const operands[] = {&condition, &x.view, &y.view};
    ok(stria_elementwise_new(&out, STRIA_WHERE, 3, operands, NULL));
    assert_true(stria_dtype_equal(out.view.dtype, dtype));
    RELEASED stria_array right = {0};
    ok(stria_empty(&right, dtype, 2, shape));
    ok(stria_copy(&right.view, &x.view, NULL)); /* in out's byte order */
    const int64_t item = dtype.itemsize;
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        if (!truth[i % COLUMNS])
            memcpy(right.view.data + i * item, y.view.data + i % COLUMNS * item, (size_t)item);
    assert_memory_equal(out.view.data, right.view.data, (size_t)stria_nbytes(&out.view));
}

TEST(items_of_any_size)
{
    static const stria_kind kinds[] = {STRIA_BYTES, STRIA_UNICODE, STRIA_VOID};
    for (int k = 0; k < 3; k++)
        for (int64_t length = 1; length <= 40; length++) {
            stria_dtype dtype;
            ok(stria_dtype_sized(&dtype, kinds[k], length));
            choose_items(dtype, false);
            if (kinds[k] == STRIA_UNICODE) choose_items(dtype, true);
        }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Each allocation is refused once: the call reports it, and neither writes nor leaks. */
TEST(allocations_fail)
{
    enum { N = 300 };
    static int32_t x[N + 1], old[N + 1];
    static double y[N];
    const int64_t n = N;
    stria_array made = {0};
    stria_view out, a;
    for (int i = 0; i <= N; i++)
        x[i] = old[i] = i;
    const stria_view whole = of(x, STRIA_I32, 1, (int64_t[]){N + 1}), b = of(y, STRIA_F64, 1, &n);
    ok(stria_narrow(&out, &whole, 0, 1, N));
    ok(stria_narrow(&a, &whole, 0, 0, N));
    const stria_view *const operands[] = {&a, &b};
    bool writing = true, making = true;
    for (int64_t fail = 1; writing || making; fail++) {
        stria_status status = STRIA_OK;
        counting_begin(fail);
        if (writing) status = stria_add(&out, &a, &a, NULL);
        counting_end();
        if (writing && status == STRIA_OK)
            writing = false;
        else if (writing) {
            assert_int_equal(status, STRIA_ERR_MEMORY);
            assert_memory_equal(x, old, sizeof x);
        }
        counting_begin(fail);
        if (making) status = stria_elementwise_new(&made, STRIA_LESS, 2, operands, NULL);
        const int64_t live = allocation_counts.live;
        if (making && status == STRIA_OK) {
            stria_array_release(&made);
            making = false;
        } else if (making) {
            assert_int_equal(status, STRIA_ERR_MEMORY);
            assert_int_equal(live, 0);
        }
        counting_end();
    }
    for (int i = 1; i <= N; i++)
        assert_int_equal(x[i], 2 * (i - 1));
}

TEST_MAIN(NULL, NULL)
