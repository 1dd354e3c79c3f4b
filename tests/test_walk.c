/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The walk with loops of the caller's: every element exactly once, in C order where that is asked
 * for, never an empty d, the same result on any number of threads of any kind, and loops that stop.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "support/heap.h"
#include "support/pool.h"
#include "support/test.h"
#include "support/visits.h"

enum { ROUNDS = 2000 };

static const stria_exec serial = {.threads = 1};

/* ---- one thread ----------------------------------------------------------------------------- */

struct record {
    struct visits visits;
    int64_t calls;
    /* a call that must not happen: an empty d, or a single dim without a d[1] of n = 1 */
    bool refused;
    int ndim;
};

static stria_status record_all(char *const *ptr, const stria_dim *d, const void *arg)
{
    struct record *r = *(struct record *const *)arg;
    r->calls++;
    r->refused = r->refused || d[0].n < 1 || d[1].n < 1 || (r->ndim == 1 && d[1].n != 1);
    visits_add_all(&r->visits, ptr, d);
    return STRIA_OK;
}

static bool walks(const struct operands *o, uint32_t flags)
{
    stria_plan plan;
    ok(stria_plan_make(&plan, o->nops, o->list, flags));
    struct visits wanted = visits_of_views(o->nops, o->list);
    struct record r = {visits_new(o->nops, wanted.count), 0, false, plan.ndim}, *at = &r;
    int64_t outer = wanted.count > 0;
    for (int d = 2; d < plan.ndim; d++)
        outer *= plan.dims[d].n;
    ok(stria_walk(&plan, record_all, &at, &serial));
    const bool same = flags & STRIA_PLAN_KEEP_ORDER ? visits_same_sequence(&wanted, &r.visits)
                                                    : visits_same_multiset(&wanted, &r.visits);
    visits_free(&wanted);
    visits_free(&r.visits);
    /* in blocks there may be more calls, or fewer where a block has more than two dims */
    return same && !r.refused && (!(flags & STRIA_PLAN_KEEP_ORDER) || r.calls == outer);
}

TEST(every_element_once)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct operands o;
        operands_random(&o, seed);
        for (uint32_t flags = 0; flags <= STRIA_PLAN_KEEP_ORDER; flags++)
            if (!walks(&o, flags)) {
                print_error("seed %" PRIu64 ", flags %u\n", seed, flags);
                operands_print(&o);
                fail();
            }
    }
}

static stria_status unreachable_loop(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)ptr, (void)d, (void)arg;
    fail();
    return STRIA_OK;
}

TEST(nothing_is_not_walked)
{
    char byte;
    const stria_view none = view_by_hand(&byte, 3, (int64_t[]){3, 0, 2}, (int64_t[]){8, 8, 4});
    stria_plan plan;
    ok(stria_plan_make(&plan, 1, (const stria_view *[]){&none}, 0));
    ok(stria_walk(&plan, unreachable_loop, NULL, NULL));
    /* a plan made by hand, with the empty dim outside */
    stria_plan own = {.ndim = 3, .nops = 1, .ptr = {&byte}};
    own.dims[0] = own.dims[1] = (stria_dim){.n = 5, .s = {1}};
    ok(stria_walk(&own, unreachable_loop, NULL, NULL));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Plans y and x of 40 x 2100 f64, where x is transposed: each row of y needs 2100 cache lines of
 * x. */
static stria_plan transposed_plan(uint32_t flags)
{
    enum { ROWS = 40, COLUMNS = 2100 };
    const int64_t shape[] = {ROWS, COLUMNS};
    const stria_view y = view_by_hand((char *)4096, 2, shape, (int64_t[]){8 * COLUMNS, 8});
    const stria_view x = view_by_hand((char *)(1 << 24), 2, shape, (int64_t[]){8, 8 * ROWS});
    stria_plan plan;
    ok(stria_plan_make(&plan, 2, (const stria_view *[]){&y, &x}, flags));
    return plan;
}

TEST(operands_that_disagree_are_walked_in_blocks)
{
    for (uint32_t flags = 0; flags <= STRIA_PLAN_KEEP_ORDER; flags++) {
        const stria_plan plan = transposed_plan(flags);
        struct visits wanted = visits_of_plan(&plan);
        struct record r = {visits_new(2, wanted.count), 0, false, 2}, *at = &r;
        ok(stria_walk(&plan, record_all, &at, &serial));
        assert_false(r.refused);
        const bool ordered = visits_same_sequence(&wanted, &r.visits);
        assert_int_equal(ordered, (flags & STRIA_PLAN_KEEP_ORDER) != 0);
        assert_int_equal(r.calls == 1, ordered);
        assert_true(visits_same_multiset(&wanted, &r.visits));
        visits_free(&wanted);
        visits_free(&r.visits);
    }
}

/* ---- loops that stop ------------------------------------------------------------------------- */

struct stops {
    atomic_int calls, late; /* late: calls in a thread that was told to stop */
    int after;              /* number of calls that succeed before the loop stops */
};

static _Thread_local bool stopped;

static stria_status stop(char *const *ptr, const stria_dim *d, const void *arg)
{
    struct stops *const s = *(struct stops *const *)arg;
    (void)ptr, (void)d;
    s->late += stopped;
    if (atomic_fetch_add(&s->calls, 1) < s->after) return STRIA_OK;
    stopped = true;
    return STRIA_ERR_INDEX;
}

TEST(a_loop_stops_the_walk)
{
    const stria_exec execs[] = {
        {.threads = 1}, {.threads = 4, .run = pool_run_backwards}, {.threads = 4, .run = pool_run}};
    for (int blocked = 0; blocked < 2; blocked++) {
        stria_plan plan = transposed_plan(0);
        if (!blocked) { /* the plan has many calls, for its outer dims */
            plan.ndim = 3;
            plan.dims[1].n = 3;
            plan.dims[2] = (stria_dim){.n = 100, .s = {7200, 24}};
            plan.flags = STRIA_PLAN_KEEP_ORDER;
        }
        for (size_t e = 0; e < sizeof execs / sizeof *execs; e++)
            for (int after = 0; after < 3; after++) {
                struct stops s = {.after = after}, *at = &s;
                stopped = false;
                assert_int_equal(stria_walk(&plan, stop, &at, &execs[e]), STRIA_ERR_INDEX);
                assert_int_equal(s.late, 0);
                if (execs[e].run != pool_run) assert_int_equal(s.calls, after + 1);
                /* one more call for each thread that has not seen the stop */
                assert_true(s.calls <= after + 4);
            }
    }
    struct stops s = {.after = INT_MAX}, *at = &s;
    const stria_plan plan = transposed_plan(0);
    ok(stria_walk(&plan, stop, &at, &execs[2]));
    assert_true(s.calls > 1);
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void refuses(const stria_plan *plan, stria_loop *loop, const stria_exec *exec,
                    stria_status status)
{
    assert_int_equal(stria_walk(plan, loop, NULL, exec), status);
    assert_non_null(strstr(stria_last_error(), "walk"));
}

TEST(bad_input_is_refused)
{
    const stria_plan good = transposed_plan(0), cleared = {0};
    stria_plan bad;
    refuses(NULL, unreachable_loop, NULL, STRIA_ERR_ARGUMENT);
    refuses(&good, NULL, NULL, STRIA_ERR_ARGUMENT);
    refuses(&cleared, unreachable_loop, NULL, STRIA_ERR_ARGUMENT);
    refuses(&good, unreachable_loop, &(stria_exec){.threads = -1}, STRIA_ERR_ARGUMENT);
    refuses(&good, unreachable_loop, &(stria_exec){.hints = 1u << 31}, STRIA_ERR_ARGUMENT);
    bad = good, bad.ndim = STRIA_MAX_NDIM + 1;
    refuses(&bad, unreachable_loop, NULL, STRIA_ERR_ARGUMENT);
    bad = good, bad.nops = STRIA_MAX_OPERANDS + 1;
    refuses(&bad, unreachable_loop, NULL, STRIA_ERR_ARGUMENT);
    bad = good, bad.flags = 2;
    refuses(&bad, unreachable_loop, NULL, STRIA_ERR_ARGUMENT);
    bad = good, bad.dims[1].n = -3;
    refuses(&bad, unreachable_loop, NULL, STRIA_ERR_SHAPE);
    assert_non_null(strstr(stria_last_error(), "-3"));
}

/* ---- many threads ---------------------------------------------------------------------------- */

/* Adds 3 * a - b + 1 to out: an element that is visited twice, or never, shows. */
static stria_status combine(char *const *ptr, const stria_dim *d, const void *arg)
{
    const int64_t n = d[0].n, m = d[1].n;
    (void)arg;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++) {
            int32_t *out = (int32_t *)(void *)(ptr[0] + i * d[0].s[0] + j * d[1].s[0]);
            const int32_t a = *(int32_t *)(void *)(ptr[1] + i * d[0].s[1] + j * d[1].s[1]);
            const int32_t b = *(int32_t *)(void *)(ptr[2] + i * d[0].s[2] + j * d[1].s[2]);
            *out += 3 * a - b + 1;
        }
    return STRIA_OK;
}

struct layout {
    const char *name;
    int ndim;
    int64_t shape[20], out[20], a[20], b[20]; /* strides in items */
    int64_t out_at, a_at;                     /* index at which element 0 lies */
};

enum { ITEMS = 1 << 19 };

static const struct layout layouts[] = {
    {"contiguous", 1, {ITEMS}, {1}, {1}, {1}, 0, 0},
    {"contiguous, ragged, unaligned", 1, {ITEMS - 5}, {1}, {1}, {1}, 3, 0},
    {"transposed", 2, {512, 1024}, {1024, 1}, {1, 512}, {0, 1}, 0, 0},
    {"three long rows", 2, {3, 160001}, {160001, 1}, {160002, 1}, {1, 0}, 0, 0},
    {"flipped", 2, {640, 800}, {800, -1}, {-800, 1}, {1, 640}, 799, 639 * 800},
    {"few, few, many", 3, {3, 5, 30000}, {150000, 30000, 1}, {1, 3, 15}, {0, 1, 0}, 0, 0},
    {"middle", 3, {70, 60, 100}, {6000, 100, 1}, {100, 7000, 1}, {1, 70, 4200}, 0, 0},
    {"many tiny dims",
     19,
     {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
     {1 << 18, 1 << 17, 1 << 16, 1 << 15, 1 << 14, 1 << 13, 1 << 12, 1 << 11, 1 << 10, 512, 256,
      128, 64, 32, 16, 8, 4, 2, 1},
     {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
      1 << 16, 1 << 17, 1 << 18},
     {1, 0, 2},
     0,
     0},
};

static int32_t *operand[3], *expected;

static int make_operands(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        operand[k] = malloc((ITEMS + 8) * sizeof(int32_t));
    expected = malloc((ITEMS + 8) * sizeof(int32_t));
    for (int i = 0; i < ITEMS + 8; i++) {
        operand[1][i] = (int32_t)((int64_t)i * 7919 % 100003);
        operand[2][i] = (int32_t)((int64_t)i * 104729 % 9973);
    }
    return 0;
}

static int free_operands(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        free(operand[k]);
    free(expected);
    return 0;
}

static void expect_by_index(const struct layout *l)
{
    int64_t numel = 1;
    for (int i = 0; i < l->ndim; i++)
        numel *= l->shape[i];
    memset(expected, 0, (ITEMS + 8) * sizeof(int32_t));
    for (int64_t linear = 0; linear < numel; linear++) {
        int64_t rest = linear, out = l->out_at, a = l->a_at, b = 0;
        for (int i = l->ndim; i-- > 0;) {
            const int64_t index = rest % l->shape[i];
            rest /= l->shape[i];
            out += index * l->out[i], a += index * l->a[i], b += index * l->b[i];
        }
        expected[out] += 3 * operand[1][a] - operand[2][b] + 1;
    }
}

static void check_layout(const struct layout *l, const stria_exec *exec, const char *how)
{
    const int64_t *strides[3] = {l->out, l->a, l->b};
    const int64_t at[3] = {l->out_at, l->a_at, 0};
    stria_view view[3];
    for (int k = 0; k < 3; k++) {
        view[k] = view_by_hand((char *)(operand[k] + at[k]), l->ndim, l->shape, strides[k]);
        for (int i = 0; i < l->ndim; i++)
            view[k].strides[i] *= 4;
    }
    for (uint32_t flags = 0; flags <= STRIA_PLAN_KEEP_ORDER; flags++) {
        stria_plan plan;
        const stria_view *list[] = {&view[0], &view[1], &view[2]};
        ok(stria_plan_make(&plan, 3, list, flags));
        memset(operand[0], 0, (ITEMS + 8) * sizeof(int32_t));
        ok(stria_walk(&plan, combine, NULL, exec));
        if (memcmp(operand[0], expected, (ITEMS + 8) * sizeof(int32_t)) != 0) {
            print_error("%s, %s, flags %u\n", l->name, how, flags);
            fail();
        }
    }
}

TEST(same_result_on_any_threads)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const struct layout *l = &layouts[i];
        expect_by_index(l);
        check_layout(l, NULL, "default");
        for (int threads = 1; threads <= 5; threads++) {
            struct pool pool = {.calls = 0};
            const stria_exec own = {.threads = threads, .run = pool_run, .context = &pool};
            const stria_exec back = {.threads = threads, .run = pool_run_backwards};
            const stria_exec openmp = {.threads = threads};
            check_layout(l, &own, "pool");
            assert_int_equal(pool.calls, threads > 1 ? 2 : 0);
            assert_int_equal(pool.widest, threads > 1 ? threads : 0);
            check_layout(l, &back, "backwards");
            check_layout(l, &openmp, "OpenMP");
            ok(stria_set_threads(threads));
            check_layout(l, NULL, "setting");
            ok(stria_set_threads(0));
        }
    }
}

/* Operand 0 has stride 0 along the rows: summing into it is not a race. */
static stria_status add_up(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            *(int64_t *)(void *)(ptr[0] + i * d[0].s[0] + j * d[1].s[0]) +=
                *(int32_t *)(void *)(ptr[1] + i * d[0].s[1] + j * d[1].s[1]);
    return STRIA_OK;
}

TEST(sums_are_not_torn)
{
    int64_t sums[8], all = 0, wanted_all = 0;
    const int64_t shape[] = {8, ITEMS / 8}, moving[] = {8, 0}, still[] = {0, 0},
                  by_row[] = {ITEMS / 8 * 4, 4}, by_column[] = {4, 32};
    for (int i = 0; i < ITEMS; i++)
        wanted_all += operand[1][i];
    for (int order = 0; order < 2; order++) {
        const int64_t *strides = order ? by_column : by_row;
        const stria_view a = view_by_hand((char *)operand[1], 2, shape, strides);
        const stria_view rows = view_by_hand((char *)sums, 2, shape, moving);
        const stria_view total = view_by_hand((char *)&all, 2, shape, still);
        const stria_exec exec = {.threads = 5, .run = pool_run};
        stria_plan plan;
        memset(sums, 0, sizeof sums);
        all = 0;
        assert_int_equal(stria_plan_make(&plan, 2, (const stria_view *[]){&rows, &a}, 0), 0);
        ok(stria_walk(&plan, add_up, NULL, &exec));
        assert_int_equal(stria_plan_make(&plan, 2, (const stria_view *[]){&total, &a}, 0), 0);
        ok(stria_walk(&plan, add_up, NULL, &exec));
        assert_int_equal(all, wanted_all);
        for (int64_t r = 0; r < 8; r++) {
            int64_t wanted = 0;
            for (int64_t i = 0; i < ITEMS / 8; i++)
                wanted += operand[1][(r * strides[0] + i * strides[1]) / 4];
            assert_int_equal(sums[r], wanted);
        }
    }
}

static float item_at(char *const *ptr, const stria_dim *d, int k, int64_t i, int64_t j)
{
    return (float)*(int32_t *)(void *)(ptr[k] + i * d[0].s[k] + j * d[1].s[k]);
}

/* f32 terms that are rounded at every addition reveal their order. */
static stria_status add_up_f32(char *const *ptr, const stria_dim *d, const void *arg)
{
    (void)arg;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++)
            *(float *)(void *)(ptr[0] + i * d[0].s[0] + j * d[1].s[0]) +=
                item_at(ptr, d, 1, i, j) * item_at(ptr, d, 2, i, j) + item_at(ptr, d, 3, i, j);
    return STRIA_OK;
}

/*
 * Sums over two dims, one dense in b and the other in c: blocks contain both, and the order of the
 * terms depends on the blocks' sizes. A part with only a few of the sums would have other blocks.
 */
TEST(sums_have_one_order)
{
    enum { SUMS = 128, MANY = 1088, FEW = 2 };
    const int64_t shape[] = {FEW, MANY, SUMS};
    const int64_t strides[4][3] = {
        {0, 0, 4}, {4 * MANY * SUMS, 4 * SUMS, 4}, {4 * MANY * SUMS, 4, 4 * MANY}, {4, 64, 0}};
    float sums[2][SUMS];
    for (int threads = 1; threads <= 8; threads++) {
        float *const out = sums[threads > 1];
        char *const data[] = {(char *)out, (char *)operand[1], (char *)operand[2],
                              (char *)operand[1]};
        const stria_exec exec = {.threads = threads, .run = pool_run};
        stria_view view[4];
        const stria_view *list[] = {&view[0], &view[1], &view[2], &view[3]};
        stria_plan plan;
        for (int k = 0; k < 4; k++)
            view[k] = view_by_hand(data[k], 3, shape, strides[k]);
        memset(out, 0, sizeof sums[0]);
        ok(stria_plan_make(&plan, 4, list, 0));
        ok(stria_walk(&plan, add_up_f32, NULL, &exec));
        assert_true(out[5] != 0);
        assert_memory_equal(sums[0], out, sizeof sums[0]);
    }
}

TEST(nothing_is_allocated)
{
    if (!heap_is_counted()) skip();
    const stria_view a = view_by_hand((char *)operand[0], 3, (int64_t[]){50, 60, 70},
                                      (int64_t[]){4, 4 * 4200, 4 * 60});
    const stria_view *list[] = {&a, &a, &a};
    stria_plan plan;
    const int64_t before = heap_calls();
    const stria_status status = stria_plan_make(&plan, 3, list, STRIA_PLAN_KEEP_ORDER);
    ok(stria_walk(&plan, combine, NULL, &serial));
    ok(stria_walk(&plan, combine, NULL, &(stria_exec){.threads = 4, .run = pool_run_backwards}));
    const int64_t after = heap_calls();
    ok(status);
    assert_int_equal(after, before);
}

TEST_MAIN(make_operands, free_operands)
