/* SPDX-License-Identifier: BSD-3-Clause */
/* The system's calls on POSIX, where dlopen is a weak symbol, and on Windows. */
#define _GNU_SOURCE /* Declares _SC_PHYS_PAGES and dladdr. */
#define _DARWIN_C_SOURCE
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the part of a path before its last separator. */
static bool folder_of(const char *file, char separator, char *path, size_t room)
{
    const char *const end = strrchr(file, separator);
    const size_t n = end ? (size_t)(end - file) : room;
    if (n >= room) return false;
    memcpy(path, file, n);
    path[n] = '\0';
    return true;
}

#ifdef _WIN32

#include <malloc.h>
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

bool stria__folder_of(const void *address, char *path, size_t room)
{
    const DWORD how =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    HMODULE module;
    char file[1024];
    if (!GetModuleHandleExA(how, (const char *)address, &module)) return false;
    const DWORD n = GetModuleFileNameA(module, file, sizeof file);
    return n > 0 && n < sizeof file && folder_of(file, '\\', path, room);
}

void stria__error_text(int code, char *text, size_t room)
{
    if (strerror_s(text, room, code) != 0) (void)snprintf(text, room, "error %d", code);
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
#pragma weak dladdr
#define HAS_LOADER (dlopen && dlsym && dlclose && dladdr)
#else
#define HAS_LOADER true
#endif

void *stria__library_open(const char *name)
{
    return HAS_LOADER ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *stria__library_symbol(void *library, const char *name)
{
    return dlsym(library ? library : RTLD_DEFAULT, name);
}

void stria__library_close(void *library)
{
    (void)dlclose(library);
}

bool stria__folder_of(const void *address, char *path, size_t room)
{
    Dl_info info;
    return HAS_LOADER && dladdr(address, &info) && info.dli_fname &&
           folder_of(info.dli_fname, '/', path, room);
}

void stria__error_text(int code, char *text, size_t room)
{
#if defined(__GLIBC__) /* whose function of that name, which _GNU_SOURCE declares, returns the     \
                          text */
    (void)snprintf(text, room, "%s", strerror_r(code, text, room));
#else
    if (strerror_r(code, text, room) != 0) (void)snprintf(text, room, "error %d", code);
#endif
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
