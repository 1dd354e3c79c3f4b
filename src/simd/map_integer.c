/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of bitwise ops, shifts, bit counts, gcd and lcm. */
#include "map_level.h"
#include "map_integer.h"

#define GROUP          STRIA_INTEGER_LIST
#define TABLE_OF_GROUP TABLE(stria__map_integer_)
#define EXPRESSIONS    "map_integer.inc"
#include "map_each.inc"
