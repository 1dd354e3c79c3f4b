/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of maxima, minima, clamping, and activations that are made of them. */
#include "map_level.h"
#include "map_choice.h"

#define GROUP          STRIA_CHOICE_LIST
#define TABLE_OF_GROUP TABLE(stria__map_choice_)
#define EXPRESSIONS    "map_choice.inc"
#include "map_each.inc"
