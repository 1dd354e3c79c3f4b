/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting and windows beside inaccessible pages: operands right behind and right before one, on
 * every level, NaN at every place of a line; and each allocation refused in turn, when nothing is
 * written.
 */
#include <math.h>
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/guard.h"
#include "support/indices.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

/* ---- calls ----------------------------------------------------------------------------------- */

enum {
    SORT,
    ARGSORT,
    PARTITION,
    ARGPARTITION,
    TOPK,
    RANK,
    UNIQUE,
    ISIN,
    SEARCH,
    WINDOW,
    WEIGHTS,
    PAD,
    CALLS
};

/* Views of n elements: of a's dtype, i64 and bool; and of n + 1 elements, padded. */
struct outputs {
    stria_view same, integers, truth, padded;
};

/* Makes a call that writes to one of the outputs or makes a new array. */
static stria_status call(int which, const struct outputs *o, const stria_view *a, stria_array *made)
{
    const int64_t n = a->shape[0], two = 2;
    const float pair[] = {1, -1};
    stria_view weights, middle;
    ok(stria_view_foreign(&weights, (void *)(uintptr_t)pair, stria_dtype_of(STRIA_F32), 1, &two,
                          NULL, STRIA_READONLY));
    switch (which) {
    case SORT: return stria_sort(&o->same, a, 0, false, NULL);
    case ARGSORT: return stria_argsort(&o->integers, a, 0, true, NULL);
    case PARTITION: return stria_partition(&o->same, a, n / 2, 0, NULL);
    case ARGPARTITION: return stria_argpartition(&o->integers, a, n / 2, 0, NULL);
    case TOPK: return stria_topk(&o->same, &o->integers, a, n, 0, true, NULL);
    case RANK: return stria_rank(&o->integers, a, 0, STRIA_RANK_DENSE, NULL);
    case UNIQUE: return stria_unique_new(made, NULL, NULL, NULL, a, true, NULL);
    case ISIN: return stria_isin(&o->truth, a, a, false, NULL);
    case SEARCH:
        ok(stria_narrow(&middle, a, 0, n / 2, 1));
        return stria_searchsorted(&o->integers, &middle, NULL, a, false, NULL);
    case WINDOW:
        return stria_window_reduce(&o->same, STRIA_MAX, a, a->ndim, &two,
                                   &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL);
    case WEIGHTS:
        return stria_correlate(&o->same, a, &weights,
                               &(stria_window_options){.mode = STRIA_PAD_REFLECT}, NULL);
    default:
        return stria_pad(&o->padded, a, a->ndim, (int64_t[]){1},
                         &(stria_window_options){.mode = STRIA_PAD_EDGE}, NULL);
    }
}

static bool takes(int which, stria_dtype dtype, int64_t n)
{
    if (n == 0) return which == SORT || which == ARGSORT || which == UNIQUE || which == ISIN;
    if (which == WEIGHTS) return n > 1 && dtype.kind >= STRIA_F32 && dtype.kind <= STRIA_F64;
    return which != WINDOW || dtype.kind <= STRIA_F64;
}

/* ---- pages ----------------------------------------------------------------------------------- */

enum { OPERANDS = 5, MOST = 300 };

static const char *const kinds[] = {"u8", "i16", "f16", "f32", "f64", "i64", "c64", "S3"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static stria_view place(const struct guard *guard, bool high, stria_dtype dtype, int64_t n)
{
    stria_view out;
    char *const at = high ? guard_high(guard, (size_t)(n * dtype.itemsize)) : guard_low(guard);
    ok(stria_view_foreign(&out, at, dtype, 1, &n, NULL, 0));
    return out;
}

static void fill(const stria_view *a, uint64_t *seed, int64_t nan_at)
{
    for (int64_t i = 0; i < stria_nbytes(a); i++)
        a->data[i] = (char)(random_once(seed, 2) ? random_bits(seed) : 0x3f);
    if (a->dtype.kind >= STRIA_F16 && a->dtype.kind <= STRIA_C128 && nan_at < a->shape[0])
        memset(a->data + nan_at * a->dtype.itemsize, 0xff, (size_t)a->dtype.itemsize);
}

/* Checks that the result is the same beside a page on either side as between other bytes. */
static void check(int which, const struct guard *guards, stria_dtype dtype, int64_t n,
                  uint64_t *seed)
{
    stria_array copy = {0}, made[2] = {{0}, {0}}, results[4] = {{0}, {0}, {0}, {0}};
    struct outputs o[2];
    stria_view a[2];
    for (int high = 0; high < 2; high++) {
        a[high] = place(&guards[0], high, dtype, n);
        o[high] = (struct outputs){place(&guards[1], high, dtype, n),
                                   place(&guards[2], high, stria_dtype_of(STRIA_I64), n),
                                   place(&guards[3], high, stria_dtype_of(STRIA_BOOL), n),
                                   place(&guards[4], high, dtype, n + 1)};
        if (high)
            ok(stria_copy(&a[1], &copy.view, NULL));
        else {
            fill(&a[0], seed, n ? random_between(seed, 0, n) : 0);
            ok(stria_clone_new(&copy, &a[0], NULL));
        }
        ok(call(which, &o[high], &a[high], &made[high]));
        if (!high) {
            const stria_view *const all[] = {&o->same, &o->integers, &o->truth, &o->padded};
            for (int i = 0; i < 4; i++)
                ok(stria_clone_new(&results[i], all[i], NULL));
        }
    }
    const stria_view *const again[] = {&o[1].same, &o[1].integers, &o[1].truth, &o[1].padded};
    const int of = which == PAD                                                                 ? 3
                   : which == ISIN                                                              ? 2
                   : which == SORT || which == PARTITION || which == WINDOW || which == WEIGHTS ? 0
                                                                                                : 1;
    if (which != UNIQUE)
        assert_memory_equal(results[of].view.data, again[of]->data,
                            (size_t)stria_nbytes(again[of]));
    else
        assert_memory_equal(made[0].view.data, made[1].view.data,
                            (size_t)stria_nbytes(&made[0].view));
    stria_array_release(&copy);
    for (int i = 0; i < 4; i++)
        stria_array_release(&results[i]);
    for (int i = 0; i < 2; i++)
        stria_array_release(&made[i]);
}

TEST(test_pages)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, MOST};
    struct guard guards[OPERANDS];
    guards_new(guards, OPERANDS, (MOST + 1) * 16);
    uint64_t seed = 4;
    for (int level = 0; next_level(&level);)
        for (int kind = 0; kind < KINDS; kind++) {
            stria_dtype dtype;
            ok(stria_dtype_parse(&dtype, kinds[kind]));
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int which = 0; which < CALLS; which++)
                    if (takes(which, dtype, sizes[s])) check(which, guards, dtype, sizes[s], &seed);
        }
    guards_free(guards, OPERANDS);
}

/* ---- NaN ------------------------------------------------------------------------------------- */

/* One NaN comes last from every place of a line, in both directions, and the others keep their
 * order. */
TEST(test_nan_at_every_place)
{
    enum { N = 40 };
    float x[N], y[N];
    int64_t places[N], back[N];
    const stria_view a = OF(x, F32, N), b = OF(y, F32, N), p = OF(places, I64, N),
                     q = OF(back, I64, N);
    for (int nan_at = 0; nan_at < N; nan_at++)
        for (int down = 0; down < 2; down++) {
            for (int i = 0; i < N; i++)
                x[i] = (float)(i * 7 % 11);
            x[nan_at] = NAN;
            ok(stria_argsort(&p, &a, 0, down, NULL));
            ok(stria_sort(&b, &a, 0, down, NULL));
            assert_int_equal(places[N - 1], nan_at);
            assert_true(isnan(y[N - 1]));
            for (int i = 0; i < N - 1; i++) {
                assert_true(y[i] == x[places[i]]);
                if (i == 0) continue;
                assert_true(down ? y[i] <= y[i - 1] : y[i] >= y[i - 1]);
                assert_true(y[i] != y[i - 1] || places[i] > places[i - 1]);
            }
            ok(stria_topk(&b, &q, &a, N, 0, down, NULL));
            assert_memory_equal(back, places, sizeof places);
            ok(stria_rank(&q, &a, 0, STRIA_RANK_ORDINAL, NULL));
            assert_int_equal(back[nan_at], N);
            ok(stria_partition(&b, &a, N - 1, 0, NULL));
            assert_true(isnan(y[N - 1]));
        }
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(test_no_memory)
{
    enum { N = 50 };
    static float x[N], same[N], padded[N + 1], nothing[N + 1];
    static int64_t integers[N];
    static bool truth[N];
    char text[N][3];
    uint64_t seed = 9;
    for (int i = 0; i < N; i++) {
        x[i] = (float)random_between(&seed, 0, 9);
        memset(text[i], (int)random_between(&seed, 'a', 'e'), 3);
    }
    stria_view t = of(text, STRIA_U8, 1, (int64_t[]){N});
    ok(stria_dtype_parse(&t.dtype, "S3"));
    t.strides[0] = 3;
    const stria_view a = OF(x, F32, N);
    const struct outputs o = {OF(same, F32, N), OF(integers, I64, N), OF(truth, BOOL, N),
                              OF(padded, F32, N + 1)};
    for (int which = 0; which < 2 * CALLS + 1; which++)
        for (int64_t fail_at = 1;; fail_at++) {
            stria_array made = {0};
            const bool strings = which > CALLS;
            const int k = which % (CALLS + 1);
            if (strings && k != ISIN && k != SEARCH && k != ARGSORT && k != RANK && k != UNIQUE)
                break;
            memset(same, 0, sizeof same);
            memset(integers, 0, sizeof integers);
            memset(truth, 0, sizeof truth);
            memset(padded, 0, sizeof padded);
            counting_begin(fail_at);
            const stria_status status =
                k == CALLS ? stria_unique_dim_new(&made, NULL, NULL, NULL, &a, 0, true, NULL)
                           : call(k, &o, strings ? &t : &a, &made);
            const bool refused = allocation_counts.calls >= fail_at;
            stria_array_release(&made);
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
            if (status != STRIA_OK) {
                assert_int_equal(status, STRIA_ERR_MEMORY);
                assert_memory_equal(same, nothing, sizeof same);
                assert_memory_equal(padded, nothing, sizeof padded);
                for (int i = 0; i < N; i++)
                    assert_true(!truth[i] && !integers[i]);
            }
            if (!refused) break;
        }
}

TEST_MAIN(NULL, NULL)
