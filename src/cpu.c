/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID and XGETBV on x86. A vector extension counts only when the operating system saves its
 * registers: AVX needs the XMM and YMM bits of XCR0, AVX-512 those of the masks and ZMM as well.
 */
#include "cpu.h"

#include <stdatomic.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define X86 1
#elif defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

enum { L2_UNKNOWN = 1 << 20, L2_SMALLEST = 64 << 10, L2_LARGEST = 64 << 20 };

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

bool stria__cpu_sse2(void)
{
    return has(cpuid(1, 0).d, 1u << 26);
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

static bool find_clear(void)
{
    return cpuid(0x80000000, 0).a >= 0x80000008 && has(cpuid(0x80000008, 0).b, 1u << 0);
}

/* The cache descriptors of leaf 4 (Intel) or 0x8000001D (AMD): the same layout. */
static int64_t described_l2(uint32_t leaf)
{
    for (uint32_t i = 0; i < 16; i++) {
        const struct registers r = cpuid(leaf, i);
        if ((r.a & 0x1f) == 0) break;
        if (((r.a >> 5) & 7) != 2) continue;
        const int64_t ways = (r.b >> 22) + 1, partitions = ((r.b >> 12) & 0x3ff) + 1;
        const int64_t line = (r.b & 0xfff) + 1, sets = (int64_t)r.c + 1;
        return ways * partitions * line * sets;
    }
    return 0;
}

static int64_t find_l2(void)
{
    const int64_t size = described_l2(4);
    if (size > 0) return size;
    return described_l2(0x8000001d);
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

static bool find_clear(void)
{
    return false;
}

static int64_t find_l2(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    return sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
    return 0;
#endif
}

#endif

static atomic_int_least64_t known;

void stria__cpu_set_l2(int64_t bytes)
{
    atomic_store_explicit(&known, bytes, memory_order_relaxed);
}

int64_t stria__cpu_l2(void)
{
    int64_t size = atomic_load_explicit(&known, memory_order_relaxed);
    if (size) return size;
    size = find_l2();
    if (size < L2_SMALLEST || size > L2_LARGEST) size = L2_UNKNOWN;
    atomic_store_explicit(&known, size, memory_order_relaxed);
    return size;
}

/* CPUID leaves a virtual machine, which takes a microsecond. */
bool stria__cpu_clears_lines(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_int answer;
    int found = atomic_load_explicit(&answer, memory_order_relaxed);
    if (found == UNKNOWN) {
        found = find_clear() ? YES : NO;
        atomic_store_explicit(&answer, found, memory_order_relaxed);
    }
    return found == YES;
}
