/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of copies: they can be run again, and they explain what they do. */
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/test.h"
#include "support/views.h"

TEST(test_plan)
{
    int32_t x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0};
    const stria_view a = i32_view(x, 2, (int64_t[]){2, 3}, NULL),
                     b = i32_view(y, 2, (int64_t[]){3, 2}, NULL);
    stria_view t;
    stria_copy_plan plan;
    ok(stria_reverse_dims(&t, &a));
    assert_int_equal(stria_copy_plan_make(NULL, &b, &t, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_copy_plan_make(&plan, &b, &t, NULL));
    assert_true(strlen(plan.strategy) > 0);
    assert_true(strlen(plan.reason) > 0);
    stria_copy_plan_run(&plan);
    assert_memory_equal(y, ((int32_t[]){1, 4, 2, 5, 3, 6}), sizeof y);
    x[1] = 20;
    stria_copy_plan_run(&plan);
    assert_int_equal(y[2], 20);
    ok(stria_copy_plan_make(&plan, &a, &a, NULL));
    assert_string_equal(plan.strategy, "nothing");
    stria_copy_plan_run(&plan);
    assert_int_equal(x[1], 20);
}

TEST(rights_are_checked_when_a_plan_is_made)
{
    RELEASED stria_array dst = {0};
    float x[4] = {1, 2, 3, 4};
    stria_view src;
    stria_copy_plan plan;
    ok(stria_zeros(&dst, stria_dtype_of(STRIA_F32), 1, (int64_t[]){4}));
    ok(stria_view_foreign(&src, x, stria_dtype_of(STRIA_F32), 1, (int64_t[]){4}, NULL, 0));
    ok(stria_copy_plan_make(&plan, &dst.view, &src, NULL));
    stria_buffer_freeze(dst.owned);
    stria_copy_plan_run(&plan);
    assert_memory_equal(dst.view.data, x, sizeof x);
    assert_int_equal(stria_copy_plan_make(&plan, &dst.view, &src, NULL), STRIA_ERR_READONLY);
}

/* ---- what a plan tells ----------------------------------------------------------------------- */

/* Plans a transposition of n x n f32 in meta memory for a second-level cache of l2 bytes. */
static stria_copy_plan planned(int64_t n, int64_t at, int64_t l2, uint32_t hints)
{
    const int64_t shape[] = {n, n};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    stria_buffer *memory;
    stria_view dst, src;
    stria_copy_plan plan;
    ok(stria_buffer_meta(&memory, 2 * (INT64_C(1) << 27)));
    ok(stria_view_make(&dst, memory, f32, 2, shape, NULL, at));
    ok(stria_view_make(&src, memory, f32, 2, shape, NULL, 1 << 27));
    ok(stria_reverse_dims(&src, &src));
    stria__machine_set_l2(l2);
    ok(stria_copy_plan_make(&plan, &dst, &src, &(stria_exec){.hints = hints}));
    stria__machine_set_l2(0);
    stria_buffer_release(memory);
    return plan;
}

static void check_told(const stria_copy_plan *plan, int64_t n)
{
    const size_t length = strlen(plan->reason);
    assert_true(strlen(plan->strategy) > 0);
    assert_true(length > 0 && length < sizeof plan->reason);
    assert_true(plan->cycles >= 0);
    assert_true(!plan->second || plan->second_cycles >= plan->cycles);
    const char *const told = strstr(plan->reason, "; streams ");
    if (!told || !strstr(told, " rows side by side")) return;
    const long rows = strtol(told + strlen("; streams "), NULL, 10);
    assert_true(rows >= 1 && rows <= n);
}

/* Explanations are complete and plausible, whatever the size, the alignment and the cache. */
TEST(test_plans_explain)
{
    static const int64_t sides[] = {1, 16, 127, 256, 1024, 4096, 4095, 4112};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        for (int64_t l2 = 256 << 10; l2 <= 4 << 20; l2 *= 2)
            for (int64_t at = 0; at <= 48; at += 4) {
                const stria_copy_plan plan = planned(sides[i], at, l2, 0);
                check_told(&plan, sides[i]);
            }
}

/* A copy whose operands fit the second-level cache twice stays in it. */
TEST(test_small_copies_do_not_stream)
{
    for (int64_t l2 = 256 << 10; l2 <= 4 << 20; l2 *= 2)
        assert_null(strstr(planned(128, 0, l2, 0).reason, "streams"));
}

/* ---- other memory of the same layout ------------------------------------------------------ */

enum { ROOM = 1 << 16 };
static uint8_t from[2][ROOM], to[2][ROOM];

static stria_view view_at(uint8_t *memory, int64_t at, stria_dtype dtype, const int64_t *shape,
                          const int64_t *strides)
{
    stria_view v;
    ok(stria_view_foreign(&v, memory + at, dtype, 3, shape, strides, 0));
    return v;
}

/* Draws a layout of 3 dims in ROOM bytes: some order of the dims, gaps, some of them backwards. */
static int64_t random_layout(int64_t *strides, const int64_t *shape, int64_t item, uint64_t *rng)
{
    int order[3] = {0, 1, 2};
    int64_t s = item, at = 0;
    for (int i = 2; i > 0; i--) {
        const int j = (int)random_between(rng, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < 3; i++) {
        const int d = order[i];
        if (random_once(rng, 4)) s += item;
        strides[d] = s;
        s *= shape[d];
        if (!random_once(rng, 3)) continue;
        at += strides[d] * (shape[d] - 1);
        strides[d] = -strides[d];
    }
    assert_true(s < ROOM / 2);
    return at;
}

/* A plan made for one pair of buffers and run on another gives what a plan for the other gives. */
TEST(test_plan_runs_at_other_addresses)
{
    static const stria_kind kinds[] = {STRIA_U8, STRIA_I16, STRIA_F32, STRIA_F64, STRIA_C64};
    static uint8_t wanted[ROOM];
    for (uint64_t seed = 0; seed < 600; seed++) {
        uint64_t rng = seed;
        const stria_dtype dtype = stria_dtype_of(kinds[random_between(&rng, 0, 4)]);
        stria_dtype in = random_once(&rng, 3) ? stria_dtype_swap(dtype) : dtype;
        if (random_once(&rng, 4)) in = stria_dtype_of(STRIA_I8);
        int64_t shape[3], so[3], si[3];
        for (int d = 0; d < 3; d++)
            shape[d] = random_between(&rng, 1, 11);
        const int64_t at_out = random_layout(so, shape, dtype.itemsize, &rng),
                      at_in = random_layout(si, shape, in.itemsize, &rng);
        const int64_t shift_out = random_between(&rng, 0, 99),
                      shift_in = random_between(&rng, 0, 99);
        for (int i = 0; i < ROOM; i++)
            from[0][i] = 1, from[1][i] = (uint8_t)(random_bits(&rng) % 100);
        memset(to, 7, sizeof to);
        memset(wanted, 7, sizeof wanted);
        const stria_view dst = view_at(to[0], at_out, dtype, shape, so),
                         src = view_at(from[0], at_in, in, shape, si),
                         out = view_at(wanted, at_out + shift_out, dtype, shape, so),
                         moved = view_at(from[1], at_in + shift_in, in, shape, si);
        stria_copy_plan plan;
        ok(stria_copy_plan_make(&plan, &dst, &src, NULL));
        ok(stria_copy(&out, &moved, NULL));
        char *const there = (char *)to[1] + at_out + shift_out;
        ok(stria_copy_plan_run_at(&plan, there, moved.data));
        assert_memory_equal(to[1], wanted, ROOM);
        assert_int_equal(to[0][at_out], 7);
    }
}

TEST(test_plan_refuses_other_addresses)
{
    int32_t x[16] = {0}, y[16] = {0};
    const int64_t four = 4;
    stria_view a = i32_view(x, 1, &four, NULL), b = i32_view(y, 1, &four, NULL), neg = a;
    stria_copy_plan plan;
    neg.flags |= STRIA_NEG;
    assert_int_equal(stria_copy_plan_run_at(NULL, b.data, a.data), STRIA_ERR_ARGUMENT);
    ok(stria_copy_plan_make(&plan, &b, &a, NULL));
    assert_int_equal(stria_copy_plan_run_at(&plan, NULL, a.data), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy_plan_run_at(&plan, b.data, NULL), STRIA_ERR_ARGUMENT);
    for (int i = -3; i <= 3; i++) {
        assert_int_equal(stria_copy_plan_run_at(&plan, (char *)(y + 4 + i), (char *)(y + 4)),
                         STRIA_ERR_OVERLAP);
        assert_non_null(strstr(stria_last_error(), "share bytes"));
    }
    ok(stria_copy_plan_run_at(&plan, (char *)(y + 8), (char *)(y + 4)));
    /* every other item: the source may lie between them */
    a.strides[0] = b.strides[0] = 8;
    ok(stria_copy_plan_make(&plan, &b, &a, NULL));
    y[1] = 11, y[3] = 13;
    ok(stria_copy_plan_run_at(&plan, (char *)y, (char *)(y + 1)));
    assert_true(y[0] == 11 && y[2] == 13);
    assert_int_equal(stria_copy_plan_run_at(&plan, (char *)y, (char *)y + 3), STRIA_ERR_OVERLAP);
    /* the same elements: negated in place, or left alone */
    a.strides[0] = neg.strides[0] = 4;
    ok(stria_copy_plan_make(&plan, &a, &neg, NULL));
    y[0] = 5;
    ok(stria_copy_plan_run_at(&plan, (char *)y, (char *)y));
    assert_int_equal(y[0], -5);
    assert_int_equal(stria_copy_plan_run_at(&plan, (char *)y, (char *)x), STRIA_ERR_ARGUMENT);
    ok(stria_copy_plan_make(&plan, &a, &a, NULL));
    ok(stria_copy_plan_run_at(&plan, (char *)y, (char *)y));
    assert_int_equal(stria_copy_plan_run_at(&plan, (char *)y, (char *)x), STRIA_ERR_ARGUMENT);
    /* no elements to move, and no memory */
    a.shape[0] = 0;
    ok(stria_copy_plan_make(&plan, &a, &a, NULL));
    ok(stria_copy_plan_run_at(&plan, NULL, NULL));
    stria_buffer *memory;
    ok(stria_buffer_meta(&memory, 64));
    ok(stria_view_make(&a, memory, a.dtype, 1, &four, NULL, 0));
    ok(stria_view_make(&b, memory, a.dtype, 1, &four, NULL, 32));
    ok(stria_copy_plan_make(&plan, &a, &b, NULL));
    assert_int_equal(stria_copy_plan_run_at(&plan, (char *)x, (char *)y), STRIA_ERR_ARGUMENT);
    stria_buffer_release(memory);
}

TEST_MAIN(NULL, NULL)
