/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How blocks of output are put together whose bytes come from the same places relative to each
 * block (pattern.inc).
 */
#pragma once

#include <stdint.h>

#include "kernels.h"

enum { PATTERN_BYTES = 512, PATTERN_STEPS = 4, PATTERN_CHUNKS = PATTERN_BYTES / LANE };

/*
 * Vector v, of the level's pattern_width, at out + out_at[v], consists of chunks of `chunk` bytes,
 * and each of these of bytes of some chunks of the input. Of step k < steps, chunk c of the input
 * is at in + at[(v * PATTERN_STEPS + k) * (width / chunk) + c], readable as a whole, and `select`
 * has at (v * PATTERN_STEPS + k) * width for each byte its number in that chunk, or 0x80. For
 * chunks of LINE bytes it has such numbers of 16 bits, of words, and `mask` has a bit for each word
 * that is taken.
 */
struct pattern {
    int chunk, vectors, steps;
    int64_t out_at[PATTERN_CHUNKS];
    int64_t last_out, last_in; /* where the last block of a row lies, from the first one */
    uint32_t mask[PATTERN_BYTES / LINE * PATTERN_STEPS];
    int64_t at[PATTERN_CHUNKS * PATTERN_STEPS];
    char select[PATTERN_BYTES * PATTERN_STEPS];
};
