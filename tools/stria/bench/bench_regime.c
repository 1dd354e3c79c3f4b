/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_regime.h"

#include <string.h>

static const char *const names[] = {"by size", "hot", "l3", "dram"};

bool regime_read(enum regime *out, const char *text)
{
    for (int i = REGIME_HOT; i <= REGIME_DRAM; i++) {
        if (strcmp(text, names[i])) continue;
        *out = (enum regime)i;
        return true;
    }
    return false;
}

const char *regime_name(enum regime regime)
{
    return names[regime];
}

/* A machine that does not tell its caches is taken for a common one. */
static int64_t or_usual(int64_t bytes, int64_t usual)
{
    return bytes > 0 ? bytes : usual;
}

static int64_t last_level(const struct machine *m)
{
    const int64_t l2 = or_usual(m->l2, 1 << 20);
    return or_usual(m->l3, m->l2 > 0 ? l2 : 32 << 20);
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most;
}

int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine)
{
    const int64_t l3 = last_level(machine);
    const int64_t hot = at_most(l3 / 4, REGIME_HOT_MOST);
    if (regime == REGIME_BY_SIZE) regime = touched <= hot ? REGIME_HOT : REGIME_DRAM;
    int64_t pairs = 1;
    if (regime == REGIME_L3) pairs = l3 / 2 / touched;
    if (regime == REGIME_DRAM) pairs = (2 * l3 + touched - 1) / touched;
    pairs = at_most(at_most(pairs, REGIME_MAX_PAIRS), 16 * l3 / pair);
    return pairs < 1 ? 1 : pairs;
}

const char *regime_lies_in(int64_t bytes, const struct machine *machine)
{
    if (bytes <= or_usual(machine->l1d, 32 << 10)) return "L1";
    if (bytes <= or_usual(machine->l2, 1 << 20)) return "L2";
    return bytes <= last_level(machine) ? "L3" : "DRAM";
}
