/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast paths for VF items of c64: narrow forms of |z| and 1 / z (math/complex_narrow.h). A block in
 * which the rounding of some result is in doubt is computed again by the ordinary function.
 */
#ifndef STRIA_SIMD_MAP_COMPLEX_SHORT_H
#define STRIA_SIMD_MAP_COMPLEX_SHORT_H

#include "map_ops.h"
#include "math/complex_narrow.h"

#ifdef HAVE_VF

#define HAS_BLOCKS(op) ((op) == STRIA_RECIPROCAL || (op) == STRIA_ABS)

/* Computes VF results. Returns false, having written none, where one is in doubt. */
static ALWAYS_INLINE bool complex_block(const enum stria_op op, char *out, const mem_c64 *z)
{
    mem_f32 *const o = (void *)out;
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
