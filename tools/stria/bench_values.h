/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the arrays of a case hold, and whether what came out is right. The answers are found by
 * index arithmetic and, for conversions, by the definition of rounding; nothing of the library that
 * moves or converts is used.
 */
#ifndef STRIA_TOOL_BENCH_VALUES_H
#define STRIA_TOOL_BENCH_VALUES_H

#include "stria/view.h"

/* Whether from -> to is a conversion among real numbers in native order, which can be checked. */
bool values_convertible(stria_dtype from, stria_dtype to);

/* Bytes that repeat nowhere within reach of a wrong stride. */
void values_fill_bytes(char *data, int64_t size, uint64_t seed);
/* Ordinary numbers of a dtype that values_convertible takes: no NaN, infinity or subnormal. */
void values_fill_numbers(char *data, int64_t size, stria_dtype dtype, uint64_t seed);

/* True when dst is src, converted where their dtypes differ. Same shape; src may have strides 0. */
bool values_copied(const stria_view *dst, const stria_view *src);
/* True when every element of dst is the item and every other byte of data[size] is `around`. */
bool values_filled(const stria_view *dst, const char *item, const char *data, int64_t size,
                   char around);

#endif
