/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads tables of numbers. The lines are counted first, so that memory is taken once, for no more
 * numbers than the text has bytes. A number of up to 53 bits of digits and a power of ten that f64
 * holds exactly is one multiplication or division, which rounds once; strtod reads others.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/array.h"
#include "io/csv.h"
#include "io/file_ops.h"
#include "ops/make.h"
#include "stria/raw.h"
#include "base/text_reader.h"
#include "plan/threads.h"

struct table {
    const char *at, *end; /* The rest of the text. */
    char delimiter;
    int64_t line;    /* Number of the current line, from 1. */
    int64_t columns; /* Number of columns of every row. */
};

/* ---- characters ------------------------------------------------------------------------------ */

/* Tells whether the character is a blank that may stand around a field; a tab is none if tabs
 * separate fields. */
static bool is_blank(const struct table *t, char c)
{
    return c == ' ' || c == '\r' || (c == '\t' && t->delimiter != '\t');
}

static const char *skip_blanks(const struct table *t, const char *at)
{
    while (at < t->end && is_blank(t, *at))
        at++;
    return at;
}

/* Tells whether the text is the word in any case; the word has small letters. */
static bool is_word(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] | (text[i] >= 'A' && text[i] <= 'Z' ? 0x20 : 0)) != word[i]) return false;
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Digits with a point and an exponent, as they are written. */
struct digits {
    uint64_t number;
    int exponent, count; /* Decimal exponent, and number of digits without leading zeros. */
    bool minus;
};

/* Takes the digits that follow; `places` tells that they are decimal places. */
static const char *take_digits(struct digits *d, const char *at, const char *end, int places)
{
    for (; at < end && is_digit(*at); at++) {
        if (d->count < 19) {
            d->number = 10 * d->number + (uint64_t)(*at - '0');
            d->exponent -= places;
            d->count += d->number != 0;
        } else {
            d->count = 20; /* More digits than 64 bits hold. */
        }
    }
    return at;
}

/* Returns the end of the exponent at this place, or the place itself if there is none. */
static const char *take_exponent(struct digits *d, const char *from, const char *end)
{
    const char *at = from + 1;
    int exponent = 0;
    if (from == end || (*from | 0x20) != 'e') return from;
    const bool minus = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || !is_digit(*at)) return from;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 10000) exponent = 10 * exponent + (*at - '0');
    d->exponent += minus ? -exponent : exponent;
    return at;
}

/* Reads a decimal number as the nearest f64; false if it is too long. The point is replaced, since
 * strtod wants that of the locale. */
static bool read_exactly(double *out, const char *from, const char *end)
{
    char text[900];
    const size_t length = (size_t)(end - from);
    if (length >= sizeof text) return false;
    memcpy(text, from, length);
    text[length] = 0;
    char *const point = strchr(text, '.');
    if (point) *point = localeconv()->decimal_point[0];
    const int before = errno;
    *out = strtod(text, NULL);
    errno = before;
    return true;
}

/* Reads a number; returns its end, or NULL if there is none. */
static const char *read_number(double *out, const char *at, const char *end)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct digits d = {.minus = at < end && *at == '-'};
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *const from = at;
    at = take_digits(&d, at, end, 0);
    const bool point = at < end && *at == '.';
    if (point) at = take_digits(&d, at + 1, end, 1);
    if (at - from == point) return NULL; /* There is no digit. */
    at = take_exponent(&d, at, end);
    if (d.count <= 19 && d.number <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22)
        *out = d.exponent < 0 ? (double)d.number / powers[-d.exponent]
                              : (double)d.number * powers[d.exponent];
    else if (!read_exactly(out, from, at))
        return NULL;
    if (d.minus) *out = -*out;
    return at;
}

/* Reads a field that consists of the whole text; false if it is neither a number nor a word for
 * one. */
static bool read_text(double *out, const char *from, size_t length)
{
    static const char *const missing[] = {"", "nan", "na", "n/a", "null", "none"};
    for (; length > 0 && *from == ' '; length--) /* Blanks within quotes are skipped, too. */
        from++;
    const bool sign = length > 0 && (*from == '-' || *from == '+');
    if (read_number(out, from, from + length) == from + length) return true;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (is_word(from, length, missing[i])) {
            *out = (double)NAN;
            return true;
        }
    if (!is_word(from + sign, length - sign, "inf") &&
        !is_word(from + sign, length - sign, "infinity") &&
        !is_word(from + sign, length - sign, "nan"))
        return false;
    *out = (from[length - 1] | 0x20) == 'n' ? (double)NAN : (double)INFINITY;
    if (*from == '-') *out = -*out;
    return true;
}

/* ---- fields ---------------------------------------------------------------------------------- */

struct field {
    const char *text;
    size_t length;
    bool last; /* The field ends its line. */
};

/* Steps from the end of a field over its separator; false if something else stands there. */
static bool end_field(struct table *t, const char *at, bool *last)
{
    const char *const next = skip_blanks(t, at);
    *last = next == t->end || *next == '\n';
    const bool blanks = t->delimiter == ' ' && !*last;
    if (blanks ? next == at : !*last && *next != t->delimiter) return false;
    t->at = blanks || next == t->end ? next : next + 1;
    return true;
}

/* Takes the next field of a line, whatever it contains. */
static stria_status next_field(struct field *out, struct table *t)
{
    const char *from = skip_blanks(t, t->at), *at = from;
    if (at < t->end && *at == '"') {
        from = ++at;
        while (at < t->end && *at != '\n' && (*at != '"' || (at + 1 < t->end && at[1] == '"')))
            at += *at == '"' ? 2 : 1;
        if (at >= t->end || *at == '\n')
            return stria__fail(STRIA_ERR_FORMAT, "csv: line %lld: a quote is open at its end",
                               (long long)t->line);
        *out = (struct field){from, (size_t)(at - from), false};
        if (end_field(t, at + 1, &out->last)) return STRIA_OK;
        return stria__fail(STRIA_ERR_FORMAT, "csv: line %lld: text behind the quotes of '%.*s'",
                           (long long)t->line, (int)(out->length < 40 ? out->length : 40),
                           out->text);
    }
    while (at < t->end && *at != '\n' && *at != t->delimiter &&
           (t->delimiter != ' ' || *at != '\t'))
        at++;
    const char *end = at;
    while (end > from && is_blank(t, end[-1]))
        end--;
    *out = (struct field){from, (size_t)(end - from), false};
    (void)end_field(t, at, &out->last);
    return STRIA_OK;
}

/* Goes to the next line that has fields, if there is one. */
static bool find_line(struct table *t)
{
    while (t->at < t->end) {
        const char *const from = skip_blanks(t, t->at);
        if (from < t->end && *from != '\n' && *from != '#') break;
        const char *const end = memchr(from, '\n', (size_t)(t->end - from));
        t->at = end ? end + 1 : t->end;
        t->line++;
    }
    return t->at < t->end;
}

static stria_status read_field(double *out, struct table *t, int64_t column, bool *last)
{
    struct field field;
    const char *const end = read_number(out, skip_blanks(t, t->at), t->end);
    if (end && end_field(t, end, last)) return STRIA_OK;
    STRIA_TRY(next_field(&field, t));
    *last = field.last;
    if (read_text(out, field.text, field.length)) return STRIA_OK;
    return stria__fail(STRIA_ERR_FORMAT, "csv: line %lld, field %lld: '%.*s' is no number",
                       (long long)t->line, (long long)column + 1,
                       (int)(field.length < 40 ? field.length : 40), field.text);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Finds the separator of fields from the first line. */
static char find_delimiter(const struct table *t)
{
    static const char all[] = "\t;,";
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    if (!end) end = t->end;
    for (int i = 0; all[i]; i++)
        if (memchr(t->at, all[i], (size_t)(end - t->at))) return all[i];
    while (end > t->at && (end[-1] == ' ' || end[-1] == '\r'))
        end--;
    return memchr(t->at, ' ', (size_t)(end - t->at)) ? ' ' : ',';
}

/* Counts the fields of the first line, and steps over it where it is a header. */
static stria_status read_first(struct table *t)
{
    const char *const begin = t->at;
    struct field field = {.last = false};
    bool header = false;
    double number;
    for (; !field.last; t->columns++) {
        STRIA_TRY(next_field(&field, t));
        header |= !read_text(&number, field.text, field.length);
    }
    if (header)
        t->line++;
    else
        t->at = begin;
    return STRIA_OK;
}

static int64_t count_lines(struct table t)
{
    int64_t count = 0;
    for (; find_line(&t); count++) {
        const char *const end = memchr(t.at, '\n', (size_t)(t.end - t.at));
        t.at = end ? end + 1 : t.end;
    }
    return count;
}

static stria_status wrong_length(const struct table *t, bool fewer)
{
    return stria__fail(STRIA_ERR_FORMAT, "csv: line %lld has %s fields than the %lld of the first",
                       (long long)t->line, fewer ? "fewer" : "more", (long long)t->columns);
}

static stria_status read_row(double *out, struct table *t)
{
    bool last = false;
    int64_t count = 0;
    for (; count < t->columns && !last; count++)
        STRIA_TRY(read_field(&out[count], t, count, &last));
    if (!last || count < t->columns) return wrong_length(t, last);
    t->line++;
    return STRIA_OK;
}

/* Each field of a row takes a byte of text at least, so that the size of the text bounds the
 * memory. */
static stria_status read_rows(stria_array *out, struct table *t)
{
    const int64_t lines = count_lines(*t), most = (t->end - t->at + 1) / t->columns,
                  shape[] = {lines < most ? lines : most, t->columns};
    OWNED_ARRAY(made);
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_F64), 2, shape));
    double *row = (double *)(void *)made.view.data;
    for (int64_t i = 0; find_line(t); i++, row += t->columns)
        STRIA_TRY(i < shape[0] ? read_row(row, t) : wrong_length(t, true));
    return stria__deliver(out, &made, STRIA_OK);
}

stria_status stria__csv_check_delimiter(char delimiter)
{
    const bool letter = (delimiter | 0x20) >= 'a' && (delimiter | 0x20) <= 'z';
    if (!strchr("+-.\"#\n\r", delimiter) && !is_digit(delimiter) && !letter) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "csv: character %d does not stand between numbers",
                       (int)(unsigned char)delimiter);
}

static stria_status parse(stria_array *out, const char *text, int64_t size, char delimiter)
{
    static const char mark[] = "\xef\xbb\xbf"; /* Some editors begin a UTF-8 file with this mark. */
    struct table t = {.at = text, .end = text + size, .delimiter = delimiter, .line = 1};
    if (size >= 3 && !memcmp(text, mark, 3)) t.at += 3;
    if (!find_line(&t)) return stria__fail(STRIA_ERR_FORMAT, "csv: there is no line with a field");
    if (!delimiter) t.delimiter = find_delimiter(&t);
    STRIA_TRY(read_first(&t));
    if (!find_line(&t))
        return stria__fail(STRIA_ERR_FORMAT, "csv: no numbers follow the first line, where fields "
                                             "are none");
    return read_rows(out, &t);
}

stria_status stria_csv_parse(stria_array *out, const void *text, int64_t size, char delimiter,
                             const stria_exec *exec)
{
    TAKES_EXEC(exec, "csv_parse");
    if (!out || (!text && size > 0) || size < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "csv: out or text is NULL, or size is negative");
    if (delimiter) STRIA_TRY(stria__csv_check_delimiter(delimiter));
    IN_DEFAULT_FP_MODE;
    return parse(out, size ? text : "", size, delimiter);
}

stria_status stria_csv_read(stria_array *out, const char *path, char delimiter,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "csv_read");
    OWNED_ARRAY(file);
    const int64_t all = -1;
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "csv: out or path is NULL");
    STRIA_TRY(
        stria_raw_read(&file, path, stria_dtype_of(STRIA_U8), 1, &all, 0, STRIA_NPY_MAP, NULL));
    return stria__with_path(
        stria_csv_parse(out, file.view.data, stria_nbytes(&file.view), delimiter, NULL), path);
}
