/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running sums of several blocks of SCAN_BLOCK side by side. Each is made in order, one addition
 * after the other; FOUR of them are the items of a vector, to which squares of FOUR are transposed.
 */
#ifndef STRIA_SIMD_SCAN_SIDE_H
#define STRIA_SIMD_SCAN_SIDE_H

#include "lanes.h"
#include "scan.h"

enum { FOUR = 4, SCAN_SIDE = 2 * FOUR /* so that two vectors do not wait for each other */ };

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

/* FOUR items from item i on of FOUR blocks become sums; sum: those before, then those so far. */
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

static ALWAYS_INLINE void scan_side_by_side(double (*sums)[SCAN_BLOCK])
{
    four s[SCAN_SIDE / FOUR];
    UNROLL
    for (int k = 0; k < SCAN_SIDE / FOUR; k++)
        s[k] = (four){-0.0, -0.0, -0.0, -0.0};
    for (int64_t i = 0; i < SCAN_BLOCK; i += FOUR) {
        UNROLL
        for (int k = 0; k < SCAN_SIDE / FOUR; k++)
            sum_square(sums + k * FOUR, i, &s[k]);
    }
}

#endif
