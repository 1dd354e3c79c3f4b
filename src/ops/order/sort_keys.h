/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts keys, signed integers of 4 or 8 bytes: by the kernel of the level (simd/sort.h), or where
 * it has none by a radix sort. Threads divide keys by samples first.
 */
#pragma once

#include <string.h>

#include "plan/threads.h"

static inline __attribute__((always_inline)) int64_t key_at(const char *keys, int64_t i,
                                                            const int size)
{
    int32_t small;
    int64_t large;
    if (size == 8) {
        memcpy(&large, keys + i * 8, sizeof large);
        return large;
    }
    memcpy(&small, keys + i * 4, sizeof small);
    return small;
}

static inline __attribute__((always_inline)) void put_key(char *keys, int64_t i, int64_t key,
                                                          const int size)
{
    const int32_t small = (int32_t)key;
    if (size == 8)
        memcpy(keys + i * 8, &key, sizeof key);
    else
        memcpy(keys + i * 4, &small, sizeof small);
}

struct key_sort {
    char *keys, *spare; /* spare: of as much memory, where there has to be one */
    int size;
    int low,
        bits; /* keys come in the order of the lowest bits, and differ in so many above; or 0 */
    char *room;
};

/* Tells whether there has to be a spare, and how many bytes of room; bits: whether these are known.
 */
bool stria__wants_spare(int size, struct crew crew);
int64_t stria__key_room(int64_t n, int size, bool bits, struct crew crew);

void stria__sort_keys(const struct key_sort *s, int64_t n, const struct crew *crew);
