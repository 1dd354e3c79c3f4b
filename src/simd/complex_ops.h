/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ops of mathematics that are also defined for complex numbers. Their kernels are a family of
 * their own, so these ops are listed here and not in op.h: the kernels of real numbers do not
 * depend on them.
 */
#pragma once

#include "ops.h"

/* The lists call NAME(constant, name) for functions of one argument and of two. */
#define STRIA_COMPLEX_OF_ONE(NAME)                                                                 \
    NAME(STRIA_EXP, exp)                                                                           \
    NAME(STRIA_EXPM1, expm1)                                                                       \
    NAME(STRIA_LOG, log)                                                                           \
    NAME(STRIA_LOG2, log2)                                                                         \
    NAME(STRIA_LOG10, log10)                                                                       \
    NAME(STRIA_LOG1P, log1p)                                                                       \
    NAME(STRIA_SINH, sinh)                                                                         \
    NAME(STRIA_COSH, cosh)                                                                         \
    NAME(STRIA_TANH, tanh)                                                                         \
    NAME(STRIA_ASINH, asinh)                                                                       \
    NAME(STRIA_ACOSH, acosh)                                                                       \
    NAME(STRIA_ATANH, atanh)                                                                       \
    NAME(STRIA_SIN, sin)                                                                           \
    NAME(STRIA_COS, cos)                                                                           \
    NAME(STRIA_TAN, tan)                                                                           \
    NAME(STRIA_ASIN, asin)                                                                         \
    NAME(STRIA_ACOS, acos)                                                                         \
    NAME(STRIA_ATAN, atan)                                                                         \
    NAME(STRIA_SQRT, sqrt)
#define STRIA_COMPLEX_OF_TWO(NAME)                                                                 \
    NAME(STRIA_LOGADDEXP, logaddexp)                                                               \
    NAME(STRIA_POW, pow)                                                                           \
    NAME(STRIA_FLOAT_POWER, pow)
/* These functions have one argument and a real result. */
#define STRIA_COMPLEX_TO_REAL(NAME) NAME(STRIA_ANGLE, angle)

#define STRIA_COMPLEX_LIST(NAME)                                                                   \
    STRIA_COMPLEX_OF_ONE(NAME)                                                                     \
    STRIA_COMPLEX_OF_TWO(NAME)                                                                     \
    STRIA_COMPLEX_TO_REAL(NAME)

/* The rows of the kernel table. */
enum complex_row {
#define ROW_OF_COMPLEX(constant, name) COMPLEX_ROW_##constant,
    STRIA_COMPLEX_LIST(ROW_OF_COMPLEX)
#undef ROW_OF_COMPLEX
        COMPLEX_ROWS
};
