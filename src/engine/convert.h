/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has to happen to the values of a copy: nothing, or one or more kernels over dense rows,
 * which the copy engine calls between gathering and scattering.
 */
#ifndef STRIA_SRC_OPS_CONVERT_H
#define STRIA_SRC_OPS_CONVERT_H

#include "simd/convert.h"
#include "stria/threads.h"
#include "stria/view.h"

enum { CONVERSION_STEPS = 10 }; /* swap; negate, conjugate; up to 4 kernels; the same backwards */

/* row over per x n items makes n items of `size` bytes. */
struct conversion_step {
    convert_row *row;
    int16_t per, size;
};

/* A value: copy it freely. */
struct conversion {
    /* n items from in to out, dense, any address, not overlapping. NULL: the bytes are right. */
    void (*row)(const struct conversion *how, char *out, const char *in, int64_t n);
    int32_t out_item, in_item; /* bytes of what a row counts as an item */
    int32_t parts;             /* such items in one element of the views */
    int32_t widest;            /* bytes of an item between the steps */
    int32_t count;
    struct conversion_step steps[CONVERSION_STEPS];
};

/*
 * Rows of n > 0 items each, so and si bytes apart: short ones, which are not worth a call of each
 * of several kernels, take the steps in the middle together.
 */
void stria__convert_rows(const struct conversion *how, char *out, int64_t so, const char *in,
                         int64_t si, int64_t n, int64_t rows);

/*
 * From src's values, as its flags and byte order have them, to dst's. DTYPE, naming both dtypes,
 * when there is no such conversion. Of exec only STRIA_CAST_WRAP matters; it may be NULL.
 */
stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec);

#endif
