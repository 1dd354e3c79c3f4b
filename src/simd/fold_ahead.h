/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefetches of rows that come from memory, on CPUs that read too little ahead by themselves. */
#ifndef STRIA_SIMD_FOLD_AHEAD_H
#define STRIA_SIMD_FOLD_AHEAD_H

#include "level.h"

/* Prefetches what comes `ahead` bytes behind so many bytes of a row; 0: nothing. */
static ALWAYS_INLINE void fetch_ahead(const char *in, int64_t bytes, int64_t ahead)
{
    if (!ahead) return;
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(in + ahead + i);
}

/*
 * Items of a row, at most n, that are taken by one loop: such a loop, of which the compiler makes
 * vectors, has no room for prefetches, so that they come before it where there are some.
 */
static ALWAYS_INLINE int64_t fetched_piece(const char *in, int64_t n, int64_t item, int64_t ahead)
{
    const int64_t piece = ahead && n > FETCHED_ROW / item ? FETCHED_ROW / item : n;
    fetch_ahead(in, piece * item, ahead);
    return piece;
}

#endif
