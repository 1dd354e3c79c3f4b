/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_hash against published values of XXH3-128, and against libxxhash's one-shot function over
 * items that the test gathered itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "machine/machine.h"
#include "stria/array.h"
#include "stria/hash.h"
#include "support/counting_allocator.h"
#include "support/elements.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

static void assert_hash(const stria_view *a, const void *bytes, int64_t size, const char *what)
{
    const XXH128_hash_t expected = XXH3_128bits(bytes, (size_t)size);
    stria_hash128 got;
    ok(stria_hash(&got, a, NULL));
    if (got.high != expected.high64 || got.low != expected.low64)
        fail_msg("%s: the hash of %lld bytes differs", what, (long long)size);
}

/* Compares a view's hash with that of its elements, gathered one by one. */
static void assert_hash_of_elements(const stria_view *a, const char *what)
{
    char *bytes = elements_of(a);
    assert_hash(a, bytes, stria_nbytes(a), what);
    free(bytes);
}

/* From python-xxhash 4.1: xxhash.xxh3_128(bytes).hexdigest(). */
TEST(test_published_values)
{
    static const struct {
        int64_t size;
        const char *digits;
    } known[] = {{0, "99aa06d3014798d86001c324468d497f"},
                 {1, "a6cd5e9392000f6ac44bdff4074eecdb"},
                 {100000, "54182c58bbb1337c42c23aeead96750d"}};
    stria_array array = {0};
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ok(stria_empty(&array, u8, 1, &known[i].size));
        for (int64_t k = 0; k < known[i].size; k++)
            array.view.data[k] = (char)(k % 251);
        stria_hash128 hash;
        char text[33];
        ok(stria_hash(&hash, &array.view, NULL));
        (void)stria_hash_format(text, 33, NULL, hash);
        assert_string_equal(text, known[i].digits);
        stria_array_release(&array);
    }
}

TEST(test_format)
{
    char text[33];
    (void)stria_hash_format(text, 33, NULL,
                            (stria_hash128){.high = 0x0123456789abcdef, .low = 0xf});
    assert_string_equal(text, "0123456789abcdef000000000000000f");
}

static const int kinds[] = {STRIA_BOOL, STRIA_U8,   STRIA_F16,   STRIA_I32,     STRIA_F64,
                            STRIA_C64,  STRIA_C128, STRIA_BYTES, STRIA_UNICODE, STRIA_VOID};
enum { KINDS = sizeof kinds / sizeof *kinds };

static stria_dtype dtype_for(uint64_t *random, int kind)
{
    stria_dtype dtype = stria_dtype_of((stria_kind)kind);
    static const int64_t counts[] = {1, 3, 7, 12, 64, 255, 300, 1023, 5000};
    const int64_t count = counts[random_between(random, 0, 8)];
    if (kind >= STRIA_BYTES) ok(stria_dtype_sized(&dtype, (stria_kind)kind, count));
    return random_bits(random) % 4 ? dtype : stria_dtype_swap(dtype);
}

static void random_views(void)
{
    for (uint64_t seed = 1; seed <= 2000 / ONE_IN; seed++) {
        uint64_t random = seed;
        const stria_dtype dtype = dtype_for(&random, kinds[seed % KINDS]);
        stria_view a;
        noisy_view(&a, &random, dtype, dtype.itemsize > 100 ? 300 : 20000);
        char what[40];
        (void)snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        assert_hash_of_elements(&a, what);
        stria_buffer_release(a.buffer);
    }
}

TEST(test_random_views)
{
    random_views();
}

/* With a cache this small everything comes from memory and is fetched ahead. */
TEST(test_random_far_views)
{
    stria__machine_set_l2(1);
    random_views();
    stria__machine_set_l2(0);
}

/* More than the stage holds: transposed rows of several blocks, rows longer than a block, and rows
 * apart. */
TEST(test_large_views)
{
    static const struct {
        int64_t shape[3], strides[3];
    } cases[] = {{{40, 3000, 1}, {4, 400, 0}},         {{300, 700, 1}, {4, 1204, 0}},
                 {{3, 400, 600}, {4, 12, 4800}},       {{5, 9000, 1}, {100000, 4, 0}},
                 {{700, 300, 1}, {1500, 4, 0}},        {{200000, 1, 1}, {-8, 0, 0}},
                 {{10, 40, 500}, {50000, 2500, 4}},    {{6, 70000, 1}, {4, 24, 0}},
                 {{4, 20, 2500}, {30003, 150001, 4}},  {{20, 4, 2047}, {150001, -30003, 4}},
                 {{13, 20, 2048}, {-8192, 200000, 4}}, {{30, 33000, 1}, {-135001, 4, 0}},
                 {{900, 1000, 1}, {-4001, 4, 0}},      {{300, 1000, 1}, {8, 4, 0}},
                 {{200, 1000, 1}, {0, 4, 0}},          {{40, 500, 37}, {100001, 160, 4}},
                 {{50, 500, 3}, {8003, 16, 4}}};
    for (int far = 0; far < 2; far++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const int64_t *n = cases[i].shape, *s = cases[i].strides;
            const int64_t bytes = 4 << 20;
            int64_t first = 0;
            for (int d = 0; d < 3; d++)
                if (s[d] < 0) first -= (n[d] - 1) * s[d];
            stria_buffer *buffer;
            stria_view a;
            uint64_t random = i;
            ok(stria_buffer_make(&buffer, bytes));
            for (int64_t k = 0; k < bytes; k += 8) {
                const uint64_t bits = random_bits(&random);
                memcpy(stria_buffer_data(buffer) + k, &bits, 8);
            }
            ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_F32), 3, n, s, first));
            stria__machine_set_l2(far);
            assert_hash_of_elements(&a, "large");
            stria__machine_set_l2(0);
            stria_buffer_release(buffer);
        }
}

/*
 * Columns of 4500 rows that lie apart, of one dim and of two: a stage of 256 KiB has no room for a
 * line of each row, a larger one has, if there is memory for it.
 */
TEST(test_panels)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 16}, bytes = 6 << 20;
    stria_buffer *buffer;
    uint64_t random = 3;
    ok(stria_buffer_make(&buffer, bytes));
    for (int64_t k = 0; k < bytes; k += 8) {
        const uint64_t bits = random_bits(&random);
        memcpy(stria_buffer_data(buffer) + k, &bits, 8);
    }
    for (size_t i = 0; i < 2 * sizeof items / sizeof items[0]; i++) {
        const int64_t item = items[i / 2], columns = 1200 / item, pitch = columns * item;
        const int64_t shape[] = {columns / 3 * 2 + 1, 90, 50};
        const int64_t strides[] = {item, 50 * pitch, i % 2 ? pitch : pitch - item};
        stria_view a;
        stria_dtype dtype;
        ok(stria_dtype_sized(&dtype, STRIA_VOID, item));
        ok(stria_view_make(&a, buffer, dtype, 3, shape, strides, item));
        stria__machine_set_l2(1);
        for (int64_t fail_at = 0; fail_at < 2; fail_at++) {
            char *elements = elements_of(&a);
            counting_begin(fail_at);
            assert_hash(&a, elements, stria_nbytes(&a), "panels");
            assert_int_equal(allocation_counts.calls, 1);
            assert_true(allocation_counts.bytes <= 1 << 20);
            assert_int_equal(allocation_counts.live, 0);
            counting_end();
            free(elements);
        }
        stria__machine_set_l2(0);
    }
    stria_buffer_release(buffer);
}

/* Row lengths around the one from which rows are hashed without a copy, and around the stage's
 * size. */
TEST(test_row_lengths)
{
    static const int64_t lengths[] = {1,    2,    255,  1022,  1023,  1024,  1025,  2047,
                                      4096, 8191, 8192, 16383, 16384, 16385, 32769, 50000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int64_t step = 1; step <= 2; step++) {
            const int64_t n = lengths[i], shape[] = {5, n}, strides[] = {2 * n + 3, step};
            stria_buffer *buffer;
            stria_view a;
            ok(stria_buffer_make(&buffer, 5 * (2 * n + 3)));
            uint64_t random = (uint64_t)n;
            for (int64_t k = 0; k < 5 * (2 * n + 3); k++)
                stria_buffer_data(buffer)[k] = (char)random_bits(&random);
            ok(stria_view_make(&a, buffer, stria_dtype_of(STRIA_U8), 2, shape, strides, 0));
            assert_hash_of_elements(&a, "rows");
            stria_buffer_release(buffer);
        }
}

/* 20 dims of size 2 that do not merge, and 64 dims most of which have size 1. */
TEST(test_many_dims)
{
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
    stria_buffer *buffer;
    stria_view a;
    for (int d = 0; d < 20; d++) {
        shape[d] = 2;
        strides[d] = INT64_C(1) << (d % 2 ? d - 1 : d + 1);
    }
    ok(stria_buffer_make(&buffer, 1 << 20));
    uint64_t random = 7;
    for (int i = 0; i < 1 << 20; i++)
        stria_buffer_data(buffer)[i] = (char)random_bits(&random);
    const stria_dtype u8 = stria_dtype_of(STRIA_U8);
    ok(stria_view_make(&a, buffer, u8, 20, shape, strides, 0));
    assert_hash_of_elements(&a, "20 dims of size 2");
    for (int d = 0; d < STRIA_MAX_NDIM; d++) {
        shape[d] = d % 8 ? 1 : 3;
        strides[d] = d % 8 ? 999999 : 100 * (d + 1);
    }
    ok(stria_view_make(&a, buffer, u8, STRIA_MAX_NDIM, shape, strides, 0));
    assert_hash_of_elements(&a, "64 dims");
    stria_buffer_release(buffer);
}

/* The same content in another layout, and other content. */
TEST(test_independent_of_strides)
{
    const int64_t shape[] = {30, 40, 50};
    RELEASED stria_array c = {0}, f = {0};
    ok(stria_empty(&c, stria_dtype_of(STRIA_I16), 3, shape));
    ok(stria_empty_ordered(&f, stria_dtype_of(STRIA_I16), 3, shape, STRIA_ORDER_F));
    for (int64_t i = 0; i < 30; i++)
        for (int64_t j = 0; j < 40; j++)
            for (int64_t k = 0; k < 50; k++) {
                const int16_t value = (int16_t)(i * 2000 + j * 50 + k);
                const int64_t *s = c.view.strides, *t = f.view.strides;
                memcpy(c.view.data + i * s[0] + j * s[1] + k * s[2], &value, sizeof value);
                memcpy(f.view.data + i * t[0] + j * t[1] + k * t[2], &value, sizeof value);
            }
    stria_hash128 a, b;
    ok(stria_hash(&a, &c.view, NULL));
    ok(stria_hash(&b, &f.view, NULL));
    assert_true(a.high == b.high && a.low == b.low);
    /* The hash depends on neither dtype nor shape. */
    stria_view bytes;
    const int64_t all = 120000;
    ok(stria_view_make(&bytes, c.owned, stria_dtype_of(STRIA_U8), 1, &all, NULL, 0));
    ok(stria_hash(&b, &bytes, NULL));
    assert_true(a.high == b.high && a.low == b.low);
    f.view.data[stria_nbytes(&f.view) - 1] ^= 1;
    ok(stria_hash(&b, &f.view, NULL));
    assert_true(a.high != b.high && a.low != b.low);
}

/*
 * Elements behind a conj or neg bit are hashed as the values they stand for. Floats differ from the
 * stored ones in their sign bits only, wherever the byte order puts them.
 */
TEST(test_conj_and_neg)
{
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        const int half = seed % 2 ? 4 : 8;
        stria_dtype dtype = stria_dtype_of(half == 4 ? STRIA_C64 : STRIA_C128);
        if (seed % 3 == 0) dtype = stria_dtype_swap(dtype);
        stria_view a;
        noisy_view(&a, &random, dtype, 20000);
        char *bytes = elements_of(&a);
        const bool conj = seed % 5 != 0, neg = seed % 7 < 3;
        a.flags |= (conj ? STRIA_CONJ : 0u) | (neg ? STRIA_NEG : 0u);
        const int sign = big != dtype.swapped ? 0 : half - 1;
        for (int64_t i = 0; i < stria_numel(&a); i++) {
            char *item = bytes + 2 * half * i;
            if (neg) item[sign] = (char)(item[sign] ^ 0x80);
            if (neg != conj) item[half + sign] = (char)(item[half + sign] ^ 0x80);
        }
        char what[40];
        (void)snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        assert_hash(&a, bytes, stria_nbytes(&a), what);
        free(bytes);
        stria_buffer_release(a.buffer);
    }
}

TEST(test_refusals)
{
    stria_hash128 hash = {1, 2};
    stria_view a;
    stria_buffer *meta;
    const int64_t shape[] = {1000};
    ok(stria_buffer_meta(&meta, 1000));
    ok(stria_view_make(&a, meta, stria_dtype_of(STRIA_U8), 1, shape, NULL, 0));
    assert_int_equal(stria_hash(&hash, &a, NULL), STRIA_ERR_UNSUPPORTED);
    assert_non_null(strstr(stria_last_error(), "meta"));
    assert_int_equal(stria_hash(NULL, &a, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_hash(&hash, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_true(hash.high == 1 && hash.low == 2);
    stria_buffer_release(meta);
}

TEST(test_allocates_nothing)
{
    uint64_t random = 5;
    stria_view a;
    stria_hash128 hash;
    noisy_view(&a, &random, stria_dtype_of(STRIA_F32), 100000);
    counting_begin(0);
    ok(stria_hash(&hash, &a, NULL));
    assert_int_equal(allocation_counts.calls, 0);
    counting_end();
    stria_buffer_release(a.buffer);
}

TEST_MAIN(NULL, NULL)
