/* SPDX-License-Identifier: BSD-3-Clause */
/* One element of a numeric dtype as the widest type of its class. */
#ifndef STRIA_OPS_VALUE_ELEMENT_H
#define STRIA_OPS_VALUE_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "stria/dtype.h"

struct element {
    bool is_float;      /* real and imag hold it, else magnitude and negative */
    bool negative;      /* never of 0 */
    uint64_t magnitude; /* magnitude of an integer or a bool */
    double real, imag;
};

/*
 * Reads an item at any address as a view with these flags has it. dtype is BOOL .. C128, in either
 * byte order. An integer that has no negative stays as it is, as in conversions.
 */
struct element stria__element_load(stria_dtype dtype, uint32_t flags, const char *item);

/*
 * Writes an item so that a view with these flags has that value, rounded where dtype is a float.
 * Returns false, and writes nothing, when it does not fit as value.h defines that.
 */
bool stria__element_store(stria_dtype dtype, uint32_t flags, char *item,
                          const struct element *value);

#endif
