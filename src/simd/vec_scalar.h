/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The level without vectors, which every machine can run. It is the reference that the others are
 * tested against, and an honest baseline. Code for HAVE_V16 and above is left out.
 */
#ifndef STRIA_SIMD_VEC_SCALAR_H
#define STRIA_SIMD_VEC_SCALAR_H

#include "vec_plain.h"

/* These do nothing at this level; see vec_sse2.h. */
static ALWAYS_INLINE void v_fetch(const char *p)
{
    (void)p;
}

static ALWAYS_INLINE void v_fetch_near(const char *p)
{
    (void)p;
}

#endif
