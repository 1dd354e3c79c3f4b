/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Items of a numeric kind that are hard to convert: every bit pattern where there are at most 2^16,
 * otherwise a mix of random bits, numbers of every magnitude, limits of integers, and what lies
 * exactly between two neighbours of a narrower float, or one step beside it.
 */
#pragma once

#include <stdint.h>

#include "stria/dtype.h"

/* Writes n items to out, in native byte order. */
void samples_fill(void *out, stria_kind kind, int64_t n, uint64_t *seed);
