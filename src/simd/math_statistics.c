/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of one level: special functions of statistics and physics. */
#include "math_level.h"

#include "math/bessel.h"
#include "math/digamma.h"
#include "math/entropy.h"
#include "math/normal.h"

#define MATH_LIST  STRIA_STATISTICS_LIST
#define MATH_TABLE TABLE(stria__math_statistics_)
#include "math.inc"
