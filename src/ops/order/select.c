/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection by the leading bits: keys are counted by their highest bits that differ, those of the
 * bucket that element k lies in are kept, and so on until few are left. Each round reads what is
 * left twice, and leaves a small part of it.
 */
#include "ops/order/select.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 32, BITS = 11, BUCKETS = 1 << BITS };

/* Few keys are put in order. */
static void sort_few(uint64_t *keys, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        int64_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* The lowest bit of the digit that comes next: of the highest bits in which keys differ. */
static int shift_of(const uint64_t *keys, int64_t n)
{
    uint64_t all = keys[0], any = keys[0];
    for (int64_t i = 1; i < n; i++) {
        all &= keys[i];
        any |= keys[i];
    }
    if (all == any) return -1;
    const int top = 63 - __builtin_clzll(all ^ any);
    return top < BITS ? 0 : top - BITS + 1;
}

static uint64_t digit_of(uint64_t key, int shift)
{
    return key >> shift & (BUCKETS - 1);
}

/* The bucket of element k; *k becomes its number in the bucket. */
static uint64_t find_bucket(const uint64_t *keys, int64_t n, int shift, int64_t *k)
{
    int64_t counts[BUCKETS], left = *k;
    uint64_t bucket = 0;
    memset(counts, 0, sizeof counts);
    for (int64_t i = 0; i < n; i++)
        counts[digit_of(keys[i], shift)]++;
    while (left >= counts[bucket])
        left -= counts[bucket++];
    *k = left;
    return bucket;
}

/* Keeps the keys of a bucket in room; *above becomes the least key of higher buckets. */
static int64_t keep_bucket(const uint64_t *keys, int64_t n, int shift, uint64_t bucket,
                           uint64_t *room, uint64_t *above)
{
    int64_t kept = 0;
    uint64_t next = *above;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = keys[i], digit = digit_of(key, shift);
        room[kept] = key;
        kept += digit == bucket;
        next = digit > bucket && key < next ? key : next;
    }
    *above = next;
    return kept;
}

struct neighbours stria__select(const uint64_t *keys, int64_t n, int64_t k, uint64_t *room)
{
    uint64_t above = UINT64_MAX;
    const bool is_last = k == n - 1;
    const uint64_t *from = keys;
    while (n > FEW) {
        const int shift = shift_of(from, n);
        if (shift < 0) break;
        const uint64_t bucket = find_bucket(from, n, shift, &k);
        n = keep_bucket(from, n, shift, bucket, room, &above);
        from = room;
    }
    if (n <= FEW) {
        if (from != room) memcpy(room, from, (size_t)n * sizeof *room);
        sort_few(room, n);
        from = room;
    }
    const uint64_t low = from[k], high = k + 1 < n ? from[k + 1] : above;
    return (struct neighbours){low, is_last ? low : high};
}
