/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floating-point mode that everything is computed in: to nearest, and with denormal numbers,
 * whatever the caller has set. What computes, or calls what does, begins with IN_DEFAULT_FP_MODE.
 * The mode of the caller is back when that function returns.
 *
 * To read the control register would take 5 ns on a Zen 4, since it waits for what is computed
 * before. To look at what an addition gives takes 1.4 ns.
 */
#ifndef STRIA_SRC_FP_MODE_H
#define STRIA_SRC_FP_MODE_H

#include <stdint.h>

typedef float stria__four_floats __attribute__((vector_size(16)));
typedef uint32_t stria__four_words __attribute__((vector_size(16)));
typedef uint64_t stria__two_words __attribute__((vector_size(16)));

/* Two numbers each that show the rounding of both signs, and the flushing of results and inputs. */
extern const volatile stria__four_floats stria__fp_probe[2];
extern const stria__four_words stria__fp_probe_sum; /* of both in the default mode */

/* Sets the default mode; returns what stria__fp_restore takes, which is not 0. */
uint32_t stria__fp_set_default(void);
/* Restores the mode. Exceptions that were raised in between stay raised. */
void stria__fp_restore(uint32_t before);

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

#endif
