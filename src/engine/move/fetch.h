/* SPDX-License-Identifier: BSD-3-Clause */
/* Software prefetch into the second-level cache. */
#ifndef STRIA_SRC_ENGINE_MOVE_FETCH_H
#define STRIA_SRC_ENGINE_MOVE_FETCH_H

#include <stdint.h>

#include "simd/kernels.h"

/* Prefetches the cache lines of some bytes from `in` on. */
static inline void stria__fetch_lines(const char *in, int64_t bytes)
{
    const char *const end = in + bytes;
    for (const char *line = in - (uintptr_t)in % LINE; line < end; line += LINE)
        __builtin_prefetch(line, 0, 2);
}

#endif
