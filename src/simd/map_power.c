/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of integers; those of floats are mathematics. */
#include "map_level.h"

#define GROUP          STRIA_POWER_LIST
#define TABLE_OF_GROUP TABLE(stria__map_power_)
#define EXPRESSIONS    "map_power.inc"
#include "map_each.inc"
