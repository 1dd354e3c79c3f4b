/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* Declares madvise. */
#include "map_windows.h"

#ifdef __linux__
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    WINDOWS = 2048, /* Most open windows. */
    /* Places for which there is room when reading jumps, as along the rows of a tile. */
    PLACES = 1024,
    /* Reading goes on from a window up to so many windows away, as along every sixteenth row. */
    NEAR = 16,
    GROWTH = 4,    /* Factor by which the next window is longer then. */
    STREAMS = 8,   /* Places from which a thread reads on at once. */
    RECENT = 4,    /* Windows that stay: an instruction may read across the ends of some of them. */
    IN_VAIN = 1000 /* Faults at one address in an open window that are no race any more. */
};

struct window {
    uintptr_t first, end;
};

/* Faults come from reads of maps, never from within functions that hold it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct windowed *maps;
static struct window window[WINDOWS]; /* Open windows, the oldest first. */
static int count;
static int64_t opened; /* Bytes of all open windows. */
/* Bytes of the smallest window, and places that are read at once. */
static uintptr_t unit, streams;
static windows_limit *limit_now;
static struct sigaction before;

/* ---- windows --------------------------------------------------------------------------------- */

static void close_window(int i)
{
    const struct window w = window[i];
    (void)madvise((void *)w.first, w.end - w.first, MADV_DONTNEED);
    (void)mprotect((void *)w.first, w.end - w.first, PROT_NONE);
    opened -= (int64_t)(w.end - w.first);
    memmove(&window[i], &window[i + 1], (size_t)(--count - i) * sizeof *window);
}

/* Returns the open window that ends there, or begins; -1 if none does. */
static int window_at(uintptr_t at, bool end)
{
    for (int i = 0; i < count; i++)
        if ((end ? window[i].end : window[i].first) == at) return i;
    return -1;
}

/* Returns the window nearest to w, above or below it and not far away; -1 if there is none. */
static int near(const struct window *w, bool above)
{
    uintptr_t best = NEAR * unit + 1;
    int found = -1;
    for (int i = 0; i < count; i++) {
        const uintptr_t gap = above ? window[i].first - w->end : w->first - window[i].end;
        if (gap >= best) continue; /* A gap on the other side of w is immense. */
        best = gap;
        found = i;
    }
    return found;
}

/* Makes w longer if reading goes on, upwards or downwards, from a window that is open. */
static void go_on(struct window *w, const struct windowed *map, uintptr_t most)
{
    const int below = near(w, false), from = below >= 0 ? below : near(w, true);
    if (from < 0) return;
    const uintptr_t more = GROWTH * (window[from].end - window[from].first),
                    size = more < most ? more : most;
    if (size < w->end - w->first) return;
    if (below >= 0)
        w->end = size < map->end - w->first ? w->first + size : map->end;
    else
        w->first = size < w->end - map->first ? w->end - size : map->first;
}

/* Chooses the bytes to open for a read at `at`, in general at most `most`; false if they are
 * open. */
static bool choose_window(struct window *w, const struct windowed *map, uintptr_t at,
                          uintptr_t most)
{
    w->first = at / unit * unit;
    w->end = w->first + unit;
    go_on(w, map, most);
    if (w->first < map->first) w->first = map->first;
    if (w->end > map->end) w->end = map->end;
    for (int i = 0; i < count; i++) {
        if (window[i].first <= at && at < window[i].end) return false;
        if (window[i].end <= at && window[i].end > w->first) w->first = window[i].end;
        if (window[i].first > at && window[i].first < w->end) w->end = window[i].first;
    }
    return true;
}

/*
 * Closes the window that is the farthest behind, if reading goes on: others on the same way may
 * still need the nearer ones. Otherwise the oldest, and never one of the last.
 */
static void make_room(const struct window *w)
{
    int next, last = window_at(w->first, true);
    const bool up = last >= 0;
    if (!up) last = window_at(w->end, false);
    for (int steps = 0; last >= 0 && steps < NEAR; steps++) {
        next = window_at(up ? window[last].first : window[last].end, up);
        if (next < 0) break;
        last = next;
    }
    close_window(last >= 0 && last < count - RECENT ? last : 0);
}

/*
 * Opens a window; false if it was already open. The limit always has room for several windows, so
 * that an instruction which reads from two of them does not close one by opening the other.
 */
static bool open_at(const struct windowed *map, uintptr_t at)
{
    const int64_t now = limit_now(), least = (int64_t)(2 * streams * unit),
                  limit = now > least ? now : least;
    struct window w;
    if (!choose_window(&w, map, at, (uintptr_t)limit / streams / unit * unit)) return false;
    const int64_t bytes = (int64_t)(w.end - w.first);
    while (count > 0 && (count == WINDOWS || opened + bytes > limit))
        make_room(&w);
    while (mprotect((void *)w.first, w.end - w.first, PROT_READ) != 0 && count > 0)
        close_window(0); /* There are too many maps. */
    window[count++] = w;
    opened += bytes;
    return true;
}

/* ---- the signal ------------------------------------------------------------------------------ */

static const struct windowed *map_of(uintptr_t at)
{
    const struct windowed *map = maps;
    while (map && !(map->first <= at && at < map->end))
        map = map->next;
    return map;
}

/*
 * Serves a fault. In an open window it is a race that another thread has won or, if it comes again
 * and again, a write. A fault that is not served here gets at the next try what it would get
 * without a handler.
 */
static bool serve(uintptr_t at)
{
    static _Thread_local uintptr_t last;
    static _Thread_local int again;
    const struct windowed *const map = map_of(at);
    if (!map) return false;
    again = open_at(map, at) || at != last ? 0 : again + 1;
    last = at;
    return again < IN_VAIN;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    const int code = errno;
    (void)context;
    (void)pthread_mutex_lock(&mutex);
    if (!serve((uintptr_t)info->si_addr)) (void)sigaction(number, &before, NULL);
    (void)pthread_mutex_unlock(&mutex);
    errno = code;
}

void windows_start(windows_limit *limit, int threads)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_RESTART};
    limit_now = limit;
    streams = STREAMS * (uintptr_t)(threads > 1 ? threads : 1);
    unit = (uintptr_t)sysconf(_SC_PAGESIZE);
    while (2 * unit * PLACES <= (uintptr_t)limit())
        unit *= 2;
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(SIGSEGV, &action, &before);
}

/* ---- maps ------------------------------------------------------------------------------------ */

void windows_add(struct windowed *map)
{
    (void)pthread_mutex_lock(&mutex);
    map->next = maps;
    maps = map;
    (void)madvise((void *)map->first, map->end - map->first, MADV_DONTNEED);
    (void)mprotect((void *)map->first, map->end - map->first, PROT_NONE);
    (void)pthread_mutex_unlock(&mutex);
}

void windows_remove(struct windowed *map)
{
    struct windowed **at = &maps;
    (void)pthread_mutex_lock(&mutex);
    while (*at && *at != map)
        at = &(*at)->next;
    if (*at) *at = map->next;
    for (int i = count - 1; i >= 0; i--)
        if (map->first <= window[i].first && window[i].first < map->end) close_window(i);
    (void)mprotect((void *)map->first, map->end - map->first, PROT_READ);
    (void)pthread_mutex_unlock(&mutex);
}

#endif
