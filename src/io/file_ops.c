/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of system calls, and the loops around those that may transfer less than asked. */
#define _POSIX_C_SOURCE 200809L
#include "io/file_ops.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "base/status.h"
#include "base/system.h"

#ifndef _WIN32 /* which has a table of its own */

/* openat is variadic, so the table holds this function instead. */
static int open_file(int dir, const char *path, int flags, mode_t mode)
{
    return openat(dir, path, flags, mode);
}

#ifdef STRIA_OLD_GLIBC
/* Functions that glibc had before 2.33 in the place of fstat and fstatat (cmake/old_glibc.h). */
int __fxstat64(int version, int fd, struct stat *out);
int __fxstatat64(int version, int dir, const char *path, struct stat *out, int flags);

static int status_of(int fd, struct stat *out)
{
    return __fxstat64(STRIA_STAT_VERSION, fd, out);
}

static int status_at(int dir, const char *path, struct stat *out, int flags)
{
    return __fxstatat64(STRIA_STAT_VERSION, dir, path, out, flags);
}
#else
#define status_of fstat
#define status_at fstatat
#endif

#ifdef __APPLE__
/* macOS has no posix_fallocate: callers go on without room that is reserved. */
static int posix_fallocate(int fd, off_t offset, off_t size)
{
    (void)fd, (void)offset, (void)size;
    return EOPNOTSUPP;
}
#endif

const struct file_ops stria__posix_files = {
    .openat = open_file,
    .fstat = status_of,
    .fstatat = status_at,
    .faccessat = faccessat,
    .readlinkat = readlinkat,
    .read = read,
    .pread = pread,
    .mmap = mmap,
    .write = write,
    .pwrite = pwrite,
    .reserve = posix_fallocate,
    .write_back = stria__write_back,
    .fchown = fchown,
    .fchmod = fchmod,
    .fsync = fsync,
    .close = close,
    .linkat = linkat,
    .renameat = renameat,
    .unlinkat = unlinkat,
};

#endif

const struct file_ops *stria__files = &stria__posix_files;

enum { MOST_AT_ONCE = 1 << 30 }; /* Bytes; Linux transfers at most 2^31 - 4096 in one call. */

stria_status stria__fail_errno(const char *what)
{
    const int code = errno;
    char text[128];
    stria__error_text(code, text, sizeof text);
    return stria__fail(STRIA_ERR_IO, "%s: %s", what, text);
}

stria_status stria__with_path(stria_status status, const char *path)
{
    if (status == STRIA_OK || !path) return status;
    return stria__fail(status, "%.300s: %s", path, stria_last_error());
}

static const char *kind_of_file(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

stria_status stria__open_regular(int *fd, int64_t *size, const char *path, bool writable)
{
    /* Without O_NONBLOCK, opening a pipe waits for somebody to write into it. */
    const int flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int opened;
    do
        opened = stria__files->openat(AT_FDCWD, path, flags, 0);
    while (opened < 0 && errno == EINTR);
    if (opened < 0) return stria__fail_errno("open");
    struct stat st;
    stria_status status = STRIA_OK;
    if (stria__files->fstat(opened, &st) != 0)
        status = stria__fail_errno("fstat");
    else if (!S_ISREG(st.st_mode))
        status = stria__fail(STRIA_ERR_UNSUPPORTED,
                             "is %s; only regular files are read: copy it "
                             "into one first",
                             kind_of_file(st.st_mode));
    if (status != STRIA_OK) {
        (void)stria__files->close(opened);
        return status;
    }
    *fd = opened;
    *size = st.st_size;
    return STRIA_OK;
}

/* Tells whether the call that returned n is to be repeated; waits if the descriptor does not
 * block. */
static bool again(int fd, ssize_t n, short events)
{
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return false;
    if (errno != EINTR) (void)poll(&(struct pollfd){.fd = fd, .events = events}, 1, -1);
    return true;
}

stria_status stria__read_at(int fd, void *out, int64_t size, int64_t offset)
{
    for (int64_t done = 0; done < size;) {
        char *const to = (char *)out + done;
        const size_t part = (size_t)least(size - done, MOST_AT_ONCE);
        const ssize_t n = offset < 0 ? stria__files->read(fd, to, part)
                                     : stria__files->pread(fd, to, part, (off_t)(offset + done));
        if (again(fd, n, POLLIN)) continue;
        if (n < 0) return stria__fail_errno("read");
        if (n == 0 && offset < 0)
            return stria__fail(STRIA_ERR_IO, "read: the input ended %lld bytes early",
                               (long long)(size - done));
        if (n == 0)
            return stria__fail(STRIA_ERR_IO,
                               "read: the file ended at byte %lld while it was read, "
                               "%lld bytes early",
                               (long long)(offset + done), (long long)(size - done));
        done += n;
    }
    return STRIA_OK;
}

/*
 * A program may bring memory into being when it is read, by SIGSEGV or userfaultfd; a system call
 * that finds such a page absent fails with EFAULT. Reading a byte of each page brings it. From then
 * on less is written at once, since a file system may zero room for all of it before it finds out
 * how much there is.
 */
static bool bring_page(const char *bytes, int64_t left, int64_t *most)
{
    enum { PART = 128 << 10, PAGE = 4 << 10 };
    if (errno != EFAULT) return false;
    *most = PART;
    for (int64_t at = 0; at < left && at < PART; at += PAGE)
        (void)*(const volatile char *)(bytes + at);
    return true;
}

/* No file system should write 0 bytes, but one that does must not cause an endless loop. */
stria_status stria__write_at(int fd, const void *bytes, int64_t size, int64_t offset)
{
    int64_t most = MOST_AT_ONCE, brought = -1;
    for (int64_t done = 0; done < size;) {
        const char *const from = (const char *)bytes + done;
        const size_t part = (size_t)least(size - done, most);
        const ssize_t n = offset < 0 ? stria__files->write(fd, from, part)
                                     : stria__files->pwrite(fd, from, part, (off_t)(offset + done));
        if (n < 0 && brought < done && bring_page(from, size - done, &most))
            brought = done;
        else if (!again(fd, n, POLLOUT) && n <= 0) {
            if (n == 0) errno = ENOSPC;
            return stria__fail_errno("write");
        } else if (n > 0) {
            done += n;
        }
    }
    return STRIA_OK;
}
