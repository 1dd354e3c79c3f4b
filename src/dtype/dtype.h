/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal functions and the table of dtypes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/dtype.h"

/*
 * Returns NumPy's type character and size without byte order ("f4"); NULL where NumPy has no such
 * dtype.
 */
const char *stria__dtype_array_name(stria_kind kind);

/* Returns NumPy's mark of the byte order of items: '<', '>', or '|' where they have none. */
char stria__dtype_mark(stria_dtype dtype);

/*
 * Tells whether kind, item size, byte order and record belong together. Views and dtypes are plain
 * structs that a caller may have filled in or cleared.
 */
bool stria__dtype_is_valid(stria_dtype dtype);
/* Returns DTYPE for a dtype that is not valid. */
stria_status stria__check_dtype(stria_dtype dtype, const char *op);

/* Reads one name as NumPy does between quotes, where "i8" has eight bytes. */
stria_status stria__dtype_parse_numpy(stria_dtype *out, const char *text);
/* A dtype as text for messages: as stria_dtype_format writes it, but "record12" if the fields do
 * not fit. */
struct dtype_text {
    char text[64];
};
struct dtype_text stria__dtype_text(stria_dtype dtype);

/* A row of the table of dtypes, which has every kind but RECORD. */
struct builtin {
    const char *name;  /* The text that stria_dtype_format writes. */
    const char *array; /* NumPy's type character and size without byte order; NULL: none. */
    /* Bytes of an item, 0 for the kinds that take a size, and the alignment. */
    int size, alignment;
};

extern const struct builtin stria__builtins[STRIA_RECORD];

/* Does what stria_dtype_of does for a number, without a call. */
static inline stria_dtype dtype_of_number(stria_kind kind)
{
    return (stria_dtype){.kind = (uint8_t)kind,
                         .alignment = (uint16_t)stria__builtins[kind].alignment,
                         .itemsize = stria__builtins[kind].size};
}

/* Returns the same dtype in native byte order; records keep that of their fields. */
static inline stria_dtype native_of(stria_dtype dtype)
{
    return dtype.swapped ? stria_dtype_swap(dtype) : dtype;
}

/* ---- categories of numbers, and the ranges of integers --------------------------------------- */

static inline bool is_signed_kind(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_I64;
}

/* Tells whether a kind is an integer; bool is not. */
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

/* Returns the kind of the parts of a complex number; other kinds are returned as they are. */
static inline stria_kind real_kind(stria_kind kind)
{
    return kind == STRIA_C64 ? STRIA_F32 : kind == STRIA_C128 ? STRIA_F64 : kind;
}

/* Returns the bits of the magnitude of a non-negative item; 1 for bool. */
static inline int magnitude_bits(stria_kind kind)
{
    if (kind == STRIA_BOOL) return 1;
    return 8 * stria__builtins[kind].size - is_signed_kind(kind);
}

/* Returns the largest integer of a kind, bool included. */
static inline uint64_t highest_integer(stria_kind kind)
{
    return UINT64_MAX >> (64 - magnitude_bits(kind));
}

/* Returns the magnitude of the smallest integer of a kind. */
static inline uint64_t lowest_magnitude(stria_kind kind)
{
    return is_signed_kind(kind) ? UINT64_C(1) << magnitude_bits(kind) : 0;
}

/*
 * Tells whether this is a numeric dtype in native byte order with the item size of its kind, which
 * nearly all valid dtypes are.
 */
static inline bool dtype_is_native_number(const stria_dtype *dtype)
{
    return dtype->kind < STRIA_BYTES && dtype->itemsize == stria__builtins[dtype->kind].size &&
           !dtype->swapped && !dtype->record;
}
