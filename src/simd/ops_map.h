/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of the ops that take a few instructions. Their groups are compiled separately
 * (map_arithmetic.c and so on), because compiling all of them for one level takes minutes. See
 * ops.h.
 */
#ifndef STRIA_SIMD_OPS_MAP_H
#define STRIA_SIMD_OPS_MAP_H

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
    NAME(STRIA_LOGICAL_AND, logical_and, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES,       \
         OP_LOGIC, 0.2)                                                                            \
    NAME(STRIA_LOGICAL_OR, logical_or, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES,         \
         OP_LOGIC, 0.2)                                                                            \
    NAME(STRIA_LOGICAL_XOR, logical_xor, 2, OP_BOOL | OP_INTEGERS | OP_FLOATS | OP_COMMUTES,       \
         OP_LOGIC, 0.2)                                                                            \
    NAME(STRIA_LOGICAL_NOT, logical_not, 1, OP_BOOL | OP_INTEGERS | OP_FLOATS, OP_LOGIC, 0.2)      \
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

/* The integer kernels of these ops; the float kernels are math functions. */
#define STRIA_WHOLE_DIVISION_LIST(NAME)                                                            \
    NAME(STRIA_FLOOR_DIVIDE, floor_divide, 2, OP_INTEGERS, OP_NUMBER, 4)                           \
    NAME(STRIA_REMAINDER, remainder, 2, OP_INTEGERS, OP_NUMBER, 4)                                 \
    NAME(STRIA_FMOD, fmod, 2, OP_INTEGERS, OP_NUMBER, 4)

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

#endif
