/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays as text, for people to read: as numpy.array_str prints them, with the fewest digits that
 * read back, in aligned columns, and long arrays cut to their edges.
 */
#ifndef STRIA_FORMAT_H
#define STRIA_FORMAT_H

#include "view.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of text, those that numpy.set_printoptions sets, and two of numpy.array2string. */
typedef struct stria_format_options {
    int precision;        /* digits after the point at most; -1: as many as it takes to read back */
    int64_t threshold;    /* arrays of more elements are cut; 1000 */
    int64_t edgeitems;    /* elements that a cut leaves at each end of every dim; 3 */
    int linewidth;        /* characters; longer lines are broken, single elements are not; 75 */
    bool suppress;        /* small numbers make no exponents necessary; false */
    bool commas;          /* elements and rows are separated by commas, too; false */
    int indent;           /* characters that stand before the text on its first line, and blanks on
                             the others; 0 */
    uint64_t reserved[2]; /* must be zero */
} stria_format_options;

/* Stores what NumPy starts with: precision 8 and the numbers above. */
STRIA_API void stria_format_defaults(stria_format_options *out);

/* Receives a piece of text, which is not terminated; false ends the call with IO. */
typedef bool stria_format_sink(void *context, const char *text, size_t size);

/*
 * Writes the elements of a, with conj and neg bits applied, between brackets for each dim. Without
 * dims it is the scalar alone, with all its digits. options may be NULL: the defaults. Strings are
 * quoted and escaped as Python does it, opaque bytes are hexadecimal, records are tuples. Only the
 * elements that are shown are read. numpy.array_str, numpy.array2string. UNSUPPORTED (meta
 * buffers), ARGUMENT (options out of range: precision -1 .. 400, the others from 0, edgeitems up to
 * 2^30), IO (the sink refused), MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_format_to(stria_format_sink *sink, void *context,
                                                      const stria_view *a,
                                                      const stria_format_options *options,
                                                      const stria_exec *exec);
/*
 * Does the same into text, which receives at most size bytes, terminated; it may be NULL where size
 * is 0. *length, which may be NULL, becomes the length of the whole text without the terminator, as
 * snprintf counts it.
 */
STRIA_API STRIA_MUST_USE stria_status stria_format(char *text, size_t size, size_t *length,
                                                   const stria_view *a,
                                                   const stria_format_options *options,
                                                   const stria_exec *exec);

/*
 * Describes a view in one line: dtype, shape, byte strides, its order, and what is special about it
 * ("f32 (2, 3), strides (12, 4) bytes, C order, read-only"). text and length are those of
 * stria_format.
 */
STRIA_API STRIA_MUST_USE stria_status stria_describe(char *text, size_t size, size_t *length,
                                                     const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
