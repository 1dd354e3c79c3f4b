/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of layouts that were copied before, from and to other addresses, where the data, the
 * overlap, the rights or the instruction set changed in between. Every result is compared with
 * index arithmetic, and every byte of the memory; on several threads at once.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cache.h"
#include "stria/broadcast.h"
#include "stria/copy.h"
#include "support/levels.h"
#include "support/counting_allocator.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROOM = 1 << 16, SLACK = 256, PAIRS = 40, ROUNDS = 1500, THREADS = 4 };

/* One memory for both operands, so that they may overlap. */
struct stage {
    char memory[ROOM], expected[ROOM], source[ROOM];
    stria_view dst[PAIRS], src[PAIRS];
    uint64_t seed;
};

/* i16 is converted to i32; all others keep their bytes. */
static void reference_item(char *to, const stria_view *dst, const char *from, const stria_view *src)
{
    if (src->dtype.itemsize == dst->dtype.itemsize) {
        memcpy(to, from, (size_t)dst->dtype.itemsize);
        return;
    }
    int16_t narrow;
    memcpy(&narrow, from, sizeof narrow);
    const int32_t wide = narrow;
    memcpy(to, &wide, sizeof wide);
}

static void reference(struct stage *s, const stria_view *dst, const stria_view *src)
{
    stria_view wide;
    int64_t index[STRIA_MAX_NDIM] = {0};
    memcpy(s->source, s->memory, ROOM);
    memcpy(s->expected, s->memory, ROOM);
    if (stria_numel(dst) == 0) return;
    ok(stria_expand(&wide, src, dst->ndim, dst->shape));
    do {
        const int64_t from = src->data - s->memory + offset_of(index, wide.ndim, wide.strides);
        const int64_t to = dst->data - s->memory + offset_of(index, dst->ndim, dst->strides);
        reference_item(s->expected + to, dst, s->source + from, src);
    } while (next_index(index, dst->ndim, dst->shape));
}

static void draw_pair(struct stage *s, int i)
{
    const struct random_memory to = {s->memory + SLACK, ROOM / 2 - 2 * SLACK};
    const struct random_memory from = {s->memory + ROOM / 2 + SLACK, ROOM / 2 - 2 * SLACK};
    const bool widens = i % 4 == 3;
    do
        while (!random_view(&s->seed, &s->dst[i], to, widens ? 4 : random_item(&s->seed)))
            ;
    while (!random_source(&s->seed, &s->src[i], from, &s->dst[i]));
    if (!widens) return;
    s->dst[i].dtype = stria_dtype_of(STRIA_I32);
    s->src[i].dtype = stria_dtype_of(STRIA_I16); /* the first half of each item */
}

/* Copies between random addresses near by; now and then the source lies where the destination does,
 * as far as there is room. */
static void copy_once(struct stage *s, int i)
{
    stria_view dst = s->dst[i], src = s->src[i];
    dst.data += random_between(&s->seed, -SLACK, SLACK);
    src.data += random_between(&s->seed, -SLACK, SLACK);
    if (random_once(&s->seed, 8)) src.data -= ROOM / 2;
    for (int k = 0; k < 64; k++)
        s->memory[random_bits(&s->seed) % ROOM] = (char)random_bits(&s->seed);
    reference(s, &dst, &src);
    ok(stria_copy(&dst, &src, NULL));
    if (memcmp(s->memory, s->expected, ROOM) == 0) return;
    print_view("out", &dst);
    print_view("src", &src);
    fail();
}

static void copy_often(struct stage *s)
{
    for (int k = 0; k < ROOM; k++)
        s->memory[k] = (char)random_bits(&s->seed);
    for (int i = 0; i < PAIRS; i++)
        draw_pair(s, i);
    for (int round = 0; round < ROUNDS; round++) {
        /* The same few layouts for a while, then others. */
        const int first = round / 100 * 3;
        copy_once(s, (first + (int)(random_bits(&s->seed) % 6)) % PAIRS);
    }
}

TEST(test_random_repetitions)
{
    static struct stage stage;
    for (int level = 0; next_level(&level);) {
        stage.seed = 5;
        copy_often(&stage);
    }
}

static void *work(void *stage)
{
    copy_often(stage);
    return NULL;
}

TEST(test_threads)
{
    static struct stage stages[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        stages[i].seed = 100 + (uint64_t)i % 2; /* two threads each copy the same layouts */
        assert_int_equal(pthread_create(&threads[i], NULL, work, &stages[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* ---- by example ------------------------------------------------------------------------------ */

static float from[64], to[64];

static void transposed(stria_view *dst, stria_view *src)
{
    const int64_t shape[2] = {8, 8}, strides[2] = {4, 32};
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    for (int i = 0; i < 64; i++)
        from[i] = (float)i;
    memset(to, 0, sizeof to);
    ok(stria_view_foreign(dst, to, f32, 2, shape, NULL, 0));
    ok(stria_view_foreign(src, from, f32, 2, shape, strides, 0));
}

static bool is_transposed(void)
{
    for (int i = 0; i < 64; i++)
        if (to[i] != from[i % 8 * 8 + i / 8]) return false;
    return true;
}

static bool run_kept(const stria_view *dst, const stria_view *src)
{
    const stria_view *const views[] = {dst, src};
    return stria__cache_run(&(struct cache_key){.count = 2, .views = views}, NULL);
}

/* A call that comes twice is kept for the third time. */
TEST(test_kept)
{
    stria_view dst, src;
    transposed(&dst, &src);
    assert_false(run_kept(&dst, &src));
    counting_begin(0);
    for (int k = 0; k < 2; k++)
        ok(stria_copy(&dst, &src, NULL));
    assert_true(is_transposed());
    memset(to, 0, sizeof to);
    assert_true(run_kept(&dst, &src));
    assert_true(is_transposed());
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
}

/* A kept plan must not skip a check. */
TEST(test_checks_remain)
{
    stria_view dst, src;
    stria_buffer *buffer;
    transposed(&dst, &src);
    for (int k = 0; k < 3; k++)
        ok(stria_copy(&dst, &src, NULL));
    memset(to, 0, sizeof to);
    const stria_view closed = readonly_of(&dst);
    assert_int_equal(stria_copy(&closed, &src, NULL), STRIA_ERR_READONLY);
    stria_view meta = dst, frozen = dst;
    ok(stria_buffer_meta(&buffer, sizeof to));
    meta.buffer = buffer;
    meta.data = stria_buffer_data(buffer);
    ok(stria_copy(&meta, &src, NULL));
    meta = src;
    meta.buffer = buffer;
    meta.data = stria_buffer_data(buffer);
    ok(stria_copy(&dst, &meta, NULL));
    stria_buffer_release(buffer);
    ok(stria_buffer_wrap(&buffer, to, sizeof to, true, NULL, NULL));
    frozen.buffer = buffer;
    assert_int_equal(stria_copy(&frozen, &src, NULL), STRIA_ERR_READONLY);
    stria_buffer_release(buffer);
    for (int i = 0; i < 64; i++)
        assert_true(to[i] == 0);
    /* Overlapping operands: refused where that is wanted, and copied correctly otherwise. */
    stria_view self = src;
    self.data = dst.data;
    memcpy(to, from, sizeof to);
    assert_int_equal(stria_copy(&dst, &self, &(stria_exec){.hints = STRIA_NO_OVERLAP}),
                     STRIA_ERR_OVERLAP);
    assert_false(run_kept(&dst, &self));
    ok(stria_copy(&dst, &self, NULL));
    assert_true(is_transposed());
}

/* The way of rounding is a part of the key. */
TEST(test_hints)
{
    const int64_t shape[1] = {4}, strides[1] = {8};
    float pairs[8] = {300, 0, -1, 0, 2.5F, 0, 70000, 0};
    uint8_t bytes[4];
    stria_view dst, src;
    ok(stria_view_foreign(&dst, bytes, stria_dtype_of(STRIA_U8), 1, shape, NULL, 0));
    ok(stria_view_foreign(&src, pairs, stria_dtype_of(STRIA_F32), 1, shape, strides, 0));
    for (int k = 0; k < 8; k++) {
        const bool wraps = k / 2 % 2;
        const stria_exec exec = {.hints = wraps ? STRIA_CAST_WRAP : 0};
        ok(stria_copy(&dst, &src, &exec));
        const uint8_t saturated[4] = {255, 0, 2, 255}, wrapped[4] = {44, 255, 2, 112};
        assert_memory_equal(bytes, wraps ? wrapped : saturated, 4);
    }
}

TEST_MAIN(NULL, NULL)
