/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between random views against index arithmetic, on every instruction set level, with and
 * without streaming; every byte of the destination's memory is compared, so that a write outside
 * its elements is seen. Then the rules on overlap, rights and shapes, by example.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "stria/stria.h"
#include "support/levels.h"
#include "support/counting_allocator.h"
#include "support/enumerate.h"
#include "support/pool.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/views.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROOM = 1 << 20, CASES = 5000 };

static char before[ROOM], expected[ROOM], out_memory[ROOM], in_memory[ROOM];

/* ---- which strategies ran -------------------------------------------------------------------- */

/* With so few elements an interleave is rarely worth its preparation: test_strategies.c runs it,
 * too. */

static struct {
    const char *name;
    int count;
} seen[] = {{"block", 0},  {"broadcast", 0}, {"transpose", 0}, {"reverse", 0},
            {"gather", 0}, {"scatter", 0},   {"rows", 0},      {"strided", 0}};
enum { STRATEGIES = (int)(sizeof seen / sizeof seen[0]) };

static void count_strategy(const stria_view *dst, const stria_view *src, const stria_exec *exec)
{
    stria_copy_plan plan;
    ok(stria_copy_plan_make(&plan, dst, src, exec));
    for (int k = 0; k < STRATEGIES; k++)
        seen[k].count += !strcmp(plan.strategy, seen[k].name);
}

/* Makes one random copy; when it is wrong, prints a line that repeats it and returns false. */
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
    ok(stria_copy(&dst, &src, exec));
    count_strategy(&dst, &src, exec);
    if (memcmp(out_memory, expected, ROOM) == 0) return true;
    stria_copy_plan plan;
    ok(stria_copy_plan_make(&plan, &dst, &src, exec));
    printf("seed %llu, %s, %s: %s\n", (unsigned long long)start, stria_isa_name(), plan.strategy,
           plan.reason);
    print_view("out", &dst);
    print_view("src", &src);
    return false;
}

static void random_copies(uint32_t hints)
{
    const stria_exec exec = {.threads = 1, .hints = hints};
    uint64_t seed = 1;
    int wrong = 0, levels = 0;
    for (int i = 0; i < ROOM; i++) {
        before[i] = (char)random_bits(&seed);
        in_memory[i] = (char)random_bits(&seed);
    }
    for (int level = 0; next_level(&level);) {
        levels++;
        for (uint64_t k = 0; k < CASES; k++)
            wrong += !copies_right(1000 + k, &exec);
    }
    assert_int_equal(wrong, 0);
    for (int k = 0; k < STRATEGIES; k++) {
        if (seen[k].count < 4 * levels)
            fail_msg("%s ran %d times only", seen[k].name, seen[k].count);
        seen[k].count = 0;
    }
}

TEST(test_random_copies)
{
    random_copies(STRIA_WILL_READ_SOON);
}

/* With a cache this small everything is large enough to be streamed. */
TEST(test_random_streamed_copies)
{
    stria__machine_set_l2(1);
    random_copies(0);
    stria__machine_set_l2(0);
}

/* ---- reproducibility ------------------------------------------------------------------------- */

/* Large enough for several threads; every level and number of threads gives the same bytes. */
TEST(test_threads_and_levels_agree)
{
    const int64_t shape[3] = {97, 131, 53}, numel = 97 * 131 * 53;
    RELEASED stria_array a = {0}, b = {0}, reference = {0};
    stria_view t;
    ok(stria_empty(&a, stria_dtype_of(STRIA_I32), 3, shape));
    for (int32_t i = 0; i < numel; i++)
        memcpy(a.view.data + 4 * (int64_t)i, &i, 4);
    ok(stria_permute(&t, &a.view, 3, (int[]){2, 0, 1}));
    ok(stria_clone_new(&reference, &t, NULL));
    for (int64_t k = 0; k < numel; k++) {
        int32_t got;
        memcpy(&got, reference.view.data + 4 * k, 4);
        const int64_t i = k / (97 * 131), j = k / 131 % 97, l = k % 131;
        assert_int_equal(got, (j * 131 + l) * 53 + i);
    }
    ok(stria_empty(&b, t.dtype, 3, t.shape));
    for (int level = 0; next_level(&level);) {
        for (int threads = 1; threads <= 5; threads++) {
            const stria_exec exec = {.threads = threads, .run = pool_run};
            memset(b.view.data, 0, (size_t)(4 * numel));
            ok(stria_copy(&b.view, &t, &exec));
            assert_memory_equal(b.view.data, reference.view.data, (size_t)(4 * numel));
        }
    }
}

/* ---- the contract, by example ---------------------------------------------------------------- */

/* The result of numpy: x = arange(10); x[::2] = x[1:6]. */
TEST(test_overlap_strided)
{
    int32_t x[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int32_t wanted[10] = {1, 1, 2, 3, 3, 5, 4, 7, 5, 9};
    const stria_view v = i32_view(x, 1, (int64_t[]){10}, NULL);
    stria_view dst, src;
    ok(stria_slice(&dst, &v, 0, 0, 10, 2));
    ok(stria_slice(&src, &v, 0, 1, 6, 1));
    ok(stria_copy(&dst, &src, NULL));
    assert_memory_equal(x, wanted, sizeof x);
}

TEST(test_overlap_shifted)
{
    for (int64_t by = -3; by <= 3; by++) {
        int32_t x[20], wanted[20];
        for (int i = 0; i < 20; i++)
            x[i] = wanted[i] = i;
        for (int64_t i = 5; i < 15; i++)
            wanted[i + by] = (int32_t)i;
        const stria_view src = i32_view(x + 5, 1, (int64_t[]){10}, NULL);
        const stria_view dst = i32_view(x + 5 + by, 1, (int64_t[]){10}, NULL);
        ok(stria_copy(&dst, &src, NULL));
        assert_memory_equal(x, wanted, sizeof x);
    }
}

TEST(test_overlap_reversed)
{
    int32_t x[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const int32_t wanted[9] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    const stria_view v = i32_view(x, 1, (int64_t[]){9}, NULL);
    stria_view r;
    ok(stria_slice(&r, &v, 0, STRIA_NONE, STRIA_NONE, -1));
    ok(stria_copy(&v, &r, NULL));
    assert_memory_equal(x, wanted, sizeof x);
}

TEST(test_overlap_transposed_and_broadcast)
{
    int32_t x[4] = {1, 2, 3, 4};
    const stria_view v = i32_view(x, 2, (int64_t[]){2, 2}, NULL);
    stria_view t, row;
    ok(stria_reverse_dims(&t, &v));
    ok(stria_copy(&v, &t, NULL));
    assert_memory_equal(x, ((int32_t[]){1, 3, 2, 4}), sizeof x);
    ok(stria_select(&row, &v, 0, 1));
    ok(stria_copy(&v, &row, NULL));
    assert_memory_equal(x, ((int32_t[]){2, 4, 2, 4}), sizeof x);
}

TEST(test_overlap_forbidden)
{
    int32_t x[4] = {1, 2, 3, 4};
    const stria_view v = i32_view(x, 2, (int64_t[]){2, 2}, NULL);
    stria_view t;
    stria_copy_plan plan;
    const stria_exec exec = {.hints = STRIA_NO_OVERLAP};
    ok(stria_reverse_dims(&t, &v));
    assert_int_equal(stria_copy(&v, &t, &exec), STRIA_ERR_OVERLAP);
    assert_int_equal(stria_copy_plan_make(&plan, &v, &t, NULL), STRIA_ERR_OVERLAP);
    assert_memory_equal(x, ((int32_t[]){1, 2, 3, 4}), sizeof x);
}

TEST(test_refusals)
{
    int32_t x[12] = {0}, y[12] = {1};
    const stria_view dst = i32_view(x, 2, (int64_t[]){3, 4}, NULL),
                     src = i32_view(y, 2, (int64_t[]){4, 3}, NULL);
    const stria_view readonly = readonly_of(&dst);
    stria_view wide, windows;
    assert_int_equal(stria_copy(NULL, &src, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy(&dst, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy(&readonly, &dst, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_copy(&dst, &src, NULL), STRIA_ERR_BROADCAST);
    assert_non_null(strstr(stria_last_error(), "copy: src of shape (4, 3) "));
    assert_non_null(strstr(stria_last_error(), " out's (3, 4)"));
    const stria_view line = i32_view(x, 1, (int64_t[]){4}, NULL);
    ok(stria_expand(&wide, &line, 2, (int64_t[]){3, 4}));
    assert_int_equal(stria_copy(&wide, &dst, NULL), STRIA_ERR_OVERLAP);
    ok(stria_view_foreign(&windows, x, stria_dtype_of(STRIA_I32), 2, (int64_t[]){2, 3},
                          (int64_t[]){4, 4}, 0));
    const stria_view pairs = i32_view(y, 2, (int64_t[]){2, 3}, NULL);
    assert_int_equal(stria_copy(&windows, &pairs, NULL), STRIA_ERR_OVERLAP);
    for (int i = 0; i < 12; i++)
        assert_int_equal(x[i], 0);
}

/* Dims that interleave without touching: strides 8 and 12 in steps of 4 bytes. */
TEST(test_interleaved_destination)
{
    int32_t x[8] = {0};
    const int32_t y[4] = {1, 2, 3, 4};
    stria_view dst;
    ok(stria_view_foreign(&dst, x, stria_dtype_of(STRIA_I32), 2, (int64_t[]){2, 2},
                          (int64_t[]){8, 12}, 0));
    int32_t values[4];
    memcpy(values, y, sizeof y);
    const stria_view src = i32_view(values, 2, (int64_t[]){2, 2}, NULL);
    ok(stria_copy(&dst, &src, NULL));
    assert_memory_equal(x, ((int32_t[]){1, 0, 3, 2, 0, 4, 0, 0}), sizeof x);
}

/* Operands that are not dense, with the short steps along different dims, and sizes that leave a
 * remainder of any block. */
TEST(test_blocks)
{
    enum { P = 50, M = 131, Q = 70, ITEM = 2 };
    stria_view dst, src;
    const stria_dtype dtype = stria_dtype_of(STRIA_U16);
    const int64_t shape[3] = {P, M, Q}, to[3] = {2 * ITEM * Q * M, 2 * ITEM * Q, 2 * ITEM},
                  from[3] = {-6, 320, 320 * M};
    char *const in = calloc(1, (size_t)(320 * M * Q)), *const out = calloc(1, P * M * Q * ITEM * 2),
                *const wanted = calloc(1, P * M * Q * ITEM * 2);
    assert_true(in && out && wanted);
    for (int64_t i = 0; i < 320 * M * Q; i++)
        in[i] = (char)(i * 7 + i / 251);
    ok(stria_view_foreign(&dst, out, dtype, 3, shape, to, 0));
    ok(stria_view_foreign(&src, in + 6 * (P - 1), dtype, 3, shape, from, 0));
    reference_copy(wanted, out, &dst, &src);
    ok(stria_copy(&dst, &src, NULL));
    assert_memory_equal(out, wanted, P * M * Q * ITEM * 2);
    free(in);
    free(out);
    free(wanted);
}

TEST(test_empty_and_scalar)
{
    int32_t x = 1, y = 2;
    const stria_view a = i32_view(&x, 0, NULL, NULL), b = i32_view(&y, 1, (int64_t[]){1}, NULL);
    ok(stria_copy(&a, &b, NULL));
    assert_int_equal(x, 2);
    const stria_view none = i32_view(&x, 2, (int64_t[]){0, 5}, NULL),
                     too = i32_view(&y, 1, (int64_t[]){5}, NULL);
    ok(stria_copy(&none, &too, NULL));
    assert_int_equal(x, 2);
}

TEST(test_meta)
{
    if (sizeof(void *) < 8) skip(); /* larger than the address space */
    stria_buffer *buffer;
    stria_view m, t;
    const int64_t shape[2] = {1 << 20, 1 << 20};
    ok(stria_buffer_meta(&buffer, (int64_t)4 << 40));
    ok(stria_view_make(&m, buffer, stria_dtype_of(STRIA_I32), 2, shape, NULL, 0));
    ok(stria_reverse_dims(&t, &m));
    ok(stria_copy(&m, &t, NULL));
    stria_array copy = {0};
    stria_outcome outcome;
    ok(stria_contiguous(&copy, &t, STRIA_ORDER_C, &outcome, NULL));
    assert_int_equal(outcome, STRIA_IS_COPY);
    assert_true(stria_buffer_is_meta(copy.owned));
    stria_copy_plan plan; /* says what would run, and runs nothing */
    ok(stria_copy_plan_make(&plan, &copy.view, &t, NULL));
    stria_copy_plan_run(&plan);
    stria_array_release(&copy);
    int32_t x[3] = {1, 2, 3};
    const stria_view real = i32_view(x, 1, (int64_t[]){3}, NULL), small = m;
    stria_view part;
    ok(stria_narrow(&part, &small, 1, 0, 3));
    ok(stria_select(&part, &part, 0, 0));
    ok(stria_copy(&real, &part, NULL));
    assert_int_equal(x[0], 1);
    stria_buffer_release(buffer);
}

/* Only overlapping operands cost memory, and a refusal of it changes nothing. */
TEST(test_allocations)
{
    int32_t x[100], y[100], wanted[100];
    for (int i = 0; i < 100; i++)
        x[i] = i;
    const stria_view a = i32_view(x, 2, (int64_t[]){10, 10}, NULL),
                     b = i32_view(y, 2, (int64_t[]){10, 10}, NULL);
    stria_view t;
    stria_copy_plan plan;
    ok(stria_reverse_dims(&t, &a));
    counting_begin(0);
    ok(stria_copy(&b, &t, NULL));
    ok(stria_copy_plan_make(&plan, &b, &t, NULL));
    stria_copy_plan_run(&plan);
    ok(stria_fill_item(&b, &x[3], NULL));
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
    memcpy(wanted, x, sizeof x);
    counting_begin(1);
    assert_int_equal(stria_copy(&a, &t, NULL), STRIA_ERR_MEMORY);
    assert_memory_equal(x, wanted, sizeof x);
    counting_end();
    counting_begin(0);
    ok(stria_copy(&a, &t, NULL));
    assert_int_equal(allocation_counts.calls, 1);
    /* the copy and the header of its buffer */
    assert_in_range(allocation_counts.bytes, sizeof x, sizeof x + 128);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    assert_int_equal(x[1], 10);
}

TEST_MAIN(NULL, NULL)
