/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The levels of this build as a list of tables, lowest first. The first call picks the best usable
 * one at or below the cap that STRIA_ISA sets in the environment; two threads that come first at
 * once pick the same. A name that the build does not know is no cap.
 */
#include "dispatch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "stria/threads.h"

struct level {
    const struct stria_kernels *kernels;
    bool (*usable)(void); /* NULL: usable on every CPU. */
};

extern const struct stria_kernels stria__kernels_scalar, stria__kernels_base, stria__kernels_avx2,
    stria__kernels_avx512, stria__kernels_neon, stria__kernels_generic;

static const struct level levels[] = {
#ifdef STRIA_HAVE_SCALAR
    {&stria__kernels_scalar, NULL},
#endif
#ifdef STRIA_HAVE_GENERIC
    {&stria__kernels_generic, stria__cpu_vectors},
#endif
#ifdef STRIA_HAVE_BASE
    {&stria__kernels_base, stria__cpu_sse2},
#endif
#ifdef STRIA_HAVE_AVX2
    {&stria__kernels_avx2, stria__cpu_avx2},
#endif
#ifdef STRIA_HAVE_AVX512
    {&stria__kernels_avx512, stria__cpu_avx512},
#endif
#ifdef STRIA_HAVE_NEON
    {&stria__kernels_neon, NULL},
#endif
};

enum { LEVELS = (int)(sizeof levels / sizeof levels[0]) };

_Atomic(const struct stria_kernels *) stria__kernels_chosen;

int stria__kernels_count(void)
{
    return LEVELS;
}

/* Returns a table. Its level is asked for only once, since CPUID takes 20 us on a virtual
 * machine. */
const struct stria_kernels *stria__kernels_at(int level)
{
    static atomic_uchar known[LEVELS];
    enum { ASKED = 1, USABLE = 2 };
    if (level < 0 || level >= LEVELS) return NULL;
    unsigned char what = atomic_load_explicit(&known[level], memory_order_relaxed);
    if (!what) {
        what = !levels[level].usable || levels[level].usable() ? ASKED | USABLE : ASKED;
        atomic_store_explicit(&known[level], what, memory_order_relaxed);
    }
    return what & USABLE ? levels[level].kernels : NULL;
}

/*
 * Returns the number of the level of that name; the last one when the name is NULL or unknown.
 * Scalar stands for the lowest level of a build that has no level of that name.
 */
static int named(const char *name, bool *known)
{
    *known = true;
    for (int i = 0; name && i < LEVELS; i++)
        if (strcmp(levels[i].kernels->isa, name) == 0) return i;
    if (name && strcmp(name, "scalar") == 0) return 0;
    *known = !name;
    return LEVELS - 1;
}

static const struct stria_kernels *choose_level(int cap)
{
    while (!stria__kernels_at(cap))
        cap--;
    atomic_store_explicit(&stria__kernels_chosen, levels[cap].kernels, memory_order_release);
    return levels[cap].kernels;
}

const struct stria_kernels *stria__kernels_find(void)
{
    bool known;
    return choose_level(named(getenv("STRIA_ISA"), &known));
}

bool stria__set_isa(const char *name)
{
    bool known;
    const int cap = named(name, &known);
    if (known) (void)choose_level(cap);
    return known;
}

const char *stria_isa_name(void)
{
    return stria__kernels()->isa;
}
