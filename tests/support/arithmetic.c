/* SPDX-License-Identifier: BSD-3-Clause */
/* See arithmetic.h. */
#include "support/arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/definitions.h"
#include "support/erfinv.h"
#include "support/exact.h"
#include "support/special_long.h"

static union item converted(union item a, stria_kind from, stria_kind to)
{
    union item out = {.bytes = {0}};
    exact_convert(out.bytes, to, a.bytes, from, false);
    return out;
}

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static long double exp10_of(long double x)
{
    return powl(10, x);
}

static long double sigmoid_of(long double x)
{
    return 1 / (1 + expl(-x));
}

/* Returns sin(pi x) with x reduced exactly; x is an f64 of any magnitude. */
static long double sinpi_l(long double x)
{
    const long double pi = 3.14159265358979323846264338327950288L, turn = remainderl(x, 2);
    const long double rest = turn > 0.5L ? 1 - turn : turn < -0.5L ? -1 - turn : turn;
    return rest == 0 ? copysignl(0, x) : sinl(pi * rest);
}

static long double cospi_l(long double x)
{
    const long double from_zero = 0.5L - fabsl(remainderl(x, 2));
    return from_zero == 0 ? 0 : sinpi_l(from_zero);
}

static long double rsqrt_l(long double x)
{
    return 1 / sqrtl(x);
}

/* Functions of mathematics, to more bits than f64 has; NULL for other ops. */
static long double (*const functions[STRIA_OPS])(long double) = {
    [STRIA_EXP] = expl,
    [STRIA_EXP2] = exp2l,
    [STRIA_EXP10] = exp10_of,
    [STRIA_EXPM1] = expm1l,
    [STRIA_LOG] = logl,
    [STRIA_LOG2] = log2l,
    [STRIA_LOG10] = log10l,
    [STRIA_LOG1P] = log1pl,
    [STRIA_SINH] = sinhl,
    [STRIA_COSH] = coshl,
    [STRIA_TANH] = tanhl,
    [STRIA_ASINH] = asinhl,
    [STRIA_ACOSH] = acoshl,
    [STRIA_ATANH] = atanhl,
    [STRIA_SIGMOID] = sigmoid_of,
    [STRIA_SIN] = sinl,
    [STRIA_COS] = cosl,
    [STRIA_TAN] = tanl,
    [STRIA_SINPI] = sinpi_l,
    [STRIA_COSPI] = cospi_l,
    [STRIA_ASIN] = asinl,
    [STRIA_ACOS] = acosl,
    [STRIA_ATAN] = atanl,
    [STRIA_SQRT] = sqrtl,
    [STRIA_RSQRT] = rsqrt_l,
    [STRIA_CBRT] = cbrtl,
    [STRIA_ERF] = erfl,
    [STRIA_ERFC] = erfcl,
    [STRIA_ERFINV] = erfinv_long,
    [STRIA_LGAMMA] = lgammal,
    [STRIA_TGAMMA] = tgammal,
    [STRIA_SILU] = silu_long,
    [STRIA_MISH] = mish_long,
    [STRIA_SELU] = selu_long,
    [STRIA_GELU] = gelu_long,
    [STRIA_GELU_TANH] = gelu_tanh_long,
    [STRIA_LOG_SIGMOID] = log_sigmoid_long,
    [STRIA_LOGIT] = logit_long,
    [STRIA_ENTR] = entr_long,
};

/* Returns log(e^x + e^y) by a base, whose natural logarithm is given. */
static long double log_of_sum(long double x, long double y, long double log_b)
{
    const long double apart = x == y ? 0 : fabsl(x - y);
    if (isnan(x) || isnan(y)) return x + y;
    return fmaxl(x, y) + log1pl(expl(-apart * log_b)) / log_b;
}

static long double logaddexp_long(long double x, long double y)
{
    return log_of_sum(x, y, 1);
}

static long double logaddexp2_long(long double x, long double y)
{
    return log_of_sum(x, y, 0.693147180559945309417232121458176568L);
}

/* Functions of two arguments. */
static long double (*const functions_of_two[STRIA_OPS])(long double, long double) = {
    [STRIA_POW] = powl,
    [STRIA_FLOAT_POWER] = powl,
    [STRIA_ELU] = elu_long,
    [STRIA_CELU] = celu_long,
    [STRIA_SOFTPLUS] = softplus_long,
    [STRIA_XLOGY] = xlogy_long,
    [STRIA_XLOG1PY] = xlog1py_long,
    [STRIA_ATAN2] = atan2l,
    [STRIA_HYPOT] = hypotl,
    [STRIA_LOGADDEXP] = logaddexp_long,
    [STRIA_LOGADDEXP2] = logaddexp2_long,
};

/* ---- one element ---------------------------------------------------------------------------- */

/*
 * Splits the value of a real item into multiples of 2^32 and the rest, both towards zero: exact for
 * i64, u64 and f64, where not every machine has a long double that holds them all.
 */
static void split_value(double out[2], union item a, stria_kind kind)
{
    const double unit = 4294967296.0;
    if (kind == STRIA_U64 || kind == STRIA_BOOL || (kind >= STRIA_U8 && kind <= STRIA_U32)) {
        const union item wide = converted(a, kind, STRIA_U64);
        uint64_t u;
        memcpy(&u, wide.bytes, sizeof u);
        out[0] = (double)(u >> 32);
        out[1] = (double)(u & UINT32_MAX);
    } else if (is_float(kind)) {
        const double x = converted(a, kind, STRIA_F64).alignment;
        out[0] = trunc(x / unit);
        out[1] = isfinite(x) ? fmod(x, unit) : 0;
    } else {
        const union item wide = converted(a, kind, STRIA_I64);
        int64_t i;
        memcpy(&i, wide.bytes, sizeof i);
        out[0] = (double)(i / ((int64_t)1 << 32));
        out[1] = (double)(i % ((int64_t)1 << 32));
    }
}

static union item of_truth(bool value)
{
    union item out = {.bytes = {value}};
    return out;
}

/* Returns the function's value rounded once; for f16 and bf16 it is rounded to f64 first, which
 * hardly ever matters. */
static union item function_item(stria_op op, stria_kind kind, union item a, union item b)
{
    union item out = {.bytes = {0}};
    const long double first = (long double)converted(a, kind, STRIA_F64).alignment;
    const long double second = (long double)converted(b, kind, STRIA_F64).alignment;
    const long double y =
        functions[op] ? functions[op](first) : functions_of_two[op](first, second);
    const float narrow = (float)y;
    out.alignment = (double)y;
    if (kind == STRIA_F32) memcpy(out.bytes, &narrow, sizeof narrow);
    return kind == STRIA_F32 ? out : converted(out, STRIA_F64, kind);
}

/* Sets `out` to the real part of a number, split, and to its imaginary part. */
static void parts_of(double out[3], union item a, stria_kind kind)
{
    out[2] = 0;
    if (!is_complex(kind)) {
        split_value(out, a, kind);
        return;
    }
    union item part = {{0}};
    const union item wide = converted(a, kind, STRIA_C128);
    memcpy(&part.alignment, wide.bytes, sizeof part.alignment);
    memcpy(&out[2], wide.bytes + sizeof part.alignment, sizeof out[2]);
    split_value(out, part, STRIA_F64);
}

static bool compared(stria_op op, const union item *inputs, const stria_kind *kinds)
{
    double a[3], b[3];
    parts_of(a, inputs[0], kinds[0]);
    parts_of(b, inputs[1], kinds[1]);
    /* Real parts alone have an order. */
    const bool same = a[0] == b[0] && a[1] == b[1];
    const bool less = a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
    const bool greater = a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]);
    switch (op) {
    case STRIA_LESS: return less;
    case STRIA_LESS_EQUAL: return less || same;
    case STRIA_GREATER: return greater;
    case STRIA_GREATER_EQUAL: return greater || same;
    case STRIA_EQUAL: return same && a[2] == b[2];
    default: return !same || a[2] != b[2];
    }
}

bool op_is_defined(stria_op op, stria_kind kernel)
{
    const bool mathematics = op >= STRIA_EXP;
    if (op == STRIA_POW) return is_float(kernel); /* integers refuse negative exponents */
    /* their operands have two dtypes */
    if (op == STRIA_LDEXP || op == STRIA_ROUND_DECIMALS) return false;
    return !mathematics ||
           (!is_complex(kernel) && (functions[op] != NULL || functions_of_two[op] != NULL));
}

bool op_compares(stria_op op)
{
    return op >= STRIA_LESS && op <= STRIA_NOT_EQUAL;
}

bool op_is_logic(stria_op op)
{
    return op >= STRIA_LOGICAL_AND && op <= STRIA_LOGICAL_NOT;
}

stria_kind result_kind(stria_op op, stria_kind kernel)
{
    return op_compares(op) || op_is_logic(op) ? STRIA_BOOL : defined_kind(op, kernel);
}

union item expected_item(stria_op op, stria_kind kernel, const union item *inputs,
                         const stria_kind *kinds)
{
    union item in[3] = {{.bytes = {0}}};
    if (op_compares(op)) return of_truth(compared(op, inputs, kinds));
    if (op_is_logic(op)) kernel = STRIA_BOOL;
    if (op == STRIA_WHERE) {
        const bool holds = converted(inputs[0], kinds[0], STRIA_BOOL).bytes[0] != 0;
        return converted(inputs[holds ? 1 : 2], kinds[holds ? 1 : 2], kernel);
    }
    for (int k = 0; k < stria_op_inputs(op); k++)
        in[k] = converted(inputs[k], kinds[k], kernel);
    /* integers and bools: the definition has their powers */
    const bool whole = kernel <= STRIA_U64;
    return !whole && (functions[op] || functions_of_two[op])
               ? function_item(op, kernel, in[0], in[1])
               : defined_item(op, kernel, in);
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
