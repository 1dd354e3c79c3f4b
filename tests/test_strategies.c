/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every strategy that gives a cost for a random copy can make that copy, on every instruction set
 * level, streamed and not; every byte of the destination's memory is compared. The cheapest
 * strategy is the same from whichever end the table is read.
 */
#include <stdio.h>
#include <string.h>

#include "machine/dispatch.h"
#include "machine/machine.h"
#include "move/cost.h"
#include "move/strategy.h"
#include "stria/stria.h"
#include "support/guard.h"
#include "support/levels.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/test.h"

enum { ROOM = 1 << 19, CASES = 3000, MOST = 32 };

static char *const before = (char[ROOM]){0}, *const expected = (char[ROOM]){0};
static _Alignas(64) char out_memory[ROOM], in_memory[ROOM];

static int ran[MOST]; /* how often each strategy ran, by row of the table */

/* Draws a random copy; returns false where there is nothing to do. */
static bool random_copy(uint64_t *seed, stria_view *dst, stria_view *src, struct nest *nest)
{
    const struct random_memory to = {out_memory, ROOM}, from = {in_memory, ROOM};
    stria_plan plan;
    if (!random_view(seed, dst, to, random_item(seed)) || !random_source(seed, src, from, dst) ||
        stria_numel(dst) == 0)
        return false;
    ok(stria_expand(src, src, dst->ndim, dst->shape));
    ok(stria_plan_make(&plan, 2, (const stria_view *const[]){dst, src}, 0));
    stria__nest_make(nest, &plan, dst->dtype.itemsize);
    return true;
}

static double cost_at(int row, const struct facts *facts)
{
    const struct strategy *const strategy = stria__strategy_at(row);
    return strategy->needs & ~facts->traits ? CANNOT : strategy->cost(facts);
}

static void all_ways(uint64_t seed, bool stream)
{
    const uint64_t start = seed;
    stria_view dst, src;
    struct nest nest;
    if (!random_copy(&seed, &dst, &src, &nest)) return;
    const struct facts facts = stria__facts(&nest);
    memcpy(expected, before, ROOM);
    reference_copy(expected, out_memory, &dst, &src);
    for (int row = 0; stria__strategy_at(row); row++) {
        if (!(cost_at(row, &facts) < CANNOT)) continue;
        memcpy(out_memory, before, ROOM);
        stria__strategy_run(stria__strategy_at(row), &nest, stream);
        ran[row]++;
        if (memcmp(out_memory, expected, ROOM) == 0) continue;
        print_view("out", &dst);
        print_view("src", &src);
        fail_msg("seed %llu, %s, stream %d: %s is wrong", (unsigned long long)start,
                 stria_isa_name(), stream, stria__strategy_at(row)->name);
    }
}

TEST(test_every_way_is_right)
{
    uint64_t seed = 1;
    int levels = 0, patterns = 0; /* levels in all, and those that have kernels for patterns */
    for (int i = 0; i < ROOM; i++) {
        before[i] = (char)random_bits(&seed);
        in_memory[i] = (char)random_bits(&seed);
    }
    stria__machine_set_l2(1); /* no copy counts as small */
    for (int level = 0; next_level(&level);) {
        levels++;
        patterns += stria__kernels()->pattern != NULL;
        for (uint64_t k = 0; k < CASES; k++)
            all_ways(5000 + k, k % 2);
    }
    stria__machine_set_l2(0);
    for (int row = 0; stria__strategy_at(row); row++) {
        assert_true(row < MOST);
        const char *const name = stria__strategy_at(row)->name;
        if (ran[row] < 8 * (strcmp(name, "pattern") == 0 ? patterns : levels))
            fail_msg("%s ran %d times only", name, ran[row]);
    }
}

/* No two strategies have the same least cost: the last of the cheapest is the first. */
TEST(test_order_does_not_matter)
{
    int rows = 0;
    while (stria__strategy_at(rows))
        rows++;
    for (uint64_t k = 0; k < 4 * CASES; k++) {
        uint64_t seed = 9000 + k;
        stria_view dst, src;
        struct nest nest;
        if (!random_copy(&seed, &dst, &src, &nest)) continue;
        const struct facts facts = stria__facts(&nest);
        const struct choice choice = stria__choose(&nest);
        double best = CANNOT;
        const struct strategy *from_behind = NULL;
        for (int row = rows - 1; row >= 0; row--)
            if (cost_at(row, &facts) < best) {
                best = cost_at(row, &facts);
                from_behind = stria__strategy_at(row);
            }
        assert_non_null(choice.best);
        assert_ptr_equal(choice.best, from_behind);
        assert_ptr_equal(stria__strategy(&nest), choice.best);
        assert_true(choice.best_cost > 0 && choice.best_cost == best);
        assert_true(choice.second_cost > choice.best_cost);
        assert_int_equal(choice.second != NULL, choice.second_cost < CANNOT);
    }
}

/*
 * The choice depends on the layout alone: it is kept with the layout, and must not change when the
 * operands lie at other addresses.
 */
TEST(test_addresses_do_not_matter)
{
    int compared = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        uint64_t seed = 20000 + k;
        stria_view dst, src;
        struct nest nest;
        if (!random_copy(&seed, &dst, &src, &nest)) continue;
        const struct choice here = stria__choose(&nest);
        nest.out += random_between(&seed, 1, 4096);
        nest.in -= random_between(&seed, 1, 4096);
        const struct choice there = stria__choose(&nest);
        assert_ptr_equal(there.best, here.best);
        assert_true(there.best_cost == here.best_cost);
        compared++;
    }
    assert_true(compared > CASES / 2);
}

/*
 * Blocks that are shuffled read whole lanes and lines, but nothing in front of the first element or
 * behind the last one, where memory may end: each permutation of four dims, at either end.
 */
TEST(test_patterns_stay_within)
{
    static const int64_t shapes[][4] = {
        {2, 3, 16, 90}, {7, 8, 5, 40}, {3, 33, 2, 50}, {70, 3, 7, 8}};
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16};
    struct guard in_guard = guard_new(ROOM), out_guard = guard_new(ROOM);
    const struct strategy *pattern = NULL;
    for (int row = 0; stria__strategy_at(row); row++)
        if (strcmp(stria__strategy_at(row)->name, "pattern") == 0)
            pattern = stria__strategy_at(row);
    assert_non_null(pattern);
    for (int level = 0; next_level(&level);) {
        int moved = 0;
        for (int k = 0; k < 24 * 4 * 7 * 2; k++) {
            const int64_t *const n = shapes[k / 24 % 4], item = items[k / 96 % 7];
            const int64_t bytes = item * n[0] * n[1] * n[2] * n[3];
            const bool at_end = k >= 672;
            char *const out =
                            at_end ? guard_high(&out_guard, (size_t)bytes) : guard_low(&out_guard),
                        *const in =
                            at_end ? guard_high(&in_guard, (size_t)bytes) : guard_low(&in_guard);
            struct nest nest;
            int left[4] = {0, 1, 2, 3}, code = k % 24;
            int64_t step = item;
            stria__nest_begin(&nest, out, in, item);
            for (int d = 0; d < 4; d++) {
                const int at = code % (4 - d), dim = left[at];
                int64_t si = item;
                code /= 4 - d;
                left[at] = left[3 - d];
                for (int j = dim + 1; j < 4; j++)
                    si *= n[j];
                stria__nest_push(&nest, n[dim], step, si);
                step *= n[dim];
            }
            const struct facts facts = stria__facts(&nest);
            if (pattern->needs & ~facts.traits || !(pattern->cost(&facts) < CANNOT)) continue;
            for (int64_t i = 0; i < bytes; i++)
                in[i] = (char)(i * 7 + i / 256);
            memset(out, 0, (size_t)bytes);
            stria__strategy_run(pattern, &nest, false);
            memcpy(expected, out, (size_t)bytes);
            stria__strategy_run(&stria__copy_strided, &nest, false);
            assert_memory_equal(out, expected, (size_t)bytes);
            moved++;
        }
        assert_true(stria__kernels()->pattern ? moved > 100 : moved == 0);
    }
    guard_free(&in_guard);
    guard_free(&out_guard);
}

TEST_MAIN(NULL, NULL)
