/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes numbers in a column; quoted.c writes strings, date_text.c dates. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "dtype/date.h"
#include "dtype/dtype.h"
#include "ops/format/columns.h"
#include "ops/value/element.h"

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

/* Returns the power of ten from which numbers of that format have exponents:
 * numpy.finfo.precision. */
static double cutoff_of(struct binary_format format, bool scalar)
{
    if (format.bits == 53) return scalar ? 1e16 : 1e8;
    return format.bits == 24 ? 1e6 : 1e3;
}

static struct element load_element(const struct column *c, const char *item)
{
    return stria__element_load(c->dtype, c->flags, item);
}

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
    if (dtype_is_time(c->dtype)) {
        const int width = stria__date_text(c->dtype, item, c->scalar).length;
        if (width > c->width) c->width = width;
    }
    if (kind > STRIA_C128 || kind == STRIA_BOOL) return;
    const struct element v = load_element(c, item);
    if (kind < STRIA_F8E4M3) {
        const int width = stria__count_digits(v.magnitude) + v.negative;
        if (width > c->width) c->width = width;
        return;
    }
    stria__float_range(&c->real, v.real);
    if (!is_float_kind(kind)) stria__float_range(&c->imag, v.imag);
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
    const struct element v = load_element(c, item);
    stria__float_measure(&c->real, v.real);
    if (!is_float_kind(kind)) stria__float_measure(&c->imag, v.imag);
}

void stria__column_finish(struct column *c)
{
    stria__float_finish(&c->real);
    stria__float_finish(&c->imag);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_aligned(struct text *out, const struct column *c, const char *text, int n)
{
    if (!c->scalar && n < c->width) stria__text_fill(out, ' ', (size_t)(c->width - n));
    stria__text_add(out, text, (size_t)n);
}

static void write_integer(struct text *out, const struct column *c, const struct element *v)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%s%" PRIu64, v->negative ? "-" : "", v->magnitude);
    write_aligned(out, c, text, n);
}

static void write_bool(struct text *out, bool aligned, bool truth)
{
    if (truth && aligned) stria__text_fill(out, ' ', 1);
    stria__text_add(out, truth ? "True" : "False", truth ? 4 : 5);
}

static void write_complex(struct text *out, const struct column *c, const struct element *v)
{
    stria__float_write(out, &c->real, v->real);
    stria__float_write(out, &c->imag, v->imag);
    size_t spaces = 0; /* Spaces at the end of the imaginary part, behind the j. */
    while (!out->failed && spaces < out->size && out->data[out->size - 1 - spaces] == ' ')
        spaces++;
    out->size -= spaces;
    stria__text_add(out, "j", 1);
    stria__text_fill(out, ' ', spaces);
}

/* Writes a complex scalar; as in Python, a real part of +0 is left out. */
static void write_scalar(struct text *out, const struct column *c, const struct element *v)
{
    const struct binary_format format = c->real.format;
    const double cutoff = cutoff_of(format, true);
    if (is_float_kind((stria_kind)c->dtype.kind)) {
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
    if (dtype_is_time(c->dtype)) {
        const struct date_text date = stria__date_text(c->dtype, item, c->scalar);
        write_aligned(out, c, date.text, date.length);
        return;
    }
    if (kind > STRIA_C128) {
        stria__write_quoted(out, c->dtype, item, c->scalar);
        return;
    }
    const struct element v = load_element(c, item);
    if (kind == STRIA_BOOL)
        write_bool(out, !c->scalar, v.magnitude != 0);
    else if (kind < STRIA_F8E4M3)
        write_integer(out, c, &v);
    else if (c->scalar)
        write_scalar(out, c, &v);
    else if (is_float_kind(kind))
        stria__float_write(out, &c->real, v.real);
    else
        write_complex(out, c, &v);
}
