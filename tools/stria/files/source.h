/* SPDX-License-Identifier: BSD-3-Clause */
/* Where arrays come from: files, pipes by name, and standard input, which is written "-". */
#ifndef STRIA_TOOL_SOURCE_H
#define STRIA_TOOL_SOURCE_H

#include "lang/failure.h"
#include "stria/array.h"

/* The access to the data that a command wants. */
enum source_use {
    SOURCE_LOOK, /* dtype, shape and strides: the array has no memory */
    SOURCE_READ, /* the data, in memory that may be read-only: large files are mapped */
    SOURCE_WRITE /* the data, to be changed in memory; the file stays as it is */
};

struct source {
    stria_array array; /* owned */
    bool mapped;       /* its memory is a map of a file that nobody has written to */
};

/* Opens what path names. Standard input can be opened once. */
stria_status source_open(struct source *out, const char *path, enum source_use use,
                         struct failure *failure);
/* Says that standard input is read now. Refused: a terminal, and what was read before. */
stria_status take_standard_input(struct failure *failure);
/* A source that can be read once. */
bool source_is_stream(const char *path);
/*
 * Whether an argument that may be a FILE or an EXPR is a FILE: standard input, what is there, and
 * what is not there but is called like one.
 */
bool source_is_named(const char *text);
/* "standard input" or the path, for people. */
const char *source_name(const char *path);

/* ---- files without a header ------------------------------------------------------------------ */

struct raw_form {
    const char *dtype; /* NULL: FILE has a header of its own */
    const char *shape; /* NULL: one dim of all there is */
    int64_t offset;    /* bytes */
};

/* Opens path as the form says: large files are mapped, as those with a header are. */
stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure);

#endif
