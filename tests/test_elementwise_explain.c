/* SPDX-License-Identifier: BSD-3-Clause */
/* How an operation would run, in words: nothing is computed, memory is not needed, text fits the
 * buffer. */
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/by_value.h"
#include "support/test.h"

enum { N = 512, ROOM = 200 };

/* Makes a matrix in C order, with or without memory. */
static stria_array matrix(bool meta, stria_kind kind)
{
    stria_array out = {0};
    const int64_t shape[] = {N, N};
    const int64_t bytes = N * N * stria_dtype_of(kind).itemsize;
    ok(meta ? stria_buffer_meta(&out.owned, bytes) : stria_buffer_make(&out.owned, bytes));
    ok(stria_view_make(&out.view, out.owned, stria_dtype_of(kind), 2, shape, NULL, 0));
    return out;
}

/* Explains out = a + b.T. */
static void explain(char *text, size_t size, const stria_array *m)
{
    stria_view turned;
    ok(stria_reverse_dims(&turned, &m[2].view));
    const stria_view *const inputs[] = {&m[1].view, &turned};
    ok(stria_elementwise_explain(text, size, NULL, &m[0].view, STRIA_ADD, 2, inputs, NULL));
}

TEST(test_same_without_memory)
{
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
TEST(test_apart_without_memory)
{
    char text[ROOM];
    RELEASED stria_array a = {0};
    stria_view wide;
    ok(stria_buffer_meta(&a.owned, INT64_C(1) << 31));
    ok(stria_view_make(&wide, a.owned, stria_dtype_of(STRIA_F32), 1, (int64_t[]){INT64_C(1) << 29},
                       NULL, 0));
    stria_array out = shared_of(&wide), other = {0};
    ok(stria_buffer_meta(&other.owned, INT64_C(1) << 31));
    out.view.buffer = other.owned;
    const stria_view *const input = &wide;
    ok(stria_elementwise_explain(text, ROOM, NULL, &out.view, STRIA_EXP, 1, &input, NULL));
    assert_non_null(strstr(text, "streamed"));
    ok(stria_elementwise_explain(text, ROOM, NULL, &wide, STRIA_EXP, 1, &input, NULL));
    assert_null(strstr(text, "streamed"));
    stria_array_release(&out);
    stria_array_release(&other);
}

/* Casts count as kernels, too. */
TEST(test_casts_count)
{
    char text[ROOM];
    stria_array m[] = {matrix(true, STRIA_F32), matrix(true, STRIA_U8), matrix(true, STRIA_F32)};
    explain(text, ROOM, m);
    assert_non_null(strstr(text, "2 kernels"));
    for (int i = 0; i < 3; i++)
        stria_array_release(&m[i]);
}

TEST(test_text_is_cut)
{
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

TEST(test_nothing_to_do)
{
    char text[ROOM] = "x";
    stria_array m = matrix(true, STRIA_F32);
    stria_view none;
    ok(stria_slice(&none, &m.view, 0, 0, 0, 1));
    const stria_view *const input = &none;
    ok(stria_elementwise_explain(text, ROOM, NULL, &none, STRIA_EXP, 1, &input, NULL));
    assert_string_equal(text, "");
    stria_array_release(&m);
}

TEST(test_refusals)
{
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
    ok(stria_elementwise_explain(text, ROOM, NULL, &m.view, STRIA_LESS, 2, inputs, NULL));
    (void)strcpy(text, "as it was");
    stria_view row;
    ok(stria_select(&row, &m.view, 0, 0));
    assert_int_equal(stria_elementwise_explain(text, ROOM, NULL, &row, STRIA_ADD, 2, inputs, NULL),
                     STRIA_ERR_BROADCAST);
    assert_string_equal(text, "as it was");
    stria_array_release(&m);
}

TEST_MAIN(NULL, NULL)
