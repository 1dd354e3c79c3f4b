/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floating-point mode of all computations: rounding to nearest, with denormal numbers, whatever
 * the caller has set. A function that computes, or calls one that does, begins with
 * IN_DEFAULT_FP_MODE; the caller's mode is restored when it returns. Reading the control register
 * would take 5 ns on a Zen 4, since it waits for earlier computations; checking the result of an
 * addition takes 1.4 ns.
 */
#pragma once

#include <stdint.h>

#include "base/status.h"

typedef float stria__four_floats __attribute__((vector_size(16)));
typedef uint32_t stria__four_words __attribute__((vector_size(16)));
typedef uint64_t stria__two_words __attribute__((vector_size(16)));

/* Two pairs of numbers whose sums show the rounding of both signs, and whether results and inputs
 * are flushed. */
extern const volatile stria__four_floats stria__fp_probe[2];
extern const stria__four_words stria__fp_probe_sum; /* Bits of these sums in the default mode. */

/* Sets the default mode; returns the argument for stria__fp_restore, which is not 0. */
STRIA_FOR_LINALG uint32_t stria__fp_set_default(void);
/* Restores the mode. Exceptions that were raised in between stay raised. */
STRIA_FOR_LINALG void stria__fp_restore(uint32_t before);

static inline uint32_t stria__fp_enter(void)
{
    const stria__four_floats sum = stria__fp_probe[0] + stria__fp_probe[1];
    const stria__two_words differs =
        (stria__two_words)((stria__four_words)sum ^ stria__fp_probe_sum);
    return __builtin_expect((differs[0] | differs[1]) != 0, 0) ? stria__fp_set_default() : 0;
}

static inline void stria__fp_leave(const uint32_t *before)
{
    if (__builtin_expect(*before != 0, 0)) stria__fp_restore(*before);
}

#define IN_DEFAULT_FP_MODE                                                                         \
    __attribute__((cleanup(stria__fp_leave), unused)) const uint32_t fp_before = stria__fp_enter()
