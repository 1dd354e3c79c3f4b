/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: whole quotients of floats and what they leave. */
#include "math_level.h"

#include "math/division.h"

#define MATH_LIST      STRIA_DIVISION_LIST
#define MATH_NEAR_LIST STRIA_DIVISION_LIST
/* The sum of a rest and the divisor is of few bits. */
#define MATH_ODD_LIST(NAME) NAME(, remainder, 2, )
#define MATH_ONCE_LIST(NAME)                                                                       \
    NAME(, floor_divide, 2, )                                                                      \
    NAME(, fmod, 2, )
#define MATH_TABLE TABLE(stria__math_division_)
#include "math.inc"
