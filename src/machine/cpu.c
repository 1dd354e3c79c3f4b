/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID and XGETBV on x86. A vector extension counts only when the operating system saves its
 * registers: AVX needs the XMM and YMM bits of XCR0, AVX-512 those of the masks and ZMM as well.
 */
#include "cpu.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define X86 1
#elif defined(__linux__)
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

/* The bit of AT_HWCAP by which Linux tells of the vectors that cmake/kernels.cmake asks for. */
#if defined(__s390x__)
#define VECTORS (1ul << 13) /* the vectors of z14, which have f32 */
#elif defined(__riscv)
#define VECTORS (1ul << ('V' - 'A'))
#elif defined(__loongarch__)
#define VECTORS (1ul << 4) /* LSX */
#endif

bool stria__cpu_vectors(void)
{
#if defined VECTORS && defined __linux__
    return getauxval(AT_HWCAP) & VECTORS;
#else
    return true;
#endif
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

static bool has_bits(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

/* Tells whether SSE2 may be used; CPUID is asked only if the library itself may run without it. */
bool stria__cpu_sse2(void)
{
#if defined __SSE2__
    return true;
#else
    return has_bits(cpuid(1, 0).d, 1u << 26);
#endif
}

bool stria__cpu_avx2(void)
{
    const uint32_t fma = 1u << 12, avx = 1u << 28, f16c = 1u << 29;
    const uint32_t bmi = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
    return has_bits(saved_registers(), 0x06) && has_bits(cpuid(1, 0).c, fma | avx | f16c) &&
           has_bits(cpuid(7, 0).b, bmi | avx2 | bmi2);
}

bool stria__cpu_avx512(void)
{
    const uint32_t f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
    return has_bits(saved_registers(), 0xe6) && has_bits(cpuid(7, 0).b, f | dq | bw | vl) &&
           stria__cpu_avx2();
}

bool stria__cpu_clears_lines(void)
{
    return cpuid(0x80000000, 0).a >= 0x80000008 && has_bits(cpuid(0x80000008, 0).b, 1u << 0);
}

bool stria__cpu_moves_strings(void)
{
    return has_bits(cpuid(7, 0).d, 1u << 4);
}

void stria__cpu_move_string(void *out, const void *in, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(out), "+S"(in), "+c"(n) : : "memory");
}

struct stria__cpu_model stria__cpu_model(void)
{
    struct stria__cpu_model cpu = {0};
    const struct registers name = cpuid(0, 0);
    const uint32_t a = cpuid(1, 0).a, family = (a >> 8) & 0xf, model = (a >> 4) & 0xf;
    memcpy(cpu.vendor, &name.b, 4);
    memcpy(cpu.vendor + 4, &name.d, 4);
    memcpy(cpu.vendor + 8, &name.c, 4);
    cpu.family = (int)(family == 15 ? family + ((a >> 20) & 0xff) : family);
    cpu.model = (int)(family == 6 || family == 15 ? model | ((a >> 12) & 0xf0) : model);
    return cpu;
}

#else

struct stria__cpu_model stria__cpu_model(void)
{
    return (struct stria__cpu_model){0};
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

/* ---- caches ---------------------------------------------------------------------------------- */

/*
 * x86 describes its caches by CPUID: leaf 4 (Intel) and leaf 0x8000001D (AMD) have one layout.
 * Elsewhere Linux describes those of the first CPU by files, a directory for each cache.
 */
#ifdef X86

/* Returns false when the leaf describes no cache at all. */
static int described_by_leaf(struct stria__cache out[CACHE_LEVELS], uint32_t leaf)
{
    enum { MOST = 16, NONE = 0, INSTRUCTIONS = 2 };
    int found = 0;
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid_count(leaf, i, &a, &b, &c, &d) || (a & 0x1f) == NONE) break;
        const uint32_t level = (a >> 5) & 7;
        if ((a & 0x1f) == INSTRUCTIONS || level < 1 || level > CACHE_LEVELS) continue;
        const int64_t ways = (b >> 22) + 1, partitions = ((b >> 12) & 0x3ff) + 1,
                      line = (b & 0xfff) + 1, sets = (int64_t)c + 1;
        out[level - 1] = (struct stria__cache){
            .size = ways * partitions * line * sets, .ways = ways, .sets = sets};
        found = 1;
    }
    return found;
}

void stria__find_caches(struct stria__cache out[CACHE_LEVELS])
{
    if (!described_by_leaf(out, 4)) (void)described_by_leaf(out, 0x8000001d);
}

#elif defined(__linux__)

enum { LINE_ROOM = 64 };

/* Reads the first line of a file of cache i of the first CPU; "" when there is none. */
static void read_line(char line[LINE_ROOM], int i, const char *name)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, name);
    FILE *const file = fopen(path, "r");
    if (!file || !fgets(line, LINE_ROOM, file)) line[0] = 0;
    if (file) (void)fclose(file);
}

/* Reads a number, which is in bytes if K or M follow it; 0 when there is none. */
static int64_t number_in(int i, const char *name)
{
    char line[LINE_ROOM], *unit;
    read_line(line, i, name);
    const int64_t n = strtoll(line, &unit, 10);
    return *unit == 'K' ? n << 10 : *unit == 'M' ? n << 20 : n;
}

void stria__find_caches(struct stria__cache out[CACHE_LEVELS])
{
    enum { MOST = 16 };
    for (int i = 0; i < MOST; i++) {
        char type[LINE_ROOM]; /* The text is Instruction, Data or Unified. */
        read_line(type, i, "type");
        if (!type[0]) return;
        const int64_t level = number_in(i, "level");
        if (type[0] == 'I' || level < 1 || level > CACHE_LEVELS) continue;
        out[level - 1] = (struct stria__cache){.size = number_in(i, "size"),
                                               .ways = number_in(i, "ways_of_associativity"),
                                               .sets = number_in(i, "number_of_sets")};
    }
}

#elif defined(__APPLE__)

/* The caches of the fast cores, in bytes; their ways and sets are not told. */
void stria__find_caches(struct stria__cache out[CACHE_LEVELS])
{
    static const char *const names[CACHE_LEVELS][2] = {
        {"hw.perflevel0.l1dcachesize", "hw.l1dcachesize"},
        {"hw.perflevel0.l2cachesize", "hw.l2cachesize"},
        {"hw.perflevel0.l3cachesize", "hw.l3cachesize"}};
    for (int level = 0; level < CACHE_LEVELS; level++)
        for (int i = 0; i < 2 && !out[level].size; i++) {
            int64_t size = 0;
            size_t room = sizeof size;
            if (sysctlbyname(names[level][i], &size, &room, NULL, 0) == 0) out[level].size = size;
        }
}

#else

void stria__find_caches(struct stria__cache out[CACHE_LEVELS])
{
    (void)out;
}

#endif
