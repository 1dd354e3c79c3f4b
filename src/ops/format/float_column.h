/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of floating-point numbers: how wide they are, and one of them as text. */
#ifndef STRIA_OPS_FORMAT_FLOAT_COLUMN_H
#define STRIA_OPS_FORMAT_FLOAT_COLUMN_H

#include <stdbool.h>

#include "ops/format/shortest.h"
#include "ops/format/text.h"

struct float_column {
    struct binary_format format;
    double most, least; /* magnitudes of what is finite and not 0; 0 and 0 if nothing is */
    bool finite, odd, negative_infinity; /* whether there are numbers, others, and that one */
    bool exponents, plus; /* scientific notation; a sign before positive numbers too */
    bool filled;          /* numbers with exponents are filled up to the precision */
    int precision;        /* digits behind the point at most; -1: any number */
    int left, right;      /* bytes before the point, and behind it without the exponent */
    int exponent;         /* digits of exponents */
};

/* First all numbers are ranged, then the column is decided on, then all are measured. */
void stria__float_range(struct float_column *c, double x);
void stria__float_decide(struct float_column *c, double cutoff, bool suppress);
void stria__float_measure(struct float_column *c, double x);
/* Makes room for what is not finite. */
void stria__float_finish(struct float_column *c);
void stria__float_write(struct text *out, const struct float_column *c, double x);

/* One number alone, as Python's str: with all digits, and exponents from the cutoff on. */
void stria__float_scalar(struct text *out, struct binary_format format, double x, double cutoff,
                         bool keep_point, bool plus);

#endif
