/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread sleeps until it is told to stop, and meanwhile writes the line twice a second. */
#define _POSIX_C_SOURCE 200809L
#include "terminal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <string.h>

#include "view/pool.h"
#include "must.h"

struct progress {
    const char *label;
    atomic_int thousandths; /* -1: unknown. */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t stop;
    bool stopped, shown;
    char detail[48];
};

enum { FIRST_MS = 1000, NEXT_MS = 500, BAR = 24 };

static struct timespec later(struct timespec at, long milliseconds)
{
    const long ns = at.tv_nsec + milliseconds % 1000 * 1000000;
    at.tv_sec += milliseconds / 1000 + ns / 1000000000;
    at.tv_nsec = ns % 1000000000;
    return at;
}

static void show_progress(struct progress *p, time_t seconds)
{
    const int done = atomic_load(&p->thousandths);
    char bar[BAR + 1] = "";
    for (int i = 0; i < BAR; i++)
        bar[i] = i * 1000 < done * BAR ? '#' : '.';
    if (done < 0)
        (void)fprintf(stderr, "\r\033[K%s, %ld s", p->label, (long)seconds);
    else
        (void)fprintf(stderr, "\r\033[K%s [%s] %d %%, %ld s  %s", p->label, bar, done / 10,
                      (long)seconds, p->detail);
    (void)fflush(stderr);
    p->shown = true;
}

static void clear_line(struct progress *p)
{
    if (p->shown) (void)fputs("\r\033[K", stderr);
    p->shown = false;
}

static void *watch_progress(void *data)
{
    struct progress *p = data;
    struct timespec start, next;
    (void)clock_gettime(CLOCK_REALTIME, &start);
    next = later(start, FIRST_MS);
    (void)pthread_mutex_lock(&p->mutex);
    while (!p->stopped) {
        if (pthread_cond_timedwait(&p->stop, &p->mutex, &next) == 0) continue;
        show_progress(p, next.tv_sec - start.tv_sec);
        next = later(next, NEXT_MS);
    }
    clear_line(p);
    (void)pthread_mutex_unlock(&p->mutex);
    return NULL;
}

struct progress *progress_start(const char *label)
{
    if (!isatty(STDERR_FILENO)) return NULL;
    struct progress *p = must_malloc(sizeof *p);
    *p = (struct progress){.label = label};
    atomic_init(&p->thousandths, -1);
    (void)pthread_mutex_init(&p->mutex, NULL);
    (void)pthread_cond_init(&p->stop, NULL);
    if (pthread_create(&p->thread, NULL, watch_progress, p) == 0) return p;
    free(p);
    return NULL;
}

void progress_set(struct progress *p, double done, double all)
{
    if (p && all > 0) atomic_store(&p->thousandths, (int)(done / all * 1000));
}

void progress_detail(struct progress *p, const char *detail)
{
    if (!p) return;
    (void)pthread_mutex_lock(&p->mutex);
    (void)snprintf(p->detail, sizeof p->detail, "%s", detail);
    (void)pthread_mutex_unlock(&p->mutex);
}

void progress_clear(struct progress *p)
{
    if (!p) return;
    (void)pthread_mutex_lock(&p->mutex);
    clear_line(p);
    (void)pthread_mutex_unlock(&p->mutex);
}

void progress_stop(struct progress *p)
{
    if (!p) return;
    (void)pthread_mutex_lock(&p->mutex);
    p->stopped = true;
    (void)pthread_cond_signal(&p->stop);
    (void)pthread_mutex_unlock(&p->mutex);
    (void)pthread_join(p->thread, NULL);
    (void)pthread_cond_destroy(&p->stop);
    (void)pthread_mutex_destroy(&p->mutex);
    free(p);
}

static bool always_coloured, never_coloured;

void colour_choose(bool always, bool never)
{
    always_coloured = always;
    never_coloured = never;
}

/* Tells whether colours are wanted; NO_COLOR is obeyed as https://no-color.org defines it: any text
 * but none. */
static bool wanted(FILE *file)
{
    if (always_coloured || never_coloured) return always_coloured;
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(none && *none) && !(terminal && !strcmp(terminal, "dumb")) && isatty(fileno(file));
}

const char *colour(FILE *file, enum colour which)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[0m", [RED] = "\033[31m", [GREEN] = "\033[32m", [YELLOW] = "\033[33m"};
    return wanted(file) ? codes[which] : "";
}
