/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Narrow forms (narrow.h) of logarithms. x = 2^k m with 0.734 <= m < 1.469. The range of m is
 * divided into 32 or 16 intervals, and m times the inverse of the middle of its interval is 1 + r
 * with |r| < 2^-5: log x = k log 2 + log(middle) + log(1 + r).
 */
#pragma once

#include "narrow.h"

#ifdef HAVE_VF

/* The bits of the smallest m. */
#define NARROW_LEAST (VF_TABLE_BITS == 5 ? UINT32_C(0x3F3E0000) : UINT32_C(0x3F3C0000))

/*
 * The inverses of the middles of the intervals, which begin at NARROW_LEAST and have equally many
 * bit patterns each. The one around 1 has the inverse 1.
 */
static const float narrow_inverse[] = {
    BOTH(0x1.555556p+0F, 0x1.4e5e0ap+0F), BOTH(0x1.47ae14p+0F, 0x1.414142p+0F),
    BOTH(0x1.3b13b2p+0F, 0x1.3521dp+0F),  BOTH(0x1.2f684cp+0F, 0x1.29e412p+0F),
    BOTH(0x1.24924ap+0F, 0x1.1f7048p+0F), BOTH(0x1.1a7b96p+0F, 0x1.15b1e6p+0F),
    BOTH(0x1.111112p+0F, 0x1.0c9714p+0F), BOTH(0x1.08421p+0F, 0x1.041042p+0F),
    BOTH(0x1p+0F, 0x1.f07c2p-1F),         BOTH(0x1.e1e1e2p-1F, 0x1.d41d42p-1F),
    BOTH(0x1.c71c72p-1F, 0x1.bacf92p-1F), BOTH(0x1.af286cp-1F, 0x1.a41a42p-1F),
    BOTH(0x1.99999ap-1F, 0x1.8f9c18p-1F), BOTH(0x1.861862p-1F, 0x1.7d05f4p-1F),
    BOTH(0x1.745d18p-1F, 0x1.6c16c2p-1F), BOTH(0x1.642c86p-1F, 0x1.5c9882p-1F)};

/*
 * The constants of a logarithm to some base: those of 2, of the middles and of e, and the
 * coefficients of (log(1 + r) - r log e) / r^2, within 2^-26. The logarithms of 2 and of the
 * middles have a part with 17 bits after the point and a low part.
 */
struct narrow_log {
    float two, two_low;
    float middle[1 << VF_TABLE_BITS], middle_low[1 << VF_TABLE_BITS];
    bool natural;
    float e, e_low;
    float c[5];
    float off; /* error bound where k is 0 */
};

static const struct narrow_log narrow_log = {
    .two = 0x1.62e4p-1F,
    .two_low = 0x1.7f7d1cp-20F,
    .middle = {BOTH(-0x1.2696p-2F, -0x1.1178p-2F), BOTH(-0x1.f99p-3F, -0x1.d104p-3F),
               BOTH(-0x1.a94p-3F, -0x1.823cp-3F), BOTH(-0x1.5bf4p-3F, -0x1.366p-3F),
               BOTH(-0x1.1178p-3F, -0x1.da7p-4F), BOTH(-0x1.9338p-4F, -0x1.4d3p-4F),
               BOTH(-0x1.0858p-4F, -0x1.895p-5F), BOTH(-0x1.041p-5F, -0x1.02p-6F),
               BOTH(0x0p+0F, 0x1.f82p-6F), BOTH(0x1.f0ap-5F, 0x1.6f1p-4F),
               BOTH(0x1.e27p-4F, 0x1.2954p-3F), BOTH(0x1.5ff4p-3F, 0x1.9524p-3F),
               BOTH(0x1.c9p-3F, 0x1.fb9p-3F), BOTH(0x1.1676p-2F, 0x1.2e8ep-2F),
               BOTH(0x1.4618p-2F, 0x1.5d1cp-2F), BOTH(0x1.739ep-2F, 0x1.89a4p-2F)},
    .middle_low = {BOTH(-0x1.189a6ep-21F, -0x1.cd84fcp-19F),
                   BOTH(-0x1.c3cb3cp-19F, 0x1.f066a8p-21F), BOTH(0x1.273752p-19F, -0x1.8551a4p-23F),
                   BOTH(-0x1.ed50f6p-25F, 0x1.c9f538p-22F),
                   BOTH(-0x1.dc44fcp-20F, -0x1.3c1c22p-19F),
                   BOTH(0x1.0d9536p-19F, -0x1.165208p-20F), BOTH(-0x1.9959e4p-20F, 0x1.5f2d82p-19F),
                   BOTH(-0x1.72279ep-19F, -0x1.68e24ep-20F), BOTH(0x0p+0F, 0x1.321cfp-19F),
                   BOTH(0x1.85008cp-20F, -0x1.6c68d4p-19F), BOTH(0x1.d38abcp-22F, 0x1.2c42p-19F),
                   BOTH(-0x1.f3eb0ep-20F, 0x1.a80f46p-19F), BOTH(-0x1.0b0cacp-20F, 0x1.8bd5e4p-19F),
                   BOTH(-0x1.b42a2cp-21F, 0x1.5f708ep-21F), BOTH(0x1.74438cp-19F, -0x1.2d53fcp-21F),
                   BOTH(-0x1.03a886p-19F, -0x1.8ae7d8p-19F)},
    .natural = true,
    .e = 1,
    .e_low = 0,
    .c = {-0x1p-1F, 0x1.555552p-2F, -0x1.fffffap-3F, 0x1.99f51ap-3F, -0x1.55a566p-3F},
    .off = 0x1.2p-33F};

static const struct narrow_log narrow_log2 = {
    .two = 1,
    .two_low = 0,
    .middle = {BOTH(-0x1.a9p-2F, -0x1.8a8ap-2F), BOTH(-0x1.6cbp-2F, -0x1.4f7p-2F),
               BOTH(-0x1.32cp-2F, -0x1.169cp-2F), BOTH(-0x1.f5fcp-3F, -0x1.bfc8p-3F),
               BOTH(-0x1.8a88p-3F, -0x1.563cp-3F), BOTH(-0x1.22dcp-3F, -0x1.e0bp-4F),
               BOTH(-0x1.7d6p-4F, -0x1.1bbp-4F), BOTH(-0x1.774p-5F, -0x1.744p-6F),
               BOTH(0x0p+0F, 0x1.6bbp-5F), BOTH(0x1.664p-4F, 0x1.08c4p-3F),
               BOTH(0x1.5cp-3F, 0x1.acf4p-3F), BOTH(0x1.fbcp-3F, 0x1.244p-2F),
               BOTH(0x1.49a8p-2F, 0x1.6e22p-2F), BOTH(0x1.91bcp-2F, 0x1.b47ep-2F),
               BOTH(0x1.d676p-2F, 0x1.f7a8p-2F), BOTH(0x1.0c1p-1F, 0x1.1bf3p-1F)},
    .middle_low = {BOTH(0x1.98151ap-20F, 0x1.029fbp-19F), BOTH(-0x1.e8b8bcp-19F, 0x1.0597acp-20F),
                   BOTH(0x1.c5b3bep-23F, -0x1.a9e4e2p-24F), BOTH(-0x1.8c01b8p-19F, 0x1.8ba1a8p-19F),
                   BOTH(-0x1.8953f6p-19F, -0x1.c4115p-19F), BOTH(0x1.248df6p-19F, -0x1.af47dap-20F),
                   BOTH(-0x1.767e68p-22F, -0x1.8a5e0ap-19F), BOTH(0x1.b29decp-19F, 0x1.7c573p-23F),
                   BOTH(0x0p+0F, -0x1.6fde2cp-20F), BOTH(-0x1.238986p-21F, 0x1.87b8a8p-19F),
                   BOTH(0x1.a22e68p-19F, 0x1.de2afcp-19F), BOTH(0x1.6a1ed2p-19F, 0x1.e5b6dap-20F),
                   BOTH(-0x1.f2d20ap-20F, 0x1.03a92p-21F), BOTH(-0x1.64eeep-20F, 0x1.7f9fbap-19F),
                   BOTH(-0x1.89bef4p-19F, 0x1.50d21cp-20F), BOTH(0x1.3c9a3cp-19F, 0x1.371c6cp-21F)},
    .natural = false,
    .e = 0x1.715476p+0F,
    .e_low = 0x1.4ae0cp-26F,
    .c = {-0x1.715476p-1F, 0x1.ec709ap-2F, -0x1.715472p-2F, 0x1.27b8c6p-2F, -0x1.ece42p-3F},
    .off = 0x1.8p-33F};

static const struct narrow_log narrow_log10 = {
    .two = 0x1.3442p-2F,
    .two_low = -0x1.95ec1p-19F,
    .middle = {BOTH(-0x1.ffcp-4F, -0x1.db1p-4F), BOTH(-0x1.b72p-4F, -0x1.93e8p-4F),
               BOTH(-0x1.716p-4F, -0x1.4f78p-4F), BOTH(-0x1.2e38p-4F, -0x1.0d98p-4F),
               BOTH(-0x1.db1p-5F, -0x1.9c2p-5F), BOTH(-0x1.5e4p-5F, -0x1.217p-5F),
               BOTH(-0x1.cb4p-6F, -0x1.55ap-6F), BOTH(-0x1.c3cp-7F, -0x1.cp-8F),
               BOTH(0x0p+0F, 0x1.b6p-7F), BOTH(0x1.af6p-6F, 0x1.3edp-5F),
               BOTH(0x1.a31p-5F, 0x1.024p-4F), BOTH(0x1.31bp-4F, 0x1.5fe8p-4F),
               BOTH(0x1.8cfp-4F, 0x1.b8ep-4F), BOTH(0x1.e3cp-4F, 0x1.06ccp-3F),
               BOTH(0x1.1b4p-3F, 0x1.2f3cp-3F), BOTH(0x1.42c8p-3F, 0x1.55e8p-3F)},
    .middle_low = {BOTH(0x1.ce5648p-23F, -0x1.eb12eep-20F), BOTH(-0x1.ca7c02p-20F, 0x1.dd007ep-24F),
                   BOTH(0x1.776266p-19F, -0x1.57ac3ap-19F), BOTH(-0x1.3a74eap-19F, 0x1.96eab6p-20F),
                   BOTH(-0x1.f7e2b8p-21F, 0x1.a0e112p-19F), BOTH(0x1.a6899cp-19F, 0x1.f90d12p-19F),
                   BOTH(0x1.bab81ap-20F, 0x1.11f396p-20F), BOTH(-0x1.067acp-19F, -0x1.d76316p-19F),
                   BOTH(0x0p+0F, -0x1.712e06p-19F), BOTH(-0x1.bc32a6p-24F, 0x1.184cd4p-21F),
                   BOTH(-0x1.591706p-19F, 0x1.44a62ep-19F), BOTH(0x1.823ef6p-19F, 0x1.81c74ap-27F),
                   BOTH(0x1.81cbacp-20F, -0x1.ae6d8p-20F), BOTH(-0x1.f3bd82p-19F, -0x1.4a6fe6p-22F),
                   BOTH(-0x1.8fd022p-19F, -0x1.3099f6p-20F),
                   BOTH(-0x1.917b3p-23F, 0x1.8de268p-20F)},
    .natural = false,
    .e = 0x1.bcb7b2p-2F,
    .e_low = -0x1.5b235ep-27F,
    .c = {-0x1.bcb7b2p-3F, 0x1.287a74p-3F, -0x1.bcb7acp-4F, 0x1.6415ap-4F, -0x1.28cp-4F},
    .off = 0x1p-34F};

/* 2^k (1 + r), and the index of the interval in the lowest bits of i. */
struct narrow_cut {
    vf k, r, r_low;
    vu i;
    vu scale; /* k, in the bits of the exponent */
};

static ALWAYS_INLINE struct narrow_cut narrow_cut(vf x)
{
    const vu above = (vu)x - NARROW_LEAST, scale = above & 0xFF800000,
             i = above >> (23 - VF_TABLE_BITS);
    const struct vf_pair p = vf_pair_of_product((vf)((vu)x - scale), vf_lookup(narrow_inverse, i));
    return (struct narrow_cut){__builtin_convertvector((vs)above >> 23, vf), p.high - 1, p.low, i,
                               scale};
}

/* Returns log(1 + r) - r log e, plus `other`. */
static ALWAYS_INLINE vf narrow_log_square(const struct narrow_log *l, vf r, vf r2, vf other)
{
    const vf c43 = vf_fma(vf_all(l->c[4]), r, vf_all(l->c[3]));
    const vf c21 = vf_fma(vf_all(l->c[2]), r, vf_all(l->c[1]));
    return vf_fma(r2, vf_fma(vf_fma(c43, r2, c21), r, vf_all(l->c[0])), other);
}

/* The high part of log(2^k middle); it is 0 only for the interval around 1. */
static ALWAYS_INLINE vf narrow_log_high(const struct narrow_log *l, struct narrow_cut x)
{
    return vf_fma(x.k, vf_all(l->two), vf_lookup(l->middle, x.i));
}

/* A logarithm and its error bound, which near x = 1 is that of the quadratic term. */
struct narrow_log_sum {
    struct vf_pair value;
    vf off;
};

static ALWAYS_INLINE struct narrow_log_sum narrow_log_sum(const struct narrow_log *l,
                                                          struct narrow_cut x, vf high)
{
    const vf low = vf_fma(x.k, vf_all(l->two_low), vf_lookup(l->middle_low, x.i));
    const vf r = x.r + x.r_low, r2 = r * r;
    struct vf_pair line = {x.r, x.r_low};
    if (!l->natural) {
        line = vf_pair_of_product(x.r, vf_all(l->e));
        line.low = vf_fma(x.r, vf_all(l->e_low), vf_fma(x.r_low, vf_all(l->e), line.low));
    }
    const struct vf_pair sum = vf_pair_of_sorted(high, line.high);
    const vf rest = low + narrow_log_square(l, r, r2, line.low);
    const vf far = vf_fma(vf_abs(high), vf_all(0x1.4p-39F), vf_all(NARROW_OFF(l->off)));
    const vf off = vf_where(vf_equal(high, vf_all(0)), r2 * (l->c[0] * -0x1.1p-22F), far);
    return (struct narrow_log_sum){{sum.high, sum.low + rest}, off};
}

static ALWAYS_INLINE struct narrow narrow_log_rounded(struct narrow_log_sum sum, vm doubt)
{
    return narrow_rounded(sum.value, sum.off, doubt);
}

static ALWAYS_INLINE struct narrow narrow_log_of_normal(const struct narrow_log *l, vf x)
{
    const struct narrow_cut cut = narrow_cut(x);
    return narrow_log_rounded(narrow_log_sum(l, cut, narrow_log_high(l, cut)),
                              narrow_not_normal(x));
}

static ALWAYS_INLINE struct narrow log_vf(vf x)
{
    return narrow_log_of_normal(&narrow_log, x);
}

static ALWAYS_INLINE struct narrow log2_vf(vf x)
{
    return narrow_log_of_normal(&narrow_log2, x);
}

static ALWAYS_INLINE struct narrow log10_vf(vf x)
{
    return narrow_log_of_normal(&narrow_log10, x);
}

/*
 * log(1 + x + low), given the rounded sum of 1 and x, and its rounding error plus the low part,
 * which is added to r. Near 1, r is x itself, which keeps the sign of the result.
 */
static ALWAYS_INLINE struct narrow_log_sum narrow_log1p(vf x, vf low, vf sum, vf lost)
{
    struct narrow_cut cut = narrow_cut(sum);
    const vf back = (vf)((UINT32_C(127) << 23) - cut.scale);
    const vf high = narrow_log_high(&narrow_log, cut);
    cut.r_low = vf_fma(lost * back, vf_lookup(narrow_inverse, cut.i), cut.r_low);
    const vm near = vf_equal(high, vf_all(0));
    cut.r_low = vf_where(near, low, cut.r_low);
    cut.r = vf_where(near, x, cut.r);
    return narrow_log_sum(&narrow_log, cut, high);
}

static ALWAYS_INLINE struct vf_pair narrow_one_and(vf x)
{
    return vf_pair_of_sorted(vf_max(x, vf_all(1)), vf_min(x, vf_all(1)));
}

static ALWAYS_INLINE struct narrow log1p_vf(vf x)
{
    const struct vf_pair sum = narrow_one_and(x);
    const vm doubt = vm_or(vf_not_below(x, vf_all(0x1p126F)), vf_not_below(-x, vf_all(1)));
    const struct narrow y =
        narrow_log_rounded(narrow_log1p(x, vf_all(0), sum.high, sum.low), doubt);
    return (struct narrow){vf_with_sign(y.value, x), y.doubt};
}

/* log(1 + x) for a positive pair x with a relative error bound `part`. */
static ALWAYS_INLINE struct narrow_log_sum narrow_log1p_of_pair(struct vf_pair x, float part)
{
    const struct vf_pair sum = narrow_one_and(x.high);
    struct narrow_log_sum y = narrow_log1p(x.high, x.low, sum.high, sum.low + x.low);
    y.off = vf_fma(vf_min(x.high, vf_all(1)), vf_all(part), y.off);
    return y;
}

#endif
