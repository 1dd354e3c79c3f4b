/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys: what an item is sorted by, as one or more unsigned integers that are ordered as the items
 * are, the first of them first. A number is one key; a complex number is three (which parts are
 * NaN, then the parts), a string one for every 8 bytes, and a record those of its fields.
 *
 * Equal are -0 and +0, and all NaN, which are above all numbers, as "no time" is above all times.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "stria/dtype.h"

/* Some numbers or one string at a place in an item. */
struct key_field {
    stria_kind kind;
    bool swapped;
    bool one_nan;            /* All complex numbers with a NaN have the same keys. */
    int32_t size;            /* Bytes of one number or string. */
    int64_t offset, repeats; /* Number of adjacent repeats, as in an array field. */
    int operand;             /* Number of the array, of several that are sorted by together. */
};

/* The keys of items that are sorted. Made once and then only read; it is not copied. */
struct keys {
    bool descending; /* Each key is inverted, but NaN still come last. */
    int64_t count;
    const struct key_field *fields;
    struct key_field one; /* The only field, if there is one. */
    struct memory made;   /* Memory of the fields of a record. */
};

/* Makes the keys of items of a dtype, whose memory the caller frees. MEMORY. */
stria_status stria__keys_make(struct keys *out, stria_dtype dtype, bool descending);

/* Makes all complex numbers that have a NaN equal, as if it were one number above all. */
void stria__keys_unite_nans(struct keys *keys);

/* One key of every item: key `part` of a field. */
struct key_part {
    const struct key_field *field;
    int64_t part;
    bool descending;
};
/* Returns how many keys a field has. */
int64_t stria__key_parts(const struct key_field *field);
/* Writes the keys of n items, which lie `stride` bytes apart. */
void stria__key_row(uint64_t *out, const char *items, int64_t stride, int64_t n,
                    struct key_part which);

/* Returns the key of NaN or "no time", the last one. size: bytes of a number. */
static inline uint64_t key_of_nan(int32_t size)
{
    return UINT64_MAX >> (64 - 8 * size);
}
