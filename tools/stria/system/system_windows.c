/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments and paths are UTF-8 by utf8.manifest, which lies in the program. */
#include "system.h"

#ifdef _WIN32
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* Read by the C library's start of a program: arguments are not patterns, but may be an EXPR. */
extern int _CRT_glob;
int _CRT_glob = 0;

/* Bytes are written as they are, in files as on the streams; terminals take UTF-8 and control
 * sequences. */
void system_prepare(void)
{
    _fmode = _O_BINARY;
    for (int fd = 0; fd <= 2; fd++) {
        const HANDLE stream = (HANDLE)_get_osfhandle(fd);
        DWORD mode;
        (void)_setmode(fd, _O_BINARY);
        if (fd > 0 && GetConsoleMode(stream, &mode))
            (void)SetConsoleMode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    (void)SetConsoleOutputCP(CP_UTF8);
}

static void (*at_alarm)(int number);

void system_catch(int number, void (*handler)(int number))
{
    if (number == SIGALRM) at_alarm = handler;
    if (number < SIGHUP) (void)signal(number, handler);
}

static void CALLBACK ring(void *context, BOOLEAN fired)
{
    (void)context, (void)fired;
    at_alarm(SIGALRM);
}

void system_alarm(unsigned seconds)
{
    const DWORD most = INT_MAX, ms = seconds < most / 1000 ? seconds * 1000 : most;
    HANDLE timer;
    (void)CreateTimerQueueTimer(&timer, NULL, ring, NULL, ms, 0, WT_EXECUTEONLYONCE);
}

void system_mkdir(const char *path)
{
    (void)_mkdir(path);
}

void system_setenv(const char *name, const char *value)
{
    (void)_putenv_s(name, value);
}

bool system_thread(pthread_t *thread, void *(*run)(void *context), void *context)
{
    return pthread_create(thread, NULL, run, context) == 0;
}

int system_threads_most(int64_t own)
{
    (void)own;
    return INT_MAX;
}

int64_t system_free_memory(void)
{
    MEMORYSTATUSEX now = {.dwLength = sizeof now};
    return GlobalMemoryStatusEx(&now) ? (int64_t)now.ullAvailPhys : 0;
}

int64_t system_switches(bool all_threads)
{
    (void)all_threads;
    return 0;
}

void system_name(char *text, size_t size)
{
    const char *const architecture = getenv("PROCESSOR_ARCHITECTURE");
    (void)snprintf(text, size, "Windows %.20s", architecture ? architecture : "");
}

/* Matches the last name of a path alone, as programs do here; files come in the order of their
 * names on NTFS. */
bool system_match(const char *pattern, void (*take)(void *context, const char *path), void *context)
{
    WIN32_FIND_DATAA found;
    char path[2 * MAX_PATH];
    size_t folder = strlen(pattern);
    bool any = false;
    while (folder > 0 && !strchr("/\\:", pattern[folder - 1]))
        folder--;
    const HANDLE search =
        folder < MAX_PATH ? FindFirstFileA(pattern, &found) : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE) return false;
    do {
        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) continue;
        (void)snprintf(path, sizeof path, "%.*s%.*s", (int)folder, pattern, MAX_PATH,
                       found.cFileName);
        take(context, path);
        any = true;
    } while (FindNextFileA(search, &found));
    (void)FindClose(search);
    return any;
}

#endif
