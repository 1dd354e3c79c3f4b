/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point modes that a caller may be in: four ways to round, and denormals as zeros. */
#pragma once

#include <fenv.h>
#include <stdint.h>

enum { FP_MODES = 5 };

/* The instruction that reads the control register, and the bits of it that flush denormal results
 * and inputs to zero. */
#if defined(__SSE__)
enum { FLUSH = 0x8040 };
static inline uint64_t fp_control(void)
{
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    return control & ~UINT32_C(0x3F); /* the low bits are flags of exceptions */
}
static inline void set_fp_control(uint64_t control)
{
    const uint32_t low = (uint32_t)control;
    __asm__ volatile("ldmxcsr %0" : : "m"(low));
}
#elif defined(__aarch64__)
enum { FLUSH = 1 << 24 };
static inline uint64_t fp_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
static inline void set_fp_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#else
enum { FLUSH = 0 };
static inline uint64_t fp_control(void)
{
    return (uint64_t)fegetround();
}
static inline void set_fp_control(uint64_t control)
{
    (void)fesetround((int)control);
}
#endif

/* Mode 0 is the default mode. */
static inline void set_fp_mode(int mode)
{
    const int rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    set_fp_control(fp_control() & ~(uint64_t)FLUSH);
    (void)fesetround(rounding[mode]);
    if (mode == 4) set_fp_control(fp_control() | FLUSH);
}
