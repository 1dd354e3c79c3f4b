/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of exponential, logarithmic and hyperbolic functions, for one level. */
#include "math_level.h"

#include "math/exp.h"
#include "math/exp_narrow.h"
#include "math/exp_short.h"
#include "math/hyperbolic.h"
#include "math/inverse_hyperbolic.h"
#include "math/inverse_hyperbolic_short.h"
#include "math/log.h"
#include "math/log_narrow.h"
#include "math/log_short.h"

#define MATH_LIST STRIA_EXPONENTIAL_LIST
#define NARROW_LIST(NAME)                                                                          \
    NAME(, exp, 1, NEAR)                                                                           \
    NAME(, exp2, 1, NEAR)                                                                          \
    NAME(, exp10, 1, NEAR)                                                                         \
    NAME(, sigmoid, 1, )                                                                           \
    NAME(, expm1, 1, )                                                                             \
    NAME(, log, 1, )                                                                               \
    NAME(, log2, 1, )                                                                              \
    NAME(, log10, 1, )                                                                             \
    NAME(, log1p, 1, )                                                                             \
    NAME(, cosh, 1, )                                                                              \
    NAME(, tanh, 1, )
#define SHORT_LIST(NAME)                                                                           \
    NAME(, sinh, 1, )                                                                              \
    NAME(, asinh, 1, )                                                                             \
    NAME(, acosh, 1, )                                                                             \
    NAME(, atanh, 1, )
#ifdef HAVE_VF
#define MATH_NARROW_LIST NARROW_LIST
#define MATH_SHORT_LIST  SHORT_LIST
#else
#define MATH_SHORT_LIST(NAME) NARROW_LIST(NAME) SHORT_LIST(NAME)
#endif
#define MATH_TABLE TABLE(stria__math_exponential_)
#include "math.inc"
