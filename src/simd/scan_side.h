/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running sums of several blocks of SCAN_BLOCK elements at once. The additions of a block depend on
 * each other, so FOUR blocks are the items of a vector; squares of FOUR by FOUR items are
 * transposed into this form and back.
 */
#pragma once

#include "lanes.h"
#include "scan.h"

enum { FOUR = 4, SCAN_SIDE = 2 * FOUR /* two independent vectors hide the latency of additions */ };

typedef double four __attribute__((vector_size(32)));

static ALWAYS_INLINE void transpose_four(four v[FOUR])
{
    const four a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6),
               b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7),
               c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6),
               d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/*
 * Replaces items i to i + FOUR - 1 of FOUR blocks by their running sums. *sum holds the sums of the
 * blocks before item i and then up to the last one.
 */
static ALWAYS_INLINE void sum_square(double (*sums)[SCAN_BLOCK], int64_t i, four *sum)
{
    four v[FOUR];
    UNROLL
    for (int k = 0; k < FOUR; k++)
        memcpy(&v[k], sums[k] + i, sizeof v[k]);
    transpose_four(v);
    UNROLL
    for (int k = 0; k < FOUR; k++)
        v[k] = *sum = *sum + v[k];
    transpose_four(v);
    UNROLL
    for (int k = 0; k < FOUR; k++)
        memcpy(sums[k] + i, &v[k], sizeof v[k]);
}

/* Meanwhile the bytes from `ahead` on are prefetched, `each` for FOUR items of a block. */
static ALWAYS_INLINE void scan_side_by_side(double (*sums)[SCAN_BLOCK], const char *ahead,
                                            int64_t each)
{
    four s[SCAN_SIDE / FOUR];
    UNROLL
    for (int k = 0; k < SCAN_SIDE / FOUR; k++)
        s[k] = (four){-0.0, -0.0, -0.0, -0.0};
    for (int64_t i = 0; i < SCAN_BLOCK; i += FOUR, ahead += each) {
        for (int64_t k = 0; k < each; k += LINE)
            v_fetch(ahead + k);
        UNROLL
        for (int k = 0; k < SCAN_SIDE / FOUR; k++)
            sum_square(sums + k * FOUR, i, &s[k]);
    }
}
