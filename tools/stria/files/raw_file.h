/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a header, which the options --dtype, --shape and --offset describe. */
#ifndef STRIA_TOOL_RAW_FILE_H
#define STRIA_TOOL_RAW_FILE_H

#include "source.h"

struct raw_form {
    const char *dtype; /* NULL: FILE has a header of its own */
    const char *shape; /* NULL: one dim of all there is */
    int64_t offset;    /* bytes */
};

/* Opens path as the form says: large files are mapped, as those with a header are. */
stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure);

#endif
