/* SPDX-License-Identifier: BSD-3-Clause */
/* The categories of numeric dtypes and the ranges of integers. */
#ifndef STRIA_OPS_ELEMENTWISE_KINDS_H
#define STRIA_OPS_ELEMENTWISE_KINDS_H

#include "stria/dtype.h"

static inline bool is_signed_kind(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_I64;
}

/* bool is no integer here. */
static inline bool is_integer_kind(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_U64;
}

static inline bool is_float_kind(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

static inline bool is_float8_kind(stria_kind kind)
{
    return kind == STRIA_F8E4M3 || kind == STRIA_F8E5M2;
}

static inline bool is_complex_kind(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

/* The bits that the magnitude of a non-negative item has; 1 for bool. */
static inline int magnitude_bits(stria_kind kind)
{
    if (kind == STRIA_BOOL) return 1;
    return 8 * stria_dtype_of(kind).itemsize - is_signed_kind(kind);
}

/* The largest integer of a kind, bool included. */
static inline uint64_t highest_integer(stria_kind kind)
{
    return UINT64_MAX >> (64 - magnitude_bits(kind));
}

/* Returns the magnitude of the smallest integer of a kind. */
static inline uint64_t lowest_magnitude(stria_kind kind)
{
    return is_signed_kind(kind) ? UINT64_C(1) << magnitude_bits(kind) : 0;
}

#endif
