/* SPDX-License-Identifier: BSD-3-Clause */
/* The one writer of whole lines. */
#ifndef STRIA_SRC_ENGINE_MOVE_LINE_WRITER_H
#define STRIA_SRC_ENGINE_MOVE_LINE_WRITER_H

#include <string.h>

#include "base/integers.h"
#include "simd/tuning.h"

/*
 * Writes pieces of an output by non-temporal stores. Each piece was made in `lines`, at the offset
 * that `to` has to lines. The last bytes of a piece are kept, so that the next one completes their
 * line if it continues there, be it the next row: a line that is written in two parts, one of them
 * through the caches, costs as much as several.
 */
struct line_writer {
    char *lines;
    char *end;    /* of the output so far, */
    int64_t kept; /* whose last bytes, of a line that is not whole yet, are only in `lines` */
};

/* Writes the bytes that were kept; before the first piece there is no end. */
static inline void stria__flush_lines(struct line_writer *w)
{
    if (w->kept == 0) return;
    char *const begin = w->end - w->kept;
    memcpy(begin, w->lines + (uintptr_t)begin % LINE, (size_t)w->kept);
    w->kept = 0;
}

/* Writes a piece. What was kept continues with it, or was flushed. */
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

#endif
