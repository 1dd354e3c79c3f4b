/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Byte swapping in random layouts, byte by byte, with everything between the elements; what is
 * swapped of each dtype; and what is refused before anything has changed.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/counting_allocator.h"
#include "support/enumerate.h"
#include "support/random.h"
#include "support/random_views.h"
#include "support/by_value.h"
#include "support/test.h"

enum { ROOM = 1 << 18 };

static char memory[ROOM], before[ROOM], expected[ROOM];

/* Reverses each of `count` parts of `size` bytes. */
static void reverse_parts(char *to, const char *from, int size, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < size; i++)
            to[k * size + i] = from[k * size + size - 1 - i];
}

TEST(test_layouts)
{
    static const struct {
        stria_kind kind;
        int size, parts;
    } kinds[] = {{STRIA_BOOL, 1, 1}, {STRIA_I8, 1, 1},  {STRIA_I16, 2, 1},  {STRIA_F16, 2, 1},
                 {STRIA_BF16, 2, 1}, {STRIA_U32, 4, 1}, {STRIA_F32, 4, 1},  {STRIA_I64, 8, 1},
                 {STRIA_F64, 8, 1},  {STRIA_C64, 4, 2}, {STRIA_C128, 8, 2}, {STRIA_F8E5M2, 1, 1}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    uint64_t seed = 1;
    for (int k = 0; k < ROOM; k++)
        before[k] = (char)random_bits(&seed);
    for (int k = 0; k < 1500; k++) {
        const int kind = (int)(random_bits(&seed) % KINDS), size = kinds[kind].size;
        const int item = size * kinds[kind].parts;
        const struct random_memory room = {memory, ROOM};
        int64_t index[STRIA_MAX_NDIM] = {0};
        stria_view a;
        RELEASED stria_array copy = {0};
        if (!random_view(&seed, &a, room, item)) continue;
        a.dtype = stria_dtype_of(kinds[kind].kind);
        if (random_once(&seed, 2)) a.dtype = stria_dtype_swap(a.dtype);
        memcpy(memory, before, ROOM);
        memcpy(expected, before, ROOM);
        if (stria_numel(&a) > 0) do {
                const int64_t at = a.data - memory + offset_of(index, a.ndim, a.strides);
                reverse_parts(expected + at, before + at, size, kinds[kind].parts);
            } while (next_index(index, a.ndim, a.shape));
        ok(stria_byteswap_new(&copy, &a, NULL));
        assert_memory_equal(memory, before, ROOM);
        counting_begin(0);
        ok(stria_byteswap(&a, NULL));
        assert_int_equal(allocation_counts.calls, 0);
        counting_end();
        assert_memory_equal(memory, expected, ROOM);
        assert_true(stria_dtype_equal(copy.view.dtype, a.dtype));
        if (stria_numel(&a) > 0) do
                assert_memory_equal(copy.view.data + offset_of(index, a.ndim, copy.view.strides),
                                    a.data + offset_of(index, a.ndim, a.strides), (size_t)item);
            while (next_index(index, a.ndim, a.shape));
    }
}

/* Dense arrays of every length, so that kernels end with a part of a vector. */
TEST(test_dense)
{
    static const stria_kind kinds[] = {STRIA_U16, STRIA_F32, STRIA_I64};
    for (int k = 0; k < ROOM; k++)
        before[k] = (char)(k * 7 % 251);
    for (int kind = 0; kind < 3; kind++)
        for (int64_t n = 1; n <= 300; n++) {
            const stria_dtype dtype = stria_dtype_of(kinds[kind]);
            stria_view a;
            memcpy(memory, before, sizeof(double) * 400);
            memcpy(expected, before, sizeof(double) * 400);
            for (int64_t i = 0; i < n; i++)
                reverse_parts(expected + i * dtype.itemsize, before + i * dtype.itemsize,
                              dtype.itemsize, 1);
            ok(stria_view_foreign(&a, memory, dtype, 1, &n, NULL, 0));
            ok(stria_byteswap(&a, NULL));
            assert_memory_equal(memory, expected, sizeof(double) * 400);
        }
}

TEST(test_strings_and_records)
{
    const stria_field inner[] = {
        {.name = "x", .dtype = stria_dtype_of(STRIA_I16), .offset = STRIA_OFFSET_NEXT},
        {.name = "y", .dtype = stria_dtype_of(STRIA_U8), .offset = STRIA_OFFSET_NEXT}};
    stria_dtype nested, record, unicode, bytes;
    ok(stria_record_make(&nested, 2, inner, 0, false));
    ok(stria_dtype_sized(&unicode, STRIA_UNICODE, 2));
    ok(stria_dtype_sized(&bytes, STRIA_BYTES, 3));
    const stria_field outer[] = {
        {.name = "u", .dtype = unicode, .offset = STRIA_OFFSET_NEXT},
        {.name = "s", .dtype = bytes, .offset = STRIA_OFFSET_NEXT},
        {.name = "n", .dtype = nested, .offset = 12, .ndim = 1, .shape = (int64_t[]){2}}};
    ok(stria_record_make(&record, 3, outer, 20, false));
    unsigned char item[40], wanted[40];
    static const int from[20] = {3,  2,  1,  0,  7,  6,  5,  4,  8,  9,
                                 10, 11, 13, 12, 14, 16, 15, 17, 18, 19};
    for (int i = 0; i < 40; i++)
        item[i] = (unsigned char)(i + 1);
    for (int i = 0; i < 40; i++)
        wanted[i] = (unsigned char)(i / 20 * 20 + from[i % 20] + 1);
    stria_view a;
    stria_array copy = {0};
    ok(stria_view_foreign(&a, item, record, 1, (int64_t[]){2}, NULL, 0));
    ok(stria_byteswap_new(&copy, &a, NULL));
    assert_memory_equal(copy.view.data, wanted, 40);
    stria_array_release(&copy);
    ok(stria_byteswap(&a, NULL));
    assert_memory_equal(item, wanted, 40);
    stria_dtype_release(record);
    stria_dtype_release(nested);
}

TEST(test_refusals)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, same[6] = {1, 2, 3, 4, 5, 6};
    stria_view a, b;
    stria_array out = {0};
    ok(stria_view_foreign(&a, x, stria_dtype_of(STRIA_F32), 1, (int64_t[]){6}, NULL, 0));
    b = readonly_of(&a);
    assert_int_equal(stria_byteswap(&b, NULL), STRIA_ERR_READONLY);
    ok(stria_expand(&b, &a, 2, (int64_t[]){2, 6}));
    assert_int_equal(stria_byteswap(&b, NULL), STRIA_ERR_OVERLAP);
    assert_non_null(strstr(stria_last_error(), "elements of the array, shape (2, 6)"));
    b = a;
    b.flags |= STRIA_NEG;
    assert_int_equal(stria_byteswap(&b, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_byteswap_new(&out, &b, NULL), STRIA_ERR_DTYPE);
    assert_int_equal(stria_byteswap(NULL, NULL), STRIA_ERR_ARGUMENT);
    assert_int_equal(stria_byteswap_new(NULL, &a, NULL), STRIA_ERR_ARGUMENT);
    counting_begin(1);
    assert_int_equal(stria_byteswap_new(&out, &a, NULL), STRIA_ERR_MEMORY);
    assert_int_equal(allocation_counts.live, 0);
    counting_end();
    /* Records that overlap each other are refused, though no field overlaps itself. */
    const stria_field halves[] = {{.name = "a", .dtype = stria_dtype_of(STRIA_I16), .offset = 0},
                                  {.name = "b", .dtype = stria_dtype_of(STRIA_I16), .offset = 2}};
    stria_dtype pair;
    ok(stria_record_make(&pair, 2, halves, 0, false));
    ok(stria_view_foreign(&b, x, pair, 1, (int64_t[]){3}, (int64_t[]){2}, 0));
    assert_int_equal(stria_byteswap(&b, NULL), STRIA_ERR_OVERLAP);
    stria_dtype_release(pair);
    assert_memory_equal(x, same, sizeof x);
    /* A later field overlaps itself where an earlier one does not: the earlier one stays as it was,
     * too. */
    const stria_field fields[] = {{.name = "a", .dtype = stria_dtype_of(STRIA_I16), .offset = 0},
                                  {.name = "b", .dtype = stria_dtype_of(STRIA_I32), .offset = 4}};
    stria_dtype record;
    ok(stria_record_make(&record, 2, fields, 0, false));
    ok(stria_view_foreign(&b, x, record, 1, (int64_t[]){3}, (int64_t[]){2}, 0));
    assert_int_equal(stria_byteswap(&b, NULL), STRIA_ERR_OVERLAP);
    stria_dtype_release(record);
    assert_memory_equal(x, same, sizeof x);
}

TEST_MAIN(NULL, NULL)
