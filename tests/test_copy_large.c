/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies so large that tiles, stages and chunks come in several pieces with odd ends: every order
 * of the dims of a few shapes, items of many sizes, destinations anywhere relative to a line, with
 * and without gaps, streamed and not, on every level, against one loop for each dim; and smaller
 * ones. Bytes of the destination's memory that belong to no element must keep their value.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/orders.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/small_cache.h"
#include "support/test.h"

enum { ROOM = 12 << 20, MARGIN = 8 << 10 };

static char *in_memory, *out_memory, *expected, *before;

static void nested_loops(char *out, const char *in, const stria_view *dst, const stria_view *src,
                         int d)
{
    const int64_t n = dst->shape[d], so = dst->strides[d], si = src->strides[d];
    for (int64_t i = 0; i < n; i++)
        if (d + 1 < dst->ndim)
            nested_loops(out + i * so, in + i * si, dst, src, d + 1);
        else
            memcpy(out + i * so, in + i * si, (size_t)dst->dtype.itemsize);
}

/* Makes a view of that shape, with a gap of so many bytes after dim `after`, from byte `at` on. */
static stria_view target(const stria_view *like, int64_t at, int64_t gap, int after)
{
    stria_view out;
    int64_t strides[STRIA_MAX_NDIM], step = like->dtype.itemsize;
    for (int d = like->ndim - 1; d >= 0; d--) {
        strides[d] = step;
        step *= like->shape[d];
        if (d == after) step += gap;
    }
    assert_true(at + step <= ROOM);
    ok(stria_view_foreign(&out, out_memory + at, like->dtype, like->ndim, like->shape, strides, 0));
    return out;
}

static void check_copy(const stria_view *src, int64_t at, int64_t gap, int after)
{
    const stria_view dst = target(src, at, gap, after);
    const int64_t all = at + dst.shape[0] * dst.strides[0] + MARGIN;
    const size_t size = (size_t)(all < ROOM ? all : ROOM);
    memcpy(expected, before, size);
    nested_loops(expected + at, src->data, &dst, src, 0);
    for (int stream = 0; stream < 2; stream++) {
        const stria_exec exec = {.threads = 1,
                                 .hints = stream ? STRIA_WONT_READ_SOON : STRIA_WILL_READ_SOON};
        memcpy(out_memory, before, size);
        ok(stria_copy(&dst, src, &exec));
        if (memcmp(out_memory, expected, size) == 0) continue;
        stria_copy_plan plan;
        ok(stria_copy_plan_make(&plan, &dst, src, &exec));
        print_view("out", &dst);
        print_view("src", src);
        fail_msg("%s, %s, stream %d: wrong", stria_isa_name(), plan.strategy, stream);
    }
}

/* Checks every order of the dims; the source runs backwards along one dim now and then. */
static void check_orders(const stria_view *a, int64_t item)
{
    const int64_t to_line = (int64_t)(-(uintptr_t)out_memory % 64);
    for (int k = 0; k < count_orders(a->ndim); k++) {
        int dims[ORDERS_NDIM];
        order_dims(dims, a->ndim, k);
        stria_view permuted, src;
        ok(stria_permute(&permuted, a, a->ndim, dims));
        ok(stria_flip(&src, &permuted, k % 5 == 4, (int[]){k % a->ndim}));
        const int64_t gap = k % 7 == 5 ? 3 * item : k % 3 == 1 ? 64 : 0;
        const int row = a->ndim - 1;
        check_copy(&src, k % 3 * item + (k % 4 == 3) * 64, gap, row);
        if (gap == 0) check_copy(&src, 16, gap, row);
        if (gap == 0 && a->ndim > 2) check_copy(&src, to_line, gap, row);
        if (a->ndim > 2) check_copy(&src, k % 5 * item, 5 * item, row - 1);
    }
}

struct shape {
    int ndim;
    int64_t n[4];
};

static void check_level(const struct shape *shapes, size_t nshapes)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16};
    for (size_t s = 0; s < nshapes; s++)
        for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
            stria_view a;
            stria_dtype dtype;
            ok(stria_dtype_sized(&dtype, STRIA_VOID, items[k]));
            ok(stria_view_foreign(&a, in_memory, dtype, shapes[s].ndim, shapes[s].n, NULL, 0));
            check_orders(&a, items[k]);
        }
}

TEST_WITH(test_large_copies, small_cache, real_cache)
{
    static const struct shape shapes[] = {
        {2, {1025, 130}},     {2, {67, 2051}},       {2, {5, 8193}},       {2, {300, 512}},
        {3, {64, 64, 32}},    {3, {3, 33, 700}},     {3, {9, 1100, 7}},    {3, {2, 96, 1088}},
        {4, {5, 37, 4, 90}},  {4, {16, 16, 16, 16}}, {4, {129, 2, 3, 64}}, {3, {61, 53, 47}},
        {4, {19, 23, 3, 101}}};
    for (int level = 0; next_level(&level);)
        check_level(shapes, sizeof shapes / sizeof shapes[0]);
}

/* A transposition within the caches is one tile or several, whose lines are fetched while they are
 * written. */
TEST_WITH(test_copies_within_caches, NULL, real_cache)
{
    static const struct shape shapes[] = {{2, {100, 100}},  {2, {65, 1025}},  {2, {300, 512}},
                                          {2, {64, 64}},    {2, {1030, 530}}, {3, {3, 90, 70}},
                                          {3, {40, 40, 40}}};
    stria__machine_set_l2(2 << 20);
    for (int level = 0; next_level(&level);)
        check_level(shapes, sizeof shapes / sizeof shapes[0]);
}

/*
 * Plans one transposition that is larger than any second-level cache for caches of several sizes:
 * thresholds and the number of rows that are read side by side depend on them.
 */
TEST_WITH(test_any_cache, NULL, real_cache)
{
    enum { ROWS = 2301, COLUMNS = 2506 };
    const int64_t shape[] = {ROWS, COLUMNS};
    const size_t size = (size_t)ROWS * COLUMNS * sizeof(float);
    char *const in = malloc(size), *const out = malloc(size), *const wanted = malloc(size);
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    stria_view dst, src;
    assert_true(in && out && wanted);
    for (size_t i = 0; i < size; i++)
        in[i] = in_memory[i % ROOM];
    ok(stria_view_foreign(&src, in, f32, 2, shape, NULL, 0));
    ok(stria_reverse_dims(&src, &src));
    ok(stria_view_foreign(&dst, out, f32, 2, src.shape, NULL, 0));
    nested_loops(wanted, in, &dst, &src, 0);
    for (int64_t l2 = 256 << 10; l2 <= 4 << 20; l2 *= 2)
        for (int level = 0; next_level(&level);) {
            stria__machine_set_l2(l2);
            memset(out, 0, size);
            ok(stria_copy(&dst, &src, NULL));
            if (memcmp(out, wanted, size) != 0)
                fail_msg("%s, a cache of %lld bytes: wrong", stria_isa_name(), (long long)l2);
        }
    free(in);
    free(out);
    free(wanted);
}

int main(void)
{
    char **const memory[] = {&in_memory, &out_memory, &expected, &before};
    uint64_t seed = 1;
    for (size_t i = 0; i < 4; i++)
        if (!(*memory[i] = malloc(ROOM))) return 1;
    for (size_t i = 0; i < ROOM; i++) {
        in_memory[i] = (char)random_bits(&seed);
        before[i] = (char)random_bits(&seed);
    }
    const int failed = run_listed(__FILE__, NULL, NULL);
    for (size_t i = 0; i < 4; i++)
        free(*memory[i]);
    return failed;
}
