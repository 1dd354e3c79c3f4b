/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID and XGETBV on x86. A vector extension counts only when the operating system saves its
 * registers: AVX needs the XMM and YMM bits of XCR0, AVX-512 those of the masks and ZMM as well.
 */
#include "cpu.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define X86 1
#endif

bool stria__cpu_any(void)
{
    return true;
}

#ifdef X86

struct registers {
    uint32_t a, b, c, d;
};

static struct registers cpuid(uint32_t leaf, uint32_t sub)
{
    struct registers r = {0, 0, 0, 0};
    (void)__get_cpuid_count(leaf, sub, &r.a, &r.b, &r.c, &r.d);
    return r;
}

static uint32_t saved_registers(void)
{
    const uint32_t osxsave = 1u << 27;
    if (!(cpuid(1, 0).c & osxsave)) return 0;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

/* Asks only where the library itself may run without it. */
bool stria__cpu_sse2(void)
{
#if defined __SSE2__
    return true;
#else
    return has(cpuid(1, 0).d, 1u << 26);
#endif
}

bool stria__cpu_avx2(void)
{
    const uint32_t fma = 1u << 12, avx = 1u << 28, f16c = 1u << 29;
    const uint32_t bmi = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
    return has(saved_registers(), 0x06) && has(cpuid(1, 0).c, fma | avx | f16c) &&
           has(cpuid(7, 0).b, bmi | avx2 | bmi2);
}

bool stria__cpu_avx512(void)
{
    const uint32_t f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
    return has(saved_registers(), 0xe6) && has(cpuid(7, 0).b, f | dq | bw | vl) &&
           stria__cpu_avx2();
}

bool stria__cpu_clears_lines(void)
{
    return cpuid(0x80000000, 0).a >= 0x80000008 && has(cpuid(0x80000008, 0).b, 1u << 0);
}

bool stria__cpu_moves_strings(void)
{
    return has(cpuid(7, 0).d, 1u << 4);
}

void stria__cpu_move_string(void *out, const void *in, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(out), "+S"(in), "+c"(n) : : "memory");
}

#else

bool stria__cpu_sse2(void)
{
    return false;
}

bool stria__cpu_avx2(void)
{
    return false;
}

bool stria__cpu_avx512(void)
{
    return false;
}

bool stria__cpu_clears_lines(void)
{
    return false;
}

bool stria__cpu_moves_strings(void)
{
    return false;
}

void stria__cpu_move_string(void *out, const void *in, size_t n)
{
    memcpy(out, in, n);
}

#endif
