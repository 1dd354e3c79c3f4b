/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels, made from nests. */
#ifndef STRIA_SRC_ENGINE_MOVE_KERNEL_ARGS_H
#define STRIA_SRC_ENGINE_MOVE_KERNEL_ARGS_H

#include <string.h>

#include "checked.h"
#include "lines.h"
#include "nest.h"
#include "simd/kernels.h"

static inline enum size_class stria__size_class(int64_t item)
{
    switch (item) {
    case 1: return SIZE_1;
    case 2: return SIZE_2;
    case 4: return SIZE_4;
    case 8: return SIZE_8;
    case 16: return SIZE_16;
    default: return SIZE_ANY;
    }
}

/* Describes the two innermost dims of a nest; a dim that it does not have is one of size 1. */
static inline struct strided stria__strided_args(const struct nest *nest, bool stream)
{
    struct strided t = {.out = nest->out, .in = nest->in, .n = {1, 1}};
    for (int d = 0; d < 2 && d < nest->ndim; d++) {
        t.n[d] = nest->d[d].n;
        t.so[d] = nest->d[d].so;
        t.si[d] = nest->d[d].si;
    }
    t.item = nest->item;
    t.stream = stream;
    t.gaps = stria__has_far_gaps(nest);
    return t;
}

static inline bool stria__next_two_dims(struct strided *t)
{
    struct nest_walk *walk = t->walk;
    if (!stria__nest_next(walk)) return false;
    t->out = walk->out;
    t->in = walk->in;
    return true;
}

/*
 * Runs the whole nest by a kernel that continues by itself, so that it makes its preparations once.
 */
static inline void stria__run_prepared(const struct nest *nest, bool stream,
                                       void (*kernel)(const struct strided *t))
{
    struct nest_walk walk;
    struct strided t = stria__strided_args(nest, stream);
    if (nest->ndim > 2) {
        stria__nest_start(&walk, nest, 2);
        t.next = stria__next_two_dims;
        t.walk = &walk;
    }
    kernel(&t);
}

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

/* What was kept continues with this piece, or was flushed. */
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
