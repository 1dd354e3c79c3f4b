/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection among keys, unsigned integers that are ordered as the numbers are that they stand for.
 */
#ifndef STRIA_OPS_ORDER_SELECT_H
#define STRIA_OPS_ORDER_SELECT_H

#include <stdint.h>

/* Element k of n keys in order, and the one after it, or itself where there is none. */
struct neighbours {
    uint64_t low, high;
};

/* room has place for n keys, which stay as they are; 0 <= k < n. */
struct neighbours stria__select(const uint64_t *keys, int64_t n, int64_t k, uint64_t *room);

#endif
