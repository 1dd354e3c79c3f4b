/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes elements that depend only on their numbers to views of any layout and dtype. */
#pragma once

#include "simd/random.h"
#include "stria/threads.h"
#include "stria/view.h"

/* Writes the elements first .. first + n - 1, counted in C order of the indices, to row. */
typedef void generate_row(void *row, int64_t first, int64_t n, const void *how);

struct generator {
    /* Kind of the items that `row` writes, in native byte order; at most 8 bytes each. */
    stria_kind kind;
    generate_row *row;
    const void *how;
    double cycles; /* Cycles of one element, for the number of threads. */
};

/*
 * Writes every element of out, converted as a copy converts, in pieces: the elements of a piece
 * have the same bits wherever it begins, so that threads and layouts change nothing. op is for
 * messages. exec may be NULL. READONLY, DTYPE, OVERLAP (out with itself); nothing is written in a
 * meta buffer.
 */
stria_status stria__generate(const stria_view *out, const struct generator *g, const char *op,
                             const stria_exec *exec);

/* Checks that an integer fits into a dtype if that is a number. OVERFLOW. */
stria_status stria__check_fits(stria_dtype dtype, int64_t value, const char *op);

/* The elements of random sequences by their numbers, for stria__generate. */

struct random_rows {
    const struct random_kernels *kernels;
    uint32_t key[2], stream;
    int64_t first; /* Number of element 0 in the sequence. */

    int bits;            /* Bits of a fraction: 53 take two words, fewer take one. */
    double start, width; /* The low bound and the range, or mean and std. */
    double least, most;  /* Limits of uniform numbers. */
    int64_t low;         /* The least integer, and how many there are. */
    uint64_t count;
    uint32_t mask; /* Mask that is applied to words. */
};

/* Writes f32 fractions of `bits` bits, at most 24. */
generate_row stria__fraction_f32_row;
/* Write f64: fractions of 53 bits, numbers of a range, normally distributed numbers. */
generate_row stria__fraction_f64_row, stria__uniform_row, stria__normal_row;
/* Write i64 integers of a range, masked u32 words, and u64 words. */
generate_row stria__integer_row, stria__bits_32_row, stria__bits_64_row;
