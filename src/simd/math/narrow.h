/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NOTE [Narrow forms]
 *
 * NAME_vf(x) computes with vectors of f32, which hold twice as many items as vectors of f64. The
 * result is a sum high + low of two f32 with an error bound `off`. If high + (low - off) and high +
 * (low + off) round to the same f32, that is the correctly rounded result. If they do not, or if
 * the form does not hold for x, the item is in doubt, and the vector is computed again by NAME_f32
 * (math.inc). The bound leaves one result in 2^9 to 2^11 in doubt. So the bits of a narrow form do
 * not matter, and a level may do without it.
 *
 * tests/nightly/every_math.c verifies the bounds for every f32; the comments of complex_narrow.h
 * derive those for two arguments.
 */
#pragma once

#include "../vf.h"

#ifdef HAVE_VF

#define NARROW_LAST ((UINT32_C(1) << VF_TABLE_BITS) - 1) /* the last index of a table */

/* Neighbouring entries of a table; one of 16 entries has every other one. */
#if VF_TABLE_BITS == 5
#define BOTH(a, b) a, b
#else
#define BOTH(a, b) a
#endif

/*
 * Error bounds for tables of 16 entries. With 32 entries r is half as large, so an error that is
 * that of its square is a quarter, and a relative one is half.
 */
#define NARROW_OFF(off) (VF_TABLE_BITS == 5 ? (off) / 4 : (off))
#define NARROW_OFF_NEAR (VF_TABLE_BITS == 5 ? 0x1.3p-29F : 0x1.3p-28F)

struct narrow {
    vf value;
    vm doubt;
};

struct vf_pair {
    vf high, low;
};

static ALWAYS_INLINE struct narrow narrow_rounded(struct vf_pair p, vf off, vm doubt)
{
    const vf below = p.high + (p.low - off), above = p.high + (p.low + off);
    return (struct narrow){below, vm_or(doubt, vf_differ(below, above))};
}

/* narrow_rounded() with a bound that is a part of high. */
static ALWAYS_INLINE struct narrow narrow_rounded_part(struct vf_pair p, float part, vm doubt)
{
    const vf below = p.high + vf_fma(p.high, vf_all(-part), p.low);
    const vf above = p.high + vf_fma(p.high, vf_all(part), p.low);
    return (struct narrow){below, vm_or(doubt, vf_differ(below, above))};
}

/* True where x is not a positive normal number. */
static ALWAYS_INLINE vm narrow_not_normal(vf x)
{
    const int32_t below = INT32_MIN + 0x7F000000; /* the range begins at the lowest signed
                                                     integer */
    return vs_not_below((vs)((vu)x - 0x00800000 + 0x80000000), below);
}

/* True where |x| is not below the limit. */
static ALWAYS_INLINE vm narrow_beyond(vf x, float limit)
{
    return vs_not_below((vs)vf_abs(x), (int32_t)f32_bits(limit));
}

/* True where |x| is below the limit, but not 0. */
static ALWAYS_INLINE vm narrow_below(vf x, float limit)
{
    const uint32_t least = f32_bits(limit);
    return vs_not_below((vs)(0x80000000 - (vu)vf_abs(x)), (int32_t)(0x80000000 - least + 1));
}

/* True where |x| is below `least` or not below `limit`. */
static ALWAYS_INLINE vm narrow_not_between(vf x, float least, float limit)
{
    const uint32_t low = f32_bits(least), below = f32_bits(limit) - low;
    return vs_not_below((vs)((vu)vf_abs(x) - low + 0x80000000), (int32_t)(below + 0x80000000));
}

/* True where x is not 0 but below 2^-60 in magnitude, so that results may be subnormal. */
static ALWAYS_INLINE vm narrow_not_usual(vf x)
{
    return narrow_below(x, 0x1p-60F);
}

/* Replaces the result by 0 where x is below the limit, below which it rounds to 0. */
static ALWAYS_INLINE struct narrow narrow_vanishing(struct narrow y, vf x, float limit)
{
    const vm some = vf_not_below(x, vf_all(limit));
    return (struct narrow){vf_where(some, y.value, vf_all(0)), vm_and(y.doubt, some)};
}

/* Returns a, which is negative only if x is, with the sign of x. */
static ALWAYS_INLINE vf vf_with_sign(vf a, vf x)
{
    return (vf)((vu)a | ((vu)x & 0x80000000));
}

/* Requires |a| >= |b| or a == 0. */
static ALWAYS_INLINE struct vf_pair vf_pair_of_sorted(vf a, vf b)
{
    const vf sum = a + b;
    return (struct vf_pair){sum, (a - sum) + b};
}

static ALWAYS_INLINE struct vf_pair vf_pair_of_sum(vf a, vf b)
{
    const vf sum = a + b, part = sum - a;
    return (struct vf_pair){sum, (a - (sum - part)) + (b - part)};
}

static ALWAYS_INLINE struct vf_pair vf_pair_of_product(vf a, vf b)
{
    const vf product = a * b;
    return (struct vf_pair){product, vf_fma(a, b, -product)};
}

#endif
