/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal functions and the table of dtypes. */
#ifndef STRIA_SRC_DTYPE_H
#define STRIA_SRC_DTYPE_H

#include "stria/dtype.h"

/*
 * Returns NumPy's type character and size without byte order ("f4"); NULL where NumPy has no such
 * dtype.
 */
const char *stria__dtype_array_name(stria_kind kind);

/*
 * Tells whether kind, item size, byte order and record belong together. Views and dtypes are plain
 * structs that a caller may have filled in or cleared.
 */
bool stria__dtype_is_valid(stria_dtype dtype);
/* Returns DTYPE for a dtype that is not valid. */
stria_status stria__check_dtype(stria_dtype dtype, const char *op);

/* Reads one name as NumPy does between quotes, where "i8" has eight bytes. */
stria_status stria__dtype_parse_numpy(stria_dtype *out, const char *text);
/* Writes a dtype for messages, as stria_dtype_format does, but "record12" where the fields do not
 * fit. */
void stria__dtype_brief(stria_dtype dtype, char *text, size_t size);

/* A row of the table of dtypes, which has one for every kind but RECORD. */
struct builtin {
    const char *name;    /* the text that stria_dtype_format writes */
    const char *array;   /* NumPy's type character and size without byte order; NULL: none */
    int size, alignment; /* bytes; size is 0 for the kinds that take a size */
};

extern const struct builtin stria__builtins[STRIA_RECORD];

/*
 * Tells whether this is a numeric dtype in native byte order with the item size of its kind, which
 * nearly all valid dtypes are.
 */
static inline bool dtype_is_native_number(const stria_dtype *dtype)
{
    return dtype->kind < STRIA_BYTES && dtype->itemsize == stria__builtins[dtype->kind].size &&
           !dtype->swapped && !dtype->record;
}

#endif
