/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/exact/wide.h"

#include <string.h>

int stria__wide_top(const struct wide *a)
{
    int i = WIDE_WORDS - 1;
    while (i >= 0 && !a->word[i])
        i--;
    return i;
}

void stria__wide_from(struct wide *out, const int64_t *word, int words, int one)
{
    const int64_t last = word[words - 1];
    memset(out, 0, sizeof *out);
    uint32_t *const to = out->word + (WIDE_ONE - one);
    const int room = WIDE_WORDS - (WIDE_ONE - one);
    for (int i = 0; i < words; i++)
        to[i] = (uint32_t)word[i];
    to[words] = (uint32_t)((uint64_t)last >> 32);
    out->negative = last < 0;
    for (int i = words + 1; out->negative && i < room; i++)
        to[i] = UINT32_MAX;
    uint64_t carry = 1;
    for (int i = 0; out->negative && i < room; i++) {
        carry += (uint32_t)~to[i];
        to[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void stria__wide_product(struct wide *out, const struct wide *a, const struct wide *b)
{
    const int top_a = stria__wide_top(a), top_b = stria__wide_top(b);
    int least = 0;
    while (least < top_b && !b->word[least])
        least++;
    memset(out, 0, sizeof *out);
    out->negative = a->negative != b->negative;
    for (int i = 0; i <= top_a; i++) {
        uint64_t carry = 0;
        /* All products have places, except those of states whose bytes somebody made up. */
        const int first = i + least < WIDE_ONE ? WIDE_ONE - i : least;
        int k = i + first - WIDE_ONE;
        for (int j = first; a->word[i] && j <= top_b && k < WIDE_WORDS; j++, k++) {
            carry += (uint64_t)a->word[i] * b->word[j] + out->word[k];
            out->word[k] = (uint32_t)carry;
            carry >>= 32;
        }
        for (; carry && k < WIDE_WORDS; k++) {
            carry += out->word[k];
            out->word[k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

void stria__wide_multiply(struct wide *a, uint64_t by)
{
    const uint64_t low = by & UINT32_MAX, high = by >> 32;
    uint64_t carry = 0, before = 0;
    for (int i = 0; i < WIDE_WORDS; i++) {
        const uint64_t word = a->word[i], first = word * low, second = before * high,
                       sum = (first & UINT32_MAX) + (second & UINT32_MAX) + (carry & UINT32_MAX);
        a->word[i] = (uint32_t)sum;
        carry = (first >> 32) + (second >> 32) + (carry >> 32) + (sum >> 32);
        before = word;
    }
}

/* Divides bit by bit, since divisors beyond 32 bits are rare. */
static uint64_t divide_by_bits(struct wide *a, uint64_t by)
{
    uint64_t left = 0;
    for (int i = stria__wide_top(a); i >= 0; i--) {
        uint32_t quotient = 0;
        for (int bit = 31; bit >= 0; bit--) {
            left = left << 1 | (a->word[i] >> bit & 1);
            quotient = quotient << 1 | (left >= by);
            if (left >= by) left -= by;
        }
        a->word[i] = quotient;
    }
    return left;
}

static uint64_t divide_by_words(struct wide *a, uint32_t by)
{
    uint64_t left = 0;
    for (int i = stria__wide_top(a); i >= 0; i--) {
        left = left << 32 | a->word[i];
        a->word[i] = (uint32_t)(left / by);
        left %= by;
    }
    return left;
}

void stria__wide_divide(struct wide *a, uint64_t by)
{
    const uint64_t left =
        by > UINT32_MAX ? divide_by_bits(a, by) : divide_by_words(a, (uint32_t)by);
    a->more = a->more || left;
}

/* Computes a - b, where a is not below b; out may be either. */
static void subtract_words(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < WIDE_WORDS; i++) {
        const uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
        out[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

void stria__wide_add(struct wide *a, const struct wide *b, bool subtract)
{
    const bool negative = b->negative != subtract;
    uint64_t carry = 0;
    int i = WIDE_WORDS - 1;
    while (i > 0 && a->word[i] == b->word[i])
        i--;
    if (a->negative != negative && a->word[i] < b->word[i]) {
        a->negative = negative;
        subtract_words(a->word, b->word, a->word);
    } else if (a->negative != negative) {
        subtract_words(a->word, a->word, b->word);
    } else {
        for (i = 0; i < WIDE_WORDS; i++) {
            carry += (uint64_t)a->word[i] + b->word[i];
            a->word[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* The upper 64 bits, the first of which is 1 and counts 2^exponent, and whether there are more. */
struct leading_bits {
    uint64_t bits;
    int exponent;
    bool more;
};

static struct leading_bits leading_of(const struct wide *a, int top, int down)
{
    const uint64_t first = a->word[top], second = top > 0 ? a->word[top - 1] : 0,
                   third = top > 1 ? a->word[top - 2] : 0;
    const int zeros = __builtin_clz(a->word[top]);
    bool more = a->more || (uint32_t)(third << zeros);
    for (int i = 0; i < top - 2 && !more; i++)
        more = a->word[i];
    return (struct leading_bits){.bits = (first << 32 | second) << zeros | third >> (32 - zeros),
                                 .exponent = 32 * (top - WIDE_ONE - down) + 31 - zeros,
                                 .more = more};
}

static double of_bits(uint64_t bits, bool negative)
{
    double x;
    bits |= (uint64_t)negative << 63;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double stria__wide_round(const struct wide *a, int down, bool odd)
{
    static const uint64_t INFINITE = UINT64_C(0x7FF0000000000000);
    const int top = stria__wide_top(a);
    /* Bits below the last word round to 0; to odd they are the least f64. */
    if (top < 0) return a->more && odd ? of_bits(1, a->negative) : 0;
    const struct leading_bits l = leading_of(a, top, down);
    const int last = l.exponent - 52 > -1074 ? l.exponent - 52 : -1074;
    const int drop = last - (l.exponent - 63); /* Bits for which an f64 has no room: 11 or more. */
    const uint64_t kept = drop > 63 ? 0 : l.bits >> drop;
    const uint64_t half = drop > 64 ? 0 : l.bits >> (drop - 1) & 1;
    const uint64_t below = drop > 64 ? l.bits : l.bits << (65 - drop);
    const bool rest = below || l.more;
    if (l.exponent > 1023) return of_bits(odd ? INFINITE - 1 : INFINITE, a->negative);
    const uint64_t up = odd ? ((half || rest) && !(kept & 1)) : half && (rest || kept & 1);
    return of_bits(((uint64_t)(last + 1074) << 52) + kept + up, a->negative);
}

bool stria__wide_integer(uint64_t *out, const struct wide *a)
{
    const uint64_t low = (uint64_t)a->word[WIDE_ONE + 1] << 32 | a->word[WIDE_ONE];
    for (int i = 0; i < WIDE_ONE; i++)
        if (a->word[i]) return false;
    *out = a->negative ? -low : low;
    return true;
}
