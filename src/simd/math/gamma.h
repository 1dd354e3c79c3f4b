/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gamma function and the logarithm of its magnitude. log Gamma(z) is Stirling's series as a
 * polynomial of 1 / z^2 for z > 3, (z - 1) (z - 2) times a rational function on 1/2 .. 3, and log
 * Gamma(z + 1) - log(z) below 1/2. Negative numbers are reflected.
 */
#pragma once

#include "gamma_roots.h"
#include "pair.h"

static const double lgamma_p[] = {
    0x1.6a545a019d60dp+1,  0x1.1c60b3bcb37d6p+7,  0x1.85f37f4eb1532p+10, 0x1.72c57b11f04fep+12,
    0x1.202e27eb4da81p+13, 0x1.8084d4ba40788p+12, 0x1.afbcbc7efbe44p+10, 0x1.6d8091827daf3p+7,
    0x1.5802e2e0277d6p+2,  0x1.382c48d7171eap-7};

static const double lgamma_q[] = {
    0x1.0000000000000p+0,  0x1.42dcb211f2628p+6,  0x1.3d31f8ad903bcp+10, 0x1.a231e02a6b2a7p+12,
    0x1.c2165b7d4400cp+13, 0x1.ac4917b643c73p+13, 0x1.6f19fcf401979p+12, 0x1.0f0bf7893fd2dp+10,
    0x1.2c1d756925673p+6,  0x1.574bb8f299c24p+0};

static const double lgamma_stirling[] = {
    0x1.5555555555553p-4,  -0x1.6c16c16c04ca2p-9,  0x1.a01a014d07feap-11, -0x1.3813545997249p-11,
    0x1.b94423eacd20ep-11, -0x1.f556f626d41fcp-10, 0x1.9900d1c67ae2ap-8,  -0x1.a24752953789fp-6,
    0x1.bc291995d056dp-4,  -0x1.8e3b0428c06b8p-2,  0x1.e691ca3ac79cfp-1,  -0x1.201f4eb50c6bcp+0};

static const double gamma_sinpi[] = {
    0x1.921fb54442d18p+1,  -0x1.4abbce625be52p+2,  0x1.466bc6775aa6ep+1,
    -0x1.32d2cce627542p-1, 0x1.507834851907fp-4,   -0x1.e3074ddd1a31ap-8,
    0x1.e8f35e9c3ddefp-12, -0x1.6f7976dc134fap-16, 0x1.9d1b801693bdbp-21};

/* log Gamma(z), z > 0. */
static ALWAYS_INLINE double lgamma_positive(double z)
{
    const bool below = z < 0.5;
    const double y = z > 3 ? z : 3, log_y = core_log(below ? z : y), inverse = 1 / y;
    const double far = fma_f64(y - 0.5, log_y, -y) + 0x1.d67f1c864beb5p-1;
    const double large = far + inverse * HORNER(inverse * inverse, lgamma_stirling);
    const double shifted = below ? z + 1 : z, u = shifted < 3 ? shifted : 3;
    const double ratio = HORNER(u, lgamma_p) / HORNER(u, lgamma_q);
    const double middle = (u - 1) * (u - 2) * ratio + 0.0; /* log Gamma(1) is +0 */
    const double near = below ? middle - log_y : middle;
    return z > 3 ? large : near;
}

/* z |sin(pi z)| / pi with the sign of z minus its nearest integer; *odd tells if that is odd. */
static ALWAYS_INLINE double gamma_reflection(double z, uint64_t *odd)
{
    const double y = z < 0x1p52 ? z : 0x1p52, shifted = y + 0x1p52, f = y - (shifted - 0x1p52);
    *odd = f64_bits(shifted) & 1;
    return z * (f * (HORNER(f * f, gamma_sinpi) * 0x1.45f306dc9c883p-2));
}

/*
 * Returns x, below 2^1023, in a way that GCC does not see through. Otherwise it would move a choice
 * between floats behind the rounding by bits and choose between integers, for which SSE2 has no
 * instruction.
 */
static ALWAYS_INLINE double opaque_f64(double x)
{
    return (x + x) * 0.5;
}

/* The short form is for positive numbers. */
static ALWAYS_INLINE bool lgamma_is_near_f32(float x)
{
    return (x > 0) & (x < __builtin_inff());
}

static ALWAYS_INLINE double lgamma_near_f32(double x)
{
    return opaque_f64(lgamma_positive(x));
}

static ALWAYS_INLINE double lgamma_f32(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    uint64_t odd;
    const double up = lgamma_positive(z), sine = magnitude_f64(gamma_reflection(z, &odd));
    const double down = -core_log(sine) - up;
    double result = x < 0 ? down : up;
    result = sine == 0 && x <= 0 ? inf : result;
    result = z == inf ? inf : result;
    return opaque_f64(x == x ? result : x);
}

/* Rounds a factorial to 41 bits, in which it is exact; some are in the middle between two bf16. */
static ALWAYS_INLINE double gamma_of_whole(double power)
{
    const double cut = power * 0x1.001p12;
    return cut - (cut - power);
}

#define tgamma_is_near_f32 lgamma_is_near_f32

/* e^(log Gamma(x)). Logarithms are limited to 600, because e^600 overflows f32. */
static ALWAYS_INLINE double tgamma_near_f32(double x)
{
    const double y = x < 0x1p52 ? x : 0x1p52, log = lgamma_positive(x);
    const double power = core_exp(log < 600 ? log : 600);
    return opaque_f64((y + 0x1p52) - 0x1p52 == y ? gamma_of_whole(power) : power);
}

static ALWAYS_INLINE double tgamma_f32(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    uint64_t odd;
    double up = lgamma_positive(z);
    up = up < 600 ? up : 600;
    const double sine = gamma_reflection(z, &odd), divisor = sine + (sine == 0 ? 1.0 : 0.0);
    const double signed_sine = f64_of_bits(f64_bits(divisor) ^ (odd ^ 1) << 63);
    const double power = core_exp(x < 0 ? -up : up);
    const double positive = sine == 0 ? gamma_of_whole(power) : power;
    double result = x < 0 ? power / signed_sine : positive;
    result = sine == 0 && x < 0 ? __builtin_nan("") : result;
    result = x == 0 ? 1 / x : result;
    result = x == inf ? inf : result;
    return opaque_f64(x == x ? result : x);
}

/* ---- f64, in pairs --------------------------------------------------------------------------- */

/* log Gamma(2 + t) / t, |t| <= 1/2, after its first three terms, which are pairs; to 2^-63. */
static const double gamma_near[] = {
    0x1.51322ac7d849bp-6,  -0x1.e404fc218f61fp-8,  0x1.7add6eadb2c11p-9,  -0x1.38ac5c2bf50a2p-10,
    0x1.0b36af88b2884p-11, -0x1.d3fd4c7b8f6a9p-13, 0x1.a127af44aaf71p-14, -0x1.78de5a3d2d4d3p-15,
    0x1.580e260121a51p-16, -0x1.3cbce9a3c4ad1p-17, 0x1.258c9651dbedcp-18, -0x1.11a85684e8499p-19,
    0x1.01462b5944f7dp-20, -0x1.e40f95a8192dep-22, 0x1.b1a8c8bf04f15p-23, -0x1.9a854795e5fe9p-24,
    0x1.15fea8732cd9fp-24, -0x1.091589d02d1a3p-25};

/* Coefficients in 1 / z^2 of Stirling's series times z, z >= 5/2, after 1/12; to 2^-64. */
static const double gamma_far[] = {
    -0x1.6c16c16c16ab3p-9,  0x1.a01a019f45d74p-11, -0x1.3813806d37541p-11, 0x1.b9517afe9742bp-11,
    -0x1.f69aa9e97080dp-10, 0x1.a33a30a13a696p-8,  -0x1.db8e8f1904a8ap-6,  0x1.50040e5fda25bp-3,
    -0x1.0708009a2349ap+0,  0x1.92c3dcc8f0ee9p+2,  -0x1.0fe80ae992338p+5,  0x1.2b127ad2b8123p+7,
    -0x1.f482848f8bba2p+8,  0x1.26ab5a44b5de8p+10, -0x1.af7202c180e71p+10, 0x1.260ebca419c5dp+10};

/* Coefficients in f^2 of sin(pi f) / (pi f), |f| <= 1/2, after the first four; to 2^-65. */
static const double gamma_sine[] = {0x1.ac6805cf34106p-6,  -0x1.33816aa3bfab6p-9,
                                    0x1.374719867986ep-13, -0x1.d4243615e629dp-18,
                                    0x1.0fb11c8c637adp-22, -0x1.e8dfbd9fab477p-28};

/* log Gamma(2 + t), |t| <= 1/2. */
static ALWAYS_INLINE struct pair gamma_log_near(double t)
{
    const struct pair end = {HORNER(t, gamma_near), 0};
    const struct pair third = pair_step(end, t, 0, -0x1.13e001a557606p-4, -0x1.faa43a14924a2p-58);
    const struct pair second = pair_step(third, t, 0, 0x1.4a34cc4a60fa6p-2, 0x1.1341e0c7213c1p-56);
    const struct pair first = pair_step(second, t, 0, 0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58);
    const struct pair product = pair_of_product(first.high, t);
    return (struct pair){product.high, fma_f64(first.low, t, product.low)};
}

/* log Gamma(z), z >= 5/2, from log(z): (z - 1/2) log(z) - z + log(2 pi) / 2 + 1 / (12 z) + ... */
static ALWAYS_INLINE struct pair gamma_log_far(double z, struct pair log)
{
    const double y = z < 0x1p60 ? z : 0x1p60, inverse = 1 / y, w = inverse * inverse;
    const double inverse_low = fma_f64(-inverse, y, 1) * inverse;
    const double m = y - 0.5, m_low = (y - m) - 0.5;
    const struct pair product = pair_of_product(m, log.high);
    const struct pair less = pair_of_sum(product.high, -y);
    const struct pair sum = pair_of_sum(less.high, 0x1.d67f1c864beb5p-1);
    const struct pair twelfth = pair_of_product(inverse, 0x1.5555555555555p-4);
    const struct pair all = pair_of_sum(sum.high, twelfth.high);
    const double rest = inverse * (w * HORNER(w, gamma_far));
    const double parts = (fma_f64(m, log.low, product.low) + m_low * log.high) + less.low;
    const double twelfth_low =
        fma_f64(inverse_low, 0x1.5555555555555p-4, twelfth.low) + inverse * 0x1.523032a898722p-58;
    const double low =
        ((parts + sum.low) + (all.low - 0x1.65b5a1b7ff5dfp-55)) + (twelfth_low + rest);
    const struct pair usual = pair_of_sorted(all.high, low);
    /*
     * For large z the smaller terms are omitted, and z is scaled so that no product overflows, in
     * fma_f64() without an instruction either.
     */
    const double down = z * 0x1p-100;
    const struct pair factor = pair_of_sum(log.high, -1), huge = pair_of_product(down, factor.high);
    const double huge_low = fma_f64(down, factor.low + log.low, huge.low);
    return (struct pair){z > 0x1p60 ? huge.high * 0x1p100 : usual.high,
                         z > 0x1p60 ? huge_low * 0x1p100 : usual.low};
}

/*
 * log Gamma(z) = value - log(divisor), z > 0. Below 5/2, z is increased to about 2 in at most two
 * steps; from 5/2 on the divisor is 1.
 */
struct gamma_parts {
    struct pair value, divisor, log; /* log is that of the divisor */
};

static ALWAYS_INLINE struct gamma_parts gamma_parts_of(double z)
{
    const bool least = z < 0.5, less = z < 1.5, near = z < 2.5;
    const double up = less ? z - 1 : z - 2, t = least ? z : near ? up : 0.5;
    const double y = least ? z : 0;
    const struct pair square = pair_of_product(y, y), product = pair_of_sorted(y, square.high);
    const double one = less ? z : 1, high = least ? product.high : one;
    const double low = product.low + square.low;
    struct pair log = pair_log(near ? high : z);
    log.low += low / high;
    const struct pair close = gamma_log_near(t), far = gamma_log_far(near ? 2.5 : z, log);
    return (struct gamma_parts){{near ? close.high : far.high, near ? close.low : far.low},
                                {high, low},
                                {near ? log.high : 0, near ? log.low : 0}};
}

static ALWAYS_INLINE struct pair gamma_log(double z)
{
    const struct gamma_parts parts = gamma_parts_of(z);
    const struct pair sum = pair_of_sum(parts.value.high, -parts.log.high);
    return (struct pair){sum.high, sum.low + (parts.value.low - parts.log.low)};
}

/* z |sin(pi z)| / pi, 2^-100 < z < 2^52; f is z minus its nearest integer, 0 counts as 1/2. */
static ALWAYS_INLINE struct pair gamma_reflected(double z, double f)
{
    const double size = f == 0 ? 0.5 : magnitude_f64(f);
    const struct pair w = pair_of_product(size, size);
    const struct pair end = {HORNER(w.high, gamma_sine), 0};
    const struct pair fourth =
        pair_step(end, w.high, w.low, -0x1.86a8e4720db5bp-3, 0x1.546d6680bacafp-57);
    const struct pair third =
        pair_step(fourth, w.high, w.low, 0x1.9f9cb402bc46cp-1, 0x1.2b44b9a4dbaddp-55);
    const struct pair second =
        pair_step(third, w.high, w.low, -0x1.a51a6625307d3p+0, -0x1.18684e5a94a71p-55);
    const struct pair sine = pair_step(second, w.high, w.low, 1, 0);
    const struct pair sides = pair_of_product(z, size);
    const struct pair product = pair_of_product(sides.high, sine.high);
    const double low = fma_f64(sides.high, sine.low, fma_f64(sides.low, sine.high, product.low));
    return pair_of_sorted(product.high, low);
}

/* Returns z minus the nearest integer, and sets *odd if that is odd. */
static ALWAYS_INLINE double gamma_fraction(double z, uint64_t *odd)
{
    const double y = z < 0x1p52 ? z : 0x1p52, shifted = y + 0x1p52;
    *odd = f64_bits(shifted) & 1;
    return y - (shifted - 0x1p52);
}

/* Beyond this log Gamma overflows f64. */
#define GAMMA_LOG_MOST 0x1.754d9278b51a7p+1014

static ALWAYS_INLINE bool lgamma_is_near_f64(double x)
{
    return (x > 0) & (x <= GAMMA_LOG_MOST);
}

/* This is for positive numbers; the error is within 0.6 units in the last place. */
static ALWAYS_INLINE double lgamma_near_f64(double x)
{
    const struct pair log = gamma_log(x);
    return log.high + log.low;
}

/*
 * For negative x it is -log(z |sin(pi z)| / pi) - log Gamma(z) with z = -x. Both terms have an
 * error of 2^-61; near zeros, where they cancel, see lgamma_rare_f64().
 */
static ALWAYS_INLINE double lgamma_f64(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    const double inside = lgamma_is_near_f64(z) ? z : 1, bounded = z > 0x1p-100 ? z : 0.25;
    uint64_t odd;
    const double f = gamma_fraction(bounded, &odd);
    const struct pair sine = gamma_reflected(bounded < 0x1p52 ? bounded : 1, f);
    const struct pair up = gamma_log(inside), log = pair_log(sine.high);
    const struct pair down = pair_of_sum(-log.high, -up.high);
    const double down_low = down.low - ((log.low + sine.low / sine.high) + up.low);
    const bool below = (x < 0) & (z > 0x1p-100);
    double result = below ? down.high + down_low : up.high + up.low;
    const bool at_pole = (x <= 0) & ((f == 0) | (z == 0));
    result = (at_pole | (z > GAMMA_LOG_MOST)) ? inf : result;
    return x == x ? result : x;
}

/* Tells whether the result for a negative x is too near 0 for the sum of its terms. */
static ALWAYS_INLINE bool lgamma_is_rare_f64(double x, double result)
{
    return (x < 0) & (magnitude_f64(result) < 0x1p-8);
}

/* Evaluates the Taylor series at the nearest zero. */
static double lgamma_rare_f64(double x)
{
    const int n = (int)(0.5 - x), row = 2 * (n - 2) - ((double)-n < x ? 1 : 0);
    const double *const root = gamma_roots[row];
    const struct pair d = pair_of_sum(x - root[ROOT], -root[ROOT_LOW]);
    const double d2 = d.high * d.high, d_low = d.low - root[ROOT_LOWEST];
    const double rest = d2 * polynomial(ONCE, ROOT_TERMS, root + ROOT_REST, d.high);
    const struct pair first = pair_of_product(d.high, root[ROOT_SLOPE]);
    const double low =
        fma_f64(d.high, root[ROOT_SLOPE_LOW], fma_f64(d_low, root[ROOT_SLOPE], first.low));
    return first.high + (low + rest);
}

/*
 * e^value / divisor for positive numbers. For negative x it is 1 / (Gamma(z) z sin(pi z) / pi) with
 * z = -x, with its sign. The error is within 0.8 units in the last place, or 1 for subnormal
 * results.
 */
static ALWAYS_INLINE double tgamma_of(double z, bool negative, struct pair sine)
{
    const struct gamma_parts parts = gamma_parts_of(z);
    const double high = negative ? -parts.value.high : parts.value.high;
    const double low = negative ? -parts.value.low : parts.value.low;
    const struct pair_power p = pair_exp(high < 709.8 ? high : 709.8, high < 709.8 ? low : 0);
    const struct pair d = {z < 2.5 ? parts.divisor.high : 1, z < 2.5 ? parts.divisor.low : 0};
    const struct pair over = pair_of_product(p.m.high, negative ? d.high : 1);
    const double over_low = negative ? fma_f64(p.m.high, d.low, p.m.low * d.high) : p.m.low;
    const double under = negative ? sine.high : d.high, under_low = negative ? sine.low : d.low;
    const double q = over.high / under;
    const double rest = fma_f64(-q, under, over.high) + ((over.low + over_low) - q * under_low);
    return (q + rest / under) * p.half * p.other;
}

/* From 171.625 on the result is infinite, and within 2^-300 of 0 it is 1 / x. */
static ALWAYS_INLINE bool tgamma_is_near_f64(double x)
{
    return (x > 0x1p-300) & (x < 171.625);
}

static ALWAYS_INLINE double tgamma_near_f64(double x)
{
    return tgamma_of(x, false, (struct pair){1, 0});
}

static ALWAYS_INLINE double tgamma_f64(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    const double bounded = z < 190 ? z : 190, inside = bounded > 0x1p-300 ? bounded : 0.25;
    uint64_t odd;
    const double f = gamma_fraction(z, &odd);
    const struct pair sine = gamma_reflected(inside, z < 190 && z > 0x1p-300 ? f : 0);
    const double size = tgamma_of(inside, x < 0, sine);
    const bool is_negative = (x < 0) & !(odd ^ (uint64_t)(f < 0));
    double result = is_negative ? -size : size;
    result = x >= 171.625 ? inf : result;
    result = z <= 0x1p-300 ? 1 / (z <= 0x1p-300 ? x : 1) : result;
    result = (((f == 0) & (x < 0)) | (x == -inf)) ? __builtin_nan("") : result;
    return x == x ? result : x;
}
