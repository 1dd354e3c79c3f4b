/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of random sequences, by their numbers: what stria__generate writes (generate.h). */
#ifndef STRIA_OPS_CREATE_RANDOM_ROWS_H
#define STRIA_OPS_CREATE_RANDOM_ROWS_H

#include "ops/create/generate.h"
#include "simd/random.h"

struct random_rows {
    const struct random_kernels *kernels;
    uint32_t key[2], stream;
    int64_t first; /* number of element 0 in the sequence */

    int bits;            /* bits of a fraction: 53 take two words, fewer take one */
    double start, width; /* low and high - low, or mean and std */
    double least, most;  /* the limits of uniform numbers */
    int64_t low;         /* the least integer, and how many there are */
    uint64_t count;
    uint32_t mask; /* applied to words */
};

/* f32: fractions of `bits` bits, at most 24. */
generate_row stria__fraction_f32_row;
/* f64: fractions of 53 bits; numbers of a range; normally distributed ones. */
generate_row stria__fraction_f64_row, stria__uniform_row, stria__normal_row;
/* i64: integers of a range. u32, masked, and u64: words. */
generate_row stria__integer_row, stria__bits_32_row, stria__bits_64_row;

#endif
