/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dividing many integers by one number gives the same as dividing by many: every dtype and level,
 * all items and divisors of 8 bits, and of wider ones those at the ends of their ranges, powers of
 * two and their neighbours.
 */
#include <string.h>

#include "stria/stria.h"
#include "support/levels.h"
#include "support/random.h"
#include "support/test.h"

enum { ITEMS = 300, DIVISORS = 300, TOP = 63 };

static const stria_op ops[] = {STRIA_FLOOR_DIVIDE, STRIA_REMAINDER, STRIA_FMOD};
static const stria_kind kinds[] = {STRIA_I8, STRIA_I16, STRIA_I32, STRIA_I64,
                                   STRIA_U8, STRIA_U16, STRIA_U32, STRIA_U64};

/* Returns number i of a list that has all of 8 bits, powers of two with their neighbours, and
 * random ones. */
static uint64_t number(int i, uint64_t *seed)
{
    if (i < 256) return (uint64_t)(i - 128);
    return random_bits(seed) >> random_bits(seed) % (TOP + 1);
}

static uint64_t near_power(int i)
{
    return ((uint64_t)1 << i / 3 % (TOP + 1)) + (uint64_t)(i % 3) - 1;
}

static void fill(char *to, int64_t item, bool powers, uint64_t *seed)
{
    for (int i = 0; i < ITEMS; i++) {
        const uint64_t x = powers && i >= 8 * item ? near_power(i) : number(i, seed);
        memcpy(to + i * item, &x, (size_t)item); /* copies the low bytes */
    }
}

static void divide(stria_op op, stria_kind kind, const char *items, const char *divisors)
{
    static char by_one[ITEMS * 8], by_many[ITEMS * 8], repeated[ITEMS * 8];
    const stria_dtype dtype = stria_dtype_of(kind);
    const int64_t none[] = {0};
    stria_view x, many, one, out, other;
    const int64_t item = dtype.itemsize;
    for (int k = 0; k < DIVISORS; k++) {
        const int64_t shape[] = {ITEMS - k % 9}; /* every rest of a vector */
        for (int i = 0; i < ITEMS; i++)
            memcpy(repeated + i * item, divisors + k * item, (size_t)item);
        ok(stria_view_foreign(&x, (char *)(uintptr_t)items, dtype, 1, shape, NULL, 0));
        ok(stria_view_foreign(&many, repeated, dtype, 1, shape, NULL, 0));
        ok(stria_view_foreign(&one, repeated, dtype, 1, shape, none, 0));
        ok(stria_view_foreign(&out, by_one, dtype, 1, shape, NULL, 0));
        ok(stria_view_foreign(&other, by_many, dtype, 1, shape, NULL, 0));
        ok(stria_elementwise(&out, op, 2, (const stria_view *[]){&x, &one}, NULL));
        ok(stria_elementwise(&other, op, 2, (const stria_view *[]){&x, &many}, NULL));
        for (int i = 0; i < shape[0]; i++)
            if (memcmp(by_one + i * item, by_many + i * item, (size_t)item) != 0)
                fail_msg("%s: op %d, kind %d, item %d by divisor %d", stria_isa_name(), (int)op,
                         (int)kind, i, k);
    }
}

TEST(test_one_divisor_as_many)
{
    static char items[ITEMS * 8], divisors[ITEMS * 8];
    uint64_t seed = 3;
    for (int level = 0; next_level(&level);)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            for (int powers = 0; powers < 2; powers++) {
                const int64_t item = stria_dtype_of(kinds[k]).itemsize;
                fill(items, item, powers > 0, &seed);
                fill(divisors, item, powers > 0, &seed);
                for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
                    divide(ops[i], kinds[k], items, divisors);
            }
}

TEST_MAIN(NULL, NULL)
