/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of error and gamma functions and of functions of two arguments, for one level. */
#include "math_level.h"

#include "math/erfinv_short.h"
#include "math/error_function.h"
#include "math/gamma.h"
#include "math/plane.h"
#include "math/plane_narrow.h"
#include "math/power.h"

#define MATH_LIST             STRIA_SPECIAL_LIST
#define MATH_SHORT_LIST(NAME) NAME(, erfinv, 1, )
#define MATH_OWN_ROWS         "power_rows.inc"
#define MATH_NEAR_LIST(NAME)                                                                       \
    NAME(, tgamma, 1, )                                                                            \
    NAME(, logaddexp, 2, )                                                                         \
    NAME(, logaddexp2, 2, )
#define MATH_RARE_LIST(NAME) NAME(, lgamma, 1, )
#ifdef HAVE_VF
#define MATH_NARROW_LIST(NAME) NAME(, angle, 1, )
#define MATH_PLAIN_LIST        PLAIN_LIST
#else
#define MATH_PLAIN_LIST(NAME) NAME(, angle, 1, ) PLAIN_LIST(NAME)
#endif
#define PLAIN_LIST(NAME)                                                                           \
    NAME(, erf, 1, )                                                                               \
    NAME(, erfc, 1, )                                                                              \
    NAME(, atan2, 2, )                                                                             \
    NAME(, hypot, 2, )
#define MATH_TABLE TABLE(stria__math_special_)
#include "math.inc"
