/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements are visited in the order of memory, since a sum does not depend on it, in boxes that
 * stay in the first-level cache. A box of f64 that lies dense is read where it lies; others are
 * copied as f64 first. Integers of 64 bits, which f64 does not hold, are two numbers: a multiple of
 * 2^32 and a rest.
 */
#include "ops/exact/feed.h"

#include <stdatomic.h>

#include "plan/arena.h"
#include "machine/constants.h"
#include "ops/operands.h"
#include "plan/box.h"

enum {
    BOX = 2048,  /* Elements of a box. */
    LITTLE = 128 /* Elements of a box without scratch memory. */
};
static const double CYCLES = 1.5; /* Cycles of an element. */

struct feeding {
    struct exact_sum *sum, *products;
    struct power_sums *powers;
    const stria_view *view[2];
    int nops;
    atomic_int status;
    atomic_flag merging;
};

/* An operand in a box, as one number for each element or as two. */
struct numbers {
    const double *part[2];
    int parts;
    stria_kind kind; /* Kind of the items in part[0]. */
};

/* The state of one thread. */
struct feeder {
    struct feeding *all;
    struct exact_sum sum, products;
    struct power_sums powers;
    double *room[2][2]; /* Room for each part of each operand. */
    int64_t most;       /* Elements of a box. */
};

/* ---- boxes ----------------------------------------------------------------------------------- */

static void split(double *high, double *low, int64_t n, stria_kind kind)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t x;
        memcpy(&x, high + i, sizeof x);
        const uint64_t upper = x & ~(uint64_t)UINT32_MAX;
        low[i] = (double)(x & UINT32_MAX);
        high[i] = kind == STRIA_I64 ? (double)(int64_t)upper : (double)upper;
    }
}

static stria_status load(struct numbers *out, const struct feeder *f, int k, const stria_view *box,
                         int64_t n)
{
    static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};
    const stria_kind own = (stria_kind)box->dtype.kind;
    const bool wide = own == STRIA_I64 || own == STRIA_U64;
    /* Other kinds, which accumulators or products do not take, are read as f64. */
    const stria_kind kind =
        wide || (!f->all->products && stria__accumulates(own)) ? own : STRIA_F64;
    const bool splits = f->all->products && kind != STRIA_F64;
    double *const high = f->room[k][0], *const low = f->room[k][1];
    stria_view to;
    *out = (struct numbers){{high, low}, splits ? 2 : 1, splits ? STRIA_F64 : kind};
    if (!splits && view_has_items(box, stria_dtype_of(kind)) && stria_is_aligned(box)) {
        out->part[0] = (const double *)(const void *)box->data;
        return STRIA_OK;
    }
    STRIA_TRY(stria_view_foreign(&to, high, stria_dtype_of(kind), box->ndim, box->shape, NULL, 0));
    STRIA_TRY(stria_copy(&to, box, &alone));
    if (splits) split(high, low, n, kind);
    return STRIA_OK;
}

static stria_status feed_box(struct feeder *f, const struct cut *cut, const struct box *at)
{
    const int nops = cut->plan->nops;
    const int64_t n = stria__box_items(at, cut);
    struct numbers x[2];
    for (int k = 0; k < nops; k++) {
        stria_view box;
        stria__box_view(&box, f->all->view[k], at, cut, k);
        STRIA_TRY(load(&x[k], f, k, &box, n));
    }
    const struct numbers *const y = &x[nops - 1];
    for (int i = 0; f->all->sum && i < x[0].parts; i++)
        stria__accumulate_items(&f->sum, x[0].kind, (const char *)x[0].part[i], n);
    for (int i = 0; f->all->products && i < x[0].parts; i++)
        for (int j = 0; j < y->parts; j++)
            stria__accumulate_products(&f->products, x[0].part[i], y->part[j], n);
    if (f->all->powers)
        stria__accumulate_powers(&f->powers, x[0].part[0], x[0].parts > 1 ? x[0].part[1] : NULL, n);
    return STRIA_OK;
}

static stria_status feed_boxes(struct feeder *f, const stria_plan *plan)
{
    struct cut cut;
    struct box box;
    stria__cut_begin(&cut, plan);
    (void)stria__cut_rows(&cut, f->most);
    stria__box_first(&box, &cut);
    do
        STRIA_TRY(feed_box(f, &cut, &box));
    while (stria__box_next(&box, &cut));
    return STRIA_OK;
}

static void merge(struct feeder *f)
{
    struct feeding *const all = f->all;
    stria__accumulator_carry(&f->sum);
    stria__accumulator_carry(&f->products);
    while (atomic_flag_test_and_set_explicit(&all->merging, memory_order_acquire)) {
    }
    if (all->sum) stria__accumulator_merge(all->sum, &f->sum);
    if (all->products) stria__accumulator_merge(all->products, &f->products);
    if (all->powers) stria__powers_merge(all->powers, &f->powers);
    atomic_flag_clear_explicit(&all->merging, memory_order_release);
}

static void feed_in(struct feeder *f, const stria_plan *part, double *room, int64_t most)
{
    f->most = most;
    for (int k = 0; k < 4; k++)
        f->room[k / 2][k % 2] = room + k * most;
    f->sum = f->products = (struct exact_sum){0};
    if (f->all->powers) f->powers = (struct power_sums){0};
    const stria_status status = feed_boxes(f, part);
    if (status != STRIA_OK) atomic_store(&f->all->status, (int)status);
    merge(f);
}

__attribute__((noinline)) static void feed_by_stack(struct feeding *all, const stria_plan *part)
{
    struct feeder f = {.all = all};
    double room[4 * LITTLE];
    feed_in(&f, part, room, LITTLE);
}

static void feed_part(const stria_plan *part, const void *arg)
{
    struct feeding *const all = *(struct feeding *const *)arg;
    const int64_t known = round_up((int64_t)sizeof(struct feeder), LINE);
    char *const memory = stria__arena_take(known + 4 * BOX * (int64_t)sizeof(double));
    if (!memory) {
        feed_by_stack(all, part);
        return;
    }
    struct feeder *const f = (struct feeder *)(void *)memory;
    f->all = all;
    feed_in(f, part, (double *)(void *)(memory + known), BOX);
    stria__arena_give(memory);
}

stria_status stria__exact_feed(struct exact_sum *sum, struct exact_sum *products,
                               struct power_sums *powers, const stria_view *a, const stria_view *b,
                               const stria_exec *exec)
{
    stria_plan plan;
    struct feeding all = {
        .sum = sum, .products = products, .powers = powers, .view = {a, b}, .nops = b == a ? 1 : 2};
    struct feeding *const shared = &all;
    atomic_init(&all.status, STRIA_OK);
    atomic_flag_clear(&all.merging);
    stria__arena_refresh();
    STRIA_TRY(stria_plan_make(&plan, all.nops, all.view, 0));
    const int64_t n = stria__plan_numel(&plan);
    if (n == 0) return STRIA_OK;
    const int threads = stria__threads_for(exec, stria__plan_traffic(&plan), (double)n * CYCLES);
    const uint64_t dims = UINT64_MAX >> (64 - plan.ndim);
    stria__plan_parallel_along(&plan, dims, exec, threads, WATCHED_PIECE, feed_part, &shared);
    STRIA_TRY(stria__watch_end(exec));
    const stria_status status = (stria_status)atomic_load(&all.status);
    if (status != STRIA_OK)
        return stria__fail(status, "exact sum: the elements could not be copied");
    return STRIA_OK;
}
