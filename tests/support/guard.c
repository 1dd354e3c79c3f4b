/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void stop(const char *what)
{
    perror(what);
    abort();
}

struct guard guard_new(size_t room)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guard guard;
    guard.room = (room + page - 1) / page * page;
    guard.mapped = guard.room + 2 * page;
    guard.map = mmap(NULL, guard.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guard.map == MAP_FAILED) stop("guard: mmap");
    if (mprotect(guard.map + page, guard.room, PROT_READ | PROT_WRITE) != 0)
        stop("guard: mprotect");
    return guard;
}

void guard_free(struct guard *guard)
{
    (void)munmap(guard->map, guard->mapped);
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
