/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest decimal numbers that read back as binary ones. */
#ifndef STRIA_OPS_SHORTEST_H
#define STRIA_OPS_SHORTEST_H

#include <stdint.h>

/* A binary format: bits of the significand, the first one included, and the least exponent. */
struct binary_format {
    int bits, least;
};

/* digits x 10^exponent; digits has no trailing zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
    int rest; /* the sign of what the binary number is more than this */
};

/*
 * Of all decimals that round to x in that format the shortest, and of those the nearest. x is
 * finite, above 0 and a number of the format.
 */
struct decimal stria__shortest(double x, struct binary_format format);

/* Rounds the binary number that d stands for to a multiple of 10^exponent, ties to even. */
struct decimal stria__decimal_round(struct decimal d, int exponent);

/* Counts the decimal digits of n > 0. */
int stria__count_digits(uint64_t n);

#endif
