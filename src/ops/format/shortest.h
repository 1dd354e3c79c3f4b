/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest decimal numbers that read back as binary ones. */
#ifndef STRIA_OPS_SHORTEST_H
#define STRIA_OPS_SHORTEST_H

#include <stdbool.h>
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

#endif
