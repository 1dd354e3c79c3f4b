/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "support/faulty_files.h"

#include <errno.h>
#include <string.h>

struct fault fault;
char fault_log[4096];

static const struct file_ops *const real = &stria__posix_files;

static void log_call(const char *name)
{
    if (strlen(fault_log) + strlen(name) + 2 > sizeof fault_log) fault_log[0] = 0;
    strcat(strcat(fault_log, name), " ");
}

/* Counts a call and returns whether it is the one that fails. */
static bool strikes(const char *name)
{
    log_call(name);
    if (fault.kind == FAULT_NONE || (fault.only && strcmp(fault.only, name))) return false;
    const bool undoing =
        !strcmp(name, "close") || !strcmp(name, "unlinkat") || !strcmp(name, "renameat");
    fault.calls++;
    if (fault.calls != fault.at && !(fault.for_ever && fault.calls > fault.at && !undoing))
        return false;
    if (fault.kind != FAULT_ERROR && strcmp(name, "pread") && strcmp(name, "read") &&
        strcmp(name, "write") && strcmp(name, "pwrite"))
        return false;
    if (!fault.hit) fault.hit = name;
    errno = fault.code;
    return true;
}

static bool fails(const char *name)
{
    return strikes(name) && fault.kind == FAULT_ERROR;
}

static int faulty_openat(int dir, const char *path, int flags, mode_t mode)
{
    if (fails("openat")) return -1;
    const int fd = real->openat(dir, path, flags, mode);
    fault.open_files += fd >= 0;
    return fd;
}

/* Closes the descriptor even where the call fails, as Linux does. */
static int faulty_close(int fd)
{
    fault.open_files--;
    const bool failing = fails("close");
    const int result = real->close(fd);
    if (failing) errno = fault.code;
    return failing ? -1 : result;
}

static ssize_t faulty_pread(int fd, void *out, size_t size, off_t offset)
{
    if (!strikes("pread")) return real->pread(fd, out, size, offset);
    if (fault.kind == FAULT_ERROR) return -1;
    return fault.kind == FAULT_END ? 0 : real->pread(fd, out, 1, offset);
}

static ssize_t faulty_write(int fd, const void *bytes, size_t size)
{
    if (!strikes("write")) return real->write(fd, bytes, size);
    if (fault.kind == FAULT_ERROR) return -1;
    return fault.kind == FAULT_END ? 0 : real->write(fd, bytes, 1);
}

static ssize_t faulty_read(int fd, void *out, size_t size)
{
    if (!strikes("read")) return real->read(fd, out, size);
    if (fault.kind == FAULT_ERROR) return -1;
    return fault.kind == FAULT_END ? 0 : real->read(fd, out, 1);
}

static ssize_t faulty_pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    if (!strikes("pwrite")) return real->pwrite(fd, bytes, size, offset);
    if (fault.kind == FAULT_ERROR) return -1;
    return fault.kind == FAULT_END ? 0 : real->pwrite(fd, bytes, 1, offset);
}

static int faulty_reserve(int fd, off_t offset, off_t size)
{
    return fails("reserve") ? fault.code : real->reserve(fd, offset, size);
}

static int faulty_fstat(int fd, struct stat *out)
{
    return fails("fstat") ? -1 : real->fstat(fd, out);
}

static int faulty_fstatat(int dir, const char *path, struct stat *out, int flags)
{
    return fails("fstatat") ? -1 : real->fstatat(dir, path, out, flags);
}

static int faulty_faccessat(int dir, const char *path, int mode, int flags)
{
    return fails("faccessat") ? -1 : real->faccessat(dir, path, mode, flags);
}

static ssize_t faulty_readlinkat(int dir, const char *path, char *out, size_t size)
{
    return fails("readlinkat") ? -1 : real->readlinkat(dir, path, out, size);
}

static void *faulty_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return fails("mmap") ? MAP_FAILED : real->mmap(at, size, protection, flags, fd, offset);
}

static int faulty_fchown(int fd, uid_t user, gid_t group)
{
    return fails("fchown") ? -1 : real->fchown(fd, user, group);
}

static int faulty_fchmod(int fd, mode_t mode)
{
    return fails("fchmod") ? -1 : real->fchmod(fd, mode);
}

/* Never fails. */
static void faulty_write_back(int fd, off_t offset, off_t size)
{
    real->write_back(fd, offset, size);
}

static int faulty_fsync(int fd)
{
    return fails("fsync") ? -1 : real->fsync(fd);
}

static int faulty_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    return fails("linkat") ? -1 : real->linkat(from_dir, from, to_dir, to, flags);
}

static int faulty_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return fails("renameat") ? -1 : real->renameat(from_dir, from, to_dir, to);
}

static int faulty_unlinkat(int dir, const char *path, int flags)
{
    return fails("unlinkat") ? -1 : real->unlinkat(dir, path, flags);
}

const struct file_ops faulty_files = {
    .openat = faulty_openat,
    .fstat = faulty_fstat,
    .fstatat = faulty_fstatat,
    .faccessat = faulty_faccessat,
    .readlinkat = faulty_readlinkat,
    .read = faulty_read,
    .pread = faulty_pread,
    .mmap = faulty_mmap,
    .write = faulty_write,
    .pwrite = faulty_pwrite,
    .reserve = faulty_reserve,
    .write_back = faulty_write_back,
    .fchown = faulty_fchown,
    .fchmod = faulty_fchmod,
    .fsync = faulty_fsync,
    .close = faulty_close,
    .linkat = faulty_linkat,
    .renameat = faulty_renameat,
    .unlinkat = faulty_unlinkat,
};
