/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of targets, which follow from those of the inputs. */
#ifndef STRIA_TOOL_TARGET_NAMES_H
#define STRIA_TOOL_TARGET_NAMES_H

#include "lang/failure.h"
#include "lang/pool.h"

/* In the pool: the text of -o for that input, with what its braces stand for (see target_of). */
stria_status target_name(char **out, const char *text, const char *from, size_t number,
                         struct pool *pool, struct failure *failure);

/*
 * Refuses a name whose suffix means another format than .npy: up to 8 letters and digits, of which
 * the first is a letter.
 */
stria_status target_suffix_check(const char *path, struct failure *failure);

/* Refuses two inputs with one target, and a target that is an input which is read afterwards. */
stria_status target_names_check(const char *text, char **inputs, size_t count, struct pool *pool,
                                struct failure *failure);

#endif
