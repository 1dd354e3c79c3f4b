/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a .npy file: refused, or an array that lies within them and survives a round trip.
 * Built with libFuzzer where clang has it (STRIA_FUZZ), otherwise a program that runs it on files.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "io/npy_header.h"
#include "stria/hash.h"
#include "stria/npy.h"

/* What we compose from an array parses to the same array. */
static void check_composed(const stria_view *a)
{
    const bool fortran = !stria_is_contiguous(a, STRIA_ORDER_C);
    char header[1 << 16];
    int64_t at;
    const stria_status status =
        stria__npy_compose(header, sizeof header, &at, a->dtype, fortran, a->ndim, a->shape);
    if (status == STRIA_ERR_UNSUPPORTED) return; /* a record with more fields than fit */
    MUST(status == STRIA_OK, "npy");
    char *file = malloc((size_t)(at + stria_nbytes(a)));
    MUST(file != NULL, "npy");
    memcpy(file, header, (size_t)at);
    memcpy(file + at, a->data, (size_t)stria_nbytes(a));
    stria_array again = {0};
    MUST(stria_npy_parse(&again, file, at + stria_nbytes(a)) == STRIA_OK, "npy");
    free(file);
    MUST(stria_dtype_equal(again.view.dtype, a->dtype) && again.view.ndim == a->ndim, "npy");
    for (int d = 0; d < a->ndim; d++)
        MUST(again.view.shape[d] == a->shape[d], "npy");
    stria_hash128 before, after;
    MUST(stria_hash(&before, a) == STRIA_OK && stria_hash(&after, &again.view) == STRIA_OK, "npy");
    MUST(before.high == after.high && before.low == after.low, "npy");
    stria_array_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stria_array array = {0};
    const stria_status status = stria_npy_parse(&array, data, (int64_t)size);
    if (status != STRIA_OK) {
        MUST(stria_last_error()[0] != 0, "npy");
        return 0;
    }
    MUST(stria_nbytes(&array.view) <= (int64_t)size, "npy");
    check_composed(&array.view);
    stria_array_release(&array);
    return 0;
}
