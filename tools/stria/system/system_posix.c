/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* Declares RUSAGE_THREAD. */
#include "system.h"

#ifndef _WIN32
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * A file that is opened must not get the number of a closed stream: output would go into it. What
 * is opened in its place fails when the stream is used. A write beyond RLIMIT_FSIZE is an error
 * like a full disk, not the end of the process.
 */
void system_prepare(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    (void)signal(SIGXFSZ, SIG_IGN);
}

void system_catch(int number, void (*handler)(int number))
{
    struct sigaction now, action = {.sa_handler = handler};
    (void)sigfillset(&action.sa_mask);
    (void)sigdelset(&action.sa_mask, number); /* Otherwise the handler could not raise it. */
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN) return;
    (void)sigaction(number, &action, NULL);
}

void system_alarm(unsigned seconds)
{
    (void)alarm(seconds);
}

void system_mkdir(const char *path)
{
    (void)mkdir(path, 0777);
}

void system_setenv(const char *name, const char *value)
{
    (void)setenv(name, value, 1);
}

bool system_thread(pthread_t *thread, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGBUS);
    (void)sigdelset(&all, SIGSEGV);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool started = pthread_create(thread, NULL, run, context) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Threads have stacks in a quarter of the address space, and share one heap. */
int system_threads_most(int64_t own)
{
    enum { USUAL_STACK = 8 << 20 };
    struct rlimit space, stack;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return INT_MAX;
    const bool usual = getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY;
    const rlim_t each = (usual ? USUAL_STACK : stack.rlim_cur) + (rlim_t)own,
                 most = 1 + space.rlim_cur / 4 / each;
#ifdef M_ARENA_MAX
    (void)mallopt(M_ARENA_MAX, 1);
#endif
    return most < INT_MAX ? (int)most : INT_MAX - 1;
}

/* Returns the number behind `key` in a file of the system, or -1. */
static int64_t number_in(const char *path, const char *key)
{
    char line[256];
    int64_t value = -1;
    FILE *file = fopen(path, "r");
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%" SCNd64, &value) != 1)
            value = -1;
    if (file) (void)fclose(file);
    return value;
}

int64_t system_free_memory(void)
{
    const int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
    int64_t bytes = kib >= 0
                        ? kib * 1024
                        : (int64_t)sysconf(_SC_PHYS_PAGES) / 2 * (int64_t)sysconf(_SC_PAGESIZE);
    const int64_t most = number_in("/sys/fs/cgroup/memory.max", ""),
                  now = number_in("/sys/fs/cgroup/memory.current", "");
    if (most >= 0 && now >= 0 && most - now < bytes) bytes = most > now ? most - now : 0;
    return bytes;
}

int64_t system_switches(bool all_threads)
{
    struct rusage usage = {.ru_nivcsw = 0};
#ifdef RUSAGE_THREAD
    (void)getrusage(all_threads ? RUSAGE_SELF : RUSAGE_THREAD, &usage);
#else
    (void)all_threads; /* Those of other threads cannot be told from this one's. */
#endif
    return usage.ru_nivcsw;
}

void system_name(char *text, size_t size)
{
    struct utsname names;
    *text = '\0';
    if (uname(&names) == 0)
        (void)snprintf(text, size, "%.30s %.40s %.20s", names.sysname, names.release,
                       names.machine);
}

bool system_match(const char *pattern, void (*take)(void *context, const char *path), void *context)
{
    glob_t found = {.gl_pathc = 0};
    const bool any = glob(pattern, 0, NULL, &found) == 0;
    for (size_t i = 0; any && i < found.gl_pathc; i++)
        take(context, found.gl_pathv[i]);
    globfree(&found);
    return any;
}

#endif
