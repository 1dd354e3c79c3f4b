/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers out of a fuzzer's bytes, zeros once these are used up, and a check that names its case.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "stria/dtype.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at;
    size_t left;
};

/* Takes a number from 0 to n - 1; n is at most 256. */
static inline int take_below(struct input *in, int n)
{
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++ % n;
}

static inline bool take_once(struct input *in, int n)
{
    return take_below(in, n) == n - 1;
}

/* Takes one of the dtypes that are used most, in either byte order. */
static inline stria_dtype take_common_dtype(struct input *in)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_U8,  STRIA_F64, STRIA_I64,
                                       STRIA_F16, STRIA_C64, STRIA_I16, STRIA_BOOL};
    stria_dtype dtype = stria_dtype_of(kinds[take_below(in, 8)]);
    dtype.swapped = dtype.itemsize > 1 && take_once(in, 8);
    return dtype;
}

#define MUST(condition, name)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, name, #condition);        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
