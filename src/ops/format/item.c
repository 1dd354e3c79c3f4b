/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementation of item.h for numbers; quoted.c has strings. */
#include "ops/format/item.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/format/quoted.h"
#include "stria/copy.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* An item as the widest type of its class. */
struct value {
    bool negative; /* of an integer, whose magnitude is `size` */
    uint64_t size;
    double real, imag;
};

static struct binary_format format_of(stria_kind kind)
{
    switch (kind) {
    case STRIA_F8E4M3: return (struct binary_format){4, -9};
    case STRIA_F8E5M2: return (struct binary_format){3, -16};
    case STRIA_F16: return (struct binary_format){11, -24};
    case STRIA_BF16: return (struct binary_format){8, -133};
    case STRIA_F32:
    case STRIA_C64: return (struct binary_format){24, -149};
    default: return (struct binary_format){53, -1074};
    }
}

/* The power of ten from which on numbers of that format have exponents; numpy.finfo.precision. */
static double cutoff_of(struct binary_format format, bool scalar)
{
    if (format.bits == 53) return scalar ? 1e16 : 1e8;
    return format.bits == 24 ? 1e6 : 1e3;
}

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

/* Copies an item in native byte order; each half of a complex one has an order of its own. */
static void native(char *out, stria_dtype dtype, const char *item)
{
    const int parts = stria_dtype_is_complex(dtype) ? 2 : 1, size = dtype.itemsize / parts;
    memcpy(out, item, (size_t)dtype.itemsize);
    for (int part = 0; dtype.swapped && part < parts; part++)
        for (int i = 0; i < size; i++)
            out[part * size + i] = item[part * size + size - 1 - i];
}

static double as_f64(stria_kind kind, const char *bytes)
{
    double wide = 0;
    float single;
    stria_view from, to;
    if (kind == STRIA_F64 || kind == STRIA_C128) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    if (kind == STRIA_F32 || kind == STRIA_C64) {
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    }
    /* Views of one item, whose conversion needs no memory and cannot fail. */
    char item[2] = {bytes[0], stria_dtype_of(kind).itemsize > 1 ? bytes[1] : '\0'};
    if (stria_view_foreign(&from, item, stria_dtype_of(kind), 0, NULL, NULL, 0) != STRIA_OK ||
        stria_view_foreign(&to, &wide, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0) != STRIA_OK ||
        stria_copy(&to, &from) != STRIA_OK)
        return NAN;
    return wide;
}

static int64_t as_i64(stria_kind kind, const char *bytes)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64 = 0;
    switch (kind) {
    case STRIA_I8: memcpy(&i8, bytes, sizeof i8); return i8;
    case STRIA_I16: memcpy(&i16, bytes, sizeof i16); return i16;
    case STRIA_I32: memcpy(&i32, bytes, sizeof i32); return i32;
    default: memcpy(&i64, bytes, sizeof i64); return i64;
    }
}

static uint64_t as_u64(stria_kind kind, const char *bytes)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64 = 0;
    switch (kind) {
    case STRIA_BOOL:
    case STRIA_U8: memcpy(&u8, bytes, sizeof u8); return u8;
    case STRIA_U16: memcpy(&u16, bytes, sizeof u16); return u16;
    case STRIA_U32: memcpy(&u32, bytes, sizeof u32); return u32;
    default: memcpy(&u64, bytes, sizeof u64); return u64;
    }
}

/* The largest magnitude of a signed dtype has no negative, and stays as it is. */
static void set_signed(struct value *v, stria_dtype dtype, int64_t x, bool negated)
{
    const uint64_t lowest = UINT64_C(1) << (8 * dtype.itemsize - 1);
    v->size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    v->negative = x < 0;
    if (negated && v->size && v->size != lowest) v->negative = !v->negative;
}

static struct value load(const struct column *c, const char *item)
{
    char bytes[16] = {0};
    struct value v = {.size = 0};
    const stria_kind kind = (stria_kind)c->dtype.kind;
    const bool negated = c->flags & STRIA_NEG;
    native(bytes, c->dtype, item);
    if (kind >= STRIA_I8 && kind <= STRIA_I64) {
        set_signed(&v, c->dtype, as_i64(kind, bytes), negated);
    } else if (kind <= STRIA_U64) {
        const int unused = 64 - 8 * c->dtype.itemsize;
        v.size = as_u64(kind, bytes);
        if (negated) v.size = (0 - v.size) << unused >> unused;
    } else {
        const bool halves = stria_dtype_is_complex(c->dtype);
        v.real = as_f64(kind, bytes);
        if (halves) v.imag = as_f64(kind, bytes + c->dtype.itemsize / 2);
        if (negated) v.real = -v.real;
        if (negated != ((c->flags & STRIA_CONJ) != 0)) v.imag = -v.imag;
    }
    return v;
}

/* ---- columns --------------------------------------------------------------------------------- */

void stria__column_begin(struct column *c, stria_dtype dtype, uint32_t flags, bool scalar,
                         const stria_format_options *options)
{
    const struct float_column part = {.format = format_of((stria_kind)dtype.kind),
                                      .precision = options->precision};
    *c = (struct column){
        .dtype = dtype, .flags = flags, .scalar = scalar, .real = part, .imag = part};
    c->imag.plus = true;
}

void stria__column_range(struct column *c, const char *item)
{
    const stria_kind kind = (stria_kind)c->dtype.kind;
    if (kind > STRIA_C128 || kind == STRIA_BOOL) return;
    const struct value v = load(c, item);
    if (kind < STRIA_F8E4M3) {
        const int width = stria__count_digits(v.size) + v.negative;
        if (width > c->width) c->width = width;
        return;
    }
    stria__float_range(&c->real, v.real);
    if (!is_float(kind)) stria__float_range(&c->imag, v.imag);
}

void stria__column_decide(struct column *c, bool suppress)
{
    const double cutoff = cutoff_of(c->real.format, false);
    stria__float_decide(&c->real, cutoff, suppress);
    stria__float_decide(&c->imag, cutoff, suppress);
}

void stria__column_measure(struct column *c, const char *item)
{
    const stria_kind kind = (stria_kind)c->dtype.kind;
    if (kind < STRIA_F8E4M3 || kind > STRIA_C128 || c->scalar) return;
    const struct value v = load(c, item);
    stria__float_measure(&c->real, v.real);
    if (!is_float(kind)) stria__float_measure(&c->imag, v.imag);
}

void stria__column_finish(struct column *c)
{
    stria__float_finish(&c->real);
    stria__float_finish(&c->imag);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_integer(struct text *out, const struct column *c, const struct value *v)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%s%" PRIu64, v->negative ? "-" : "", v->size);
    if (!c->scalar && n < c->width) stria__text_fill(out, ' ', (size_t)(c->width - n));
    stria__text_add(out, text, (size_t)n);
}

static void write_bool(struct text *out, bool aligned, bool truth)
{
    if (truth && aligned) stria__text_fill(out, ' ', 1);
    stria__text_add(out, truth ? "True" : "False", truth ? 4 : 5);
}

static void write_complex(struct text *out, const struct column *c, const struct value *v)
{
    stria__float_write(out, &c->real, v->real);
    stria__float_write(out, &c->imag, v->imag);
    size_t spaces = 0; /* that the imaginary part ends with; the j stands before them */
    while (!out->failed && spaces < out->size && out->data[out->size - 1 - spaces] == ' ')
        spaces++;
    out->size -= spaces;
    stria__text_add(out, "j", 1);
    stria__text_fill(out, ' ', spaces);
}

/* Python leaves a real part of +0 out. */
static void write_scalar(struct text *out, const struct column *c, const struct value *v)
{
    const struct binary_format format = c->real.format;
    const double cutoff = cutoff_of(format, true);
    if (is_float((stria_kind)c->dtype.kind)) {
        stria__float_scalar(out, format, v->real, cutoff, true, false);
        return;
    }
    const bool whole = v->real != 0 || signbit(v->real);
    if (whole) {
        stria__text_add(out, "(", 1);
        stria__float_scalar(out, format, v->real, cutoff, false, false);
    }
    stria__float_scalar(out, format, v->imag, cutoff, false, whole);
    stria__text_add(out, whole ? "j)" : "j", whole ? 2 : 1);
}

void stria__column_write(struct text *out, const struct column *c, const char *item)
{
    const stria_kind kind = (stria_kind)c->dtype.kind;
    if (kind > STRIA_C128) {
        stria__write_quoted(out, c->dtype, item, c->scalar);
        return;
    }
    const struct value v = load(c, item);
    if (kind == STRIA_BOOL)
        write_bool(out, !c->scalar, v.size != 0);
    else if (kind < STRIA_F8E4M3)
        write_integer(out, c, &v);
    else if (c->scalar)
        write_scalar(out, c, &v);
    else if (is_float(kind))
        stria__float_write(out, &c->real, v.real);
    else
        write_complex(out, c, &v);
}
