/* SPDX-License-Identifier: BSD-3-Clause */
/* hypot, atan2, and the angle of a real number. */
#pragma once

#include "pair.h"

/*
 * This is correctly rounded. Squares of f32 are exact in f64, and the rounding error of their sum
 * is known. The root could be wrong after its second rounding only if the first one gives the
 * middle between two f32. The middle has 25 bits, so its square is exact, and so is the difference
 * to the sum: the root moves in the direction of that. See NOTE [Round to odd] in number.h.
 */
static ALWAYS_INLINE double hypot_f32(double x, double y)
{
    const double inf = __builtin_inf(), x2 = x * x, y2 = y * y, sum = x2 + y2, part = sum - x2;
    const double lost = (x2 - (sum - part)) + (y2 - part), root = __builtin_sqrt(sum);
    const double rest = (sum - root * root) + lost;
    const uint64_t bits = f64_bits(root), down = (bits - 1) | 1;
    double result = f64_of_bits(rest > 0 ? bits | 1 : bits);
    result = f64_of_bits(rest < 0 ? down : f64_bits(result));
    result = magnitude_f64(x) == inf ? inf : result;
    return magnitude_f64(y) == inf ? inf : result;
}

static const double plane_atan[] = {
    0x1.ffffffffffff7p-1,  -0x1.555555555259cp-2, 0x1.9999999703823p-3, -0x1.249248b2763b6p-3,
    0x1.c71c5cf2e33e4p-4,  -0x1.745bed9167840p-4, 0x1.3b089c94c1c22p-4, -0x1.10c69ad9c19d4p-4,
    0x1.df03e830b4c5fp-5,  -0x1.a47e78e8e6939p-5, 0x1.677f4eee46593p-5, -0x1.1f2f18dbc843bp-5,
    0x1.967abc7a6908ep-6,  -0x1.e03179d097ca2p-7, 0x1.bb6c7fc8b5d1bp-8, -0x1.2708e2818933dp-9,
    0x1.f1b3afca918ecp-12, -0x1.8cd4c16c552b2p-15};

/* The arc of the smaller part over the larger, with an error of 2^-49, is moved to its octant. */
static ALWAYS_INLINE double atan2_f32(double y, double x)
{
    const double a = magnitude_f64(x), b = magnitude_f64(y);
    const double most = a > b ? a : b, least = a > b ? b : a;
    double t = least / (most + 0x1p-1000); /* NOTE [Flags] in math.inc */
    t = least == most ? 1 : t;
    t = most == 0 ? 0 : t;
    double angle = t * HORNER(t * t, plane_atan);
    angle = b > a ? 0x1.921fb54442d18p+0 - angle : angle;
    const double side = f64_of_bits((f64_bits(x) & UINT64_C(1) << 63) | f64_bits(1.0));
    angle = side < 0 ? 0x1.921fb54442d18p+1 - angle : angle;
    const double with_sign = f64_of_bits(f64_bits(angle) | (f64_bits(y) & UINT64_C(1) << 63));
    return x == x && y == y ? with_sign : x + y;
}

/* The angle of a real number: pi if it has a sign, also for -0. */
static ALWAYS_INLINE double angle_f64(double x)
{
    const double side = f64_of_bits((f64_bits(x) & UINT64_C(1) << 63) | f64_bits(1.0));
    const double result = side < 0 ? 0x1.921fb54442d18p+1 : 0;
    return x == x ? result : x;
}

#define angle_f32 angle_f64

/* Operands are scaled by a power of two, and the root is corrected: the error is 0.501 units. */
static ALWAYS_INLINE double hypot_f64(double x, double y)
{
    const double inf = __builtin_inf(), a = magnitude_f64(x), b = magnitude_f64(y);
    const double most = a > b ? a : b;
    const double down = most >= 0x1p500 ? 0x1p-600 : 1.0, scale = most < 0x1p-400 ? 0x1p600 : down;
    const double up = most >= 0x1p500 ? 0x1p600 : 1.0, back = most < 0x1p-400 ? 0x1p-600 : up;
    const struct pair x2 = pair_of_product(a * scale, a * scale);
    const struct pair y2 = pair_of_product(b * scale, b * scale);
    const struct pair sum = pair_of_sum(x2.high, y2.high);
    const double root = __builtin_sqrt(sum.high);
    const double rest = fma_f64(-root, root, sum.high) + (sum.low + (x2.low + y2.low));
    const double correction = rest * (0.5 / (root + 0x1p-1000));
    const double result = (root + correction) * back;
    const double finite = a == inf ? inf : result;
    return b == inf ? inf : finite;
}

static const double plane_atan_f64[] = {
    -0x1.5555555555516p-2, 0x1.999999999114fp-3, -0x1.249249215e11ap-3, 0x1.c71c7090f2621p-4,
    -0x1.745cf4cbbdd2fp-4, 0x1.3b113dc4eebf2p-4, -0x1.10f31f21f1b57p-4, 0x1.dfe976bcd3511p-5,
    -0x1.a3985c198f397p-5, 0x1.56f59ea548946p-5, -0x1.c17f3584f480ap-6, 0x1.4b8310c184eedp-7};

/*
 * The arc of the smaller part over the larger, or pi / 4 minus that of their difference over their
 * sum if they are close: quotients of at most 1/2, with their rounding errors. Parts are scaled so
 * that no remainder underflows. The error is within 0.8 units in the last place (0.75 found), or 1
 * for subnormal results.
 */
static ALWAYS_INLINE double atan2_f64(double y, double x)
{
    const double a = magnitude_f64(x), b = magnitude_f64(y), inf = __builtin_inf();
    const double most = a > b ? a : b, least = a > b ? b : a;
    const double down = most > 0x1p500 ? 0x1p-524 : 1.0, scale = most < 0x1p-500 ? 0x1p574 : down;
    const double large = most * scale, small = least * scale;
    const bool is_far = small < 0x1p-600;
    const double raised = least * (is_far ? scale * 0x1p400 : scale),
                 back = is_far ? 0x1p-400 : 1.0;
    const double half = 0.5 * large;
    const double eighth = small > half ? 1.0 : 0.0;
    const struct pair sum = pair_of_sorted(large, small > half ? small : 0);
    const double top = small > half ? small - large : raised, inverse = 1 / (sum.high + 0x1p-1000);
    const double t = top * inverse;
    const double rest = fma_f64(-t, sum.low, fma_f64(-t, sum.high, top)) * inverse;
    const double near = is_far ? 0 : t, z = near * near, slope = fma_f64(z, z - 1, 1);
    const double low = fma_f64(near * z, HORNER(z, plane_atan_f64), rest * slope) * back;
    const double positive = f64_of_bits((f64_bits(x) & UINT64_C(1) << 63) | f64_bits(1.0));
    double eighths = most == inf ? 0.0 : eighth, high = t * back, rounding = low, sign = 1;
    high = most == 0 || most == inf ? 0 : high;
    rounding = most == 0 || most == inf ? 0 : rounding;
    eighths = least == inf ? 1 : eighths;
    eighths = b > a ? 2 - eighths : eighths;
    sign = b > a ? -sign : sign;
    eighths = positive < 0 ? 4 - eighths : eighths;
    sign = positive < 0 ? -sign : sign;
    const struct pair angle = pair_of_sorted(eighths * 0x1.921fb54442dp-1, sign * high);
    const double result =
        angle.high + (angle.low + fma_f64(eighths, 0x1.8469898cc517p-49, sign * rounding));
    const double with_sign = f64_of_bits(f64_bits(result) | (f64_bits(y) & UINT64_C(1) << 63));
    return x == x && y == y ? with_sign : x + y;
}
