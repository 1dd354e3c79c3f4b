/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of text_reader.h. */
#include "text_reader.h"

#include <stdio.h>
#include <string.h>

#include "integers.h"
#include "status.h"
#include "text_writer.h"

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

struct shown_text stria__reader_shown(const struct reader *r)
{
    struct shown_text out = {"the end"};
    struct reader ahead = *r;
    stria__reader_skip_space(&ahead);
    const char *at = ahead.at, *end = at + 1;
    if (at >= r->end) return out;
    if (is_quote(*at)) {
        end = stria__reader_skip_string(r, at++);
        if (end[-1] == at[-1] && end > at) end--;
    } else if (is_word(*at)) {
        while (is_word(*end))
            end++;
    }
    const int most = 32, length = end - at < most ? (int)(end - at) : most;
    char shown[33];
    for (int i = 0; i < length; i++)
        shown[i] = at[i] >= ' ' && at[i] < 0x7f ? at[i] : '?';
    (void)snprintf(out.text, sizeof out.text, "'%.*s'%s", length, shown,
                   end - at > most ? "..." : "");
    return out;
}

stria_status stria__reader_wrong(struct reader *r, const char *wanted)
{
    r->wanted = wanted;
    if (r->json && r->at >= r->end)
        return stria__fail(STRIA_ERR_FORMAT, "%s ends where %s belongs", r->op, wanted);
    if (r->json)
        return stria__fail(STRIA_ERR_FORMAT, "byte %lld of %s is 0x%02x where %s belongs",
                           (long long)(r->at - r->begin), r->op, (unsigned char)*r->at, wanted);
    if (r->strict)
        return stria__fail(STRIA_ERR_FORMAT, "%s: %s where %s belongs", r->op,
                           stria__reader_shown(r).text, wanted);
    return stria__fail(STRIA_ERR_FORMAT, "%s: %s expected at byte %lld of the text: '%.40s'", r->op,
                       wanted, (long long)(r->at - r->begin), r->at);
}

/* ---- marks ----------------------------------------------------------------------------------- */

void stria__reader_skip_space(struct reader *r)
{
    r->at += strspn(r->at, r->json ? " \t\n\r" : r->strict ? " " : " \n\t");
}

bool stria__reader_took(struct reader *r, char mark)
{
    stria__reader_skip_space(r);
    if (*r->at != mark) return false;
    r->at++;
    return true;
}

stria_status stria__reader_take(struct reader *r, const char *mark)
{
    return stria__reader_took(r, mark[1]) ? STRIA_OK : stria__reader_wrong(r, mark);
}

stria_status stria__reader_next(struct reader *r, char end, int count, bool *more)
{
    *more = false;
    if (stria__reader_took(r, end)) return STRIA_OK;
    if (count && !stria__reader_took(r, ','))
        return stria__reader_wrong(r, !r->json     ? "a comma or the end of the list"
                                      : end == ']' ? "a comma or ]"
                                                   : "a comma or }");
    *more = !count || r->json || !stria__reader_took(r, end);
    return STRIA_OK;
}

char stria__reader_open(struct reader *r)
{
    if (!r->json && stria__reader_took(r, '(')) return ')';
    return (r->json || !r->strict) && stria__reader_took(r, '[') ? ']' : 0;
}

/* ---- strings --------------------------------------------------------------------------------- */

const char *stria__reader_skip_string(const struct reader *r, const char *at)
{
    const char quote = *at++;
    while (at < r->end && *at != quote)
        at += *at == '\\' && at + 1 < r->end ? 2 : 1;
    return at < r->end ? at + 1 : r->end;
}

const char *stria__reader_skip_value(const struct reader *r, const char *at)
{
    for (int64_t depth = 0; at < r->end;) {
        const bool opens = *at == '(' || *at == '[' || *at == '{';
        const bool closes = *at == ')' || *at == ']' || *at == '}';
        if (depth == 0 && (closes || *at == ',' || *at == ':')) break;
        depth += opens - closes;
        at = is_quote(*at) ? stria__reader_skip_string(r, at) : at + 1;
    }
    return at;
}

int stria__reader_key(struct reader *r, int count, const char *const keys[])
{
    stria__reader_skip_space(r);
    if (r->at == r->end || !is_quote(*r->at)) return -1;
    const char *const end = stria__reader_skip_string(r, r->at);
    for (int i = 0; i < count; i++) {
        const size_t n = strlen(keys[i]);
        if ((size_t)(end - r->at) != n + 2 || memcmp(r->at + 1, keys[i], n)) continue;
        r->at = end;
        return i;
    }
    return -1;
}

/* Returns the value of a hexadecimal digit; 99 for another character. */
static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* Takes so many hexadecimal digits; a character has at most 21 bits. */
static bool take_code(struct reader *r, int digits, uint32_t *code)
{
    for (*code = 0; digits > 0; digits--, r->at++) {
        if (digit_of(*r->at) > 15 || *code > 0x10ffff) return false;
        *code = *code * 16 + (uint32_t)digit_of(*r->at);
    }
    return true;
}

/* Takes the second of two surrogates, by which JSON escapes a character beyond 16 bits. */
static bool take_surrogate(struct reader *r, uint32_t *code)
{
    uint32_t low;
    if (r->at[0] != '\\' || r->at[1] != 'u') return false;
    r->at += 2;
    if (!take_code(r, 4, &low) || low < 0xdc00 || low > 0xdfff) return false;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

/*
 * Writes an escaped character as UTF-8, which takes fewer bytes than the escape has characters;
 * false for an escape that names do not need.
 */
static bool unescape(struct reader *r, char **to)
{
    const char *const from = r->json ? "bfnrt/\\\"" : "ntr\\'\"", *const into =
                                                                      r->json ? "\b\f\n\r\t/\\\""
                                                                              : "\n\t\r\\'\"";
    if (!*r->at) return false;
    const char c = *r->at++, *const found = strchr(from, c);
    if (found) {
        *(*to)++ = into[found - from];
        return true;
    }
    uint32_t code;
    if (!take_code(r, c == 'u' ? 4 : r->json ? 0 : c == 'x' ? 2 : c == 'U' ? 8 : 0, &code))
        return false;
    if (r->json && code >> 10 == 0xd800 >> 10 && !take_surrogate(r, &code)) return false;
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    *to += stria__put_utf8(*to, code);
    return true;
}

/* Bytes from 0x80 on are those of an encoding that the caller has checked. */
static bool may_stand_in_file(const struct reader *r, char c)
{
    return (unsigned char)c >= ' ' && (r->json || (c != 0x7f && c != '\\'));
}

stria_status stria__reader_string(struct reader *r, char **to, const char *wanted)
{
    stria__reader_skip_space(r);
    if (!is_quote(*r->at) || (r->json && *r->at != '"')) return stria__reader_wrong(r, wanted);
    for (const char quote = *r->at++; *r->at != quote;) {
        if (r->at == r->end) return stria__reader_wrong(r, "the end of a string");
        if (r->strict && !may_stand_in_file(r, *r->at))
            return stria__reader_wrong(r, r->json ? "a character of UTF-8"
                                                  : "a character of a string");
        const char c = *r->at++;
        if (c != '\\' && r->latin1)
            *to += stria__put_utf8(*to, (unsigned char)c);
        else if (c != '\\')
            *(*to)++ = c;
        else if (!unescape(r, to))
            return stria__reader_wrong(r, "another escape");
    }
    r->at++;
    *(*to)++ = 0;
    return STRIA_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

stria_status stria__reader_number(struct reader *r, int64_t *out, const char *wanted)
{
    stria__reader_skip_space(r);
    const char *at = r->at;
    bool fits = true;
    if (!is_digit(*at)) return stria__reader_wrong(r, wanted);
    for (*out = 0; is_digit(*at); at++)
        fits = fits && !mul_overflows(*out, 10, out) && !add_overflows(*out, *at - '0', out);
    /* Files do not write numbers as 12L, 0x4, 1_0, 4.0 or 04. */
    if (r->strict && ((is_word(*at) && !r->json) || (*r->at == '0' && at - r->at > 1)))
        return stria__reader_wrong(r, wanted);
    if (!fits && r->json) return stria__reader_wrong(r, "a size below 2^63");
    if (!fits)
        return stria__fail(STRIA_ERR_FORMAT, "%s: the number %s exceeds 2^63 - 1", r->op,
                           stria__reader_shown(r).text);
    r->at = at;
    return STRIA_OK;
}

stria_status stria__reader_truth(struct reader *r, bool *out)
{
    stria__reader_skip_space(r);
    *out = !strncmp(r->at, "True", 4);
    const int length = *out ? 4 : 5;
    if ((!*out && strncmp(r->at, "False", 5) != 0) || is_word(r->at[length]))
        return stria__reader_wrong(r, "True or False");
    r->at += length;
    return STRIA_OK;
}

stria_status stria__reader_shape(struct reader *r, int *ndim, int64_t sizes[STRIA_MAX_NDIM])
{
    stria__reader_skip_space(r);
    const char *const begin = r->at, end = stria__reader_open(r);
    *ndim = 0;
    if (!end) {
        if (r->strict || !is_digit(*r->at)) return stria__reader_wrong(r, "a tuple of sizes");
        *ndim = 1;
        return stria__reader_number(r, sizes, "a size");
    }
    for (bool more = true;; ++*ndim) {
        STRIA_TRY(stria__reader_next(r, end, *ndim, &more));
        if (!more) break;
        if (*ndim == STRIA_MAX_NDIM)
            return stria__fail(r->strict ? STRIA_ERR_UNSUPPORTED : STRIA_ERR_FORMAT,
                               "%s: a shape of more than %d dims", r->op, (int)STRIA_MAX_NDIM);
        STRIA_TRY(stria__reader_number(r, &sizes[*ndim], "a size"));
    }
    if (!r->strict || r->json || *ndim != 1 || memchr(begin, ',', (size_t)(r->at - begin)))
        return STRIA_OK;
    return stria__fail(STRIA_ERR_FORMAT, "%s: (%lld) is a number; a tuple of one size is (%lld,)",
                       r->op, (long long)sizes[0], (long long)sizes[0]);
}
