/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A superaccumulator: an integer wide enough for every sum of numbers of f64 and of their products,
 * as words of 32 bits that lie in 64, so that carries wait (Neal, arXiv 1505.05571). Word i counts
 * multiples of 2^(32 (i - WORD_OF_ONE)), of which the least is 2^-2176; the products end at
 * 2^-2148. A sum depends on what was added alone, not on its order.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/dtype.h"

enum { WORD_OF_ONE = 68, ACCUMULATOR_WORDS = 138, LEAST_PLACE = -32 * WORD_OF_ONE };

/* Non-finite numbers among the summands. */
enum { SEEN_NAN = 1, SEEN_INFINITY = 2, SEEN_MINUS_INFINITY = 4, SEEN_ALL = 7 };

/* Its first members are stored as bytes in states. */
struct exact_sum {
    uint64_t seen;
    int64_t word[ACCUMULATOR_WORDS];
    int64_t waiting;  /* Number of additions since carries were resolved. */
    int64_t exponent; /* Exponent of the block before, as a guess for the next one. */
};

/* A number as +-whole * 2^exponent; an infinity and NaN have the exponent BEYOND. */
struct parted {
    uint64_t whole;
    int exponent;
    bool negative;
};
enum { BEYOND = 2047 };
struct parted stria__part(double x);

/*
 * Adds n <= ITEMS_MOST dense native items of a kind that stria__accumulates takes: bool, integers,
 * f32 and f64, and f16 where a level has sums of it.
 */
enum { ITEMS_MOST = 4096 };
bool stria__accumulates(stria_kind kind);
void stria__accumulate_items(struct exact_sum *s, stria_kind kind, const char *items, int64_t n);
/* Adds the products of n numbers. */
void stria__accumulate_products(struct exact_sum *s, const double *a, const double *b, int64_t n);
/*
 * Adds as many words of another accumulator, unless it is NULL, and resolves carries: words, of any
 * accumulator, are then 0 .. 2^32 - 1, but for the last one, which has the sign.
 */
void stria__carry_words(int64_t *word, const int64_t *other, int count);
void stria__accumulator_carry(struct exact_sum *s);
/* Adds another sum, whose carries are resolved, to one whose carries are, and resolves them. */
void stria__accumulator_merge(struct exact_sum *s, const struct exact_sum *other);
