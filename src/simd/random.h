/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random words that are a function of a key and a counter: Philox4x32-10 of Salmon, Moraes, Dror
 * and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). One counter gives a block of four
 * words, and any block can be computed without those before it.
 */
#ifndef STRIA_SIMD_RANDOM_H
#define STRIA_SIMD_RANDOM_H

#include <stdint.h>

struct philox {
    uint32_t key[2];
    uint64_t block;   /* words 0 and 1 of the counter of the first block, the lower one first */
    uint32_t high[2]; /* words 2 and 3 of all counters */
};

/* Each writes the numbers of `blocks` successive blocks, at any address. */
struct random_kernels {
    void (*words)(uint32_t *out, const struct philox *from, int64_t blocks); /* 4 of each */
    /* The upper `bits` bits of each word, 1 .. 24, as a fraction of 2^bits: 4 of each. */
    void (*f32)(float *out, const struct philox *from, int64_t blocks, int bits);
    /*
     * 53 bits of two words as a fraction of 2^53, 27 from the second and 26 from the first one: 2
     * of each.
     */
    void (*f64)(double *out, const struct philox *from, int64_t blocks);
};

#endif
