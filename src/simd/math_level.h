/* SPDX-License-Identifier: BSD-3-Clause */
/* The common includes of the groups of math functions (math.inc). */
#pragma once

#include "level.h"
#include "map_layout.h"
#include "math_drive.h"

#include "fma.h"
