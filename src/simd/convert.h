/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that convert dense rows. Not every pair of dtypes has one: src/engine/conversion.c
 * composes the other conversions from two or three of these. Integers are converted to integers
 * modulo 2^bits, so one kernel serves the signed and the unsigned type of a size.
 */
#pragma once

#include <stdint.h>

#include "stria/dtype.h"

/* Converts n dense items at any address, in native byte order; out and in do not overlap. */
typedef void convert_row(void *restrict out, const void *restrict in, int64_t n);

enum { NUMBERS = STRIA_C128 + 1 };

struct convert_kernels {
    convert_row *row[NUMBERS][NUMBERS]; /* [to][from]; NULL where there is none */
    convert_row *u64_wrapped_from_f64;
    convert_row *negate[NUMBERS];    /* integers wrap; bool has none */
    convert_row *conjugate[NUMBERS]; /* c64 and c128 */
    convert_row *swap[4];            /* swap[k] reverses the bytes of items of 2^k bytes; k = 1, 2,
                                        3 */
};
