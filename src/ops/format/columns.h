/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of items: how each is written, and the columns in which they stand. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "stria/alloc.h"
#include "stria/dtype.h"
#include "stria/format.h"

struct text {
    struct memory memory; /* The caller frees it. */
    char *data;           /* Bytes of the text. */
    size_t size;
    bool failed; /* There was no memory, so that some of the text is missing. */
};

void stria__text_add(struct text *t, const char *data, size_t size);
void stria__text_fill(struct text *t, char c, size_t count);

/* ---- strings and opaque bytes as Python writes them ----------------------------------------- */

/* Writes an item of BYTES, UNICODE or VOID; a scalar of UNICODE is its text without quotes. */
void stria__write_quoted(struct text *out, stria_dtype dtype, const char *item, bool scalar);

/* ---- the shortest decimal numbers that read back as binary ones ----------------------------- */

/* A binary format: bits of the significand, the first one included, and the least exponent. */
struct binary_format {
    int bits, least;
};

/* The number digits x 10^exponent; digits has no trailing zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
    int rest; /* Sign of the difference between the binary number and this one. */
};

/*
 * Finds the shortest of all decimals that round to x in that format, and of those the nearest. x is
 * finite, above 0 and a number of the format.
 */
struct decimal stria__shortest(double x, struct binary_format format);

/*
 * Rounds x to so many significant digits, zeros at the end included, ties to even; false where x is
 * subnormal or that many are not at hand, which are 17 or 18. x is finite and above 0.
 */
bool stria__rounded(struct decimal *out, double x, int count);

/* Rounds the binary number that d stands for to a multiple of 10^exponent, ties to even. */
struct decimal stria__decimal_round(struct decimal d, int exponent);

/* Counts the decimal digits of n; 1 for 0. */
int stria__count_digits(uint64_t n);

/* ---- dates and durations as text, as NumPy writes them -------------------------------------- */

struct date_text {
    char text[80];
    int length;
};

/*
 * Writes a date by ISO 8601 as far as its unit is exact, in quotes unless `scalar`; a duration as
 * its number, with its unit for a scalar. dtype is DATETIME or TIMEDELTA.
 */
struct date_text stria__date_text(stria_dtype dtype, const char *item, bool scalar);

/* ---- columns of floating-point numbers: how wide they are, and one of them as text ---------- */

struct float_column {
    struct binary_format format;
    /* Largest and smallest magnitude of finite numbers but 0; 0 and 0 if there are none. */
    double most, least;
    bool finite, odd, negative_infinity; /* Whether there are finite numbers, others, and -inf. */
    bool exponents, plus; /* Scientific notation is used; positive numbers have a sign, too. */
    bool filled;          /* Numbers with exponents are filled up to the precision. */
    int precision;        /* Most digits behind the point; -1: any number. */
    int left, right;      /* Bytes before the point, and behind it without the exponent. */
    int exponent;         /* Digits of exponents. */
};

/* The first is called for all numbers, then the second once, then the third for all numbers. */
void stria__float_range(struct float_column *c, double x);
void stria__float_decide(struct float_column *c, double cutoff, bool suppress);
void stria__float_measure(struct float_column *c, double x);
/* Makes room for numbers that are not finite. */
void stria__float_finish(struct float_column *c);
void stria__float_write(struct text *out, const struct float_column *c, double x);

/* Writes a single number as Python's str does: with all digits, and exponents from the cutoff
 * on. */
void stria__float_scalar(struct text *out, struct binary_format format, double x, double cutoff,
                         bool keep_point, bool plus);

/* ---- one item as text, in the column of items that are to be equally wide ------------------- */

/* A column: the items of an array, or those of one field. */
struct column {
    stria_dtype dtype;
    uint32_t flags; /* Flags of the view: STRIA_CONJ and STRIA_NEG. */
    int width;      /* Width of integers, dates and durations. */
    bool scalar;    /* It is a single item, not aligned with others. */
    struct float_column real, imag;
};

void stria__column_begin(struct column *c, stria_dtype dtype, uint32_t flags, bool scalar,
                         const stria_format_options *options);
/* These are called as for columns of floats: range for all items, decide, measure for all items,
 * finish. */
void stria__column_range(struct column *c, const char *item);
void stria__column_decide(struct column *c, bool suppress);
void stria__column_measure(struct column *c, const char *item);
void stria__column_finish(struct column *c);
void stria__column_write(struct text *out, const struct column *c, const char *item);

/* ---- the elements that are shown, and the items they consist of ----------------------------- */

struct format_job {
    const stria_view *a;
    stria_format_options options;
    struct memory memory;
    struct column *columns; /* One, or one for each field that is no record. */
    int count;
    bool cut;
};

/* Makes the columns and finds out how wide they are. The caller frees the memory. MEMORY. */
stria_status stria__format_measure(struct format_job *job);

/* Writes one element: an item, or the fields of a record in parentheses. */
void stria__format_element(struct text *out, const struct format_job *job, const char *item);
