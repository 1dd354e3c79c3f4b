/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of text_writer.h. */
#include "text_writer.h"

#include <inttypes.h>
#include <stdarg.h>
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

int stria__put_utf8(char *to, uint32_t c)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    to[0] = (char)(first[more] | c >> (6 * more));
    for (int i = 1; i <= more; i++)
        to[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
    return more + 1;
}
