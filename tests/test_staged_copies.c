/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strategies of several steps, over copies of many items: those that go through stages, box by box,
 * and those that are put together once and copied from there. Compared with index arithmetic, on
 * every instruction set level, within the caches and beyond, with every byte around it.
 */
#include <string.h>

#include "machine/machine.h"
#include "move/cost.h"
#include "move/strategy.h"
#include "stria/stria.h"
#include "support/enumerate.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/test.h"

enum { ROOM = 4 << 20, CASES = 100, DIMS_MOST = 5 };

static char before[ROOM], expected[ROOM], out_memory[ROOM], in_memory[ROOM];

/*
 * Draws a layout with dims in any order: steps of some items, gaps, backwards ones, and, if
 * `still`, some strides of 0. Returns false where it needs more room.
 */
static bool random_layout(uint64_t *seed, stria_view *out, char *memory, stria_dtype dtype,
                          int ndim, const int64_t *shape, bool still)
{
    int order[DIMS_MOST];
    int64_t strides[DIMS_MOST], low = 0, s = dtype.itemsize;
    for (int d = 0; d < ndim; d++) {
        const int place = (int)random_between(seed, 0, d);
        order[d] = order[place];
        order[place] = d;
    }
    if (!random_once(seed, 3)) s *= random_between(seed, 2, 8);
    for (int i = 0; i < ndim; i++) {
        const int d = order[i];
        strides[d] = 0;
        if (still && random_once(seed, 3)) continue;
        strides[d] = random_once(seed, 4) ? -s : s;
        if (strides[d] < 0) low += (shape[d] - 1) * s;
        s *= shape[d];
        if (random_once(seed, 4)) s += dtype.itemsize * random_between(seed, 1, 9);
    }
    const int64_t offset = random_between(seed, 0, 200);
    if (s + offset > ROOM) return false;
    ok(stria_view_foreign(out, memory + offset + low, dtype, ndim, shape, strides, 0));
    return true;
}

static bool random_case(uint64_t *seed, stria_view *dst, stria_view *src)
{
    const bool still = random_once(seed, 2);
    static const char *const dtypes[] = {"u8", "i16", "f32", "f64"};
    stria_dtype dtype;
    int64_t shape[DIMS_MOST], left = random_between(seed, 1 << 10, 1 << 17);
    const int ndim = (int)random_between(seed, 2, DIMS_MOST);
    ok(stria_dtype_parse(&dtype, dtypes[random_between(seed, 0, 3)]));
    for (int d = ndim - 1; d > 0; d--) {
        const int64_t most = random_once(seed, 2) ? 9 : 400;
        shape[d] = random_between(seed, 2, most < left ? most : left > 2 ? left : 2);
        left /= shape[d];
    }
    shape[0] = left + 2;
    return random_layout(seed, dst, out_memory, dtype, ndim, shape, false) &&
           random_layout(seed, src, in_memory, dtype, ndim, shape, still);
}

static void make_nest(struct nest *out, const stria_view *dst, const stria_view *src)
{
    stria_plan plan;
    ok(stria_plan_make(&plan, 2, (const stria_view *const[]){dst, src}, 0));
    stria__nest_make(out, &plan, dst->dtype.itemsize);
}

static bool can_run(const struct strategy *strategy, const struct nest *nest)
{
    const struct facts facts = stria__facts(nest);
    return !(strategy->needs & ~facts.traits) && strategy->cost(&facts) < CANNOT;
}

static void assert_right(const struct strategy *strategy, uint64_t seed, const struct nest *nest,
                         const stria_view *dst, const stria_view *src)
{
    for (int stream = 0; stream < 2; stream++) {
        memcpy(out_memory, before, ROOM);
        stria__strategy_run(strategy, nest, stream);
        if (memcmp(out_memory, expected, ROOM) == 0) continue;
        print_view("out", dst);
        print_view("src", src);
        fail_msg("seed %llu, %s, stream %d", (unsigned long long)seed, stria_isa_name(), stream);
    }
}

/* Copies random cases; returns how many there were. */
static int random_cases(const struct strategy *strategy, uint64_t first)
{
    int ran = 0;
    for (uint64_t k = first; k < first + CASES; k++) {
        uint64_t seed = k;
        stria_view dst, src;
        struct nest nest;
        if (!random_case(&seed, &dst, &src)) continue;
        make_nest(&nest, &dst, &src);
        if (!can_run(strategy, &nest)) continue;
        ran++;
        memcpy(expected, before, ROOM);
        reference_copy(expected, out_memory, &dst, &src);
        assert_right(strategy, k, &nest, &dst, &src);
    }
    return ran;
}

static void random_copies(const struct strategy *strategy)
{
    uint64_t seed = 1;
    for (int i = 0; i < ROOM; i++) {
        before[i] = (char)random_bits(&seed);
        in_memory[i] = (char)random_bits(&seed);
    }
    for (int level = 0; next_level(&level);) {
        stria__machine_set_l2(1); /* so that every copy counts as large */
        assert_true(random_cases(strategy, 100) > CASES / 10);
        stria__machine_set_l2(0);
        assert_true(random_cases(strategy, 1000) > CASES / 20);
    }
}

TEST(test_random_boxes)
{
    random_copies(&stria__copy_staged);
}

TEST(test_random_slabs)
{
    random_copies(&stria__copy_slabs);
}

/* ---- planned copies -------------------------------------------------------------------------- */

/* Checks a planned copy of n x m items; so and si are the strides of dst and src in items along
 * their rows. */
static void check_planned(const char *dtype_name, int64_t n, int64_t so, int64_t m, int64_t si)
{
    static stria_copy_plan plan;
    const int64_t shape[] = {n, m}, steps[] = {so, n * so, m * si, si};
    stria_dtype dtype;
    stria_view dst, src;
    ok(stria_dtype_parse(&dtype, dtype_name));
    int64_t strides[4];
    for (int i = 0; i < 4; i++)
        strides[i] = steps[i] * dtype.itemsize;
    ok(stria_view_foreign(&dst, out_memory, dtype, 2, shape, strides, 0));
    ok(stria_view_foreign(&src, in_memory, dtype, 2, shape, strides + 2, 0));
    memcpy(out_memory, before, ROOM);
    memcpy(expected, before, ROOM);
    reference_copy(expected, out_memory, &dst, &src);
    ok(stria_copy_plan_make(&plan, &dst, &src, NULL));
    stria_copy_plan_run(&plan);
    if (memcmp(out_memory, expected, ROOM) != 0)
        fail_msg("%s, %lld x %lld: %s is wrong", dtype_name, (long long)n, (long long)m,
                 plan.strategy);
}

/* Transpositions with steps on either side, of many items and of few. */
TEST(test_steps_on_both_sides)
{
    stria__machine_set_l2(1 << 20);
    check_planned("u8", 1000, 1, 1000, 2);
    check_planned("u8", 1000, 2, 1000, 1);
    check_planned("u8", 1000, 1, 1000, 1);
    check_planned("i16", 700, 3, 700, 2);
    check_planned("f32", 64, 2, 64, 2);
    stria__machine_set_l2(0);
}

/* A transposed matrix that is repeated along a third dim. */
TEST(test_repeated_matrix)
{
    const int64_t shape[] = {40, 30, 50}, in[] = {0, 4, 120};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    stria_view dst, src;
    ok(stria_view_foreign(&dst, out_memory, f32, 3, shape, NULL, 0));
    ok(stria_view_foreign(&src, in_memory, f32, 3, shape, in, 0));
    memcpy(out_memory, before, ROOM);
    memcpy(expected, before, ROOM);
    reference_copy(expected, out_memory, &dst, &src);
    ok(stria_copy(&dst, &src, NULL));
    assert_memory_equal(out_memory, expected, ROOM);
}

TEST_MAIN(NULL, NULL)
