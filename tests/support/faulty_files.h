/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of file calls whose N-th call goes wrong in a chosen way; all others are the real ones.
 * Also counts descriptors, so that a test sees one that was never closed, and keeps the order of
 * the calls.
 */
#ifndef STRIA_TESTS_SUPPORT_FAULTY_FILES_H
#define STRIA_TESTS_SUPPORT_FAULTY_FILES_H

#include "io/file_ops.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_ERROR, /* the call does nothing and sets errno to `code` */
    FAULT_SHORT, /* reads and writes transfer one byte; other calls are untouched */
    FAULT_END    /* a read says end of file, a write that nothing went through */
};

struct fault {
    enum fault_kind kind;
    int code;
    int at;           /* which call, from 1 */
    const char *only; /* count calls of this name only; NULL: all */
    bool for_ever;    /* all later calls too, except close, unlink and rename, which undo */

    int calls;       /* counted so far */
    const char *hit; /* the name of the call that went wrong; NULL: none did */
    int open_files;  /* descriptors */
};

extern struct fault fault;

/* Up to the last call, the first ones may be lost: "openat fstat pread pread close ". */
extern char fault_log[4096];
extern const struct file_ops faulty_files;

#endif
