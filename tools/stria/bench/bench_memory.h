/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the bench: arrays in as many places as the regime asks for. */
#ifndef STRIA_TOOL_BENCH_MEMORY_H
#define STRIA_TOOL_BENCH_MEMORY_H

#include <stdbool.h>

#include "array_spec.h"
#include "machine.h"

/* Elements at the same place of each of the pairs, step bytes apart. */
struct repeated {
    stria_array array; /* of the pair whose turn it is */
    char *first;       /* NULL: the same for all */
    int64_t step;
};

/* How far pieces of so many bytes are apart: each begins on a cache line. */
int64_t repeated_step(int64_t bytes);
/* An array in each of the pieces of a buffer, which have so many bytes. */
stria_status repeated_make(struct repeated *out, const struct array_spec *spec,
                           stria_buffer *buffer, int64_t bytes, struct failure *failure);
/*
 * `bytes` of u8, dense: in the pieces of `beside` where those are large enough, so that a memcpy
 * finds there what the case finds, else in new memory. beside may be NULL.
 */
stria_status repeated_flat(struct repeated *out, stria_buffer *beside, int64_t piece, int64_t bytes,
                           int64_t pairs, struct failure *failure);
/* Makes room for that many pieces. */
stria_status pieces_make(stria_buffer **out, int64_t bytes, int64_t pairs, struct failure *failure);
/*
 * Fills it with numbers of a dtype: floats from -8 to 8, which exp keeps finite, and integers below
 * 2^15. Bytes that repeat nowhere in dtypes without such numbers.
 */
stria_status pieces_fill(stria_buffer *buffer, stria_dtype dtype, uint64_t seed,
                         struct failure *failure);

enum { REGIME_MAX_PAIRS = 1024, REGIME_HOT_MOST = 8 << 20 /* bytes */ };

enum regime { REGIME_BY_SIZE, REGIME_HOT, REGIME_L3, REGIME_DRAM };

const char *regime_name(enum regime regime);

/* touched: bytes that a call reads and writes; pair: bytes of both arrays, gaps included. */
int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine);
/* The smallest cache that holds so many bytes, "L1", "L2" or "L3", or "DRAM". */
const char *regime_lies_in(int64_t bytes, const struct machine *machine);

#endif
