/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of a walk: whatever is chosen visits every element once, is a block at all, and makes a
 * simulated cache miss little more often than each line has to be loaded.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/walk_block.h"
#include "plan/plan.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/visits.h"
#include "support/test.h"

static const stria_exec serial = {.threads = 1};

/* ---- every element once ---------------------------------------------------------------------- */

struct record {
    struct visits visits;
    bool empty; /* a call with an empty d */
};

static stria_status record_all(char *const *ptr, const stria_dim *d, const void *arg)
{
    struct record *r = *(struct record *const *)arg;
    r->empty = r->empty || d[0].n < 1 || d[1].n < 1;
    visits_add_all(&r->visits, ptr, d);
    return STRIA_OK;
}

static void visits_all(const stria_plan *plan, const struct walk_block *block, uint64_t seed)
{
    struct visits wanted = visits_of_plan(plan);
    struct record r = {.visits = visits_new(plan->nops, wanted.count)}, *at = &r;
    ok(stria__walk(plan, block, record_all, &at, &serial));
    if (r.empty || !visits_same_multiset(&wanted, &r.visits)) {
        print_error("seed %" PRIu64 "\n", seed);
        for (int d = 0; d < plan->ndim; d++)
            print_error("  dim %d: n %" PRId64 "\n", d, plan->dims[d].n);
        for (int i = 0; i < block->ndim; i++)
            print_error("  block: dim %d, %" PRId64 "\n", block->dim[i], block->size[i]);
        fail();
    }
    visits_free(&wanted);
    visits_free(&r.visits);
}

/* Any block is walked as a whole, whether it is a sensible one or not. */
TEST(any_block_visits_every_element_once)
{
    int64_t cut = 0;
    for (uint64_t seed = 0; seed < 1500 / ONE_IN; seed++) {
        struct operands o;
        stria_plan plan;
        struct walk_block block = {.ndim = 0};
        uint64_t rng = seed;
        operands_random(&o, seed);
        ok(stria_plan_make(&plan, o.nops, o.list, 0));
        if (stria__plan_numel(&plan) == 0) continue;
        for (int d = 0; d < plan.ndim; d++) {
            if (d > 0 && random_once(&rng, 3)) continue;
            block.dim[block.ndim] = d;
            block.size[block.ndim] = random_between(&rng, 1, plan.dims[d].n);
            cut += block.size[block.ndim++] < plan.dims[d].n;
        }
        visits_all(&plan, &block, seed);
    }
    assert_true(cut > 1500 / ONE_IN);
}

/* Makes operands of up to 60000 elements, each dense in an order of its own, with gaps and
 * repetitions. */
static stria_plan random_plan(int nops, uint64_t seed)
{
    uint64_t rng = seed;
    stria_plan plan = {.ndim = (int32_t)random_between(&rng, 2, 5), .nops = nops};
    int64_t room = 60000;
    for (int d = 0; d < plan.ndim; d++) {
        plan.dims[d].n = random_between(&rng, 2, room < 4 ? 2 : room / 2 < 600 ? room / 2 : 600);
        room /= plan.dims[d].n;
    }
    for (int k = 0; k < nops; k++) {
        int64_t s = INT64_C(1) << random_between(&rng, 0, 4);
        bool used[STRIA_MAX_NDIM] = {false};
        plan.ptr[k] = (char *)(uintptr_t)random_between(&rng, 1 << 20, 1 << 21);
        for (int left = plan.ndim; left > 0; left--) {
            int d = (int)random_between(&rng, 0, plan.ndim - 1);
            while (used[d])
                d = (d + 1) % plan.ndim;
            used[d] = true;
            if (random_once(&rng, 6)) s *= 3;
            if (random_once(&rng, 6)) continue;
            plan.dims[d].s[k] = random_once(&rng, 6) ? -s : s;
            s *= plan.dims[d].n;
        }
    }
    stria__plan_collapse(&plan, 0);
    return plan;
}

static void check_form(const struct walk_block *block, const stria_plan *plan)
{
    bool orders = false;
    assert_in_range(block->ndim, 2, plan->ndim);
    assert_int_equal(block->dim[0], 0);
    for (int i = 0; i < block->ndim; i++) {
        assert_true(i == 0 || block->dim[i] > block->dim[i - 1]);
        assert_in_range(block->dim[i], 0, plan->ndim - 1);
        assert_in_range(block->size[i], 1, plan->dims[block->dim[i]].n);
        orders = orders || block->dim[i] != i ||
                 (i + 1 < block->ndim && block->size[i] < plan->dims[i].n);
    }
    assert_true(orders);
}

TEST(chosen_blocks_visit_every_element_once)
{
    for (int nops = 1; nops <= STRIA_MAX_OPERANDS; nops++) {
        int blocked = 0;
        for (uint64_t seed = 0; seed < 40 / ONE_IN; seed++) {
            const stria_plan plan = random_plan(nops, seed);
            struct walk_block block;
            if (!stria__walk_block(&block, &plan, 4096 << seed % 5)) continue;
            blocked++;
            check_form(&block, &plan);
            visits_all(&plan, &block, seed);
        }
        assert_true(nops == 1 || blocked > 10 / ONE_IN);
    }
}

/* ---- cache misses ---------------------------------------------------------------------------- */

/* A small second-level cache: 256 KiB of 16 ways, least recently used, indexed by the address. */
enum { LINE = 64, WAYS = 16, SETS = 256 };

struct cache {
    uintptr_t line[SETS][WAYS]; /* the last used line first */
    int64_t misses;
};

static void touch(struct cache *cache, const char *at)
{
    const uintptr_t line = (uintptr_t)at / LINE;
    uintptr_t *const set = cache->line[line % SETS];
    int w = 0;
    while (w < WAYS - 1 && set[w] != line)
        w++;
    if (set[w] != line) cache->misses++;
    for (; w > 0; w--)
        set[w] = set[w - 1];
    set[0] = line;
}

struct touches {
    struct cache *cache;
    int nops;
};

static stria_status touch_all(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct touches *t = arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            for (int k = 0; k < t->nops; k++)
                touch(t->cache, ptr[k] + i * d[0].s[k] + j * d[1].s[k]);
    return STRIA_OK;
}

static int64_t misses(const stria_plan *plan, const struct walk_block *block)
{
    struct cache *cache = calloc(1, sizeof *cache);
    assert_non_null(cache);
    const struct touches t = {cache, plan->nops};
    ok(stria__walk(plan, block, touch_all, &t, &serial));
    const int64_t found = cache->misses;
    free(cache);
    return found;
}

/* Makes dense operands of n^ndim items, operand k with its dims turned by k places; `pad` bytes
 * follow each row. */
static stria_plan turned(int nops, int ndim, int64_t n, int64_t item, int64_t pad)
{
    stria_plan plan = {.ndim = ndim, .nops = nops};
    int64_t row = n * item + pad, whole = row;
    for (int d = 2; d < ndim; d++)
        whole *= n;
    whole *= n;
    for (int k = 0; k < nops; k++) {
        plan.ptr[k] = (char *)(uintptr_t)((1 << 20) + k * (whole / 4096 + 1) * 4096);
        for (int64_t i = 0, s = item; i < ndim; i++) {
            plan.dims[(i + k) % ndim].s[k] = s;
            s = i == 0 ? row : s * n;
        }
    }
    for (int d = 0; d < ndim; d++)
        plan.dims[d].n = n;
    return plan;
}

/*
 * A line is loaded hardly more than once for all of its elements. Where conflict misses and many
 * dims do not allow that, it is loaded a third as often as without blocks.
 */
TEST(lines_are_used_up)
{
    static const struct {
        int nops, ndim;
        int64_t n, item, pad;
    } cases[] = {
        {2, 2, 1024, 4, 0},  {2, 2, 1024, 4, 64},   {2, 2, 1000, 4, 0}, {2, 2, 1024, 8, 0},
        {2, 2, 1024, 8, 8},  {2, 2, 2048, 1, 0},    {2, 2, 1024, 2, 2}, {2, 2, 1024, 16, 0},
        {3, 3, 100, 4, 0},   {3, 3, 128, 4, 0},     {2, 3, 128, 8, 0},  {4, 4, 32, 4, 0},
        {8, 2, 1000, 4, 64}, {2, 2, 1024, 4, 1024},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c += ONE_IN) {
        const stria_plan plan =
            turned(cases[c].nops, cases[c].ndim, cases[c].n, cases[c].item, cases[c].pad);
        const int64_t numel = stria__plan_numel(&plan);
        const int64_t needed = plan.nops * (numel * cases[c].item / LINE + 1);
        struct walk_block block;
        assert_true(stria__walk_block(&block, &plan, 32 << 10));
        const int64_t with = misses(&plan, &block);
        if (with > needed + needed / 10 && 3 * with > misses(&plan, NULL)) {
            print_error("case %zu: %" PRId64 " misses, %" PRId64 " lines, unblocked %" PRId64 "\n",
                        c, with, needed, misses(&plan, NULL));
            fail();
        }
    }
}

/* Plans that need no blocks get none: dense and small ones, rows, few far rows, repetitions. */
TEST(agreeing_operands_are_not_blocked)
{
    static const struct {
        int ndim;
        stria_dim dims[3];
    } plans[] = {
        {1, {{1 << 20, {4, 4, 0}}}},
        {2, {{1000, {4, 4, 4}}, {1000, {4096, 8192, 0}}}},
        {2, {{1000, {4, 4, 0}}, {1000, {4000, 4000, 4}}}},
        {2, {{32, {4, 128, 0}}, {32, {128, 4, 0}}}},
        {2, {{3, {1, 1 << 20, 0}}, {1 << 20, {3, 1, 0}}}},
        {2, {{1000, {8, 800, 0}}, {1000, {8000, 800000, 0}}}},
        {2, {{1 << 20, {0, 4, 0}}, {16, {4, 1 << 22, 0}}}},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        stria_plan plan = {.ndim = plans[i].ndim, .nops = 3};
        struct walk_block block;
        memcpy(plan.dims, plans[i].dims, sizeof plans[i].dims);
        if (stria__walk_block(&block, &plan, 32 << 10)) {
            print_error("plan %zu is blocked\n", i);
            fail();
        }
    }
}

/* A cache of another size, extreme strides and many dims have an answer too. */
TEST(extremes_have_an_answer)
{
    struct walk_block block;
    stria_plan plan = {.ndim = 2, .nops = 2};
    plan.dims[0] = (stria_dim){.n = INT64_MAX, .s = {1, INT64_MIN}};
    plan.dims[1] = (stria_dim){.n = INT64_MAX, .s = {INT64_MAX, 1}};
    for (int64_t cache = 4096; cache <= 1 << 20; cache *= 2) {
        assert_true(stria__walk_block(&block, &plan, cache));
        check_form(&block, &plan);
    }
    plan.ndim = STRIA_MAX_NDIM;
    for (int d = 0; d < plan.ndim; d++)
        plan.dims[d] =
            (stria_dim){.n = 2, .s = {INT64_C(1) << d % 62, INT64_C(1) << (63 - d) % 62}};
    assert_true(stria__walk_block(&block, &plan, 32 << 10));
    check_form(&block, &plan);
}

TEST_MAIN(NULL, NULL)
