/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of VF items of c64, with the real and the imaginary parts in vectors of their own:
 * products, and narrow forms of |z| and 1 / z (math/complex_narrow.h). A block in which the
 * rounding of some result is in doubt is computed again by the ordinary function.
 */
#ifndef STRIA_SIMD_MAP_COMPLEX_SHORT_H
#define STRIA_SIMD_MAP_COMPLEX_SHORT_H

#include "map_ops.h"
#include "math/complex_narrow.h"

#ifdef HAVE_VF

#define IS_PRODUCT(op) ((op) == STRIA_MULTIPLY || (op) == STRIA_SQUARE)
#define HAS_BLOCKS(op) ((op) == STRIA_RECIPROCAL || (op) == STRIA_ABS || IS_PRODUCT(op))

/* The parts of VF items, or of one item that stands for all. */
struct complex_parts {
    vf re, im;
};

static ALWAYS_INLINE struct complex_parts parts_of(const mem_c64 *z, bool one)
{
    if (one) return (struct complex_parts){vf_all(z->re), vf_all(z->im)};
    const vf low = vf_load(&z->re), high = vf_load(&z[VF / 2].re);
    return (struct complex_parts){vf_firsts(low, high), vf_seconds(low, high)};
}

/* Computes VF products of a and b; those of a and a where b is NULL. */
static ALWAYS_INLINE void product_block(mem_f32 *out, const mem_c64 *a, const mem_c64 *b,
                                        const unsigned one)
{
    const struct complex_parts x = parts_of(a, one & 1), y = b ? parts_of(b, one & 2) : x;
    const vf re = x.re * y.re + (vf)((vu)x.im ^ 0x80000000U) * y.im, im = x.re * y.im + x.im * y.re;
    vf_store(out, vf_low_pairs(re, im));
    vf_store(out + VF, vf_high_pairs(re, im));
}

/* Computes VF results. Returns false, having written none, where one is in doubt. */
static ALWAYS_INLINE bool complex_block(const enum stria_op op, const unsigned one, char *out,
                                        const mem_c64 *z, const mem_c64 *b)
{
    mem_f32 *const o = (void *)out;
    if (IS_PRODUCT(op)) {
        product_block(o, z, op == STRIA_SQUARE ? NULL : b, one);
        return true;
    }
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

#endif

#endif
