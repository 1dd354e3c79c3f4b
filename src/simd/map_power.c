/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of integers; those of floats are mathematics. */
#include "map_level.h"

/* Items of a block. Levels of 16 bytes have no product of vectors of 64 bits. */
#if defined HAVE_V32
enum { POWER_ITEMS = 64, LONG_POWER_ITEMS = 64 };
#elif defined WIDEST
enum { POWER_ITEMS = 64, LONG_POWER_ITEMS = 1 };
#else
enum { POWER_ITEMS = 1, LONG_POWER_ITEMS = 1 };
#endif

#define GROUP          STRIA_POWER_LIST
#define TABLE_OF_GROUP TABLE(stria__map_power_)
#define EXPRESSIONS    "map_power.inc"
#include "map_each.inc"
