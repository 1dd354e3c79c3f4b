/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No vectors: the level that every machine can run, the reference that the others are tested
 * against, and an honest baseline. The kernels leave out what HAVE_V16 and above guard.
 */
#ifndef STRIA_SIMD_VEC_SCALAR_H
#define STRIA_SIMD_VEC_SCALAR_H

#include "vec_plain.h"

/*
 * Prefetches a line into the second-level cache; any address is allowed. Always inlined, with all
 * its callers: gcc takes a function that only prefetches for one without effects and drops calls to
 * it.
 */
static ALWAYS_INLINE void v_fetch(const char *p)
{
    (void)p;
}

/* Prefetches a line into the first-level cache. */
static ALWAYS_INLINE void v_fetch_near(const char *p)
{
    (void)p;
}

#endif
