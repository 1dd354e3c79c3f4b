/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacements for levels without non-temporal stores. */
#ifndef STRIA_SIMD_VEC_PLAIN_H
#define STRIA_SIMD_VEC_PLAIN_H

#include <stdint.h>
#include <string.h>

static inline void v_clear_line(char *p)
{
    memset(p, 0, LINE);
}
static inline void v_fence(void) {}

#endif
