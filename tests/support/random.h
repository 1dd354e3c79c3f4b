/* SPDX-License-Identifier: BSD-3-Clause */
/* Reproducible random numbers (splitmix64): the same on every machine, from a seed that is printed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += RANDOM_STEP;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns number i, from 0, of the sequence that begins with state 0. */
static inline uint64_t random_bits_at(uint64_t i)
{
    uint64_t state = i * RANDOM_STEP;
    return random_bits(&state);
}

/* Returns a number from low to high, both included. */
static inline int64_t random_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(random_bits(state) % (uint64_t)(high - low + 1));
}

/* Returns true once in n times on average. */
static inline bool random_once(uint64_t *state, int n)
{
    return random_bits(state) % (uint64_t)n == 0;
}
