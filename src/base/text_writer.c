/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of text_writer.h. */
#include "text_writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

void stria__print(struct written *to, const char *format, ...)
{
    const size_t left = to->used < to->room ? to->room - to->used : 0;
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(left ? to->bytes + to->used : NULL, left, format, args);
    va_end(args);
    to->used += n > 0 ? (size_t)n : 0;
}

void stria__print_dims(struct written *to, int n, const int64_t *sizes)
{
    stria__print(to, "(");
    for (int i = 0; i < n; i++)
        stria__print(to, i ? ", %" PRId64 : "%" PRId64, sizes[i]);
    stria__print(to, n == 1 ? ",)" : ")");
}

/* Tells of a byte that follows 0xc2 in UTF-8 whether it is hidden: control characters that a
 * terminal obeys, and hidden hyphens. */
static bool is_control(unsigned char c)
{
    return (c >= 0x80 && c <= 0xa0) || c == 0xad;
}

static void print_string(struct written *to, const char *text, char quote, bool json)
{
    const char *const controls = json ? "\b\f\n\r\t" : "\n\r\t", *const letters =
                                                                     json ? "bfnrt" : "nrt";
    stria__print(to, "%c", quote);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const char *const control = strchr(controls, *text);
        if (c == '\\' || c == (unsigned char)quote)
            stria__print(to, "\\%c", c);
        else if (control)
            stria__print(to, "\\%c", letters[control - controls]);
        else if (c < ' ' || (c == 0x7f && !json))
            stria__print(to, json ? "\\u%04x" : "\\x%02x", c);
        else if (c == 0xc2 && !json && is_control((unsigned char)text[1]))
            stria__print(to, "\\x%02x", (unsigned char)*++text);
        else
            stria__print(to, "%c", c);
    }
    stria__print(to, "%c", quote);
}

void stria__print_quoted(struct written *to, const char *text)
{
    print_string(to, text, quote_for(text), false);
}

void stria__print_json(struct written *to, const char *text)
{
    print_string(to, text, '"', true);
}

int stria__put_utf8(char *to, uint32_t c)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    to[0] = (char)(first[more] | c >> (6 * more));
    for (int i = 1; i <= more; i++)
        to[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
    return more + 1;
}
