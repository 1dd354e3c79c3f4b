/* SPDX-License-Identifier: BSD-3-Clause */
/* The targets of results: files, which are replaced as a whole, and standard output, written
 * "-". */
#pragma once

#include "archive.h"
#include "lang/failure.h"

struct target {
    const char *path;               /* NULL: standard output. */
    bool archive;                   /* A file of another kind than .npy; `parts` tells which. */
    struct archive_options options; /* Set afterwards, for archives. */
    bool raw;                       /* The file has elements without a header, in C order. */
    struct archive_path parts;
};

/*
 * Finds the target for the input at `from`. In the text of -o, {stem} is the name of the input
 * without folder and suffix, {name} with suffix, {dir} its folder, {n} its number from 1. Refuses
 * other words in braces, a terminal, the file that standard output or standard error goes to, and,
 * unless it is raw, a suffix of a format that is not written.
 */
stria_status target_of(struct target *out, const char *text, const char *from, size_t number,
                       bool raw, struct failure *failure);
/* Tells whether the target varies with the input, as several inputs require. */
bool target_varies(const char *text);
bool target_is_stream(const char *text);

/*
 * Writes the result of an evaluation. When all data is written, and before the target is replaced,
 * told(context) is called; unless it returns OK the target stays as it was.
 */
stria_status target_write(const struct target *target, struct evaluation *e,
                          stria_status (*told)(void *context), void *context);

/*
 * Runs a bound call that copies, or leaves a large copy into C order to target_write, which copies
 * the array of the last step while it writes: the result has no memory then.
 */
stria_status target_leave_copy(struct invocation *call, void *unused);

/* ---- names ----------------------------------------------------------------------------------- */

/* The names of targets, which follow from those of the inputs. */

/* Makes the text of -o for that input, with the texts for its braces (see target_of). */
stria_status target_name(char **out, const char *text, const char *from, size_t number,
                         struct failure *failure);

/* Refuses two inputs with one target, and a target that is an input which is read afterwards. */
stria_status target_names_check(const char *text, char **inputs, size_t count,
                                struct failure *failure);
