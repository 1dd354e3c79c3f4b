/* SPDX-License-Identifier: BSD-3-Clause */
/* Weak scalars, and the nearest number of a dtype at or beyond one that it may not hold. */
#include "ops/elementwise/operation.h"

#include <stdio.h>
#include <string.h>

#include "simd/number.h"
#include "view/view.h"

/* ---- weak scalars ---------------------------------------------------------------------------- */

stria_status stria_weak(stria_view *out, stria_kind kind, const void *value)
{
    if (!out || !value)
        return stria__fail(STRIA_ERR_ARGUMENT, "weak: %s is NULL", out ? "value" : "out");
    if (!stria__is_weak_kind(kind))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "weak: kind %d is none of bool, i64, u64, f64 and c128, which stand for "
                           "the numbers of Python",
                           (int)kind);
    view_set(out, (char *)(uintptr_t)value, NULL, stria_dtype_of(kind), STRIA_READONLY | STRIA_WEAK,
             0, out->shape, out->strides);
    return STRIA_OK;
}

stria_status stria__check_weak(const stria_view *a, const char *op, const char *what)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    if (a->ndim == 0 && stria__is_weak_kind((stria_kind)a->dtype.kind) && !a->dtype.swapped &&
        !(a->flags & lazy) && !view_is_meta(a))
        return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: %s has STRIA_WEAK, but is %s of shape %s and not a scalar as "
                       "stria_weak makes them; clear the flag, or make it so",
                       op, what, stria__dtype_text(a->dtype).text,
                       stria__dims_text(a->ndim, a->shape).text);
}

const stria_view *stria__set_scalar(struct substitute *out, stria_dtype dtype, const void *item)
{
    memcpy(out->item, item, (size_t)dtype.itemsize);
    view_set(&out->view, out->item, NULL, dtype, STRIA_READONLY, 0, out->view.shape,
             out->view.strides);
    return &out->view;
}

stria_dtype stria__weak_default(const stria_view *weak, stria_promotion rule)
{
    const bool torch = rule == STRIA_PROMOTE_TORCH;
    switch (weak->dtype.kind) {
    case STRIA_BOOL: return stria_dtype_of(STRIA_BOOL);
    case STRIA_F64: return stria_dtype_of(torch ? STRIA_F32 : STRIA_F64);
    case STRIA_C128: return stria_dtype_of(torch ? STRIA_C64 : STRIA_C128);
    default: break;
    }
    const struct element value = weak_value(weak);
    const bool large = !value.negative && value.magnitude > INT64_MAX;
    return stria_dtype_of(large ? STRIA_U64 : STRIA_I64);
}

bool stria__weak_fits(const stria_view *weak, stria_kind kind)
{
    const stria_kind own = (stria_kind)weak->dtype.kind;
    if ((own != STRIA_I64 && own != STRIA_U64) || !is_integer_kind(kind)) return true;
    const struct element value = weak_value(weak);
    return value.magnitude <= (value.negative ? lowest_magnitude(kind) : highest_integer(kind));
}

struct weak_text stria__weak_text(const stria_view *weak)
{
    struct weak_text out;
    const struct element value = weak_value(weak);
    const stria_kind kind = (stria_kind)weak->dtype.kind;
    (void)snprintf(out.text, sizeof out.text, "the weak %s%s",
                   kind == STRIA_BOOL   ? ""
                   : kind == STRIA_F64  ? "float "
                   : kind == STRIA_C128 ? "complex "
                                        : "integer ",
                   kind != STRIA_BOOL ? stria__element_text(&value).text
                   : value.magnitude  ? "true"
                                      : "false");
    return out;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/*
 * Bounds of integers are integers cut to the range; bounds of floats are the nearest float or its
 * neighbour, whose bits are one more or one less.
 */

/* Makes an item of `size` bytes with these bits, at the front of a word of either byte order. */
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
