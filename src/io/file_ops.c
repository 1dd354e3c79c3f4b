/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of the system's calls, and the loops around those that may transfer less than was
 * asked.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/file_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "status.h"

/* openat is variadic, so the table has this function instead. */
static int open_file(int dir, const char *path, int flags, mode_t mode)
{
    return openat(dir, path, flags, mode);
}

const struct file_ops stria__posix_files = {
    .openat = open_file,
    .fstat = fstat,
    .fstatat = fstatat,
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

enum { MOST_AT_ONCE = 1 << 30 }; /* bytes; Linux transfers at most 2^31 - 4096 in one call */

stria_status stria__fail_errno(const char *what)
{
    const int code = errno;
    char text[128];
    if (strerror_r(code, text, sizeof text) != 0)
        (void)snprintf(text, sizeof text, "error %d", code);
    return stria__fail(STRIA_ERR_IO, "%s: %s", what, text);
}

static const char *kind_of_file(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

stria_status stria__open_regular(const struct file_ops *ops, int *fd, int64_t *size,
                                 const char *path, bool writable)
{
    /* Without O_NONBLOCK, opening a pipe waits for somebody to write into it. */
    const int flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int opened;
    do
        opened = ops->openat(AT_FDCWD, path, flags, 0);
    while (opened < 0 && errno == EINTR);
    if (opened < 0) return stria__fail_errno("open");
    struct stat st;
    stria_status status = STRIA_OK;
    if (ops->fstat(opened, &st) != 0)
        status = stria__fail_errno("fstat");
    else if (!S_ISREG(st.st_mode))
        status = stria__fail(STRIA_ERR_UNSUPPORTED,
                             "is %s; only regular files are read: copy it "
                             "into one first",
                             kind_of_file(st.st_mode));
    if (status != STRIA_OK) {
        (void)ops->close(opened);
        return status;
    }
    *fd = opened;
    *size = st.st_size;
    return STRIA_OK;
}

static size_t portion(int64_t left)
{
    return left < MOST_AT_ONCE ? (size_t)left : (size_t)MOST_AT_ONCE;
}

/* Whether the call that returned n is to be repeated; a descriptor that does not block is awaited.
 */
static bool again(int fd, ssize_t n, short events)
{
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return false;
    if (errno != EINTR) (void)poll(&(struct pollfd){.fd = fd, .events = events}, 1, -1);
    return true;
}

stria_status stria__read_at(const struct file_ops *ops, int fd, void *out, int64_t size,
                            int64_t offset)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t n =
            ops->pread(fd, (char *)out + done, portion(size - done), (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return stria__fail_errno("read");
        if (n == 0)
            return stria__fail(STRIA_ERR_IO,
                               "read: the file ended at byte %lld while it was read, "
                               "%lld bytes early",
                               (long long)(offset + done), (long long)(size - done));
        done += n;
    }
    return STRIA_OK;
}

stria_status stria__read_all(const struct file_ops *ops, int fd, void *out, int64_t size)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t n = ops->read(fd, (char *)out + done, portion(size - done));
        if (again(fd, n, POLLIN)) continue;
        if (n < 0) return stria__fail_errno("read");
        if (n == 0)
            return stria__fail(STRIA_ERR_IO, "read: the input ended %lld bytes early",
                               (long long)(size - done));
        done += n;
    }
    return STRIA_OK;
}

/* What a call of write means that returned n <= 0: no file system should return 0, and none may
 * cause an endless loop. */
static stria_status fail_write(ssize_t n)
{
    if (n == 0) errno = ENOSPC;
    return stria__fail_errno("write");
}

stria_status stria__write_all(const struct file_ops *ops, int fd, const void *bytes, int64_t size)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t n = ops->write(fd, (const char *)bytes + done, portion(size - done));
        if (again(fd, n, POLLOUT)) continue;
        if (n <= 0) return fail_write(n);
        done += n;
    }
    return STRIA_OK;
}

stria_status stria__write_at(const struct file_ops *ops, int fd, const void *bytes, int64_t size,
                             int64_t offset)
{
    for (int64_t done = 0; done < size;) {
        const ssize_t n = ops->pwrite(fd, (const char *)bytes + done, portion(size - done),
                                      (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail_write(n);
        done += n;
    }
    return STRIA_OK;
}
