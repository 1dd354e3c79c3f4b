/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integers of 32-bit words that hold an accumulator, its square and its product with a count, as
 * sign and magnitude; word i counts multiples of 2^(32 (i - WORD_OF_ONE)). Results are rounded
 * once.
 */
#ifndef STRIA_OPS_EXACT_WIDE_H
#define STRIA_OPS_EXACT_WIDE_H

#include "ops/exact/accumulator.h"

enum { WIDE_WORDS = ACCUMULATOR_WORDS + 8 };

struct wide {
    uint32_t word[WIDE_WORDS];
    bool negative;
    bool more; /* the magnitude is larger than the words say, by less than one unit of the last */
};

/* Carries of the accumulator are resolved. */
void stria__wide_from(struct wide *out, const struct exact_sum *s);
/* Computes the square of a sum of numbers; out is another one. */
void stria__wide_square(struct wide *out, const struct wide *a);
void stria__wide_multiply(struct wide *a, uint64_t by);
/* Divides the magnitude, 0 < by < 2^63. */
void stria__wide_divide(struct wide *a, uint64_t by);
/* Subtracts b, which is not above a; both are not negative. */
void stria__wide_subtract(struct wide *a, const struct wide *b);

/*
 * Rounds to the nearest f64, of two equally near ones to the even one; or to odd: the f64 whose
 * last bit is 1 unless the value is an f64. An odd one is rounded to a narrower float as if it were
 * exact.
 */
double stria__wide_round(const struct wide *a, bool odd);

/* Stores the value modulo 2^64; false where it has a fraction. */
bool stria__wide_integer(uint64_t *out, const struct wide *a);

#endif
