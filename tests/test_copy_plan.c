/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of copies: that they can be run again, and what they tell of how a transposition streams.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "engine/machine.h"
#include "stria/stria.h"

static stria_view i32_view(int32_t *data, int ndim, const int64_t *shape)
{
    stria_view v;
    assert_int_equal(stria_view_foreign(&v, data, stria_dtype_of(STRIA_I32), ndim, shape, NULL, 0),
                     STRIA_OK);
    return v;
}

static void test_plan(void **state)
{
    (void)state;
    int32_t x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0};
    const stria_view a = i32_view(x, 2, (int64_t[]){2, 3}), b = i32_view(y, 2, (int64_t[]){3, 2});
    stria_view t;
    stria_copy_plan plan;
    assert_int_equal(stria_T(&t, &a), STRIA_OK);
    assert_int_equal(stria_copy_plan_make(NULL, &b, &t, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy_plan_make(&plan, &b, &t, NULL), STRIA_OK);
    assert_string_equal(plan.strategy, "strided");
    assert_true(strlen(plan.reason) > 0);
    stria_copy_plan_run(&plan);
    assert_memory_equal(y, ((int32_t[]){1, 4, 2, 5, 3, 6}), sizeof y);
    x[1] = 20;
    stria_copy_plan_run(&plan);
    assert_int_equal(y[2], 20);
    assert_int_equal(stria_copy_plan_make(&plan, &a, &a, NULL), STRIA_OK);
    assert_string_equal(plan.strategy, "nothing");
    stria_copy_plan_run(&plan);
    assert_int_equal(x[1], 20);
}

/* How many rows the transposition of n x n f32 reads side by side, to where a line has that place.
 */
static long streamed_rows(stria_buffer *memory, int64_t n, int64_t at)
{
    const int64_t shape[] = {n, n};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    stria_view dst, src;
    stria_copy_plan plan;
    assert_int_equal(stria_view_make(&dst, memory, f32, 2, shape, NULL, 0), STRIA_OK);
    const int64_t line = (int64_t)(-(uintptr_t)dst.data % 64);
    assert_int_equal(stria_view_make(&dst, memory, f32, 2, shape, NULL, line + at), STRIA_OK);
    assert_int_equal(stria_view_make(&src, memory, f32, 2, shape, NULL, 1 << 27), STRIA_OK);
    assert_int_equal(stria_T(&src, &src), STRIA_OK);
    assert_int_equal(stria_copy_plan_make(&plan, &dst, &src, NULL), STRIA_OK);
    const char *const told = strstr(plan.reason, "; streams ");
    assert_non_null(told);
    return strtol(told + strlen("; streams "), NULL, 10);
}

/* They are as many where rows of whole lines begin beside one, but not where they begin anywhere.
 */
static void test_plan_tells_rows_beside_lines(void **state)
{
    (void)state;
    stria_buffer *memory;
    assert_int_equal(stria_buffer_meta(&memory, 2 * (INT64_C(1) << 27)), STRIA_OK);
    stria__machine_set_l2(1 << 20);
    const long rows = streamed_rows(memory, 4112, 0);
    assert_int_equal(streamed_rows(memory, 4112, 16), rows);
    assert_true(streamed_rows(memory, 4111, 16) < rows);
    stria__machine_set_l2(0);
    stria_buffer_release(memory);
}

/* Hardware with a large second-level cache follows fewer rows by itself than others fetch. */
static void test_plan_tells_fewer_rows(void **state)
{
    (void)state;
    stria_buffer *memory;
    assert_int_equal(stria_buffer_meta(&memory, 2 * (INT64_C(1) << 27)), STRIA_OK);
    stria__machine_set_l2(1 << 20);
    assert_int_equal(streamed_rows(memory, 4112, 0), 128);
    stria__machine_set_l2(2 << 20);
    assert_int_equal(streamed_rows(memory, 4112, 0), 32);
    stria__machine_set_l2(0);
    stria_buffer_release(memory);
}

/* Rows that are read side by side are told of where a transposition streams, and only there. */
static void test_plan_tells_rows(void **state)
{
    (void)state;
    static const int64_t sides[] = {16, 256, 1024, 4096, 4095};
    stria_buffer *memory;
    assert_int_equal(stria_buffer_meta(&memory, 2 * (INT64_C(1) << 26)), STRIA_OK);
    stria__machine_set_l2(1 << 20);
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const int64_t shape[] = {sides[i], sides[i]};
        const stria_dtype f32 = stria_dtype_of(STRIA_F32);
        stria_view dst, src;
        stria_copy_plan plan;
        assert_int_equal(stria_view_make(&dst, memory, f32, 2, shape, NULL, 0), STRIA_OK);
        assert_int_equal(stria_view_make(&src, memory, f32, 2, shape, NULL, 1 << 26), STRIA_OK);
        assert_int_equal(stria_T(&src, &src), STRIA_OK);
        assert_int_equal(stria_copy_plan_make(&plan, &dst, &src, NULL), STRIA_OK);
        const char *const told = strstr(plan.reason, "; streams ");
        assert_int_equal(told != NULL, sides[i] >= 4095);
        if (!told) continue;
        const long rows = strtol(told + strlen("; streams "), NULL, 10);
        assert_true(rows >= 16 && rows <= sides[i]);
        assert_non_null(strstr(told, " rows side by side"));
    }
    stria__machine_set_l2(0);
    stria_buffer_release(memory);
}

/* Rows that are no whole lines go out as spans where these take enough of each source row. */
static void test_plan_tells_spans(void **state)
{
    (void)state;
    static const int64_t shape[] = {300, 127, 204};
    const stria_dtype u16 = stria_dtype_of(STRIA_U16);
    stria_buffer *memory;
    stria_view dst, src;
    stria_copy_plan plan;
    assert_int_equal(stria_buffer_meta(&memory, 2 * (INT64_C(1) << 26)), STRIA_OK);
    assert_int_equal(stria_view_make(&src, memory, u16, 3, shape, NULL, 1 << 26), STRIA_OK);
    assert_int_equal(stria_permute(&src, &src, 3, (int[]){0, 2, 1}), STRIA_OK);
    assert_int_equal(stria_view_make(&dst, memory, u16, 3, src.shape, NULL, 0), STRIA_OK);
    stria__machine_set_l2(1 << 20);
    assert_int_equal(stria_copy_plan_make(&plan, &dst, &src, NULL), STRIA_OK);
    stria__machine_set_l2(0);
    assert_non_null(strstr(plan.reason, "; streams spans of 25908 bytes"));
    stria_buffer_release(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_plan_tells_fewer_rows),
        cmocka_unit_test(test_plan_tells_rows),
        cmocka_unit_test(test_plan_tells_spans),
        cmocka_unit_test(test_plan_tells_rows_beside_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
