/* SPDX-License-Identifier: BSD-3-Clause */
/* trace, against known sums and, for floats, the sum in a wider type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/reference_tree.h"

static stria_view matrix(void *data, stria_kind kind, int64_t rows, int64_t columns)
{
    stria_view v;
    assert_int_equal(
        stria_view_foreign(&v, data, stria_dtype_of(kind), 2, (int64_t[]){rows, columns}, NULL, 0),
        STRIA_OK);
    return v;
}

static void assert_trace(const stria_view *a, stria_kind kind, const void *expected)
{
    stria_array sum = {0};
    assert_int_equal(stria_trace_new(&sum, a, NULL), STRIA_OK);
    assert_int_equal(sum.view.ndim, 0);
    assert_true(stria_dtype_equal(sum.view.dtype, stria_dtype_of(kind)));
    assert_memory_equal(sum.view.data, expected, (size_t)sum.view.dtype.itemsize);
    stria_array_release(&sum);
}

/* torch.trace(torch.tensor([[200, 1], [2, 100], [3, 4]], dtype=torch.uint8)) is tensor(300). */
static void test_integers(void **state)
{
    (void)state;
    uint8_t bytes[3][2] = {{200, 1}, {2, 100}, {3, 4}};
    int8_t small[2][3] = {{-128, 1, 2}, {3, -128, 4}};
    uint64_t large[2][2] = {{UINT64_MAX, 0}, {0, 3}};
    bool truth[2][2] = {{true, false}, {false, true}};
    stria_view v = matrix(bytes, STRIA_U8, 3, 2);
    assert_trace(&v, STRIA_I64, &(int64_t){300});
    assert_int_equal(stria_flip(&v, &v, 1, (int[]){1}), STRIA_OK); /* 1 + 2 */
    assert_trace(&v, STRIA_I64, &(int64_t){3});
    v = matrix(small, STRIA_I8, 2, 3);
    assert_trace(&v, STRIA_I64, &(int64_t){-256});
    v.flags = STRIA_NEG; /* - -128 wraps to -128 in i8, before it is widened */
    assert_trace(&v, STRIA_I64, &(int64_t){-256});
    v = matrix(large, STRIA_U64, 2, 2);
    assert_trace(&v, STRIA_I64, &(int64_t){2});
    v = matrix(truth, STRIA_BOOL, 2, 2);
    assert_trace(&v, STRIA_I64, &(int64_t){2});
}

/* The sum is rounded once: adding 1 to 2^24 a thousand times in f32 would change nothing. */
static void test_floats(void **state)
{
    (void)state;
    enum { N = 1001 };
    stria_array a = {0};
    assert_int_equal(stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){N, N}), STRIA_OK);
    for (size_t i = 0; i < N; i++) {
        const float x = i ? 1 : 16777216;
        memcpy(a.view.data + i * (N + 1) * 4, &x, 4);
    }
    assert_trace(&a.view, STRIA_F32, &(float){16778216});
    stria_array_release(&a);
    uint16_t halves[2][2] = {{0x3c00, 0x7c00}, {0x7e00, 0x4000}}; /* 1, inf, NaN, 2 */
    const stria_view v = matrix(halves, STRIA_F16, 2, 2);
    assert_trace(&v, STRIA_F16, &(uint16_t){0x4200}); /* 3 */
}

/*
 * More elements than a block has, by the tree of sums. Each repetition of an element counts. Only
 * the sum is allocated.
 */
static void test_blocks(void **state)
{
    (void)state;
    enum { N = 40001 };
    static double x[N];
    stria_array a = {0}, sum = {0};
    stria_view row, repeated, v;
    float one = 1;
    assert_int_equal(
        stria_zeros(&a, stria_dtype_swap(stria_dtype_of(STRIA_F64)), 1, (int64_t[]){N}), STRIA_OK);
    assert_int_equal(stria_as_strided(&v, &a.view, 2, (int64_t[]){N, N}, (int64_t[]){8, 0}, 0),
                     STRIA_OK);
    for (int64_t i = 0; i < N; i++)
        x[i] = i == N / 2 ? 1e16 : 1;
    stria_view from;
    assert_int_equal(stria_view_foreign(&from, x, stria_dtype_of(STRIA_F64), 1, (int64_t[]){N},
                                        NULL, STRIA_READONLY),
                     STRIA_OK);
    assert_int_equal(stria_copy(&a.view, &from, NULL), STRIA_OK);
    assert_trace(&v, STRIA_F64, &(double){tree_of(false, x, N)});
    for (int64_t fail_at = 2; fail_at <= 3; fail_at++) {
        counting_begin(fail_at);
        assert_int_equal(stria_trace_new(&sum, &v, NULL), STRIA_OK);
        stria_array_release(&sum);
        counting_end();
    }
    row = matrix(&one, STRIA_F32, 1, 1);
    assert_int_equal(stria_expand(&repeated, &row, 2, (int64_t[]){N, N}), STRIA_OK);
    assert_trace(&repeated, STRIA_F32, &(float){N});
    stria_array_release(&a);
}

static void test_complex(void **state)
{
    (void)state;
    float x[2][2][2] = {{{1, 2}, {9, 9}}, {{9, 9}, {3, -5}}};
    stria_view v = matrix(x, STRIA_C64, 2, 2);
    assert_trace(&v, STRIA_C64, (float[]){4, -3});
    v.flags = STRIA_CONJ;
    assert_trace(&v, STRIA_C64, (float[]){4, 3});
}

static void test_empty_and_swapped(void **state)
{
    (void)state;
    uint8_t big[2] = {1, 2};
    stria_view v = matrix(big, STRIA_U16, 1, 1);
    stria_array none = {0};
    v.dtype = stria_dtype_swap(v.dtype);
    const uint16_t one = 1;
    const int64_t value = *(const uint8_t *)&one ? 0x102 : 0x201; /* the other byte order */
    assert_trace(&v, STRIA_I64, &value);
    assert_int_equal(stria_empty(&none, stria_dtype_of(STRIA_F64), 2, (int64_t[]){0, 5}), STRIA_OK);
    assert_trace(&none.view, STRIA_F64, &(double){0});
    stria_array_release(&none);
}

static void test_refusals(void **state)
{
    (void)state;
    double x[8] = {0};
    stria_array out = {.owned = NULL};
    stria_view v = matrix(x, STRIA_F64, 2, 4);
    assert_int_equal(stria_trace_new(NULL, &v, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_trace_new(&out, NULL, NULL), STRIA_ERR_ARGUMENT);
    counting_begin(1);
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_MEMORY);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    assert_int_equal(stria_dtype_sized(&v.dtype, STRIA_VOID, 8), STRIA_OK);
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "V8"));
    assert_int_equal(stria_unsqueeze(&v, &v, 0), STRIA_OK);
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(1, 2, 4)"));
    assert_null(out.owned);
}

static void test_meta(void **state)
{
    (void)state;
    stria_buffer *meta;
    stria_view v;
    stria_array sum = {0};
    assert_int_equal(stria_buffer_meta(&meta, 64), STRIA_OK);
    assert_int_equal(
        stria_view_make(&v, meta, stria_dtype_of(STRIA_U8), 2, (int64_t[]){8, 8}, NULL, 0),
        STRIA_OK);
    assert_int_equal(stria_trace_new(&sum, &v, NULL), STRIA_OK);
    assert_int_equal(sum.view.dtype.kind, STRIA_I64);
    assert_true(stria_buffer_is_meta(sum.owned));
    stria_array_release(&sum);
    stria_buffer_release(meta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_complex),
        cmocka_unit_test(test_empty_and_swapped),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_meta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
