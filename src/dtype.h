/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other layers need of the table of dtypes beyond the public header. */
#ifndef STRIA_SRC_DTYPE_H
#define STRIA_SRC_DTYPE_H

#include "stria/dtype.h"

/* NumPy's type character and size without byte order ("f4"); NULL where NumPy has no such dtype. */
const char *stria__dtype_array_name(stria_kind kind);

/*
 * Whether kind, item size, byte order and record belong together. Views and dtypes are plain
 * structs that a caller may have filled in or cleared.
 */
bool stria__dtype_is_valid(stria_dtype dtype);
/* DTYPE unless it is. */
stria_status stria__check_dtype(stria_dtype dtype, const char *op);

/* A row of the table of dtypes, which has one for every kind but RECORD. */
struct builtin {
    const char *name;    /* what stria_dtype_format writes */
    const char *array;   /* NumPy's type character and size without byte order; NULL: none */
    const char *other;   /* further names, each followed by a space */
    int size, alignment; /* bytes; size is 0 for the kinds that take a size */
};

extern const struct builtin stria__builtins[STRIA_RECORD];

/* A numeric dtype in native byte order with the item size of its kind: the usual valid dtype. */
static inline bool dtype_is_native_number(const stria_dtype *dtype)
{
    return dtype->kind < STRIA_BYTES && dtype->itemsize == stria__builtins[dtype->kind].size &&
           !dtype->swapped && !dtype->record;
}

#endif
