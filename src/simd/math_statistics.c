/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of special functions of statistics and physics, for one level. */
#include "math_level.h"

#include "math/bessel.h"
#include "math/digamma.h"
#include "math/entropy.h"
#include "math/normal.h"

#define MATH_LIST STRIA_STATISTICS_LIST
#define MATH_BY_F64_LIST(NAME)                                                                     \
    NAME(, i0, 1, )                                                                                \
    NAME(, i0e, 1, )                                                                               \
    NAME(, i1, 1, )                                                                                \
    NAME(, i1e, 1, )
#define NORMAL_LIST(NAME)                                                                          \
    NAME(, erfcx, 1, )                                                                             \
    NAME(, log_ndtr, 1, )                                                                          \
    NAME(, ndtri, 1, )
#define MATH_ONCE_LIST(NAME)                                                                       \
    NAME(, sinc, 1, )                                                                              \
    NAME(, entr, 1, )                                                                              \
    NAME(, digamma, 1, )                                                                           \
    NAME(, xlogy, 2, )                                                                             \
    NAME(, xlog1py, 2, )
#define MATH_PLAIN_LIST(NAME) NORMAL_LIST(NAME) MATH_ONCE_LIST(NAME)
#define MATH_TIED_LIST(NAME)  MATH_BY_F64_LIST(NAME) NORMAL_LIST(NAME)
#define MATH_TABLE            TABLE(stria__math_statistics_)
#include "math.inc"
