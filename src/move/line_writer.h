/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an output in whole lines. */
#pragma once

#include <string.h>

#include "base/integers.h"
#include "simd/tuning.h"

/*
 * State of writing pieces of an output by non-temporal stores. Each piece was made in `lines`, at
 * the offset to lines that `to` has. The last bytes of a piece are kept, so that the next one
 * completes their line if it continues there, even as the next row: a line that is written in two
 * parts, one of them through the caches, costs as much as several.
 */
struct line_writer {
    char *lines;
    char *end; /* End of the output so far. */
    /* Number of bytes in front of the end, of a line that is not whole yet, that are only in
     * `lines`. */
    int64_t kept;
};

/* Writes the bytes that were kept; nothing before the first piece. */
static inline void stria__flush_lines(struct line_writer *w)
{
    if (w->kept == 0) return;
    char *const begin = w->end - w->kept;
    memcpy(begin, w->lines + (uintptr_t)begin % LINE, (size_t)w->kept);
    w->kept = 0;
}

/* Writes a piece. It continues the bytes that were kept, or these were flushed. */
static inline void stria__write_lines(struct line_writer *w, char *to, int64_t bytes,
                                      void (*stream)(char *out, const char *in, int64_t n))
{
    char *const begin = to - w->kept, *const end = to + bytes;
    const int64_t last = least(end - begin, (int64_t)((uintptr_t)end % LINE));
    char *const rest = end - last, *const from = w->lines + (uintptr_t)begin % LINE;
    stream(begin, from, rest - begin);
    if (last > 0) memmove(w->lines + (uintptr_t)rest % LINE, from + (rest - begin), (size_t)last);
    w->kept = last;
    w->end = end;
}
