/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Activations and special functions in long double, by the C library's functions, where the result
 * has more correct bits than f64: for the others MPFR is needed.
 */
#pragma once

#include <math.h>

/* x / 2 and more: next to 0 what decides how a middle is rounded is less than any format holds. */
static inline long double half_and_more_long(long double x)
{
    return x == 0 ? x : (long double)nextafter((double)(x / 2), (double)INFINITY);
}

static inline long double silu_long(long double x)
{
    if (fabsl(x) < 0x1p-60L) return half_and_more_long(x);
    return isinf(x) && x < 0 ? -0.0L : x / (1 + expl(-x));
}

static inline long double mish_long(long double x)
{
    const long double e = expl(-fabsl(x));
    if (isinf(x)) return x < 0 ? -0.0L : x;
    return x < 0 ? x * (e * (2 + e) / (2 + e * (2 + e)))
                 : x * ((1 + 2 * e) / (1 + 2 * e + 2 * e * e));
}

static inline long double selu_long(long double x)
{
    const long double alpha = 1.6732632423543772848170429916717L,
                      scale = 1.0507009873554804934193349852946L;
    return scale * (x > 0 ? x : alpha * expm1l(x));
}

static inline long double gelu_long(long double x)
{
    if (isinf(x)) return x < 0 ? -0.0L : x;
    if (fabsl(x) < 0x1p-60L) return half_and_more_long(x);
    return 0.5L * x * erfcl(-x * 0.707106781186547524400844362104849039L);
}

static inline long double gelu_tanh_long(long double x)
{
    const long double u = 0.797884560802865355879892119868763737L * (x + 0.044715 * x * x * x);
    if (isinf(x)) return x < 0 ? -0.0L : x;
    if (fabsl(x) < 0x1p-60L) return half_and_more_long(x);
    return x / (1 + expl(-2 * u));
}

static inline long double log_sigmoid_long(long double x)
{
    const long double l = log1pl(expl(-fabsl(x)));
    return x < 0 ? x - l : -l;
}

static inline long double logit_long(long double x)
{
    if (x > 0.25L && x < 0.75L) return log1pl((2 * x - 1) / (1 - x));
    return logl(x) - log1pl(-x);
}

static inline long double entr_long(long double x)
{
    return x == 0 ? 0 : x < 0 ? -(long double)INFINITY : -x * logl(x);
}

static inline long double elu_long(long double x, long double alpha)
{
    return x > 0 ? x : alpha * expm1l(x);
}

static inline long double celu_long(long double x, long double alpha)
{
    return x > 0 ? x : alpha * expm1l(x / alpha);
}

static inline long double softplus_long(long double x, long double beta)
{
    const long double t = x * beta, l = log1pl(expl(-fabsl(t))) / beta;
    return isnan(t) ? t : t > 0 ? x + l : l;
}

static inline long double xlogy_long(long double x, long double y)
{
    return x == 0 && !isnan(y) ? 0 : x * logl(y);
}

static inline long double xlog1py_long(long double x, long double y)
{
    return x == 0 && !isnan(y) ? 0 : x * log1pl(y);
}
