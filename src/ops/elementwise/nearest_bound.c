/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounds of integers are integers cut to the range; bounds of floats are the nearest float or its
 * neighbour, whose bits are one more or one less.
 */
#include "ops/elementwise/nearest_bound.h"

#include "dtype.h"
#include "simd/number.h"

/* An item of `size` bytes with these bits, at the front of a word of either byte order. */
static uint64_t item_of_bits(uint64_t bits, int size)
{
    uint64_t item = 0;
    stria__bits_store(size, (char *)&item, bits);
    return item;
}

/* ---- integers ------------------------------------------------------------------------------- */

/* A number rounded to an integer in one direction, or the fact that 64 bits do not hold it. */
struct whole {
    bool negative, too_large;
    uint64_t magnitude;
};

static struct whole whole_of(struct element value, enum bound_way way)
{
    struct whole out = {value.negative, false, value.magnitude};
    if (!value.is_float) return out;
    out.negative = value.real < 0;
    const double size = out.negative ? -value.real : value.real;
    out.too_large = size >= 0x1p64;
    if (out.too_large) return out;
    out.magnitude = (uint64_t)size;
    const bool away = out.negative == (way == BOUND_DOWN);
    out.magnitude += away && (double)out.magnitude != size;
    return out;
}

static struct bound integer_bound(struct element value, stria_kind kind, enum bound_way way)
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
static bool falls_short(struct element value, double x, enum bound_way way)
{
    const bool up = way == BOUND_UP;
    if (value.is_float) return up ? value.real > x : value.real < x;
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
static struct bound float_bound(struct element value, stria_kind kind, enum bound_way way)
{
    const int size = stria_dtype_of(kind).itemsize;
    const double size_of_integer = (double)value.magnitude;
    const double near =
        !value.is_float ? value.negative ? -size_of_integer : size_of_integer : value.real;
    uint64_t bits = bits_of(kind, near);
    const uint64_t item = item_of_bits(bits, size);
    const double rounded = stria__element_load(stria_dtype_of(kind), 0, (const char *)&item).real;
    if (falls_short(value, rounded, way)) bits = neighbour(bits, size, way);
    return (struct bound){BOUND_IS, item_of_bits(bits, size)};
}

struct bound stria__bound(struct element value, stria_kind kind, enum bound_way way)
{
    if (value.is_float && value.real != value.real) return (struct bound){BOUND_UNORDERED, 0};
    return is_float_kind(kind) ? float_bound(value, kind, way) : integer_bound(value, kind, way);
}
