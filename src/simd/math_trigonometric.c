/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: trigonometric functions and roots. */
#include "math_level.h"

#include "math/arc.h"
#include "math/root.h"
#include "math/root_narrow.h"
#include "math/trig.h"

#define MATH_LIST STRIA_TRIGONOMETRIC_LIST
#ifdef HAVE_VF
#define MATH_NARROW_NEAR_LIST(NAME) NAME(, rsqrt, 1, )
#define MATH_NEAR_LIST(NAME)                                                                       \
    NAME(, sin, 1, )                                                                               \
    NAME(, cos, 1, )                                                                               \
    NAME(, tan, 1, )
#else
#define MATH_NEAR_LIST STRIA_TRIGONOMETRIC_NEAR_LIST
#endif
#define MATH_PLAIN_LIST STRIA_TRIGONOMETRIC_PLAIN_LIST
#define MATH_TABLE      TABLE(stria__math_trigonometric_)
#include "math.inc"
