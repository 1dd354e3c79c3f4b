/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guard.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

static void stop(const char *what)
{
    perror(what);
    abort();
}

#ifdef _WIN32 /* where addresses are taken in steps of 64 KiB, and pages have 4 */

enum { PAGE_SIZE = 4096 };

static char *take_inaccessible(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
}

static bool make_accessible(char *at, size_t size)
{
    DWORD before;
    return VirtualProtect(at, size, PAGE_READWRITE, &before);
}

static void give_back(char *map, size_t size)
{
    (void)size;
    (void)VirtualFree(map, 0, MEM_RELEASE);
}

#else

#define PAGE_SIZE ((size_t)sysconf(_SC_PAGESIZE))

static char *take_inaccessible(size_t size)
{
    void *const map = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

static bool make_accessible(char *at, size_t size)
{
    return mprotect(at, size, PROT_READ | PROT_WRITE) == 0;
}

static void give_back(char *map, size_t size)
{
    (void)munmap(map, size);
}

#endif

struct guard guard_new(size_t room)
{
    const size_t page = PAGE_SIZE;
    struct guard guard;
    guard.room = (room + page - 1) / page * page;
    guard.mapped = guard.room + 2 * page;
    guard.map = take_inaccessible(guard.mapped);
    if (!guard.map || !make_accessible(guard.map + page, guard.room)) stop("guard");
    return guard;
}

void guard_free(struct guard *guard)
{
    give_back(guard->map, guard->mapped);
    guard->map = NULL;
}

char *guard_low(const struct guard *guard)
{
    return guard->map + (guard->mapped - guard->room) / 2;
}

char *guard_high(const struct guard *guard, size_t size)
{
    return guard_low(guard) + guard->room - size;
}

void guards_new(struct guard *out, int n, size_t room)
{
    for (int k = 0; k < n; k++)
        out[k] = guard_new(room);
}

void guards_free(struct guard *guards, int n)
{
    for (int k = 0; k < n; k++)
        guard_free(&guards[k]);
}
