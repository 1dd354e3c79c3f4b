/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of rounding to integers. */
#include "map_level.h"
#include "map_rounding.h"

#define GROUP          STRIA_ROUNDING_LIST
#define TABLE_OF_GROUP TABLE(stria__map_rounding_)
#define EXPRESSIONS    "map_rounding.inc"
#include "map_each.inc"
