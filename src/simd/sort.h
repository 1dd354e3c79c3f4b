/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting of numbers by keys, signed integers that are ordered as the numbers are. Equal keys are
 * the same bits, so there is one result, whatever the level and the threads.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * How the bits of a number make its key: ((bits ^ top) - less) ^ flip, in which those of
 * `magnitude` are flipped where the number is a float with a sign. `infinity`: the largest
 * magnitude of a number.
 */
struct key_form {
    uint64_t top, less, flip, magnitude, infinity;
};

/* Keys of 4 and of 8 bytes; f64 that are no NaN and no -0, where a level compares them sooner. */
enum { KEY_4, KEY_8, KEY_REAL, KEY_KINDS, SHORT_ROW = 16 /* keys at most */ };

struct sort_kernels {
    /*
     * Make n keys of numbers of 1, 2, 4 or 8 bytes, and numbers of keys, which have 4 bytes where
     * numbers have less. Both may be the same memory where they have one size. to_keys tells
     * whether there are NaN or -0.
     */
    bool (*to_keys[4])(void *keys, const char *numbers, int64_t n, const struct key_form *form);
    void (*to_numbers[4])(void *numbers, const void *keys, int64_t n, const struct key_form *form);
    /*
     * Sorts n keys, and makes numbers of them unless form is NULL. NULL: a level has no vectors
     * that make it worthwhile.
     */
    void (*sort[KEY_KINDS])(void *keys, int64_t n, const struct key_form *form);
    /* Sorts each of some rows of n <= SHORT_ROW keys, which follow each other; likewise. */
    void (*sort_rows[KEY_KINDS])(void *keys, int64_t rows, int64_t n);
    /* So many bits of 64 are sorted sooner by their digits (measured with up to 1 << 17 keys). */
    int radix_bits;
    /* Moves the keys that are less than a pivot to the front; returns how many there are. */
    int64_t (*split[KEY_REAL])(void *keys, int64_t n, int64_t pivot);
};
