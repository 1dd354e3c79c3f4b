/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elementwise ops, one row each. Kernels, promotion, checks and names are generated from these
 * rows. The expression of an op is a case in the file of its group, map_arithmetic.inc and so on.
 * docs/add-an-op.md explains how to add an op.
 */
#ifndef STRIA_SIMD_OPS_H
#define STRIA_SIMD_OPS_H

#include "stria/op.h"

/* The set of dtypes that an op has kernels for; OP_FLOATS are f16, bf16, f32 and f64. */
enum {
    OP_BOOL = 1,
    OP_INTEGERS = 2,
    OP_FLOATS = 4,
    OP_COMPLEX = 8,
    OP_NUMBERS = OP_INTEGERS | OP_FLOATS | OP_COMPLEX,
    /* properties that make some kernels unnecessary: */
    OP_SIGNLESS = 16, /* signed and unsigned integers give the same bits */
    OP_MOVES = 32,    /* items are only moved, so their dtype does not matter */
    OP_COMMUTES = 64  /* f(a, b) is f(b, a) */
};

/*
 * How the dtype of the result follows from the common dtype of the inputs, which is the kernel's.
 */
enum op_result {
    OP_SAME,     /* the common dtype */
    OP_NUMBER,   /* the common dtype, but i8 for bool */
    OP_TRUTH,    /* bool; inputs are compared by value and keep their dtypes */
    OP_TEST,     /* bool */
    OP_LOGIC,    /* bool; inputs of different dtypes are converted to bool first */
    OP_COUNT,    /* u8 */
    OP_REAL,     /* the dtype of the real part */
    OP_ANGLE,    /* as OP_REAL, but integers and bool become floats first */
    OP_FLOATING, /* the common dtype, but integers and bool become floats first */
    OP_QUOTIENT, /* as OP_FLOATING, but with NumPy's rules integers and bool become f64 */
    OP_SCALED,   /* the common dtype; an integer second input (exponent, decimals) does not take
                    part in it */
    OP_WIDE,     /* f64 or c128 */
    OP_CHOICE    /* the common dtype; the first input is bool and does not take part in it */
};

/*
 * NAME(constant, name, inputs, dtypes, result, cycles). `cycles` is the cost of one f32 element on
 * one core with operands in the first-level cache; it decides how many threads an operation is
 * worth.
 */
#include "ops_map.h"

/* The math functions of math/, a family of their own, in groups that are compiled separately. */
#define STRIA_EXPONENTIAL_LIST(NAME)                                                               \
    NAME(STRIA_EXP, exp, 1, OP_FLOATS, OP_FLOATING, 2.0)                                           \
    NAME(STRIA_EXP2, exp2, 1, OP_FLOATS, OP_FLOATING, 4.0)                                         \
    NAME(STRIA_EXP10, exp10, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_EXPM1, expm1, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_LOG, log, 1, OP_FLOATS, OP_FLOATING, 4.0)                                           \
    NAME(STRIA_LOG2, log2, 1, OP_FLOATS, OP_FLOATING, 4.0)                                         \
    NAME(STRIA_LOG10, log10, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_LOG1P, log1p, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_SINH, sinh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                         \
    NAME(STRIA_COSH, cosh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                         \
    NAME(STRIA_TANH, tanh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                         \
    NAME(STRIA_ASINH, asinh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_ACOSH, acosh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_ATANH, atanh, 1, OP_FLOATS, OP_FLOATING, 4.0)                                       \
    NAME(STRIA_SIGMOID, sigmoid, 1, OP_FLOATS, OP_FLOATING, 4.0)

/* Some functions of a group have a short form for most arguments (math.inc). */
#define STRIA_TRIGONOMETRIC_LIST(NAME)                                                             \
    NAME(STRIA_SIN, sin, 1, OP_FLOATS, OP_FLOATING, 4.0)                                           \
    NAME(STRIA_COS, cos, 1, OP_FLOATS, OP_FLOATING, 4.0)                                           \
    NAME(STRIA_TAN, tan, 1, OP_FLOATS, OP_FLOATING, 6.0)                                           \
    NAME(STRIA_RSQRT, rsqrt, 1, OP_FLOATS, OP_FLOATING, 2.0)                                       \
    NAME(STRIA_ASIN, asin, 1, OP_FLOATS, OP_FLOATING, 6.0)                                         \
    NAME(STRIA_ACOS, acos, 1, OP_FLOATS, OP_FLOATING, 6.0)                                         \
    NAME(STRIA_ATAN, atan, 1, OP_FLOATS, OP_FLOATING, 6.0)                                         \
    NAME(STRIA_SINPI, sinpi, 1, OP_FLOATS, OP_FLOATING, 5.0)                                       \
    NAME(STRIA_COSPI, cospi, 1, OP_FLOATS, OP_FLOATING, 5.0)                                       \
    NAME(STRIA_SQRT, sqrt, 1, OP_FLOATS, OP_FLOATING, 1.0)                                         \
    NAME(STRIA_CBRT, cbrt, 1, OP_FLOATS, OP_FLOATING, 5.0)
#define STRIA_SPECIAL_LIST(NAME)                                                                   \
    NAME(STRIA_ERF, erf, 1, OP_FLOATS, OP_FLOATING, 3.0)                                           \
    NAME(STRIA_ERFC, erfc, 1, OP_FLOATS, OP_FLOATING, 5.0)                                         \
    NAME(STRIA_ERFINV, erfinv, 1, OP_FLOATS, OP_FLOATING, 8.0)                                     \
    NAME(STRIA_LGAMMA, lgamma, 1, OP_FLOATS, OP_FLOATING, 15.0)                                    \
    NAME(STRIA_TGAMMA, tgamma, 1, OP_FLOATS, OP_FLOATING, 15.0)                                    \
    NAME(STRIA_POW, pow, 2, OP_INTEGERS | OP_FLOATS, OP_NUMBER, 10.0)                              \
    NAME(STRIA_FLOAT_POWER, float_power, 2, OP_FLOATS, OP_WIDE, 20.0)                              \
    NAME(STRIA_ANGLE, angle, 1, OP_FLOATS, OP_ANGLE, 0.5)                                          \
    NAME(STRIA_ATAN2, atan2, 2, OP_FLOATS, OP_FLOATING, 6.0)                                       \
    NAME(STRIA_HYPOT, hypot, 2, OP_FLOATS, OP_FLOATING, 3.0)                                       \
    NAME(STRIA_LOGADDEXP, logaddexp, 2, OP_FLOATS, OP_FLOATING, 9.0)                               \
    NAME(STRIA_LOGADDEXP2, logaddexp2, 2, OP_FLOATS, OP_FLOATING, 9.0)
#define STRIA_ACTIVATION_LIST(NAME)                                                                \
    NAME(STRIA_SILU, silu, 1, OP_FLOATS, OP_SAME, 4.0)                                             \
    NAME(STRIA_MISH, mish, 1, OP_FLOATS, OP_SAME, 5.0)                                             \
    NAME(STRIA_SELU, selu, 1, OP_FLOATS, OP_SAME, 4.0)                                             \
    NAME(STRIA_GELU, gelu, 1, OP_FLOATS, OP_SAME, 6.0)                                             \
    NAME(STRIA_GELU_TANH, gelu_tanh, 1, OP_FLOATS, OP_SAME, 5.0)                                   \
    NAME(STRIA_LOG_SIGMOID, log_sigmoid, 1, OP_FLOATS, OP_SAME, 5.0)                               \
    NAME(STRIA_LOGIT, logit, 1, OP_FLOATS, OP_FLOATING, 5.0)                                       \
    NAME(STRIA_ELU, elu, 2, OP_FLOATS, OP_SAME, 4.0)                                               \
    NAME(STRIA_CELU, celu, 2, OP_FLOATS, OP_SAME, 5.0)                                             \
    NAME(STRIA_SOFTPLUS, softplus, 2, OP_FLOATS, OP_SAME, 6.0)
#define STRIA_STATISTICS_LIST(NAME)                                                                \
    NAME(STRIA_SINC, sinc, 1, OP_FLOATS, OP_FLOATING, 6.0)                                         \
    NAME(STRIA_ENTR, entr, 1, OP_FLOATS, OP_FLOATING, 5.0)                                         \
    NAME(STRIA_ERFCX, erfcx, 1, OP_FLOATS, OP_FLOATING, 20.0)                                      \
    NAME(STRIA_LOG_NDTR, log_ndtr, 1, OP_FLOATS, OP_FLOATING, 30.0)                                \
    NAME(STRIA_NDTRI, ndtri, 1, OP_FLOATS, OP_FLOATING, 60.0)                                      \
    NAME(STRIA_DIGAMMA, digamma, 1, OP_FLOATS, OP_FLOATING, 30.0)                                  \
    NAME(STRIA_I0, i0, 1, OP_FLOATS, OP_FLOATING, 20.0)                                            \
    NAME(STRIA_I0E, i0e, 1, OP_FLOATS, OP_FLOATING, 20.0)                                          \
    NAME(STRIA_I1, i1, 1, OP_FLOATS, OP_FLOATING, 20.0)                                            \
    NAME(STRIA_I1E, i1e, 1, OP_FLOATS, OP_FLOATING, 20.0)                                          \
    NAME(STRIA_XLOGY, xlogy, 2, OP_FLOATS, OP_FLOATING, 5.0)                                       \
    NAME(STRIA_XLOG1PY, xlog1py, 2, OP_FLOATS, OP_FLOATING, 5.0)

#define STRIA_MATH_LIST(NAME)                                                                      \
    STRIA_EXPONENTIAL_LIST(NAME)                                                                   \
    STRIA_TRIGONOMETRIC_LIST(NAME)                                                                 \
    STRIA_SPECIAL_LIST(NAME)                                                                       \
    STRIA_ACTIVATION_LIST(NAME)                                                                    \
    STRIA_STATISTICS_LIST(NAME)

/* Math ops that also have integer kernels. */
#define STRIA_POWER_LIST(NAME) NAME(STRIA_POW, pow, 2, OP_INTEGERS, OP_NUMBER, 10.0)

#define STRIA_OP_LIST(NAME) STRIA_MAP_LIST(NAME) STRIA_MATH_LIST(NAME)

/* The number of ops before the math functions. */
enum {
#define COUNT_OP(...) +1
    MAP_OPS = 0 STRIA_MAP_LIST(COUNT_OP)
#undef COUNT_OP
};

/* The public enum is written by hand; assertions check that it has these rows in order. */
enum op_row {
#define ROW_OF_OP(constant, name, ...) OP_ROW_##name,
    STRIA_OP_LIST(ROW_OF_OP)
#undef ROW_OF_OP
        OP_ROWS
};
#define SAME_ORDER(constant, name, ...)                                                            \
    _Static_assert((int)constant == (int)OP_ROW_##name,                                            \
                   "stria_op and STRIA_OP_LIST differ: " #name);
STRIA_OP_LIST(SAME_ORDER)
#undef SAME_ORDER
_Static_assert((int)STRIA_OPS == (int)OP_ROWS, "stria_op and STRIA_OP_LIST differ in length");

#endif
