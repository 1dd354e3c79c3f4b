/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers of 32-bit words that hold sums of fourth powers, and their products with the cube of a
 * count, as sign and magnitude; word i counts multiples of 2^(32 (i - WIDE_ONE)). Results are
 * rounded once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { WIDE_ONE = 136, WIDE_WORDS = WIDE_ONE + 144 };

struct wide {
    uint32_t word[WIDE_WORDS];
    bool negative;
    bool more; /* The magnitude exceeds the words, by less than one unit of the last. */
};

/* Takes words of an accumulator whose carries are resolved; word `one` counts ones. */
void stria__wide_from(struct wide *out, const int64_t *word, int words, int one);
/* Computes the product of two sums of numbers, squares or cubes; out is another. */
void stria__wide_product(struct wide *out, const struct wide *a, const struct wide *b);
void stria__wide_multiply(struct wide *a, uint64_t by);
/* Divides the magnitude, 0 < by < 2^63. */
void stria__wide_divide(struct wide *a, uint64_t by);
/* Adds b, or subtracts it; neither may have been divided. */
void stria__wide_add(struct wide *a, const struct wide *b, bool subtract);

/*
 * Rounds 2^(-32 down) of the value to the nearest f64, of two equally near ones to the even one; or
 * to odd: the f64 whose last bit is 1 unless the value is an f64. An odd one is rounded to a
 * narrower float as if it were exact.
 */
double stria__wide_round(const struct wide *a, int down, bool odd);
/* Returns the index of the highest word that is not 0; -1: there is none. */
int stria__wide_top(const struct wide *a);

/* Stores the value modulo 2^64; false if it has a fraction. */
bool stria__wide_integer(uint64_t *out, const struct wide *a);
