/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills of random views against index arithmetic, on every level, streamed and not; then items
 * inside the destination, destinations that overlap themselves, and refusals.
 */
#include <stdio.h>
#include <string.h>

#include "machine/machine.h"
#include "stria/stria.h"
#include "support/levels.h"
#include "support/counting_allocator.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/views.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROOM = 1 << 20, CASES = 1500 };

static char before[ROOM], expected[ROOM], memory[ROOM];

static void reference_fill(const stria_view *dst, const char *item)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    if (stria_numel(dst) == 0) return;
    do {
        const int64_t at = (dst->data - memory) + offset_of(index, dst->ndim, dst->strides);
        memcpy(expected + at, item, (size_t)dst->dtype.itemsize);
    } while (next_index(index, dst->ndim, dst->shape));
}

static bool fills_right(uint64_t seed)
{
    stria_view dst;
    const uint64_t start = seed;
    const struct random_memory where = {memory, ROOM};
    const stria_exec exec = {.threads = 1};
    if (!random_view(&seed, &dst, where, random_item(&seed))) return true;
    const char *item = before + random_between(&seed, 0, 1000);
    memcpy(memory, before, ROOM);
    memcpy(expected, before, ROOM);
    reference_fill(&dst, item);
    ok(stria_fill_item(&dst, item, &exec));
    if (memcmp(memory, expected, ROOM) == 0) return true;
    printf("seed %llu, %s\n", (unsigned long long)start, stria_isa_name());
    print_view("out", &dst);
    return false;
}

static int put_noise(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < ROOM; i++)
        before[i] = (char)random_bits(&seed);
    return 0;
}

static void random_fills(void)
{
    int wrong = 0;
    for (int level = 0; next_level(&level);) {
        for (uint64_t k = 0; k < CASES; k++)
            wrong += !fills_right(5000 + k);
    }
    assert_int_equal(wrong, 0);
}

TEST(test_random_fills)
{
    random_fills();
}

TEST(test_random_streamed_fills)
{
    stria__machine_set_l2(1);
    random_fills();
    stria__machine_set_l2(0);
}

/* Dense runs longer than the first level of caches, at every place in a line, with ragged ends. */
TEST(test_long_runs)
{
    const stria_exec exec = {.threads = 1};
    uint64_t seed = 3;
    for (int level = 0; next_level(&level);) {
        for (int k = 0; k < 128; k++) {
            const int64_t item = 1 << k % 5, n = random_between(&seed, 60 << 10, 200 << 10) / item;
            stria_dtype dtype;
            stria_view dst;
            memcpy(memory, before, ROOM);
            memcpy(expected, before, ROOM);
            ok(stria_dtype_sized(&dtype, STRIA_VOID, item));
            ok(stria_view_foreign(&dst, memory + 64 + k / 2, dtype, 1, &n, NULL, 0));
            reference_fill(&dst, before + k);
            ok(stria_fill_item(&dst, before + k, &exec));
            assert_memory_equal(memory, expected, ROOM);
        }
    }
}

TEST(test_item_inside)
{
    int32_t x[7] = {1, 2, 3, 4, 5, 6, 7};
    const stria_view v = i32_view(x, 1, (int64_t[]){7}, NULL);
    ok(stria_fill_item(&v, (char *)x + 6, NULL));
    int32_t item;
    const int32_t pair[2] = {2, 3};
    memcpy(&item, (const char *)pair + 2, 4);
    for (int i = 0; i < 7; i++)
        assert_int_equal(x[i], item);
}

/* An item too long for the stack that lies across two elements: one allocation, given back. */
TEST(test_long_item_inside)
{
    char x[3000], item[1000];
    stria_dtype dtype;
    stria_view v;
    for (int i = 0; i < 3000; i++)
        x[i] = (char)(i * 7);
    memcpy(item, x + 1500, 1000);
    ok(stria_dtype_sized(&dtype, STRIA_VOID, 1000));
    ok(stria_view_foreign(&v, x, dtype, 1, (int64_t[]){3}, NULL, 0));
    counting_begin(1);
    assert_int_equal(stria_fill_item(&v, x + 1500, NULL), STRIA_ERR_MEMORY);
    assert_memory_equal(x + 1500, item, 1000);
    counting_end();
    counting_begin(0);
    ok(stria_fill_item(&v, x + 1500, NULL));
    assert_int_equal(allocation_counts.calls, 1);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    for (int i = 0; i < 3; i++)
        assert_memory_equal(x + 1000 * i, item, 1000);
}

TEST(test_overlapping_destinations)
{
    int32_t x[12] = {0};
    const int32_t seven = 7;
    const stria_view repeated = i32_view(x, 2, (int64_t[]){5, 4}, (int64_t[]){0, 4});
    const stria_view windows = i32_view(x + 4, 2, (int64_t[]){4, 3}, (int64_t[]){4, 4});
    ok(stria_fill_item(&repeated, &seven, NULL));
    for (int i = 0; i < 12; i++)
        assert_int_equal(x[i], i < 4 ? 7 : 0);
    ok(stria_fill_item(&windows, &seven, NULL));
    for (int i = 0; i < 12; i++)
        assert_int_equal(x[i], i < 10 ? 7 : 0);
}

/* Layouts that were filled before: other items, items inside dst, and destinations that a copy
 * refuses. */
TEST(test_again)
{
    uint16_t x[64], value = 7;
    stria_view dst, item, repeated;
    const stria_dtype dtype = stria_dtype_of(STRIA_U16);
    ok(stria_view_foreign(&dst, x, dtype, 2, (int64_t[]){4, 5}, (int64_t[]){32, 4}, 0));
    ok(stria_view_foreign(&item, &value, dtype, 0, NULL, NULL, 0));
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 64; i++)
            x[i] = (uint16_t)(100 + i);
        value = (uint16_t)k;
        const uint16_t *from = k % 2 ? &value : &x[34];
        const uint16_t wanted = *from;
        ok(stria_fill_item(&dst, from, NULL));
        for (int i = 0; i < 64; i++)
            assert_int_equal(x[i], i % 16 < 10 && i % 2 == 0 ? wanted : 100 + i);
    }
    ok(stria_view_foreign(&repeated, x, dtype, 2, (int64_t[]){4, 5}, (int64_t[]){0, 4}, 0));
    for (int k = 0; k < 3; k++)
        ok(stria_fill_item(&repeated, &value, NULL));
    assert_int_equal(stria_copy(&repeated, &item, NULL), STRIA_ERR_OVERLAP);
}

TEST(test_refusals)
{
    int32_t x[3] = {1, 2, 3};
    const stria_view v = i32_view(x, 1, (int64_t[]){3}, NULL), readonly = readonly_of(&v);
    assert_int_equal(stria_fill_item(NULL, x, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(&v, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(&readonly, x + 2, NULL), STRIA_ERR_READONLY);
    assert_int_equal(x[0], 1);
}

static stria_view weak(stria_kind kind, const void *value)
{
    stria_view out;
    ok(stria_weak(&out, kind, value));
    return out;
}

static stria_view array_of(void *data, stria_kind kind, int64_t n)
{
    stria_view out;
    ok(stria_view_foreign(&out, data, stria_dtype_of(kind), 1, &n, NULL, 0));
    return out;
}

/* Numbers are converted, where stria_fill_item takes bytes. */
TEST(test_values)
{
    const double half = 0.5;
    const int64_t seven = 7;
    const float two = 2;
    float x[3] = {1, 2, 3};
    double z[4] = {0};
    uint8_t b[4] = {0};
    stria_view f32 = array_of(x, STRIA_F32, 3), c128 = array_of(z, STRIA_C128, 2), swapped = f32;
    const stria_view u8 = array_of(b, STRIA_U8, 4), of_half = weak(STRIA_F64, &half),
                     of_seven = weak(STRIA_I64, &seven);
    ok(stria_fill(&f32, &of_half, NULL));
    assert_true(x[0] == 0.5F && x[2] == 0.5F);
    ok(stria_fill(&f32, &of_seven, NULL));
    assert_true(x[0] == 7 && x[2] == 7);
    ok(stria_fill(&u8, &of_seven, NULL));
    assert_true(b[0] == 7 && b[3] == 7);
    stria_view of_two;
    ok(stria_scalar(&of_two, STRIA_F32, &two));
    ok(stria_fill(&c128, &of_two, NULL));
    assert_true(z[0] == 2 && z[1] == 0 && z[2] == 2);
    /* The lazy bits of dst are respected: the element becomes the value, not the stored bytes. */
    ok(stria_neg_view(&f32, &f32));
    ok(stria_fill(&f32, &of_half, NULL));
    assert_true(x[0] == -0.5F);
    swapped.dtype.swapped = true;
    ok(stria_fill(&swapped, &of_two, NULL));
    assert_memory_equal(x, ((uint8_t[]){0x40, 0, 0, 0}), 4 * (*(const char *)&(uint16_t){1} == 1));
    /* The value lies in dst itself. */
    float y[3] = {3, 4, 5};
    const stria_view whole = array_of(y, STRIA_F32, 3);
    stria_view last;
    ok(stria_select(&last, &whole, 0, 2));
    ok(stria_fill(&whole, &last, NULL));
    assert_true(y[0] == 5 && y[2] == 5);
}

static void refuses_value(const stria_view *dst, const stria_view *value, stria_status status,
                          const char *words)
{
    const stria_status got = stria_fill(dst, value, NULL);
    if (got != status || !strstr(stria_last_error(), words))
        fail_msg("%s \"%s\"; wanted %s and '%s'", stria_status_name(got), stria_last_error(),
                 stria_status_name(status), words);
}

TEST(test_refused_values)
{
    const double half = 0.5, complex[] = {1, 2};
    const int64_t large = 300, below = -1;
    uint8_t b[4] = {1, 2, 3, 4};
    float x[3] = {1, 2, 3};
    const stria_view u8 = array_of(b, STRIA_U8, 4), f32 = array_of(x, STRIA_F32, 3),
                     of_half = weak(STRIA_F64, &half), of_large = weak(STRIA_I64, &large),
                     of_below = weak(STRIA_I64, &below), of_complex = weak(STRIA_C128, complex),
                     readonly = readonly_of(&u8);
    stria_view of_float;
    ok(stria_scalar(&of_float, STRIA_F64, &half));
    refuses_value(&u8, &of_large, STRIA_ERR_ARGUMENT,
                  "value, the weak integer 300, is out of the range of out's dtype u8");
    refuses_value(&u8, &of_below, STRIA_ERR_ARGUMENT, "the weak integer -1, is out of the range");
    refuses_value(&u8, &of_half, STRIA_ERR_DTYPE, "the weak float 0.5, does not become u8");
    refuses_value(&u8, &of_float, STRIA_ERR_DTYPE, "value of dtype f64 does not cast");
    refuses_value(&f32, &of_complex, STRIA_ERR_DTYPE, "does not become f32");
    refuses_value(&f32, &f32, STRIA_ERR_SHAPE, "value has shape (3,), must be 0-d");
    refuses_value(&readonly, &of_large, STRIA_ERR_READONLY, "out");
    assert_true(b[0] == 1 && x[0] == 1);
}

TEST_MAIN(put_noise, NULL)
