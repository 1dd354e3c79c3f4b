/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The implementation of atomic_file.h. All paths are relative to a descriptor of the target's
 * folder.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/atomic_file.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/status.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { MOST_LINKS = 40 /* The kernel follows as many links, too. */, MOST_NAMES = 100 };

static void close_quietly(int *fd)
{
    if (*fd >= 0) (void)stria__files->close(*fd);
    *fd = -1;
}

/* The last separator of a path, which may be the other slash on Windows; NULL: there is none. */
static const char *last_slash(const char *path)
{
    const char *const slash = strrchr(path, '/');
#ifdef _WIN32
    const char *const back = strrchr(path, '\\');
    if (back && (!slash || back > slash)) return back;
#endif
    return slash;
}

/* Opens the folder of path, which is relative to f->dir, and keeps the last component. */
static stria_status enter_folder(struct atomic_file *f, const char *path)
{
    const char *const slash = last_slash(path);
    const char *name = slash ? slash + 1 : path;
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        return stria__fail(STRIA_ERR_IO, "names a folder, not a file");
    if (strlen(name) >= NAME_ROOM)
        return stria__fail(STRIA_ERR_IO, "the file's name is longer than %d bytes", NAME_ROOM - 1);
    char folder[PATH_MAX] = ".";
    if (slash) {
        const size_t length = (size_t)(slash - path) + 1; /* The root is its slash. */
        if (length >= sizeof folder)
            return stria__fail(STRIA_ERR_IO, "the path is longer than %d bytes", PATH_MAX - 1);
        memcpy(folder, path, length);
        folder[length] = 0;
    }
    memcpy(f->name, name, strlen(name) + 1);
    const int from = f->dir >= 0 ? f->dir : AT_FDCWD;
    const int dir = stria__files->openat(from, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (dir < 0) return stria__fail_errno("open its folder");
    close_quietly(&f->dir);
    f->dir = dir;
    return STRIA_OK;
}

/* Follows the chain of links to its end, which may not exist; f->dir and f->name are set to it. */
static stria_status find_target(struct atomic_file *f, const char *path)
{
    char link[PATH_MAX];
    for (int hop = 0; hop <= MOST_LINKS; hop++) {
        STRIA_TRY(enter_folder(f, path));
        const ssize_t length = stria__files->readlinkat(f->dir, f->name, link, sizeof link);
        if (length < 0) {
            if (errno == EINVAL || errno == ENOENT) return STRIA_OK;
            return stria__fail_errno("read link");
        }
        if ((size_t)length == sizeof link)
            return stria__fail(STRIA_ERR_IO, "a symbolic link is longer than %d bytes",
                               PATH_MAX - 1);
        link[length] = 0;
        path = link;
    }
    return stria__fail(STRIA_ERR_IO, "more than %d symbolic links in a chain", (int)MOST_LINKS);
}

static stria_status examine_target(struct atomic_file *f, struct stat *st)
{
    f->exists = stria__files->fstatat(f->dir, f->name, st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!f->exists) return errno == ENOENT ? STRIA_OK : stria__fail_errno("stat");
    if (!S_ISREG(st->st_mode))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "is %s; only regular files are replaced",
                           S_ISDIR(st->st_mode) ? "a folder" : "a device or a pipe");
    /* The folder's rights suffice for a rename, but a write-protected file must not be replaced. */
    if (stria__files->faccessat(f->dir, f->name, W_OK, AT_EACCESS) != 0)
        return stria__fail_errno("the existing file is write-protected");
    return STRIA_OK;
}

/* Returns a number that differs between processes, threads and calls; O_EXCL catches equal ones. */
static uint64_t random_number(void)
{
    static atomic_uint_least32_t calls;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    uint64_t x = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    x ^= (uint64_t)getpid() << 40 ^ call << 20;
    x *= UINT64_C(0x9e3779b97f4a7c15); /* The factor is odd, so that the product loses no bits. */
    return x ^ x >> 32;
}

static stria_status create_temporary(struct atomic_file *f)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    const mode_t mode =
        /* The new file never has more rights than the file that it replaces. */
        f->exists ? 0600 : 0666;
    for (int tries = 0; tries < MOST_NAMES; tries++) {
        const unsigned long long unique = random_number();
        (void)snprintf(f->temporary, sizeof f->temporary, ".stria-%016llx.tmp", unique);
        (void)snprintf(f->backup, sizeof f->backup, ".stria-%016llx.old", unique);
        f->fd = stria__files->openat(f->dir, f->temporary, flags, mode);
        if (f->fd >= 0) return STRIA_OK;
        if (errno != EEXIST && errno != EINTR) break;
    }
    return stria__fail_errno("create a temporary file in its folder");
}

static stria_status copy_rights(struct atomic_file *f, const struct stat *st)
{
    struct stat own;
    if (stria__files->fstat(f->fd, &own) != 0) return stria__fail_errno("fstat");
    mode_t mode = st->st_mode & 0777;
    if ((own.st_uid != st->st_uid || own.st_gid != st->st_gid) &&
        stria__files->fchown(f->fd, st->st_uid, st->st_gid) != 0)
        /* The group's rights were meant for another group. */
        mode &= own.st_gid == st->st_gid ? 0777 : 0707;
    if (stria__files->fchmod(f->fd, mode) != 0) return stria__fail_errno("fchmod");
    return STRIA_OK;
}

stria_status stria__atomic_begin(struct atomic_file *f, const char *path)
{
    *f = (struct atomic_file){.dir = -1, .fd = -1};
    struct stat st;
    stria_status status = find_target(f, path);
    if (status == STRIA_OK) status = examine_target(f, &st);
    if (status == STRIA_OK) status = create_temporary(f);
    if (status == STRIA_OK && f->exists) status = copy_rights(f, &st);
    if (status != STRIA_OK) stria__atomic_abandon(f);
    return status;
}

static int sync_retried(int fd)
{
    int result;
    do
        result = stria__files->fsync(fd);
    while (result != 0 && errno == EINTR);
    return result;
}

static stria_status finish_temporary(struct atomic_file *f)
{
    if (sync_retried(f->fd) != 0) return stria__fail_errno("fsync");
    const int fd = f->fd;
    /* The descriptor is closed even if close fails; after fsync an interruption loses nothing. */
    f->fd = -1;
    if (stria__files->close(fd) != 0 && errno != EINTR) return stria__fail_errno("close");
    return STRIA_OK;
}

/*
 * NOTE [Undoing the rename]: the sync of the folder comes after the rename and can fail. A hard
 * link keeps the old file until then, so that it can get its name back. On file systems without
 * hard links the rename is not undone.
 */
static stria_status keep_target(struct atomic_file *f, bool *kept)
{
    *kept = f->exists && stria__files->linkat(f->dir, f->name, f->dir, f->backup, 0) == 0;
    if (!f->exists || *kept || errno == EPERM || errno == EMLINK || errno == ENOTSUP ||
        errno == EOPNOTSUPP || errno == ENOSYS)
        return STRIA_OK;
    return stria__fail_errno("link the old file");
}

stria_status stria__atomic_replace(struct atomic_file *f)
{
    bool kept;
    STRIA_TRY(finish_temporary(f));
    STRIA_TRY(keep_target(f, &kept));
    if (stria__files->renameat(f->dir, f->temporary, f->dir, f->name) != 0) {
        const stria_status status = stria__fail_errno("rename");
        if (kept) (void)stria__files->unlinkat(f->dir, f->backup, 0);
        return status;
    }
    f->temporary[0] = 0;
    stria_status status = STRIA_OK;
    if (sync_retried(f->dir) != 0 && errno != EINVAL && errno != ENOTSUP)
        /* These errors mean that the file system cannot sync a folder. */
        status = stria__fail_errno("fsync its folder");
    if (status == STRIA_OK && kept && stria__files->unlinkat(f->dir, f->backup, 0) != 0)
        status = stria__fail_errno("remove the old file");
    if (status == STRIA_OK) return STRIA_OK;
    if (kept) (void)stria__files->renameat(f->dir, f->backup, f->dir, f->name);
    if (!f->exists) (void)stria__files->unlinkat(f->dir, f->name, 0);
    return status;
}

stria_status stria__atomic_commit(struct atomic_file *f)
{
    const stria_status status = stria__atomic_replace(f);
    stria__atomic_abandon(f); /* Removes the temporary file if it is still there. */
    return status;
}

stria_status stria__atomic_end(struct atomic_file *f, stria_status status)
{
    if (status == STRIA_OK) return stria__atomic_commit(f);
    stria__atomic_abandon(f);
    return status;
}

void stria__atomic_unlink(const struct atomic_file *f)
{
    if (f->temporary[0]) (void)stria__files->unlinkat(f->dir, f->temporary, 0);
}

void stria__atomic_abandon(struct atomic_file *f)
{
    close_quietly(&f->fd);
    stria__atomic_unlink(f);
    f->temporary[0] = 0;
    close_quietly(&f->dir);
}
