/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Behaviour of elementwise operations around their values: scalars that take the dtype of the
 * others, layouts of new results, arrays without memory, overlap, items that are no numbers,
 * allocations that fail. test_elementwise.c has the values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/indices.h"

/* ---- scalars -------------------------------------------------------------------------------- */

static stria_view weak_int(const int64_t *value)
{
    stria_view out;
    assert_int_equal(stria_weak(&out, STRIA_I64, value), STRIA_OK);
    return out;
}

static stria_view weak_float(const double *value)
{
    stria_view out;
    assert_int_equal(stria_weak(&out, STRIA_F64, value), STRIA_OK);
    return out;
}

/* 200 and -1 beside u8 and i8: scalars that fit are taken, others are refused, whatever the
 * shape. */
static void scalars_in_range(void **state)
{
    (void)state;
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

static void values_of_scalars(void **state)
{
    (void)state;
    float x[] = {1, 2, 3}, y[3];
    const double half = 0.5, huge = 1e300;
    const int64_t three = 3, below = -3;
    const stria_view a = OF(x, F32, 3), out = OF(y, F32, 3);
    stria_view s = weak_float(&half);
    assert_int_equal(stria_multiply(&out, &a, &s, NULL), STRIA_OK);
    assert_memory_equal(y, ((float[]){0.5F, 1, 1.5F}), sizeof y);
    s = weak_int(&three);
    assert_int_equal(stria_subtract(&out, &s, &a, NULL), STRIA_OK);
    assert_memory_equal(y, ((float[]){2, 1, 0}), sizeof y);
    s = weak_float(&huge);
    assert_int_equal(stria_add(&out, &a, &s, NULL), STRIA_OK);
    assert_true(y[0] > 3.4e38F && y[0] == y[0] * 2);
    stria_view one;
    assert_int_equal(stria_narrow(&one, &out, 0, 0, 1), STRIA_OK);
    s = weak_int(&below);
    assert_int_equal(stria_abs(&one, &s, NULL), STRIA_OK);
    assert_true(y[0] == 3);
    /* without a dtype of its own only in operations */
    assert_int_equal(stria_copy(&out, &s, NULL), STRIA_OK);
    assert_true(y[2] == -3);
}

/* ---- results -------------------------------------------------------------------------------- */

static void layouts_of_results(void **state)
{
    (void)state;
    stria_array a = COUNTING(0, 2, 3, 4), out = {0}; /* elements in reverse memory order */
    float line[4] = {0};
    const stria_view b = OF(line, F32, 4);
    const stria_view *const alike[] = {&a.view, &b};
    assert_int_equal(stria_elementwise_new(&out, STRIA_ADD, 2, alike, NULL), STRIA_OK);
    ASSERT_SHAPE(&out, 2, 3, 4);
    assert_int_equal(out.view.dtype.kind, STRIA_F32);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_F));
    stria_array_release(&out);
    stria_view turned;
    stria_array c = COUNTING(0, 4, 3, 2);
    assert_int_equal(stria_reverse_dims(&turned, &c.view), STRIA_OK);
    const stria_view *const apart[] = {&a.view, &turned};
    assert_int_equal(stria_elementwise_new(&out, STRIA_LESS, 2, apart, NULL), STRIA_OK);
    assert_int_equal(out.view.dtype.kind, STRIA_BOOL);
    assert_true(stria_is_contiguous(&out.view, STRIA_ORDER_C));
    stria_array_release(&out);
    stria_array_release(&a);
    stria_array_release(&c);
}

/* Shapes and dtypes of arrays without memory are checked and reported, and no memory is touched. */
static void without_memory(void **state)
{
    (void)state;
    stria_buffer *meta;
    stria_array out = {0};
    stria_view a;
    const int64_t shape[] = {INT64_C(1) << 30, 5}, negative = -1;
    uint8_t bytes[5] = {1, 2, 3, 4, 5};
    const stria_view row = OF(bytes, U8, 5), weak = weak_int(&negative);
    assert_int_equal(stria_buffer_meta(&meta, INT64_C(1) << 40), STRIA_OK);
    assert_int_equal(stria_view_make(&a, meta, stria_dtype_of(STRIA_F64), 2, shape, NULL, 0),
                     STRIA_OK);
    const stria_view *const operands[] = {&row, &a}, *const refused[] = {&row, &weak};
    assert_int_equal(stria_elementwise_new(&out, STRIA_MULTIPLY, 2, operands, NULL), STRIA_OK);
    assert_true(stria_buffer_is_meta(out.view.buffer));
    assert_int_equal(out.view.dtype.kind, STRIA_F64);
    assert_int_equal(out.view.shape[0], shape[0]);
    assert_int_equal(stria_add(&out.view, &a, &row, NULL), STRIA_OK);
    assert_int_equal(stria_elementwise(&out.view, STRIA_ADD, 2, refused, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_exp(&row, &out.view, NULL), STRIA_ERR_BROADCAST);
    stria_array_release(&out);
    stria_buffer_release(meta);
}

/* ---- overlap -------------------------------------------------------------------------------- */

static void overlapping_operands(void **state)
{
    (void)state;
    int32_t x[] = {1, 2, 3, 4, 5, 6};
    const stria_view whole = OF(x, I32, 6);
    const stria_exec apart = {.hints = STRIA_NO_OVERLAP};
    stria_view low, high, back;
    assert_int_equal(stria_narrow(&low, &whole, 0, 0, 5), STRIA_OK);
    assert_int_equal(stria_narrow(&high, &whole, 0, 1, 5), STRIA_OK);
    assert_int_equal(stria_slice(&back, &low, 0, STRIA_NONE, STRIA_NONE, -1), STRIA_OK);
    assert_int_equal(stria_add(&high, &low, &back, &apart), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "out and a share bytes"));
    assert_int_equal(stria_add(&low, &low, &back, &apart), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "out and b share bytes"));
    assert_int_equal(x[5], 6);
    assert_int_equal(stria_add(&high, &low, &back, NULL), STRIA_OK);
    assert_memory_equal(x, ((int32_t[]){1, 6, 6, 6, 6, 6}), sizeof x);
    x[0] = 9;
    assert_int_equal(stria_subtract(&low, &low, &low, &apart), STRIA_OK);
    assert_memory_equal(x, ((int32_t[]){0, 0, 0, 0, 0, 6}), sizeof x);
}

/* ---- choosing items that are no numbers ------------------------------------------------------ */

static void choose_items(stria_dtype dtype, bool swapped)
{
    enum { ROWS = 3, COLUMNS = 5 };
    const int64_t shape[] = {ROWS, COLUMNS}, row = COLUMNS;
    const stria_dtype other = swapped ? stria_dtype_swap(dtype) : dtype;
    stria_array x = {0}, y = {0}, out = {0};
    uint8_t truth[] = {0, 1, 7, 0, 255};
    const stria_view condition = OF(truth, U8, COLUMNS);
    assert_int_equal(stria_empty(&x, other, 2, shape), STRIA_OK);
    assert_int_equal(stria_empty(&y, dtype, 1, &row), STRIA_OK);
    for (int64_t i = 0; i < stria_nbytes(&x.view); i++)
        x.view.data[i] = (char)(1 + i);
    for (int64_t i = 0; i < stria_nbytes(&y.view); i++)
        y.view.data[i] = (char)(101 + 3 * i);
    const stria_view *const operands[] = {&condition, &x.view, &y.view};
    assert_int_equal(stria_elementwise_new(&out, STRIA_WHERE, 3, operands, NULL), STRIA_OK);
    assert_true(stria_dtype_equal(out.view.dtype, dtype));
    stria_array right = {0};
    assert_int_equal(stria_empty(&right, dtype, 2, shape), STRIA_OK);
    assert_int_equal(stria_copy(&right.view, &x.view, NULL), STRIA_OK); /* in out's byte order */
    const int64_t item = dtype.itemsize;
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        if (!truth[i % COLUMNS])
            memcpy(right.view.data + i * item, y.view.data + i % COLUMNS * item, (size_t)item);
    assert_memory_equal(out.view.data, right.view.data, (size_t)stria_nbytes(&out.view));
    stria_array_release(&x);
    stria_array_release(&y);
    stria_array_release(&out);
    stria_array_release(&right);
}

static void items_of_any_size(void **state)
{
    (void)state;
    static const stria_kind kinds[] = {STRIA_BYTES, STRIA_UNICODE, STRIA_VOID};
    for (int k = 0; k < 3; k++)
        for (int64_t length = 1; length <= 40; length++) {
            stria_dtype dtype;
            assert_int_equal(stria_dtype_sized(&dtype, kinds[k], length), STRIA_OK);
            choose_items(dtype, false);
            if (kinds[k] == STRIA_UNICODE) choose_items(dtype, true);
        }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Each allocation is refused once: the call reports it, and neither writes nor leaks. */
static void allocations_fail(void **state)
{
    (void)state;
    enum { N = 300 };
    static int32_t x[N + 1], old[N + 1];
    static double y[N];
    const int64_t n = N;
    stria_array made = {0};
    stria_view out, a;
    for (int i = 0; i <= N; i++)
        x[i] = old[i] = i;
    const stria_view whole = of(x, STRIA_I32, 1, (int64_t[]){N + 1}), b = of(y, STRIA_F64, 1, &n);
    assert_int_equal(stria_narrow(&out, &whole, 0, 1, N), STRIA_OK);
    assert_int_equal(stria_narrow(&a, &whole, 0, 0, N), STRIA_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_in_range),     cmocka_unit_test(values_of_scalars),
        cmocka_unit_test(layouts_of_results),   cmocka_unit_test(without_memory),
        cmocka_unit_test(overlapping_operands), cmocka_unit_test(items_of_any_size),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
