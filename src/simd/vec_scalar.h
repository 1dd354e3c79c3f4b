/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No vectors: the level that every machine can run, the reference that the others are tested
 * against, and an honest baseline. The kernels leave out what HAVE_V16 and above guard.
 */
#ifndef STRIA_SIMD_VEC_SCALAR_H
#define STRIA_SIMD_VEC_SCALAR_H

#include "vec_plain.h"

/*
 * Brings a line into the second-level cache; any address will do. Always inlined, with all that
 * calls it: gcc takes a function that only prefetches for one without effects and drops its calls.
 */
static ALWAYS_INLINE void v_fetch(const char *p)
{
    (void)p;
}

/* The same into the first-level cache. */
static ALWAYS_INLINE void v_fetch_near(const char *p)
{
    (void)p;
}

#endif
