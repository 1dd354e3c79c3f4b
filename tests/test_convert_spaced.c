/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions of items that lie at one distance from each other, upwards and downwards, between
 * inaccessible pages on either side, on every level, streamed and not: against the copy without a
 * conversion and then the conversion of dense items.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/guard.h"
#include "support/random.h"
#include "support/small_cache.h"
#include "support/cmocka.h"
#include "support/statuses.h"

enum { ITEMS = 6000, ITEM = 16, MOST_STEP = 7 };

static struct guard in_guard, out_guard;

static void make(stria_view *out, char *data, stria_kind kind, int64_t rows, int64_t n, int64_t gap,
                 int64_t step)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    const int64_t s = dtype.itemsize * step;
    ok(stria_view_foreign(out, data, dtype, 2, (int64_t[]){rows, n},
                          (int64_t[]){n * (s < 0 ? -s : s) + gap, s}, 0));
}

/* Checks rows whose first or last bytes lie beside an inaccessible page; bytes between elements
 * stay. */
static void check(stria_kind to, stria_kind from, int64_t rows, int64_t n, int64_t step,
                  int64_t out_step, bool at_end)
{
    const int64_t item = stria_dtype_of(from).itemsize, to_item = stria_dtype_of(to).itemsize;
    const int64_t size = step < 0 ? -step : step, gap = rows > 1 ? 3 * item : 0;
    const int64_t row = n * size * item + gap,
                  bytes = (rows - 1) * row + ((n - 1) * size + 1) * item;
    const int64_t written = ((rows * n - 1) * out_step + 1) * to_item;
    char *const low = at_end ? guard_high(&in_guard, (size_t)bytes) : guard_low(&in_guard);
    char *const result = at_end ? guard_high(&out_guard, (size_t)written) : guard_low(&out_guard);
    char *const expected = malloc((size_t)written);
    stria_view src, dst, want;
    stria_array dense = {0}, converted = {0};
    assert_non_null(expected);
    make(&src, step < 0 ? low + (n - 1) * size * item : low, from, rows, n, gap, step);
    make(&dst, result, to, rows, n, 0, out_step);
    make(&want, expected, to, rows, n, 0, out_step);
    memset(result, 0x5A, (size_t)written);
    memset(expected, 0x5A, (size_t)written);
    ok(stria_contiguous(&dense, &src, STRIA_ORDER_C, NULL, NULL));
    ok(stria_astype(&converted, &dense.view, stria_dtype_of(to), STRIA_CAST_UNSAFE,
                    STRIA_COPY_IF_NEEDED, NULL, NULL));
    ok(stria_copy(&want, &converted.view, NULL));
    ok(stria_copy(&dst, &src, NULL));
    if (memcmp(result, expected, (size_t)written) != 0)
        fail_msg("%s: kind %d to %d, %d rows of %d, step %d to %d: wrong", stria_isa_name(), from,
                 to, (int)rows, (int)n, (int)step, (int)out_step);
    stria_array_release(&dense);
    stria_array_release(&converted);
    free(expected);
}

static void check_level(void)
{
    static const struct {
        stria_kind to, from;
    } pairs[] = {{STRIA_F32, STRIA_U8},  {STRIA_BOOL, STRIA_I8},  {STRIA_F32, STRIA_F16},
                 {STRIA_F16, STRIA_F32}, {STRIA_F64, STRIA_I32},  {STRIA_BF16, STRIA_I64},
                 {STRIA_F32, STRIA_F64}, {STRIA_C64, STRIA_C128}, {STRIA_U8, STRIA_C64}};
    static const int64_t lengths[] = {2, 23, 127, 128, 129, 300, 1021, 2050, ITEMS};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            for (int64_t step = -3; step <= MOST_STEP; step++) {
                const int64_t n = lengths[i];
                if (step == 0) continue;
                check(pairs[k].to, pairs[k].from, 1, n, step, 1, true);
                check(pairs[k].to, pairs[k].from, 1, n, step, 1, false);
                check(pairs[k].to, pairs[k].from, 1, n, step, 2 + n % 3, n % 2);
                if (n > ITEMS / 2) continue;
                check(pairs[k].to, pairs[k].from, ITEMS / n, n, step, 1, step > 0);
                check(pairs[k].to, pairs[k].from, ITEMS / n, n, step, 2 + n % 3, step > 0);
            }
}

static void test_levels(void **state)
{
    (void)state;
    for (int level = 0; next_level(&level);)
        check_level();
}

/* Asserts that a plan says that items are gathered before a conversion, scattered after it, or
 * both. */
static void assert_told(int64_t step, int64_t out_step, bool gathered, bool scattered)
{
    stria_view src, dst;
    stria_copy_plan plan;
    make(&src, guard_low(&in_guard), STRIA_F32, 2, 1000, 0, step);
    make(&dst, guard_low(&out_guard), STRIA_I32, 2, 1000, 0, out_step);
    ok(stria_copy_plan_make(&plan, &dst, &src, NULL));
    assert_int_equal(strstr(plan.reason, "gathered first") != NULL, gathered);
    assert_int_equal(strstr(plan.reason, "scattered after") != NULL, scattered);
}

static void test_explained(void **state)
{
    (void)state;
    assert_told(1, 1, false, false);
    assert_told(2, 1, true, false);
    assert_told(1, 2, false, true);
    assert_told(2, 3, true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_explained),
        cmocka_unit_test_setup_teardown(test_levels, small_cache, real_cache),
    };
    const size_t room = (size_t)ITEMS * ITEM * (MOST_STEP + 3);
    uint64_t seed = 1;
    in_guard = guard_new(room);
    out_guard = guard_new(room);
    for (char *p = guard_low(&in_guard); p < guard_low(&in_guard) + room; p++)
        *p = (char)random_bits(&seed);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guard_free(&in_guard);
    guard_free(&out_guard);
    return failed;
}
