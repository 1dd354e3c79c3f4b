/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions so large that they go in tiles and pieces with odd ends: every order of the dims of a
 * few shapes, to and from items of every size, outputs anywhere relative to a line, as memory from
 * malloc too, with and without gaps, on every level. Each is held against the copy without a
 * conversion and then the conversion without a copy. Long rows are held against short ones.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/orders.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/slow.h"
#include "support/small_cache.h"
#include "support/test.h"

enum { ITEMS = 200 << 10, ROOM = 24 * ITEMS, MARGIN = 8 << 10 };

static char *in_memory, *out_memory, *expected, *before;

/* Makes a view of that shape, with a gap of so many items after each row. */
static stria_view target(char *memory, stria_dtype dtype, const stria_view *like, int64_t gap)
{
    stria_view out;
    int64_t strides[STRIA_MAX_NDIM], step = dtype.itemsize;
    for (int d = like->ndim - 1; d >= 0; d--) {
        strides[d] = step;
        step *= like->shape[d];
        if (d == like->ndim - 1) step += gap * dtype.itemsize;
    }
    assert_true(step + MARGIN <= ROOM);
    ok(stria_view_foreign(&out, memory, dtype, like->ndim, like->shape, strides, 0));
    return out;
}

static void check(const stria_view *src, stria_kind to, int64_t at, int64_t gap)
{
    static const stria_exec alone = {.threads = 1};
    const stria_dtype dtype = stria_dtype_of(to);
    const stria_view dst = target(out_memory + at, dtype, src, gap);
    const stria_view want = target(expected + at, dtype, src, gap);
    RELEASED stria_array dense = {0}, converted = {0};
    const int64_t all = at + dst.shape[0] * dst.strides[0] + MARGIN;
    const size_t size = (size_t)(all < ROOM ? all : ROOM);
    memcpy(out_memory, before, size);
    memcpy(expected, before, size);
    ok(stria_contiguous(&dense, src, STRIA_ORDER_C, NULL, NULL));
    ok(stria_astype(&converted, &dense.view, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL,
                    &alone));
    ok(stria_copy(&want, &converted.view, &alone));
    ok(stria_copy(&dst, src, &alone));
    if (memcmp(out_memory, expected, size) != 0) {
        print_view("out", &dst);
        print_view("src", src);
        fail_msg("%s: wrong", stria_isa_name());
    }
}

/* Checks every order of the dims; the source runs backwards along one dim now and then. */
static void check_orders(const stria_view *a, stria_kind to)
{
    const int64_t item = stria_dtype_of(to).itemsize;
    for (int k = 1; k < count_orders(a->ndim); k++) {
        int dims[ORDERS_NDIM];
        order_dims(dims, a->ndim, k);
        stria_view permuted, src;
        ok(stria_permute(&permuted, a, a->ndim, dims));
        ok(stria_flip(&src, &permuted, k % 3 == 2, (int[]){k % a->ndim}));
        check(&src, to, k % 4 == 3 ? 3 * item : 0, 0);
        check(&src, to, k % 4 == 1 ? item : 0, 3);
        check(&src, to, 16, 0);
        check(&src, to, LINE - item, LINE / item);
    }
}

/* Checks rows with gaps, converted to rows that follow each other and share cache lines. */
static void check_rows(const stria_view *a, stria_kind to)
{
    stria_view src;
    ok(stria_slice(&src, a, a->ndim - 1, 1, STRIA_NONE, 1));
    for (int64_t k = 0; k < 3; k++)
        check(&src, to, k * stria_dtype_of(to).itemsize, 0);
    check(&src, to, 1, 0);
}

static void check_level(void)
{
    static const struct {
        int ndim;
        int64_t shape[4];
    } shapes[] = {{2, {320, 256}},    {2, {515, 301}},       {2, {33, 2051}},     {2, {4096, 32}},
                  {2, {32, 3072}},    {2, {509, 301}},       {2, {256, 395}},     {3, {64, 33, 70}},
                  {3, {256, 10, 70}}, {4, {16, 16, 16, 16}}, {4, {40, 3, 2, 130}}};
    static const struct {
        stria_kind to, from;
    } pairs[] = {{STRIA_BF16, STRIA_F32}, {STRIA_U8, STRIA_BF16},  {STRIA_F32, STRIA_U8},
                 {STRIA_F32, STRIA_I32},  {STRIA_U8, STRIA_I64},   {STRIA_F64, STRIA_F16},
                 {STRIA_C128, STRIA_F32}, {STRIA_BF16, STRIA_C128}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
            stria_view a;
            if ((s + k) % ONE_OF_MANY != 0) continue;
            ok(stria_view_foreign(&a, in_memory, stria_dtype_of(pairs[k].from), shapes[s].ndim,
                                  shapes[s].shape, NULL, 0));
            check_orders(&a, pairs[k].to);
            check_rows(&a, pairs[k].to);
        }
}

TEST_WITH(test_orders, small_cache, real_cache)
{
    for (int level = 0; next_level(&level);)
        check_level();
}

static stria_view dense_items(char *memory, stria_kind kind, int64_t from, int64_t n)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    stria_view out;
    ok(stria_view_foreign(&out, memory + from * dtype.itemsize, dtype, 1, &n, NULL, 0));
    return out;
}

/* Converts n items at once, and in parts so short that they are not streamed. */
static void check_long_row(stria_kind to, stria_kind from, int64_t n)
{
    enum { PART = 3000 };
    const int64_t size = (n + 1) * stria_dtype_of(to).itemsize;
    memset(out_memory, 0, (size_t)size);
    memset(expected, 0, (size_t)size);
    for (int64_t i = 0; i < n; i += PART) {
        const int64_t m = n - i < PART ? n - i : PART;
        const stria_view dst = dense_items(expected, to, i, m);
        const stria_view src = dense_items(in_memory, from, i, m);
        ok(stria_copy(&dst, &src, NULL));
    }
    const stria_view dst = dense_items(out_memory, to, 0, n);
    const stria_view src = dense_items(in_memory, from, 0, n);
    ok(stria_copy(&dst, &src, NULL));
    if (memcmp(out_memory, expected, (size_t)size) != 0)
        fail_msg("%s: a row of %lld items is wrong", stria_isa_name(), (long long)n);
}

/* Long rows are written in several places at once: here with every number of pieces left over. */
TEST_WITH(test_long_rows, small_cache, real_cache)
{
    for (int level = 0; next_level(&level);)
        for (int64_t n = 290 << 10; n < 292 << 10; n += 97) {
            check_long_row(STRIA_BF16, STRIA_F32, n);
            check_long_row(STRIA_U8, STRIA_F32, n);
            check_long_row(STRIA_F32, STRIA_U8, n);
            check_long_row(STRIA_F64, STRIA_F32, n);
        }
}

/* A column whose items are repeated along long rows: each row is one number. */
TEST_WITH(test_repeated, small_cache, real_cache)
{
    enum { ROWS = 50, COLUMNS = 3000 };
    const int64_t shape[] = {ROWS, COLUMNS}, tall[] = {ROWS, 1};
    float *const column = (float *)(void *)in_memory;
    const int32_t *const out = (const int32_t *)(const void *)out_memory;
    stria_view dst, src;
    char saved[ROWS * sizeof(float)];
    memcpy(saved, in_memory, sizeof saved);
    for (int i = 0; i < ROWS; i++)
        column[i] = (float)(7 * i - 100);
    const stria_dtype to = stria_dtype_of(STRIA_I32), from = stria_dtype_of(STRIA_F32);
    ok(stria_view_foreign(&dst, out_memory, to, 2, shape, NULL, 0));
    ok(stria_view_foreign(&src, in_memory, from, 2, tall, NULL, 0));
    for (int level = 0; next_level(&level);) {
        memset(out_memory, 0x5A, sizeof(int32_t) * ROWS * COLUMNS);
        ok(stria_copy(&dst, &src, NULL));
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                assert_int_equal(out[i * COLUMNS + j], 7 * i - 100);
    }
    memcpy(in_memory, saved, sizeof saved);
}

/* Asserts which side a plan transposes: the one with the smaller items, else the output. */
static void assert_transposed(stria_kind to, const char *when)
{
    enum { ROWS = 320, COLUMNS = 400 };
    const int64_t shape[] = {ROWS, COLUMNS};
    stria_view src;
    stria_copy_plan plan;
    ok(stria_view_foreign(&src, in_memory, stria_dtype_of(STRIA_F32), 2, shape, NULL, 0));
    ok(stria_reverse_dims(&src, &src));
    const stria_view dst = target(out_memory, stria_dtype_of(to), &src, 0);
    ok(stria_copy_plan_make(&plan, &dst, &src, NULL));
    assert_non_null(strstr(plan.reason, when));
}

TEST_WITH(test_explained, small_cache, real_cache)
{
    assert_transposed(STRIA_BF16, "tiles of 2048 items, transposed first");
    assert_transposed(STRIA_F64, "transposed first");
    assert_transposed(STRIA_I32, "tiles of 2048 items, transposed first");
}

int main(void)
{
    char **const memory[] = {&in_memory, &out_memory, &expected, &before};
    uint64_t seed = 1;
    for (size_t i = 0; i < 4; i++)
        if (!(*memory[i] = aligned_alloc(64, ROOM))) return 1;
    for (size_t i = 0; i < ROOM; i++) {
        in_memory[i] = (char)random_bits(&seed);
        before[i] = (char)random_bits(&seed);
    }
    const int failed = run_listed(__FILE__, NULL, NULL);
    for (size_t i = 0; i < 4; i++)
        free(*memory[i]);
    return failed;
}
