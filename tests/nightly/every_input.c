/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every_input KIND: conversions out of one kind, for every input that it has (8, 16 and 32 bits),
 * or for 2^28 of them that lie near the places where rounding or saturation decides (64 bits).
 *
 * On the scalar level, which is number.h as the compiler reads it: against the integer definition
 * in support/exact.h, for every input of up to 16 bits and every 61st of the others, through
 * stria_copy, so that conversions in several steps are covered. On every other level: the same bits
 * as the scalar one, for all inputs and every kernel.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine/dispatch.h"
#include "stria/stria.h"
#include "support/exact.h"
#include "support/random.h"

enum { CHUNK = 1 << 16, ITEM = 16, SPARSE = 61 };

static char in[CHUNK * ITEM], scalar_out[CHUNK * ITEM], out[CHUNK * ITEM];
static int64_t wrong;

/* ---- inputs -------------------------------------------------------------------------------- */

/* Returns numbers of all magnitudes with few significant bits, and their neighbours on either
 * side. */
static uint64_t hard_integer(uint64_t *seed)
{
    const uint64_t u = random_bits(seed), r = random_bits(seed);
    const uint64_t magnitude = u >> (r & 63), cut = magnitude & ~UINT64_C(0) << (r >> 6 & 63);
    const uint64_t near = cut + (r >> 12 & 3) - 1;
    return r >> 63 ? 0 - near : near;
}

static uint64_t hard_double(uint64_t *seed)
{
    const uint64_t u = random_bits(seed), r = random_bits(seed);
    const uint64_t wide = 1023 + (r & 511) - 255, narrow = 1023 + (r & 63) - 31;
    const uint64_t exponent = r >> 9 & 1 ? u >> 52 & 0x7FF : r >> 10 & 1 ? wide : narrow;
    const uint64_t mantissa = u & (UINT64_C(0xFFFFFFFFFFFFF) << (r >> 11 & 31) << (r >> 16 & 31));
    const uint64_t near =
        ((exponent << 52) | (mantissa & UINT64_C(0xFFFFFFFFFFFFF))) + (r >> 21 & 3);
    return near - (near ? 1 : 0) + (r & UINT64_C(1) << 63);
}

static void fill(stria_kind kind, int64_t chunk, uint64_t *seed)
{
    const int32_t size = stria_dtype_of(kind).itemsize;
    for (int64_t i = 0; i < CHUNK; i++) {
        const uint64_t u = size < 8            ? (uint64_t)(chunk * CHUNK + i)
                           : kind == STRIA_F64 ? hard_double(seed)
                                               : hard_integer(seed);
        const uint32_t low = (uint32_t)u;
        memcpy(in + i * size, size == 8 ? (const void *)&u : &low, (size_t)size);
    }
}

static int64_t chunks_of(stria_kind kind)
{
    const int32_t size = stria_dtype_of(kind).itemsize;
    return size <= 2 ? 1 : size == 4 ? (INT64_C(1) << 32) / CHUNK : (INT64_C(1) << 28) / CHUNK;
}

/* ---- comparisons --------------------------------------------------------------------------- */

static void report(const char *isa, stria_kind to, stria_kind from, int64_t i, bool wrap)
{
    char a[16], b[16];
    uint64_t input = 0;
    (void)stria_dtype_format(a, sizeof a, NULL, stria_dtype_of(from));
    (void)stria_dtype_format(b, sizeof b, NULL, stria_dtype_of(to));
    memcpy(&input, in + i * stria_dtype_of(from).itemsize, (size_t)stria_dtype_of(from).itemsize);
    if (wrong++ < 20)
        printf("%s: %s -> %s%s is wrong for %#" PRIx64 "\n", isa, a, b, wrap ? " (wrap)" : "",
               input);
}

/* Compares stria_copy on the current level with the definition, for every step-th item of the
 * chunk. */
static void check_definition(stria_kind to, stria_kind from, int64_t first, int64_t step, bool wrap)
{
    const int64_t size = stria_dtype_of(to).itemsize, from_size = stria_dtype_of(from).itemsize;
    const int64_t n = (CHUNK - first + step - 1) / step, stride = step * from_size;
    const stria_exec exec = {.threads = 1, .hints = wrap ? STRIA_CAST_WRAP : 0};
    stria_view dst, src;
    char item[ITEM];
    if (stria_view_foreign(&src, in + first * from_size, stria_dtype_of(from), 1, &n, &stride, 0) ||
        stria_view_foreign(&dst, out, stria_dtype_of(to), 1, &n, NULL, 0) ||
        stria_copy(&dst, &src, &exec))
        abort();
    for (int64_t i = 0; i < n; i++) {
        exact_convert(item, to, in + (first + i * step) * from_size, from, wrap);
        if (memcmp(item, out + i * size, (size_t)size) != 0)
            report("scalar", to, from, first + i * step, wrap);
    }
}

static void check_levels(stria_kind to, stria_kind from)
{
    const int64_t size = stria_dtype_of(to).itemsize;
    stria__kernels_at(0)->convert->row[to][from](scalar_out, in, CHUNK);
    for (int level = 1; level < stria__kernels_count(); level++) {
        const struct stria_kernels *kernels = stria__kernels_at(level);
        if (!kernels) continue;
        kernels->convert->row[to][from](out, in, CHUNK);
        if (memcmp(out, scalar_out, (size_t)(CHUNK * size)) == 0) continue;
        for (int64_t i = 0; i < CHUNK; i++)
            if (memcmp(out + i * size, scalar_out + i * size, (size_t)size) != 0)
                report(kernels->isa, to, from, i, false);
    }
}

static void check_chunk(stria_kind from, int64_t chunk)
{
    const bool all = stria_dtype_of(from).itemsize <= 2;
    const bool is_float = from >= STRIA_F8E4M3;
    for (int k = STRIA_BOOL; k <= STRIA_C128; k++) {
        const stria_kind to = (stria_kind)k;
        const bool wraps = is_float && to >= STRIA_I8 && to <= STRIA_U64;
        if (to == from) continue;
        if (stria__kernels_at(0)->convert->row[to][from]) check_levels(to, from);
        check_definition(to, from, all ? 0 : chunk % SPARSE, all ? 1 : SPARSE, false);
        if (wraps) check_definition(to, from, all ? 0 : chunk % SPARSE, all ? 1 : SPARSE, true);
    }
}

int main(int argc, char **argv)
{
    stria_dtype dtype;
    if (argc != 2 || stria_dtype_parse(&dtype, argv[1]) || dtype.kind > STRIA_F64 ||
        dtype.kind == STRIA_BOOL) {
        fprintf(stderr, "usage: every_input KIND, an integer or float dtype\n");
        return 2;
    }
    const stria_kind from = (stria_kind)dtype.kind;
    const time_t start = time(NULL);
    uint64_t seed = 1;
    if (!stria__set_isa("scalar")) return 1;
    for (int64_t chunk = 0; chunk < chunks_of(from); chunk++) {
        fill(from, chunk, &seed);
        check_chunk(from, chunk);
    }
    printf("%s: %" PRId64 " inputs, %" PRId64 " wrong results, %ld s\n", argv[1],
           chunks_of(from) * CHUNK, wrong, (long)(time(NULL) - start));
    return wrong != 0;
}
