/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the bench: an array in as many places as the regime asks for. */
#ifndef STRIA_TOOL_BENCH_MEMORY_H
#define STRIA_TOOL_BENCH_MEMORY_H

#include <stdbool.h>

#include "array_spec.h"
#include "machine.h"

/* Elements at the same place of each of the pairs, step bytes apart. */
struct repeated {
    stria_array array; /* of the pair whose turn it is */
    char *first;
    int64_t step;
};

/* The same array in each of `pairs` pieces of new memory; each begins on a cache line. */
stria_status repeated_make(struct repeated *out, const struct array_spec *spec, int64_t pairs,
                           struct failure *failure);
/*
 * As many bytes, dense: in the memory of `beside` where that is large enough, so that a memcpy
 * finds there what the case finds.
 */
stria_status repeated_flat(struct repeated *out, const struct repeated *beside, int64_t bytes,
                           int64_t pairs, struct failure *failure);
/* All of the memory. */
void *repeated_data(const struct repeated *r);
int64_t repeated_size(const struct repeated *r);
/*
 * Fills it with numbers of a dtype: floats from -8 to 8, which exp keeps finite, and integers below
 * 2^15. Bytes that repeat nowhere in dtypes without such numbers.
 */
stria_status repeated_fill(const struct repeated *r, stria_dtype dtype, uint64_t seed,
                           struct failure *failure);

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
