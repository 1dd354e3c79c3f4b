/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replacing a file as a whole or not at all. The bytes go into a temporary in the same folder; it
 * is synced and renamed over the target, and the folder is synced. Whatever fails on the way, the
 * target is what it was and the temporary is gone; a crash leaves the old file or the new one (and
 * perhaps a hidden .stria-* file beside it).
 */
#ifndef STRIA_SRC_IO_ATOMIC_FILE_H
#define STRIA_SRC_IO_ATOMIC_FILE_H

#include "io/file_ops.h"

enum { NAME_ROOM = 256 };

struct atomic_file {
    const struct file_ops *ops;
    int dir, fd;          /* the target's folder, and the temporary */
    bool exists;          /* the target did when we began */
    char name[NAME_ROOM]; /* of the target in its folder */
    char temporary[40], backup[40];
};

/*
 * Symbolic links are followed: the file that path leads to is replaced, the link stays. An existing
 * target keeps its permission bits, and its owner and group where the process may give them.
 * IO; UNSUPPORTED when the target is not a regular file. On success, commit or abandon it.
 */
stria_status stria__atomic_begin(struct atomic_file *f, const struct file_ops *ops,
                                 const char *path);
stria_status stria__atomic_write(struct atomic_file *f, const void *bytes, int64_t size);
/* Either way *f is finished. */
stria_status stria__atomic_commit(struct atomic_file *f);
void stria__atomic_abandon(struct atomic_file *f);

#endif
