/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels run: chosen once, behind one atomic pointer. */
#ifndef STRIA_SRC_DISPATCH_H
#define STRIA_SRC_DISPATCH_H

#include <stdbool.h>

#include "simd/kernels.h"

/* The best table that this machine can run, or the one that STRIA_ISA or stria__set_isa named. */
const struct stria_kernels *stria__kernels(void);

/* Table number `level` of this build, lowest first, if this machine can run it; NULL otherwise. */
const struct stria_kernels *stria__kernels_at(int level);
int stria__kernels_count(void);

/* Caps the level from now on, in every thread; NULL lifts the cap. False for an unknown name. */
bool stria__set_isa(const char *name);

#endif
