/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounds of integers are integers cut to the range; bounds of floats are the nearest float or its
 * neighbour, whose bits are one more or one less.
 */
#include "ops/elementwise/nearest_bound.h"

#include "ops/elementwise/kinds.h"
#include "simd/number.h"

/* An item of `size` bytes with these bits, at the front of a word of either byte order. */
static uint64_t item_of_bits(uint64_t bits, int size)
{
    uint64_t item = 0;
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    const void *const from = size == 1   ? (const void *)&u8
                             : size == 2 ? (const void *)&u16
                             : size == 4 ? (const void *)&u32
                                         : (const void *)&bits;
    memcpy(&item, from, (size_t)size);
    return item;
}

/* ---- integers ------------------------------------------------------------------------------- */

/* A number rounded to an integer in one direction, or the fact that 64 bits do not hold it. */
struct whole {
    bool negative, too_large;
    uint64_t magnitude;
};

static struct whole whole_of(struct weak_real value, enum bound_way way)
{
    struct whole out = {value.negative, false, value.magnitude};
    if (!value.is_float) return out;
    out.negative = value.number < 0;
    const double size = out.negative ? -value.number : value.number;
    out.too_large = size >= 0x1p64;
    if (out.too_large) return out;
    out.magnitude = (uint64_t)size;
    const bool away = out.negative == (way == BOUND_DOWN);
    out.magnitude += away && (double)out.magnitude != size;
    return out;
}

static struct bound integer_bound(struct weak_real value, stria_kind kind, enum bound_way way)
{
    const struct whole n = whole_of(value, way);
    const uint64_t most = n.negative ? lowest_magnitude(kind) : highest_integer(kind);
    uint64_t magnitude = n.magnitude;
    if (n.too_large || magnitude > most) {
        if (n.negative == (way == BOUND_DOWN)) return (struct bound){BOUND_BEYOND, 0};
        magnitude = most;
    }
    const uint64_t bits = n.negative ? 0 - magnitude : magnitude;
    return (struct bound){BOUND_IS, item_of_bits(bits, stria_dtype_of(kind).itemsize)};
}

/* ---- floats --------------------------------------------------------------------------------- */

static uint64_t bits_of(stria_kind kind, double x)
{
    switch (kind) {
    case STRIA_F16: return f16_from_f32((float)x);
    case STRIA_BF16: return bf16_from_f32((float)x);
    case STRIA_F32: return f32_bits((float)x);
    default: return f64_bits(x);
    }
}

static double number_of(stria_kind kind, uint64_t bits)
{
    switch (kind) {
    case STRIA_F16: return (double)f32_from_f16((uint16_t)bits);
    case STRIA_BF16: return (double)f32_from_bf16((uint16_t)bits);
    case STRIA_F32: return (double)f32_of_bits((uint32_t)bits);
    default: return f64_of_bits(bits);
    }
}

/* The next float up or down. The bits of floats of one sign are ordered as their magnitudes. */
static uint64_t neighbour(uint64_t bits, int size, enum bound_way way)
{
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    const bool negative = (bits & sign) != 0;
    if ((bits & ~sign) == 0) return way == BOUND_UP ? 1 : sign | 1;
    return negative == (way == BOUND_DOWN) ? bits + 1 : bits - 1;
}

/*
 * Tells whether x is on the wrong side of the value: below it, or above it with BOUND_DOWN. The
 * comparison is exact; an x next to an integer value is an integer.
 */
static bool falls_short(struct weak_real value, double x, enum bound_way way)
{
    const bool up = way == BOUND_UP;
    if (value.is_float) return up ? value.number > x : value.number < x;
    if (x >= 0x1p64 || x <= -0x1p64) return up == (x < 0);
    const bool below = x < 0;
    const uint64_t whole = (uint64_t)(below ? -x : x);
    if (value.negative != below && (value.magnitude || whole)) return up == below;
    const bool larger = value.magnitude > whole, same = value.magnitude == whole;
    return same ? false : larger == (up != below);
}

/*
 * Every conversion on the way rounds to one of the two neighbours of the value, so that the result
 * is one of them.
 */
static struct bound float_bound(struct weak_real value, stria_kind kind, enum bound_way way)
{
    const int size = stria_dtype_of(kind).itemsize;
    const double size_of_integer = (double)value.magnitude;
    const double near =
        !value.is_float ? value.negative ? -size_of_integer : size_of_integer : value.number;
    uint64_t bits = bits_of(kind, near);
    if (falls_short(value, number_of(kind, bits), way)) bits = neighbour(bits, size, way);
    return (struct bound){BOUND_IS, item_of_bits(bits, size)};
}

struct bound stria__bound(struct weak_real value, stria_kind kind, enum bound_way way)
{
    if (value.is_float && value.number != value.number) return (struct bound){BOUND_UNORDERED, 0};
    return is_float_kind(kind) ? float_bound(value, kind, way) : integer_bound(value, kind, way);
}
