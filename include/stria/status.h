/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors. Every function that can fail returns a stria_status, and changes nothing when it fails:
 * outputs are untouched and nothing leaks. The code tells the kind of the error; the thread's
 * message tells the argument, the dims, the sizes and strides, and what to do instead.
 */
#ifndef STRIA_STATUS_H
#define STRIA_STATUS_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_status {
    STRIA_OK = 0,
    STRIA_ERR_ARGUMENT =
        -1,                /* NULL, what is no view, unknown enum value, contradictory arguments */
    STRIA_ERR_SHAPE = -2,  /* a size is wrong: negative, does not multiply up, does not divide */
    STRIA_ERR_DIM = -3,    /* a dim is out of range, repeated or missing */
    STRIA_ERR_INDEX = -4,  /* an index or a range lies outside its dim */
    STRIA_ERR_STRIDE = -5, /* the layout does not allow the view without a copy */
    STRIA_ERR_BROADCAST = -6,    /* shapes do not broadcast together */
    STRIA_ERR_BOUNDS = -7,       /* the view would reach outside its buffer */
    STRIA_ERR_OVERFLOW = -8,     /* sizes or offsets in 64 bits, checked integers in their dtype */
    STRIA_ERR_DTYPE = -9,        /* the dtype does not support the operation */
    STRIA_ERR_READONLY = -10,    /* a write through a read-only view */
    STRIA_ERR_OVERLAP = -11,     /* the destination overlaps itself, or an operand where that is
                                    refused */
    STRIA_ERR_COPY = -12,        /* a copy was needed and the caller forbade it */
    STRIA_ERR_MEMORY = -13,      /* out of memory */
    STRIA_ERR_IO = -14,          /* the operating system refused to read or write */
    STRIA_ERR_FORMAT = -15,      /* malformed file or text */
    STRIA_ERR_UNSUPPORTED = -16, /* well formed, but outside what this library does */
    STRIA_ERR_CANCELLED = -17 /* exec->watch said so (watch.h): outputs may have been written, and
                                 hold anything; after other errors only stria_graph_run's may */
} stria_status;

/* The library has been compiled so; with -fshort-enums structs would have other sizes. */
STRIA_ASSERT(enums_are_ints_and_fshort_enums_is_refused, sizeof(stria_status) == sizeof(int));

/* Returns the name of a status ("shape", "memory", ...) as static text, never NULL. */
STRIA_API const char *stria_status_name(stria_status status);

/*
 * Returns the message of the last failed call in this thread, "" when none failed yet. The thread
 * owns the text, which is valid until its next failing call; success does not clear it.
 */
STRIA_API const char *stria_last_error(void);

/*
 * Sets the thread's message and returns status: for functions outside of this library that report
 * as its own do.
 */
STRIA_API stria_status stria_fail(stria_status status, const char *format, ...) STRIA_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif

#endif
