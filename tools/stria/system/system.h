/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions of the tool to the system, which system_posix.c and system_windows.c answer. The files
 * of arrays are the library's.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
/* Signals of POSIX. Only SIGALRM comes, by system_alarm, and calls its handler on another thread.
 */
enum { SIGHUP = 101, SIGPIPE, SIGBUS, SIGALRM };
#endif

/* Makes the standard streams, open or closed, fit to be used. Called once, first. */
void system_prepare(void);

/* Calls the handler when the signal comes, during which no other one does. A signal that is
 * ignored, as by nohup, stays ignored. */
void system_catch(int number, void (*handler)(int number));
/* Makes SIGALRM come after so many seconds. */
void system_alarm(unsigned seconds);

/* Makes a folder, unless it exists or cannot be made. */
void system_mkdir(const char *path);
/* Sets a variable of the environment. */
void system_setenv(const char *name, const char *value);
/* Starts a thread that gets no signals but those of memory that it touches itself; false if it
 * cannot be had. */
bool system_thread(pthread_t *thread, void *(*run)(void *context), void *context);

/* Returns how many threads have room where the address space is limited (ulimit -v), each with
 * `own` bytes beside its stack; else INT_MAX. */
int system_threads_most(int64_t own);
/* Returns the bytes of memory that are free; a container may have less than the machine. */
int64_t system_free_memory(void);
/* Returns how often another process has taken the CPU from this thread, or from all threads of the
 * process; 0 where that is not counted. */
int64_t system_switches(bool all_threads);
/* Writes the names of the kernel, its release and the architecture. */
void system_name(char *text, size_t size);

/* Calls `take` for each path that matches a pattern of *, ? and [], in order; false if there is
 * none. */
bool system_match(const char *pattern, void (*take)(void *context, const char *path),
                  void *context);
