/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shortest digits: the Schubfach algorithm (Raffaello Giulietti, "The Schubfach
 * way to render doubles", 2020). The bounds of the numbers that round to x are multiplied by a
 * power of ten from a table of 128-bit significands; that product, with one sticky bit for all that
 * is cut off, decides every comparison exactly.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/integers.h"
#include "ops/format/columns.h"

/* ---- powers of ten --------------------------------------------------------------------------- */

enum {
    LEAST = -292, /* Powers that numbers of f64 need. */
    MOST = 325,
    WORDS = 32, /* Words of 32 bits: 5^325 has 755 bits, and 2^1023 / 5^292 has 344. */
};

struct power {
    uint64_t high, low;
};

/* The powers 10^k as 128 bits, rounded up, the first of which is 1, times a power of two. */
static struct power powers[MOST - LEAST + 1];
static pthread_once_t powers_made = PTHREAD_ONCE_INIT;

static uint64_t pair_of(const uint32_t *words, int top)
{
    return (top >= 0 ? (uint64_t)words[top] << 32 : 0) | (top >= 1 ? words[top - 1] : 0);
}

/* Returns the leading 128 bits of a number whose least word is word 0, rounded up if any bits are
 * cut off. */
static struct power leading(const uint32_t *words, bool inexact)
{
    int top = WORDS - 1;
    while (words[top] == 0)
        top--;
    const int shift = __builtin_clz(words[top]);
    uint64_t w[3];
    for (int i = 0; i < 3; i++)
        w[i] = pair_of(words, top - 2 * i);
    for (int i = 0; i < top - 5; i++)
        inexact = inexact || words[i] != 0;
    if (shift > 0) {
        w[0] = w[0] << shift | w[1] >> (64 - shift);
        w[1] = w[1] << shift | w[2] >> (64 - shift);
        w[2] <<= shift;
    }
    inexact = inexact || w[2] != 0;
    w[1] += inexact;
    w[0] += inexact && w[1] == 0;
    return (struct power){w[0], w[1]};
}

/* Makes the powers. Powers of 5 are exact; dividing 2^1023 by 5 again and again gives the exact
 * floor every time. */
static void make_powers(void)
{
    uint32_t words[WORDS] = {1};
    for (int k = 0; k <= MOST; k++) {
        powers[k - LEAST] = leading(words, false);
        uint64_t carry = 0;
        for (int i = 0; i < WORDS; i++) {
            carry += (uint64_t)words[i] * 5;
            words[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    memset(words, 0, sizeof words);
    words[WORDS - 1] = UINT32_C(1) << 31;
    for (int k = -1; k >= LEAST; k--) {
        uint64_t rest = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            rest = rest << 32 | words[i];
            words[i] = (uint32_t)(rest / 5);
            rest %= 5;
        }
        powers[k - LEAST] = leading(words, true);
    }
}

/* ---- powers of ten that fit ------------------------------------------------------------------ */

static const uint64_t ten_to[20] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

int stria__count_digits(uint64_t n)
{
    const int least = (64 - __builtin_clzll(n | 1)) * 1233 >> 12; /* Uses log10(2) = 1233 / 4096. */
    return least + ((n | 1) >= ten_to[least]);
}

/* Returns the product without its last 128 bits; the last remaining bit tells whether any of them
 * is set. */
static uint64_t scaled(struct power g, uint64_t n)
{
    const uint64_t carried = upper_half(g.low, n), low = g.high * n + carried;
    return (upper_half(g.high, n) + (low < carried)) | (low > 1);
}

/* Returns floor(log10(2^e)), of 3/4 x 2^e if `closer`, and floor(log2(10^e)); exact for these
 * exponents. */
static int log10_of_power(int e, bool closer)
{
    return (e * 1262611 - (closer ? 524031 : 0)) >> 22;
}

static int log2_of_power(int e)
{
    return (e * 1741647) >> 19;
}

static int sign_of_difference(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static struct decimal without_zeros(struct decimal d)
{
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/*
 * Finds the shortest decimal of c x 2^q. `closer` tells that the number below is only half as far
 * away as the one above. Everything is counted in quarters of 10^k, in which x is `value`.
 */
static struct decimal shortest(uint64_t c, int q, bool closer)
{
    const int k = log10_of_power(q, closer);
    const int h = q + log2_of_power(-k) + 1;
    const struct power g = powers[-k - LEAST];
    const bool odd = c % 2;
    const uint64_t lower = scaled(g, (4 * c - 2 + closer) << h) + odd;
    const uint64_t value = scaled(g, (4 * c) << h);
    const uint64_t upper = scaled(g, (4 * c + 2) << h) - odd;
    const uint64_t s = value / 4;
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above)
            return (struct decimal){tens + above, k + 1,
                                    sign_of_difference(value, 40 * (tens + above))};
    }
    const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    const uint64_t middle = 4 * s + 2;
    const bool up = below != above ? above : value > middle || (value == middle && s % 2);
    return (struct decimal){s + up, k, sign_of_difference(value, 4 * (s + up))};
}

struct decimal stria__shortest(double x, struct binary_format format)
{
    uint64_t bits, c;
    (void)pthread_once(&powers_made, make_powers);
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int biased = (int)(bits >> 52 & 0x7ff);
    c = biased ? fraction | UINT64_C(1) << 52 : fraction;
    int q = (biased ? biased : 1) - 1075, drop = 53 - format.bits;
    if (q + drop < format.least) drop = format.least - q;
    c >>= drop;
    q += drop;
    const bool closer = c == UINT64_C(1) << (format.bits - 1) && q > format.least;
    return without_zeros(shortest(c, q, closer));
}

/*
 * Rounds x in quarters of 10^k, in which numbers have 16 or 17 digits before their last two bits;
 * the lower bit stands for all that is cut off. If that is one digit too few, a tenth of that power
 * is as exact: by the continued fractions of 2^q / 10^k, for every q that an f64 has, no product
 * comes so near to a tie that the bits which were cut off would decide otherwise.
 */
bool stria__rounded(struct decimal *out, double x, int count)
{
    uint64_t bits, value = 0;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7ff), q = biased - 1075;
    if (biased == 0) return false;
    const uint64_t c = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int k = log10_of_power(q, false) + 1, digits = 0;
    (void)pthread_once(&powers_made, make_powers);
    for (int i = 0; i < 2 && digits < count; i++) {
        k--;
        value = scaled(powers[-k - LEAST], (4 * c) << (q + log2_of_power(-k) + 1));
        digits = stria__count_digits(value / 4);
    }
    if (digits < count) return false;
    const uint64_t unit = 4 * ten_to[digits - count], kept = value / unit, left = value % unit;
    const bool up = left > unit / 2 || (left == unit / 2 && kept % 2);
    const bool carry = kept + up == ten_to[count];
    *out = (struct decimal){carry ? (kept + up) / 10 : kept + up, k + digits - count + carry, 0};
    return true;
}

/*
 * Rounds a decimal. No decimal of fewer digits lies between x and its shortest one, the middle
 * between two multiples of 10^exponent included. So `rest` decides only if the shortest one is such
 * a middle.
 */
struct decimal stria__decimal_round(struct decimal d, int exponent)
{
    const int cut = exponent - d.exponent;
    if (cut <= 0) return d;
    if (cut > 19) return (struct decimal){0, exponent, 1};
    const uint64_t unit = ten_to[cut], kept = d.digits / unit, left = d.digits % unit,
                   half = unit / 2;
    const int beyond = left != half ? (left > half ? 1 : -1) : d.rest;
    const bool up = beyond > 0 || (beyond == 0 && kept % 2);
    const struct decimal out = {kept + up, exponent, 0};
    return out.digits ? without_zeros(out) : out;
}
