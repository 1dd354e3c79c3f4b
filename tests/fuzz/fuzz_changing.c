/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indices, counts, masks and elements that another thread changes while a call reads them. Each
 * operand ends at an inaccessible page, and what lies in front of those that are written stays:
 * results may be anything, but no call leaves its operands, and each of them ends.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "input.h"
#include "stria/stria.h"
#include "support/guard.h"
#include "support/random.h"
#include "support/sanitizers.h"

enum { MOST = 1 << 12, SIDE = 12, FRONT = 64, CALLS = 26 };
enum operand { DST, SOURCE, CHANGES, OPERANDS };

/* Items from `first` on, to which the other thread writes two values by turns. */
struct writing {
    char *at;
    int64_t item, first, n, values[2];
};
static struct writing writing;
static pthread_mutex_t holds = PTHREAD_MUTEX_INITIALIZER; /* guards `writing` */
static atomic_bool paused;

static void *write_all(void *unused)
{
    for (;; sched_yield()) {
        while (paused)
            sched_yield();
        (void)pthread_mutex_lock(&holds);
        for (int turn = 0; turn < 2; turn++)
            for (int64_t i = writing.first; i < writing.n; i++)
                memcpy(writing.at + i * writing.item, &writing.values[turn], (size_t)writing.item);
        (void)pthread_mutex_unlock(&holds);
    }
    return unused;
}

/* Has the other thread write something else from now on. */
static void write_now(const struct writing *w)
{
    static bool begun;
    pthread_t thread;
    paused = true;
    (void)pthread_mutex_lock(&holds);
    writing = *w;
    (void)pthread_mutex_unlock(&holds);
    paused = false;
    if (!begun) MUST(pthread_create(&thread, NULL, write_all, NULL) == 0, "a thread");
    begun = true;
}

struct world {
    stria_view dst, source, changes;
    /* a square view of dst's elements; the last elements of dst, as many as `changes` has */
    stria_view square, same;
    int dim;
    stria_reduce reduce;
    stria_index_mode mode;
    int64_t k;
};

static stria_status call_by_index(int call, const struct world *w, stria_array *made)
{
    const stria_view *const dst = &w->dst, *const index = &w->changes, *const source = &w->source;
    const stria_index_item one = {.kind = STRIA_INDEX_ARRAY, .array = index};
    const stria_index_item two[] = {one, one};
    switch (call) {
    case 0: return stria_take_new(made, dst, index, w->mode, NULL);
    case 1: return stria_gather_new(made, dst, index, 0, NULL);
    case 2: return stria_take_dim_new(made, &w->square, index, w->dim, w->mode, NULL);
    case 3: return stria_index_arrays_new(made, &w->square, 2, two, STRIA_PLACE_NUMPY, NULL);
    case 4: return stria_take(source, dst, index, w->mode, NULL);
    case 5: return stria_gather(source, dst, index, 0, NULL);
    case 6: return stria_scatter(dst, index, source, 0, w->reduce, NULL);
    case 7: return stria_put(dst, index, source, w->mode, w->reduce, NULL);
    case 8: return stria_index_put(&w->square, 2, two, source, STRIA_PLACE_NUMPY, w->reduce, NULL);
    case 9: return stria_index_add(dst, index, source, NULL, 0, NULL);
    case 10: return stria_index_copy(&w->square, index, dst, w->dim, w->reduce, NULL);
    case 11: return stria_index_reduce(dst, index, source, 0, w->reduce, false, NULL);
    case 12: return stria_repeat_each_new(made, source, index, 0, NULL);
    case 13: return stria_bincount_new(made, index, 0, NULL);
    case 14: return stria_searchsorted(index, source, index, source, w->dim, NULL);
    default: return stria_index_arrays_new(made, dst, 1, two, STRIA_PLACE_TORCH, NULL);
    }
}

static stria_status call_by_value(int call, const struct world *w, stria_array *made)
{
    const stria_view *const a = &w->changes, *const source = &w->source;
    switch (call) {
    case 16: return stria_nonzero_new(made, a, NULL);
    case 17: return stria_masked_select_new(made, source, a, NULL);
    case 18: return stria_masked_scatter(source, a, &w->same, NULL);
    case 19: return stria_masked_fill(source, a, &w->square, NULL);
    case 20: return stria_partition_new(made, a, w->k, 0, NULL);
    case 21: return stria_argpartition_new(made, a, w->k, 0, NULL);
    case 22: return stria_argsort_new(made, a, 0, w->dim, NULL);
    case 23: return stria_unique_new(&made[0], &made[1], &made[2], &made[3], a, w->dim, NULL);
    case 24: return stria_masked_select(&w->same, source, a, NULL);
    default: return stria_isin(a, a, a, w->dim, NULL);
    }
}

/* Makes a view of n items of a kind, every second item where `spaced`, that ends at an inaccessible
 * page. */
static void view_items(stria_view *out, struct guard *g, stria_kind kind, int64_t n, bool spaced)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    const int64_t apart = 1 + spaced, strides[] = {apart * dtype.itemsize};
    const int64_t bytes = n > 0 ? ((n - 1) * apart + 1) * dtype.itemsize : 0;
    char *const at = guard_high(g, (size_t)bytes);
    memset(at - FRONT, '*', FRONT);
    memset(at, 0, (size_t)bytes);
    MUST(stria_view_foreign(out, at, dtype, 1, &n, strides, 0) == STRIA_OK, stria_last_error());
}

static void check_front(const struct guard *g, const stria_view *a)
{
    const int64_t n = stria_numel(a), s = a->strides[0];
    const size_t bytes = (size_t)(n > 0 ? (n - 1) * s + a->dtype.itemsize : 0);
    for (int i = 1; i <= FRONT; i++)
        MUST(guard_high(g, bytes)[-i] == '*', "what lies in front was written");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard guards[OPERANDS];
    static const stria_kind indices[] = {STRIA_I64, STRIA_I64, STRIA_I32, STRIA_U8, STRIA_U64};
    static const stria_kind values[] = {STRIA_F64, STRIA_F32, STRIA_U8, STRIA_C128, STRIA_I16};
    static const stria_kind elements[] = {STRIA_BOOL, STRIA_BOOL, STRIA_F64, STRIA_I32, STRIA_C64};
    static const int64_t far[] = {SIDE - 1, 1, -1, INT64_C(1) << 40, INT64_MIN, 0x3FF0000000000001};
    struct input in = {data, size};
    struct world w;
    stria_array made[4] = {{0}};
    /* ThreadSanitizer would report the races that this test makes on purpose */
    if (BUILT_WITH_TSAN) return 0;
    if (!guards[0].map) guards_new(guards, OPERANDS, (size_t)2 * MOST * sizeof(double) * 2 + FRONT);
    const int call = take_below(&in, CALLS);
    const bool masks = call == 17 || call == 18 || call == 19 || call == 24;
    const int64_t n = 1 + take_below(&in, 16) * take_below(&in, MOST / 16);
    const stria_kind kind = call < 16 ? indices[take_below(&in, 5)]
                            : masks   ? STRIA_BOOL
                                      : elements[take_below(&in, 5)];
    const stria_kind of = values[take_below(&in, 5)];
    view_items(&w.dst, &guards[DST], of, SIDE * SIDE, false);
    view_items(&w.source, &guards[SOURCE], call == 14 ? STRIA_I64 : of, n, take_once(&in, 4));
    view_items(&w.changes, &guards[CHANGES], call == 14 ? STRIA_I64 : kind, n, take_once(&in, 3));
    MUST(stria_view_shape(&w.square, &w.dst, 2, (int64_t[]){SIDE, SIDE}) == STRIA_OK, "square");
    const int64_t same = n / 3 < SIDE * SIDE ? n / 3 : SIDE * SIDE;
    MUST(stria_narrow(&w.same, &w.dst, 0, SIDE * SIDE - same, same) == STRIA_OK, "same");
    for (int64_t i = 0; w.changes.dtype.kind == STRIA_BOOL && i < same; i++)
        w.changes.data[i * w.changes.strides[0]] = 1;
    if (call == 19) MUST(stria_select(&w.square, &w.dst, 0, 0) == STRIA_OK, "one");
    w.dim = take_below(&in, 2);
    w.reduce = (stria_reduce)take_below(&in, STRIA_REDUCE_MEAN + 1);
    w.mode = (stria_index_mode)take_below(&in, STRIA_INDEX_CLIP + 1);
    w.k = take_below(&in, (int)n);
    int64_t other = far[take_below(&in, 6)];
    if (w.changes.dtype.kind == STRIA_BOOL) other = 1;
    if (call == 12) other = 3;
    if (call == 13) other = MOST;
    const int64_t item = w.changes.dtype.itemsize, apart = w.changes.strides[0] / item;
    write_now(
        &(struct writing){w.changes.data, item, same * apart, (n - 1) * apart + 1, {0, other}});
    const stria_status status =
        call < 16 ? call_by_index(call, &w, made) : call_by_value(call, &w, made);
    if (status != STRIA_OK) MUST(stria_last_error()[0] != 0, "a refusal says why");
    check_front(&guards[DST], &w.dst);
    check_front(&guards[SOURCE], &w.source);
    for (int i = 0; i < 4; i++)
        stria_array_release(&made[i]);
    return 0;
}
