/* SPDX-License-Identifier: BSD-3-Clause */
/* One element of a numeric dtype as the widest type of its class. */
#pragma once

#include <string.h>
#include <stdbool.h>
#include <stdint.h>

#include "stria/view.h"

struct element {
    bool is_float;      /* The value is in real and imag, else in magnitude and negative. */
    bool negative;      /* Never set for 0. */
    uint64_t magnitude; /* Magnitude of an integer or a bool. */
    double real, imag;
};

/*
 * Reads an item at any address, as a view with these flags has it. dtype is BOOL .. C128, in either
 * byte order. An integer whose negative does not exist stays as it is, as in conversions.
 */
struct element stria__element_load(stria_dtype dtype, uint32_t flags, const char *item);

/* Reads the element of a view of numbers that broadcasts to an index of ndim >= a->ndim dims. */
struct element stria__element_at(const stria_view *a, int ndim, const int64_t *index);

/* An element as text: "-5", "2.5", "1+2j". */
struct element_text {
    char text[80];
};
struct element_text stria__element_text(const struct element *value);

/*
 * Writes an item so that a view with these flags has that value, rounded if dtype is a float.
 * Returns false, and writes nothing, if it does not fit as value.h defines that.
 */
bool stria__element_store(stria_dtype dtype, uint32_t flags, char *item,
                          const struct element *value);

/* Reads an integer of 1, 2, 4 or 8 bytes. */
static inline __attribute__((always_inline)) uint64_t bits_load(const char *bytes, const int size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1: memcpy(&u8, bytes, sizeof u8); return u8;
    case 2: memcpy(&u16, bytes, sizeof u16); return u16;
    case 4: memcpy(&u32, bytes, sizeof u32); return u32;
    default: memcpy(&u64, bytes, sizeof u64); return u64;
    }
}

/* Writes the low bits of an integer of 1, 2, 4 or 8 bytes. */
void stria__bits_store(int size, char *bytes, uint64_t bits);
