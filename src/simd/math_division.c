/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of floor division and remainders of floats, for one level. */
#include "math_level.h"

#include "math/division.h"

#define MATH_LIST      STRIA_DIVISION_LIST
#define MATH_NEAR_LIST STRIA_DIVISION_LIST
/* The sum of a remainder and the divisor has few bits, so it is often half way. */
#define MATH_ODD_LIST(NAME) NAME(, remainder, 2, )
#define MATH_ONCE_LIST(NAME)                                                                       \
    NAME(, floor_divide, 2, )                                                                      \
    NAME(, fmod, 2, )
#define MATH_TABLE TABLE(stria__math_division_)
#include "math.inc"
