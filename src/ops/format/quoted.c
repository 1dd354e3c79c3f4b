/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings as Python writes them. Both kinds are read as characters of 32 bits. */
#include "ops/format/columns.h"
#include "base/text_writer.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t character(stria_dtype dtype, const char *item, int i)
{
    const unsigned char *const b = (const unsigned char *)item;
    if (dtype.kind != STRIA_UNICODE) return b[i];
    const bool big = dtype.swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    uint32_t c = 0;
    for (int k = 0; k < 4; k++)
        c = c << 8 | b[4 * i + (big ? k : 3 - k)];
    return c;
}

static void write_utf8(struct text *out, uint32_t c)
{
    char bytes[4];
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd; /* The replacement character. */
    stria__text_add(out, bytes, (size_t)stria__put_utf8(bytes, c));
}

/*
 * Tells whether a terminal cannot show a character, as Python's str.isprintable does: control and
 * format characters, spaces except the common one, surrogates, private use, and code points that
 * will never be characters. Unassigned code points are shown, since they depend on the version of
 * Unicode.
 */
static bool is_unprintable(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x0, 0x1f},          {0x7f, 0xa0},       {0xad, 0xad},       {0x600, 0x605},
                  {0x61c, 0x61c},       {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
                  {0x8e2, 0x8e2},       {0x1680, 0x1680},   {0x180e, 0x180e},   {0x2000, 0x200f},
                  {0x2028, 0x202f},     {0x205f, 0x206f},   {0x3000, 0x3000},   {0xd800, 0xf8ff},
                  {0xfdd0, 0xfdef},     {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0xfffe, 0xffff},
                  {0x110bd, 0x110bd},   {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
                  {0x1d173, 0x1d17a},   {0x1fffe, 0x1ffff}, {0x2fffe, 0x2ffff}, {0x3fffe, 0xe00ff},
                  {0xe01f0, UINT32_MAX}};
    size_t low = 0, high = sizeof ranges / sizeof *ranges;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (ranges[middle].first <= c)
            low = middle;
        else
            high = middle;
    }
    return c <= ranges[low].last;
}

static void write_escaped(struct text *out, uint32_t c, bool bytes)
{
    const char *const format = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
    const char *const letters = "\tt\nn\rr";
    char text[12] = "\\";
    int n = 2;
    if (!is_unprintable(c) && !(bytes && c >= 0x7f)) {
        write_utf8(out, c);
        return;
    }
    for (const char *l = letters; *l && text[1] == 0; l += 2)
        if ((uint32_t)*l == c) text[1] = l[1];
    if (text[1] == 0) n = snprintf(text, sizeof text, format, (unsigned)c);
    stria__text_add(out, text, (size_t)n);
}

static void write_opaque(struct text *out, stria_dtype dtype, const char *item)
{
    stria__text_add(out, "b'", 2);
    for (int i = 0; i < dtype.itemsize; i++) {
        char text[8];
        const int n = snprintf(text, sizeof text, "\\x%02X", (unsigned char)item[i]);
        stria__text_add(out, text, (size_t)n);
    }
    stria__text_add(out, "'", 1);
}

void stria__write_quoted(struct text *out, stria_dtype dtype, const char *item, bool scalar)
{
    const bool bytes = dtype.kind == STRIA_BYTES;
    int count = bytes ? dtype.itemsize : dtype.itemsize / 4;
    bool single = false, pair = false;
    if (dtype.kind == STRIA_VOID) {
        write_opaque(out, dtype, item);
        return;
    }
    while (count > 0 && character(dtype, item, count - 1) == 0)
        count--;
    for (int i = 0; i < count; i++) {
        single = single || character(dtype, item, i) == '\'';
        pair = pair || character(dtype, item, i) == '"';
    }
    const char quote = single && !pair ? '"' : '\'';
    if (scalar && !bytes) {
        for (int i = 0; i < count; i++)
            write_utf8(out, character(dtype, item, i));
        return;
    }
    if (bytes) stria__text_add(out, "b", 1);
    stria__text_add(out, &quote, 1);
    for (int i = 0; i < count; i++) {
        const uint32_t c = character(dtype, item, i);
        if (c == (uint32_t)quote || c == '\\') stria__text_add(out, "\\", 1);
        write_escaped(out, c, bytes);
    }
    stria__text_add(out, &quote, 1);
}
