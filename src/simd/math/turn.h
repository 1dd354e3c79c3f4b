/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Argument reduction for trigonometric functions: x = n unit + rest, where the unit is pi or pi / 2
 * and |rest| <= unit / 2. For near arguments, n times the unit is subtracted in three parts (Cody
 * and Waite); for far ones, x is multiplied by the relevant bits of 1 / (2 pi) (Payne and Hanek).
 */
#pragma once

#include "../fma.h"

/* pi in parts: the first has 31 bits, so that its product with an integer up to 2^22 is exact. */
#define PI_1 0x1.921fb544p+1
#define PI_2 0x1.0b4611a626331p-33
#define PI_3 0x1.1701b839a252p-87

/* pi rounded, and its rounding error. */
#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53

/* Arguments from here on are far. Below, n is less than 2^20 for both units. */
#define FAR_ANGLE 0x1p20

/* The rest is high + low. Only the lowest bits of n are valid: it may be the bits of a double. */
struct turn {
    double high, low;
    uint64_t n;
};

/* ---- far angles ------------------------------------------------------------------------------ */

/* 1 / (2 pi) in 32-bit words from two before the point on, each followed by the next one. */
static const uint64_t inverse_turn[] = {
    0x0000000000000000, 0x0000000028BE60DB, 0x28BE60DB9391054A, 0x9391054A7F09D5F4,
    0x7F09D5F47D4D3770, 0x7D4D377036D8A566, 0x36D8A5664F10E410, 0x4F10E4107F9458EA,
    0x7F9458EAF7AEF158, 0xF7AEF1586DC91B8E, 0x6DC91B8E909374B8, 0x909374B801924BBA,
    0x01924BBA82746487, 0x827464873F877AC7, 0x3F877AC72C4A69CF, 0x2C4A69CFBA208D7D,
    0xBA208D7D4BAED121, 0x4BAED1213A671C09, 0x3A671C09AD17DF90, 0xAD17DF904E64758E,
    0x4E64758E60D4CE7D, 0x60D4CE7D272117E2, 0x272117E2EF7E4A0E, 0xEF7E4A0EC7FE25FF,
    0xC7FE25FFF7816603, 0xF7816603FBCBC462, 0xFBCBC462D6829B47, 0xD6829B47DB4D9FB3,
    0xDB4D9FB3C9F2C26D, 0xC9F2C26DD3D18FD9, 0xD3D18FD9A797FA8B, 0xA797FA8B5D49EEB1,
    0x5D49EEB1FAF97C5E, 0xFAF97C5ECF41CE7D, 0xCF41CE7DE294A4BA, 0xE294A4BA9AFED7EC,
    0x9AFED7EC47E35742, 0x47E357421580CC11,
};

/*
 * Selects the bits of a where the mask has ones, and those of b elsewhere. gcc would make a branch
 * of a plain choice, and move the computation into it, and then no loop would be vectorized.
 */
static ALWAYS_INLINE uint64_t bits_of_two(uint64_t mask, uint64_t a, uint64_t b)
{
    return (a & mask) | (b & ~mask);
}

static ALWAYS_INLINE uint64_t far_mask(double x)
{
    return x >= FAR_ANGLE ? ~UINT64_C(0) : 0;
}

/* Convert an integer below 2^32, unsigned or signed, to f64 without a conversion instruction. */
static ALWAYS_INLINE double f64_of_word(uint64_t word)
{
    return f64_of_bits(word | UINT64_C(0x433) << 52) - 0x1p52;
}

static ALWAYS_INLINE double f64_of_signed_word(uint64_t word)
{
    return f64_of_bits((word ^ UINT64_C(1) << 31) | UINT64_C(0x433) << 52) - (0x1p52 + 0x1p31);
}

/*
 * The fraction of x / (2 pi) in words of weight 2^-32, 2^-64 and so on, for the bits of an x >=
 * FAR_ANGLE. x is its 53 bits times a power of two. The bits of 1 / (2 pi) that only contribute
 * whole turns are skipped, and the next six words are multiplied by the 53 bits. What is left out
 * is below 2^-138, while no f64 comes closer to a multiple of pi / 2 than 2^-62.
 */
static ALWAYS_INLINE void far_turn(uint64_t bits, uint64_t words[5])
{
    const uint64_t skip = (bits >> 52) - (1075 - 64);
    const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const uint64_t high = mantissa >> 32, low = mantissa & 0xFFFFFFFF;
    const uint64_t first = skip >> 5, left = skip & 31;
    uint64_t w[6], sum = 0;
    UNROLL
    for (int i = 0; i < 6; i++)
        w[i] = inverse_turn[first + (uint64_t)i] << left >> 32;
    UNROLL
    for (int i = 5; i > 0; i--) {
        sum = (sum >> 32) + high * w[i] + (low * w[i - 1] & 0xFFFFFFFF) + (low * w[i] >> 32);
        words[i - 1] = sum & 0xFFFFFFFF;
    }
}

/*
 * Reduces x + `quarters` quarter turns, x >= FAR_ANGLE, with 2^units units per turn. The result is
 * NaN for infinity and NaN, and arbitrary for near arguments.
 */
static ALWAYS_INLINE struct turn far_rest(double x, const int units, const uint64_t quarters)
{
    uint64_t words[5];
    double lost_1, lost_2;
    const double per_turn = units == 2 ? 4 : 2, unit_high = PI_HIGH * 2 / per_turn,
                 unit_low = PI_LOW * 2 / per_turn;
    far_turn(bits_of_two(far_mask(x), f64_bits(x), f64_bits(FAR_ANGLE)), words);
    const uint64_t top = words[0] + (quarters << 30);
    const uint64_t n = (top + (UINT64_C(1) << (31 - units))) >> (32 - units);
    const double first = f64_of_signed_word(top << units & 0xFFFFFFFF) * 0x1p-32;
    const double second = f64_of_word(words[1]) * (0x1p-64 * per_turn);
    const double third = f64_of_word(words[2]) * (0x1p-96 * per_turn);
    const double fourth = f64_of_word(words[3]) * (0x1p-128 * per_turn);
    const double fifth = f64_of_word(words[4]) * (0x1p-160 * per_turn);
    const double two = sum_f64(first, second, &lost_1);
    const double part = sum_f64(two, third, &lost_2);
    const double lost = (lost_1 + lost_2) + (fourth + fifth), high = part * unit_high;
    const double low = fma_f64(part, unit_high, -high) + fma_f64(part, unit_low, lost * unit_high);
    return (struct turn){high + x * 0, low, n};
}

/* ---- near angles ----------------------------------------------------------------------------- */

/* Reduces x by quarter turns, 0 <= x < FAR_ANGLE; low is exact to 2^-119 of n. */
static ALWAYS_INLINE struct turn near_quarters(double x)
{
    const double shifted = fma_f64(x, 2 / PI_HIGH, TO_INTEGER), n = shifted - TO_INTEGER;
    const double first = fma_f64(n, -PI_1 / 2, x), second = n * (PI_2 / 2);
    double lost;
    const double second_low = fma_f64(n, PI_2 / 2, -second);
    const double high = sum_f64(first, -second, &lost);
    const double low = fma_f64(n, -PI_3 / 2, lost - second_low);
    return (struct turn){high, low, f64_bits(shifted)};
}

/* Reduces an f32 by half turns; it needs no low part. Products with PI_1 are exact. */
static ALWAYS_INLINE struct turn near_halves(double x)
{
    const double shifted = fma_or_two_f64(x, 1 / PI_HIGH, TO_INTEGER), n = shifted - TO_INTEGER;
    const double first = fma_or_two_f64(n, -PI_1, x);
    return (struct turn){fma_or_two_f64(n, -PI_2, first), 0, f64_bits(shifted)};
}

/* Reduces x plus a quarter turn by half turns. */
static ALWAYS_INLINE struct turn near_halves_on(double x)
{
    const double shifted = fma_or_two_f64(x, 1 / PI_HIGH, 0.5) + TO_INTEGER;
    const double n = shifted - TO_INTEGER - 0.5;
    const double first = fma_or_two_f64(n, -PI_1, x);
    return (struct turn){fma_or_two_f64(n, -PI_2, first), 0, f64_bits(shifted)};
}

static ALWAYS_INLINE struct turn far_or_near(double x, struct turn far, struct turn near)
{
    const uint64_t mask = far_mask(x);
    return (struct turn){f64_of_bits(bits_of_two(mask, f64_bits(far.high), f64_bits(near.high))),
                         f64_of_bits(bits_of_two(mask, f64_bits(far.low), f64_bits(near.low))),
                         bits_of_two(mask, far.n, near.n)};
}

/* Tells whether n is odd, by a comparison of floats: SSE2 does not compare 64-bit integers. */
static ALWAYS_INLINE bool is_odd(uint64_t n)
{
    return f64_of_bits(n << 63 | f64_bits(1)) < 0;
}
