/* SPDX-License-Identifier: BSD-3-Clause */
/* The data caches of the CPU, as CPUID or the system describe them. */
#ifndef STRIA_SRC_ENGINE_CACHES_H
#define STRIA_SRC_ENGINE_CACHES_H

#include <stdint.h>

/* All zeros when nothing is known of it. */
struct stria__cache {
    int64_t size; /* bytes */
    int64_t ways;
    int64_t sets;
    int64_t sharers; /* hardware threads that use it together, at least 1 */
};

enum { CACHE_LEVELS = 3 };

/* out[0] is the first level. This takes microseconds, or the reading of files: ask once. */
void stria__find_caches(struct stria__cache out[CACHE_LEVELS]);

#endif
