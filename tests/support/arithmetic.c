/* SPDX-License-Identifier: BSD-3-Clause */
/* See arithmetic.h. */
#include "support/arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/exact.h"

static union item converted(union item a, stria_kind from, stria_kind to)
{
    union item out = {.bytes = {0}};
    exact_convert(out.bytes, to, a.bytes, from, false);
    return out;
}

/* ---- by dtype class ------------------------------------------------------------------------- */

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

/* Modulo 2^64, of which the kind keeps the low bits. */
static uint64_t of_integers(stria_op op, uint64_t a, uint64_t b, bool negative)
{
    switch (op) {
    case STRIA_ADD: return a + b;
    case STRIA_SUBTRACT: return a - b;
    case STRIA_MULTIPLY: return a * b;
    default: return negative ? 0 - a : a;
    }
}

static bool of_bools(stria_op op, bool a, bool b)
{
    return op == STRIA_ADD ? a || b : op == STRIA_MULTIPLY ? a && b : a;
}

/* Functions of mathematics, to more bits than f64 has; NULL for other ops. */
static long double (*const functions[STRIA_OPS])(long double) = {
    [STRIA_EXP] = expl,
};

static double of_f64(stria_op op, double a, double b)
{
    switch (op) {
    case STRIA_ADD: return a + b;
    case STRIA_SUBTRACT: return a - b;
    case STRIA_MULTIPLY: return a * b;
    default: return fabs(a);
    }
}

static float of_f32(stria_op op, float a, float b)
{
    switch (op) {
    case STRIA_ADD: return a + b;
    case STRIA_SUBTRACT: return a - b;
    case STRIA_MULTIPLY: return a * b;
    default: return fabsf(a);
    }
}

static void of_complex(stria_op op, double out[2], const double a[2], const double b[2])
{
    if (op == STRIA_MULTIPLY) {
        out[0] = a[0] * b[0] - a[1] * b[1];
        out[1] = a[0] * b[1] + a[1] * b[0];
        return;
    }
    for (int part = 0; part < 2; part++)
        out[part] = of_f64(op, a[part], b[part]);
}

static void of_complex_f32(stria_op op, float out[2], const float a[2], const float b[2])
{
    if (op == STRIA_MULTIPLY) {
        out[0] = a[0] * b[0] - a[1] * b[1];
        out[1] = a[0] * b[1] + a[1] * b[0];
        return;
    }
    for (int part = 0; part < 2; part++)
        out[part] = of_f32(op, a[part], b[part]);
}

/* ---- one element ---------------------------------------------------------------------------- */

/* The value of a real item; long double holds those of i64, u64 and f64. */
static long double real_value(union item a, stria_kind kind)
{
    if (kind == STRIA_U64 || kind == STRIA_BOOL || (kind >= STRIA_U8 && kind <= STRIA_U32)) {
        const union item wide = converted(a, kind, STRIA_U64);
        uint64_t u;
        memcpy(&u, wide.bytes, sizeof u);
        return (long double)u;
    }
    if (is_float(kind)) {
        const union item wide = converted(a, kind, STRIA_F64);
        return (long double)wide.alignment;
    }
    const union item wide = converted(a, kind, STRIA_I64);
    int64_t i;
    memcpy(&i, wide.bytes, sizeof i);
    return (long double)i;
}

static union item of_truth(bool value)
{
    union item out = {.bytes = {value}};
    return out;
}

static union item integer_item(stria_op op, stria_kind kind, union item a, union item b)
{
    uint64_t u[2];
    const union item wide[] = {converted(a, kind, STRIA_I64), converted(b, kind, STRIA_I64)};
    memcpy(&u[0], wide[0].bytes, 8);
    memcpy(&u[1], wide[1].bytes, 8);
    union item out;
    const bool is_negative = kind <= STRIA_I64 && u[0] >> 63;
    u[0] = of_integers(op, u[0], u[1], is_negative);
    memcpy(out.bytes, &u[0], 8);
    return converted(out, STRIA_U64, kind);
}

/* Rounded once, to f16 and bf16 as good as once. */
static union item function_item(stria_op op, stria_kind kind, union item a)
{
    union item out = {.bytes = {0}};
    const long double y = functions[op]((long double)converted(a, kind, STRIA_F64).alignment);
    const float narrow = (float)y;
    out.alignment = (double)y;
    if (kind == STRIA_F32) memcpy(out.bytes, &narrow, sizeof narrow);
    return kind == STRIA_F32 ? out : converted(out, STRIA_F64, kind);
}

static union item real_item(stria_op op, stria_kind kind, union item a, union item b)
{
    union item out;
    if (functions[op]) return function_item(op, kind, a);
    if (kind == STRIA_F64) {
        const double x = converted(a, kind, STRIA_F64).alignment;
        const double y = converted(b, kind, STRIA_F64).alignment;
        out.alignment = of_f64(op, x, y);
        return out;
    }
    float f[2];
    a = converted(a, kind, STRIA_F32);
    b = converted(b, kind, STRIA_F32);
    memcpy(&f[0], a.bytes, 4);
    memcpy(&f[1], b.bytes, 4);
    f[0] = of_f32(op, f[0], f[1]);
    memcpy(out.bytes, &f[0], 4);
    return converted(out, STRIA_F32, kind);
}

static union item complex_item(stria_op op, stria_kind kind, union item a, union item b)
{
    union item out = {.bytes = {0}};
    if (kind == STRIA_C128) {
        double d[3][2];
        memcpy(d[0], a.bytes, 16);
        memcpy(d[1], b.bytes, 16);
        of_complex(op, d[2], d[0], d[1]);
        if (op == STRIA_ABS) d[2][0] = (double)hypotl((long double)d[0][0], (long double)d[0][1]);
        memcpy(out.bytes, d[2], op == STRIA_ABS ? 8 : 16);
        return out;
    }
    float f[3][2];
    memcpy(f[0], a.bytes, 8);
    memcpy(f[1], b.bytes, 8);
    of_complex_f32(op, f[2], f[0], f[1]);
    if (op == STRIA_ABS) f[2][0] = (float)hypotl((long double)f[0][0], (long double)f[0][1]);
    memcpy(out.bytes, f[2], op == STRIA_ABS ? 4 : 8);
    return out;
}

union item expected_item(stria_op op, stria_kind kernel, const union item *inputs,
                         const stria_kind *kinds)
{
    if (op == STRIA_LESS)
        return of_truth(real_value(inputs[0], kinds[0]) < real_value(inputs[1], kinds[1]));
    if (op == STRIA_WHERE) {
        const bool holds = converted(inputs[0], kinds[0], STRIA_BOOL).bytes[0] != 0;
        return converted(inputs[holds ? 1 : 2], kinds[holds ? 1 : 2], kernel);
    }
    const union item a = converted(inputs[0], kinds[0], kernel);
    const union item b = stria_op_inputs(op) > 1 ? converted(inputs[1], kinds[1], kernel) : a;
    if (kernel == STRIA_BOOL) return of_truth(of_bools(op, a.bytes[0], b.bytes[0]));
    if (is_complex(kernel)) return complex_item(op, kernel, a, b);
    return is_float(kernel) ? real_item(op, kernel, a, b) : integer_item(op, kernel, a, b);
}

/* ---- equality ------------------------------------------------------------------------------- */

static bool same_f64(const char *a, const char *b, int64_t ulps)
{
    int64_t i, j;
    memcpy(&i, a, 8);
    memcpy(&j, b, 8);
    return i == j || ((i < 0) == (j < 0) && llabs(i - j) <= ulps);
}

static bool is_nan(stria_kind kind, const char *bytes)
{
    double value;
    exact_convert(&value, STRIA_F64, bytes, kind, false);
    return value != value;
}

bool same_number(stria_kind kind, union item a, union item b, int64_t ulps)
{
    const int size = stria_dtype_of(kind).itemsize;
    const stria_kind part = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int step = stria_dtype_of(part).itemsize;
    if (kind == STRIA_BOOL) return !a.bytes[0] == !b.bytes[0];
    for (int i = 0; i < size; i += step) {
        if (!memcmp(a.bytes + i, b.bytes + i, (size_t)step)) continue;
        if (part == STRIA_F64 && same_f64(a.bytes + i, b.bytes + i, ulps)) continue;
        if (!is_float(part) || !is_nan(part, a.bytes + i) || !is_nan(part, b.bytes + i))
            return false;
    }
    return true;
}
