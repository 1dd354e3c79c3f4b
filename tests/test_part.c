/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a plan, one for each thread: together they cover the plan, are even, and are cut at
 * cache lines and never along a dim where the output has stride 0.
 */
#include <inttypes.h>
#include <pthread.h>

#include "plan/plan.h"
#include "support/pool.h"
#include "support/test.h"
#include "support/visits.h"

enum { SEEDS = 500 };

struct parts {
    pthread_mutex_t lock;
    struct visits visits;
    /* share: the most elements that one thread was given */
    int64_t count, largest, smallest, share;
    const char *out;         /* address at which operand 0 begins */
    const stria_plan *whole; /* the plan in which dims must stay uncut, or NULL */
    uint64_t uncut;          /* set of the dims that every part has whole */
    bool cut_line;
};

static _Thread_local int64_t mine; /* elements given to this thread of the pool */

static void record_part(const stria_plan *part, const void *arg)
{
    struct parts *p = *(struct parts *const *)arg;
    struct visits v = visits_of_plan(part);
    pthread_mutex_lock(&p->lock);
    for (int64_t i = 0; i < v.count; i++) {
        char *at[STRIA_MAX_OPERANDS];
        for (int k = 0; k < v.nops; k++)
            at[k] = (char *)v.at[i][k];
        visits_add(&p->visits, at);
    }
    p->count++;
    if (v.count > p->largest) p->largest = v.count;
    if (v.count < p->smallest) p->smallest = v.count;
    mine += v.count;
    if (mine > p->share) p->share = mine;
    p->cut_line = p->cut_line || (part->ptr[0] != p->out && (uintptr_t)part->ptr[0] % 64);
    for (int d = 0; p->whole && d < part->ndim; d++)
        if (part->dims[d].n != p->whole->dims[d].n) p->uncut &= ~(UINT64_C(1) << d);
    pthread_mutex_unlock(&p->lock);
    visits_free(&v);
}

static struct parts parts_of(const stria_plan *plan, int threads)
{
    const stria_exec exec = {.threads = threads, .run = pool_run};
    struct parts p = {.lock = PTHREAD_MUTEX_INITIALIZER, .smallest = INT64_MAX}, *at = &p;
    p.visits = visits_new(plan->nops, stria__plan_numel(plan));
    p.out = plan->ptr[0];
    mine = 0;
    stria__plan_parallel(plan, &exec, threads, WATCHED_PIECE, record_part, &at);
    return p;
}

TEST(parts_make_up_the_plan)
{
    int64_t cut = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int threads = 1; threads <= 9; threads += 2) {
            struct operands o;
            stria_plan plan;
            operands_random(&o, seed);
            ok(stria_plan_make(&plan, o.nops, o.list, 0));
            if (stria__plan_numel(&plan) == 0) continue;
            struct visits wanted = visits_of_views(o.nops, o.list);
            struct parts p = parts_of(&plan, threads);
            cut += p.count > 1;
            if (!visits_same_multiset(&wanted, &p.visits)) {
                print_error("seed %" PRIu64 ", %d threads\n", seed, threads);
                operands_print(&o);
                fail();
            }
            visits_free(&wanted);
            visits_free(&p.visits);
        }
    assert_true(cut > SEEDS);
}

TEST(parts_are_even_and_whole_lines)
{
    const struct {
        int ndim;
        int64_t n[3], s[3];
    } nests[] = {
        {1, {10000}, {4}},
        {1, {99999}, {1}},
        {2, {300, 200}, {4, 1200}},
        {2, {5000, 3}, {8, 40000}},
        {3, {1000, 5, 3}, {4, 4000, 20000}},
        {3, {64, 64, 2}, {4, 256, 16384}},
    };
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++)
        for (int threads = 2; threads <= 7; threads++)
            for (uintptr_t base = 4096; base <= 4096 + 24; base += 24) {
                stria_plan plan = {.ndim = nests[i].ndim, .nops = 1, .ptr = {(char *)base}};
                for (int d = 0; d < plan.ndim; d++)
                    plan.dims[d] = (stria_dim){.n = nests[i].n[d], .s = {nests[i].s[d]}};
                struct parts p = parts_of(&plan, threads);
                assert_true(p.count >= threads);
                assert_true((double)p.share * threads <= 1.15 * (double)p.visits.count);
                if (plan.ndim == 1) assert_false(p.cut_line);
                visits_free(&p.visits);
            }
}

TEST(tiny_dims_are_cut_together)
{
    stria_plan plan = {.ndim = 12, .nops = 1, .ptr = {(char *)4096}};
    for (int d = 0; d < 12; d++)
        plan.dims[d] = (stria_dim){.n = 2, .s = {1 << d}};
    struct parts two = parts_of(&plan, 2), seven = parts_of(&plan, 7);
    assert_int_equal(two.count, 2);
    assert_int_equal(two.largest, 2048);
    assert_true(seven.count >= 7 * 4);
    assert_int_equal(seven.largest, seven.smallest);
    visits_free(&two.visits);
    visits_free(&seven.visits);
}

TEST(a_dim_that_stands_still_is_not_cut)
{
    stria_plan plan = {.ndim = 2, .nops = 2, .ptr = {(char *)4096, (char *)8192}};
    plan.dims[0] = (stria_dim){.n = 3, .s = {8, 8}};
    plan.dims[1] = (stria_dim){.n = 500, .s = {0, 24}};
    struct parts p = parts_of(&plan, 4);
    assert_int_equal(p.count, 3);
    assert_int_equal(p.smallest, 500);
    visits_free(&p.visits);
    plan.dims[0].s[0] = 0;
    p = parts_of(&plan, 4);
    assert_int_equal(p.count, 1);
    visits_free(&p.visits);
}

/* The caller names the dims that may be cut: a full reduction is cut although its output has stride
 * 0. */
TEST(only_the_dims_named_are_cut)
{
    for (uint64_t dims = 0; dims < 8; dims++) {
        const stria_exec exec = {.threads = 4, .run = pool_run};
        stria_plan plan = {.ndim = 3, .nops = 2, .ptr = {(char *)4100, (char *)8192}};
        plan.dims[0] = (stria_dim){.n = 100, .s = {0, 8}};
        plan.dims[1] = (stria_dim){.n = 5, .s = {0, -808}};
        plan.dims[2] = (stria_dim){.n = 40, .s = {0, 9000}};
        struct parts p = {.lock = PTHREAD_MUTEX_INITIALIZER, .smallest = INT64_MAX}, *at = &p;
        struct visits wanted = visits_of_plan(&plan);
        p.visits = visits_new(2, wanted.count);
        p.uncut = UINT64_MAX;
        p.whole = &plan;
        stria__plan_parallel_along(&plan, dims, &exec, 4, WATCHED_PIECE, record_part, &at);
        assert_true(visits_same_multiset(&wanted, &p.visits));
        assert_int_equal(p.uncut & ~dims & 7, ~dims & 7);
        assert_int_equal(p.count > 1, dims != 0);
        visits_free(&wanted);
        visits_free(&p.visits);
    }
    stria_plan plan = {.ndim = STRIA_MAX_NDIM, .nops = 1};
    for (int d = 0; d < plan.ndim; d++)
        plan.dims[d] = (stria_dim){.n = 2, .s = {d % 3 ? 0 : -8}};
    uint64_t moving = 0;
    for (int d = 0; d < plan.ndim; d += 3)
        moving += UINT64_C(1) << d;
    assert_true(stria__plan_moving(&plan) == moving);
}

static void note_short_runs(const stria_plan *part, const void *arg)
{
    bool *const short_runs = *(bool *const *)arg;
    for (int d = 0; d < part->ndim; d++)
        if ((part->dims[d].s[0] == 8 || part->dims[d].s[1] == 8) && part->dims[d].n < 3)
            *short_runs = true;
}

/* 3^9 items of 8 bytes reversed: the outermost dim of one operand is the innermost of the other. */
TEST(dense_runs_are_not_cut)
{
    const stria_exec exec = {.threads = 2};
    stria_plan plan = {.ndim = 9, .nops = 2, .ptr = {(char *)4096, (char *)8192}};
    bool short_runs = false, *at = &short_runs;
    int64_t s = 8;
    for (int d = 0; d < 9; d++, s *= 3) {
        plan.dims[d].n = 3;
        plan.dims[d].s[0] = plan.dims[8 - d].s[1] = s;
    }
    stria__plan_parallel(&plan, &exec, 2, WATCHED_PIECE, note_short_runs, &at);
    assert_false(short_runs);
}

static void note_fewest_rows(const stria_plan *part, const void *arg)
{
    int64_t *const fewest = *(int64_t *const *)arg;
    if (part->dims[2].n < *fewest) *fewest = part->dims[2].n;
}

/* Rows of 320 bytes, 16 of which follow each other in the input: half of them are 2560 bytes. */
TEST(threads_do_not_share_pages)
{
    const stria_exec exec = {.threads = 2};
    stria_plan plan = {.ndim = 3, .nops = 2, .ptr = {(char *)4096, (char *)8192}};
    int64_t fewest = 16, *at = &fewest;
    plan.dims[0] = (stria_dim){.n = 80, .s = {4, 4}};
    plan.dims[1] = (stria_dim){.n = 500, .s = {320, 16 * 320}};
    plan.dims[2] = (stria_dim){.n = 16, .s = {500 * 320, 320}};
    stria__plan_parallel(&plan, &exec, 2, WATCHED_PIECE, note_fewest_rows, &at);
    assert_int_equal(fewest, 16);
}

/* ---- balance --------------------------------------------------------------------------------- */

struct load {
    int64_t now, most, sum; /* bytes of operand 0 that a thread gets */
    int64_t parts;
};

static void count_bytes(const stria_plan *part, const void *arg)
{
    struct load *const load = *(struct load *const *)arg;
    load->now += 8 * stria__plan_numel(part);
    load->parts++;
}

/* Runs the shares of threads one after the other, so that many more can be tried than there are. */
static void run_shares(void (*task)(void *data, int64_t i), void *data, int64_t count,
                       void *context)
{
    struct load *const load = context;
    for (int64_t i = 0; i < count; i++) {
        load->now = 0;
        task(data, i);
        load->sum += load->now;
        if (load->now > load->most) load->most = load->now;
    }
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Makes dims of 2 to `most`, operand 1 dense in the same order, the reverse, or turned by one. */
static void make_shape(stria_plan *plan, uint64_t *state)
{
    static const int64_t sizes[] = {0, 100000, 3000, 300, 80, 30};
    *plan = (stria_plan){.nops = 2, .ptr = {(char *)4096, (char *)8192}};
    plan->ndim = 1 + (int)(next_random(state) % 5);
    const int order = (int)(next_random(state) % 3);
    int64_t step = 8;
    for (int d = 0; d < plan->ndim; d++) {
        plan->dims[d].n = 2 + (int64_t)(next_random(state) % (uint64_t)sizes[plan->ndim]);
        plan->dims[d].s[0] = step;
        step *= plan->dims[d].n;
    }
    step = 8;
    for (int d = 0; d < plan->ndim; d++) {
        const int at = order == 0 ? d : order == 1 ? plan->ndim - 1 - d : (d + 1) % plan->ndim;
        plan->dims[at].s[1] = step;
        step *= plan->dims[at].n;
    }
}

/* No thread of 2 to 64 gets more than 1.12 times its share of work that is worth so many. */
TEST(no_thread_gets_much_more_than_others)
{
    static const int threads[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 64};
    enum { SHAPES = 4000, WORTH = 256 << 10 };
    uint64_t random = 1;
    int64_t tried = 0;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (int i = 0; i < SHAPES; i++) {
            struct load load = {0}, *at = &load;
            const stria_exec exec = {.threads = threads[t], .run = run_shares, .context = &load};
            stria_plan plan;
            make_shape(&plan, &random);
            const int64_t all = 8 * stria__plan_numel(&plan);
            if (2 * all < (int64_t)WORTH * threads[t]) continue;
            stria__plan_parallel(&plan, &exec, threads[t], WATCHED_PIECE, count_bytes, &at);
            assert_int_equal(load.sum, all);
            assert_true(load.parts < 64 * threads[t]);
            if ((double)load.most * threads[t] > 1.12 * (double)all) {
                print_error("%d threads, %d dims:", threads[t], plan.ndim);
                for (int d = 0; d < plan.ndim; d++)
                    print_error(" %" PRId64, plan.dims[d].n);
                print_error(": %.3f\n", (double)load.most * threads[t] / (double)all);
                fail();
            }
            tried++;
        }
    assert_true(tried > SHAPES);
}

TEST(one_part_of_one_dim)
{
    stria_plan plan = {.ndim = 2, .nops = 2, .ptr = {(char *)4096, (char *)8192}}, part;
    plan.dims[0] = (stria_dim){.n = 10, .s = {4, -4}};
    plan.dims[1] = (stria_dim){.n = 20, .s = {40, 100}};
    stria__plan_part(&part, &plan, 1, 5, 12);
    assert_int_equal(part.ndim, 2);
    assert_int_equal(part.nops, 2);
    assert_int_equal(part.dims[0].n, 10);
    assert_int_equal(part.dims[1].n, 7);
    assert_ptr_equal(part.ptr[0], (char *)4096 + 200);
    assert_ptr_equal(part.ptr[1], (char *)8192 + 500);
    stria__plan_part(&part, &part, 0, 9, 10);
    assert_int_equal(part.dims[0].n, 1);
    assert_ptr_equal(part.ptr[1], (char *)8192 + 500 - 36);
    assert_int_equal(plan.dims[1].n, 20);
}

TEST_MAIN(NULL, NULL)
