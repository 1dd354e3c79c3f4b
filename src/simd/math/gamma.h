/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gamma function and the logarithm of its magnitude. log Gamma(z) is Stirling's series as a
 * polynomial of 1 / z^2 for z > 3, (z - 1) (z - 2) times a rational function on 1/2 .. 3, and
 * log Gamma(z + 1) - log(z) below; negative numbers are reflected.
 */
#ifndef STRIA_SIMD_MATH_GAMMA_H
#define STRIA_SIMD_MATH_GAMMA_H

#include "pair.h"

static const double lgamma_p[] = {
    0x1.6a545bbe79fe3p+1,  0x1.1c60bd9acffe5p+7,  0x1.85f398722e608p+10, 0x1.72c59df4e6c03p+12,
    0x1.202e4b8ec604fp+13, 0x1.80850fcb2d4e9p+12, 0x1.afbd0bd5bff00p+10, 0x1.6d80df9d92907p+7,
    0x1.5803367fdc4cap+2,  0x1.382c9e8764967p-7};

static const double lgamma_q[] = {
    0x1.0000000000000p+0,  0x1.42dcbaeec4fdcp+6,  0x1.3d320a40439ddp+10, 0x1.a2320327481fcp+12,
    0x1.c2168de37d073p+13, 0x1.ac4953b73e2abp+13, 0x1.6f1a3ab0ed274p+12, 0x1.0f0c2ca6d4d1fp+10,
    0x1.2c1db860601d7p+6,  0x1.574c0e8fcc1fap+0};

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

/*
 * z |sin(pi z)| / pi with the sign of the distance to the nearest whole number, z >= 0; *odd tells
 * whether that is odd.
 */
static ALWAYS_INLINE double gamma_reflection(double z, uint64_t *odd)
{
    const double y = z < 0x1p52 ? z : 0x1p52, shifted = y + 0x1p52, f = y - (shifted - 0x1p52);
    *odd = f64_bits(shifted) & 1;
    return z * (f * (HORNER(f * f, gamma_sinpi) * 0x1.45f306dc9c883p-2));
}

/*
 * x, below 2^1023. Of what is chosen last and rounded by its bits GCC would choose among the bits,
 * for which SSE2 has no instruction.
 */
static ALWAYS_INLINE double settled(double x)
{
    return (x + x) * 0.5;
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
    return settled(x == x ? result : x);
}

/*
 * e^(log Gamma); e^600 is beyond f32 however it goes on. Factorials are rounded to 41 bits, which
 * is what they have: some lie in the middle between two bf16.
 */
static ALWAYS_INLINE double tgamma_f32(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    uint64_t odd;
    double up = lgamma_positive(z);
    up = up < 600 ? up : 600;
    const double sine = gamma_reflection(z, &odd);
    const double signed_sine = f64_of_bits(f64_bits(sine) ^ (odd ^ 1) << 63);
    const double power = core_exp(x < 0 ? -up : up);
    const double cut = power * 0x1.001p12, factorial = cut - (cut - power);
    const double positive = sine == 0 ? factorial : power;
    double result = x < 0 ? power / signed_sine : positive;
    result = sine == 0 && x < 0 ? __builtin_nan("") : result;
    result = x == 0 ? 1 / x : result;
    result = x == inf ? inf : result;
    return settled(x == x ? result : x);
}

static const double lgamma_stirling_f64[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c132aap-9,  0x1.a01a018cb38d8p-11, -0x1.381374eea6183p-11,
    0x1.b94d73c5ec725p-11, -0x1.f62917f6c8ef4p-10, 0x1.9f0aff58216d9p-8,  -0x1.c01af87c960bcp-6,
    0x1.0fe61d2e29d44p-3,  -0x1.362f4daea1075p-1,  0x1.17f0445dcf26fp+1,  -0x1.4cde8ed28ffdbp+2,
    0x1.79fe1c2efe9fdp+2};

/* log Gamma of z > 0, or of z + 1 where z is below 1/2, and log(z) for that, else 0. */
struct lgamma_parts {
    struct pair value;
    double log_z;
};

static ALWAYS_INLINE struct lgamma_parts lgamma_parts_f64(double z)
{
    const bool below = z < 0.5;
    const double y = z > 3 ? z : 3, bounded = y < 0x1p60 ? y : 0x1p60, inverse = 1 / bounded;
    const struct pair log = pair_log(below ? z : y);
    const struct pair product = pair_of_product(bounded - 0.5, log.high);
    const struct pair less = pair_of_sum(product.high, -bounded);
    const struct pair sum = pair_of_sum(less.high, 0x1.d67f1c864beb5p-1);
    const double rest = inverse * HORNER(inverse * inverse, lgamma_stirling_f64);
    const double low = (fma_f64(bounded - 0.5, log.low, product.low) + less.low) +
                       ((sum.low - 0x1.65b5a1b7ff5dfp-55) + rest);
    const struct pair large = pair_of_sorted(sum.high, low);
    const double huge = y * (log.high - 1), shifted = below ? z + 1 : z;
    const double u = shifted < 3 ? shifted : 3;
    const double ratio = HORNER(u, lgamma_p) / HORNER(u, lgamma_q);
    const double near = (u - 1) * (u - 2) * ratio + 0.0;
    const double high = z > 3 ? large.high : near, with = z > 3 ? large.low : 0;
    return (struct lgamma_parts){{z > 0x1p60 ? huge : high, z > 0x1p60 ? 0 : with},
                                 below ? log.high : 0};
}

/*
 * Within 5 units in the last place for x > 0 (4.5 found). Beside the zeros at negative x the error
 * is that of its parts, 2^-50, however small the result is.
 */
static ALWAYS_INLINE double lgamma_f64(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    const double bounded = z < 0x1p60 ? z : 1;
    uint64_t odd;
    const double sine = magnitude_f64(gamma_reflection(bounded < 0x1p-500 ? 0.25 : bounded, &odd));
    const struct lgamma_parts parts = lgamma_parts_f64(z);
    const double up = parts.value.high - parts.log_z, below = -core_log(sine) - up;
    double result = x < 0 && z > 0x1p-500 ? below : up;
    result = x <= 0 && (sine == 0 || z == 0 || z > 0x1p53) ? inf : result;
    result = z > 0x1.754d9278b51a8p+1014 ? inf : result;
    return x == x ? result : x;
}

/* Within 4 units in the last place (3.9 found). */
static ALWAYS_INLINE double tgamma_f64(double x)
{
    const double z = magnitude_f64(x), inf = __builtin_inf();
    const double bounded = z < 190 ? z : 190, inside = bounded > 0x1p-300 ? bounded : 0.25;
    uint64_t odd;
    const double sine = gamma_reflection(z < 0x1p-300 ? 0.25 : z < 0x1p60 ? z : 0x1p60, &odd);
    const double signed_sine = f64_of_bits(f64_bits(sine) ^ (odd ^ 1) << 63);
    const struct pair up = lgamma_parts_f64(inside).value;
    const double high = x < 0 ? -up.high : up.high, low = x < 0 ? -up.low : up.low;
    const struct pair_power p = pair_exp(high < 747 ? high : 747, high < 747 ? low : 0);
    const double m = p.m.high + p.m.low, factor = inside < 0.5 ? inside : 1;
    double result = (x < 0 ? m * factor / signed_sine : m / factor) * p.half * p.other;
    result = z <= 0x1p-300 ? 1 / x : result;
    result = (sine == 0 && x < 0) || x == -inf ? __builtin_nan("") : result;
    result = x == inf ? inf : result;
    return x == x ? result : x;
}

#endif
