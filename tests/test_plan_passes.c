/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The passes of the plan one by one, on random operands: each keeps the set of elements, judged by
 * enumeration, and achieves its purpose. A failure prints its seed and its operands.
 */
#include <inttypes.h>
#include <string.h>

#include "plan/plan.h"
#include "support/test.h"
#include "support/visits.h"

enum { ROUNDS = 4000 };

static uint64_t magnitude(int64_t s)
{
    return s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
}

static void check(bool ok, const char *what, uint64_t seed, const struct operands *o)
{
    if (ok) return;
    print_error("seed %" PRIu64 ": %s\n", seed, what);
    operands_print(o);
    fail();
}

static void after_broadcast(stria_plan *plan, struct operands *o, uint64_t seed)
{
    operands_random(o, seed);
    stria__plan_broadcast(plan, o->nops, o->list);
}

static bool visits_sequence(const stria_plan *plan, const struct operands *o)
{
    struct visits wanted = visits_of_views(o->nops, o->list), got = visits_of_plan(plan);
    const bool same = visits_same_sequence(&wanted, &got);
    visits_free(&wanted);
    visits_free(&got);
    return same;
}

static bool visits_multiset(const stria_plan *plan, const struct operands *o)
{
    struct visits wanted = visits_of_views(o->nops, o->list), got = visits_of_plan(plan);
    const bool same = visits_same_multiset(&wanted, &got);
    visits_free(&wanted);
    visits_free(&got);
    return same;
}

static bool empty(const struct operands *o)
{
    for (int i = 0; i < o->view[0].ndim; i++)
        if (o->view[0].shape[i] == 0) return true;
    return false;
}

static bool canonical_empty(const stria_plan *plan)
{
    return plan->ndim == 1 && plan->dims[0].n == 0;
}

TEST(broadcast_visits_in_order)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        after_broadcast(&plan, &o, seed);
        check(visits_sequence(&plan, &o), "broadcast", seed, &o);
    }
}

TEST(drop_keeps_the_sequence)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        after_broadcast(&plan, &o, seed);
        stria__plan_drop(&plan);
        check(visits_sequence(&plan, &o), "drop", seed, &o);
        check(plan.ndim >= 1, "drop leaves a dim", seed, &o);
        check(!empty(&o) || canonical_empty(&plan), "drop of an empty set", seed, &o);
        for (int d = 0; d < plan.ndim; d++)
            check(plan.dims[d].n != 1 || plan.ndim == 1, "drop leaves no size 1", seed, &o);
    }
}

TEST(flip_keeps_the_multiset)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        after_broadcast(&plan, &o, seed);
        stria__plan_drop(&plan);
        stria__plan_flip(&plan);
        check(visits_multiset(&plan, &o), "flip", seed, &o);
        for (int d = 0; d < plan.ndim; d++)
            check(plan.dims[d].s[0] >= 0, "flip leaves no negative output stride", seed, &o);
    }
}

/* Runs sort alone, so that it meets size 1, stride 0 and negative strides, too. */
TEST(sort_keeps_the_multiset)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        bool decided = true;
        after_broadcast(&plan, &o, seed);
        stria__plan_sort(&plan);
        check(visits_multiset(&plan, &o), "sort", seed, &o);
        for (int d = 0; d < plan.ndim; d++)
            decided = decided && plan.dims[d].s[0] != 0;
        for (int d = 1; decided && d < plan.ndim; d++)
            check(magnitude(plan.dims[d - 1].s[0]) <= magnitude(plan.dims[d].s[0]),
                  "sort by the output's stride", seed, &o);
    }
}

static bool could_merge(const stria_plan *plan, int d)
{
    for (int k = 0; k < plan->nops; k++)
        if (plan->dims[d].s[k] * plan->dims[d].n != plan->dims[d + 1].s[k]) return false;
    return true;
}

TEST(merge_keeps_the_sequence)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        after_broadcast(&plan, &o, seed);
        stria__plan_drop(&plan);
        stria__plan_merge(&plan);
        check(visits_sequence(&plan, &o), "merge", seed, &o);
        for (int d = 0; d + 1 < plan.ndim; d++)
            check(!could_merge(&plan, d), "merge leaves no pair", seed, &o);
    }
}

TEST(make_keeps_the_multiset)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        stria_plan plan;
        struct operands o;
        operands_random(&o, seed);
        ok(stria_plan_make(&plan, o.nops, o.list, 0));
        check(visits_multiset(&plan, &o), "make", seed, &o);
        ok(stria_plan_make(&plan, o.nops, o.list, STRIA_PLAN_KEEP_ORDER));
        check(visits_sequence(&plan, &o), "make, order kept", seed, &o);
    }
}

TEST_MAIN(NULL, NULL)
