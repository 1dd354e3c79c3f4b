/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several files as one array, which is put together in memory or, where it takes more than half of
 * the budget, in a temporary file that is mapped: one file is open at a time.
 */
#ifndef STRIA_TOOL_JOINED_FILES_H
#define STRIA_TOOL_JOINED_FILES_H

#include "option_tables.h"
#include "source.h"

struct joined {
    bool stacked; /* else one behind the other */
    struct texts paths;
};

/* Takes paths, and in place of patterns that name no file those that match them, in order. */
stria_status joined_find(struct joined *joined, char **paths, size_t count,
                         struct failure *failure);
/*
 * One array of all of them. SHAPE and DTYPE, with the names of two files, where they do not fit.
 */
stria_status joined_open(struct source *out, const struct joined *joined, struct failure *failure);

#endif
