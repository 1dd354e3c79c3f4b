/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between random views against index arithmetic, on every instruction set level, with and
 * without streaming; every byte of the destination's memory is compared, so that a write outside
 * its elements is seen. Then what the contract says about overlap, rights and shapes, by example.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "dispatch.h"
#include "stria/stria.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"

enum { ROOM = 1 << 20, CASES = 3000 };

static char *const before = (char[ROOM]){0}, *const expected = (char[ROOM]){0};
static char *const out_memory = (char[ROOM]){0}, *const in_memory = (char[ROOM]){0};

/* ---- the reference --------------------------------------------------------------------------- */

/* memory is a copy of what lies at base, where dst is. */
static void reference_copy(char *memory, const char *base, const stria_view *dst,
                           const stria_view *src)
{
    stria_view wide;
    int64_t index[STRIA_MAX_NDIM] = {0};
    assert_int_equal(stria_expand(&wide, src, dst->ndim, dst->shape), STRIA_OK);
    if (stria_numel(dst) == 0) return;
    do {
        const char *from = src->data + offset_of(index, wide.ndim, wide.strides);
        char *to = memory + (dst->data - base) + offset_of(index, dst->ndim, dst->strides);
        memcpy(to, from, (size_t)dst->dtype.itemsize);
    } while (next_index(index, dst->ndim, dst->shape));
}

/* One random copy; false and a line that repeats it when it is wrong. */
static bool copies_right(uint64_t seed, const stria_exec *exec)
{
    stria_view dst, src;
    const uint64_t start = seed;
    const struct random_memory to = {out_memory, ROOM}, from = {in_memory, ROOM};
    if (!random_view(&seed, &dst, to, random_item(&seed))) return true;
    if (!random_source(&seed, &src, from, &dst)) return true;
    memcpy(out_memory, before, ROOM);
    memcpy(expected, before, ROOM);
    reference_copy(expected, out_memory, &dst, &src);
    assert_int_equal(stria_copy_with(&dst, &src, exec), STRIA_OK);
    if (memcmp(out_memory, expected, ROOM) == 0) return true;
    stria_copy_plan plan;
    assert_int_equal(stria_copy_plan_make(&plan, &dst, &src, exec), STRIA_OK);
    printf("seed %llu, %s, %s: %s\n", (unsigned long long)start, stria_isa_name(), plan.strategy,
           plan.reason);
    print_view("dst", &dst);
    print_view("src", &src);
    return false;
}

static void random_copies(uint32_t hints)
{
    const stria_exec exec = {.threads = 1, .hints = hints};
    uint64_t seed = 1;
    int wrong = 0;
    for (int i = 0; i < ROOM; i++) {
        before[i] = (char)random_bits(&seed);
        in_memory[i] = (char)random_bits(&seed);
    }
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        assert_true(stria__set_isa(stria__kernels_at(level)->isa));
        for (uint64_t k = 0; k < CASES; k++)
            wrong += !copies_right(1000 + k, &exec);
    }
    stria__set_isa(NULL);
    assert_int_equal(wrong, 0);
}

static void test_random_copies(void **state)
{
    (void)state;
    random_copies(STRIA_WILL_READ_SOON);
}

/* With a cache this small everything is large enough to be streamed. */
static void test_random_streamed_copies(void **state)
{
    (void)state;
    stria__cpu_set_l2(1);
    random_copies(0);
    stria__cpu_set_l2(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_copies),
        cmocka_unit_test(test_random_streamed_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
