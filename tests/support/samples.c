/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <math.h>
#include <string.h>

#include "exact.h"
#include "random.h"

/* Draws an integer: all magnitudes of both signs are equally likely, and so are runs of zeros at
 * the end. */
static uint64_t integer(uint64_t *seed)
{
    const uint64_t u = random_bits(seed) >> random_between(seed, 0, 63);
    const uint64_t cut = u & ~UINT64_C(0) << random_between(seed, 0, 63);
    const uint64_t v = random_once(seed, 2) ? u : cut + (uint64_t)random_between(seed, -1, 1);
    return random_once(seed, 2) ? v : 0 - v;
}

/* Draws a power of two that limits an integer type, or a number next to it. */
static double limit(uint64_t *seed)
{
    static const int powers[] = {0, 7, 8, 15, 16, 31, 32, 53, 63, 64};
    const double x = ldexp(1, powers[random_between(seed, 0, 9)]);
    const double y = x + (double)random_between(seed, -4, 4) / 2;
    switch (random_between(seed, 0, 2)) {
    case 0: return y;
    case 1: return nextafter(x, 0);
    default: return nextafter(y, INFINITY);
    }
}

/* Draws a number half way between two neighbours of a narrower format, or the next f64 on either
 * side. */
static double midpoint(uint64_t *seed)
{
    static const stria_kind kinds[] = {STRIA_F8E4M3, STRIA_F8E5M2, STRIA_F16, STRIA_BF16,
                                       STRIA_F32};
    const int k = (int)random_between(seed, 0, 4);
    const uint32_t mask = k < 2 ? 0x7F : k < 4 ? 0x7FFF : 0x7FFFFFFF;
    const uint32_t u = (uint32_t)random_bits(seed) & mask, next = u < mask ? u + 1 : u;
    double a, b;
    exact_convert(&a, STRIA_F64, &u, kinds[k], false);
    exact_convert(&b, STRIA_F64, &next, kinds[k], false);
    const double middle = a / 2 + b / 2;
    switch (random_between(seed, 0, 3)) {
    case 0: return nextafter(middle, 0);
    case 1: return nextafter(middle, INFINITY);
    case 2: return a;
    default: return middle;
    }
}

static double number(uint64_t *seed)
{
    const uint64_t u = random_bits(seed);
    double x;
    switch (random_between(seed, 0, 4)) {
    case 0: memcpy(&x, &u, sizeof x); return x;
    case 1: x = limit(seed); break;
    case 2: x = (double)(int64_t)integer(seed) / 4; break;
    default: x = midpoint(seed);
    }
    return u & 1 ? x : -x;
}

static void single(float *out, uint64_t *seed)
{
    const uint32_t u = (uint32_t)random_bits(seed);
    const double x = number(seed);
    if (random_once(seed, 4))
        memcpy(out, &u, sizeof u);
    else
        exact_convert(out, STRIA_F32, &x, STRIA_F64, false);
}

static void sample(char *out, stria_kind kind, int64_t i, uint64_t *seed)
{
    const int64_t itemsize = stria_dtype_of(kind).itemsize;
    const uint64_t u = integer(seed);
    double x;
    switch (kind) {
    case STRIA_F32: single((float *)(void *)out, seed); break;
    case STRIA_F64: x = number(seed), memcpy(out, &x, sizeof x); break;
    case STRIA_C64:
    case STRIA_C128: {
        const stria_kind part = kind == STRIA_C64 ? STRIA_F32 : STRIA_F64;
        sample(out, part, i, seed);
        sample(out + itemsize / 2, part, i, seed);
        break;
    }
    default: memcpy(out, itemsize <= 2 ? (const void *)&i : (const void *)&u, (size_t)itemsize);
    }
}

void samples_fill(void *out, stria_kind kind, int64_t n, uint64_t *seed)
{
    const int64_t itemsize = stria_dtype_of(kind).itemsize, start = random_between(seed, 0, 65535);
    char item[16];
    for (int64_t i = 0; i < n; i++) {
        sample(item, kind, start + i, seed);
        memcpy((char *)out + i * itemsize, item, (size_t)itemsize);
    }
}
