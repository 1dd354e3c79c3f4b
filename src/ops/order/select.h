/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selection among numbers by their keys, unsigned integers of 64 bits that are ordered as the
 * numbers are. Those of f32 are in the upper half; every NaN is above all numbers.
 */
#ifndef STRIA_OPS_ORDER_SELECT_H
#define STRIA_OPS_ORDER_SELECT_H

#include <stdint.h>

#include "stria/dtype.h"
#include "stria/view.h"
#include "plan/threads.h"

/* Dense elements of kind f32, f64, i64 or u64. */
struct ranked {
    const char *at;
    int64_t n;
    stria_kind kind;
    struct crew crew; /* The threads that work on them. */
};

/* Counts of keys by their leading bits; if there are few elements only NaN are counted. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
struct leading {
    int64_t nans;
    int64_t counts[2][DIGITS]; /* Counts of the elements at even and at odd places. */
};
/* Counts into the first element of `out`; each thread of the crew has one. */
void stria__count_leading(struct leading *out, const struct ranked *e);

/* Element k of the numbers in order, and the one after it, or itself if there is none. */
struct neighbours {
    double low, high;
    uint64_t whole; /* The low element itself if it is an integer of kind i64 or u64. */
};

/* Selects; room has place for as many keys as there are elements; 0 <= k < their number. */
struct neighbours stria__select(const struct ranked *e, const struct leading *digits, int64_t k,
                                uint64_t *room);

/* Returns key k of n > k in order; *equal: how many equal ones precede it. Changes keys. */
uint64_t stria__select_key(uint64_t *keys, int64_t n, int64_t k, int64_t *equal);

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks that a view holds real numbers in memory. */
stria_status stria__check_real(const stria_view *a, const char *op, const char *name);

/* ---- the elements of a view as numbers of one kind, in C order, piece by piece -------------- */

/* The part of a thread, and the number of its next element. */
struct numbers_at {
    int64_t part, first;
};

/* Takes the next n numbers; a status other than OK ends it. */
typedef stria_status take_numbers(const void *numbers, int64_t n, struct numbers_at at,
                                  void *context);

/*
 * kind is one of 8 bytes. a holds numbers, in memory, of which every thread of the crew takes a
 * part at the same time; NULL: one thread takes all. What fails is taken by one thread once more,
 * which fails as it would have at first.
 */
stria_status stria__numbers(const stria_view *a, stria_kind kind, take_numbers *take, void *context,
                            const struct crew *crew);

#endif
