/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the memory of mapped files below a limit, whoever reads them and in whatever order. A map
 * is readable in windows only. A thread that reads outside of them gets SIGSEGV, whose handler
 * opens a window there and closes the oldest ones before the thread goes on: no thread can be ahead
 * of it, as readers would be ahead of a thread that checks from time to time. System calls that
 * read from such memory fail with EFAULT outside of the windows; the library's functions that write
 * files can handle that.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A map that is readable all over; both ends are those of pages. */
struct windowed {
    uintptr_t first, end;
    struct windowed *next;
};

/* Returns how many bytes all windows together may have now. It is called in a signal handler. */
typedef int64_t windows_limit(void);

/* Prepares windows for so many threads. */
void windows_start(windows_limit *limit, int threads);
/* Closes a map, which stays at its address until windows_remove. */
void windows_add(struct windowed *map);
/* Makes it readable all over again. */
void windows_remove(struct windowed *map);
