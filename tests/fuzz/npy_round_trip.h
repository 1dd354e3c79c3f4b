/* SPDX-License-Identifier: BSD-3-Clause */
/* The round trip that every accepted .npy file has to survive. */
#pragma once

#include <string.h>

#include "input.h"
#include "io/npy_header.h"
#include "stria/hash.h"
#include "stria/npy.h"
#include "stria/record.h"

/* Checks that a file composed from an array parses to the same array. */
static inline void check_composed(const stria_view *a)
{
    const bool fortran = !stria_is_contiguous(a, STRIA_ORDER_C);
    char header[1 << 16];
    int64_t at;
    const stria_status status =
        stria__npy_compose(header, sizeof header, &at, a->dtype, fortran, a->ndim, a->shape);
    if (status == STRIA_ERR_UNSUPPORTED) return; /* a record with more fields than are supported */
    MUST(status == STRIA_OK, "npy");
    char *file = malloc((size_t)(at + stria_nbytes(a)));
    MUST(file != NULL, "npy");
    memcpy(file, header, (size_t)at);
    memcpy(file + at, a->data, (size_t)stria_nbytes(a));
    stria_array again = {0};
    MUST(stria_npy_parse(&again, file, at + stria_nbytes(a), NULL) == STRIA_OK, "npy");
    free(file);
    MUST(stria_dtype_equal(again.view.dtype, a->dtype) && again.view.ndim == a->ndim, "npy");
    for (int d = 0; d < a->ndim; d++)
        MUST(again.view.shape[d] == a->shape[d], "npy");
    stria_hash128 before, after;
    MUST(stria_hash(&before, a, NULL) == STRIA_OK &&
             stria_hash(&after, &again.view, NULL) == STRIA_OK,
         "npy");
    MUST(before.high == after.high && before.low == after.low, "npy");
    stria_array_release(&again);
}

/* Checks that the text of a dtype parses to the same dtype. */
static inline void check_dtype_text(stria_dtype dtype)
{
    size_t length = 0, written = 0;
    MUST(stria_dtype_format(NULL, 0, &length, dtype) == STRIA_OK, "dtype");
    char *text = malloc(length + 1);
    stria_dtype again;
    MUST(text != NULL, "dtype");
    MUST(stria_dtype_format(text, length + 1, &written, dtype) == STRIA_OK, "dtype");
    MUST(written == length, "dtype");
    MUST(stria_dtype_parse(&again, text) == STRIA_OK, text);
    MUST(stria_dtype_equal(again, dtype) && again.alignment == dtype.alignment, text);
    stria_dtype_release(again);
    free(text);
}

/* Checks that parsing is refused with a message, or gives an array that lies within the bytes and
 * survives a round trip. */
static inline void npy_round_trip(const uint8_t *data, size_t size)
{
    stria_array array = {0};
    if (stria_npy_parse(&array, data, (int64_t)size, NULL) != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, "npy");
        return;
    }
    MUST(stria_nbytes(&array.view) <= (int64_t)size, "npy");
    check_composed(&array.view);
    check_dtype_text(array.view.dtype);
    stria_array_release(&array);
}
