/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/value/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dtype/dtype.h"
#include "simd/number.h"

enum { WIDEST = 16 /* Bytes of an item. */ };

/* Copies an item from one byte order to the other; each half of a complex one has its own. */
static void copy_swapped(char *out, stria_dtype dtype, const char *item)
{
    const int parts = stria_dtype_is_complex(dtype) ? 2 : 1, size = dtype.itemsize / parts;
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < size; i++)
            out[part * size + i] = item[part * size + size - 1 - i];
}

/* ---- integers: modulo 2^bits, as they negate ------------------------------------------------- */

void stria__bits_store(int size, char *bytes, uint64_t bits)
{
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    switch (size) {
    case 1: memcpy(bytes, &u8, sizeof u8); break;
    case 2: memcpy(bytes, &u16, sizeof u16); break;
    case 4: memcpy(bytes, &u32, sizeof u32); break;
    default: memcpy(bytes, &bits, sizeof bits);
    }
}

static struct element load_integer(stria_dtype dtype, bool negated, const char *bytes)
{
    const int bits = 8 * dtype.itemsize;
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    uint64_t value = bits_load(bytes, dtype.itemsize);
    if (negated) value = (0 - value) & mask;
    struct element out = {.magnitude = value};
    out.negative = is_signed_kind((stria_kind)dtype.kind) && value >> (bits - 1);
    if (out.negative) out.magnitude = (0 - value) & mask;
    return out;
}

/* Takes a float that is an integer; false if it is none of 64 bits. */
static bool take_whole(struct element *out, double x)
{
    if (!(fabs(x) < 0x1p64)) return false;
    const uint64_t magnitude = (uint64_t)fabs(x);
    *out = (struct element){.negative = x < 0, .magnitude = magnitude};
    return (double)magnitude == fabs(x);
}

static bool store_integer(stria_dtype dtype, bool negated, char *bytes, const struct element *value)
{
    const int bits = 8 * dtype.itemsize;
    const uint64_t highest = UINT64_MAX >> (64 - bits) >> is_signed_kind((stria_kind)dtype.kind);
    const uint64_t lowest = is_signed_kind((stria_kind)dtype.kind) ? highest + 1 : 0;
    struct element whole = *value;
    if (value->is_float && (value->imag != 0 || !take_whole(&whole, value->real))) return false;
    if (whole.magnitude > (whole.negative ? lowest : highest)) return false;
    stria__bits_store(dtype.itemsize, bytes,
                      whole.negative != negated ? 0 - whole.magnitude : whole.magnitude);
    return true;
}

/* ---- floats ---------------------------------------------------------------------------------- */

static double load_part(stria_kind kind, const char *bytes)
{
    float f32;
    double f64;
    switch (kind) {
    case STRIA_F8E4M3: return f64_from_f32(f32_from_f8e4m3((uint8_t)bits_load(bytes, 1)));
    case STRIA_F8E5M2: return f64_from_f32(f32_from_f8e5m2((uint8_t)bits_load(bytes, 1)));
    case STRIA_F16: return f64_from_f32(f32_from_f16((uint16_t)bits_load(bytes, 2)));
    case STRIA_BF16: return f64_from_f32(f32_from_bf16((uint16_t)bits_load(bytes, 2)));
    case STRIA_F32: memcpy(&f32, bytes, sizeof f32); return f64_from_f32(f32);
    default: memcpy(&f64, bytes, sizeof f64); return f64;
    }
}

/*
 * Writes the float that is nearest to x. Small ones are rounded through an f32 that is rounded to
 * odd, which gives the same as rounding once (NOTE [Round to odd] in number.h).
 */
static bool store_part(stria_kind kind, char *bytes, double x)
{
    /* Half a step beyond the largest number, from which a tie goes to that even number. */
    const double most_e4m3 = 464;
    const float odd = f32_odd_from_f64(x), f32 = f32_from_f64(x);
    char made[sizeof x];
    switch (kind) {
    case STRIA_F8E4M3:
        if (fabs(x) > most_e4m3) return false;
        stria__bits_store(1, made, f8e4m3_from_f32(odd));
        break;
    case STRIA_F8E5M2: stria__bits_store(1, made, f8e5m2_from_f32(odd)); break;
    case STRIA_F16: stria__bits_store(2, made, f16_from_f32(odd)); break;
    case STRIA_BF16: stria__bits_store(2, made, bf16_from_f32(odd)); break;
    case STRIA_F32: memcpy(made, &f32, sizeof f32); break;
    default: memcpy(made, &x, sizeof x);
    }
    if (isinf(load_part(kind, made)) && !isinf(x)) return false;
    memcpy(bytes, made, (size_t)stria_dtype_of(kind).itemsize);
    return true;
}

/* Returns an f64 that rounds to any narrower float as the integer does; to f64 itself it is rounded
 * here. */
static double float_of(const struct element *value, stria_kind part)
{
    const uint64_t magnitude = value->magnitude;
    const double x = (double)(part == STRIA_F64 ? magnitude : u64_odd(magnitude));
    return value->negative ? -x : x;
}

static bool store_float(stria_dtype dtype, uint32_t flags, char *bytes, const struct element *value)
{
    const bool halves = stria_dtype_is_complex(dtype), negated = flags & STRIA_NEG;
    const stria_dtype part = stria_dtype_real(dtype);
    double real = value->is_float ? value->real : float_of(value, (stria_kind)part.kind);
    double imag = value->imag;
    if (!halves && imag != 0) return false;
    if (negated) real = -real;
    if (negated != ((flags & STRIA_CONJ) != 0)) imag = -imag;
    return store_part((stria_kind)part.kind, bytes, real) &&
           (!halves || store_part((stria_kind)part.kind, bytes + part.itemsize, imag));
}

struct element stria__element_load(stria_dtype dtype, uint32_t flags, const char *item)
{
    char swapped[WIDEST];
    const bool negated = flags & STRIA_NEG;
    if (dtype.swapped) {
        copy_swapped(swapped, dtype, item);
        item = swapped;
    }
    if (dtype.kind == STRIA_BOOL) return (struct element){.magnitude = *item != 0};
    if (dtype.kind < STRIA_F8E4M3) return load_integer(dtype, negated, item);
    const stria_dtype part = stria_dtype_real(dtype);
    struct element out = {.is_float = true, .real = load_part((stria_kind)part.kind, item)};
    if (negated) out.real = -out.real;
    if (!stria_dtype_is_complex(dtype)) return out;
    out.imag = load_part((stria_kind)part.kind, item + part.itemsize);
    if (negated != ((flags & STRIA_CONJ) != 0)) out.imag = -out.imag;
    return out;
}

struct element stria__element_at(const stria_view *a, int ndim, const int64_t *index)
{
    const char *item = a->data;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1) item += index[ndim - a->ndim + d] * a->strides[d];
    return stria__element_load(a->dtype, a->flags, item);
}

struct element_text stria__element_text(const struct element *value)
{
    struct element_text out;
    if (!value->is_float)
        (void)snprintf(out.text, sizeof out.text, "%s%" PRIu64, value->negative ? "-" : "",
                       value->magnitude);
    else if (value->imag != 0)
        (void)snprintf(out.text, sizeof out.text, "%.17g%+.17gj", value->real, value->imag);
    else
        (void)snprintf(out.text, sizeof out.text, "%.17g", value->real);
    return out;
}

bool stria__element_store(stria_dtype dtype, uint32_t flags, char *item,
                          const struct element *value)
{
    char made[WIDEST];
    bool fits = true;
    if (dtype.kind == STRIA_BOOL)
        made[0] =
            (char)(value->is_float ? value->real != 0 || value->imag != 0 : value->magnitude != 0);
    else if (dtype.kind < STRIA_F8E4M3)
        fits = store_integer(dtype, flags & STRIA_NEG, made, value);
    else
        fits = store_float(dtype, flags, made, value);
    if (!fits) return false;
    if (dtype.swapped)
        copy_swapped(item, dtype, made);
    else
        memcpy(item, made, (size_t)dtype.itemsize);
    return true;
}
