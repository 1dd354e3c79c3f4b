/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread is worth. */
#include "derive.h"

/*
 * grain: a sum of two f32 arrays in cache on two threads instead of one took 4.4 to 5.3 us at
 * 256 KiB in all, 9.5 to 8.4 us at 512 KiB, 38 to 28 us at 2 MiB (Zen 4, libgomp, bench
 * walk_threads).
 *
 * share.runs: where two threads read every other kilobyte of the same memory, the prefetcher of
 * each reads on into what is the other's, and both together are slower than one (Xeon).
 */
void stria__machine_threads(struct stria__machine *m)
{
    m->grain = 256 * KIB;
    m->grain_cycles = 20000;
    m->share.runs = 16 * KIB;
    m->share.pieces = 16;
    m->share.row = KIB;
}
