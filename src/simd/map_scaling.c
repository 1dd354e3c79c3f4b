/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of ldexp, fma and rounding to decimals, whose results are rounded once. */
#include "map_level.h"
#include "map_scaling.h"

/* In map_small.inc GCC would move choices behind products that overflow if not chosen. */
#undef SMALL_LOOPS

#define GROUP          STRIA_SCALING_LIST
#define TABLE_OF_GROUP TABLE(stria__map_scaling_)
#define EXPRESSIONS    "map_scaling.inc"
#include "map_each.inc"
