/* SPDX-License-Identifier: BSD-3-Clause */
/* trace, against known sums and, for floats, the sum in a wider type. */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/reference_tree.h"
#include "support/test.h"

static stria_view matrix(void *data, stria_kind kind, int64_t rows, int64_t columns)
{
    stria_view v;
    ok(stria_view_foreign(&v, data, stria_dtype_of(kind), 2, (int64_t[]){rows, columns}, NULL, 0));
    return v;
}

static void assert_trace(const stria_view *a, stria_kind kind, const void *expected)
{
    RELEASED stria_array sum = {0};
    ok(stria_trace_new(&sum, a, NULL));
    assert_int_equal(sum.view.ndim, 0);
    assert_true(stria_dtype_equal(sum.view.dtype, stria_dtype_of(kind)));
    assert_memory_equal(sum.view.data, expected, (size_t)sum.view.dtype.itemsize);
}

/* torch.trace(torch.tensor([[200, 1], [2, 100], [3, 4]], dtype=torch.uint8)) is tensor(300). */
TEST(test_integers)
{
    uint8_t bytes[3][2] = {{200, 1}, {2, 100}, {3, 4}};
    int8_t small[2][3] = {{-128, 1, 2}, {3, -128, 4}};
    uint64_t large[2][2] = {{UINT64_MAX, 0}, {0, 3}};
    bool truth[2][2] = {{true, false}, {false, true}};
    stria_view v = matrix(bytes, STRIA_U8, 3, 2);
    assert_trace(&v, STRIA_I64, &(int64_t){300});
    ok(stria_flip(&v, &v, 1, (int[]){1})); /* 1 + 2 */
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
TEST(test_floats)
{
    enum { N = 1001 };
    stria_array a = {0};
    ok(stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, (int64_t[]){N, N}));
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
TEST(test_blocks)
{
    enum { N = 40001 };
    static double x[N];
    stria_array a = {0}, sum = {0};
    stria_view row, repeated, v;
    float one = 1;
    ok(stria_zeros(&a, stria_dtype_swap(stria_dtype_of(STRIA_F64)), 1, (int64_t[]){N}));
    ok(stria_as_strided(&v, &a.view, 2, (int64_t[]){N, N}, (int64_t[]){8, 0}, 0));
    for (int64_t i = 0; i < N; i++)
        x[i] = i == N / 2 ? 1e16 : 1;
    stria_view from;
    ok(stria_view_foreign(&from, x, stria_dtype_of(STRIA_F64), 1, (int64_t[]){N}, NULL,
                          STRIA_READONLY));
    ok(stria_copy(&a.view, &from, NULL));
    assert_trace(&v, STRIA_F64, &(double){tree_of(false, x, N)});
    for (int64_t fail_at = 2; fail_at <= 3; fail_at++) {
        counting_begin(fail_at);
        ok(stria_trace_new(&sum, &v, NULL));
        stria_array_release(&sum);
        counting_end();
    }
    row = matrix(&one, STRIA_F32, 1, 1);
    ok(stria_expand(&repeated, &row, 2, (int64_t[]){N, N}));
    assert_trace(&repeated, STRIA_F32, &(float){N});
    stria_array_release(&a);
}

TEST(test_complex)
{
    float x[2][2][2] = {{{1, 2}, {9, 9}}, {{9, 9}, {3, -5}}};
    stria_view v = matrix(x, STRIA_C64, 2, 2);
    assert_trace(&v, STRIA_C64, (float[]){4, -3});
    v.flags = STRIA_CONJ;
    assert_trace(&v, STRIA_C64, (float[]){4, 3});
}

TEST(test_empty_and_swapped)
{
    uint8_t big[2] = {1, 2};
    stria_view v = matrix(big, STRIA_U16, 1, 1);
    RELEASED stria_array none = {0};
    v.dtype = stria_dtype_swap(v.dtype);
    const uint16_t one = 1;
    const int64_t value = *(const uint8_t *)&one ? 0x102 : 0x201; /* the other byte order */
    assert_trace(&v, STRIA_I64, &value);
    ok(stria_empty(&none, stria_dtype_of(STRIA_F64), 2, (int64_t[]){0, 5}));
    assert_trace(&none.view, STRIA_F64, &(double){0});
}

TEST(test_refusals)
{
    double x[8] = {0};
    stria_array out = {.owned = NULL};
    stria_view v = matrix(x, STRIA_F64, 2, 4);
    assert_int_equal(stria_trace_new(NULL, &v, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_trace_new(&out, NULL, NULL), STRIA_ERR_ARGUMENT);
    counting_begin(1);
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_MEMORY);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    ok(stria_dtype_sized(&v.dtype, STRIA_VOID, 8));
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_DTYPE);
    assert_non_null(strstr(stria_last_error(), "V8"));
    ok(stria_unsqueeze(&v, &v, 0));
    assert_int_equal(stria_trace_new(&out, &v, NULL), STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "(1, 2, 4)"));
    assert_null(out.owned);
}

TEST(test_meta)
{
    stria_buffer *meta;
    stria_view v;
    stria_array sum = {0};
    ok(stria_buffer_meta(&meta, 64));
    ok(stria_view_make(&v, meta, stria_dtype_of(STRIA_U8), 2, (int64_t[]){8, 8}, NULL, 0));
    ok(stria_trace_new(&sum, &v, NULL));
    assert_int_equal(sum.view.dtype.kind, STRIA_I64);
    assert_true(stria_buffer_is_meta(sum.owned));
    stria_array_release(&sum);
    stria_buffer_release(meta);
}

TEST_MAIN(NULL, NULL)
