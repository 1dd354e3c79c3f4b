/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the arrays of a case hold, and whether what came out is right. The answers are found by
 * index arithmetic and, for conversions, by the definition of rounding; nothing of the library that
 * moves or converts is used, but for some ops, see bench_computed.c.
 */
#ifndef STRIA_TOOL_BENCH_VALUES_H
#define STRIA_TOOL_BENCH_VALUES_H

#include "stria/elementwise.h"

/* Whether from -> to is a conversion among real numbers in native order, which can be checked. */
bool values_convertible(stria_dtype from, stria_dtype to);

/* Bytes that repeat nowhere within reach of a wrong stride. */
void values_fill_bytes(char *data, int64_t size, uint64_t seed);
/* Ordinary numbers of a dtype that values_convertible takes: no NaN, infinity or subnormal. */
void values_fill_numbers(char *data, int64_t size, stria_dtype dtype, uint64_t seed);

/* Whether the results of math on a dtype can be checked: integers, bool, f16, bf16, f32, f64. */
bool values_computable(stria_dtype dtype);
/* What math is done on: floats from 1/16 to 8 of both signs, which exp keeps finite; integers. */
void values_fill_operands(char *data, int64_t size, stria_dtype dtype, uint64_t seed);
bool values_is_nan(const char *item, stria_dtype dtype);
/* The number in an item, and whether an item is that number rounded to nearest, ties to even. */
bool values_is_integer(stria_dtype dtype);
double values_real(const char *item, stria_dtype dtype);
int64_t values_integer(const char *item, stria_dtype dtype);
bool values_nearest(const char *item, stria_dtype dtype, double number);
/* The number in the format of a dtype, which it does not exceed. */
double values_rounded(double number, stria_dtype dtype);
/*
 * views[0] is the result of op, which computes in the dtype `promoted` by the rules of exec, of the
 * count - 1 others, which broadcast to it. In bench_computed.c.
 */
bool values_computed(stria_op op, stria_dtype promoted, int count, const stria_view *const *views,
                     const stria_exec *exec);

/* True when dst is src, converted where their dtypes differ. Same shape; src may have strides 0. */
bool values_copied(const stria_view *dst, const stria_view *src);
/* True when every element of dst is the item and every other byte of data[size] is `around`. */
bool values_filled(const stria_view *dst, const char *item, const char *data, int64_t size,
                   char around);

#endif
