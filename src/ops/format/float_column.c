/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements columns of floats (columns.h) by the rules of NumPy's FloatingFormat, mode
 * 'maxprec'. */
#include "ops/format/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 24 };

static const double fewest = 1e-4; /* Smaller numbers have exponents. */

/* A number in pieces: digits before the point, digits behind it, and an exponent. */
struct pieces {
    bool minus;
    uint64_t number; /* The digits as an integer, without trailing zeros. */
    int count;       /* Number of digits; 0 for zero. */
    int point;       /* Number of digits before the point; the point may lie outside of them. */
    int exponent;
};

static bool is_finite(double x)
{
    return x - x == 0;
}

/*
 * Takes precision + 1 digits of the number itself, at most 19. The library's printf is exact; its
 * point, which depends on the locale, is skipped.
 */
static void print_exact(struct pieces *p, double x, int precision)
{
    char text[64];
    const int size = snprintf(text, sizeof text, "%.*e", precision, x);
    p->count = 0;
    p->number = 0;
    for (int i = 0; i < size; i++) {
        if (text[i] == 'e') {
            p->exponent = (int)strtol(text + i + 1, NULL, 10);
            return;
        }
        if (text[i] < '0' || text[i] > '9') continue;
        p->number = 10 * p->number + (uint64_t)(text[i] - '0');
        p->count++;
    }
}

static void take_exact(struct pieces *p, double x, int precision)
{
    struct decimal d;
    if (!stria__rounded(&d, x, precision + 1)) {
        print_exact(p, x, precision);
        return;
    }
    p->number = d.digits;
    p->count = precision + 1;
    p->exponent = d.exponent + precision;
}

/* Returns the least number of the format that is not subnormal, by the bits of its f64. */
static double least_normal(struct binary_format format)
{
    const uint64_t bits = (uint64_t)(1023 + format.least + format.bits - 1) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/*
 * Tells whether a number and its shortest decimal, followed by zeros, may differ in so many digits
 * behind the first one; for a subnormal number they may in all.
 */
static bool may_differ(struct binary_format format, double x, int digits)
{
    return digits >= (format.bits - 1) * 3 / 10 || x < least_normal(format);
}

static struct pieces pieces_of(const struct float_column *c, double x)
{
    struct pieces p = {.minus = signbit(x) != 0};
    if (x == 0) {
        p.point = c->exponents;
        return p;
    }
    struct decimal d = stria__shortest(fabs(x), c->format);
    if (c->precision >= 0) {
        const int first = d.exponent + stria__count_digits(d.digits) - 1;
        d = stria__decimal_round(d, c->exponents ? first - c->precision : -c->precision);
    }
    if (d.digits == 0) return p;
    p.count = stria__count_digits(d.digits);
    p.number = d.digits;
    p.point = d.exponent + p.count;
    if (c->exponents) {
        p.exponent = p.point - 1;
        p.point = 1;
        if (c->filled && d.rest && p.count <= c->precision &&
            may_differ(c->format, fabs(x), c->precision))
            take_exact(&p, x, c->precision);
    }
    return p;
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int before_point(const struct float_column *c, const struct pieces *p)
{
    return at_least(p->point, 1) + (p->minus || c->plus);
}

static int behind_point(const struct pieces *p)
{
    return at_least(p->count - p->point, 0);
}

static int exponent_digits(int exponent)
{
    const int size = exponent < 0 ? -exponent : exponent;
    return size < 100 ? 2 : 3;
}

void stria__float_range(struct float_column *c, double x)
{
    if (!is_finite(x)) {
        c->odd = true;
        c->negative_infinity = c->negative_infinity || x < 0;
        return;
    }
    const double size = fabs(x);
    c->finite = true;
    if (size == 0) return;
    if (size > c->most) c->most = size;
    if (c->least == 0 || size < c->least) c->least = size;
}

/* Rounds to the significand of the format, by Veltkamp's splitting; x is far from overflow. */
static double rounded(struct binary_format format, double x)
{
    if (format.bits == 53) return x;
    const double wide = x * (double)((UINT64_C(1) << (53 - format.bits)) + 1);
    return wide - (wide - x);
}

/* Decides on exponents as NumPy does, in the dtype of the numbers. */
void stria__float_decide(struct float_column *c, double cutoff, bool suppress)
{
    const double most_ratio = 1000; /* Ratio of the largest to the smallest. */
    if (c->most == 0) return;
    c->exponents = c->most >= cutoff;
    if (suppress || c->exponents) return;
    c->exponents = c->least < rounded(c->format, fewest) ||
                   rounded(c->format, c->most / c->least) > most_ratio;
}

void stria__float_measure(struct float_column *c, double x)
{
    if (!is_finite(x)) return;
    const struct pieces p = pieces_of(c, x);
    c->left = at_least(c->left, before_point(c, &p));
    c->right = at_least(c->right, behind_point(&p));
    c->exponent = at_least(c->exponent, c->exponents ? exponent_digits(p.exponent) : 0);
}

static int exponent_width(const struct float_column *c)
{
    return c->exponents ? c->exponent + 2 : 0;
}

void stria__float_finish(struct float_column *c)
{
    if (c->exponents) {
        c->precision = c->right;
        c->filled = true;
    }
    if (!c->odd) return;
    const int word = 3 + (c->plus || c->negative_infinity); /* Width of nan, inf, -inf. */
    const int behind = c->right + exponent_width(c) + 1;
    c->left = at_least(c->left, at_least(word, 3) - behind);
}

/* Writes the last `count` digits of n. */
static void put_digits(char *to, uint64_t n, int count)
{
    for (int i = count; i-- > 0; n /= 10)
        to[i] = (char)('0' + n % 10);
}

/* Writes digits from .. to of the number, which has zeros before and behind its own. */
static void write_digits(struct text *out, const char *digits, int count, int from, int to)
{
    const int first = from < 0 ? (to < 0 ? to : 0) : from, last = to < count ? to : count;
    if (first > from) stria__text_fill(out, '0', (size_t)(first - from));
    if (last > first) stria__text_add(out, digits + first, (size_t)(last - first));
    if (to > at_least(first, last))
        stria__text_fill(out, '0', (size_t)(to - at_least(first, last)));
}

/* Writes the digits before the point, at least one, the point, and the digits behind it. */
static void write_pieces(struct text *out, const struct pieces *p, int behind, bool point)
{
    char digits[DIGITS];
    put_digits(digits, p->number, p->count);
    write_digits(out, digits, p->count, p->point < 1 ? p->point - 1 : 0, p->point);
    if (point) stria__text_add(out, ".", 1);
    write_digits(out, digits, p->count, p->point, p->point + behind);
}

static void write_exponent(struct text *out, int exponent, int digits)
{
    char text[16] = {'e', exponent < 0 ? '-' : '+'};
    put_digits(text + 2, (uint64_t)(exponent < 0 ? -exponent : exponent), digits);
    stria__text_add(out, text, (size_t)digits + 2);
}

static void write_odd(struct text *out, double x, bool plus)
{
    const char *const word = x < 0 ? "-inf" : x > 0 ? "+inf" : "+nan";
    const int skip = !plus && *word == '+';
    stria__text_add(out, word + skip, (size_t)(4 - skip));
}

void stria__float_write(struct text *out, const struct float_column *c, double x)
{
    if (!is_finite(x)) {
        const int width = c->left + 1 + c->right + exponent_width(c);
        const int length = 3 + (c->plus || x < 0);
        stria__text_fill(out, ' ', (size_t)at_least(width - length, 0));
        write_odd(out, x, c->plus);
        return;
    }
    const struct pieces p = pieces_of(c, x);
    const int behind = behind_point(&p), left = before_point(c, &p);
    stria__text_fill(out, ' ', (size_t)at_least(c->left - left, 0));
    if (p.minus || c->plus) stria__text_add(out, p.minus ? "-" : "+", 1);
    write_pieces(out, &p, behind, true);
    stria__text_fill(out, c->exponents ? '0' : ' ', (size_t)at_least(c->right - behind, 0));
    if (c->exponents) write_exponent(out, p.exponent, c->exponent);
}

void stria__float_scalar(struct text *out, struct binary_format format, double x, double cutoff,
                         bool keep_point, bool plus)
{
    if (!is_finite(x)) {
        write_odd(out, x, plus);
        return;
    }
    const double size = fabs(x);
    const struct float_column c = {.format = format,
                                   .exponents = size != 0 && (size >= cutoff || size < fewest),
                                   .precision = -1};
    const struct pieces p = pieces_of(&c, x);
    const int behind = behind_point(&p);
    if (p.minus || plus) stria__text_add(out, p.minus ? "-" : "+", 1);
    write_pieces(out, &p, behind, behind || (keep_point && !c.exponents));
    if (!behind && keep_point && !c.exponents) stria__text_add(out, "0", 1);
    if (c.exponents) write_exponent(out, p.exponent, exponent_digits(p.exponent));
}
