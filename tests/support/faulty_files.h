/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of file calls whose N-th call goes wrong in a chosen way; all others are the real ones.
 * Also counts descriptors, so that a test sees one that was never closed, and keeps the order of
 * the calls.
 */
#pragma once

#include "io/file_ops.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_ERROR, /* the call does nothing and sets errno to `code` */
    FAULT_SHORT, /* reads and writes transfer one byte; other calls are untouched */
    FAULT_END    /* a read returns end of file, a write that nothing was written */
};

struct fault {
    enum fault_kind kind;
    int code;
    int at;           /* number of the call that fails, from 1 */
    const char *only; /* only calls of this name are counted; NULL: all */
    bool for_ever; /* all later calls fail too, except close, unlink and rename, which clean up */

    int calls;       /* calls counted so far */
    const char *hit; /* the name of the call that went wrong; NULL: none did */
    int open_files;  /* descriptors open now */
};

extern struct fault fault;

/* Names of the calls so far; the first ones are dropped where they do not fit: "openat fstat pread
 * pread close ". */
extern char fault_log[4096];
extern const struct file_ops faulty_files;
