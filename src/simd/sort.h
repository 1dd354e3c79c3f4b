/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorting of numbers by keys, signed integers that are ordered as the numbers are. Equal keys are
 * the same bits, so there is one result, whatever the level and the threads.
 */
#ifndef STRIA_SIMD_SORT_H
#define STRIA_SIMD_SORT_H

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

/* Kernels exist for keys of 4 and of 8 bytes. */
enum { KEY_4, KEY_8, KEY_SIZES };

struct sort_kernels {
    /* Makes n keys, which may lie where the numbers do; tells whether there are NaN or -0. */
    bool (*to_keys[KEY_SIZES])(void *keys, const char *numbers, int64_t n,
                               const struct key_form *form);
    /* Makes numbers of n keys. */
    void (*to_numbers[KEY_SIZES])(void *keys, int64_t n, const struct key_form *form);
    /*
     * Sorts n keys, and makes numbers of them unless form is NULL. NULL: a level has no vectors
     * that make it worthwhile.
     */
    void (*sort[KEY_SIZES])(void *keys, int64_t n, const struct key_form *form);
    /* Moves the keys that are less than a pivot to the front; returns how many there are. */
    int64_t (*split[KEY_SIZES])(void *keys, int64_t n, int64_t pivot);
};

#endif
