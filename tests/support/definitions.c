/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. */
#include "support/definitions.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/exact.h"

#define F           double
#define FN(name)    name
#define NAMED(name) name##_f64
#include "support/definitions_float.inc"
#define F           float
#define FN(name)    name##f
#define NAMED(name) name##_f32
#include "support/definitions_float.inc"

static union item converted(union item a, stria_kind from, stria_kind to)
{
    union item out = {.bytes = {0}};
    exact_convert(out.bytes, to, a.bytes, from, false);
    return out;
}

static bool is_signed(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_I64;
}

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static bool is_test(stria_op op)
{
    switch (op) {
    case STRIA_ISNAN:
    case STRIA_ISINF:
    case STRIA_ISFINITE:
    case STRIA_ISPOSINF:
    case STRIA_ISNEGINF:
    case STRIA_SIGNBIT: return true;
    default: return false;
    }
}

stria_kind defined_kind(stria_op op, stria_kind kind)
{
    if (is_test(op)) return STRIA_BOOL;
    if (op == STRIA_BITWISE_COUNT) return STRIA_U8;
    if (op == STRIA_ABS || op == STRIA_ANGLE)
        return (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    return kind;
}

/* ---- bool ----------------------------------------------------------------------------------- */

static bool of_bools(stria_op op, bool a, bool b, bool c)
{
    switch (op) {
    case STRIA_ADD:
    case STRIA_BITWISE_OR:
    case STRIA_LOGICAL_OR:
    case STRIA_FMAX:
    case STRIA_MAXIMUM: return a || b;
    case STRIA_MULTIPLY:
    case STRIA_BITWISE_AND:
    case STRIA_LOGICAL_AND:
    case STRIA_FMIN:
    case STRIA_MINIMUM: return a && b;
    case STRIA_BITWISE_XOR:
    case STRIA_LOGICAL_XOR: return a != b;
    case STRIA_BITWISE_NOT:
    case STRIA_LOGICAL_NOT: return !a;
    case STRIA_CLIP: return (a || b) && c;
    case STRIA_ISFINITE: return true;
    default: return is_test(op) ? false : a;
    }
}

/* ---- integers ------------------------------------------------------------------------------- */

/* Returns results that need no sign, modulo 2^64; the caller keeps the low bits that the kind
 * has. */
static uint64_t of_residues(stria_op op, uint64_t a, uint64_t b, uint64_t c)
{
    switch (op) {
    case STRIA_ADD: return a + b;
    case STRIA_SUBTRACT: return a - b;
    case STRIA_MULTIPLY: return a * b;
    case STRIA_NEGATIVE: return 0 - a;
    case STRIA_SQUARE: return a * a;
    case STRIA_ADDCMUL: return a + b * c;
    case STRIA_BITWISE_AND: return a & b;
    case STRIA_BITWISE_OR: return a | b;
    case STRIA_BITWISE_XOR: return a ^ b;
    case STRIA_BITWISE_NOT: return ~a;
    case STRIA_ISFINITE: return true;
    case STRIA_ISNAN:
    case STRIA_ISINF:
    case STRIA_ISPOSINF:
    case STRIA_ISNEGINF: return false;
    default: return a;
    }
}

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t of_magnitudes(stria_op op, uint64_t a, uint64_t b)
{
    uint64_t n = 0;
    switch (op) {
    case STRIA_ABS: return a;
    case STRIA_GCD: return divisor_of(a, b);
    case STRIA_LCM: return a && b ? a / divisor_of(a, b) * b : 0;
    default:
        for (; a; a &= a - 1)
            n++;
        return n;
    }
}

/* A number as sign and magnitude, so that signed and unsigned 64-bit integers are alike. */
struct whole {
    bool negative;
    uint64_t size;
};

static struct whole whole_of(uint64_t bits, bool has_sign)
{
    const bool negative = has_sign && bits >> 63;
    return (struct whole){negative, negative ? 0 - bits : bits};
}

static bool is_less(struct whole a, struct whole b)
{
    if (a.negative != b.negative) return a.negative;
    return a.negative ? a.size > b.size : a.size < b.size;
}

static uint64_t bits_of(struct whole a)
{
    return a.negative ? 0 - a.size : a.size;
}

/* Divides by the quotient and remainder of the magnitudes. */
static uint64_t divided(stria_op op, struct whole a, struct whole b)
{
    if (b.size == 0) return 0;
    const uint64_t quotient = a.size / b.size, rest = a.size % b.size;
    const bool apart = a.negative != b.negative, below = apart && rest != 0;
    switch (op) {
    case STRIA_FLOOR_DIVIDE: return apart ? 0 - (quotient + below) : quotient;
    case STRIA_FMOD: return a.negative ? 0 - rest : rest;
    default: return bits_of((struct whole){b.negative, below ? b.size - rest : rest});
    }
}

static uint64_t shifted(stria_op op, struct whole a, struct whole b, uint64_t bits, int width)
{
    const bool beyond = b.negative || b.size >= (uint64_t)width;
    if (op == STRIA_LEFT_SHIFT) return beyond ? 0 : bits << b.size;
    for (uint64_t i = 0; i < (beyond ? 64 : b.size); i++)
        bits = bits >> 1 | (uint64_t)a.negative << 63;
    return bits;
}

/* Multiplies `exponent` times; a negative exponent gives the whole part of the power. */
static uint64_t power(uint64_t base, struct whole exponent, uint64_t size)
{
    uint64_t out = 1;
    if (exponent.negative) return size != 1 ? 0 : exponent.size % 2 ? base : 1;
    const uint64_t period = UINT64_C(1) << 62; /* odd numbers to this power are 1 modulo 2^64 */
    uint64_t n = exponent.size;
    if (base % 2 == 0 && n > 64) return 0;
    for (n %= period; n; n >>= 1, base *= base)
        out *= n & 1 ? base : 1;
    return out;
}

/* Rounds a to a multiple of a power of ten, halves to the even multiple. */
static uint64_t rounded_decimal(struct whole a, struct whole decimals)
{
    uint64_t tens = 1;
    if (!decimals.negative || !decimals.size) return bits_of(a);
    if (decimals.size > 19) return 0;
    for (uint64_t i = 0; i < decimals.size; i++)
        tens *= 10;
    const uint64_t below = a.size - a.size % tens, rest = a.size % tens;
    const bool up = rest > tens - rest || (rest == tens - rest && below / tens % 2);
    return bits_of((struct whole){a.negative, up ? below + tens : below});
}

static uint64_t of_integers(stria_op op, const uint64_t in[3], bool has_sign, int width)
{
    const struct whole a = whole_of(in[0], has_sign), b = whole_of(in[1], has_sign),
                       c = whole_of(in[2], has_sign), six = {false, 6};
    const struct whole greater = is_less(a, b) ? b : a;
    switch (op) {
    case STRIA_ABS:
    case STRIA_GCD:
    case STRIA_LCM:
    case STRIA_BITWISE_COUNT: return of_magnitudes(op, a.size, b.size);
    case STRIA_SIGN: return a.negative ? 0 - (uint64_t)1 : a.size != 0;
    case STRIA_FLOOR_DIVIDE:
    case STRIA_REMAINDER:
    case STRIA_FMOD: return divided(op, a, b);
    case STRIA_LEFT_SHIFT:
    case STRIA_RIGHT_SHIFT: return shifted(op, a, b, in[0], width);
    case STRIA_MAXIMUM:
    case STRIA_FMAX: return bits_of(greater);
    case STRIA_MINIMUM:
    case STRIA_FMIN: return bits_of(is_less(a, b) ? a : b);
    case STRIA_CLIP: return bits_of(is_less(c, greater) ? c : greater);
    case STRIA_RELU: return a.negative ? 0 : in[0];
    case STRIA_RELU6: return a.negative ? 0 : bits_of(is_less(six, a) ? six : a);
    case STRIA_THRESHOLD: return bits_of(is_less(b, a) ? a : c);
    case STRIA_SIGNBIT: return a.negative;
    case STRIA_POW: return power(in[0], b, a.size);
    case STRIA_ROUND_DECIMALS: return rounded_decimal(a, whole_of(in[1], true));
    default: return of_residues(op, in[0], in[1], in[2]);
    }
}

static union item integer_item(stria_op op, stria_kind kind, const union item in[3])
{
    uint64_t bits[3];
    union item out = {.bytes = {0}};
    for (int k = 0; k < 3; k++) {
        const union item wide = converted(in[k], kind, is_signed(kind) ? STRIA_I64 : STRIA_U64);
        memcpy(&bits[k], wide.bytes, 8);
    }
    const uint64_t result =
        of_integers(op, bits, is_signed(kind), 8 * stria_dtype_of(kind).itemsize);
    memcpy(out.bytes, &result, 8);
    return converted(out, STRIA_U64, defined_kind(op, kind));
}

/* ---- floats --------------------------------------------------------------------------------- */

static bool answer(stria_op op, double a)
{
    switch (op) {
    case STRIA_ISNAN: return isnan(a);
    case STRIA_ISINF: return isinf(a);
    case STRIA_ISFINITE: return isfinite(a);
    case STRIA_ISPOSINF: return isinf(a) && a > 0;
    case STRIA_ISNEGINF: return isinf(a) && a < 0;
    default: return signbit(a) != 0;
    }
}

/* Whether the result is computed in f64 and rounded once, where the op promises that. */
static bool is_wide(stria_op op, stria_kind kind)
{
    const bool sums = op == STRIA_ADDCMUL || op == STRIA_ADDCDIV || op == STRIA_LDEXP;
    return kind == STRIA_F64 || op == STRIA_LERP || op == STRIA_FMA || (sums && kind != STRIA_F32);
}

static double between(double a, double b, double w, stria_kind kind)
{
    const bool apart = (a < 0 && b > 0) || (a > 0 && b < 0);
    if (apart && kind == STRIA_F64) {
        const double left = a * (1 - w), right = b * w;
        return left + right;
    }
    return w < 0.5 ? a + (b - a) * w : b - (b - a) * (1 - w);
}

/* Returns a neighbour of a small float, by counting its bits up or down. */
static union item small_neighbour(stria_op op, stria_kind kind, const union item in[3])
{
    const double a = converted(in[0], kind, STRIA_F64).alignment,
                 b = converted(in[1], kind, STRIA_F64).alignment;
    const double towards = op == STRIA_NEXTAFTER ? b
                           : signbit(a)          ? -(double)INFINITY
                                                 : (double)INFINITY;
    union item out = in[0];
    uint16_t bits;
    memcpy(&bits, in[0].bytes, sizeof bits);
    const bool outwards = a == 0 || (towards > a) == (a > 0);
    bits = a == 0 ? 1 : (uint16_t)(outwards ? bits + 1 : bits - 1);
    if (a == 0 && signbit(towards)) bits |= 0x8000;
    memcpy(out.bytes, &bits, sizeof bits);
    if (op == STRIA_NEXTAFTER && (isnan(a) || a == b)) return isnan(a) ? in[0] : in[1];
    if (op == STRIA_NEXTAFTER) return isnan(b) ? in[1] : out;
    out.alignment = converted(out, kind, STRIA_F64).alignment - a;
    if (a == 0) out.alignment = fabs(out.alignment);
    if (!isfinite(a)) out.alignment = (double)NAN;
    return converted(out, STRIA_F64, kind);
}

/* The C library prints decimals of the exact value. */
static double printed(double x, double decimals)
{
    char text[800];
    const int digits = (int)decimals;
    if (!isfinite(x) || x == 0) return x;
    if (digits >= 0) {
        (void)snprintf(text, sizeof text, "%.*f", digits < 400 ? digits : 400, x);
        return strtod(text, NULL);
    }
    (void)snprintf(text, sizeof text, "%.40e", x);
    const int exponent = atoi(strchr(text, 'e') + 1), after = exponent + digits;
    if (after < -1) return copysign(0, x);
    if (after == -1) {
        (void)snprintf(text, sizeof text, "1e%d", -digits);
        const double ten = strtod(text, NULL);
        return copysign(fabs(x) > ten / 2 ? ten : 0, x);
    }
    (void)snprintf(text, sizeof text, "%.*e", after < 400 ? after : 400, x);
    return strtod(text, NULL);
}

/*
 * The product of two floats of up to 32 bits is exact in f64. The sum is rounded to odd, which
 * keeps on which side of the middle of two floats it lies: rounded once more, to their bits, it is
 * the same as the exact sum. (fmaf of mingw-w64 rounds twice.)
 */
static double fma_to_odd(double a, double b, double c)
{
    const double product = a * b, sum = product + c, back = sum - product,
                 rest = (product - (sum - back)) + (c - back);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (!isfinite(sum) || rest == 0 || (bits & 1)) return sum;
    return nextafter(sum, rest > 0 ? INFINITY : -INFINITY);
}

#ifdef _WIN32 /* whose fma rounds twice; 113 bits hold the product, and the sum to odd */
static double fma_of_f64(double a, double b, double c)
{
    __extension__ typedef unsigned __int128 bits128;
    const __float128 product = (__float128)a * b, sum = product + c, back = sum - product,
                     rest = (product - (sum - back)) + (c - back);
    __float128 odd = sum;
    bits128 bits;
    memcpy(&bits, &sum, sizeof bits);
    if (sum - sum == 0 && rest != 0 && !(bits & 1)) {
        bits += (rest > 0) == (sum > 0) ? (bits128)1 : ~(bits128)0;
        memcpy(&odd, &bits, sizeof odd);
    }
    return (double)odd;
}
#else
#define fma_of_f64 fma
#endif

static union item float_item(stria_op op, stria_kind kind, const union item in[3])
{
    union item out = {.bytes = {0}};
    double x[3];
    float f[3];
    for (int k = 0; k < 3; k++) {
        x[k] = converted(in[k], kind, STRIA_F64).alignment;
        const union item narrow = converted(in[k], kind, STRIA_F32);
        memcpy(&f[k], narrow.bytes, sizeof f[k]);
    }
    if (is_test(op)) {
        out.bytes[0] = answer(op, x[0]);
        return out;
    }
    if (op == STRIA_ROUND_DECIMALS) {
        out.alignment = printed(x[0], x[1]);
        return converted(out, STRIA_F64, kind);
    }
    if ((op == STRIA_NEXTAFTER || op == STRIA_SPACING) && kind < STRIA_F32)
        return small_neighbour(op, kind, in);
    if (is_wide(op, kind)) {
        out.alignment = op == STRIA_LERP                       ? between(x[0], x[1], x[2], kind)
                        : op == STRIA_FMA && kind == STRIA_F64 ? fma_of_f64(x[0], x[1], x[2])
                        : op == STRIA_FMA                      ? fma_to_odd(x[0], x[1], x[2])
                                                               : real_of_f64(op, x[0], x[1], x[2]);
        return converted(out, STRIA_F64, kind);
    }
    f[0] = real_of_f32(op, f[0], f[1], f[2]);
    memcpy(out.bytes, &f[0], sizeof f[0]);
    return converted(out, STRIA_F32, kind);
}

/* ---- complex -------------------------------------------------------------------------------- */

static void product(double out[2], const double a[2], const double b[2], bool narrow)
{
    if (narrow) {
        const float x[] = {(float)a[0], (float)a[1]}, y[] = {(float)b[0], (float)b[1]};
        out[0] = (double)(x[0] * y[0] - x[1] * y[1]);
        out[1] = (double)(x[0] * y[1] + x[1] * y[0]);
        return;
    }
    const double re = a[0] * b[0] - a[1] * b[1];
    out[1] = a[0] * b[1] + a[1] * b[0];
    out[0] = re;
}

/* Divides by Smith's algorithm, as NumPy does. */
static void quotient(double out[2], const double a[2], const double b[2])
{
    const double x = a[0], y = a[1];
    if (b[0] == 0 && b[1] == 0) {
        out[0] = x / fabs(b[0]);
        out[1] = y / fabs(b[0]);
    } else if (fabs(b[0]) >= fabs(b[1])) {
        const double ratio = b[1] / b[0], divisor = b[0] + b[1] * ratio;
        out[0] = (x + y * ratio) / divisor;
        out[1] = (y - x * ratio) / divisor;
    } else {
        const double ratio = b[0] / b[1], divisor = b[1] + b[0] * ratio;
        out[0] = (y + x * ratio) / divisor;
        out[1] = (y * ratio - x) / divisor;
    }
}

static void of_complex(stria_op op, double out[2], double in[3][2], bool narrow)
{
    static const double one[2] = {1, 0};
    const long double length = hypotl((long double)in[0][0], (long double)in[0][1]);
    double part[2];
    switch (op) {
    case STRIA_MULTIPLY: product(out, in[0], in[1], narrow); return;
    case STRIA_SQUARE: product(out, in[0], in[0], narrow); return;
    case STRIA_DIVIDE: quotient(out, in[0], in[1]); return;
    case STRIA_RECIPROCAL: quotient(out, one, in[0]); return;
    case STRIA_ABS: out[0] = (double)length; return;
    case STRIA_SIGN:
        for (int k = 0; k < 2; k++)
            out[k] = length == 0 ? 0 : (double)((long double)in[0][k] / length);
        return;
    case STRIA_ADDCMUL:
    case STRIA_ADDCDIV:
        if (op == STRIA_ADDCMUL)
            product(part, in[1], in[2], narrow);
        else
            quotient(part, in[1], in[2]);
        for (int k = 0; k < 2; k++)
            out[k] = in[0][k] + (narrow ? (double)(float)part[k] : part[k]);
        return;
    default:
        for (int k = 0; k < 2; k++)
            out[k] = narrow ? (double)real_of_f32(op, (float)in[0][k], (float)in[1][k], 0)
                            : real_of_f64(op, in[0][k], in[1][k], 0);
    }
}

static union item complex_item(stria_op op, stria_kind kind, const union item in[3])
{
    union item out = {.bytes = {0}};
    double x[3][2], result[2] = {0};
    for (int k = 0; k < 3; k++) {
        const union item wide = converted(in[k], kind, STRIA_C128);
        memcpy(x[k], wide.bytes, 16);
    }
    if (is_test(op)) {
        const bool re = answer(op, x[0][0]), im = answer(op, x[0][1]);
        out.bytes[0] = op == STRIA_ISFINITE ? re && im : re || im;
        return out;
    }
    of_complex(op, result, x, kind == STRIA_C64);
    memcpy(out.bytes, result, 16);
    return converted(out, op == STRIA_ABS ? STRIA_F64 : STRIA_C128, defined_kind(op, kind));
}

union item defined_item(stria_op op, stria_kind kind, const union item in[3])
{
    union item out = {.bytes = {0}};
    if (kind == STRIA_BOOL) {
        out.bytes[0] = of_bools(op, in[0].bytes[0], in[1].bytes[0], in[2].bytes[0]);
        return out;
    }
    if (is_complex(kind)) return complex_item(op, kind, in);
    return kind <= STRIA_U64 ? integer_item(op, kind, in) : float_item(op, kind, in);
}
