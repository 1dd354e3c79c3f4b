/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a machine, each of which follows from those before it. */
#ifndef STRIA_SRC_MACHINE_DERIVE_H
#define STRIA_SRC_MACHINE_DERIVE_H

#include "cpu.h"
#include "machine/machine.h"

static inline int64_t between(int64_t low, int64_t x, int64_t high)
{
    return x < low ? low : x < high ? x : high;
}

enum { CACHE_LEVELS = 3 };

/*
 * Finds the caches; out[0] is the first level. This takes microseconds or reads files: call it
 * once.
 */
void stria__find_caches(struct stria__cache out[CACHE_LEVELS]);

void stria__machine_sizes(struct stria__machine *m);
void stria__machine_streaming(struct stria__machine *m);
void stria__machine_cycles(struct stria__machine *m);

#endif
