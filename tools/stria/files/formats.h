/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of files that are told by their suffix, but for .npy. */
#ifndef STRIA_TOOL_FORMATS_H
#define STRIA_TOOL_FORMATS_H

#include "source.h"
#include "stria/watch.h"

/* Those of several arrays have the functions of the first group, those of one array load and save.
 */
struct archive_kind {
    const char *suffix;
    stria_status (*open)(void **out, const char *file, enum source_use use);
    void (*close)(void *archive);
    int64_t (*count)(const void *archive);
    const char *(*name)(const void *archive, int64_t i);
    stria_status (*read)(stria_array *out, void *archive, const char *name, enum source_use use);
    stria_status (*write)(const char *path, int64_t count, const char *const *names,
                          const stria_view *const *views, bool deflate, const stria_watch *watch);
    stria_status (*load)(stria_array *out, const char *file, enum source_use use);
    stria_status (*save)(const char *path, const stria_view *a, const char *header,
                         const stria_watch *watch);
    bool maps, packs; /* members are mapped; they can be packed */
    bool table;       /* rows of text, which may have a header */
};

/* Ended by one without a suffix. */
extern const struct archive_kind archive_kinds[];

#endif
