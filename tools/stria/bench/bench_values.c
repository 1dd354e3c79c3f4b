/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_values.h"

#include <math.h>
#include <string.h>

/* ---- formats of numbers --------------------------------------------------------------------- */

/* Binary floats: a sign, exponent bits, fraction bits. last: what too large numbers become. */
struct format {
    stria_kind kind;
    int exponent, fraction;
    uint64_t last;
};

static const struct format formats[] = {
    {STRIA_F8E4M3, 4, 3, 0x7E},     {STRIA_F8E5M2, 5, 2, 0x7C},
    {STRIA_F16, 5, 10, 0x7C00},     {STRIA_BF16, 8, 7, 0x7F80},
    {STRIA_F32, 8, 23, 0x7F800000}, {STRIA_F64, 11, 52, 0x7FF0000000000000},
};

static const struct format *format_of(stria_dtype dtype)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].kind == (stria_kind)dtype.kind) return &formats[i];
    return NULL;
}

bool values_is_integer(stria_dtype dtype)
{
    return (dtype.kind >= STRIA_I8 && dtype.kind <= STRIA_U64) || dtype.kind == STRIA_BOOL;
}

static bool is_signed(stria_dtype dtype)
{
    return dtype.kind >= STRIA_I8 && dtype.kind <= STRIA_I64;
}

bool values_convertible(stria_dtype from, stria_dtype to)
{
    return !from.swapped && !to.swapped && (values_is_integer(from) || format_of(from)) &&
           (values_is_integer(to) || format_of(to));
}

static uint64_t load(const char *at, int32_t itemsize)
{
    uint64_t bits = 0;
    for (int32_t i = 0; i < itemsize; i++) { /* native order, whichever it is */
        const uint16_t probe = 1;
        const int32_t from = *(const char *)&probe ? itemsize - 1 - i : i;
        bits = bits << 8 | (unsigned char)at[from];
    }
    return bits;
}

static uint64_t sign_bit(const struct format *f)
{
    return (uint64_t)1 << (f->exponent + f->fraction);
}

/* Of a code without sign. Infinity counts as the number that would follow the largest. */
static double magnitude(uint64_t code, const struct format *f)
{
    const int bias = (1 << (f->exponent - 1)) - 1;
    const int exponent = (int)(code >> f->fraction);
    const uint64_t hidden = exponent ? (uint64_t)1 << f->fraction : 0;
    const uint64_t fraction = (code & (((uint64_t)1 << f->fraction) - 1)) | hidden;
    return ldexp((double)fraction, (exponent ? exponent : 1) - bias - f->fraction);
}

static double decode(const char *at, stria_dtype dtype, const struct format *f)
{
    if (dtype.kind == STRIA_F32 || dtype.kind == STRIA_F64) {
        float single;
        double twice;
        if (dtype.kind == STRIA_F64) return memcpy(&twice, at, sizeof twice), twice;
        return memcpy(&single, at, sizeof single), (double)single;
    }
    const uint64_t bits = load(at, dtype.itemsize), sign = sign_bit(f);
    const double size = magnitude(bits & (sign - 1), f);
    return bits & sign ? -size : size;
}

static int64_t decode_integer(const char *at, stria_dtype dtype)
{
    const uint64_t bits = load(at, dtype.itemsize);
    const int unused = 64 - 8 * dtype.itemsize;
    const uint64_t sign = (uint64_t)1 << (8 * dtype.itemsize - 1);
    if (!is_signed(dtype) || !(bits & sign) || !unused) return (int64_t)bits;
    return (int64_t)(bits | ~(uint64_t)0 << (8 * dtype.itemsize));
}

/* ---- what the arrays hold ------------------------------------------------------------------- */

static uint64_t mixed(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

void values_fill_bytes(char *data, int64_t size, uint64_t seed)
{
    for (int64_t at = 0; at < size; at += 8) {
        const uint64_t bits = mixed(&seed);
        memcpy(data + at, &bits, (size_t)(size - at < 8 ? size - at : 8));
    }
}

/* Integers below 2^15, so that every float format rounds some and f64 none; floats 1 .. 256. */
void values_fill_numbers(char *data, int64_t size, stria_dtype dtype, uint64_t seed)
{
    const struct format *f = format_of(dtype);
    const uint64_t one = f ? (((uint64_t)1 << (f->exponent - 1)) - 1) << f->fraction : 0;
    const uint64_t many = f                          ? (uint64_t)8 << f->fraction
                          : dtype.kind == STRIA_BOOL ? 2
                          : dtype.itemsize == 1      ? 256
                                                     : 1 << 15;
    for (int64_t at = 0; at + dtype.itemsize <= size; at += dtype.itemsize) {
        const uint64_t bits = one + (mixed(&seed) >> 8) % many;
        const uint8_t as8 = (uint8_t)bits;
        const uint16_t as16 = (uint16_t)bits;
        const uint32_t as32 = (uint32_t)bits;
        switch (dtype.itemsize) {
        case 1: memcpy(data + at, &as8, 1); break;
        case 2: memcpy(data + at, &as16, 2); break;
        case 4: memcpy(data + at, &as32, 4); break;
        default: memcpy(data + at, &bits, 8); break;
        }
    }
}

/* Exponents from 1/16 on, each with any fraction. */
static uint64_t operand_bits(const struct format *f, uint64_t random)
{
    const uint64_t bias = ((uint64_t)1 << (f->exponent - 1)) - 1;
    const uint64_t sign = random & 1 ? sign_bit(f) : 0;
    return sign | (((bias - 4) << f->fraction) + (random >> 8) % ((uint64_t)7 << f->fraction));
}

void values_fill_operands(char *data, int64_t size, stria_dtype dtype, uint64_t seed)
{
    const struct format *f = format_of(dtype);
    if (!f) values_fill_numbers(data, size, dtype, seed);
    for (int64_t at = 0; f && at + dtype.itemsize <= size; at += dtype.itemsize) {
        const uint64_t bits = operand_bits(f, mixed(&seed));
        const uint32_t as32 = (uint32_t)bits;
        const uint16_t as16 = (uint16_t)bits;
        switch (dtype.itemsize) {
        case 2: memcpy(data + at, &as16, 2); break;
        case 4: memcpy(data + at, &as32, 4); break;
        default: memcpy(data + at, &bits, 8); break;
        }
    }
}

/* ---- right or wrong ------------------------------------------------------------------------- */

/* x in the format, to nearest, ties to even: x lies between the middles to both neighbours. */
static bool is_nearest(uint64_t bits, double x, const struct format *f)
{
    const uint64_t sign = sign_bit(f), code = bits & (sign - 1);
    if ((x != 0 && (x < 0) != ((bits & sign) != 0)) || code > f->last) return false;
    const double size = fabs(x), exact = magnitude(code, f);
    const double below = code > 0 ? (magnitude(code - 1, f) + exact) / 2 : 0;
    const double above = code < f->last ? (magnitude(code + 1, f) + exact) / 2 : INFINITY;
    if (size == exact) return true;
    return code & 1 ? below < size && size < above : below <= size && size <= above;
}

bool values_computable(stria_dtype dtype)
{
    const struct format *f = format_of(dtype);
    return !dtype.swapped && (values_is_integer(dtype) || (f && dtype.itemsize > 1));
}

double values_real(const char *item, stria_dtype dtype)
{
    return decode(item, dtype, format_of(dtype));
}

/* The code after the last number is infinity. */
bool values_is_nan(const char *item, stria_dtype dtype)
{
    const struct format *f = format_of(dtype);
    return f && (load(item, dtype.itemsize) & (sign_bit(f) - 1)) > f->last + 1;
}

int64_t values_integer(const char *item, stria_dtype dtype)
{
    return decode_integer(item, dtype);
}

bool values_nearest(const char *item, stria_dtype dtype, double number)
{
    return is_nearest(load(item, dtype.itemsize), number, format_of(dtype));
}

double values_rounded(double number, stria_dtype dtype)
{
    const struct format *f = format_of(dtype);
    int exponent;
    if (dtype.kind == STRIA_F64 || !isfinite(number)) return number;
    const double part = frexp(number, &exponent);
    return ldexp(rint(ldexp(part, f->fraction + 1)), exponent - f->fraction - 1);
}

static bool is_truncated(int64_t out, double x, stria_dtype dtype)
{
    const int bits = 8 * dtype.itemsize - is_signed(dtype);
    const double most = ldexp(1, bits), least = is_signed(dtype) ? -most : 0, whole = trunc(x);
    if (whole >= most) return (uint64_t)out == ((uint64_t)1 << (bits - 1)) * 2 - 1;
    return whole <= least ? (double)out == least : (double)out == whole;
}

static bool is_converted(const char *out, stria_dtype to, const char *in, stria_dtype from)
{
    const struct format *of = format_of(to), *in_f = format_of(from);
    const double x = in_f ? decode(in, from, in_f) : (double)decode_integer(in, from);
    if (to.kind == STRIA_BOOL) return *out == (x != 0);
    if (of) return is_nearest(load(out, to.itemsize), x, of);
    if (in_f) return is_truncated(decode_integer(out, to), x, to);
    const uint64_t wrap = ~(uint64_t)0 >> (64 - 8 * to.itemsize);
    return load(out, to.itemsize) == ((uint64_t)decode_integer(in, from) & wrap);
}

static bool same_bytes(const char *a, const char *b, int32_t size)
{
    switch (size) { /* calls of constant size are single instructions */
    case 1: return *a == *b;
    case 2: return !memcmp(a, b, 2);
    case 4: return !memcmp(a, b, 4);
    case 8: return !memcmp(a, b, 8);
    default: return !memcmp(a, b, (size_t)size);
    }
}

/* The next index in C order, without the last dim; false after the last. Moves both offsets. */
static bool advance(const stria_view *a, const stria_view *b, int64_t *index, int64_t *at,
                    int64_t *from)
{
    for (int d = a->ndim - 2; d >= 0; d--) {
        index[d]++;
        *at += a->strides[d];
        *from += b->strides[d];
        if (index[d] < a->shape[d]) return true;
        *at -= index[d] * a->strides[d];
        *from -= index[d] * b->strides[d];
        index[d] = 0;
    }
    return false;
}

bool values_copied(const stria_view *dst, const stria_view *src)
{
    int64_t index[STRIA_MAX_NDIM] = {0}, at = 0, from = 0;
    const int last = dst->ndim - 1;
    const int64_t n = last < 0 ? 1 : dst->shape[last];
    const int64_t step = last < 0 ? 0 : dst->strides[last],
                  stride = last < 0 ? 0 : src->strides[last];
    const bool same = dst->dtype.kind == src->dtype.kind;
    const stria_dtype to = dst->dtype, of = src->dtype;
    do {
        const char *out = dst->data + at, *in = src->data + from;
        for (int64_t i = 0; i < n; i++, out += step, in += stride)
            if (same ? !same_bytes(out, in, to.itemsize) : !is_converted(out, to, in, of))
                return false;
    } while (advance(dst, src, index, &at, &from));
    return true;
}

bool values_filled(const stria_view *dst, const char *item, const char *data, int64_t size,
                   char around)
{
    stria_view items = *dst;
    memset(items.strides, 0, sizeof items.strides);
    items.data = (char *)(uintptr_t)item;
    if (!values_copied(dst, &items)) return false;
    int64_t others = 0; /* elements do not overlap, so what is left over is what is around them */
    for (int64_t i = 0; i < size; i++)
        others += data[i] == around;
    return others == size - stria_nbytes(dst);
}
