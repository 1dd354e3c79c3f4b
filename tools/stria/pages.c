/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* madvise */
#include "pages.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "budget.h"

enum { SHARE = 8 /* of the budget: what maps may take */, LOOK_NS = 1000000 };

struct watched {
    stria_buffer *buffer; /* owned: the map stays while the thread may give its pages back */
    uintptr_t first, end;
    int fd;         /* or -1 */
    int64_t offset; /* of the buffer's first byte in the file */
    struct watched *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct watched *files;
static int64_t bytes; /* of all files */
static bool running;

static int64_t share(void)
{
    return budget_memory() / SHARE;
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
 * Finds the file that is mapped there. Where files cannot be mapped they are read into memory of
 * our own, whose pages would be lost.
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

/* The mapped file itself, and no other that has its name by now; -1 where it is not to be had. */
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

static void drop_locked(void)
{
    for (const struct watched *f = files; f; f = f->next)
        (void)madvise((void *)f->first, f->end - f->first, MADV_DONTNEED);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Resident pages of files, from the third number of statm. */
static int64_t resident(int statm)
{
    char text[128];
    int64_t pages = 0;
    const ssize_t n = pread(statm, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = 0;
    if (sscanf(text, "%*s %*s %" SCNd64, &pages) != 1) return 0;
    return pages * sysconf(_SC_PAGESIZE);
}

static void *look_after(void *context)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    (void)context;
    while (statm >= 0) {
        (void)nanosleep(&pause, NULL);
        if (resident(statm) < share()) continue;
        (void)pthread_mutex_lock(&mutex);
        drop_locked();
        (void)pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* It ends with the process. Signals are for the thread that can hold them back, see interrupt.h. */
static void start_thread(void)
{
    sigset_t all, before;
    pthread_t thread;
    running = true;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    if (pthread_create(&thread, NULL, look_after, NULL) == 0) (void)pthread_detach(thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- files ----------------------------------------------------------------------------------- */

void pages_watch(stria_buffer *buffer)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    data = (uintptr_t)stria_buffer_data(buffer);
    const int64_t size = stria_buffer_size(buffer);
    struct map map;
    if (size <= 0 || !find_map(&map, data)) return;
    struct watched *const file = must_malloc(sizeof *file);
    *file = (struct watched){.buffer = stria_buffer_retain(buffer),
                             .first = data / page * page,
                             .end = data + (uintptr_t)size,
                             .fd = open_again(&map),
                             .offset = (int64_t)(map.offset + (data - map.first))};
    (void)pthread_mutex_lock(&mutex);
    file->next = files;
    files = file;
    bytes += size;
    const bool start = !running && bytes > share();
    (void)pthread_mutex_unlock(&mutex);
    if (start) start_thread();
}

void pages_forget(stria_buffer *buffer)
{
    (void)pthread_mutex_lock(&mutex);
    struct watched **at = &files;
    while (*at && (*at)->buffer != buffer)
        at = &(*at)->next;
    struct watched *const file = *at;
    if (file) {
        *at = file->next;
        bytes -= stria_buffer_size(buffer);
        stria_buffer_release(buffer);
        if (file->fd >= 0) (void)close(file->fd);
        free(file);
    }
    (void)pthread_mutex_unlock(&mutex);
}

bool pages_source(const stria_buffer *buffer, int *fd, int64_t *offset)
{
    bool found = false;
    (void)pthread_mutex_lock(&mutex);
    for (const struct watched *f = files; f && !found; f = f->next) {
        found = f->buffer == buffer && f->fd >= 0;
        *fd = f->fd;
        *offset = f->offset;
    }
    (void)pthread_mutex_unlock(&mutex);
    return found;
}

bool pages_are_many(void)
{
    (void)pthread_mutex_lock(&mutex);
    const bool many = bytes > share();
    (void)pthread_mutex_unlock(&mutex);
    return many;
}

void pages_drop(void)
{
    (void)pthread_mutex_lock(&mutex);
    if (bytes > share()) drop_locked();
    (void)pthread_mutex_unlock(&mutex);
}
