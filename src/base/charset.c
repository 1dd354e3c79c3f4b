/* SPDX-License-Identifier: BSD-3-Clause */
/* Latin-1 is the first 256 characters of Unicode; those from U+0080 on have two bytes in UTF-8. */
#include "base/charset.h"

#include <stddef.h>

int stria__utf8_length(const char *text, const char *end)
{
    const unsigned char *const at = (const unsigned char *)text;
    const unsigned char first = *at;
    if (first < 0x80) return 1;
    const int length = first < 0xc2   ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 0;
    if (!length || end - text < length) return 0;
    const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (at[1] < low || at[1] > high) return 0;
    for (int i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    return length;
}

const char *stria__utf8_fault(const char *at, const char *end)
{
    for (int n; at < end; at += n)
        if (!(n = stria__utf8_length(at, end))) return at;
    return NULL;
}

enum charset stria__utf8_charset(const char *at, int length)
{
    if (length == 1) return CHARSET_ASCII;
    return (unsigned char)*at <= 0xc3 ? CHARSET_LATIN1 : CHARSET_UTF8;
}

int64_t stria__latin1_from_utf8(char *text, int64_t n)
{
    int64_t length = 0;
    for (int64_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x80) i++;
        text[length++] = c < 0x80 ? text[i] : (char)(c << 6 | ((unsigned char)text[i] & 0x3f));
    }
    return length;
}
