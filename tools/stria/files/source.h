/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of arrays: files, pipes by name, and standard input, which is written "-". */
#pragma once

#include "lang/failure.h"
#include "stria/array.h"

/* The access to the data that a command needs. */
enum source_use {
    SOURCE_LOOK, /* Dtype, shape and strides: the array has no memory. */
    SOURCE_READ, /* The data, in memory that may be read-only: large files are mapped. */
    SOURCE_WRITE /* The data, to be changed in memory; the file stays as it is. */
};

struct source {
    stria_array array; /* Owned. */
    bool mapped;       /* Its memory is a map of a file that nobody has written to. */
};

/* Opens what path names. Standard input can be opened once. */
stria_status source_open(struct source *out, const char *path, enum source_use use,
                         struct failure *failure);
/* Notes that standard input is read now. Refuses a terminal, and a second read. */
stria_status take_standard_input(struct failure *failure);
/* Tells whether a source can be read only once. */
bool source_is_stream(const char *path);
/*
 * Tells whether an argument that may be a FILE or an EXPR is a FILE: standard input, an existing
 * file, or text that looks like the name of one.
 */
bool source_is_named(const char *text);
/* Returns "standard input" or the path, for people. */
const char *source_name(const char *path);

/* ---- files without a header ------------------------------------------------------------------ */

struct raw_form {
    const char *dtype; /* NULL: FILE has a header of its own. */
    const char *shape; /* NULL: one dim of all elements. */
    int64_t offset;    /* Offset in bytes. */
};

/* Opens path as the form says: large files are mapped, as those with a header are. */
stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure);
