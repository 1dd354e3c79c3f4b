/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counter-based random numbers: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (2011). A key and a counter determine a block of four words, so any
 * block can be computed without the ones before it.
 */
#pragma once

#include <stdint.h>

struct philox {
    uint32_t key[2];
    uint64_t block;   /* words 0 and 1 of the counter of the first block, the lower one first */
    uint32_t high[2]; /* words 2 and 3 of all counters */
};

/* Each writes the numbers of `blocks` successive blocks, at any address. */
struct random_kernels {
    void (*words)(uint32_t *out, const struct philox *from, int64_t blocks); /* 4 per block */
    /* Fractions of 2^bits from the upper `bits` bits, 1 .. 24, of each word: 4 per block. */
    void (*f32)(float *out, const struct philox *from, int64_t blocks, int bits);
    /* Fractions of 2^53 from two words, 27 bits of the second and 26 of the first: 2 per block. */
    void (*f64)(double *out, const struct philox *from, int64_t blocks);
};
