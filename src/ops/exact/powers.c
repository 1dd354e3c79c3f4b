/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of a number are those of its 64 bits, in words of 32. */
#include "ops/exact/powers.h"

enum { FACTOR = 2, MOST = 4 * FACTOR };

/* Multiplies words; out has as many words as a and b together. */
static void multiply(uint32_t *out, const uint32_t *a, int words_a, const uint32_t *b, int words_b)
{
    for (int i = 0; i < words_a; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < words_b; j++) {
            carry += (uint64_t)a[i] * b[j] + (i ? out[i + j] : 0);
            out[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out[i + words_b] = (uint32_t)carry;
    }
}

/* Adds a whole number of some words times 2^exponent. */
static void add_words(int64_t *word, const uint32_t *whole, int words, int exponent, bool negative)
{
    const int place = exponent + 32 * POWER_OF_ONE, shift = place & 31;
    const int64_t sign = negative ? -1 : 1;
    uint64_t before = 0;
    for (int i = 0; i <= words; i++) {
        const uint64_t both = (uint64_t)(i < words ? whole[i] : 0) << 32 | before;
        word[place / 32 + i] += sign * (int64_t)(both << shift >> 32);
        before = both >> 32;
    }
}

/* Adds the powers of a number that is not 0. */
static void add_powers(struct power_sums *s, struct parted p)
{
    uint32_t square[2 * FACTOR], power[MOST];
    const int zeros = __builtin_ctzll(p.whole);
    p.whole >>= zeros;
    p.exponent += zeros;
    const uint32_t whole[FACTOR] = {(uint32_t)p.whole, (uint32_t)(p.whole >> 32)};
    const int words = whole[1] ? 2 : 1;
    multiply(square, whole, words, whole, words);
    multiply(power, square, 2 * words, whole, words);
    add_words(s->word[CUBES], power, 3 * words, 3 * p.exponent, p.negative);
    multiply(power, square, 2 * words, square, 2 * words);
    add_words(s->word[FOURTHS], power, 4 * words, 4 * p.exponent, false);
}

void stria__accumulate_powers(struct power_sums *s, const double *x, const double *low, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        struct parted p = stria__part(x[i]);
        if (low) {
            const uint64_t high = (uint64_t)(p.negative ? -x[i] : x[i]), rest = (uint64_t)low[i];
            p = (struct parted){p.negative ? high - rest : high + rest, 0, p.negative};
        }
        if (p.whole && p.exponent != BEYOND) add_powers(s, p);
    }
    for (int k = 0; k < POWERS; k++)
        stria__carry_words(s->word[k], NULL, POWER_WORDS);
}

void stria__powers_merge(struct power_sums *s, const struct power_sums *other)
{
    for (int k = 0; k < POWERS; k++)
        stria__carry_words(s->word[k], other->word[k], POWER_WORDS);
}
