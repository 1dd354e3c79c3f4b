/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of kernels: made once, behind one atomic pointer. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "simd/kernels.h"

extern _Atomic(const struct stria_kernels *) stria__kernels_chosen;
const struct stria_kernels *stria__kernels_find(void);

/*
 * Returns the best table that this machine can run, at or below the cap of STRIA_ISA or
 * stria__set_isa.
 */
static inline const struct stria_kernels *stria__kernels(void)
{
    const struct stria_kernels *const kernels =
        atomic_load_explicit(&stria__kernels_chosen, memory_order_acquire);
    return kernels ? kernels : stria__kernels_find();
}

/*
 * Returns table number `level` of this build, lowest first, if this machine can run it; else NULL.
 */
const struct stria_kernels *stria__kernels_at(int level);
int stria__kernels_count(void);

/*
 * Caps the level from now on, in every thread; NULL lifts the cap. Returns false for an unknown
 * name.
 */
bool stria__set_isa(const char *name);
