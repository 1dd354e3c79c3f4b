/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of comparisons, logic, and tests such as isnan. */
#include "map_level.h"

static ALWAYS_INLINE float infinity_f32(void)
{
    return __builtin_inff();
}

static ALWAYS_INLINE double infinity_f64(void)
{
    return __builtin_inf();
}

/* a > b is b < a, and a >= b is b <= a. */
#define IS_MIRRORED(op) ((op) == STRIA_GREATER || (op) == STRIA_GREATER_EQUAL)
#define MIRROR_OF(op)   ((op) == STRIA_GREATER ? NAMED(rows_less) : NAMED(rows_less_equal))

#define GROUP          STRIA_COMPARISON_LIST
#define TABLE_OF_GROUP TABLE(stria__map_comparison_)
#define EXPRESSIONS    "map_comparison.inc"
#include "map_each.inc"
