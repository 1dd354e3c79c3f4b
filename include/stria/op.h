/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elementwise operations, one row each: NAME(constant, name, inputs, dtypes, result, cycles).
 * The meaning of an operation stands at its function, stria_NAME, in elementwise.h, mathematics.h
 * or activation.h; the constant is its number, for stria_elementwise and its like, which stands in
 * the enum below: a new row takes the next free one there, wherever the row stands. The functions,
 * the kernels and their checks, and the tests are made from these rows.
 *
 * `dtypes` are those that the operation has loops for, OP_BOOL, OP_INTEGERS, OP_FLOATS and
 * OP_COMPLEX, and `result` tells how the dtype of the result follows from them; docs/elementwise.md
 * has both in words, and src/simd/ops.h defines them, beside properties of loops. `cycles` are the
 * library's guess of the cost of an f32. Who makes tables of their own from the rows, bindings for
 * example, takes the first three columns.
 */
#ifndef STRIA_OP_H
#define STRIA_OP_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The groups whose loops are compiled together: first those of a few instructions. */
#define STRIA_ARITHMETIC_LIST(NAME)                                                                \
    NAME(STRIA_ADD, add, 2, OP_BOOL | OP_NUMBERS | OP_SIGNLESS | OP_COMMUTES, OP_SAME, 0.2)        \
    NAME(STRIA_SUBTRACT, subtract, 2, OP_NUMBERS | OP_SIGNLESS, OP_SAME, 0.2)                      \
    NAME(STRIA_MULTIPLY, multiply, 2, OP_BOOL | OP_NUMBERS | OP_SIGNLESS | OP_COMMUTES, OP_SAME,   \
         0.2)                                                                                      \
    NAME(STRIA_DIVIDE, divide, 2, OP_FLOATS | OP_COMPLEX, OP_QUOTIENT, 0.7)                        \
    NAME(STRIA_WHERE, where, 3, OP_BOOL | OP_NUMBERS | OP_MOVES, OP_CHOICE, 0.2)                   \
    NAME(STRIA_ABS, abs, 1, OP_BOOL | OP_NUMBERS, OP_REAL, 0.2)                                    \
    NAME(STRIA_FABS, fabs, 1, OP_FLOATS, OP_FLOATING, 0.2)                                         \
    NAME(STRIA_NEGATIVE, negative, 1, OP_NUMBERS | OP_SIGNLESS, OP_SAME, 0.2)                      \
    NAME(STRIA_POSITIVE, positive, 1, OP_NUMBERS | OP_MOVES, OP_SAME, 0.2)                         \
    NAME(STRIA_SIGN, sign, 1, OP_NUMBERS, OP_SAME, 0.2)                                            \
    NAME(STRIA_SQUARE, square, 1, OP_NUMBERS | OP_SIGNLESS, OP_NUMBER, 0.2)                        \
    NAME(STRIA_RECIPROCAL, reciprocal, 1, OP_FLOATS | OP_COMPLEX, OP_FLOATING, 0.7)                \
    NAME(STRIA_COPYSIGN, copysign, 2, OP_FLOATS, OP_FLOATING, 0.2)                                 \
    NAME(STRIA_HEAVISIDE, heaviside, 2, OP_FLOATS, OP_FLOATING, 0.2)                               \
    NAME(STRIA_LERP, lerp, 3, OP_FLOATS, OP_SAME, 0.5)                                             \
    NAME(STRIA_ADDCMUL, addcmul, 3, OP_NUMBERS | OP_SIGNLESS, OP_NUMBER, 0.3)                      \
    NAME(STRIA_ADDCDIV, addcdiv, 3, OP_FLOATS | OP_COMPLEX, OP_SAME, 0.8)                          \
    NAME(STRIA_DEGREES, degrees, 1, OP_FLOATS, OP_FLOATING, 0.2)                                   \
    NAME(STRIA_RADIANS, radians, 1, OP_FLOATS, OP_FLOATING, 0.2)

#define STRIA_COMPARISON_LIST(NAME)                                                                \
    NAME(STRIA_LESS, less, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_TRUTH, 0.2)                    \
    NAME(STRIA_LESS_EQUAL, less_equal, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_TRUTH, 0.2)        \
    NAME(STRIA_GREATER, greater, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_TRUTH, 0.2)              \
    NAME(STRIA_GREATER_EQUAL, greater_equal, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_TRUTH, 0.2)  \
    NAME(STRIA_EQUAL, equal, 2, OP_BOOL | OP_NUMBERS | OP_SIGNLESS | OP_COMMUTES, OP_TRUTH, 0.2)   \
    NAME(STRIA_NOT_EQUAL, not_equal, 2, OP_BOOL | OP_NUMBERS | OP_SIGNLESS | OP_COMMUTES,          \
         OP_TRUTH, 0.2)                                                                            \
    NAME(STRIA_LOGICAL_AND, logical_and, 2,                                                        \
         OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS | OP_COMMUTES, OP_LOGIC, 0.2)             \
    NAME(STRIA_LOGICAL_OR, logical_or, 2,                                                          \
         OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS | OP_COMMUTES, OP_LOGIC, 0.2)             \
    NAME(STRIA_LOGICAL_XOR, logical_xor, 2,                                                        \
         OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS | OP_COMMUTES, OP_LOGIC, 0.2)             \
    NAME(STRIA_LOGICAL_NOT, logical_not, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS,       \
         OP_LOGIC, 0.2)                                                                            \
    NAME(STRIA_ISNAN, isnan, 1, OP_BOOL | OP_NUMBERS | OP_SIGNLESS, OP_TEST, 0.2)                  \
    NAME(STRIA_ISINF, isinf, 1, OP_BOOL | OP_NUMBERS | OP_SIGNLESS, OP_TEST, 0.2)                  \
    NAME(STRIA_ISFINITE, isfinite, 1, OP_BOOL | OP_NUMBERS | OP_SIGNLESS, OP_TEST, 0.2)            \
    NAME(STRIA_ISPOSINF, isposinf, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_TEST,    \
         0.2)                                                                                      \
    NAME(STRIA_ISNEGINF, isneginf, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_TEST,    \
         0.2)                                                                                      \
    NAME(STRIA_SIGNBIT, signbit, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_TEST, 0.2)

#define STRIA_INTEGER_LIST(NAME)                                                                   \
    NAME(STRIA_BITWISE_AND, bitwise_and, 2, OP_BOOL | OP_INTEGERS | OP_SIGNLESS | OP_COMMUTES,     \
         OP_SAME, 0.2)                                                                             \
    NAME(STRIA_BITWISE_OR, bitwise_or, 2, OP_BOOL | OP_INTEGERS | OP_SIGNLESS | OP_COMMUTES,       \
         OP_SAME, 0.2)                                                                             \
    NAME(STRIA_BITWISE_XOR, bitwise_xor, 2, OP_BOOL | OP_INTEGERS | OP_SIGNLESS | OP_COMMUTES,     \
         OP_SAME, 0.2)                                                                             \
    NAME(STRIA_BITWISE_NOT, bitwise_not, 1, OP_BOOL | OP_INTEGERS | OP_SIGNLESS, OP_SAME, 0.2)     \
    NAME(STRIA_LEFT_SHIFT, left_shift, 2, OP_INTEGERS | OP_SIGNLESS, OP_NUMBER, 0.4)               \
    NAME(STRIA_RIGHT_SHIFT, right_shift, 2, OP_INTEGERS, OP_NUMBER, 0.4)                           \
    NAME(STRIA_BITWISE_COUNT, bitwise_count, 1, OP_INTEGERS, OP_COUNT, 0.5)                        \
    NAME(STRIA_GCD, gcd, 2, OP_INTEGERS | OP_COMMUTES, OP_NUMBER, 50)                              \
    NAME(STRIA_LCM, lcm, 2, OP_INTEGERS | OP_COMMUTES, OP_NUMBER, 60)

#define STRIA_DIVISION_LIST(NAME)                                                                  \
    NAME(STRIA_FLOOR_DIVIDE, floor_divide, 2, OP_INTEGERS | OP_FLOATS, OP_NUMBER, 4)               \
    NAME(STRIA_REMAINDER, remainder, 2, OP_INTEGERS | OP_FLOATS, OP_NUMBER, 4)                     \
    NAME(STRIA_FMOD, fmod, 2, OP_INTEGERS | OP_FLOATS, OP_NUMBER, 4)

#define STRIA_ROUNDING_LIST(NAME)                                                                  \
    NAME(STRIA_FLOOR, floor, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_SAME, 0.2)     \
    NAME(STRIA_CEIL, ceil, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_SAME, 0.2)       \
    NAME(STRIA_TRUNC, trunc, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_SAME, 0.2)     \
    NAME(STRIA_FIX, fix, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_SIGNLESS, OP_SAME, 0.2)         \
    NAME(STRIA_ROUND, round, 1, OP_BOOL | OP_NUMBERS | OP_SIGNLESS, OP_SAME, 0.2)                  \
    NAME(STRIA_RINT, rint, 1, OP_FLOATS | OP_COMPLEX, OP_FLOATING, 0.2)                            \
    NAME(STRIA_FRAC, frac, 1, OP_FLOATS, OP_SAME, 0.2)

#define STRIA_CHOICE_LIST(NAME)                                                                    \
    NAME(STRIA_MAXIMUM, maximum, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES, OP_SAME, 0.3) \
    NAME(STRIA_MINIMUM, minimum, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES, OP_SAME, 0.3) \
    NAME(STRIA_FMAX, fmax, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES, OP_SAME, 0.3)       \
    NAME(STRIA_FMIN, fmin, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES, OP_SAME, 0.3)       \
    NAME(STRIA_CLIP, clip, 3, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_SAME, 0.4)                     \
    NAME(STRIA_RELU, relu, 1, OP_INTEGERS | OP_FLOATS, OP_SAME, 0.2)                               \
    NAME(STRIA_RELU6, relu6, 1, OP_INTEGERS | OP_FLOATS, OP_SAME, 0.3)                             \
    NAME(STRIA_LEAKY_RELU, leaky_relu, 2, OP_FLOATS, OP_SAME, 0.3)                                 \
    NAME(STRIA_HARDSIGMOID, hardsigmoid, 1, OP_FLOATS, OP_SAME, 0.8)                               \
    NAME(STRIA_HARDSWISH, hardswish, 1, OP_FLOATS, OP_SAME, 0.8)                                   \
    NAME(STRIA_HARDSHRINK, hardshrink, 2, OP_FLOATS, OP_SAME, 0.3)                                 \
    NAME(STRIA_SOFTSHRINK, softshrink, 2, OP_FLOATS, OP_SAME, 0.3)                                 \
    NAME(STRIA_THRESHOLD, threshold, 3, OP_INTEGERS | OP_FLOATS, OP_SAME, 0.3)

#define STRIA_SCALING_LIST(NAME)                                                                   \
    NAME(STRIA_LDEXP, ldexp, 2, OP_FLOATS, OP_SCALED, 0.5)                                         \
    NAME(STRIA_FMA, fma, 3, OP_FLOATS, OP_SAME, 1.0)                                               \
    NAME(STRIA_ROUND_DECIMALS, round_decimals, 2, OP_INTEGERS | OP_FLOATS, OP_SCALED, 20)

#define STRIA_NEIGHBOUR_LIST(NAME)                                                                 \
    NAME(STRIA_NEXTAFTER, nextafter, 2, OP_FLOATS, OP_FLOATING, 0.5)                               \
    NAME(STRIA_SPACING, spacing, 1, OP_FLOATS, OP_FLOATING, 0.5)

#define STRIA_MAP_LIST(NAME)                                                                       \
    STRIA_ARITHMETIC_LIST(NAME)                                                                    \
    STRIA_COMPARISON_LIST(NAME)                                                                    \
    STRIA_INTEGER_LIST(NAME)                                                                       \
    STRIA_DIVISION_LIST(NAME)                                                                      \
    STRIA_ROUNDING_LIST(NAME)                                                                      \
    STRIA_CHOICE_LIST(NAME)                                                                        \
    STRIA_SCALING_LIST(NAME)                                                                       \
    STRIA_NEIGHBOUR_LIST(NAME)

/* Functions of mathematics. */
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

#define STRIA_OP_LIST(NAME) STRIA_MAP_LIST(NAME) STRIA_MATH_LIST(NAME)

typedef enum stria_op {
    STRIA_ADD = 0,
    STRIA_SUBTRACT = 1,
    STRIA_MULTIPLY = 2,
    STRIA_DIVIDE = 3,
    STRIA_WHERE = 4,
    STRIA_ABS = 5,
    STRIA_FABS = 6,
    STRIA_NEGATIVE = 7,
    STRIA_POSITIVE = 8,
    STRIA_SIGN = 9,
    STRIA_SQUARE = 10,
    STRIA_RECIPROCAL = 11,
    STRIA_COPYSIGN = 12,
    STRIA_HEAVISIDE = 13,
    STRIA_LERP = 14,
    STRIA_ADDCMUL = 15,
    STRIA_ADDCDIV = 16,
    STRIA_DEGREES = 17,
    STRIA_RADIANS = 18,
    STRIA_LESS = 19,
    STRIA_LESS_EQUAL = 20,
    STRIA_GREATER = 21,
    STRIA_GREATER_EQUAL = 22,
    STRIA_EQUAL = 23,
    STRIA_NOT_EQUAL = 24,
    STRIA_LOGICAL_AND = 25,
    STRIA_LOGICAL_OR = 26,
    STRIA_LOGICAL_XOR = 27,
    STRIA_LOGICAL_NOT = 28,
    STRIA_ISNAN = 29,
    STRIA_ISINF = 30,
    STRIA_ISFINITE = 31,
    STRIA_ISPOSINF = 32,
    STRIA_ISNEGINF = 33,
    STRIA_SIGNBIT = 34,
    STRIA_BITWISE_AND = 35,
    STRIA_BITWISE_OR = 36,
    STRIA_BITWISE_XOR = 37,
    STRIA_BITWISE_NOT = 38,
    STRIA_LEFT_SHIFT = 39,
    STRIA_RIGHT_SHIFT = 40,
    STRIA_BITWISE_COUNT = 41,
    STRIA_GCD = 42,
    STRIA_LCM = 43,
    STRIA_FLOOR_DIVIDE = 44,
    STRIA_REMAINDER = 45,
    STRIA_FMOD = 46,
    STRIA_FLOOR = 47,
    STRIA_CEIL = 48,
    STRIA_TRUNC = 49,
    STRIA_FIX = 50,
    STRIA_ROUND = 51,
    STRIA_RINT = 52,
    STRIA_FRAC = 53,
    STRIA_MAXIMUM = 54,
    STRIA_MINIMUM = 55,
    STRIA_FMAX = 56,
    STRIA_FMIN = 57,
    STRIA_CLIP = 58,
    STRIA_RELU = 59,
    STRIA_RELU6 = 60,
    STRIA_LEAKY_RELU = 61,
    STRIA_HARDSIGMOID = 62,
    STRIA_HARDSWISH = 63,
    STRIA_HARDSHRINK = 64,
    STRIA_SOFTSHRINK = 65,
    STRIA_THRESHOLD = 66,
    STRIA_LDEXP = 67,
    STRIA_FMA = 68,
    STRIA_ROUND_DECIMALS = 69,
    STRIA_NEXTAFTER = 70,
    STRIA_SPACING = 71,
    STRIA_EXP = 72,
    STRIA_EXP2 = 73,
    STRIA_EXP10 = 74,
    STRIA_EXPM1 = 75,
    STRIA_LOG = 76,
    STRIA_LOG2 = 77,
    STRIA_LOG10 = 78,
    STRIA_LOG1P = 79,
    STRIA_SINH = 80,
    STRIA_COSH = 81,
    STRIA_TANH = 82,
    STRIA_ASINH = 83,
    STRIA_ACOSH = 84,
    STRIA_ATANH = 85,
    STRIA_SIGMOID = 86,
    STRIA_SIN = 87,
    STRIA_COS = 88,
    STRIA_TAN = 89,
    STRIA_RSQRT = 90,
    STRIA_ASIN = 91,
    STRIA_ACOS = 92,
    STRIA_ATAN = 93,
    STRIA_SINPI = 94,
    STRIA_COSPI = 95,
    STRIA_SQRT = 96,
    STRIA_CBRT = 97,
    STRIA_ERF = 98,
    STRIA_ERFC = 99,
    STRIA_ERFINV = 100,
    STRIA_LGAMMA = 101,
    STRIA_TGAMMA = 102,
    STRIA_POW = 103,
    STRIA_FLOAT_POWER = 104,
    STRIA_ANGLE = 105,
    STRIA_ATAN2 = 106,
    STRIA_HYPOT = 107,
    STRIA_LOGADDEXP = 108,
    STRIA_LOGADDEXP2 = 109,
    STRIA_SILU = 110,
    STRIA_MISH = 111,
    STRIA_SELU = 112,
    STRIA_GELU = 113,
    STRIA_GELU_TANH = 114,
    STRIA_LOG_SIGMOID = 115,
    STRIA_LOGIT = 116,
    STRIA_ELU = 117,
    STRIA_CELU = 118,
    STRIA_SOFTPLUS = 119,
    STRIA_SINC = 120,
    STRIA_ENTR = 121,
    STRIA_ERFCX = 122,
    STRIA_LOG_NDTR = 123,
    STRIA_NDTRI = 124,
    STRIA_DIGAMMA = 125,
    STRIA_I0 = 126,
    STRIA_I0E = 127,
    STRIA_I1 = 128,
    STRIA_I1E = 129,
    STRIA_XLOGY = 130,
    STRIA_XLOG1PY = 131
} stria_op;

/* The inputs of functions that are made from rows. */
#define STRIA_NEW_OF_1 const stria_view *a
#define STRIA_NEW_OF_2 const stria_view *a, const stria_view *b
#define STRIA_NEW_OF_3 const stria_view *a, const stria_view *b, const stria_view *c

#define STRIA_OPS           132 /* how many this header has; a newer library may have more */
#define STRIA_ONE_MORE(...) +1
STRIA_ASSERT(each_operation_has_a_number, STRIA_OPS == 0 STRIA_OP_LIST(STRIA_ONE_MORE));
#undef STRIA_ONE_MORE

/* Returns how many operations there are; they are numbered from 0. */
STRIA_API int stria_op_count(void);
/* The name of an operation ("add", "where", ...): static text; NULL for an unknown one. */
STRIA_API const char *stria_op_name(stria_op op);
/* Returns the number of inputs of an operation, 1 to 3; 0 for an unknown one. */
STRIA_API int stria_op_inputs(stria_op op);

#ifdef __cplusplus
}
#endif

#endif
