/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces a file as a whole or not at all. The bytes go into a temporary file in the same folder,
 * which is synced and renamed over the target; then the folder is synced. If any step fails, the
 * target is as it was and the temporary is removed. A crash leaves the old file or the new one, and
 * perhaps a hidden .stria-* file beside it.
 */
#pragma once

#include "io/file_ops.h"

enum { NAME_ROOM = 256 };

struct atomic_file {
    int dir, fd;          /* Descriptors of the target's folder and of the temporary file. */
    bool exists;          /* the target existed at the beginning */
    char name[NAME_ROOM]; /* the target's name in its folder */
    char temporary[40], backup[40];
};

/*
 * Begins to write. Symbolic links are followed: the file that path leads to is replaced, the link
 * stays. An existing target keeps its permission bits, and its owner and group where the process
 * may set them. IO; UNSUPPORTED when the target is not a regular file. After success, commit or
 * abandon the file.
 */
stria_status stria__atomic_begin(struct atomic_file *f, const char *path);
/* Both end the use of *f, whatever they return. */
stria_status stria__atomic_commit(struct atomic_file *f);
void stria__atomic_abandon(struct atomic_file *f);
/* Does what commit does before it abandons the file, which ends its use. */
stria_status stria__atomic_replace(struct atomic_file *f);
/* Commits if the status is OK, else abandons the file; returns the first failure. */
stria_status stria__atomic_end(struct atomic_file *f, stria_status status);
/* Removes the temporary file; may be called from a signal handler that ends the process. */
void stria__atomic_unlink(const struct atomic_file *f);
