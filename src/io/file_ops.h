/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of the operating system's calls on files. Whatever reads or writes files calls them
 * through stria__files, so that a test can make any call fail, transfer a part or be interrupted.
 * Each entry is the POSIX function of that name, errno included.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "io/file_calls.h"
#include "stria/status.h"

_Static_assert(sizeof(off_t) == 8, "build with _FILE_OFFSET_BITS=64: files have no limit of 2 GiB");

struct file_ops {
    int (*openat)(int dir, const char *path, int flags, mode_t mode);
    int (*fstat)(int fd, struct stat *out);
    int (*fstatat)(int dir, const char *path, struct stat *out, int flags);
    int (*faccessat)(int dir, const char *path, int mode, int flags);
    ssize_t (*readlinkat)(int dir, const char *path, char *out, size_t size);
    ssize_t (*read)(int fd, void *out, size_t size);
    ssize_t (*pread)(int fd, void *out, size_t size, off_t offset);
    void *(*mmap)(void *at, size_t size, int protection, int flags, int fd, off_t offset);
    ssize_t (*write)(int fd, const void *bytes, size_t size);
    ssize_t (*pwrite)(int fd, const void *bytes, size_t size, off_t offset);
    int (*reserve)(int fd, off_t offset, off_t size); /* posix_fallocate, which returns errno. */
    /* Starts to write this range to disk, if the system has such a call. */
    void (*write_back)(int fd, off_t offset, off_t size);
    int (*fchown)(int fd, uid_t user, gid_t group);
    int (*fchmod)(int fd, mode_t mode);
    int (*fsync)(int fd);
    int (*close)(int fd);
    int (*linkat)(int from_dir, const char *from, int to_dir, const char *to, int flags);
    int (*renameat)(int from_dir, const char *from, int to_dir, const char *to);
    int (*unlinkat)(int dir, const char *path, int flags);
};

extern const struct file_ops stria__posix_files;
extern const struct file_ops *stria__files; /* The system's own calls, except in tests. */

/* The function behind the entry write_back. */
void stria__write_back(int fd, off_t offset, off_t size);

/*
 * Opens a regular file, for writing too if `writable`, and stores its size. IO; UNSUPPORTED for
 * other files.
 */
stria_status stria__open_regular(int *fd, int64_t *size, const char *path, bool writable);

/* Passed as an offset: the current position of the descriptor, a pipe or a file. */
enum { FILE_GOES_ON = -1 };

/*
 * Reads exactly size bytes from offset on, and waits if fd does not block; IO if there are fewer.
 */
stria_status stria__read_at(int fd, void *out, int64_t size, int64_t offset);

/* Writes all size bytes at offset, and waits if fd does not block; IO. */
stria_status stria__write_at(int fd, const void *bytes, int64_t size, int64_t offset);

/* Returns IO with "what: " and the text of errno as message. */
stria_status stria__fail_errno(const char *what);

/* Puts the path, unless NULL, in front of the message if status is not OK; returns status. */
stria_status stria__with_path(stria_status status, const char *path);
