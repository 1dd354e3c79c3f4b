/* SPDX-License-Identifier: BSD-3-Clause */
/* The system's calls on POSIX, where dlopen is a weak symbol, and on Windows. */
#define _DEFAULT_SOURCE /* Declares _SC_PHYS_PAGES. */
#define _DARWIN_C_SOURCE
#include "system.h"

#include <stdlib.h>

#ifdef _WIN32

#include <malloc.h>
#include <string.h>
#include <windows.h>

void *stria__library_open(const char *name)
{
    return (void *)LoadLibraryA(name);
}

void *stria__library_symbol(void *library, const char *name)
{
    const FARPROC found = GetProcAddress((HMODULE)library, name);
    void *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

void stria__library_close(void *library)
{
    (void)FreeLibrary((HMODULE)library);
}

void *stria__system_alloc(size_t size, size_t alignment)
{
    return _aligned_malloc(size, alignment < sizeof(void *) ? sizeof(void *) : alignment);
}

void stria__system_free(void *memory)
{
    _aligned_free(memory);
}

double stria__physical_memory(void)
{
    MEMORYSTATUSEX told = {.dwLength = sizeof told};
    return GlobalMemoryStatusEx(&told) ? (double)told.ullTotalPhys : 0;
}

int64_t stria__address_space_limit(void)
{
    return -1;
}

int stria__online_cpus(void)
{
    const DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n ? (int)n : 1;
}

#else

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef __APPLE__ /* whose C library always has them */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#define HAS_LOADER (dlopen && dlsym && dlclose)
#else
#define HAS_LOADER true
#endif

void *stria__library_open(const char *name)
{
    return HAS_LOADER ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *stria__library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void stria__library_close(void *library)
{
    (void)dlclose(library);
}

void *stria__system_alloc(size_t size, size_t alignment)
{
    if (alignment <= _Alignof(max_align_t)) return malloc(size);
    return size > SIZE_MAX - alignment
               ? NULL
               : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void stria__system_free(void *memory)
{
    free(memory);
}

double stria__physical_memory(void)
{
    const double pages = (double)sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? pages * (double)sysconf(_SC_PAGESIZE) : 0;
}

int64_t stria__address_space_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
    return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int stria__online_cpus(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

#endif
