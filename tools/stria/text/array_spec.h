/* SPDX-License-Identifier: BSD-3-Clause */
/* An array that is described rather than read: shape, strides, offset, bytes and dtype. */
#pragma once

#include <jansson.h>

#include "lang/failure.h"
#include "stria/stria.h"

struct array_spec {
    stria_dtype dtype;
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    bool strided;                    /* Strides are given; otherwise C order. */
    int64_t strides[STRIA_MAX_NDIM]; /* Strides in bytes. */
    int64_t offset;                  /* Offset in bytes. */
    int64_t bytes;                   /* Bytes of the memory; -1: as many as the array reaches. */
    bool conj, neg;
};

/* Returns f32, no dims, C order, offset 0, bytes open. */
struct array_spec array_spec_default(void);
/* Returns the bytes that the array reaches, from 0; INT64_MAX when that overflows. */
int64_t array_spec_extent(const struct array_spec *spec);
/* Returns the bytes of its memory: `bytes` if given, else the extent, at least 0. */
int64_t array_spec_bytes(const struct array_spec *spec);
/*
 * Makes a view of buffer, or of a new meta buffer when it is NULL. *out is owned by the caller.
 * Refuses what stria_view_make refuses.
 */
stria_status array_spec_make(stria_array *out, const struct array_spec *spec, stria_buffer *buffer,
                             struct failure *failure);

/* Reads "4,5,6", "(4, 5, 6)", "" or "()" as integers and returns their number; -1 for other text
 * and for more than room. */
int read_integers(int64_t *out, int room, const char *text);

enum { VALUES_MAX_BYTES = 64 << 20 };

/*
 * Makes the array of spec in real memory, with the numbers of `values`, a nested or flat list in C
 * order. *out is owned by the caller. SHAPE when their number is wrong, OVERFLOW when one does not
 * fit the dtype, DTYPE when the dtype holds no numbers.
 */
stria_status array_values_make(stria_array *out, const struct array_spec *spec,
                               const json_t *values, struct failure *failure);
