/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers as keys that are sorted (simd/sort.h), of 8 bytes for numbers of 8 and of 4 for others.
 * NaN and zeros of either sign are not in their order by their keys: where there are any, they are
 * written down before keys are sorted, and put back after that.
 */
#pragma once

#include "simd/sort.h"
#include "stria/dtype.h"

struct value_form {
    int size, key; /* bytes of a number, and of its key */
    bool unites;   /* keys that differ may be equal: floats, bools */
    bool same;     /* numbers are their keys */
    struct key_form bits;
};

/* Tells whether numbers of a kind have keys, and which. */
bool stria__value_form(struct value_form *out, stria_kind kind, bool descending);

/* Makes n keys, which may lie where the numbers do; tells whether some that differ may be equal. */
bool stria__make_keys(const struct value_form *f, char *keys, const char *in, int64_t n);

/* The numbers of keys, which may lie there if their size is the same. */
void stria__make_numbers(const struct value_form *f, char *out, const char *keys, int64_t n);

/*
 * Makes those keys equal: of all NaN, which become the last, of bools that are true, and of zeros
 * where wanted. Returns how many NaN there are.
 */
int64_t stria__unite_keys(const struct value_form *f, char *keys, int64_t n, bool zeros);

/* Keys that were written down: NaN from the front, zeros from the end. */
struct apart {
    int64_t nans, zeros, before; /* before: numbers that come before zeros */
};

/* Writes NaN and zeros of n keys down in `apart`, which has place for n; NaN become the last key.
 */
struct apart stria__set_apart(const struct value_form *f, char *keys, char *apart, int64_t n);

/* Puts what parts of n keys have written down back in the order in which it came. */
void stria__put_back(const struct value_form *f, char *keys, int64_t n, const char *apart,
                     const struct apart *of, int parts);
