/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversion of the values of a copy: nothing, or one or more kernels over dense rows, which
 * the engine calls between gathering and scattering.
 */
#pragma once

#include "simd/convert.h"
#include "stria/plan.h"
#include "stria/threads.h"
#include "stria/view.h"

/* Most steps: swap; negate, conjugate; up to 4 kernels; the same backwards. */
enum { CONVERSION_STEPS = 10 };

/* A step, whose row converts per x n items to items of `size` bytes. */
struct conversion_step {
    convert_row *row;
    int16_t per, size;
};

/* A conversion is a value and may be copied freely. */
struct conversion {
    /*
     * Converts n dense items from in to out, at any address, not overlapping. NULL: the bytes stay
     * as they are.
     */
    void (*row)(const struct conversion *how, char *out, const char *in, int64_t n);
    int32_t out_item, in_item; /* Bytes of an item of a row. */
    int32_t parts;             /* Number of such items in an element of the views. */
    int32_t widest;            /* Most bytes of an item between steps. */
    int32_t count;
    struct conversion_step steps[CONVERSION_STEPS];
};

/* Converts rows of n > 0 items each, so and si bytes apart; in one call if there are no gaps. */
void stria__convert_rows(const struct conversion *how, char *out, int64_t so, const char *in,
                         int64_t si, int64_t n, int64_t rows);

/* Converts items over two dims of ptr[0] and ptr[1]. */
void stria__convert_dims(const struct conversion *how, char *const *ptr, const stria_dim *d);

/* Returns a view with the properties on which a conversion depends: native, without lazy bits. */
stria_view stria__plain_view(stria_dtype dtype);

/*
 * Makes the conversion from src's values, with its flags and byte order, to dst's. DTYPE, with a
 * message that names both dtypes, when there is none. Of exec only STRIA_CAST_WRAP matters; it may
 * be NULL.
 */
stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec);

/*
 * Converts the only element of a view to a native dtype. Returns false, and writes nothing, where
 * its bytes stay as they are, or there is no conversion.
 */
bool stria__convert_element(void *out, stria_dtype to, const stria_view *from,
                            const stria_exec *exec);
