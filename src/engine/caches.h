/* SPDX-License-Identifier: BSD-3-Clause */
/* The data caches of the CPU, as CPUID or the system describe them. */
#ifndef STRIA_SRC_ENGINE_CACHES_H
#define STRIA_SRC_ENGINE_CACHES_H

#include <stdint.h>

/* All zeros when the cache is unknown. */
struct stria__cache {
    int64_t size; /* bytes */
    int64_t ways;
    int64_t sets;
    int64_t sharers; /* hardware threads that share it, at least 1 */
};

enum { CACHE_LEVELS = 3 };

/*
 * Finds the caches; out[0] is the first level. This takes microseconds or reads files: call it
 * once.
 */
void stria__find_caches(struct stria__cache out[CACHE_LEVELS]);

#endif
