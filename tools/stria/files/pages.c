/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* Declares major and minor. */
#include "pages.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "map_windows.h"
#include "stria/threads.h"
#include "tool.h"

enum {
    SHARE = 2,
    LEAST = 16 /* Parts of the budget that maps may take, and that they have for certain. */
};

struct watched {
    stria_buffer *buffer; /* Owned: the map stays as long as it has windows. */
    struct windowed map;
    int fd;         /* The descriptor, or -1. */
    int64_t offset; /* Offset of the buffer's first byte in the file. */
    struct watched *next;
};

static struct watched *files;
static int64_t bytes; /* Bytes of all files. */
static bool windows;  /* Files are read through windows. */

static int64_t share(void)
{
    return budget_memory() / SHARE;
}

/* Returns half of the memory that arrays leave. */
static int64_t limit(void)
{
    const int64_t half = budget_left() / 2, least = budget_memory() / LEAST;
    return half > least ? half : least;
}

/* A line of /proc/self/maps. */
struct map {
    uintptr_t first, end;
    uint64_t offset;
    unsigned major, minor;
    unsigned long inode;
    char path[4096];
};

/*
 * Finds the file that is mapped there. Files that cannot be mapped are read into memory of our own,
 * whose pages would be lost.
 */
static bool find_map(struct map *out, uintptr_t at)
{
    FILE *const maps = fopen("/proc/self/maps", "r");
    bool found = false;
    char line[4400];
    while (maps && !found && fgets(line, sizeof line, maps)) {
        out->path[0] = 0;
        found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " r-%*s %" SCNx64 " %x:%x %lu %4095[^\n]",
                       &out->first, &out->end, &out->offset, &out->major, &out->minor, &out->inode,
                       out->path) >= 6 &&
                out->first <= at && at < out->end && out->inode != 0;
    }
    if (maps) (void)fclose(maps);
    return found;
}

/* Opens the mapped file itself, and no other that has its name by now; -1 if that is not
 * possible. */
static int open_again(const struct map *map)
{
    struct stat st;
    const int fd = open(map->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && st.st_ino == map->inode && major(st.st_dev) == map->major &&
        minor(st.st_dev) == map->minor)
        return fd;
    (void)close(fd);
    return -1;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Makes every file be read through windows from now on, since together they are large. */
static void open_windows(void)
{
    windows_start(limit, stria_threads());
    for (struct watched *f = files; f; f = f->next)
        windows_add(&f->map);
    windows = true;
}

void pages_watch(stria_buffer *buffer)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    data = (uintptr_t)stria_buffer_data(buffer);
    const int64_t size = stria_buffer_size(buffer);
    struct map map;
    if (size <= 0 || !find_map(&map, data)) return;
    struct watched *const file = must_malloc(sizeof *file);
    *file = (struct watched){.buffer = stria_buffer_retain(buffer),
                             .map = {.first = data / page * page,
                                     .end = (data + (uintptr_t)size + page - 1) / page * page},
                             .fd = open_again(&map),
                             .offset = (int64_t)(map.offset + (data - map.first)),
                             .next = files};
    files = file;
    bytes += size;
    if (windows)
        windows_add(&file->map);
    else if (pages_are_many())
        open_windows();
}

void pages_forget(stria_buffer *buffer)
{
    struct watched **at = &files;
    while (*at && (*at)->buffer != buffer)
        at = &(*at)->next;
    struct watched *const file = *at;
    if (!file) return;
    *at = file->next;
    bytes -= stria_buffer_size(buffer);
    if (windows) windows_remove(&file->map);
    stria_buffer_release(buffer);
    if (file->fd >= 0) (void)close(file->fd);
    free(file);
}

static const struct watched *file_of(const stria_buffer *buffer)
{
    const struct watched *f = files;
    while (f && (f->buffer != buffer || f->fd < 0))
        f = f->next;
    return f;
}

bool pages_have_file(const stria_buffer *buffer)
{
    return file_of(buffer) != NULL;
}

bool pages_read(const stria_buffer *buffer, void *to, int64_t count, int64_t at)
{
    const struct watched *const f = file_of(buffer);
    for (int64_t done = 0; f && done < count;) {
        const ssize_t n =
            pread(f->fd, (char *)to + done, (size_t)(count - done), (off_t)(f->offset + at + done));
        if (n <= 0) return false;
        done += n;
    }
    return f != NULL;
}

void pages_fetch(const stria_buffer *buffer, int64_t count, int64_t at)
{
    const struct watched *const f = file_of(buffer);
    if (f) (void)posix_fadvise(f->fd, (off_t)(f->offset + at), (off_t)count, POSIX_FADV_WILLNEED);
}

bool pages_are_many(void)
{
    return bytes > share();
}

#else

void pages_watch(stria_buffer *buffer)
{
    (void)buffer;
}

void pages_forget(stria_buffer *buffer)
{
    (void)buffer;
}

bool pages_have_file(const stria_buffer *buffer)
{
    (void)buffer;
    return false;
}

bool pages_read(const stria_buffer *buffer, void *to, int64_t count, int64_t at)
{
    (void)buffer, (void)to, (void)count, (void)at;
    return false;
}

void pages_fetch(const stria_buffer *buffer, int64_t count, int64_t at)
{
    (void)buffer, (void)count, (void)at;
}

bool pages_are_many(void)
{
    return false;
}

#endif
