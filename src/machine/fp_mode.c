/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements fp_mode.h. */
#include "fp_mode.h"

const volatile stria__four_floats stria__fp_probe[2] = {
    {1, -1, 0x1.8p-126F, 0x1p-149F}, {0x1.8p-24F, -0x1.8p-24F, -0x1p-126F, 0x1p-149F}};

/* The bits of 1 + 2^-23, -1 - 2^-23, 2^-127 and 2^-148. */
const stria__four_words stria__fp_probe_sum = {0x3F800001, 0xBF800001, 0x00400000, 2};

enum { SET = 1 << 30 };

#if defined(__SSE__)

enum {
    SSE_MODE = 0xE040 /* Bits of rounding, FTZ and DAZ. */,
    X87_MODE = 0x0C00 /* Bits of rounding. */
};

/* Sets both control registers to these bits of `mode`, the x87's from bit 16 on; returns the bits
 * from before. */
static uint32_t exchange(uint32_t mode)
{
    uint32_t sse;
    uint16_t x87;
    __asm__ volatile("stmxcsr %0" : "=m"(sse));
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    const uint32_t before = (sse & SSE_MODE) | (uint32_t)(x87 & X87_MODE) << 16;
    sse = (sse & ~(uint32_t)SSE_MODE) | (mode & SSE_MODE);
    x87 = (uint16_t)((x87 & ~(uint32_t)X87_MODE) | (mode >> 16 & X87_MODE));
    __asm__ volatile("ldmxcsr %0" : : "m"(sse));
    __asm__ volatile("fldcw %0" : : "m"(x87));
    return before;
}

#elif defined(__aarch64__)

enum { MODE = 3 << 22 | 1 << 24 | 1 << 19 | 3 /* Bits of RMode, FZ, FZ16, AH and FIZ. */ };

static uint32_t exchange(uint32_t mode)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    const uint32_t before = (uint32_t)control & MODE;
    control = (control & ~(uint64_t)MODE) | (mode & MODE);
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    return before;
}

#else

#include <fenv.h>

static uint32_t exchange(uint32_t mode)
{
    const uint32_t before = (uint32_t)fegetround();
    (void)fesetround((int)(mode & ~(uint32_t)SET));
    return before;
}

#endif

uint32_t stria__fp_set_default(void)
{
    return exchange(0) | SET;
}

void stria__fp_restore(uint32_t before)
{
    (void)exchange(before);
}
