/* SPDX-License-Identifier: BSD-3-Clause */
/* What POSIX's headers say of files and those of Windows do not; windows_files.c has the functions.
 */
#ifndef STRIA_SRC_IO_FILE_CALLS_H
#define STRIA_SRC_IO_FILE_CALLS_H

#include <fcntl.h>
#include <unistd.h>
#ifndef _WIN32
#include <poll.h>
#include <sys/mman.h>
#else

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef int uid_t, gid_t;

/* Descriptors are never inherited, nor waited for; folders are told by a flag. */
enum { O_CLOEXEC = 0, O_NOCTTY = 0, O_NONBLOCK = 0, O_DIRECTORY = 1 << 24 };
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 1, AT_EACCESS = 2 };
enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MS_SYNC = 1 };
#define MAP_FAILED     ((void *)-1)
#define S_ISSOCK(mode) ((void)(mode), 0)

int munmap(void *at, size_t size);
int msync(void *at, size_t size, int flags);

enum { POLLIN = 1, POLLOUT = 2 };
struct pollfd {
    int fd;
    short events;
};
static inline int poll(struct pollfd *fds, int count, int milliseconds)
{
    (void)fds, (void)milliseconds;
    return count;
}

#endif
#endif
