/* SPDX-License-Identifier: BSD-3-Clause */
/* SplitMix64: small, seeded, the same everywhere, so that a failure's seed is its reproducer. */
#ifndef STRIA_TESTS_RNG_H
#define STRIA_TESTS_RNG_H

#include <stdint.h>

static inline uint64_t rng_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in low .. high, both included. */
static inline int64_t rng_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(rng_next(state) % (uint64_t)(high - low + 1));
}

/* True once in `in` times. */
static inline int rng_once(uint64_t *state, int in)
{
    return rng_next(state) % (uint64_t)in == 0;
}

#endif
