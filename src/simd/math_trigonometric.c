/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of trigonometric functions and roots, for one level. */
#include "math_level.h"

#include "math/arc.h"
#include "math/root.h"
#include "math/root_narrow.h"
#include "math/trig.h"

#define MATH_LIST STRIA_TRIGONOMETRIC_LIST
#define NEAR_LIST(NAME)                                                                            \
    NAME(, sin, 1, )                                                                               \
    NAME(, cos, 1, )                                                                               \
    NAME(, tan, 1, )
#define RSQRT_LIST(NAME) NAME(, rsqrt, 1, )
#ifdef HAVE_VF
#define MATH_NARROW_NEAR_LIST RSQRT_LIST
#define MATH_NEAR_LIST        NEAR_LIST
#else
#define MATH_NEAR_LIST(NAME) NEAR_LIST(NAME) RSQRT_LIST(NAME)
#endif
#define MATH_PLAIN_LIST(NAME)                                                                      \
    NAME(, asin, 1, )                                                                              \
    NAME(, acos, 1, )                                                                              \
    NAME(, atan, 1, )                                                                              \
    NAME(, sinpi, 1, )                                                                             \
    NAME(, cospi, 1, )                                                                             \
    NAME(, cbrt, 1, )
/*
 * No root that is inexact in f32 rounds to the middle between two f16 or bf16, which have less than
 * half of its bits.
 */
#define MATH_TWICE_LIST(NAME) NAME(, sqrt, 1, )
#define MATH_ONCE_LIST(NAME)  NEAR_LIST(NAME) RSQRT_LIST(NAME) MATH_PLAIN_LIST(NAME)
#define MATH_TABLE            TABLE(stria__math_trigonometric_)
#include "math.inc"
