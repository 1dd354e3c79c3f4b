/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of numbers are added by vectors that give two numbers with their exact sum
 * (simd/fold_exact.inc). Those of a block of which there are no such two are added one by one.
 */
#include "ops/exact/accumulator.h"

#include <string.h>

#include "machine/families.h"
#include "base/integers.h"
#include "simd/fold.h"

/* Each addition changes a word by less than 2^32, so that no word overflows meanwhile. */
enum { MOST_WAITING = 1 << 30 };
static const uint64_t LOW_WORD = UINT32_MAX;

void stria__carry_words(int64_t *word, const int64_t *other, int count)
{
    int64_t carry = 0;
    for (int i = 0; i < count; i++) {
        const int64_t all = word[i] + (other ? other[i] : 0) + carry;
        carry = all >> 32;
        word[i] = i == count - 1 ? all : all & (int64_t)LOW_WORD;
    }
}

void stria__accumulator_carry(struct exact_sum *s)
{
    stria__carry_words(s->word, NULL, ACCUMULATOR_WORDS);
    s->waiting = 0;
}

void stria__accumulator_merge(struct exact_sum *s, const struct exact_sum *other)
{
    s->seen |= other->seen;
    stria__carry_words(s->word, other->word, ACCUMULATOR_WORDS);
    s->waiting = 0;
}

/* ---- one number ------------------------------------------------------------------------------ */

struct parted stria__part(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int e = (int)(bits >> 52 & 2047);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    return (struct parted){.whole = e ? fraction | UINT64_C(1) << 52 : fraction,
                           .exponent = e == BEYOND ? BEYOND : (e ? e : 1) - 1075,
                           .negative = bits >> 63};
}

static void see(struct exact_sum *s, double x)
{
    s->seen |= x != x ? SEEN_NAN : x > 0 ? SEEN_INFINITY : SEEN_MINUS_INFINITY;
}

/* Adds +-whole * 2^exponent. */
static void add_whole(struct exact_sum *s, uint64_t whole, int exponent, bool negative)
{
    const int place = exponent - LEAST_PLACE, shift = place & 31;
    int64_t *const at = s->word + (place >> 5);
    const uint64_t high = whole >> (32 - shift);
    const int64_t sign = negative ? -1 : 1;
    at[0] += sign * (int64_t)(whole << shift & LOW_WORD);
    at[1] += sign * (int64_t)(high & LOW_WORD);
    at[2] += sign * (int64_t)(high >> 32);
    if (++s->waiting == MOST_WAITING) stria__accumulator_carry(s);
}

static void add_one(struct exact_sum *s, double x)
{
    const struct parted p = stria__part(x);
    if (p.exponent == BEYOND)
        see(s, x);
    else if (p.whole)
        add_whole(s, p.whole, p.exponent, p.negative);
}

/* Adds a product of halves of 32 bits. */
static void add_product(struct exact_sum *s, double a, double b)
{
    const struct parted x = stria__part(a), y = stria__part(b);
    if (x.exponent == BEYOND || y.exponent == BEYOND) {
        see(s, a * b);
        return;
    }
    const uint64_t xl = x.whole & LOW_WORD, xh = x.whole >> 32, yl = y.whole & LOW_WORD,
                   yh = y.whole >> 32;
    const int e = x.exponent + y.exponent;
    const bool negative = x.negative != y.negative;
    add_whole(s, xl * yl, e, negative);
    add_whole(s, xl * yh + xh * yl, e + 32, negative);
    add_whole(s, xh * yh, e + 64, negative);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void add_block(struct exact_sum *s, const double *x, int64_t n)
{
    double parts[2];
    if (stria__fold()->exact_parts(parts, x, n, &s->exponent)) {
        add_one(s, parts[0]);
        add_one(s, parts[1]);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        add_one(s, x[i]);
}

/* ---- items of other dtypes ------------------------------------------------------------------- */

static void add_integer(struct exact_sum *s, uint64_t x, int exponent, bool is_signed)
{
    const bool negative = is_signed && x >> 63;
    add_whole(s, negative ? 0 - x : x, exponent, negative);
}

static void add_f32(struct exact_sum *s, const char *items, int64_t n)
{
    double sum, wide[EXACT_BLOCK];
    float narrow[EXACT_BLOCK];
    if (stria__fold()->exact_f32(&sum, items, n)) {
        add_one(s, sum);
        return;
    }
    memcpy(narrow, items, (size_t)n * sizeof *narrow);
    for (int64_t i = 0; i < n; i++)
        wide[i] = (double)narrow[i];
    add_block(s, wide, n);
}

/*
 * Sums of items that f64 or 64 bits hold: of integers of up to 32 bits, and of f16, which are
 * multiples of 2^-24 below 2^16.
 */
static uint64_t fold(stria_kind kind, const char *items, int64_t n)
{
    uint64_t sum;
    const struct fold_block block = {.out = (char *)&sum, .in = items, .n = n, .outputs = 1};
    fold_kernels_of(stria__fold(), FOLD_SUM, kind)->rows(&block);
    return sum;
}

bool stria__accumulates(stria_kind kind)
{
    const struct fold_table *const folds = stria__fold();
    if (kind == STRIA_F16) return fold_kernels_of(folds, FOLD_SUM, kind)->rows != NULL;
    return kind <= STRIA_U64 || kind == STRIA_F32 || kind == STRIA_F64;
}

void stria__accumulate_items(struct exact_sum *s, stria_kind kind, const char *items, int64_t n)
{
    uint64_t sums[2];
    double sum;
    switch (kind) {
    case STRIA_I64:
    case STRIA_U64:
        stria__fold()->exact_halves(sums, items, n, kind == STRIA_I64);
        add_integer(s, sums[0], 0, false);
        add_integer(s, sums[1], 32, kind == STRIA_I64);
        return;
    case STRIA_F32:
        for (int64_t i = 0; i < n; i += EXACT_BLOCK)
            add_f32(s, items + i * (int64_t)sizeof(float), least(EXACT_BLOCK, n - i));
        return;
    case STRIA_F64:
        for (int64_t i = 0; i < n; i += EXACT_BLOCK)
            add_block(s, (const double *)(const void *)items + i, least(EXACT_BLOCK, n - i));
        return;
    case STRIA_F16:
        sums[0] = fold(kind, items, n);
        memcpy(&sum, &sums[0], sizeof sum);
        add_one(s, sum);
        return;
    default: add_integer(s, fold(kind, items, n), 0, true); return;
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static bool add_products(struct exact_sum *s, const double *a, const double *b, int64_t n)
{
    double products[EXACT_BLOCK], rests[EXACT_BLOCK];
    const enum exact_products are = stria__fold()->exact_products(products, rests, a, b, n);
    if (are == EXACT_PRODUCTS_FAIL) return false;
    add_block(s, products, n);
    if (are == EXACT_PRODUCTS_ROUNDED) add_block(s, rests, n);
    return true;
}

void stria__accumulate_products(struct exact_sum *s, const double *a, const double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i += EXACT_BLOCK) {
        const int64_t some = least(EXACT_BLOCK, n - i);
        if (add_products(s, a + i, b + i, some)) continue;
        for (int64_t j = i; j < i + some; j++)
            add_product(s, a[j], b[j]);
    }
}
