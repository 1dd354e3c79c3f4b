/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Permutations within the memory of the array, against index arithmetic: every way to move items,
 * items of every size, layouts with gaps, and every byte around the array.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/in_place/in_place.h"
#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/by_value.h"
#include "support/test.h"

enum { MARGIN = 128 };

/* Returns byte number k of the array at first. */
static char content(int64_t k)
{
    return (char)((uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) >> 56);
}

static char *filled(int64_t bytes)
{
    char *const memory = malloc((size_t)bytes);
    assert_non_null(memory);
    for (int64_t k = 0; k < bytes; k++)
        memory[k] = content(k);
    return memory;
}

/* Whether every element of `now` is that of `was`, as it lay in memory at first. */
static bool holds(const stria_view *now, const stria_view *was, const char *start)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    if (stria_numel(now) == 0) return true;
    do {
        const char *at = now->data + offset_of(index, now->ndim, now->strides);
        const int64_t from = was->data - start + offset_of(index, was->ndim, was->strides);
        for (int32_t i = 0; i < now->dtype.itemsize; i++)
            if (at[i] != content(from + i)) return false;
    } while (next_index(index, now->ndim, now->shape));
    return true;
}

static stria_dtype items_of(int64_t size)
{
    stria_dtype dtype;
    ok(stria_dtype_sized(&dtype, STRIA_VOID, size));
    return dtype;
}

/* ---- dense arrays ---------------------------------------------------------------------------- */

static void check_dense(int64_t item, int ndim, const int64_t *shape, const int *dims)
{
    int64_t bytes = item;
    for (int d = 0; d < ndim; d++)
        bytes *= shape[d];
    char *const memory = filled(bytes + 2 * MARGIN);
    stria_view a, wanted, result;
    ok(stria_view_foreign(&a, memory + MARGIN, items_of(item), ndim, shape, NULL, 0));
    ok(stria_permute(&wanted, &a, ndim, dims));
    ok(stria_permute_in_place(&result, &a, ndim, dims, NULL));
    assert_true(stria_is_contiguous(&result, STRIA_ORDER_C));
    assert_ptr_equal(result.data, a.data);
    assert_memory_equal(result.shape, wanted.shape, (size_t)ndim * sizeof wanted.shape[0]);
    if (!holds(&result, &wanted, memory)) {
        print_view("wrong", &wanted);
        fail();
    }
    for (int64_t k = 0; k < MARGIN; k++) {
        assert_int_equal(memory[k], content(k));
        assert_int_equal(memory[MARGIN + bytes + k], content(MARGIN + bytes + k));
    }
    free(memory);
}

static void matrix(int64_t item, int64_t a, int64_t b)
{
    check_dense(item, 2, (int64_t[]){a, b}, (int[]){1, 0});
}

TEST(test_matrices)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 16, 31, 64, 65, 130};
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16, 100};
    enum { SIZES = sizeof sizes / sizeof sizes[0], ITEMS = sizeof items / sizeof items[0] };
    for (int i = 0; i < SIZES; i++)
        for (int k = 0; k < SIZES; k++)
            for (int j = 0; j < ITEMS; j++)
                matrix(items[j], sizes[i], sizes[k]);
}

/* Matrices larger than scratch memory: one for each way to transpose them, in both directions. */
TEST(test_large_matrices)
{
    static const struct {
        int64_t item, a, b;
    } cases[] = {
        {4, 700, 700},   {1, 1025, 1025}, {3, 500, 500},   /* squares */
        {4, 3, 300007},  {1, 2, 1000003}, {8, 1500, 77},   /* panels */
        {2, 1000, 1009}, {4, 640, 1600},  {12, 5, 70001},  /* with and without a remainder */
        {4, 512, 1024},  {2, 600, 1800},  {1, 4099, 8198}, /* squares next to each other */
        {1, 2053, 4096}, {4, 2100, 2048}, {2, 2600, 2608}, /* in several pieces */
        {1, 2053, 2063},                                   /* a prime size: panels of few rows */
        {2000, 31, 17},  {100000, 3, 5},  {200000, 2, 3},  /* long items */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        matrix(cases[i].item, cases[i].a, cases[i].b);
        matrix(cases[i].item, cases[i].b, cases[i].a);
    }
}

/* There are more blocks than there is room for marks. */
TEST(test_cycles_without_marks)
{
    const int64_t a = 2003, b = 1999;
    char *const memory = filled(a * b);
    struct scratch *const scratch = aligned_alloc(_Alignof(struct scratch), sizeof *scratch);
    assert_non_null(scratch);
    assert_true(a * b > (int64_t)MARK_BYTES * 8);
    stria__cycles(&(struct rectangle){memory, 1, a, b, 1}, scratch);
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = 0; j < a; j++)
            if (memory[i * a + j] != content(j * b + i)) fail();
    free(scratch);
    free(memory);
}

static void shuffle(uint64_t *seed, int *dims, int ndim)
{
    for (int d = 0; d < ndim; d++)
        dims[d] = d;
    for (int d = ndim - 1; d > 0; d--) {
        const int64_t e = random_between(seed, 0, d);
        const int t = dims[d];
        dims[d] = dims[e];
        dims[e] = t;
    }
}

TEST(test_many_dims)
{
    uint64_t seed = 3;
    for (int k = 0; k < 400; k++) {
        int64_t shape[8], room = 1 << (k % 10 == 0 ? 21 : 15);
        int dims[8];
        const int ndim = (int)random_between(&seed, 2, 8);
        for (int d = 0; d < ndim; d++) {
            const int64_t most = d % 2 ? 9 : 40;
            shape[d] = random_once(&seed, 3) && d > 0 ? shape[0] : random_between(&seed, 1, most);
            if (shape[d] > room) shape[d] = 1;
            room /= shape[d];
        }
        shuffle(&seed, dims, ndim);
        check_dense(random_once(&seed, 2) ? 4 : random_between(&seed, 1, 20), ndim, shape, dims);
    }
    check_dense(4, 3, (int64_t[]){64, 64, 64}, (int[]){2, 1, 0});
    check_dense(4, 3, (int64_t[]){70, 30, 70}, (int[]){2, 1, 0});
    check_dense(2, 4, (int64_t[]){8, 40, 12, 64}, (int[]){0, 2, 1, 3});
    int64_t twos[18];
    int back[18];
    for (int d = 0; d < 18; d++) {
        twos[d] = 2;
        back[d] = 17 - d;
    }
    check_dense(1, 18, twos, back);
}

/* Any order of dims becomes C order in the same memory. */
TEST(test_orders)
{
    uint64_t seed = 11;
    for (int k = 0; k < 200; k++) {
        const int64_t shape[4] = {random_between(&seed, 1, 9), random_between(&seed, 1, 9),
                                  random_between(&seed, 1, 9), random_between(&seed, 1, 9)};
        int lies[4], dims[4];
        shuffle(&seed, lies, 4);
        shuffle(&seed, dims, 4);
        char *const memory = filled(9 * 9 * 9 * 9 * 2);
        stria_view a, wanted;
        ok(stria_view_foreign(&a, memory, stria_dtype_of(STRIA_I16), 4, shape, NULL, 0));
        ok(stria_permute(&a, &a, 4, lies));
        ok(stria_permute(&wanted, &a, 4, dims));
        if (k % 2) /* dims from the end */
            for (int d = 0; d < 4; d++)
                dims[d] -= 4;
        ok(stria_permute_in_place(&a, &a, 4, dims, NULL));
        assert_true(stria_is_contiguous(&a, STRIA_ORDER_C));
        assert_true(holds(&a, &wanted, memory));
        free(memory);
    }
}

/* ---- arrays with gaps ------------------------------------------------------------------------ */

enum { ROOM = 1 << 18 };

/* Makes a part of a view of random strides, many of whose sizes are equal. */
static bool random_part(uint64_t *seed, stria_view *out, char *memory)
{
    const struct random_memory room = {memory, ROOM};
    if (!random_view(seed, out, room, random_item(seed))) return false;
    const int64_t size = random_between(seed, 1, 6);
    for (int d = 0; d < out->ndim; d++)
        if (out->shape[d] > size) out->shape[d] = size;
    return true;
}

TEST(test_gaps)
{
    static char memory[ROOM], before[ROOM], expected[ROOM];
    uint64_t seed = 21;
    int moved = 0;
    for (int64_t k = 0; k < ROOM; k++)
        before[k] = content(k);
    for (int k = 0; k < 3000; k++) {
        int dims[STRIA_MAX_NDIM];
        stria_view a, wanted, result;
        if (!random_part(&seed, &a, memory)) continue;
        shuffle(&seed, dims, a.ndim);
        ok(stria_permute(&wanted, &a, a.ndim, dims));
        memcpy(memory, before, ROOM);
        const bool stays = !memcmp(wanted.shape, a.shape, (size_t)a.ndim * sizeof a.shape[0]);
        const stria_status status = stria_permute_in_place(&result, &a, a.ndim, dims, NULL);
        if (stria_is_contiguous(&a, STRIA_ORDER_K)) continue; /* tested above */
        assert_int_equal(status, stays ? STRIA_OK : STRIA_ERR_STRIDE);
        memcpy(expected, before, ROOM);
        if (stays) {
            moved++;
            assert_true(stria_same_view(&result, &a));
            int64_t index[STRIA_MAX_NDIM] = {0};
            do
                memcpy(expected + (a.data - memory) + offset_of(index, a.ndim, a.strides),
                       before + (a.data - memory) + offset_of(index, a.ndim, wanted.strides),
                       (size_t)a.dtype.itemsize);
            while (next_index(index, a.ndim, a.shape));
        }
        if (memcmp(memory, expected, ROOM)) {
            print_view("wrong", &wanted);
            fail();
        }
    }
    assert_true(moved > 200);
    /* A square part of a matrix, larger than a tile, and with a large item. */
    char *const large = filled(300 * 310 * 4);
    stria_view a, wanted;
    ok(stria_view_foreign(&a, large, stria_dtype_of(STRIA_F32), 2, (int64_t[]){300, 310}, NULL, 0));
    ok(stria_narrow(&a, &a, 1, 7, 300));
    ok(stria_reverse_dims(&wanted, &a));
    ok(stria_transpose_in_place(&a, &a, 0, -1, NULL));
    assert_true(holds(&a, &wanted, large));
    free(large);
}

/* ---- contract -------------------------------------------------------------------------------- */

TEST(test_contract)
{
    int32_t x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, before[12];
    stria_view a, b;
    stria_buffer *buffer;
    memcpy(before, x, sizeof x);
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_I32), 2, (int64_t[]){3, 4}, NULL, 0));
    const stria_view closed = readonly_of(&a);
    assert_int_equal(stria_transpose_in_place(&b, &closed, 0, 1, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_transpose_in_place(&b, &a, 0, 2, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_permute_in_place(&b, &a, 2, (int[]){0, 0}, NULL), STRIA_ERR_DIM);
    assert_int_equal(stria_permute_in_place(NULL, &a, 2, (int[]){1, 0}, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_permute_in_place(&b, NULL, 2, (int[]){1, 0}, NULL), STRIA_ERR_ARGUMENT);
    ok(stria_expand(&b, &a, 3, (int64_t[]){2, 3, 4}));
    assert_int_equal(stria_transpose_in_place(&b, &b, 0, 1, NULL), STRIA_ERR_OVERLAP);
    counting_begin(1);
    assert_int_equal(stria_transpose_in_place(&b, &a, 0, 1, NULL), STRIA_ERR_MEMORY);
    counting_end();
    assert_memory_equal(x, before, sizeof x);
    counting_begin(0);
    ok(stria_transpose_in_place(&b, &a, 0, 1, NULL));
    assert_int_equal(allocation_counts.calls, 1);
    assert_true(allocation_counts.bytes <= 1 << 20);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    for (int i = 0; i < 12; i++)
        assert_int_equal(x[i], i % 3 * 4 + i / 3);
    /* There is nothing to move: scalars, empty arrays, memory that does not exist. */
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_I32), 0, NULL, NULL, 0));
    ok(stria_permute_in_place(&b, &a, 0, NULL, NULL));
    ok(stria_transpose_in_place(&b, &a, 0, -1, NULL));
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_I32), 2, (int64_t[]){0, 5}, NULL, 0));
    ok(stria_transpose_in_place(&b, &a, 0, 1, NULL));
    assert_int_equal(b.shape[0], 5);
    ok(stria_buffer_meta(&buffer, 48));
    ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_I32), 2, (int64_t[]){3, 4}, NULL, 0));
    ok(stria_transpose_in_place(&b, &a, 0, 1, NULL));
    assert_int_equal(b.shape[0], 4);
    assert_int_equal(b.strides[0], 12);
    stria_buffer_release(buffer);
}

TEST_MAIN(NULL, NULL)
