/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the bench: an array in as many places as the regime asks for. */
#ifndef STRIA_TOOL_BENCH_MEMORY_H
#define STRIA_TOOL_BENCH_MEMORY_H

#include "array_spec.h"

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

#endif
