/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/expr/number_text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 1000 }; /* more than any f64 needs to be told apart */

static void set_real(struct number *out, double x)
{
    out->kind = STRIA_F64;
    memcpy(out->item, &x, sizeof x);
}

static void set_integer(struct number *out, int64_t x)
{
    out->kind = STRIA_I64;
    memcpy(out->item, &x, sizeof x);
}

/* ---- text ------------------------------------------------------------------------------------ */

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* The length of a float: digits with a point, an exponent or both; 0 for an integer. */
static size_t float_length(const char *text)
{
    size_t length = digits(text);
    const bool point = text[length] == '.';
    if (point) length += 1 + digits(text + length + 1);
    if (text[length] == 'e' || text[length] == 'E') {
        const bool sign = text[length + 1] == '-' || text[length + 1] == '+';
        const size_t exponent = digits(text + length + 1 + sign);
        if (exponent > 0) return length + 1 + sign + exponent;
    }
    return point ? length : 0;
}

/* strtod reads the decimal point of the locale, which may be a comma. */
static bool read_real(double *out, const char *text, size_t length)
{
    char copy[MOST_DIGITS];
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    char *const point = strchr(copy, '.');
    if (point) *point = localeconv()->decimal_point[0];
    *out = strtod(copy, NULL);
    return true;
}

static size_t read_integer(struct number *out, const char *text)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    const unsigned long long x = strtoull(text, &end, hex ? 16 : 10);
    if (errno || (hex && end <= text + 2) || x > UINT64_MAX) return 0;
    set_integer(out, (int64_t)x);
    if (x > INT64_MAX) out->kind = STRIA_U64;
    return (size_t)(end - text);
}

size_t stria__number_read(struct number *out, const char *text)
{
    double parts[2] = {0, 0};
    const int before = errno;
    size_t length = float_length(text);
    const size_t whole = digits(text);
    const bool imaginary = text[length ? length : whole] == 'j';
    if (length == 0 && !imaginary) {
        length = read_integer(out, text);
        errno = before;
        return length;
    }
    if (length == 0) length = whole;
    const bool fits = read_real(&parts[imaginary], text, length);
    errno = before;
    if (!fits) return 0;
    set_real(out, parts[0]);
    if (!imaginary) return length;
    out->kind = STRIA_C128;
    memcpy(out->item, parts, sizeof parts);
    return length + 1;
}

bool stria__number_named(struct number *out, const char *name, size_t length)
{
    static const struct {
        const char *name;
        double value;
    } reals[] = {{"inf", (double)INFINITY},
                 {"nan", (double)NAN},
                 {"pi", 0x1.921fb54442d18p+1},
                 {"e", 0x1.5bf0a8b145769p+1}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (strlen(reals[i].name) == length && !memcmp(reals[i].name, name, length)) {
            set_real(out, reals[i].value);
            return true;
        }
    const bool truth = length == 4 && !memcmp(name, "True", 4);
    if (!truth && (length != 5 || memcmp(name, "False", 5) != 0)) return false;
    out->kind = STRIA_BOOL;
    memcpy(out->item, &truth, sizeof truth);
    return true;
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* A truth counts as 0 or 1. False where it is no i64. */
static bool integer_of(int64_t *out, const struct number *x)
{
    if (x->kind == STRIA_I64) memcpy(out, x->item, sizeof *out);
    if (x->kind == STRIA_BOOL) *out = x->item[0] != 0;
    return x->kind == STRIA_I64 || x->kind == STRIA_BOOL;
}

bool stria__number_sign(struct number *x, char sign)
{
    int64_t integer;
    double parts[2];
    uint64_t large;
    memcpy(parts, x->item, sizeof parts);
    memcpy(&large, x->item, sizeof large);
    if (integer_of(&integer, x)) {
        if (sign == '-' && integer == INT64_MIN) return false;
        set_integer(x, sign == '-' ? -integer : integer);
    } else if (x->kind == STRIA_U64) {
        if (sign == '-' && large > (uint64_t)INT64_MAX + 1) return false;
        if (sign == '-') set_integer(x, INT64_MIN);
    } else if (sign == '-') {
        parts[0] = -parts[0];
        parts[1] = -parts[1];
        memcpy(x->item, parts, x->kind == STRIA_C128 ? sizeof parts : sizeof *parts);
    }
    return true;
}
