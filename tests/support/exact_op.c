/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact_op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

stria_kind exact_op_result(stria_op op, stria_kind kind)
{
    if (op == STRIA_LESS) return STRIA_BOOL;
    if (op == STRIA_ABS) return (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    return kind;
}

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3;
}

static double wide(stria_kind kind, const void *item)
{
    double x;
    exact_convert(&x, STRIA_F64, item, kind, false);
    return x;
}

/* Modulo 2^64: with its sign where the kind has one. */
static uint64_t whole(stria_kind kind, const void *item)
{
    uint64_t u;
    exact_convert(&u, kind == STRIA_U64 ? STRIA_U64 : STRIA_I64, item, kind, false);
    return u;
}

static bool is_less(stria_kind kind, const void *a, const void *b)
{
    const uint64_t x = whole(kind, a), y = whole(kind, b);
    if (is_float(kind)) return wide(kind, a) < wide(kind, b);
    return kind == STRIA_U64 ? x < y : (int64_t)x < (int64_t)y;
}

static void integers(stria_op op, stria_kind kind, void *out, const void *a, const void *b)
{
    const uint64_t x = whole(kind, a), y = b ? whole(kind, b) : 0;
    const bool negative = kind != STRIA_U64 && (int64_t)x < 0;
    const uint64_t u = op == STRIA_ADD        ? x + y
                       : op == STRIA_SUBTRACT ? x - y
                       : op == STRIA_MULTIPLY ? x * y
                       : negative             ? 0 - x
                                              : x;
    exact_convert(out, kind, &u, STRIA_U64, true);
}

static void bools(stria_op op, void *out, const char *a, const char *b)
{
    *(char *)out = op == STRIA_ADD ? *a || *b : op == STRIA_MULTIPLY ? *a && *b : *a != 0;
}

static double of_two(stria_op op, double x, double y)
{
    return op == STRIA_ADD        ? x + y
           : op == STRIA_SUBTRACT ? x - y
           : op == STRIA_MULTIPLY ? x * y
                                  : copysign(x, 1);
}

static void floats(stria_op op, stria_kind kind, void *out, const void *a, const void *b)
{
    const double result = of_two(op, wide(kind, a), b ? wide(kind, b) : 0);
    exact_convert(out, kind, &result, STRIA_F64, false);
}

static void magnitude(stria_kind real, void *out, const char *a)
{
    const double re = wide(real, a), im = wide(real, a + stria_dtype_of(real).itemsize);
    const long double length = hypotl((long double)re, (long double)im);
    if (real == STRIA_F64)
        memcpy(out, &(double){(double)length}, sizeof(double));
    else
        memcpy(out, &(float){(float)length}, sizeof(float));
}

/* Every product and every sum is rounded to the real dtype. */
static void complex_product(stria_kind real, char *out, const char *a, const char *b)
{
    const int32_t half = stria_dtype_of(real).itemsize;
    char p[8], q[8];
    floats(STRIA_MULTIPLY, real, p, a, b);
    floats(STRIA_MULTIPLY, real, q, a + half, b + half);
    floats(STRIA_SUBTRACT, real, out, p, q);
    floats(STRIA_MULTIPLY, real, p, a, b + half);
    floats(STRIA_MULTIPLY, real, q, a + half, b);
    floats(STRIA_ADD, real, out + half, p, q);
}

static void complexes(stria_op op, stria_kind kind, char *out, const char *a, const char *b)
{
    const stria_kind real = (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
    const int32_t half = stria_dtype_of(real).itemsize;
    if (op == STRIA_ABS) {
        magnitude(real, out, a);
    } else if (op == STRIA_MULTIPLY) {
        complex_product(real, out, a, b);
    } else {
        floats(op, real, out, a, b);
        floats(op, real, out + half, a + half, b + half);
    }
}

void exact_op(stria_op op, stria_kind kind, void *out, const void *condition, const void *a,
              const void *b)
{
    if (op == STRIA_EXP) abort();
    if (op == STRIA_LESS)
        *(char *)out = is_less(kind, a, b);
    else if (op == STRIA_WHERE && kind == STRIA_BOOL)
        *(char *)out = *(const char *)(*(const char *)condition ? a : b) != 0;
    else if (op == STRIA_WHERE)
        memcpy(out, *(const char *)condition ? a : b, (size_t)stria_dtype_of(kind).itemsize);
    else if (kind == STRIA_BOOL)
        bools(op, out, a, b);
    else if (stria_dtype_is_complex(stria_dtype_of(kind)))
        complexes(op, kind, out, a, b);
    else if (is_float(kind))
        floats(op, kind, out, a, b);
    else
        integers(op, kind, out, a, b);
}

static bool parts_agree(stria_kind real, double units, const void *got, const void *wanted)
{
    const double x = wide(real, got), y = wide(real, wanted);
    if (memcmp(got, wanted, (size_t)stria_dtype_of(real).itemsize) == 0) return true;
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    /* A unit of an f64 beside y, which is at most twice as large as one of y. */
    return units > 0 && isfinite(x) && isfinite(y) &&
           fabs(x - y) <= units * (nextafter(y, INFINITY) - y);
}

bool exact_op_agrees(stria_op op, stria_kind kind, const void *got, const void *wanted)
{
    const stria_dtype out = stria_dtype_of(exact_op_result(op, kind)), real = stria_dtype_real(out);
    const double units = op == STRIA_ABS && kind == STRIA_C128 ? 1.5 : 0;
    const bool exact = !is_float((stria_kind)real.kind) || op == STRIA_WHERE;
    if (exact) return memcmp(got, wanted, (size_t)out.itemsize) == 0;
    for (int32_t part = 0; part < out.itemsize; part += real.itemsize)
        if (!parts_agree((stria_kind)real.kind, units, (const char *)got + part,
                         (const char *)wanted + part))
            return false;
    return true;
}
