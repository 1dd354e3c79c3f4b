/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays in files other than .npy files, by path: "a.npz:x" is the member x (or x.npy) of a.npz,
 * and "a.safetensors:x" the array x. "a.npz" alone is its only member, and "a.png" a picture;
 * "png:-" is one that comes through a pipe.
 */
#pragma once

#include "lang/eval.h"
#include "source.h"
#include "stria/watch.h"

struct archive_path {
    const struct archive_kind *kind;
    const char *file;   /* The archive's path; "-" is a standard stream. */
    const char *member; /* NULL: none is named. */
};

/* Tells whether path has one of these forms; a file whose own name is "a.npz:x" comes first. */
bool archive_path(struct archive_path *out, const char *path);

/* Tells whether text looks like one of these forms, without a look at files. */
bool archive_is_named(const char *text);

/* Tells whether text is "csv:-" or the like, a file of one array in a standard stream. */
bool archive_is_stream(const char *text);

struct archive_options {
    bool deflate;       /* Members are compressed, if kind->packs. */
    const char *header; /* The first line, if kind->table; NULL: none. */
};

/* Reads the member that is named, or the only one. */
stria_status archive_read(struct source *out, const struct archive_path *path, enum source_use use,
                          struct failure *failure);

/*
 * Lists the paths of all members, "a.npz:x"; *paths has *count of them. It is path itself if that
 * names no archive or one member of it.
 */
stria_status archive_list(const char ***paths, size_t *count, const char *path,
                          struct failure *failure);

/*
 * Refuses a name for several arrays, and a member of an archive that has others, since it is
 * replaced as a whole.
 */
stria_status archive_check(const struct archive_path *path, const struct evaluation *e);
/* Writes the result of e: one array as the member that is named or arr_0, several as arr_0, arr_1,
 * ... */
stria_status archive_write(const struct archive_path *path, const struct archive_options *options,
                           struct evaluation *e);

struct archive_kind {
    const char *suffix;
    bool single, packs; /* Files have one array; members can be compressed. */
    bool table;         /* Files are rows of text, which may have a header. */
    char delimiter;     /* Delimiter of tables; 0: a comma. */
};

/* The kinds, ended by one without a suffix. */
extern const struct archive_kind archive_kinds[];
