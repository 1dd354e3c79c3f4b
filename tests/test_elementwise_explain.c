/* SPDX-License-Identifier: BSD-3-Clause */
/* How an operation would run, in words: nothing is computed, memory is not needed, text fits the
 * buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stria/stria.h"
#include "support/by_value.h"

enum { N = 512, ROOM = 200 };

/* Makes a matrix in C order, with or without memory. */
static stria_array matrix(bool meta, stria_kind kind)
{
    stria_array out = {0};
    const int64_t shape[] = {N, N};
    const int64_t bytes = N * N * stria_dtype_of(kind).itemsize;
    assert_int_equal(meta ? stria_buffer_meta(&out.owned, bytes)
                          : stria_buffer_make(&out.owned, bytes),
                     STRIA_OK);
    assert_int_equal(stria_view_make(&out.view, out.owned, stria_dtype_of(kind), 2, shape, NULL, 0),
                     STRIA_OK);
    return out;
}

/* Explains out = a + b.T. */
static void explain(char *text, size_t size, const stria_array *m)
{
    stria_view turned;
    assert_int_equal(stria_reverse_dims(&turned, &m[2].view), STRIA_OK);
    const stria_view *const inputs[] = {&m[1].view, &turned};
    assert_int_equal(
        stria_elementwise_explain(text, size, NULL, &m[0].view, STRIA_ADD, 2, inputs, NULL),
        STRIA_OK);
}

static void test_same_without_memory(void **state)
{
    (void)state;
    char text[2][ROOM];
    for (int meta = 0; meta < 2; meta++) {
        stria_array m[3] = {0};
        for (int i = 0; i < 3; i++)
            m[i] = matrix(meta, STRIA_F32);
        if (!meta) memset(m[0].view.data, 0x5A, (size_t)stria_nbytes(&m[0].view));
        explain(text[meta], ROOM, m);
        for (int64_t i = 0; !meta && i < stria_nbytes(&m[0].view); i++)
            assert_int_equal(m[0].view.data[i], 0x5A);
        for (int i = 0; i < 3; i++)
            stria_array_release(&m[i]);
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "1 kernel"));
    assert_non_null(strstr(text[0], "operand 2"));
}

/* Arrays without memory all have one address, but do not overlap. */
static void test_apart_without_memory(void **state)
{
    (void)state;
    char text[ROOM];
    stria_array a = {0};
    stria_view wide;
    assert_int_equal(stria_buffer_meta(&a.owned, INT64_C(1) << 31), STRIA_OK);
    assert_int_equal(stria_view_make(&wide, a.owned, stria_dtype_of(STRIA_F32), 1,
                                     (int64_t[]){INT64_C(1) << 29}, NULL, 0),
                     STRIA_OK);
    stria_array out = shared_of(&wide), other = {0};
    assert_int_equal(stria_buffer_meta(&other.owned, INT64_C(1) << 31), STRIA_OK);
    out.view.buffer = other.owned;
    const stria_view *const input = &wide;
    assert_int_equal(
        stria_elementwise_explain(text, ROOM, NULL, &out.view, STRIA_EXP, 1, &input, NULL),
        STRIA_OK);
    assert_non_null(strstr(text, "streamed"));
    assert_int_equal(stria_elementwise_explain(text, ROOM, NULL, &wide, STRIA_EXP, 1, &input, NULL),
                     STRIA_OK);
    assert_null(strstr(text, "streamed"));
    stria_array_release(&out);
    stria_array_release(&other);
    stria_array_release(&a);
}

/* Casts count as kernels, too. */
static void test_casts_count(void **state)
{
    (void)state;
    char text[ROOM];
    stria_array m[] = {matrix(true, STRIA_F32), matrix(true, STRIA_U8), matrix(true, STRIA_F32)};
    explain(text, ROOM, m);
    assert_non_null(strstr(text, "2 kernels"));
    for (int i = 0; i < 3; i++)
        stria_array_release(&m[i]);
}

static void test_text_is_cut(void **state)
{
    (void)state;
    char whole[ROOM], text[ROOM];
    stria_array m[] = {matrix(true, STRIA_F32), matrix(true, STRIA_F32), matrix(true, STRIA_F32)};
    explain(whole, ROOM, m);
    for (size_t size = 1; size <= strlen(whole) + 1; size++) {
        memset(text, 'x', sizeof text);
        explain(text, size, m);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, whole, size - 1);
        assert_int_equal(text[size], 'x');
    }
    for (int i = 0; i < 3; i++)
        stria_array_release(&m[i]);
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    char text[ROOM] = "x";
    stria_array m = matrix(true, STRIA_F32);
    stria_view none;
    assert_int_equal(stria_slice(&none, &m.view, 0, 0, 0, 1), STRIA_OK);
    const stria_view *const input = &none;
    assert_int_equal(stria_elementwise_explain(text, ROOM, NULL, &none, STRIA_EXP, 1, &input, NULL),
                     STRIA_OK);
    assert_string_equal(text, "");
    stria_array_release(&m);
}

static void test_refusals(void **state)
{
    (void)state;
    char text[ROOM] = "as it was";
    stria_array m = matrix(true, STRIA_F32);
    const stria_view *const inputs[] = {&m.view, &m.view};
    assert_int_equal(stria_elementwise_explain(NULL, 9, NULL, &m.view, STRIA_ADD, 2, inputs, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_elementwise_explain(text, 0, NULL, &m.view, STRIA_ADD, 2, inputs, NULL),
                     STRIA_ERR_ARGUMENT);
    assert_int_equal(
        stria_elementwise_explain(text, ROOM, NULL, &m.view, STRIA_ADD, 1, inputs, NULL),
        STRIA_ERR_ARGUMENT);
    assert_int_equal(
        stria_elementwise_explain(text, ROOM, NULL, &m.view, STRIA_LESS, 2, inputs, NULL),
        STRIA_OK);
    (void)strcpy(text, "as it was");
    stria_view row;
    assert_int_equal(stria_select(&row, &m.view, 0, 0), STRIA_OK);
    assert_int_equal(stria_elementwise_explain(text, ROOM, NULL, &row, STRIA_ADD, 2, inputs, NULL),
                     STRIA_ERR_BROADCAST);
    assert_string_equal(text, "as it was");
    stria_array_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_without_memory), cmocka_unit_test(test_apart_without_memory),
        cmocka_unit_test(test_casts_count),         cmocka_unit_test(test_text_is_cut),
        cmocka_unit_test(test_nothing_to_do),       cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
