/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of floor division and remainders of integers. */
#include "map_level.h"
#include "map_division.h"

#define GROUP          STRIA_WHOLE_DIVISION_LIST
#define TABLE_OF_GROUP TABLE(stria__map_division_)
#define EXPRESSIONS    "map_division.inc"
#include "map_each.inc"
