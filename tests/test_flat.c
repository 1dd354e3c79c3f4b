/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dense copies, conversions and fills of every size near which the library changes its method, at
 * every distance at which the operands could overlap, against memmove and loops; no byte outside
 * changes.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROOM = 1 << 20, MARGIN = 4096 };

static char memory[ROOM], expected[ROOM];

static void scramble(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < ROOM; i += 8) {
        const uint64_t bits = random_bits(&seed);
        memcpy(memory + i, &bits, 8);
    }
    memcpy(expected, memory, ROOM);
}

/* Makes a view of n items as (n/rows, 1, rows); the stride of the size 1 does not matter. */
static stria_view dense(char *at, stria_kind kind, int64_t n, int64_t rows)
{
    stria_view out;
    const stria_dtype dtype = stria_dtype_of(kind);
    const int64_t shape[3] = {n / rows, 1, rows}, item = dtype.itemsize;
    assert_int_equal(n % rows, 0);
    ok(stria_view_foreign(&out, at, dtype, 3, shape, (const int64_t[]){rows * item, -12345, item},
                          0));
    return out;
}

TEST(test_copies)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 16, 100, 2048, 16384, 32767, 32768, 32769, 65536};
    static const int64_t shifts[] = {0, 1, 2, 8, 64, 100, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < 2 * sizeof shifts / sizeof shifts[0]; k++) {
            const int64_t n = sizes[i], bytes = 4 * n;
            /* The operands are just apart, or closer, on either side. */
            const int64_t gap = k % 2 ? bytes + shifts[k / 2] : shifts[k / 2];
            for (int side = 0; side < 2; side++) {
                char *const a = memory + MARGIN, *const b = a + gap;
                scramble();
                const stria_view dst = dense(side ? a : b, STRIA_F32, n, n % 2 ? 1 : 2);
                const stria_view src = dense(side ? b : a, STRIA_F32, n, n % 2 ? 1 : 2);
                memmove(expected + (dst.data - memory), expected + (src.data - memory),
                        (size_t)bytes);
                ok(stria_copy(&dst, &src, NULL));
                assert_memory_equal(memory, expected, ROOM);
            }
        }
}

/* Converts u8 to u32 and back: the lowest byte, and zeros. */
static void convert_expected(const stria_view *dst, const stria_view *src, int64_t n)
{
    static char before[ROOM];
    const int64_t to = dst->dtype.itemsize, from = src->dtype.itemsize;
    memcpy(before, expected, ROOM);
    for (int64_t i = 0; i < n; i++) {
        uint32_t value = 0;
        memcpy(&value, before + (src->data - memory) + i * from, (size_t)from);
        memcpy(expected + (dst->data - memory) + i * to, &value, (size_t)to);
    }
}

TEST(test_conversions)
{
    static const int64_t sizes[] = {1, 3, 16, 100, 4096, 32767, 32768, 32769, 131073};
    static const int64_t gaps[] = {0, 1, 64, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < 4 * sizeof gaps / sizeof gaps[0]; k++) {
            /* The wider operand lies behind or before the other one, just apart or closer. */
            const int64_t n = sizes[i], gap = gaps[k / 4];
            const bool narrow_first = k & 1, narrows = k & 2;
            char *const a = memory + MARGIN, *const b = a + (narrow_first ? n : 4 * n) - 1 + gap;
            scramble();
            const stria_view narrow = dense(narrow_first ? a : b, STRIA_U8, n, 1);
            const stria_view wide = dense(narrow_first ? b : a, STRIA_U32, n, 1);
            const stria_view dst = narrows ? narrow : wide, src = narrows ? wide : narrow;
            convert_expected(&dst, &src, n);
            ok(stria_copy(&dst, &src, NULL));
            assert_memory_equal(memory, expected, ROOM);
        }
}

TEST(test_fills)
{
    static const stria_kind kinds[] = {STRIA_U8, STRIA_I16, STRIA_F32, STRIA_F64, STRIA_C128};
    static const int64_t sizes[] = {1, 2, 3, 5, 63, 64, 65, 1000, 8191, 8192, 8193, 40000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            for (int64_t at = 0; at < 3; at++) {
                scramble();
                const stria_view dst = dense(memory + MARGIN + at, kinds[k], sizes[i], 1);
                const int64_t item = dst.dtype.itemsize;
                char *const to = expected + MARGIN + at;
                /* The item lies in the middle of the memory that is filled. */
                char value[16];
                memcpy(value, dst.data + sizes[i] / 2 * item, (size_t)item);
                for (int64_t j = 0; j < sizes[i]; j++)
                    memcpy(to + j * item, value, (size_t)item);
                ok(stria_fill_item(&dst, dst.data + sizes[i] / 2 * item, NULL));
                assert_memory_equal(memory, expected, ROOM);
            }
}

/* The fast path refuses what the general path refuses. */
TEST(test_refusals)
{
    const int32_t one = 1;
    scramble();
    const stria_view a = dense(memory, STRIA_I32, 8, 2), b = dense(memory + 64, STRIA_I32, 8, 2);
    const stria_view closed = readonly_of(&a), wide = dense(memory + 64, STRIA_F64, 8, 2);
    stria_view odd = b;
    odd.ndim = STRIA_MAX_NDIM + 1;
    assert_int_equal(stria_copy(&closed, &b, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_copy(&closed, &wide, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_fill_item(&closed, &one, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_copy(&a, &odd, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy(&odd, &odd, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(&odd, &one, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy(NULL, &b, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_copy(&a, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(NULL, &one, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_fill_item(&a, NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_memory_equal(memory, expected, ROOM);
}

/* Buffers: frozen ones, and those that have no bytes. */
TEST(test_buffers)
{
    const int64_t shape[1] = {8};
    const int32_t one = 1;
    stria_buffer *buffer;
    stria_view meta;
    RELEASED stria_array array = {0};
    scramble();
    const stria_view a = dense(memory, STRIA_I32, 8, 1);
    stria_view flat;
    ok(stria_flatten(&flat, &a, 0, -1));
    ok(stria_buffer_meta(&buffer, 32));
    ok(stria_view_make(&meta, buffer, flat.dtype, 1, shape, NULL, 0));
    ok(stria_copy(&meta, &flat, NULL));
    ok(stria_copy(&flat, &meta, NULL));
    meta.dtype = stria_dtype_of(STRIA_F32);
    ok(stria_copy(&meta, &flat, NULL));
    ok(stria_copy(&flat, &meta, NULL));
    ok(stria_fill_item(&meta, &one, NULL));
    stria_buffer_release(buffer);
    ok(stria_zeros(&array, flat.dtype, 1, shape));
    stria_buffer_freeze(array.owned);
    assert_int_equal(stria_copy(&array.view, &flat, NULL), STRIA_ERR_READONLY);
    assert_int_equal(stria_fill_item(&array.view, &one, NULL), STRIA_ERR_READONLY);
    assert_memory_equal(memory, expected, ROOM);
    assert_memory_equal(array.view.data, ((const char[32]){0}), 32);
}

TEST_MAIN(NULL, NULL)
