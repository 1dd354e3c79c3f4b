/* SPDX-License-Identifier: BSD-3-Clause */
/* States of exact sums, and the steps of adding and rounding that calls without a state share. */
#pragma once

#include "ops/exact/powers.h"
#include "stria/alloc.h"
#include "stria/exact.h"

/* The sums of a state: real and imaginary parts, and squares of both. */
enum { SUM_REAL, SUM_IMAGINARY, SUM_SQUARES, SUMS };

/* A sum has those of its parts, moments have all. */
struct sums {
    int64_t count;
    bool is_complex;
    struct exact_sum sum[SUMS];
};

/* Adds the elements of a, their squares if wanted, and powers unless that is NULL. */
stria_status stria__sums_add(struct sums *s, struct power_sums *powers, const stria_view *a,
                             bool squares, const stria_exec *exec);
/* Adds the products of a and b, of one shape. */
stria_status stria__sums_add_product(struct sums *s, const stria_view *a, const stria_view *b,
                                     const stria_exec *exec);
void stria__sums_merge(struct sums *s, const struct sums *other);
/* Rounds a sum, mean, variance or deviation to an element of a dtype that may hold it. */
stria_status stria__sums_round(const stria_view *out, const struct sums *s, stria_reduction what,
                               int64_t ddof);
/* Rounds a moment in the same way. */
stria_status stria__moment_round(const stria_view *out, const struct sums *s,
                                 const struct power_sums *powers, stria_exact_moment_kind what);
/* Refuses moments that are not known, and complex elements. */
stria_status stria__check_moment(stria_exact_moment_kind what, stria_dtype dtype, const char *op);
/* Writes a sum of integers modulo 2^64 to an i64 or u64. DTYPE for another dtype. */
stria_status stria__sums_whole(const stria_view *out, const struct sums *s);
/* Tells whether a sum of integers may be written so. */
bool stria__is_counter(stria_dtype dtype);
/* Checks a ddof and returns it in *out. */
stria_status stria__check_ddof(int64_t *out, double ddof, const char *op);
/* Checks that elements are numbers. */
stria_status stria__check_addend(const stria_view *a, const char *op, const char *name);
/* Checks that elements are numbers, and in memory. */
stria_status stria__check_summand(const stria_view *a, const char *op, const char *name);
/* Refuses outputs that are no float, or real if the sum is complex. */
stria_status stria__check_rounded(const stria_view *out, bool is_complex, const char *op);

enum extreme_class { EXTREME_NONE, EXTREME_SIGNED, EXTREME_UNSIGNED, EXTREME_FLOAT };

/*
 * The smallest and the largest element, as 8 bytes of i64, u64 or f64, and their places. States
 * have all of it as bytes.
 */
struct extremes {
    uint64_t what; /* An extreme_class. */
    struct extreme {
        uint64_t bits;
        int64_t place;
    } side[2];
};

/* The counts, as many as there are bins, lie behind the edges. */
struct histogram {
    int64_t bins;
    double *edges;
    int64_t *counts;
};

struct stria_exact {
    stria_exact_kind kind;
    size_t allocated;
    stria_allocator allocator;
    struct sums sums; /* Its count is that of every kind. */
    struct power_sums powers;
    struct extremes extremes;
    struct histogram histogram;
};

/* The parts of states of a kind. */
struct exact_parts {
    const char *name;
    int sums; /* How many of the sums it has, and whether sums of powers. */
    int powers;
    bool has_extremes, has_histogram;
    uint32_t results; /* Bit i tells that stria_exact_result makes reduction i of it. */
};
extern const struct exact_parts stria__exact_parts[STRIA_EXACT_KINDS];

/* Makes a state without additions; a histogram has room for so many bins. MEMORY. */
stria_status stria__exact_make(stria_exact **out, stria_exact_kind kind, int64_t bins);
