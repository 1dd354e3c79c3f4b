/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of text_reader.h. */
#include "text_reader.h"

#include <string.h>

#include "status.h"
#include "text_writer.h"

stria_status stria__reader_wrong(const struct reader *r, const char *wanted)
{
    return stria__fail(STRIA_ERR_FORMAT, "dtype: %s expected at byte %lld of the text: '%.40s'",
                       wanted, (long long)(r->at - r->begin), r->at);
}

void stria__reader_skip_space(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')
        r->at++;
}

bool stria__reader_took(struct reader *r, char mark)
{
    stria__reader_skip_space(r);
    if (*r->at != mark) return false;
    r->at++;
    return true;
}

stria_status stria__reader_take(struct reader *r, char mark)
{
    const char wanted[] = {'\'', mark, '\'', 0};
    return stria__reader_took(r, mark) ? STRIA_OK : stria__reader_wrong(r, wanted);
}

stria_status stria__reader_next(struct reader *r, char end, int count, bool *more)
{
    *more = false;
    if (stria__reader_took(r, end)) return STRIA_OK;
    if (count && !stria__reader_took(r, ','))
        return stria__reader_wrong(r, "a comma or the end of the list");
    *more = !stria__reader_took(r, end);
    return STRIA_OK;
}

const char *stria__reader_skip_string(const char *at)
{
    const char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

const char *stria__reader_skip_value(const char *at)
{
    for (int64_t depth = 0; *at;) {
        if (*at == '\'' || *at == '"') {
            at = stria__reader_skip_string(at);
            continue;
        }
        if (strchr("([{", *at)) depth++;
        if (depth == 0 && strchr(",:)]}", *at)) break;
        if (strchr(")]}", *at)) depth--;
        at++;
    }
    return at;
}

int stria__reader_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

bool stria__reader_unescape(struct reader *r, char **to)
{
    static const char from[] = "ntr\\'\"", into[] = "\n\t\r\\'\"";
    if (!*r->at) return false;
    const char c = *r->at++, *const found = strchr(from, c);
    if (found) {
        *(*to)++ = into[found - from];
        return true;
    }
    uint32_t code = 0;
    for (int n = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; n > 0; n--, r->at++) {
        if (stria__reader_digit(*r->at) > 15 || code > 0x10ffff) return false;
        code = code * 16 + (uint32_t)stria__reader_digit(*r->at);
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    *to += stria__put_utf8(*to, code);
    return true;
}

stria_status stria__reader_number(struct reader *r, int64_t *out)
{
    stria__reader_skip_space(r);
    if (!is_digit(*r->at)) return stria__reader_wrong(r, "a number");
    for (*out = 0; is_digit(*r->at); r->at++) {
        *out = 10 * *out + (*r->at - '0');
        if (*out > INT64_MAX / 20) return stria__reader_wrong(r, "a smaller number");
    }
    return STRIA_OK;
}
