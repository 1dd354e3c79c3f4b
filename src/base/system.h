/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of the operating system that differ between Linux, macOS and Windows: libraries that are
 * loaded, memory and its limits. Files have a table of their own (io/file_ops.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#if defined(_WIN32)
#define STRIA__LIBRARY(name, version) name ".dll"
#elif defined(__APPLE__)
#define STRIA__LIBRARY(name, version) name "." version ".dylib"
#else
#define STRIA__LIBRARY(name, version) name ".so." version
#endif

/*
 * Loads a library by its name, finds a function or datum of it (with NULL, on POSIX, of all that is
 * loaded), and gives it back. Nothing is found in a program that is linked statically and has no
 * loader: open returns NULL there.
 */
STRIA_FOR_LINALG void *stria__library_open(const char *name);
STRIA_FOR_LINALG void *stria__library_symbol(void *library, const char *name);
STRIA_FOR_LINALG void stria__library_close(void *library);
/* Writes the folder of the program or library that holds this address; false: it is not known, or
 * the path too long. */
bool stria__folder_of(const void *address, char *path, size_t room);

/* Writes the text of a code of errno. */
void stria__error_text(int code, char *text, size_t room);

/* Takes memory that is aligned to a power of two, and gives it back; NULL: there is none. */
void *stria__system_alloc(size_t size, size_t alignment);
void stria__system_free(void *memory);

/* The bytes of the machine's memory; 0: unknown. */
double stria__physical_memory(void);
/* The bytes that the process may map (ulimit -v); -1: there is no limit. */
int64_t stria__address_space_limit(void);
/* The CPUs that are online, at least 1. */
int stria__online_cpus(void);
