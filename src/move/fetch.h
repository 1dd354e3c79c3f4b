/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Software prefetch. gcc takes a function that does nothing else for one without effect and leaves
 * out its calls, unless there is a statement that it cannot look into.
 */
#pragma once

#include <stdint.h>

#include "simd/kernels.h"

/* Prefetches the cache lines of some bytes from `in` on into the second-level cache. */
static inline void stria__fetch_lines(const char *in, int64_t bytes)
{
    const char *const end = in + bytes;
    for (const char *line = in - (uintptr_t)in % LINE; line < end; line += LINE)
        __builtin_prefetch(line, 0, 2);
    __asm__ volatile("");
}

/* Does the same into the first-level cache, for what is read next. */
static inline void stria__fetch_lines_near(const char *in, int64_t bytes)
{
    const char *const end = in + bytes;
    for (const char *line = in - (uintptr_t)in % LINE; line < end; line += LINE)
        __builtin_prefetch(line, 0, 3);
    __asm__ volatile("");
}
