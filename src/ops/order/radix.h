/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts packed items by their keys. An item is 64 bits: a key above `low` bits that do not count
 * and belong to the caller. Equal keys keep their order.
 */
#pragma once

#include <stdint.h>

/* RADIX_WHOLE: so many items, and as much room, are twice the second-level cache of a Zen 4. */
enum { RADIX_BITS = 11, NARROW_BITS = 8, RADIX_WHOLE = 1 << 17, RADIX_PASSES = 64 / NARROW_BITS };

/* Counts of items by their digits, which are too many for the stack. */
struct radix_counts {
    uint32_t of[RADIX_PASSES][1 << RADIX_BITS];
};

/*
 * Sorts n < 2^32 items by the `bits` bits above the lowest ones; those above are zeros. room has
 * place for as many items; the result is in items.
 */
void stria__radix_sort(uint64_t *items, uint64_t *room, int64_t n, int low, int bits,
                       struct radix_counts *counts);
