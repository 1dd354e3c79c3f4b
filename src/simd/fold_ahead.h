/* SPDX-License-Identifier: BSD-3-Clause */
/* Software prefetch of rows from memory, for CPUs whose hardware does not read far ahead. */
#pragma once

#include "level.h"

/* Prefetches the `bytes` bytes that lie `ahead` bytes after `in`; nothing if `ahead` is 0. */
static ALWAYS_INLINE void fetch_ahead(const char *in, int64_t bytes, int64_t ahead)
{
    if (!ahead) return;
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(in + ahead + i);
}

/*
 * Returns how many items, at most n, the next loop over a row takes, and prefetches for them. A
 * loop that the compiler vectorizes cannot contain prefetches, so they are issued before each piece
 * of FETCHED_ROW bytes.
 */
static ALWAYS_INLINE int64_t fetched_piece(const char *in, int64_t n, int64_t item, int64_t ahead)
{
    const int64_t piece = ahead && n > FETCHED_ROW / item ? FETCHED_ROW / item : n;
    fetch_ahead(in, piece * item, ahead);
    return piece;
}
