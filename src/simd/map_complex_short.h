/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of VF items of c64, with the real and the imaginary parts in vectors of their own:
 * products, and narrow forms of |z| and 1 / z (math/complex_narrow.h). A block in which the
 * rounding of some result is in doubt is computed again by the ordinary function.
 */
#pragma once

#include "map_ops.h"
#include "math/complex_narrow.h"

#ifdef HAVE_VF

#define HAS_BLOCKS_c64(op)  ((op) == STRIA_RECIPROCAL || (op) == STRIA_ABS || (op) == STRIA_MULTIPLY)
#define HAS_BLOCKS_c128(op) ((op) == STRIA_MULTIPLY)

/* Items of a block. */
enum { BLOCK_c64 = VF, BLOCK_c128 = VF / 2 };

/*
 * product_T() computes a block of products of a and b; a bit of `one` says that one item of a or b
 * stands for all. FIRSTS and SECONDS separate the parts of two vectors, in an order that unpacking
 * undoes.
 */
#define FIRSTS_ps(a, b)  VF_OP(shuffle_ps)(a, b, 0x88)
#define SECONDS_ps(a, b) VF_OP(shuffle_ps)(a, b, 0xDD)
#define FIRSTS_pd        VF_OP(unpacklo_pd)
#define SECONDS_pd       VF_OP(unpackhi_pd)
#define VECTOR(S)        __typeof__(VF_OP(set1_##S)(0))
#define PRODUCTS(T, REAL, BITS, S)                                                                 \
    struct parts_##T {                                                                             \
        VECTOR(S) re, im;                                                                          \
    };                                                                                             \
    static ALWAYS_INLINE struct parts_##T parts_##T(const mem_##T *z, bool one) {                  \
        const REAL *const at = (const void *)z;                                                    \
        if (one) return (struct parts_##T){VF_OP(set1_##S)(z->re), VF_OP(set1_##S)(z->im)};        \
        const VECTOR(S) low = VF_OP(loadu_##S)(at), high = VF_OP(loadu_##S)(at + BLOCK_##T);       \
        return (struct parts_##T){FIRSTS_##S(low, high), SECONDS_##S(low, high)};                  \
    } static ALWAYS_INLINE void product_##T(void *out, const mem_##T *a, const mem_##T *b,         \
                                            const unsigned one)                                    \
    {                                                                                              \
        typedef BITS bits __attribute__((vector_size(WIDEST)));                                    \
        const struct parts_##T x = parts_##T(a, one & 1), y = parts_##T(b, one & 2);               \
        const VECTOR(S) minus = (VECTOR(S))((bits)x.im ^ ((BITS)1 << (8 * sizeof(BITS) - 1)));     \
        const VECTOR(S) re = x.re * y.re + minus * y.im, im = x.re * y.im + x.im * y.re;           \
        VF_OP(storeu_##S)(out, VF_OP(unpacklo_##S)(re, im));                                       \
        VF_OP(storeu_##S)((REAL *)out + BLOCK_##T, VF_OP(unpackhi_##S)(re, im));                   \
    }
PRODUCTS(c64, float, uint32_t, ps)
PRODUCTS(c128, double, uint64_t, pd)
#undef PRODUCTS
#undef VECTOR

static ALWAYS_INLINE bool block_c128(const enum stria_op op, const unsigned one, char *out,
                                     const mem_c128 *a, const mem_c128 *b)
{
    (void)op;
    product_c128(out, a, b, one);
    return true;
}

/* Computes a block of results. Returns false, having written none, where one is in doubt. */
static ALWAYS_INLINE bool block_c64(const enum stria_op op, const unsigned one, char *out,
                                    const mem_c64 *z, const mem_c64 *b)
{
    mem_f32 *const o = (void *)out;
    if (op == STRIA_MULTIPLY) {
        product_c64(out, z, b, one);
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
