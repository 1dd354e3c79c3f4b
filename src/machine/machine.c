/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the CPU tells of itself; the numbers that follow from that are beside this file, with what
 * they were measured on: a Zen 4 (L2 1 MiB), a Zen 5 (L2 1 MiB) and an Emerald Rapids Xeon (L2 2
 * MiB), AVX-512 unless something else is said. Most thresholds are multiples of the second-level
 * cache, since that is the last one which a core has for itself. A number without a remark was
 * fitted on one of these CPUs to the suites of the benchmark; which one is not on record.
 */
#include "machine/machine.h"

#include <pthread.h>

#include "cpu.h"
#include "derive.h"

/* The caches of the smallest desktop cores of today, for a CPU that describes none. */
static const struct stria__cache L1_UNKNOWN = {32 * KIB, 8, 64, 1},
                                 L2_UNKNOWN = {1 * MIB, 16, 1024, 1};

/* Bounds of sizes: others were misread, or are set so by a virtual machine. */
enum { L1_LEAST = 8 * KIB, L1_MOST = 1 * MIB, L2_LEAST = 64 * KIB, L2_MOST = 64 * MIB };

static bool is_plausible(const struct stria__cache *cache, int64_t least, int64_t most)
{
    return cache->size >= least && cache->size <= most && cache->ways > 0 && cache->sets > 0;
}

static void ask_the_cpu(struct stria__machine *m)
{
    struct stria__cache found[CACHE_LEVELS];
    stria__find_caches(found);
    m->l1 = is_plausible(&found[0], L1_LEAST, L1_MOST) ? found[0] : L1_UNKNOWN;
    m->l2 = is_plausible(&found[1], L2_LEAST, L2_MOST) ? found[1] : L2_UNKNOWN;
    m->l3 = found[2];
    m->clears_lines = stria__cpu_clears_lines();
}

static void derive(struct stria__machine *m)
{
    stria__machine_sizes(m);
    stria__machine_streaming(m);
    stria__machine_cycles(m);
}

static struct stria__machine found, changed;
_Atomic(const struct stria__machine *) stria__machine_known;

static void find(void)
{
    ask_the_cpu(&found);
    derive(&found);
    atomic_store_explicit(&stria__machine_known, &found, memory_order_release);
}

const struct stria__machine *stria__machine_find(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find);
    return atomic_load_explicit(&stria__machine_known, memory_order_acquire);
}

void stria__machine_set_l2(int64_t bytes)
{
    (void)stria__machine();
    changed = found;
    changed.l2.size = bytes;
    changed.l3 = (struct stria__cache){0};
    derive(&changed);
    atomic_store_explicit(&stria__machine_known, bytes > 0 ? &changed : &found,
                          memory_order_release);
}
