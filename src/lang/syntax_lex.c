/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of EXPR: Python's names, numbers and strings, the marks that join them, and what those
 * mean as operators. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "signature.h"
#include "syntax.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(char c)
{
    return is_name_start(c) || is_digit(c);
}

static int digit_value(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static stria_status bad_number(struct lexer *l, const struct token *t)
{
    return stria__fail_at(l->failure, STRIA_ERR_FORMAT, t->start, "malformed number");
}

/* Skips digits of the base, with single underscores between them. */
static bool skip_digits(struct lexer *l, int base)
{
    const size_t start = l->at;
    while (digit_value(l->source[l->at]) < base ||
           (l->source[l->at] == '_' && l->at > start && l->source[l->at - 1] != '_'))
        l->at++;
    return l->at > start && l->source[l->at - 1] != '_';
}

static void read_magnitude(const char *text, size_t length, int base, struct token *t)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '_') continue;
        if (__builtin_mul_overflow(t->magnitude, (uint64_t)base, &t->magnitude) ||
            __builtin_add_overflow(t->magnitude, (uint64_t)digit_value(text[i]), &t->magnitude))
            t->huge = true;
    }
}

static int base_of(const char *text)
{
    if (text[0] != '0') return 10;
    switch (text[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
    }
}

/* Skips the fraction and the exponent of a number whose integer part was read. */
static bool skip_fraction(struct lexer *l, bool whole)
{
    bool digits = whole;
    if (l->source[l->at] == '.') {
        l->at++;
        if (is_digit(l->source[l->at])) {
            if (!skip_digits(l, 10)) return false;
            digits = true;
        }
    }
    if (digits && (l->source[l->at] | 0x20) == 'e') {
        l->at++;
        if (l->source[l->at] == '+' || l->source[l->at] == '-') l->at++;
        return skip_digits(l, 10);
    }
    return digits;
}

/* Reads a number by strtod, with the decimal point of the locale, which may be a comma. */
static stria_status read_double(double *out, struct lexer *l, size_t start, size_t end)
{
    const char point = localeconv()->decimal_point[0];
    char *text = stria__pool_take(l->pool, end - start + 1);
    TRY_MEMORY(text);
    size_t length = 0;
    for (size_t i = start; i < end; i++)
        if (l->source[i] != '_') text[length++] = l->source[i] == '.' ? point : l->source[i];
    *out = strtod(text, NULL);
    return STRIA_OK;
}

static stria_status lex_number(struct lexer *l, struct token *t)
{
    const char *text = l->source + l->at;
    const int base = base_of(text);
    if (base != 10) l->at += 2;
    const bool whole = l->source[l->at] != '.';
    if (whole && !skip_digits(l, base)) return bad_number(l, t);
    const char next = l->source[l->at];
    t->kind = TOKEN_INT;
    if (base == 10 && (next == '.' || (next | 0x20) == 'e')) {
        t->kind = TOKEN_FLOAT;
        if (!skip_fraction(l, whole)) return bad_number(l, t);
    }
    const size_t end = l->at;
    if (base == 10 && (l->source[l->at] | 0x20) == 'j') {
        t->kind = TOKEN_IMAGINARY;
        l->at++;
    }
    if (is_name(l->source[l->at])) return bad_number(l, t);
    if (t->kind != TOKEN_INT) return read_double(&t->number, l, t->start, end);
    const size_t prefix = base == 10 ? 0 : 2;
    read_magnitude(text + prefix, end - t->start - prefix, base, t);
    if (base == 10 && text[0] == '0' && (t->huge || t->magnitude))
        return stria__fail_at(l->failure, STRIA_ERR_FORMAT, t->start,
                              "a decimal number does not start with 0");
    return STRIA_OK;
}

/* Reads one character after a backslash; \xHH takes two more digits. Unknown escapes stay, as in
 * Python. */
static bool lex_escape(struct lexer *l, char *out, size_t *length)
{
    const char c = l->source[l->at++];
    const char *from = "ntr0\\'\"", *to = "\n\t\r\0\\'\"";
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        out[(*length)++] = to[found - from];
    } else if (c == 'x') {
        const int high = digit_value(l->source[l->at]);
        const int low = high < 16 ? digit_value(l->source[l->at + 1]) : 99;
        if (low > 15) return false;
        out[(*length)++] = (char)(high * 16 + low);
        l->at += 2;
    } else {
        out[(*length)++] = '\\';
        l->at--;
    }
    return true;
}

static stria_status lex_string(struct lexer *l, struct token *t)
{
    const char quote = l->source[l->at++];
    const char *end = l->source + l->at;
    while (*end && *end != quote)
        end += *end == '\\' && end[1] ? 2 : 1;
    char *text = stria__pool_take(l->pool, (size_t)(end - l->source) - l->at + 1);
    TRY_MEMORY(text);
    size_t length = 0;
    while (l->source[l->at] != quote) {
        const char c = l->source[l->at];
        if (!c || c == '\n')
            return stria__fail_at(l->failure, STRIA_ERR_FORMAT, t->start,
                                  "the string is not closed");
        l->at++;
        if (c != '\\')
            text[length++] = c;
        else if (!lex_escape(l, text, &length))
            return stria__fail_at(l->failure, STRIA_ERR_FORMAT, l->at - 2,
                                  "\\x takes two hexadecimal digits");
    }
    l->at++;
    t->kind = TOKEN_STRING;
    t->text = text;
    t->length = length;
    return STRIA_OK;
}

static stria_status lex_name(struct lexer *l, struct token *t)
{
    while (is_name(l->source[l->at]))
        l->at++;
    t->kind = TOKEN_NAME;
    t->length = l->at - t->start;
    t->text = stria__pool_text(l->pool, l->source + t->start, t->length);
    TRY_MEMORY(t->text);
    return STRIA_OK;
}

/* Tells whether a mark of two characters stands here; all other marks are single characters. */
static bool is_pair(const char *text)
{
    static const char *const pairs[] = {"//", "**", "<<", ">>", "<=", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strncmp(text, pairs[i], 2)) return true;
    return false;
}

static stria_status lex_mark(struct lexer *l, struct token *t)
{
    const char *text = l->source + l->at;
    const char c = *text;
    t->kind = TOKEN_MARK;
    if (!strncmp(text, "...", 3)) {
        t->kind = TOKEN_ELLIPSIS;
        l->at += 3;
    } else if (is_pair(text)) {
        l->at += 2;
    } else if (strchr(".,:()[]{}=+-*/%@&|^~<>", c)) {
        t->mark = c;
        l->at++;
    } else if (c > ' ' && c < 127) {
        return stria__fail_at(l->failure, STRIA_ERR_FORMAT, t->start, "unexpected '%c'", c);
    } else {
        return stria__fail_at(l->failure, STRIA_ERR_FORMAT, t->start,
                              "unexpected character (byte 0x%02x)", (unsigned)(unsigned char)c);
    }
    return STRIA_OK;
}

stria_status stria__lex(struct lexer *l, struct token *t)
{
    while (l->source[l->at] && strchr(" \t\r\n", l->source[l->at]))
        l->at++;
    *t = (struct token){.kind = TOKEN_END, .start = l->at};
    const char *text = l->source + l->at;
    if (is_digit(*text) || (*text == '.' && is_digit(text[1])))
        STRIA_TRY(lex_number(l, t));
    else if (is_name_start(*text))
        STRIA_TRY(lex_name(l, t));
    else if (*text == '\'' || *text == '"')
        STRIA_TRY(lex_string(l, t));
    else if (*text)
        STRIA_TRY(lex_mark(l, t));
    t->end = l->at;
    return STRIA_OK;
}

/* ---- operators ------------------------------------------------------------------------------- */

#define OPERATION(text, code, level, op) {text, OPERATION_##code, LEVEL_##level, op},
static const struct operation before[] = {OPERATORS_BEFORE(OPERATION)};
static const struct operation between[] = {OPERATORS_BETWEEN(OPERATION)};

static const struct operation *find_operation(const struct operation *table, size_t count,
                                              const char *text, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (*table[i].text == *text && strlen(table[i].text) == length &&
            !memcmp(table[i].text, text, length))
            return &table[i];
    return NULL;
}

const struct operation *stria__operation_before(const char *text, size_t length)
{
    return find_operation(before, sizeof before / sizeof *before, text, length);
}

const struct operation *stria__operation_between(const char *text, size_t length)
{
    return find_operation(between, sizeof between / sizeof *between, text, length);
}

bool stria__operation_is_word(const char *name)
{
    return stria__choice("and|or|not|if|else|in|is|lambda", name) >= 0;
}

bool stria__is_identifier(const char *name)
{
    if (!is_name_start(*name)) return false;
    while (is_name(*name))
        name++;
    return !*name;
}
