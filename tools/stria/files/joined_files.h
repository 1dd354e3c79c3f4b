/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several files as one array, which is put together in memory or, if it takes more than half of the
 * budget, in a mapped temporary file: one file is open at a time.
 */
#pragma once

#include "option_tables.h"
#include "source.h"

struct joined {
    bool stacked; /* The files are stacked, else joined one behind the other. */
    struct texts paths;
};

/* Takes paths, and replaces patterns that name no file by the files that match them, in order. */
stria_status joined_find(struct joined *joined, char **paths, size_t count,
                         struct failure *failure);
/*
 * Makes one array of all files. SHAPE and DTYPE, with the names of two files, if they do not fit.
 */
stria_status joined_open(struct source *out, const struct joined *joined, struct failure *failure);
