/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every conversion kernel of every instruction set level that this machine can run, against the
 * integer definition in support/exact.h: all 2^16 items of the small types, hard samples of the
 * others; every length up to some vectors, flush against inaccessible pages on either side and at
 * odd addresses.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/dispatch.h"
#include "support/exact.h"
#include "support/guard.h"
#include "support/samples.h"
#include "support/test.h"

enum { MANY = 1 << 16, SHORT = 130, ITEM = 16, EDGE = 32, CANARY = 0x5A };
enum placement { AT_START, AT_END, ODD, PLACEMENTS };

static struct guard in_guard, out_guard;
static char source[MANY * ITEM], wanted[MANY * ITEM];

typedef void definition(void *item, stria_kind to, const void *from_item, stria_kind from);

static void define_convert(void *item, stria_kind to, const void *from_item, stria_kind from)
{
    exact_convert(item, to, from_item, from, false);
}

static void define_wrap(void *item, stria_kind to, const void *from_item, stria_kind from)
{
    exact_convert(item, to, from_item, from, true);
}

static void define_negate(void *item, stria_kind to, const void *from_item, stria_kind from)
{
    (void)from;
    memcpy(item, from_item, (size_t)stria_dtype_of(to).itemsize);
    exact_negate(item, to);
}

static void define_conjugate(void *item, stria_kind to, const void *from_item, stria_kind from)
{
    (void)from;
    memcpy(item, from_item, (size_t)stria_dtype_of(to).itemsize);
    exact_conjugate(item, to);
}

static void define_swap(void *item, stria_kind to, const void *from_item, stria_kind from)
{
    (void)from;
    const int n = stria_dtype_of(to).itemsize;
    for (int i = 0; i < n; i++)
        ((char *)item)[i] = ((const char *)from_item)[n - 1 - i];
}

static const char *name_of(stria_kind kind, char text[16])
{
    (void)stria_dtype_format(text, 16, NULL, stria_dtype_of(kind));
    return text;
}

/* Returns the item's first 8 bytes as a number in memory order: enough to find it again. */
static unsigned long long bits_of(const char *item, int64_t size)
{
    unsigned long long u = 0;
    memcpy(&u, item, size < 8 ? (size_t)size : 8);
    return u;
}

static char *place(const struct guard *guard, enum placement where, int64_t size)
{
    switch (where) {
    case AT_START: return guard_low(guard);
    case AT_END: return guard_high(guard, (size_t)size);
    default: return guard_low(guard) + EDGE + 1;
    }
}

struct canary {
    char *at;
    size_t size;
};

/* Writes marks into bytes of the same page that no operand owns, on the sides that no inaccessible
 * page guards. */
static void put_canaries(struct canary canaries[2], char *out, int64_t size, enum placement where)
{
    canaries[0] = (struct canary){out - EDGE, where == AT_START ? 0 : EDGE};
    canaries[1] = (struct canary){out + size, where == AT_END ? 0 : EDGE};
    for (int i = 0; i < 2; i++)
        memset(canaries[i].size ? canaries[i].at : out, CANARY, canaries[i].size);
}

static bool alive(const struct canary *canary)
{
    for (size_t i = 0; i < canary->size; i++)
        if (canary->at[i] != CANARY) return false;
    return true;
}

/* Checks a row of n items, or as many streamed pieces of one. */
static void check_row(const struct stria_kernels *kernels, convert_row *row, stria_kind to,
                      stria_kind from, int64_t n, int64_t pieces, enum placement where)
{
    const char *const isa = kernels->isa;
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    char *const out = place(&out_guard, where, n * size);
    char *const in = place(&in_guard, where, n * from_size);
    struct canary canaries[2];
    char a[16], b[16];
    memcpy(in, source, (size_t)(n * from_size));
    put_canaries(canaries, out, n * size, where);
    if (pieces) {
        const int64_t m = n / pieces;
        const struct streamed_piece piece = {
            row, m, m * from_size, m * size, 1 + pieces % 4, stria__read_on(in, n * from_size, 0)};
        kernels->stream_converted(out, in, &piece, pieces);
        kernels->fence();
    } else {
        row(out, in, n);
    }
    for (int64_t i = 0; i < n; i++)
        if (memcmp(out + i * size, wanted + i * size, (size_t)size) != 0)
            fail_msg("%s: %s %#llx -> %s %#llx, not %#llx (item %lld of %lld)", isa,
                     name_of(from, a), bits_of(source + i * from_size, from_size), name_of(to, b),
                     bits_of(out + i * size, size), bits_of(wanted + i * size, size), (long long)i,
                     (long long)n);
    if (!alive(&canaries[0]) || !alive(&canaries[1]))
        fail_msg("%s: %s -> %s wrote outside its %lld items", isa, name_of(from, a), name_of(to, b),
                 (long long)n);
}

/* Checks pieces of one to nine lines, and the longest. */
static void check_streamed(const struct stria_kernels *kernels, convert_row *row, stria_kind to,
                           stria_kind from)
{
    const int64_t line = LINE / stria_dtype_of(to).itemsize;
    for (int64_t lines = 1; lines <= STREAMED_MOST / LINE; lines = lines == 9 ? 16 : lines + 1)
        for (int64_t pieces = 1; pieces <= 3; pieces++)
            for (int where = AT_START; where <= AT_END; where++)
                check_row(kernels, row, to, from, pieces * lines * line, pieces,
                          (enum placement)where);
}

/* Fills with numbers of which whole blocks fit in the same number of bits. */
static void fill_plain(stria_kind from, uint64_t *seed)
{
    enum { ALIKE = 64 };
    static const int bits[] = {7, 15, 31, 40};
    const int64_t size = stria_dtype_of(from).itemsize;
    for (int64_t i = 0; i < MANY; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double x = ldexp((double)(int32_t)(*seed >> 32), bits[i / ALIKE % 4] - 31);
        define_convert(source + i * size, from, &x, STRIA_F64);
    }
}

static void check_plain(const struct stria_kernels *kernels, convert_row *row, stria_kind to,
                        stria_kind from)
{
    uint64_t seed = (uint64_t)to * NUMBERS + (uint64_t)from;
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    fill_plain(from, &seed);
    for (int64_t i = 0; i < MANY; i++)
        define_convert(wanted + i * size, to, source + i * from_size, from);
    check_row(kernels, row, to, from, MANY, 0, AT_END);
}

static void check(const struct stria_kernels *kernels, convert_row *row, definition *define,
                  stria_kind to, stria_kind from)
{
    uint64_t seed = (uint64_t)to * NUMBERS + (uint64_t)from;
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    samples_fill(source, from, MANY, &seed);
    for (int64_t i = 0; i < MANY; i++)
        define(wanted + i * size, to, source + i * from_size, from);
    check_row(kernels, row, to, from, MANY, 0, AT_END);
    for (int64_t n = 0; n <= SHORT; n++)
        for (int where = 0; where < PLACEMENTS; where++)
            check_row(kernels, row, to, from, n, 0, (enum placement)where);
    check_streamed(kernels, row, to, from);
}

static const struct stria_kernels *level(int i)
{
    return stria__kernels_at(i);
}

TEST(test_pairs)
{
    int pairs = 0;
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int to = 0; to < NUMBERS && level(l); to++)
            for (int from = 0; from < NUMBERS; from++) {
                convert_row *row = level(l)->convert->row[to][from];
                if (!row) continue;
                check(level(l), row, define_convert, (stria_kind)to, (stria_kind)from);
                check_plain(level(l), row, (stria_kind)to, (stria_kind)from);
                pairs++;
            }
    assert_true(pairs > 0);
}

TEST(test_wrap)
{
    for (int l = 0; l < stria__kernels_count(); l++)
        if (level(l))
            check(level(l), level(l)->convert->u64_wrapped_from_f64, define_wrap, STRIA_U64,
                  STRIA_F64);
}

TEST(test_signs)
{
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int k = 0; k < NUMBERS && level(l); k++) {
            const struct convert_kernels *convert = level(l)->convert;
            const stria_kind kind = (stria_kind)k;
            const bool complex = stria_dtype_is_complex(stria_dtype_of(kind));
            assert_int_equal(complex, convert->conjugate[k] != NULL);
            assert_int_equal(!complex && kind != STRIA_BOOL, convert->negate[k] != NULL);
            if (complex)
                check(level(l), convert->conjugate[k], define_conjugate, kind, kind);
            else if (kind != STRIA_BOOL)
                check(level(l), convert->negate[k], define_negate, kind, kind);
        }
}

TEST(test_swap)
{
    static const stria_kind kinds[] = {STRIA_U8, STRIA_U16, STRIA_U32, STRIA_U64};
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int k = 1; k < 4 && level(l); k++)
            check(level(l), level(l)->convert->swap[k], define_swap, kinds[k], kinds[k]);
}

int main(void)
{
    in_guard = guard_new((size_t)MANY * ITEM + 2 * EDGE);
    out_guard = guard_new((size_t)MANY * ITEM + 2 * EDGE);
    const int failed = run_listed(__FILE__, NULL, NULL);
    guard_free(&in_guard);
    guard_free(&out_guard);
    return failed;
}
