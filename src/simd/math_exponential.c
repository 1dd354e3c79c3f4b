/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: exponential functions, logarithms and hyperbolic functions. */
#include "math_level.h"

#include "math/exp.h"
#include "math/hyperbolic.h"
#include "math/inverse_hyperbolic.h"
#include "math/log.h"

#define MATH_LIST  STRIA_EXPONENTIAL_LIST
#define MATH_TABLE TABLE(stria__math_exponential_)
#include "math.inc"
