/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that another thread changes while a call reads it: indices, masks, counts and elements
 * that are valid at one moment and far outside at the next. Whatever the results are, no call
 * leaves its operands, which lie between inaccessible pages, and each of them ends.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "stria/stria.h"
#include "support/guard.h"
#include "support/sanitizers.h"
#include "support/test.h"

enum { MANY = 1 << 16, FEW = 64, SIDE = 8 };

/* Memory whose first third stays, while the items behind it change between two values. */
enum { SAME = MANY / 3 };
struct changing {
    char *at;
    int64_t item, values[2];
};
static struct changing changing;
static atomic_bool stop;

/* Writes each value several times, so that there are moments of one value. */
static void *change(void *unused)
{
    enum { TIMES = 4 };
    while (!stop)
        for (int turn = 0; turn < 2 * TIMES; turn++)
            for (int64_t i = SAME; i < MANY; i++)
                memcpy(changing.at + i * changing.item, &changing.values[turn / TIMES],
                       (size_t)changing.item);
    return unused;
}

/*
 * Operands of the calls: all but what changes, of which `half` is every second item, are doubles.
 * `same` has one for each item that does not change.
 */
struct operands {
    stria_view few, square, many, spaced, ones, same, changes, half;
};
typedef stria_status use(int k, const struct operands *o, stria_array *made);

/* ---- what is called with indices ------------------------------------------------------------- */

static stria_status use_indices(int k, const struct operands *o, stria_array *made)
{
    const stria_index_item one = {.kind = STRIA_INDEX_ARRAY, .array = &o->changes};
    const stria_index_item two[] = {one, one};
    switch (k) {
    case 0: return stria_take_new(made, &o->few, &o->changes, STRIA_INDEX_RAISE, NULL);
    case 1: return stria_gather_new(made, &o->few, &o->changes, 0, NULL);
    case 2: return stria_take_dim_new(made, &o->square, &o->changes, 0, STRIA_INDEX_STRICT, NULL);
    case 3: return stria_take_dim_new(made, &o->square, &o->changes, 1, STRIA_INDEX_RAISE, NULL);
    case 4: return stria_index_arrays_new(made, &o->square, 2, two, STRIA_PLACE_NUMPY, NULL);
    case 5: return stria_take(&o->many, &o->few, &o->changes, STRIA_INDEX_RAISE, NULL);
    case 6: return stria_scatter(&o->few, &o->changes, &o->ones, 0, STRIA_REDUCE_NONE, NULL);
    case 7: return stria_scatter(&o->few, &o->changes, &o->ones, 0, STRIA_REDUCE_SUM, NULL);
    case 8:
        return stria_put(&o->few, &o->changes, &o->ones, STRIA_INDEX_RAISE, STRIA_REDUCE_NONE,
                         NULL);
    case 9:
        return stria_index_put(&o->square, 2, two, &o->ones, STRIA_PLACE_NUMPY, STRIA_REDUCE_NONE,
                               NULL);
    case 10: return stria_index_add(&o->few, &o->changes, &o->ones, NULL, 0, NULL);
    case 11: return stria_take_new(made, &o->few, &o->half, STRIA_INDEX_WRAP, NULL);
    case 12: return stria_scatter(&o->few, &o->changes, &o->ones, 0, STRIA_REDUCE_MEAN, NULL);
    case 13: return stria_searchsorted(&o->changes, &o->many, &o->changes, &o->many, false, NULL);
    case 14: return stria_repeat_each_new(made, &o->many, &o->changes, 0, NULL);
    default: return stria_bincount_new(made, &o->changes, 0, NULL);
    }
}

/* ---- with masks -------------------------------------------------------------------------------
 */

static stria_status use_mask(int k, const struct operands *o, stria_array *made)
{
    switch (k) {
    case 0: return stria_masked_select_new(made, &o->many, &o->changes, NULL);
    case 1: return stria_nonzero_new(made, &o->changes, NULL);
    case 2: return stria_masked_scatter(&o->many, &o->changes, &o->many, NULL);
    case 3: return stria_masked_fill(&o->many, &o->changes, &o->ones, NULL);
    case 4: return stria_nonzero_new(made, &o->half, NULL);
    case 5: return stria_masked_scatter(&o->spaced, &o->half, &o->many, NULL);
    case 6: return stria_masked_select(&o->same, &o->many, &o->changes, NULL);
    case 7: return stria_masked_scatter(&o->many, &o->changes, &o->same, NULL);
    default: return stria_masked_select_new(made, &o->spaced, &o->half, NULL);
    }
}

/* ---- with elements --------------------------------------------------------------------------- */

static stria_status use_elements(int k, const struct operands *o, stria_array *made)
{
    static const double q = 0.7;
    switch (k) {
    case 0: return stria_sort_new(made, &o->changes, 0, false, NULL);
    case 1: return stria_argsort_new(made, &o->changes, 0, true, NULL);
    case 2: return stria_partition_new(made, &o->changes, MANY - 1, 0, NULL);
    case 3: return stria_argpartition_new(made, &o->changes, MANY / 2, 0, NULL);
    case 4: return stria_unique_new(made, NULL, NULL, NULL, &o->changes, true, NULL);
    case 5: return stria_rank_new(made, &o->changes, 0, STRIA_RANK_DENSE, NULL);
    case 6: return stria_quantile_new(made, &o->changes, 1, &q, STRIA_ALL_DIMS, NULL, NULL, NULL);
    case 7: return stria_partition_new(made, &o->half, 0, 0, NULL);
    case 8: return stria_nonzero_new(made, &o->changes, NULL);
    default: return stria_isin(&o->changes, &o->changes, &o->changes, true, NULL);
    }
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* Makes a view whose last element lies right before an inaccessible page. */
static void view_high(stria_view *out, const struct guard *g, stria_kind kind, int64_t n)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    char *const at = guard_high(g, (size_t)(n * dtype.itemsize));
    memset(at, 0, (size_t)(n * dtype.itemsize));
    ok(stria_view_foreign(out, at, dtype, 1, &n, NULL, 0));
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Makes each of the calls again and again while items of a kind change from 0 to `other`. */
static void call_all(use *call, int count, stria_kind kind, int64_t other)
{
    enum { GUARDS = 5 };
    static const double enough = 0.06;
    struct guard guards[GUARDS];
    struct operands o;
    pthread_t thread;
    guards_new(guards, GUARDS, MANY * sizeof(double));
    view_high(&o.few, &guards[0], STRIA_F64, FEW);
    view_high(&o.many, &guards[1], STRIA_F64, MANY);
    view_high(&o.ones, &guards[2], STRIA_F64, 1);
    view_high(&o.changes, &guards[3], kind, MANY);
    view_high(&o.same, &guards[4], STRIA_F64, SAME);
    if (kind == STRIA_BOOL) memset(o.changes.data, 1, SAME);
    ok(stria_view_shape(&o.square, &o.few, 2, (int64_t[]){SIDE, SIDE}));
    ok(stria_expand(&o.ones, &o.ones, 1, (int64_t[]){MANY}));
    ok(stria_slice(&o.half, &o.changes, 0, 0, MANY, 2));
    ok(stria_slice(&o.spaced, &o.many, 0, 0, MANY, 2));
    changing = (struct changing){o.changes.data, o.changes.dtype.itemsize, {0, other}};
    stop = false;
    assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
    for (int k = 0; k < count; k++)
        for (const double end = seconds() + enough; seconds() < end;) {
            RELEASED stria_array made = {0};
            if (call(k, &o, &made) != STRIA_OK) assert_true(stria_last_error()[0] != 0);
        }
    stop = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    guards_free(guards, GUARDS);
}

/* The races are made on purpose: ThreadSanitizer would report each of them. */
static void skip_races(void)
{
    if (BUILT_WITH_TSAN) skip();
}

TEST(test_indices)
{
    skip_races();
    call_all(use_indices, 14, STRIA_I64, INT64_C(1) << 40);
    call_all(use_indices, 16, STRIA_I64, SIDE - 1);
}

TEST(test_masks)
{
    skip_races();
    call_all(use_mask, 9, STRIA_BOOL, 1);
}

TEST(test_elements)
{
    skip_races();
    call_all(use_elements, 9, STRIA_F64, INT64_C(0x3FF0000000000001));
    call_all(use_elements, 9, STRIA_I32, 1000003);
    call_all(use_elements, 10, STRIA_BOOL, 1);
}

TEST_MAIN(NULL, NULL)
