/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every conversion kernel of every instruction set level that this machine can run, against the
 * integer definition in support/exact.h: all 2^16 items of the small types, hard samples of the
 * others, every length up to some vectors, at every misalignment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dispatch.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/samples.h"

enum { MANY = 1 << 16, SHORT = 130, ITEM = 16, EDGE = 32, CANARY = 0x5A };

static char in[MANY * ITEM + EDGE], out[MANY * ITEM + 2 * EDGE], wanted[MANY * ITEM];

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
    (void)stria_dtype_format(stria_dtype_of(kind), text, 16);
    return text;
}

/* Its first 8 bytes as a number in memory order: enough to find it again. */
static unsigned long long bits_of(const char *item, int64_t size)
{
    unsigned long long u = 0;
    memcpy(&u, item, size < 8 ? (size_t)size : 8);
    return u;
}

/* Runs row on n items at the given misalignments; nothing beside them may change. */
static void check_row(const char *isa, convert_row *row, stria_kind to, stria_kind from, int64_t n,
                      int out_shift, int in_shift, const char *source)
{
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    char *const to_at = out + EDGE + out_shift, *const from_at = in + in_shift;
    char a[16], b[16];
    memcpy(from_at, source, (size_t)(n * from_size));
    memset(to_at - EDGE / 2, CANARY, EDGE / 2);
    memset(to_at + n * size, CANARY, EDGE / 2);
    row(to_at, from_at, n);
    for (int64_t i = 0; i < n; i++)
        if (memcmp(to_at + i * size, wanted + i * size, (size_t)size) != 0)
            fail_msg("%s: %s %#llx -> %s %#llx, not %#llx (item %lld of %lld, out + %d, in + %d)",
                     isa, name_of(from, a), bits_of(from_at + i * from_size, from_size),
                     name_of(to, b), bits_of(to_at + i * size, size),
                     bits_of(wanted + i * size, size), (long long)i, (long long)n, out_shift,
                     in_shift);
    for (int i = 0; i < EDGE / 2; i++)
        if (to_at[i - EDGE / 2] != CANARY || to_at[n * size + i] != CANARY)
            fail_msg("%s: %s -> %s wrote outside its %lld items", isa, name_of(from, a),
                     name_of(to, b), (long long)n);
}

static void check(const char *isa, convert_row *row, definition *define, stria_kind to,
                  stria_kind from)
{
    static char source[MANY * ITEM];
    uint64_t seed = (uint64_t)to * NUMBERS + (uint64_t)from;
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    samples_fill(source, from, MANY, &seed);
    for (int64_t i = 0; i < MANY; i++)
        define(wanted + i * size, to, source + i * from_size, from);
    check_row(isa, row, to, from, MANY, 0, 0, source);
    for (int64_t n = 0; n <= SHORT; n++)
        check_row(isa, row, to, from, n, (int)random_between(&seed, 0, 15),
                  (int)random_between(&seed, 0, 15), source);
}

static const struct stria_kernels *level(int i)
{
    return stria__kernels_at(i);
}

static void test_pairs(void **state)
{
    (void)state;
    int pairs = 0;
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int to = 0; to < NUMBERS && level(l); to++)
            for (int from = 0; from < NUMBERS; from++) {
                convert_row *row = level(l)->convert->row[to][from];
                if (!row) continue;
                check(level(l)->isa, row, define_convert, (stria_kind)to, (stria_kind)from);
                pairs++;
            }
    assert_true(pairs > 0);
}

static void test_wrap(void **state)
{
    (void)state;
    for (int l = 0; l < stria__kernels_count(); l++)
        if (level(l))
            check(level(l)->isa, level(l)->convert->u64_wrapped_from_f64, define_wrap, STRIA_U64,
                  STRIA_F64);
}

static void test_signs(void **state)
{
    (void)state;
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int k = 0; k < NUMBERS && level(l); k++) {
            const struct convert_kernels *convert = level(l)->convert;
            const stria_kind kind = (stria_kind)k;
            const bool complex = stria_dtype_is_complex(stria_dtype_of(kind));
            assert_int_equal(complex, convert->conjugate[k] != NULL);
            assert_int_equal(!complex && kind != STRIA_BOOL, convert->negate[k] != NULL);
            if (complex)
                check(level(l)->isa, convert->conjugate[k], define_conjugate, kind, kind);
            else if (kind != STRIA_BOOL)
                check(level(l)->isa, convert->negate[k], define_negate, kind, kind);
        }
}

static void test_swap(void **state)
{
    (void)state;
    static const stria_kind kinds[] = {STRIA_U8, STRIA_U16, STRIA_U32, STRIA_U64};
    for (int l = 0; l < stria__kernels_count(); l++)
        for (int k = 1; k < 4 && level(l); k++)
            check(level(l)->isa, level(l)->convert->swap[k], define_swap, kinds[k], kinds[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
