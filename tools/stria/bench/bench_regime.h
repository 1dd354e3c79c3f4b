/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the operands of a case lie before each call. A case has one or more pairs of arrays, all
 * alike; every call, of whichever contender, takes the next pair, so how many there are decides
 * what is left of a pair in the caches when its turn comes again:
 *
 *   hot   one pair, the same in every call
 *   l3    as many pairs as fill half of the L3 cache; one when that takes more
 *   dram  as many pairs as fill the L3 cache twice; one when that takes more
 *
 * and by default hot for what takes at most a quarter of the L3 cache and REGIME_HOT_MOST, dram for
 * more: of a shared machine's, more is hardly ever left alone, and what one reports to its guests
 * is the size of all of it. What counts is what a call touches, the case or the memcpy beside it,
 * whichever is less: a column of a large array is small. There are at most
 * REGIME_MAX_PAIRS, of sixteen times the L3 cache together; what they really come to is in the
 * report (lies_in).
 */
#ifndef STRIA_TOOL_BENCH_REGIME_H
#define STRIA_TOOL_BENCH_REGIME_H

#include <stdbool.h>

#include "machine.h"

enum { REGIME_MAX_PAIRS = 1024, REGIME_HOT_MOST = 8 << 20 /* bytes */ };

enum regime { REGIME_BY_SIZE, REGIME_HOT, REGIME_L3, REGIME_DRAM };

/* "hot", "l3", "dram"; false for other text. */
bool regime_read(enum regime *out, const char *text);
const char *regime_name(enum regime regime);

/* touched: bytes that a call reads and writes; pair: bytes of both arrays, gaps included. */
int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine);
/* The smallest cache that holds so many bytes, "L1", "L2" or "L3", or "DRAM". */
const char *regime_lies_in(int64_t bytes, const struct machine *machine);

#endif
