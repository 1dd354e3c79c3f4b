/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of file_ops.h on Windows. Paths are UTF-8. Descriptors are those of the C library,
 * which hold handles, and bytes are never translated, in whichever mode a descriptor was opened.
 * Symbolic links are followed when a file is opened, and replaced themselves when it is written
 * anew.
 */
#include "io/file_ops.h"

#ifdef _WIN32

#include <errno.h>
#include <io.h>
#include <limits.h>
#include <string.h>
#include <windows.h>

#include "base/alloc.h"

enum { PATH_ROOM = 4096 };

/* Sets errno to what the last call failed with; returns -1. */
static int failed(void)
{
    static const struct {
        DWORD error;
        int code;
    } codes[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_USER_MAPPED_FILE, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_INVALID_FUNCTION, ENOTSUP},
        {ERROR_NOT_SUPPORTED, ENOTSUP},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_TOO_MANY_LINKS, EMLINK},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].error == error) errno = codes[i].code;
    return -1;
}

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* Writes the path, which is a name in the folder `dir` unless that is AT_FDCWD. */
static bool wide_path(wchar_t out[PATH_ROOM], int dir, const char *path)
{
    DWORD used = 0;
    if (dir != AT_FDCWD) {
        used = GetFinalPathNameByHandleW(handle_of(dir), out, PATH_ROOM, 0);
        if (used == 0 || used >= PATH_ROOM - 1) return failed(), false;
        out[used++] = L'\\';
    }
    const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out + used,
                                      PATH_ROOM - (int)used);
    if (n == 0) errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return n > 0;
}

/* Opens a file, or a folder; INVALID_HANDLE_VALUE and errno where that fails. */
static HANDLE open_handle(int dir, const char *path, DWORD rights, DWORD how)
{
    wchar_t name[PATH_ROOM];
    if (!wide_path(name, dir, path)) return INVALID_HANDLE_VALUE;
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file =
        CreateFileW(name, rights, share, NULL, how, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) (void)failed();
    return file;
}

static int status_of(HANDLE file, struct stat *out)
{
    BY_HANDLE_FILE_INFORMATION told;
    const DWORD type = GetFileType(file);
    memset(out, 0, sizeof *out);
    out->st_mode = type == FILE_TYPE_PIPE ? _S_IFIFO : _S_IFCHR;
    if (type != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(file, &told)) return failed();
    const bool folder = told.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    const bool kept = told.dwFileAttributes & FILE_ATTRIBUTE_READONLY;
    out->st_mode = (unsigned short)((folder ? _S_IFDIR : _S_IFREG) | (kept ? 0444 : 0666));
    out->st_size = (off_t)told.nFileSizeHigh << 32 | told.nFileSizeLow;
    return 0;
}

static int open_file(int dir, const char *path, int flags, mode_t mode)
{
    (void)mode;
    const DWORD rights = flags & O_RDWR ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
    const DWORD how = !(flags & O_CREAT) ? OPEN_EXISTING
                      : flags & O_EXCL   ? CREATE_NEW
                                         : OPEN_ALWAYS;
    const HANDLE file = open_handle(dir, path, rights, how);
    struct stat st;
    if (file == INVALID_HANDLE_VALUE) return -1;
    errno = ENOTDIR;
    const bool refused =
        status_of(file, &st) != 0 || ((flags & O_DIRECTORY) && !S_ISDIR(st.st_mode));
    const int fd = refused ? -1 : _open_osfhandle((intptr_t)file, _O_BINARY);
    if (fd < 0) (void)CloseHandle(file);
    return fd;
}

static int status_of_fd(int fd, struct stat *out)
{
    return status_of(handle_of(fd), out);
}

static int status_at(int dir, const char *path, struct stat *out, int flags)
{
    (void)flags;
    const HANDLE file = open_handle(dir, path, 0, OPEN_EXISTING);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int result = status_of(file, out);
    (void)CloseHandle(file);
    return result;
}

static int may_write(int dir, const char *path, int mode, int flags)
{
    struct stat st;
    (void)mode;
    if (status_at(dir, path, &st, flags) != 0) return -1;
    errno = EACCES;
    return st.st_mode & _S_IWRITE ? 0 : -1;
}

/* Links are not told from what they lead to. */
static ssize_t no_link(int dir, const char *path, char *out, size_t size)
{
    (void)dir, (void)path, (void)out, (void)size;
    errno = EINVAL;
    return -1;
}

static DWORD at_once(size_t size)
{
    return size < INT_MAX ? (DWORD)size : INT_MAX;
}

static OVERLAPPED place_of(off_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

static ssize_t read_from(int fd, void *out, size_t size, OVERLAPPED *place)
{
    DWORD n = 0;
    if (ReadFile(handle_of(fd), out, at_once(size), &n, place)) return (ssize_t)n;
    const DWORD error = GetLastError();
    return error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE ? 0 : failed();
}

static ssize_t write_to(int fd, const void *bytes, size_t size, OVERLAPPED *place)
{
    DWORD n = 0;
    return WriteFile(handle_of(fd), bytes, at_once(size), &n, place) ? (ssize_t)n : failed();
}

static ssize_t read_on(int fd, void *out, size_t size)
{
    return read_from(fd, out, size, NULL);
}

/* Reading and writing at an offset moves the file's position here. */
static LARGE_INTEGER position_of(int fd)
{
    LARGE_INTEGER none = {.QuadPart = 0}, at = none;
    (void)SetFilePointerEx(handle_of(fd), none, &at, FILE_CURRENT);
    return at;
}

static ssize_t read_at(int fd, void *out, size_t size, off_t offset)
{
    OVERLAPPED place = place_of(offset);
    const LARGE_INTEGER before = position_of(fd);
    const ssize_t n = read_from(fd, out, size, &place);
    (void)SetFilePointerEx(handle_of(fd), before, NULL, FILE_BEGIN);
    return n;
}

static ssize_t write_on(int fd, const void *bytes, size_t size)
{
    return write_to(fd, bytes, size, NULL);
}

static ssize_t write_at(int fd, const void *bytes, size_t size, off_t offset)
{
    OVERLAPPED place = place_of(offset);
    const LARGE_INTEGER before = position_of(fd);
    const ssize_t n = write_to(fd, bytes, size, &place);
    (void)SetFilePointerEx(handle_of(fd), before, NULL, FILE_BEGIN);
    return n;
}

/*
 * NOTE [Views that are written]: only FlushFileBuffers waits for the disk, which wants a handle of
 * the file, whose descriptor is closed by then: each shared view keeps one until it is unmapped.
 */
struct shared_view {
    struct shared_view *next;
    void *at;
    HANDLE file;
    stria_allocator from;
};
static struct shared_view *shared_views;
static SRWLOCK shared_views_lock = SRWLOCK_INIT;

static bool keep_handle(void *at, int fd)
{
    const HANDLE self = GetCurrentProcess();
    const stria_allocator from = stria__allocator();
    struct shared_view *const view = from.alloc(sizeof *view, STRIA_ALIGNMENT, from.context);
    errno = ENOMEM;
    if (!view) return false;
    *view = (struct shared_view){.at = at, .from = from};
    if (!DuplicateHandle(self, handle_of(fd), self, &view->file, 0, 0, DUPLICATE_SAME_ACCESS)) {
        (void)failed();
        from.free(view, sizeof *view, from.context);
        return false;
    }
    AcquireSRWLockExclusive(&shared_views_lock);
    view->next = shared_views;
    shared_views = view;
    ReleaseSRWLockExclusive(&shared_views_lock);
    return true;
}

/* Returns the shared view at this address, taken from the list if it is unmapped, or NULL. */
static struct shared_view *shared_view_at(const void *at, bool unmapped)
{
    AcquireSRWLockExclusive(&shared_views_lock);
    struct shared_view **link = &shared_views;
    while (*link && (*link)->at != at)
        link = &(*link)->next;
    struct shared_view *const view = *link;
    if (view && unmapped) *link = view->next;
    ReleaseSRWLockExclusive(&shared_views_lock);
    return view;
}

static void *map(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    const bool writes = protection & PROT_WRITE, shared = flags & MAP_SHARED;
    const DWORD pages = !writes ? PAGE_READONLY : shared ? PAGE_READWRITE : PAGE_WRITECOPY;
    const DWORD rights = !writes ? FILE_MAP_READ : shared ? FILE_MAP_WRITE : FILE_MAP_COPY;
    const OVERLAPPED place = place_of(offset);
    const HANDLE mapping = CreateFileMappingW(handle_of(fd), NULL, pages, 0, 0, NULL);
    (void)at;
    if (!mapping) return failed(), MAP_FAILED;
    void *const memory = MapViewOfFile(mapping, rights, place.OffsetHigh, place.Offset, size);
    if (!memory) (void)failed();
    (void)CloseHandle(mapping); /* The view keeps it. */
    if (memory && writes && shared && !keep_handle(memory, fd)) {
        (void)UnmapViewOfFile(memory);
        return MAP_FAILED;
    }
    return memory ? memory : MAP_FAILED;
}

int munmap(void *at, size_t size)
{
    (void)size;
    struct shared_view *const view = shared_view_at(at, true);
    if (view) {
        (void)CloseHandle(view->file);
        view->from.free(view, sizeof *view, view->from.context);
    }
    return UnmapViewOfFile(at) ? 0 : failed();
}

int msync(void *at, size_t size, int flags)
{
    (void)flags;
    const struct shared_view *const view = shared_view_at(at, false);
    if (!FlushViewOfFile(at, size)) return failed();
    return !view || FlushFileBuffers(view->file) ? 0 : failed();
}

/* A new file has the size that a map of it needs. */
static int set_size(int fd, off_t offset, off_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile = {.QuadPart = offset + size}};
    if (SetFileInformationByHandle(handle_of(fd), FileEndOfFileInfo, &end, sizeof end)) return 0;
    (void)failed();
    return errno;
}

static int keep_owner(int fd, uid_t user, gid_t group)
{
    (void)fd, (void)user, (void)group;
    return 0;
}

static int keep_mode(int fd, mode_t mode)
{
    (void)fd, (void)mode;
    return 0;
}

/* Folders need no sync: the file system notes a rename in its journal before it is made. */
static int sync(int fd)
{
    struct stat st;
    if (status_of_fd(fd, &st) == 0 && S_ISDIR(st.st_mode)) return 0;
    return FlushFileBuffers(handle_of(fd)) ? 0 : failed();
}

static int make_hard_link(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    wchar_t old[PATH_ROOM], new[PATH_ROOM];
    (void)flags;
    if (!wide_path(old, from_dir, from) || !wide_path(new, to_dir, to)) return -1;
    return CreateHardLinkW(new, old, NULL) ? 0 : failed();
}

static int rename_over(int from_dir, const char *from, int to_dir, const char *to)
{
    wchar_t old[PATH_ROOM], new[PATH_ROOM];
    if (!wide_path(old, from_dir, from) || !wide_path(new, to_dir, to)) return -1;
    const DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExW(old, new, how) ? 0 : failed();
}

static int remove_file(int dir, const char *path, int flags)
{
    wchar_t name[PATH_ROOM];
    (void)flags;
    if (!wide_path(name, dir, path)) return -1;
    return DeleteFileW(name) ? 0 : failed();
}

const struct file_ops stria__posix_files = {
    .openat = open_file,
    .fstat = status_of_fd,
    .fstatat = status_at,
    .faccessat = may_write,
    .readlinkat = no_link,
    .read = read_on,
    .pread = read_at,
    .mmap = map,
    .write = write_on,
    .pwrite = write_at,
    .reserve = set_size,
    .write_back = stria__write_back,
    .fchown = keep_owner,
    .fchmod = keep_mode,
    .fsync = sync,
    .close = _close,
    .linkat = make_hard_link,
    .renameat = rename_over,
    .unlinkat = remove_file,
};

#endif
