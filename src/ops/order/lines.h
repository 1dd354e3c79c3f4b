/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs over the lines of views along one dim, as dense rows. Lines that lie apart are copied in
 * blocks, which the copy engine turns into rows and back. Lines know nothing of each other, so
 * threads divide them, or the elements of each where there are more threads than lines.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "stria/threads.h"
#include "stria/view.h"

enum { LINE_OPERANDS = 3 + 1 };

/* A view, and the dtype of its rows: native numbers, or exactly its own items. */
struct line_operand {
    const stria_view *view;
    stria_dtype dtype;
    bool written;
};

/* Views of one shape except for their sizes along the dim; a row of each goes to `line`. */
struct lines {
    const char *op;
    int count, dim;
    struct line_operand operands[LINE_OPERANDS]; /* The first one is read. */
    bool apart;    /* Rows that are written may not be those that are read. */
    bool alone;    /* Lines are run one after the other, since threads divide each. */
    int64_t room;  /* Bytes of memory in which a line is handled. */
    double cycles; /* Cycles of an item of the first operand. */
    void (*line)(const void *context, char *const *rows, char *room);
    void (*rows)(const void *context, char *const *rows, int64_t n, char *room); /* or: many */
    const void *context;
    const stria_exec *exec;
    size_t *needs; /* Unless it is NULL: nothing runs, and this receives the bytes that it takes. */
    void *memory;  /* So many bytes are there already, and used where they suffice; or NULL. */
    size_t bytes;
};

/* Runs over all lines. MEMORY, before anything is written. */
STRIA_FOR_LINALG stria_status stria__lines(const struct lines *lines);
