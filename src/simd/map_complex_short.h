/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short form (NOTE [Short forms] in math/doubt.h) of 1 / z of c64: one division instead of
 * three. A block that has a result in doubt, or one that is no normal number, is computed again by
 * the whole form.
 */
#ifndef STRIA_SIMD_MAP_COMPLEX_SHORT_H
#define STRIA_SIMD_MAP_COMPLEX_SHORT_H

#include "map_ops.h"
#include "math/doubt.h"

enum { SHORT_ITEMS = 256 }; /* of a block */

/*
 * The highest bit is set where x is no normal number, or the smallest one, which a smaller result
 * may have been rounded to: there the middle between two f32 is elsewhere, and not in doubt.
 */
static ALWAYS_INLINE uint32_t not_normal_f32(float x)
{
    const uint32_t a = f32_bits(magnitude_f32(x));
    return (a - UINT32_C(0x00800001)) | (UINT32_C(0x7F7FFFFF) - a);
}

/*
 * The squares of f32 are exact, and their sum is no subnormal number of f64. Tells whether all
 * results are right.
 */
static ALWAYS_INLINE bool short_reciprocals(float *out, const mem_c64 *z, int64_t n)
{
    uint64_t doubt = 0;
    uint32_t range = 0;
    for (int64_t i = 0; i < n; i++) {
        const double x = (double)z[i].re, y = (double)z[i].im, inverse = 1 / (x * x + y * y);
        const double re = x * inverse, im = negated_f64(y) * inverse;
        out[2 * i] = (float)re, out[2 * i + 1] = (float)im;
        doubt |= doubt_of_f32(re) | doubt_of_f32(im);
    }
    for (int64_t i = 0; i < 2 * n; i++)
        range |= not_normal_f32(out[i]);
    return !(doubt >> 63 | range >> 31);
}

#endif
