/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast paths for blocks of c64. A block in which the rounding of some result is in doubt is
 * computed again by the ordinary function. Levels with vectors of f32 have narrow forms of |z| and
 * 1 / z (math/complex_narrow.h); other levels have a short form (NOTE [Short forms] in
 * math/doubt.h) of 1 / z, with one division instead of three.
 */
#ifndef STRIA_SIMD_MAP_COMPLEX_SHORT_H
#define STRIA_SIMD_MAP_COMPLEX_SHORT_H

#include "map_ops.h"
#include "math/complex_narrow.h"
#include "math/doubt.h"

#ifdef HAVE_VF

enum { COMPLEX_ITEMS = VF }; /* items per block */
#define HAS_BLOCKS(op) ((op) == STRIA_RECIPROCAL || (op) == STRIA_ABS)

/* Writes all results and returns true, or writes none and returns false. */
static ALWAYS_INLINE bool complex_block(const enum stria_op op, char *out, const mem_c64 *z,
                                        int64_t n)
{
    mem_f32 *const o = (void *)out;
    if (n < VF) return false;
    const vf low = vf_load(&z->re), high = vf_load(&z[VF / 2].re);
    const vf x = vf_firsts(low, high), y = vf_seconds(low, high);
    const vm beyond = op == STRIA_ABS ? length_beyond(x, y) : reciprocal_beyond(x, y);
    if (UNLIKELY(vm_any(beyond))) return false;
    if (op == STRIA_ABS) {
        const struct narrow length = length_vf(x, y);
        if (UNLIKELY(vm_any(length.doubt))) return false;
        vf_store(o, vf_in_order(length.value));
        return true;
    }
    struct narrow re, im;
    reciprocal_vf(&re, &im, x, y);
    if (UNLIKELY(vm_any(vm_or(re.doubt, im.doubt)))) return false;
    vf_store(o, vf_low_pairs(re.value, im.value));
    vf_store(o + VF, vf_high_pairs(re.value, im.value));
    return true;
}

#else

enum { COMPLEX_ITEMS = 256 };
#define HAS_BLOCKS(op) ((op) == STRIA_RECIPROCAL)

/*
 * Sets the highest bit if x is not a normal number, or if it is the smallest one, to which a
 * smaller result may have been rounded. For subnormal results doubt_of_f32() looks at the wrong
 * bits.
 */
static ALWAYS_INLINE uint32_t not_normal_f32(float x)
{
    const uint32_t a = f32_bits(magnitude_f32(x));
    return (a - UINT32_C(0x00800001)) | (UINT32_C(0x7F7FFFFF) - a);
}

/*
 * The squares of f32 are exact in f64, and their sum is not a subnormal f64. Writes all results and
 * returns true, or writes none and returns false, because `to` may be z.
 */
static ALWAYS_INLINE bool complex_block(const enum stria_op op, char *to, const mem_c64 *z,
                                        int64_t n)
{
    float out[2 * COMPLEX_ITEMS];
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
    (void)op;
    if (UNLIKELY(doubt >> 63 | range >> 31)) return false;
    memcpy(to, out, (size_t)n * sizeof *z);
    return true;
}

#endif

#endif
