/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded before a program (LD_PRELOAD), refuses the allocation whose number is in FAIL_AT, from 1
 * on. Allocations by OpenMP's runtime do not count, since it ends the program when one fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool refused(void *caller)
{
    static atomic_long requests;
    const char *at = getenv("FAIL_AT");
    Dl_info from;
    if (dladdr(caller, &from) && from.dli_fname &&
        (strstr(from.dli_fname, "/libgomp") || strstr(from.dli_fname, "/libomp")))
        return false;
    if (!at || atomic_fetch_add(&requests, 1) + 1 != strtol(at, NULL, 10)) return false;
    errno = ENOMEM;
    return true;
}

/* ISO C has no conversion between pointers to objects and to functions. */
static void find(void *function, const char *name)
{
    void *const found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

/* Takes the place of the library's function: OTHER_VERSION in the environment makes it refuse. */
int stria_version_check(int header);
int stria_version_check(int header)
{
    (void)header;
    return getenv("OTHER_VERSION") != NULL;
}

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (!next) find(&next, "malloc");
    return refused(__builtin_return_address(0)) ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (!next) find(&next, "calloc");
    return refused(__builtin_return_address(0)) ? NULL : next(count, size);
}

void *realloc(void *memory, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next) find(&next, "realloc");
    return refused(__builtin_return_address(0)) ? NULL : next(memory, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    static int (*next)(void **, size_t, size_t);
    if (!next) find(&next, "posix_memalign");
    return refused(__builtin_return_address(0)) ? ENOMEM : next(out, alignment, size);
}
